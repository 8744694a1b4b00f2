//! Owns how the operators' page stays true: a look a second for as long as somebody looks, and the sample every five seconds.

use crate::domain::observation::Observation;
use crate::http::context::Context;
use crate::http::ops::history;
use crate::http::ops::page::{self, Sections};
use crate::http::sse;
use actix_web::{HttpRequest, HttpResponse};
use actix_web_lab::sse::Event;
use futures_util::stream;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Interval, MissedTickBehavior, interval};

/// How often somebody who looks is shown what has changed.
const FRAME_EVERY: Duration = Duration::from_secs(1);

/// Everything there is to see now.
pub(super) fn observe(context: &Context) -> Observation {
    Observation {
        http: context.figures.observe(),
        ..context.services.observe()
    }
}

/// The page's sections now.
pub(super) async fn sections(context: &Context) -> Sections {
    context.services.operations.look().await;
    let now = context.clock.now();
    page::sections(&observe(context), &context.history, now)
}

/// Answers `GET /ops/stream`: at first every section, then those that have changed, each second.
pub(in crate::http) async fn stream(req: HttpRequest) -> HttpResponse {
    let context = Arc::clone(Context::of(&req));
    let mut ticks = interval(FRAME_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let watch = Watch {
        closing: context.exit.closing(),
        context,
        ticks,
        shown: Sections(Vec::new()),
    };
    let frames = stream::unfold(watch, |mut watch| async {
        let frame = watch.next().await?;
        Some((frame, watch))
    });
    sse::uncounted(frames)
}

/// Somebody who looks.
struct Watch {
    context: Arc<Context>,
    closing: tokio::sync::watch::Receiver<bool>,
    ticks: Interval,
    shown: Sections,
}

impl Watch {
    /// What has changed since the last look; none once the service closes.
    async fn next(&mut self) -> Option<Event> {
        tokio::select! {
            biased;
            _ = self.closing.wait_for(|closing| *closing) => return None,
            _ = self.ticks.tick() => {}
        }
        let sections = sections(&self.context).await;
        let changed = sections.changed_since(&self.shown);
        self.shown = sections;
        let look = changed.map(|json| sse::named("look", json));
        Some(look.unwrap_or_else(sse::ping))
    }
}

/// Takes a sample every five seconds, until the service closes.
pub(in crate::http) async fn keep_history(context: Arc<Context>) {
    let mut closing = context.exit.closing();
    let mut ticks = interval(history::EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = closing.wait_for(|closing| *closing) => return,
            _ = ticks.tick() => {}
        }
        context
            .history
            .note(&observe(&context), context.clock.now());
    }
}
