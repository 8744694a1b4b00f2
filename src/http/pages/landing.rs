//! Owns `/`: what the service is, to a person who comes by.

use crate::http::context::Context;
use crate::http::pages::frame::{self, Frame};
use actix_web::{HttpRequest, HttpResponse};
use askama::Template;

#[derive(Template)]
#[template(path = "landing.html")]
struct Landing<'a> {
    frame: Frame,
    public_url: &'a str,
}

/// Answers it.
pub(in crate::http) async fn get(req: HttpRequest) -> HttpResponse {
    frame::page(&Landing {
        frame: Frame::public("Turn a source into a skill"),
        public_url: &Context::of(&req).settings.public_url,
    })
}
