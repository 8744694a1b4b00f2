//! Owns the folds of mark-up: where one begins and ends, and which words over it only tell a reader of the screen that it opens.

use std::ops::Range;

/// Such words are not longer, in words.
const WORDS_MAX: usize = 10;
/// What a click is asked for.
const VERBS: [&str; 7] = ["see", "expand", "show", "view", "open", "reveal", "toggle"];
/// What tells nothing of what is in it: a fold that names its own is one of several.
const UNTOLD: [&str; 20] = [
    "a", "all", "answer", "code", "detail", "details", "example", "full", "here", "in", "it",
    "json", "more", "output", "result", "schema", "solution", "the", "this", "whole",
];

/// Whether the words over a fold only say that it can be opened: `Click to see the output…`, `Show more`.
#[must_use]
pub(crate) fn only_opens(words: &str) -> bool {
    let lower = words
        .trim()
        .trim_end_matches(['.', '…', ':', '!'])
        .to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().take(WORDS_MAX + 1).collect();
    match words.as_slice() {
        ["show" | "see" | "read", "more"] | ["click", "here"] => true,
        ["click" | "tap", "to", verb, ..] | ["click" | "tap", "here", "to", verb, ..] => {
            let said = words.iter().skip_while(|word| *word != verb).skip(1);
            words.len() <= WORDS_MAX
                && VERBS.contains(verb)
                && said.clone().all(|word| UNTOLD.contains(word))
        }
        _ => false,
    }
}

/// A part of mark-up that has folds in it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Part<'t> {
    /// What is no tag of a fold.
    Shown(&'t str),
    /// A fold begins.
    Begin,
    /// The words over it.
    Words(&'t str),
    /// The end of words over it that stand before this mark-up.
    WordsEnd,
    /// A fold ends.
    End,
}

/// The parts of `html`, in their order; what is empty is left out, and what stands in one of `codes` begins and ends no fold.
pub(crate) fn parts<'t>(html: &'t str, codes: &[Range<usize>]) -> Vec<Part<'t>> {
    const CLOSE: &str = "</summary>";
    // Behind the last mark that ends words, none is looked for.
    let last = html.rfind(CLOSE);
    let mut parts = Vec::new();
    let (mut shown, mut at) = (0, 0);
    let mut codes = codes.iter().peekable();
    while let Some(found) = html.get(at..).and_then(|rest| rest.find('<')) {
        let start = at + found;
        while codes.next_if(|code| code.end <= start).is_some() {}
        if let Some(code) = codes.peek().filter(|code| code.contains(&start)) {
            at = code.end;
            continue;
        }
        let rest = html.get(start..).unwrap_or_default();
        if rest.starts_with("<!--") {
            let end = rest.find("-->").map_or(rest.len(), |end| end + 3);
            at = start + end;
            continue;
        }
        let named = |name: &str| {
            let is_named = rest
                .get(..name.len())
                .is_some_and(|begin| begin.eq_ignore_ascii_case(name));
            is_named
                && rest.get(name.len()..).is_some_and(|behind| {
                    behind.starts_with(|c: char| c == '>' || c == '/' || c.is_whitespace())
                })
        };
        let Some(length) = rest.find('>').map(|end| end + 1) else {
            break;
        };
        let is_typed = html.get(..start).is_some_and(|html| html.ends_with('`'))
            && rest.get(length..).is_some_and(|html| html.starts_with('`'));
        if is_typed {
            at = start + length;
            continue;
        }
        let (part, length) = if named("<details") {
            (Part::Begin, length)
        } else if named("</details") {
            (Part::End, length)
        } else if named("<summary") {
            let behind = rest.get(length..).unwrap_or_default();
            let is_ended = last.is_some_and(|last| start < last);
            match is_ended.then(|| behind.split_once(CLOSE)).flatten() {
                Some((words, _)) => (Part::Words(words), length + words.len() + CLOSE.len()),
                None => (Part::Words(""), length),
            }
        } else if named("</summary") {
            (Part::WordsEnd, length)
        } else {
            at = start + 1;
            continue;
        };
        push_shown(html, shown..start, &mut parts);
        parts.push(part);
        at = start + length;
        shown = at;
    }
    push_shown(html, shown..html.len(), &mut parts);
    parts
}

fn push_shown<'t>(html: &'t str, range: Range<usize>, parts: &mut Vec<Part<'t>>) {
    let shown = html.get(range).unwrap_or_default();
    if !shown.trim().is_empty() {
        parts.push(Part::Shown(shown));
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, only_opens, parts};

    #[test]
    fn mark_up_is_parted_at_its_folds() {
        assert_eq!(
            parts(
                "<p>a</p><details open>\n<summary class=x>W <b>c</b></summary>d</details><!-- <details> --><detailsx>\n</summary>",
                &[]
            ),
            [
                Part::Shown("<p>a</p>"),
                Part::Begin,
                Part::Words("W <b>c</b>"),
                Part::Shown("d"),
                Part::End,
                Part::Shown("<!-- <details> --><detailsx>\n"),
                Part::WordsEnd,
            ]
        );
        assert_eq!(parts("<summary>\n", &[]), [Part::Words("")]);
        assert!(parts("<details", &[]).len() == 1 && parts(" \n", &[]).is_empty());
    }

    #[test]
    fn tags_in_code_part_nothing() {
        let html = "<div>\n```jsx\nconst a = <details>b</details>;\n```\nOf `<details>`.\n</div>\n";
        let code = 6..html.rfind("\nOf").expect("words behind the code");
        assert_eq!(
            parts(&format!("{html}</details>"), &[code]),
            [Part::Shown(html), Part::End]
        );
    }

    #[test]
    fn what_asks_for_a_click_says_nothing_and_what_names_the_fold_does() {
        for words in [
            "Click to see the output...",
            "Click to expand",
            "Click here to view it",
            "Show more",
            "Read more…",
        ] {
            assert!(only_opens(words), "{words}");
        }
        for words in [
            "Output",
            "Click events of a door",
            "Click to see the heat of a kiln of wood",
            "Show more doors",
            "See the wood of the kiln",
            "",
        ] {
            assert!(!only_opens(words), "{words}");
        }
    }

    #[test]
    fn pages_and_texts_drop_such_words() {
        let fold =
            "<details>\n<summary>Click to see the output</summary>\n\nIt is hot.\n\n</details>\n";
        let markdown = crate::markup::markdown::read(format!("# Kiln\n\n{fold}"));
        let html = format!("<main><h1>Kiln</h1><p>It burns.</p>{fold}</main>");
        let html = crate::html::read(&html, None).expect("a page");
        for blocks in [markdown.blocks, html.blocks] {
            let text = skillkiln_document::markdown::write(&blocks);
            assert!(
                !text.contains("Click") && text.contains("It is hot."),
                "{text}"
            );
        }
    }
}
