//! Owns the caller's library: `GET /api/skills` and `GET /api/skills/{id}` (decision 35).

use crate::domain::id::SkillId;
use crate::domain::skill::{Report, SkillFilter, SkillLine, StoredSkill};
use crate::http::caller::Caller;
use crate::http::context::Context;
use crate::http::error::{OnApp, Problem};
use crate::http::query::Query;
use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;

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
            validation: stored.skill.report,
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
        limit: number("limit", 1)?,
        offset: number("offset", 0)?.unwrap_or(0),
    };
    let skills = Context::of(&req)
        .services
        .library
        .skills(caller.user_id, filter)
        .await?;
    let skills = skills.into_iter().map(Line::from).collect();
    Ok(HttpResponse::Ok().json(Listed { skills }))
}

/// Answers `GET /api/skills/{id}`.
pub(in crate::http) async fn get(caller: Caller, req: HttpRequest) -> Result<HttpResponse, OnApp> {
    let id = req
        .match_info()
        .get("id")
        .and_then(SkillId::from_public)
        .ok_or_else(Problem::not_found)?;
    let library = &Context::of(&req).services.library;
    let stored = library
        .skill(caller.user_id, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    Ok(HttpResponse::Ok().json(Skill::from(stored)))
}
