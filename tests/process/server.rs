//! A PostgreSQL server of a test's own, which can be started anew, and one that stands by for it.

use std::process::Command;

/// The server; it ends with the test.
pub(crate) struct Server {
    folder: tempfile::TempDir,
    url: String,
}

impl Server {
    /// With an empty database.
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = script(&[folder.path().to_str().unwrap()]);
        Self { folder, url }
    }

    /// The address of its database.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Ends all its processes at once, when they have not, and starts it again at the same address.
    pub(crate) fn restart(&self) {
        script(&["restart", self.folder.path().to_str().unwrap()]);
    }
}

impl Server {
    /// One that has every commit of this one and takes none itself.
    pub(crate) fn replica(&self) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = script(&["replica", folder.path().to_str().unwrap(), &self.url]);
        Self { folder, url }
    }

    /// Ends all its processes at once.
    pub(crate) fn fail(&self) {
        script(&["fail", self.folder.path().to_str().unwrap()]);
    }

    /// Takes commits itself from now on.
    pub(crate) fn promote(&self) {
        script(&["promote", self.folder.path().to_str().unwrap()]);
    }

    /// The address of whichever of the two takes commits.
    pub(crate) fn url_with(&self, replica: &Self) -> String {
        let (own, database) = self.url.rsplit_once('/').unwrap();
        let (other, _) = replica.url.rsplit_once('/').unwrap();
        let (_, other) = other.split_once('@').unwrap();
        format!("{own},{other}/{database}?target_session_attrs=read-write")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        script(&["stop", self.folder.path().to_str().unwrap()]);
    }
}

fn script(arguments: &[&str]) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/postgres.sh");
    let output = Command::new(script)
        .args(arguments)
        .env("SKILLKILN_TEST_FSYNC", "off")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
