-- What a language model answered, by the digest of all that decides about it: making a skill again asks only what has changed.
CREATE TABLE answers (
  digest TEXT NOT NULL PRIMARY KEY,
  answer TEXT NOT NULL,
  size INTEGER NOT NULL,
  used_at INTEGER NOT NULL
) STRICT;
CREATE INDEX answers_used ON answers (used_at);
