-- What is deleted is gone for good: what a generation made goes with its skill, and a request that is repeated does not find it.
DELETE FROM products WHERE keep_until IS NOT NULL;
DROP INDEX products_passing;
ALTER TABLE products DROP COLUMN keep_until;
