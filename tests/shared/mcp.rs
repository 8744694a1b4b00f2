//! A host of agents, with the official SDK's own client: it writes down what it hears of progress.

use rmcp::ClientHandler;
use rmcp::model::{CallToolRequestParams, ProgressNotificationParam};
use rmcp::service::{NotificationContext, RoleClient, RunningService, ServiceError};
use serde_json::Value;
use std::sync::{Arc, Mutex};

#[derive(Clone, Default)]
pub(crate) struct Host(Arc<Mutex<Vec<String>>>);

impl Host {
    /// What it heard.
    pub(crate) fn heard(&self) -> Vec<String> {
        self.0.lock().expect("no test died here").clone()
    }
}

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
pub(crate) async fn tried(
    client: &RunningService<RoleClient, Host>,
    tool: &'static str,
    given: Value,
) -> Result<(bool, String), ServiceError> {
    let given = given.as_object().expect("an object").clone();
    let request = CallToolRequestParams::new(tool).with_arguments(given);
    let result = client.call_tool(request).await?;
    let text = result.content.first().and_then(|content| content.as_text());
    let text = text.expect("a text").text.clone();
    Ok((result.is_error != Some(true), text))
}

/// As [`tried`], where an answer comes.
pub(crate) async fn call(
    client: &RunningService<RoleClient, Host>,
    tool: &'static str,
    given: Value,
) -> (bool, String) {
    tried(client, tool, given).await.expect("an answer")
}

/// Calls a tool that must do what it is asked.
pub(crate) async fn done(
    client: &RunningService<RoleClient, Host>,
    tool: &'static str,
    given: Value,
) -> Value {
    let (done, text) = call(client, tool, given).await;
    assert!(done, "{tool}: {text}");
    serde_json::from_str(&text).expect("JSON")
}

/// The names of the tools that a server has.
pub(crate) async fn names(client: &RunningService<RoleClient, Host>) -> Vec<String> {
    let tools = client.list_all_tools().await.expect("tools");
    tools.iter().map(|tool| tool.name.to_string()).collect()
}
