//! Reads wikitext, the mark-up of MediaWiki, and what a wiki exports of its pages, by way of the page of HTML that it stands for.
//!
//! Templates live in the wiki and not in the text: those that only set words apart are shown as their words, all others are left out.

use crate::html;
use crate::markup::docbook::escape;
use crate::words::{WordList, words};
use crate::xml_tree::Tree;
use skillkiln_document::blocks::Document;

/// Templates and tables that stand deeper than this are text.
const DEPTH_MAX: usize = 24;
/// A link's end is looked for so far, in bytes.
const LINK_BYTES: usize = 4_000;
/// How far into a text its evidence is looked for, in bytes.
const HEAD_BYTES: usize = 16 << 10;
/// Templates that show their first argument in a face of code.
const CODE_TEMPLATES: [&str; 7] = ["code", "ic", "kbd", "mono", "tt", "samp", "cmd"];
/// Templates that show a listing.
const LISTING_TEMPLATES: [&str; 3] = ["bc", "hc", "pre"];
/// Templates that set a remark apart.
const REMARK_TEMPLATES: [&str; 5] = ["note", "tip", "warning", "important", "caution"];
/// Templates whose last argument is the words that are shown.
const WORD_TEMPLATES: [&str; 8] = [
    "lang", "nowrap", "em", "strong", "transl", "abbr", "literal", "nobr",
];
/// Elements of HTML that wikitext may hold.
static TAGS: WordList = words!(
    "abbr b big blockquote br code dd del div dl dt em hr i ins kbd li ol p s samp small span strike strong sub sup tt u ul"
);

/// Whether `text` is evidently wikitext: two of its marks that no other mark-up has.
pub(crate) fn is_mediawiki(text: &str) -> bool {
    let head = head_of(text);
    let lines = || head.lines().map(str::trim_end);
    let is_heading = |line: &str| line.starts_with("==") && line.ends_with("==") && line.len() > 5;
    let marks = [
        lines().any(is_heading),
        lines().any(|line| line.starts_with("{|")) && lines().any(|line| line == "|}"),
        head.contains("[[") && head.contains("]]"),
        head.matches("'''").count() >= 2,
        lines().any(|line| line.starts_with("{{") && line.contains("}}")),
    ];
    let strong = marks.iter().take(2).filter(|mark| **mark).count();
    strong >= 1 && marks.iter().filter(|mark| **mark).count() >= 2
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
    let articles = tree
        .root()
        .elements()
        .filter(|inner| inner.name() == "page");
    let pages: Vec<(String, String)> = articles
        .filter_map(|article| {
            let revision = article
                .elements()
                .filter(|inner| inner.name() == "revision")
                .last()?;
            let title = article
                .child("title")
                .map(|title| title.text())
                .unwrap_or_default();
            Some((title, revision.child("text")?.text()))
        })
        .collect();
    (!pages.is_empty()).then(|| page(&pages))
}

/// Pages of wikitext, each below its title, as one page of HTML.
fn page(pages: &[(String, String)]) -> String {
    let title = pages
        .first()
        .map(|(title, _)| escaped(title))
        .unwrap_or_default();
    let mut out = format!("<!DOCTYPE html><title>{title}</title><body>");
    for (title, text) in pages {
        if !title.is_empty() {
            out.push_str(&format!("<h1>{}</h1>", escaped(title)));
        }
        let mut writer = Writer::default();
        let text = prepared(text, &mut writer.apart);
        writer.lines(&text);
        writer.close();
        out.push_str(&writer.out);
    }
    out
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape(text, &mut out);
    out
}

/// What stands apart from the text until the text is written: an index into it stands between two of these.
const MARK: char = '\u{e000}';

