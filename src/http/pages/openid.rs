//! Owns the ways in through somebody else who vouches for a person (OpenID Connect): the way there, the way back, and what
//! the account page does with identities.
//!
//! The way there is a page of ours that leads on by itself: the answer to a form may not lead to another site, as the policy has it.

use crate::domain::id::UserId;
use crate::http::context::Context;
use crate::http::cookie;
use crate::http::error::Problem;
use crate::http::pages::account::{self, Fresh};
use crate::http::pages::door::sign_in_page;
use crate::http::pages::entrance::{INSIDE, again, lead_in, parameter, told, welcome};
use crate::http::pages::fields::{self, Fields};
use crate::http::pages::frame::{self, Frame};
use crate::http::pages::refusal::{OnPage, sentence};
use crate::http::pages::session::{Member, local, token_of, whence};
use crate::services::members::Refusal;
use crate::services::members::openid::{Answer, Entered, Errand};
use actix_web::{FromRequest, HttpRequest, HttpResponse, ResponseError, web};
use askama::Template;

/// Longest invitation that is carried along.
const INVITE_LEN_MAX: usize = 256;

#[derive(Template)]
#[template(path = "leaving.html")]
struct Leaving {
    frame: Frame,
    label: String,
    address: String,
}

fn name_of(req: &HttpRequest) -> &str {
    req.match_info().get("provider").unwrap_or_default()
}

/// Sends a browser away with a keepsake.
async fn depart(req: &HttpRequest, errand: Errand) -> Result<HttpResponse, Refusal> {
    let context = Context::of(req);
    let members = &context.services.members;
    let departure = members.depart(name_of(req), errand, &whence(req)).await?;
    let mut response = frame::page(&Leaving {
        frame: Frame::bare(format!("To {}", departure.label)),
        label: departure.label,
        address: departure.address,
    });
    cookie::keep_journey(&mut response, &departure.keepsake, &context.settings);
    Ok(response)
}

/// Answers `POST /openid/{provider}`: the button on the pages for signing in and up.
pub(in crate::http) async fn begin(
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let next = local(fields.text("next")?).unwrap_or_default();
    let invite = fields.text("invite")?.trim();
    let errand = Errand::Enter {
        next: next.to_owned(),
        invite: invite.chars().take(INVITE_LEN_MAX).collect(),
    };
    match depart(&req, errand).await {
        Ok(response) => Ok(response),
        Err(refusal) => at_the_door(&req, next, refusal),
    }
}

/// Answers `POST /account/identities/{provider}/link`: the button on the account page.
pub(in crate::http) async fn begin_link(
    member: Member,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let current = fields.text("current")?.to_owned();
    let departed = async {
        may_change_ways(&req, &member, current).await?;
        depart(&req, Errand::Link(member.user_id())).await
    };
    match departed.await {
        Ok(response) => Ok(response),
        Err(refusal) => on_the_account(&req, &member, refusal).await,
    }
}

async fn may_change_ways(
    req: &HttpRequest,
    member: &Member,
    current: String,
) -> Result<(), Refusal> {
    let members = &Context::of(req).services.members;
    let session = member.signed_in.session_id;
    let allowed = members.may_change_ways(member.user_id(), session, current);
    allowed.await
}

/// Answers `GET /openid/{provider}/callback`: a browser comes back. What it kept is good once.
pub(in crate::http) async fn callback(req: HttpRequest) -> Result<HttpResponse, OnPage> {
    let settings = &Context::of(&req).settings;
    let mut response = match come_back(&req).await {
        Ok(response) => response,
        Err(refused) => refused.error_response(),
    };
    cookie::forget_journey(&mut response, settings);
    Ok(response)
}

async fn come_back(req: &HttpRequest) -> Result<HttpResponse, OnPage> {
    let context = Context::of(req);
    let members = &context.services.members;
    let answer = Answer {
        code: parameter(req, "code"),
        state: parameter(req, "state"),
        iss: Some(parameter(req, "iss")).filter(|iss| !iss.is_empty()),
        error: parameter(req, "error"),
    };
    let kept = cookie::journey_of(req.headers(), &context.settings);
    let journey = match members.arrive(name_of(req), kept, &answer) {
        Ok(journey) => journey,
        Err(refusal) => return at_the_door(req, "", refusal),
    };
    let whence = whence(req);
    let (next, invite) = match &journey.errand {
        Errand::Enter { next, invite } => (next.as_str(), invite.as_str()),
        Errand::Link(user_id) => {
            let member = still_there(req, *user_id).await?;
            let linked = members.link(&journey, *user_id, &answer, &whence);
            return match linked.await {
                Ok(()) => Ok(frame::see_other("/account?said=linked#ways")),
                Err(refusal) => on_the_account(req, &member, refusal).await,
            };
        }
    };
    let entered = members.enter(&journey, invite, &answer, &whence, token_of(req));
    match entered.await {
        Ok(Entered::Back(let_in)) => Ok(lead_in(req, &let_in, local(next).unwrap_or(INSIDE))),
        Ok(Entered::Joined(welcomed)) => Ok(welcome(req, &welcomed, next)),
        Err(refusal) => at_the_door(req, next, refusal),
    }
}

/// Whoever began to link an identity, if they are still signed in.
async fn still_there(req: &HttpRequest, user_id: UserId) -> Result<Member, OnPage> {
    let member = Member::extract(req).await?;
    if member.user_id() == user_id {
        return Ok(member);
    }
    let message =
        "another account was signed in when this was begun; begin it again on your account page";
    Err(Problem::invalid(message).into())
}

/// The page for signing in, with what did not work; all ways in are on it.
fn at_the_door(req: &HttpRequest, next: &str, refusal: Refusal) -> Result<HttpResponse, OnPage> {
    let problem = told(refusal)?;
    let wrong = Some(sentence(problem.message()));
    Ok(again(&problem, &sign_in_page(req, "", next, wrong)))
}

async fn on_the_account(
    req: &HttpRequest,
    member: &Member,
    refusal: Refusal,
) -> Result<HttpResponse, OnPage> {
    let problem = told(refusal)?;
    let fresh = Fresh {
        way_wrong: Some(sentence(problem.message())),
        ..Fresh::default()
    };
    Ok(again(&problem, &account::page(req, member, fresh).await?))
}

/// Answers `POST /account/identities/unlink`.
pub(in crate::http) async fn unlink(
    member: Member,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let (issuer, subject) = (fields.text("issuer")?, fields.text("subject")?);
    let current = fields.text("current")?.to_owned();
    let members = &Context::of(&req).services.members;
    let unlinked = async {
        may_change_ways(&req, &member, current).await?;
        members.unlink(member.user_id(), issuer, subject).await
    };
    match unlinked.await {
        Ok(true) => Ok(frame::see_other("/account?said=unlinked#ways")),
        Ok(false) => Err(Problem::not_found().into()),
        Err(refusal) => on_the_account(&req, &member, refusal).await,
    }
}

/// Answers `POST /account/password/first`: a password for an account that has none.
pub(in crate::http) async fn set_first_password(
    member: Member,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let password = fields.text("password")?.to_owned();
    let who = (member.user_id(), &member.signed_in.email);
    let members = &Context::of(&req).services.members;
    match members.set_first_password(who, password).await {
        Ok(()) => Ok(frame::see_other("/account?said=password-set#password")),
        Err(refusal) => {
            let problem = told(refusal)?;
            let fresh = Fresh {
                password_wrong: Some(sentence(problem.message())),
                ..Fresh::default()
            };
            Ok(again(&problem, &account::page(&req, &member, fresh).await?))
        }
    }
}
