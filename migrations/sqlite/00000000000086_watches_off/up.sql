-- Whether its source is looked at still; one that was switched off stays as long as a text that was ordered for it waits for its owner.
ALTER TABLE watches ADD COLUMN is_on INTEGER NOT NULL DEFAULT 1 CHECK (is_on IN (0, 1));
