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
use crate::http::mcp::tools::{self, Entered, Given, Row};
use crate::pipeline::handle::JobHandle;
use crate::pipeline::product::Wish;
use clap::Args;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorData, InitializeResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};
use skillkiln_skills::report::Report;
use skillkiln_skills::validate::profile::Profile;
use skillkiln_skills::validate::{self, package};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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

const TOOLS: [Row; 6] = [
    Row {
        name: "generate_skill",
        does: "Makes a skill (SKILL.md with reference files) of a source, writes it into the folder of skills and returns it with the report of its checks.",
        takes: &["source", "name", "kind", "max_pages"],
        needs: &["source"],
        makes: true,
    },
    Row {
        name: "detect_topics",
        does: "Finds the topics of a source that are worth a skill each, and says whether it should become a catalogue.",
        takes: &["source", "max_pages"],
        needs: &["source"],
        makes: false,
    },
    Row {
        name: "generate_catalogue",
        does: "Makes a skill for each topic of a source, and an index over them. Without topics: of all that detect_topics finds.",
        takes: &["source", "topics", "name", "max_pages"],
        needs: &["source"],
        makes: true,
    },
    Row {
        name: "validate_skill",
        does: "Checks a skill's folder, SKILL.md or zip against the rules for skills.",
        takes: &["path"],
        needs: &["path"],
        makes: false,
    },
    Row {
        name: "list_skills",
        does: "Lists the skills in the folder of skills.",
        takes: &[],
        needs: &[],
        makes: false,
    },
    Row {
        name: "get_skill",
        does: "Returns a skill of the folder of skills: SKILL.md and its reference files.",
        takes: &["skill"],
        needs: &["skill"],
        makes: false,
    },
];

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

fn source(given: Option<String>, max_pages: Option<u32>) -> Result<SourceArgs, Stop> {
    Ok(SourceArgs {
        source: match needed(given, "source")?.as_str() {
            "-" => return Err(Stop::Misused("standard input is the host's".into())),
            source => source.to_owned(),
        },
        source_type: None,
        max_pages: max_pages.unwrap_or(1).max(1),
    })
}

impl Server {
    async fn call(&self, tool: &str, given: Given, entered: Entered) -> Result<Value, Stop> {
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
                let source = source(given.source, given.max_pages)?;
                let made = self.made(&source, wish, entered).await?;
                let none = || Stop::Failed("the pipeline made no skill of this source".into());
                made.into_iter().next().ok_or_else(none)
            }
            "detect_topics" => {
                let source = source(given.source, given.max_pages)?;
                let found = self.read(&source).await?.topics().await;
                serde_json::to_value(found.map_err(failed)?)
                    .map_err(|error| Stop::Failed(error.to_string()))
            }
            "generate_catalogue" => {
                let source = source(given.source, given.max_pages)?;
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
        entered: Entered,
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
            Some(json!({ "name": name, "description": description, "uri": tools::uri(&name) }))
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

impl ServerHandler for Server {
    fn get_info(&self) -> InitializeResult {
        tools::greeting(
            "Makes skills for agents of web pages, videos and files, here, without an account. Skills are resources too.",
        )
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::listed(&TOOLS)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let (tool, given) = tools::read(&TOOLS, request)?;
        let call = async |entered| {
            let called = self.call(tool, given, entered).await;
            called.map_err(|stop| stop.words())
        };
        Ok(tools::answer(&context, call).await)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let text = |line: &Value, name: &str| line[name].as_str().unwrap_or_default().to_owned();
        let resource = |line: Value| {
            let name = text(&line, "name");
            tools::resource(&name, &name, &text(&line, "description"))
        };
        let all = self.listed().into_iter().map(resource).collect();
        Ok(ListResourcesResult::with_all_items(all))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let (name, file) = tools::place_of(&request.uri)?;
        let folder = self.folder_of(name).map_err(|_| tools::no_resource())?;
        let package = package::read(&folder).map_err(|_| tools::no_resource())?;
        let (content, references) = package.into_skill();
        tools::contents(&request.uri, file, content, references)
    }
}
