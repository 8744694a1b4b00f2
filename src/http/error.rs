//! Owns how a refusal looks: its code, its status and its JSON are decided here and nowhere else.
//!
//! A [`Problem`] says what is wrong; the surface it happened on decides the words. The REST surface knows the codes of interface part 7
//! only (decision 2), the application surface may use those of decision 3 too.

use crate::domain::quota::Surface;
use crate::http::context::Notes;
use crate::services::accounts::Unavailable;
use crate::services::billing::{NotHeard, NotSold};
use crate::services::engine::Rejected;
use crate::services::library::trials::NoTrial;
use crate::services::looks::NoLook;
use crate::services::members::Refusal;
use crate::services::watches::NotWatched;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use skillkiln_document::failure::{Class, Failure, Reason};
use std::borrow::Cow;
use std::fmt;

/// Kinds of problem, named for what the client may do about them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Show a key.
    Unauthorized,
    /// This key is no longer good.
    Forbidden,
    /// There is no such thing.
    NotFound,
    /// The thing does not take this method.
    MethodNotAllowed,
    /// The request came too slowly.
    TooSlow,
    /// It collides with what is there or under way.
    Conflict,
    /// It is no longer what the client says it is.
    PreconditionFailed,
    /// Send less.
    TooLarge,
    /// Send it in another form.
    UnsupportedMediaType,
    /// Come back later.
    RateLimited,
    /// Buy credits.
    InsufficientCredits,
    /// Correct the request.
    Invalid,
    /// The run failed; the credit is back.
    GenerationFailed,
    /// Nothing was done; the same request may succeed soon.
    Unavailable,
    /// A fault of ours.
    Internal,
    /// The payment provider did not do its part; nothing was paid.
    PaymentFailed,
}

impl Kind {
    /// The status and the code on a surface.
    const fn on(self, surface: Surface) -> (StatusCode, &'static str) {
        let rest = matches!(surface, Surface::Rest);
        match self {
            Self::Unauthorized => (StatusCode::UNAUTHORIZED, "UNAUTHORIZED"),
            Self::Forbidden => (StatusCode::FORBIDDEN, "FORBIDDEN"),
            Self::NotFound => (StatusCode::NOT_FOUND, "NOT_FOUND"),
            Self::RateLimited => (StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED"),
            Self::InsufficientCredits => (StatusCode::PAYMENT_REQUIRED, "INSUFFICIENT_CREDITS"),
            Self::Invalid => (StatusCode::BAD_REQUEST, "VALIDATION_ERROR"),
            Self::TooSlow => (StatusCode::REQUEST_TIMEOUT, "VALIDATION_ERROR"),
            Self::GenerationFailed => (StatusCode::INTERNAL_SERVER_ERROR, "GENERATION_FAILED"),
            Self::MethodNotAllowed if rest => (StatusCode::METHOD_NOT_ALLOWED, "VALIDATION_ERROR"),
            Self::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED"),
            Self::Conflict if rest => (StatusCode::CONFLICT, "VALIDATION_ERROR"),
            Self::Conflict => (StatusCode::CONFLICT, "CONFLICT"),
            // Only the application surface has conditions.
            Self::PreconditionFailed => (StatusCode::PRECONDITION_FAILED, "PRECONDITION_FAILED"),
            Self::TooLarge if rest => (StatusCode::PAYLOAD_TOO_LARGE, "VALIDATION_ERROR"),
            Self::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "PAYLOAD_TOO_LARGE"),
            Self::UnsupportedMediaType if rest => (StatusCode::BAD_REQUEST, "VALIDATION_ERROR"),
            Self::UnsupportedMediaType => {
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, "UNSUPPORTED_MEDIA_TYPE")
            }
            Self::Unavailable | Self::Internal | Self::PaymentFailed if rest => {
                (StatusCode::INTERNAL_SERVER_ERROR, "GENERATION_FAILED")
            }
            Self::Unavailable => (StatusCode::SERVICE_UNAVAILABLE, "SERVICE_UNAVAILABLE"),
            Self::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL_ERROR"),
            Self::PaymentFailed => (StatusCode::BAD_GATEWAY, "PAYMENT_FAILED"),
        }
    }
}

/// The header of an answer that was given before.
pub(super) const REPLAYED: (HeaderName, &str) =
    (HeaderName::from_static("idempotent-replayed"), "true");

/// Client libraries repeat by themselves what ends in 408, 409, 429 or 5xx; this says that it would cost another round for nothing.
const DO_NOT_RETRY: (HeaderName, &str) = (HeaderName::from_static("x-should-retry"), "false");

