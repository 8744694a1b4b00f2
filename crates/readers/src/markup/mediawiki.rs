//! Reads wikitext, the mark-up of MediaWiki, and what a wiki exports of its pages, by way of the page of HTML that it stands for.
//!
//! Templates live in the wiki and not in the text: those that only set words apart are shown as their words, all others are left out.
//! What ends with whatever comes behind it (a paragraph, an item, a cell) is left to HTML's own rules.

use crate::html;
use crate::page::{escape, escaped};
use crate::words::{WordList, words};
use crate::xml_tree::Tree;
use skillkiln_document::blocks::Document;

/// Templates, links and tables that stand deeper than this are text.
const DEPTH_MAX: usize = 24;
/// A link's end is looked for so far, in bytes.
const LINK_BYTES: usize = 4_000;
/// How far into a text its evidence is looked for, in bytes.
const HEAD_BYTES: usize = 16 << 10;
/// Elements of HTML that wikitext may hold.
static TAGS: WordList = words!(
    "abbr b big blockquote br code dd del div dl dt em hr i ins kbd li ol p s samp small span strike strong sub sup tt u ul"
);
/// Elements whose content is no wikitext.
static QUOTED: WordList =
    words!("nowiki pre syntaxhighlight source math ref gallery timeline templatedata");

/// Whether `text` is evidently wikitext: two of its marks that no other mark-up has.
pub(crate) fn is_mediawiki(text: &str) -> bool {
    let head = head_of(text);
    let any = |is: &dyn Fn(&str) -> bool| head.lines().any(|line| is(line.trim_end()));
    let strong = [
        any(&|line| line.starts_with("==") && line.ends_with("==") && line.len() > 5),
        any(&|line| line.starts_with("{|")) && any(&|line| line == "|}"),
    ];
    let weak = [
        head.contains("[[") && head.contains("]]"),
        head.matches("'''").count() >= 2,
        any(&|line| line.starts_with("{{") && line.contains("}}")),
    ];
    let marks = strong.iter().chain(&weak).filter(|mark| **mark).count();
    strong.contains(&true) && marks >= 2
}

/// The beginning of a text.
fn head_of(text: &str) -> &str {
    text.get(..text.floor_char_boundary(HEAD_BYTES))
        .unwrap_or_default()
}

/// Reads wikitext.
pub(crate) fn read(text: &str) -> Document {
    html::read_whole(&page(&[(String::new(), text.to_owned())]))
}

/// The page of HTML that an export of a wiki stands for; `None` where `text` is none.
pub(crate) fn exported(text: &str) -> Option<String> {
    if !head_of(text).contains("<mediawiki") {
        return None;
    }
    let tree = Tree::read(text.as_bytes())?;
    let articles = tree.root().all("page").filter_map(|article| {
        let text = article.all("revision").last()?.child("text")?.text();
        Some((article.child("title")?.text(), text))
    });
    let pages: Vec<(String, String)> = articles.collect();
    (!pages.is_empty()).then(|| page(&pages))
}

/// Pages of wikitext, each below its title, as one page of HTML.
fn page(pages: &[(String, String)]) -> String {
    let title = pages.first().map_or("", |(title, _)| title);
    let mut writer = Writer::default();
    for (title, text) in pages {
        if !title.is_empty() {
            let title = escaped(title);
            writer.out.push_str(&format!("<h1>{title}</h1>"));
        }
        let text = prepared(text, &mut writer.apart);
        text.lines().for_each(|line| writer.line(line));
        writer.close_blocks();
        writer.out.push_str(&"</table>".repeat(writer.tables));
        writer.tables = 0;
    }
    let (title, body) = (escaped(title), shown(&writer.out, &writer.apart));
    format!("<!DOCTYPE html><title>{title}</title><body>{body}")
}

/// What stands apart from the text until the page is written: an index into it stands between two of these.
const MARK: char = '\u{e000}';

/// Puts `html` apart; the mark for its place.
fn kept(html: &str, apart: &mut Vec<String>) -> String {
    let html = shown(html, apart);
    apart.push(html);
    format!("{MARK}{}{MARK}", apart.len() - 1)
}

/// `html` with what was set apart in the places of its marks.
fn shown(html: &str, apart: &[String]) -> String {
    let pieces = html.split(MARK).enumerate().map(|(number, piece)| {
        let at = piece.parse::<usize>().ok().filter(|_| number % 2 == 1);
        at.and_then(|at| apart.get(at))
            .map_or(piece, String::as_str)
    });
    pieces.collect()
}

