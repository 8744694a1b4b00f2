//! Owns what this process takes of its machine, as the operating system tells it.

use crate::domain::vitals::Usage;
use rustix::time::{ClockId, clock_gettime};
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// When the process began, as far as we know: the first time this is asked, which the start of the service does.
#[must_use]
pub fn started_unix_s() -> f64 {
    static STARTED: OnceLock<f64> = OnceLock::new();
    *STARTED.get_or_init(|| {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0.0, |since| since.as_secs_f64())
    })
}

/// Processor time that it has taken.
#[must_use]
pub fn cpu_s() -> f64 {
    let cpu = clock_gettime(ClockId::ProcessCPUTime);
    cpu.tv_sec as f64 + cpu.tv_nsec as f64 * 1e-9
}

/// What it takes now.
#[must_use]
pub fn observe() -> Usage {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    Usage {
        started_unix_s: started_unix_s(),
        resident_bytes: kib(&status, "VmRSS:") << 10,
        resident_bytes_max: kib(&status, "VmHWM:") << 10,
        cpu_s: cpu_s(),
        threads: kib(&status, "Threads:"),
        open_files: std::fs::read_dir("/proc/self/fd").map_or(0, |files| files.count() as u64),
    }
}

/// The number after a name in a file such as `/proc/self/status`; 0 where there is none.
fn kib(status: &str, name: &str) -> u64 {
    status
        .lines()
        .find_map(|line| line.strip_prefix(name))
        .and_then(|rest| rest.split_whitespace().next())
        .and_then(|number| number.parse().ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_by_its_name() {
        let status = "VmHWM:\t   2048 kB\nVmRSS:\t    1024 kB\nThreads:\t7\n";
        assert_eq!(
            ["VmRSS:", "Threads:", "VmSwap:"].map(|name| kib(status, name)),
            [1_024, 7, 0]
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_runs_takes_something() {
        let usage = observe();
        assert!(usage.resident_bytes > 0 && usage.resident_bytes <= usage.resident_bytes_max);
        assert!(usage.cpu_s > 0.0 && usage.threads > 0 && usage.open_files > 0);
    }
}
