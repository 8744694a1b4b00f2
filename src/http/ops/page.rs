//! Owns the operators' page: the service at one moment, in sections that are written alike at first and live.

use crate::domain::clock::Timestamp;
use crate::domain::observation::{ActorKind, FailedRun, Observation, Phase, RunningGeneration};
use crate::domain::vitals::{Circuit, Node, ProviderFigures, Standing, Wish};
use crate::http::ops::assets::Assets;
use crate::http::ops::by_node::{self, ByNode};
use crate::http::ops::finding::Finding;
use crate::http::ops::history::{History, Pace, Timed};
use crate::http::ops::plots::{self, Plot};
use crate::http::ops::verdict;
use crate::http::ops::wording::{age, bytes, count, maybe_span, percent, rate, signed, span};
use askama::Template;
use skillkiln_document::failure::Class;

/// Queries and routes that are shown: those that matter most.
const ROWS_MAX: usize = 8;

/// The page around its sections.
#[derive(Template)]
#[template(path = "ops.html")]
pub(super) struct Page {
    pub(super) assets: &'static Assets,
    pub(super) node: String,
    pub(super) version: &'static str,
    pub(super) said: Option<(&'static str, &'static str)>,
    pub(super) sections: Sections,
}

/// The sections, each under the name it has in the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sections(pub(super) Vec<(&'static str, String)>);

impl Sections {
    /// The text of a section.
    pub(super) fn get(&self, name: &str) -> &str {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.map_or("", |(_, text)| text)
    }

    /// Those that read otherwise than in `shown`, as JSON: an object of names and texts.
    pub(super) fn changed_since(&self, shown: &Self) -> Option<String> {
        let changed = self.0.iter().filter(|(name, text)| shown.get(name) != text);
        let changed: serde_json::Map<String, serde_json::Value> = changed
            .map(|(name, text)| ((*name).to_owned(), text.as_str().into()))
            .collect();
        (!changed.is_empty()).then(|| serde_json::Value::Object(changed).to_string())
    }
}

#[derive(Template)]
#[template(path = "ops/verdict.html")]
struct Verdict {
    findings: Vec<Finding>,
    uptime: String,
    at: String,
    memory: String,
    cpu: String,
}

#[derive(Template)]
#[template(path = "ops/pipeline.html")]
struct Pipeline<'a> {
    seen: &'a Observation,
    failed_ours: u64,
    runs: [String; 2],
    stages: Vec<StageCard>,
}

struct StageCard {
    name: &'static str,
    stage: &'static str,
    rate: String,
    p50: String,
    p99: String,
    in_flight: u64,
    passed: String,
    failed: u64,
    words: String,
    bytes: String,
}

#[derive(Template)]
#[template(path = "ops/plots.html")]
struct Plots {
    heading: String,
    plots: Vec<Plot>,
}

#[derive(Template)]
#[template(path = "ops/running.html")]
struct Running<'a> {
    runs: Vec<RunRow<'a>>,
    beyond: u64,
}

struct RunRow<'a> {
    run: &'a RunningGeneration,
    phase: &'static str,
    tone: &'static str,
    age: String,
    in_phase: String,
    may_retry: bool,
}

#[derive(Template)]
#[template(path = "ops/failures.html")]
struct Failures<'a> {
    /// The reasons there were: each with its class, whose that is to mend, and how many.
    reasons: Vec<(&'static str, &'static str, &'static str, String)>,
    last: &'a [FailedRun],
}

#[derive(Template)]
#[template(path = "ops/actors.html")]
struct Actors<'a> {
    nodes: usize,
    kinds: Vec<KindRow<'a>>,
}

struct KindRow<'a> {
    actor: &'a ActorKind,
    handled: String,
    wait: String,
    handling: String,
    tone: &'static str,
    state: &'static str,
}

#[derive(Template)]
#[template(path = "ops/ledger.html")]
struct Ledger<'a> {
    seen: &'a Observation,
    /// What the two sides hold, each part with its words and its share of the side.
    owing: [(&'static str, String); 2],
    held: Vec<(&'static str, &'static str, String, f64, f64)>,
    proof: Option<String>,
    oldest: Option<String>,
}

#[derive(Template)]
#[template(path = "ops/around.html")]
struct Around<'a> {
    seen: &'a Observation,
    database: [String; 2],
    http: [String; 2],
    requests: String,
    queries: Vec<(&'static str, String, String, String)>,
    routes: Vec<(&'static str, String, u64, String)>,
    providers: Vec<(&'a ProviderFigures, String, &'static str)>,
}

#[derive(Template)]
#[template(path = "ops/nodes.html")]
struct Nodes<'a> {
    nodes: Vec<NodeRow<'a>>,
    by_node: ByNode,
}

/// A node, as the page shows it.
struct NodeRow<'a> {
    node: &'a Node,
    uptime: String,
    cores: String,
    cordoned: Option<String>,
}

