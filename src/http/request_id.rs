//! Owns the id of a request: the one that came with it when that is sane, else one of ours.

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use std::cell::Cell;

/// The header, of requests and of answers.
pub(super) const NAME: HeaderName = HeaderName::from_static("x-request-id");
const LEN_MAX: usize = 128;
/// Characters that tell processes and threads apart, then those that count.
const START_LEN: usize = 12;
const COUNT_LEN: usize = 10;

/// The id of a request.
#[derive(Debug)]
pub(super) enum RequestId {
    /// It came with the request.
    Given(HeaderValue),
    /// Unique within the process, and hardly ever equal to another's.
    Made([u8; START_LEN + COUNT_LEN]),
}

impl RequestId {
    /// A sane id that came with the request, or a new one.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let given = headers.get(NAME);
        match given.filter(|given| is_sane(given.as_bytes())) {
            Some(given) => Self::Given(given.clone()),
            None => Self::Made(made()),
        }
    }

    /// In characters.
    pub(super) fn text(&self) -> &str {
        let text = match self {
            Self::Given(given) => given.to_str().ok(),
            Self::Made(made) => std::str::from_utf8(made).ok(),
        };
        text.unwrap_or_default()
    }

    /// As an answer says it.
    pub(super) fn header(&self) -> HeaderValue {
        match self {
            Self::Given(given) => given.clone(),
            Self::Made(made) => {
                HeaderValue::from_bytes(made).unwrap_or(HeaderValue::from_static("unknown"))
            }
        }
    }
}

fn made() -> [u8; START_LEN + COUNT_LEN] {
    thread_local! {
        static START: [u8; START_LEN] = start();
        static COUNT: Cell<u64> = const { Cell::new(0) };
    }
    let count = COUNT.get();
    COUNT.set(count.wrapping_add(1));
    let start = START.with(|start| *start);
    let mut id = [0; START_LEN + COUNT_LEN];
    let digits = (0..COUNT_LEN).rev().map(|place| {
        let digit = u8::try_from(count >> (4 * place) & 15).unwrap_or(0);
        if digit < 10 {
            b'0' + digit
        } else {
            b'a' + digit - 10
        }
    });
    id.iter_mut()
        .zip(start.into_iter().chain(digits))
        .for_each(|(slot, byte)| *slot = byte);
    id
}

/// What tells this thread's request ids from those of any other thread or process.
fn start() -> [u8; START_LEN] {
    let mut drawn = [0; 32];
    let drawn = uuid::Uuid::new_v4().simple().encode_lower(&mut drawn);
    let mut start = [b'0'; START_LEN];
    start
        .iter_mut()
        .zip(drawn.bytes())
        .for_each(|(slot, byte)| *slot = byte);
    start
}

fn is_sane(id: &[u8]) -> bool {
    !id.is_empty()
        && id.len() <= LEN_MAX
        && id
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.:/+=".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn of(given: Option<&'static str>) -> RequestId {
        let mut headers = HeaderMap::new();
        if let Some(given) = given {
            headers.insert(NAME, HeaderValue::from_static(given));
        }
        RequestId::of(&headers)
    }

    #[test]
    fn a_sane_id_is_kept_and_said_as_it_came() {
        let id = of(Some("order-7/retry.2"));
        assert_eq!(
            (id.text(), id.header().to_str().ok()),
            ("order-7/retry.2", Some("order-7/retry.2"))
        );
    }

    #[test]
    fn a_request_without_a_sane_id_gets_one_that_no_other_has() {
        let ids = [None, Some(""), Some("two words"), Some("<b>"), None].map(of);
        for id in &ids {
            assert_eq!(id.text().len(), START_LEN + COUNT_LEN);
            assert_eq!(id.header().to_str().ok(), Some(id.text()));
        }
        let texts: HashSet<_> = ids.iter().map(RequestId::text).collect();
        assert_eq!(texts.len(), ids.len());
    }
}
