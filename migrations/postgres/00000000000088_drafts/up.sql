-- Texts that were made again of a skill which its owner had changed by hand: they wait beside it for an answer. The text itself is the
-- product of the generation, which has the run's own identity.
CREATE TABLE drafts (
  run_id uuid PRIMARY KEY,
  skill_id uuid NOT NULL REFERENCES skills (id) ON DELETE CASCADE,
  made_at timestamptz NOT NULL,
  waits boolean NOT NULL
);
CREATE INDEX drafts_of_skill ON drafts (skill_id);
