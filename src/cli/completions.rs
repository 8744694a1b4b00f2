//! `skillkiln completions SHELL`: prints what makes a shell complete our commands.

use super::Cli;
use super::output::{self, Stop};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Which shell.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    pub shell: Shell,
}

/// Runs the command.
///
/// # Errors
/// [`Stop`] when the result cannot be written.
pub fn run(command: &Completions) -> Result<(), Stop> {
    let mut script = Vec::new();
    clap_complete::generate(command.shell, &mut Cli::command(), "skillkiln", &mut script);
    output::write_all(&script)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completions_know_the_commands() {
        let mut script = Vec::new();
        clap_complete::generate(Shell::Bash, &mut Cli::command(), "skillkiln", &mut script);
        assert!(String::from_utf8(script).unwrap().contains("completions"));
    }
}
