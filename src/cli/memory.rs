//! Owns how soon memory that was freed goes back to the system. The allocator is told once, in its environment, as a process starts.

use std::os::unix::process::CommandExt as _;
use std::process::Command;

/// Where the allocator looks for it, in milliseconds.
const DELAY: &str = "MIMALLOC_PURGE_DELAY";
/// It would wait a second: a text of a million words then took 20 MB more at its peak, at no gain under load (`docs/performance.md`).
const DELAY_MS: &str = "10";

/// Starts the program once more in its own place, with the delay set, unless somebody has set it. Answers when that is so or cannot
/// be done, and then the process goes on as it is.
pub(super) fn give_back_soon() {
    if std::env::var_os(DELAY).is_some() {
        return;
    }
    let Ok(program) = std::env::current_exe() else {
        return;
    };
    let mut words = std::env::args_os();
    let mut again = Command::new(program);
    if let Some(name) = words.next() {
        again.arg0(name);
    }
    let cause = again.args(words).env(DELAY, DELAY_MS).exec();
    // There is no log yet, and nothing is wrong: freed memory stays a little longer.
    drop(cause);
}