/// `text` without comments, with templates expanded, and with what is quoted to the letter put into `apart`.
fn prepared(text: &str, apart: &mut Vec<String>) -> String {
    let mut out = String::with_capacity(text.len());
    // Where each open template begins in `out`.
    let mut open: Vec<usize> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['<', '{', '}', MARK]) {
        let (before, behind) = rest.split_at(at);
        out.push_str(before);
        let taken = if let Some(comment) = behind.strip_prefix("<!--") {
            comment.find("-->").map_or(behind.len(), |end| end + 7)
        } else if behind.starts_with('<') {
            set_apart(behind, apart, &mut out)
        } else if behind.starts_with("{{") && open.len() < DEPTH_MAX {
            open.push(out.len());
            out.push_str("{{");
            2
        } else if behind.starts_with("}}") && !open.is_empty() {
            let begin = open.pop().unwrap_or_default();
            let inner = out.split_off(begin);
            let shown = template(inner.get(2..).unwrap_or_default(), apart);
            out.push_str(&shown);
            2
        } else {
            let sign = behind.chars().next().unwrap_or(' ');
            if sign != MARK {
                out.push(sign);
            }
            sign.len_utf8()
        };
        rest = behind.get(taken..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// Elements whose content is no wikitext.
static QUOTED: WordList =
    words!("nowiki pre syntaxhighlight source math ref gallery timeline templatedata");

/// Puts the element that `behind` begins with into `apart` where it is one whose content is no wikitext; how many bytes were taken.
fn set_apart(behind: &str, apart: &mut Vec<String>, out: &mut String) -> usize {
    let name: String = behind
        .chars()
        .skip(1)
        .take_while(char::is_ascii_alphabetic)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let is_quoted = QUOTED.contains(&name.as_str());
    let Some(end) = behind.find('>').filter(|_| is_quoted) else {
        out.push('<');
        return 1;
    };
    let tag = behind.get(..end).unwrap_or_default();
    if tag.ends_with('/') {
        return end + 1;
    }
    let inner = behind.get(end + 1..).unwrap_or_default();
    let closing = format!("</{name}>");
    let Some(length) = find_ignoring_case(inner, &closing) else {
        return end + 1;
    };
    let words = inner.get(..length).unwrap_or_default();
    match name.as_str() {
        "nowiki" => kept(escaped(words), apart, out),
        "math" => kept(
            format!("<code>{}</code>", escaped(words.trim())),
            apart,
            out,
        ),
        "pre" | "syntaxhighlight" | "source" => {
            let language = attribute(tag, "lang").unwrap_or_default();
            let is_inline = tag.contains(" inline") && !words.contains('\n');
            kept(listing(words, language, is_inline), apart, out);
        }
        // What a text refers to is no part of its sentences, and pictures in rows hold no words.
        _ => {}
    }
    end + 1 + length + closing.len()
}

/// Where `needle`, in lower case, stands in `text`, whose letters may be of either case.
fn find_ignoring_case(text: &str, needle: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text.get(from..)?.find('<').map(|at| at + from) {
        let found = text.get(at..at + needle.len());
        if found.is_some_and(|found| found.eq_ignore_ascii_case(needle)) {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let behind = tag
        .split_once(&format!("{name}="))
        .map(|(_, behind)| behind)?;
    Some(
        behind
            .split(|c: char| c.is_whitespace() || c == '>')
            .next()?
            .trim_matches(['"', '\'']),
    )
}

fn listing(words: &str, language: &str, is_inline: bool) -> String {
    if is_inline {
        return format!("<code>{}</code>", escaped(words));
    }
    let language: String = language
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || "+#-".contains(*c))
        .collect();
    let words = words.trim_start_matches('\n').trim_end();
    format!(
        "<pre class=\"language-{language}\">{}</pre>",
        escaped(words)
    )
}

/// Puts `html` apart and its mark into the text.
fn kept(html: String, apart: &mut Vec<String>, out: &mut String) {
    out.push(MARK);
    out.push_str(&apart.len().to_string());
    out.push(MARK);
    apart.push(html);
}

/// What a template between its braces shows.
fn template(inner: &str, apart: &mut Vec<String>) -> String {
    let mut parts = inner.split('|');
    let name = parts.next().unwrap_or_default().trim().to_lowercase();
    let arguments: Vec<&str> = parts
        .map(|part| {
            let numbered = part
                .split_once('=')
                .filter(|(key, _)| key.trim().parse::<u8>().is_ok());
            numbered.map_or(part, |(_, value)| value)
        })
        .collect();
    // `|` within a code example is often not escaped.
    let joined = arguments.join("|");
    let mut out = String::new();
    match name.as_str() {
        "!" => out.push('|'),
        "=" => out.push('='),
        name if CODE_TEMPLATES.contains(&name) => {
            kept(
                format!("<code>{}</code>", escaped(joined.trim())),
                apart,
                &mut out,
            );
        }
        name if LISTING_TEMPLATES.contains(&name) => {
            let words = arguments.last().copied().unwrap_or_default();
            if name == "hc" && arguments.len() > 1 {
                let file = arguments.first().copied().unwrap_or_default();
                out.push_str(&format!("\n\n<code>{}</code>\n\n", file.trim()));
            }
            kept(listing(words, "", false), apart, &mut out);
        }
        name if REMARK_TEMPLATES.contains(&name) => {
            let opened = format!("<div class=\"admonition {name}\">");
            out.push_str("\n\n");
            kept(opened, apart, &mut out);
            out.push_str(&format!("\n{joined}\n"));
            kept("</div>".to_owned(), apart, &mut out);
            out.push_str("\n\n");
        }
        name if WORD_TEMPLATES.contains(&name) => {
            out.push_str(arguments.last().copied().unwrap_or_default())
        }
        _ => {}
    }
    out
}

#[derive(Default)]
struct Writer {
    out: String,
    apart: Vec<String>,
    /// The marks of the lists that are open.
    lists: String,
    paragraph: Vec<String>,
    code: Vec<String>,
    tables: Vec<Table>,
}

/// A table whose end was not reached.
#[derive(Default)]
struct Table {
    has_row: bool,
    cell: Option<&'static str>,
}

impl Writer {
    fn lines(&mut self, text: &str) {
        for line in text.lines() {
            self.line(line);
        }
    }

    fn line(&mut self, line: &str) {
        let trimmed = line.trim();
        let is_code = line.starts_with([' ', '\t'])
            && !trimmed.is_empty()
            && self.tables.is_empty()
            && self.paragraph.is_empty();
        if !is_code {
            self.end_code();
        }
        if trimmed.starts_with("{|") && self.tables.len() < DEPTH_MAX {
            self.close_blocks();
            self.out.push_str("<table>");
            self.tables.push(Table::default());
        } else if !self.tables.is_empty() && trimmed.starts_with("|}") {
            self.close_table();
        } else if !self.tables.is_empty() && trimmed.starts_with(['|', '!']) {
            self.table_line(trimmed);
        } else if trimmed.is_empty() {
            self.close_blocks();
        } else if let Some((level, words)) = heading(trimmed) {
            self.close_blocks();
            let words = self.inline(words);
            self.out.push_str(&format!("<h{level}>{words}</h{level}>"));
        } else if line.starts_with(['*', '#', ':', ';']) {
            self.item(trimmed);
        } else if trimmed.starts_with("----") {
            self.close_blocks();
            self.out.push_str("<hr>");
        } else if is_code {
            self.close_blocks();
            self.code.push(line.get(1..).unwrap_or_default().to_owned());
        } else if !trimmed.starts_with("__") && !trimmed.to_lowercase().starts_with("#redirect") {
            self.close_lists();
            let words = self.inline(trimmed);
            self.paragraph.push(words);
        }
    }

    /// A line of a list: `*` bullets, `#` numbers, `;` a term, `:` what it means.
    fn item(&mut self, line: &str) {
        self.end_paragraph();
        let marks: String = line
            .chars()
            .take_while(|c| "*#:;".contains(*c))
            .take(DEPTH_MAX)
            .collect();
        let words = line.get(marks.len()..).unwrap_or_default().trim();
        let alike = |a: char, b: char| a == b || (":;".contains(a) && ":;".contains(b));
        let same = self
            .lists
            .chars()
            .zip(marks.chars())
            .take_while(|(a, b)| alike(*a, *b))
            .count();
        self.close_lists_to(same);
        let mut last = marks.chars().last().unwrap_or(' ');
        if same == marks.len() {
            // One more item of a list that goes on.
            let before = self.lists.pop().unwrap_or(last);
            self.out.push_str(&tag_of(before).replace('<', "</"));
            self.out.push_str(tag_of(last));
            self.lists.push(last);
        }
        for mark in marks.chars().skip(same) {
            self.out.push_str(&list_of(mark).replace("</", "<"));
            self.out.push_str(tag_of(mark));
            self.lists.push(mark);
            last = mark;
        }
        let (words, meaning) = match words.split_once(" : ").filter(|_| last == ';') {
            Some((term, meaning)) => (term, Some(meaning)),
            None => (words, None),
        };
        let words = self.inline(words);
        self.out.push_str(&words);
        if let Some(meaning) = meaning {
            let meaning = self.inline(meaning);
            self.out.push_str(&format!("</dt><dd>{meaning}"));
            self.lists.pop();
            self.lists.push(':');
        }
    }

    /// Ends the lists below the outermost `depth`.
    fn close_lists_to(&mut self, depth: usize) {
        while self.lists.len() > depth {
            let mark = self.lists.pop().unwrap_or(' ');
            self.out.push_str(&tag_of(mark).replace('<', "</"));
            self.out.push_str(list_of(mark));
        }
    }

    fn close_lists(&mut self) {
        self.close_lists_to(0);
    }

    fn end_paragraph(&mut self) {
        if !self.paragraph.is_empty() {
            let words = std::mem::take(&mut self.paragraph).join("\n");
            self.out.push_str(&format!("<p>{words}</p>"));
        }
    }

    fn end_code(&mut self) {
        if !self.code.is_empty() {
            let lines = std::mem::take(&mut self.code).join("\n");
            // Emphasis within a listing is none.
            let text = lines.replace("'''", "").replace("''", "");
            let text = self.shown(&escaped(&text));
            self.out.push_str(&format!("<pre>{text}</pre>"));
        }
    }

    fn close_blocks(&mut self) {
        self.end_paragraph();
        self.close_lists();
    }

    fn close_cell(&mut self) {
        self.close_blocks();
        if let Some(tag) = self.tables.last_mut().and_then(|table| table.cell.take()) {
            self.out.push_str(&format!("</{tag}>"));
        }
    }

    fn close_table(&mut self) {
        self.close_cell();
        if self.tables.pop().is_some_and(|table| table.has_row) {
            self.out.push_str("</tr>");
        }
        self.out.push_str("</table>");
    }

    fn table_line(&mut self, line: &str) {
        self.close_cell();
        if let Some(caption) = line.strip_prefix("|+") {
            let words = self.inline(without_attributes(caption));
            self.out.push_str(&format!("<caption>{words}</caption>"));
            return;
        }
        let Some(table) = self.tables.last_mut() else {
            return;
        };
        if line.starts_with("|-") {
            if std::mem::take(&mut table.has_row) {
                self.out.push_str("</tr>");
            }
            return;
        }
        if !std::mem::replace(&mut table.has_row, true) {
            self.out.push_str("<tr>");
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
            self.close_cell();
            let spans: String = ["colspan", "rowspan"]
                .iter()
                .filter_map(|name| {
                    let (attributes, _) = cell.split_once('|')?;
                    let span: u8 = attribute(attributes, name)?.parse().ok()?;
                    Some(format!(" {name}={span}"))
                })
                .collect();
            let words = self.inline(without_attributes(cell).trim());
            self.out.push_str(&format!("<{tag}{spans}>"));
            self.paragraph.push(words);
            if let Some(table) = self.tables.last_mut() {
                table.cell = Some(tag);
            }
        }
    }

    /// Ends all that is open.
    fn close(&mut self) {
        self.end_code();
        self.close_blocks();
        while !self.tables.is_empty() {
            self.close_table();
        }
    }

    /// Running words as HTML.
    fn inline(&self, words: &str) -> String {
        let mut out = String::with_capacity(words.len());
        links(words, &mut out, 0);
        self.shown(&emphasis(&out))
    }

    /// `html` with what was set apart in the places of its marks.
    fn shown(&self, html: &str) -> String {
        let mut out = String::with_capacity(html.len());
        for (number, piece) in html.split(MARK).enumerate() {
            match piece.parse::<usize>().ok().filter(|_| number % 2 == 1) {
                Some(at) => out.push_str(self.apart.get(at).map_or("", String::as_str)),
                None => out.push_str(piece),
            }
        }
        out
    }
}

fn tag_of(mark: char) -> &'static str {
    match mark {
        ';' => "<dt>",
        ':' => "<dd>",
        _ => "<li>",
    }
}

fn list_of(mark: char) -> &'static str {
    match mark {
        '*' => "</ul>",
        '#' => "</ol>",
        _ => "</dl>",
    }
}

/// A line between marks of equality: its level and words.
fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|byte| *byte == b'=').count();
    let end = line.bytes().rev().take_while(|byte| *byte == b'=').count();
    let level = level.min(end).min(6);
    let words = line.get(level..line.len().checked_sub(level)?)?.trim();
    (level > 0 && !words.is_empty() && words.contains(|c| c != '=')).then_some((level, words))
}

