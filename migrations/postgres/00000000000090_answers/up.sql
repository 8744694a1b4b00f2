-- What a language model answered, by the digest of all that decides about it: making a skill again asks only what has changed.
CREATE TABLE answers (
  digest text NOT NULL PRIMARY KEY,
  answer text NOT NULL,
  size bigint NOT NULL,
  used_at timestamptz NOT NULL
);
CREATE INDEX answers_used ON answers (used_at);
