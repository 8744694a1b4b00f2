//! Owns `POST /api/generate`: a skill from uploaded sources, its progress as a stream of events (decisions 32 and 33).

use crate::domain::generation::{Event, Order, Stage};
use crate::domain::id::SourceId;
use crate::domain::quota::Surface;
use crate::domain::source::{Source, StoredFile};
use crate::http::body;
use crate::http::caller::Maker;
use crate::http::context::Context;
use crate::http::error::{OnApp, Problem};
use crate::http::form::line;
use crate::http::idempotency;
use crate::http::run::Listener;
use crate::http::sse;
use crate::services::engine::Request;
use actix_web::{HttpRequest, HttpResponse, web};
use futures_util::{Stream, stream};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use tokio::time::{Interval, interval};

const BODY_BYTES_MAX: usize = 64 << 10;
const NAME_CHARS_MAX: usize = 200;
const DESCRIPTION_CHARS_MAX: usize = 1_024;
const CATEGORY_CHARS_MAX: usize = 64;

#[derive(Deserialize)]
struct Wanted {
    source_ids: Vec<String>,
    name: Option<String>,
    description: Option<String>,
    category: Option<String>,
}

/// Answers it.
pub(in crate::http) async fn post(
    maker: Maker,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnApp> {
    let context = Context::of(&req);
    let key = idempotency::key_of(&req)?;
    let limits = &context.settings.limits;
    let wanted: Wanted = body::json(&req, payload, BODY_BYTES_MAX, limits).await?;
    let wish = |name, text: Option<String>, chars_max| {
        text.map_or(Ok(None), |text| line(name, &text, chars_max))
    };
    let name = wish("name", wanted.name, NAME_CHARS_MAX)?;
    let description = wish("description", wanted.description, DESCRIPTION_CHARS_MAX)?;
    let category = wish("category", wanted.category, CATEGORY_CHARS_MAX)?;
    if wanted.source_ids.is_empty() || wanted.source_ids.len() > limits.files_max {
        let most = limits.files_max;
        return Err(Problem::invalid(format!("source_ids must hold 1 to {most} ids")).into());
    }
    let mut seen = HashSet::new();
    if let Some(twice) = wanted
        .source_ids
        .iter()
        .find(|id| !seen.insert(id.as_str()))
    {
        return Err(Problem::invalid(format!("source_ids holds {twice:?} twice")).into());
    }

    let source_ids: Vec<SourceId> = wanted
        .source_ids
        .iter()
        .map(|id| SourceId::from_public(id).ok_or_else(Problem::not_found))
        .collect::<Result<_, _>>()?;
    let library = &context.services.library;
    let sources = library
        .sources(maker.user_id, &source_ids)
        .await?
        .ok_or_else(Problem::not_found)?;
    let files = sources
        .into_iter()
        .map(|source| StoredFile {
            filename: source.filename,
            digest: source.digest,
            size_bytes: source.size_bytes,
            source_id: Some(source.id),
        })
        .collect();
    let order = Order {
        source: Source::File { files },
        name,
        description,
        category,
        topics: vec![],
    };
    let request = Request {
        user_id: maker.user_id,
        key_id: Some(maker.key_id),
        idempotency: idempotency::repeatable(
            key,
            "POST /api/generate",
            &(&wanted.source_ids, &order),
        )?,
        order,
        replaces: None,
    };
    let run = Listener::order(context, request).await?;
    let repeated = run.repeated;
    Ok(sse::response(
        &context.figures,
        sse::EVENT_STREAM,
        repeated,
        Telling::start(run),
    ))
}

#[derive(Serialize)]
struct Progress {
    stage: &'static str,
    message: &'static str,
}

#[derive(Serialize)]
struct Complete {
    skill_id: String,
    validation: Validation,
}

#[derive(Serialize)]
struct Validation {
    errors: u32,
    warnings: u32,
}

/// A run being told as events: each stage once and in order, then the end.
struct Telling {
    run: Listener,
    told: usize,
    pings: Interval,
}

impl Telling {
    fn start(run: Listener) -> impl Stream<Item = String> {
        // The first ping is due at once, so that a run which waits for its turn still sends a first byte.
        let telling = Self {
            run,
            told: 0,
            pings: interval(sse::PING_EVERY),
        };
        stream::unfold(Some(telling), |telling| async {
            let mut telling = telling?;
            let event = tokio::select! {
                biased;
                event = telling.run.next() => event,
                _ = telling.pings.tick() => return Some((sse::PING.to_owned(), Some(telling))),
            };
            let (frames, ended) = frames_of(event, &mut telling.told);
            Some((frames, (!ended).then_some(telling)))
        })
    }
}

/// The frames of an event, and whether it was the last. A repeated run has nothing but its end: its stages are told with it.
fn frames_of(event: Event, told: &mut usize) -> (String, bool) {
    match event {
        Event::Entered(stage) => {
            let reached = Stage::ALL
                .iter()
                .position(|known| *known == stage)
                .map_or(0, |position| position + 1);
            (stages(told, reached), false)
        }
        Event::Completed(finished) => {
            let Some(made) = finished.skills.first() else {
                let problem = Problem::internal().document(Surface::Application);
                return (sse::frame_of_json("error", &problem), true);
            };
            let complete = Complete {
                skill_id: made.skill_id.public(),
                validation: Validation {
                    errors: made.skill.report.errors,
                    warnings: made.skill.report.warnings,
                },
            };
            let frames = stages(told, Stage::ALL.len()) + &sse::frame("complete", &complete);
            (frames, true)
        }
        Event::Failed(failure) => {
            let problem = Problem::from(failure).document(Surface::Application);
            (sse::frame_of_json("error", &problem), true)
        }
    }
}

/// The stages up to `reached` that were not told yet.
fn stages(told: &mut usize, reached: usize) -> String {
    let frames = Stage::ALL
        .iter()
        .take(reached)
        .skip(*told)
        .map(|stage| {
            sse::frame(
                "progress",
                &Progress {
                    stage: stage.as_str(),
                    message: stage.message(),
                },
            )
        })
        .collect();
    *told = (*told).max(reached);
    frames
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::failure::{Failure, Reason};
    use crate::domain::generation::{Finished, Made};
    use crate::domain::id::SkillId;
    use crate::domain::skill::{FinishedSkill, Report};
    use uuid::Uuid;

    fn told(events: Vec<Event>) -> String {
        let mut told = 0;
        events
            .into_iter()
            .map(|event| frames_of(event, &mut told).0)
            .collect()
    }

    fn completed() -> Event {
        let skill = FinishedSkill {
            name: "kiln".into(),
            filename: "kiln.md".into(),
            description: String::new(),
            category: String::new(),
            content: String::new(),
            references: vec![],
            word_count: 0,
            report: Report {
                errors: 0,
                warnings: 2,
                checks: vec![],
            },
        };
        Event::Completed(Finished {
            skills: vec![Made {
                skill_id: SkillId(Uuid::from_u128(1)),
                skill: skill.into(),
            }],
            index: None,
        })
    }

    #[test]
    fn a_run_is_told_stage_by_stage_and_ends_with_complete() {
        let whole = told(vec![
            Event::Entered(Stage::Extracting),
            Event::Entered(Stage::Synthesizing),
            Event::Entered(Stage::Synthesizing),
            Event::Entered(Stage::Validating),
            completed(),
        ]);
        assert_eq!(
            whole,
            "event: progress\ndata: {\"stage\":\"extracting\",\"message\":\"Reading the source\"}\n\n\
             event: progress\ndata: {\"stage\":\"synthesizing\",\"message\":\"Writing the skill\"}\n\n\
             event: progress\ndata: {\"stage\":\"validating\",\"message\":\"Checking the skill against its source\"}\n\n\
             event: complete\ndata: {\"skill_id\":\"sk_00000000000000000000000001\",\"validation\":{\"errors\":0,\"warnings\":2}}\n\n"
        );
        assert_eq!(told(vec![completed()]), whole, "a replay tells the same");
    }

    #[test]
    fn a_failure_is_the_last_event_and_carries_the_envelope() {
        let mut told = 1;
        let failure = Failure::new(Reason::Unreadable, "nothing to read in a.pdf");
        assert_eq!(
            frames_of(Event::Failed(failure), &mut told),
            ("event: error\ndata: {\"error\":{\"code\":\"GENERATION_FAILED\",\"message\":\"nothing to read in a.pdf\"}}\n\n".into(), true)
        );
    }
}