/// When to come back for what a run is in the way of: most end in seconds.
const STILL_RUNNING_RETRY_S: u32 = 2;

/// Why a request is refused, in words for the one who sent it. Nothing of ours (causes, addresses, stack traces) is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Problem {
    kind: Kind,
    message: Cow<'static, str>,
    retry_after_s: Option<u32>,
    repeated: bool,
    is_final: bool,
}

impl Problem {
    /// A problem with its message.
    pub(super) fn new(kind: Kind, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            kind,
            message: message.into(),
            retry_after_s: None,
            repeated: false,
            is_final: false,
        }
    }

    /// Says that this was answered before, when `repeated`.
    pub(super) fn repeated(self, repeated: bool) -> Self {
        Self { repeated, ..self }
    }

    /// Says that the same request would be refused again, whatever its status makes a client believe.
    fn for_good(self) -> Self {
        Self {
            is_final: true,
            ..self
        }
    }

    /// The request must be corrected.
    pub(super) fn invalid(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Kind::Invalid, message)
    }

    /// The same words for everything that is not there, whoever it belongs to (decision 5).
    pub(super) fn not_found() -> Self {
        Self::new(Kind::NotFound, "there is no such resource")
    }

    /// Too many requests.
    pub(super) fn rate_limited(retry_after_s: u32) -> Self {
        Self {
            retry_after_s: Some(retry_after_s.max(1)),
            ..Self::new(
                Kind::RateLimited,
                wait_words("too many requests", retry_after_s),
            )
        }
    }

    /// A fault of ours; its cause is in the log only.
    pub(super) fn internal() -> Self {
        Self::new(
            Kind::Internal,
            "something went wrong on our side; nothing was charged that was not given back",
        )
    }

    /// The service is going down for a moment.
    pub(super) fn stopping() -> Self {
        Self {
            retry_after_s: Some(10),
            ..Self::new(
                Kind::Unavailable,
                "the service is restarting and nothing was charged; try again in a moment",
            )
        }
    }

    /// Too many bodies are being read at once.
    pub(super) fn no_room() -> Self {
        const RETRY_AFTER_S: u32 = 5;
        let why = "too many uploads arrive at once and nothing was charged";
        Self {
            retry_after_s: Some(RETRY_AFTER_S),
            ..Self::new(Kind::RateLimited, wait_words(why, RETRY_AFTER_S))
        }
    }

    /// The `{"error":{"code","message"}}` document, also used inside streams.
    pub(super) fn document(&self, surface: Surface) -> String {
        let (_, code) = self.kind.on(surface);
        let envelope = Envelope {
            error: Inside {
                code,
                message: &self.message,
            },
        };
        serde_json::to_string(&envelope).unwrap_or_default()
    }

    /// The code on a surface, and the words: what the envelope holds.
    pub(super) fn told_on(&self, surface: Surface) -> (&'static str, &str) {
        (self.kind.on(surface).1, &self.message)
    }

    /// The words.
    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// The status on a surface.
    pub(super) fn status(&self, surface: Surface) -> StatusCode {
        self.kind.on(surface).0
    }

    /// When to come back, if that is known.
    pub(super) fn retry_after_s(&self) -> Option<u32> {
        self.retry_after_s
    }

    /// The whole answer on a surface.
    pub(super) fn response(&self, surface: Surface) -> HttpResponse {
        let (status, _) = self.kind.on(surface);
        let mut response = HttpResponse::build(status);
        response.insert_header((
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        ));
        if self.kind == Kind::Unauthorized {
            response.insert_header((header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")));
        }
        if let Some(seconds) = self.retry_after_s {
            response.insert_header((header::RETRY_AFTER, seconds));
        }
        if self.repeated {
            response.insert_header(REPLAYED);
        }
        if self.is_final {
            response.insert_header(DO_NOT_RETRY);
        }
        response.body(self.document(surface))
    }
}

#[derive(Serialize)]
struct Envelope<'a> {
    error: Inside<'a>,
}

#[derive(Serialize)]
struct Inside<'a> {
    code: &'static str,
    message: &'a str,
}

impl From<Unavailable> for Problem {
    fn from(_: Unavailable) -> Self {
        Self {
            retry_after_s: Some(1),
            ..Self::new(
                Kind::Unavailable,
                "the service cannot answer right now and nothing was charged; try again in a moment",
            )
        }
    }
}

