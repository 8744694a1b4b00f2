DROP TABLE sources;
DROP TABLE skills;
DROP TABLE generations;
DROP TABLE transfers;
DROP TABLE keys;
DROP TABLE users;
