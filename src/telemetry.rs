//! Owns the dial board: every metric there is, on one page, and how logs are written.
//!
//! Counting costs a few relaxed atomic additions; the text is made when somebody scrapes. The figures of the actors come
//! from [`Observation`]. Labels never name a user, an account, a source, a skill or a key (decision 62).

use crate::domain::observation::{Circuit, ModelFigures, Observation, Spread};
use crate::domain::quota::{Class, Surface};
use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

/// Every metric: its name, its type, and what it says.
const METRICS: [(&str, &str, &str); 24] = [
    (
        "skillkiln_http_requests_total",
        "counter",
        "Requests answered, by route, method and status.",
    ),
    (
        "skillkiln_http_request_duration_seconds",
        "histogram",
        "Time until the head of the answer, by route.",
    ),
    (
        "skillkiln_ratelimit_decisions_total",
        "counter",
        "Requests admitted and refused on the windows of keys.",
    ),
    (
        "skillkiln_ratelimit_keys",
        "gauge",
        "Keys that have a window now.",
    ),
    ("skillkiln_sse_streams", "gauge", "Streams that are open."),
    ("skillkiln_actor_alive", "gauge", "Actors alive, by kind."),
    (
        "skillkiln_actor_mailbox_depth",
        "gauge",
        "Messages waiting in mailboxes, by kind of actor.",
    ),
    (
        "skillkiln_actor_handled_total",
        "counter",
        "Messages handled, by kind of actor.",
    ),
    (
        "skillkiln_actor_lost_total",
        "counter",
        "Messages dropped unhandled, by kind of actor; 0, or a bug.",
    ),
    (
        "skillkiln_actor_panics_total",
        "counter",
        "Panics, by kind of actor.",
    ),
    (
        "skillkiln_actor_restarts_total",
        "counter",
        "Restarts, by kind of actor.",
    ),
    (
        "skillkiln_actor_wait_seconds",
        "histogram",
        "Time a message waited, by kind of actor.",
    ),
    (
        "skillkiln_actor_handling_seconds",
        "histogram",
        "Time handling took, by kind of actor.",
    ),
    (
        "skillkiln_stage_duration_seconds",
        "histogram",
        "Time a stage took, by stage.",
    ),
    (
        "skillkiln_stage_in_flight",
        "gauge",
        "Runs in a stage now, by stage.",
    ),
    (
        "skillkiln_stage_ended_total",
        "counter",
        "Runs that left a stage, by stage and outcome.",
    ),
    (
        "skillkiln_generations_total",
        "counter",
        "Runs accepted, and how they ended.",
    ),
    (
        "skillkiln_generations_in_flight",
        "gauge",
        "Runs accepted that have not ended.",
    ),
    (
        "skillkiln_credits_total",
        "counter",
        "Credits by what became of them.",
    ),
    (
        "skillkiln_ledger_imbalance",
        "gauge",
        "Credits the books miss; 0, or an alarm.",
    ),
    (
        "skillkiln_model_questions_total",
        "counter",
        "Questions to the language model, by what became of them.",
    ),
    (
        "skillkiln_model_tokens_total",
        "counter",
        "Tokens the language model read and wrote, as it counts them.",
    ),
    (
        "skillkiln_model_circuit",
        "gauge",
        "1 for the state of the model's circuit breaker.",
    ),
    ("skillkiln_up", "gauge", "1 while the process answers."),
];

/// Upper bounds of the request durations, in microseconds.
const BOUNDS_US: [u64; 14] = [
    250,
    500,
    1_000,
    2_500,
    5_000,
    10_000,
    25_000,
    50_000,
    100_000,
    250_000,
    1_000_000,
    5_000_000,
    30_000_000,
    180_000_000,
];
const METHODS: [&str; 8] = [
    "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "other",
];
const STATUSES: [u16; 20] = [
    200, 204, 303, 304, 400, 401, 402, 403, 404, 405, 408, 409, 412, 413, 415, 429, 500, 502, 503,
    0,
];

/// What is counted at the HTTP surface.
#[derive(Debug)]
pub struct HttpFigures {
    routes: Vec<RouteFigures>,
    decisions: [[AtomicU64; 2]; 4],
    streams: AtomicI64,
}

#[derive(Debug)]
struct RouteFigures {
    name: &'static str,
    counts: Box<[AtomicU64]>,
    buckets: [AtomicU64; BOUNDS_US.len()],
    sum_us: AtomicU64,
}

