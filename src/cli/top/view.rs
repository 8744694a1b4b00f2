//! Owns what is shown of two looks at a service: counts, and rates where there was time between them. Plain rows of text, for the
//! screen and for paper alike.

use super::seen::{Generations, Kind, Node, Seen};
use crate::cli::output::tame;
use crate::domain::digest::ActorDigest;
use crate::domain::spread::Spread;

/// What is shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct View {
    /// The lines at the top: a name and what there is to say.
    pub lines: Vec<(&'static str, String)>,
    /// Whether the books do not balance, or messages were lost: what nobody may overlook.
    pub alarm: Option<String>,
    /// One row a stage.
    pub stages: Vec<Vec<String>>,
    /// One row a kind of actor.
    pub actors: Vec<Vec<String>>,
    /// The name of the kind that is chosen, and what its last panic said.
    pub chosen: (String, Option<String>),
    /// One row an instance of that kind.
    pub instances: Vec<Vec<String>>,
    /// One row a run that has not ended.
    pub running: Vec<Vec<String>>,
    /// One row a node, where all are to be shown.
    pub nodes: Vec<Vec<String>>,
    /// The headings of [`View::by_node`]: the node, each kind of actor, and all of them together.
    pub kinds: Vec<String>,
    /// The actors of each node at work, one row a node, where all are to be shown.
    pub by_node: Vec<Vec<String>>,
}

/// The headings of the rows of [`View::nodes`].
pub const NODES: [&str; 8] = [
    "node", "version", "role", "standing", "up for", "cores", "runs", "leases",
];

/// What a cell of [`View::by_node`] says.
pub const BY_NODE: &str = "actors by node: alive, +waiting, !restarts";

/// The headings of the rows of [`View::stages`].
pub const STAGES: [&str; 7] = [
    "stage",
    "in flight",
    "passed/s",
    "words/s",
    "failed",
    "p50",
    "p99",
];
/// The headings of the rows of [`View::actors`].
pub const ACTORS: [&str; 9] = [
    "kind",
    "alive",
    "waiting",
    "handled/s",
    "restarts",
    "panics",
    "wait p99",
    "work p50",
    "work p99",
];
/// The headings of the rows of [`View::instances`].
pub const INSTANCES: [&str; 5] = ["key", "state", "waiting", "handled", "restarts"];
/// The headings of the rows of [`View::running`].
pub const RUNNING: [&str; 5] = ["run", "source", "phase", "age", "in phase"];

/// Lays out what was seen, with rates when an earlier look so many seconds ago is there, and the instances of the `chosen`-th kind.
#[must_use]
pub fn view(seen: &Seen, earlier: Option<(&Seen, f64)>, chosen: usize) -> View {
    let earlier = earlier.filter(|(_, seconds)| *seconds > 0.0);
    let before = Before(earlier);
    let kind = seen
        .actors
        .get(chosen.min(seen.actors.len().saturating_sub(1)));
    View {
        lines: lines(seen, &before),
        alarm: alarm(seen),
        stages: stages(seen, &before),
        actors: seen
            .actors
            .iter()
            .map(|kind| actor(kind, &before))
            .collect(),
        chosen: kind.map_or_else(Default::default, |kind| {
            (tame(&kind.kind), kind.last_panic.as_deref().map(tame))
        }),
        instances: kind.map(instances).unwrap_or_default(),
        nodes: Vec::new(),
        kinds: Vec::new(),
        by_node: Vec::new(),
        running: seen
            .running
            .iter()
            .map(|run| {
                vec![
                    tame(&run.id),
                    tame(&run.source),
                    tame(&run.phase),
                    span(run.age_s),
                    span(run.in_phase_s),
                ]
            })
            .collect(),
    }
}

impl View {
    /// Shows all nodes, too.
    #[must_use]
    pub fn with_nodes(self, seen: &Seen) -> Self {
        let nodes = seen.nodes.iter().map(node).collect();
        let (kinds, by_node) = by_node(seen);
        Self {
            alarm: self.alarm.or_else(|| alarm_of_nodes(seen)),
            nodes,
            kinds,
            by_node,
            ..self
        }
    }
}

