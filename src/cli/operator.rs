//! Owns how the account commands reach the accounts: the same database and pepper as the service, which may be running.

use super::Common;
use super::output::{self, Stop};
use crate::config::Settings;
use crate::services::admin::Admin;
use crate::services::pepper::{Place, sqlite_file};
use crate::telemetry::log::{self, Lines};
use std::path::Path;

/// Runs `work` with the operator's hands on the accounts that the settings name.
///
/// # Errors
/// [`Stop`], of the settings, the database or the work.
pub fn with_accounts<T>(
    common: &Common,
    work: impl AsyncFnOnce(Admin, &Settings) -> Result<T, Stop>,
) -> Result<T, Stop> {
    let settings = common.settings()?;
    quiet_log()?;
    keep_files_private();
    block_on(async {
        let url = settings.database_url().map_err(Stop::failed)?;
        let pepper = Place::of(&settings.auth.pepper_file, &url, &settings.storage.path);
        let admin = Admin::open(&url, &pepper, &settings.auth.key_brand)
            .await
            .map_err(Stop::failed)?;
        work(admin, &settings).await
    })
}

/// The database that a command writes to, so that nobody looks in vain in that of a service with other settings.
#[derive(Debug)]
pub struct Kept {
    url: String,
    was_there: bool,
}

impl Kept {
    /// Looked at before the command, which makes it where it is missing.
    ///
    /// # Errors
    /// [`Stop`], of the settings.
    pub fn before(common: &Common) -> Result<Self, Stop> {
        let url = common.settings()?.database_url().map_err(Stop::failed)?;
        let was_there = sqlite_file(&url).is_none_or(Path::exists);
        Ok(Self { url, was_there })
    }

    /// Says on standard error where something was written.
    pub fn tell(&self) {
        let place = without_password(&self.url);
        output::note(&match self.was_there {
            true => format!("written to {place}"),
            false => format!(
                "written to {place}, which was made for it just now: a service that has another database does not see it"
            ),
        });
    }
}

/// A database URL that can be shown.
#[must_use]
pub fn without_password(address: &str) -> String {
    // Not by the rules of URLs, of which one with several hosts is none.
    let hidden = || {
        let (scheme, rest) = address.split_once("://")?;
        let (login, place) = rest.rsplit_once('@')?;
        let (name, _) = login.split_once(':')?;
        Some(format!("{scheme}://{name}:***@{place}"))
    };
    hidden().unwrap_or_else(|| address.to_owned())
}

/// Logs only what is wrong: a command's own words say the rest.
///
/// # Errors
/// [`Stop::Failed`] when the log cannot be started.
pub fn quiet_log() -> Result<(), Stop> {
    log::start("warn", Lines::Text, None).map_err(Stop::Failed)
}

/// From here on, what this process makes is for its owner alone: a database holds what users trusted us with.
pub fn keep_files_private() {
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
}

/// Runs a command's work to its end.
///
/// # Errors
/// [`Stop`], of the work, or when the operating system gives no threads.
pub fn block_on<T>(work: impl Future<Output = Result<T, Stop>>) -> Result<T, Stop> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|cause| Stop::Failed(format!("cannot start threads: {cause}")))?
        .block_on(work)
}