impl HttpFigures {
    /// Figures for these routes, and for everything elsewhere.
    #[must_use]
    pub fn new(routes: &[&'static str]) -> Self {
        let figures = |name: &&'static str| RouteFigures {
            name,
            counts: (0..METHODS.len() * STATUSES.len())
                .map(|_| AtomicU64::new(0))
                .collect(),
            buckets: Default::default(),
            sum_us: AtomicU64::new(0),
        };
        Self {
            routes: routes.iter().chain([&"elsewhere"]).map(figures).collect(),
            decisions: Default::default(),
            streams: AtomicI64::new(0),
        }
    }

    /// The index under which unknown paths are counted.
    #[must_use]
    pub fn elsewhere(&self) -> usize {
        self.routes.len().saturating_sub(1)
    }

    /// The route at an index.
    #[must_use]
    pub fn name_of(&self, route: usize) -> &'static str {
        self.routes
            .get(route)
            .map_or("elsewhere", |figures| figures.name)
    }

    /// Counts an answer.
    pub fn answered(&self, route: usize, method: &str, status: u16, took: Duration) {
        let Some(figures) = self.routes.get(route) else {
            return;
        };
        let method = METHODS
            .iter()
            .position(|known| *known == method)
            .unwrap_or(METHODS.len() - 1);
        let status = STATUSES
            .iter()
            .position(|known| *known == status)
            .unwrap_or(STATUSES.len() - 1);
        if let Some(count) = figures.counts.get(method * STATUSES.len() + status) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let bucket = BOUNDS_US.iter().position(|bound| micros <= *bound);
        if let Some(bucket) = bucket.and_then(|bucket| figures.buckets.get(bucket)) {
            bucket.fetch_add(1, Ordering::Relaxed);
        }
        figures.sum_us.fetch_add(micros, Ordering::Relaxed);
    }

    /// Counts a decision of a window.
    pub fn decided(&self, surface: Surface, class: Class, admitted: bool) {
        let [
            rest_generate,
            rest_other,
            application_generate,
            application_other,
        ] = &self.decisions;
        let [refusals, admissions] = match (surface, class) {
            (Surface::Rest, Class::Generate) => rest_generate,
            (Surface::Rest, Class::Other) => rest_other,
            (Surface::Application, Class::Generate) => application_generate,
            (Surface::Application, Class::Other) => application_other,
        };
        let counter = if admitted { admissions } else { refusals };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a stream that opens (1) or closes (-1).
    pub fn stream(&self, change: i64) {
        self.streams.fetch_add(change, Ordering::Relaxed);
    }
}

/// Everything in the Prometheus text format.
#[must_use]
pub fn render(http: &HttpFigures, observation: &Observation) -> String {
    let mut page = Page::default();
    for route in &http.routes {
        for (position, count) in route.counts.iter().enumerate() {
            let count = count.load(Ordering::Relaxed);
            let method = METHODS
                .get(position / STATUSES.len())
                .copied()
                .unwrap_or("other");
            let status = STATUSES
                .get(position % STATUSES.len())
                .copied()
                .unwrap_or(0);
            if count > 0 {
                let status = if status == 0 {
                    "other".to_owned()
                } else {
                    status.to_string()
                };
                page.sample(
                    "skillkiln_http_requests_total",
                    &[
                        ("route", route.name),
                        ("method", method),
                        ("status", &status),
                    ],
                    count as f64,
                );
            }
        }
        let mut below = 0;
        let buckets = BOUNDS_US
            .iter()
            .zip(&route.buckets)
            .map(|(bound, count)| {
                below += count.load(Ordering::Relaxed);
                (*bound as f64 / 1e6, below)
            })
            .collect();
        let spread = Spread {
            count: route
                .counts
                .iter()
                .map(|count| count.load(Ordering::Relaxed))
                .sum(),
            sum_s: route.sum_us.load(Ordering::Relaxed) as f64 / 1e6,
            buckets,
        };
        if spread.count > 0 {
            page.spread(
                "skillkiln_http_request_duration_seconds",
                ("route", route.name),
                &spread,
            );
        }
    }
    let windows = [
        ("rest", "generate"),
        ("rest", "other"),
        ("application", "generate"),
        ("application", "other"),
    ];
    for ((surface, class), [refusals, admissions]) in windows.into_iter().zip(&http.decisions) {
        for (decision, count) in [("admitted", admissions), ("refused", refusals)] {
            page.sample(
                "skillkiln_ratelimit_decisions_total",
                &[
                    ("surface", surface),
                    ("class", class),
                    ("decision", decision),
                ],
                count.load(Ordering::Relaxed) as f64,
            );
        }
    }
    page.sample(
        "skillkiln_ratelimit_keys",
        &[],
        observation.limits.keys as f64,
    );
    page.sample(
        "skillkiln_sse_streams",
        &[],
        http.streams.load(Ordering::Relaxed) as f64,
    );
    observe(&mut page, observation);
    if let Some(model) = &observation.model {
        observe_model(&mut page, model);
    }
    page.sample("skillkiln_up", &[], 1.0);
    page.text()
}

