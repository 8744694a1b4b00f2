-- The how manieth text of a skill it has now, and each kept version was. What was changed before this was counted is counted by what is kept.
ALTER TABLE skills ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE versions ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
UPDATE versions SET number =
  (SELECT count(*) FROM versions AS older WHERE older.skill_id = versions.skill_id AND older.made_at <= versions.made_at);
UPDATE skills SET version = 1 + (SELECT count(*) FROM versions WHERE versions.skill_id = skills.id)
  WHERE id IN (SELECT skill_id FROM versions);
-- Skills whose sources are looked at again and again: how often, what is done about a change, when next, and what was found. `seen` is what
-- the source said when the skill's text was settled, `pending` what it says while a change waits for its owner, `run_id` the run that
-- was ordered for that, `beside` whether what it makes waits for its owner too.
CREATE TABLE watches (
  skill_id BLOB PRIMARY KEY NOT NULL REFERENCES skills (id) ON DELETE CASCADE,
  user_id BLOB NOT NULL REFERENCES users (id),
  every TEXT NOT NULL CHECK (every IN ('daily', 'weekly')),
  remedy TEXT NOT NULL CHECK (remedy IN ('tell', 'draft', 'take')),
  created_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  looked_at INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  trouble TEXT,
  made_by BLOB,
  seen TEXT,
  pending TEXT,
  changes TEXT,
  run_id BLOB,
  beside INTEGER NOT NULL DEFAULT 0 CHECK (beside IN (0, 1))
) STRICT;
CREATE INDEX watches_due ON watches (due_at);
CREATE INDEX watches_of_user ON watches (user_id);
