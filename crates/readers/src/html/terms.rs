//! Owns which lists of definitions define nothing, as the tables of contents of DocBook, and which lines show how a function is called.

use crate::builder::tidy;
use crate::html::blocks::{Writer, holds_block};
use crate::html::inline;
use dom_query::NodeRef;
use skillkiln_document::blocks::{Block, BlockKind, Definition};
use skillkiln_document::text::Inline;

/// A term that is the beginning of a sentence has so many words at least, and so many of them behind the name of what it tells of.
const BEGUN_WORDS_MIN: usize = 5;
const TOLD_WORDS_MIN: usize = 3;
/// A paragraph that stands for a term has so many words at least.
const TOLD_ALONE_WORDS_MIN: usize = 12;
/// What ends no term, since it belongs to what stands behind it.
const OPEN: [&str; 38] = [
    "a", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "for", "from",
    "has", "have", "if", "in", "into", "is", "its", "may", "must", "of", "on", "or", "should",
    "that", "the", "this", "to", "was", "were", "when", "which", "will", "with", "not",
];

/// Elements before the name of a function that is shown.
const ELEMENTS_MAX: usize = 6;

/// Whether below the terms of the list `node` stand more such lists alone, if anything.
pub(super) fn are_alone(node: &NodeRef<'_>) -> bool {
    count_alone(node).is_some_and(|terms| terms > 1)
}

/// How many terms such a list has. Lists are nested no deeper than the page was made safe to be.
fn count_alone(node: &NodeRef<'_>) -> Option<usize> {
    let said = |node: &NodeRef<'_>| !node.is_text() || !node.text().trim().is_empty();
    let mut terms = 0;
    for child in node.children_it(false).filter(said) {
        // A signature may be all that is said of what it calls.
        if child.has_name("dt") && !child.has_class("sig") {
            terms += 1;
            continue;
        }
        let mut below = child.children_it(false).filter(said);
        let list = below.next().filter(|list| list.has_name("dl"));
        if !child.has_name("dd") || below.next().is_some() {
            return None;
        }
        count_alone(&list?)?;
    }
    Some(terms)
}

/// Whether a term is the first line of a paragraph that goes on in what stands for its meaning: the second line of it was set in, and
/// so both were read as a definition.
pub(super) fn is_wrapped(term: &NodeRef<'_>) -> bool {
    let words = term.text();
    let words = words.trim();
    if term.has_class("sig")
        || !words.ends_with(|c: char| c.is_alphanumeric() || c == ',' || c == ')')
        || words.split_whitespace().nth(BEGUN_WORDS_MIN - 1).is_none()
    {
        return false;
    }
    let last = words.rsplit(char::is_whitespace).next().unwrap_or_default();
    let told = words.split_once(": ").map_or("", |(_, told)| told);
    let is_told = || told.split_whitespace().nth(TOLD_WORDS_MIN - 1).is_some();
    // The text of the meaning is put together only for the few terms that are left.
    let goes_on = |meaning: &NodeRef<'_>| {
        let words = meaning.text();
        words
            .trim_start()
            .starts_with(|c: char| c.is_lowercase() || c == '_')
    };
    let meaning = || {
        let next = term.next_element_sibling();
        next.filter(|next| next.has_name("dd"))
    };
    (OPEN.contains(&last) || is_told()) && meaning().is_some_and(|next| goes_on(&next))
}

/// Whether what stands for a term is a paragraph of which nothing more is said: some set their text in with lists of terms alone.
pub(super) fn is_told(term: &NodeRef<'_>) -> bool {
    let next = term.next_element_sibling();
    if term.has_class("sig") || next.is_some_and(|next| next.has_name("dd")) {
        return false;
    }
    let words = term.text();
    words.trim_end().ends_with(['.', '!', '?'])
        && words
            .split_whitespace()
            .nth(TOLD_ALONE_WORDS_MIN - 1)
            .is_some()
}

/// Whether an element is a function as DocBook shows how it is called, of which only parts are marked as code.
pub(super) fn is_prototype(node: &NodeRef<'_>) -> bool {
    let elements = node.descendants_it().filter(NodeRef::is_element);
    let mut first = elements.take(ELEMENTS_MAX);
    first.any(|inner| inner.has_name("code") && inner.has_class("funcdef"))
        && node.text().trim().ends_with([';', ')'])
}

/// The list of definitions that an item consists of: one term and its meaning.
pub(super) fn in_item<'a>(item: &NodeRef<'a>) -> Option<NodeRef<'a>> {
    let said = |node: &NodeRef<'_>| !node.is_text() || !node.text().trim().is_empty();
    let mut inside = item.children_it(false).filter(said);
    let list = inside.next().filter(|list| list.has_name("dl"))?;
    let mut entries = list.children_it(false).filter(said);
    let term = entries.next()?;
    let is_term = term.has_name("dt") && !term.text().trim().is_empty() && !is_wrapped(&term);
    let has_meaning = entries.next().is_some_and(|next| next.has_name("dd"));
    (inside.next().is_none() && is_term && has_meaning && entries.next().is_none()).then_some(list)
}

