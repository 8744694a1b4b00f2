//! Puts right the questions that DocBook lays out as the rows of a table, its `qandaset`: each heads what answers it.

use crate::html::levels;
use dom_query::{Document, NodeRef};
use skillkiln_document::text::squash;

/// Questions stand no deeper.
const LEVEL_MAX: u8 = 6;

/// Makes a heading of each question of a `set`, and blocks below it of the answer; what lists the questions above is left out.
pub(super) fn mend(page: &Document, set: &NodeRef<'_>) {
    let is_question = |row: &NodeRef<'_>| row.has_name("tr") && row.has_class("question");
    let Some(table) = set
        .descendants_it()
        .find(is_question)
        .and_then(|row| row.ancestors_it(None).find(|it| it.has_name("table")))
    else {
        return;
    };
    let level = levels::above(set)
        .map_or(2, |above| above + 1)
        .min(LEVEL_MAX);
    let contents: Vec<_> = set
        .children_it(false)
        .filter(|child| child.has_name("dl"))
        .collect();
    contents.iter().for_each(NodeRef::remove_from_parent);
    let rows: Vec<_> = table
        .descendants_it()
        .filter(|row| row.has_name("tr"))
        .filter(|row| {
            let around = row.ancestors_it(None).find(|it| it.has_name("table"));
            around.is_some_and(|around| around.id == table.id)
        })
        .collect();
    for row in rows {
        let cells: Vec<_> = row
            .children_it(false)
            .filter(|it| it.has_name("td"))
            .collect();
        let place = page.tree.new_element("div");
        table.insert_before(&place);
        if let [label, told] = cells.as_slice()
            && is_question(&row)
        {
            ask(page, label, told, level, &place);
        } else if let Some(told) = cells.last().filter(|_| !row.has_class("toc")) {
            put(told, &place);
        }
    }
    table.remove_from_parent();
}

/// Puts the heading that a question is into a place, and what else is said of it below.
fn ask(page: &Document, label: &NodeRef<'_>, told: &NodeRef<'_>, level: u8, place: &NodeRef<'_>) {
    let heading = page.tree.new_element(&format!("h{level}"));
    place.append_child(&heading);
    let anchors: Vec<_> = label
        .descendants_it()
        .filter(|it| it.has_name("a"))
        .collect();
    for anchor in anchors {
        anchor.remove_from_parent();
        heading.append_child(&anchor);
    }
    // A letter for a question says nothing; a number is what others call it by.
    let number = squash(&label.text());
    if number.contains(|c: char| c.is_ascii_digit()) {
        heading.append_child(&page.tree.new_text(format!("{number} ")));
    }
    let first = told.children_it(false).find(NodeRef::is_element);
    match first.filter(|first| first.has_name("p")) {
        Some(first) => {
            put(&first, &heading);
            first.remove_from_parent();
            put(told, place);
        }
        None => put(told, &heading),
    }
}

/// Moves what is inside a node to the end of another one.
fn put(from: &NodeRef<'_>, to: &NodeRef<'_>) {
    let inside: Vec<_> = from.children_it(false).collect();
    for node in inside {
        node.remove_from_parent();
        to.append_child(&node);
    }
}

#[cfg(test)]
mod tests {
    use crate::html::read_whole;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_question_heads_its_answer() {
        let row = |class: &str, label: &str, told: &str| {
            format!(
                "<tr class={class}><td><a name=q></a><p><b>{label}</b></p></td><td>{told}</td></tr>"
            )
        };
        let set = |question: &str, answer: &str| {
            let rows = format!(
                "{}{}",
                row(
                    "question",
                    question,
                    "<p>Why is it cold? </p><p>It was lit.</p>"
                ),
                row(
                    "answer",
                    answer,
                    "<p>There is no wood:</p><pre>wood\n  oak</pre>"
                )
            );
            let page = format!(
                "<h1>Kilns</h1><div class=qandaset><dl><dt>A.1. <a href='#q'>Why?</a></dt></dl><table><tbody>{rows}</tbody></table></div>"
            );
            write(&read_whole(&page).blocks)
        };
        let told = "Why is it cold?\n\nIt was lit.\n\nThere is no wood:\n\n```\nwood\n  oak\n```\n";
        assert_eq!(set("A.1.", ""), format!("# Kilns\n\n## A.1. {told}"));
        assert_eq!(set("Q:", "A:"), format!("# Kilns\n\n## {told}"));
    }
}
