//! Owns `GET /api/usage`: what a language model took for the runs of the caller's account, month by month and in all.

use crate::domain::usage::{MonthOfUse, Usage};
use crate::http::caller::Caller;
use crate::http::context::Context;
use crate::http::download;
use crate::http::error::OnApp;
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;

#[derive(Serialize)]
struct Used {
    total: Sum,
    months: Vec<Month>,
}

#[derive(Serialize)]
struct Month {
    month: String,
    #[serde(flatten)]
    sum: Sum,
}

/// What was used, as it is answered.
#[derive(Serialize)]
struct Sum {
    runs: u64,
    tokens_in: u64,
    tokens_cached: u64,
    tokens_out: u64,
    cost: f64,
}

impl From<Usage> for Sum {
    fn from(usage: Usage) -> Self {
        Self {
            runs: usage.runs,
            tokens_in: usage.input,
            tokens_cached: usage.cached,
            tokens_out: usage.output,
            cost: usage.cost(),
        }
    }
}

/// Answers it.
pub(in crate::http) async fn get(caller: Caller, req: HttpRequest) -> Result<HttpResponse, OnApp> {
    let accounts = &Context::of(&req).services.accounts;
    let months = accounts.usage(caller.user_id).await?;
    let used = Used {
        total: months.iter().map(|one| one.usage).sum::<Usage>().into(),
        months: months
            .into_iter()
            .map(|MonthOfUse { month, usage }| Month {
                month,
                sum: usage.into(),
            })
            .collect(),
    };
    Ok(download::json(&req, &used)?)
}
