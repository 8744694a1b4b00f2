//! Owns how much work one source may cause: every loop over a stranger's text counts its steps here, and a run whose steps are used up,
//! or that was cancelled, is broken off in the middle of whatever it does.
//!
//! A thread cannot be killed, so the code on it has to look up now and then. [`step`] is that look: one subtraction on a number of the
//! thread, and once in some thousand steps a look at the flag of the run. What is broken off unwinds to [`within`] with a payload of its
//! own, so that no panic is reported and every guard on the way is dropped. Outside of [`within`] steps are only counted.
//!
//! ```text
//! pool ─within(budget)─▶ reader ─step─▶ … ─step─▶ out of steps ─unwinds─▶ Err(Stopped::OutOfSteps)
//! ```
//!
//! What fills a `LazyLock` counts no steps: one that is broken off stays broken for all who come later.
//!
//! Steps are no unit of time: one is about what it costs to look at a few bytes. They are the same on every machine, so a test can say how
//! the work grows with the text ([`counted`]).

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes that a simple loop over a text reads in about the time of one step.
pub const BYTES_A_STEP: usize = 16;
/// Steps between two looks at the flag of a run. A step takes some nanoseconds, so a cancelled run ends within microseconds of its next.
const PORTION: u64 = 4_096;

/// What one piece of work may cost.
#[derive(Debug, Clone)]
pub struct Budget {
    /// The steps that it may take.
    pub steps: u64,
    /// The bytes that it may make, of text and of blocks ([`made`]).
    pub bytes: u64,
    /// Set by whoever no longer wants the result.
    pub cancel: Arc<AtomicBool>,
}

/// Why work was broken off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// Its steps were used up.
    OutOfSteps,
    /// It made more than it may.
    TooMuchMade,
    /// Nobody wants the result any more.
    Cancelled,
}

/// What unwinds.
struct Stop(Stopped);

/// The counters of one thread.
struct Meter {
    /// Steps that may be taken before the next look.
    left: Cell<u64>,
    /// Steps that were handed out so far; those taken are these without `left`.
    granted: Cell<u64>,
    /// At how many steps work is broken off.
    steps_max: Cell<u64>,
    /// Bytes that were made so far.
    made: Cell<u64>,
    /// At how many bytes work is broken off.
    made_max: Cell<u64>,
    /// Why the work of this scope was broken off, should somebody on the way have caught what unwinds.
    stopped: Cell<Option<Stopped>>,
    cancel: RefCell<Option<Arc<AtomicBool>>>,
}

thread_local! {
    static METER: Meter = const {
        Meter {
            left: Cell::new(0),
            granted: Cell::new(0),
            steps_max: Cell::new(u64::MAX),
            made: Cell::new(0),
            made_max: Cell::new(u64::MAX),
            stopped: Cell::new(None),
            cancel: RefCell::new(None),
        }
    };
}

impl Meter {
    fn taken(&self) -> u64 {
        self.granted.get() - self.left.get()
    }

    /// Looks whether the work may go on, and hands out the next portion of steps.
    #[cold]
    fn look(&self, count: u64) {
        let taken = self.taken().saturating_add(count);
        let is_cancelled = self
            .cancel
            .borrow()
            .as_ref()
            .is_some_and(|cancel| cancel.load(Ordering::Relaxed));
        if is_cancelled {
            return self.stop(Stopped::Cancelled);
        }
        if taken > self.steps_max.get() {
            return self.stop(Stopped::OutOfSteps);
        }
        let portion = PORTION.min(self.steps_max.get() - taken);
        self.granted.set(taken + portion);
        self.left.set(portion);
    }

    /// Breaks the work off. What is unwinding already is left to: the guards that it drops may count steps too.
    fn stop(&self, why: Stopped) {
        // The next step looks again, whoever catches this one.
        self.granted.set(self.taken());
        self.left.set(0);
        if std::thread::panicking() {
            return;
        }
        self.stopped.set(Some(why));
        resume_unwind(Box::new(Stop(why)));
    }
}

/// Counts `count` steps of work, and breaks it off when its budget is used up or its run was cancelled. To be called by every loop whose
/// rounds depend on a source, with about the number of bytes that a round looks at when these are many.
#[inline]
pub fn step(count: usize) {
    let count = count as u64;
    METER.with(|meter| match meter.left.get().checked_sub(count) {
        Some(left) => meter.left.set(left),
        None => meter.look(count),
    });
}

/// Counts `bytes` bytes that were made of a source, and breaks the work off when these are more than it may make.
#[inline]
pub fn made(bytes: usize) {
    METER.with(|meter| {
        let made = meter.made.get().saturating_add(bytes as u64);
        meter.made.set(made);
        if made > meter.made_max.get() {
            meter.stop(Stopped::TooMuchMade);
        }
    });
}