/// `text` without comments, with templates expanded and links within the wiki as their words, and with what is quoted to the letter
/// put into `apart`.
fn prepared(text: &str, apart: &mut Vec<String>) -> String {
    let mut out = String::with_capacity(text.len());
    // The templates and links that are open, and where each begins in `out`.
    let mut open: Vec<(&str, usize)> = Vec::new();
    let mut unclosed = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['<', '{', '}', '[', ']', MARK]) {
        let (before, behind) = rest.split_at(at);
        out.push_str(before);
        let sign = behind.get(..2).unwrap_or_default();
        open.retain(|(sign, at)| *sign == "{{" || out.len() - at < LINK_BYTES);
        let opening = match sign {
            "}}" => open.iter().rposition(|(sign, _)| *sign == "{{"),
            "]]" => open.iter().rposition(|(sign, _)| *sign == "[["),
            _ => None,
        };
        let taken = if let Some(comment) = behind.strip_prefix("<!--") {
            comment.find("-->").map_or(behind.len(), |end| end + 7)
        } else if behind.starts_with('<') {
            set_apart(behind, apart, &mut unclosed, &mut out)
        } else if matches!(sign, "{{" | "[[") {
            if open.len() < DEPTH_MAX {
                open.push((sign, out.len()));
            }
            out.push_str(sign);
            2
        } else if let Some((_, begin)) = opening.and_then(|at| open.drain(at..).next()) {
            let inner = out.split_off(begin);
            let inner = inner.get(2..).unwrap_or_default();
            out.push_str(&match sign {
                "}}" => template(inner, apart),
                _ => internal(inner, apart),
            });
            2
        } else {
            let sign = behind.chars().next().unwrap_or(' ');
            out.extend(Some(sign).filter(|sign| *sign != MARK));
            sign.len_utf8()
        };
        rest = behind.get(taken..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// Puts the element that `behind` begins with into `apart` where it is one whose content is no wikitext; how many bytes were taken.
/// `unclosed` are the ends that were not found, which are looked for once.
fn set_apart(
    behind: &str,
    apart: &mut Vec<String>,
    unclosed: &mut Vec<String>,
    out: &mut String,
) -> usize {
    let inner = behind.get(1..).unwrap_or_default();
    let end = inner.find(|c: char| !c.is_ascii_alphabetic());
    let spelled = inner.get(..end.unwrap_or(0)).unwrap_or_default();
    let name = spelled.to_ascii_lowercase();
    let is_quoted = QUOTED.contains(&name.as_str());
    let Some((tag, inner)) = inner.split_once('>').filter(|_| is_quoted) else {
        out.push('<');
        return 1;
    };
    let closing = format!("</{spelled}>");
    let is_open = !tag.ends_with('/') && !unclosed.contains(&closing);
    let end = is_open.then(|| inner.find(&closing)).flatten();
    let Some(words) = end.and_then(|end| inner.get(..end)) else {
        unclosed.extend(is_open.then_some(closing));
        return tag.len() + 2;
    };
    let is_inline = name == "math" || tag.contains(" inline") && !words.contains('\n');
    let html = match name.as_str() {
        "nowiki" => escaped(words),
        "math" | "pre" | "syntaxhighlight" | "source" if is_inline => {
            format!("<code>{}</code>", escaped(words.trim()))
        }
        "pre" | "syntaxhighlight" | "source" => listing(words, attribute(tag, "lang")),
        // What a text refers to is no part of its sentences, and pictures in rows hold no words.
        _ => String::new(),
    };
    out.push_str(&kept(&html, apart));
    tag.len() + 2 + words.len() + closing.len()
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, behind) = tag.split_once(&format!("{name}="))?;
    let value = behind.split(|c: char| c.is_whitespace() || c == '>').next();
    value.map(|value| value.trim_matches(['"', '\'']))
}

fn listing(words: &str, language: Option<&str>) -> String {
    let language = language.unwrap_or_default();
    let language = language.replace(
        |c: char| !c.is_ascii_alphanumeric() && !"+#-".contains(c),
        "",
    );
    let words = escaped(words.trim_start_matches('\n').trim_end());
    format!("<pre class=\"language-{language}\">{words}</pre>")
}

/// What a template between its braces shows.
fn template(inner: &str, apart: &mut Vec<String>) -> String {
    let mut parts = inner.split('|');
    let name = parts.next().unwrap_or_default().trim().to_lowercase();
    let numbered = parts.map(|part| match part.split_once('=') {
        Some((key, value)) if key.trim().parse::<u8>().is_ok() => value,
        _ => part,
    });
    let arguments: Vec<&str> = numbered.collect();
    let last = arguments.last().copied().unwrap_or_default();
    // `|` within a code example is often not escaped.
    let joined = arguments.join("|");
    match name.as_str() {
        "!" => "|".to_owned(),
        "=" => "=".to_owned(),
        "code" | "ic" | "kbd" | "mono" | "tt" | "samp" | "cmd" => {
            kept(&format!("<code>{}</code>", escaped(joined.trim())), apart)
        }
        "bc" | "pre" => kept(&listing(last, None), apart),
        "hc" => {
            let file = arguments.first().copied().unwrap_or_default().trim();
            let listing = kept(&listing(last, None), apart);
            format!("\n\n<code>{file}</code>\n\n{listing}")
        }
        "note" | "tip" | "warning" | "important" | "caution" => {
            let begin = kept(&format!("<div class=\"admonition {name}\">"), apart);
            format!("\n\n{begin}\n{joined}\n{}\n\n", kept("</div>", apart))
        }
        "lang" | "nowrap" | "em" | "strong" | "transl" | "abbr" | "literal" | "nobr" => {
            last.to_owned()
        }
        _ => String::new(),
    }
}

/// The words of a link within the wiki. Pictures and what the page is filed under are no words of it; a picture's caption is.
fn internal(inner: &str, apart: &mut Vec<String>) -> String {
    let (target, words) = inner.split_once('|').unwrap_or((inner, inner));
    let space = target.split_once(':').map(|(space, _)| space.trim());
    match space.map(str::to_lowercase).as_deref() {
        Some("category") => String::new(),
        Some("file" | "image") => {
            let caption = words.rsplit('|').next().filter(|_| target != inner);
            let caption = caption.filter(|caption| caption.contains(' '));
            let html = caption.map(|caption| format!("<p>{}</p>", inline(caption)));
            html.map_or_else(String::new, |html| kept(&html, apart))
        }
        _ => kept(&inline(words.trim_start_matches(':')), apart),
    }
}

#[derive(Default)]
struct Writer {
    out: String,
    apart: Vec<String>,
    /// The marks of the lists that are open.
    lists: String,
    /// The tables that are open.
    tables: usize,
    /// The tag of the paragraph or listing whose lines are being read.
    open: &'static str,
}

impl Writer {
    fn line(&mut self, line: &str) {
        let words = line.trim();
        let is_fixed =
            line.starts_with([' ', '\t']) && !words.is_empty() && !words.starts_with("{|");
        if is_fixed && self.tables == 0 && self.open != "<p>" {
            self.begin("<pre>");
            // Emphasis within a listing is none.
            let code = line.get(1..).unwrap_or_default();
            let code = code.replace("'''", "").replace("''", "");
            escape(&code, &mut self.out);
            self.out.push('\n');
            return;
        }
        self.end("<pre>");
        if words.starts_with("{|") && self.tables < DEPTH_MAX {
            self.close_blocks();
            self.out.push_str("<table>");
            self.tables += 1;
        } else if self.tables > 0 && words.starts_with("|}") {
            self.close_blocks();
            self.out.push_str("</table>");
            self.tables -= 1;
        } else if self.tables > 0 && words.starts_with(['|', '!']) {
            self.close_blocks();
            self.table_line(words);
        } else if words.is_empty() {
            self.close_blocks();
        } else if let Some((level, words)) = heading(words) {
            self.close_blocks();
            let words = inline(words);
            self.out.push_str(&format!("<h{level}>{words}</h{level}>"));
        } else if words.starts_with("__") || words.to_lowercase().starts_with("#redirect") {
            // What only tells the wiki how to show the page.
        } else if line.starts_with(['*', '#', ':', ';']) {
            self.item(words);
        } else if words.starts_with("----") {
            self.close_blocks();
            self.out.push_str("<hr>");
        } else {
            self.begin("<p>");
            self.out.push_str(&inline(words));
            self.out.push('\n');
        }
    }

    /// A line of a list: `*` bullets, `#` numbers, `;` a term, `:` what it means.
    fn item(&mut self, line: &str) {
        self.end("<p>");
        let words = line.trim_start_matches(['*', '#', ':', ';']);
        let marks = line.get(..line.len() - words.len()).unwrap_or_default();
        let marks = marks.get(..marks.len().min(DEPTH_MAX)).unwrap_or_default();
        let alike = |(a, b): &(char, char)| list_of(*a) == list_of(*b);
        let both = self.lists.chars().zip(marks.chars());
        let same = both.take_while(alike).count();
        self.close_lists(same);
        // The last item of a list that goes on is another one.
        let kept = same.min(marks.len().saturating_sub(1));
        self.lists.truncate(kept);
        for (at, mark) in marks.chars().enumerate().skip(kept) {
            if at >= same {
                self.out.push_str(&format!("<{}>", list_of(mark)));
            }
            self.out.push_str(match mark {
                ';' => "<dt>",
                ':' => "<dd>",
                _ => "<li>",
            });
            self.lists.push(mark);
        }
        match words.split_once(" : ").filter(|_| marks.ends_with(';')) {
            Some((term, meaning)) => {
                let (term, meaning) = (inline(term.trim()), inline(meaning.trim()));
                self.out.push_str(&format!("{term}<dd>{meaning}"));
            }
            None => self.out.push_str(&inline(words.trim())),
        }
    }

    /// A line of a table: its caption, the beginning of a row, or cells.
    fn table_line(&mut self, line: &str) {
        if let Some(caption) = line.strip_prefix("|+") {
            let (_, caption) = with_attributes(caption);
            let words = inline(caption);
            self.out.push_str(&format!("<caption>{words}</caption>"));
            return;
        }
        if line.starts_with("|-") {
            self.out.push_str("<tr>");
            return;
        }
        let is_head = line.starts_with('!');
        let tag = if is_head { "th" } else { "td" };
        let cells = line.get(1..).unwrap_or_default();
        let cells = if is_head {
            cells.replace("!!", "||")
        } else {
            cells.to_owned()
        };
        for cell in cells.split("||") {
            let (attributes, words) = with_attributes(cell);
            self.out.push_str(&format!("<{tag}"));
            for name in ["colspan", "rowspan"] {
                let span = attribute(attributes, name).and_then(|span| span.parse::<u8>().ok());
                if let Some(span) = span {
                    self.out.push_str(&format!(" {name}={span}"));
                }
            }
            self.out
                .push_str(&format!("><p>{}\n", inline(words.trim())));
            self.open = "<p>";
        }
    }

    /// Goes on with a paragraph or a listing, or begins it.
    fn begin(&mut self, tag: &'static str) {
        if self.open != tag {
            self.close_blocks();
            self.out.push_str(tag);
            self.open = tag;
        }
    }

    /// Ends the paragraph or the listing that is open.
    fn end(&mut self, tag: &str) {
        if self.open == tag {
            self.out.push_str(&tag.replace('<', "</"));
            self.open = "";
        }
    }

    fn close_blocks(&mut self) {
        self.end(self.open);
        self.close_lists(0);
    }

    /// Ends the lists below the outermost `depth`.
    fn close_lists(&mut self, depth: usize) {
        while self.lists.len() > depth {
            let list = list_of(self.lists.pop().unwrap_or_default());
            self.out.push_str(&format!("</{list}>"));
        }
    }
}

fn list_of(mark: char) -> &'static str {
    match mark {
        '*' => "ul",
        '#' => "ol",
        _ => "dl",
    }
}

