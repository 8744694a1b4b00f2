-- Uploaded files, where the database is their home (blobs.home). Which there may be, `blobs` says.
CREATE TABLE blob_bytes (
    digest text NOT NULL PRIMARY KEY,
    bytes bytea NOT NULL
);
-- Most are compressed already: nobody tries it again.
ALTER TABLE blob_bytes ALTER COLUMN bytes SET STORAGE EXTERNAL;
