//! Owns how often somebody may try: exact windows by account and by address, so that passwords cannot be guessed at speed.
//!
//! A window that lasts an hour is the minute's window on a clock that runs sixty times slower.

use crate::domain::clock::Timestamp;
use crate::domain::quota::{Verdict, Window};
use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};

/// Wrong passwords for one account, a minute and an hour.
const PER_ACCOUNT: (u32, u32) = (10, 40);
/// Wrong passwords from one address, a minute and an hour.
const PER_ADDRESS: (u32, u32) = (20, 200);
/// Accounts asked for from one address, a minute and an hour.
const JOINS: (u32, u32) = (10, 60);
/// Messages to one address, a minute and an hour.
const MAILS: (u32, u32) = (2, 6);
/// Requests from one address that make us ask somebody who vouches for people, a minute and an hour; coming in takes two.
const JOURNEYS: (u32, u32) = (20, 200);
/// Texts that an address may try without an account, a minute and an hour.
const SAMPLES: (u32, u32) = (6, 60);
/// Most names that have windows of their own; the others share one pair.
const NAMES_MAX: usize = 16_384;
/// How much slower the clock of the long window runs.
const SLOWER: i64 = 60;

/// The tries of everybody.
#[derive(Debug)]
pub(super) struct Attempts {
    /// By the account's address, whether or not there is such an account.
    pub(super) accounts: Tries<String>,
    /// By the address a request comes from.
    pub(super) addresses: Tries<IpAddr>,
    /// To make an account, by the address a request comes from.
    pub(super) joins: Tries<IpAddr>,
    /// To have mail sent, by the address that gets it.
    pub(super) mails: Tries<String>,
    /// To be vouched for by somebody else, by the address a request comes from.
    pub(super) journeys: Tries<IpAddr>,
    /// To try a text without an account, by the address a request comes from.
    pub(super) samples: Tries<IpAddr>,
}

impl Default for Attempts {
    fn default() -> Self {
        Self {
            accounts: Tries::new(PER_ACCOUNT),
            addresses: Tries::new(PER_ADDRESS),
            joins: Tries::new(JOINS),
            mails: Tries::new(MAILS),
            journeys: Tries::new(JOURNEYS),
            samples: Tries::new(SAMPLES),
        }
    }
}

/// The windows of those who tried lately.
///
/// Invariant: at most `NAMES_MAX` pairs of windows, whoever tries.
#[derive(Debug)]
pub struct Tries<K> {
    limits: (u32, u32),
    windows: Mutex<Windows<K>>,
}

#[derive(Debug)]
struct Windows<K> {
    by_name: HashMap<K, Pair>,
    newcomers: Pair,
    swept_at: Timestamp,
}

#[derive(Debug)]
struct Pair {
    short: Window,
    long: Window,
}

impl Pair {
    fn new((short, long): (u32, u32)) -> Self {
        Self {
            short: Window::new(short),
            long: Window::new(long),
        }
    }

    fn is_idle(&self, now: Timestamp) -> bool {
        self.short.is_idle(now) && self.long.is_idle(slowed(now))
    }

    /// Seconds to wait, when there were too many.
    fn full(&mut self, now: Timestamp) -> Option<u32> {
        let wait = |verdict: Verdict, times: i64| {
            let seconds = i64::from(verdict.retry_after_s).saturating_mul(times);
            (verdict.remaining == 0).then(|| u32::try_from(seconds).unwrap_or(u32::MAX))
        };
        let short = wait(self.short.look(now), 1);
        wait(self.long.look(slowed(now)), SLOWER).max(short)
    }

    fn count(&mut self, now: Timestamp) {
        self.short.admit(now);
        self.long.admit(slowed(now));
    }

    fn take_back(&mut self, at: Timestamp) {
        self.short.take_back(at);
        self.long.take_back(slowed(at));
    }
}

fn slowed(now: Timestamp) -> Timestamp {
    Timestamp::from_micros(now.micros() / SLOWER)
}

impl<K: Eq + Hash> Tries<K> {
    /// Nobody tried yet; so many a minute and an hour will be let through.
    #[must_use]
    pub fn new(limits: (u32, u32)) -> Self {
        Self {
            limits,
            windows: Mutex::new(Windows {
                by_name: HashMap::new(),
                newcomers: Pair::new(limits),
                swept_at: Timestamp::from_micros(0),
            }),
        }
    }