/// Whether each item of a list is a definition: the list is one of those.
pub(super) fn are_items(list: &NodeRef<'_>) -> bool {
    let said = |node: &NodeRef<'_>| !node.is_text() || !node.text().trim().is_empty();
    let mut items = list.children_it(false).filter(said).peekable();
    items.peek().is_some() && items.all(|item| item.has_name("li") && in_item(&item).is_some())
}

impl Writer {
    /// The definitions that are the items of a list, as one list of definitions.
    pub(super) fn definitions_in_items(
        &mut self,
        node: &NodeRef<'_>,
        depth: usize,
        out: &mut Vec<Block>,
    ) {
        let start = self.builder.here();
        let entered = self.builder.enter();
        let mut entries: Vec<Definition> = Vec::new();
        for list in node.children_it(false).filter_map(|item| in_item(&item)) {
            // A term of which nothing is said is no term of the item behind it.
            let mut own = Vec::new();
            self.entries(&list, depth + 2, &mut own);
            entries.extend(own);
        }
        if !entered {
            out.extend(entries.into_iter().flat_map(|entry| entry.blocks));
            return;
        }
        self.builder.leave();
        if !entries.is_empty() {
            out.push(self.builder.around(start, BlockKind::Definitions(entries)));
        }
    }

    /// An item of a list that is one definition: its term, and what that means.
    pub(super) fn defined_item(&mut self, list: &NodeRef<'_>, depth: usize) -> Vec<Block> {
        let mut children = list.children_it(false).filter(NodeRef::is_element);
        let (Some(term), Some(meaning)) = (children.next(), children.next()) else {
            return self.inside(list, depth);
        };
        let mut words = Vec::new();
        inline::children(&term, &self.base, 0, &mut words);
        let mut text = match tidy(words) {
            code if matches!(code.as_slice(), [Inline::Code(_)]) => code,
            words => vec![Inline::Strong(words)],
        };
        let opens = meaning.children_it(false).find(NodeRef::is_element);
        let is_text = opens.is_none_or(|opens| opens.has_name("p") || !holds_block(&meaning));
        if is_text {
            text.push(Inline::Text(": ".to_owned()));
            return self.joined(text, &meaning, depth);
        }
        let mut blocks = vec![self.builder.leaf(BlockKind::Paragraph(text))];
        self.flow_of(&meaning, depth, None, &mut blocks);
        blocks
    }

    /// A paragraph that begins as a term and goes on as its meaning, with what stands behind it.
    pub(super) fn wrapped(
        &mut self,
        term: &NodeRef<'_>,
        meaning: &NodeRef<'_>,
        depth: usize,
    ) -> Vec<Block> {
        let mut text = Vec::new();
        inline::children(term, &self.base, 0, &mut text);
        text.push(Inline::Text(" ".to_owned()));
        self.joined(text, meaning, depth)
    }

