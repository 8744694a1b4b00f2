//! As [`crate::domain`], of what speaks with others.

pub mod payment;
