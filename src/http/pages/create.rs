//! Owns `/new`: from a source to a skill. The form asks for a file, an address or a text; looking first suggests the metadata and offers
//! the topics of a source that is better served by several skills; then the run is told live, or shown on a page of its own.

use crate::domain::generation::{Hears, Order, Status};
use crate::domain::id::{RunId, SourceId};
use crate::domain::quota::Surface;
use crate::domain::source::{Source, SourceType};
use crate::domain::topic::{TOPICS_MAX, Topic};
use crate::http::app::generate::{files_of, ids_of};
use crate::http::app::progress;
use crate::http::context::Context;
use crate::http::error::Problem;
use crate::http::form::{Form, Value, line};
use crate::http::pages::assets::Assets;
use crate::http::pages::frame::{self, Frame};
use crate::http::pages::refusal::OnPage;
use crate::http::pages::session::{Admitted, MakingMember, Member};
use crate::http::run::Listener;
use crate::http::v1::source::settle;
use crate::http::v1::topics;
use crate::services::engine::Request;
use crate::services::library::files::Upload;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use bytes::Bytes;

const FIELDS: [&str; 8] = [
    "files",
    "source",
    "source_ids",
    "name",
    "description",
    "category",
    "topics",
    "all_topics",
];

#[derive(Template)]
#[template(path = "new.html")]
struct NewPage {
    frame: Frame,
    wrong: Option<String>,
    source: String,
    given: Given,
    files_max: usize,
    megabytes_max: usize,
    kept: Vec<Kept>,
    looked: bool,
    topics: Vec<Topic>,
    should_catalogue: bool,
    all_topics: String,
    words: usize,
}

/// A file that was sent before.
struct Kept {
    id: String,
    filename: String,
}

/// The wishes beside the source, as they were typed.
#[derive(Debug, Clone, Default)]
struct Given {
    name: String,
    description: String,
    category: String,
}

impl NewPage {
    fn of<const GENERATES: bool>(member: &Admitted<GENERATES>, context: &Context) -> Self {
        let limits = &context.settings.limits;
        Self {
            frame: member.frame("New skill", "/new"),
            wrong: None,
            source: String::new(),
            given: Given::default(),
            files_max: limits.files_max,
            megabytes_max: limits.file_bytes_max >> 20,
            kept: vec![],
            looked: false,
            topics: vec![],
            should_catalogue: false,
            all_topics: String::new(),
            words: 0,
        }
    }

    fn assets(&self) -> &'static Assets {
        Assets::get()
    }
}

/// Answers `GET /new`.
pub(in crate::http) async fn get(member: Member, req: HttpRequest) -> HttpResponse {
    frame::page(&NewPage::of(&member, Context::of(&req)))
}

/// What a form holds.
struct Sent {
    source: Source,
    text: String,
    given: Given,
    topics: Vec<Topic>,
    kept: Vec<Kept>,
    all_topics: String,
}

/// A form that was refused: what it said, so that nothing has to be given twice, and why.
struct Failed {
    given: Given,
    text: String,
    kept: Vec<Kept>,
    all_topics: String,
    problem: Problem,
}

impl Failed {
    /// Before anything could be read.
    fn unread(problem: Problem) -> Box<Self> {
        Box::new(Self {
            given: Given::default(),
            text: String::new(),
            kept: vec![],
            all_topics: String::new(),
            problem,
        })
    }
}

/// Reads the form: files that are sent now or were sent before, or an address or a text. Files are kept as sources, so that
/// the next form can name them; a text too, when it is only looked at.
async fn read<const GENERATES: bool>(
    member: &Admitted<GENERATES>,
    req: &HttpRequest,
    payload: web::Payload,
) -> Result<Sent, Box<Failed>> {
    let context = Context::of(req);
    let limits = &context.settings.limits;
    let nothing = Failed::unread;
    let mut form = Form::read_from_page(req, payload, limits, &FIELDS)
        .await
        .map_err(nothing)?;
    let given = Given {
        name: form.text("name").map_err(nothing)?.unwrap_or_default(),
        description: form
            .text("description")
            .map_err(nothing)?
            .unwrap_or_default(),
        category: form.text("category").map_err(nothing)?.unwrap_or_default(),
    };
    let text = form.text("source").map_err(nothing)?.unwrap_or_default();
    let uploads: Vec<Upload> = form
        .all("files")
        .into_iter()
        .filter_map(|value| match value {
            Value::File(file) => Some(file.into()),
            Value::Text(_) => None,
        })
        .collect();
    let texts = |values: Vec<Value>| -> Vec<String> {
        let text = |value| match value {
            Value::Text(text) => Some(text),
            Value::File(_) => None,
        };
        values.into_iter().filter_map(text).collect()
    };
    let ids = texts(form.all("source_ids"));
    let chosen = texts(form.all("topics"));
    let all_topics = form
        .text("all_topics")
        .map_err(nothing)?
        .unwrap_or_default();
    drop(form);
    let failed = |kept, problem| {
        Box::new(Failed {
            given: given.clone(),
            text: text.clone(),
            kept,
            all_topics: all_topics.clone(),
            problem,
        })
    };
    let (source, kept) = source_of(member, context, uploads, ids, &text, !GENERATES)
        .await
        .map_err(|problem| failed(vec![], problem))?;
    let topics = match topics_of(&chosen, &all_topics) {
        Ok(topics) => topics,
        Err(problem) => return Err(failed(kept, problem)),
    };
    Ok(Sent {
        source,
        given,
        topics,
        kept,
        text,
        all_topics,
    })
}

