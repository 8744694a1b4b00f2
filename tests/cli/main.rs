//! The command line, tried as a person would: the real program, its output, its exit codes.

mod accounts;
mod model;
mod pipeline;
mod program;
mod serve;
mod settings;