/// The actors of the nodes at work: headings and rows. A row has the kinds of the first node, in the order of its tree, and those that only
/// others have.
fn by_node(seen: &Seen) -> (Vec<String>, Vec<Vec<String>>) {
    let mut kinds: Vec<&str> = Vec::new();
    for actor in seen
        .nodes
        .iter()
        .filter_map(|node| node.actors.as_ref())
        .flatten()
    {
        if !kinds.contains(&&*actor.kind) {
            kinds.push(&actor.kind);
        }
    }
    let row = |node: &Node| {
        let actors = node.actors.as_deref();
        let of_kind = |kind: &&str| actors?.iter().find(|actor| actor.kind == *kind);
        let cells = kinds
            .iter()
            .map(|kind| of_kind(kind).map_or_else(nothing, cell));
        let handled = |actors: &[ActorDigest]| {
            let rates = actors.iter().filter_map(|actor| actor.handled_per_s);
            let all = rates.reduce(|sum, rate| sum + rate);
            all.map_or_else(nothing, |all| format!("{all:.1}"))
        };
        let end = actors.map_or_else(|| "not told".to_owned(), handled);
        let id = tame(&node.id);
        std::iter::once(id).chain(cells).chain([end]).collect()
    };
    let at_work = seen.nodes.iter().filter(|node| node.standing.is_some());
    let rows = at_work.map(row).collect();
    let kinds = kinds.into_iter().map(tame);
    let headings = std::iter::once("node".to_owned()).chain(kinds);
    (headings.chain(["handled/s".to_owned()]).collect(), rows)
}

/// A kind of actor of one node, as [`BY_NODE`] explains.
fn cell(actor: &ActorDigest) -> String {
    let some = |sign: &str, number: Option<u64>| {
        let number = number.filter(|number| *number > 0);
        number.map_or_else(String::new, |number| format!("{sign}{number}"))
    };
    let alive = actor.alive.map_or_else(nothing, |alive| alive.to_string());
    alive + &some("+", actor.waiting) + &some("!", actor.restarts)
}

fn nothing() -> String {
    "-".to_owned()
}

/// What nobody may overlook of other nodes.
fn alarm_of_nodes(seen: &Seen) -> Option<String> {
    let of_node = |node: &Node| {
        let id = tame(&node.id);
        if let Some(hanging) = node.hanging.iter().flatten().next() {
            let (thread, silent) = (tame(&hanging.arbiter), span(hanging.silent_s));
            return Some(format!(
                "the thread {thread} of node {id} has hung for {silent}"
            ));
        }
        let number = |number: Option<u64>| number.unwrap_or(0);
        let broken = |actor: &&ActorDigest| number(actor.given_up) + number(actor.lost) > 0;
        let actor = node.actors.iter().flatten().find(broken)?;
        let (given_up, lost) = (number(actor.given_up), number(actor.lost));
        let kind = tame(&actor.kind);
        Some(format!(
            "node {id}, actors of kind {kind}: {given_up} given up, {lost} messages lost, which is a bug of ours"
        ))
    };
    seen.nodes.iter().find_map(of_node)
}

fn node(node: &Node) -> Vec<String> {
    let word = |word: &Option<String>| word.as_deref().map_or_else(|| "-".to_owned(), tame);
    vec![
        tame(&node.id),
        word(&node.version),
        word(&node.role),
        match node.cordoned_for_s {
            Some(for_s) => format!("{} {}", word(&node.standing), span(for_s)),
            None => word(&node.standing),
        },
        node.uptime_s.map_or_else(|| "-".to_owned(), span),
        word(&node.cores.map(|cores| format!("{cores:.2}"))),
        word(&node.held.map(|held| held.to_string())),
        node.runs.to_string(),
    ]
}

/// The earlier look, if there was one, and how many seconds ago.
struct Before<'a>(Option<(&'a Seen, f64)>);

impl Before<'_> {
    /// How often a second something was counted since; its whole count when there is nothing to compare with.
    fn rate(&self, now: u64, read: impl Fn(&Seen) -> u64) -> String {
        match self.0 {
            Some((seen, seconds)) => {
                let since = now.saturating_sub(read(seen));
                format!("{:.1}", since as f64 / seconds)
            }
            None => "-".to_owned(),
        }
    }
}

/// The quantiles of what was measured since; of everything when nothing was, so that a service at rest shows what it knows.
fn quantiles<const N: usize>(now: &Spread, then: Option<&Spread>, shares: [f64; N]) -> [String; N] {
    let since = then
        .map(|then| now.since(then))
        .filter(|since| since.count > 0);
    let spread = since.as_ref().unwrap_or(now);
    shares.map(|share| spread.quantile(share).map_or_else(|| "-".to_owned(), span))
}

