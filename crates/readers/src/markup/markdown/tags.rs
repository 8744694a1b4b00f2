//! Reads the HTML that stands in Markdown: between its blocks as the blocks that it shows, within a line as links and code.

use crate::builder::{each_span, tidy};
use crate::folds::{self, Part, only_opens};
use crate::html;
use crate::html::inline::{Base, has_power};
use crate::html::rich_text::escaped;
use crate::markup::dialects::components::attribute;
use crate::markup::dialects::fences::fenced;
use crate::markup::markdown::{InlineOpen, Reader};
use pulldown_cmark::{Event, Tag, TagEnd};
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::markdown::rendered::{is_break, write_text_of_html};
use skillkiln_document::text::{Inline, letters, plain, squash};
use std::ops::Range;

/// Elements that begin a block of their own.
const BLOCKS: [&str; 16] = [
    "p",
    "ul",
    "ol",
    "li",
    "table",
    "tr",
    "pre",
    "blockquote",
    "div",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "dl",
];
/// Running text with more tags is not read as blocks: tags that nothing ends reach through all that follow.
const TAGS_MAX: usize = 2000;
/// Elements that say more than their words.
const TELLING: [&str; 8] = ["a", "code", "b", "strong", "em", "i", "td", "th"];

impl Reader {
    /// What a stretch of HTML between blocks shows, with what its folds begin and end.
    pub(super) fn html_block(&mut self, html: &str, range: Range<usize>) {
        for part in folds::parts(html, &fenced(html)) {
            match part {
                Part::Shown(html) => self.shown(html, &range),
                Part::Begin => self.begin_fold(range.start),
                Part::Words(html) => {
                    let name = words_over(html, self.span(range.clone()));
                    let is_said = !only_opens(&name.as_ref().map_or(String::new(), words_of));
                    if let Some(name) = name.filter(|_| is_said)
                        && let Some(name) = self.name_fold(name)
                    {
                        self.push(name.kind, range.clone());
                    }
                }
                Part::WordsEnd => self.name_fold_by_block(),
                Part::End => self.end_fold(range.end),
            }
        }
    }

    /// The blocks that mark-up shows.
    fn shown(&mut self, html: &str, range: &Range<usize>) {
        let mut words = String::new();
        write_text_of_html(html, &mut words);
        if words.trim().is_empty() {
            return;
        }
        if let Some(blocks) = blocks_of(html, &words) {
            self.inset(blocks, range);
            return;
        }
        for part in words.split("\n\n") {
            let text = tidy(vec![Inline::Text(part.to_owned())]);
            // Import and export lines of MDX are code of the page, not its content.
            if !text.is_empty() {
                self.push(BlockKind::Paragraph(text), range.clone());
            }
        }
    }

    /// Blocks of HTML, which all stand where that stands.
    fn inset(&mut self, mut blocks: Vec<Block>, range: &Range<usize>) {
        let span = self.span(range.clone());
        each_span(&mut blocks, &mut |inner| *inner = span.clone());
        self.last_end = self.last_end.max(range.end);
        self.extend(blocks);
    }

    /// A tag within a line.
    pub(super) fn inline_tag(&mut self, tag: &str, range: Range<usize>) {
        if is_break(tag) {
            self.inline(Inline::Break, range);
            return;
        }
        let (name, is_end) = name_of(tag);
        self.is_raised = name == "sup" && !is_end;
        match (name.as_str(), is_end) {
            ("a", false) => {
                let href = attribute(tag, "href").map(|href| {
                    let mut decoded = String::new();
                    write_text_of_html(href, &mut decoded);
                    decoded
                });
                if let Some(href) = href.and_then(|href| Base::default().resolve(&href)) {
                    self.give_up_tags(|open| matches!(open, InlineOpen::Anchor(_)));
                    self.nest_tag(InlineOpen::Anchor(href), range.start);
                }
            }
            ("code" | "kbd" | "samp" | "tt", false) => {
                self.nest_tag(InlineOpen::Typed, range.start);
            }
            ("a", true) => self.end_tag(|open| matches!(open, InlineOpen::Anchor(_))),
            ("code" | "kbd" | "samp" | "tt", true) => {
                self.end_tag(|open| matches!(open, InlineOpen::Typed));
            }
            (name, _) if BLOCKS.contains(&name) => {
                self.inline(Inline::Break, range.clone());
                if name == "li" && !is_end {
                    self.inline(Inline::Text("• ".to_owned()), range);
                }
            }
            _ => {}
        }
    }

