//! Owns what people see of runs: `/runs/{id}`, how one stands and what it made, and those that are under way or failed of late.

use crate::domain::clock::Timestamp;
use crate::domain::failure::Reason;
use crate::domain::generation::{Generation, Status};
use crate::domain::id::{RunId, UserId};
use crate::http::context::Context;
use crate::http::download;
use crate::http::error::Problem;
use crate::http::pages::frame::{self, Frame};
use crate::http::pages::refusal::{OnPage, sentence};
use crate::http::pages::session::Member;
use crate::services::accounts::Unavailable;
use crate::services::library::Standing;
use actix_web::{HttpRequest, HttpResponse};
use askama::Template;
use std::time::Duration;
use url::form_urlencoded;

/// Rows of the history that are looked at for runs that have not ended well.
const LOOKED_AT: u32 = 100;
/// How long a failure is shown in the library; the account's history keeps it.
const FAILURE_SHOWN_FOR: Duration = Duration::from_secs(24 * 3600);
/// Runs that are listed.
const LISTED_MAX: usize = 10;

#[derive(Template)]
#[template(path = "run.html")]
struct RunPage {
    frame: Frame,
    label: String,
    is_queued: bool,
    failure: Option<String>,
    refunded: u32,
    again: String,
}

#[derive(Template)]
#[template(path = "made.html")]
struct MadePage {
    frame: Frame,
    id: String,
    label: String,
    skills: Vec<(String, String)>,
    has_index: bool,
}

/// One of the account's runs, and how it stands.
async fn standing(member: &Member, req: &HttpRequest) -> Result<(RunId, Standing), OnPage> {
    let id = req.match_info().get("id").and_then(RunId::parse);
    let id = id.ok_or_else(Problem::not_found)?;
    let library = &Context::of(req).services.library;
    let standing = library.run(member.user_id(), id).await?;
    Ok((id, standing.ok_or_else(Problem::not_found)?))
}

/// Answers `GET /runs/{id}`: how a run stands, for those who do not hear it live, and the skills that it made.
pub(in crate::http) async fn get(member: Member, req: HttpRequest) -> Result<HttpResponse, OnPage> {
    let (id, standing) = standing(&member, &req).await?;
    if standing.status == Status::Completed {
        return Ok(made(&member, id, standing));
    }
    let mut page = RunPage {
        frame: member.frame("A skill is being made", "/new"),
        again: again(&standing.label),
        label: standing.label,
        is_queued: standing.status == Status::Queued,
        failure: None,
        refunded: standing.charged.0,
    };
    if standing.status == Status::Failed {
        let unknown = || sentence(spoken(Reason::Internal));
        page.failure = Some(
            standing
                .failure
                .map_or_else(unknown, |failure| sentence(&failure.message)),
        );
    }
    Ok(frame::page(&page))
}

fn made(member: &Member, id: RunId, standing: Standing) -> HttpResponse {
    match (standing.skills.as_slice(), &standing.index) {
        ([(only, _)], None) => {
            return frame::see_other(&format!("/library/{}?said=made", only.public()));
        }
        // What it made was deleted since.
        ([], None) => return frame::see_other("/library?sort=made"),
        _ => {}
    }
    let skills = standing.skills.into_iter();
    frame::page(&MadePage {
        frame: member.frame("Your skills", "/library"),
        id: id.to_string(),
        label: standing.label,
        skills: skills.map(|(id, name)| (id.public(), name)).collect(),
        has_index: standing.index.is_some(),
    })
}

/// Answers `GET /runs/{id}/index`: the index over the skills of a catalogue, as a file.
pub(in crate::http) async fn index(
    member: Member,
    req: HttpRequest,
) -> Result<HttpResponse, OnPage> {
    let (_, standing) = standing(&member, &req).await?;
    let index = standing.index.ok_or_else(Problem::not_found)?;
    Ok(download::markdown(&req, &index.filename, index.content))
}

/// Where the same is tried again: an address need not be typed again; a file or a text has to be given again.
fn again(label: &str) -> String {
    if !label.starts_with("https://") && !label.starts_with("http://") {
        return "/new".to_owned();
    }
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("source", label);
    format!("/new?{}", query.finish())
}

/// Why a run failed, in words for whoever ordered it.
fn spoken(reason: Reason) -> &'static str {
    match reason {
        Reason::Unreachable => "the source could not be reached",
        Reason::Unreadable => "there is nothing in the source that can be read",
        Reason::TooLarge => "the source is too large",
        Reason::Missing => "a part of the source is missing",
        Reason::Model => "the model gave no usable answer",
        Reason::Deadline => "it took too long",
        Reason::Aborted => "it was ended before it was done",
        Reason::Internal => "something went wrong on our side",
    }
}

