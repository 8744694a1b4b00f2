-- The address under which somebody who vouches for people knows the account's owner; shown to tell their identities apart.
ALTER TABLE identities ADD COLUMN email TEXT NOT NULL DEFAULT '';
