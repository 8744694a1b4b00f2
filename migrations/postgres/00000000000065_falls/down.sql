ALTER TABLE generations DROP COLUMN worker_falls;
