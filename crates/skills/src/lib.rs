//! Writes a skill from a document, a card over a library with the evidence of each line, and checks any skill.
//!
//! ```text
//! Document ─chunk─▶ blocks ─outline─▶ sections ─┬─ library: the source split at its headings, one subject a file
//!                                               ├─ units ─kind, salience─▶ those that matter ─┐
//!                                               └─ routing: a row a file ─────────────────────┴─▶ card ─▶ SKILL.md
//! ```
//!
//! A short source stands whole, and a section that stands whole in SKILL.md stands in no file. Everything is deterministic: the same document gives the same bytes. [`validate`] checks what was written,
//! by us or by hand, [`origins`] keeps where each part of it comes from, and [`changes`] tells what a source says that it did not say before.

pub mod card;
pub mod catalogue;
pub mod category;
pub mod changes;
pub mod choose;
pub mod chunk;
pub mod clean;
pub mod cues;
pub mod definition;
pub mod describe;
pub mod duties;
pub mod evals;
pub mod gaps;
pub mod header;
pub mod keyphrase;
pub mod kind;
pub mod lead_ins;
pub mod library;
pub mod lift;
mod listings;
pub mod names;
pub mod naming;
pub mod operations;
pub mod origins;
pub mod outline;
pub mod page;
mod pieces;
mod pointers;
mod product;
pub mod provenance;
pub mod recipe;
pub mod releases;
pub mod report;
pub mod routing;
pub mod salience;
pub mod scaffold;
pub mod section_role;
pub mod sentences;
mod sessions;
pub mod skill;
pub mod stop_words;
pub mod subject;
pub mod tasks;
pub mod terms;
pub mod tokens;
pub mod topics;
pub mod units;
pub mod usage;
pub mod validate;
pub mod wishes;
pub mod write;
