//! Owns the marks by which a source tells examples to follow from examples to avoid: the classes and words that style guides,
//! documentation of the web and linters put on their listings. Without them a forbidden form reads as one more way to do it.

use crate::words::{WordList, words};
use skillkiln_document::blocks::BlockKind;
use skillkiln_document::text::Inline;

/// Marks of what is to be avoided.
static BAD: WordList = words!(
    "avoid bad bad-code bad-example badcode compare-worse counterexample do-not dont donts example-bad example-wrong incorrect \
     incorrect-code not-recommended wrong wrong-example"
);
/// Marks of what is to be followed.
static GOOD: WordList = words!(
    "compare-better correct correct-code example-good example-right good good-code good-example goodcode preferred recommended \
     right-example"
);

/// The paragraph that stands before a listing with one of these marks; `None` where none of them is one.
pub(crate) fn before<'w>(words: impl Iterator<Item = &'w str>) -> Option<BlockKind> {
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
        }
    }
    let words = vec![Inline::Strong(vec![Inline::Text(label?.to_owned())])];
    Some(BlockKind::Paragraph(words))
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
        let text = "# Arrays\n\n```js-nolint example-bad\nnew Array(2);\n```\n\n```js example-good\n[2];\n```\n";
        let shown = write(&markdown::read(text.to_owned()).blocks);
        assert!(
            shown.contains("**Avoid:**\n\n```") && shown.contains("**Prefer:**\n\n```"),
            "{shown}"
        );
    }
}
