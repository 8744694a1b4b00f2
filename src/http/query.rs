//! Owns what a query string says: unknown parameters are ignored, a known one is given once at most (decision 6).

use crate::http::error::Problem;
use actix_web::HttpRequest;
use std::borrow::Cow;
use url::form_urlencoded;

/// The parameters of a request.
pub(super) struct Query<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl<'a> Query<'a> {
    /// Reads the parameters of a request.
    pub(super) fn of(req: &'a HttpRequest) -> Self {
        Self(form_urlencoded::parse(req.query_string().as_bytes()).collect())
    }

    /// A parameter's value.
    pub(super) fn text(&self, name: &str) -> Result<Option<&str>, Problem> {
        let mut values = self
            .0
            .iter()
            .filter(|(given, _)| given == name)
            .map(|(_, value)| value.as_ref());
        let value = values.next();
        if values.next().is_some() {
            return Err(Problem::invalid(format!("{name} was given more than once")));
        }
        Ok(value)
    }

    /// A parameter that is a whole number within bounds.
    pub(super) fn number(&self, name: &str, least: i64, most: i64) -> Result<Option<i64>, Problem> {
        let Some(text) = self.text(name)? else {
            return Ok(None);
        };
        let plain = !text.starts_with('+');
        // A number that is too long to be one of ours is as large as any.
        let is_whole = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = match text.parse::<i64>() {
            Err(_) if is_whole => Ok(i64::MAX),
            parsed => parsed,
        };
        match number {
            Ok(number) if plain && (least..=most).contains(&number) => Ok(Some(number)),
            _ if most == i64::MAX => Err(Problem::invalid(format!(
                "{name} must be a whole number of at least {least}"
            ))),
            _ => Err(Problem::invalid(format!(
                "{name} must be a whole number from {least} to {most}"
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    fn limit_of(query: &str) -> Result<Option<i64>, Problem> {
        let request = TestRequest::with_uri(&format!("/x?{query}")).to_http_request();
        Query::of(&request).number("limit", 1, 100)
    }

    #[test]
    fn a_number_is_whole_and_within_bounds_or_refused() {
        assert_eq!(limit_of(""), Ok(None));
        assert_eq!(limit_of("limit=1"), Ok(Some(1)));
        assert_eq!(limit_of("limit=100&other=7"), Ok(Some(100)));
        for bad in [
            "0",
            "101",
            "-1",
            "1.0",
            "",
            "x",
            "%2B5",
            "99999999999999999999",
            "1%00",
        ] {
            assert!(limit_of(&format!("limit={bad}")).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_parameter_given_twice_is_refused_even_with_the_same_value() {
        assert!(limit_of("limit=5&limit=5").is_err());
        assert_eq!(limit_of("other=5&other=5"), Ok(None));
    }
}