/// A line between marks of equality: its level and words.
fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.len() - line.trim_start_matches('=').len();
    let end = line.len() - line.trim_end_matches('=').len();
    let level = level.min(end).min(6);
    let words = line.get(level..line.len().checked_sub(level)?)?.trim();
    (level > 0 && words.contains(|c| c != '=')).then_some((level, words))
}

/// The attributes before a cell's bar, and its words.
fn with_attributes(cell: &str) -> (&str, &str) {
    let parts = cell.split_once('|');
    parts
        .filter(|(before, _)| before.contains('=') && !before.contains(['[', '{', MARK]))
        .unwrap_or(("", cell))
}

/// Running words with stress, links and elements as HTML, and everything else escaped.
fn inline(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    let mut rest = words;
    while let Some(at) = rest.find(['[', '<']) {
        let (before, behind) = rest.split_at(at);
        escape(before, &mut out);
        let near = behind.get(..behind.floor_char_boundary(LINK_BYTES));
        let inner = near.and_then(|near| near.get(1..)).unwrap_or_default();
        let (html, inner) = match behind.starts_with('[') {
            true => inner
                .split_once(']')
                .map(|(inner, _)| (external(inner), inner)),
            false => inner
                .split_once('>')
                .map(|(inner, _)| (element(inner), inner)),
        }
        .unwrap_or_default();
        let taken = match html {
            Some(html) => {
                out.push_str(&html);
                inner.len() + 2
            }
            None => {
                escape(behind.get(..1).unwrap_or_default(), &mut out);
                1
            }
        };
        rest = behind.get(taken..).unwrap_or_default();
    }
    escape(rest, &mut out);
    emphasis(&out)
}

