//! skillkiln turns a source into a skill.
pub mod actors;
pub mod cli;
pub mod config;
pub mod domain;
pub mod http;
pub mod pipeline;
pub mod providers;
pub mod services;
pub mod store;
pub mod telemetry;
