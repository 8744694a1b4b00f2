//! Owns one key's windows: creates them, lends the cell to whoever authenticated the key, and keeps them while they count.
//!
//! A request is admitted on the lent [`Cell`] without a message and without waiting: asking an actor for every request would
//! cost a quarter of the throughput. The cell outlives a panic of its actor, so that the windows stay exact.

use crate::actors::context::{Ctx, Handle, Kind};
use crate::actors::label::opaque;
use crate::actors::supervisor::Supervisor;
use crate::actors::threads::Spread;
use crate::domain::clock::Timestamp;
use crate::domain::id::KeyId;
use crate::domain::lent::{Lendable, Lent};
use crate::domain::observation::ActorKind;
use crate::domain::quota::{Cell, Rates};
use actix::prelude::*;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The owner of one key's windows.
#[derive(Debug)]
pub struct Limiter;

impl Kind for Limiter {
    const NAME: &'static str = "limiter";
    type Shared = Lendable<Cell>;
}

impl Actor for Limiter {
    type Context = Ctx<Self>;
}

impl Supervised for Limiter {}

/// Asks for the key's cell.
#[derive(Debug, Message)]
#[rtype(result = "Lent<Cell>")]
pub struct Lend;

impl Handler<Lend> for Limiter {
    type Result = MessageResult<Lend>;

    fn handle(&mut self, _: Lend, ctx: &mut Ctx<Self>) -> Self::Result {
        MessageResult(ctx.shared.lend())
    }
}

/// The limiters of all keys.
#[derive(Debug, Clone)]
pub struct Limiters {
    living: Supervisor<KeyId, Limiter>,
    rates: Arc<Mutex<Rates>>,
}

impl Limiters {
    /// None yet; they will live where their keys say.
    #[must_use]
    pub fn new(spread: &Spread, capacity: usize, rates: Rates) -> Self {
        Self {
            living: Supervisor::new(spread, capacity),
            rates: Arc::new(Mutex::new(rates)),
        }
    }

    /// The limiter of a key.
    #[must_use]
    pub fn of(&self, key: KeyId) -> Handle<Limiter> {
        self.living.get(
            key,
            || Lendable::new(Cell::new(key, *self.rates())),
            |_| Limiter,
        )
    }

    /// Admits at other rates from now on, with whatever was lent.
    pub fn set_rates(&self, rates: Rates) {
        // First: whoever lives later has them, and all others are found.
        *self.rates() = rates;
        self.cells().iter().for_each(|cell| cell.set_rates(rates));
    }

    fn rates(&self) -> MutexGuard<'_, Rates> {
        self.rates.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets go of those whose windows count nothing any more and whose cell nobody holds.
    pub fn retire_idle(&self, now: Timestamp) {
        self.living
            .retire(|cell| !cell.is_lent() && cell.is_idle(now));
    }

    /// The cells of all that live: what this node admitted lately.
    #[must_use]
    pub fn cells(&self) -> Vec<Lent<Cell>> {
        self.living
            .survey(usize::MAX, |_, cell| cell.lend(), |_| ())
    }

    /// Takes up what a window counted in an earlier process, under the name by which its cell handed it out.
    pub fn restore(&self, name: &str, counted: &[Timestamp]) {
        if let Some((owner, _)) = name.split_once(':')
            && let Some(key) = KeyId::parse(owner)
        {
            self.of(key).shared().restore(name, counted);
        }
    }

    /// What an operator sees of them.
    #[must_use]
    pub fn observe(&self) -> ActorKind {
        self.living.observe(opaque)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::clock::Clock;
    use crate::domain::quota::{Class, Surface};
    use std::time::Duration;

    #[test]
    fn a_limiter_that_counts_or_whose_cell_is_held_is_not_forgotten() {
        System::new().block_on(async {
            let clock = Clock::manual(Timestamp::from_micros(1));
            let rates = Rates {
                generate_per_minute: 2,
                other_per_minute: 3,
            };
            let limiters = Limiters::new(&Arbiter::current().into(), 16, rates);
            let key = KeyId::new();
            let cell = limiters.of(key).ask(Lend).await.unwrap();
            let admit = |cell: &Cell| {
                cell.admit(Surface::Rest, Class::Generate, clock.steady())
                    .admitted
            };
            assert!(admit(&cell) && admit(&cell) && !admit(&cell));
            assert!(
                cell.admit(Surface::Application, Class::Generate, clock.steady())
                    .admitted
            );
            drop(cell);
            limiters.retire_idle(clock.steady());
            assert!(
                !admit(&limiters.of(key).ask(Lend).await.unwrap()),
                "the window was kept"
            );

            clock.advance(Duration::from_secs(60));
            let held = limiters.of(key).ask(Lend).await.unwrap();
            limiters.retire_idle(clock.steady());
            let again = limiters.of(key).ask(Lend).await.unwrap();
            assert!(std::ptr::eq(&*held, &*again));
            drop(again);
            // Other rates hold at once, also on what was lent before; what was counted counts.
            assert!(admit(&held) && admit(&held) && !admit(&held));
            limiters.set_rates(Rates {
                generate_per_minute: 3,
                other_per_minute: 1,
            });
            assert!(admit(&held) && !admit(&held));
            assert_eq!(limiters.of(KeyId::new()).shared().limit(Class::Other), 1);
            clock.advance(Duration::from_secs(60));
            drop(held);
            limiters.retire_idle(clock.steady());
            assert_eq!(limiters.living.count(), 0);
        });
    }
}
