//! Owns the page that Prometheus reads: every metric with its heading and its samples, in the text format.

use crate::domain::clock::Timestamp;
use crate::domain::observation::{
    ActorKind, CreditFlow, Generations, LedgerLine, ModelFigures, Observation, StageFigures,
};
use crate::domain::vitals::{Circuit, DatabaseFigures, ProviderFigures, Usage};
use crate::telemetry::http::HttpFigures;
use crate::telemetry::looks::LOOKS;
use crate::telemetry::page::Page;

/// Everything in the Prometheus text format.
#[must_use]
pub fn render(http: &HttpFigures, seen: &Observation) -> String {
    let mut page = Page::default();
    http.write(&mut page);
    page.sample("skillkiln_ratelimit_keys", &[], seen.limits.keys as f64);
    if let Some(shared) = &seen.limits.shared {
        let answers = f64::from(u8::from(shared.answers));
        page.sample("skillkiln_ratelimit_shared", &[], answers);
        for (by, count) in [("server", shared.decided), ("node", shared.undecided)] {
            let name = "skillkiln_ratelimit_shared_decisions_total";
            page.sample(name, &[("by", by)], count as f64);
        }
    }
    seen.actors.iter().for_each(|actor| page.actor(actor));
    for heart in &seen.hearts {
        let name = "skillkiln_arbiter_silent_seconds";
        page.sample(name, &[("arbiter", &heart.arbiter)], heart.silent_s);
    }
    seen.stages.iter().for_each(|stage| page.stage(stage));
    page.generations(&seen.generations);
    page.credits(&seen.credits);
    page.ledger(&seen.ledger);
    page.database(&seen.database);
    seen.providers
        .iter()
        .for_each(|provider| page.provider(provider));
    if let Some(model) = &seen.model {
        page.model(model);
    }
    for (outcome, count) in [("sent", seen.traces.sent), ("dropped", seen.traces.dropped)] {
        page.sample(
            "skillkiln_trace_spans_total",
            &[("outcome", outcome)],
            count as f64,
        );
    }
    for (outcome, count) in LOOKS.counts() {
        let name = "skillkiln_watch_looks_total";
        page.sample(name, &[("outcome", outcome)], count as f64);
    }
    page.sample("skillkiln_nodes", &[], seen.nodes.len() as f64);
    let profile = if cfg!(debug_assertions) {
        "debug"
    } else {
        "release"
    };
    let build = [
        ("version", env!("CARGO_PKG_VERSION")),
        ("database", seen.database.engine),
        ("profile", profile),
    ];
    page.sample("skillkiln_build_info", &build, 1.0);
    page.sample("skillkiln_up", &[], 1.0);
    page.usage(&seen.usage);
    page.text()
}

impl Page {
    fn actor(&mut self, actor: &ActorKind) {
        let kind = ("actor", actor.kind);
        let fullest = actor
            .instances
            .iter()
            .map(|one| one.waiting)
            .max()
            .unwrap_or(0);
        for (name, value) in [
            ("skillkiln_actor_alive", actor.alive),
            ("skillkiln_actor_mailbox_depth", actor.waiting),
            ("skillkiln_actor_mailbox_capacity", actor.mailbox_capacity),
            ("skillkiln_actor_handled_total", actor.handled),
            ("skillkiln_actor_lost_total", actor.lost),
            ("skillkiln_actor_panics_total", actor.panics),
            ("skillkiln_actor_given_up_total", actor.given_up),
        ] {
            self.sample(name, &[kind], value as f64);
        }
        let ratio = fullest as f64 / actor.mailbox_capacity.max(1) as f64;
        self.sample("skillkiln_actor_mailbox_fullest_ratio", &[kind], ratio);
        let restarts = actor.restarts_by;
        for (reason, count) in [("panic", restarts.panic), ("rebuild", restarts.rebuild)] {
            let labels = [kind, ("reason", reason)];
            self.sample("skillkiln_actor_restarts_total", &labels, count as f64);
        }
        self.spread("skillkiln_actor_wait_seconds", &[kind], &actor.wait);
        self.spread("skillkiln_actor_handling_seconds", &[kind], &actor.handling);
    }

