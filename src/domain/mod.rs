//! The words every floor shares: identities, time, keys, credits, quotas.
//!
//! Nothing here does I/O, waits, or knows a wire format. Whatever a rule needs (the time, a pepper) is handed in.

pub mod address;
pub mod attempts;
pub mod clock;
pub mod credits;
pub mod digest;
pub mod generation;
pub mod id;
pub mod key;
pub mod lease;
pub mod lent;
pub mod not_text;
pub mod observation;
pub mod payment;
pub mod quota;
pub mod repository;
pub mod skill;
pub mod source;
pub mod source_kind;
pub mod spread;
pub mod topic;
pub mod totp;
pub mod usage;
pub mod user;
pub mod vitals;
pub mod watch;
pub mod webhook;