/// Does `work` within `budget`; inside of other bounded work, within what is left of its budget as well.
///
/// # Errors
/// Why it was broken off.
pub fn within<T>(budget: &Budget, work: impl FnOnce() -> T) -> Result<T, Stopped> {
    let outer = METER.with(|meter| {
        let (steps_max, made_max) = (meter.steps_max.get(), meter.made_max.get());
        let more = meter.taken().saturating_add(budget.steps);
        meter.steps_max.set(more.min(steps_max));
        // What was granted before the budget was known does not count for it.
        meter.granted.set(meter.taken());
        meter.left.set(0);
        let more = meter.made.get().saturating_add(budget.bytes);
        meter.made_max.set(more.min(made_max));
        Outer {
            steps_max,
            made_max,
            stopped: meter.stopped.take(),
            cancel: meter.cancel.replace(Some(Arc::clone(&budget.cancel))),
        }
    });
    let done = catch_unwind(AssertUnwindSafe(work));
    let stopped = METER.with(|meter| meter.stopped.get());
    drop(outer);
    match (done, stopped) {
        (_, Some(why)) => Err(why),
        (Ok(value), None) => Ok(value),
        (Err(payload), None) => match payload.downcast::<Stop>() {
            Ok(stop) => Err(stop.0),
            Err(panic) => resume_unwind(panic),
        },
    }
}

/// The bounds that held before, which hold again when this is dropped.
struct Outer {
    steps_max: u64,
    made_max: u64,
    stopped: Option<Stopped>,
    cancel: Option<Arc<AtomicBool>>,
}

impl Drop for Outer {
    fn drop(&mut self) {
        METER.with(|meter| {
            meter.granted.set(meter.taken());
            meter.left.set(0);
            meter.steps_max.set(self.steps_max);
            meter.made_max.set(self.made_max);
            meter.stopped.set(self.stopped);
            meter.cancel.replace(self.cancel.take());
        });
    }
}

/// Does `work` and counts the steps that it took.
pub fn counted<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = METER.with(Meter::taken);
    let done = work();
    (done, METER.with(Meter::taken) - before)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(steps: u64, bytes: u64) -> Budget {
        Budget {
            steps,
            bytes,
            cancel: Arc::default(),
        }
    }

    fn steps(count: usize) {
        for _ in 0..count {
            step(1);
        }
    }

    #[test]
    fn work_is_done_to_its_last_step_and_broken_off_at_the_next() {
        for count in [0, 1, 4_095, 4_096, 4_097, 100_000] {
            let within_it = budget(count as u64, 0);
            assert_eq!(within(&within_it, || steps(count)), Ok(()));
            let broken = within(&within_it, || steps(count + 1));
            assert_eq!(broken, Err(Stopped::OutOfSteps), "{count}");
        }
        assert_eq!(
            within(&budget(10, 0), || step(usize::MAX)),
            Err(Stopped::OutOfSteps)
        );
        // What comes after it has its own budget, or none.
        steps(1_000_000);
    }

    #[test]
    fn a_cancelled_run_ends_within_a_portion_of_steps() {
        let budget = budget(u64::MAX, 0);
        let cancel = Arc::clone(&budget.cancel);
        let (broken, taken) = counted(|| {
            within(&budget, || {
                for round in 0u64.. {
                    if round == 10_000 {
                        cancel.store(true, Ordering::Relaxed);
                    }
                    step(1);
                }
            })
        });
        assert_eq!(broken, Err(Stopped::Cancelled));
        assert!((10_000..10_000 + 2 * PORTION).contains(&taken), "{taken}");
    }

    #[test]
    fn what_makes_too_much_is_broken_off_whoever_catches_what_unwinds() {
        let made_too_much = within(&budget(u64::MAX, 100), || {
            for _ in 0..101 {
                let _ = catch_unwind(|| made(1));
            }
            7
        });
        assert_eq!(made_too_much, Err(Stopped::TooMuchMade));
        assert_eq!(within(&budget(0, 100), || made(100)), Ok(()));
    }

    #[test]
    fn inner_work_is_broken_off_by_what_is_left_to_the_outer() {
        let broken = within(&budget(100, 0), || {
            let inner = within(&budget(1_000, 0), || steps(60));
            assert_eq!(inner, Ok(()));
            within(&budget(1_000, 0), || steps(60))
        });
        assert_eq!(broken, Ok(Err(Stopped::OutOfSteps)));
    }

    #[test]
    fn guards_may_count_while_work_is_broken_off() {
        struct Guard;
        impl Drop for Guard {
            fn drop(&mut self) {
                steps(10);
            }
        }
        let broken = within(&budget(5, 0), || {
            let _guard = Guard;
            steps(6);
        });
        assert_eq!(broken, Err(Stopped::OutOfSteps));
    }

    #[test]
    fn a_panic_of_the_work_itself_is_none_of_ours() {
        let panicked = catch_unwind(|| within(&budget(5, 0), || resume_unwind(Box::new(7))));
        assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&7));
    }

    #[test]
    fn steps_are_counted_with_a_budget_and_without() {
        assert_eq!(counted(|| steps(5_000)).1, 5_000);
        let (_, taken) = counted(|| within(&budget(9_000, 0), || steps(5_000)));
        assert_eq!(taken, 5_000);
    }
}
