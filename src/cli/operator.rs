//! Owns how the account commands reach the accounts: the same database and pepper as the service, which may be running.

use super::Common;
use super::output::Stop;
use crate::config::Settings;
use crate::services::admin::Admin;
use crate::services::pepper::Place;
use crate::telemetry::log::{self, Lines};

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
