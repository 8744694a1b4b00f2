//! Starts skillkiln: everything it can do is a command of [`skillkiln::cli`], but for the hidden one that reads hostile
//! formats, which must not load anything else.

use skillkiln::pipeline::extract::isolation::{SUBCOMMAND, child_main};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some(SUBCOMMAND) {
        return child_main(&arguments.next().unwrap_or_default());
    }
    skillkiln::cli::main()
}
