//! The binary in a folder of its own: its commands, its server, and what the server answers.

use crate::postgres::FreshDatabase;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// A folder with a database, settings, and perhaps a running server.
pub(crate) struct Service {
    folder: tempfile::TempDir,
    database_url: String,
    database: Option<FreshDatabase>,
    server: Option<Server>,
    /// Seconds that runs under way are given when the server stops.
    pub(crate) grace_s: u32,
}

struct Server {
    process: Child,
    address: String,
    admin: String,
}

/// Memory that a node may have beyond what it had when it had just started. Its threads keep heaps for the next time, which are
/// some 12 MiB after a first run, and 20 after hostile sources.
const MEMORY_KEPT: u64 = 32 << 20;
/// Files that it may have open beyond those: connections to the database, and of clients that are about to leave.
const FILES_KEPT: usize = 40;
/// Within so long what was freed is given back.
const BACK_WITHIN: Duration = Duration::from_secs(20);
const LOOK: Duration = Duration::from_millis(50);

/// What a server holds of the machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Footprint {
    /// Bytes of its own: without those of the program and its libraries, which come as they are used first.
    pub(crate) memory: u64,
    /// Files and connections.
    pub(crate) files: usize,
}

impl Service {
    /// On SQLite, nothing running yet.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("test.db").display());
        Self::on(folder, url)
    }

    /// On a PostgreSQL database of its own.
    pub(crate) async fn on_postgres() -> Self {
        let database = FreshDatabase::new().await;
        let url = database.url();
        let mut service = Self::with_database(url);
        service.database = Some(database);
        service
    }

    /// On the database at an address.
    pub(crate) fn with_database(url: String) -> Self {
        Self::on(tempfile::tempdir().unwrap(), url)
    }

    /// A second node on the same database, which knows the same keys.
    pub(crate) fn beside(&self) -> Self {
        self.beside_at(&self.database_url)
    }

    /// The same, which comes to the database by another address.
    pub(crate) fn beside_at(&self, url: &str) -> Self {
        let beside = Self::with_database(url.to_owned());
        std::fs::copy(
            self.folder.path().join("pepper"),
            beside.folder.path().join("pepper"),
        )
        .unwrap();
        beside
    }

    fn on(folder: tempfile::TempDir, database_url: String) -> Self {
        install_crypto();
        Self {
            folder,
            database_url,
            database: None,
            server: None,
            grace_s: 1,
        }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skillkiln"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env_remove("RUST_BACKTRACE")
            .env_remove("MIMALLOC_PURGE_DELAY")
            .env("SKILLKILN__DATABASE__URL", &self.database_url)
            .env("SKILLKILN__STORAGE__PATH", self.folder.path())
            .env("SKILLKILN__SERVER__BIND", "127.0.0.1:0")
            .env("SKILLKILN__SERVER__ADMIN_BIND", "127.0.0.1:0")
            .env(
                "SKILLKILN__SERVER__SHUTDOWN_GRACE_S",
                self.grace_s.to_string(),
            )
            .env("SKILLKILN__FETCH__ALLOW_PRIVATE_ADDRESSES", "true")
            .env("SKILLKILN__LIMITS__GENERATE_PER_MINUTE", "100000")
            .env("SKILLKILN__LIMITS__OTHER_PER_MINUTE", "100000")
            .env("SKILLKILN__LIMITS__RUNNING_PER_ACCOUNT", "8");
        if self.database_url.starts_with("postgres") {
            command.env("SKILLKILN__BLOBS__HOME", "database");
        }
        command
    }

    /// Runs one command to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// Runs one command that must succeed, and answers what it printed.
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Writes a file into the folder, where a `config.toml` is read.
    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).unwrap();
    }

    /// Makes an account and a key.
    pub(crate) fn key(&self, credits: u32) -> String {
        let email = format!("{}@example.org", uuid::Uuid::new_v4().simple());
        self.ok(&["user", "add", &email, "--credits", &credits.to_string()]);
        self.ok(&["key", "add", &email, "--name", "test"])
    }

    /// Starts the server and waits until it prints its addresses.
    pub(crate) fn serve(&mut self) {
        let command = self.command(&["serve"]);
        self.start(command);
    }

    /// The same, with a variable in its environment.
    pub(crate) fn serve_with(&mut self, name: &str, value: &str) {
        let mut command = self.command(&["serve"]);
        command.env(name, value);
        self.start(command);
    }

    /// The same, and what it logs is kept in a pipe that nobody reads.
    pub(crate) fn serve_unread(&mut self, name: &str, value: &str) {
        let mut command = self.command(&["serve"]);
        command.env(name, value);
        self.start_with(command, Stdio::piped());
    }

    /// The environment it runs in, each variable with a zero byte behind it.
    pub(crate) fn environment(&self) -> String {
        let path = format!("/proc/{}/environ", self.server().process.id());
        std::fs::read_to_string(path).unwrap()
    }

    /// Starts the server and keeps what it logs, which nobody reads as it comes, in a file of this name.
    pub(crate) fn serve_logging_to(&mut self, name: &str) {
        let log = std::fs::File::create(self.folder.path().join(name)).unwrap();
        let command = self.command(&["serve"]);
        self.start_with(command, Stdio::from(log));
    }

    /// Reads a file of the folder.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    /// Starts a server that can be told how large its files may become ([`Service::files_at_most`]): a write beyond that fails,
    /// instead of ending the process, which is what the signal does by default.
    pub(crate) fn serve_within_file_limits(&mut self) {
        let plain = self.command(&["serve"]);
        let mut command = Command::new("env");
        command.arg("--ignore-signal=XFSZ").arg(plain.get_program());
        command
            .args(plain.get_args())
            .current_dir(self.folder.path());
        for (name, value) in plain.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        self.start(command);
    }

    /// From now on no file of the server grows beyond `bytes`; `None` lifts that.
    pub(crate) fn files_at_most(&self, bytes: Option<u64>) {
        let limit = rustix::process::Rlimit {
            current: bytes,
            maximum: None,
        };
        let id = rustix::process::Pid::from_raw(i32::try_from(self.server().process.id()).unwrap());
        rustix::process::prlimit(id, rustix::process::Resource::Fsize, limit).unwrap();
    }

    /// The size of the file that SQLite writes to first.
    pub(crate) fn size_of_log(&self) -> u64 {
        let log = self.folder.path().join("test.db-wal");
        log.metadata().unwrap().len()
    }

    fn start(&mut self, command: Command) {
        self.start_with(command, Stdio::null());
    }

    fn start_with(&mut self, mut command: Command, log: Stdio) {
        let mut process = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let printed = process.stdout.take().unwrap();
        let (told, tell) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(printed).lines().map_while(Result::ok) {
                let _ = told.send(line);
            }
        });
        let next = |before: &str| loop {
            let line = tell
                .recv_timeout(Duration::from_secs(60))
                .expect("the server prints its address");
            if let Some((_, address)) = line.split_once(before) {
                break format!("http://{}", address.trim());
            }
        };
        let address = next("serves http://");
        let admin = next("operators: http://");
        self.server = Some(Server {
            process,
            address,
            admin,
        });
    }

    fn server(&self) -> &Server {
        self.server.as_ref().expect("the server was started")
    }

    pub(crate) fn address(&self) -> &str {
        &self.server().address
    }

    /// Where the operators' page is.
    pub(crate) fn operators(&self) -> &str {
        &self.server().admin
    }

    /// The worker processes that the server has.
    pub(crate) fn worker_ids(&self) -> Vec<u32> {
        let own = self.server().process.id();
        let threads = std::fs::read_dir(format!("/proc/{own}/task")).unwrap();
        let children = threads.filter_map(|thread| {
            let path = thread.ok()?.path().join("children");
            std::fs::read_to_string(path).ok()
        });
        let ids = |list: String| {
            let ids = list.split_whitespace();
            ids.filter_map(|id| id.parse().ok()).collect::<Vec<u32>>()
        };
        children.flat_map(ids).collect()
    }

    /// How many they are.
    pub(crate) fn workers(&self) -> usize {
        self.worker_ids().len()
    }

    /// What the server holds of the machine.
    pub(crate) fn footprint(&self) -> Footprint {
        let own = format!("/proc/{}", self.server().process.id());
        let status = std::fs::read_to_string(format!("{own}/status")).unwrap();
        let number = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let number = line.unwrap().trim().trim_end_matches(" kB");
            number.parse::<u64>().unwrap()
        };
        let files = std::fs::read_dir(format!("{own}/fd")).unwrap();
        Footprint {
            memory: number("RssAnon:") << 10,
            files: files.count(),
        }
    }

    /// Waits until the server holds no more than `before`, but for what serving leaves for the next time ([`MEMORY_KEPT`],
    /// [`FILES_KEPT`]); `after` says what it went through.
    pub(crate) async fn is_back(&self, before: Footprint, after: &str) {
        let until = Instant::now() + BACK_WITHIN;
        loop {
            let now = self.footprint();
            let is_back =
                now.memory <= before.memory + MEMORY_KEPT && now.files <= before.files + FILES_KEPT;
            if is_back {
                return;
            }
            assert!(Instant::now() < until, "after {after}: {before:?}, {now:?}");
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Where its uploaded files lie, and those that are not whole yet.
    pub(crate) fn kept_files(&self) -> Vec<std::path::PathBuf> {
        let mut folders = vec![self.folder.path().join("blobs")];
        let mut files = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => files.push(path),
                }
            }
        }
        files
    }

    /// Ends the server as a power cut would.
    pub(crate) fn kill(&mut self) {
        let mut server = self.server.take().expect("the server was started");
        server.process.kill().unwrap();
        server.process.wait().unwrap();
    }

    /// Asks the server to stop, without waiting.
    pub(crate) fn ask_to_stop(&self) {
        let id = i32::try_from(self.server().process.id()).unwrap();
        let process = rustix::process::Pid::from_raw(id).unwrap();
        rustix::process::kill_process(process, rustix::process::Signal::TERM).unwrap();
    }

    /// How the server has ended, if it has.
    pub(crate) fn ended(&mut self) -> Option<std::process::ExitStatus> {
        let server = self.server.as_mut().expect("the server was started");
        server.process.try_wait().unwrap()
    }

    /// Waits until the server has ended, and answers its exit code.
    pub(crate) fn wait(&mut self) -> Option<i32> {
        let mut server = self.server.take().expect("the server was started");
        server.process.wait().unwrap().code()
    }

    /// Asks until the answer satisfies; every try is a request, so nothing sleeps.
    pub(crate) async fn until(
        &self,
        key: &str,
        path: &str,
        satisfied: impl Fn(&Value) -> bool,
    ) -> Value {
        let client = client();
        let mut last = Value::Null;
        for _ in 0..50_000 {
            last = self.ask(&client, key, path).await;
            if satisfied(&last) {
                return last;
            }
            tokio::task::yield_now().await;
        }
        panic!("{path} never came to satisfy: {last}");
    }

    /// What it answers to a path.
    pub(crate) async fn ask(&self, client: &reqwest::Client, key: &str, path: &str) -> Value {
        let address = format!("{}{path}", self.address());
        let answer = client.get(address).bearer_auth(key).send().await;
        answer.unwrap().json().await.unwrap()
    }

    /// What the operators' address answers to a path.
    pub(crate) async fn admin(&self, path: &str) -> (u16, String) {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let answer = client
            .get(format!("{}{path}", self.server().admin))
            .send()
            .await
            .unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if let Some(server) = &mut self.server {
            let _ = server.process.kill();
            let _ = server.process.wait();
        }
    }
}

