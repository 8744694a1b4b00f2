//! What operators ask: is it alive, is it ready, how is everybody; and what they do about it. `/healthz` and `/readyz` are on the
//! public address too, everything else is on the operators' own.
//!
//! ```text
//! figures, services ─▶ observation ─▶ /metrics, /ops/observe
//!                          │ every 5 s       ┌─▶ /ops         the page, whole
//!                          ├────▶ history ───┤
//!                          └────▶ sections ──┴─▶ /ops/stream  what has changed, each second, while somebody looks
//! door ─▶ deeds: cancel a run, begin it again; take a node out of work
//! ```

pub(super) mod assets;
mod by_node;
pub(super) mod deeds;
pub(super) mod door;
mod finding;
pub(super) mod history;
pub(super) mod live;
mod page;
mod plots;
mod verdict;
mod verdict_of_nodes;
mod wording;

use crate::domain::vitals::Standing;
use crate::http::context::Context;
use crate::http::ops::assets::Assets;
use crate::http::ops::page::Page;
use crate::http::pages::frame;
use crate::services::health::Ailment;
use crate::telemetry::exposition;
use actix_web::http::{StatusCode, header};
use actix_web::{HttpRequest, HttpResponse};

/// Whether the process answers at all.
pub(super) async fn healthz() -> HttpResponse {
    HttpResponse::Ok().json(serde_json::json!({ "status": "ok" }))
}

/// Whether orders are taken: not before what a crash left behind is taken care of, not while stopping, not without
/// all that the node works with ([`crate::services::health`]).
pub(super) async fn readyz(req: HttpRequest) -> HttpResponse {
    let context = Context::of(&req);
    if let Some(name) = context.services.lost().name() {
        return unready(&Ailment::Lost(name).to_string());
    }
    if context.exit.is_draining() {
        return unready("stopping");
    }
    if context.services.operations.standing() == Standing::Cordoned {
        return unready("cordoned");
    }
    if !context.services.engine.is_ready() {
        return unready("starting");
    }
    if let Some(ailment) = context.services.health.ailment().await {
        return unready(&ailment.to_string());
    }
    let mut degraded = Vec::new();
    let shared = context.services.limits.observe();
    if shared.is_some_and(|shared| !shared.answers) {
        degraded.push("the server of the shared windows does not answer: this node admits its share of each limit".to_owned());
    }
    let hearts = context.services.hearts();
    let hanging = hearts.iter().filter(|heart| heart.silent_s > 0.0);
    degraded.extend(hanging.map(|heart| format!("the thread {} hangs", heart.arbiter)));
    HttpResponse::Ok().json(match degraded.is_empty() {
        true => serde_json::json!({ "status": "ready" }),
        false => serde_json::json!({ "status": "ready", "degraded": degraded }),
    })
}

fn unready(why: &str) -> HttpResponse {
    const RETRY_AFTER_S: u32 = 5;
    HttpResponse::ServiceUnavailable()
        .insert_header((header::RETRY_AFTER, RETRY_AFTER_S))
        .json(serde_json::json!({ "status": why }))
}

/// Whoever opens the address as it is printed is led to the page.
pub(super) async fn entrance() -> HttpResponse {
    frame::see_other("/ops")
}

/// Every metric, in the Prometheus text format.
pub(super) async fn metrics(req: HttpRequest) -> HttpResponse {
    let context = Context::of(&req);
    let seen = live::observe(context);
    HttpResponse::Ok()
        .content_type("text/plain; version=0.0.4; charset=utf-8")
        .body(exposition::render(&context.figures, &seen))
}

/// Everything there is to see now, as JSON.
pub(super) async fn observe(req: HttpRequest) -> HttpResponse {
    let context = Context::of(&req);
    context.services.operations.look().await;
    HttpResponse::Ok().json(live::observe(context))
}

/// The samples of the last hour, as JSON, the oldest first.
pub(super) async fn last_hour(req: HttpRequest) -> HttpResponse {
    HttpResponse::Ok().json(Context::of(&req).history.samples())
}

/// Answers `GET /ops`: the page at this moment, which the script keeps true.
pub(super) async fn get(req: HttpRequest) -> HttpResponse {
    page_saying(Context::of(&req), StatusCode::OK, deeds::said(&req)).await
}

/// The page, with a message at its top.
async fn page_saying(
    context: &Context,
    status: StatusCode,
    said: Option<(&'static str, &'static str)>,
) -> HttpResponse {
    let page = Page {
        assets: Assets::get(),
        node: context.services.operations.node(),
        version: env!("CARGO_PKG_VERSION"),
        said,
        sections: live::sections(context).await,
    };
    frame::page_as(status, &page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;
    use crate::domain::clock::Clock;
    use crate::http::settings::HttpSettings;
    use crate::services;
    use actix_web::body;
    use actix_web::rt::System;
    use actix_web::test::TestRequest;
    use actix_web::web;

    #[test]
    fn a_node_that_lost_an_actor_is_not_ready_and_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings::in_folder(folder.path());
        System::new().block_on(async {
            let clock = Clock::system();
            let services = services::start(&settings, clock.clone()).await.unwrap();
            let lost = services.lost().clone();
            let context = Context::new(HttpSettings::from(&settings), services, clock, &[]);
            let data = web::Data::new(context);
            let ask = || {
                readyz(
                    TestRequest::default()
                        .app_data(data.clone())
                        .to_http_request(),
                )
            };
            assert_eq!(ask().await.status(), StatusCode::OK);
            lost.tell("settlement");
            data.exit.drain();
            let answer = ask().await;
            assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
            let said = body::to_bytes(answer.into_body()).await.unwrap();
            assert!(
                String::from_utf8_lossy(&said).contains("settlement"),
                "{said:?}"
            );
        });
    }
}
