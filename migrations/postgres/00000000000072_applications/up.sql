-- Links that were sent to addresses for which somebody asked for an account: it is made by whoever opens one, so that nobody has an
-- account with an address that is not theirs, and the form that asks says nothing of who has one. Known by their digest only.
CREATE TABLE applications (
  digest bytea PRIMARY KEY,
  email text NOT NULL,
  invite bytea,
  expires_at timestamptz NOT NULL
);
CREATE INDEX applications_by_email ON applications (email);
CREATE INDEX applications_by_end ON applications (expires_at);
