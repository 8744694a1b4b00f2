DROP TABLE identities;
DROP TABLE invites;
DROP TABLE tickets;
DROP TABLE recovery_codes;
DROP TABLE welcomes;
DROP TABLE sessions;