/// Which topics of those that were offered are wanted.
fn topics_of(chosen: &[String], offered: &str) -> Result<Vec<Topic>, Problem> {
    if chosen.is_empty() {
        return Ok(vec![]);
    }
    let unreadable = || Problem::invalid("the topics cannot be read; look for them again");
    let offered: Vec<Topic> = serde_json::from_str(offered).map_err(|_| unreadable())?;
    if offered.len() > TOPICS_MAX {
        return Err(unreadable());
    }
    let topics: Vec<Topic> = offered
        .into_iter()
        .filter(|topic| chosen.contains(&topic.slug))
        .collect();
    // They were on a page meanwhile, so they may be anything.
    topics::check(&topics).map_err(|_| unreadable())?;
    Ok(topics)
}

/// The source of a form. A text that is looked at first is kept as a file, so that it need not be sent again.
async fn source_of<const GENERATES: bool>(
    member: &Admitted<GENERATES>,
    context: &Context,
    uploads: Vec<Upload>,
    ids: Vec<String>,
    text: &str,
    keep_text: bool,
) -> Result<(Source, Vec<Kept>), Problem> {
    let (library, user_id) = (&context.services.library, member.user_id());
    let uploads = if !uploads.is_empty() {
        uploads
    } else if !ids.is_empty() {
        vec![]
    } else {
        let settled = settle(text, None, context).map_err(|problem| {
            if text.trim().is_empty() {
                Problem::invalid("nothing was given: drop a file, or paste an address or a text")
            } else {
                problem
            }
        })?;
        if settled.kind() != SourceType::Text || !keep_text {
            return Ok((settled, vec![]));
        }
        vec![Upload {
            filename: "pasted text.md".to_owned(),
            bytes: Bytes::from(text.to_owned()),
        }]
    };
    let ids: Vec<SourceId> = if uploads.is_empty() {
        ids_of(&ids, context.settings.limits.files_max)?
    } else {
        let stored = library.upload(user_id, uploads).await?;
        stored.into_iter().map(|source| source.id).collect()
    };
    let files = files_of(context, user_id, &ids).await?;
    let kept = ids.iter().zip(&files).map(|(id, file)| Kept {
        id: id.public(),
        filename: file.filename.clone(),
    });
    let kept = kept.collect();
    Ok((Source::File { files }, kept))
}

/// Answers `POST /new/look`: what the source suggests, before anything is paid.
pub(in crate::http) async fn look(
    member: Member,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let context = Context::of(&req);
    let sent = match read(&member, &req, payload).await {
        Ok(sent) => sent,
        Err(failed) => return Ok(again(&member, context, *failed)),
    };
    let engine = &context.services.engine;
    let found = engine.look(sent.source).await;
    let (suggestion, found) = match found {
        Ok(found) => found,
        Err(failure) => {
            let problem = Problem::from(failure);
            let failed = Failed {
                given: sent.given,
                text: sent.text,
                kept: vec![],
                all_topics: String::new(),
                problem,
            };
            return Ok(again(&member, context, failed));
        }
    };
    let or = |typed: String, suggested: String| {
        if typed.trim().is_empty() {
            suggested
        } else {
            typed
        }
    };
    Ok(frame::page(&NewPage {
        source: if sent.kept.is_empty() {
            sent.text
        } else {
            String::new()
        },
        given: Given {
            name: or(sent.given.name, suggestion.name),
            description: or(sent.given.description, suggestion.description),
            category: or(sent.given.category, suggestion.category),
        },
        kept: sent.kept,
        looked: true,
        all_topics: serde_json::to_string(&found.topics).unwrap_or_default(),
        topics: found.topics,
        should_catalogue: found.should_catalogue,
        words: found.word_count,
        ..NewPage::of(&member, context)
    }))
}

