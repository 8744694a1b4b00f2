//! The binary in a folder of its own, serving on a port of its own.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A running service; it ends when dropped.
pub(crate) struct Kiln {
    process: Child,
    /// Where it serves.
    pub(crate) address: String,
    /// Where its operators look.
    pub(crate) operators: String,
    folder: tempfile::TempDir,
    settings: Vec<(String, String)>,
    port: u16,
}

impl Kiln {
    pub(crate) fn start() -> Self {
        Self::with(&[])
    }

    /// With further settings, by the names of their variables.
    pub(crate) fn with(settings: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        // The address that people type must be known before: payments lead back to it.
        let port = {
            let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            free.local_addr().unwrap().port()
        };
        let settings = settings.iter();
        let settings = settings.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let settings: Vec<(String, String)> = settings.collect();
        let (process, address, operators) = serve(&folder, port, &settings);
        Self {
            process,
            address,
            operators,
            folder,
            settings,
            port,
        }
    }

    /// Ends the service at once, as a crash does.
    pub(crate) fn crash(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Starts it again where it was.
    pub(crate) fn start_again(&mut self) {
        let (process, _, operators) = serve(&self.folder, self.port, &self.settings);
        self.process = process;
        self.operators = operators;
    }
    /// Runs one command of the program on the same database, and answers what it printed.
    fn command(&self, arguments: &[&str]) -> String {
        let url = format!("sqlite://{}", self.folder.path().join("test.db").display());
        let output = Command::new(env!("CARGO_BIN_EXE_skillkiln"))
            .args(arguments)
            .current_dir(self.folder.path())
            .env("SKILLKILN__DATABASE__URL", url)
            .env("SKILLKILN__STORAGE__PATH", self.folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Keeps an account out, or lets it in again.
    pub(crate) fn let_in(&self, email: &str, is_let_in: bool) {
        let deed = if is_let_in { "unrestrict" } else { "restrict" };
        self.command(&["user", deed, email]);
    }

    /// Makes an account with so many credits, and a key of it.
    pub(crate) fn key(&self, email: &str, credits: u32) -> String {
        self.command(&["user", "add", email, "--credits", &credits.to_string()]);
        self.command(&["key", "add", email, "--name", "test"])
    }
}

impl Drop for Kiln {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Starts the service, and says where it serves and where its operators look.
fn serve(
    folder: &tempfile::TempDir,
    port: u16,
    settings: &[(String, String)],
) -> (Child, String, String) {
    let url = format!("sqlite://{}", folder.path().join("test.db").display());
    let mut process = Command::new(env!("CARGO_BIN_EXE_skillkiln"))
        .arg("serve")
        .current_dir(folder.path())
        .env("SKILLKILN__DATABASE__URL", url)
        .env("SKILLKILN__STORAGE__PATH", folder.path())
        .env("SKILLKILN__SERVER__BIND", format!("127.0.0.1:{port}"))
        .env(
            "SKILLKILN__SERVER__PUBLIC_URL",
            format!("http://127.0.0.1:{port}"),
        )
        .env("SKILLKILN__SERVER__ADMIN_BIND", "127.0.0.1:0")
        .env("SKILLKILN__SERVER__SHUTDOWN_GRACE_S", "0")
        .env("SKILLKILN__LIMITS__OTHER_PER_MINUTE", "10000")
        .env("SKILLKILN__LIMITS__GENERATE_PER_MINUTE", "100000")
        .env("SKILLKILN__FETCH__ALLOW_PRIVATE_ADDRESSES", "true")
        .envs(settings.iter().map(|(name, value)| (name, value)))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let first = lines.next().expect("it says where it is").unwrap();
    let address = first.strip_prefix("skillkiln serves ").expect("an address");
    let address = address.to_owned();
    let second = lines
        .next()
        .expect("it says where its operators look")
        .unwrap();
    let operators = second.strip_prefix("operators: ").expect("an address");
    let operators = operators.to_owned();
    // What it prints later is read, so that it never waits for a reader.
    std::thread::spawn(move || lines.for_each(drop));
    (process, address, operators)
}
