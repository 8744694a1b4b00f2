//! `skillkiln mcp` as a host uses it, with the official SDK's own client.

use crate::host::{Host, call, done, names};
use crate::program::Desk;
use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, ReadResourceRequestParams, ResourceContents};
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::TokioChildProcess;
use serde_json::json;

const MANUAL: &str = "# Kiln care\n\nHow to keep a kiln in good order. Read this before you fire it.\n\n\
## Clean the burner\n\nThe burner must never run above 40 degrees, because its seal softens.\n\n\
```sh\nkilnctl test --part burner\n```\n";

/// A host that started the program in a folder with the manual.
async fn started(desk: &Desk, host: Host) -> RunningService<RoleClient, Host> {
    std::fs::write(desk.path().join("manual.md"), MANUAL).expect("written");
    let command = desk.command(&["mcp", "--out", "skills"]);
    let child = TokioChildProcess::new(tokio::process::Command::from(command));
    let serving = host.serve(child.expect("it starts"));
    serving.await.expect("a greeting")
}

#[tokio::test]
async fn a_host_makes_a_skill_hears_of_its_progress_and_reads_it() {
    let desk = Desk::new();
    let host = Host::default();
    let client = started(&desk, host.clone()).await;
    assert_eq!(
        names(&client).await,
        [
            "generate_skill",
            "detect_topics",
            "generate_catalogue",
            "validate_skill",
            "list_skills",
            "get_skill"
        ]
    );
    assert_eq!(
        call(&client, "list_skills", json!({})).await,
        (true, r#"{"skills":[]}"#.into())
    );
    let given = json!({ "source": "manual.md", "name": "Kiln care" });
    let made = done(&client, "generate_skill", given).await;
    assert_eq!(
        (&made["name"], &made["validation"]["errors"]),
        (&json!("kiln-care"), &json!(0))
    );
    assert!(
        made["content"]
            .as_str()
            .is_some_and(|text| text.contains("kilnctl test"))
    );
    assert_eq!(
        host.heard(),
        [
            "Reading the source",
            "Writing the skill",
            "Checking the skill against its source"
        ]
    );
    let uri = done(&client, "list_skills", json!({})).await["skills"][0]["uri"]
        .as_str()
        .expect("an address")
        .to_owned();
    assert_eq!(uri, "skill://kiln-care/SKILL.md");
    let resources = client.list_all_resources().await.expect("resources");
    assert_eq!(
        resources
            .iter()
            .map(|one| one.uri.as_str())
            .collect::<Vec<_>>(),
        [&*uri]
    );
    let found = client
        .read_resource(ReadResourceRequestParams::new(uri))
        .await
        .expect("it is there");
    let [ResourceContents::TextResourceContents { text, .. }] = &found.contents[..] else {
        panic!("{found:?}");
    };
    assert!(text.contains("kilnctl test --part burner"), "{text}");
    let got = done(&client, "get_skill", json!({ "skill": "kiln-care" })).await;
    assert_eq!(got["content"], text.as_str());
    let given = json!({ "path": "skills/kiln-care" });
    assert_eq!(done(&client, "validate_skill", given).await["errors"], 0);
    client.cancel().await.expect("it ends");
}

#[tokio::test]
async fn a_host_chooses_among_the_topics_of_a_source() {
    let desk = Desk::new();
    let client = started(&desk, Host::default()).await;
    std::fs::write(desk.path().join("two.md"), two_parts()).expect("written");
    let given = json!({ "source": "two.md" });
    let found = done(&client, "detect_topics", given.clone()).await;
    assert_eq!(found["should_catalogue"], true, "{found}");
    let slugs: Vec<String> = found["topics"]
        .as_array()
        .expect("topics")
        .iter()
        .map(|topic| topic["slug"].as_str().expect("a slug").to_owned())
        .collect();
    assert!(slugs.len() >= 2, "{found}");

    let given = json!({ "source": "two.md", "topics": [slugs[1]], "name": "Kilns" });
    let made = done(&client, "generate_catalogue", given).await;
    let made = made["skills"].as_array().expect("skills").clone();
    assert_eq!(made.len(), 2, "the topic's skill, and the index");
    assert_eq!(made[0]["validation"]["errors"], 0);
    assert!(
        made[1]["name"]
            .as_str()
            .is_some_and(|name| name.ends_with("-index")),
        "{made:?}"
    );
    for skill in &made {
        let file = desk.path().join(skill["path"].as_str().expect("a path"));
        assert!(file.join("SKILL.md").is_file(), "{}", file.display());
    }
    let (done, text) = call(
        &client,
        "generate_catalogue",
        json!({ "source": "two.md", "topics": ["tea"] }),
    )
    .await;
    assert!(!done && text.contains("none of these topics"), "{text}");
    client.cancel().await.expect("it ends");
}

/// A text of two parts, each worth a skill.
fn two_parts() -> String {
    let part = |title: &str, thing: &str, line: &dyn Fn(usize) -> String| {
        let sections = (0..4).map(|section| {
            let lines: String = (0..5).map(|step| line(section * 5 + step)).collect();
            format!("## {thing} {section}\n\n{lines}")
        });
        format!("# {title}\n\n{}", sections.collect::<String>())
    };
    let kiln = |step: usize| {
        format!(
            "Load the shelves slowly and let the chamber reach {} degrees before any burner climbs. Inspect bricks, elements and the thermocouple after each firing, and note the hour in the log.\n\n",
            100 + step
        )
    };
    let glaze = |step: usize| {
        format!(
            "Weigh silica, feldspar and cobalt on a balance, then stir the slurry with {} grams of water. Strain it twice through fine mesh, and compare its colour, gloss and viscosity with those mixed earlier.\n\n",
            40 + step
        )
    };
    part("Firing a kiln", "Shelves", &kiln) + &part("Mixing a glaze", "Cobalt", &glaze)
}

#[tokio::test]
async fn what_a_tool_cannot_do_is_told_to_the_model() {
    let desk = Desk::new();
    let client = started(&desk, Host::default()).await;
    for (tool, given, words) in [
        ("generate_skill", json!({}), "source is missing"),
        ("generate_skill", json!({ "source": "none.md" }), "none.md"),
        (
            "generate_skill",
            json!({ "source": "manual.md", "kind": "poem" }),
            "runbook",
        ),
        (
            "generate_skill",
            json!({ "source": "http://127.0.0.1/" }),
            "not on the public internet",
        ),
        ("generate_skill", json!({ "source": "-" }), "standard input"),
        (
            "get_skill",
            json!({ "skill": "../manual.md" }),
            "there is no skill",
        ),
        ("validate_skill", json!({ "path": "nowhere" }), "nowhere"),
    ] {
        let (done, text) = call(&client, tool, given).await;
        assert!(!done && text.contains(words), "{tool}: {text}");
    }
    let unknown = client.call_tool(CallToolRequestParams::new("paint")).await;
    assert!(unknown.is_err());
    for uri in [
        "skill://../SKILL.md",
        "skill://manual.md/SKILL.md",
        "file:///etc/passwd",
    ] {
        let read = client
            .read_resource(ReadResourceRequestParams::new(uri))
            .await;
        assert!(read.is_err(), "{uri}");
    }
    client.cancel().await.expect("it ends");
}
