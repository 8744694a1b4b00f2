//! Owns what the tools do for an account that calls them over HTTP: the same runs, charges and refunds as on the REST surface.

use crate::domain::generation::{Event, Finished, Hears, Made, Order};
use crate::domain::id::{KeyId, SkillId, UserId};
use crate::domain::quota::Surface;
use crate::domain::skill::{FinishedSkill, SkillFilter, SkillLine, StoredSkill};
use crate::domain::source::Source;
use crate::domain::topic::{Topic, Topics};
use crate::http::authored::Authored;
use crate::http::context::Context;
use crate::http::error::Problem;
use crate::http::form::line;
use crate::http::idempotency;
use crate::http::mcp::tools::{self, Entered, Given, Row};
use crate::http::run::Listener;
use crate::http::v1::credits::Credits;
use crate::http::v1::generate::NAME_CHARS_MAX;
use crate::http::v1::source::{kind_of, page_count, settle, with_pages};
use crate::http::v1::topics;
use crate::services::engine::Request;
use crate::services::looks::Looker;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorData, InitializeResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The tools; those that make something are charged.
pub(super) const TOOLS: [Row; 7] = [
    Row {
        name: "generate_skill",
        does: "Makes a skill (SKILL.md with reference files) of a source, keeps it in the library and returns it. Costs 1 credit, which comes back when it fails.",
        takes: &["source", "name", "kind", "max_pages", "idempotency_key"],
        needs: &["source"],
        makes: true,
    },
    Row {
        name: "detect_topics",
        does: "Finds the topics of a source that are worth a skill each, and says whether it should become a catalogue. Free.",
        takes: &["source", "max_pages"],
        needs: &["source"],
        makes: false,
    },
    Row {
        name: "generate_catalogue",
        does: "Makes a skill for each of the named topics of a source, and an index over them, keeps them in the library and returns them. Costs 1 credit a topic, which come back when it fails; call detect_topics first.",
        takes: &["source", "topics", "name", "max_pages", "idempotency_key"],
        needs: &["source", "topics"],
        makes: true,
    },
    Row {
        name: "validate_skill",
        does: "Checks a SKILL.md and the files beside it against the rules for skills. Free.",
        takes: &["content", "reference_files"],
        needs: &["content"],
        makes: false,
    },
    Row {
        name: "list_skills",
        does: "Lists the skills of the library, newest change first, at most 100.",
        takes: &["query"],
        needs: &[],
        makes: false,
    },
    Row {
        name: "get_skill",
        does: "Returns a skill of the library: SKILL.md and its reference files.",
        takes: &["skill"],
        needs: &["skill"],
        makes: false,
    },
    Row {
        name: "credits",
        does: "Says how many credits remain, and the plan.",
        takes: &[],
        needs: &[],
        makes: false,
    },
];

/// Skills that are listed at once.
const LISTED_MAX: u32 = 100;

/// The account that calls.
#[derive(Clone)]
pub(super) struct Server {
    pub(super) context: Arc<Context>,
    pub(super) user_id: UserId,
    pub(super) key_id: KeyId,
    /// What logs and traces of its runs name.
    pub(super) request_id: String,
}

/// A refusal as a model is told it: the code of the REST surface, and the words.
fn words(problem: &Problem) -> String {
    let (code, message) = problem.told_on(Surface::Rest);
    format!("{code}: {message}")
}

fn needed<T>(value: Option<T>, name: &str) -> Result<T, Problem> {
    value.ok_or_else(|| Problem::invalid(format!("{name} is missing")))
}

