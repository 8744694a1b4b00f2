//! `skillkiln backup DIR` and `skillkiln restore DIR`: the whole service in a folder, while it runs, and put back where there is none.

use super::Common;
use super::operator::{block_on, keep_files_private, quiet_log};
use super::output::{self, Stop};
use crate::services::backup::{self, About};
use clap::Args;
use std::path::PathBuf;

/// Where to write it.
#[derive(Debug, Args)]
pub struct Backup {
    /// The folder, which is made, or is empty
    pub dir: PathBuf,
    /// Leave the pepper out, to keep it elsewhere: without it no key, session or second factor works after a restore
    #[arg(long)]
    pub without_pepper: bool,
    /// Print what was written as JSON
    #[arg(long)]
    pub json: bool,
}

/// Where to read it.
#[derive(Debug, Args)]
pub struct Restore {
    /// The folder that `skillkiln backup` wrote
    pub dir: PathBuf,
    /// Print what was put back as JSON
    #[arg(long)]
    pub json: bool,
}

/// Writes a backup.
///
/// # Errors
/// [`Stop::Failed`], in words.
pub fn save(command: &Backup, common: &Common) -> Result<(), Stop> {
    let settings = common.settings()?;
    quiet_log()?;
    keep_files_private();
    let about = block_on(async {
        let saved = backup::save(&settings, &command.dir, !command.without_pepper).await;
        saved.map_err(Stop::Failed)
    })?;
    for digest in &about.missing_blobs {
        output::note(&format!(
            "the uploaded file {digest} was removed meanwhile and is not in the backup"
        ));
    }
    if about.has_pepper {
        output::note(
            "the backup holds the pepper: whoever has both can test guessed keys, so encrypt it or keep it where the database may be kept",
        );
    }
    match command.json {
        true => output::say_json(&about),
        false => output::say(&format!("{}: {}", command.dir.display(), in_words(&about))),
    }
}

/// Puts a backup back.
///
/// # Errors
/// [`Stop::Failed`], in words; [`Stop::Found`] when the books that were put back do not balance.
pub fn restore(command: &Restore, common: &Common) -> Result<(), Stop> {
    let settings = common.settings()?;
    quiet_log()?;
    keep_files_private();
    let (about, books) = block_on(async {
        let restored = backup::restore(&settings, &command.dir).await;
        restored.map_err(Stop::Failed)
    })?;
    for fault in &books.faults {
        output::note(&format!("FAULT {fault}"));
    }
    match command.json {
        true => output::say_json(&serde_json::json!({
            "made_at": about.made_at,
            "users": books.users,
            "transfers": books.transfers,
            "available": books.available,
            "blobs": about.blobs.len(),
            "balanced": books.faults.is_empty(),
        }))?,
        false => output::say(&format!(
            "as it was at {}: {}, {} with {}; the books {}",
            about.made_at,
            in_words(&about),
            output::counted(books.users, "account"),
            output::counted(books.available, "credit"),
            if books.faults.is_empty() {
                "balance"
            } else {
                "do not balance"
            }
        ))?,
    }
    match books.faults.is_empty() {
        true => Ok(()),
        false => Err(Stop::Found),
    }
}

fn in_words(about: &About) -> String {
    format!(
        "the {} database, {}{}",
        about.database.database,
        output::counted(about.blobs.len(), "uploaded file"),
        if about.has_pepper {
            " and the pepper"
        } else {
            ""
        }
    )
}
