//! What we call outside: web pages, video transcripts, language models, storage and payment providers.
//!
//! Everything that comes back is hostile until read with bounds: a time, a size, and a list of what may be called at all.
//! Settings arrive as plain values; failures leave as [`skillkiln_document::failure::Failure`], in words for the user.
//!
//! ```text
//! web ──▶ public_address (as written) ──▶ pace ──▶ robots ──▶ client with resolver (names) ──▶ cache
//! ```

pub mod public_address;

mod resolver;

pub mod client;

pub mod callback;

pub mod collector;

mod pace;

mod robots;

mod cache;

mod cookies;

mod fetch_failure;

pub mod mail;

pub mod web;

pub mod video;

pub mod bucket;

pub mod model;

pub mod payment;

pub mod openid;

pub mod service;

#[cfg(test)]
pub(crate) mod fakes;
