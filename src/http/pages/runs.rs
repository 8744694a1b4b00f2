//! Owns what people see of runs: `/runs/{id}`, how one stands and what it made, and those that are under way or failed of late.

use crate::domain::clock::Timestamp;
use crate::domain::generation::{Generation, Status};
use crate::domain::id::{RunId, UserId};
use crate::http::context::Context;
use crate::http::download;
use crate::http::error::Problem;
use crate::http::pages::frame::{self, Frame};
use crate::http::pages::moment::Moment;
use crate::http::pages::refusal::{OnPage, sentence};
use crate::http::pages::session::Member;
use crate::services::accounts::Unavailable;
use crate::services::library::Standing;
use actix_web::{HttpRequest, HttpResponse};
use askama::Template;
use skillkiln_document::failure::Reason;
use std::time::Duration;
use url::form_urlencoded;

/// Rows of the history that are looked at for runs that have not ended well.
const LOOKED_AT: u32 = 100;
/// How long a failure is shown in the library; the account's history keeps it.
const FAILURE_SHOWN_FOR: Duration = Duration::from_secs(24 * 3600);
/// Runs that are listed.
const LISTED_MAX: usize = 10;
/// Seconds after which a page without script looks again: at first, and at most.
const LOOK_AGAIN_S: (u64, u64) = (2, 15);

#[derive(Template)]
#[template(path = "run.html")]
struct RunPage {
    frame: Frame,
    label: String,
    is_queued: bool,
    failure: Option<String>,
    refunded: u32,
    again: String,
    /// Seconds after which the page looks again.
    look_again_s: u64,
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
        look_again_s: look_again_s(age_of(id, Context::of(&req).clock.now())),
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

/// How long ago a run was ordered: its identity says when it was made.
fn age_of(id: RunId, now: Timestamp) -> Duration {
    let ordered = id.0.get_timestamp().map(|at| at.to_unix());
    let (seconds, _) = ordered.unwrap_or_default();
    let since_1970 = now.since(Timestamp::from_micros(0));
    since_1970.saturating_sub(Duration::from_secs(seconds))
}

/// After 2, 4, 8 seconds and so on: the older a run, the longer it takes. Several tabs must leave room on the account's window.
fn look_again_s(age: Duration) -> u64 {
    let (first, most) = LOOK_AGAIN_S;
    (age.as_secs() + first).min(most)
}

fn made(member: &Member, id: RunId, standing: Standing) -> HttpResponse {
    match (standing.skills.as_slice(), &standing.index) {
        ([only], None) => {
            return frame::see_other(&format!("/library/{}?said=made", only.skill_id.public()));
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
        skills: skills
            .map(|made| (made.skill_id.public(), made.skill.name.clone()))
            .collect(),
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
        Reason::NotCovered => "the source has nothing on a topic",
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
    pub(super) since: Moment,
    /// Why it failed; `None` while it is under way.
    pub(super) failure: Option<&'static str>,
    pub(super) is_queued: bool,
    /// Its page.
    pub(super) href: String,
    pub(super) again: String,
}

/// The page of the run that a row of the history belongs to: a catalogue has its run's identity, and a single skill's row has it too
/// (decision 15).
pub(super) fn page_of(row: &Generation) -> String {
    format!("/runs/{}", RunId(row.catalogue_id.unwrap_or(row.id.0)))
}

/// What the library lists of runs beside the skills; the newest first, a catalogue once.
#[derive(Default)]
pub(super) struct Listed {
    /// Those that are under way, and those that failed of late.
    pub(super) unfinished: Vec<RunLine>,
    /// The catalogues that are made: their index is on the page of their run alone.
    pub(super) catalogues: Vec<RunLine>,
}

impl Listed {
    /// The account's.
    pub(super) async fn of(context: &Context, user_id: UserId) -> Result<Self, Unavailable> {
        let library = &context.services.library;
        let (rows, _) = library.generations(user_id, LOOKED_AT, 0).await?;
        Ok(Self::among(&rows, context.clock.now()))
    }

    fn among(rows: &[Generation], now: Timestamp) -> Self {
        let oldest = now.minus(FAILURE_SHOWN_FOR);
        let is_unfinished = |row: &Generation| match row.status {
            Status::Queued | Status::Running => true,
            Status::Failed => row.created_at >= oldest,
            Status::Completed => false,
        };
        let is_catalogue =
            |row: &Generation| row.status == Status::Completed && row.catalogue_id.is_some();
        Self {
            unfinished: lines(rows, is_unfinished),
            catalogues: lines(rows, is_catalogue),
        }
    }
}

fn lines(rows: &[Generation], shown: impl Fn(&Generation) -> bool) -> Vec<RunLine> {
    let rows: Vec<&Generation> = rows.iter().filter(|row| shown(row)).collect();
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
        since: Moment::at(row.created_at),
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
    fn a_page_looks_again_ever_more_seldom() {
        let ordered = Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000);
        let (ordered_s, _) = ordered.get_timestamp().expect("an instant").to_unix();
        let at = |seconds: u64| {
            let now =
                Timestamp::from_micros(i64::try_from(ordered_s).expect("an instant") * 1_000_000);
            look_again_s(age_of(
                RunId(ordered),
                now.plus(Duration::from_secs(seconds)),
            ))
        };
        assert_eq!([0, 2, 6, 14, 3_600].map(at), [2, 4, 8, 15, 15]);
    }

    #[test]
    fn what_is_under_way_or_failed_of_late_is_listed_and_each_catalogue_once() {
        let rows = [
            row(1, Status::Running, None),
            row(2, Status::Completed, None),
            row(3, Status::Queued, Some(9)),
            row(4, Status::Queued, Some(9)),
            row(5, Status::Failed, None),
            row(6, Status::Completed, Some(10)),
            row(7, Status::Completed, Some(10)),
        ];
        let listed = Listed::among(&rows, Timestamp::from_micros(0).plus(DAY));
        let made: Vec<(&str, usize)> = listed
            .catalogues
            .iter()
            .map(|line| (line.name.as_str(), line.others))
            .collect();
        assert_eq!(made, [("skill 6", 1)]);
        let lines = listed.unfinished;
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
        assert_eq!(
            lines[1].href,
            format!("/runs/{}", Uuid::from_u128(9)),
            "a catalogue has its run's identity"
        );
        let later = Listed::among(&rows, Timestamp::from_micros(1).plus(DAY));
        assert_eq!(
            later.unfinished.len(),
            2,
            "a failure of yesterday is history"
        );
    }
}
