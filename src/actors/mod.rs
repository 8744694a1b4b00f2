//! The supervision tree.

pub mod context;
pub mod figures;
pub mod supervisor;

#[cfg(test)]
mod supervisor_tests;
