-- The skills that their owners show to everybody, newest first, for the index that installers read.
CREATE INDEX skills_public ON skills (id) WHERE is_public;
