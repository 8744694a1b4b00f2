//! Owns how the tools of the Model Context Protocol are described, read and answered, on both ways to them: standard input and output
//! (`skillkiln mcp`), and HTTP.

use crate::domain::generation::Stage;
use crate::services::library::archive::SKILL_FILE;
use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    Implementation, InitializeResult, ProgressNotificationParam, ReadResourceResponse,
    ReadResourceResult, Resource, ResourceContents, ServerCapabilities, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use skillkiln_skills::skill::Reference;
use std::path::PathBuf;
use tokio::sync::mpsc;

/// A tool.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// What it does, for the model that chooses it.
    pub does: &'static str,
    /// The members that it takes.
    pub takes: &'static [&'static str],
    /// Those that it cannot do without.
    pub needs: &'static [&'static str],
    /// Whether it makes something; else it only reads.
    pub makes: bool,
}

/// What a tool is given; which members it needs is said in its schema.
#[derive(Debug, Deserialize, Default)]
pub struct Given {
    /// An address, a text, or a path.
    pub source: Option<String>,
    /// What the skill is called.
    pub name: Option<String>,
    /// What the source is.
    pub kind: Option<String>,
    /// Pages of its site.
    pub max_pages: Option<u32>,
    /// The slugs of topics.
    #[serde(default)]
    pub topics: Vec<String>,
    /// Which skill.
    pub skill: Option<String>,
    /// A place on this machine.
    pub path: Option<PathBuf>,
    /// A SKILL.md.
    pub content: Option<String>,
    /// The files beside it.
    #[serde(default)]
    pub reference_files: Vec<Reference>,
    /// What is looked for.
    pub query: Option<String>,
    /// Under which the call can be repeated.
    pub idempotency_key: Option<String>,
}

/// The schema of a member.
fn member(name: &str) -> Value {
    let of = |kind: &str, description: &str| json!({ "type": kind, "description": description });
    let text = |description: &str| of("string", description);
    match name {
        "source" => text(
            "An http(s) address of a web page or a video; over HTTP also the text itself, on this machine also the path of a file or a folder.",
        ),
        "name" => text("What the skill is called; derived from the source unless given."),
        "kind" => text(
            "What the source is (readme, how-to, runbook, rules, api, specification, reference, change-log, talk, minutes, source-code, article, book); recognised unless given.",
        ),
        "max_pages" => {
            json!({ "type": "integer", "minimum": 1, "description": "How many pages of the site below a web address are read; 1 unless given." })
        }
        "topics" => {
            json!({ "type": "array", "items": { "type": "string" }, "description": "The slugs of the wanted topics, as detect_topics returns them." })
        }
        "path" => text("The path of the folder, file or zip."),
        "content" => text("The whole SKILL.md, with its front matter."),
        "reference_files" => json!({
            "type": "array",
            "description": "The files beside it.",
            "items": {
                "type": "object",
                "properties": { "filename": text("Such as references/limits.md."), "content": text("Its text.") },
                "required": ["filename", "content"],
            },
        }),
        "query" => text("Only skills whose name or description contains this."),
        "idempotency_key" => text(
            "Any text of your own: the same call with the same key within a day is answered again and charged once.",
        ),
        _ => text("The skill's name or id, as list_skills returns it."),
    }
}

/// The tools as a host is told of them.
#[must_use]
pub fn listed(rows: &[Row]) -> Vec<Tool> {
    rows.iter().map(tool).collect()
}

fn tool(row: &Row) -> Tool {
    let properties: Map<String, Value> = row
        .takes
        .iter()
        .map(|name| ((*name).to_owned(), member(name)))
        .collect();
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), properties.into());
    schema.insert("required".into(), json!(row.needs));
    let hints = ToolAnnotations::new()
        .read_only(!row.makes)
        .destructive(false);
    Tool::new(row.name, row.does, schema).with_annotations(hints)
}