impl NodeRow<'_> {
    /// What may be wanted of it now, each with its word on the page.
    fn wishes(&self) -> &'static [(Wish, &'static str)] {
        match self.node.standing {
            Some(Standing::Working) => &[(Wish::Cordon, "Cordon"), (Wish::Drain, "Drain")],
            Some(Standing::Cordoned) => &[(Wish::Drain, "Drain"), (Wish::Uncordon, "Uncordon")],
            Some(Standing::Leaving) | None => &[],
        }
    }
}

/// The sections now.
pub(super) fn sections(seen: &Observation, history: &History, now: Timestamp) -> Sections {
    let pace = history.pace(seen, now);
    let now_unix_s = history.last_at();
    let samples = history.samples();
    let drawn = Plots {
        heading: plots::heading(&samples),
        plots: plots::of(&samples, now_unix_s),
    };
    Sections(vec![
        ("verdict", written(&verdict(seen, &pace))),
        ("pipeline", written(&pipeline(seen, &pace))),
        ("plots", written(&drawn)),
        ("running", written(&running(seen))),
        ("failures", written(&failures(seen))),
        ("nodes", written(&nodes(seen))),
        ("actors", written(&actors(seen, &pace))),
        ("ledger", written(&ledger(seen, now))),
        ("around", written(&around(seen, &pace))),
    ])
}

fn written(section: &impl Template) -> String {
    section.render().unwrap_or_else(|error| {
        tracing::error!(%error, "a section of the operators' page cannot be written");
        String::new()
    })
}

fn verdict(seen: &Observation, pace: &Pace) -> Verdict {
    let uptime = seen.nodes.first().and_then(|node| node.uptime_s);
    Verdict {
        findings: verdict::of(seen, pace),
        uptime: age(uptime.unwrap_or(0.0)),
        at: seen.at.get(11..19).unwrap_or_default().to_owned(),
        memory: bytes(seen.usage.resident_bytes),
        cpu: percent(pace.cpu),
    }
}

fn pipeline<'a>(seen: &'a Observation, pace: &Pace) -> Pipeline<'a> {
    let names = ["Extract", "Synthesize", "Validate"];
    let stages = seen
        .stages
        .iter()
        .zip(names)
        .enumerate()
        .map(|(at, (stage, name))| {
            let leaving = pace.stages.get(at).copied().unwrap_or_default();
            let [p50, p99] = pace.percentiles_of(Timed::Stage(stage.stage));
            StageCard {
                name,
                stage: stage.stage,
                rate: rate(leaving),
                p50: maybe_span(p50),
                p99: maybe_span(p99),
                in_flight: stage.in_flight,
                passed: count(stage.passed),
                failed: stage.failed,
                words: count(stage.words),
                bytes: bytes(stage.bytes),
            }
        });
    Pipeline {
        seen,
        failed_ours: seen.generations.failed_of(Class::Ours),
        runs: pace.percentiles_of(Timed::Run).map(maybe_span),
        stages: stages.collect(),
    }
}

fn running(seen: &Observation) -> Running<'_> {
    let rows = seen.running.iter().map(|run| {
        let (phase, tone) = match run.phase {
            Phase::Waiting => ("Waiting", ""),
            Phase::Extracting => ("Extract", "accent"),
            Phase::Synthesizing => ("Synthesize", "accent"),
            Phase::Validating => ("Validate", "accent"),
            Phase::Settling => ("Settling", "ok"),
            Phase::Elsewhere => ("On another node", ""),
            Phase::LeftBehind => ("Left behind", "warn"),
        };
        RunRow {
            run,
            phase,
            tone,
            age: age(run.age_s),
            in_phase: age(run.in_phase_s),
            may_retry: !matches!(
                run.phase,
                Phase::Waiting | Phase::Settling | Phase::Elsewhere
            ),
        }
    });
    Running {
        runs: rows.collect(),
        beyond: seen
            .generations
            .in_flight
            .saturating_sub(seen.running.len() as u64),
    }
}

