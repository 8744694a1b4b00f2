//! Owns how the view is printed where there is no screen: one snapshot, as text.

use super::view::{self, View};
use crate::cli::output::table;

/// Everything that there is to see, kind by kind.
#[must_use]
pub fn page(view: &View) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(view.alarm.clone());
    let lines = view
        .lines
        .iter()
        .map(|(name, words)| format!("{name:<12} {words}"));
    parts.push(lines.collect::<Vec<String>>().join("\n"));
    let mut add = |headings: &[&str], rows: &[Vec<String>]| {
        if !rows.is_empty() {
            parts.push(table(headings, rows));
        }
    };
    add(&view::NODES, &view.nodes);
    add(&view::STAGES, &view.stages);
    add(&view::ACTORS, &view.actors);
    add(&view::RUNNING, &view.running);
    parts.join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::top::view::tests::{AT_WORK, seen};
    use crate::cli::top::view::view;

    #[test]
    fn a_snapshot_names_every_stage_and_every_kind_of_actor() {
        let page = page(&view(&seen(AT_WORK), None, 0));
        for words in [
            "generations  120 accepted (-/s), 110 completed",
            "ledger       granted 300 + owed 0 = available 182 + reserved 8 + earned 110",
            "extracting    3          -         -        2       1.6 ms  3.9 ms",
            "\nsettlement  1      2        -",
            "\n0199  url     extracting  2.5 s  250.0 ms",
        ] {
            assert!(page.contains(words), "{words} in\n{page}");
        }
    }
}
