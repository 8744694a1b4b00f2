//! Owns `/`: what the service is, to a person who comes by, and `/try`: a text of theirs made into a skill without an account.
//!
//! What is tried is charged to nobody, saved nowhere and limited by address.

use crate::domain::address;
use crate::domain::not_text;
use crate::domain::skill::Skill;
use crate::http::context::Context;
use crate::http::error::{Kind, Problem};
use crate::http::pages::entrance::{again, told};
use crate::http::pages::fields::Fields;
use crate::http::pages::frame::{self, Frame};
use crate::http::pages::refusal::{OnPage, sentence};
use crate::http::pages::session::{frame_for_anybody, whence};
use crate::services::looks::{Looker, NoLook};
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use skillkiln_document::failure::Reason;
use skillkiln_skills::report::Report;
use skillkiln_skills::skill::Reference;
use std::borrow::Cow;

/// Most characters of a text that is tried.
const CHARS_MAX: usize = 20_000;
const CHARS_SPOKEN: &str = "20,000";
/// Most bytes of its form: each byte of a character may take three.
const FORM_BYTES_MAX: usize = 3 * 4 * CHARS_MAX + 1_024;

#[derive(Template)]
#[template(path = "landing.html")]
struct Landing<'a> {
    frame: Frame,
    public_url: &'a str,
    chars_max: &'static str,
    welcome: u32,
    text: String,
    wrong: Option<String>,
    tried: Option<Tried>,
}

/// A skill that came of a text.
struct Tried {
    content: String,
    references: Vec<Reference>,
    words: usize,
    errors: u32,
    warnings: u32,
    passed: usize,
}

impl From<(Skill, Report)> for Tried {
    fn from((skill, report): (Skill, Report)) -> Self {
        Self {
            content: skill.content,
            references: skill.references,
            words: skill.word_count,
            errors: report.errors,
            warnings: report.warnings,
            passed: report.checks.iter().filter(|check| check.passed).count(),
        }
    }
}

async fn landing<'a>(req: &'a HttpRequest, text: &str) -> Result<Landing<'a>, OnPage> {
    let context = Context::of(req);
    Ok(Landing {
        frame: frame_for_anybody(req, "Turn a source into a skill").await?,
        public_url: &context.settings.public_url,
        chars_max: CHARS_SPOKEN,
        welcome: context.services.members.rules().welcome,
        text: text.to_owned(),
        wrong: None,
        tried: None,
    })
}

/// Answers `GET /`.
pub(in crate::http) async fn get(req: HttpRequest) -> Result<HttpResponse, OnPage> {
    Ok(frame::page(&landing(&req, "").await?))
}

/// Answers `POST /try`.
pub(in crate::http) async fn try_text(
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let fields = Fields::read(&req, payload, FORM_BYTES_MAX).await?;
    let text = fields.text("text")?;
    match tried(&req, text).await? {
        Ok(made) => Ok(frame::page(&Landing {
            tried: Some(made.into()),
            ..landing(&req, text).await?
        })),
        Err(problem) => {
            let page = Landing {
                wrong: Some(sentence(problem.message())),
                ..landing(&req, text).await?
            };
            Ok(again(&problem, &page))
        }
    }
}

/// Why nothing is made of a text that was pasted here; `None` where it may be tried.
fn no_text(text: &str, words_min: usize) -> Option<Cow<'static, str>> {
    if address::web_address(text.trim()).is_some() {
        return Some("an address is read with an account; paste the text itself here".into());
    }
    match not_text::mistaken(text) {
        Some(mistake) => Some(mistake.advice_on_page().into()),
        None => not_text::too_short_inside(text, words_min).map(Cow::from),
    }
}

async fn tried(req: &HttpRequest, text: &str) -> Result<Result<(Skill, Report), Problem>, OnPage> {
    if text.trim().is_empty() {
        return Ok(Err(Problem::invalid(
            "paste a text first: a guide, notes, a transcript",
        )));
    }
    // Browsers send a line end as two characters; a person counts one.
    let chars = text.chars().filter(|c| *c != '\r').count();
    if chars > CHARS_MAX {
        return Ok(Err(Problem::new(
            Kind::TooLarge,
            format!(
                "this text has {chars} characters and {CHARS_SPOKEN} can be tried here; with an account it may be far longer"
            ),
        )));
    }
    let context = Context::of(req);
    if let Some(refusal) = no_text(text, context.settings.words_min) {
        return Ok(Err(Problem::invalid(refusal)));
    }
    let services = &context.services;
    if let Err(refusal) = services.members.may_try(&whence(req)).await {
        return told(refusal).map(Err);
    }
    let looker = Looker::at(whence(req).address);
    let made = services
        .engine
        .try_text(looker, text.replace("\r\n", "\n"))
        .await;
    Ok(made.map_err(|why| match why {
        NoLook::Failed(failure)
            if !matches!(failure.reason, Reason::Internal | Reason::Deadline) =>
        {
            Problem::invalid(failure.message)
        }
        why => why.into(),
    }))
}
