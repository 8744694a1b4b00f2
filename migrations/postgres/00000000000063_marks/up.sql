-- What belongs to this database and lies elsewhere, told by a digest: the pepper.
CREATE TABLE marks (
    name text NOT NULL PRIMARY KEY,
    value text NOT NULL
);
