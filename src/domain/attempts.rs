//! Owns how often something may be tried under one name, so that nothing is guessed at speed and strangers shut nobody out: windows, or
//! waits that double.
//!
//! What counts of a name is a log of instants, oldest first, and a rule is a few bounds on its age. So the same log is judged in the same
//! way here, and by the server on which nodes share theirs.

use crate::domain::clock::Timestamp;
use crate::domain::quota::{Verdict, WINDOW, share};
use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Most names of a kind that are remembered one by one.
const NAMES_MAX: usize = 16_384;
/// Logs that the names beyond share; which one is whose nobody outside can know.
const SHARED: usize = 1_024;
/// The first of the waits that double.
const WAIT_MIN: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_secs(3_600);

/// How often something may be tried under one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// So many in any minute.
    Minute(u32),
    /// So many in any minute, and so many in any hour.
    Hour(u32, u32),
    /// So many without waiting, then each after a wait twice as long as the one before, up to a bound: a brake and no wall. After an hour
    /// without a try all are forgotten.
    Waits(u32, Duration),
}

/// Where at least `count` tries count, the `newest`th of them, from the end, has to be `age` old.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound {
    /// How many have to count for it to hold.
    pub count: u32,
    /// Which of them it is about.
    pub newest: u32,
    /// How old that has to be.
    pub age: Duration,
}

impl Rule {
    /// A node's part of it, of so many nodes.
    #[must_use]
    pub fn share(self, nodes: u32) -> Self {
        let part = |limit| share(limit, nodes);
        match self {
            Self::Minute(minute) => Self::Minute(part(minute)),
            Self::Hour(minute, hour) => Self::Hour(part(minute), part(hour)),
            Self::Waits(free, wait_max) => Self::Waits(part(free), wait_max),
        }
    }

    /// What it asks of a log.
    #[must_use]
    pub fn bounds(self) -> Vec<Bound> {
        let window = |limit: u32, age| Bound {
            count: limit.max(1),
            newest: limit.max(1),
            age,
        };
        match self {
            Self::Minute(minute) => vec![window(minute, WINDOW)],
            Self::Hour(minute, hour) => vec![window(minute, WINDOW), window(hour, HOUR)],
            Self::Waits(free, wait_max) => {
                let wait = |doublings: u32| {
                    let doubled = WAIT_MIN.saturating_mul(2_u32.saturating_pow(doublings));
                    (doublings, doubled.min(wait_max))
                };
                let longest = 1 + wait_max.as_secs().max(1).ilog2();
                let bound = |(doublings, age)| Bound {
                    count: free.saturating_add(doublings),
                    newest: 1,
                    age,
                };
                (0..=longest).map(wait).map(bound).collect()
            }
        }
    }

    /// After this without a try a log counts nothing any more.
    #[must_use]
    pub const fn kept(self) -> Duration {
        match self {
            Self::Minute(_) => WINDOW,
            Self::Hour(..) | Self::Waits(..) => HOUR,
        }
    }

    /// Whether a log is to be kept when there is no room for all.
    fn minds(self, log: &Log) -> bool {
        match self {
            Self::Waits(free, _) => log.0.len() > free as usize,
            Self::Minute(_) | Self::Hour(..) => true,
        }
    }
}

/// Something that is tried. Kinds of one name share their logs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// By what windows are called.
    pub name: &'static str,
    /// How often.
    pub rule: Rule,
}

/// What still counts of a window or a log, as it is handed to others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// Whose it is.
    pub name: String,
    /// After this without another it counts nothing any more.
    pub kept: Duration,
    /// The instants, oldest first.
    pub at: Vec<Timestamp>,
}

/// The instants that count of one name, oldest first.
#[derive(Debug, Clone, Default)]
struct Log(VecDeque<i64>);

impl Log {
    fn is_idle(&self, kept: Duration, now: Timestamp) -> bool {
        let newest = self.0.back().copied().map(Timestamp::from_micros);
        newest.is_none_or(|newest| now >= newest.plus(kept))
    }

    /// How long the next try has to wait.
    fn wait(&self, bounds: &[Bound], now: Timestamp) -> Duration {
        let opens = bounds
            .iter()
            .filter(|bound| self.0.len() >= bound.count as usize)
            .filter_map(|bound| {
                let place = self.0.len().checked_sub(bound.newest as usize)?;
                let at = Timestamp::from_micros(*self.0.get(place)?);
                Some(at.plus(bound.age))
            });
        opens.max().map_or(Duration::ZERO, |opens| opens.since(now))
    }

