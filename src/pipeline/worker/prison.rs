//! Owns what a worker may not do, whoever takes it over: no network, no files, no other programs, no more of the machine than it was given,
//! and no user of its own that means anything here.
//!
//! ```text
//! enter (one thread): limits ─▶ manners ─▶ user ─▶ no new privileges ─▶ Landlock: no file, no port, no signal to others
//! seal (all threads): seccomp: memory, its pipes, its threads, the clock; everything else fails
//! ```
//!
//! The limits must hold. Of the rest an old kernel or a narrow container may lack a part; the worker says which, and the service says it once
//! in its log.

use super::Order;
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetStatus,
    Scope,
};
use rustix::process::{Gid, Resource, Rlimit, Uid, setrlimit};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter_all_threads,
};
use std::collections::BTreeMap;

/// Descriptors that a worker may have: its three pipes, and a few that its runtime opens for a moment.
const DESCRIPTORS_MAX: u64 = 16;
/// Threads and processes of the workers' own user, all workers together.
const THREADS_MAX: u64 = 512;
/// The group of whoever is nobody.
const NO_GROUP: u32 = 65_534;

/// Bounds this process, which must have one thread yet. Answers what of the prison this machine does not have.
///
/// # Errors
/// When a limit cannot be set: nothing is read without them.
pub(super) fn enter(order: &Order) -> Result<Vec<String>, ()> {
    let mut lacks = Vec::new();
    let up_to = |current, maximum| Rlimit {
        current: Some(current),
        maximum: Some(maximum),
    };
    let (seconds, last) = (order.processor_s, order.processor_s.saturating_add(5));
    for (resource, limit) in [
        (Resource::As, up_to(order.memory_bytes, order.memory_bytes)),
        // The softer limit ends it with a signal of its own, by which its parent knows what happened.
        (Resource::Cpu, up_to(seconds, last)),
        (Resource::Core, up_to(0, 0)),
        (Resource::Fsize, up_to(0, 0)),
        (Resource::Nofile, up_to(DESCRIPTORS_MAX, DESCRIPTORS_MAX)),
    ] {
        setrlimit(resource, limit).map_err(drop)?;
    }
    let _ = rustix::process::setpriority_process(None, order.niceness);
    if rustix::process::geteuid().is_root() && order.uid != 0 {
        match become_nobody(order.uid) {
            Ok(()) => {
                let _ = setrlimit(Resource::Nproc, up_to(THREADS_MAX, THREADS_MAX));
            }
            Err(cause) => lacks.push(format!("a user of its own ({cause})")),
        }
    }
    if let Err(cause) = rustix::thread::set_no_new_privs(true) {
        lacks.push(format!("no new privileges ({cause})"));
    }
    if let Err(what) = shut_files_and_network() {
        lacks.push(what);
    }
    Ok(lacks)
}

/// Gives up root for good. The calls are of the thread, and there is one.
fn become_nobody(uid: u32) -> rustix::io::Result<()> {
    let (user, group) = (Uid::from_raw(uid), Gid::from_raw(NO_GROUP));
    rustix::thread::set_thread_groups(&[])?;
    rustix::thread::set_thread_res_gid(group, group, group)?;
    rustix::thread::set_thread_res_uid(user, user, user)
}

/// Landlock with no exception: no file is opened, no port bound or connected, nobody outside signalled.
fn shut_files_and_network() -> Result<(), String> {
    let newest = ABI::V6;
    let shut = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(newest))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(newest)))
        .and_then(|rules| rules.scope(Scope::from_all(newest)))
        .and_then(|rules| rules.create())
        .and_then(|rules| rules.restrict_self());
    match shut.map(|status| status.ruleset) {
        Ok(RulesetStatus::FullyEnforced) => Ok(()),
        Ok(RulesetStatus::PartiallyEnforced) => Err("a part of Landlock".to_owned()),
        Ok(RulesetStatus::NotEnforced) => Err("Landlock".to_owned()),
        Err(cause) => Err(format!("Landlock ({cause})")),
    }
}

/// Leaves all threads of this process only the calls that they need. Answers what of that this machine does not have.
pub(super) fn seal() -> Option<String> {
    let sealed = filter().and_then(|filters| {
        filters
            .iter()
            .try_for_each(|filter| apply_filter_all_threads(filter).map_err(|e| e.to_string()))
    });
    sealed.err().map(|cause| format!("seccomp ({cause})"))
}

