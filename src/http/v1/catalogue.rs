//! Owns `POST /api/v1/generate/catalogue`: several skills and a master index from one source, for one credit a topic.
//!
//! The status waits until the source was read; from then on the answer is a stream that ends with the whole result, as one JSON
//! document or as unnamed events (decisions 24 and 25).

use crate::domain::generation::{Event, Finished, Hears, Made, Order, Stage};
use crate::domain::quota::Surface;
use crate::domain::topic::Topic;
use crate::http::caller::Maker;
use crate::http::context::Context;
use crate::http::error::{OnRest, Problem};
use crate::http::form::Form;
use crate::http::idempotency;
use crate::http::run::Listener;
use crate::http::sse;
use crate::http::v1::generate::NAME_CHARS_MAX;
use crate::http::v1::source::{Sent, kind, pages};
use crate::http::v1::standing::{self, prefers_async};
use crate::http::v1::topics::{Shown, selected};
use crate::services::engine::Request;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Serialize;
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_skills::skill::Reference;
use std::time::Duration;

/// How often a line break is sent while the catalogue is made.
const BEAT_EVERY: Duration = Duration::from_secs(10);

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Catalogue<'a> {
    catalogue_id: String,
    skills: Vec<Skill<'a>>,
    master_index: Index<'a>,
    credits_remaining: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Skill<'a> {
    topic: Shown<'a>,
    filename: &'a str,
    content: &'a str,
    reference_files: &'a [Reference],
    word_count: u32,
}

#[derive(Serialize)]
struct Index<'a> {
    filename: &'a str,
    content: &'a str,
}

/// Answers it.
pub(in crate::http) async fn post(
    maker: Maker,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnRest> {
    let context = Context::of(&req);
    let key = idempotency::key_of(&req)?;
    let limits = &context.settings.limits;
    let mut form = Form::read(
        &req,
        payload,
        limits,
        &["source", "selected_topics", "name", "max_pages", "kind"],
    )
    .await?;
    let pages = pages(&mut form, context)?;
    let kind = kind(&mut form)?;
    let name = form.line("name", NAME_CHARS_MAX)?;
    let topics = selected(form.all("selected_topics"))?;
    let source = Sent::take(&mut form, None, context)?
        .keep(context, pages)
        .await?;
    let order = Order {
        source,
        name,
        description: None,
        category: None,
        kind,
        topics,
    };
    drop(form);
    let topics = order.topics.clone();
    let request = Request {
        user_id: maker.user_id,
        key_id: maker.key_id,
        idempotency: idempotency::repeatable(key, "POST /api/v1/generate/catalogue", &order)?,
        order,
        replaces: None,
        hears: Hears::EachStage,
    };
    let mut run = Listener::order(context, request).await?;
    if prefers_async(&req) {
        return standing::accepted(context, maker.user_id, &run).await;
    }
    let repeated = run.repeated;
    let ended = until_read(&mut run)
        .await
        .map_err(|failure| Problem::from(failure).repeated(repeated))?;

    let document = document(run, topics, ended);
    let figures = &context.figures;
    Ok(if wants_events(&req) {
        let event = async { sse::unnamed(document.await) };
        sse::events(
            figures,
            repeated,
            sse::pulse(event, sse::ping(), sse::PING_EVERY),
        )
    } else {
        let pieces = sse::pulse(document, "\n".to_owned(), BEAT_EVERY);
        sse::response(figures, "application/json", repeated, pieces)
    })
}

/// Waits until the source was read, which decides the status; what was made when the run has ended well already.
async fn until_read(run: &mut Listener) -> Result<Option<Finished>, Failure> {
    loop {
        match run.next().await {
            Event::Entered(Stage::Extracting) => {}
            Event::Entered(_) => return Ok(None),
            Event::Completed(finished) => return Ok(Some(finished)),
            Event::Failed(failure) => return Err(failure),
        }
    }
}

/// The result, or the error envelope when the run fails now.
async fn document(mut run: Listener, topics: Vec<Topic>, ended: Option<Finished>) -> String {
    let result = async {
        let finished = match ended {
            Some(finished) => finished,
            None => run.end().await?,
        };
        written(&run, &topics, &finished).ok_or_else(|| {
            Failure::new(
                Reason::Internal,
                "the catalogue was made, but cannot be shown; its skills are in the library",
            )
        })
    };
    match result.await {
        Ok(json) => json,
        Err(failure) => Problem::from(failure).document(Surface::Rest),
    }
}

fn written(run: &Listener, topics: &[Topic], finished: &Finished) -> Option<String> {
    let index = finished.index.as_ref()?;
    let skills = finished
        .skills
        .iter()
        .filter_map(|Made { skill, place, .. }| {
            Some(Skill {
                topic: Shown(topics.get(*place)?),
                filename: &skill.filename,
                content: &skill.content,
                reference_files: &skill.references,
                word_count: skill.word_count,
            })
        });
    let catalogue = Catalogue {
        catalogue_id: run.catalogue_id?.hyphenated().to_string(),
        skills: skills.collect(),
        master_index: Index {
            filename: &index.filename,
            content: &index.content,
        },
        credits_remaining: run.available.0 + finished.refunded.0,
    };
    serde_json::to_string(&catalogue).ok()
}

fn wants_events(req: &HttpRequest) -> bool {
    req.headers()
        .get_all(header::ACCEPT)
        .filter_map(|accept| accept.to_str().ok())
        .flat_map(|accept| accept.split(','))
        .any(|range| {
            let mut parts = range.split(';').map(str::trim);
            let names_it = parts
                .next()
                .is_some_and(|range| range.eq_ignore_ascii_case(sse::EVENT_STREAM));
            // A weight of zero says "not this".
            names_it
                && !parts.any(|part| {
                    part.split_once('=').is_some_and(|(name, weight)| {
                        name.trim().eq_ignore_ascii_case("q")
                            && weight.trim().parse() == Ok(0.0_f32)
                    })
                })
        })
}

#[cfg(test)]
mod tests {
    use super::wants_events;
    use actix_web::test::TestRequest;

    #[test]
    fn events_are_sent_to_who_names_them_and_does_not_refuse_them() {
        let wants = |accept: &str| {
            let request = TestRequest::default().insert_header(("Accept", accept));
            wants_events(&request.to_http_request())
        };
        assert!(wants("text/event-stream"));
        assert!(wants("application/json;q=0.1, Text/Event-Stream; q=0.9"));
        for other in [
            "*/*",
            "application/json",
            "text/event-stream;q=0",
            "application/json, text/event-stream; Q=0.0",
        ] {
            assert!(!wants(other), "{other}");
        }
    }
}