    /// The paragraph that goes on from `text` in `meaning`, with what stands behind it.
    fn joined(&mut self, mut text: Vec<Inline>, meaning: &NodeRef<'_>, depth: usize) -> Vec<Block> {
        let first = meaning.children_it(false).find(NodeRef::is_element);
        let first = first.filter(|first| first.has_name("p"));
        let leads = |first: &NodeRef<'_>| {
            let mut before = meaning
                .children_it(false)
                .take_while(|child| child.id != first.id);
            before.any(|child| child.is_text() && !child.text().trim().is_empty())
        };
        // What is said before the first paragraph is what the text goes on with.
        if first.as_ref().is_some_and(leads) {
            let mut blocks = Vec::new();
            self.flow(meaning, depth + 1, None, &mut blocks, &mut text);
            self.flush(&mut text, &mut blocks);
            return blocks;
        }
        let mut rest = Vec::new();
        match &first {
            Some(first) => inline::children(first, &self.base, 0, &mut text),
            None => inline::children(meaning, &self.base, 0, &mut text),
        }
        let kind = BlockKind::Paragraph(tidy(text));
        let mut blocks = vec![self.builder.leaf(kind)];
        if let Some(first) = &first {
            self.flow_of(meaning, depth, Some(first), &mut rest);
            blocks.extend(rest);
        }
        blocks
    }

    /// A list of terms, below each of which stand more of them, if anything.
    pub(super) fn list_of_terms(&mut self, node: &NodeRef<'_>, depth: usize, out: &mut Vec<Block>) {
        let start = self.builder.here();
        let entered = self.builder.enter();
        let mut items: Vec<Vec<Block>> = Vec::new();
        for child in node.children_it(false) {
            let mut inner = Vec::new();
            match child.children_it(false).find(|list| list.has_name("dl")) {
                Some(list) => self.list_of_terms(&list, depth + 1, &mut inner),
                None => inner = self.inside(&child, depth + 1),
            }
            match items.last_mut() {
                _ if inner.is_empty() => {}
                Some(item) if child.has_name("dd") => item.extend(inner),
                _ => items.push(inner),
            }
        }
        if !entered {
            out.extend(items.into_iter().flatten());
            return;
        }
        self.builder.leave();
        if !items.is_empty() {
            let kind = BlockKind::List { start: None, items };
            out.push(self.builder.around(start, kind));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::html;

    fn written(body: &str) -> String {
        let page = format!("<main><h1>Kilns</h1><p>They are hot.</p>{body}</main>");
        let document = html::read(&page, None).expect("a page");
        skillkiln_document::markdown::write(&document.blocks)
    }

    #[test]
    fn paragraphs_that_stand_for_terms_and_have_no_meaning_are_said() {
        let said = "<b><br>Wood</b><br>It is dried for a year, and then it is put below the kiln in small pieces.";
        let text = written(&format!(
            "<h1>Kilns</h1><dl><dt>{said}</dt><dt>{said}</dt><dt>oak</dt><dd>Hard.</dd><dt>{said}</dt></dl>"
        ));
        assert!(
            !text.contains("pieces.**") && text.contains("**oak**: Hard."),
            "{text}"
        );
    }

    #[test]
    fn terms_without_meanings_are_items() {
        let list = "<dl><dt>Oak</dt><dd><dl><dt>Red oak</dt></dl></dd><dt>Ash</dt></dl>";
        let text = written(list);
        assert!(text.ends_with("\n\n- Oak\n  - Red oak\n- Ash\n"), "{text}");
        let list = written("<dl><dt>Oak</dt><dt>Ash</dt><dd>They are hard.</dd></dl>");
        assert!(
            list.contains("- **Oak**, **Ash**: They are hard."),
            "{list}"
        );
    }

    #[test]
    fn a_function_of_which_parts_are_marked_is_code() {
        let call = "<code class=funcdef>int <strong>fire</strong>(</code>const char *<var>pot</var><code>)</code>;";
        for shown in [
            format!("<p>{call}</p>"),
            format!("<div class=funcsynopsis><table><tr><td>{call}</td></tr></table></div>"),
        ] {
            let text = written(&shown);
            assert!(text.ends_with("\n`int fire(const char *pot);`\n"), "{text}");
        }
    }

    #[test]
    fn a_sentence_that_goes_on_in_a_definition_is_a_paragraph() {
        let list = |term: &str, meaning: &str| {
            written(&format!(
                "<ul><li><dl class=simple><dt>{term}</dt><dd><p>{meaning}</p><p>So it is.</p></dd></dl></li></ul>"
            ))
        };
        let text = list(
            "heat: how hot the kiln is that is used for",
            "<em>hard</em> pots.",
        );
        assert!(
            text.ends_with(
                "\n\n- heat: how hot the kiln is that is used for *hard* pots.\n\n  So it is.\n"
            ),
            "{text}"
        );
        for (term, meaning) in [
            ("heat: how hot the kiln is", "Nine hundred."),
            ("the kiln that burns wood alone", "an old one."),
            ("what it is for", "clay."),
        ] {
            let text = list(term, meaning);
            assert!(text.contains(&format!("**{term}**")), "{text}");
        }
        let mixed = "<dl><dt>The wood that is burned in the</dt><dd>kiln is dry.</dd><dt>Oak</dt><dd>It is hard.</dd></dl>";
        let text = written(mixed);
        assert!(
            text.ends_with(
                "- The wood that is burned in the kiln is dry.\n- **Oak**: It is hard.\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn an_item_that_is_a_definition_has_one_mark() {
        let item = |term: &str, meaning: &str| {
            format!("<li><dl class=simple>\n<dt>{term}</dt><dd>{meaning}</dd>\n</dl></li>\n")
        };
        let two = format!(
            "{}{}",
            item("<code>fire</code>", "<p>Fires it.</p>"),
            item("Oak", "<ul><li><p>It is hard.</p></li></ul>")
        );
        let text = written(&format!("<ul>{two}</ul>"));
        assert!(
            text.ends_with("\n\n- `fire`: Fires it.\n- **Oak**\n\n  - It is hard.\n"),
            "{text}"
        );
        let text = written(&format!("<ol>{two}</ol>"));
        assert!(
            text.ends_with("\n\n1. `fire`: Fires it.\n2. **Oak**\n   - It is hard.\n"),
            "{text}"
        );
        let text = written(&format!("<ul>{}<li>Ash</li></ul>", item("Oak", "Hard.")));
        assert!(text.ends_with("\n\n- **Oak**: Hard.\n- Ash\n"), "{text}");
        let text = written(&format!(
            "<ul>{}{}</ul>",
            item("Oak", ""),
            item("Elm", "Poisonous.")
        ));
        assert!(
            text.ends_with("\n\n- **Oak**\n- **Elm**: Poisonous.\n"),
            "{text}"
        );
    }

    #[test]
    fn words_before_the_first_paragraph_of_a_meaning_stand_right_behind_the_term() {
        let text = written(
            "<ol><li><dl><dt>Ash</dt><dd>It is hard wood. <p>It burns for long.</p></dd></dl></li></ol>",
        );
        assert!(
            text.ends_with("\n\n1. **Ash**: It is hard wood.\n\n   It burns for long.\n"),
            "{text}"
        );
    }
}
