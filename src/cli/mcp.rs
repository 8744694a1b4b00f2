//! `skillkiln mcp`: the pipeline as tools of the Model Context Protocol, over standard input and output, without a server and an account.
//!
//! ```text
//! host ─tools/call─▶ generate_skill · generate_catalogue ─▶ read, write, check ─▶ the folder of skills ─▶ skill:// resources
//!                    detect_topics · validate_skill · list_skills · get_skill
//! ```
//!
//! What a tool cannot do is told to the model in its result; only a request that no tool understands is an error of the protocol.

use super::Common;
use super::folder::{self, SKILL_FILE};
use super::operator::{block_on, quiet_log};
use super::output::{Stop, failed};
use super::source::SourceArgs;
use super::workbench::Workbench;
use crate::domain::generation::Stage;
use crate::domain::skill::Skill;
use crate::domain::source_kind::SourceKind;
use crate::pipeline::handle::JobHandle;
use crate::pipeline::product::Wish;
use clap::Args;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    Implementation, InitializeResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    Resource, ResourceContents, ServerCapabilities, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde::Deserialize;
use serde_json::{Value, json};
use skillkiln_skills::report::Report;
use skillkiln_skills::validate::profile::Profile;
use skillkiln_skills::validate::{self, package};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::mpsc;

/// Where skills are kept.
#[derive(Debug, Args)]
pub struct Mcp {
    /// The folder in which skills are made and from which they are listed and read
    #[arg(long, value_name = "DIR", default_value = "skills")]
    pub out: PathBuf,
}

/// Runs the command until the host closes standard input.
///
/// # Errors
/// [`Stop::Failed`] when the pipeline cannot be started or the host says nothing that can be understood.
pub fn run(command: &Mcp, common: &Common) -> Result<(), Stop> {
    let settings = common.settings()?;
    quiet_log()?;
    block_on(async {
        let server = Server {
            bench: Arc::new(Workbench::new(&settings)?),
            out: command.out.clone(),
        };
        let serving = server.serve(rmcp::transport::stdio()).await;
        let serving = serving.map_err(|error| Stop::Failed(error.to_string()))?;
        let ended = serving.waiting().await;
        ended.map_err(|error| Stop::Failed(error.to_string()))?;
        Ok(())
    })
}

#[derive(Clone)]
struct Server {
    bench: Arc<Workbench>,
    out: PathBuf,
}

/// What a tool is given; which members it needs is said in its schema.
#[derive(Deserialize, Default)]
struct Given {
    source: Option<String>,
    name: Option<String>,
    kind: Option<String>,
    #[serde(default)]
    topics: Vec<String>,
    skill: Option<String>,
    path: Option<PathBuf>,
}

/// A tool: its name, what it does, its members with what they mean, and those that it needs.
type ToolRow = (
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

const TOOLS: [ToolRow; 6] = [
    (
        "generate_skill",
        "Makes a skill (SKILL.md with reference files) of a source, writes it into the folder of skills and returns it with the report of its checks.",
        &["source", "name", "kind"],
        &["source"],
    ),
    (
        "detect_topics",
        "Finds the topics of a source that are worth a skill each, and says whether it should become a catalogue.",
        &["source"],
        &["source"],
    ),
    (
        "generate_catalogue",
        "Makes a skill for each topic of a source, and an index over them. Without topics: of all that detect_topics finds.",
        &["source", "topics", "name"],
        &["source"],
    ),
    (
        "validate_skill",
        "Checks a skill's folder, SKILL.md or zip against the rules for skills.",
        &["path"],
        &["path"],
    ),
    (
        "list_skills",
        "Lists the skills in the folder of skills.",
        &[],
        &[],
    ),
    (
        "get_skill",
        "Returns a skill of the folder of skills: SKILL.md and its reference files.",
        &["skill"],
        &["skill"],
    ),
];

/// The schema of a member.
fn member(name: &str) -> Value {
    let text = |description: &str| json!({ "type": "string", "description": description });
    match name {
        "source" => {
            text("An http(s) address of a web page or a video, or the path of a file or a folder.")
        }
        "name" => text("What the skill is called; derived from the source unless given."),
        "kind" => text(
            "What the source is (readme, how-to, runbook, rules, api, specification, reference, change-log, talk, minutes, source-code, article, book); recognised unless given.",
        ),
        "topics" => {
            json!({ "type": "array", "items": { "type": "string" }, "description": "The slugs of the wanted topics, as detect_topics returns them." })
        }
        "path" => text("The path of the folder, file or zip."),
        _ => text("The skill's name."),
    }
}

fn tool((name, description, members, needed): ToolRow) -> Tool {
    let properties: serde_json::Map<String, Value> = members
        .iter()
        .map(|name| ((*name).to_owned(), member(name)))
        .collect();
    let mut schema = serde_json::Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), properties.into());
    schema.insert("required".into(), json!(needed));
    Tool::new(name, description, schema)
}

