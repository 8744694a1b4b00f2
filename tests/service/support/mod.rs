//! What the tests stand on: the service itself, a client that can also misbehave, and a web site to read from.

pub(crate) mod app;
pub(crate) mod browser;
pub(crate) mod client;
pub(crate) mod site;
