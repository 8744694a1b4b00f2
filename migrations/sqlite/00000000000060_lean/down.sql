DROP INDEX skills_of_user;
CREATE INDEX skills_of_user ON skills (user_id, updated_at);
CREATE INDEX skills_by_category ON skills (user_id, category);