/// The form again, with what was typed, sent and offered, and what was wrong.
fn again<const GENERATES: bool>(
    member: &Admitted<GENERATES>,
    context: &Context,
    failed: Failed,
) -> HttpResponse {
    let looked = !failed.kept.is_empty();
    let page = NewPage {
        wrong: Some(failed.problem.message().to_owned()),
        source: if looked { String::new() } else { failed.text },
        given: failed.given,
        kept: failed.kept,
        looked,
        topics: serde_json::from_str(&failed.all_topics).unwrap_or_default(),
        all_topics: failed.all_topics,
        ..NewPage::of(member, context)
    };
    frame::page_as(failed.problem.status(Surface::Application), &page)
}

/// Answers `POST /new`: makes the skill, or one for each chosen topic. The script gets a stream, everybody else the page of the run.
pub(in crate::http) async fn post(
    member: MakingMember,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let context = Context::of(&req);
    let as_stream = wants_a_stream(&req);
    let refuse = |failed: Failed| {
        if as_stream {
            as_json(&failed.problem)
        } else {
            again(&member, context, failed)
        }
    };
    let sent = match read(&member, &req, payload).await {
        Ok(sent) => sent,
        Err(failed) => return Ok(refuse(*failed)),
    };
    let refused = |given, text, kept, all_topics, problem| {
        refuse(Failed {
            given,
            text,
            kept,
            all_topics,
            problem,
        })
    };
    let wish = |name, text: &str, chars_max| line(name, text, chars_max);
    let wishes = wish("name", &sent.given.name, 200).and_then(|name| {
        let description = wish("description", &sent.given.description, 1_024)?;
        let category = wish("category", &sent.given.category, 64)?;
        Ok((name, description, category))
    });
    let (name, description, category) = match wishes {
        Ok(wishes) => wishes,
        Err(problem) => {
            return Ok(refused(
                sent.given,
                sent.text,
                sent.kept,
                sent.all_topics,
                problem,
            ));
        }
    };
    let request = Request {
        user_id: member.user_id(),
        key_id: None,
        idempotency: None,
        order: Order {
            source: sent.source,
            name,
            description,
            category,
            topics: sent.topics,
        },
        replaces: None,
        hears: Hears::EachStage,
    };
    if as_stream {
        let told = progress::told(context, request).await;
        return Ok(told.unwrap_or_else(|problem| as_json(&problem)));
    }
    match Listener::order(context, request).await {
        Ok(run) => Ok(frame::see_other(&format!("/runs/{}", run.run_id))),
        Err(problem) => Ok(refused(
            sent.given,
            sent.text,
            sent.kept,
            sent.all_topics,
            problem,
        )),
    }
}

/// Begins a run and leads to its page.
pub(super) async fn begin(context: &Context, request: Request) -> Result<HttpResponse, OnPage> {
    let run = Listener::order(context, request).await?;
    Ok(frame::see_other(&format!("/runs/{}", run.run_id)))
}

/// Whether it is the script that asks.
pub(super) fn wants_a_stream(req: &HttpRequest) -> bool {
    let accept = req.headers().get(header::ACCEPT);
    accept.is_some_and(|accept| accept.as_bytes().starts_with(b"text/event-stream"))
}

/// A refusal as the script reads it.
pub(super) fn as_json(problem: &Problem) -> HttpResponse {
    problem.response(Surface::Application)
}

#[derive(Template)]
#[template(path = "run.html")]
struct RunPage {
    frame: Frame,
    label: String,
    is_queued: bool,
    failure: Option<String>,
    refunded: u32,
}

/// Answers `GET /runs/{id}`: how a run stands, for those who do not hear it live.
pub(in crate::http) async fn run(member: Member, req: HttpRequest) -> Result<HttpResponse, OnPage> {
    let id = req.match_info().get("id").and_then(RunId::parse);
    let id = id.ok_or_else(Problem::not_found)?;
    let library = &Context::of(&req).services.library;
    let standing = library.run(member.user_id(), id).await?;
    let standing = standing.ok_or_else(Problem::not_found)?;
    if standing.status == Status::Completed {
        return Ok(frame::see_other(&match standing.skills.as_slice() {
            [only] => format!("/library/{}?said=made", only.public()),
            _ => "/library?sort=made&said=made".to_owned(),
        }));
    }
    let mut page = RunPage {
        frame: member.frame("A skill is being made", "/new"),
        label: standing.label,
        is_queued: standing.status == Status::Queued,
        failure: None,
        refunded: standing.charged.0,
    };
    if standing.status == Status::Failed {
        let unknown = || "something went wrong on our side".to_owned();
        page.failure = Some(
            standing
                .failure
                .map_or_else(unknown, |failure| failure.message),
        );
    }
    Ok(frame::page(&page))
}
