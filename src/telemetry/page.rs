//! Owns the text format of Prometheus: samples kept together under the heading of their metric.

use crate::domain::spread::Spread;
use crate::telemetry::metrics::{Kind, METRICS};
use std::fmt::Write as _;

/// A label with its value.
type Label<'a> = (&'static str, &'a str);

/// The page of text, each metric's samples kept together under its heading.
pub(super) struct Page {
    samples: [String; METRICS.len()],
}

impl Default for Page {
    fn default() -> Self {
        Self {
            samples: [const { String::new() }; METRICS.len()],
        }
    }
}

impl Page {
    pub(super) fn sample(&mut self, name: &str, labels: &[Label<'_>], value: f64) {
        self.line(name, "", labels, None, value);
    }

    pub(super) fn spread(&mut self, name: &str, labels: &[Label<'_>], spread: &Spread) {
        for (bound, count) in &spread.buckets {
            self.line(
                name,
                "_bucket",
                labels,
                Some(&bound.to_string()),
                *count as f64,
            );
        }
        self.line(name, "_bucket", labels, Some("+Inf"), spread.count as f64);
        self.line(name, "_sum", labels, None, spread.sum_s);
        self.line(name, "_count", labels, None, spread.count as f64);
    }

    /// One line. `le` is the bound of a bucket.
    pub(super) fn line(
        &mut self,
        name: &str,
        suffix: &str,
        labels: &[Label<'_>],
        le: Option<&str>,
        value: f64,
    ) {
        let position = METRICS.iter().position(|metric| metric.name == name);
        let Some((metric, out)) =
            position.and_then(|position| METRICS.get(position).zip(self.samples.get_mut(position)))
        else {
            debug_assert!(false, "{name} is not on the dial board");
            return;
        };
        debug_assert!(
            metric
                .labels
                .iter()
                .eq(labels.iter().map(|(label, _)| label)),
            "{name} has other labels on the dial board"
        );
        let _ = write!(out, "{name}{suffix}");
        let mut open = '{';
        for (label, value) in labels.iter().copied().chain(le.map(|le| ("le", le))) {
            let _ = write!(out, "{open}{label}=\"{}\"", escape(value));
            open = ',';
        }
        let close = if open == ',' { "}" } else { "" };
        let _ = writeln!(out, "{close} {value}");
    }

    /// The whole page. A metric of which there is nothing yet has its heading all the same, but for those that are summaries of
    /// what may never happen.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for (metric, samples) in METRICS.iter().zip(&self.samples) {
            if samples.is_empty() && metric.kind == Kind::Summary {
                continue;
            }
            let (name, kind) = (metric.name, metric.kind.as_str());
            let _ = write!(
                text,
                "# HELP {name} {}\n# TYPE {name} {kind}\n{samples}",
                metric.help
            );
        }
        text
    }
}

fn escape(value: &str) -> std::borrow::Cow<'_, str> {
    if value.contains(['\\', '"', '\n']) {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        return value.replace('\n', "\\n").into();
    }
    value.into()
}
