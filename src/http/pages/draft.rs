//! Owns the text that waits beside a skill which its owner had changed by hand: how the three differ, and what its forms do.

use crate::domain::skill::{Draft, StoredSkill};
use crate::http::app::drafts::answered;
use crate::http::app::skills::id_of;
use crate::http::context::Context;
use crate::http::error::Problem;
use crate::http::pages::by_hand;
use crate::http::pages::diff::Difference;
use crate::http::pages::fields::{self, Fields};
use crate::http::pages::frame::{self, Link};
use crate::http::pages::refusal::OnPage;
use crate::http::pages::session::Member;
use actix_web::{HttpRequest, HttpResponse, web};

/// What the page shows of it.
pub(super) struct DraftView {
    pub(super) generation_id: String,
    /// What the owner changed by hand in the text that was made before.
    pub(super) by_hand: Option<Difference>,
    /// How the new text differs from theirs.
    pub(super) difference: Difference,
}

/// The view of what waits beside a skill.
pub(super) async fn view(
    member: &Member,
    context: &Context,
    stored: &StoredSkill,
    draft: Draft,
) -> Result<DraftView, OnPage> {
    let content = &stored.skill.content;
    let versions = context
        .services
        .library
        .versions(member.user_id(), stored.id);
    let versions = versions.await?;
    Ok(DraftView {
        generation_id: draft.run_id.to_string(),
        by_hand: by_hand::of(member, context, stored.id, &versions, content).await?,
        difference: by_hand::compared(content.clone(), draft.skill.content).await?,
    })
}

/// Answers `POST /library/{id}/draft`.
pub(in crate::http) async fn post(
    member: Member,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let id = id_of(&req)?;
    let page = format!("/library/{}", id.public());
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let action = fields.text("do")?;
    let generation_id = fields.text("generation_id")?;
    let done = answered(&req, member.user_id(), id, action, generation_id).await;
    done.map_err(|problem: Problem| {
        OnPage::from(problem).leading_to(Link::new(page.clone(), "To the skill"))
    })?;
    let said = match action {
        "accept" => "accepted",
        _ => "kept",
    };
    Ok(frame::see_other(&format!("{page}?said={said}")))
}
