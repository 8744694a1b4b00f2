//! Owns that the press of a button which spends credits is paid once, however often it arrives.
//!
//! A browser sends a form again by itself when the connection ends before the answer begins, and people press again. So each rendering
//! of such a form has a token of its own, which is the idempotency key of what its press orders: what arrives again leads to the run
//! that is there. What failed holds nothing back, since its credits are back: the same press then orders anew.

use crate::domain::id::{RunId, UserId};
use crate::http::context::Context;
use crate::http::error::Problem;
use crate::http::idempotency;
use crate::http::query::Query;
use crate::http::run::Listener;
use crate::services::engine::{Repeatable, Request};
use actix_web::HttpRequest;
use serde::Serialize;
use uuid::Uuid;

/// Most characters of a token.
const TOKEN_LEN_MAX: usize = 64;
/// So often may what a press orders fail before the page has to be loaded again.
const ATTEMPTS_MAX: u32 = 20;

/// The token of a form that is being rendered; it travels in the query of the form's address, as `press`.
pub(super) fn token() -> String {
    Uuid::new_v4().simple().to_string()
}

/// What became of a press.
pub(super) enum Pressed {
    /// Its run has begun.
    Begun(Listener),
    /// It arrived before, and this is its run.
    Before(RunId),
}

/// A press of a button.
pub(super) struct Press(Option<Repeatable>);

impl Press {
    /// The press that sent a request; `fields` are what is asked for. The same page pressed with other fields is another press, and one
    /// without a token is one of its own.
    pub(super) fn of(
        req: &HttpRequest,
        route: &'static str,
        fields: &impl Serialize,
    ) -> Result<Self, Problem> {
        let token = Query::of(req).text("press")?.map(str::to_owned);
        let is_whole = |token: &String| {
            (1..=TOKEN_LEN_MAX).contains(&token.len())
                && token.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        if token.as_ref().is_some_and(|token| !is_whole(token)) {
            return Err(stale());
        }
        let press = idempotency::repeatable(token.as_deref(), route, fields)?;
        Ok(Self(press.map(|press| Repeatable {
            key: format!("{}-{}", press.key, press.digest),
            ..press
        })))
    }

    /// Whether nothing stands that it ordered before.
    pub(super) async fn is_new(&self, context: &Context, user_id: UserId) -> Result<bool, Problem> {
        let Some(press) = &self.0 else {
            return Ok(true);
        };
        for attempt in 0..ATTEMPTS_MAX {
            let engine = &context.services.engine;
            let repeatable = attempt_of(press, attempt);
            match engine.ordered_before(user_id, &repeatable).await? {
                Some(earlier) if earlier.has_failed => {}
                earlier => return Ok(earlier.is_none()),
            }
        }
        Ok(true)
    }

    /// Orders what it asks for, unless it did so before.
    pub(super) async fn order(
        self,
        context: &Context,
        request: Request,
    ) -> Result<Pressed, Problem> {
        let Some(press) = self.0 else {
            return Ok(Pressed::Begun(Listener::order(context, request).await?));
        };
        let (engine, user_id) = (&context.services.engine, request.user_id);
        for attempt in 0..ATTEMPTS_MAX {
            let repeatable = attempt_of(&press, attempt);
            match engine.ordered_before(user_id, &repeatable).await? {
                Some(earlier) if earlier.has_failed => continue,
                Some(earlier) => return Ok(Pressed::Before(earlier.id)),
                None => {}
            }
            let request = Request {
                idempotency: Some(repeatable.clone()),
                ..request
            };
            // Whatever keeps this one back: the same press may have come through elsewhere in the meantime.
            return match Listener::order(context, request).await {
                Ok(run) if run.repeated => Ok(Pressed::Before(run.run_id)),
                Ok(run) => Ok(Pressed::Begun(run)),
                Err(problem) => match engine.ordered_before(user_id, &repeatable).await? {
                    Some(earlier) => Ok(Pressed::Before(earlier.id)),
                    None => Err(problem),
                },
            };
        }
        Err(stale())
    }
}

/// The nth attempt of a press.
fn attempt_of(press: &Repeatable, attempt: u32) -> Repeatable {
    Repeatable {
        key: format!("{}-{attempt}", press.key),
        ..press.clone()
    }
}

/// The page has to be rendered again.
fn stale() -> Problem {
    Problem::invalid("nothing was ordered or charged: load this page again, and press once more")
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    fn key(target: &str, fields: &str) -> Option<String> {
        let req = TestRequest::with_uri(target).to_http_request();
        let press = Press::of(&req, "POST /new", &fields).unwrap_or(Press(None));
        press.0.map(|press| press.key)
    }

    #[test]
    fn a_press_is_known_by_its_page_and_by_what_it_asks_for() {
        let first = key("/new?press=a", "clay");
        assert!(first.is_some() && first == key("/new?press=a", "clay"));
        assert_ne!(first, key("/new?press=b", "clay"), "another rendering");
        assert_ne!(first, key("/new?press=a", "glaze"), "other fields");
        assert_eq!(key("/new", "clay"), None, "one of its own");
        assert_ne!(token(), token());
    }

    #[test]
    fn a_token_that_no_page_has_is_refused() {
        for bad in ["", "a%20b", "a-b", &"x".repeat(65)] {
            let target = format!("/new?press={bad}");
            let req = TestRequest::with_uri(&target).to_http_request();
            assert!(Press::of(&req, "POST /new", &()).is_err(), "{bad}");
        }
    }
}