    /// What a stretch of text is led by: raised behind a number or a variable, `2<sup>53</sup>`, it would read as one with that.
    pub(super) fn power(&mut self, text: &str) -> &'static str {
        let is_raised = std::mem::take(&mut self.is_raised);
        let is_exponent = text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '−'))
            || text.len() == 1 && text.starts_with(char::is_alphabetic);
        let before = self.inlines.last().and_then(|(_, pieces)| pieces.last());
        let may_have =
            matches!(before, Some(Inline::Text(base) | Inline::Code(base)) if may_be_raised(base));
        match is_raised && is_exponent && may_have {
            true => "^",
            false => "",
        }
    }

    /// Keeps the running text that is read as HTML, as long as all of it can be told so.
    pub(super) fn tell(&mut self, event: &Event<'_>) {
        let Some(told) = &mut self.told else {
            return;
        };
        match event {
            // What a block of code holds is no running text.
            Event::Text(_) if self.code.is_some() => {}
            Event::Text(words) => told.html.push_str(&escaped(words)),
            Event::Code(code) => {
                told.html.push_str("<code>");
                told.html.push_str(&escaped(code));
                told.html.push_str("</code>");
            }
            Event::InlineHtml(tag) => {
                let (name, is_end) = name_of(tag);
                told.has_blocks |= !is_end && BLOCKS.contains(&name.as_str());
                told.tags += 1;
                told.is_partial |= told.tags > TAGS_MAX;
                told.html.push_str(tag);
            }
            Event::SoftBreak => told.html.push('\n'),
            Event::HardBreak => told.html.push_str("<br>"),
            Event::Start(Tag::Emphasis) => told.html.push_str("<em>"),
            Event::End(TagEnd::Emphasis) => told.html.push_str("</em>"),
            Event::Start(Tag::Strong) => told.html.push_str("<strong>"),
            Event::End(TagEnd::Strong) => told.html.push_str("</strong>"),
            Event::Start(Tag::Link { dest_url, .. }) => {
                let href = escaped(dest_url).replace('"', "&quot;");
                told.html.push_str(&format!("<a href=\"{href}\">"));
            }
            Event::End(TagEnd::Link) => told.html.push_str("</a>"),
            // What follows is told anew. The start of a block of code is not among these: it ends the text before it.
            Event::Start(
                Tag::Paragraph
                | Tag::Item
                | Tag::TableCell
                | Tag::Heading { .. }
                | Tag::DefinitionListTitle
                | Tag::DefinitionListDefinition,
            )
            | Event::End(TagEnd::Heading(_) | TagEnd::CodeBlock | TagEnd::DefinitionListTitle) => {
                *told = Told::default();
            }
            Event::Start(Tag::Image { .. })
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::FootnoteReference(_)
            | Event::TaskListMarker(_) => told.is_partial = true,
            _ => {}
        }
    }

    /// A paragraph whose tags are those of blocks, as these blocks; whether it was one.
    pub(super) fn paragraph_of_blocks(&mut self, text: &[Inline], range: &Range<usize>) -> bool {
        let told = self.told.as_mut().map(std::mem::take);
        let Some(told) = told.filter(|told| told.has_blocks && !told.is_partial) else {
            return false;
        };
        match blocks_of(&told.html, &plain(text)) {
            Some(blocks) => {
                self.inset(blocks, range);
                true
            }
            None => false,
        }
    }
}

/// Running text as HTML.
#[derive(Debug, Default)]
pub(super) struct Told {
    html: String,
    /// Whether tags in it begin blocks.
    has_blocks: bool,
    /// The tags in it.
    tags: usize,
    /// Whether something stands in it that is not told here.
    pub(super) is_partial: bool,
}

impl Told {
    /// For the texts in `body`, where tags of blocks may stand within a line.
    pub(super) fn of(body: &str) -> Option<Self> {
        ["<p>", "<p ", "<ul", "<ol", "<li"]
            .iter()
            .any(|tag| body.contains(tag))
            .then(Self::default)
    }
}