fn observe_model(page: &mut Page, model: &ModelFigures) {
    for (outcome, count) in [
        ("asked", model.asked),
        ("kept", model.kept),
        ("retried", model.retried),
        ("given_up", model.given_up),
    ] {
        let name = "skillkiln_model_questions_total";
        page.sample(name, &[("outcome", outcome)], count as f64);
    }
    for (direction, count) in [("in", model.tokens_in), ("out", model.tokens_out)] {
        let name = "skillkiln_model_tokens_total";
        page.sample(name, &[("direction", direction)], count as f64);
    }
    for (state, circuit) in [
        ("closed", Circuit::Closed),
        ("open", Circuit::Open),
        ("half_open", Circuit::HalfOpen),
    ] {
        let is_so = f64::from(u8::from(model.circuit == circuit));
        page.sample("skillkiln_model_circuit", &[("state", state)], is_so);
    }
}

fn observe(page: &mut Page, observation: &Observation) {
    for actor in &observation.actors {
        let kind = ("actor", actor.kind);
        for (name, value) in [
            ("skillkiln_actor_alive", actor.alive),
            ("skillkiln_actor_mailbox_depth", actor.waiting),
            ("skillkiln_actor_handled_total", actor.handled),
            ("skillkiln_actor_lost_total", actor.lost),
            ("skillkiln_actor_panics_total", actor.panics),
            ("skillkiln_actor_restarts_total", actor.restarts),
        ] {
            page.sample(name, &[kind], value as f64);
        }
        page.spread("skillkiln_actor_wait_seconds", kind, &actor.wait);
        page.spread("skillkiln_actor_handling_seconds", kind, &actor.handling);
    }
    for stage in &observation.stages {
        let label = ("stage", stage.stage);
        page.spread("skillkiln_stage_duration_seconds", label, &stage.duration);
        page.sample(
            "skillkiln_stage_in_flight",
            &[label],
            stage.in_flight as f64,
        );
        for (outcome, count) in [("passed", stage.passed), ("failed", stage.failed)] {
            page.sample(
                "skillkiln_stage_ended_total",
                &[label, ("outcome", outcome)],
                count as f64,
            );
        }
    }
    let runs = &observation.generations;
    for (outcome, count) in [
        ("accepted", runs.accepted),
        ("completed", runs.completed),
        ("failed", runs.failed),
        ("resumed", runs.resumed),
    ] {
        page.sample(
            "skillkiln_generations_total",
            &[("outcome", outcome)],
            count as f64,
        );
    }
    page.sample(
        "skillkiln_generations_in_flight",
        &[],
        runs.in_flight as f64,
    );
    let credits = &observation.credits;
    for (flow, count) in [
        ("reserved", credits.reserved),
        ("posted", credits.posted),
        ("voided", credits.voided),
        ("granted", credits.granted),
        ("reclaimed", credits.reclaimed),
    ] {
        page.sample("skillkiln_credits_total", &[("flow", flow)], count as f64);
    }
    page.sample("skillkiln_ledger_imbalance", &[], credits.imbalance as f64);
}

/// The page of text, each metric's samples kept together under its heading.
#[derive(Default)]
struct Page {
    samples: [String; METRICS.len()],
}

impl Page {
    fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: f64) {
        self.line(name, "", labels, value);
    }

    fn spread(&mut self, name: &str, label: (&str, &str), spread: &Spread) {
        for (bound, count) in &spread.buckets {
            self.line(
                name,
                "_bucket",
                &[label, ("le", &bound.to_string())],
                *count as f64,
            );
        }
        self.line(
            name,
            "_bucket",
            &[label, ("le", "+Inf")],
            spread.count as f64,
        );
        self.line(name, "_sum", &[label], spread.sum_s);
        self.line(name, "_count", &[label], spread.count as f64);
    }

    fn line(&mut self, name: &str, suffix: &str, labels: &[(&str, &str)], value: f64) {
        let position = METRICS.iter().position(|(known, ..)| *known == name);
        let Some(out) = position.and_then(|position| self.samples.get_mut(position)) else {
            debug_assert!(false, "{name} is not on the dial board");
            return;
        };
        let labels: Vec<String> = labels
            .iter()
            .map(|(label, value)| format!("{label}=\"{}\"", escape(value)))
            .collect();
        let labels = if labels.is_empty() {
            String::new()
        } else {
            format!("{{{}}}", labels.join(","))
        };
        let _ = writeln!(out, "{name}{suffix}{labels} {value}");
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for ((name, kind, help), samples) in METRICS.iter().zip(&self.samples) {
            let _ = write!(
                text,
                "# HELP {name} {help}\n# TYPE {name} {kind}\n{samples}"
            );
        }
        text
    }
}

