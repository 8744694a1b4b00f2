-- Browsers that are signed in, known by the digest of their token only.
CREATE TABLE sessions (
  id BLOB PRIMARY KEY NOT NULL,
  user_id BLOB NOT NULL REFERENCES users (id),
  digest BLOB NOT NULL UNIQUE,
  agent TEXT NOT NULL,
  network TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_of_user ON sessions (user_id, seen_at);
CREATE INDEX sessions_by_end ON sessions (expires_at);

-- Where an account was made, what its welcome is worth, and when its address was found to be its owner's.
CREATE TABLE welcomes (
  user_id BLOB PRIMARY KEY NOT NULL REFERENCES users (id),
  network TEXT NOT NULL,
  credits INTEGER NOT NULL CHECK (credits >= 0),
  created_at INTEGER NOT NULL,
  verified_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX welcomes_of_network ON welcomes (network, created_at);

-- Codes that let in somebody who lost the password, each once. Known by their digest only.
CREATE TABLE recovery_codes (
  digest BLOB PRIMARY KEY NOT NULL,
  user_id BLOB NOT NULL REFERENCES users (id),
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX recovery_codes_of_user ON recovery_codes (user_id);

-- Links that were sent by mail, each good for one thing and once. Known by their digest only.
CREATE TABLE tickets (
  digest BLOB PRIMARY KEY NOT NULL,
  user_id BLOB NOT NULL REFERENCES users (id),
  purpose TEXT NOT NULL CHECK (purpose IN ('verify', 'reset')),
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tickets_of_user ON tickets (user_id, purpose);

-- Invitations to make an account, each for one. Known by their digest only.
CREATE TABLE invites (
  digest BLOB PRIMARY KEY NOT NULL,
  note TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_by BLOB REFERENCES users (id)
) STRICT, WITHOUT ROWID;

-- Who an account is to somebody who vouches for people (OpenID Connect).
CREATE TABLE identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id BLOB NOT NULL REFERENCES users (id),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX identities_of_user ON identities (user_id);
