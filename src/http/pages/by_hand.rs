//! Owns what the owner of a skill changed by hand, as its pages show it beside a text that was made again.

use crate::domain::id::SkillId;
use crate::domain::skill::VersionLine;
use crate::http::context::Context;
use crate::http::error::Problem;
use crate::http::pages::diff::{self, Difference};
use crate::http::pages::refusal::OnPage;
use crate::http::pages::session::Member;
use actix_web::web;

/// Holds two texts against each other, beside whatever else is answered.
pub(super) async fn compared(old: String, new: String) -> Result<Difference, Problem> {
    let difference = web::block(move || diff::between(&old, &new));
    difference.await.map_err(|_| Problem::internal())
}

/// What the owner of a skill changed by hand in the text that was made: how that differs from the one that came after these versions.
pub(super) async fn of(
    member: &Member,
    context: &Context,
    id: SkillId,
    newest_first: &[VersionLine],
    edited: &str,
) -> Result<Option<Difference>, OnPage> {
    let library = &context.services.library;
    let made = library
        .before_edits(member.user_id(), id, newest_first)
        .await?;
    Ok(match made {
        Some(made) => Some(compared(made, edited.to_owned()).await?),
        None => None,
    })
}
