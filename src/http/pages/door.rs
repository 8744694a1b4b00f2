//! Owns the way in and out: `/signup`, `/join`, `/signin`, `/recover` and `/signout`. What else comes by mail has its own page, `mail`.

use crate::http::context::Context;
use crate::http::cookie;
use crate::http::pages::entrance::{
    Button, INSIDE, again, buttons, lead_in, parameter, told, welcome,
};
use crate::http::pages::fields::{self, Fields};
use crate::http::pages::frame::{self, Flash, Frame};
use crate::http::pages::refusal::{OnPage, sentence};
use crate::http::pages::session::{self, local, token_of, whence};
use crate::services::members::Admission;
use crate::services::members::join::Wish;
use crate::services::passwords::CHARS_MIN;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;
use url::form_urlencoded;

#[derive(Template)]
#[template(path = "signup.html")]
struct SignUp {
    frame: Frame,
    email: String,
    next: String,
    to_sign_in: String,
    wrong: Option<String>,
    invite: String,
    is_closed: bool,
    needs_invite: bool,
    welcome: u32,
    chars_min: usize,
    buttons: Vec<Button>,
    /// Whether the account is made by a link in a message.
    has_post: bool,
    is_sent: bool,
}

#[derive(Template)]
#[template(path = "join.html")]
struct Join {
    frame: Frame,
    token: String,
    next: String,
    wrong: Option<String>,
    chars_min: usize,
}

#[derive(Template)]
#[template(path = "signin.html")]
pub(super) struct SignIn {
    frame: Frame,
    email: String,
    next: String,
    to_sign_up: String,
    wrong: Option<String>,
    is_open: bool,
    has_post: bool,
    buttons: Vec<Button>,
}

#[derive(Template)]
#[template(path = "recover.html")]
struct Recover {
    frame: Frame,
    email: String,
    wrong: Option<String>,
    chars_min: usize,
    has_post: bool,
}

/// A door with where to go after it, when that is known and here.
fn door(path: &str, next: &str) -> String {
    let Some(next) = local(next) else {
        return path.to_owned();
    };
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("next", next);
    format!("{path}?{}", query.finish())
}

/// Where a door leads somebody who is in already.
async fn already_in(req: &HttpRequest) -> Result<Option<HttpResponse>, OnPage> {
    let signed_in = session::signed_in(req).await?;
    let is_in = signed_in.is_some_and(|signed_in| !signed_in.restricted);
    let next = parameter(req, "next");
    Ok(is_in.then(|| frame::see_other(local(&next).unwrap_or(INSIDE))))
}

fn sign_up_page(
    req: &HttpRequest,
    (email, invite, next): (&str, &str, &str),
    wrong: Option<String>,
) -> SignUp {
    let rules = Context::of(req).services.members.rules();
    SignUp {
        frame: Frame::public("Create an account"),
        email: email.to_owned(),
        next: local(next).unwrap_or_default().to_owned(),
        to_sign_in: door("/signin", next),
        wrong,
        invite: invite.to_owned(),
        is_closed: rules.admission == Admission::Nobody,
        needs_invite: rules.admission == Admission::Invited,
        welcome: rules.welcome,
        chars_min: CHARS_MIN,
        buttons: buttons(req),
        has_post: Context::of(req).services.members.has_post(),
        is_sent: false,
    }
}

/// Answers `GET /signup`.
pub(in crate::http) async fn sign_up_form(req: HttpRequest) -> Result<HttpResponse, OnPage> {
    if let Some(inside) = already_in(&req).await? {
        return Ok(inside);
    }
    let (invite, next) = (parameter(&req, "invite"), parameter(&req, "next"));
    Ok(frame::page(&sign_up_page(&req, ("", &invite, &next), None)))
}

/// Answers `POST /signup`: where mail is sent, with the same words whoever asks.
pub(in crate::http) async fn sign_up(
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let email = fields.text("email")?;
    let (invite, next) = (fields.text("invite")?, fields.text("next")?);
    let members = &Context::of(&req).services.members;
    let whence = whence(&req);
    let outcome = if members.has_post() {
        let next = local(next).unwrap_or_default();
        let asked = members.apply(email, invite, next, &whence).await;
        asked.map(|()| {
            frame::page(&SignUp {
                is_sent: true,
                ..sign_up_page(&req, (email, invite, next), None)
            })
        })
    } else {
        let wish = Wish {
            email: email.to_owned(),
            password: fields.text("password")?.to_owned(),
            invite: invite.to_owned(),
        };
        let joined = members.join(wish, &whence, token_of(&req)).await;
        joined.map(|welcomed| welcome(&req, &welcomed, next))
    };
    outcome.or_else(|refusal| {
        let problem = told(refusal)?;
        let wrong = Some(sentence(problem.message()));
        let page = sign_up_page(&req, (email, invite, next), wrong);
        Ok(again(&problem, &page))
    })
}

