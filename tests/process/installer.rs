//! An installer of skills that nobody here wrote, against the real binary: `npx skills add` with the address that a share gives.

use crate::service::{Service, client, generate};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// A source that is long enough for reference files.
fn manual() -> String {
    let mut manual = "# Kilns\n\nHow a kiln is fired and looked after.\n".to_owned();
    for (part, what) in [
        "Firing",
        "Glazing",
        "Cleaning",
        "Storing",
        "Repairing",
        "Measuring",
    ]
    .iter()
    .enumerate()
    {
        let _ = writeln!(manual, "\n## {what}\n");
        for step in 0..40 {
            let _ = writeln!(
                manual,
                "Before {what} number {step} of part {part}, look at cone {step} and write the temperature of shelf {} into the book.\n",
                step * 7 + part
            );
        }
    }
    manual
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shared_skill_is_installed_by_its_address_with_all_its_files() {
    let tools = std::env::var("SKILLKILN_TEST_NPM").expect(
        "SKILLKILN_TEST_NPM: the folder into which npm installed the installer; scripts/test makes it",
    );
    let mut service = Service::new();
    let key = service.key(1);
    service.serve();
    let (client, address) = (client(), service.address().to_owned());
    let made = generate(&client, &address, &key, manual()).await.unwrap();
    let made: Value = made.json().await.unwrap();
    let references = made["skill"]["reference_files"].as_array().unwrap();
    assert!(references.len() > 1, "{made}");

    let listed = client
        .get(format!("{address}/api/skills"))
        .bearer_auth(&key);
    let listed: Value = listed.send().await.unwrap().json().await.unwrap();
    let skill = &listed["skills"][0];
    let id = skill["id"].as_str().unwrap();
    let share = client
        .post(format!("{address}/api/skills/{id}/share"))
        .bearer_auth(&key)
        .json(&json!({ "is_public": true }));
    assert_eq!(share.send().await.unwrap().status(), 200);

    let project = tempfile::tempdir().unwrap();
    let bin = Path::new(&tools)
        .join("node_modules/.bin")
        .canonicalize()
        .unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let installed = Command::new(bin.join("skills"))
        .args([
            "add",
            &format!("{address}/s/{id}"),
            "--yes",
            "--agent",
            "claude-code",
        ])
        .current_dir(project.path())
        .env("PATH", path)
        .env("HOME", project.path())
        .env("DISABLE_TELEMETRY", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&installed.stdout);
    assert!(installed.status.success(), "{said}");
    let folder = project
        .path()
        .join(".claude/skills")
        .join(skill["name"].as_str().unwrap());
    let text = |path: &str| {
        std::fs::read_to_string(folder.join(path))
            .unwrap_or_else(|error| panic!("{path}: {error}\n{said}"))
    };
    assert_eq!(made["skill"]["content"], text("SKILL.md"));
    for reference in references {
        assert_eq!(
            reference["content"],
            text(reference["filename"].as_str().unwrap())
        );
    }
}