/// The blocks that mark-up shows which says more than its `words`; `None` where that tells no more, or words would be lost.
fn blocks_of(html: &str, words: &str) -> Option<Vec<Block>> {
    let is_marked = html.split('<').skip(1).any(|tag| {
        let (name, _) = name_of(tag);
        BLOCKS.contains(&name.as_str()) || TELLING.contains(&name.as_str())
    });
    if !is_marked {
        return None;
    }
    let document = html::read_inset(html);
    let mut said = letters(&document.text).len();
    let is_centred = html.contains("align=\"center\"") || html.contains("align=center");
    let blocks = document.blocks.into_iter().filter_map(|mut block| {
        block.kind = match block.kind {
            // As before, pictures in HTML are ornaments; what is written under them is not.
            BlockKind::Figure {
                alternative,
                caption,
                ..
            } => {
                said -= letters(&alternative).len().min(said);
                (!caption.is_empty()).then_some(BlockKind::Paragraph(caption))?
            }
            // What is set large in the middle under a title is its motto.
            BlockKind::Heading { level, text } if level > 1 && is_centred => {
                BlockKind::Paragraph(text)
            }
            kind => kind,
        };
        Some(block)
    });
    let blocks: Vec<Block> = blocks.collect();
    (said >= letters(words).len()).then_some(blocks)
}

/// The words over a fold: a heading, where they are one, or else a paragraph.
fn words_over(html: &str, span: Span) -> Option<Block> {
    let mut words = String::new();
    write_text_of_html(html, &mut words);
    let mut high = None;
    let mut text = Vec::new();
    for block in blocks_of(html, &words).unwrap_or_default() {
        let said = match block.kind {
            BlockKind::Heading { level, text } => {
                high = high.or(Some(level));
                text
            }
            BlockKind::Paragraph(text) => text,
            _ => continue,
        };
        text.extend(said);
        text.push(Inline::Text(" ".to_owned()));
    }
    if letters(&plain(&text)).len() < letters(&words).len() {
        text = vec![Inline::Text(words)];
    }
    let text = text.into_iter().flat_map(|piece| match piece {
        Inline::Break => vec![Inline::Text(" ".to_owned())],
        Inline::Text(words) => with_code(words),
        piece => vec![piece],
    });
    let text = tidy(text.collect());
    let kind = match high {
        _ if text.is_empty() => return None,
        Some(level) => BlockKind::Heading { level, text },
        None => BlockKind::Paragraph(text),
    };
    Some(Block { kind, span })
}

/// Words over a fold with what stands between backticks as code, which their writer meant.
fn with_code(words: String) -> Vec<Inline> {
    let pieces: Vec<&str> = words.split('`').collect();
    let is_empty = |piece: &&str| piece.trim().is_empty();
    if pieces.len().is_multiple_of(2) || pieces.iter().skip(1).step_by(2).any(is_empty) {
        return vec![Inline::Text(words)];
    }
    let pieces = pieces.iter().enumerate().map(|(at, piece)| match at % 2 {
        0 => Inline::Text((*piece).to_owned()),
        _ => Inline::Code(squash(piece)),
    });
    pieces.collect()
}

fn words_of(block: &Block) -> String {
    match &block.kind {
        BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => plain(text),
        _ => String::new(),
    }
}

/// Whether a raised number behind `base` is its power, and no note to it: `in 2019<sup>1</sup>` and `HTTP/2<sup>1</sup>` have notes.
fn may_be_raised(base: &str) -> bool {
    if !has_power(base) {
        return false;
    }
    if let Some(inner) = base.strip_suffix(')') {
        let inner = inner.rsplit_once('(').map_or(inner, |(_, inner)| inner);
        let signs: Vec<char> = inner.chars().collect();
        let is_word = |two: &[char]| two.iter().all(|c| c.is_alphabetic());
        let is_year = |four: &[char]| four.iter().all(char::is_ascii_digit);
        return !inner.trim().is_empty()
            && !signs.windows(2).any(is_word)
            && !signs.windows(4).any(is_year);
    }
    let before = base.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = base.len() - before.len();
    let name = before.strip_suffix('/').unwrap_or(before);
    digits == 0 || digits < 4 && !name.ends_with(char::is_alphabetic)
}

/// The name of an element, in lower case, from its tag, and whether that ends it.
fn name_of(tag: &str) -> (String, bool) {
    let tag = tag.strip_prefix('<').unwrap_or(tag);
    let (tag, is_end) = match tag.strip_prefix('/') {
        Some(tag) => (tag, true),
        None => (tag, false),
    };
    let end = tag
        .find(|c: char| !c.is_ascii_alphanumeric())
        .unwrap_or(tag.len());
    (tag.get(..end).unwrap_or("").to_ascii_lowercase(), is_end)
}

#[cfg(test)]
mod tests {
    use crate::markup::markdown::read;
    use skillkiln_document::markdown::write;

    fn written(source: &str) -> String {
        write(&read(source.to_owned()).blocks)
    }

