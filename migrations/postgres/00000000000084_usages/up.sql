-- What a language model took for a run, each time that one was begun: tokens, and their cost in millionths by the prices of that time.
CREATE TABLE usages (
  run_id uuid NOT NULL,
  attempt integer NOT NULL,
  user_id uuid NOT NULL REFERENCES users (id),
  at timestamptz NOT NULL,
  input bigint NOT NULL,
  cached bigint NOT NULL,
  output bigint NOT NULL,
  cost bigint NOT NULL,
  PRIMARY KEY (run_id, attempt)
);
CREATE INDEX usages_of_user ON usages (user_id);
