-- What a generation made, kept from when its skill is first changed or deleted: what the history gives out, and what a request
-- that is repeated is answered with. Of a deleted skill it stays until the request can be repeated no more.
CREATE TABLE products (
  generation_id uuid PRIMARY KEY REFERENCES generations (id),
  skill_id uuid NOT NULL,
  name text NOT NULL,
  filename text NOT NULL,
  description text NOT NULL,
  category text NOT NULL,
  word_count bigint NOT NULL,
  content text NOT NULL,
  reference_files text NOT NULL,
  report text NOT NULL,
  origins text NOT NULL,
  keep_until timestamptz
);
CREATE INDEX products_of_skill ON products (skill_id);
CREATE INDEX products_passing ON products (keep_until) WHERE keep_until IS NOT NULL;
