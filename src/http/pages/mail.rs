//! Owns the pages that links in mails lead to, and those that ask for such a mail: `/forgot`, `/reset` and `/verify`.
//!
//! Opening a link changes nothing; the button on its page does. Programs that look into mail open links and press no buttons.

use crate::http::context::Context;
use crate::http::pages::entrance::{again, lead_in, parameter, told};
use crate::http::pages::fields::{self, Fields};
use crate::http::pages::frame::{self, Frame};
use crate::http::pages::refusal::{OnPage, sentence};
use crate::http::pages::session::{Member, token_of, whence};
use crate::services::passwords::CHARS_MIN;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;

#[derive(Template)]
#[template(path = "forgot.html")]
struct Forgot {
    frame: Frame,
    email: String,
    wrong: Option<String>,
    has_post: bool,
    is_sent: bool,
}

#[derive(Template)]
#[template(path = "reset.html")]
struct Reset {
    frame: Frame,
    token: String,
    wrong: Option<String>,
    chars_min: usize,
}

#[derive(Template)]
#[template(path = "verify.html")]
struct Verify {
    frame: Frame,
    token: String,
    wrong: Option<String>,
}

fn forgot_page(req: &HttpRequest, email: &str, wrong: Option<String>) -> Forgot {
    Forgot {
        frame: Frame::public("Set a new password"),
        email: email.to_owned(),
        wrong,
        has_post: Context::of(req).services.members.has_post(),
        is_sent: false,
    }
}

/// Answers `GET /forgot`.
pub(in crate::http) async fn forgot_form(req: HttpRequest) -> HttpResponse {
    frame::page(&forgot_page(&req, "", None))
}

/// Answers `POST /forgot`, with the same words whoever asks.
pub(in crate::http) async fn forgot(
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let email = fields.text("email")?;
    let members = &Context::of(&req).services.members;
    match members.send_reset(email, &whence(&req)).await {
        Ok(()) => Ok(frame::page(&Forgot {
            is_sent: true,
            ..forgot_page(&req, email, None)
        })),
        Err(refusal) => {
            let problem = told(refusal)?;
            let page = forgot_page(&req, email, Some(sentence(problem.message())));
            Ok(again(&problem, &page))
        }
    }
}

fn reset_page(token: &str, wrong: Option<String>) -> Reset {
    Reset {
        frame: Frame::public("Set a new password"),
        token: token.to_owned(),
        wrong,
        chars_min: CHARS_MIN,
    }
}

/// Answers `GET /reset`.
pub(in crate::http) async fn reset_form(req: HttpRequest) -> HttpResponse {
    frame::page(&reset_page(&parameter(&req, "token"), None))
}

/// Answers `POST /reset`.
pub(in crate::http) async fn reset(
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let token = fields.text("token")?;
    let password = fields.text("password")?.to_owned();
    let context = Context::of(&req);
    let whence = whence(&req);
    let members = &context.services.members;
    match members
        .reset_password(token, password, &whence, token_of(&req))
        .await
    {
        Ok(let_in) => Ok(lead_in(&req, &let_in, "/account?said=recovered")),
        Err(refusal) => {
            let problem = told(refusal)?;
            let page = reset_page(token, Some(sentence(problem.message())));
            Ok(again(&problem, &page))
        }
    }
}

fn verify_page(token: &str, wrong: Option<String>) -> Verify {
    Verify {
        frame: Frame::public("Confirm your address"),
        token: token.to_owned(),
        wrong,
    }
}

/// Answers `GET /verify`.
pub(in crate::http) async fn verify_form(req: HttpRequest) -> HttpResponse {
    frame::page(&verify_page(&parameter(&req, "token"), None))
}

/// Answers `POST /verify`.
pub(in crate::http) async fn verify(
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let token = fields.text("token")?;
    match Context::of(&req).services.members.verify(token).await {
        Ok(_) => Ok(frame::see_other("/account?said=confirmed")),
        Err(refusal) => {
            let problem = told(refusal)?;
            let page = verify_page(token, Some(sentence(problem.message())));
            Ok(again(&problem, &page))
        }
    }
}

/// Answers `POST /account/verify`: the link is sent again.
pub(in crate::http) async fn send_again(
    member: Member,
    req: HttpRequest,
) -> Result<HttpResponse, OnPage> {
    let members = &Context::of(&req).services.members;
    let email = &member.signed_in.email;
    members.send_verification(member.user_id(), email).await?;
    Ok(frame::see_other("/account?said=sent"))
}