    /// Counts a try, or says how many seconds to wait. A try is counted before it is known how it turns out, so that many at
    /// once are no way past the limit; one that turns out well is given back by [`Tries::take_back`] or [`Tries::forgive`].
    ///
    /// # Errors
    /// Seconds after which another try is let through.
    pub fn count(&self, name: K, now: Timestamp) -> Result<(), u32> {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let windows = &mut *windows;
        if windows.by_name.len() >= NAMES_MAX && !windows.by_name.contains_key(&name) {
            if now.since(windows.swept_at).as_secs() >= 1 {
                windows.swept_at = now;
                windows.by_name.retain(|_, pair| !pair.is_idle(now));
            }
            if windows.by_name.len() >= NAMES_MAX {
                return counted(&mut windows.newcomers, now);
            }
        }
        let limits = self.limits;
        let pair = windows
            .by_name
            .entry(name)
            .or_insert_with(|| Pair::new(limits));
        counted(pair, now)
    }

    /// Takes back one try that turned out well; the others stay.
    pub fn take_back(&self, name: &K, at: Timestamp) {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let windows = &mut *windows;
        match windows.by_name.get_mut(name) {
            Some(pair) => pair.take_back(at),
            None => windows.newcomers.take_back(at),
        }
    }

    /// Forgets everything that somebody tried who then was right.
    pub fn forgive(&self, name: &K) {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        windows.by_name.remove(name);
    }
}

fn counted(pair: &mut Pair, now: Timestamp) -> Result<(), u32> {
    match pair.full(now) {
        Some(seconds) => Err(seconds),
        None => {
            pair.count(now);
            Ok(())
        }
    }
}

/// What counts as one subscriber when tries are counted: an IPv4 address, or an IPv6 /64.
#[must_use]
pub fn subscriber(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        v4 => v4,
    }
}

/// What counts as one neighbourhood when welcomes are counted: an IPv4 /24, or an IPv6 /64.
#[must_use]
pub fn neighbourhood(address: IpAddr) -> String {
    match subscriber(address) {
        IpAddr::V4(v4) => {
            let [a, b, c, _] = v4.octets();
            format!("{}/24", Ipv4Addr::new(a, b, c, 0))
        }
        IpAddr::V6(v6) => format!("{v6}/64"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn at(seconds: u64) -> Timestamp {
        Timestamp::from_micros(1_000_000_000_000_000).plus(Duration::from_secs(seconds))
    }

    #[test]
    fn the_short_window_opens_after_a_minute_and_the_long_one_after_an_hour() {
        let tries = Tries::new((2, 5));
        assert_eq!(tries.count("a", at(0)), Ok(()));
        assert_eq!(tries.count("a", at(0)), Ok(()));
        assert_eq!(tries.count("a", at(1)), Err(59));
        assert_eq!(tries.count("b", at(1)), Ok(()), "somebody else");
        assert_eq!(tries.count("a", at(60)), Ok(()));
        assert_eq!(tries.count("a", at(60)), Ok(()));
        assert_eq!(tries.count("a", at(120)), Ok(()));
        let wait = tries.count("a", at(180)).expect_err("five an hour");
        assert!((3_360..=3_480).contains(&wait), "{wait}");
        assert_eq!(tries.count("a", at(180 + u64::from(wait))), Ok(()));
    }

    #[test]
    fn whoever_was_right_begins_anew() {
        let tries = Tries::new((1, 9));
        assert_eq!(tries.count("a", at(0)), Ok(()));
        assert!(tries.count("a", at(0)).is_err());
        tries.forgive(&"a");
        assert_eq!(tries.count("a", at(0)), Ok(()));
    }

    #[test]
    fn one_try_that_turned_out_well_is_taken_back_and_the_failed_ones_stay() {
        let tries = Tries::new((2, 9));
        assert_eq!(tries.count("a", at(0)), Ok(()));
        for second in 1..30 {
            assert_eq!(tries.count("a", at(second)), Ok(()));
            tries.take_back(&"a", at(second));
        }
        assert_eq!(tries.count("a", at(30)), Ok(()));
        assert!(tries.count("a", at(30)).is_err(), "two that failed");
    }

    #[test]
    fn memory_stays_bounded_and_the_idle_make_room() {
        let tries = Tries::new((1, 3));
        for name in 0..NAMES_MAX {
            assert_eq!(tries.count(name, at(0)), Ok(()));
        }
        assert_eq!(tries.count(NAMES_MAX, at(0)), Ok(()), "shared");
        assert!(tries.count(NAMES_MAX + 1, at(0)).is_err(), "shared");
        assert_eq!(tries.count(NAMES_MAX + 2, at(4_000)), Ok(()));
        assert_eq!(tries.windows.lock().expect("sound").by_name.len(), 1);
    }

    #[test]
    fn a_neighbourhood_is_a_24_or_a_64() {
        let of = |text: &str| neighbourhood(text.parse().expect("an address"));
        assert_eq!(of("192.0.2.77"), "192.0.2.0/24");
        assert_eq!(of("::ffff:192.0.2.77"), "192.0.2.0/24");
        assert_eq!(of("2001:db8:1:2:3::4"), "2001:db8:1:2::/64");
    }
}
