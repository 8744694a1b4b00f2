ALTER TABLE products ADD COLUMN keep_until timestamptz;
CREATE INDEX products_passing ON products (keep_until) WHERE keep_until IS NOT NULL;
