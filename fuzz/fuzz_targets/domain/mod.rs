//! The service's own files that the targets need: the rest of it would take minutes to build.

#[path = "../../../src/domain/address.rs"]
pub mod address;
#[path = "../../../src/domain/clock.rs"]
pub mod clock;
#[path = "../../../src/domain/credits.rs"]
pub mod credits;
#[path = "../../../src/domain/id.rs"]
pub mod id;
#[path = "../../../src/domain/not_text.rs"]
pub mod not_text;
#[path = "../../../src/domain/payment.rs"]
pub mod payment;
#[path = "../../../src/domain/source.rs"]
pub mod source;
#[path = "../../../src/domain/user.rs"]
pub mod user;
