//! Owns how a page's form is read: names and values, each once, none larger than it may be.

use crate::http::body;
use crate::http::context::Context;
use crate::http::error::{Kind, Problem};
use actix_web::HttpRequest;
use actix_web::web::Payload;
use url::form_urlencoded;

/// Most bytes of an ordinary form.
pub(in crate::http) const BYTES_MAX: usize = 64 << 10;

/// The fields of a form.
pub(in crate::http) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Reads them.
    pub(in crate::http) async fn read(
        req: &HttpRequest,
        payload: Payload,
        bytes_max: usize,
    ) -> Result<Self, Problem> {
        if body::media_type(req) != "application/x-www-form-urlencoded" {
            return Err(Problem::new(
                Kind::UnsupportedMediaType,
                "send the form as application/x-www-form-urlencoded",
            ));
        }
        let limits = &Context::of(req).settings.limits;
        let body = body::read(req, payload, bytes_max, limits).await?;
        Ok(Self(form_urlencoded::parse(&body).into_owned().collect()))
    }

    /// A field's value; a field that was not sent is empty.
    pub(in crate::http) fn text(&self, name: &str) -> Result<&str, Problem> {
        let mut values = self.0.iter().filter(|(given, _)| given == name);
        let value = values.next().map_or("", |(_, value)| value);
        if values.next().is_some() {
            return Err(Problem::invalid(format!("{name} was sent more than once")));
        }
        Ok(value)
    }
}
