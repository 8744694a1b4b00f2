//! A Redis or Valkey server of a test's own, which can be killed, stopped for a while, and started again.

use rustix::process::{Pid, Signal, kill_process};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

/// The server; it ends with the test.
pub(crate) struct Redis {
    address: SocketAddr,
    folder: tempfile::TempDir,
    process: Child,
}

impl Redis {
    /// On a free port, holding nothing.
    pub(crate) fn start() -> Self {
        let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = free.local_addr().expect("an address");
        drop(free);
        let folder = tempfile::tempdir().expect("a folder");
        let process = serve(address, folder.path());
        Self {
            address,
            folder,
            process,
        }
    }

    /// Its address.
    pub(crate) fn url(&self) -> String {
        format!("redis://{}", self.address)
    }

    /// Ends it at once; what it held is lost.
    pub(crate) fn kill(&mut self) {
        self.process.kill().expect("it is killed");
        self.process.wait().expect("it is dead");
    }

    /// Starts it again, holding nothing.
    pub(crate) fn start_again(&mut self) {
        self.process = serve(self.address, self.folder.path());
    }

    /// Lets it hang: it takes what is sent and answers nothing.
    pub(crate) fn hang(&self) {
        self.signal(Signal::STOP);
    }

    /// Lets it go on.
    pub(crate) fn go_on(&self) {
        self.signal(Signal::CONT);
    }

    fn signal(&self, signal: Signal) {
        let id = i32::try_from(self.process.id()).expect("a process id");
        let id = Pid::from_raw(id).expect("a process id");
        kill_process(id, signal).expect("it is told");
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn serve(address: SocketAddr, folder: &std::path::Path) -> Child {
    let port = address.port().to_string();
    let spawn = |program| {
        Command::new(program)
            .args(["--bind", "127.0.0.1", "--port", &port])
            .args(["--save", "", "--appendonly", "no", "--dir"])
            .arg(folder)
            .stdout(Stdio::null())
            .spawn()
    };
    let process = spawn("redis-server")
        .or_else(|_| spawn("valkey-server"))
        .expect("this needs a Redis or Valkey server: install one, or run scripts/test");
    while TcpStream::connect(address).is_err() {
        std::thread::yield_now();
    }
    process
}
