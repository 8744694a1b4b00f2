//! Owns `/new`: from a source to a skill. The form asks for a file, an address or a text; looking first suggests the metadata and offers
//! the topics of a source that is better served by several skills; then the run is told live, or shown on a page of its own.

use crate::domain::generation::{Hears, Order};
use crate::domain::id::RunId;
use crate::domain::not_text;
use crate::domain::quota::Surface;
use crate::domain::source::Source;
use crate::domain::source_kind::SourceKind;
use crate::domain::topic::Topic;
use crate::http::app::progress;
use crate::http::context::Context;
use crate::http::error::{Kind, Problem};
use crate::http::form::line;
use crate::http::pages::assets::Assets;
use crate::http::pages::frame::{self, Frame, Who};
use crate::http::pages::given::{Failed, Sent, Typed, read};
use crate::http::pages::press::{self, Press, Pressed};
use crate::http::pages::refusal::{OnPage, sentence, wants_a_stream};
use crate::http::pages::session::{Admitted, MakingMember, Member};
use crate::http::query::Query;
use crate::http::v1::source::kind_of;
use crate::pipeline::author::Estimate;
use crate::services::engine::Request;
use crate::services::engine::free::Look;
use crate::services::looks::Looker;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use skillkiln_skills::kind::{KINDS, Row};
use url::form_urlencoded;

/// Bytes of a text that is led back to the form in its address.
const LED_BYTES_MAX: usize = 4_000;

#[derive(Template)]
#[template(path = "new.html")]
struct NewPage {
    frame: Frame,
    /// Of this rendering: what it orders is paid once.
    press: String,
    wrong: Option<String>,
    /// Whether it is for want of credits.
    is_short: bool,
    typed: Typed,
    files_max: usize,
    file_bytes_max: usize,
    request_bytes_max: usize,
    pages_max: u32,
    has_model: bool,
    looked: bool,
    topics: Vec<Topic>,
    should_catalogue: bool,
    words: usize,
    /// What a model would take for one skill, and for one of each topic.
    estimates: Vec<Estimate>,
    /// The addresses that were given, when they are several: each can become a skill.
    several: Vec<String>,
}

impl NewPage {
    fn of<const GENERATES: bool>(member: &Admitted<GENERATES>, context: &Context) -> Self {
        let limits = &context.settings.limits;
        Self {
            frame: member.frame("New skill", "/new"),
            press: press::token(),
            wrong: None,
            is_short: false,
            typed: Typed::default(),
            files_max: limits.files_max,
            file_bytes_max: limits.file_bytes_max,
            request_bytes_max: limits.request_bytes_max,
            pages_max: context.settings.site_pages_max,
            has_model: context.services.engine.has_model(),
            looked: false,
            topics: vec![],
            should_catalogue: false,
            words: 0,
            estimates: vec![],
            several: vec![],
        }
    }

    /// What the button says that makes a skill of each address.
    fn each(&self) -> String {
        let count = self.several.len();
        match self.frame.purse() {
            Some(purse) => format!("Make {count} skills · {count} credits (you have {purse})"),
            None => format!("Make {count} skills"),
        }
    }

    /// What the button says with several topics chosen; the script puts their number in the place of `{n}`.
    fn several(&self) -> String {
        match self.frame.purse() {
            Some(purse) => format!("Make {{n}} skills · {{n}} credits (you have {purse})"),
            None => "Make {n} skills".to_owned(),
        }
    }

    /// What it says otherwise: one topic, or none for the whole.
    fn one(&self) -> String {
        match self.frame.purse() {
            Some(purse) => format!("Make the skill · 1 credit (you have {purse})"),
            None => "Make the skill".to_owned(),
        }
    }

    /// What a model would take, in words; they begin with the skills that it is for where that is not the only way.
    fn estimated(&self) -> Vec<String> {
        let named: &[&str] = match self.estimates.len() {
            0 | 1 => &["The model will take "],
            _ => &["One skill of the whole: ", "One of each topic: "],
        };
        let told = named.iter().zip(&self.estimates);
        told.map(|(named, one)| {
            let (read, written) = (hundreds(one.tokens.input), hundreds(one.tokens.output));
            let cost = match one.cost {
                cost if cost > 0.0 => format!(", about {cost:.4} by the prices set"),
                _ => String::new(),
            };
            let bound = match one.is_too_much {
                true => ". That is more than a run may use here: the text is then made without the model, and costs nothing",
                false => "",
            };
            format!(
                "{named}about {read} tokens to read and {written} to write{cost}{bound}."
            )
        })
        .collect()
    }

    fn kinds() -> &'static [Row] {
        &KINDS
    }

    fn assets(&self) -> &'static Assets {
        Assets::get()
    }
}

/// Answers `GET /new`.
pub(in crate::http) async fn get(member: Member, req: HttpRequest) -> Result<HttpResponse, OnPage> {
    let mut page = NewPage::of(&member, Context::of(&req));
    // A link may bring the source along; it is made of nothing before a button is pressed.
    page.typed.text = Query::of(&req)
        .text("source")?
        .unwrap_or_default()
        .to_owned();
    page.several = not_text::addresses(&page.typed.text).unwrap_or_default();
    Ok(frame::page(&page))
}

