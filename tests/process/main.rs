//! The real binary, as an operator meets it: killed, stopped, started twice. Whatever happens, the books balance.

mod crash;
mod line;
mod outage;
#[path = "../shared/postgres.rs"]
mod postgres;
mod service;
mod site;
mod stop;
