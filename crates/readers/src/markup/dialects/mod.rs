//! Rewrites what dialects of Markdown add (admonitions of Docusaurus, VitePress, MkDocs, MyST and Obsidian, components of MDX,
//! shortcodes of Hugo, attributes of Kramdown, tables, drawings) and the turns of a conversation into what every reader of Markdown
//! knows, line by line, so that spans can be put back.

mod attributes;
pub(super) mod components;
mod drawings;
pub(super) mod fences;
mod notes;
mod shortcodes;
mod tables;
mod typed;

use crate::derived::Derived;
use crate::markup::lines::{self, Line};
use crate::text::turns;
use components::{begins_component, component, component_around};
use fences::{directive, hides, hides_by_setting, is_frame, is_option, named_file, names_file};
use notes::Parted;
use shortcodes::with_shortcodes;
use std::collections::{HashMap, HashSet};
use tables::{cells, is_ruler, narrowed};

/// Admonitions within admonitions that are kept.
const DEPTH_MAX: usize = 8;
/// What opens a comment of MDX, and what ends it.
const COMMENT_START: &str = "{/*";
const COMMENT_END: &str = "*/}";
/// An item of a list is not longer, in lines.
const ITEM_LINES_MAX: usize = 60;
/// A label before words is not longer, in bytes.
const LABEL_BYTES_MAX: usize = 60;

/// What is open around a line.
#[derive(Debug)]
enum Open {
    /// `:::` with so many colons; whether it is quoted.
    Colons { count: usize, quoted: bool },
    /// `!!!` and `===`: everything that is indented by this much.
    Indented { columns: usize, quoted: bool },
    /// A component or shortcode, up to its end.
    Named { name: String, quoted: bool },
}

impl Open {
    fn quoted(&self) -> bool {
        match self {
            Self::Colons { quoted, .. }
            | Self::Indented { quoted, .. }
            | Self::Named { quoted, .. } => *quoted,
        }
    }
}

/// `body`, which stands at `offset` in the source, rewritten; `None` when there is nothing to rewrite.
pub(super) fn rewritten(body: &str, offset: usize) -> Option<Derived> {
    let turns = turns::in_markdown(body);
    let needs = [
        "```{", "~~~{", ":::", "!!! ", "??? ", "???+ ", "=== \"", "{{<", "{{%", "{{#", "> [!",
        "import ", "export ", "<!--", "{/*", "{% ", "[[", "<<<", "{:", "--8<--", ")!", "\n**",
        "\n`",
    ]
    .iter()
    .any(|mark| body.contains(mark))
        || body.contains('|')
        || drawings::may_be_in(body)
        || !turns.is_empty()
        || body
            .lines()
            .any(|line| begins_component(line.trim_start()) || names_file(line));
    if !needs {
        return None;
    }
    let Parted {
        lines,
        firsts,
        broken,
    } = Parted::of(lines::lines_of(body));
    let turns = turns.into_iter();
    let turns = turns.filter_map(|(at, turn)| Some((*firsts.get(at)?, turn)));
    let turns = turns.collect();
    let mut writer = Writer {
        derived: Derived::default(),
        offset,
        open: Vec::new(),
        fence: None,
        is_hidden: false,
        is_noted: false,
        closed: None,
        columns: 0,
        broken,
        turns,
        lines: &lines,
        at: 0,
        taken: 0,
        is_unclosed: false,
        changed: false,
    };
    for (at, line) in lines.iter().enumerate() {
        if at < writer.taken {
            continue;
        }
        writer.at = at;
        writer.line(
            line,
            lines.get(at + 1),
            at.checked_sub(1).and_then(|before| lines.get(before)),
        );
    }
    writer.changed.then_some(writer.derived)
}

