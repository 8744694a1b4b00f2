//! `skillkiln mcp` as a host uses it, with the official SDK's own client.

use crate::program::Desk;
use rmcp::model::{
    CallToolRequestParams, ProgressNotificationParam, ReadResourceRequestParams, ResourceContents,
};
use rmcp::service::{NotificationContext, RoleClient, RunningService};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientHandler, ServiceExt};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

const MANUAL: &str = "# Kiln care\n\nHow to keep a kiln in good order. Read this before you fire it.\n\n\
## Clean the burner\n\nThe burner must never run above 40 degrees, because its seal softens.\n\n\
```sh\nkilnctl test --part burner\n```\n";

/// A host that writes down what it hears of progress.
#[derive(Clone, Default)]
struct Host(Arc<Mutex<Vec<String>>>);

impl ClientHandler for Host {
    async fn on_progress(
        &self,
        progress: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        let heard = progress.message.unwrap_or_default();
        self.0.lock().expect("no test died here").push(heard);
    }
}

/// Calls a tool: whether it did what it was asked, and what it answered.
async fn call(
    client: &RunningService<RoleClient, Host>,
    tool: &'static str,
    given: Value,
) -> (bool, String) {
    let given = given.as_object().expect("an object").clone();
    let request = CallToolRequestParams::new(tool).with_arguments(given);
    let result = client.call_tool(request).await.expect("an answer");
    let text = result.content.first().and_then(|content| content.as_text());
    let text = text.expect("a text").text.clone();
    (result.is_error != Some(true), text)
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[tokio::test]
async fn a_host_makes_a_skill_hears_of_its_progress_and_reads_it() {
    let desk = Desk::new();
    std::fs::write(desk.path().join("manual.md"), MANUAL).expect("written");
    let command = desk.command(&["mcp", "--out", "skills"]);
    let child = TokioChildProcess::new(tokio::process::Command::from(command));
    let host = Host::default();
    let client = host
        .clone()
        .serve(child.expect("it starts"))
        .await
        .expect("a greeting");
    let tools = client.list_all_tools().await.expect("tools");
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(
        names,
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
    let (done, text) = call(&client, "generate_skill", given).await;
    assert!(done, "{text}");
    let made = read(&text);
    assert_eq!(
        (&made["name"], &made["validation"]["errors"]),
        (&json!("kiln-care"), &json!(0))
    );
    assert!(
        made["content"]
            .as_str()
            .is_some_and(|text| text.contains("kilnctl test"))
    );
    let heard = host.0.lock().expect("no test died here").clone();
    assert_eq!(
        heard,
        [
            "Reading the source",
            "Writing the skill",
            "Checking the skill against its source"
        ]
    );
    let (_, text) = call(&client, "list_skills", json!({})).await;
    let uri = read(&text)["skills"][0]["uri"]
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
    let (done, text) = call(&client, "get_skill", json!({ "skill": "kiln-care" })).await;
    assert!(
        done && read(&text)["content"]
            .as_str()
            .is_some_and(|text| text.starts_with("---"))
    );
    let (done, text) = call(
        &client,
        "validate_skill",
        json!({ "path": "skills/kiln-care" }),
    )
    .await;
    assert!(done && read(&text)["errors"] == 0, "{text}");
    let (done, text) = call(&client, "detect_topics", json!({ "source": "manual.md" })).await;
    assert!(
        done && read(&text)["topics"]
            .as_array()
            .is_some_and(|all| !all.is_empty()),
        "{text}"
    );
    client.cancel().await.expect("it ends");
}

#[tokio::test]
async fn what_a_tool_cannot_do_is_told_to_the_model() {
    let desk = Desk::new();
    std::fs::write(desk.path().join("secret.md"), MANUAL).expect("written");
    let command = desk.command(&["mcp", "--out", "skills"]);
    let child = TokioChildProcess::new(tokio::process::Command::from(command));
    let client = Host::default()
        .serve(child.expect("it starts"))
        .await
        .expect("a greeting");
    for (tool, given, words) in [
        ("generate_skill", json!({}), "source is missing"),
        ("generate_skill", json!({ "source": "none.md" }), "none.md"),
        (
            "generate_skill",
            json!({ "source": "secret.md", "kind": "poem" }),
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
            json!({ "skill": "../secret.md" }),
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
        "skill://secret.md/SKILL.md",
        "file:///etc/passwd",
    ] {
        let read = client
            .read_resource(ReadResourceRequestParams::new(uri))
            .await;
        assert!(read.is_err(), "{uri}");
    }
    client.cancel().await.expect("it ends");
}
