-- The how manieth text of a skill it has now, and each kept version was. What was changed before this was counted is counted by what is kept.
ALTER TABLE skills ADD COLUMN version integer NOT NULL DEFAULT 1;
ALTER TABLE versions ADD COLUMN number integer NOT NULL DEFAULT 0;
UPDATE versions SET number =
  (SELECT count(*) FROM versions AS older WHERE older.skill_id = versions.skill_id AND older.made_at <= versions.made_at);
UPDATE skills SET version = 1 + counted.versions
  FROM (SELECT skill_id, count(*) AS versions FROM versions GROUP BY skill_id) AS counted WHERE counted.skill_id = skills.id;
-- Skills whose sources are looked at again and again: how often, what is done about a change, when next, and what was found. `seen` is what
-- the source said when the skill's text was settled, `pending` what it says while a change waits for its owner, `run_id` the run that
-- was ordered for that, `beside` whether what it makes waits for its owner too.
CREATE TABLE watches (
  skill_id uuid PRIMARY KEY REFERENCES skills (id) ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users (id),
  every text NOT NULL CHECK (every IN ('daily', 'weekly')),
  remedy text NOT NULL CHECK (remedy IN ('tell', 'draft', 'take')),
  created_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  looked_at timestamptz,
  failures integer NOT NULL DEFAULT 0,
  trouble text,
  made_by uuid,
  seen text,
  pending text,
  changes text,
  run_id uuid,
  beside boolean NOT NULL DEFAULT false
);
CREATE INDEX watches_due ON watches (due_at);
CREATE INDEX watches_of_user ON watches (user_id);