/// Answers `POST /new/look`: what the source suggests, before anything is paid.
pub(in crate::http) async fn look(
    member: Member,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let context = Context::of(&req);
    let Sent { source, typed, .. } = match read(&member, &req, payload).await {
        Ok(sent) => sent,
        Err(failed) => return Ok(again(&member, context, *failed)),
    };
    let looker = Looker::Account(member.user_id());
    let Look {
        suggestion,
        topics: found,
        estimates,
    } = match context.services.engine.look(looker, source).await {
        Ok(found) => found,
        Err(failure) => {
            // The source is of no use, so another one is asked for.
            let typed = Typed {
                kept: vec![],
                all_topics: String::new(),
                ..typed
            };
            let problem = Problem::from(failure);
            return Ok(again(&member, context, Failed { typed, problem }));
        }
    };
    let or = |typed: String, suggested: String| {
        if typed.trim().is_empty() {
            suggested
        } else {
            typed
        }
    };
    // No more are chosen beforehand than can be paid.
    let payable = match member.who.is_unlimited {
        true => usize::MAX,
        false => member.who.credits as usize,
    };
    let chosen = if found.should_catalogue { payable } else { 0 };
    Ok(frame::page(&NewPage {
        typed: Typed {
            text: if typed.kept.is_empty() {
                typed.text
            } else {
                String::new()
            },
            name: or(typed.name, suggestion.name),
            description: or(typed.description, suggestion.description),
            category: or(typed.category, suggestion.category),
            kind: typed.kind,
            max_pages: typed.max_pages,
            all_topics: serde_json::to_string(&found.topics).unwrap_or_default(),
            chosen: found
                .topics
                .iter()
                .take(chosen)
                .map(|topic| topic.slug.clone())
                .collect(),
            kept: typed.kept,
        },
        looked: true,
        topics: found.topics,
        should_catalogue: found.should_catalogue,
        words: found.word_count,
        estimates,
        ..NewPage::of(&member, context)
    }))
}

/// A number that is not known to the last digits.
fn hundreds(number: u64) -> u64 {
    number.div_ceil(100) * 100
}

/// The form again, with what was typed, sent and offered, and what was wrong.
fn again<const GENERATES: bool>(
    member: &Admitted<GENERATES>,
    context: &Context,
    failed: Failed,
) -> HttpResponse {
    let Failed { mut typed, problem } = failed;
    let looked = !typed.kept.is_empty();
    if looked {
        typed.text.clear();
    }
    let status = problem.status(Surface::Application);
    let page = NewPage {
        several: match looked {
            true => vec![],
            false => not_text::addresses(&typed.text).unwrap_or_default(),
        },
        wrong: Some(sentence(problem.message())),
        is_short: status == StatusCode::PAYMENT_REQUIRED,
        looked,
        topics: serde_json::from_str(&typed.all_topics).unwrap_or_default(),
        typed,
        ..NewPage::of(member, context)
    };
    frame::page_as(status, &page)
}

/// A refusal of an order; one for want of credits says how many are wanting.
fn counted(problem: Problem, skills: u32, who: &Who) -> Problem {
    if problem.status(Surface::Application) != StatusCode::PAYMENT_REQUIRED {
        return problem;
    }
    let have = match who.credits {
        0 => "none".to_owned(),
        some => some.to_string(),
    };
    let message = match skills {
        1 => format!("a skill costs 1 credit, and you have {have}"),
        _ => format!(
            "{skills} skills cost {skills} credits, and you have {have}: make fewer, or get more credits"
        ),
    };
    Problem::new(Kind::InsufficientCredits, message)
}

/// Answers `POST /new`: makes the skill, or one for each chosen topic. The script gets a stream, everybody else the page of the run.
pub(in crate::http) async fn post(
    member: MakingMember,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let context = Context::of(&req);
    let as_stream = wants_a_stream(req.head());
    let refuse = |failed: Failed| {
        if as_stream {
            // The page asks whether each of them shall become a skill.
            if let Some(offer) = offer_of(&failed.typed) {
                return offer;
            }
            as_json(&failed.problem)
        } else {
            again(&member, context, failed)
        }
    };
    let Sent {
        source,
        more,
        topics,
        typed,
    } = match read(&member, &req, payload).await {
        Ok(sent) => sent,
        Err(failed) => return Ok(refuse(*failed)),
    };
    let order = match wishes(&typed) {
        Ok(([name, description, category], kind)) => Order {
            source,
            name,
            description,
            category,
            kind,
            topics,
        },
        Err(problem) => return Ok(refuse(Failed { typed, problem })),
    };
    if !more.is_empty() {
        return Ok(match each(&member, &req, order, more).await {
            Ok(response) => response,
            Err((done, problem)) => {
                let typed = without_first(typed, done);
                refuse(Failed { typed, problem })
            }
        });
    }
    let skills = order.skill_count();
    let press = match Press::of(&req, "POST /new", &asked(&order)) {
        Ok(press) => press,
        Err(problem) => return Ok(refuse(Failed { typed, problem })),
    };
    let request = Request {
        user_id: member.user_id(),
        key_id: None,
        idempotency: None,
        order,
        replaces: None,
        hears: Hears::EachStage,
    };
    let ordered = ordered(context, press, request, as_stream).await;
    Ok(ordered.unwrap_or_else(|problem| {
        let problem = counted(problem, skills, &member.who);
        refuse(Failed { typed, problem })
    }))
}

