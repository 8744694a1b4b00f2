//! `skillkiln key`: makes API keys, lists and revokes them.

use super::Common;
use super::operator::{Kept, with_accounts};
use super::output::{self, Stop};
use crate::domain::key::Key;
use crate::services::admin::Admin;
use clap::Subcommand;
use serde::Serialize;

/// What can be done with keys.
#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Make a key; it is printed once, alone on standard output, and kept only as a hash
    Add {
        /// The account's e-mail address
        email: String,
        /// What its owner calls it, 1 to 64 characters
        #[arg(long)]
        name: String,
        /// Print the key with its id as JSON
        #[arg(long)]
        json: bool,
    },
    /// List an account's keys, revoked ones too
    List {
        /// The account's e-mail address
        email: String,
        /// Print them as JSON
        #[arg(long)]
        json: bool,
    },
    /// Revoke a key; every node refuses it within a second
    Revoke {
        /// The key's id, as `key list` shows it
        key_id: String,
        /// Print the answer as JSON
        #[arg(long)]
        json: bool,
    },
}

/// A key, as it is printed.
#[derive(Debug, Serialize)]
struct Line {
    id: String,
    name: String,
    last_four: String,
    created: String,
    last_used: Option<String>,
    revoked: Option<String>,
}

impl Line {
    fn of(key: &Key) -> Self {
        Self {
            id: key.id.to_string(),
            name: key.name.clone(),
            last_four: key.last_four.clone(),
            created: key.created_at.iso(),
            last_used: key.last_used_at.map(|at| at.iso()),
            revoked: key.revoked_at.map(|at| at.iso()),
        }
    }
}

/// Runs the command.
///
/// # Errors
/// [`Stop`], saying what could not be done.
pub fn run(command: &KeyCommand, common: &Common) -> Result<(), Stop> {
    let kept = Kept::before(common)?;
    with_accounts(common, async |admin, _| match command {
        KeyCommand::Add { email, name, json } => {
            let (id, key) = admin.add_key(email, name).await.map_err(Stop::by_admin)?;
            output::note(&format!(
                "made key {id}; it is shown only now, keep it safe"
            ));
            kept.tell();
            if *json {
                let id = id.to_string();
                return output::say_json(
                    &serde_json::json!({ "id": id, "name": name.trim(), "key": key.reveal() }),
                );
            }
            output::say(key.reveal())
        }
        KeyCommand::List { email, json } => list(&admin, email, *json).await,
        KeyCommand::Revoke { key_id, json } => {
            admin.revoke(key_id).await.map_err(Stop::by_admin)?;
            if *json {
                return output::say_json(&serde_json::json!({ "id": key_id, "revoked": true }));
            }
            output::say(&format!("revoked {key_id}"))
        }
    })
}

async fn list(admin: &Admin, email: &str, json: bool) -> Result<(), Stop> {
    let keys = admin.keys(email).await.map_err(Stop::by_admin)?;
    let lines: Vec<Line> = keys.iter().map(Line::of).collect();
    if json {
        return output::say_json(&lines);
    }
    let rows: Vec<Vec<String>> = lines
        .into_iter()
        .map(|line| {
            vec![
                line.id,
                output::tame(&line.name),
                line.last_four,
                line.created,
                line.last_used.unwrap_or_else(|| "never".into()),
                line.revoked.unwrap_or_else(|| "no".into()),
            ]
        })
        .collect();
    let headings = ["id", "name", "last_four", "created", "last_used", "revoked"];
    output::say(&output::table(&headings, &rows))
}