    #[test]
    fn blocks_of_html_are_blocks_on_their_own_line_and_within_one() {
        let html = "<p>Kilns <b>burn</b>.</p> <ul> <li> <p>Wood</p> </li> <li>Gas, see <a href=\"https://gas.org/a?b&amp;c\">it</a></li> </ul>";
        let shown = "Kilns **burn**.\n\n- Wood\n- Gas, see [it](https://gas.org/a?b&c)\n";
        assert_eq!(written(&format!("{html}\n")), shown);
        assert_eq!(
            written(&format!("<name>The Kiln</name> {html}\n")),
            format!("The Kiln\n\n{shown}")
        );
    }

    #[test]
    fn tags_within_a_line_are_links_and_code() {
        assert_eq!(
            written(
                "See <a href=\"https://k.org\">the *hot* kiln</a> and <code>fire(a)</code>, <a name=x></a>too.\n"
            ),
            "See [the *hot* kiln](https://k.org) and `fire(a)`, too.\n"
        );
    }

    #[test]
    fn a_tag_that_its_own_does_not_end_marks_nothing() {
        let shown = written(
            "Wrap words in <code> tags when needed, and see [the plan](https://p.org/plan) or **never** open it.\n",
        );
        assert!(
            shown.ends_with("see [the plan](https://p.org/plan) or **never** open it.\n")
                && !shown.contains('`'),
            "{shown}"
        );
        let shown = written(
            "The <a href=\"https://a.org\"> tag is shown. See [the plan](https://p.org/plan) and <a href=\"https://b.org\">b</a>.\n",
        );
        assert!(
            shown.ends_with("See [the plan](https://p.org/plan) and [b](https://b.org).\n")
                && !shown.contains("a.org"),
            "{shown}"
        );
        assert_eq!(
            written("**A <a href=\"https://k.org\">kiln** burns</a>.\n"),
            "**A kiln** burns.\n"
        );
    }

    #[test]
    fn text_is_told_once_whatever_block_stands_before_tags() {
        for (source, once) in [
            (
                "- a\n  ```\n  code here\n  ```\n  b <p>c</p>\n",
                "code here",
            ),
            ("Term one\n: meaning <p>x</p>\n", "Term one"),
            ("- # Head <p>\n  text <p>c</p>\n", "Head"),
        ] {
            let shown = written(source);
            assert_eq!(shown.matches(once).count(), 1, "{shown}");
        }
    }

    #[test]
    fn many_tags_that_nothing_ends_are_read_at_once() {
        let source = "word <p> <a href='https://k.org/x'> word\n".repeat(20_000);
        assert_eq!(written(&source).matches("word").count(), 40_000);
        let source = format!("A {}\n", "<code> x ".repeat(20_000));
        assert_eq!(written(&source).matches('x').count(), 20_000);
    }

    #[test]
    fn a_power_does_not_read_as_one_number() {
        assert_eq!(
            written("2<sup>53</sup>, x<sup>n</sup>, the 2<sup>nd</sup>, word<sup>1</sup>.\n"),
            "2^53, x^n, the 2nd, word1.\n"
        );
        assert_eq!(
            written("f(x + 1)<sup>2</sup> and 10<sup>3</sup>.\n"),
            "f(x + 1)^2 and 10^3.\n"
        );
    }

    #[test]
    fn a_note_to_a_year_a_version_or_a_bracket_is_no_power() {
        for noted in ["in 2019", "HTTP/2", "IPv4", "(as said)", "(2019)"] {
            let shown = written(&format!("It is {noted}<sup>1</sup> so.\n"));
            assert!(!shown.contains('^'), "{shown}");
        }
    }

    #[test]
    fn a_list_in_a_cell_is_a_line_an_item() {
        let shown = written("| a |\n| --- |\n| Set <ul><li>one</li><li>two</li></ul> |\n");
        assert!(shown.contains("Set<br>• one<br>• two |"), "{shown}");
    }

    #[test]
    fn what_is_set_large_in_the_middle_is_no_heading_but_the_title_is_one() {
        assert_eq!(
            written(
                "<h1 align=\"center\">Kiln</h1>\n<h3 align=\"center\">It burns.</h3>\n\n## Use\n\n<h3>Doors</h3>\n\nShut.\n"
            ),
            "# Kiln\n\nIt burns.\n\n## Use\n\n### Doors\n\nShut.\n"
        );
    }

    #[test]
    fn an_ornament_of_html_shows_nothing() {
        assert_eq!(
            written(
                "# Kiln\n\n<p align=\"center\"><a href=\"https://k.org\"><img src=\"logo.svg\" alt=\"Kiln\"></a></p>\n\nHot.\n"
            ),
            "# Kiln\n\nHot.\n"
        );
    }
}
