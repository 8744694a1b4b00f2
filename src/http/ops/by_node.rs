//! Owns the actors of all nodes beside each other, a row a node and a column a kind, so that a node which differs is seen by looking down.

use crate::domain::digest::ActorDigest;
use crate::domain::observation::Observation;
use crate::domain::vitals::Node;
use crate::http::ops::wording::{NOTHING, age, count, rate};

/// A node stands out with so many messages waiting, when they are so many times those of any other node.
const OUT_MIN: u64 = 10;
const OUT_TIMES: u64 = 3;

/// The table; where a node is alone there is none.
#[derive(Debug, Default, PartialEq)]
pub(super) struct ByNode {
    /// The kinds of actors: those of this node in the order of its tree, then those that only others have.
    pub(super) kinds: Vec<String>,
    /// This node first.
    pub(super) rows: Vec<Row>,
}

/// A node.
#[derive(Debug, PartialEq)]
pub(super) struct Row {
    pub(super) id: String,
    pub(super) is_this: bool,
    /// One a kind, or why there are none.
    pub(super) cells: Result<Vec<Cell>, &'static str>,
    /// Threads that hang, each with how long; none where that is not known.
    pub(super) hanging: Option<Vec<String>>,
}

/// A kind of actor of a node.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Cell {
    pub(super) alive: String,
    /// Messages handled a second, where there are any.
    pub(super) rate: String,
    /// What is not as it always is, with its tone.
    pub(super) marks: Vec<(&'static str, String)>,
}

/// Lays out what the nodes at work told.
pub(super) fn of(seen: &Observation) -> ByNode {
    let nodes: Vec<&Node> = at_work(seen).collect();
    if nodes.len() < 2 {
        return ByNode::default();
    }
    let mut kinds: Vec<String> = Vec::new();
    for actor in nodes
        .iter()
        .filter_map(|node| node.actors.as_ref())
        .flatten()
    {
        if !kinds.contains(&actor.kind) {
            kinds.push(actor.kind.clone());
        }
    }
    let waiting = |kind: &str, but: &Node| {
        let others = nodes.iter().filter(|node| node.id != but.id);
        let waiting = others.filter_map(|node| of_kind(node, kind)?.waiting);
        waiting.max()
    };
    let row = |node: &&Node| Row {
        id: node.id.clone(),
        is_this: node.is_this,
        cells: match &node.actors {
            None => Err(why_untold(seen)),
            Some(_) => {
                let cell = |kind: &String| {
                    let actor = of_kind(node, kind)?;
                    Some(cell(actor, waiting(kind, node)))
                };
                let cells = kinds.iter().map(|kind| cell(kind).unwrap_or_else(unknown));
                Ok(cells.collect())
            }
        },
        hanging: node.hanging.as_ref().map(|hanging| {
            let words = hanging
                .iter()
                .map(|it| format!("{} {}", it.arbiter, age(it.silent_s)));
            words.collect()
        }),
    };
    let rows = nodes.iter().map(row).collect();
    ByNode { kinds, rows }
}

/// The nodes that live, as the database sees them.
pub(super) fn at_work(seen: &Observation) -> impl Iterator<Item = &Node> {
    seen.nodes.iter().filter(|node| node.standing.is_some())
}

fn of_kind<'a>(node: &'a Node, kind: &str) -> Option<&'a ActorDigest> {
    node.actors
        .as_ref()?
        .iter()
        .find(|actor| actor.kind == kind)
}

fn cell(actor: &ActorDigest, waiting_elsewhere: Option<u64>) -> Cell {
    let mark = |tone, number: Option<u64>, words: &str| {
        let number = number.filter(|number| *number > 0)?;
        Some((tone, format!("{} {words}", count(number))))
    };
    let is_out = actor
        .waiting
        .zip(waiting_elsewhere)
        .is_some_and(|(here, there)| here >= OUT_MIN && here >= there.saturating_mul(OUT_TIMES));
    let marks = [
        mark("bad", actor.given_up, "given up"),
        mark("bad", actor.lost, "lost"),
        mark("warn", actor.restarts, "restarts"),
        mark(if is_out { "accent" } else { "" }, actor.waiting, "waiting"),
    ];
    let per_s = actor.handled_per_s.filter(|per_s| *per_s >= 0.05);
    Cell {
        alive: actor.alive.map_or_else(|| NOTHING.to_owned(), count),
        rate: per_s.map_or_else(String::new, rate),
        marks: marks.into_iter().flatten().collect(),
    }
}

