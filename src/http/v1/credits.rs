//! Owns `GET /api/v1/credits`: where the caller's account stands.

use crate::domain::user::Standing;
use crate::http::caller::Caller;
use crate::http::context::Context;
use crate::http::error::OnRest;
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;

/// Where an account stands.
#[derive(Serialize)]
pub(in crate::http) struct Credits {
    credits_remaining: u32,
    plan: &'static str,
    credit_packs_purchased: u32,
    total_generations: u32,
}

impl From<Standing> for Credits {
    fn from(standing: Standing) -> Self {
        Self {
            credits_remaining: standing.available.0,
            plan: standing.plan.as_str(),
            credit_packs_purchased: standing.packs_purchased,
            total_generations: standing.total_generations,
        }
    }
}

/// Answers it.
pub(in crate::http) async fn get(caller: Caller, req: HttpRequest) -> Result<HttpResponse, OnRest> {
    let standing = Context::of(&req)
        .services
        .accounts
        .standing(caller.user_id)
        .await?;
    Ok(HttpResponse::Ok().json(Credits::from(standing)))
}