fn lines(seen: &Seen, before: &Before<'_>) -> Vec<(&'static str, String)> {
    let runs = &seen.generations;
    let mut lines = vec![(
        "generations",
        format!(
            "{} accepted ({}/s), {} completed ({}/s), {} failed{}",
            runs.accepted,
            before.rate(runs.accepted, |seen| seen.generations.accepted),
            runs.completed,
            before.rate(runs.completed, |seen| seen.generations.completed),
            runs.failed,
            reasons(runs),
        ),
    )];
    lines.push((
        "in flight",
        format!(
            "{}, of which {} wait; {} taken up again since the start",
            runs.in_flight, runs.waiting, runs.resumed
        ),
    ));
    let credits = &seen.credits;
    lines.push((
        "credits",
        format!(
            "{} reserved ({}/s), {} earned, {} given back, {} granted",
            credits.reserved,
            before.rate(credits.reserved, |seen| seen.credits.reserved),
            credits.posted,
            credits.voided,
            credits.granted
        ),
    ));
    if let Some(ledger) = seen
        .ledger
        .as_ref()
        .filter(|ledger| ledger.proved_at.is_some())
    {
        lines.push((
            "ledger",
            format!(
                "granted {} + owed {} = available {} + reserved {} + earned {}",
                ledger.granted, ledger.owed, ledger.available, ledger.reserved, ledger.posted
            ),
        ));
    }
    if seen.http.requests > 0 {
        let then = before.0.map(|(seen, _)| &seen.http.duration);
        let [p50, p99] = quantiles(&seen.http.duration, then, [0.5, 0.99]);
        lines.push((
            "http",
            format!(
                "{}/s, p50 {p50}, p99 {p99} without generations, {} faults of ours, {} refused, {} streams",
                before.rate(seen.http.requests, |seen| seen.http.requests),
                seen.http.faults,
                seen.http.refused,
                seen.http.streams
            ),
        ));
    }
    lines.push(("limits", limits(seen)));
    lines
}

/// Why runs failed, what is ours to mend first.
fn reasons(runs: &Generations) -> String {
    let mut failed: Vec<_> = runs.failed_by.iter().filter(|by| by.count > 0).collect();
    if failed.is_empty() {
        return String::new();
    }
    failed.sort_by_key(|by| by.class != "ours");
    let words = failed.iter().map(|by| match by.class.as_str() {
        "ours" => format!("{} {} of ours", by.count, tame(&by.reason)),
        _ => format!("{} {}", by.count, tame(&by.reason)),
    });
    format!(": {}", words.collect::<Vec<String>>().join(", "))
}

fn limits(seen: &Seen) -> String {
    let mut words = format!("{} keys with a window", seen.limits.keys);
    if let Some(model) = &seen.model {
        words.push_str(&format!(
            "; model: circuit {}, {} asked, {} given up",
            tame(&model.circuit),
            model.asked,
            model.given_up
        ));
    }
    if seen.usage.resident_bytes > 0 {
        words.push_str(&format!(
            "; {:.1} MB of memory, {:.1} s of processor",
            seen.usage.resident_bytes as f64 / 1e6,
            seen.usage.cpu_s
        ));
    }
    words
}

fn alarm(seen: &Seen) -> Option<String> {
    let ledger = seen.ledger.clone().unwrap_or_default();
    let faults = ledger.faults.max(seen.credits.imbalance.unsigned_abs());
    if faults > 0 || ledger.imbalance != 0 {
        return Some(format!(
            "THE BOOKS DO NOT BALANCE ({faults} faults): run `skillkiln ledger verify`"
        ));
    }
    let lost: u64 = seen.actors.iter().map(|kind| kind.lost).sum();
    (lost > 0).then(|| format!("{lost} messages were lost, which is a bug of ours"))
}

fn stages(seen: &Seen, before: &Before<'_>) -> Vec<Vec<String>> {
    seen.stages
        .iter()
        .map(|stage| {
            let then = before.0.and_then(|(seen, _)| {
                let mut stages = seen.stages.iter();
                stages.find(|then| then.stage == stage.stage)
            });
            let duration = then.map(|then| &then.duration);
            let [p50, p99] = quantiles(&stage.duration, duration, [0.5, 0.99]);
            vec![
                tame(&stage.stage),
                stage.in_flight.to_string(),
                before.rate(stage.passed, |_| then.map_or(0, |then| then.passed)),
                before.rate(stage.words, |_| then.map_or(0, |then| then.words)),
                stage.failed.to_string(),
                p50,
                p99,
            ]
        })
        .collect()
}