fn escape(value: &str) -> String {
    value
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}

/// Starts the log on standard error: lines for people, or one JSON object a line. `filter` is a level, or levels by place
/// (`info,skillkiln::store=debug`).
///
/// # Errors
/// When `filter` cannot be read.
pub fn start_log(filter: &str, as_json: bool) -> Result<(), String> {
    let filter =
        tracing_subscriber::EnvFilter::try_new(filter).map_err(|error| error.to_string())?;
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    // A second start (in tests) finds the log running and leaves it alone.
    let _ = if as_json {
        lines.json().flatten_event(true).try_init()
    } else {
        lines.try_init()
    };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::observation::{ActorKind, StageFigures};

    #[test]
    fn every_metric_that_operators_rely_on_is_on_the_board() {
        let figures = HttpFigures::new(&["/api/v1/credits"]);
        figures.answered(0, "GET", 200, Duration::from_micros(300));
        figures.answered(0, "GET", 200, Duration::from_secs(1_000));
        figures.answered(figures.elsewhere(), "BREW", 418, Duration::ZERO);
        figures.decided(Surface::Rest, Class::Generate, false);
        figures.stream(1);
        let observation = Observation {
            actors: vec![ActorKind {
                kind: "ledger",
                alive: 3,
                restarts: 1,
                ..ActorKind::default()
            }],
            stages: vec![StageFigures {
                stage: "extracting",
                in_flight: 2,
                ..StageFigures::default()
            }],
            model: Some(ModelFigures {
                circuit: Circuit::Open,
                asked: 5,
                ..ModelFigures::default()
            }),
            ..Observation::default()
        };
        let text = render(&figures, &observation);
        for line in [
            r#"skillkiln_http_requests_total{route="/api/v1/credits",method="GET",status="200"} 2"#,
            r#"skillkiln_http_requests_total{route="elsewhere",method="other",status="other"} 1"#,
            r#"skillkiln_http_request_duration_seconds_bucket{route="/api/v1/credits",le="0.00025"} 0"#,
            r#"skillkiln_http_request_duration_seconds_bucket{route="/api/v1/credits",le="0.0005"} 1"#,
            r#"skillkiln_http_request_duration_seconds_bucket{route="/api/v1/credits",le="+Inf"} 2"#,
            r#"skillkiln_ratelimit_decisions_total{surface="rest",class="generate",decision="refused"} 1"#,
            r#"skillkiln_sse_streams 1"#,
            r#"skillkiln_actor_alive{actor="ledger"} 3"#,
            r#"skillkiln_actor_restarts_total{actor="ledger"} 1"#,
            r#"skillkiln_stage_in_flight{stage="extracting"} 2"#,
            r#"skillkiln_generations_total{outcome="completed"} 0"#,
            r#"skillkiln_credits_total{flow="posted"} 0"#,
            r#"skillkiln_ledger_imbalance 0"#,
            r#"skillkiln_model_questions_total{outcome="asked"} 5"#,
            r#"skillkiln_model_circuit{state="open"} 1"#,
            r#"skillkiln_model_circuit{state="closed"} 0"#,
        ] {
            assert!(
                text.lines().any(|written| written == line),
                "{line} in\n{text}"
            );
        }
    }

    #[test]
    fn every_sample_stands_under_its_own_heading() {
        let figures = HttpFigures::new(&["/a", "/b"]);
        for route in [0, 1] {
            figures.answered(route, "GET", 200, Duration::ZERO);
        }
        let text = render(&figures, &Observation::default());
        let mut heading = "";
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("# TYPE ") {
                heading = rest.split(' ').next().unwrap_or("");
            } else if !line.starts_with('#') {
                assert!(line.starts_with(heading), "{line} under {heading}");
            }
        }
    }
}