fn join_page(token: &str, next: &str, wrong: Option<String>) -> Join {
    Join {
        frame: Frame::public("Create your account"),
        token: token.to_owned(),
        next: local(next).unwrap_or_default().to_owned(),
        wrong,
        chars_min: CHARS_MIN,
    }
}

/// Answers `GET /join`: where the link in a message leads. Opening it changes nothing.
pub(in crate::http) async fn join_form(req: HttpRequest) -> HttpResponse {
    let (token, next) = (parameter(&req, "token"), parameter(&req, "next"));
    frame::page(&join_page(&token, &next, None))
}

/// Answers `POST /join`: makes the account that the link is for.
pub(in crate::http) async fn join(
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let (token, next) = (fields.text("token")?, fields.text("next")?);
    let password = fields.text("password")?.to_owned();
    let members = &Context::of(&req).services.members;
    let whence = whence(&req);
    let joined = members.join_by_link(token, password, &whence, token_of(&req));
    match joined.await {
        Ok(welcomed) => Ok(welcome(&req, &welcomed, next)),
        Err(refusal) => {
            let problem = told(refusal)?;
            let wrong = Some(sentence(problem.message()));
            Ok(again(&problem, &join_page(token, next, wrong)))
        }
    }
}

/// The page for signing in, with every way in.
pub(super) fn sign_in_page(
    req: &HttpRequest,
    email: &str,
    next: &str,
    wrong: Option<String>,
) -> SignIn {
    let rules = Context::of(req).services.members.rules();
    SignIn {
        frame: Frame::public("Sign in").saying(Flash::of(req)),
        email: email.to_owned(),
        next: local(next).unwrap_or_default().to_owned(),
        to_sign_up: door("/signup", next),
        wrong,
        is_open: rules.admission != Admission::Nobody,
        has_post: Context::of(req).services.members.has_post(),
        buttons: buttons(req),
    }
}

/// Answers `GET /signin`.
pub(in crate::http) async fn sign_in_form(req: HttpRequest) -> Result<HttpResponse, OnPage> {
    if let Some(inside) = already_in(&req).await? {
        return Ok(inside);
    }
    let next = parameter(&req, "next");
    Ok(frame::page(&sign_in_page(&req, "", &next, None)))
}

/// Answers `POST /signin`.
pub(in crate::http) async fn sign_in(
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let (email, next) = (fields.text("email")?, fields.text("next")?);
    let password = fields.text("password")?.to_owned();
    let context = Context::of(&req);
    let members = &context.services.members;
    let whence = whence(&req);
    let entered = members.sign_in(email, password, &whence, token_of(&req));
    match entered.await {
        Ok(let_in) => Ok(lead_in(&req, &let_in, local(next).unwrap_or(INSIDE))),
        Err(refusal) => {
            let problem = told(refusal)?;
            Ok(again(
                &problem,
                &sign_in_page(&req, email, next, Some(sentence(problem.message()))),
            ))
        }
    }
}

fn recover_page(req: &HttpRequest, email: &str, wrong: Option<String>) -> Recover {
    Recover {
        frame: Frame::public("Recover your account"),
        email: email.to_owned(),
        wrong,
        chars_min: CHARS_MIN,
        has_post: Context::of(req).services.members.has_post(),
    }
}

/// Answers `GET /recover`.
pub(in crate::http) async fn recover_form(req: HttpRequest) -> HttpResponse {
    frame::page(&recover_page(&req, "", None))
}

/// Answers `POST /recover`.
pub(in crate::http) async fn recover(
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let email = fields.text("email")?;
    let password = fields.text("password")?.to_owned();
    let context = Context::of(&req);
    let members = &context.services.members;
    let code = fields.text("code")?;
    let whence = whence(&req);
    let entered = members.recover(email, code, password, &whence, token_of(&req));
    match entered.await {
        Ok(let_in) => Ok(lead_in(&req, &let_in, "/account?said=recovered")),
        Err(refusal) => {
            let problem = told(refusal)?;
            Ok(again(
                &problem,
                &recover_page(&req, email, Some(sentence(problem.message()))),
            ))
        }
    }
}

/// Answers `POST /signout`.
pub(in crate::http) async fn sign_out(req: HttpRequest) -> Result<HttpResponse, OnPage> {
    let context = Context::of(&req);
    if let Some(token) = token_of(&req) {
        context.services.members.sign_out(token).await?;
    }
    let mut response = frame::see_other("/signin?said=signed-out");
    // What the browser keeps of pages and forms in its memory is for nobody who comes after.
    let kept = HeaderName::from_static("clear-site-data");
    let headers = response.headers_mut();
    headers.insert(kept, HeaderValue::from_static("\"cache\", \"storage\""));
    cookie::forget(&mut response, &context.settings);
    Ok(response)
}
