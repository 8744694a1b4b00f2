//! SQLite and PostgreSQL from one set of queries: accounts, keys, credits, runs, skills, sources.

pub mod model;
