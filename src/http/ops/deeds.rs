//! Owns what an operator may do to a run and to a node: cancel the one, or begin it again; let the other take no new work. Each is a form
//! of the page and leads back to it.

use crate::domain::id::RunId;
use crate::domain::vitals::Wish;
use crate::http::context::Context;
use crate::http::ops;
use crate::http::pages::frame::see_other;
use crate::services::operations::Undone;
use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, web};

/// What the page may say at its top, by the word in its address.
const SAID: [(&str, &str, &str); 5] = [
    (
        "cancelled",
        "ok",
        "Cancelled: the run fails, and its credit is given back in the same transaction.",
    ),
    (
        "again",
        "ok",
        "Begun again from its source. Nothing is charged again, and whoever waits for it goes on waiting.",
    ),
    (
        "cordon",
        "ok",
        "Cordoned: the node claims no runs, and /readyz there tells whoever balances the load to leave it out.",
    ),
    (
        "drain",
        "ok",
        "Drained: the node takes no new work, what has not begun there goes to other nodes, and the rest goes on to its end.",
    ),
    ("uncordon", "ok", "The node takes new work again."),
];

/// What the address of a request asks to be said, and its tone.
pub(super) fn said(req: &HttpRequest) -> Option<(&'static str, &'static str)> {
    let asked = req.query_string().strip_prefix("said=")?;
    let found = SAID.iter().find(|(word, _, _)| *word == asked)?;
    Some((found.1, found.2))
}

/// Answers `POST /ops/generations/{id}/cancel`.
pub(in crate::http) async fn cancel(req: HttpRequest, id: web::Path<String>) -> HttpResponse {
    let context = Context::of(&req);
    let done = match RunId::parse(&id) {
        Some(run_id) => context.services.operations.cancel(run_id).await,
        None => Err(Undone::Unknown),
    };
    answer(context, done, "/ops?said=cancelled#running").await
}

/// Answers `POST /ops/generations/{id}/retry`.
pub(in crate::http) async fn retry(req: HttpRequest, id: web::Path<String>) -> HttpResponse {
    let context = Context::of(&req);
    let done = match RunId::parse(&id) {
        Some(run_id) => context.services.operations.retry(run_id).await,
        None => Err(Undone::Unknown),
    };
    answer(context, done, "/ops?said=again#running").await
}

/// Answers `POST /ops/nodes/{id}/{wish}`.
pub(in crate::http) async fn wish(
    req: HttpRequest,
    path: web::Path<(String, String)>,
) -> HttpResponse {
    let context = Context::of(&req);
    let (node, word) = path.into_inner();
    let Some(wish) = Wish::parse(&word) else {
        return answer(context, Err(Undone::Unknown), "").await;
    };
    let done = context.services.operations.wish(&node, wish).await;
    answer(context, done, &format!("/ops?said={word}#nodes")).await
}

/// Back to the page; where nothing was done, the page itself says why.
async fn answer(context: &Context, done: Result<(), Undone>, page: &str) -> HttpResponse {
    let (status, why) = match done {
        Ok(()) => return see_other(page),
        Err(Undone::Unknown) => (StatusCode::NOT_FOUND, "There is no such run or node."),
        Err(Undone::Ended) => (
            StatusCode::CONFLICT,
            "This run has ended: its credit is earned or given back, and only a new order of its owner makes it again.",
        ),
        Err(Undone::Waiting) => (
            StatusCode::CONFLICT,
            "This run waits for its turn; there is nothing to begin again yet.",
        ),
        Err(Undone::Elsewhere) => (
            StatusCode::CONFLICT,
            "Another node works on this run. When that node is gone, its lease runs out within seconds and the run can be taken up.",
        ),
        Err(Undone::Unreached) => (
            StatusCode::CONFLICT,
            "That node cannot be told from here: nodes tell each other over the server that cluster.url names. Open the page of that node itself.",
        ),
        Err(Undone::Unavailable) => (
            StatusCode::SERVICE_UNAVAILABLE,
            "The database does not answer; try again in a moment.",
        ),
    };
    ops::page_saying(context, status, Some(("warn", why))).await
}
