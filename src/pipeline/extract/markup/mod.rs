//! Readers of texts that are marked up by hand.

pub mod markdown;