/// A link out of the wiki: `address words`.
fn external(inner: &str) -> Option<String> {
    let (address, words) = inner.split_once(' ').unwrap_or((inner, inner));
    let mut schemes = ["http://", "https://", "//", "mailto:", "ftp://"].iter();
    let is_address = schemes.any(|scheme| address.starts_with(scheme));
    is_address.then(|| format!("<a href=\"{}\">{}</a>", escaped(address), escaped(words)))
}

/// An element that wikitext may hold, as it stands; nothing for any other tag.
fn element(inner: &str) -> Option<String> {
    let bare = inner.trim_start_matches('/');
    let name = bare.split(|c: char| !c.is_ascii_alphanumeric()).next()?;
    let name = Some(name.to_ascii_lowercase()).filter(|name| !name.is_empty())?;
    let slash = if inner.starts_with('/') { "/" } else { "" };
    Some(match TAGS.contains(&name.as_str()) {
        true => format!("<{slash}{name}>"),
        false => String::new(),
    })
}

/// Quotes in twos, threes and fives as stress.
fn emphasis(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find("''") {
        let (before, behind) = rest.split_at(at);
        out.push_str(before);
        let count = behind.len() - behind.trim_start_matches('\'').len();
        let count = count.min(5);
        let tags: &[&str] = match count {
            2 => &["i"],
            3 | 4 => &["b"],
            _ if open.last() == Some(&"b") => &["b", "i"],
            _ => &["i", "b"],
        };
        for tag in tags {
            let is_open = open.contains(tag);
            out.push_str(&format!("<{}{tag}>", if is_open { "/" } else { "" }));
            match is_open {
                true => open.retain(|own| own != tag),
                false => open.push(tag),
            }
        }
        if count == 4 {
            out.push('\'');
        }
        rest = behind.get(count..).unwrap_or_default();
    }
    out.push_str(rest);
    out.extend(open.iter().rev().map(|tag| format!("</{tag}>")));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::markdown::write;

    fn shown(text: &str) -> String {
        write(&read(text).blocks)
    }

    #[test]
    fn the_source_of_a_wiki_page_keeps_its_headings_lists_listing_and_table() {
        let text = "Shelves are '''washed''' before each [[glaze|glazing]].\n\n== Washing ==\n# Stir.\n# Brush.\n\n\
                    <syntaxhighlight lang=\"bash\">\nkiln --preheat 120\n</syntaxhighlight>\n\n=== Tools ===\n* a brush\n** a ''wide'' one\n* a sponge\n\n\
                    {| class=\"wikitable\"\n! Coat !! Minutes\n|-\n| first || 10\n|-\n| second\n| 20\n|}\n[[Category:Shelves]]\n";
        assert_eq!(
            shown(text),
            "Shelves are **washed** before each glazing.\n\n## Washing\n\n1. Stir.\n2. Brush.\n\n\
             ```bash\nkiln --preheat 120\n```\n\n### Tools\n\n- a brush\n  - a *wide* one\n- a sponge\n\n\
             | Coat | Minutes |\n| --- | --- |\n| first | 10 |\n| second | 20 |\n"
        );
    }

    #[test]
    fn templates_show_code_and_remarks_and_no_citation() {
        let text = "== Fire ==\nRun {{ic|<nowiki>kiln --lit</nowiki>}} now.<ref>{{cite book|title=Fire}}</ref>\n\n{{Infobox kiln\n| heat = 900\n}}\n{{Warning|Hot!}}\nMore words of the text.\n";
        let shown = shown(text);
        assert!(shown.contains("Run `kiln --lit` now.\n"), "{shown}");
        assert!(
            shown.contains("Hot!") && !shown.contains("Infobox") && !shown.contains("cite"),
            "{shown}"
        );
    }

    #[test]
    fn brackets_and_braces_without_an_end_are_text_and_cost_little() {
        let text = format!(
            "== A ==\n{}{}{}{}x\n",
            "<ref>".repeat(20_000),
            "{{".repeat(20_000),
            "[[".repeat(20_000),
            "''".repeat(20_001)
        );
        assert!(shown(&text).contains("# A"));
    }

    #[test]
    fn an_export_of_a_wiki_is_its_pages_below_their_titles() {
        let text = "<mediawiki xmlns=\"http://www.mediawiki.org/xml/export-0.11/\"><page><title>Shelf</title><revision><text>Old.</text></revision>\
                    <revision><text xml:space=\"preserve\">A '''shelf''' holds ware.</text></revision></page></mediawiki>";
        let page = exported(text).expect("an export");
        let document = html::read_whole(&page);
        assert_eq!(
            write(&document.blocks),
            "# Shelf\n\nA **shelf** holds ware.\n"
        );
    }
}
