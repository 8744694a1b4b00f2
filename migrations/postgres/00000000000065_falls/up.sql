-- How often a run's source took down the process that worked on it: after the second time no node takes the run up again.
ALTER TABLE generations ADD COLUMN worker_falls integer NOT NULL DEFAULT 0;
