//! Owns the folder of a benchmark's temporary database: made when it is needed, and gone when the benchmark has ended, however it did.
//!
//! A benchmark that is interrupted leaves threads behind that write for a moment yet. So the folder belongs to nobody within the
//! system that is interrupted, and what was written while it was emptied is taken away too.

use crate::cli::output::Stop;
use std::cell::OnceCell;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// How often emptying is tried, and the pause in between: two seconds for what lasts some milliseconds.
const TRIES: u32 = 200;
const PAUSE: Duration = Duration::from_millis(10);

/// A folder that is made when it is asked for.
#[derive(Debug, Default)]
pub struct Folder(OnceCell<TempDir>);

impl Folder {
    /// Where it is: within `dir`, or where this machine keeps what is temporary.
    ///
    /// # Errors
    /// [`Stop::Failed`] when it cannot be made.
    pub fn within(&self, dir: Option<&Path>) -> Result<&Path, Stop> {
        if let Some(folder) = self.0.get() {
            return Ok(folder.path());
        }
        let mut name = tempfile::Builder::new();
        name.prefix("skillkiln-bench-");
        let made = match dir {
            Some(dir) => name.tempdir_in(dir),
            None => name.tempdir(),
        };
        let made = made.map_err(|cause| {
            Stop::Failed(format!(
                "cannot make a folder for the temporary database: {cause}"
            ))
        })?;
        Ok(self.0.get_or_init(|| made).path())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let Some(folder) = self.0.take() else {
            return;
        };
        for _ in 0..TRIES {
            match fs::remove_dir_all(folder.path()) {
                Ok(()) => return,
                Err(error) if error.kind() == ErrorKind::NotFound => return,
                Err(_) => thread::sleep(PAUSE),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_made_once_and_gone_although_something_still_writes_there() {
        let within = tempfile::tempdir().unwrap();
        let folder = Folder::default();
        let path = folder.within(Some(within.path())).unwrap().to_owned();
        assert_eq!(folder.within(None).unwrap(), path);
        let (begun, writes) = std::sync::mpsc::channel();
        let writer = thread::spawn(move || {
            for number in 0..5_000 {
                let _ = fs::write(path.join(number.to_string()), "x");
                let _ = begun.send(());
            }
        });
        writes.recv().unwrap();
        drop(folder);
        writer.join().unwrap();
        assert_eq!(fs::read_dir(within.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_that_nobody_asked_for_is_not_made() {
        let folder = Folder::default();
        assert!(folder.0.get().is_none());
        drop(folder);
        assert!(
            Folder::default()
                .within(Some(Path::new("/nowhere/at/all")))
                .is_err()
        );
    }
}
