//! Reads listings: a text that is one because remarks and declarations are most of its lines, the index of a package of Haskell by its
//! modules, and remarks within other text, right above what they tell of.

use super::code;
use super::headings::is_atx_heading;
use super::{Layout, Line};
use crate::code_like;
use crate::derived::Derived;
use crate::markup::lines::{self, Line as Whole};
use crate::markup::markdown;
use skillkiln_document::blocks::{Block, BlockKind, Document};
use skillkiln_document::text::Inline;

/// What begins a remark that goes on to the end of its line.
const MARKS: [&str; 3] = ["--", "//", ";"];
/// Lines that are looked at to tell whether a text is a listing.
const LINES_MAX: usize = 2_000;
/// So many remarks and declarations a listing has at least.
const REMARKS_MIN: usize = 3;
const DECLARED_MIN: usize = 3;
/// Of ten lines of a listing, so many are either, and so many are remarks.
const OWN_OF_TEN: usize = 8;
const REMARKS_OF_TEN: usize = 2;
/// A sentence has so many words, and a listing fewer sentences that are no remarks.
const SENTENCE_WORDS_MIN: usize = 6;
const SENTENCES_MAX: usize = 3;
/// The tag of a remark is no longer.
const TAG_BYTES: usize = 256;
/// What begins a declaration of Haskell that has no type behind it.
const DECLARING: [&str; 6] = ["module", "data", "class", "instance", "type", "newtype"];
/// What stands in a sentence that begins so, and in no declaration.
const SAYING: [&str; 8] = ["and", "are", "be", "has", "have", "is", "the", "was"];
/// How the index of a package begins that Haddock writes for Hoogle, and the mark of its remarks.
const INDEX: &str = "-- Hoogle documentation";
const DASHES: &str = "--";
/// Tags that say nothing where a remark is shown as it was written.
const BARE: [&str; 17] = [
    "<a>", "</a>", "</li>", "<tt>", "</tt>", "<i>", "</i>", "<em>", "</em>", "<b>", "</b>",
    "<pre>", "</pre>", "<ul>", "</ul>", "<ol>", "</ol>",
];
/// What heads a package, and a module of it.
const PACKAGE: &str = "@package ";
const MODULE: &str = "module ";

/// The mark of the remark that a line is.
fn mark_of(words: &str) -> Option<&'static str> {
    let is_remark = |mark: &&&str| {
        let behind = words.strip_prefix(**mark);
        behind.is_some_and(|behind| behind.is_empty() || behind.starts_with(' ') || **mark == "//")
    };
    MARKS.iter().find(is_remark).copied()
}

/// Whether a line gives a name its type: `heat :: Kiln -> Int`.
fn is_signature(words: &str) -> bool {
    let Some((names, kind)) = words.split_once(" :: ") else {
        return false;
    };
    let is_name = |name: &str| {
        !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || "_'.#".contains(c))
    };
    let kind = kind.trim();
    (names.starts_with(['(', '[']) || names.split(", ").all(is_name))
        && !kind.is_empty()
        && !kind.ends_with(['.', '!', '?', ':'])
}

/// Whether a line declares something.
fn is_declared(words: &str) -> bool {
    let begins = words.split_once(' ').is_some_and(|(word, name)| {
        DECLARING.contains(&word)
            && name.starts_with(|c: char| c.is_uppercase() || c == '(')
            && !name.split(' ').any(|word| SAYING.contains(&word))
    });
    is_signature(words) || begins && !words.ends_with('.') || code_like::line(words)
}