impl From<NotWatched> for Problem {
    fn from(why: NotWatched) -> Self {
        match why {
            NotWatched::Invalid(words) => Self::invalid(words),
            NotWatched::Missing => Self::not_found(),
            NotWatched::Unavailable => Unavailable.into(),
        }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Invalid(words) | Refusal::Taken(words) => Self::invalid(words),
            Refusal::TooMany { retry_after_s } => Self {
                retry_after_s: Some(retry_after_s.max(1)),
                ..Self::new(
                    Kind::RateLimited,
                    wait_words("too many tries", retry_after_s),
                )
            },
            Refusal::Missing => Self::not_found(),
            Refusal::Elsewhere(words) => Self {
                retry_after_s: Some(10),
                ..Self::new(Kind::Unavailable, words)
            },
            Refusal::Restricted => Self::new(Kind::Forbidden, "this account is restricted"),
            Refusal::Unavailable => Unavailable.into(),
        }
    }
}

/// Why somebody has to wait, and how long: people are not shown the header that says it to programs.
fn wait_words(why: &str, seconds: u32) -> String {
    let (count, unit) = match seconds.max(1) {
        seconds @ ..=90 => (seconds, "second"),
        seconds => (seconds.div_ceil(60), "minute"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{why}; wait {count} {unit}{plural} and try again")
}

impl From<Failure> for Problem {
    /// The status is that of a failed run whatever the reason (interface part 7), but for topics that the source does not have (decision
    /// 23); whether it counts as a fault of ours is not.
    fn from(failure: Failure) -> Self {
        if failure.reason == Reason::NotCovered {
            return Self::invalid(failure.message);
        }
        let class = failure.reason.class();
        if class != Class::Ours {
            Notes::excuse_current();
        }
        let problem = Self::new(Kind::GenerationFailed, failure.message);
        match class {
            Class::Source => problem.for_good(),
            Class::Ours | Class::Ended => problem,
        }
    }
}

impl From<NotSold> for Problem {
    fn from(why: NotSold) -> Self {
        match why {
            NotSold::UnknownPlan => {
                Self::invalid("plan must be one of starter, pro_pack and unlimited")
            }
            NotSold::Subscribed => Self::new(
                Kind::Conflict,
                "this account has a subscription already; packs can be bought beside it",
            )
            .for_good(),
            NotSold::NotSubscribed => {
                Self::new(Kind::Conflict, "this account has no subscription to manage").for_good()
            }
            NotSold::NotConfigured => Self::new(
                Kind::Unavailable,
                "this cannot be bought here: payments are not set up",
            )
            .for_good(),
            NotSold::Failed => Self::new(
                Kind::PaymentFailed,
                "the payment provider does not answer as it should and nothing was paid; try again in a moment",
            ),
            NotSold::Unavailable => Unavailable.into(),
        }
    }
}

impl From<NotHeard> for Problem {
    fn from(why: NotHeard) -> Self {
        match why {
            NotHeard::Disbelieved => {
                Self::invalid("this is no event signed by the payment provider within 300 seconds")
            }
            NotHeard::Thin => Self::invalid(
                "this event has a thin payload, which does not say what happened; choose snapshot payloads for this endpoint at the payment provider",
            ),
            NotHeard::NotConfigured => {
                Self::new(Kind::Unavailable, "payments are not set up here").for_good()
            }
            NotHeard::Unavailable => Unavailable.into(),
        }
    }
}

impl From<NoLook> for Problem {
    fn from(why: NoLook) -> Self {
        match why {
            NoLook::Failed(failure) => failure.into(),
            NoLook::Busy { retry_after_s } => Self {
                retry_after_s: Some(retry_after_s.max(1)),
                ..Self::new(
                    Kind::RateLimited,
                    wait_words("sources are looked into one at a time", retry_after_s),
                )
            },
        }
    }
}

impl From<NoTrial> for Problem {
    fn from(why: NoTrial) -> Self {
        match why {
            NoTrial::NotOurs => Self::invalid(
                "this skill is a copy of somebody else's, without the source that its evals are made of",
            ),
            NoTrial::Unread(why) => why.into(),
            NoTrial::Unavailable => Unavailable.into(),
        }
    }
}

impl From<Rejected> for Problem {
    fn from(rejected: Rejected) -> Self {
        match rejected {
            Rejected::InsufficientCredits => Self::new(
                Kind::InsufficientCredits,
                "not enough credits remain: each skill costs 1 credit",
            ),
            Rejected::Busy { retry_after_s } => Self {
                retry_after_s: Some(retry_after_s.max(1)),
                ..Self::new(
                    Kind::RateLimited,
                    wait_words(
                        "too many generations are waiting and nothing was charged",
                        retry_after_s,
                    ),
                )
            },
            Rejected::KeyReused => {
                Self::invalid("this Idempotency-Key was used before with another request")
            }
            Rejected::Deleted => Self::not_found().repeated(true),
            Rejected::AlreadyRegenerating => Self {
                retry_after_s: Some(STILL_RUNNING_RETRY_S),
                ..Self::new(Kind::Conflict, "this skill is being regenerated already")
            },
            Rejected::NotFound => Self::not_found(),
            Rejected::Stopping => Self::stopping(),
            Rejected::Unavailable => Unavailable.into(),
        }
    }
}

/// The surface a path belongs to. What is neither is answered in the application surface's words.
pub(super) fn surface_of(path: &str) -> Surface {
    match path.strip_prefix("/api/v1") {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => Surface::Rest,
        _ => Surface::Application,
    }
}

/// A problem on a surface, as actix-web wants it.
#[derive(Debug)]
pub(super) struct Refused(pub(super) Surface, pub(super) Problem);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.1.message)
    }
}

