//! `skillkiln config`: looks at the settings before anything is started with them.

use super::Common;
use super::operator::without_password;
use super::output::{self, Stop};
use clap::Subcommand;

/// What can be done with the settings.
#[derive(Debug, Subcommand)]
pub enum ConfigCommand {
    /// Check the settings and say what is wrong with them
    Check {
        /// Print the settings in force as JSON
        #[arg(long)]
        json: bool,
    },
}

/// Runs the command.
///
/// # Errors
/// [`Stop::Failed`], naming the line, variable or flag that is wrong.
pub fn run(command: &ConfigCommand, common: &Common) -> Result<(), Stop> {
    let ConfigCommand::Check { json } = command;
    let mut settings = common.settings()?;
    // Secrets that are named must be there; the service would not start without them.
    settings.database_url().map_err(Stop::failed)?;
    if *json {
        settings.database.url = without_password(&settings.database.url);
        return output::say_json(&settings);
    }
    output::say("the settings are good")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shown_database_address_keeps_its_password_to_itself() {
        assert_eq!(
            without_password("postgres://ann:secret@db/skillkiln"),
            "postgres://ann:***@db/skillkiln"
        );
        assert_eq!(
            without_password("postgres://ann:s@cr:et@a:1,b:2/skillkiln?connect_timeout=3"),
            "postgres://ann:***@a:1,b:2/skillkiln?connect_timeout=3"
        );
        for bare in ["sqlite://data/a.db", "postgres://ann@a,b/skillkiln"] {
            assert_eq!(without_password(bare), bare);
        }
    }
}
