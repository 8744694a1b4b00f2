//! Readers of data: separated values, source code and structured text.

pub mod code;
pub mod separated;
