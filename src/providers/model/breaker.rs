//! Owns the circuit breaker of a model's server: after some calls in a row that were given up, nobody is made to wait for
//! it until it had time to recover; then one call goes ahead and decides for all.

use crate::domain::vitals::Circuit;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Calls in a row that must be given up, each after all its attempts.
const LOSSES_MAX: u32 = 4;
/// The first rest; each one after a failed trial is twice as long.
const REST_FIRST: Duration = Duration::from_secs(15);
const REST_MAX: Duration = Duration::from_secs(240);

/// The breaker.
#[derive(Debug)]
pub(super) struct Breaker(Mutex<State>);

#[derive(Debug)]
struct State {
    losses: u32,
    open_until: Option<Instant>,
    rest: Duration,
    /// Whether the one call is under way that decides whether the circuit closes.
    on_trial: bool,
}

impl Default for Breaker {
    fn default() -> Self {
        Self(Mutex::new(State {
            losses: 0,
            open_until: None,
            rest: REST_FIRST,
            on_trial: false,
        }))
    }
}

/// Leave to make one call. Dropped without a word, it says nothing about the server.
#[derive(Debug)]
pub(super) struct Pass<'a> {
    breaker: &'a Breaker,
    is_trial: bool,
}

impl Breaker {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leave to make a call, or how long there is none.
    pub(super) fn admit(&self) -> Result<Pass<'_>, Duration> {
        let mut state = self.state();
        let Some(until) = state.open_until else {
            return Ok(Pass {
                breaker: self,
                is_trial: false,
            });
        };
        let wait = until.saturating_duration_since(Instant::now());
        if wait > Duration::ZERO || state.on_trial {
            return Err(wait);
        }
        state.on_trial = true;
        Ok(Pass {
            breaker: self,
            is_trial: true,
        })
    }

    /// How it stands now.
    pub(super) fn observe(&self) -> Circuit {
        let state = self.state();
        match state.open_until {
            None => Circuit::Closed,
            Some(until) if until > Instant::now() => Circuit::Open,
            Some(_) => Circuit::HalfOpen,
        }
    }
}

impl Pass<'_> {
    /// The server answered.
    pub(super) fn won(self) {
        let mut state = self.breaker.state();
        state.losses = 0;
        state.open_until = None;
        state.rest = REST_FIRST;
    }

    /// The call was given up.
    pub(super) fn lost(self) {
        let mut state = self.breaker.state();
        state.losses = state.losses.saturating_add(1);
        if self.is_trial {
            state.rest = (state.rest * 2).min(REST_MAX);
        }
        if self.is_trial || (state.losses >= LOSSES_MAX && state.open_until.is_none()) {
            state.open_until = Some(Instant::now() + state.rest);
            tracing::error!(
                rest_s = state.rest.as_secs(),
                "the model's server is left alone for a while"
            );
        }
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        if self.is_trial {
            self.breaker.state().on_trial = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::advance;

    fn lose(breaker: &Breaker, times: u32) {
        for _ in 0..times {
            breaker.admit().unwrap().lost();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn losses_in_a_row_open_the_circuit_and_a_win_between_them_does_not() {
        let breaker = Breaker::default();
        lose(&breaker, LOSSES_MAX - 1);
        breaker.admit().unwrap().won();
        lose(&breaker, LOSSES_MAX - 1);
        assert_eq!(breaker.observe(), Circuit::Closed);
        lose(&breaker, 1);
        assert_eq!(breaker.observe(), Circuit::Open);
        assert_eq!(breaker.admit().unwrap_err(), REST_FIRST);
    }

    #[tokio::test(start_paused = true)]
    async fn after_a_rest_one_call_decides_for_all() {
        let breaker = Breaker::default();
        lose(&breaker, LOSSES_MAX);
        advance(REST_FIRST).await;
        assert_eq!(breaker.observe(), Circuit::HalfOpen);
        let trial = breaker.admit().unwrap();
        assert!(breaker.admit().is_err());
        trial.lost();
        assert_eq!(breaker.admit().unwrap_err(), 2 * REST_FIRST);
        advance(2 * REST_FIRST).await;
        // A caller that goes away leaves the trial to the next one.
        drop(breaker.admit().unwrap());
        breaker.admit().unwrap().won();
        assert_eq!(breaker.observe(), Circuit::Closed);
        lose(&breaker, LOSSES_MAX - 1);
        assert!(breaker.admit().is_ok());
    }
}
