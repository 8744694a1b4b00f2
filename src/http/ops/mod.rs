//! What operators ask: is it alive, is it ready, how is everybody. `/healthz` and `/readyz` are on the public address too.

use crate::http::context::Context;
use crate::telemetry;
use actix_web::{HttpRequest, HttpResponse};

/// Whether the process answers at all.
pub(super) async fn healthz() -> HttpResponse {
    HttpResponse::Ok().json(serde_json::json!({ "status": "ok" }))
}

/// Whether orders are taken: not before what a crash left behind is taken care of, not while stopping, not without a database.
pub(super) async fn readyz(req: HttpRequest) -> HttpResponse {
    let context = Context::of(&req);
    if context.exit.is_draining() {
        return HttpResponse::ServiceUnavailable()
            .json(serde_json::json!({ "status": "stopping" }));
    }
    if !context.services.engine.is_ready() {
        return HttpResponse::ServiceUnavailable()
            .json(serde_json::json!({ "status": "starting" }));
    }
    if !context.services.engine.database_answers().await {
        return HttpResponse::ServiceUnavailable()
            .json(serde_json::json!({ "status": "the database does not answer" }));
    }
    HttpResponse::Ok().json(serde_json::json!({ "status": "ready" }))
}

/// Every metric, in the Prometheus text format.
pub(super) async fn metrics(req: HttpRequest) -> HttpResponse {
    let context = Context::of(&req);
    HttpResponse::Ok()
        .content_type("text/plain; version=0.0.4; charset=utf-8")
        .body(telemetry::render(
            &context.figures,
            &context.services.observe(),
        ))
}

/// The actors and stages, as JSON.
pub(super) async fn observe(req: HttpRequest) -> HttpResponse {
    HttpResponse::Ok().json(Context::of(&req).services.observe())
}