/// What another node does not have, or does not tell.
fn unknown() -> Cell {
    Cell {
        alive: NOTHING.to_owned(),
        ..Cell::default()
    }
}

/// Why a node's actors are not known here.
fn why_untold(seen: &Observation) -> &'static str {
    match seen.limits.shared {
        None => "not told: cluster.url is not set here",
        Some(shared) if !shared.answers => "not told: the server that nodes share does not answer",
        Some(_) => "not told",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::digest::Hanging;
    use crate::domain::observation::SharedWindows;
    use crate::domain::vitals::Standing;

    fn node(id: &str, actors: Option<Vec<ActorDigest>>) -> Node {
        Node {
            id: id.to_owned(),
            standing: Some(Standing::Working),
            hanging: actors.as_ref().map(|_| Vec::new()),
            actors,
            ..Node::default()
        }
    }

    fn ledger(alive: u64, waiting: u64) -> ActorDigest {
        ActorDigest {
            kind: "ledger".to_owned(),
            alive: Some(alive),
            waiting: Some(waiting),
            handled_per_s: Some(4.0),
            ..ActorDigest::default()
        }
    }

    fn seen(nodes: Vec<Node>) -> Observation {
        let mut seen = Observation::default();
        seen.limits.shared = Some(SharedWindows {
            answers: true,
            ..SharedWindows::default()
        });
        seen.nodes = nodes;
        seen
    }

    #[test]
    fn a_node_that_is_alone_has_nobody_to_stand_beside() {
        let holder_of_a_lease = Node::default();
        let alone = seen(vec![node("a", Some(vec![ledger(1, 0)])), holder_of_a_lease]);
        assert_eq!(of(&alone), ByNode::default());
    }

    #[test]
    fn what_differs_between_nodes_is_marked() {
        let broken = ActorDigest {
            restarts: Some(2),
            given_up: Some(1),
            ..ledger(1_200, 300)
        };
        let oracle = ActorDigest {
            kind: "oracle".to_owned(),
            ..ActorDigest::default()
        };
        let mut hung = node("b", Some(vec![broken, oracle]));
        hung.hanging = Some(vec![Hanging {
            arbiter: "books-1".to_owned(),
            silent_s: 5.0,
        }]);
        let shown = of(&seen(vec![node("a", Some(vec![ledger(3, 100)])), hung]));
        assert_eq!(shown.kinds, ["ledger", "oracle"]);
        let [a, b] = &shown.rows[..] else {
            panic!("two nodes")
        };
        let (a_cells, b_cells) = (a.cells.as_ref().unwrap(), b.cells.as_ref().unwrap());
        assert_eq!((&*a_cells[0].alive, &*a_cells[0].rate), ("3", "4.0"));
        assert_eq!(a_cells[0].marks, [("", "100 waiting".to_owned())]);
        assert_eq!(a_cells[1], unknown(), "it has no such actors");
        let marks: Vec<_> = b_cells[0]
            .marks
            .iter()
            .map(|(tone, words)| (*tone, &**words))
            .collect();
        let expected = [
            ("bad", "1 given up"),
            ("warn", "2 restarts"),
            ("accent", "300 waiting"),
        ];
        assert_eq!((&*b_cells[0].alive, &marks[..]), ("1,200", &expected[..]));
        assert_eq!(b_cells[1], unknown(), "it does not tell how many");
        assert_eq!(b.hanging.as_deref(), Some(&["books-1 5 s".to_owned()][..]));
    }

    #[test]
    fn why_a_node_is_not_told_of_is_said() {
        let nodes = || vec![node("a", Some(vec![ledger(1, 0)])), node("b", None)];
        let why = |seen: &Observation| of(seen).rows.remove(1).cells.unwrap_err();
        let mut away = seen(nodes());
        assert_eq!(why(&away), "not told");
        away.limits.shared = Some(SharedWindows::default());
        assert!(why(&away).contains("does not answer"));
        away.limits.shared = None;
        assert!(why(&away).contains("cluster.url"));
    }
}
