-- Texts that were made again of a skill which its owner had changed by hand: they wait beside it for an answer. The text itself is the
-- product of the generation, which has the run's own identity.
CREATE TABLE drafts (
  run_id BLOB PRIMARY KEY NOT NULL,
  skill_id BLOB NOT NULL REFERENCES skills (id) ON DELETE CASCADE,
  made_at INTEGER NOT NULL,
  waits INTEGER NOT NULL CHECK (waits IN (0, 1))
) STRICT;
CREATE INDEX drafts_of_skill ON drafts (skill_id);