/// A cell without the attributes before its bar.
fn without_attributes(cell: &str) -> &str {
    match cell.split_once('|') {
        Some((before, words)) if before.contains('=') && !before.contains(['[', '{', MARK]) => {
            words
        }
        _ => cell,
    }
}

/// `words` with links and elements as HTML, and everything else escaped.
fn links(words: &str, out: &mut String, depth: usize) {
    let mut rest = words;
    while let Some(at) = rest.find(['[', '<']) {
        let (before, behind) = rest.split_at(at);
        escape(before, out);
        let taken = if behind.starts_with("[[") {
            internal(behind, out, depth)
        } else if behind.starts_with('[') {
            external(behind, out)
        } else {
            element(behind, out)
        };
        let taken = taken.unwrap_or_else(|| {
            escape(behind.get(..1).unwrap_or_default(), out);
            1
        });
        rest = behind.get(taken..).unwrap_or_default();
    }
    escape(rest, out);
}

/// A link within the wiki, which is its words; how many bytes it takes.
fn internal(behind: &str, out: &mut String, depth: usize) -> Option<usize> {
    let mut open = 0usize;
    let bytes = behind.as_bytes();
    let mut at = 0;
    let end = loop {
        match bytes.get(at..at + 2)? {
            b"[[" => (open, at) = (open + 1, at + 2),
            b"]]" if open == 1 => break at,
            b"]]" => (open, at) = (open - 1, at + 2),
            _ => at += 1,
        }
        if at > LINK_BYTES {
            return None;
        }
    };
    let inner = behind.get(2..end)?;
    let (target, words) = inner.split_once('|').unwrap_or((inner, inner));
    let space = target
        .split_once(':')
        .map(|(space, _)| space.trim().to_lowercase());
    match space.as_deref() {
        // Pictures and what the page is filed under are no words of it; a picture's caption is.
        Some("file" | "image") => {
            let caption = words
                .rsplit('|')
                .next()
                .filter(|caption| caption.contains(' '));
            if let Some(caption) = caption.filter(|_| depth < DEPTH_MAX && words != inner) {
                out.push_str("<p>");
                links(caption, out, depth + 1);
                out.push_str("</p>");
            }
        }
        Some("category") => {}
        _ if depth < DEPTH_MAX => links(words.trim_start_matches(':'), out, depth + 1),
        _ => escape(words, out),
    }
    Some(end + 2)
}

