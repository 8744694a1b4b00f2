-- Browsers that are signed in, known by the digest of their token only.
CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id),
  digest bytea NOT NULL UNIQUE,
  agent text NOT NULL,
  network text NOT NULL,
  created_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_of_user ON sessions (user_id, seen_at);
CREATE INDEX sessions_by_end ON sessions (expires_at);

-- Where an account was made, what its welcome is worth, and when its address was found to be its owner's.
CREATE TABLE welcomes (
  user_id uuid PRIMARY KEY REFERENCES users (id),
  network text NOT NULL,
  credits bigint NOT NULL CHECK (credits >= 0),
  created_at timestamptz NOT NULL,
  verified_at timestamptz
);
CREATE INDEX welcomes_of_network ON welcomes (network, created_at);

-- Codes that let in somebody who lost the password, each once. Known by their digest only.
CREATE TABLE recovery_codes (
  digest bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX recovery_codes_of_user ON recovery_codes (user_id);

-- Links that were sent by mail, each good for one thing and once. Known by their digest only.
CREATE TABLE tickets (
  digest bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id),
  purpose text NOT NULL CHECK (purpose IN ('verify', 'reset')),
  expires_at timestamptz NOT NULL
);
CREATE INDEX tickets_of_user ON tickets (user_id, purpose);

-- Invitations to make an account, each for one. Known by their digest only.
CREATE TABLE invites (
  digest bytea PRIMARY KEY,
  note text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_by uuid REFERENCES users (id)
);

-- Who an account is to somebody who vouches for people (OpenID Connect).
CREATE TABLE identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_of_user ON identities (user_id);
