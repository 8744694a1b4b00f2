//! Writes a skill with a language model that is believed nothing: each line that it writes cites the source and is checked against it.
//!
//! ```text
//! blocks ─units─▶ brief ─▶ (notes) ─▶ write ─▶ check ─▶ judge ─▶ repair ─▶ coverage ─▶ review ─▶ compile ─▶ contest
//!                   └────────────── questions to a model, whoever asks them ───────────────┘
//! ```
//!
//! Nothing here asks or waits: [`author::Author`] hands out questions and takes answers. The source reaches the model as data between
//! lines that nobody can guess; code comes back by reference alone; every other line has to name the units that say it, and stands only
//! if another question, in a fresh context, finds it there and quotes it.

pub mod author;
pub mod brief;
pub mod check;
pub mod code_lines;
pub mod compile;
pub mod coverage;
pub mod draft;
pub mod evaluation;
pub mod evidence;
pub mod gaps;
pub mod inline;
pub mod json;
pub mod listing;
pub mod marks;
pub mod prompt;
pub mod reading;
pub mod settle;
pub mod shorten;
pub mod signs;
pub mod units;
pub mod verdict;