    /// Counts a try; no more are kept than a bound asks for.
    fn count(&mut self, bounds: &[Bound], at: Timestamp) {
        let place = self.0.partition_point(|earlier| *earlier <= at.micros());
        self.0.insert(place, at.micros());
        let most = bounds.iter().map(|bound| bound.count).max().unwrap_or(0);
        while self.0.len() > most as usize {
            self.0.pop_front();
        }
    }
}

/// The logs of one kind.
#[derive(Debug)]
struct Crowd {
    kept: Duration,
    by_name: HashMap<String, Log>,
    shared: Vec<Log>,
    swept_at: Timestamp,
    secret: RandomState,
}

impl Crowd {
    fn place(&self, who: &str) -> usize {
        usize::try_from(self.secret.hash_one(who) % SHARED as u64).unwrap_or(0)
    }

    /// The log that is `who`'s, or that many share.
    fn find(&mut self, who: &str) -> Option<&mut Log> {
        let place = self.place(who);
        match self.by_name.get_mut(who) {
            Some(log) => Some(log),
            None => self.shared.get_mut(place),
        }
    }

    /// The same, made where there is none and room for one.
    fn log(&mut self, who: &str, rule: Rule, now: Timestamp) -> Option<&mut Log> {
        if self.by_name.len() >= NAMES_MAX && !self.by_name.contains_key(who) {
            // A sweep looks at every log, so it happens at most once a second.
            if now.since(self.swept_at) >= Duration::from_secs(1) {
                self.swept_at = now;
                let kept = self.kept;
                self.by_name.retain(|_, log| !log.is_idle(kept, now));
                if self.by_name.len() >= NAMES_MAX {
                    self.by_name.retain(|_, log| rule.minds(log));
                }
            }
            if self.by_name.len() >= NAMES_MAX {
                self.shared.resize_with(SHARED, Log::default);
                let place = self.place(who);
                return self.shared.get_mut(place);
            }
        }
        Some(self.by_name.entry(who.to_owned()).or_default())
    }
}

