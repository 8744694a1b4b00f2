-- Whether its source is looked at still; one that was switched off stays as long as a text that was ordered for it waits for its owner.
ALTER TABLE watches ADD COLUMN is_on boolean NOT NULL DEFAULT true;
