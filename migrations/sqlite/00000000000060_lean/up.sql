-- One index of a library instead of two: it holds the categories as well, for what is asked of them is asked of a whole library, and
-- each index costs a new skill a page of its own.
DROP INDEX skills_by_category;
DROP INDEX skills_of_user;
CREATE INDEX skills_of_user ON skills (user_id, updated_at, category);