struct Writer<'t> {
    derived: Derived,
    offset: usize,
    open: Vec<Open>,
    /// The mark and length of the fence that is open.
    fence: Option<(char, usize)>,
    /// Whether what stands in it is not shown by the program that builds the page.
    is_hidden: bool,
    /// Whether notes to its lines stand below it.
    is_noted: bool,
    /// Where the fence ends whose end was looked for last, which holds for all of its kind up to there.
    closed: Option<((char, usize), Option<usize>)>,
    /// The columns of the table whose rows may come, or 0.
    columns: usize,
    /// The lines that end where their writer ended them.
    broken: HashSet<usize>,
    /// How the lines that begin a turn are written, and the words behind that.
    turns: HashMap<usize, (String, &'t str)>,
    lines: &'t [Line<'t>],
    /// The number of the line that is read.
    at: usize,
    /// Up to which line all is read already.
    taken: usize,
    /// Whether a comment of MDX has no end, and none behind it either.
    is_unclosed: bool,
    changed: bool,
}

impl Writer<'_> {
    fn prefix(&self) -> String {
        "> ".repeat(self.open.iter().filter(|open| open.quoted()).count())
    }

    fn write(&mut self, line: &Line<'_>) {
        let prefix = self.prefix();
        self.derived
            .line(&prefix, self.offset + line.start, line.text);
    }

    /// A line of ours, which stands for `line`.
    fn ours(&mut self, words: &str, line: &Line<'_>) {
        self.changed = true;
        let before = format!("{}{words}", self.prefix());
        self.derived.line(&before, self.offset + line.start, "");
    }

    fn blank(&mut self, line: &Line<'_>) {
        let prefix = self.prefix();
        self.changed = true;
        self.derived
            .line(prefix.trim_end(), self.offset + line.start, "");
    }

    /// Opens an admonition; its title stays on the line of its class.
    fn admonition(&mut self, open: Open, class: &str, title: &str, line: &Line<'_>) {
        self.blank(line);
        self.open.push(open);
        let space = if title.is_empty() { "" } else { " " };
        self.ours(&format!("[!{class}]{space}{title}"), line);
        self.blank(line);
    }

    fn line(&mut self, line: &Line<'_>, next: Option<&Line<'_>>, before: Option<&Line<'_>>) {
        let mut line = *line;
        // What is indented ends with the first line that is not.
        while let Some(Open::Indented { columns, .. }) = self.open.last() {
            if line.is_blank() || line.indent() >= *columns {
                break;
            }
            self.open.pop();
            self.fence = None;
            self.is_hidden = false;
            self.blank(&line);
        }
        let cut: usize = self
            .open
            .iter()
            .map(|open| {
                if let Open::Indented { columns, .. } = open {
                    *columns
                } else {
                    0
                }
            })
            .max()
            .unwrap_or(0);
        if cut > 0 {
            line = line.dedent(cut);
            self.changed = true;
        }
        let words = line.words();
        if words.is_empty() || ends_table(words) {
            self.columns = 0;
        }
        if let Some(fence) = self.fence {
            let is_hidden = self.is_hidden;
            if fences::ends(words, fence) {
                self.fence = None;
                self.is_hidden = false;
                self.is_noted = false;
            }
            if is_hidden {
                self.blank(&line);
                return;
            }
            // A shortcode ends what a shortcode began.
            if words.starts_with("{{") && (words.contains("/highlight") || words.contains("/code"))
            {
                self.fence = None;
                self.ours("```", &line);
                return;
            }
            if self.is_noted
                && let Some(code) = attributes::with_number(line.text)
            {
                line.text = code;
                self.changed = true;
            }
            self.write(&line);
            return;
        }
        if let Some((mark, run)) = fences::opening(words) {
            self.fence = Some((mark, run));
            self.columns = 0;
            let info = words.get(run..).unwrap_or("").trim();
            let end = self.closing(mark, run);
            if let Some(end) = end {
                let inside = self.lines.get(self.at + 1..end).unwrap_or_default();
                let mut inside = inside.iter().filter(|line| !line.is_blank()).peekable();
                // What is put there stands elsewhere.
                if inside.peek().is_some() && inside.all(|line| attributes::puts_in(line.words())) {
                    self.fence = None;
                    self.taken = end + 1;
                    self.blank(&line);
                    return;
                }
                let below = self.lines.get(end + 1..).unwrap_or_default();
                let next = below.iter().find(|line| !line.is_blank());
                self.is_noted = next.is_some_and(|next| next.words().starts_with("1. "));
            }
            let is_chunk = info.starts_with('{');
            let is_hidden = || hides(info) || self.settings().any(hides_by_setting);
            if is_chunk && is_hidden() && end.is_some() {
                self.is_hidden = true;
                self.blank(&line);
                return;
            }
            if let Some((class, title)) = directive(info) {
                // MyST writes admonitions as fences.
                if is_class(class) && self.open.len() < DEPTH_MAX {
                    self.fence = None;
                    self.admonition(
                        Open::Named {
                            name: mark.to_string().repeat(run),
                            quoted: true,
                        },
                        class,
                        title,
                        &line,
                    );
                    self.skip_options();
                    return;
                }
                if is_frame(class) && self.open.len() < DEPTH_MAX && end.is_some() {
                    self.fence = None;
                    self.blank(&line);
                    if title.contains(char::is_alphabetic) {
                        let indent = " ".repeat(line.indent());
                        self.ours(&format!("{indent}**{title}**"), &line);
                        self.blank(&line);
                    }
                    let name = mark.to_string().repeat(run);
                    self.open.push(Open::Named {
                        name,
                        quoted: false,
                    });
                    self.skip_options();
                    return;
                }
                let language =
                    if matches!(class, "code-block" | "code" | "code-cell" | "sourcecode") {
                        title
                    } else {
                        class
                    };
                self.ours(
                    &format!("{}{language}", mark.to_string().repeat(run)),
                    &line,
                );
                self.skip_settings();
                return;
            }
            if is_chunk {
                self.write(&line);
                self.skip_settings();
                return;
            }
            if let Some(name) = named_file(info) {
                let indent = " ".repeat(line.indent());
                self.blank(&line);
                self.ours(&format!("{indent}{name}"), &line);
                self.blank(&line);
            }
            // The end of a fence that was opened as an admonition.
            if info.is_empty() && self.close_named(words, &line) {
                self.fence = None;
                return;
            }
            self.write(&line);
            return;
        }
        if line.indent() >= 4 && cut == 0 && !words.starts_with([':', '!', '?']) {
            self.write(&line);
            return;
        }
        if cut == 0 && self.drawing() || self.rewrite(words, &line, next, before) {
            return;
        }
        // `## Title {/*anchor*/}`
        if let Some((kept, comment)) = line.text.split_once("{/*")
            && let Some(inner) = comment.trim_end().strip_suffix("*/}")
            && !inner.contains("*/}")
            && kept.bytes().filter(|byte| *byte == b'`').count() % 2 == 0
        {
            line.text = kept.trim_end();
            self.changed = true;
        }
        // Further in, it is code.
        if line.indent() < 4
            && let Some(kept) = attributes::without(line.text)
        {
            line.text = kept;
            self.changed = true;
        }
        if self.is_label_below_item(&line) {
            self.blank(&line);
        }
        let broken = self
            .broken
            .contains(&self.at)
            .then(|| format!("{}  ", line.text));
        match with_shortcodes(line.text).or(broken) {
            Some(shown) => {
                let (prefix, start) = (self.prefix(), self.offset + line.start);
                self.changed = true;
                self.derived
                    .instead(&prefix, start, line.text.len(), &shown);
            }
            None => self.write(&line),
        }
    }

    /// Whether a line begins with a bold label, and would be read as one more line of the item above it: it begins anew.
    fn is_label_below_item(&self, line: &Line<'_>) -> bool {
        let label = line
            .text
            .strip_prefix("**")
            .and_then(|rest| rest.split_once("**"));
        let is_label = label.is_some_and(|(label, behind)| {
            label.len() <= LABEL_BYTES_MAX && (label.ends_with(':') || behind.starts_with(':'))
        });
        if !is_label {
            return false;
        }
        let above = self.lines.get(..self.at).unwrap_or_default().iter().rev();
        let above = above.map(Line::words).take(ITEM_LINES_MAX);
        let mut above = above.take_while(|words| {
            !words.is_empty()
                && !words.starts_with(['#', '>', '|', '<'])
                && !words.starts_with("```")
        });
        above.any(is_item)
    }

    /// The lines of Quarto behind the one that is read which say how a chunk is shown.
    fn settings(&self) -> impl Iterator<Item = &'_ str> {
        let behind = self.lines.get(self.at + 1..).unwrap_or_default().iter();
        behind
            .map(Line::words)
            .take_while(|words| words.starts_with("#|"))
    }

    fn skip_settings(&mut self) {
        let count = self.settings().count();
        if count > 0 {
            self.changed = true;
            self.taken = self.at + 1 + count;
        }
    }

    /// Leaves out the options of the directive that is read.
    fn skip_options(&mut self) {
        let behind = self.lines.get(self.at + 1..).unwrap_or_default().iter();
        let count = behind.map(Line::words).take_while(|words| is_option(words));
        let count = count.count();
        if count > 0 {
            self.taken = self.at + 1 + count;
        }
    }

    /// The line in which a fence of so many marks ends behind the one that is read.
    fn closing(&mut self, mark: char, run: usize) -> Option<usize> {
        if let Some((known, end)) = self.closed
            && known == (mark, run)
            && end.is_none_or(|end| end > self.at)
        {
            return end;
        }
        let behind = self.lines.iter().enumerate().skip(self.at + 1);
        let mut behind = behind.filter(|(_, line)| {
            let words = line.words();
            words.len() >= run && words.chars().all(|c| c == mark)
        });
        let end = behind.next().map(|(at, _)| at);
        self.closed = Some(((mark, run), end));
        end
    }

    /// The line in which a comment of MDX ends that begins the one that is read, and what stands behind it there.
    fn comment_end(&mut self) -> Option<(usize, String)> {
        if self.is_unclosed {
            return None;
        }
        let mut lines = self.lines.iter().enumerate().skip(self.at);
        let end = lines.find_map(|(at, line)| Some((at, line.words().split_once(COMMENT_END)?)));
        let begins_anew = |at: usize, within: &str| at > self.at && within.contains(COMMENT_START);
        let end = end.filter(|(at, (within, _))| !begins_anew(*at, within));
        let end = end.map(|(at, (_, behind))| (at, behind.trim().to_owned()));
        self.is_unclosed = end.is_none();
        end
    }

    /// Whether the line was rewritten.
    fn rewrite(
        &mut self,
        words: &str,
        line: &Line<'_>,
        next: Option<&Line<'_>>,
        before: Option<&Line<'_>>,
    ) -> bool {
        if let Some((label, said)) = self.turns.remove(&self.at) {
            self.blank(line);
            let start = self.offset + line.range().end - said.len();
            let label = format!("{}{label}", self.prefix());
            self.derived.line(&label, start, said);
            return true;
        }
        if words.starts_with(":::") {
            return self.colons(words, line);
        }
        if let Some(rest) = ["!!! ", "???+ ", "??? "]
            .iter()
            .find_map(|mark| words.strip_prefix(mark))
        {
            let (head, quoted) = rest.split_once('"').unwrap_or((rest, ""));
            let class = head.split_whitespace().next().unwrap_or("note");
            if class.chars().all(|c| c.is_alphanumeric() || c == '-') && self.open.len() < DEPTH_MAX
            {
                let columns = self.columns_open() + line.indent() + 4;
                self.admonition(
                    Open::Indented {
                        columns,
                        quoted: true,
                    },
                    class,
                    quoted.trim_end_matches('"'),
                    line,
                );
                return true;
            }
        }
        if let Some(title) = words
            .strip_prefix("=== \"")
            .or_else(|| words.strip_prefix("===! \""))
            .and_then(|rest| rest.strip_suffix('"'))
            && next.is_some_and(|next| next.is_blank() || next.indent() >= 4)
            && self.open.len() < DEPTH_MAX
        {
            let columns = self.columns_open() + line.indent() + 4;
            self.ours(&format!("**{title}**"), line);
            self.blank(line);
            self.open.push(Open::Indented {
                columns,
                quoted: false,
            });
            return true;
        }
        if let Some((class, title)) = callout(words) {
            // The title and the words below it are no one paragraph.
            let quotes = words.len() - words.trim_start_matches(['>', ' ']).len();
            let quotes = words.get(..quotes).unwrap_or("> ").to_owned();
            let space = if title.is_empty() { "" } else { " " };
            let native = title.is_empty()
                && matches!(
                    class.to_ascii_lowercase().as_str(),
                    "note" | "tip" | "important" | "warning" | "caution"
                )
                && words.ends_with(']');
            if !native {
                self.ours(&format!("{quotes}[!{class}]{space}{title}"), line);
                self.ours(quotes.trim_end(), line);
                return true;
            }
        }
        if (words.starts_with("{{<") || words.starts_with("{{%"))
            && (words.ends_with(">}}") || words.ends_with("%}}"))
        {
            return self.shortcode(words, line);
        }
        if words.starts_with("{%") && words.ends_with("%}") {
            return self.block_tag(words, line);
        }
        if words.starts_with(COMMENT_START)
            && let Some((end, behind)) = self.comment_end()
        {
            let ending = self.lines.get(end).copied();
            let at = ending.and_then(|ending| Some(ending.start + ending.text.rfind(&behind)?));
            self.taken = end + 1;
            match at.filter(|_| !behind.is_empty()) {
                Some(at) => {
                    let prefix = self.prefix();
                    self.changed = true;
                    self.derived.line(&prefix, self.offset + at, &behind);
                }
                None => self.blank(line),
            }
            return true;
        }
        let is_listed = |next: &&Line<'_>| is_item(words) && attributes::is_contents(next.words());
        if next.filter(is_listed).is_some() {
            self.taken = self.at + 2;
            self.blank(line);
            return true;
        }
        if matches!(words, "[[toc]]" | "[[TOC]]" | "[TOC]")
            || words.starts_with("<<< ")
            || line.indent() < 4 && attributes::is_attributes(words)
            || attributes::puts_in(words)
        {
            // What is put there stands elsewhere.
            self.blank(line);
            return true;
        }
        if words.starts_with('`') && before.is_none_or(Line::is_blank) && self.typed(line) {
            return true;
        }
        if begins_component(words) {
            if let Some((tag, end)) = self.tag()
                && let Some((name, attributes, ends)) = component(&tag)
            {
                self.taken = end + 1;
                return self.component(name, attributes, ends, line);
            }
            if let Some((name, attributes, said)) = component_around(words) {
                return self.component_around(name, attributes, said, line);
            }
        }
        let is_module = (words.starts_with("import ")
            && (words.contains(" from '")
                || words.contains(" from \"")
                || words.starts_with("import '")
                || words.starts_with("import \"")))
            || words.starts_with("export const ") && words.contains('=')
            || words.starts_with("export default ") && words.contains(['(', '{']);
        if is_module
            && before.is_none_or(|before| {
                before.is_blank()
                    || before.words().starts_with("import ")
                    || before.words().starts_with("export ")
            })
        {
            // Imports are for the program that builds the page.
            self.blank(line);
            return true;
        }
        self.ruler(words, line, before) || self.row(line)
    }

    /// Code between single backticks over several lines, as a block of it.
    fn typed(&mut self, line: &Line<'_>) -> bool {
        let lines = self.lines;
        let behind = lines.get(self.at..).unwrap_or_default();
        let Some(count) = typed::length(behind) else {
            return false;
        };
        let columns = self.columns_open() + line.indent();
        let indent = " ".repeat(line.indent());
        self.ours(&format!("{indent}```"), line);
        for (at, code) in behind.iter().take(count).enumerate() {
            let mut code = code.dedent(columns);
            if at == 0 {
                code = code.after(1);
            }
            let text = code.text.trim_end();
            let text = if at + 1 == count {
                text.strip_suffix('`')
            } else {
                Some(text)
            };
            let before = format!("{}{indent}", self.prefix());
            self.derived
                .line(&before, self.offset + code.start, text.unwrap_or_default());
        }
        self.ours(&format!("{indent}```"), line);
        self.taken = self.at + count;
        true
    }

    /// A row of the table that is read with more cells than that has columns.
    fn row(&mut self, line: &Line<'_>) -> bool {
        let row = match self.columns {
            0 => None,
            columns => narrowed(line.text, columns),
        };
        let Some(row) = row else {
            return false;
        };
        let (prefix, start) = (self.prefix(), self.offset + line.start);
        self.changed = true;
        self.derived.instead(&prefix, start, line.text.len(), &row);
        true
    }

    fn columns_open(&self) -> usize {
        self.open
            .iter()
            .map(|open| {
                if let Open::Indented { columns, .. } = open {
                    *columns
                } else {
                    0
                }
            })
            .max()
            .unwrap_or(0)
    }

    fn colons(&mut self, words: &str, line: &Line<'_>) -> bool {
        let count = words.chars().take_while(|c| *c == ':').count();
        let rest = words.get(count..).unwrap_or("").trim();
        if rest.is_empty() {
            let Some(at) = self.open.iter().rposition(
                |open| matches!(open, Open::Colons { count: opened, .. } if *opened <= count),
            ) else {
                return false;
            };
            self.open.truncate(at);
            self.fence = None;
            self.blank(line);
            return true;
        }
        if self.open.len() >= DEPTH_MAX {
            return false;
        }
        let inner = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let (class, title) = match inner {
            Some((class, title)) => (
                class
                    .trim_start_matches('.')
                    .split([' ', '.', '#'])
                    .next()
                    .unwrap_or(""),
                title,
            ),
            None => {
                let end = rest
                    .find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_'))
                    .unwrap_or(rest.len());
                rest.split_at(end)
            }
        };
        if class.is_empty() || !class.starts_with(char::is_alphabetic) {
            return false;
        }
        // `[Title]` of Docusaurus; `{...}` holds attributes.
        let title = title.trim();
        let title = title
            .strip_prefix('[')
            .and_then(|title| title.strip_suffix(']'))
            .unwrap_or(title);
        let title = title
            .split('{')
            .next()
            .unwrap_or("")
            .trim()
            .trim_matches(':')
            .trim();
        let title = title
            .strip_prefix("title=")
            .unwrap_or(title)
            .trim_matches('"');
        if is_class(class) || class == "details" {
            self.admonition(
                Open::Colons {
                    count,
                    quoted: true,
                },
                class,
                title,
                line,
            );
            if inner.is_some() {
                self.skip_options();
            }
        } else {
            if title.contains(char::is_alphabetic) && is_frame(class) && class != "div" {
                self.ours(&format!("**{title}**"), line);
            }
            self.blank(line);
            if inner.is_some() {
                self.skip_options();
            }
            self.open.push(Open::Colons {
                count,
                quoted: false,
            });
        }
        true
    }

    fn shortcode(&mut self, words: &str, line: &Line<'_>) -> bool {
        let inner = words
            .trim_start_matches(['{', '<', '%', ' '])
            .trim_end_matches(['}', '>', '%', ' ']);
        if let Some(name) = inner.strip_prefix('/') {
            let name = name.trim();
            if !self.close_named(name, line) {
                self.blank(line);
            }
            return true;
        }
        let name = inner.split_whitespace().next().unwrap_or("");
        let rest = inner.get(name.len()..).unwrap_or("").trim();
        let said = rest.split('"').nth(1).unwrap_or("");
        if matches!(name, "highlight" | "code") {
            let language: String = rest
                .trim_matches('"')
                .chars()
                .take_while(|c| c.is_alphanumeric() || matches!(c, '+' | '-' | '#'))
                .collect();
            self.ours(&format!("```{language}"), line);
            self.fence = Some(('`', 3));
            return true;
        }
        let kind = if matches!(
            name,
            "alert" | "admonition" | "callout" | "notice" | "hint" | "pageinfo"
        ) {
            rest.split(['"', ' ', '='])
                .find(|word| is_class(word))
                .unwrap_or("note")
        } else {
            name
        };
        if is_class(kind) && self.open.len() < DEPTH_MAX && !inner.ends_with('/') {
            let title = if is_class(said) { "" } else { said };
            self.admonition(
                Open::Named {
                    name: name.to_owned(),
                    quoted: true,
                },
                kind,
                title,
                line,
            );
            return true;
        }
        if matches!(name, "tab" | "tabitem" | "details" | "expand") && !said.is_empty() {
            self.ours(&format!("**{said}**"), line);
            self.blank(line);
            return true;
        }
        self.blank(line);
        true
    }

    /// A ruler with another number of columns than the header above it is put right: the table is meant.
    fn ruler(&mut self, words: &str, line: &Line<'_>, before: Option<&Line<'_>>) -> bool {
        let Some(header) = before
            .map(Line::words)
            .filter(|header| is_ruler(words) && header.contains('|'))
        else {
            return false;
        };
        let (wanted, found) = (cells(header), cells(words));
        let is_empty = |b| matches!(b, b'|' | b'-' | b':' | b' ');
        if wanted > tables::COLUMNS_MAX || wanted != found && header.bytes().all(is_empty) {
            return false;
        }
        if self.columns == 0 {
            self.columns = wanted;
        }
        if wanted == found {
            return false;
        }
        self.ours(&format!("|{}", " --- |".repeat(wanted)), line);
        true
    }
}

