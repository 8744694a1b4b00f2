//! Owns the list of all metrics: name, type, labels, and what each says. Whatever is not on this page is not exported.
//!
//! Names follow the conventions of Prometheus: base units (seconds, bytes), `_total` for what only grows. Labels never name a
//! user, an account, a source, a skill, an address or a key (decision 62). The dashboard and the alert rules under `ops/` are
//! held against this list by a test.

/// The type of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It only grows.
    Counter,
    /// It goes up and down.
    Gauge,
    /// Counts below bounds, a sum and a count.
    Histogram,
    /// A sum and a count.
    Summary,
}

impl Kind {
    /// The word of the text format.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
            Self::Summary => "summary",
        }
    }
}

/// One metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metric {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// The names of its labels.
    pub labels: &'static [&'static str],
    /// What it says.
    pub help: &'static str,
}

const fn metric(
    kind: Kind,
    name: &'static str,
    labels: &'static [&'static str],
    help: &'static str,
) -> Metric {
    Metric {
        name,
        kind,
        labels,
        help,
    }
}

use Kind::{Counter, Gauge, Histogram, Summary};

/// Every metric there is.
#[rustfmt::skip]
pub const METRICS: [Metric; 61] = [
    // What is asked over HTTP.
    metric(Counter, "skillkiln_http_requests_total", &["route", "method", "status"], "Requests answered, by route, method and status."),
    metric(Counter, "skillkiln_http_faults_total", &["route"], "Requests answered with a fault of ours, by route; a source's failure is none."),
    metric(Histogram, "skillkiln_http_request_duration_seconds", &["route"], "Time until the head of the answer, by route."),
    metric(Counter, "skillkiln_ratelimit_decisions_total", &["surface", "class", "decision"], "Requests admitted and refused on the windows of keys."),
    metric(Gauge, "skillkiln_ratelimit_keys", &[], "Keys that have a window now."),
    metric(Gauge, "skillkiln_ratelimit_shared", &[], "1 while nodes decide on shared windows together, 0 while this one admits its share."),
    metric(Counter, "skillkiln_ratelimit_shared_decisions_total", &["by"], "Requests decided on by the server of shared windows, or by the node within its share."),
    metric(Gauge, "skillkiln_sse_streams", &[], "Streams that are open."),
    // Actors, by kind.
    metric(Gauge, "skillkiln_actor_alive", &["actor"], "Actors alive, by kind."),
    metric(Gauge, "skillkiln_actor_mailbox_depth", &["actor"], "Messages waiting in mailboxes, by kind of actor."),
    metric(Gauge, "skillkiln_actor_mailbox_capacity", &["actor"], "Most messages that one mailbox takes, by kind of actor."),
    metric(Gauge, "skillkiln_actor_mailbox_fullest_ratio", &["actor"], "How full the fullest mailbox is, 0 to 1, by kind of actor."),
    metric(Counter, "skillkiln_actor_handled_total", &["actor"], "Messages handled, by kind of actor."),
    metric(Counter, "skillkiln_actor_lost_total", &["actor"], "Messages dropped unhandled, by kind of actor; 0, or a bug."),
    metric(Counter, "skillkiln_actor_panics_total", &["actor"], "Panics, by kind of actor."),
    metric(Counter, "skillkiln_actor_restarts_total", &["actor", "reason"], "Restarts, by kind of actor and reason."),
    metric(Counter, "skillkiln_actor_given_up_total", &["actor"], "Actors that panicked too often and were given up, by kind."),
    metric(Histogram, "skillkiln_actor_wait_seconds", &["actor"], "Time a message waited, by kind of actor."),
    metric(Histogram, "skillkiln_actor_handling_seconds", &["actor"], "Time handling took, by kind of actor."),
    metric(Gauge, "skillkiln_arbiter_silent_seconds", &["arbiter"], "For how long a thread of actors has hung; 0 while it goes on."),
    // Stages of the pipeline.
    metric(Histogram, "skillkiln_stage_duration_seconds", &["stage"], "Time a stage took, by stage."),
    metric(Gauge, "skillkiln_stage_in_flight", &["stage"], "Runs in a stage now, by stage."),
    metric(Counter, "skillkiln_stage_ended_total", &["stage", "outcome"], "Runs that left a stage, by stage and outcome."),
    metric(Counter, "skillkiln_stage_bytes_total", &["stage"], "Bytes that came out of a stage, by stage."),
    metric(Counter, "skillkiln_stage_words_total", &["stage"], "Words that came out of a stage, by stage."),
    // Runs.
    metric(Counter, "skillkiln_generations_total", &["outcome"], "Runs accepted, and how they ended."),
    metric(Counter, "skillkiln_generation_failures_total", &["reason", "class"], "Runs that failed, by reason and by whose it is to mend; the credit is back."),
    metric(Gauge, "skillkiln_generations_in_flight", &[], "Runs accepted that have not ended."),
    metric(Gauge, "skillkiln_generations_waiting", &[], "Runs accepted that wait for their turn."),
    metric(Gauge, "skillkiln_generations_waiting_max", &[], "As many runs as may wait; further orders are refused."),
    metric(Histogram, "skillkiln_generation_duration_seconds", &[], "Time from the order of a run to its last event."),
    // Sources that are looked at again.
    metric(Counter, "skillkiln_watch_looks_total", &["outcome"], "Looks at the sources of watched skills, by what they found."),
    // Credits.
    metric(Counter, "skillkiln_credits_total", &["flow"], "Credits by what became of them."),
    metric(Gauge, "skillkiln_ledger_imbalance", &[], "Faults that the last proof of the books found; 0, or an alarm."),
    metric(Gauge, "skillkiln_ledger_credits", &["balance"], "Credits by where they are, as the last proof of the books found them."),
    metric(Gauge, "skillkiln_ledger_oldest_reservation_age_seconds", &[], "Age of the oldest reservation that is open; 0 when there is none."),
    metric(Gauge, "skillkiln_ledger_proof_timestamp_seconds", &[], "When the books were last proved, since 1970; 0 before the first proof."),
    metric(Gauge, "skillkiln_ledger_proof_duration_seconds", &[], "Time that the last proof of the books took."),
    // The database.
    metric(Gauge, "skillkiln_database_connections_busy", &[], "Connections that work now."),
    metric(Gauge, "skillkiln_database_connections_max", &[], "As many connections as there can be."),
    metric(Gauge, "skillkiln_database_calls_waiting", &[], "Calls that wait for a connection."),
    metric(Counter, "skillkiln_database_errors_total", &[], "Calls that failed because the database did not answer or broke."),
    metric(Histogram, "skillkiln_database_wait_seconds", &[], "Time a call waited for a connection."),
    metric(Histogram, "skillkiln_database_call_seconds", &[], "Time a call took once it had a connection."),
    metric(Summary, "skillkiln_database_query_seconds", &["query"], "Time from a query to its answer, by query."),
    // Who is called outside.
    metric(Counter, "skillkiln_provider_requests_total", &["provider", "outcome"], "Requests to others, by provider and outcome."),
    metric(Counter, "skillkiln_provider_retries_total", &["provider"], "Requests to others that were sent again, by provider."),
    metric(Histogram, "skillkiln_provider_request_duration_seconds", &["provider"], "Time a request to others took, by provider."),
    metric(Gauge, "skillkiln_provider_circuit", &["provider", "state"], "1 for the state of a provider's circuit breaker."),
    metric(Counter, "skillkiln_model_questions_total", &["outcome"], "Questions to the language model, by what became of them."),
    metric(Counter, "skillkiln_model_tokens_total", &["direction"], "Tokens the language model read, of these read before (cached), and wrote, as it counts them."),
    metric(Counter, "skillkiln_model_cost_total", &[], "What these tokens cost, by the prices that are set and in their currency."),
    // Ourselves.
    metric(Counter, "skillkiln_trace_spans_total", &["outcome"], "Spans of traces: sent, or dropped because the collector does not keep up."),
    metric(Gauge, "skillkiln_nodes", &[], "Nodes that work on runs, this one included."),
    metric(Gauge, "skillkiln_build_info", &["version", "database", "profile"], "1, with what runs here."),
    metric(Gauge, "skillkiln_up", &[], "1 while the process answers."),
    metric(Gauge, "process_start_time_seconds", &[], "When the process began, since 1970."),
    metric(Gauge, "process_resident_memory_bytes", &[], "Memory that the process occupies."),
    metric(Counter, "process_cpu_seconds_total", &[], "Processor time that the process has taken."),
    metric(Gauge, "process_threads", &[], "Threads of the process."),
    metric(Gauge, "process_open_fds", &[], "Files and sockets that the process has open."),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_metric_is_named_as_prometheus_has_it() {
        let mut seen = HashSet::new();
        for metric in METRICS {
            let Metric {
                name, kind, help, ..
            } = metric;
            assert!(seen.insert(name), "{name} is there twice");
            let own = ["skillkiln_", "process_"];
            assert!(own.iter().any(|start| name.starts_with(start)), "{name}");
            assert!(
                name.bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte == b'_'),
                "{name}"
            );
            assert_eq!(name.ends_with("_total"), kind == Counter, "{name}");
            for end in ["_count", "_sum", "_bucket", "_ms", "_us", "_millis", "_kb"] {
                assert!(!name.ends_with(end), "{name} ends with {end}");
            }
            let measured = [Histogram, Summary].contains(&kind);
            assert!(
                !measured || name.ends_with("_seconds") || name.ends_with("_bytes"),
                "{name}"
            );
            assert!(help.ends_with('.') && help.len() < 100, "{name}: {help}");
        }
    }

    #[test]
    fn no_label_names_anybody() {
        const KNOWN: [&str; 20] = [
            "by",
            "route",
            "method",
            "status",
            "surface",
            "class",
            "decision",
            "actor",
            "arbiter",
            "reason",
            "stage",
            "outcome",
            "flow",
            "balance",
            "query",
            "provider",
            "state",
            "direction",
            "version",
            "database",
        ];
        for metric in METRICS {
            for label in metric.labels {
                let is_known = KNOWN.contains(label) || *label == "profile";
                assert!(is_known, "{label} of {}", metric.name);
            }
        }
    }
}
