//! Owns the verdict: whether all is well, and where it is not, what is wrong and what to do. The alert rules say the
//! same, but for what nodes are beside each other.

use crate::config::Role;
use crate::domain::observation::{Observation, Phase};
use crate::domain::vitals::{Circuit, Node, Standing};
use crate::http::ops::history::{Pace, Timed};
use crate::http::ops::wording::{age, count, percent, span};
use std::collections::BTreeSet;

/// How old a reservation may become before somebody should look: the longest run and some.
const RESERVATION_S_MAX: f64 = 600.0;
/// How full a queue may become.
const FULL: f64 = 0.8;
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

/// Something that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    /// `bad` when users or credits suffer, `warn` when they soon may.
    pub(super) tone: &'static str,
    /// What is wrong.
    pub(super) what: String,
    /// What to do.
    pub(super) advice: &'static str,
    /// Where on the page it can be seen.
    pub(super) place: Place,
}

/// A place on the page: its id, and what it is called.
type Place = (&'static str, &'static str);

const NODES: Place = ("nodes", "Nodes");
const RUNNING: Place = ("running", "Generations in flight");
const FAILURES: Place = ("failures", "Failed generations");
const PIPELINE: Place = ("pipeline", "Pipeline");
const ACTORS: Place = ("actors", "Actors");
const LEDGER: Place = ("ledger", "Ledger");
const DATABASE: Place = ("database", "Database");
const HTTP: Place = ("http", "HTTP");
const OUTSIDE: Place = ("outside", "Called outside");

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
    for heart in seen.hearts.iter().filter(|heart| heart.silent_s > 0.0) {
        find(
            "bad",
            ACTORS,
            format!(
                "The thread {} has hung for {}",
                heart.arbiter,
                age(heart.silent_s)
            ),
            "After ten seconds the process ends, to be started again. The log says what was done last.",
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
    for actor in &seen.actors {
        let fullest = actor
            .instances
            .iter()
            .map(|one| one.waiting)
            .max()
            .unwrap_or(0);
        if actor.mailbox_capacity > 1 && fullest as f64 >= FULL * actor.mailbox_capacity as f64 {
            find(
                "warn",
                ACTORS,
                format!(
                    "A mailbox of kind {} holds {} of {} messages",
                    actor.kind,
                    count(fullest),
                    count(actor.mailbox_capacity)
                ),
                "What it waits for is slow: look at the database first.",
            );
        }
        if actor.given_up > 0 || actor.lost > 0 {
            find(
                "bad",
                ACTORS,
                format!(
                    "Actors of kind {}: {} given up, {} messages lost",
                    actor.kind,
                    count(actor.given_up),
                    count(actor.lost)
                ),
                "This is a bug of ours. The log has its words; the runs concerned were refunded.",
            );
        } else if actor.panics > 0 {
            find(
                "warn",
                ACTORS,
                format!(
                    "Actors of kind {} panicked {} times since the start",
                    actor.kind,
                    count(actor.panics)
                ),
                "This is a bug of ours, from which they recovered. The last words stand at the actor.",
            );
        }
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
    found.extend(of_nodes(&seen.nodes));
    found.sort_by_key(|finding| finding.tone);
    found
}

/// What is wrong with the nodes beside each other.
fn of_nodes(nodes: &[Node]) -> Vec<Finding> {
    let finding = |tone, what, advice| Finding {
        tone,
        what,
        advice,
        place: NODES,
    };
    let mut found = Vec::new();
    let is_at_work = |node: &&Node| node.standing.is_some();
    let carries_out = |node: &&Node| node.role.as_deref() != Some(Role::Api.as_str());
    let mut workers = nodes.iter().filter(is_at_work).filter(carries_out);
    let takes_work = |node: &Node| node.standing == Some(Standing::Working);
    if nodes.iter().any(|node| is_at_work(&node)) && !workers.any(takes_work) {
        found.push(finding(
            "bad",
            "No node takes new runs".to_owned(),
            "What is ordered waits. Uncordon a node, or start one with the role all or worker.",
        ));
    }
    for node in nodes {
        let silent = !is_at_work(&node) && node.runs > 0;
        if silent {
            found.push(finding(
                "warn",
                format!(
                    "The node {} holds {} runs and is not heard of",
                    node.id,
                    count(node.runs)
                ),
                "It may be gone. Another takes its runs up once their leases are over, within some seconds.",
            ));
        }
        if node.standing == Some(Standing::Cordoned) {
            found.push(finding(
                "warn",
                format!("The node {} is cordoned", node.id),
                "It takes no new runs until somebody uncordons it.",
            ));
        }
    }
    let versions = nodes.iter().filter_map(|node| node.version.as_deref());
    let versions: BTreeSet<&str> = versions.collect();
    if versions.len() > 1 {
        let versions: Vec<&str> = versions.into_iter().collect();
        found.push(finding(
            "warn",
            format!("The nodes run different versions: {}", versions.join(", ")),
            "That is well while one release follows another; else start the others anew.",
        ));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::observation::{ActorInstance, ActorKind};
    use crate::domain::vitals::ProviderFigures;
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
        seen.actors = vec![ActorKind {
            kind: "ledger",
            panics: 1,
            mailbox_capacity: 4,
            instances: vec![ActorInstance {
                waiting: 4,
                ..ActorInstance::default()
            }],
            ..ActorKind::default()
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
        let few = Pace {
            answers: (19, 19),
            ..Pace::default()
        };
        assert_eq!(of(&Observation::default(), &few), [], "too few to say");
    }

    #[test]
    fn nodes_are_judged_beside_each_other() {
        let node = |id: &str, version: &str, role: Role, standing| Node {
            id: id.to_owned(),
            version: Some(version.to_owned()),
            role: Some(role.as_str().to_owned()),
            standing: Some(standing),
            ..Node::default()
        };
        let verdict = |nodes: &[Node]| {
            let seen = Observation {
                nodes: nodes.to_vec(),
                ..Observation::default()
            };
            let found = of(&seen, &Pace::default()).into_iter();
            let words = found.map(|finding| (finding.tone, finding.what));
            words.collect::<Vec<_>>()
        };
        let warn = |what: &str| ("warn", what.to_owned());
        let bad = |what: &str| ("bad", what.to_owned());
        let working = node("a", "0.2.0", Role::All, Standing::Working);
        let cordoned = node("b", "0.2.0", Role::Worker, Standing::Cordoned);
        let api = node("c", "0.2.0", Role::Api, Standing::Working);
        let older = node("d", "0.1.0", Role::All, Standing::Working);
        let gone = Node {
            id: "e".to_owned(),
            runs: 2,
            ..Node::default()
        };
        assert_eq!(verdict(&[working.clone(), api.clone()]), []);
        assert_eq!(
            verdict(&[working.clone(), cordoned.clone()]),
            [warn("The node b is cordoned")]
        );
        assert_eq!(
            verdict(&[api, cordoned]),
            [
                bad("No node takes new runs"),
                warn("The node b is cordoned")
            ]
        );
        assert_eq!(
            verdict(&[working, older, gone]),
            [
                warn("The node e holds 2 runs and is not heard of"),
                warn("The nodes run different versions: 0.1.0, 0.2.0")
            ]
        );
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
