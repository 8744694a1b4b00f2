//! What the tests stand on: the service itself, a client that can also misbehave, and a web site to read from.

pub(crate) mod app;
#[path = "../../shared/model.rs"]
pub(crate) mod brain;
pub(crate) mod browser;
pub(crate) mod bucket;
pub(crate) mod client;
pub(crate) mod described;
pub(crate) mod exposition;
pub(crate) mod model;
#[path = "../../shared/openid.rs"]
pub(crate) mod openid;
pub(crate) mod post;
pub(crate) mod site;
pub(crate) mod stripe;