    fn stage(&mut self, stage: &StageFigures) {
        let label = ("stage", stage.stage);
        self.spread(
            "skillkiln_stage_duration_seconds",
            &[label],
            &stage.duration,
        );
        for (name, value) in [
            ("skillkiln_stage_in_flight", stage.in_flight),
            ("skillkiln_stage_bytes_total", stage.bytes),
            ("skillkiln_stage_words_total", stage.words),
        ] {
            self.sample(name, &[label], value as f64);
        }
        for (outcome, count) in [
            ("passed", stage.passed),
            ("failed", stage.failed),
            ("halted", stage.halted),
        ] {
            let labels = [label, ("outcome", outcome)];
            self.sample("skillkiln_stage_ended_total", &labels, count as f64);
        }
    }

    fn generations(&mut self, runs: &Generations) {
        for (outcome, count) in [
            ("accepted", runs.accepted),
            ("completed", runs.completed),
            ("failed", runs.failed),
            ("resumed", runs.resumed),
            ("retried", runs.retried),
        ] {
            self.sample(
                "skillkiln_generations_total",
                &[("outcome", outcome)],
                count as f64,
            );
        }
        for by in &runs.failed_by {
            let labels = [("reason", by.reason), ("class", by.class)];
            let name = "skillkiln_generation_failures_total";
            self.sample(name, &labels, by.count as f64);
        }
        self.sample(
            "skillkiln_generations_in_flight",
            &[],
            runs.in_flight as f64,
        );
        self.sample("skillkiln_generations_waiting", &[], runs.waiting as f64);
        self.sample(
            "skillkiln_generations_waiting_max",
            &[],
            runs.waiting_max as f64,
        );
        self.spread("skillkiln_generation_duration_seconds", &[], &runs.duration);
    }

    fn credits(&mut self, credits: &CreditFlow) {
        for (flow, count) in [
            ("reserved", credits.reserved),
            ("posted", credits.posted),
            ("voided", credits.voided),
            ("granted", credits.granted),
            ("reclaimed", credits.reclaimed),
        ] {
            self.sample("skillkiln_credits_total", &[("flow", flow)], count as f64);
        }
        self.sample("skillkiln_ledger_imbalance", &[], credits.imbalance as f64);
    }

    fn ledger(&mut self, ledger: &LedgerLine) {
        for (balance, credits) in [
            ("granted", ledger.granted),
            ("owed", ledger.owed),
            ("available", ledger.available),
            ("reserved", ledger.reserved),
            ("posted", ledger.posted),
        ] {
            self.sample(
                "skillkiln_ledger_credits",
                &[("balance", balance)],
                credits as f64,
            );
        }
        let proved_at = ledger.proved_at.map_or(0.0, Timestamp::unix_s);
        for (name, value) in [
            (
                "skillkiln_ledger_oldest_reservation_age_seconds",
                ledger.oldest_reservation_s.unwrap_or(0.0),
            ),
            ("skillkiln_ledger_proof_timestamp_seconds", proved_at),
            ("skillkiln_ledger_proof_duration_seconds", ledger.proof_s),
        ] {
            self.sample(name, &[], value);
        }
    }

    fn database(&mut self, database: &DatabaseFigures) {
        for (name, value) in [
            ("skillkiln_database_connections_busy", database.busy),
            (
                "skillkiln_database_connections_max",
                database.connections_max,
            ),
            ("skillkiln_database_calls_waiting", database.waiting),
            ("skillkiln_database_errors_total", database.errors),
        ] {
            self.sample(name, &[], value as f64);
        }
        self.spread("skillkiln_database_wait_seconds", &[], &database.wait);
        self.spread("skillkiln_database_call_seconds", &[], &database.call);
        for query in &database.queries {
            let (name, labels) = ("skillkiln_database_query_seconds", [("query", query.name)]);
            self.line(name, "_sum", &labels, None, query.sum_s);
            self.line(name, "_count", &labels, None, query.count as f64);
        }
    }

