-- Where each part of a skill comes from, in JSON; empty for skills from before this was kept.
ALTER TABLE skills ADD COLUMN origins TEXT NOT NULL DEFAULT '[]';