/// A skill as a tool returns it.
fn told(id: SkillId, skill: &FinishedSkill) -> Map<String, Value> {
    let told = json!({
        "id": id.public(),
        "name": skill.name,
        "description": skill.description,
        "uri": tools::uri(&id.public()),
        "content": skill.content,
        "reference_files": skill.references,
        "word_count": skill.word_count,
        "metadata": Authored::of(&skill.report),
        "validation": { "errors": skill.report.errors, "warnings": skill.report.warnings },
    });
    match told {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

impl Server {
    async fn call(&self, tool: &str, given: Given, entered: Entered) -> Result<Value, Problem> {
        match tool {
            "generate_skill" => {
                let (run, finished) = self.run(given, vec![], &entered).await?;
                let made = finished.skills.first().ok_or_else(Problem::internal)?;
                let mut skill = told(made.skill_id, &made.skill);
                skill.insert("credits_remaining".into(), remaining(&run, &finished));
                Ok(skill.into())
            }
            "detect_topics" => {
                serde_json::to_value(self.topics(&given).await?).map_err(|_| Problem::internal())
            }
            "generate_catalogue" => {
                let topics = self.chosen(&given).await?;
                let (run, finished) = self.run(given, topics, &entered).await?;
                let skill = |made: &Made| told(made.skill_id, &made.skill);
                Ok(json!({
                    "catalogue_id": run.catalogue_id,
                    "skills": finished.skills.iter().map(skill).collect::<Vec<_>>(),
                    "index": finished.index,
                    "credits_remaining": remaining(&run, &finished),
                }))
            }
            "validate_skill" => {
                let content = needed(given.content, "content")?;
                let library = &self.context.services.library;
                let report = library.validate(content, given.reference_files);
                serde_json::to_value(report.await?).map_err(|_| Problem::internal())
            }
            "list_skills" => {
                let listed = self.listed(given.query, 0).await?;
                Ok(json!({ "skills": listed.iter().map(listing).collect::<Vec<_>>() }))
            }
            "get_skill" => {
                let stored = self.skill(&needed(given.skill, "skill")?).await?;
                Ok(told(stored.id, &stored.skill).into())
            }
            _ => {
                let accounts = &self.context.services.accounts;
                let standing = accounts.standing(self.user_id).await?;
                serde_json::to_value(Credits::from(standing)).map_err(|_| Problem::internal())
            }
        }
    }

    /// What a source is, as `source` and `max_pages` of the REST surface say it.
    fn source(&self, given: &Given) -> Result<Source, Problem> {
        let text = needed(given.source.as_deref(), "source")?;
        let most = self.context.settings.limits.text_bytes_max;
        if text.len() > most {
            return Err(Problem::invalid(format!(
                "source has more than {most} bytes"
            )));
        }
        let pages = page_count(given.max_pages, &self.context)?;
        with_pages(settle(text, None, &self.context)?, pages)
    }

    async fn topics(&self, given: &Given) -> Result<Topics, Problem> {
        let source = self.source(given)?;
        let engine = &self.context.services.engine;
        let found = engine.detect_topics(Looker::Account(self.user_id), source);
        found.await.map_err(Problem::from)
    }

    /// The named topics, each of which the source must have.
    async fn chosen(&self, given: &Given) -> Result<Vec<Topic>, Problem> {
        if given.topics.is_empty() {
            return Err(Problem::invalid("topics is missing"));
        }
        let found = self.topics(given).await?.topics;
        let of_slug = |slug: &String| {
            let topic = found.iter().find(|topic| topic.slug == *slug).cloned();
            topic.ok_or_else(|| Problem::invalid(format!("the source has no topic {slug}")))
        };
        let chosen = given.topics.iter().map(of_slug);
        let chosen = chosen.collect::<Result<Vec<_>, _>>()?;
        topics::check(&chosen)?;
        Ok(chosen)
    }

    /// Orders a run, is charged for it once, and waits for its end.
    async fn run(
        &self,
        given: Given,
        topics: Vec<Topic>,
        entered: &Entered,
    ) -> Result<(Listener, Finished), Problem> {
        let name = given.name.as_deref();
        let kind = given.kind.as_deref();
        let order = Order {
            source: self.source(&given)?,
            name: name.map_or(Ok(None), |name| line("name", name, NAME_CHARS_MAX))?,
            description: None,
            category: None,
            kind: kind.map_or(Ok(None), kind_of)?,
            topics,
        };
        let key = given.idempotency_key.as_deref();
        key.map_or(Ok(()), |key| idempotency::check("idempotency_key", key))?;
        let request = Request {
            user_id: self.user_id,
            key_id: Some(self.key_id),
            idempotency: idempotency::repeatable(key, "POST /mcp", &order)?,
            order,
            replaces: None,
            hears: Hears::EachStage,
        };
        let mut run = Listener::of(&self.context, request, &self.request_id).await?;
        loop {
            match run.next().await {
                Event::Entered(stage) => {
                    let _ = entered.send(stage);
                }
                Event::Completed(finished) => return Ok((run, finished)),
                Event::Failed(failure) => return Err(failure.into()),
            }
        }
    }

    async fn listed(&self, query: Option<String>, offset: u32) -> Result<Vec<SkillLine>, Problem> {
        let filter = SkillFilter {
            query: query.filter(|query| !query.trim().is_empty()),
            limit: Some(LISTED_MAX),
            offset,
            ..SkillFilter::default()
        };
        let library = &self.context.services.library;
        Ok(library.skills(self.user_id, filter).await?)
    }

    /// A skill by its id, or by its name where that is one skill's alone.
    async fn skill(&self, named: &str) -> Result<StoredSkill, Problem> {
        let id = match SkillId::from_public(named) {
            Some(id) => id,
            None => {
                let listed = self.listed(Some(named.to_owned()), 0).await?;
                let mut same = listed.iter().filter(|line| line.name == named);
                match (same.next(), same.next()) {
                    (Some(line), None) => line.id,
                    (Some(_), Some(_)) => {
                        return Err(Problem::invalid(format!(
                            "several skills are called {named}; name one by its id"
                        )));
                    }
                    (None, _) => return Err(Problem::not_found()),
                }
            }
        };
        let library = &self.context.services.library;
        let stored = library.skill(self.user_id, id).await?;
        stored.ok_or_else(Problem::not_found)
    }
}

/// What can be spent after a run.
fn remaining(run: &Listener, finished: &Finished) -> Value {
    (run.available.0 + finished.refunded.0).into()
}

/// A skill in a list.
fn listing(line: &SkillLine) -> Value {
    json!({
        "id": line.id.public(),
        "name": line.name,
        "description": line.description,
        "category": line.category,
        "word_count": line.word_count,
        "is_public": line.is_public,
        "updated_at": line.updated_at.iso(),
        "uri": tools::uri(&line.id.public()),
    })
}

impl ServerHandler for Server {
    fn get_info(&self) -> InitializeResult {
        tools::greeting(
            "Makes skills for agents of web pages, videos and texts, and keeps them in the account's library. Making one costs a credit; everything else is free. Skills are resources too.",
        )
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let row = TOOLS.iter().find(|row| row.name == name)?;
        tools::listed(std::slice::from_ref(row)).pop()
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
            called.map_err(|problem| words(&problem))
        };
        Ok(tools::answer(&context, call).await)
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let offset = cursor.map_or(Ok(0), |cursor| cursor.parse::<u32>());
        let offset = offset.map_err(|_| ErrorData::invalid_params("no such cursor", None))?;
        let listed = self.listed(None, offset).await;
        let listed = listed.map_err(|problem| ErrorData::internal_error(words(&problem), None))?;
        let is_full = listed.len() == LISTED_MAX as usize;
        let resource =
            |line: &SkillLine| tools::resource(&line.id.public(), &line.name, &line.description);
        let mut page = ListResourcesResult::with_all_items(listed.iter().map(resource).collect());
        page.next_cursor = is_full.then(|| (offset + LISTED_MAX).to_string());
        Ok(page)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let (id, file) = tools::place_of(&request.uri)?;
        let id = SkillId::from_public(id).ok_or_else(tools::no_resource)?;
        let library = &self.context.services.library;
        let stored = library.skill(self.user_id, id).await;
        let stored = stored
            .map_err(|error| ErrorData::internal_error(words(&error.into()), None))?
            .ok_or_else(tools::no_resource)?;
        let skill = stored.skill;
        tools::contents(&request.uri, file, skill.content, skill.references)
    }
}
