//! Owns the verdict: whether all is well, and where it is not, what is wrong and what to do. The alert rules say the
//! same, but for what nodes are beside each other.

use crate::domain::observation::{Observation, Phase};
use crate::domain::vitals::Circuit;
use crate::http::ops::finding::{
    DATABASE, FAILURES, FULL, Finding, HTTP, LEDGER, OUTSIDE, PIPELINE, RUNNING,
};
use crate::http::ops::history::{Pace, Timed};
use crate::http::ops::verdict_of_nodes;
use crate::http::ops::wording::{age, count, percent, span};

/// How old a reservation may become before somebody should look: the longest run and some.
const RESERVATION_S_MAX: f64 = 600.0;
/// The share of answers that may be faults of ours, once there are some.
const FAULTS_MAX: f64 = 0.01;
const ANSWERS_MIN: u64 = 20;
/// The share of runs that may fail for reasons of ours before users suffer.
const FAILED_OURS_MAX: f64 = 0.05;
/// The share of runs whose sources may fail, and how many must have failed before it says anything.
const FAILED_SOURCE_MAX: f64 = 0.5;
const FAILED_SOURCE_MIN: u64 = 5;
/// How long the slowest calls to the database may take.
const DATABASE_S_MAX: f64 = 0.25;

/// What is wrong, the worst first; nothing when all is well.
pub(super) fn of(seen: &Observation, pace: &Pace) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut find = |tone, place, what: String, advice| {
        found.push(Finding {
            tone,
            what,
            advice,
            place,
        });
    };
    let ledger = &seen.ledger;
    if ledger.faults > 0 || ledger.imbalance != 0 {
        find(
            "bad",
            LEDGER,
            format!("The books do not balance: {} faults", count(ledger.faults)),
            "Run `skillkiln ledger verify`; it names each account and run.",
        );
    }
    if let Some(oldest) = ledger
        .oldest_reservation_s
        .filter(|age| *age > RESERVATION_S_MAX)
    {
        find(
            "bad",
            RUNNING,
            format!("A credit has been reserved for {}", age(oldest)),
            "Its run has not ended. Begin it again or cancel it; a cancelled run gives the credit back.",
        );
    }
    for provider in &seen.providers {
        let name = provider.provider;
        match provider.circuit {
            Some(Circuit::Open) => find(
                "bad",
                OUTSIDE,
                format!("The circuit of the {name} is open"),
                "It failed several times in a row and is left alone for a while. Look at its server and its key.",
            ),
            Some(Circuit::HalfOpen) => find(
                "warn",
                OUTSIDE,
                format!("The circuit of the {name} is half open"),
                "The next request decides whether it is asked again.",
            ),
            _ => {}
        }
    }
    let (answers, faults) = pace.answers;
    let share = faults as f64 / answers.max(1) as f64;
    if answers >= ANSWERS_MIN && share > FAULTS_MAX {
        find(
            "bad",
            HTTP,
            format!(
                "{} of the answers of the last minute are faults of ours",
                percent(share)
            ),
            "The log names each with its request id; the routes say where. Sources that fail are not among them.",
        );
    }
    let ends = pace.ends;
    if ends.ours > 0 {
        let share = ends.ours as f64 / ends.all.max(1) as f64;
        find(
            if share > FAILED_OURS_MAX {
                "bad"
            } else {
                "warn"
            },
            FAILURES,
            format!(
                "{} of {} generations of the last 5 minutes failed for reasons of ours",
                count(ends.ours),
                count(ends.all)
            ),
            "Internal is a bug (see the log), model is the model's server, deadline is a lack of processors. The credits are back.",
        );
    }
    if ends.source >= FAILED_SOURCE_MIN && ends.source as f64 > FAILED_SOURCE_MAX * ends.all as f64
    {
        find(
            "warn",
            FAILURES,
            format!(
                "{} of {} generations of the last 5 minutes failed at their sources",
                count(ends.source),
                count(ends.all)
            ),
            "Dead links look like this, and so does a machine that does not reach the web: try some address from here.",
        );
    }
    let runs = &seen.generations;
    if runs.waiting_max > 0 && runs.waiting as f64 >= FULL * runs.waiting_max as f64 {
        find(
            "warn",
            PIPELINE,
            format!(
                "{} of {} places in the queue are taken",
                count(runs.waiting),
                count(runs.waiting_max)
            ),
            "Orders are refused once it is full. Add a node or processors, or raise engine.queue_max.",
        );
    }
    if let [_, Some(slowest)] = pace.percentiles_of(Timed::Database)
        && slowest > DATABASE_S_MAX
    {
        find(
            "warn",
            DATABASE,
            format!("The slowest calls to the database take {}", span(slowest)),
            "Look at its disk and at the queries.",
        );
    }
    let left_behind = seen
        .running
        .iter()
        .filter(|run| run.phase == Phase::LeftBehind);
    match left_behind.count() {
        0 => {}
        some => find(
            "warn",
            RUNNING,
            format!("{some} runs were left behind by a node that is gone"),
            "The rescuer takes them up within some seconds; you can do it at once.",
        ),
    }
    found.extend(verdict_of_nodes::of(seen));
    found.sort_by_key(|finding| finding.tone);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::observation::{ActorInstance, ActorKind};
    use crate::domain::vitals::{Node, ProviderFigures};
    use crate::http::ops::history::Ends;

    #[test]
    fn a_service_that_has_just_begun_is_well() {
        assert_eq!(of(&Observation::default(), &Pace::default()), []);
    }

    #[test]
    fn whatever_is_wrong_is_said_the_worst_first() {
        let mut seen = Observation::default();
        seen.ledger.faults = 2;
        seen.ledger.oldest_reservation_s = Some(700.0);
        seen.generations.waiting_max = 10;
        seen.generations.waiting = 8;
        seen.providers = vec![ProviderFigures {
            provider: "model",
            circuit: Some(Circuit::Open),
            ..ProviderFigures::default()
        }];
        let ledger = ActorKind {
            kind: "ledger",
            panics: 1,
            mailbox_capacity: 4,
            instances: vec![ActorInstance {
                waiting: 4,
                ..ActorInstance::default()
            }],
            ..ActorKind::default()
        };
        seen.nodes = vec![Node {
            is_this: true,
            actors: Some(vec![ledger.digest()]),
            ..Node::default()
        }];
        let pace = Pace {
            answers: (100, 2),
            percentiles: [(Timed::Database, [None, Some(1.0)])].into(),
            ..Pace::default()
        };
        let found = of(&seen, &pace);
        let tones: Vec<&str> = found.iter().map(|finding| finding.tone).collect();
        assert_eq!(
            tones,
            ["bad", "bad", "bad", "bad", "warn", "warn", "warn", "warn"]
        );
        assert!(found[0].what.contains("2 faults"));
        assert_eq!(found[0].place, LEDGER);
        let whats = found.iter().map(|finding| &*finding.what);
        let ledgers = whats.filter(|what| what.contains("kind ledger"));
        assert_eq!(
            ledgers.collect::<Vec<_>>(),
            [
                "A mailbox of kind ledger holds 4 of 4 messages",
                "Actors of kind ledger panicked 1 times since the start"
            ]
        );
        let few = Pace {
            answers: (19, 19),
            ..Pace::default()
        };
        assert_eq!(of(&Observation::default(), &few), [], "too few to say");
    }

    #[test]
    fn runs_that_fail_for_reasons_of_ours_alarm_and_dead_links_of_customers_do_not() {
        let verdict = |all, ours, source| {
            let ends = Ends { all, ours, source };
            let pace = Pace {
                ends,
                ..Pace::default()
            };
            let found = of(&Observation::default(), &pace);
            found
                .into_iter()
                .map(|finding| finding.tone)
                .collect::<Vec<_>>()
        };
        assert_eq!(verdict(256, 0, 6), [""; 0]);
        assert_eq!(verdict(3, 3, 0), ["bad"]);
        assert_eq!(verdict(250, 1, 0), ["warn"]);
        assert_eq!(verdict(4, 0, 4), [""; 0], "too few to say");
        assert_eq!(
            verdict(10, 0, 6),
            ["warn"],
            "perhaps nothing is reached from here"
        );
    }
}
