//! Owns the caller's library: `GET /api/skills` (decision 35), and reading, writing and deleting `/api/skills/{id}` (decisions 36 and 37).

use crate::domain::clock::Timestamp;
use crate::domain::id::SkillId;
use crate::domain::skill::{Removed, SkillFilter, SkillLine, SkillOrder, StoredSkill};
use crate::http::authored::Authored;
use crate::http::body;
use crate::http::caller::Caller;
use crate::http::context::Context;
use crate::http::download;
use crate::http::error::{Kind, OnApp, Problem};
use crate::http::paging;
use crate::http::query::Query;
use crate::services::library::changes::Update;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::{Deserialize, Serialize};
use skillkiln_skills::report::Report;

#[derive(Serialize)]
struct Listed {
    skills: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    id: String,
    name: String,
    description: String,
    category: String,
    word_count: u32,
    is_public: bool,
    created_at: String,
    updated_at: String,
}

impl From<SkillLine> for Line {
    fn from(line: SkillLine) -> Self {
        Self {
            id: line.id.public(),
            name: line.name,
            description: line.description,
            category: line.category,
            word_count: line.word_count,
            is_public: line.is_public,
            created_at: line.created_at.iso(),
            updated_at: line.updated_at.iso(),
        }
    }
}

#[derive(Serialize)]
struct Skill {
    id: String,
    name: String,
    description: String,
    category: String,
    content: String,
    word_count: u32,
    is_public: bool,
    validation: Report,
    metadata: Authored,
    created_at: String,
    updated_at: String,
}

impl From<StoredSkill> for Skill {
    fn from(stored: StoredSkill) -> Self {
        Self {
            id: stored.id.public(),
            name: stored.skill.name,
            description: stored.skill.description,
            category: stored.skill.category,
            content: stored.skill.content,
            word_count: stored.skill.word_count,
            is_public: stored.is_public,
            metadata: Authored::of(&stored.skill.report),
            validation: Report {
                bill: None,
                ..stored.skill.report
            },
            created_at: stored.created_at.iso(),
            updated_at: stored.updated_at.iso(),
        }
    }
}

/// Answers `GET /api/skills`.
pub(in crate::http) async fn list(caller: Caller, req: HttpRequest) -> Result<HttpResponse, OnApp> {
    let query = Query::of(&req);
    let wish = |name| {
        let text = query
            .text(name)?
            .map(str::trim)
            .filter(|text| !text.is_empty());
        Ok::<_, Problem>(text.map(str::to_owned))
    };
    let number = |name, least| {
        let number = query.number(name, least, i64::from(u32::MAX))?;
        Ok::<_, Problem>(number.and_then(|number| u32::try_from(number).ok()))
    };
    let filter = SkillFilter {
        query: wish("q")?,
        category: wish("category")?,
        order: SkillOrder::Changed,
        limit: number("limit", 1)?,
        offset: number("offset", 0)?.unwrap_or(0),
    };
    let library = &Context::of(&req).services.library;
    let skills = library.skills(caller.user_id, filter.clone()).await?;
    let shown = skills.len() as u64;
    let listed = Listed {
        skills: skills.into_iter().map(Line::from).collect(),
    };
    let mut response = download::json(&req, &listed)?;
    // Only a page that is full may have another behind it.
    if let Some(limit) = filter.limit.filter(|limit| u64::from(*limit) == shown) {
        let next = u64::from(filter.offset) + shown;
        if next < library.skill_count(caller.user_id, filter).await? {
            paging::link_next(&req, &mut response, limit, next);
        }
    }
    Ok(response)
}

/// The skill that a path names, in either of its spellings (decision 15). A malformed id is one that is not there (decision 5).
pub(in crate::http) fn id_of(req: &HttpRequest) -> Result<SkillId, Problem> {
    req.match_info()
        .get("id")
        .and_then(SkillId::from_either)
        .ok_or_else(Problem::not_found)
}

