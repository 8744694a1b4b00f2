//! skillkiln turns a source (a video address, a web page, a file, plain text) into a **skill**: a SKILL.md that an AI agent can load,
//! with reference files, a validation report, and for each line the place it came from.
//!
//! # The house
//!
//! A room imports only from floors below its own; `tests/house` reads the imports and holds it to that.
//!
//! ```text
//! 8  main         start
//! 7  cli          one command a file: serve, generate, extract, validate, user, key, ledger, bench …
//! 6  http         the REST surface (v1), the application surface (app), the operators' address (ops)
//! 5  services     engine: what you run · library: what you keep · accounts: who you are · all the wiring
//! 4  actors       the supervision tree: ledgers, settlement, limiters, runs with their stages, the rescuer
//! 3  pipeline     extract → synthesize → validate, as plain async functions
//! 2  store        SQLite and PostgreSQL from one set of queries        providers   web and video, fetched safely
//!    cluster      what nodes share beside the database, in Redis: windows of the limits, tries to come in, places of accounts, news of runs
//! 1  config       settings      telemetry   every metric, the log
//! 0  domain       the words every floor shares: ids, time, keys, credits, quotas, skills
//!
//!    crates/document   blocks with their places, running text, the Markdown writer
//!    crates/readers    bytes → document, a folder a format, captions among them
//!    crates/skills     document → skill: a card over a library of files
//!    crates/author     document → skill by a language model: questions, and the proof of each line of the answers
//! ```
//!
//! The crates are pure: they wait for nothing, call nobody and know no settings, so that a change above leaves them as built.
//!
//! # A generation, from the request to its last event
//!
//! 1. `http::routes` finds the handler; its first extractor asks `services::accounts` who is calling and admits the request on the
//!    key's window, which the key's `Limiter` owns.
//! 2. The handler parses an `Order`; `services::engine` sends `Charge` to the user's `Ledger`. The `Settlement` commits the
//!    reservation and the generation row in one transaction, together with whatever else waited.
//! 3. A `Generation` is started for the run. It starts its stages, the last one first: `Extractor`, `Synthesizer`, `Validator`.
//!    Products flow forward; that a stage began rises as an event.
//! 4. At the end one transaction saves the skill and posts the reservation, or gives it back. The last event is sent after it.
//!    Whoever listens or leaves, the run goes on; what a crash leaves behind, the `Rescuer` resumes or gives back.
//!
//! # When something breaks
//!
//! `actors::supervisor` begins an actor again that panicked. One of which a node has one alone is planted anew by `actors::planted` when it was
//! given up, and `actors::pulse` sees a thread of actors that hangs. What does not last, or hangs on, loses the node: `/readyz` names it,
//! open streams end, and the process exits for its supervisor to start it, the books exact.
//!
//! # Several nodes
//!
//! A run belongs to the node whose lease it has in the store. A node that stops hands its runs over (`services::Services::drain`), one that died
//! is outlived by its lease, and either way the `Rescuer` of another takes them up; a worker claims what a node of the API wrote down in the
//! same way. What happens to it is called out to the others (`cluster::relay`); whoever listens there asks the store for what is lost of that.
//!
//! # What never happens
//!
//! The database is the truth; an actor's memory is a cache that it can rebuild. `domain` does no I/O and never waits. `pipeline` knows
//! no actor, no database and no HTTP. `http` sees neither the store nor the actors. `store`, `providers` and `cluster`
//! never see each other. Nothing is re-exported: a thing has one path.

// What Cargo.toml lists must be used here; what the tests alone use is looked for by `tests/house`.
#![cfg_attr(not(test), warn(unused_crate_dependencies))]

pub mod actors;
pub mod cli;
pub mod cluster;
pub mod config;
pub mod domain;
pub mod http;
pub mod pipeline;
pub mod providers;
pub mod services;
#[cfg(test)]
#[path = "../tests/simulation/mod.rs"]
mod simulation;
pub mod store;
pub mod telemetry;

/// A text becomes a skill through many small allocations, made on one thread and freed on another. The system's allocator
/// spent a tenth of the processor on that. Huge pages are off: with them a hundred pages of documentation took 93 MB instead
/// of 49, and more of the kernel's time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
