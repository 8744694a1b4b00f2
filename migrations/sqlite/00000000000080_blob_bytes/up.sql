-- Uploaded files, where the database is their home (blobs.home). Which there may be, `blobs` says.
CREATE TABLE blob_bytes (
    digest TEXT NOT NULL PRIMARY KEY,
    bytes BLOB NOT NULL
);