/// A run in the library's list.
pub(super) struct RunLine {
    pub(super) name: String,
    /// How many more skills it makes than the one that is named.
    pub(super) others: usize,
    pub(super) since: String,
    /// Why it failed; `None` while it is under way.
    pub(super) failure: Option<&'static str>,
    pub(super) is_queued: bool,
    /// Its page; a row of a catalogue does not know it.
    pub(super) href: Option<String>,
    pub(super) again: String,
}

/// The page of the run that a row of the history belongs to: that of a single skill has the row's own id (decision 15).
pub(super) fn page_of(row: &Generation) -> Option<String> {
    let is_single = row.catalogue_id.is_none();
    is_single.then(|| format!("/runs/{}", RunId(row.id.0)))
}

/// The account's runs that are under way, and those that failed of late; the newest first, a catalogue once.
pub(super) async fn unfinished(
    context: &Context,
    user_id: UserId,
) -> Result<Vec<RunLine>, Unavailable> {
    let library = &context.services.library;
    let (rows, _) = library.generations(user_id, LOOKED_AT, 0).await?;
    Ok(listed(&rows, context.clock.now()))
}

fn listed(rows: &[Generation], now: Timestamp) -> Vec<RunLine> {
    let oldest = now.minus(FAILURE_SHOWN_FOR);
    let shown = |row: &&Generation| match row.status {
        Status::Queued | Status::Running => true,
        Status::Failed => row.created_at >= oldest,
        Status::Completed => false,
    };
    let rows: Vec<&Generation> = rows.iter().filter(shown).collect();
    let with = |row: &Generation, other: &Generation| {
        row.catalogue_id.is_some() && row.catalogue_id == other.catalogue_id
    };
    let is_first =
        |at: usize, row: &Generation| !rows.iter().take(at).any(|other| with(row, other));
    let line = |row: &Generation| RunLine {
        name: row.name.clone(),
        others: rows
            .iter()
            .filter(|other| with(row, other))
            .count()
            .saturating_sub(1),
        since: row.created_at.spoken(),
        failure: (row.status == Status::Failed)
            .then(|| spoken(row.failure.unwrap_or(Reason::Internal))),
        is_queued: row.status == Status::Queued,
        href: page_of(row),
        again: again(&row.source),
    };
    let firsts = rows
        .iter()
        .enumerate()
        .filter(|(at, row)| is_first(*at, row));
    firsts.take(LISTED_MAX).map(|(_, row)| line(row)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::credits::Credits;
    use crate::domain::id::{GenerationId, SkillId};
    use crate::domain::source::SourceType;
    use uuid::Uuid;

    const DAY: Duration = Duration::from_secs(24 * 3600);

    fn row(number: u128, status: Status, catalogue: Option<u128>) -> Generation {
        Generation {
            id: GenerationId(Uuid::from_u128(number)),
            skill_id: SkillId(Uuid::from_u128(number)),
            catalogue_id: catalogue.map(Uuid::from_u128),
            status,
            name: format!("skill {number}"),
            source_type: SourceType::Url,
            source: "https://kiln.example/a b".into(),
            filename: None,
            word_count: 0,
            credits_charged: Credits(1),
            credits_refunded: Credits::ZERO,
            failure: (status == Status::Failed).then_some(Reason::Unreachable),
            created_at: Timestamp::from_micros(0),
            completed_at: None,
        }
    }

    #[test]
    fn what_is_under_way_or_failed_of_late_is_listed_and_a_catalogue_once() {
        let rows = [
            row(1, Status::Running, None),
            row(2, Status::Completed, None),
            row(3, Status::Queued, Some(9)),
            row(4, Status::Queued, Some(9)),
            row(5, Status::Failed, None),
        ];
        let lines = listed(&rows, Timestamp::from_micros(0).plus(DAY));
        let told: Vec<(&str, usize, bool, Option<&str>)> = lines
            .iter()
            .map(|line| {
                (
                    line.name.as_str(),
                    line.others,
                    line.is_queued,
                    line.failure,
                )
            })
            .collect();
        let why = Some("the source could not be reached");
        assert_eq!(
            told,
            [
                ("skill 1", 0, false, None),
                ("skill 3", 1, true, None),
                ("skill 5", 0, false, why)
            ]
        );
        assert_eq!(
            lines[2].again,
            "/new?source=https%3A%2F%2Fkiln.example%2Fa+b"
        );
        let later = listed(&rows, Timestamp::from_micros(1).plus(DAY));
        assert_eq!(later.len(), 2, "a failure of yesterday is history");
    }
}
