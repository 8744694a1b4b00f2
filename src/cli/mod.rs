//! The command line: one file a command, results on standard output, everything else on standard error.
//!
//! Every command exits with 0 when it did what it was asked, 1 when it could not, and 2 when it was asked wrongly;
//! `check-source` with 3 when the source has changed.

pub mod backup;
pub mod bench;
pub mod beside;
pub mod check_source;
pub mod completions;
pub mod config;
pub mod extract;
mod findings;
pub mod folder;
pub mod generate;
pub mod key;
pub mod ledger;
pub mod man;
pub mod mcp;
mod memory;
pub mod migrate;
pub mod openapi;
pub mod operator;
pub mod output;
pub mod progress;
pub mod quality;
mod runs;
pub mod serve;
pub mod signals;
pub mod source;
pub mod top;
pub mod user;
pub mod validate;
pub mod workbench;
pub mod worker;

use crate::config::Settings;
use clap::{Args, Parser, Subcommand};
use output::Stop;
use std::path::PathBuf;
use std::process::ExitCode;

/// Turns a source - a video, a web page, a file, plain text - into a skill that an AI agent can load.
#[derive(Debug, Parser)]
#[command(name = "skillkiln", version, propagate_version = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Where the settings come from.
    #[command(flatten)]
    pub common: Common,
}

/// What every command takes.
#[derive(Debug, Args)]
pub struct Common {
    /// The settings file [default: config.toml in the current folder, when it exists]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Overrule a setting, such as --set server.bind=0.0.0.0:8080; may be repeated
    #[arg(long = "set", global = true, value_name = "SECTION.FIELD=VALUE")]
    pub overrides: Vec<String>,
}

impl Common {
    /// The settings: defaults, file, environment, flags; checked.
    ///
    /// # Errors
    /// [`Stop::Failed`], naming the line, variable or flag.
    pub fn settings(&self) -> Result<Settings, Stop> {
        let settings = Settings::load(self.config.as_deref(), std::env::vars_os())
            .and_then(|settings| settings.with_flags(&self.overrides))
            .map_err(Stop::failed)?;
        settings.check().map_err(Stop::failed)?;
        Ok(settings)
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the service
    Serve(serve::Serve),
    /// Make a skill of a source, here, without a server
    Generate(generate::Generate),
    /// Show what is read of a source
    Extract(extract::Extract),
    /// Check a skill's folder, SKILL.md or zip against the rules for skills
    Validate(validate::Validate),
    /// Tell whether a skill's source has changed since the skill was made
    CheckSource(check_source::CheckSource),
    /// Serve the pipeline to an agent's host as tools of the Model Context Protocol, over standard input and output
    Mcp(mcp::Mcp),
    /// Make and manage accounts
    #[command(subcommand)]
    User(user::UserCommand),
    /// Make and manage API keys
    #[command(subcommand)]
    Key(key::KeyCommand),
    /// Look into the books
    #[command(subcommand)]
    Ledger(ledger::LedgerCommand),
    /// Load the engine, the pipeline or the service, and print throughput and latencies
    Bench(Box<bench::options::Bench>),
    /// Watch a running service: its stages, actors, runs and books
    Top(top::Top),
    /// Bring the database's schema up to date
    ///
    /// There is no way down: to go back to a program that refuses the new schema, restore the backup that was made before (`skillkiln restore`).
    Migrate {
        /// Print what was done as JSON
        #[arg(long)]
        json: bool,
        /// Take the pepper that is there for the database's own, after the old one was lost; all API keys, sessions and second factors are given up
        #[arg(long)]
        new_pepper: bool,
    },
    /// Write the whole service into a folder, while it may run
    Backup(backup::Backup),
    /// Put a backup where the settings say that a service lies, of which there is nothing yet
    Restore(backup::Restore),
    /// Look at the settings
    #[command(subcommand)]
    Config(config::ConfigCommand),
    /// Print the description of the API, OpenAPI 3.1
    Openapi {
        /// As JSON, which it is anyway
        #[arg(long)]
        json: bool,
    },
    /// Print the manual page
    Man,
    /// Print completions for a shell
    Completions(completions::Completions),
    /// Work on a source in a process of its own; what the service starts for itself
    #[command(hide = true)]
    IsolatedWorker(worker::IsolatedWorker),
}

/// Runs the command that the process was started with.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    if matches!(
        cli.command,
        Command::Serve(_) | Command::Generate(_) | Command::Bench(_)
    ) {
        memory::give_back_soon();
    }
    let done = match &cli.command {
        Command::Serve(command) => serve::run(command, &cli.common),
        Command::Openapi { json: _ } => openapi::run(),
        Command::Generate(command) => generate::run(command, &cli.common),
        Command::Extract(command) => extract::run(command, &cli.common),
        Command::Bench(command) => bench::run(command, &cli.common),
        Command::Top(command) => top::run(command, &cli.common),
        Command::Validate(command) => validate::run(command),
        Command::CheckSource(command) => check_source::run(command, &cli.common),
        Command::Mcp(command) => mcp::run(command, &cli.common),
        Command::User(command) => user::run(command, &cli.common),
        Command::Key(command) => key::run(command, &cli.common),
        Command::Ledger(command) => ledger::run(command, &cli.common),
        Command::Migrate { json, new_pepper } => migrate::run(*json, *new_pepper, &cli.common),
        Command::Backup(command) => backup::save(command, &cli.common),
        Command::Restore(command) => backup::restore(command, &cli.common),
        Command::Config(command) => config::run(command, &cli.common),
        Command::Man => man::run(),
        Command::Completions(command) => completions::run(command),
        Command::IsolatedWorker(command) => return worker::run(command),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(stop) => stop.report(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_and_argument_explains_itself() {
        fn walk(command: &clap::Command) {
            assert!(command.get_about().is_some(), "{}", command.get_name());
            for argument in command.get_arguments() {
                assert!(
                    argument.get_help().is_some(),
                    "{} of {}",
                    argument.get_id(),
                    command.get_name()
                );
            }
            command
                .get_subcommands()
                .filter(|c| !c.is_hide_set())
                .for_each(walk);
        }
        walk(&Cli::command());
    }

    #[test]
    fn settings_flags_are_taken_by_every_command() {
        let cli =
            Cli::try_parse_from(["skillkiln", "config", "check", "--set", "engine.workers=2"])
                .expect("well formed");
        assert_eq!(cli.common.overrides, ["engine.workers=2"]);
    }
}