fn actor(kind: &Kind, before: &Before<'_>) -> Vec<String> {
    let then = before.0.and_then(|(seen, _)| {
        let mut kinds = seen.actors.iter();
        kinds.find(|then| then.kind == kind.kind)
    });
    let [wait_p99] = quantiles(&kind.wait, then.map(|then| &then.wait), [0.99]);
    let handling = then.map(|then| &then.handling);
    let [work_p50, work_p99] = quantiles(&kind.handling, handling, [0.5, 0.99]);
    vec![
        tame(&kind.kind),
        kind.alive.to_string(),
        kind.waiting.to_string(),
        before.rate(kind.handled, |_| then.map_or(0, |then| then.handled)),
        kind.restarts.to_string(),
        kind.panics.to_string(),
        wait_p99,
        work_p50,
        work_p99,
    ]
}

fn instances(kind: &Kind) -> Vec<Vec<String>> {
    let rows = kind.instances.iter().map(|instance| {
        vec![
            tame(&instance.key),
            tame(&instance.state),
            instance.waiting.to_string(),
            instance.handled.to_string(),
            instance.restarts.to_string(),
        ]
    });
    rows.collect()
}

/// Seconds as a person says them.
fn span(seconds: f64) -> String {
    if seconds < 1e-3 {
        format!("{:.0} µs", seconds * 1e6)
    } else if seconds < 1.0 {
        format!("{:.1} ms", seconds * 1e3)
    } else if seconds < 120.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{:.0} min", seconds / 60.0)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A service at work, as it says so.
    pub(crate) const AT_WORK: &str = r#"{
        "generations": { "accepted": 120, "completed": 110, "failed": 2, "in_flight": 8, "resumed": 1,
            "failed_by": [{ "reason": "missing", "class": "source", "count": 1 }, { "reason": "model", "class": "ours", "count": 1 }] },
        "credits": { "reserved": 120, "posted": 110, "voided": 2, "granted": 300, "imbalance": 0 },
        "ledger": { "granted": 300, "available": 182, "reserved": 8, "posted": 110, "proved_at": "2026-11-20T09:00:00.000Z" },
        "limits": { "keys": 5 },
        "http": { "requests": 400, "streams": 3, "duration": { "count": 400, "buckets": [[0.001, 300], [0.002, 400]] } },
        "running": [{ "id": "0199", "source": "url", "phase": "extracting", "age_s": 2.5, "in_phase_s": 0.25 }],
        "stages": [
            { "stage": "extracting", "in_flight": 3, "passed": 115, "failed": 2,
              "duration": { "count": 117, "buckets": [[0.001, 0], [0.002, 100], [0.004, 117]] } },
            { "stage": "synthesizing", "in_flight": 1, "passed": 112 },
            { "stage": "validating", "in_flight": 0, "passed": 111 }
        ],
        "actors": [
            { "kind": "settlement", "alive": 1, "waiting": 2, "handled": 240,
              "wait": { "count": 240, "buckets": [[0.00001, 240]] },
              "handling": { "count": 240, "buckets": [[0.001, 240]] } },
            { "kind": "ledger", "alive": 4, "waiting": 0, "handled": 480, "restarts": 1, "panics": 1,
              "last_panic": "it \u001b[2J broke",
              "instances": [{ "key": "usr_1", "state": "running", "waiting": 0, "handled": 100, "restarts": 1 }] }
        ]
    }"#;

    pub(crate) fn seen(json: &str) -> Seen {
        serde_json::from_str(json).unwrap()
    }

    /// Two nodes at work, one that tells nothing, and one that only holds a lease.
    pub(crate) const SEVERAL: &str = r#"{ "nodes": [
        { "id": "aaaa", "is_this": true, "version": "0.2.0", "role": "all", "standing": "working", "uptime_s": 60, "cores": 0.5, "held": 3, "runs": 3,
          "actors": [{ "kind": "ledger", "alive": 412, "waiting": 12, "restarts": 3, "handled_per_s": 30.5 },
                     { "kind": "task", "alive": 9, "waiting": 0, "restarts": 0, "handled_per_s": 1.0 }], "hanging": [] },
        { "id": "bbbb", "standing": "cordoned", "cordoned_for_s": 7500, "runs": 1, "hanging": [],
          "actors": [{ "kind": "ledger", "alive": 7 }, { "kind": "oracle \u001b" }] },
        { "id": "cccc", "standing": "working" },
        { "id": "dddd", "runs": 2 }
    ]}"#;

    #[test]
    fn the_actors_of_each_node_at_work_stand_beneath_each_other() {
        let view = View::default().with_nodes(&seen(SEVERAL));
        assert_eq!(view.nodes.len(), 4);
        assert_eq!(view.nodes[1][3], "cordoned 125 min");
        assert_eq!(
            view.kinds,
            ["node", "ledger", "task", "oracle \u{fffd}", "handled/s"]
        );
        let expected = [
            ["aaaa", "412+12!3", "9", "-", "31.5"],
            ["bbbb", "7", "-", "-", "-"],
            ["cccc", "-", "-", "-", "not told"],
        ];
        assert_eq!(view.by_node, expected);
        assert_eq!(view.alarm, None);
    }

    #[test]
    fn what_broke_on_another_node_is_an_alarm() {
        let alarm = |actors: &str, hanging: &str| {
            let other =
                format!(r#"{{ "id": "bbbb", "actors": [{actors}], "hanging": [{hanging}] }}"#);
            let seen = seen(&format!(r#"{{ "nodes": [{{ "id": "aaaa" }}, {other}] }}"#));
            View::default().with_nodes(&seen).alarm
        };
        let broken = r#"{ "kind": "ledger", "given_up": 1 }"#;
        let hung = r#"{ "arbiter": "books-1", "silent_s": 5.0 }"#;
        assert_eq!(alarm(r#"{ "kind": "ledger", "panics": 1 }"#, ""), None);
        let words = alarm(broken, "").unwrap();
        assert!(
            words.starts_with("node bbbb, actors of kind ledger: 1 given up"),
            "{words}"
        );
        let words = alarm(broken, hung).unwrap();
        assert_eq!(words, "the thread books-1 of node bbbb has hung for 5.0 s");
    }

    #[test]
    fn rates_are_what_happened_between_two_looks() {
        let now = seen(AT_WORK);
        let mut earlier = now.clone();
        earlier.generations.accepted = 100;
        earlier.stages[0].passed = 105;
        earlier.actors[0].handled = 200;
        let view = view(&now, Some((&earlier, 2.0)), 0);
        assert!(
            view.lines[0]
                .1
                .starts_with("120 accepted (10.0/s), 110 completed (0.0/s)")
        );
        assert_eq!(view.stages[0][2], "5.0");
        assert_eq!(view.actors[0][3], "20.0");
        assert_eq!(view.alarm, None);
    }

    #[test]
    fn without_an_earlier_look_there_are_no_rates_but_quantiles_of_everything() {
        let view = view(&seen(AT_WORK), None, 0);
        assert_eq!(view.stages[0][2], "-");
        assert_eq!(view.stages[0][5], "1.6 ms");
        assert_eq!(view.stages[1][5], "-");
    }

    #[test]
    fn the_chosen_kind_shows_its_instances_and_its_last_panic_tamed() {
        let ledger = view(&seen(AT_WORK), None, 1);
        assert_eq!(ledger.chosen.0, "ledger");
        assert_eq!(ledger.chosen.1.as_deref(), Some("it \u{fffd}[2J broke"));
        assert_eq!(ledger.instances[0][0], "usr_1");
        assert_eq!(view(&seen(AT_WORK), None, 99), ledger);
        assert_eq!(view(&Seen::default(), None, 3).instances.len(), 0);
    }

    #[test]
    fn books_that_do_not_balance_and_lost_messages_are_an_alarm() {
        let mut broken = seen(AT_WORK);
        broken.actors[0].lost = 3;
        let alarm = view(&broken, None, 0).alarm.unwrap();
        assert!(alarm.starts_with("3 messages were lost"), "{alarm}");
        broken.credits.imbalance = 2;
        let alarm = view(&broken, None, 0).alarm.unwrap();
        assert!(alarm.contains("DO NOT BALANCE (2 faults)"), "{alarm}");
    }

    #[test]
    fn spans_are_said_as_people_say_them() {
        let said: Vec<String> = [0.000_012, 0.0125, 2.5, 600.0].map(span).to_vec();
        assert_eq!(said, ["12 µs", "12.5 ms", "2.5 s", "10 min"]);
    }
}