/// A skill as a tool returns it; an index of others has no report.
fn told(path: &Path, skill: &Skill, report: Option<&Report>) -> Value {
    json!({
        "name": skill.name,
        "description": skill.description,
        "path": path,
        "content": skill.content,
        "reference_files": skill.references,
        "validation": report,
    })
}

fn needed<T>(value: Option<T>, name: &str) -> Result<T, Stop> {
    value.ok_or_else(|| Stop::Misused(format!("{name} is missing")))
}

fn source(given: Option<String>) -> Result<SourceArgs, Stop> {
    Ok(SourceArgs {
        source: match needed(given, "source")?.as_str() {
            "-" => return Err(Stop::Misused("standard input is the host's".into())),
            source => source.to_owned(),
        },
        source_type: None,
        max_pages: 1,
    })
}

impl Server {
    async fn call(
        &self,
        tool: &str,
        given: Given,
        entered: mpsc::UnboundedSender<Stage>,
    ) -> Result<Value, Stop> {
        match tool {
            "generate_skill" => {
                let kind = given
                    .kind
                    .map(|kind| kind.parse::<SourceKind>())
                    .transpose();
                let wish = Wish {
                    name: given.name,
                    kind: kind.map_err(|unknown| Stop::Misused(unknown.to_string()))?,
                    ..Wish::default()
                };
                let made = self.made(&source(given.source)?, wish, entered).await?;
                let none = || Stop::Failed("the pipeline made no skill of this source".into());
                made.into_iter().next().ok_or_else(none)
            }
            "detect_topics" => {
                let found = self.read(&source(given.source)?).await?.topics().await;
                serde_json::to_value(found.map_err(failed)?)
                    .map_err(|error| Stop::Failed(error.to_string()))
            }
            "generate_catalogue" => {
                let source = source(given.source)?;
                let found = self.read(&source).await?.topics().await;
                let mut topics = found.map_err(failed)?.topics;
                if !given.topics.is_empty() {
                    topics.retain(|topic| given.topics.contains(&topic.slug));
                }
                if topics.is_empty() {
                    return Err(Stop::Failed("the source has none of these topics".into()));
                }
                let wish = Wish {
                    name: given.name,
                    topics,
                    ..Wish::default()
                };
                let made = self.made(&source, wish, entered).await?;
                Ok(json!({ "skills": made }))
            }
            "validate_skill" => {
                let package = package::read(&needed(given.path, "path")?).map_err(Stop::failed)?;
                serde_json::to_value(validate::check(&package, Profile::Open))
                    .map_err(|error| Stop::Failed(error.to_string()))
            }
            "list_skills" => Ok(json!({ "skills": self.listed() })),
            _ => {
                let name = needed(given.skill, "skill")?;
                let folder = self.folder_of(&name)?;
                let package = package::read(&folder).map_err(Stop::failed)?;
                let (content, references) = package.into_skill();
                Ok(json!({ "name": name, "content": content, "reference_files": references }))
            }
        }
    }

    async fn read(&self, source: &SourceArgs) -> Result<JobHandle, Stop> {
        self.bench.read(source, self.bench.input(source)?).await
    }

