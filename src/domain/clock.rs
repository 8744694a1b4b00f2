//! Owns the idea of time: an instant in UTC to the microsecond, and the clock that says which one it is now.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

/// An instant in UTC, counted in microseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Timestamp(i64);

impl Timestamp {
    /// From microseconds since 1970.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since 1970.
    #[must_use]
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Seconds since 1970, for metrics.
    #[must_use]
    pub fn unix_s(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// ISO 8601 with milliseconds, as every answer shows it: `2026-11-20T09:15:00.000Z` (decision 8).
    #[must_use]
    pub fn iso(self) -> String {
        DateTime::<Utc>::from_timestamp_micros(self.0)
            .unwrap_or_default()
            .to_rfc3339_opts(SecondsFormat::Millis, true)
    }

    /// The calendar day, `2026-11-20`.
    #[must_use]
    pub fn date(self) -> String {
        DateTime::<Utc>::from_timestamp_micros(self.0)
            .unwrap_or_default()
            .format("%Y-%m-%d")
            .to_string()
    }

    /// For people: `20 Nov 2026, 09:15 UTC`.
    #[must_use]
    pub fn spoken(self) -> String {
        DateTime::<Utc>::from_timestamp_micros(self.0)
            .unwrap_or_default()
            .format("%-d %b %Y, %H:%M UTC")
            .to_string()
    }

    /// This instant moved into the future.
    #[must_use]
    pub fn plus(self, span: Duration) -> Self {
        Self(self.0.saturating_add(micros_of(span)))
    }

    /// This instant moved into the past.
    #[must_use]
    pub fn minus(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(micros_of(span)))
    }

    /// This instant, or the first one after `previous` that every answer shows as a later one: whatever the clock says, a thing that
    /// changed again changed later (decision 36).
    #[must_use]
    pub fn after(self, previous: Self) -> Self {
        const SHOWN_MICROS: i64 = 1_000;
        let next = previous.0.div_euclid(SHOWN_MICROS).saturating_add(1);
        self.max(Self(next.saturating_mul(SHOWN_MICROS)))
    }

    /// How long ago `earlier` was; zero when it lies ahead.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

fn micros_of(span: Duration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX)
}

/// What time it is. The system's clock, or one that a test turns by hand.
///
/// There are two readings. [`Clock::now`] is the time of day: what is written down, shown, and compared with the times of others, such
/// as a payment provider's signature. It follows the system's clock when that is set. [`Clock::steady`] only ever counts on: what
/// measures a span within the process, such as a window of the limits or the age of a cached answer. Setting the system's clock
/// neither opens a window twice nor keeps a revoked key alive.
#[derive(Debug, Clone)]
pub struct Clock(Hands);

#[derive(Debug, Clone)]
enum Hands {
    System {
        started: Instant,
        wall_micros: i64,
        /// Microseconds by which the clock that all follow is ahead of the steady one; none for the system's own.
        followed: Option<Arc<AtomicI64>>,
    },
    Manual {
        steady_micros: Arc<AtomicI64>,
        ahead_micros: Arc<AtomicI64>,
    },
}

impl Clock {
    /// The system's clock.
    #[must_use]
    pub fn system() -> Self {
        Self(Hands::System {
            started: Instant::now(),
            wall_micros: Utc::now().timestamp_micros(),
            followed: None,
        })
    }

    /// The same clock, but its time of day is that of another, such as the database of several nodes: by so many microseconds ahead of
    /// [`Clock::steady`]. A manual clock follows nobody.
    #[must_use]
    pub fn following(&self, ahead: Arc<AtomicI64>) -> Self {
        let mut clock = self.clone();
        if let Hands::System { followed, .. } = &mut clock.0 {
            *followed = Some(ahead);
        }
        clock
    }

    /// A clock that stands still until [`Clock::advance`] turns it. Clones share the same hands.
    #[must_use]
    pub fn manual(start: Timestamp) -> Self {
        Self(Hands::Manual {
            steady_micros: Arc::new(AtomicI64::new(start.0)),
            ahead_micros: Arc::default(),
        })
    }

