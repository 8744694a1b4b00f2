//! What the service can do, in four rooms: run generations, keep skills, know accounts, take payments.

pub mod accounts;
pub mod engine;
pub mod library;
