//! The service as a client sees it: every line of the contract, over HTTP, against the real thing on a database of its own.

#![expect(
    clippy::indexing_slicing,
    reason = "a test that reads past the end fails, as it should"
)]

mod auth;
mod bad_sources;
mod billing;
mod blobs;
mod catalogue;
mod description;
mod discovery;
mod errors;
mod forms;
mod generate;
mod history;
#[path = "../shared/mcp.rs"]
mod host;
mod library;
mod limits;
mod manners;
mod mcp;
mod model;
mod openid;
mod ops;
mod ops_deeds;
mod ops_files;
mod pages_account;
mod pages_door;
mod pages_frame;
mod pages_mail;
mod pages_press;
mod pages_proof;
mod pages_refused;
mod pages_several;
mod pages_skills;
#[path = "../shared/postgres.rs"]
mod postgres;
mod prefill;
#[path = "../shared/redis.rs"]
mod redis_server;
mod regenerate;
mod sandbox;
mod second_factor;
mod several_nodes;
mod shared_windows;
mod skills;
mod stream;
mod support;
mod watches;
mod webhooks;
