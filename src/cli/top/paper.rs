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
    let kinds: Vec<&str> = view.kinds.iter().map(String::as_str).collect();
    let mut add = |title: &str, headings: &[&str], rows: &[Vec<String>]| {
        if !rows.is_empty() {
            parts.push(format!("{title}{}", table(headings, rows)));
        }
    };
    add("", &view::NODES, &view.nodes);
    add(&format!("{}\n", view::BY_NODE), &kinds, &view.by_node);
    add("", &view::STAGES, &view.stages);
    add("", &view::ACTORS, &view.actors);
    add("", &view::RUNNING, &view.running);
    parts.join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::top::view::tests::{AT_WORK, SEVERAL, seen};
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

    #[test]
    fn a_snapshot_of_all_nodes_has_the_actors_of_each() {
        let page = page(&View::default().with_nodes(&seen(SEVERAL)));
        for words in [
            "\nbbbb  -        -     cordoned 125 min",
            "\nactors by node: alive, +waiting, !restarts\nnode  ledger    task",
            "\naaaa  412+12!3  9 ",
            "\nbbbb  7         -",
        ] {
            assert!(page.contains(words), "{words} in\n{page}");
        }
    }
}
