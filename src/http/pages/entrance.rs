//! Owns what the pages have in common through which people come in: where they are led, what a form says when it is shown again, and the
//! buttons of those who vouch.

use crate::domain::quota::Surface;
use crate::http::context::Context;
use crate::http::cookie;
use crate::http::error::Problem;
use crate::http::pages::frame;
use crate::http::pages::refusal::OnPage;
use crate::http::pages::session::local;
use crate::services::members::Refusal;
use crate::services::members::join::Welcomed;
use crate::services::members::openid::Voucher;
use crate::services::members::second_factor::LetIn;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};
use askama::Template;
use url::form_urlencoded;

/// Where somebody is led who is in.
pub(super) const INSIDE: &str = "/library";

/// A parameter of the address; empty when there is none.
pub(super) fn parameter(req: &HttpRequest, name: &str) -> String {
    form_urlencoded::parse(req.query_string().as_bytes())
        .find(|(given, _)| given == name)
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}

/// Leads somebody who has just joined to what they came for.
pub(super) fn welcome(req: &HttpRequest, welcomed: &Welcomed, next: &str) -> HttpResponse {
    let to = local(next).unwrap_or("/new");
    let (page, part) = to.split_at(to.find('#').unwrap_or(to.len()));
    let joint = if page.contains('?') { '&' } else { '?' };
    let mut response = frame::see_other(&format!("{page}{joint}said=welcome{part}"));
    cookie::keep(&mut response, &welcomed.entry, &Context::of(req).settings);
    response
}

/// Leads somebody on whom the first step let in: to where they go, or to the second step and then there.
pub(super) fn lead_in(req: &HttpRequest, let_in: &LetIn, to: &str) -> HttpResponse {
    let settings = &Context::of(req).settings;
    match let_in {
        LetIn::Whole(entry) => {
            let mut response = frame::see_other(to);
            cookie::keep(&mut response, entry, settings);
            response
        }
        LetIn::Halfway(token) => {
            let mut query = form_urlencoded::Serializer::new(String::new());
            query.append_pair("next", to);
            let mut response = frame::see_other(&format!("/signin/code?{}", query.finish()));
            cookie::keep_halfway(&mut response, token, settings);
            response
        }
    }
}

/// What a form says when it is shown again: what the reader can do about it. Anything else is a page of its own.
pub(super) fn told(refusal: Refusal) -> Result<Problem, OnPage> {
    let is_page = matches!(
        refusal,
        Refusal::Restricted | Refusal::Missing | Refusal::Unavailable
    );
    let problem = Problem::from(refusal);
    if is_page {
        Err(problem.into())
    } else {
        Ok(problem)
    }
}

/// A form that is shown again, with the status of what was wrong.
pub(super) fn again(problem: &Problem, page: &impl Template) -> HttpResponse {
    let mut response = frame::page_as(problem.status(Surface::Application), page);
    if let Some(seconds) = problem.retry_after_s() {
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, seconds.into());
    }
    response
}

/// A button for somebody who vouches.
pub(super) struct Button {
    pub(super) name: String,
    pub(super) label: String,
}

/// The buttons of everybody who vouches here.
pub(super) fn buttons(req: &HttpRequest) -> Vec<Button> {
    let button = |voucher: &Voucher| Button {
        name: voucher.name.clone(),
        label: voucher.label.clone(),
    };
    let vouchers = Context::of(req).services.members.vouchers();
    vouchers.iter().map(button).collect()
}
