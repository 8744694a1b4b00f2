//! The dial board: every metric there is, traces, and how logs are written.
//!
//! ```text
//! hot path ─▶ atomics where it happens ─▶ observation (when somebody looks) ─▶ exposition ─▶ /metrics
//!             measure http database providers                             └─▶ /ops, /ops/observe
//! ```
//!
//! What is counted lives in plain atomics and is written out only on a scrape: a counter of the metrics crate costs 190 ns on
//! this machine and its macros 500 ns, one of these 1 ns, and a message of an actor with depth, wait and handling time 28 ns.
//! Every message, query and request passes here, so that is the difference between a tenth of the throughput and nothing to
//! be felt. In processor time of the thread that does it: 16 ns a request, 64 ns a query, and about 12 µs a run of a 2 KB text for its
//! spans, its queries and the words that are counted, which is near a hundredth of the run.

pub mod database;
pub mod exposition;
pub mod http;
pub mod lasting;
pub mod log;
pub mod looks;
pub mod measure;
pub mod metrics;
pub mod otlp;
mod page;
pub mod providers;
pub mod traces;
pub mod usage;
