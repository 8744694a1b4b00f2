//! Owns our manners towards other people's servers: one pace a host, however many users ask for its pages at once.

use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use std::num::NonZeroU32;
use std::time::Duration;
use tokio::time::Instant;

/// A page with its robots.txt and a redirect or two passes at once; a queue of pages does not.
const BURST: NonZeroU32 = NonZeroU32::new(8).expect("eight is not zero");
const PER_SECOND: NonZeroU32 = NonZeroU32::new(4).expect("four is not zero");

/// Above so many hosts those that have recovered are forgotten.
const HOSTS_MAX: usize = 4_096;

/// The runtime's clock, which stands still in tests until they turn it.
#[derive(Debug, Clone)]
struct RuntimeClock {
    origin: Instant,
}

impl Clock for RuntimeClock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.origin.elapsed()
    }
}

type Limiter =
    RateLimiter<String, DashMapStateStore<String>, RuntimeClock, NoOpMiddleware<Duration>>;

/// How often each host is called.
#[derive(Debug)]
pub(super) struct Pace {
    limiter: Limiter,
    clock: RuntimeClock,
}

impl Pace {
    /// A pace for every host, none of which was called yet.
    pub(super) fn new() -> Self {
        let clock = RuntimeClock {
            origin: Instant::now(),
        };
        Self {
            limiter: RateLimiter::dashmap_with_clock(
                Quota::per_second(PER_SECOND).allow_burst(BURST),
                clock.clone(),
            ),
            clock,
        }
    }

    /// Waits until `host` may be called; `false` when that is not before `patience` has passed.
    pub(super) async fn turn(&self, host: &str, patience: Duration) -> bool {
        if self.limiter.len() > HOSTS_MAX {
            self.limiter.retain_recent();
        }
        let key = host.to_owned();
        let started = self.clock.now();
        loop {
            let Err(not_yet) = self.limiter.check_key(&key) else {
                return true;
            };
            let now = self.clock.now();
            let wait = not_yet.wait_time_from(now);
            if now.saturating_sub(started) + wait > patience {
                return false;
            }
            tokio::time::sleep(wait).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_burst_passes_and_the_rest_follows_at_the_pace_of_the_host() {
        let pace = Pace::new();
        let started = Instant::now();
        for _ in 0..BURST.get() {
            assert!(pace.turn("example.com", Duration::ZERO).await);
        }
        assert_eq!(started.elapsed(), Duration::ZERO);
        assert!(!pace.turn("example.com", Duration::ZERO).await);
        assert!(pace.turn("example.org", Duration::ZERO).await);
        for _ in 0..PER_SECOND.get() {
            assert!(pace.turn("example.com", Duration::from_secs(5)).await);
        }
        // The clock is simulated, so this is arithmetic and not a measurement.
        let span = started.elapsed();
        assert!(
            span >= Duration::from_millis(990) && span <= Duration::from_millis(1_010),
            "{span:?}"
        );
    }
}
