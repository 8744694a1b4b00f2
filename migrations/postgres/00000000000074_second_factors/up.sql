-- What an account's authenticator shares with us (RFC 6238): sealed under the pepper, and until it is confirmed good for nothing. A code
-- is taken once: later ones alone, those of a step after the last.
CREATE TABLE second_factors (
  user_id uuid PRIMARY KEY REFERENCES users (id),
  sealed bytea NOT NULL,
  created_at timestamptz NOT NULL,
  confirmed_at timestamptz,
  last_step bigint NOT NULL
);
