//! Owns how often somebody may try, so that passwords cannot be guessed at speed and strangers shut nobody out.
//!
//! Wrong passwords are counted where they come from: for a browser that its owner came in by before, by that browser and account; for
//! any other, by its address and account, and by its address alone. So what strangers do elsewhere costs the owner nothing. An
//! account at which very many are wrong has less patience with every browser that it does not know.
//!
//! A window that lasts an hour is the minute's window on a clock that runs sixty times slower.

use crate::domain::clock::Timestamp;
use crate::domain::id::UserId;
use crate::domain::quota::{Verdict, Window};
use crate::services::members::backoff::{Backoff, Pace};
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Wrong passwords for one account, from a browser that it knows or from one address.
pub(super) const PATIENT: Pace = Pace {
    free: 10,
    wait_max: Duration::from_secs(300),
};
/// The same from an address, at an account that is being guessed.
pub(super) const GUESSED: Pace = Pace {
    free: 3,
    wait_max: Duration::from_secs(900),
};
/// Wrong passwords from one address, whatever the account.
pub(super) const PER_ADDRESS: Pace = Pace {
    free: 20,
    wait_max: Duration::from_secs(60),
};
/// Wrong passwords from browsers that an account does not know, a minute and an hour, after which it is being guessed.
const GUESSES: (u32, u32) = (100, 100);
/// Recovery codes and links from one address, a minute and an hour: none can be guessed, so this only bounds the work.
const RECOVERIES: (u32, u32) = (30, 300);
/// Accounts asked for from one address, a minute and an hour.
const JOINS: (u32, u32) = (10, 60);
/// Addresses that turn out to have an account when one is asked for without mail, from one address, a minute and an hour.
const TAKEN: (u32, u32) = (3, 10);
/// Messages to one address, a minute and an hour; those about an account that was asked for are counted apart, so that who asks for
/// many keeps nobody from a link to set a new password.
const MAILS: (u32, u32) = (2, 6);
/// Requests from one address that make us ask somebody who vouches for people, a minute and an hour; coming in takes two.
const JOURNEYS: (u32, u32) = (20, 200);
/// Texts that an address may try without an account, a minute and an hour.
const SAMPLES: (u32, u32) = (6, 60);
/// Most names that have windows of their own.
const NAMES_MAX: usize = 16_384;
/// Pairs of windows that the others share; which one is whose nobody outside can know.
const SHARED: usize = 1_024;
/// How much slower the clock of the long window runs.
const SLOWER: i64 = 60;

/// The tries of everybody.
#[derive(Debug)]
pub(super) struct Attempts {
    /// By an account and a browser that it knows, or a session of it.
    pub(super) devices: Backoff<(UserId, String)>,
    /// By the account's address, whether or not there is such an account, and the address a request comes from.
    pub(super) strangers: Backoff<(String, IpAddr)>,
    /// By the address a request comes from.
    pub(super) addresses: Backoff<IpAddr>,
    /// By the account's address, wherever a request comes from: refuses nobody, but says that the account is being guessed.
    pub(super) guesses: Tries<String>,
    /// To set a new password by a code or a link, by the address a request comes from.
    pub(super) recoveries: Tries<IpAddr>,
    /// To make an account, by the address a request comes from.
    pub(super) joins: Tries<IpAddr>,
    /// To make an account with an address that has one, by the address a request comes from.
    pub(super) taken: Tries<IpAddr>,
    /// To have mail sent about an account that is asked for, by the address that gets it.
    pub(super) applications: Tries<String>,
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
            devices: Backoff::default(),
            strangers: Backoff::default(),
            addresses: Backoff::default(),
            guesses: Tries::new(GUESSES),
            recoveries: Tries::new(RECOVERIES),
            joins: Tries::new(JOINS),
            taken: Tries::new(TAKEN),
            applications: Tries::new(MAILS),
            mails: Tries::new(MAILS),
            journeys: Tries::new(JOURNEYS),
            samples: Tries::new(SAMPLES),
        }
    }
}

/// The windows of those who tried lately.
///
/// Invariant: at most `NAMES_MAX + SHARED` pairs of windows, whoever tries.
#[derive(Debug)]
pub struct Tries<K> {
    limits: (u32, u32),
    windows: Mutex<Windows<K>>,
    secret: RandomState,
}

#[derive(Debug)]
struct Windows<K> {
    by_name: HashMap<K, Pair>,
    newcomers: Vec<Pair>,
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
                newcomers: Vec::new(),
                swept_at: Timestamp::from_micros(0),
            }),
            secret: RandomState::new(),
        }
    }

    /// Counts a try, or says how many seconds to wait. A try is counted before it is known how it turns out, so that many at
    /// once are no way past the limit; one that turns out well is given back by [`Tries::take_back`].
    ///
    /// # Errors
    /// Seconds after which another try is let through.
    pub fn count(&self, name: K, now: Timestamp) -> Result<(), u32> {
        let (place, limits) = (self.place(&name), self.limits);
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let windows = &mut *windows;
        if windows.by_name.len() >= NAMES_MAX && !windows.by_name.contains_key(&name) {
            if now.since(windows.swept_at).as_secs() >= 1 {
                windows.swept_at = now;
                windows.by_name.retain(|_, pair| !pair.is_idle(now));
            }
            if windows.by_name.len() >= NAMES_MAX {
                windows.newcomers.resize_with(SHARED, || Pair::new(limits));
                let pair = windows.newcomers.get_mut(place);
                return pair.map_or(Ok(()), |pair| counted(pair, now));
            }
        }
        let pair = windows
            .by_name
            .entry(name)
            .or_insert_with(|| Pair::new(limits));
        counted(pair, now)
    }

    /// Takes back one try that turned out well; the others stay.
    pub fn take_back(&self, name: &K, at: Timestamp) {
        let place = self.place(name);
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let windows = &mut *windows;
        let pair = match windows.by_name.get_mut(name) {
            Some(pair) => Some(pair),
            None => windows.newcomers.get_mut(place),
        };
        if let Some(pair) = pair {
            pair.take_back(at);
        }
    }

    fn place(&self, name: &K) -> usize {
        usize::try_from(self.secret.hash_one(name) % SHARED as u64).unwrap_or(0)
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
        let newcomers = NAMES_MAX..NAMES_MAX + 20 * SHARED;
        let admitted = newcomers.filter(|name| tries.count(*name, at(0)).is_ok());
        assert_eq!(admitted.count(), SHARED, "shared");
        assert_eq!(tries.count(0, at(4_000)), Ok(()));
        assert_eq!(tries.count(NAMES_MAX + 2, at(4_000)), Ok(()));
        assert_eq!(tries.windows.lock().expect("sound").by_name.len(), 2);
    }

    #[test]
    fn a_neighbourhood_is_a_24_or_a_64() {
        let of = |text: &str| neighbourhood(text.parse().expect("an address"));
        assert_eq!(of("192.0.2.77"), "192.0.2.0/24");
        assert_eq!(of("::ffff:192.0.2.77"), "192.0.2.0/24");
        assert_eq!(of("2001:db8:1:2:3::4"), "2001:db8:1:2::/64");
    }
}
