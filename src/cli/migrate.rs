//! `skillkiln migrate`: brings the database's schema up to date and does nothing else. `serve` does it too.

use super::Common;
use super::operator::{block_on, keep_files_private, quiet_log};
use super::output::{self, Stop};
use crate::services::admin;

/// Runs the command.
///
/// # Errors
/// [`Stop::Failed`] when the database does not answer, or its schema is newer than this program.
pub fn run(json: bool, common: &Common) -> Result<(), Stop> {
    let settings = common.settings()?;
    quiet_log()?;
    keep_files_private();
    let url = settings.database_url().map_err(Stop::failed)?;
    block_on(async { admin::migrate(&url).await.map_err(Stop::failed) })?;
    if json {
        return output::say_json(&serde_json::json!({ "migrated": true }));
    }
    output::say("the database's schema is up to date")
}
