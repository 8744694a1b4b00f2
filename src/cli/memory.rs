//! Owns how soon memory that was freed goes back to the system. The allocator is told once, in its environment, as a process starts.

use crate::pipeline::worker::{PURGE_DELAY, PURGE_DELAY_MS};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

/// Starts the program once more in its own place, with the delay set, unless somebody has set it. The allocator would wait a second: a text
/// of a million words then took 20 MB more at its peak, at no gain under load (`docs/performance.md`). Answers when that is so or cannot
/// be done, and then the process goes on as it is.
pub(super) fn give_back_soon() {
    if std::env::var_os(PURGE_DELAY).is_some() {
        return;
    }
    let mut words = std::env::args_os();
    let (Ok(program), Some(name)) = (std::env::current_exe(), words.next()) else {
        return;
    };
    // Not where a loader was started with the program as its argument, or where the file is gone.
    if program.file_name() != Path::new(&name).file_name() || !program.exists() {
        return;
    }
    let mut again = Command::new(program);
    let cause = again
        .arg0(name)
        .args(words)
        .env(PURGE_DELAY, PURGE_DELAY_MS)
        .exec();
    // There is no log yet, and nothing is wrong: freed memory stays a little longer.
    drop(cause);
}