    /// Makes skills, the index of a catalogue last, and writes them into the folder.
    async fn made(
        &self,
        source: &SourceArgs,
        wish: Wish,
        entered: mpsc::UnboundedSender<Stage>,
    ) -> Result<Vec<Value>, Stop> {
        let enter = |stage| {
            // Whoever asked may be gone; the skill is made all the same.
            let _ = entered.send(stage);
        };
        enter(Stage::Extracting);
        let handle = self.read(source).await?;
        let validated = self.bench.write(handle, wish, &enter, &|_| {}).await?;
        let made = validated.skills.iter();
        let made = made.map(|checked| (&checked.skill, Some(&checked.report)));
        let index = validated.index.iter().map(|index| (index, None));
        made.chain(index)
            .map(|(skill, report)| {
                let path = folder::write(&self.out, skill, &[], false).map_err(Stop::Failed)?;
                Ok(told(&path, skill, report))
            })
            .collect()
    }

    /// The skills of the folder: name and description.
    fn listed(&self) -> Vec<Value> {
        let entries = fs::read_dir(&self.out).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries
            .filter(|entry| entry.path().join(SKILL_FILE).is_file())
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| !name.starts_with('.'))
            .collect();
        names.sort_unstable();
        let line = |name: String| {
            let text = fs::read_to_string(self.out.join(&name).join(SKILL_FILE)).ok()?;
            let description = validate::header_of(&text).description.unwrap_or_default();
            Some(json!({ "name": name, "description": description, "uri": uri(&name) }))
        };
        names.into_iter().filter_map(line).collect()
    }

    /// The folder of a skill, which is in the folder of skills and nowhere else.
    fn folder_of(&self, name: &str) -> Result<PathBuf, Stop> {
        let is_plain = Path::new(name).components().count() == 1 && !name.starts_with('.');
        let folder = self.out.join(name);
        match is_plain && folder.join(SKILL_FILE).is_file() {
            true => Ok(folder),
            false => Err(Stop::Failed(format!("there is no skill {name:?} here"))),
        }
    }
}

fn uri(name: &str) -> String {
    format!("skill://{name}/{SKILL_FILE}")
}

impl ServerHandler for Server {
    fn get_info(&self) -> InitializeResult {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .build();
        let ours = Implementation::new("skillkiln", env!("CARGO_PKG_VERSION"));
        InitializeResult::new(capabilities).with_server_info(ours)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(
            TOOLS.into_iter().map(tool).collect(),
        ))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if TOOLS.iter().all(|(name, ..)| *name != request.name) {
            let words = format!("there is no tool {:?}", request.name);
            return Err(ErrorData::invalid_params(words, None));
        }
        let given = Value::Object(request.arguments.unwrap_or_default());
        let given: Given = serde_json::from_value(given)
            .map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
        let (entered, mut stages) = mpsc::unbounded_channel::<Stage>();
        let telling = async {
            let mut passed = 0.0;
            while let Some(stage) = stages.recv().await {
                if let Some(token) = context.meta.get_progress_token() {
                    let progress = ProgressNotificationParam::new(token, passed)
                        .with_total(Stage::ALL.len() as f64)
                        .with_message(stage.message());
                    let _ = context.peer.notify_progress(progress).await;
                }
                passed += 1.0;
            }
        };
        let (outcome, ()) = tokio::join!(self.call(&request.name, given, entered), telling);
        let result = match outcome {
            Ok(value) => CallToolResult::success(vec![ContentBlock::text(value.to_string())]),
            Err(stop) => CallToolResult::error(vec![ContentBlock::text(stop.words())]),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let text = |line: &Value, name: &str| line[name].as_str().unwrap_or_default().to_owned();
        let resource = |line: Value| {
            Resource::new(text(&line, "uri"), text(&line, "name"))
                .with_description(text(&line, "description"))
                .with_mime_type("text/markdown")
        };
        let all = self.listed().into_iter().map(resource).collect();
        Ok(ListResourcesResult::with_all_items(all))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let none = || ErrorData::resource_not_found("there is no such skill here", None);
        let path = request.uri.strip_prefix("skill://").ok_or_else(none)?;
        let (name, file) = path.split_once('/').ok_or_else(none)?;
        let folder = self.folder_of(name).map_err(|_| none())?;
        let package = package::read(&folder).map_err(|_| none())?;
        let (content, references) = package.into_skill();
        let text = match file {
            SKILL_FILE => content,
            file => {
                let found = references.into_iter().find(|known| known.filename == file);
                found.ok_or_else(none)?.content
            }
        };
        let contents = ResourceContents::text(text, request.uri).with_mime_type("text/markdown");
        Ok(ReadResourceResult::new(vec![contents]).into())
    }
}
