-- What a language model took for a run, each time that one was begun: tokens, and their cost in millionths by the prices of that time.
CREATE TABLE usages (
  run_id BLOB NOT NULL,
  attempt INTEGER NOT NULL,
  user_id BLOB NOT NULL REFERENCES users (id),
  at INTEGER NOT NULL,
  input INTEGER NOT NULL,
  cached INTEGER NOT NULL,
  output INTEGER NOT NULL,
  cost INTEGER NOT NULL,
  PRIMARY KEY (run_id, attempt)
) STRICT, WITHOUT ROWID;
CREATE INDEX usages_of_user ON usages (user_id);
