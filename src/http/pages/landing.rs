//! Owns `/`: what the service is, to a person who comes by.

use crate::http::context::Context;
use crate::http::pages::frame::{self, Frame};
use crate::http::pages::refusal::OnPage;
use crate::http::pages::session::frame_for_anybody;
use actix_web::{HttpRequest, HttpResponse};
use askama::Template;

#[derive(Template)]
#[template(path = "landing.html")]
struct Landing<'a> {
    frame: Frame,
    public_url: &'a str,
}

/// Answers it.
pub(in crate::http) async fn get(req: HttpRequest) -> Result<HttpResponse, OnPage> {
    Ok(frame::page(&Landing {
        frame: frame_for_anybody(&req, "Turn a source into a skill").await?,
        public_url: &Context::of(&req).settings.public_url,
    }))
}
