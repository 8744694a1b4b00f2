//! Owns the limit headers on every answer (decisions 44 to 47, 52), and who it is that knocks.
//!
//! A valid key is limited by its own windows. Only failed authentications count towards the window of an address, so a valid key from
//! behind the same address never suffers. The services own both.

use crate::config::network::Network;
use crate::domain::quota::{Verdict, WINDOW};
use actix_web::HttpRequest;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use bytes::Bytes;
use std::cell::RefCell;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::thread::LocalKey;

const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
const STANDARD: HeaderName = HeaderName::from_static("ratelimit");
const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Small numbers repeat on every answer, so they are kept.
const KEPT_MAX: i64 = 120;

/// The last large number of a header.
type Last = RefCell<(i64, HeaderValue)>;

/// Writes what every answer says of its window, in the interface's three headers and in the two of the coming standard
/// (draft-ietf-httpapi-ratelimit-headers), whose seconds are relative. Nobody else writes them. A window counts on a steady clock; the second at which it
/// resets is told by the system's, which may have been set forward meanwhile.
pub(super) fn write_headers(verdict: Verdict, set_forward_s: i64, headers: &mut HeaderMap) {
    thread_local! {
        static LAST_LIMIT: Last = RefCell::new((0, number(0)));
        static LAST_RESET: Last = RefCell::new((0, number(0)));
        static LAST_POLICY: RefCell<(u32, HeaderValue)> = const { RefCell::new((0, HeaderValue::from_static(""))) };
    }
    headers.append(LIMIT, repeated(i64::from(verdict.limit), &LAST_LIMIT));
    headers.append(REMAINING, number(i64::from(verdict.remaining)));
    headers.append(
        RESET,
        repeated(
            verdict.reset_unix_s.saturating_add(set_forward_s),
            &LAST_RESET,
        ),
    );
    let (limit, left, after) = (verdict.limit, verdict.remaining, verdict.retry_after_s);
    LAST_POLICY.with_borrow_mut(|(of, policy)| {
        if *of != limit {
            *of = limit;
            *policy = text(format!("\"requests\";q={limit};w={}", WINDOW.as_secs()));
        }
        headers.append(POLICY, policy.clone());
    });
    headers.append(STANDARD, text(format!("\"requests\";r={left};t={after}")));
}

fn text(value: String) -> HeaderValue {
    HeaderValue::from_maybe_shared(Bytes::from(value)).unwrap_or(HeaderValue::from_static(""))
}

/// A number that most likely is the one that its header said last.
fn repeated(value: i64, last: &'static LocalKey<Last>) -> HeaderValue {
    last.with_borrow_mut(|last| {
        if last.0 != value {
            *last = (value, number(value));
        }
        last.1.clone()
    })
}

/// A number as a header.
fn number(value: i64) -> HeaderValue {
    thread_local! {
        static KEPT: Vec<HeaderValue> = (0..=KEPT_MAX).map(HeaderValue::from).collect();
    }
    match usize::try_from(value) {
        Ok(index) => KEPT
            .with(|kept| kept.get(index).cloned())
            .unwrap_or_else(|| in_digits(index)),
        Err(_) => HeaderValue::from(value),
    }
}

/// Written into its own bytes, for which memory is asked once.
fn in_digits(value: usize) -> HeaderValue {
    let mut digits = [b'0'; usize::MAX.ilog10() as usize + 1];
    let mut rest = value;
    let mut first = digits.len();
    for (place, digit) in digits.iter_mut().enumerate().rev() {
        if rest == 0 {
            break;
        }
        *digit += (rest % 10) as u8;
        rest /= 10;
        first = place;
    }
    let written = digits.get(first..).unwrap_or_default();
    HeaderValue::from_bytes(written).unwrap_or(HeaderValue::from_static("0"))
}

/// Who really sent a request: the peer, or the last address in `X-Forwarded-For` that no trusted proxy of ours has.
pub(super) fn client_of(req: &HttpRequest, trusted_proxies: &[Network]) -> IpAddr {
    let peer = req
        .peer_addr()
        .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
    let is_trusted = |address| {
        trusted_proxies
            .iter()
            .any(|network| network.contains(address))
    };
    if !is_trusted(peer) {
        return peer;
    }
    let forwarded: Vec<&str> = req
        .headers()
        .get_all("x-forwarded-for")
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .collect();
    let mut client = peer;
    for hop in forwarded.iter().rev() {
        // Whatever stands before something unreadable was not written by a proxy of ours.
        let Some(address) = address_of(hop.trim()) else {
            break;
        };
        client = address;
        if !is_trusted(address) {
            break;
        }
    }
    client
}

/// An address, with or without a port.
fn address_of(hop: &str) -> Option<IpAddr> {
    let with_port = || hop.parse::<SocketAddr>().ok().map(|socket| socket.ip());
    hop.parse().ok().or_else(with_port)
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    fn address(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn the_headers_say_the_numbers_whatever_was_said_before() {
        for limit in [0, 1, 60, 120, 121, 1_000_000, u32::MAX, 60] {
            let verdict = Verdict {
                admitted: true,
                limit,
                remaining: limit / 2,
                reset_unix_s: 1_795_166_100 + i64::from(limit),
                retry_after_s: 1,
            };
            let mut headers = HeaderMap::new();
            write_headers(verdict, 0, &mut headers);
            let said = |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
            assert_eq!(said(&LIMIT), Some(&*limit.to_string()));
            assert_eq!(said(&REMAINING), Some(&*(limit / 2).to_string()));
            assert_eq!(said(&RESET), Some(&*verdict.reset_unix_s.to_string()));
        }
        assert_eq!(number(-7).to_str().ok(), Some("-7"));
    }

    #[test]
    fn a_forwarded_address_counts_only_from_a_trusted_proxy() {
        let proxies: [Network; 2] =
            ["10.0.0.0/8", "2001:db8::1"].map(|network| network.parse().expect("a network"));
        let client = |peer: &str, forwarded: &str| {
            let request = TestRequest::default()
                .peer_addr((address(peer), 1).into())
                .insert_header(("X-Forwarded-For", forwarded))
                .to_http_request();
            client_of(&request, &proxies)
        };
        assert_eq!(client("192.0.2.9", "198.51.100.1"), address("192.0.2.9"));
        assert_eq!(client("10.1.2.3", "198.51.100.1"), address("198.51.100.1"));
        assert_eq!(
            client("10.1.2.3", "1.1.1.1, 198.51.100.1, 10.9.9.9"),
            address("198.51.100.1"),
            "what the client made up before is not believed"
        );
        assert_eq!(
            client("10.1.2.3", "198.51.100.1:4711"),
            address("198.51.100.1")
        );
        assert_eq!(client("10.1.2.3", "nonsense"), address("10.1.2.3"));
        assert_eq!(
            client("2001:db8::1", "198.51.100.1"),
            address("198.51.100.1")
        );
    }
}
