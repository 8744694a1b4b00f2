-- What a generation made, kept from when its skill is first changed or deleted: what the history gives out, and what a request
-- that is repeated is answered with. Of a deleted skill it stays until the request can be repeated no more.
CREATE TABLE products (
  generation_id BLOB PRIMARY KEY NOT NULL REFERENCES generations (id),
  skill_id BLOB NOT NULL,
  name TEXT NOT NULL,
  filename TEXT NOT NULL,
  description TEXT NOT NULL,
  category TEXT NOT NULL,
  word_count INTEGER NOT NULL,
  content TEXT NOT NULL,
  reference_files TEXT NOT NULL,
  report TEXT NOT NULL,
  origins TEXT NOT NULL,
  keep_until INTEGER
) STRICT;
CREATE INDEX products_of_skill ON products (skill_id);
CREATE INDEX products_passing ON products (keep_until) WHERE keep_until IS NOT NULL;