/// Whether a line begins a block that a table above it cannot hold.
fn ends_table(words: &str) -> bool {
    const TAGS: [&str; 12] = [
        "pre",
        "script",
        "style",
        "div",
        "p",
        "ul",
        "ol",
        "dl",
        "table",
        "details",
        "blockquote",
        "section",
    ];
    let is_heading =
        || words.starts_with('#') && words.trim_start_matches('#').starts_with([' ', '\t']);
    let is_tag = || {
        let name = words.strip_prefix('<').unwrap_or_default();
        let name = name.strip_prefix('/').unwrap_or(name);
        let end = name.find(|c: char| !c.is_ascii_alphanumeric());
        let name = name.get(..end.unwrap_or(name.len())).unwrap_or_default();
        words.starts_with("<!--") || TAGS.contains(&name.to_ascii_lowercase().as_str())
    };
    words.starts_with('>') || is_item(words) || is_heading() || is_tag()
}

/// Whether a line begins an item of a list.
fn is_item(words: &str) -> bool {
    let number = words.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = number.len() < words.len() && number.starts_with([')', '.']);
    let rest = match is_numbered {
        true => number.get(1..),
        false => words.strip_prefix(['-', '*', '+']),
    };
    rest.is_some_and(|rest| rest.starts_with([' ', '\t']))
}

/// `> [!class]- Title` of Obsidian and others.
fn callout(words: &str) -> Option<(&str, &str)> {
    let rest = words.trim_start_matches(['>', ' ']);
    if rest.len() == words.len() {
        return None;
    }
    let (class, title) = rest.strip_prefix("[!")?.split_once(']')?;
    let is_class = !class.is_empty()
        && class
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    is_class.then(|| (class, title.trim_start_matches(['+', '-']).trim()))
}

/// Whether `class` is a kind of admonition.
fn is_class(class: &str) -> bool {
    matches!(
        class.to_ascii_lowercase().as_str(),
        "note"
            | "tip"
            | "info"
            | "warning"
            | "danger"
            | "caution"
            | "important"
            | "error"
            | "hint"
            | "attention"
            | "success"
            | "question"
            | "failure"
            | "bug"
            | "example"
            | "quote"
            | "abstract"
            | "summary"
            | "todo"
            | "seealso"
            | "check"
            | "admonition"
            | "details"
            | "callout-note"
            | "callout-tip"
            | "callout-warning"
            | "callout-important"
            | "callout-caution"
            | "primary"
            | "secondary"
    )
}