/// What is allowed, and that the newer call for a thread is not known, so that the older one is asked, whose flags can be looked at.
fn filter() -> Result<[BpfProgram; 2], String> {
    let refused = SeccompAction::Errno(u32::try_from(libc::EPERM).unwrap_or(1));
    let unknown = SeccompAction::Errno(u32::try_from(libc::ENOSYS).unwrap_or(38));
    let arch: TargetArch = std::env::consts::ARCH
        .try_into()
        .map_err(|_| "this processor is not known to it".to_owned())?;
    let mut allowed: BTreeMap<i64, Vec<SeccompRule>> =
        ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
    let flags = u64::try_from(libc::CLONE_THREAD).unwrap_or_default();
    let is_thread = SeccompCondition::new(
        0,
        SeccompCmpArgLen::Qword,
        SeccompCmpOp::MaskedEq(flags),
        flags,
    )
    .and_then(|condition| SeccompRule::new(vec![condition]))
    .map_err(|cause| cause.to_string())?;
    allowed.insert(libc::SYS_clone, vec![is_thread]);
    allowed.insert(libc::SYS_clone3, Vec::new());
    let newer = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    let program = |rules, otherwise, matched| {
        SeccompFilter::new(rules, otherwise, matched, arch)
            .and_then(BpfProgram::try_from)
            .map_err(|cause| cause.to_string())
    };
    Ok([
        program(newer, SeccompAction::Allow, unknown)?,
        program(allowed, refused, SeccompAction::Allow)?,
    ])
}

/// What a worker calls: memory, its pipes, its threads, the clock, chance, and its end.
const ALLOWED: [i64; 45] = [
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_close,
    libc::SYS_fstat,
    libc::SYS_lseek,
    libc::SYS_fcntl,
    libc::SYS_ppoll,
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_mprotect,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_futex,
    libc::SYS_set_robust_list,
    libc::SYS_get_robust_list,
    libc::SYS_rseq,
    libc::SYS_membarrier,
    libc::SYS_sched_yield,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_getrandom,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_getuid,
    libc::SYS_getrusage,
    libc::SYS_getrlimit,
    libc::SYS_prlimit64,
    libc::SYS_tgkill,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_restart_syscall,
    libc::SYS_sysinfo,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, File, OpenOptions};
    use std::net::{TcpListener, TcpStream, UdpSocket};
    use std::os::unix::net::UnixDatagram;
    use std::path::PathBuf;
    use std::process::Command;

    /// Says to the program of these tests that it is to be shut in.
    const INSIDE: &str = "SKILLKILN_TEST_PRISON";
    const OWN_NAME: &str = "pipeline::worker::prison::tests::whoever_takes_a_worker_over_reaches_no_file_no_network_and_no_program";
    const CANNOT: &str = "the prison cannot be tried";

    fn written() -> PathBuf {
        std::env::temp_dir().join("skillkiln-prison")
    }

    /// What somebody would do who has taken a worker over, with the port of a server that listens and the id of a process beside it.
    fn attempts(port: u16, beside: &str) -> Vec<&'static str> {
        let managed = [
            ("read a file", File::open("/etc/passwd").is_ok()),
            ("list a folder", fs::read_dir("/").is_ok()),
            (
                "write a file",
                OpenOptions::new()
                    .append(true)
                    .create(true)
                    .open(written())
                    .is_ok(),
            ),
            (
                "look at another process",
                fs::read(format!("/proc/{beside}/environ")).is_ok(),
            ),
            ("connect", TcpStream::connect(("127.0.0.1", port)).is_ok()),
            ("listen", TcpListener::bind("127.0.0.1:0").is_ok()),
            ("send packets", UdpSocket::bind("127.0.0.1:0").is_ok()),
            ("speak to a local socket", UnixDatagram::unbound().is_ok()),
            (
                "start a program",
                Command::new("/bin/true").status().is_ok(),
            ),
        ];
        let managed = managed.into_iter().filter(|(_, managed)| *managed);
        managed.map(|(what, _)| what).collect()
    }

    #[test]
    fn whoever_takes_a_worker_over_reaches_no_file_no_network_and_no_program() {
        if let Ok(told) = std::env::var(INSIDE) {
            let (port, beside) = told.split_once(' ').unwrap();
            let port = port.parse().unwrap();
            let free = attempts(port, beside);
            assert_eq!(
                free.len(),
                9,
                "what fails here outside shows nothing: {free:?}"
            );
            let order = Order {
                processor_s: 60,
                memory_bytes: 8 << 30,
                niceness: 0,
                uid: 65_534,
            };
            let mut lacks = enter(&order).unwrap();
            lacks.extend(seal());
            if lacks.iter().any(|lacking| lacking.starts_with("seccomp")) {
                eprintln!("{CANNOT}: this machine lacks {}", lacks.join(", "));
                return;
            }
            let managed = attempts(port, beside);
            assert!(managed.is_empty(), "{managed:?}; it lacks {lacks:?}");
            return;
        }
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let inside = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", OWN_NAME, "--test-threads=1", "--nocapture"])
            .env(INSIDE, format!("{port} {}", std::process::id()))
            .output()
            .unwrap();
        let _ = fs::remove_file(written());
        let said = String::from_utf8_lossy(&inside.stdout).into_owned();
        let complaint = String::from_utf8_lossy(&inside.stderr);
        assert!(inside.status.success(), "{said}{complaint}");
        assert!(said.contains("1 passed"), "{said}");
        // As the service does: a kernel without a part of it is told.
        let cannot = complaint.lines().find(|line| line.starts_with(CANNOT));
        eprintln!("{}", cannot.unwrap_or("everything was refused"));
    }
}
