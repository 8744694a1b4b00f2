//! Owns how a run is told on the application surface: a stream of events, each stage once and in order, then the end (decision 33).

use crate::domain::generation::{Event, Stage};
use crate::domain::quota::Surface;
use crate::http::context::Context;
use crate::http::error::Problem;
use crate::http::run::Listener;
use crate::http::sse;
use crate::services::engine::Request;
use actix_web::HttpResponse;
use futures_util::{Stream, stream};
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
    sse::response(
        &context.figures,
        sse::EVENT_STREAM,
        repeated,
        Telling::start(run),
    )
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
                event = telling.run.next() => {
                    // What was told shows that the stream lives: the next ping is due after a silence.
                    telling.pings.reset();
                    event
                }
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
    use crate::domain::credits::Credits;
    use crate::domain::generation::{Finished, Made};
    use crate::domain::id::SkillId;
    use crate::domain::skill::FinishedSkill;
    use skillkiln_document::failure::{Failure, Reason};
    use skillkiln_skills::report::Report;
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
