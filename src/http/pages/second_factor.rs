//! Owns the pages of the second factor: `/signin/code`, where its code is asked for, and what the account page does with it.

use crate::http::context::Context;
use crate::http::cookie;
use crate::http::pages::account::{self, Enrol, Fresh};
use crate::http::pages::entrance::{INSIDE, again, lead_in, parameter, told};
use crate::http::pages::fields::{self, Fields};
use crate::http::pages::frame::{self, Frame};
use crate::http::pages::refusal::{OnPage, sentence};
use crate::http::pages::session::{Member, local, token_of, whence};
use crate::services::members::Refusal;
use crate::services::members::second_factor::LetIn;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;

#[derive(Template)]
#[template(path = "code.html")]
struct Code {
    frame: Frame,
    next: String,
    wrong: Option<String>,
}

fn code_page(next: &str, wrong: Option<String>) -> Code {
    Code {
        frame: Frame::public("Enter your code"),
        next: local(next).unwrap_or_default().to_owned(),
        wrong,
    }
}

/// Answers `GET /signin/code`; whoever did not take the first step, or too long ago, is led to it.
pub(in crate::http) async fn form(req: HttpRequest) -> Result<HttpResponse, OnPage> {
    let context = Context::of(&req);
    let is_halfway = match cookie::halfway_of(req.headers(), &context.settings) {
        Some(token) => context.services.members.is_halfway(token).await?,
        None => false,
    };
    if !is_halfway {
        return Ok(frame::see_other("/signin"));
    }
    Ok(frame::page(&code_page(&parameter(&req, "next"), None)))
}

/// Answers `POST /signin/code`.
pub(in crate::http) async fn step(
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let (code, next) = (fields.text("code")?, fields.text("next")?);
    let context = Context::of(&req);
    let token = cookie::halfway_of(req.headers(), &context.settings);
    let whence = whence(&req);
    let members = &context.services.members;
    let entered = members.second_step(token.unwrap_or_default(), code, &whence, token_of(&req));
    match entered.await {
        Ok(entry) => {
            let to = local(next).unwrap_or(INSIDE);
            let mut response = lead_in(&req, &LetIn::Whole(entry), to);
            cookie::forget_halfway(&mut response, &context.settings);
            Ok(response)
        }
        Err(Refusal::Missing) => Ok(frame::see_other("/signin?said=too-slow")),
        Err(refusal) => {
            let problem = told(refusal)?;
            let wrong = Some(sentence(problem.message()));
            Ok(again(&problem, &code_page(next, wrong)))
        }
    }
}

/// The account page with what did not work.
async fn refuse(
    req: &HttpRequest,
    member: &Member,
    refusal: Refusal,
    enrol: Option<Enrol>,
) -> Result<HttpResponse, OnPage> {
    let problem = told(refusal)?;
    let fresh = Fresh {
        second_wrong: Some(sentence(problem.message())),
        enrol,
        ..Fresh::default()
    };
    Ok(again(&problem, &account::page(req, member, fresh).await?))
}

/// Answers `POST /account/second-factor`: shows what the authenticator is told, in this answer alone.
pub(in crate::http) async fn offer(
    member: Member,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let who = (member.user_id(), &member.signed_in.email);
    let members = &Context::of(&req).services.members;
    let password = fields.text("current")?.to_owned();
    let offered = members.offer_second_factor(who, member.signed_in.session_id, password);
    match offered.await {
        Ok(enrolment) => {
            let fresh = Fresh {
                enrol: Some(Enrol::of(&enrolment)),
                ..Fresh::default()
            };
            Ok(frame::page(&account::page(&req, &member, fresh).await?))
        }
        Err(refusal) => refuse(&req, &member, refusal, None).await,
    }
}

/// Answers `POST /account/second-factor/confirm`: turns it on, and shows the recovery codes in this answer alone.
pub(in crate::http) async fn confirm(
    member: Member,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let (user_id, session) = (member.user_id(), member.signed_in.session_id);
    let members = &Context::of(&req).services.members;
    let code = fields.text("code")?;
    match members.confirm_second_factor(user_id, session, code).await {
        Ok(codes) => {
            let fresh = Fresh {
                codes,
                is_second_on: true,
                ..Fresh::default()
            };
            Ok(frame::page(&account::page(&req, &member, fresh).await?))
        }
        Err(refusal) => {
            let who = (user_id, &member.signed_in.email);
            let waiting = members.offered_second_factor(who).await?;
            let enrol = waiting.as_ref().map(Enrol::of);
            refuse(&req, &member, refusal, enrol).await
        }
    }
}

/// Answers `POST /account/second-factor/off`.
pub(in crate::http) async fn off(
    member: Member,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let (user_id, session) = (member.user_id(), member.signed_in.session_id);
    let password = fields.text("current")?.to_owned();
    let members = &Context::of(&req).services.members;
    match members.drop_second_factor(user_id, session, password).await {
        Ok(()) => Ok(frame::see_other("/account?said=second-off#second")),
        Err(refusal) => refuse(&req, &member, refusal, None).await,
    }
}