/// A link out of the wiki: `[address words]`.
fn external(behind: &str, out: &mut String) -> Option<usize> {
    let window: &str = behind.get(..behind.len().min(LINK_BYTES)).unwrap_or(behind);
    let end = window.find(']')?;
    let inner = window.get(1..end)?;
    let (address, words) = inner.split_once(' ').unwrap_or((inner, inner));
    if !["http://", "https://", "//", "mailto:", "ftp://"]
        .iter()
        .any(|scheme| address.starts_with(scheme))
    {
        return None;
    }
    out.push_str(&format!("<a href=\"{}\">", escaped(address)));
    escape(words, out);
    out.push_str("</a>");
    Some(end + 1)
}

/// An element that wikitext may hold, as it stands; any other tag goes.
fn element(behind: &str, out: &mut String) -> Option<usize> {
    let window = behind.get(..behind.len().min(LINK_BYTES)).unwrap_or(behind);
    let end = window.find('>')?;
    let tag = window.get(..=end)?;
    let name: String = tag
        .trim_start_matches(['<', '/'])
        .chars()
        .take_while(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    if name.is_empty() {
        return None;
    }
    if TAGS.contains(&name.as_str()) {
        let slash = if tag.starts_with("</") { "/" } else { "" };
        out.push_str(&format!("<{slash}{name}>"));
    }
    Some(end + 1)
}

/// Quotes in twos, threes and fives as stress.
fn emphasis(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let (mut strong, mut stressed) = (false, false);
    let mut rest = html;
    let toggle = |tag: &str, is_on: &mut bool, out: &mut String| {
        out.push_str(&format!("<{}{tag}>", if *is_on { "/" } else { "" }));
        *is_on = !*is_on;
    };
    while let Some(at) = rest.find("''") {
        let (before, behind) = rest.split_at(at);
        out.push_str(before);
        let count = behind
            .bytes()
            .take_while(|byte| *byte == b'\'')
            .count()
            .min(5);
        match count {
            5 if strong && !stressed => {
                toggle("b", &mut strong, &mut out);
                toggle("i", &mut stressed, &mut out);
            }
            5 => {
                toggle("i", &mut stressed, &mut out);
                toggle("b", &mut strong, &mut out);
            }
            3 | 4 => {
                toggle("b", &mut strong, &mut out);
                out.push_str("'".repeat(count - 3).as_str());
            }
            _ => toggle("i", &mut stressed, &mut out),
        }
        rest = behind.get(count..).unwrap_or_default();
    }
    out.push_str(rest);
    if stressed {
        out.push_str("</i>");
    }
    if strong {
        out.push_str("</b>");
    }
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
        let text = "== Fire ==\nRun {{ic|kiln --lit}} now.<ref>{{cite book|title=Fire}}</ref>\n\n{{Infobox kiln\n| heat = 900\n}}\n{{Warning|Hot!}}\nMore words of the text.\n";
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
            "== A ==\n{}{}{}x\n",
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
