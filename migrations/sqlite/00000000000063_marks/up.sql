-- What belongs to this database and lies elsewhere, told by a digest: the pepper.
CREATE TABLE marks (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);
