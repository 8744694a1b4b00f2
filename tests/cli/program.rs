//! Starts the real program in a folder of its own, without anybody's settings.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder to run the program in.
pub(crate) struct Desk(TempDir);

/// How a command ended.
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// The program with arguments, ready to start here.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skillkiln"));
        command.args(arguments).current_dir(self.path());
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("SKILLKILN__") {
                command.env_remove(name);
            }
        }
        command
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        self.run_with(arguments, b"")
    }

    /// Runs a command to its end with something on its standard input.
    pub(crate) fn run_with(&self, arguments: &[&str], input: &[u8]) -> Ended {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut pipe = child.stdin.take().expect("it was piped");
        // A command that does not read its input closes it early.
        let _ = pipe.write_all(input);
        drop(pipe);
        child.wait_with_output().expect("the program ends").into()
    }

    /// Runs a command that must succeed, and gives what it printed.
    pub(crate) fn done(&self, arguments: &[&str]) -> String {
        let ended = self.run(arguments);
        assert_eq!(ended.code, 0, "{arguments:?}: {}", ended.err);
        ended.out
    }

    /// Runs a command that must succeed and print JSON.
    pub(crate) fn json(&self, arguments: &[&str]) -> serde_json::Value {
        serde_json::from_str(&self.done(arguments)).expect("JSON")
    }
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Self {
            code: output.status.code().expect("no signal ended it"),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}