/// What a server with these tools says of itself.
#[must_use]
pub fn greeting(instructions: &str) -> InitializeResult {
    let capabilities = ServerCapabilities::builder()
        .enable_tools()
        .enable_resources()
        .build();
    let ours = Implementation::new("skillkiln", env!("CARGO_PKG_VERSION"));
    InitializeResult::new(capabilities)
        .with_server_info(ours)
        .with_instructions(instructions)
}

/// Reads what a tool is given.
///
/// # Errors
/// When there is no such tool, or a member is of another type; a member that is missing is the tool's own matter.
pub fn read(
    rows: &[Row],
    request: CallToolRequestParams,
) -> Result<(&'static str, Given), ErrorData> {
    let row = rows.iter().find(|row| row.name == request.name);
    let unknown = || {
        let words = format!("there is no tool {:?}", request.name);
        ErrorData::invalid_params(words, None)
    };
    let name = row.ok_or_else(unknown)?.name;
    let given = Value::Object(request.arguments.unwrap_or_default());
    let given = serde_json::from_value(given)
        .map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
    Ok((name, given))
}

/// Where a tool says which stage it enters.
pub type Entered = mpsc::UnboundedSender<Stage>;

/// Carries a call out and tells its progress. What cannot be done is told to the model in the result, in words.
pub async fn answer<Calling: Future<Output = Result<Value, String>>>(
    context: &RequestContext<RoleServer>,
    call: impl FnOnce(Entered) -> Calling,
) -> CallToolResponse {
    let (entered, mut stages) = mpsc::unbounded_channel::<Stage>();
    let telling = async {
        let mut passed = 0.0;
        while let Some(stage) = stages.recv().await {
            if let Some(token) = context.meta.get_progress_token() {
                let progress = ProgressNotificationParam::new(token, passed)
                    .with_total(Stage::ALL.len() as f64)
                    .with_message(stage.message());
                // Whoever asked may be gone; what was begun is done all the same.
                let _ = context.peer.notify_progress(progress).await;
            }
            passed += 1.0;
        }
    };
    let (outcome, ()) = tokio::join!(call(entered), telling);
    let result = match outcome {
        Ok(value) => CallToolResult::success(vec![ContentBlock::text(value.to_string())]),
        Err(words) => CallToolResult::error(vec![ContentBlock::text(words)]),
    };
    result.into()
}

/// The address of a skill's file.
#[must_use]
pub fn uri(skill: &str) -> String {
    format!("skill://{skill}/{SKILL_FILE}")
}

/// A skill as a resource.
#[must_use]
pub fn resource(skill: &str, name: &str, description: &str) -> Resource {
    Resource::new(uri(skill), name)
        .with_description(description)
        .with_mime_type("text/markdown")
}

/// The skill and the file that an address names.
///
/// # Errors
/// When it is no address of a skill's file.
pub fn place_of(uri: &str) -> Result<(&str, &str), ErrorData> {
    let path = uri.strip_prefix("skill://");
    path.and_then(|path| path.split_once('/'))
        .ok_or_else(no_resource)
}

/// A file of a skill as a resource: SKILL.md or one of those beside it.
///
/// # Errors
/// When there is no such file.
pub fn contents(
    uri: &str,
    file: &str,
    content: String,
    references: Vec<Reference>,
) -> Result<ReadResourceResponse, ErrorData> {
    let text = match file {
        SKILL_FILE => Some(content),
        _ => references
            .into_iter()
            .find(|reference| reference.filename == file)
            .map(|reference| reference.content),
    };
    let text = text.ok_or_else(no_resource)?;
    let found = ResourceContents::text(text, uri).with_mime_type("text/markdown");
    Ok(ReadResourceResult::new(vec![found]).into())
}

/// There is no such resource.
#[must_use]
pub fn no_resource() -> ErrorData {
    ErrorData::resource_not_found("there is no such skill here", None)
}
