DROP TABLE watches;
ALTER TABLE versions DROP COLUMN number;
ALTER TABLE skills DROP COLUMN version;
