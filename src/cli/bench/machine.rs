//! Owns what this machine says of the process: the memory it held at most, the processor time it took, where its files lie.

use rustix::fs::{FsWord, statfs};
use rustix::param::clock_ticks_per_second;
use rustix::time::{ClockId, clock_gettime};
use std::path::Path;
use std::time::Duration;

/// How a file system in memory names itself.
const TMPFS: FsWord = 0x0102_1994;

/// The most memory this process ever held; none where the system does not say.
#[must_use]
pub fn peak_memory_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    kilobytes(&status, "VmHWM:").map(|kilobytes| kilobytes * 1_024)
}

fn kilobytes(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// The processor time that this process has used, and its children that have ended.
#[must_use]
pub fn processor_time() -> Duration {
    let own = Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default();
    own + children_time().unwrap_or_default()
}

fn children_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let ticks = children_ticks(&stat)?;
    Some(Duration::from_secs_f64(
        ticks as f64 / clock_ticks_per_second() as f64,
    ))
}

/// The 16th and 17th field together; they are counted behind the name, which may hold anything.
fn children_ticks(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace().skip(13);
    let (user, system): (u64, u64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some(user + system)
}

/// Whether what is written below a folder stays in memory, so that making it durable costs nothing.
#[must_use]
pub fn is_in_memory(folder: &Path) -> bool {
    statfs(folder).is_ok_and(|system| system.f_type == TMPFS)
}

/// The processors that this process may use.
#[must_use]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_of_memory_is_read_from_what_the_system_says() {
        let status = "Name:\tkiln\nVmPeak:\t  900 kB\nVmHWM:\t   123 kB\nVmRSS:\t 100 kB\n";
        assert_eq!(kilobytes(status, "VmHWM:"), Some(123));
        assert_eq!(kilobytes(status, "VmSwap:"), None);
        assert!(peak_memory_bytes() > Some(1 << 20));
    }

    #[test]
    fn the_time_of_children_stands_behind_a_name_that_may_hold_anything() {
        let stat = "42 (a ) b) S 1 2 3 4 5 6 7 8 9 10 110 12 130 14 15 16";
        assert_eq!(children_ticks(stat), Some(130 + 14));
        assert_eq!(children_ticks("42 kiln"), None);
    }

    #[test]
    fn processor_time_only_grows() {
        let before = processor_time();
        assert!(processor_time() >= before);
    }
}
