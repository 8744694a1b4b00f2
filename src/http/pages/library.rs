//! Owns `/library`: what somebody has, searched, sorted and leafed through; and taking over a copy of a public skill.

use crate::domain::id::SkillId;
use crate::domain::skill::{SkillFilter, SkillLine, SkillOrder};
use crate::http::context::Context;
use crate::http::error::Problem;
use crate::http::pages::fields::{self, Fields};
use crate::http::pages::frame::{self, Frame};
use crate::http::pages::moment::Moment;
use crate::http::pages::refusal::OnPage;
use crate::http::pages::runs::Listed;
use crate::http::pages::session::Member;
use crate::http::query::Query;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use url::form_urlencoded;

/// Skills of a page.
const PER_PAGE: u32 = 24;
/// Characters of a search that are looked at.
const WORDS_CHARS_MAX: usize = 200;
/// Categories that are offered; a library has a handful.
const CATEGORIES_MAX: usize = 100;

const ORDERS: [(&str, &str, SkillOrder); 4] = [
    ("changed", "Last changed", SkillOrder::Changed),
    ("made", "Newest", SkillOrder::Made),
    ("name", "Name", SkillOrder::Name),
    ("words", "Longest", SkillOrder::Words),
];

#[derive(Template)]
#[template(path = "library.html")]
struct LibraryPage {
    frame: Frame,
    words: String,
    categories: Vec<Choice>,
    orders: Vec<Choice>,
    skills: Vec<Card>,
    runs: Listed,
    total: u64,
    is_filtered: bool,
    number: u32,
    last: u32,
    before: Option<String>,
    after: Option<String>,
}

/// One of the options of a list.
struct Choice {
    value: String,
    text: String,
    is_chosen: bool,
}

/// A skill in the list.
struct Card {
    href: String,
    name: String,
    description: String,
    category: String,
    word_count: u32,
    is_public: bool,
    changed: Moment,
}

impl From<SkillLine> for Card {
    fn from(line: SkillLine) -> Self {
        Self {
            href: format!("/library/{}", line.id.public()),
            name: line.name,
            description: line.description,
            category: line.category,
            word_count: line.word_count,
            is_public: line.is_public,
            changed: Moment::day(line.updated_at),
        }
    }
}

/// Answers `GET /library`.
pub(in crate::http) async fn get(member: Member, req: HttpRequest) -> Result<HttpResponse, OnPage> {
    let query = Query::of(&req);
    let text = |name: &str| Ok::<_, Problem>(query.text(name)?.unwrap_or_default().trim());
    let words: String = text("q")?.chars().take(WORDS_CHARS_MAX).collect();
    let category = text("category")?.to_owned();
    let (sort, _, order) = ORDERS
        .into_iter()
        .find(|(word, _, _)| text("sort").is_ok_and(|sort| sort == *word))
        .unwrap_or(("changed", "", SkillOrder::Changed));
    let wanted: u32 = text("page")?.parse().unwrap_or(1);
    let library = &Context::of(&req).services.library;
    let user_id = member.user_id();
    let filter = SkillFilter {
        query: Some(words.clone()).filter(|words| !words.is_empty()),
        category: Some(category.clone()).filter(|category| !category.is_empty()),
        order,
        limit: Some(PER_PAGE),
        offset: 0,
    };
    let is_filtered = filter.query.is_some() || filter.category.is_some();
    let total = library.skill_count(user_id, filter.clone()).await?;
    let last = u32::try_from(total.div_ceil(u64::from(PER_PAGE)))
        .unwrap_or(u32::MAX)
        .max(1);
    let number = wanted.clamp(1, last);
    let offset = (number - 1).saturating_mul(PER_PAGE);
    let skills = library
        .skills(user_id, SkillFilter { offset, ..filter })
        .await?;
    let runs = match is_filtered || number > 1 {
        true => Listed::default(),
        false => Listed::of(Context::of(&req), user_id).await?,
    };
    let categories = library.categories(user_id).await?;
    let categories = categories
        .into_iter()
        .filter(|(name, _)| !name.is_empty())
        .take(CATEGORIES_MAX)
        .map(|(name, count)| Choice {
            text: format!("{name} ({count})"),
            is_chosen: name == category,
            value: name,
        })
        .collect();
    let orders = ORDERS.map(|(word, text, _)| Choice {
        value: word.to_owned(),
        text: text.to_owned(),
        is_chosen: word == sort,
    });
    let page = |number: u32| {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in [("q", &words), ("category", &category)] {
            if !value.is_empty() {
                query.append_pair(name, value);
            }
        }
        query.append_pair("sort", sort);
        query.append_pair("page", &number.to_string());
        format!("/library?{}", query.finish())
    };
    Ok(frame::page(&LibraryPage {
        frame: member.frame("Library", "/library"),
        before: (number > 1).then(|| page(number - 1)),
        after: (number < last).then(|| page(number + 1)),
        categories,
        orders: orders.into(),
        runs,
        skills: skills.into_iter().map(Card::from).collect(),
        total,
        is_filtered,
        number,
        last,
        words,
    }))
}

#[derive(Template)]
#[template(path = "copy.html")]
struct CopyPage {
    frame: Frame,
    id: String,
    name: String,
    description: String,
}

fn public_id(text: &str) -> Result<SkillId, Problem> {
    SkillId::from_public(text).ok_or_else(Problem::not_found)
}

/// Answers `GET /library/copy?from=sk_…`: asks before a public skill is copied.
pub(in crate::http) async fn copy_form(
    member: Member,
    req: HttpRequest,
) -> Result<HttpResponse, OnPage> {
    let id = public_id(Query::of(&req).text("from")?.unwrap_or_default())?;
    let library = &Context::of(&req).services.library;
    let shared = library.public_skill(id).await?;
    let skill = shared.ok_or_else(Problem::not_found)?.skill;
    Ok(frame::page(&CopyPage {
        frame: member.frame("Copy a skill", "/library"),
        id: id.public(),
        name: skill.name,
        description: skill.description,
    }))
}

/// Answers `POST /library/copy`.
pub(in crate::http) async fn copy(
    member: Member,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let id = public_id(fields.text("from")?)?;
    let library = &Context::of(&req).services.library;
    let copy = library.duplicate(member.user_id(), id).await?;
    let copy = copy.ok_or_else(Problem::not_found)?;
    let to = format!("/library/{}?said=copied", copy.id.public());
    Ok(frame::see_other(&to))
}
