//! Owns the marks by which a source tells examples to follow from examples to avoid: the classes and words that style guides,
//! documentation of the web and linters put on their listings. Without them a forbidden form reads as one more way to do it.

use crate::words::{WordList, words};
use skillkiln_document::blocks::BlockKind;
use skillkiln_document::text::Inline;

/// Marks of what is to be avoided.
static BAD: WordList = words!(
    "anti-pattern antipattern avoid bad bad-code bad-example badcode compare-worse counterexample discouraged do-not dont donts \
     example-bad example-wrong incorrect incorrect-code non-compliant noncompliant not-recommended wrong wrong-example"
);
/// Marks of what is to be followed.
static GOOD: WordList = words!(
    "compare-better compliant correct correct-code do example-good example-right good good-code good-example goodcode prefer \
     preferred recommended right-example"
);

/// Marks of what fails, as rustdoc has them, and what is said of it.
const FAILING: [(&str, &str); 2] = [
    ("compile-fail", "Does not compile:"),
    ("should-panic", "Panics:"),
];

/// The paragraph that stands before a listing with one of these marks; `None` where none of them is one.
pub(crate) fn before<'w>(words: impl Iterator<Item = &'w str>) -> Option<BlockKind> {
    let words = vec![Inline::Text(label(words)?.to_owned())];
    Some(BlockKind::Paragraph(vec![Inline::Strong(words)]))
}

/// The words that stand for the mark among these.
pub(crate) fn label<'w>(words: impl Iterator<Item = &'w str>) -> Option<&'static str> {
    let mut label = None;
    for word in words {
        let word = word
            .trim_matches(|c: char| !c.is_alphanumeric())
            .to_ascii_lowercase()
            .replace('_', "-");
        if BAD.contains(&word.as_str()) {
            label = Some("Avoid:");
        } else if GOOD.contains(&word.as_str()) {
            label = label.or(Some("Prefer:"));
        } else if let Some((_, told)) = FAILING.iter().find(|(mark, _)| *mark == word) {
            label = label.or(Some(*told));
        }
    }
    label
}

#[cfg(test)]
mod tests {
    use crate::html;
    use crate::markup::markdown;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_listing_that_a_style_guide_marks_as_bad_says_so() {
        let page = "<main><h1>House style</h1><p>Both forms work alike, but one is consistent.</p>\
                    <pre><code class=\"language-ts good\">throw new Fault('no oil');</code></pre>\
                    <div class=\"example-bad\"><pre><code class=\"language-ts\">throw Fault('no oil');</code></pre></div>\
                    <pre class=\"language-ts\">plain();</pre></main>";
        let shown = write(&html::read(page, None).expect("a page").blocks);
        assert!(
            shown.ends_with(
                "**Prefer:**\n\n```typescript\nthrow new Fault('no oil');\n```\n\n**Avoid:**\n\n```typescript\nthrow Fault('no oil');\n```\n\n```typescript\nplain();\n```\n"
            ),
            "{shown}"
        );
    }

    #[test]
    fn the_fences_of_the_documentation_of_the_web_keep_their_marks() {
        let text = "# Arrays\n\n```js-nolint example-bad\nnew Array(2);\n```\n\n::: correct\n```js\n[2];\n```\n:::\n\n```rust,should_panic\na[2];\n```\n";
        let shown = write(&markdown::read(text.to_owned()).blocks);
        for label in ["**Avoid:**", "**Prefer:**", "**Panics:**"] {
            assert!(shown.contains(&format!("{label}\n\n```")), "{shown}");
        }
    }
}
