//! Owns `/account/webhooks`: where an account is told what became of its runs, what was told there, and a button to tell it again.

use crate::domain::id::{DeliveryId, EndpointId};
use crate::domain::webhook::{Delivery, ENDPOINTS_MAX, Endpoint};
use crate::http::context::Context;
use crate::http::error::Problem;
use crate::http::pages::entrance::again;
use crate::http::pages::fields::{self, Fields};
use crate::http::pages::frame::{self, Frame};
use crate::http::pages::moment::Moment;
use crate::http::pages::refusal::{OnPage, sentence};
use crate::http::pages::session::Member;
use crate::services::accounts::Unavailable;
use crate::services::webhooks::NotAdded;
use actix_web::{HttpRequest, HttpResponse, web};
use askama::Template;

#[derive(Template)]
#[template(path = "webhooks.html")]
struct EndpointsPage {
    frame: Frame,
    endpoints: Vec<EndpointLine>,
    room: usize,
    log: Vec<LogLine>,
    /// The secret of the endpoint that was just added.
    secret: Option<String>,
    typed: String,
    wrong: Option<String>,
}

struct EndpointLine {
    id: String,
    url: String,
    since: Moment,
}

impl From<Endpoint> for EndpointLine {
    fn from(endpoint: Endpoint) -> Self {
        Self {
            id: endpoint.id.to_string(),
            url: endpoint.url,
            since: Moment::at(endpoint.created_at),
        }
    }
}

struct LogLine {
    id: String,
    event: String,
    run: String,
    url: String,
    at: Moment,
    tone: &'static str,
    /// Where it stands.
    outcome: String,
    again: Option<Moment>,
}

impl From<Delivery> for LogLine {
    fn from(delivery: Delivery) -> Self {
        let trouble = delivery.last.as_ref().map(|last| last.trouble.clone());
        let (tone, outcome) = match (trouble, delivery.due_at) {
            (None, _) => ("", "to be sent".to_owned()),
            (Some(None), _) => ("ok", "arrived".to_owned()),
            (Some(Some(words)), Some(_)) => ("warn", words),
            (Some(Some(words)), None) => ("bad", format!("given up: {words}")),
        };
        Self {
            id: delivery.id.to_string(),
            event: delivery.event,
            run: delivery.run_id.to_string(),
            url: delivery.url,
            at: Moment::at(delivery.created_at),
            tone,
            outcome,
            again: delivery
                .due_at
                .filter(|_| delivery.last.is_some())
                .map(Moment::at),
        }
    }
}

async fn page(
    req: &HttpRequest,
    member: &Member,
    secret: Option<String>,
) -> Result<EndpointsPage, OnPage> {
    let webhooks = &Context::of(req).services.webhooks;
    let endpoints = webhooks.endpoints(member.user_id()).await?;
    let log = webhooks.log(member.user_id()).await?;
    Ok(EndpointsPage {
        frame: member.frame("Webhooks", "/account"),
        room: ENDPOINTS_MAX.saturating_sub(endpoints.len()),
        endpoints: endpoints.into_iter().map(EndpointLine::from).collect(),
        log: log.into_iter().map(LogLine::from).collect(),
        secret,
        typed: String::new(),
        wrong: None,
    })
}

/// Answers `GET /account/webhooks`.
pub(in crate::http) async fn get(member: Member, req: HttpRequest) -> Result<HttpResponse, OnPage> {
    Ok(frame::page(&page(&req, &member, None).await?))
}

/// Answers `POST /account/webhooks` with the page that shows the secret: it is in this answer alone.
pub(in crate::http) async fn add(
    member: Member,
    req: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, OnPage> {
    let fields = Fields::read(&req, payload, fields::BYTES_MAX).await?;
    let url = fields.text("url")?;
    let webhooks = &Context::of(&req).services.webhooks;
    match webhooks.add(member.user_id(), url).await {
        Ok(secret) => {
            let secret = Some(secret.reveal());
            Ok(frame::page(&page(&req, &member, secret).await?))
        }
        Err(NotAdded::Unavailable) => Err(Unavailable.into()),
        Err(NotAdded::Invalid(words)) => {
            let problem = Problem::invalid(words);
            let shown = EndpointsPage {
                typed: url.to_owned(),
                wrong: Some(sentence(problem.message())),
                ..page(&req, &member, None).await?
            };
            Ok(again(&problem, &shown))
        }
    }
}

/// Answers `POST /account/webhooks/{id}/remove`.
pub(in crate::http) async fn remove(
    member: Member,
    req: HttpRequest,
) -> Result<HttpResponse, OnPage> {
    let id = req.match_info().get("id").and_then(EndpointId::parse);
    let id = id.ok_or_else(Problem::not_found)?;
    let webhooks = &Context::of(&req).services.webhooks;
    match webhooks.remove(member.user_id(), id).await? {
        true => Ok(frame::see_other("/account/webhooks")),
        false => Err(Problem::not_found().into()),
    }
}

/// Answers `POST /account/webhooks/events/{id}/send`.
pub(in crate::http) async fn send_again(
    member: Member,
    req: HttpRequest,
) -> Result<HttpResponse, OnPage> {
    let id = req.match_info().get("id").and_then(DeliveryId::parse);
    let id = id.ok_or_else(Problem::not_found)?;
    let webhooks = &Context::of(&req).services.webhooks;
    match webhooks.send_again(member.user_id(), id).await? {
        true => Ok(frame::see_other("/account/webhooks#log")),
        false => Err(Problem::not_found().into()),
    }
}
