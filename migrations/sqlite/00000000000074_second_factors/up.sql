-- What an account's authenticator shares with us (RFC 6238): sealed under the pepper, and until it is confirmed good for nothing. A code
-- is taken once: later ones alone, those of a step after the last.
CREATE TABLE second_factors (
  user_id BLOB PRIMARY KEY NOT NULL REFERENCES users (id),
  sealed BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  confirmed_at INTEGER,
  last_step INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
