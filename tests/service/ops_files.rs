//! The dashboard and the alert rules: every metric and label that they name is one that we export, every alert says what to do.

use serde_json::Value;
use skillkiln::telemetry::metrics::{Kind, METRICS, Metric};
use std::collections::HashSet;

/// Words of PromQL that are no metrics.
const WORDS: [&str; 12] = [
    "and",
    "or",
    "unless",
    "by",
    "without",
    "on",
    "ignoring",
    "group_left",
    "group_right",
    "offset",
    "bool",
    "inf",
];
/// Labels that Prometheus adds.
const ADDED: [&str; 2] = ["instance", "job"];

/// What an expression names: metrics, each with the labels that are asked of it.
fn named(expression: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let mut rest = expression;
    let (mut grouping, mut grouped) = (0, Vec::new());
    while let Some(first) = rest.chars().next() {
        if first.is_ascii_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
            rest = after;
            if grouping > 0 {
                grouped.push(word.to_owned());
            } else if ["by", "without", "on", "ignoring"].contains(&word) {
                grouping = 1;
            } else if !is_function(after) && !WORDS.contains(&word) {
                found.push((word.to_owned(), vec![]));
            }
            continue;
        }
        match first {
            ')' => grouping = 0,
            '[' => rest = &rest[rest.find(']').expect("a range ends")..],
            '{' => {
                let end = rest.find('}').expect("a selector ends");
                let metric = found.last_mut().expect("a selector follows a metric");
                // A value may hold a comma or an equals sign, so quotes are cut out first.
                let outside: String = rest[1..end].split('"').step_by(2).collect();
                let labels = outside.split(',').filter(|label| !label.trim().is_empty());
                let label = |text: &str| text.trim().trim_end_matches(['=', '~', '!']).to_owned();
                metric.1.extend(labels.map(label));
                rest = &rest[end..];
            }
            _ => {}
        }
        // A number with its exponent or unit is skipped as a whole.
        let skip = if first.is_ascii_digit() {
            rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.')
                .unwrap_or(rest.len())
        } else {
            first_len(rest)
        };
        rest = &rest[skip..];
    }
    for (_, labels) in &mut found {
        labels.extend(grouped.iter().cloned());
    }
    found
}

/// Whether what stands before this is a function: its arguments follow, or what it sums by.
fn is_function(after: &str) -> bool {
    let after = after.trim_start();
    ["(", "by ", "by(", "without ", "without("]
        .iter()
        .any(|start| after.starts_with(start))
}

fn first_len(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

/// The metric of a name, which may be a part of a histogram or a summary.
fn declared(name: &str) -> Option<&'static Metric> {
    METRICS.iter().find(|metric| {
        let parts: &[&str] = match metric.kind {
            Kind::Histogram => &["_bucket", "_sum", "_count"],
            Kind::Summary => &["_sum", "_count"],
            _ => &[""],
        };
        let suffix = name.strip_prefix(metric.name);
        suffix.is_some_and(|suffix| parts.contains(&suffix))
    })
}

/// What is wrong with an expression.
fn faults(expression: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let metrics = named(expression);
    if metrics.is_empty() {
        faults.push("it names no metric".to_owned());
    }
    for (name, labels) in metrics {
        let Some(metric) = declared(&name) else {
            faults.push(format!("{name} is not exported"));
            continue;
        };
        for label in labels {
            let is_bound = label == "le" && name.ends_with("_bucket");
            if !is_bound
                && !ADDED.contains(&label.as_str())
                && !metric.labels.contains(&label.as_str())
            {
                faults.push(format!("{name} has no label {label}"));
            }
        }
    }
    faults
}

fn file(path: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(path).expect("it is there")
}