fn failures(seen: &Observation) -> Failures<'_> {
    let failed = seen.generations.failed_by.iter().filter(|by| by.count > 0);
    let reasons = failed.map(|by| (by.reason, by.class, whose(by.class), count(by.count)));
    Failures {
        reasons: reasons.collect(),
        last: &seen.generations.last_failed,
    }
}

/// Whose a failure is to mend, in words.
fn whose(class: &str) -> &'static str {
    match class {
        "ours" => "ours",
        "source" => "the source's",
        _ => "ended by somebody",
    }
}

fn nodes(seen: &Observation) -> Nodes<'_> {
    let nodes = seen.nodes.iter().map(|node| NodeRow {
        node,
        uptime: node.uptime_s.map_or_else(nothing, age),
        cores: node.cores.map_or_else(nothing, |it| format!("{it:.2}")),
        cordoned: node.cordoned_for_s.map(age),
    });
    Nodes {
        nodes: nodes.collect(),
        by_node: by_node::of(seen),
    }
}

fn actors<'a>(seen: &'a Observation, pace: &Pace) -> Actors<'a> {
    let p99 = |timed| {
        let [_, p99] = pace.percentiles_of(timed);
        maybe_span(p99)
    };
    let kinds = seen.actors.iter().map(|actor| {
        let restarting = actor.instances.iter().any(|one| one.state == "restarting");
        let (tone, state) = match () {
            () if actor.given_up > 0 || actor.lost > 0 => ("bad", "broken"),
            () if restarting => ("warn", "restarting"),
            () if actor.panics > 0 => ("warn", "recovered"),
            () if actor.alive == 0 => ("", "idle"),
            () => ("ok", "running"),
        };
        KindRow {
            actor,
            handled: count(actor.handled),
            wait: p99(Timed::Wait(actor.kind)),
            handling: p99(Timed::Handling(actor.kind)),
            tone,
            state,
        }
    });
    Actors {
        nodes: seen.nodes.len(),
        kinds: kinds.collect(),
    }
}

fn ledger(seen: &Observation, now: Timestamp) -> Ledger<'_> {
    let line = &seen.ledger;
    let parts = [
        ("available", "available", line.available),
        ("reserved", "reserved", line.reserved),
        ("posted", "earned", line.posted),
    ];
    let whole = parts
        .iter()
        .map(|(_, _, credits)| (*credits).max(0))
        .sum::<i64>()
        .max(1) as f64;
    let mut before = 0.0;
    let held = parts.map(|(class, name, credits)| {
        let share = 100.0 * credits.max(0) as f64 / whole;
        let from = before;
        before += share;
        (class, name, signed(credits), from, share)
    });
    Ledger {
        seen,
        owing: [
            ("granted", signed(line.granted)),
            ("owed", signed(line.owed)),
        ],
        held: held.into(),
        proof: line.proved_at.map(|at| age(now.since(at).as_secs_f64())),
        oldest: line.oldest_reservation_s.map(age),
    }
}

fn nothing() -> String {
    super::wording::NOTHING.to_owned()
}

fn around<'a>(seen: &'a Observation, pace: &Pace) -> Around<'a> {
    let queries = seen.database.queries.iter().take(ROWS_MAX).map(|query| {
        let each = query.sum_s / query.count.max(1) as f64;
        (
            query.name,
            count(query.count),
            span(each),
            span(query.sum_s),
        )
    });
    let routes = seen.http.routes.iter().take(ROWS_MAX).map(|route| {
        let [_, slowest] = pace.percentiles_of(Timed::Route(route.route));
        let slowest = maybe_span(slowest);
        (route.route, count(route.requests), route.faults, slowest)
    });
    let providers = seen.providers.iter().map(|provider| {
        let circuit = match provider.circuit {
            Some(Circuit::Closed) => "closed",
            Some(Circuit::Open) => "open",
            Some(Circuit::HalfOpen) => "half open",
            None => "",
        };
        let [_, slowest] = pace.percentiles_of(Timed::Provider(provider.provider));
        (provider, maybe_span(slowest), circuit)
    });
    Around {
        seen,
        database: pace.percentiles_of(Timed::Database).map(maybe_span),
        http: pace.percentiles_of(Timed::Answer).map(maybe_span),
        requests: rate(pace.requests_per_s),
        queries: queries.collect(),
        routes: routes.collect(),
        providers: providers.collect(),
    }
}