/// What was tried lately, of several kinds.
///
/// Invariant: at most `NAMES_MAX + SHARED` logs of a kind, whoever tries. A flood of names takes places away from the names that were
/// wrong the least, and from nobody's own.
#[derive(Debug)]
pub struct Attempts(Mutex<HashMap<&'static str, Crowd>>);

impl Attempts {
    /// Of these kinds; nothing was tried yet.
    #[must_use]
    pub fn new(kinds: &[Kind]) -> Self {
        let crowd = |kind: &Kind| {
            let crowd = Crowd {
                kept: kind.rule.kept(),
                by_name: HashMap::new(),
                shared: Vec::new(),
                swept_at: Timestamp::from_micros(0),
                secret: RandomState::new(),
            };
            (kind.name, crowd)
        };
        Self(Mutex::new(kinds.iter().map(crowd).collect()))
    }

    /// Counts a try, or says how many seconds to wait. It is counted before it is known how it turns out, so that many at once are no way
    /// past the rule; one that turns out well is given back by [`Attempts::take_back`] or [`Attempts::forgive`].
    ///
    /// # Errors
    /// Seconds after which another try is let through.
    pub fn count(&self, kind: Kind, who: &str, now: Timestamp) -> Result<(), u32> {
        let mut crowds = self.lock();
        let Some(crowd) = crowds.get_mut(kind.name) else {
            return Ok(());
        };
        let kept = crowd.kept;
        let Some(log) = crowd.log(who, kind.rule, now) else {
            return Ok(());
        };
        if log.is_idle(kept, now) {
            log.0.clear();
        }
        let bounds = kind.rule.bounds();
        let wait = log.wait(&bounds, now);
        if !wait.is_zero() {
            return Err(whole_seconds(wait));
        }
        log.count(&bounds, now);
        Ok(())
    }

    /// Counts a try that was let through elsewhere for this node.
    pub fn note(&self, kind: Kind, who: &str, at: Timestamp) {
        if let Some(crowd) = self.lock().get_mut(kind.name)
            && let Some(log) = crowd.log(who, kind.rule, at)
        {
            log.count(&kind.rule.bounds(), at);
        }
    }

    /// Takes back one try that turned out well; the others stay.
    pub fn take_back(&self, kind: Kind, who: &str, at: Timestamp) {
        if let Some(crowd) = self.lock().get_mut(kind.name)
            && let Some(log) = crowd.find(who)
            && let Some(place) = log.0.iter().rposition(|entry| *entry == at.micros())
        {
            log.0.remove(place);
        }
    }

    /// Forgets all tries of somebody who then was right.
    pub fn forgive(&self, kind: Kind, who: &str) {
        if let Some(crowd) = self.lock().get_mut(kind.name) {
            crowd.by_name.remove(who);
        }
    }

    /// What a window of a minute says of a name, without counting anything.
    #[must_use]
    pub fn look(&self, kind: Kind, who: &str, limit: u32, now: Timestamp) -> Verdict {
        let mut crowds = self.lock();
        let log = crowds.get_mut(kind.name).and_then(|crowd| crowd.find(who));
        let counts = |at: &i64| now < Timestamp::from_micros(*at).plus(WINDOW);
        let mut inside = log
            .iter()
            .flat_map(|log| log.0.iter().filter(|at| counts(at)));
        let oldest = inside.next().copied().map(Timestamp::from_micros);
        let count = inside.count() + usize::from(oldest.is_some());
        Verdict::of(limit, u32::try_from(count).unwrap_or(limit), oldest, now)
    }

    /// What still counts of every name; those that share a log have none.
    #[must_use]
    pub fn counted(&self, now: Timestamp) -> Vec<Counted> {
        let crowds = self.lock();
        let logs = crowds.iter().flat_map(|(kind, crowd)| {
            let counting = crowd.by_name.iter();
            counting
                .filter(|(_, log)| !log.is_idle(crowd.kept, now))
                .map(move |(who, log)| Counted {
                    name: format!("{kind}:{who}"),
                    kept: crowd.kept,
                    at: log.0.iter().copied().map(Timestamp::from_micros).collect(),
                })
        });
        logs.collect()
    }

    /// Takes up what counted in an earlier process, under the name by which it was handed out; no more names than there is room for.
    pub fn restore(&self, name: &str, at: &[Timestamp]) {
        if let Some((kind, who)) = name.split_once(':')
            && let Some(crowd) = self.lock().get_mut(kind)
            && crowd.by_name.len() < NAMES_MAX
        {
            let log = Log(at.iter().map(|at| at.micros()).collect());
            crowd.by_name.insert(who.to_owned(), log);
        }
    }

    /// Moves everything that counts: the clock by which it was counted was set.
    pub fn shift(&self, micros: i64) {
        for crowd in self.lock().values_mut() {
            for log in crowd.by_name.values_mut().chain(&mut crowd.shared) {
                for at in &mut log.0 {
                    *at = at.saturating_add(micros);
                }
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<&'static str, Crowd>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A wait as it is told.
#[must_use]
pub fn whole_seconds(wait: Duration) -> u32 {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    u32::try_from(seconds).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOWS: Kind = Kind {
        name: "windows",
        rule: Rule::Hour(2, 5),
    };
    const WAITS: Kind = Kind {
        name: "waits",
        rule: Rule::Waits(3, Duration::from_secs(60)),
    };
    const MINUTE: Kind = Kind {
        name: "minute",
        rule: Rule::Minute(3),
    };

    fn attempts() -> Attempts {
        Attempts::new(&[WINDOWS, WAITS, MINUTE])
    }

    fn at(seconds: u64) -> Timestamp {
        Timestamp::from_micros(1_000_000_000_000_000).plus(Duration::from_secs(seconds))
    }

    #[test]
    fn the_short_window_opens_after_a_minute_and_the_long_one_after_an_hour() {
        let tries = attempts();
        let count = |who, seconds| tries.count(WINDOWS, who, at(seconds));
        assert_eq!(count("a", 0), Ok(()));
        assert_eq!(count("a", 0), Ok(()));
        assert_eq!(count("a", 1), Err(59));
        assert_eq!(count("b", 1), Ok(()), "somebody else");
        assert_eq!(count("a", 60), Ok(()));
        assert_eq!(count("a", 60), Ok(()));
        assert_eq!(count("a", 120), Ok(()));
        assert_eq!(count("a", 180), Err(3_420), "five an hour");
        assert_eq!(count("a", 3_599), Err(1));
        assert_eq!(count("a", 3_600), Ok(()));
    }

    #[test]
    fn each_further_wrong_try_waits_twice_as_long_and_never_longer_than_the_bound() {
        let tries = attempts();
        for _ in 0..3 {
            assert_eq!(tries.count(WAITS, "a", at(0)), Ok(()));
        }
        let mut now = 0;
        for wait in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
            assert_eq!(tries.count(WAITS, "a", at(now)), Err(wait));
            now += u64::from(wait);
            assert_eq!(tries.count(WAITS, "a", at(now)), Ok(()));
        }
        assert_eq!(tries.count(WAITS, "b", at(now)), Ok(()), "somebody else");
    }

    #[test]
    fn whoever_was_right_or_was_away_for_an_hour_begins_anew() {
        let tries = attempts();
        let exhaust = |now| while tries.count(WAITS, "a", now).is_ok() {};
        exhaust(at(0));
        tries.forgive(WAITS, "a");
        assert_eq!(tries.count(WAITS, "a", at(0)), Ok(()));
        exhaust(at(0));
        for _ in 0..3 {
            assert_eq!(tries.count(WAITS, "a", at(3_600)), Ok(()));
        }
        assert_eq!(tries.count(WAITS, "a", at(3_600)), Err(1));
    }

    #[test]
    fn one_try_that_turned_out_well_is_taken_back_and_the_wrong_ones_stay() {
        for kind in [WINDOWS, WAITS] {
            let tries = attempts();
            assert_eq!(tries.count(kind, "a", at(0)), Ok(()));
            for second in 1..30 {
                assert_eq!(tries.count(kind, "a", at(second)), Ok(()));
                tries.take_back(kind, "a", at(second));
            }
            while tries.count(kind, "a", at(30)).is_ok() {}
            assert_eq!(
                tries.look(kind, "a", 9, at(30)).remaining,
                match kind.rule {
                    Rule::Hour(minute, _) | Rule::Minute(minute) => 9 - minute,
                    Rule::Waits(free, _) => 9 - free,
                }
            );
        }
    }

    #[test]
    fn a_window_says_what_is_left_of_it() {
        let tries = attempts();
        assert_eq!(tries.count(MINUTE, "a", at(0)), Ok(()));
        assert_eq!(tries.count(MINUTE, "a", at(20)), Ok(()));
        let verdict = tries.look(MINUTE, "a", 3, at(30));
        assert_eq!((verdict.remaining, verdict.retry_after_s), (1, 30));
        assert_eq!(tries.look(MINUTE, "a", 3, at(60)).remaining, 2);
        assert_eq!(tries.look(MINUTE, "b", 3, at(60)).remaining, 3);
    }

    #[test]
    fn memory_stays_bounded_and_the_idle_make_room() {
        let tries = attempts();
        for name in 0..NAMES_MAX {
            assert_eq!(tries.count(MINUTE, &name.to_string(), at(0)), Ok(()));
        }
        let newcomers = NAMES_MAX..NAMES_MAX + 40 * SHARED;
        let admitted =
            newcomers.filter(|name| tries.count(MINUTE, &name.to_string(), at(0)).is_ok());
        assert_eq!(admitted.count(), 3 * SHARED, "shared");
        assert_eq!(tries.count(MINUTE, "0", at(4_000)), Ok(()));
        assert_eq!(tries.count(MINUTE, "another", at(4_000)), Ok(()));
        assert_eq!(tries.counted(at(4_000)).len(), 2);
    }

    #[test]
    fn a_flood_of_names_takes_no_place_from_those_who_were_wrong_often() {
        let tries = attempts();
        let mut now = 0;
        while now < 100 {
            match tries.count(WAITS, "guessed", at(now)) {
                Ok(()) => {}
                Err(wait) => now += u64::from(wait),
            }
        }
        for name in 0..2 * NAMES_MAX {
            assert_eq!(tries.count(WAITS, &name.to_string(), at(100)), Ok(()));
        }
        assert!(tries.count(WAITS, "guessed", at(100)).is_err());
    }

    #[test]
    fn what_counts_is_handed_on_and_taken_up() {
        let (before, after) = (attempts(), attempts());
        for _ in 0..3 {
            assert_eq!(before.count(WAITS, "a:b", at(0)), Ok(()));
        }
        for counted in before.counted(at(1)) {
            after.restore(&counted.name, &counted.at);
        }
        after.restore("nothing:that is known", &[at(0)]);
        after.shift(1_000_000);
        assert_eq!(after.count(WAITS, "a:b", at(1)), Err(1));
        assert_eq!(after.count(WAITS, "a:b", at(2)), Ok(()));
        assert_eq!(before.counted(at(3_600)), Vec::new());
    }

    #[test]
    fn a_share_of_a_rule_is_at_least_one() {
        assert_eq!(Rule::Hour(30, 300).share(2), Rule::Hour(15, 150));
        assert_eq!(Rule::Minute(1).share(3), Rule::Minute(1));
        let wait = Duration::from_secs(9);
        assert_eq!(Rule::Waits(10, wait).share(3), Rule::Waits(3, wait));
    }
}
