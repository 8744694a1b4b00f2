ALTER TABLE identities DROP COLUMN email;
