DROP TABLE blob_bytes;