/// Answers `GET /api/skills/{id}`.
pub(in crate::http) async fn get(caller: Caller, req: HttpRequest) -> Result<HttpResponse, OnApp> {
    let id = id_of(&req)?;
    let library = &Context::of(&req).services.library;
    let stored = library
        .skill(caller.user_id, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    let tag = tag(stored.updated_at, stored.is_public);
    if download::has_already(&req, &tag) {
        return Ok(download::not_modified(tag));
    }
    Ok(HttpResponse::Ok()
        .insert_header((header::ETAG, tag))
        .insert_header((header::CACHE_CONTROL, download::ASK_AGAIN))
        .json(Skill::from(stored)))
}

#[derive(Deserialize)]
struct NewContent {
    content: String,
}

#[derive(Serialize)]
struct Updated {
    id: String,
    word_count: u32,
    validation: Report,
    updated_at: String,
}

/// Whether a text can be a SKILL.md that its owner writes. What is saved is saved to the letter, so what no text of a database can
/// hold is refused and never replaced.
pub(in crate::http) fn sound(name: &str, content: &str, bytes_max: usize) -> Result<(), Problem> {
    if content.trim().is_empty() {
        let message = format!("{name} is empty; it must be the whole SKILL.md");
        return Err(Problem::invalid(message));
    }
    if let Some(line) = content.lines().position(|line| line.contains('\0')) {
        let line = line + 1;
        return Err(Problem::invalid(format!(
            "{name} holds a NUL character in line {line}, which no text may hold; remove it"
        )));
    }
    if content.len() > bytes_max {
        return Err(Problem::new(
            Kind::TooLarge,
            format!(
                "{name} is larger than {}; move parts of it into reference files",
                body::spoken(bytes_max)
            ),
        ));
    }
    Ok(())
}

/// Answers `PUT /api/skills/{id}`.
pub(in crate::http) async fn put(
    caller: Caller,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnApp> {
    let context = Context::of(&req);
    let limits = &context.settings.limits;
    let expected = if_match(&req)?;
    // JSON may spell each byte of the text in six.
    let body_bytes_max = limits
        .skill_bytes_max
        .saturating_mul(6)
        .saturating_add(1 << 10);
    let NewContent { content } = body::json(&req, payload, body_bytes_max, limits).await?;
    sound("content", &content, limits.skill_bytes_max)?;
    let id = id_of(&req)?;
    let library = &context.services.library;
    match library
        .update(caller.user_id, id, expected, content)
        .await?
    {
        Update::Saved {
            word_count,
            report,
            updated_at,
            is_public,
        } => Ok(HttpResponse::Ok()
            .insert_header((header::ETAG, tag(updated_at, is_public)))
            .json(Updated {
                id: id.public(),
                word_count,
                validation: report,
                updated_at: updated_at.iso(),
            })),
        Update::Stale => Err(stale().into()),
        Update::Missing => Err(Problem::not_found().into()),
    }
}

/// Answers `DELETE /api/skills/{id}`.
pub(in crate::http) async fn delete(
    caller: Caller,
    req: HttpRequest,
) -> Result<HttpResponse, OnApp> {
    let expected = if_match(&req)?;
    let id = id_of(&req)?;
    let library = &Context::of(&req).services.library;
    match library.delete(caller.user_id, id, expected).await? {
        Removed::Gone => Ok(HttpResponse::NoContent().finish()),
        Removed::Stale => Err(stale().into()),
        Removed::Missing => Err(Problem::not_found().into()),
    }
}

fn stale() -> Problem {
    Problem::new(
        Kind::PreconditionFailed,
        "the skill was changed since you read it; read it again and repeat your change",
    )
}

/// What a public skill's tag has at its end: who can read it is part of what is answered.
const PUBLIC: &str = "-public";

/// What names a state of a skill: when its text last changed, and who can read it.
fn tag(updated_at: Timestamp, is_public: bool) -> String {
    let public = if is_public { PUBLIC } else { "" };
    format!("\"{}{public}\"", updated_at.micros())
}

/// The states of the skill that the client would overwrite or delete, whoever could read it; `None` when it does not say, or says any.
fn if_match(req: &HttpRequest) -> Result<Option<Vec<Timestamp>>, Problem> {
    let mut expected = None;
    for value in req.headers().get_all(header::IF_MATCH) {
        let value = value
            .to_str()
            .map_err(|_| Problem::invalid("If-Match must be ASCII"))?;
        let states = expected.get_or_insert_with(Vec::new);
        for given in value.split(',').map(str::trim) {
            if given == "*" {
                return Ok(None);
            }
            let state = given
                .strip_prefix('"')
                .and_then(|given| given.strip_suffix('"'))
                .map(|given| given.strip_suffix(PUBLIC).unwrap_or(given))
                .and_then(|given| given.parse().ok());
            states.extend(state.map(Timestamp::from_micros));
        }
    }
    Ok(expected)
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    #[test]
    fn if_match_names_states_and_what_is_no_tag_of_ours_names_none() {
        let read = |values: &[&str]| {
            let mut request = TestRequest::default();
            for value in values {
                request = request.append_header(("If-Match", *value));
            }
            if_match(&request.to_http_request())
        };
        let at = Timestamp::from_micros;
        assert_eq!(read(&[]), Ok(None));
        assert_eq!(read(&["*"]), Ok(None));
        assert_eq!(read(&["\"7\""]), Ok(Some(vec![at(7)])));
        assert_eq!(
            read(&["\"7\", \"8\"", "\"9\""]),
            Ok(Some(vec![at(7), at(8), at(9)]))
        );
        assert_eq!(read(&["\"7-public\""]), Ok(Some(vec![at(7)])));
        for stale in ["", "7", "W/\"7\"", "\"x\"", "\""] {
            assert_eq!(read(&[stale]), Ok(Some(vec![])), "{stale}");
        }
    }
}
