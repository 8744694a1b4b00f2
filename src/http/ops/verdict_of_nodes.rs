//! Owns the part of the verdict that is about nodes: each one's actors and threads, and what the nodes are beside each other.

use crate::config::Role;
use crate::domain::digest::ActorDigest;
use crate::domain::observation::Observation;
use crate::domain::vitals::{Node, Standing};
use crate::http::ops::by_node::at_work;
use crate::http::ops::finding::{ACTORS, BY_NODE, FULL, Finding, NODES, Place};
use crate::http::ops::wording::{age, count};
use std::collections::BTreeSet;

/// How long a node is cordoned before somebody may have forgotten it.
const CORDONED_S_MAX: f64 = 3_600.0;
/// How long a node has been up by when it has told of its actors.
const TOLD_S_MAX: f64 = 30.0;

/// What is wrong with the nodes, this one first.
pub(super) fn of(seen: &Observation) -> Vec<Finding> {
    let mut found = Vec::new();
    for node in &seen.nodes {
        let (whose, place) = match node.is_this {
            true => (String::new(), ACTORS),
            false => (format!(" of the node {}", node.id), BY_NODE),
        };
        found.extend(of_threads(node, &whose, place));
        let actors = node.actors.iter().flatten();
        found.extend(actors.flat_map(|actor| of_actors(actor, &whose, place)));
    }
    found.extend(of_nodes(&seen.nodes));
    found.extend(of_the_untold(seen));
    found
}

/// What is wrong with a node's threads.
fn of_threads(node: &Node, whose: &str, place: Place) -> Vec<Finding> {
    let hung = node.hanging.iter().flatten().map(|hanging| Finding {
        tone: "bad",
        what: format!(
            "The thread {}{whose} has hung for {}",
            hanging.arbiter,
            age(hanging.silent_s)
        ),
        advice: "After ten seconds the process ends, to be started again. The log says what was done last.",
        place,
    });
    hung.collect()
}

/// What is wrong with a kind of actor of a node.
fn of_actors(actor: &ActorDigest, whose: &str, place: Place) -> Vec<Finding> {
    let finding = |tone, what, advice| Finding {
        tone,
        what,
        advice,
        place,
    };
    let number = |number: Option<u64>| number.unwrap_or(0);
    let mut found = Vec::new();
    let (fullest, capacity) = (number(actor.waiting_max), number(actor.mailbox_capacity));
    if capacity > 1 && fullest as f64 >= FULL * capacity as f64 {
        found.push(finding(
            "warn",
            format!(
                "A mailbox of kind {}{whose} holds {} of {} messages",
                actor.kind,
                count(fullest),
                count(capacity)
            ),
            "What it waits for is slow: look at the database first.",
        ));
    }
    let (given_up, lost) = (number(actor.given_up), number(actor.lost));
    if given_up > 0 || lost > 0 {
        found.push(finding(
            "bad",
            format!(
                "Actors of kind {}{whose}: {} given up, {} messages lost",
                actor.kind,
                count(given_up),
                count(lost)
            ),
            "This is a bug of ours. The log has its words; the runs concerned were refunded.",
        ));
    } else if number(actor.panics) > 0 {
        found.push(finding(
            "warn",
            format!(
                "Actors of kind {}{whose} panicked {} times since the start",
                actor.kind,
                count(number(actor.panics))
            ),
            "This is a bug of ours, from which they recovered. The last words stand at the actor, on the page of its node.",
        ));
    }
    found
}

/// Nodes that are at work and tell nothing of their actors, or why none does.
fn of_the_untold(seen: &Observation) -> Vec<Finding> {
    match seen.limits.shared {
        Some(shared) if shared.answers => {}
        Some(_) => {
            return vec![Finding {
                tone: "warn",
                what: "The server that nodes share does not answer".to_owned(),
                advice: "This node admits its share of each limit, and hears nothing of the others' actors. Look at the server that cluster.url names.",
                place: NODES,
            }];
        }
        None => return Vec::new(),
    }
    let is_old = |node: &&Node| node.uptime_s.is_some_and(|up_s| up_s > TOLD_S_MAX);
    let untold = at_work(seen).filter(|node| node.actors.is_none());
    let untold = untold.filter(is_old).map(|node| Finding {
        tone: "warn",
        what: format!("The node {} tells nothing of its actors", node.id),
        advice: "It may hang, or not reach the server that nodes share. Look at its own page and its log.",
        place: BY_NODE,
    });
    untold.collect()
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
            let for_s = node.cordoned_for_s.unwrap_or(0.0);
            found.push(finding(
                "warn",
                match node.cordoned_for_s {
                    Some(for_s) => format!("The node {} has been cordoned for {}", node.id, age(for_s)),
                    None => format!("The node {} is cordoned", node.id),
                },
                match for_s > CORDONED_S_MAX {
                    true => "Somebody may have forgotten it: uncordon it, or stop it. It takes no new runs until then.",
                    false => "It takes no new runs until somebody uncordons it.",
                },
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
    use crate::domain::digest::Hanging;
    use crate::domain::observation::SharedWindows;

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
            let found = of(&seen).into_iter();
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
    fn a_node_that_stays_cordoned_was_perhaps_forgotten() {
        let finding = |for_s: f64| {
            let node = Node {
                id: "b".to_owned(),
                standing: Some(Standing::Cordoned),
                cordoned_for_s: Some(for_s),
                ..Node::default()
            };
            let mut found = of_nodes(&[node]);
            found.remove(1)
        };
        let (young, old) = (finding(184.0), finding(7_500.0));
        assert_eq!(young.what, "The node b has been cordoned for 3 min 04 s");
        assert!(!young.advice.contains("forgotten"));
        assert_eq!(old.what, "The node b has been cordoned for 2 h 05 min");
        assert!(old.advice.contains("forgotten"), "{}", old.advice);
    }

    #[test]
    fn actors_and_threads_of_every_node_are_judged_and_one_that_tells_nothing_is_named() {
        let node = |id: &str| Node {
            id: id.to_owned(),
            uptime_s: Some(31.0),
            standing: Some(Standing::Working),
            ..Node::default()
        };
        let mut hung = node("b");
        hung.actors = Some(vec![ActorDigest {
            kind: "ledger".to_owned(),
            given_up: Some(1),
            ..ActorDigest::default()
        }]);
        hung.hanging = Some(vec![Hanging {
            arbiter: "books-1".to_owned(),
            silent_s: 5.0,
        }]);
        let young = Node {
            uptime_s: Some(3.0),
            ..node("c")
        };
        let mut seen = Observation {
            nodes: vec![hung, young, node("d")],
            ..Observation::default()
        };
        let whats = |seen: &Observation| {
            let found = of(seen).into_iter();
            found.map(|finding| finding.what).collect::<Vec<_>>()
        };
        let mut expected = vec![
            "The thread books-1 of the node b has hung for 5 s",
            "Actors of kind ledger of the node b: 1 given up, 0 messages lost",
        ];
        assert_eq!(whats(&seen), expected, "without a server nobody tells");
        seen.limits.shared = Some(SharedWindows {
            answers: true,
            ..SharedWindows::default()
        });
        expected.push("The node d tells nothing of its actors");
        assert_eq!(whats(&seen), expected);
        seen.limits.shared = Some(SharedWindows::default());
        expected[2] = "The server that nodes share does not answer";
        assert_eq!(whats(&seen), expected);
    }
}
