//! `skillkiln migrate`: brings the database's schema up to date and does nothing else. `serve` does it too. With `--new-pepper` it makes
//! the database believe in the pepper that is there, once the old one is lost.

use super::Common;
use super::operator::{block_on, keep_files_private, quiet_log};
use super::output::{self, Stop};
use crate::services::admin;
use crate::services::pepper::Place;

/// Runs the command.
///
/// # Errors
/// [`Stop::Failed`] when the database does not answer, or its schema is newer than this program.
pub fn run(json: bool, new_pepper: bool, common: &Common) -> Result<(), Stop> {
    let settings = common.settings()?;
    quiet_log()?;
    keep_files_private();
    let url = settings.database_url().map_err(Stop::failed)?;
    block_on(async {
        match new_pepper {
            true => {
                let place = Place::of(&settings.auth.pepper_file, &url, &settings.storage.path);
                admin::accept_pepper(&url, &place).await
            }
            false => admin::migrate(&url).await,
        }
        .map_err(Stop::failed)
    })?;
    if json {
        return output::say_json(
            &serde_json::json!({ "migrated": true, "new_pepper": new_pepper }),
        );
    }
    output::say(match new_pepper {
        true => "the database's schema is up to date, and the pepper that is there is its own",
        false => "the database's schema is up to date",
    })
}
