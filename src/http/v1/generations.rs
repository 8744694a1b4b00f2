//! Owns the generation history: `GET /api/v1/generations`, and the skill file that one of them made (decisions 26, 27 and 55).

use crate::domain::generation::{Generation, Status};
use crate::domain::id::{GenerationId, RunId};
use crate::http::caller::Caller;
use crate::http::context::Context;
use crate::http::download;
use crate::http::error::{OnRest, Problem};
use crate::http::paging;
use crate::http::query::Query;
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;

const LIMIT_DEFAULT: i64 = 20;
const LIMIT_MAX: i64 = 100;

#[derive(Serialize)]
struct History {
    generations: Vec<Item>,
    total: u64,
    limit: u32,
    offset: u64,
    has_more: bool,
}

#[derive(Serialize)]
struct Item {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    skill_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    catalogue_id: Option<String>,
    status: &'static str,
    name: String,
    source_type: &'static str,
    source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    filename: Option<String>,
    word_count: u32,
    credits_charged: u32,
    credits_refunded: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_code: Option<&'static str>,
    created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    completed_at: Option<String>,
}

impl From<Generation> for Item {
    fn from(row: Generation) -> Self {
        let failed = row.status == Status::Failed;
        Self {
            id: row.id.to_string(),
            skill_id: (!failed).then(|| row.skill_id.to_string()),
            catalogue_id: row.catalogue_id.map(|id| id.hyphenated().to_string()),
            status: row.status.as_str(),
            name: row.name,
            source_type: row.source_type.as_str(),
            source: row.source,
            // Only a failed run has no file name; one that is not made yet has an empty one.
            filename: (!failed).then(|| row.filename.unwrap_or_default()),
            word_count: if failed { 0 } else { row.word_count },
            credits_charged: row.credits_charged.0,
            credits_refunded: row.credits_refunded.0,
            error_code: failed.then_some("GENERATION_FAILED"),
            created_at: row.created_at.iso(),
            completed_at: row.completed_at.map(crate::domain::clock::Timestamp::iso),
        }
    }
}

/// Answers `GET /api/v1/generations`.
pub(in crate::http) async fn list(
    caller: Caller,
    req: HttpRequest,
) -> Result<HttpResponse, OnRest> {
    let query = Query::of(&req);
    let limit = query
        .number("limit", 1, LIMIT_MAX)?
        .unwrap_or(LIMIT_DEFAULT);
    let offset = query.number("offset", 0, i64::MAX)?.unwrap_or(0);
    let (limit, offset) = (limit.unsigned_abs() as u32, offset.unsigned_abs());
    let library = &Context::of(&req).services.library;
    let (rows, total) = library.generations(caller.user_id, limit, offset).await?;
    let generations: Vec<Item> = rows.into_iter().map(Item::from).collect();
    let next = offset.saturating_add(generations.len() as u64);
    let has_more = next < total && !generations.is_empty();
    let mut response = HttpResponse::Ok().json(History {
        has_more,
        generations,
        total,
        limit,
        offset,
    });
    if has_more {
        paging::link_next(&req, &mut response, limit, next);
    }
    Ok(response)
}

/// Answers `GET /api/v1/generations/{id}/skill`.
pub(in crate::http) async fn skill(
    caller: Caller,
    req: HttpRequest,
) -> Result<HttpResponse, OnRest> {
    let id = req
        .match_info()
        .get("id")
        .and_then(GenerationId::parse)
        .ok_or_else(Problem::not_found)?;
    let library = &Context::of(&req).services.library;
    if let Some(product) = library.product(caller.user_id, id).await? {
        return Ok(download::markdown(&req, &product.filename, product.content));
    }
    // A catalogue's own file is its index.
    let catalogue = library.run(caller.user_id, RunId(id.0)).await?;
    let index = catalogue.and_then(|standing| standing.index);
    let index = index.ok_or_else(Problem::not_found)?;
    Ok(download::markdown(&req, &index.filename, index.content))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::clock::Timestamp;
    use crate::domain::credits::Credits;
    use crate::domain::id::SkillId;
    use crate::domain::source::SourceType;
    use skillkiln_document::failure::Reason;
    use uuid::Uuid;

    fn row(status: Status) -> Generation {
        Generation {
            id: GenerationId(Uuid::from_u128(1)),
            skill_id: SkillId(Uuid::from_u128(2)),
            catalogue_id: None,
            status,
            name: "Install".into(),
            source_type: SourceType::Text,
            source: "how to install".into(),
            filename: None,
            word_count: 0,
            credits_charged: Credits(1),
            credits_refunded: Credits(u32::from(status == Status::Failed)),
            failure: (status == Status::Failed).then_some(Reason::Deadline),
            created_at: Timestamp::from_micros(0),
            completed_at: None,
        }
    }

    #[test]
    fn a_failed_run_shows_its_refund_and_code_and_no_skill() {
        let mut failed = row(Status::Failed);
        failed.completed_at = Some(Timestamp::from_micros(1_000));
        assert_eq!(
            serde_json::to_string(&Item::from(failed)).expect("JSON"),
            r#"{"id":"00000000-0000-0000-0000-000000000001","status":"failed","name":"Install","source_type":"text","source":"how to install","word_count":0,"credits_charged":1,"credits_refunded":1,"error_code":"GENERATION_FAILED","created_at":"1970-01-01T00:00:00.000Z","completed_at":"1970-01-01T00:00:00.001Z"}"#
        );
    }

    #[test]
    fn a_run_in_flight_has_every_field_that_is_not_optional() {
        assert_eq!(
            serde_json::to_string(&Item::from(row(Status::Queued))).expect("JSON"),
            r#"{"id":"00000000-0000-0000-0000-000000000001","skill_id":"00000000-0000-0000-0000-000000000002","status":"queued","name":"Install","source_type":"text","source":"how to install","filename":"","word_count":0,"credits_charged":1,"credits_refunded":0,"created_at":"1970-01-01T00:00:00.000Z"}"#
        );
    }
}
