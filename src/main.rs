//! Starts skillkiln: everything it can do is a command of [`skillkiln::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    skillkiln::cli::main()
}
