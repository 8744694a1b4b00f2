//! Owns `POST /webhooks/stripe`: takes the payment provider's events, by their signature alone.
//!
//! An answer of 200 means that what the event says is done and written down. Anything else makes the provider tell it again, so an event is
//! never lost, and one that comes again changes nothing.

use crate::http::body;
use crate::http::context::Context;
use crate::http::error::{OnApp, Problem};
use actix_web::web::Payload;
use actix_web::{HttpRequest, HttpResponse};

/// Most bytes of an event; large ones have some tens of kilobytes.
const EVENT_BYTES_MAX: usize = 512 << 10;
const SIGNATURE: &str = "stripe-signature";

/// Answers it.
pub(super) async fn stripe(req: HttpRequest, payload: Payload) -> Result<HttpResponse, OnApp> {
    let context = Context::of(&req);
    let mut signatures = req.headers().get_all(SIGNATURE);
    let signature = signatures.next().and_then(|value| value.to_str().ok());
    let (Some(signature), None) = (signature, signatures.next()) else {
        return Err(Problem::invalid("send the event with its one Stripe-Signature").into());
    };
    let body = body::read(&req, payload, EVENT_BYTES_MAX, &context.settings.limits).await?;
    context.services.billing.receive(&body, signature).await?;
    Ok(HttpResponse::Ok().json(serde_json::json!({ "received": true })))
}
