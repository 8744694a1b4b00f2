//! Owns `GET /api/credits`: what the caller can spend, and on which plan.

use crate::domain::user::Plan;
use crate::http::caller::Caller;
use crate::http::context::Context;
use crate::http::download;
use crate::http::error::OnApp;
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;

#[derive(Serialize)]
struct Credits {
    credits: u32,
    plan: &'static str,
    is_unlimited: bool,
}

/// Answers it.
pub(in crate::http) async fn get(caller: Caller, req: HttpRequest) -> Result<HttpResponse, OnApp> {
    let standing = Context::of(&req)
        .services
        .accounts
        .standing(caller.user_id)
        .await?;
    let credits = Credits {
        credits: standing.available.0,
        plan: standing.plan.as_str(),
        is_unlimited: standing.plan == Plan::Unlimited,
    };
    Ok(download::json(&req, &credits)?)
}
