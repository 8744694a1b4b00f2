//! What a payment provider tells, and how it proves it.

#[path = "../../../../src/providers/payment/event.rs"]
pub mod event;
#[path = "../../../../src/providers/payment/order.rs"]
pub mod order;
#[path = "../../../../src/providers/payment/signature.rs"]
pub mod signature;