/// The page that offers to make a skill of each of several addresses; none for anything else, or for what is too long to be led there.
fn offer_of(typed: &Typed) -> Option<HttpResponse> {
    not_text::addresses(&typed.text).filter(|_| typed.text.len() <= LED_BYTES_MAX)?;
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("source", &typed.text);
    Some(frame::see_other(&format!("/new?{}", query.finish())))
}

/// What was typed without the first of its addresses, of which skills are being made: nobody pays for them again.
fn without_first(mut typed: Typed, done: usize) -> Typed {
    if let Some(all) = not_text::addresses(&typed.text).filter(|_| done > 0) {
        typed.text = all.into_iter().skip(done).collect::<Vec<_>>().join("\n");
    }
    typed
}

/// Makes a skill of each of several addresses, in their order. What keeps the first one back is told in the form; what keeps a later one
/// back is told too, with how many go on: the error says how many.
async fn each(
    member: &MakingMember,
    req: &HttpRequest,
    first: Order,
    more: Vec<Source>,
) -> Result<HttpResponse, (usize, Problem)> {
    let none = |problem| (0, problem);
    let context = Context::of(req);
    let rest = more.into_iter().map(|source| Order {
        source,
        ..first.clone()
    });
    let orders: Vec<Order> = std::iter::once(first.clone()).chain(rest).collect();
    let count = orders.len();
    let mut presses = Vec::with_capacity(count);
    let mut new = 0;
    for order in &orders {
        let press = Press::of(req, "POST /new", &asked(order)).map_err(none)?;
        let is_new = press.is_new(context, member.user_id()).await;
        new += u32::from(is_new.map_err(none)?);
        presses.push(press);
    }
    if !member.who.is_unlimited && member.who.credits < new {
        let problem = Problem::new(Kind::InsufficientCredits, "");
        return Err(none(counted(problem, new, &member.who)));
    }
    for (done, (order, press)) in orders.into_iter().zip(presses).enumerate() {
        let request = Request {
            user_id: member.user_id(),
            key_id: None,
            idempotency: None,
            order,
            replaces: None,
            hears: Hears::TheEnd,
        };
        if let Err(problem) = ordered(context, press, request, false).await {
            let problem = match done {
                0 => problem,
                _ => Problem::invalid(format!(
                    "{done} of {count} skills are being made and are in your library soon; the next was refused and not charged: {}",
                    problem.message()
                )),
            };
            return Err((done, problem));
        }
    }
    Ok(frame::see_other("/library?said=ordered"))
}

/// The wanted name, description and category, and what the source is said to be.
fn wishes(typed: &Typed) -> Result<([Option<String>; 3], Option<SourceKind>), Problem> {
    let wished = [
        line("name", &typed.name, 200)?,
        line("description", &typed.description, 1_024)?,
        line("category", &typed.category, 64)?,
    ];
    let kind = Some(typed.kind.as_str()).filter(|kind| !kind.is_empty());
    Ok((wished, kind.map_or(Ok(None), kind_of)?))
}

/// What is asked for, the same however often it is sent: each time files arrive, they get other ids.
fn asked(order: &Order) -> Order {
    let mut asked = order.clone();
    if let Source::File { files } = &mut asked.source {
        files.iter_mut().for_each(|file| file.source_id = None);
    }
    asked
}

/// Begins the run of a press. The script is told it live, and where it is should the stream break; everybody else is led to its page, as
/// is who sent the same press again.
pub(super) async fn ordered(
    context: &Context,
    press: Press,
    request: Request,
    as_stream: bool,
) -> Result<HttpResponse, Problem> {
    let page_of = |id: RunId| format!("/runs/{id}");
    let run = match press.order(context, request).await? {
        Pressed::Begun(run) if as_stream => run,
        Pressed::Begun(run) => return Ok(frame::see_other(&page_of(run.run_id))),
        Pressed::Before(id) => return Ok(frame::see_other(&page_of(id))),
    };
    let place = HeaderValue::from_str(&page_of(run.run_id));
    let mut response = progress::telling(context, run);
    if let Ok(place) = place {
        response
            .headers_mut()
            .insert(header::CONTENT_LOCATION, place);
    }
    Ok(response)
}

/// A refusal as the script reads it.
pub(super) fn as_json(problem: &Problem) -> HttpResponse {
    problem.response(Surface::Application)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_which_skills_are_being_made_are_not_asked_for_again() {
        let typed = |text: &str| Typed {
            text: text.to_owned(),
            ..Typed::default()
        };
        let all = "https://kiln.example/a https://kiln.example/b\nhttps://kiln.example/c";
        assert_eq!(without_first(typed(all), 0).text, all);
        assert_eq!(without_first(typed(all), 2).text, "https://kiln.example/c");
    }
}