impl ResponseError for Refused {
    fn status_code(&self) -> StatusCode {
        self.1.kind.on(self.0).0
    }

    fn error_response(&self) -> HttpResponse {
        self.1.response(self.0)
    }
}

/// What a handler of the REST surface refuses with.
#[derive(Debug)]
pub(super) struct OnRest(Refused);

/// What a handler of the application surface refuses with.
#[derive(Debug)]
pub(super) struct OnApp(Refused);

macro_rules! surface_error {
    ($name:ident, $surface:expr) => {
        impl<P: Into<Problem>> From<P> for $name {
            fn from(problem: P) -> Self {
                Self(Refused($surface, problem.into()))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl ResponseError for $name {
            fn status_code(&self) -> StatusCode {
                self.0.status_code()
            }

            fn error_response(&self) -> HttpResponse {
                self.0.error_response()
            }
        }
    };
}

surface_error!(OnRest, Surface::Rest);
surface_error!(OnApp, Surface::Application);

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Kind; 15] = [
        Kind::Unauthorized,
        Kind::Forbidden,
        Kind::NotFound,
        Kind::MethodNotAllowed,
        Kind::TooSlow,
        Kind::Conflict,
        Kind::TooLarge,
        Kind::UnsupportedMediaType,
        Kind::RateLimited,
        Kind::InsufficientCredits,
        Kind::Invalid,
        Kind::GenerationFailed,
        Kind::Unavailable,
        Kind::Internal,
        Kind::PaymentFailed,
    ];

    #[test]
    fn the_rest_surface_speaks_only_the_seven_codes_of_the_interface() {
        let seven = [
            ("UNAUTHORIZED", 401),
            ("FORBIDDEN", 403),
            ("NOT_FOUND", 404),
            ("RATE_LIMITED", 429),
            ("INSUFFICIENT_CREDITS", 402),
            ("GENERATION_FAILED", 500),
        ];
        for kind in ALL {
            let (status, code) = kind.on(Surface::Rest);
            let known = seven.contains(&(code, status.as_u16()))
                || (code == "VALIDATION_ERROR"
                    && [400, 405, 408, 409, 413].contains(&status.as_u16()));
            assert!(known, "{kind:?}: {status} {code}");
        }
    }

    #[test]
    fn the_envelope_has_code_and_message_and_no_other_member() {
        assert_eq!(
            Problem::invalid("limit \"x\" is not a number").document(Surface::Rest),
            r#"{"error":{"code":"VALIDATION_ERROR","message":"limit \"x\" is not a number"}}"#
        );
    }

    #[test]
    fn a_failed_run_tells_its_reason_and_a_full_queue_when_to_come_back() {
        let failed = Problem::from(Failure::new(Reason::Missing, "the video has no captions"));
        assert!(
            failed
                .document(Surface::Rest)
                .contains("the video has no captions")
        );
        let headers = failed.response(Surface::Rest).headers().clone();
        assert_eq!(headers.get("x-should-retry").expect("present"), "false");
        let ours = Problem::internal().response(Surface::Rest);
        assert!(!ours.headers().contains_key("x-should-retry"));
        let busy = Problem::from(Rejected::Busy { retry_after_s: 0 }).response(Surface::Rest);
        assert_eq!(busy.status(), 429);
        assert_eq!(busy.headers().get("retry-after").expect("present"), "1");
    }

    #[test]
    fn only_what_lies_under_api_v1_is_the_rest_surface() {
        assert_eq!(surface_of("/api/v1/credits"), Surface::Rest);
        assert_eq!(surface_of("/api/v1"), Surface::Rest);
        assert_eq!(surface_of("/api/v10/credits"), Surface::Application);
        assert_eq!(surface_of("/api/credits"), Surface::Application);
    }
}