#[test]
fn every_alert_watches_what_is_exported_and_says_what_to_do() {
    let rules: Value = serde_saphyr::from_str(&file("ops/prometheus/alerts.yml")).expect("YAML");
    let mut names = HashSet::new();
    let mut watched = HashSet::new();
    for group in rules["groups"].as_array().expect("groups") {
        for rule in group["rules"].as_array().expect("rules") {
            let name = rule["alert"].as_str().expect("a name");
            assert!(names.insert(name.to_owned()), "{name} is there twice");
            let expression = rule["expr"].as_str().expect("an expression");
            assert_eq!(
                faults(expression),
                Vec::<String>::new(),
                "{name}: {expression}"
            );
            watched.extend(named(expression).into_iter().map(|(metric, _)| metric));
            let severity = rule["labels"]["severity"].as_str();
            assert!(
                matches!(severity, Some("page" | "ticket")),
                "{name}: {severity:?}"
            );
            for (what, length) in [("summary", 20), ("action", 60)] {
                let text = rule["annotations"][what].as_str().unwrap_or_default();
                assert!(
                    text.len() >= length && text.ends_with('.'),
                    "{name}: {what} {text:?}"
                );
            }
        }
    }
    for metric in [
        "skillkiln_ledger_imbalance",
        "skillkiln_ledger_oldest_reservation_age_seconds",
        "skillkiln_actor_restarts_total",
        "skillkiln_actor_panics_total",
        "skillkiln_generations_waiting",
        "skillkiln_http_requests_total",
        "skillkiln_http_faults_total",
        "skillkiln_generation_failures_total",
        "skillkiln_provider_circuit",
        "skillkiln_http_request_duration_seconds_bucket",
        "skillkiln_database_call_seconds_bucket",
        "skillkiln_up",
    ] {
        assert!(watched.contains(metric), "nothing watches {metric}");
    }
}

#[test]
fn every_panel_of_the_dashboard_shows_what_is_exported() {
    let dashboard: Value = serde_json::from_str(&file("ops/grafana/skillkiln.json")).expect("JSON");
    let panels = dashboard["panels"].as_array().expect("panels");
    let mut shown = HashSet::new();
    let mut ids = HashSet::new();
    for panel in panels {
        let title = panel["title"].as_str().expect("a title");
        assert!(
            ids.insert(panel["id"].as_u64()),
            "{title} has the id of another"
        );
        let targets = panel["targets"].as_array().map_or(&[][..], Vec::as_slice);
        assert!(
            !targets.is_empty() || panel["type"] == "row",
            "{title} shows nothing"
        );
        for target in targets {
            let expression = target["expr"].as_str().expect("an expression");
            assert_eq!(
                faults(expression),
                Vec::<String>::new(),
                "{title}: {expression}"
            );
            shown.extend(
                named(expression)
                    .into_iter()
                    .filter_map(|(name, _)| declared(&name))
                    .map(|metric| metric.name),
            );
        }
    }
    // What is not worth a panel is worth a reason.
    let unshown: Vec<&str> = METRICS
        .iter()
        .map(|metric| metric.name)
        .filter(|name| !shown.contains(name))
        .collect();
    assert_eq!(
        unshown,
        [
            "skillkiln_ratelimit_shared",
            "skillkiln_ratelimit_shared_decisions_total",
            "skillkiln_actor_mailbox_capacity",
            "skillkiln_arbiter_silent_seconds",
            "skillkiln_ledger_proof_timestamp_seconds",
            "skillkiln_ledger_proof_duration_seconds",
            "skillkiln_trace_spans_total",
            "skillkiln_nodes",
            "skillkiln_up",
            "process_threads",
            "process_open_fds",
        ]
    );
}

#[test]
fn how_quickly_we_answer_is_asked_without_the_routes_that_wait_for_a_run() {
    let answers = "skillkiln_http_request_duration_seconds_bucket{";
    let mut asked = 0;
    for path in ["ops/grafana/skillkiln.json", "ops/prometheus/alerts.yml"] {
        for selector in file(path).split(answers).skip(1) {
            let selector = selector.split('}').next().unwrap_or_default();
            assert!(selector.contains("route"), "{path}: {selector}");
            asked += 1;
        }
    }
    assert_eq!(asked, 3);
}

#[test]
fn an_expression_is_read_as_prometheus_reads_it() {
    let read = |expression: &str| named(expression);
    let pair = |name: &str, labels: &[&str]| {
        (
            name.to_owned(),
            labels
                .iter()
                .map(|label| (*label).to_owned())
                .collect::<Vec<_>>(),
        )
    };
    assert_eq!(
        read(
            r#"sum by (le, a) (rate(x_bucket{b=~"5..,c=d",e!="f"}[$__rate_interval])) > 1e3 and y == 0"#
        ),
        [
            pair("x_bucket", &["b", "e", "le", "a"]),
            pair("y", &["le", "a"])
        ]
    );
    assert_eq!(read("time() - z offset 5m > 600"), [pair("z", &[])]);
    assert_eq!(
        faults("skillkiln_actor_alive{stage=\"x\"}"),
        ["skillkiln_actor_alive has no label stage"]
    );
    assert_eq!(
        faults("skillkiln_generation_duration_seconds"),
        ["skillkiln_generation_duration_seconds is not exported"]
    );
}
