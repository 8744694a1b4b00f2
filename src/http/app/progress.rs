//! Owns how a run is told on the application surface: a stream of events, each stage once and in order, then the end (decision 33).

use crate::domain::generation::{Event, Stage};
use crate::domain::quota::Surface;
use crate::http::context::Context;
use crate::http::error::Problem;
use crate::http::run::Listener;
use crate::http::sse;
use crate::services::engine::Request;
use actix_web::HttpResponse;
use actix_web_lab::sse::Event as Frame;
use futures_util::{Stream, StreamExt as _, stream};
use serde::Serialize;
use tokio::time::{Interval, interval};

/// Orders a run and tells it; what fails before the stream is an ordinary answer.
pub(in crate::http) async fn told(
    context: &Context,
    request: Request,
) -> Result<HttpResponse, Problem> {
    Ok(telling(context, Listener::order(context, request).await?))
}

/// Tells a run that was ordered.
pub(in crate::http) fn telling(context: &Context, run: Listener) -> HttpResponse {
    let repeated = run.repeated;
    sse::events(&context.figures, repeated, Telling::start(run))
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
    /// Where the new text waits beside a skill that was changed by hand.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    draft: bool,
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
    fn start(run: Listener) -> impl Stream<Item = Frame> {
        // The first ping is due at once, so that a run which waits for its turn still sends a first byte.
        let telling = Self {
            run,
            told: 0,
            pings: interval(sse::PING_EVERY),
        };
        let told = stream::unfold(Some(telling), |telling| async {
            let mut telling = telling?;
            let event = tokio::select! {
                biased;
                event = telling.run.next() => {
                    // What was told shows that the stream lives: the next ping is due after a silence.
                    telling.pings.reset();
                    event
                }
                _ = telling.pings.tick() => return Some((vec![sse::ping()], Some(telling))),
            };
            let (frames, ended) = frames_of(event, &mut telling.told);
            Some((frames, (!ended).then_some(telling)))
        });
        told.map(stream::iter).flatten()
    }
}

/// The frames of an event, and whether it was the last. A repeated run has nothing but its end: its stages are told with it.
fn frames_of(event: Event, told: &mut usize) -> (Vec<Frame>, bool) {
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
                return (vec![sse::named("error", problem)], true);
            };
            let complete = Complete {
                skill_id: made.skill_id.public(),
                validation: Validation {
                    errors: made.skill.report.errors,
                    warnings: made.skill.report.warnings,
                },
                draft: finished.is_draft,
            };
            let mut frames = stages(told, Stage::ALL.len());
            frames.push(sse::event("complete", &complete));
            (frames, true)
        }
        Event::Failed(failure) => {
            let problem = Problem::from(failure).document(Surface::Application);
            (vec![sse::named("error", problem)], true)
        }
    }
}

/// The stages up to `reached` that were not told yet.
fn stages(told: &mut usize, reached: usize) -> Vec<Frame> {
    let frames = Stage::ALL
        .iter()
        .take(reached)
        .skip(*told)
        .map(|stage| {
            sse::event(
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
    use crate::domain::credits::Credits;
    use crate::domain::generation::{Finished, Made};
    use crate::domain::id::SkillId;
    use crate::domain::skill::FinishedSkill;
    use skillkiln_document::failure::{Failure, Reason};
    use skillkiln_skills::report::Report;
    use uuid::Uuid;

    async fn told(events: Vec<Event>) -> String {
        let mut told = 0;
        let frames = events
            .into_iter()
            .flat_map(|event| frames_of(event, &mut told).0);
        sse::written(frames.collect()).await
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
                bill: None,
            },
            origins: vec![],
        };
        Event::Completed(Finished {
            skills: vec![Made {
                skill_id: SkillId(Uuid::from_u128(1)),
                skill: skill.into(),
                place: 0,
            }],
            index: None,
            refunded: Credits::ZERO,
            is_draft: false,
        })
    }

    #[tokio::test]
    async fn a_run_is_told_stage_by_stage_and_ends_with_complete() {
        let whole = told(vec![
            Event::Entered(Stage::Extracting),
            Event::Entered(Stage::Synthesizing),
            Event::Entered(Stage::Synthesizing),
            Event::Entered(Stage::Validating),
            completed(),
        ])
        .await;
        assert_eq!(
            whole,
            "event: progress\ndata: {\"stage\":\"extracting\",\"message\":\"Reading the source\"}\n\n\
             event: progress\ndata: {\"stage\":\"synthesizing\",\"message\":\"Writing the skill\"}\n\n\
             event: progress\ndata: {\"stage\":\"validating\",\"message\":\"Checking the skill against its source\"}\n\n\
             event: complete\ndata: {\"skill_id\":\"sk_00000000000000000000000001\",\"validation\":{\"errors\":0,\"warnings\":2}}\n\n"
        );
        assert_eq!(
            told(vec![completed()]).await,
            whole,
            "a replay tells the same"
        );
    }

    #[tokio::test]
    async fn a_failure_is_the_last_event_and_carries_the_envelope() {
        let failure = Failure::new(Reason::Unreadable, "nothing to read in a.pdf");
        let (frames, ended) = frames_of(Event::Failed(failure), &mut 1);
        assert!(ended);
        assert_eq!(
            sse::written(frames).await,
            "event: error\ndata: {\"error\":{\"code\":\"GENERATION_FAILED\",\"message\":\"nothing to read in a.pdf\"}}\n\n"
        );
    }
}