    fn provider(&mut self, provider: &ProviderFigures) {
        let label = ("provider", provider.provider);
        for (outcome, count) in [("answered", provider.answered), ("failed", provider.failed)] {
            let labels = [label, ("outcome", outcome)];
            self.sample("skillkiln_provider_requests_total", &labels, count as f64);
        }
        self.sample(
            "skillkiln_provider_retries_total",
            &[label],
            provider.retried as f64,
        );
        let name = "skillkiln_provider_request_duration_seconds";
        self.spread(name, &[label], &provider.duration);
        let states = [
            ("closed", Circuit::Closed),
            ("open", Circuit::Open),
            ("half_open", Circuit::HalfOpen),
        ];
        for (state, circuit) in states {
            if let Some(stands) = provider.circuit {
                let is_so = f64::from(u8::from(stands == circuit));
                let labels = [label, ("state", state)];
                self.sample("skillkiln_provider_circuit", &labels, is_so);
            }
        }
    }

    fn model(&mut self, model: &ModelFigures) {
        for (outcome, count) in [
            ("asked", model.asked),
            ("kept", model.kept),
            ("retried", model.retried),
            ("given_up", model.given_up),
        ] {
            let name = "skillkiln_model_questions_total";
            self.sample(name, &[("outcome", outcome)], count as f64);
        }
        for (direction, count) in [
            ("in", model.tokens_in),
            ("cached", model.tokens_cached),
            ("out", model.tokens_out),
        ] {
            let name = "skillkiln_model_tokens_total";
            self.sample(name, &[("direction", direction)], count as f64);
        }
        self.sample("skillkiln_model_cost_total", &[], model.cost);
    }

    fn usage(&mut self, usage: &Usage) {
        for (name, value) in [
            ("process_start_time_seconds", usage.started_unix_s),
            ("process_resident_memory_bytes", usage.resident_bytes as f64),
            ("process_cpu_seconds_total", usage.cpu_s),
            ("process_threads", usage.threads as f64),
            ("process_open_fds", usage.open_files as f64),
        ] {
            self.sample(name, &[], value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::observation::{ActorInstance, Restarts};
    use crate::domain::quota::{Class, Surface};
    use std::time::Duration;

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
                restarts_by: Restarts {
                    panic: 1,
                    rebuild: 0,
                },
                mailbox_capacity: 4,
                instances: vec![ActorInstance {
                    waiting: 3,
                    ..ActorInstance::default()
                }],
                ..ActorKind::default()
            }],
            stages: vec![StageFigures {
                stage: "extracting",
                in_flight: 2,
                ..StageFigures::default()
            }],
            model: Some(ModelFigures {
                asked: 5,
                cost: 0.25,
                ..ModelFigures::default()
            }),
            providers: vec![ProviderFigures {
                provider: "model",
                circuit: Some(Circuit::Open),
                retried: 2,
                ..ProviderFigures::default()
            }],
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
            r#"skillkiln_actor_restarts_total{actor="ledger",reason="panic"} 1"#,
            r#"skillkiln_actor_mailbox_fullest_ratio{actor="ledger"} 0.75"#,
            r#"skillkiln_stage_in_flight{stage="extracting"} 2"#,
            r#"skillkiln_generations_total{outcome="completed"} 0"#,
            r#"skillkiln_credits_total{flow="posted"} 0"#,
            r#"skillkiln_ledger_imbalance 0"#,
            r#"skillkiln_model_questions_total{outcome="asked"} 5"#,
            r#"skillkiln_model_cost_total 0.25"#,
            r#"skillkiln_provider_retries_total{provider="model"} 2"#,
            r#"skillkiln_provider_circuit{provider="model",state="open"} 1"#,
            r#"skillkiln_provider_circuit{provider="model",state="closed"} 0"#,
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
