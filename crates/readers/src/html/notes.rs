//! Recognises what documentation sets apart: notes, tips and warnings of Sphinx, Docusaurus, MkDocs, VitePress, AsciiDoctor,
//! DocBook, rustdoc, mdBook and GitHub.

use crate::words::{WordList, words};
use dom_query::NodeRef;
use skillkiln_document::text::squash;

/// What kinds there are; other words are kept when the page itself says "admonition".
static CLASSES: WordList = words!(
    "note tip hint info important warning caution danger error attention seealso example success question bug quote abstract todo \
     deprecated versionadded versionchanged details"
);
/// Classes that say "this is set apart" without saying how.
static MARKS: WordList = words!(
    "admonition admonitionblock theme-admonition custom-block markdown-alert alert callout hint blockquote-tag notecard admonition-block"
);
static PREFIXES: WordList = words!(
    "theme-admonition- markdown-alert- blockquote-tag- admonition- alert-- alert- callout- hint-- is-"
);

/// A note: its kind, and its title element if it has one.
pub(crate) struct Note<'a> {
    /// Which kind, in lower case.
    pub(crate) class: String,
    /// Its title, when it is more than the kind.
    pub(crate) title: Option<String>,
    /// The element of the title, which is not content.
    pub(crate) title_node: Option<NodeRef<'a>>,
}

/// The note that `node` is, if it is one.
pub(crate) fn note<'a>(node: &NodeRef<'a>) -> Option<Note<'a>> {
    let name = node.node_name()?;
    if !matches!(
        name.as_ref(),
        "div" | "aside" | "blockquote" | "section" | "details" | "p"
    ) {
        return None;
    }
    let classes = node.class()?.to_ascii_lowercase();
    let classes: Vec<&str> = classes.split_whitespace().collect();
    let marked = classes
        .iter()
        .any(|class| MARKS.contains(class) || class.starts_with("theme-admonition"));
    let word = classes
        .iter()
        .map(|class| {
            PREFIXES
                .iter()
                .find_map(|prefix| class.strip_prefix(prefix))
                .unwrap_or(class)
        })
        .find(|word| CLASSES.contains(word));
    // Without a mark, only the words that nobody uses for layout; `p` only with a mark.
    let bare = matches!(name.as_ref(), "div" | "aside")
        && classes.len() <= 2
        && classes.iter().any(|class| {
            matches!(
                *class,
                "note" | "tip" | "warning" | "caution" | "important" | "danger"
            )
        });
    if name.as_ref() == "p" || (!marked && !bare) {
        return None;
    }
    let class = match (word, name.as_ref()) {
        (Some("info"), _) => "note",
        (Some("hint"), _) => "tip",
        (Some("error"), _) => "danger",
        (Some("attention"), _) => "warning",
        (Some(word), _) => word,
        (None, "details") => "details",
        (None, _) => "note",
    };
    let title_node = node.descendants_it().take(12).find(is_title);
    let title = title_node
        .map(|title| squash(&title.text()))
        .map(|title| title.trim_end_matches(':').to_owned())
        .filter(|title| {
            !title.is_empty()
                && !title.replace(' ', "").eq_ignore_ascii_case(class)
                && !is_kind_word(title)
        });
    Some(Note {
        class: class.to_owned(),
        title,
        title_node,
    })
}

fn is_kind_word(title: &str) -> bool {
    CLASSES.contains(&title.to_ascii_lowercase().as_str())
}

fn is_title(node: &NodeRef<'_>) -> bool {
    if node.has_name("summary") {
        return true;
    }
    let Some(classes) = node.class() else {
        return false;
    };
    classes.split_whitespace().any(|class| {
        matches!(
            class,
            "admonition-title"
                | "custom-block-title"
                | "admonition-heading"
                | "markdown-alert-title"
                | "title"
                | "alert-heading"
                | "callout-title"
                | "blockquote-tag-title"
        ) || class.starts_with("admonitionHeading")
    })
}
