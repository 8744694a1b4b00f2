//! Owns what can go wrong when a model is asked: whether asking again makes sense, and the words for the user.
//!
//! Nothing that the server sent goes into a message or the log but its status and a short word of its own: servers repeat
//! keys and questions in their errors.

use chrono::{DateTime, Utc};
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde_json::Value;
use skillkiln_document::failure::{Failure, Reason};
use std::time::Duration;

/// A server that names a longer wait means something else than patience.
const WAIT_MAX: Duration = Duration::from_secs(3_600);

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trouble {
    /// Nobody is there, or the line broke.
    Unreachable,
    /// No answer came in time.
    Silent,
    /// The server is ill or overloaded.
    Failing {
        /// The HTTP status.
        status: u16,
        /// What it asks us to wait.
        wait: Option<Duration>,
    },
    /// We ask too often.
    Limited {
        /// What it asks us to wait.
        wait: Option<Duration>,
    },
    /// The answer cannot be read.
    Garbled,
    /// The model does not want to answer.
    Declined,
    /// The server refuses what we ask or who we are, and would refuse it again.
    Refused {
        /// The HTTP status.
        status: u16,
        /// The server's own word for it, when it is one plain word.
        kind: Option<String>,
    },
    /// It was not asked at all, because the calls before failed.
    Halted(Duration),
}

impl Trouble {
    /// What broke before there was a whole answer.
    pub(super) fn of(error: &reqwest::Error) -> Self {
        if error.is_timeout() {
            Self::Silent
        } else if error.is_decode() {
            Self::Garbled
        } else {
            Self::Unreachable
        }
    }

    /// What an answer with a bad status means.
    pub(super) fn of_status(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Self {
        let wait = wait(headers);
        match status.as_u16() {
            429 => Self::Limited { wait },
            status @ (408 | 409 | 425 | 500..=599) => Self::Failing { status, wait },
            status => Self::Refused {
                status,
                kind: kind(body),
            },
        }
    }

    /// Whether asking again may help.
    pub(super) fn may_pass(&self) -> bool {
        !matches!(
            self,
            Self::Declined | Self::Refused { .. } | Self::Halted(_)
        )
    }

    /// Whether a shorter question may have an answer.
    pub(super) fn is_too_long(&self) -> bool {
        let Self::Refused { status, kind } = self else {
            return false;
        };
        let kind = kind.as_deref().unwrap_or_default();
        *status == 413
            || ["context", "too_long", "too_large"]
                .iter()
                .any(|word| kind.contains(word))
    }

    /// Whether it tells that the server is down rather than that this question is a bad one.
    pub(super) fn blames_the_server(&self) -> bool {
        matches!(
            self,
            Self::Unreachable | Self::Silent | Self::Failing { .. }
        )
    }

    /// What the server asks us to wait.
    pub(super) fn wait(&self) -> Option<Duration> {
        match self {
            Self::Failing { wait, .. } | Self::Limited { wait } => *wait,
            _ => None,
        }
    }

    /// The word for logs.
    pub(super) const fn as_str(&self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::Silent => "silent",
            Self::Failing { .. } => "failing",
            Self::Limited { .. } => "limited",
            Self::Garbled => "garbled",
            Self::Declined => "declined",
            Self::Refused { .. } => "refused",
            Self::Halted(_) => "halted",
        }
    }

    /// The HTTP status, for logs.
    pub(super) const fn status(&self) -> Option<u16> {
        match self {
            Self::Failing { status, .. } | Self::Refused { status, .. } => Some(*status),
            Self::Limited { .. } => Some(429),
            _ => None,
        }
    }

    /// The server's own word, for logs.
    pub(super) fn kind(&self) -> Option<&str> {
        match self {
            Self::Refused { kind, .. } => kind.as_deref(),
            _ => None,
        }
    }

    /// In words for the user.
    pub(super) fn failure(&self) -> Failure {
        let message = match self {
            Self::Unreachable | Self::Silent | Self::Failing { .. } | Self::Halted(_) => {
                "the model that writes the skills does not answer now; try again in a few minutes"
                    .to_owned()
            }
            Self::Limited { wait } => format!(
                "the model that writes the skills has too much to do; try again in {}",
                match wait.map_or(0, |wait| wait.as_secs().div_ceil(60)) {
                    0 | 1 => "a minute".to_owned(),
                    minutes => format!("{minutes} minutes"),
                }
            ),
            Self::Garbled => {
                "the model that writes the skills gave no answer that can be used; try again, or with a smaller part of the source"
                    .to_owned()
            }
            Self::Declined => {
                "the model that writes the skills declines to write about this source; send another one, or a part of it"
                    .to_owned()
            }
            Self::Refused { .. } => {
                "the model that writes the skills is not set up as it should be; tell whoever runs this service"
                    .to_owned()
            }
        };
        Failure::new(Reason::Model, message)
    }
}

/// How long a server asks us to wait: in milliseconds, in seconds, or until a date.
fn wait(headers: &HeaderMap) -> Option<Duration> {
    let value = |name| {
        let value: &reqwest::header::HeaderValue = headers.get(name)?;
        value.to_str().ok().map(str::trim)
    };
    let millis = value("retry-after-ms").and_then(|text| text.parse().ok());
    let after = value(RETRY_AFTER.as_str());
    let seconds = || after?.parse().ok().map(Duration::from_secs);
    let date = || {
        let date = DateTime::parse_from_rfc2822(after?).ok()?;
        Some((date.to_utc() - Utc::now()).to_std().unwrap_or_default())
    };
    let wait = millis
        .map(Duration::from_millis)
        .or_else(seconds)
        .or_else(date)?;
    Some(wait.min(WAIT_MAX))
}

/// The server's own word for an error: `error.code` or `error.type`, when it is one plain word.
fn kind(body: &[u8]) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    let error = body.get("error")?;
    ["code", "type"]
        .into_iter()
        .filter_map(|name| error.get(name)?.as_str())
        .find(|word| {
            (1..=48).contains(&word.len())
                && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
        })
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::HeaderValue;

    fn wait_of(name: &'static str, value: &str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert(name, HeaderValue::from_str(value).unwrap());
        wait(&headers)
    }

    #[test]
    fn every_spelling_of_a_wait_is_read() {
        assert_eq!(wait_of("retry-after", "7"), Some(Duration::from_secs(7)));
        assert_eq!(
            wait_of("retry-after-ms", "250"),
            Some(Duration::from_millis(250))
        );
        assert_eq!(wait_of("retry-after", "99999999"), Some(WAIT_MAX));
        assert_eq!(wait_of("retry-after", "soon"), None);
        let past = "Wed, 21 Oct 2015 07:28:00 GMT";
        assert_eq!(wait_of("retry-after", past), Some(Duration::ZERO));
        let ahead = (Utc::now() + Duration::from_secs(7_200)).to_rfc2822();
        assert_eq!(wait_of("retry-after", &ahead), Some(WAIT_MAX));
    }

    #[test]
    fn only_a_plain_word_of_a_server_is_kept() {
        let refused = |body: &str| {
            Trouble::of_status(StatusCode::UNAUTHORIZED, &HeaderMap::new(), body.as_bytes())
                .kind()
                .map(str::to_owned)
        };
        assert_eq!(
            refused(r#"{"error":{"message":"wrong key sk-1","code":"invalid_api_key"}}"#),
            Some("invalid_api_key".to_owned())
        );
        assert_eq!(refused(r#"{"error":{"code":"sk-SECRET1"}}"#), None);
        assert_eq!(refused("<html>"), None);
    }
}
