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

/// The next id of this thread. It is kept as it is written, and counted in its digits: all of them would be more work than the one that
/// changes.
fn made() -> [u8; START_LEN + COUNT_LEN] {
    thread_local! {
        static NEXT: Cell<[u8; START_LEN + COUNT_LEN]> = Cell::new(first());
    }
    let made = NEXT.get();
    let mut next = made;
    for digit in next.iter_mut().rev().take(COUNT_LEN) {
        *digit = match *digit {
            b'9' => b'a',
            b'f' => b'0',
            digit => digit + 1,
        };
        if *digit != b'0' {
            break;
        }
    }
    NEXT.set(next);
    made
}

/// The first id of a thread.
fn first() -> [u8; START_LEN + COUNT_LEN] {
    let mut id = [b'0'; START_LEN + COUNT_LEN];
    id.iter_mut()
        .zip(start())
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

    #[test]
    fn ids_of_a_thread_count_in_hexadecimal() {
        let counted = |id: [u8; START_LEN + COUNT_LEN]| {
            let digits = std::str::from_utf8(&id[START_LEN..]).unwrap().to_owned();
            u64::from_str_radix(&digits, 16).unwrap()
        };
        let first = counted(made());
        for n in 1..600 {
            assert_eq!(counted(made()), first + n);
        }
    }
}
