//! Owns the pages around buying: where the sandbox is paid, and where the provider's page leads back to. Visiting them gives nothing.

use crate::domain::clock::Timestamp;
use crate::domain::payment::{Deed, Payment, Standing};
use crate::domain::user::Plan;
use crate::http::context::Context;
use crate::http::error::Problem;
use crate::http::pages::fields::Fields;
use crate::http::pages::frame::{self, Flash, Frame, Tone};
use crate::http::pages::refusal::OnPage;
use crate::http::pages::session::frame_for_anybody;
use actix_web::web::{Path, Payload};
use actix_web::{HttpRequest, HttpResponse};
use askama::Template;

/// Most bytes of a form with one button.
const FORM_BYTES_MAX: usize = 4 << 10;

#[derive(Template)]
#[template(path = "sandbox.html")]
struct Till<'a> {
    frame: Frame,
    product: String,
    gives: String,
    action: &'a str,
    state: State,
    until: String,
    until_words: String,
}

/// What can be done with a purchase now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// It can be paid.
    Open,
    /// A pack is paid.
    Paid,
    /// A subscription runs.
    Running,
    /// It is over.
    Over,
}

#[derive(Template)]
#[template(path = "billing.html")]
struct Back {
    frame: Frame,
    heading: &'static str,
    words: &'static str,
    is_paid: bool,
}

/// `GET /billing/success`: the provider's page leads here. The credits come with its event, usually before.
pub(in crate::http) async fn success(req: HttpRequest) -> Result<HttpResponse, OnPage> {
    Ok(frame::page(&Back {
        frame: frame_for_anybody(&req, "Thank you").await?,
        heading: "Thank you",
        words: "Your account is credited as soon as the payment is confirmed. That usually takes a few seconds; with some ways to pay, a few days.",
        is_paid: true,
    }))
}

/// `GET /billing/cancel`: the buyer turned back.
pub(in crate::http) async fn cancel(req: HttpRequest) -> Result<HttpResponse, OnPage> {
    Ok(frame::page(&Back {
        frame: frame_for_anybody(&req, "Nothing was bought").await?,
        heading: "Nothing was bought",
        words: "You left before paying, and nothing was charged. The page stays open for a while, should you change your mind.",
        is_paid: false,
    }))
}

/// `GET /sandbox/checkout/{session}`: the page where the sandbox is paid.
pub(in crate::http) async fn sandbox(
    req: HttpRequest,
    session: Path<String>,
) -> Result<HttpResponse, OnPage> {
    let payment = find(&req, &session).await?;
    let done = req.query_string();
    let flash = match done {
        "done" => Some(Flash::new(Tone::Ok, "Done.")),
        "late" => Some(Flash::new(
            Tone::Warn,
            "It is too late for that: this page was used or ran out.",
        )),
        _ => None,
    };
    Ok(show(&req, &session, &payment, flash))
}

/// `POST /sandbox/checkout/{session}`: a button was pressed.
pub(in crate::http) async fn press(
    req: HttpRequest,
    session: Path<String>,
    payload: Payload,
) -> Result<HttpResponse, OnPage> {
    let payment = find(&req, &session).await?;
    let form = Fields::read(&req, payload, FORM_BYTES_MAX).await?;
    let deed = Deed::parse(form.text("deed")?)
        .ok_or_else(|| Problem::invalid("send deed=pay, cancel, refund or end"))?;
    let billing = &Context::of(&req).services.billing;
    let in_time = billing.sandbox_do(&payment, deed).await?;
    Ok(match (deed, in_time) {
        (Deed::Pay, true) => frame::see_other("/billing/success"),
        (Deed::Cancel, true) => frame::see_other("/billing/cancel"),
        (_, true) => frame::see_other(&format!("/sandbox/checkout/{session}?done")),
        (_, false) => frame::see_other(&format!("/sandbox/checkout/{session}?late")),
    })
}

async fn find(req: &HttpRequest, session: &str) -> Result<Payment, Problem> {
    let billing = &Context::of(req).services.billing;
    let found = billing.sandbox_purchase(session).await?;
    found.ok_or_else(Problem::not_found)
}

fn show(req: &HttpRequest, session: &str, payment: &Payment, flash: Option<Flash>) -> HttpResponse {
    let now = Context::of(req).clock.now();
    let expires_at = payment.page.as_ref().map(|page| page.expires_at);
    let state = if payment.standing == Some(Standing::Active) {
        State::Running
    } else if payment.counts {
        State::Paid
    } else if payment.closed_at.is_none() && expires_at.is_some_and(|at| now < at) {
        State::Open
    } else {
        State::Over
    };
    let credits = payment.promise.credits;
    let (product, gives) = match payment.plan {
        Plan::Unlimited => (
            "Unlimited".to_owned(),
            "Generations cost no credits while it runs.".to_owned(),
        ),
        plan => (
            if plan == Plan::ProPack {
                "Pro pack"
            } else {
                "Starter pack"
            }
            .to_owned(),
            format!("{credits} credits, which do not run out."),
        ),
    };
    frame::page(&Till {
        frame: Frame::bare("Sandbox checkout").saying(flash),
        product,
        gives,
        action: session,
        state,
        until_words: expires_at.map(in_words).unwrap_or_default(),
        until: expires_at.map(Timestamp::iso).unwrap_or_default(),
    })
}

/// To the minute: `2026-11-20 09:15 UTC`.
fn in_words(at: Timestamp) -> String {
    let iso = at.iso();
    let minutes = iso.get(..16).unwrap_or(&iso).replace('T', " ");
    format!("{minutes} UTC")
}
