//! Owns how hard anybody may knock: the limit headers on every answer, and the slowing of those who try keys (decisions 44 to 47, 52).
//!
//! A valid key is limited by its own windows, which the services own. Only failed authentications count towards the window of
//! an address, so a valid key from behind the same address never suffers.

use crate::config::network::Network;
use crate::domain::clock::Timestamp;
use crate::domain::quota::{Verdict, WINDOW, Window};
use crate::services::limits::Limits;
use actix_web::HttpRequest;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use bytes::Bytes;
use std::cell::RefCell;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::thread::LocalKey;

/// Failed authentications a minute that an address is allowed.
const FAILURES_PER_MINUTE: u32 = 60;
/// Most addresses that have a window of their own; about 500 bytes each.
const ADDRESSES_MAX: usize = 16_384;

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

/// The failed authentications of each address within the last minute.
///
/// Invariant: at most [`ADDRESSES_MAX`] windows, whoever knocks. When so many addresses fail within one minute that there is
/// no room for another, the newcomers share one window: guessing stays slow, and valid keys are unaffected.
#[derive(Debug)]
pub(super) struct Failures {
    windows: Mutex<Windows>,
}

#[derive(Debug)]
struct Windows {
    by_network: HashMap<IpAddr, Window>,
    newcomers: Window,
    swept_at: Timestamp,
}

impl Default for Failures {
    fn default() -> Self {
        Self {
            windows: Mutex::new(Windows {
                by_network: HashMap::new(),
                newcomers: Window::new(FAILURES_PER_MINUTE),
                swept_at: Timestamp::from_micros(0),
            }),
        }
    }
}

impl Failures {
    /// Counts a failed authentication, on all nodes where they share windows; not admitted means that the address has had too many.
    pub(super) async fn count(&self, address: IpAddr, limits: &Limits) -> Verdict {
        let name = format!("address:{}", network_of(address));
        match limits.count(&name, FAILURES_PER_MINUTE).await {
            Some((verdict, at)) => {
                if verdict.admitted {
                    self.count_here(address, FAILURES_PER_MINUTE, at);
                }
                verdict
            }
            None => self.count_here(address, limits.share_of(FAILURES_PER_MINUTE), limits.now()),
        }
    }

    fn count_here(&self, address: IpAddr, limit: u32, now: Timestamp) -> Verdict {
        let network = network_of(address);
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let windows = &mut *windows;
        if windows.by_network.len() >= ADDRESSES_MAX && !windows.by_network.contains_key(&network) {
            // A sweep looks at every window, so it happens at most once a second.
            if now.since(windows.swept_at).as_secs() >= 1 {
                windows.swept_at = now;
                windows.by_network.retain(|_, window| !window.is_idle(now));
            }
            if windows.by_network.len() >= ADDRESSES_MAX {
                return windows.newcomers.admit_up_to(limit, now);
            }
        }
        windows
            .by_network
            .entry(network)
            .or_insert_with(|| Window::new(FAILURES_PER_MINUTE))
            .admit_up_to(limit, now)
    }

    /// What the headers of an answer without a valid key say; counts nothing.
    pub(super) fn look(&self, address: IpAddr, now: Timestamp) -> Verdict {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        match windows.by_network.get_mut(&network_of(address)) {
            Some(window) => window.look(now),
            None => Window::new(FAILURES_PER_MINUTE).look(now),
        }
    }
}

/// What counts as one address: an IPv4 address, or the /64 that an IPv6 subscriber gets.
fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        v4 => v4,
    }
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
    use std::time::Duration;

    fn at(seconds: u64) -> Timestamp {
        Timestamp::from_micros(0).plus(Duration::from_secs(seconds))
    }

    fn count(failures: &Failures, address: IpAddr, now: Timestamp) -> Verdict {
        failures.count_here(address, FAILURES_PER_MINUTE, now)
    }

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
    fn the_sixty_first_failure_in_a_minute_is_refused_and_another_address_is_unaffected() {
        let failures = Failures::default();
        for _ in 0..60 {
            assert!(count(&failures, address("192.0.2.1"), at(100)).admitted);
        }
        assert!(!count(&failures, address("192.0.2.1"), at(101)).admitted);
        assert_eq!(failures.look(address("192.0.2.1"), at(101)).remaining, 0);
        assert_eq!(failures.look(address("192.0.2.2"), at(101)).remaining, 60);
        assert!(count(&failures, address("192.0.2.1"), at(160)).admitted);
    }

    #[test]
    fn an_ipv6_subscriber_is_one_address_and_a_mapped_ipv4_address_is_itself() {
        let failures = Failures::default();
        count(&failures, address("2001:db8:1:2::1"), at(1));
        assert_eq!(
            failures
                .look(address("2001:db8:1:2:ffff::9"), at(1))
                .remaining,
            59
        );
        assert_eq!(
            failures.look(address("2001:db8:1:3::1"), at(1)).remaining,
            60
        );
        count(&failures, address("::ffff:192.0.2.7"), at(1));
        assert_eq!(failures.look(address("192.0.2.7"), at(1)).remaining, 59);
    }

    #[test]
    fn memory_stays_bounded_when_the_whole_world_tries_keys() {
        let failures = Failures::default();
        for n in 0..ADDRESSES_MAX as u32 + 60 {
            assert!(count(&failures, IpAddr::V4(Ipv4Addr::from(n)), at(10)).admitted);
        }
        assert!(
            !count(&failures, address("198.51.100.1"), at(10)).admitted,
            "newcomers share one window"
        );
        assert_eq!(
            failures.windows.lock().expect("sound").by_network.len(),
            ADDRESSES_MAX
        );
        assert!(
            count(&failures, address("198.51.100.1"), at(100)).admitted,
            "the idle are forgotten"
        );
        assert_eq!(failures.windows.lock().expect("sound").by_network.len(), 1);
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
