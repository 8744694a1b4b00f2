//! `skillkiln ledger verify`: proves that every balance is the sum of its entries and that every charge ended once.

use super::Common;
use super::operator::with_accounts;
use super::output::{self, Stop};
use clap::Subcommand;

/// What can be done with the books.
#[derive(Debug, Subcommand)]
pub enum LedgerCommand {
    /// Prove the books; exits with 1 when they do not balance
    Verify {
        /// Print the sums and faults as JSON
        #[arg(long)]
        json: bool,
    },
}

/// Runs the command.
///
/// # Errors
/// [`Stop::Found`] when the books do not balance, [`Stop::Failed`] when they cannot be read.
pub fn run(command: &LedgerCommand, common: &Common) -> Result<(), Stop> {
    let LedgerCommand::Verify { json } = command;
    let books = with_accounts(common, async |admin, _| {
        admin.verify_books().await.map_err(Stop::failed)
    })?;
    if *json {
        output::say_json(&serde_json::json!({
            "balanced": books.faults.is_empty(),
            "users": books.users,
            "transfers": books.transfers,
            "granted": books.granted,
            "available": books.available,
            "reserved": books.reserved,
            "posted": books.posted,
            "owed": books.owed,
            "faults": books.faults,
        }))?;
    } else {
        for fault in &books.faults {
            output::say(&format!("FAULT {fault}"))?;
        }
        let verdict = match books.faults.len() {
            0 => "the books balance".to_owned(),
            n => format!("the books do not balance: {n} faults"),
        };
        output::say(&format!(
            "{verdict}: {} accounts, {} transfers; granted {} + owed {} = available {} + reserved {} + earned {}",
            books.users,
            books.transfers,
            books.granted,
            books.owed,
            books.available,
            books.reserved,
            books.posted
        ))?;
    }
    if books.faults.is_empty() {
        Ok(())
    } else {
        Err(Stop::Found)
    }
}
