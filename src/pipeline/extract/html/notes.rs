//! Recognises what documentation sets apart: notes, tips and warnings of Sphinx, Docusaurus, MkDocs, VitePress, AsciiDoctor,
//! DocBook, rustdoc, mdBook and GitHub.

use crate::domain::text::squash;
use crate::pipeline::extract::html::finder::{Finder, List};
use dom_query::{Document, NodeRef};

/// What kinds there are; other words are kept when the page itself says "admonition".
const CLASSES: &[&str] = &[
    "note",
    "tip",
    "hint",
    "info",
    "important",
    "warning",
    "caution",
    "danger",
    "error",
    "attention",
    "seealso",
    "example",
    "success",
    "question",
    "bug",
    "quote",
    "abstract",
    "todo",
    "deprecated",
    "versionadded",
    "versionchanged",
    "details",
];
/// Classes that say "this is set apart" without saying how.
const MARKS: &[&str] = &[
    "admonition",
    "admonitionblock",
    "theme-admonition",
    "custom-block",
    "markdown-alert",
    "alert",
    "callout",
    "hint",
    "blockquote-tag",
    "notecard",
    "notice",
    "admonition-block",
];
const PREFIXES: &[&str] = &[
    "theme-admonition-",
    "markdown-alert-",
    "blockquote-tag-",
    "admonition-",
    "alert--",
    "alert-",
    "callout-",
    "hint--",
    "is-",
];

/// What may be a note that says of what kind it is only in its words.
static BOXES: List = List::new(|| {
    Finder::of(
        ".notice,.note,.admonition,.alert,.callout,.notecard,div.warning,div.caution,div.important,div.danger,div.tip",
    )
});
/// The words that notes open with, and the kinds that they tell.
const OPENINGS: [(&str, &str); 9] = [
    ("note", "note"),
    ("notice", "note"),
    ("tip", "tip"),
    ("hint", "tip"),
    ("important", "important"),
    ("warning", "warning"),
    ("attention", "warning"),
    ("caution", "caution"),
    ("danger", "danger"),
];

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

/// Where nothing is the title of a note, bold words that it opens with may tell its kind, `WARNING:`: it is classed so, without them.
pub(super) fn name_by_openings(page: &Document) {
    for node in BOXES.find(page) {
        let is_untitled = note(&node).is_some_and(|note| note.title_node.is_none());
        if is_untitled && let Some((kind, bold)) = opening(&node) {
            bold.remove_from_parent();
            let classes = node.class().unwrap_or_default();
            node.set_attr("class", &format!("{kind} {classes}"));
        }
    }
}

/// The kind that the first words of a note tell, which are bold and end with a colon or a call, with their element.
fn opening<'a>(node: &NodeRef<'a>) -> Option<(&'static str, NodeRef<'a>)> {
    let mut inside = node.descendants_it().take(12);
    let first = inside.find(|inner| inner.is_text() && !inner.text().trim().is_empty())?;
    let bold = first
        .ancestors_it(Some(3))
        .find(|around| around.has_name("b") || around.has_name("strong"))?;
    let words = bold.text();
    let word = words.trim().strip_suffix([':', '!'])?.to_ascii_lowercase();
    let kind = OPENINGS.iter().find(|(own, _)| *own == word)?.1;
    Some((kind, bold))
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
            || class == "label" && is_kind_word(node.text().trim())
    })
}

#[cfg(test)]
mod tests {
    use crate::pipeline::extract::html;
    use crate::pipeline::markdown::write;

    #[test]
    fn a_box_that_opens_with_a_bold_word_is_a_note_of_that_kind() {
        let page = "<meta name=generator content=Docutils><main><h1>Kiln</h1><p>A kiln is heated slowly, with wood that was dried for a year.</p><div class=notice><p><span><b>WARNING:</b></span> <b>Stay away!</b> It burns.</p></div><div class=alert><p><b>Wood</b> burns.</p></div></main>";
        assert_eq!(
            write(&html::read(page, None).unwrap().blocks),
            "# Kiln\n\nA kiln is heated slowly, with wood that was dried for a year.\n\n> **Warning:** **Stay away!** It burns.\n\n> **Note:** **Wood** burns.\n"
        );
    }
}
