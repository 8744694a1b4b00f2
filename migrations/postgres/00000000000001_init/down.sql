DROP TABLE sources;
DROP TABLE skills;
DROP TABLE generations;
DROP TABLE transfers;
DROP FUNCTION transfers_are_immutable;
DROP TABLE keys;
DROP TABLE users;
