//! Tells a page that was written by hand: its headings and its words stand in the body itself.
//!
//! The pages of a site stand in parts of a frame, and a judge of articles is asked which of them is the article. A page of an old
//! manual has no frame; the judge takes the longest quotation or paragraph of it for the article, and drops the headings.

use crate::html::finder::is_one_of;
use crate::html::furniture::is_heading;
use dom_query::NodeRef;

/// What holds words where a page is written by hand.
const HOLDERS: [&str; 14] = [
    "p",
    "ul",
    "ol",
    "dl",
    "pre",
    "blockquote",
    "center",
    "address",
    "b",
    "i",
    "em",
    "strong",
    "tt",
    "code",
];

/// A table of the body itself with fewer letters leads to other pages, where it begins or ends the page or has nothing but links.
const BAR_LETTERS_MAX: usize = 120;

/// Whether the page with this body was: so much of it that no frame stands around it, and links are the smaller part. Tables
/// behind a heading may be content, as long as they are not nearly all of it: what a page is laid out with holds all of it.
pub(super) fn is_by_hand(body: &NodeRef<'_>, links: usize) -> bool {
    let (mut held, mut tables, mut framed, mut heads) = (0, 0, 0, 0);
    for child in body.children_it(false) {
        let letters = child.normalized_char_count();
        let is_centred =
            || child.has_name("center") && child.descendants_it().any(|node| is_heading(&node));
        let is_head = is_heading(&child) || is_centred();
        heads += usize::from(is_head && letters > 0);
        if child.is_text() || is_head || is_one_of(&child, &HOLDERS) {
            held += letters;
        } else if child.has_name("table") && (heads > 0 || letters < BAR_LETTERS_MAX) {
            tables += letters;
        } else {
            framed += letters;
        }
    }
    heads > 0 && tables <= held * 2 && framed * 5 <= held && links * 2 < held
}

/// Makes the body of such a page what it says: without the bars that lead to other pages, and with quotations taken for what
/// they are where most of the page stands in them: its words set in.
pub(super) fn settle(body: &NodeRef<'_>) {
    let quotes: Vec<NodeRef<'_>> = body
        .children_it(false)
        .filter(|child| child.has_name("blockquote"))
        .collect();
    let quoted: usize = quotes.iter().map(NodeRef::normalized_char_count).sum();
    if quotes.len() > 1 && quoted * 2 > body.normalized_char_count() {
        let inner: Vec<NodeRef<'_>> = quotes
            .iter()
            .flat_map(|quote| quote.descendants_it())
            .filter(|node| node.has_name("blockquote"))
            .collect();
        quotes
            .iter()
            .chain(&inner)
            .for_each(|quote| quote.rename("div"));
    }
    let children: Vec<NodeRef<'_>> = body
        .children_it(false)
        .filter(|child| child.is_element() && child.normalized_char_count() > 0)
        .collect();
    for (at, child) in children.iter().enumerate() {
        let letters = child.normalized_char_count();
        if !child.has_name("table") || letters >= BAR_LETTERS_MAX {
            continue;
        }
        let links = child.descendants_it().filter(|node| node.has_name("a"));
        let links: usize = links.map(|link| link.normalized_char_count()).sum();
        // What stands below a heading, or is announced, is what that says.
        let before = at.checked_sub(1).and_then(|at| children.get(at));
        let is_told = before
            .is_some_and(|before| is_heading(before) || before.text().trim_end().ends_with(':'));
        let is_edge = (at == 0 || at + 1 == children.len()) && links > 0;
        let has_code = || child.descendants_it().any(|node| node.has_name("code"));
        if !is_told && (is_edge || links * 10 >= letters * 8) && !has_code() {
            child.remove_from_parent();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::html::read;
    use skillkiln_document::markdown::write;

    fn written(html: &str) -> String {
        write(&read(html, None).expect("it is read").blocks)
    }

    #[test]
    fn a_page_written_by_hand_keeps_its_headings_and_its_short_parts() {
        let long = "Clay is heated slowly, and opened a day after it, when all of it is hard, dry, and cold. ".repeat(6);
        let text = written(&format!(
            "<title>Kilns</title><body><table><tr><td><a href=a>Back</a><td>1.0</table><h1>Kilns</h1><h2>fire</h2><hr>Fires the kiln.<h3>Usage:</h3><blockquote><b>fire</b> <i>wood</i></blockquote>\
             <h3>Summary:</h3><blockquote>{long}<p>{long}</blockquote><h3>Bugs:</h3><blockquote>It is hot.</blockquote></body>"
        ));
        for part in [
            "# Kilns\n",
            "## fire\n",
            "\n**fire** *wood*",
            "\nIt is hot.",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert!(!text.contains("Back") && !text.contains('>'), "{text}");
    }

    #[test]
    fn a_small_table_that_says_something_stays_wherever_it_stands() {
        let long = "Clay is heated slowly, and opened a day after it, when all of it is hard, dry, and cold. ".repeat(4);
        for (page, told) in [
            (
                format!(
                    "<h1>Kiln</h1><p>{long}</p><h2>Options</h2><table><tr><td>-h<td>Print help</table>"
                ),
                "Print help",
            ),
            (
                format!(
                    "<h1>Kiln</h1><p>{long}</p><p>{long}</p><table><tr><td><code>kiln --fire</code><td>fires</table>"
                ),
                "kiln --fire",
            ),
            (
                format!(
                    "<table><tr><td>Version 3.2, needs root</table><h1>Kiln</h1><p>{long}</p><p>{long}</p>"
                ),
                "needs root",
            ),
        ] {
            let text = written(&format!("<title>Kiln</title><body>{page}</body>"));
            assert!(text.contains(told), "{text}");
        }
    }

    #[test]
    fn a_short_page_written_by_hand_has_its_title() {
        let text = written(
            "<title>Kilns to do</title><body><center><h1>Kilns: to do</h1></center><p><i>Who names a task does not have to do it alone.<p></i><hr><ul></ul></body>",
        );
        assert!(text.starts_with("# Kilns: to do\n"), "{text}");
    }
}
