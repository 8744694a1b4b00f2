//! The service as a process: where it says it is, how it stops, what stops it from starting.

use crate::program::Desk;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdout, Command, Stdio};

const ANYWHERE: [&str; 5] = [
    "serve",
    "--set",
    "server.bind=127.0.0.1:0",
    "--set",
    "server.admin_bind=127.0.0.1:0",
];

/// A service that is killed when the test ends.
pub(crate) struct Service {
    child: Child,
    _out: BufReader<ChildStdout>,
    pub(crate) public: String,
    pub(crate) admin: String,
}

impl Service {
    pub(crate) fn start(desk: &Desk) -> Self {
        let mut child = desk
            .command(&ANYWHERE)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut out = BufReader::new(child.stdout.take().expect("it was piped"));
        let mut address = || {
            let mut line = String::new();
            out.read_line(&mut line).expect("it speaks");
            let at = line.find("http://").expect("the line names an address");
            line[at + "http://".len()..].trim().to_owned()
        };
        let (public, admin) = (address(), address());
        Self {
            child,
            _out: out,
            public,
            admin,
        }
    }

    fn signal(&self, name: &str) {
        let done = Command::new("kill")
            .args([name, &self.child.id().to_string()])
            .status();
        assert!(done.expect("there is kill").success());
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The answer to a GET, head and body.
fn get(address: &str, path: &str, key: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    let authorization = if key.is_empty() {
        String::new()
    } else {
        format!("Authorization: Bearer {key}\r\n")
    };
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {address}\r\n{authorization}Connection: close\r\n\r\n"
    )
    .expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    answer
}

#[test]
fn a_key_made_while_it_runs_works_at_once() {
    let desk = Desk::new();
    let service = Service::start(&desk);
    assert!(get(&service.public, "/healthz", "").starts_with("HTTP/1.1 200"));
    assert!(get(&service.admin, "/readyz", "").starts_with("HTTP/1.1 200"));
    assert!(get(&service.public, "/metrics", "").starts_with("HTTP/1.1 404"));
    desk.done(&["user", "add", "ann@example.org"]);
    let key = desk.done(&["key", "add", "ann@example.org", "--name", "laptop"]);
    let answer = get(&service.public, "/api/v1/credits", key.trim());
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.contains("\"credits_remaining\":3"),
        "{answer}"
    );
}

#[test]
fn sighup_takes_other_rates_and_settings_that_cannot_be_used_change_nothing() {
    let desk = Desk::new();
    let service = Service::start(&desk);
    desk.done(&["user", "add", "ann@example.org"]);
    let key = desk.done(&["key", "add", "ann@example.org", "--name", "laptop"]);
    let limit = || {
        let answer = get(&service.public, "/api/v1/credits", key.trim()).to_lowercase();
        let (_, rest) = answer
            .split_once("x-ratelimit-limit: ")
            .expect("the header");
        rest.split_whitespace().next().map(str::to_owned)
    };
    let settings = desk.path().join("config.toml");
    let set = |text: &str| {
        std::fs::write(&settings, text).expect("written");
        service.signal("-HUP");
    };
    assert_eq!(limit().as_deref(), Some("60"));
    set("[limits]\nother_per_minute = 700\n");
    while limit().as_deref() != Some("700") {}
    set("[limits]\nother_per_minute = \"many\"\n");
    set("[limits]\nother_per_minute = 701\n");
    while limit().as_deref() != Some("701") {}
}

#[test]
fn sigterm_and_sigint_end_it_in_order() {
    let desk = Desk::new();
    for signal in ["-TERM", "-INT"] {
        let mut service = Service::start(&desk);
        service.signal(signal);
        let status = service.child.wait().expect("it ends");
        assert_eq!(
            (status.code(), status.signal()),
            (Some(0), None),
            "{signal}"
        );
    }
    desk.done(&["ledger", "verify"]);
}

#[test]
fn a_port_in_use_is_named_and_nothing_is_begun() {
    let desk = Desk::new();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let bind = format!("server.bind={address}");
    let ended = desk.run(&[
        "serve",
        "--set",
        &bind,
        "--set",
        "server.admin_bind=127.0.0.1:0",
    ]);
    assert_eq!(ended.code, 1);
    assert!(ended.err.contains(&address), "{}", ended.err);
    assert!(!desk.path().join("data").exists());
}

#[test]
fn a_second_service_on_the_same_file_is_refused() {
    let desk = Desk::new();
    let _first = Service::start(&desk);
    let second = desk.run(&ANYWHERE);
    assert_eq!(second.code, 1);
    assert!(
        second.err.contains("another skillkiln serves"),
        "{}",
        second.err
    );
}

#[test]
fn a_database_out_of_reach_ends_the_start() {
    let desk = Desk::new();
    let url = ["--set", "database.url=postgres://nobody@127.0.0.1:1/none"];
    let ended = desk.run(&[&ANYWHERE[..], &url].concat());
    assert_eq!(ended.code, 1);
    assert!(
        ended.err.contains("cannot open the database"),
        "{}",
        ended.err
    );
}
