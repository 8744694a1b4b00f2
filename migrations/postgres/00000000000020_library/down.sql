DROP INDEX sources_living;
CREATE INDEX sources_waiting ON sources (created_at) WHERE status IN ('uploaded', 'failed');
DROP TABLE blobs;
DROP TABLE run_files;
DROP TABLE versions;
DROP INDEX skills_by_category;
DROP INDEX skills_of_run;
ALTER TABLE skills DROP COLUMN origin_ordinal;
ALTER TABLE skills DROP COLUMN origin_run;