    /// The time of day.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Hands::System {
                followed: Some(ahead),
                ..
            } => {
                let ahead = ahead.load(Ordering::Relaxed);
                Timestamp(self.steady().0.saturating_add(ahead))
            }
            Hands::System { .. } => Timestamp(Utc::now().timestamp_micros()),
            Hands::Manual {
                steady_micros,
                ahead_micros,
            } => {
                let ahead = ahead_micros.load(Ordering::SeqCst);
                Timestamp(steady_micros.load(Ordering::SeqCst).saturating_add(ahead))
            }
        }
    }

    /// An instant that never runs backwards: the time of day when the process started, and what has passed since.
    #[must_use]
    pub fn steady(&self) -> Timestamp {
        match &self.0 {
            Hands::System {
                started,
                wall_micros,
                ..
            } => Timestamp(*wall_micros).plus(started.elapsed()),
            Hands::Manual { steady_micros, .. } => Timestamp(steady_micros.load(Ordering::SeqCst)),
        }
    }

    /// The time of day at an instant of [`Clock::steady`].
    #[must_use]
    pub fn of_day(&self, steady: Timestamp) -> Timestamp {
        let ahead = self.now().0.saturating_sub(self.steady().0);
        Timestamp(steady.0.saturating_add(ahead))
    }

    /// Whole seconds by which the system's clock was set forward since the process started; negative when it was set back. What clocks
    /// are disciplined by while they run is less than half of one and counts as none.
    #[must_use]
    pub fn set_forward_s(&self) -> i64 {
        const SECOND: i64 = 1_000_000;
        let ahead = self.now().0.saturating_sub(self.steady().0);
        ahead.saturating_add(SECOND / 2).div_euclid(SECOND)
    }

    /// Turns a manual clock forward; the system's clock is left alone.
    pub fn advance(&self, span: Duration) {
        if let Hands::Manual { steady_micros, .. } = &self.0 {
            steady_micros.fetch_add(micros_of(span), Ordering::SeqCst);
        }
    }

    /// Sets the time of day of a manual clock so many seconds forward or back, as an administrator does; no time passes.
    pub fn set_by(&self, seconds: i64) {
        if let Hands::Manual { ahead_micros, .. } = &self.0 {
            ahead_micros.fetch_add(seconds.saturating_mul(1_000_000), Ordering::SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_is_written_with_milliseconds_and_a_z() {
        assert_eq!(
            Timestamp::from_micros(1_795_166_100_123_456).iso(),
            "2026-11-20T09:15:00.123Z"
        );
        assert_eq!(
            Timestamp::from_micros(1_795_166_100_000_000).date(),
            "2026-11-20"
        );
        assert_eq!(
            Timestamp::from_micros(1_795_166_100_000_000).spoken(),
            "20 Nov 2026, 09:15 UTC"
        );
    }

    #[test]
    fn a_manual_clock_moves_only_by_hand_and_for_all_its_clones() {
        let clock = Clock::manual(Timestamp::from_micros(5));
        let clone = clock.clone();
        clock.advance(Duration::from_secs(1));
        assert_eq!(clone.now(), Timestamp::from_micros(1_000_005));
        assert_eq!(
            clone.now().since(Timestamp::from_micros(2_000_000)),
            Duration::ZERO
        );
    }

    #[test]
    fn a_clock_that_follows_another_tells_its_time_of_day_and_keeps_its_own_spans() {
        let ahead = Arc::new(AtomicI64::new(3_600_000_000));
        let own = Clock::system();
        let clock = own.following(Arc::clone(&ahead));
        let hour = Duration::from_secs(3_600);
        assert!(clock.now().since(own.now()) >= hour - Duration::from_secs(1));
        assert_eq!(clock.set_forward_s(), 3_600);
        assert!(clock.steady().since(own.steady()) < Duration::from_secs(1));
        ahead.store(-7_200_000_000, Ordering::Relaxed);
        assert!(own.now().since(clock.now()) >= 2 * hour - Duration::from_secs(1));
        let manual = Clock::manual(Timestamp::from_micros(5));
        assert_eq!(manual.following(ahead).now(), Timestamp::from_micros(5));
    }

    #[test]
    fn a_clock_that_is_set_changes_the_time_of_day_and_no_span() {
        let clock = Clock::manual(Timestamp::from_micros(1_000_000));
        clock.set_by(3_600);
        assert_eq!(clock.steady(), Timestamp::from_micros(1_000_000));
        assert_eq!(clock.now(), Timestamp::from_micros(3_601_000_000));
        assert_eq!(clock.of_day(clock.steady()), clock.now());
        assert_eq!(clock.set_forward_s(), 3_600);
        clock.set_by(-7_200);
        assert_eq!(clock.set_forward_s(), -3_600);
        let system = Clock::system();
        assert_eq!(system.set_forward_s(), 0);
        let (earlier, day) = (system.steady(), system.now());
        assert!(system.steady() >= earlier);
        assert!(day.since(earlier) < Duration::from_secs(1));
    }
}
