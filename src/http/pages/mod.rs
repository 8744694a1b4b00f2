//! The web application: pages written by the server, usable without script, safe whatever they show.
//!
//! ```text
//! request ─▶ handler ─▶ a struct with its `Frame` ─▶ templates/*.html ─▶ frame::page: policy, caching, no sniffing
//! ```
//!
//! The look is in `assets/app.css`; its vocabulary is explained at the top of `templates/layout.html`.

pub(super) mod account;
mod assets;
pub(super) mod billing;
mod by_hand;
pub(super) mod create;
mod diff;
pub(super) mod discovery;
pub(super) mod docs;
pub(super) mod door;
pub(super) mod draft;
pub(super) mod endpoints;
mod entrance;
pub(super) mod fields;
mod findings;
pub(super) mod frame;
mod given;
mod headers;
mod history;
pub(super) mod landing;
pub(super) mod library;
pub(super) mod loaded;
pub(super) mod mail;
mod markdown;
mod moment;
pub(super) mod openid;
mod press;
mod preview;
mod qr;
mod reference;
pub(super) mod refusal;
pub(super) mod runs;
pub(super) mod second_factor;
pub(super) mod session;
pub(super) mod share;
pub(super) mod skill;
pub(super) mod skill_forms;
pub(super) mod watch;
pub(super) mod well_known;
