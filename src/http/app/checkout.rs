//! Owns `POST /api/checkout`: the address where a pack or the subscription is paid. Nothing is given for visiting it.

use crate::http::body;
use crate::http::caller::Caller;
use crate::http::context::Context;
use crate::http::error::OnApp;
use actix_web::web::Payload;
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};

/// Most bytes of an order: it is one word.
const ORDER_BYTES_MAX: usize = 16 << 10;

#[derive(Deserialize)]
struct Order {
    plan: String,
}

#[derive(Serialize)]
struct Opened {
    checkout_url: String,
}

/// Answers it.
pub(in crate::http) async fn post(
    caller: Caller,
    req: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, OnApp> {
    let context = Context::of(&req);
    let limits = &context.settings.limits;
    let order: Order = body::json(&req, payload, ORDER_BYTES_MAX, limits).await?;
    let billing = &context.services.billing;
    let checkout_url = billing.checkout(caller.user_id, &order.plan).await?;
    Ok(HttpResponse::Ok().json(Opened { checkout_url }))
}
