ALTER TABLE skills DROP COLUMN origins;