/// How many lines from the start, up to an empty one, are signatures alone, or remarks with what they tell of. Mails part what is
/// below with such a mark, and manuals begin their definitions with one.
pub(super) fn length(lines: &[Line<'_>], layout: &Layout) -> usize {
    if layout.is_info || layout.is_help || layout.is_mail {
        return 0;
    }
    let group = || code::stretch(lines);
    let first = group().next().unwrap_or_default();
    let Some(mark) = mark_of(first) else {
        // "Kiln :: Heat and fire" is said; a function's name is in small letters.
        let is_typed = |words: &str| !words.starts_with(char::is_uppercase) && is_signature(words);
        let is_all = is_typed(first) && group().all(is_typed);
        return if is_all { group().count() } else { 0 };
    };
    let (mut declared, mut all) = (0, 0);
    for words in group() {
        all += 1;
        if mark_of(words) != Some(mark) {
            if !is_declared(words) {
                return 0;
            }
            declared += 1;
        }
    }
    if declared > 0 { all } else { 0 }
}

/// Whether remarks and declarations are most lines of a text.
fn is_listing(text: &str) -> bool {
    let (mut all, mut remarks, mut declared, mut told) = (0, [0; MARKS.len()], 0, 0);
    for (number, line) in text.lines().enumerate() {
        let words = line.trim();
        // Neither Markdown nor a few sentences at the margin are one.
        told += usize::from(is_sentence(line));
        if words.starts_with("```") || is_atx_heading(line) || told >= SENTENCES_MAX {
            return false;
        }
        // Whether it is one shows at its beginning; what goes on otherwise is none.
        if number == LINES_MAX && !is_most(all, &remarks, declared) {
            return false;
        }
        all += usize::from(!words.is_empty());
        match mark_of(words) {
            Some(found) => {
                let counts = MARKS.iter().zip(&mut remarks);
                counts.for_each(|(mark, count)| *count += usize::from(*mark == found));
            }
            None => declared += usize::from(is_declared(words)),
        }
    }
    is_most(all, &remarks, declared)
}

/// Whether so many remarks of one kind and so many declarations are most of `all` lines.
fn is_most(all: usize, remarks: &[usize], declared: usize) -> bool {
    let remarks = remarks.iter().copied().max().unwrap_or(0);
    remarks >= REMARKS_MIN
        && declared >= DECLARED_MIN
        && remarks * 10 >= all * REMARKS_OF_TEN
        && (remarks + declared) * 10 >= all * OWN_OF_TEN
}

/// Whether a line that is not set in is a sentence.
fn is_sentence(line: &str) -> bool {
    line.starts_with(char::is_uppercase)
        && line.trim_end().ends_with('.')
        && line
            .split_whitespace()
            .nth(SENTENCE_WORDS_MIN - 1)
            .is_some()
}

/// The listing that a whole text is.
pub(super) fn read(text: &str) -> Option<Document> {
    let lines = || lines::lines_of(text);
    let (title, blocks) = if text.trim_start().starts_with(INDEX) {
        of_package(&lines())
    } else if is_listing(text) {
        (None, vec![lines::code(None, &lines())])
    } else {
        return None;
    };
    Some(Document {
        title,
        text: text.to_owned(),
        blocks,
        ..Document::default()
    })
}

/// The index of a package: its name, what is told of it, and each module as a section, with what is told of that and its
/// declarations to the letter.
fn of_package(lines: &[Whole<'_>]) -> (Option<String>, Vec<Block>) {
    let (mut title, mut blocks) = (None, Vec::new());
    // Where what was not written yet begins.
    let mut from = 0;
    for (at, line) in lines.iter().enumerate() {
        let named = line.text.strip_prefix(PACKAGE).map(str::trim_end);
        let is_first = title.is_none() && named.is_some();
        if !is_first && !line.text.starts_with(MODULE) {
            continue;
        }
        let told = remark_above(lines, at).max(from);
        if title.is_some() {
            listed(lines.get(from..told).unwrap_or_default(), &mut blocks);
        }
        let (level, name) = match named {
            Some(package) => (1, Inline::Text(package.to_owned())),
            None => {
                let name = line.text.get(MODULE.len()..).unwrap_or_default();
                (2, Inline::Code(name.trim().to_owned()))
            }
        };
        let kind = BlockKind::Heading {
            level,
            text: vec![name],
        };
        blocks.push(lines::block(kind, lines.get(at..=at).unwrap_or_default()));
        blocks.extend(told_of(lines.get(told..at).unwrap_or_default(), level));
        title = title.or(named.map(str::to_owned));
        from = at + 1;
    }
    listed(lines.get(from..).unwrap_or_default(), &mut blocks);
    (title, blocks)
}

/// Where the remark begins that stands right above the line `at`.
fn remark_above(lines: &[Whole<'_>], at: usize) -> usize {
    let above = lines.get(..at).unwrap_or_default();
    at - above
        .iter()
        .rev()
        .take_while(|line| line.text.starts_with(DASHES))
        .count()
}

/// Declarations to the letter, with what is remarked of them as it reads; what a package says of its release is none.
fn listed(lines: &[Whole<'_>], out: &mut Vec<Block>) {
    let is_said = |line: &&Whole<'_>| line.is_blank() || line.text.starts_with('@');
    let head = lines.iter().take_while(is_said).count();
    let shown = lines::trimmed(lines.get(head..).unwrap_or_default());
    if !shown.is_empty() {
        let mut text = String::new();
        for line in shown {
            if !line.text.starts_with(DASHES) {
                text.push_str(line.text);
            } else if let Some(words) = bare(line.text) {
                text.push_str(&words);
            } else {
                continue;
            }
            text.push('\n');
        }
        text.truncate(text.trim_end().len());
        let language = Some("haskell".to_owned());
        out.push(lines::block(BlockKind::Code { language, text }, shown));
    }
}

/// A line of a remark without its tags; `None` where there was nothing else in it.
fn bare(line: &str) -> Option<String> {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    let mut is_marked = false;
    while let Some(at) = rest.find(['<', '&']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let (tag, behind) = tag(from);
        let shown = match tag {
            "<li>" => "* ",
            _ if BARE.contains(&tag) || heading_of(tag).is_some() => "",
            _ => match character(tag) {
                Some(character) => character,
                None => {
                    out.push_str(from.get(..1).unwrap_or_default());
                    rest = from.get(1..).unwrap_or_default();
                    continue;
                }
            },
        };
        is_marked = true;
        out.push_str(shown);
        rest = behind;
    }
    out.push_str(rest);
    let says = out.trim_start_matches('-').trim();
    (!is_marked || !matches!(says, "" | "*" | "|")).then_some(out)
}

/// A tag or an entity that text begins with, or its first sign, and what is behind it.
fn tag(from: &str) -> (&str, &str) {
    let ends = |byte: u8| matches!(byte, b'>' | b';');
    let end = from.bytes().take(TAG_BYTES).position(ends);
    from.split_at(end.map_or(1, |end| end + 1))
}

/// The character that an entity stands for.
fn character(entity: &str) -> Option<&'static str> {
    Some(match entity {
        "&lt;" => "<",
        "&gt;" => ">",
        "&amp;" => "&",
        "&quot;" => "\"",
        _ => return None,
    })
}

/// The level of the heading that a tag begins or ends.
fn heading_of(tag: &str) -> Option<u8> {
    let level = tag.strip_suffix('>')?;
    let level = level
        .strip_prefix("<h")
        .or_else(|| level.strip_prefix("</h"))?;
    level.parse().ok().filter(|level| (1..=6).contains(level))
}

/// What a remark says below a heading of the level `above`: it is marked up as pages are.
fn told_of(lines: &[Whole<'_>], above: u8) -> Vec<Block> {
    let mut derived = Derived::default();
    let levels = lines.iter().filter_map(|line| {
        let words = line.text.trim_start_matches(['-', '|', ' ']);
        words.starts_with("<h").then(|| heading_of(tag(words).0))?
    });
    let mut tags = Tags {
        below: above + 1,
        highest: levels.min().unwrap_or(1),
        ..Tags::default()
    };
    for line in lines {
        let words = line.text.strip_prefix(DASHES).unwrap_or(line.text);
        let words = words.strip_prefix(" |").unwrap_or(words);
        let cut = words.strip_prefix(' ').unwrap_or(words);
        let cut = cut.strip_prefix("  ").unwrap_or(cut).trim_end();
        let start = line.start + line.text.len() - words.len();
        derived.instead("", start, words.len(), &tags.rewritten(cut));
    }
    let mut blocks = markdown::read(std::mem::take(&mut derived.text)).blocks;
    derived.put_back(&mut blocks);
    blocks
}

/// The tags of a remark, as far as it was read.
#[derive(Debug, Default)]
struct Tags {
    in_listing: bool,
    in_code: bool,
    in_heading: bool,
    /// The level of the highest headings of the remark, and what they are called in it.
    below: u8,
    highest: u8,
}

impl Tags {
    /// A line with the marks of Markdown in the places of its tags.
    fn rewritten(&mut self, line: &str) -> String {
        let mut out = String::with_capacity(line.len());
        let mut rest = line;
        while let Some(at) = rest.find(['<', '&']) {
            let (before, from) = rest.split_at(at);
            out.push_str(before);
            let (tag, behind) = tag(from);
            let is_address = behind.starts_with("http");
            rest = behind;
            match tag {
                "<pre>" | "</pre>" => {
                    self.in_listing = tag == "<pre>";
                    out.push_str("```");
                }
                "&lt;" | "&gt;" | "&amp;" | "&quot;" if self.in_code || self.in_listing => {
                    out.push_str(character(tag).unwrap_or_default());
                }
                _ if self.in_listing && tag.starts_with('<') && tag.ends_with('>') => {}
                "<tt>" | "</tt>" | "<a>" | "</a>" => {
                    let opens = !tag.starts_with("</");
                    if opens != self.in_code && !(opens && is_address) {
                        self.in_code = opens;
                        out.push('`');
                    }
                }
                "<i>" | "</i>" | "<em>" | "</em>" => out.push('*'),
                "<b>" | "</b>" if self.in_heading => {}
                "<b>" | "</b>" => out.push_str("**"),
                _ if let Some(level) = heading_of(tag) => {
                    self.in_heading = !tag.starts_with("</");
                    if self.in_heading && out.is_empty() {
                        let level = self.below + level.saturating_sub(self.highest);
                        out.push_str(
                            "######"
                                .get(..usize::from(level.min(6)))
                                .unwrap_or_default(),
                        );
                        out.push(' ');
                    }
                }
                "<li>" => out.push_str("- "),
                "<ul>" | "</ul>" | "<ol>" | "</ol>" | "</li>" => {}
                _ => {
                    out.push_str(from.get(..1).unwrap_or_default());
                    rest = from.get(1..).unwrap_or_default();
                }
            }
        }
        out.push_str(rest);
        out
    }
}

#[cfg(test)]
mod tests {
    use crate::text::read;
    use skillkiln_document::markdown::write;

    fn written(source: &str) -> String {
        let document = read(source.to_owned());
        for block in &document.blocks {
            assert!(source.get(block.span.bytes.clone()).is_some());
        }
        write(&document.blocks)
    }

    #[test]
    fn markdown_with_code_and_sentences_beside_remarks_are_no_listing() {
        let code = "    // The kiln is lit.\n    fire(wood);\n    heat(kiln);\n".repeat(4);
        let text = written(&format!(
            "# Kiln for the web\n\nIt is *all* hot.\n\n## Start\n\n{code}"
        ));
        assert!(text.starts_with("# Kiln for the web\n"), "{text}");
        let prose = "The kiln is opened a day after it was lit.\n\n".repeat(30);
        let long = format!(
            "{}\n{prose}",
            "-- a remark\nfire(wood);\nheat(kiln);\n".repeat(700)
        );
        let text = written(&long);
        assert!(
            text.contains("\n\nThe kiln is opened a day after it was lit."),
            "{text}"
        );
    }

    #[test]
    fn a_long_line_of_marks_in_an_index_takes_no_time_for_each_of_them() {
        let text = written(&format!(
            "-- Hoogle documentation\n-- {}\n",
            "<".repeat(200_000)
        ));
        assert!(text.contains('<'));
    }

    #[test]
    fn what_is_said_with_two_colons_is_no_signature() {
        let text = written("Kiln :: Heat and fire\nOven :: Bread and cakes\n\nThey are hot.\n");
        assert!(!text.contains("```"), "{text}");
    }

    #[test]
    fn a_text_of_remarks_and_what_they_tell_of_is_one_listing() {
        for mark in ["--", "//", ";"] {
            let part = format!(
                "{mark} Lights the kiln, which takes a night of it.\n{mark} It is hot.\nfire(wood);\n\n"
            );
            let source = part.repeat(4);
            assert_eq!(
                written(&source),
                format!("```\n{}\n```\n", source.trim_end())
            );
        }
        let list = "-- Oak burns for a long time\n   and it is hot.\n-- Ash burns clean\n   and has no smoke.\n";
        assert!(!written(list).contains("```"), "{}", written(list));
    }

    #[test]
    fn the_index_of_a_package_is_its_modules_with_what_is_told_of_each() {
        let source = "-- Hoogle documentation, generated by Haddock\n\n\n-- | Kilns and <i>fire</i>.\n--   \n--   It has <a>heat</a> and <tt>a &lt;&amp;&gt; b</tt>.\n--   \n--   <ul>\n--   <li>oak</li>\n--   <li>ash</li>\n--   </ul>\n--   \n--   <pre>\n--   <a>heat</a> &gt; 9\n--   </pre>\n@package kiln\n@version 1.0\n\n\n-- | What is hot.\nmodule Kiln.Fire\n\n-- | Lights <a>it</a>.\nlight :: Wood -> Fire\ndata Fire\n\nmodule Kiln.Ash\ncold :: Ash\n";
        assert_eq!(
            written(source),
            "# kiln\n\nKilns and *fire*.\n\nIt has `heat` and `a <&> b`.\n\n- oak\n- ash\n\n```\nheat > 9\n```\n\n## `Kiln.Fire`\n\nWhat is hot.\n\n```haskell\n-- | Lights it.\nlight :: Wood -> Fire\ndata Fire\n```\n\n## `Kiln.Ash`\n\n```haskell\ncold :: Ash\n```\n"
        );
        assert_eq!(read(source.to_owned()).title.as_deref(), Some("kiln"));
    }

    #[test]
    fn signatures_and_remarks_over_them_are_code_among_words() {
        assert_eq!(
            written(
                "Kilns\n=====\n\nThere are two of them.\n\n-- | Lights it.\nlight :: Wood -> Fire\n\ncool :: Fire -> Ash\nheat :: Fire -> Int\n\nNobody -- not one -- has seen it.\n"
            ),
            "# Kilns\n\nThere are two of them.\n\n```\n-- | Lights it.\nlight :: Wood -> Fire\n```\n\n```\ncool :: Fire -> Ash\nheat :: Fire -> Int\n```\n\nNobody -- not one -- has seen it.\n"
        );
    }

    #[test]
    fn remarks_among_declarations_have_no_tags_and_those_of_modules_have_headings() {
        let source = "-- Hoogle documentation, generated by Haddock\n\n\n-- | Kilns.\n@package kiln\n@version 1.0\n\n\n-- | What is hot.\n--   \n--   <h3><b>When it is hot</b></h3>\n--   \n--   For example, this is not\n--   <i>without</i> a <tt>(1 &lt;= n)</tt> stop:\n--   \n--   <pre>\n--   n &gt; 1\n--   </pre>\n--   \n--   <h4>More</h4>\n--   \n--   It is.\nmodule Kiln.Fire\n\n-- | Lights <a>it</a>, as <tt>a &lt;&amp;&gt; \"b\"</tt> < 2 &c;\n--   \n--   <pre>\n--   &gt;&gt;&gt; light &quot;oak&quot;\n--   </pre>\n--   \n--   <ul>\n--   <li>oak</li>\n--   </ul>\nlight :: Wood -> Fire\n(<a>) :: Wood -> Fire\n";
        assert_eq!(
            written(source),
            "# kiln\n\nKilns.\n\n## `Kiln.Fire`\n\nWhat is hot.\n\n### When it is hot\n\nFor example, this is not *without* a `(1 <= n)` stop:\n\n```\nn > 1\n```\n\n#### More\n\nIt is.\n\n```haskell\n-- | Lights it, as a <&> \"b\" < 2 &c;\n--   \n--   >>> light \"oak\"\n--   \n--   * oak\nlight :: Wood -> Fire\n(<a>) :: Wood -> Fire\n```\n"
        );
    }
}
