DROP INDEX skills_public;
