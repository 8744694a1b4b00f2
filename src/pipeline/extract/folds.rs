//! Owns which words over a fold only tell a reader of the screen that it opens.

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

/// Mark-up without the words over its folds that only say that they open.
#[must_use]
pub(crate) fn without_openers(html: &str) -> String {
    const OPEN: &str = "<summary";
    const CLOSE: &str = "</summary>";
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((before, after)) = rest.split_once(OPEN) {
        let Some((inside, behind)) = after.split_once(CLOSE) else {
            break;
        };
        let mut shown = String::new();
        let words = inside.split_once('>').map_or("", |(_, words)| words);
        crate::pipeline::markdown::rendered::write_text_of_html(words, &mut shown);
        out.push_str(before);
        if !only_opens(&shown) {
            out.push_str(OPEN);
            out.push_str(inside);
            out.push_str(CLOSE);
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::{only_opens, without_openers};

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
    fn words_over_folds_are_taken_out_alone() {
        assert_eq!(
            without_openers(
                "<details><summary>Click to expand</summary>Hot.</details><summary class=a>Wood</summary>Dry.<summary>Click to see"
            ),
            "<details>Hot.</details><summary class=a>Wood</summary>Dry.<summary>Click to see"
        );
    }

    #[test]
    fn pages_and_texts_drop_such_words() {
        let fold =
            "<details>\n<summary>Click to see the output</summary>\n\nIt is hot.\n\n</details>\n";
        let markdown =
            crate::pipeline::extract::markup::markdown::read(format!("# Kiln\n\n{fold}"));
        let html = format!("<main><h1>Kiln</h1><p>It burns.</p>{fold}</main>");
        let html = crate::pipeline::extract::html::read(&html, None).expect("a page");
        for blocks in [markdown.blocks, html.blocks] {
            let text = crate::pipeline::markdown::write(&blocks);
            assert!(
                !text.contains("Click") && text.contains("It is hot."),
                "{text}"
            );
        }
    }
}