/// A client that the tests ask with.
pub(crate) fn client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().build().unwrap()
}

/// Requests need a provider even without TLS; installing it twice is harmless.
fn install_crypto() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// Sends a source to be made into a skill.
pub(crate) async fn generate(
    client: &reqwest::Client,
    address: &str,
    key: &str,
    source: String,
) -> reqwest::Result<reqwest::Response> {
    const EDGE: &str = "edge-of-a-part";
    let body = format!(
        "--{EDGE}\r\nContent-Disposition: form-data; name=\"source\"\r\n\r\n{source}\r\n--{EDGE}--\r\n"
    );
    client
        .post(format!("{address}/api/v1/generate"))
        .bearer_auth(key)
        .header(
            "Content-Type",
            format!("multipart/form-data; boundary={EDGE}"),
        )
        .body(body)
        .send()
        .await
}

/// Uploads a text.
pub(crate) async fn upload(
    client: &reqwest::Client,
    address: &str,
    key: &str,
    text: &str,
) -> reqwest::Response {
    const EDGE: &str = "edge-of-a-part";
    let body = format!(
        "--{EDGE}\r\nContent-Disposition: form-data; name=\"files\"; filename=\"kiln.md\"\r\nContent-Type: text/markdown\r\n\r\n{text}\r\n--{EDGE}--\r\n"
    );
    let request = client.post(format!("{address}/api/upload"));
    let kind = format!("multipart/form-data; boundary={EDGE}");
    let request = request.bearer_auth(key).header("Content-Type", kind);
    request.body(body).send().await.unwrap()
}
