//! Owns `/runs/{id}`: how a run stands, for those who do not hear it live, and what became of it.

use crate::domain::generation::Status;
use crate::domain::id::RunId;
use crate::http::context::Context;
use crate::http::error::Problem;
use crate::http::pages::frame::{self, Frame};
use crate::http::pages::refusal::OnPage;
use crate::http::pages::session::Member;
use actix_web::{HttpRequest, HttpResponse};
use askama::Template;

#[derive(Template)]
#[template(path = "run.html")]
struct RunPage {
    frame: Frame,
    label: String,
    is_queued: bool,
    failure: Option<String>,
    refunded: u32,
}

/// Answers `GET /runs/{id}`: how a run stands, for those who do not hear it live.
pub(in crate::http) async fn get(member: Member, req: HttpRequest) -> Result<HttpResponse, OnPage> {
    let id = req.match_info().get("id").and_then(RunId::parse);
    let id = id.ok_or_else(Problem::not_found)?;
    let library = &Context::of(&req).services.library;
    let standing = library.run(member.user_id(), id).await?;
    let standing = standing.ok_or_else(Problem::not_found)?;
    if standing.status == Status::Completed {
        return Ok(frame::see_other(&match standing.skills.as_slice() {
            [only] => format!("/library/{}?said=made", only.public()),
            _ => "/library?sort=made&said=made".to_owned(),
        }));
    }
    let mut page = RunPage {
        frame: member.frame("A skill is being made", "/new"),
        label: standing.label,
        is_queued: standing.status == Status::Queued,
        failure: None,
        refunded: standing.charged.0,
    };
    if standing.status == Status::Failed {
        let unknown = || "something went wrong on our side".to_owned();
        page.failure = Some(
            standing
                .failure
                .map_or_else(unknown, |failure| failure.message),
        );
    }
    Ok(frame::page(&page))
}
