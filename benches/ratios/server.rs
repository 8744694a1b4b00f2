//! The real program as a process of its own, so that its memory is its own.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, ChildStdout, Command, Stdio};

/// A service that is killed when it is dropped.
pub(super) struct Server {
    child: Child,
    _out: BufReader<ChildStdout>,
    folder: tempfile::TempDir,
    settings: Vec<String>,
    pub(super) public: SocketAddr,
    pub(super) admin: SocketAddr,
}

impl Server {
    /// Starts it with settings, such as `engine.queue_max=10`.
    pub(super) fn start(settings: &[&str]) -> Self {
        let settings: Vec<String> = settings.iter().map(|one| (*one).to_owned()).collect();
        Self::start_as(&settings)
    }

    /// The same, with settings that were put together.
    pub(super) fn start_as(settings: &[String]) -> Self {
        Self::start_in(tempfile::tempdir().expect("a folder"), settings)
    }

    /// A second node with the same settings, which knows the same keys.
    pub(super) fn beside(&self) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let pepper = |of: &tempfile::TempDir| of.path().join("pepper");
        std::fs::copy(pepper(&self.folder), pepper(&folder)).expect("there is a key");
        Self::start_in(folder, &self.settings)
    }

    fn start_in(folder: tempfile::TempDir, settings: &[String]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skillkiln"));
        command.arg("serve").current_dir(folder.path());
        let free = ["server.bind=127.0.0.1:0", "server.admin_bind=127.0.0.1:0"];
        for setting in settings.iter().map(String::as_str).chain(free) {
            command.args(["--set", setting]);
        }
        let mut child = command
            .stdout(Stdio::piped())
            // What stops it from starting is said there.
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program starts");
        let mut out = BufReader::new(child.stdout.take().expect("it was piped"));
        let mut address = || -> SocketAddr {
            let mut line = String::new();
            out.read_line(&mut line).expect("it says where it is");
            let (_, address) = line.split_once("http://").expect("it says where it is");
            address.trim().parse().expect("an address")
        };
        Self {
            public: address(),
            admin: address(),
            child,
            _out: out,
            folder,
            settings: settings.to_vec(),
        }
    }

    /// Makes an account that can pay for everything, and answers its key.
    pub(super) fn key(&self) -> String {
        self.run(&["user", "add", "bench@example.org", "--credits", "1000000"]);
        self.run(&["key", "add", "bench@example.org", "--name", "bench"])
            .trim()
            .to_owned()
    }

    fn run(&self, arguments: &[&str]) -> String {
        let done = Command::new(env!("CARGO_BIN_EXE_skillkiln"))
            .args(arguments)
            .args(self.settings.iter().flat_map(|one| ["--set", one]))
            .current_dir(self.folder.path())
            .output()
            .expect("the program starts");
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
        String::from_utf8(done.stdout).expect("UTF-8")
    }

    /// The processor time it took so far, in seconds: the 14th and the 15th field of what the system says, in hundredths.
    pub(super) fn processor_s(&self) -> f64 {
        let path = format!("/proc/{}/stat", self.child.id());
        let said = std::fs::read_to_string(path).expect("it runs");
        let (_, fields) = said.rsplit_once(')').expect("a name in brackets");
        let fields = fields.split_whitespace().skip(11).take(2);
        let ticks = fields.filter_map(|field| field.parse::<f64>().ok());
        ticks.sum::<f64>() / 100.0
    }

    /// The memory it occupies now.
    pub(super) fn resident_bytes(&self) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).expect("it runs");
        resident_in(&status)
    }
}

/// What a process occupies, by what the system says of it.
pub(super) fn resident_in(status: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes =
        line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kilobytes.expect("the system says so") * 1_024
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
