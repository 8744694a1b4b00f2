//! Rewrites what dialects of Markdown add (admonitions of Docusaurus, VitePress, MkDocs, MyST and Obsidian, components of
//! MDX, shortcodes of Hugo, blocks of GitBook, parts of an Internet-Draft) into what every reader of Markdown knows, line by line, so that spans can be put back.

use crate::derived::Derived;
use crate::example_marks;
use crate::includes;
use crate::markup::lines::{self, Line};
use crate::markup::rest::directives::bodies::changed_in;
use crate::words::{WordList, words};
use skillkiln_document::blocks::{Block, BlockKind, Span};
use skillkiln_document::markdown::rendered::ABSTRACT;
use skillkiln_document::work::step;
use skillkiln_document::{markdown, missing};

/// Admonitions within admonitions that are kept.
const DEPTH_MAX: usize = 8;

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
    let needs = [
        "```{", "~~~{", ":::", "{% ", "!!! ", "??? ", "???+ ", "=== \"", "{{<", "{{%", "{{#", "[!",
        "import ", "export ", "<!--", "{:", ")=\n", ABSTRACT,
    ]
    .iter()
    .any(|mark| body.contains(mark))
        || body.contains('|')
        || body.lines().any(|line| component(line.trim()).is_some());
    if !needs {
        return None;
    }
    let mut writer = Writer {
        derived: Derived::default(),
        offset,
        open: Vec::new(),
        fence: None,
        has_options: false,
        changed: false,
    };
    let lines = lines::lines_of(body);
    for (at, line) in lines.iter().enumerate() {
        writer.line(
            line,
            lines.get(at + 1),
            at.checked_sub(1).and_then(|before| lines.get(before)),
        );
    }
    writer.changed.then_some(writer.derived)
}

struct Writer {
    derived: Derived,
    offset: usize,
    open: Vec<Open>,
    /// The mark and length of the fence that is open.
    fence: Option<(char, usize)>,
    /// Whether a directive was opened just before, whose options may follow.
    has_options: bool,
    changed: bool,
}

impl Writer {
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
        step(1);
        let mut line = *line;
        // What is indented ends with the first line that is not.
        while let Some(Open::Indented { columns, .. }) = self.open.last() {
            if line.is_blank() || line.indent() >= *columns {
                break;
            }
            self.open.pop();
            self.fence = None;
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
        if let Some((mark, length)) = self.fence {
            let run = words.chars().take_while(|c| *c == mark).count();
            if run >= length && words.chars().all(|c| c == mark) {
                self.fence = None;
                if mark == ':' {
                    self.ours(&"~".repeat(length + TILDES), &line);
                    return;
                }
            }
            // A shortcode ends what a shortcode began.
            if words.starts_with("{{") && (words.contains("/highlight") || words.contains("/code"))
            {
                self.fence = None;
                self.ours("```", &line);
                return;
            }
            self.write(&line);
            return;
        }
        let mark = words.chars().next().unwrap_or(' ');
        let run = words.chars().take_while(|c| *c == mark).count();
        if matches!(mark, '`' | '~')
            && run >= 3
            && !(mark == '`' && words.get(run..).is_some_and(|info| info.contains('`')))
        {
            self.fence = Some((mark, run));
            let info = words.get(run..).unwrap_or("").trim();
            if let Some((class, title)) = directive(info) {
                self.has_options = true;
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
                    return;
                }
                if is_rest(info) {
                    self.write(&line);
                    return;
                }
                if CONTAINERS.contains(&class) && self.open.len() < DEPTH_MAX {
                    self.fence = None;
                    let name = mark.to_string().repeat(run);
                    self.container(
                        Open::Named {
                            name,
                            quoted: false,
                        },
                        class,
                        title,
                        &line,
                    );
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
                return;
            }
            // The end of a fence that was opened as an admonition.
            if info.is_empty() && self.close_named(words, &line) {
                self.fence = None;
                return;
            }
            self.write(&line);
            return;
        }
        if line.indent() >= 4 && cut == 0 && !matches!(mark, ':' | '!' | '?') {
            self.write(&line);
            return;
        }
        // Options of a directive are for the program that builds the page, as are the labels of places: `(doors)=`.
        let is_option = self.has_options && option(words);
        self.has_options &= is_option;
        let is_label = words.starts_with('(') && words.ends_with(")=") && !words.contains(' ');
        if is_option || is_label {
            self.blank(&line);
        } else if !self.rewrite(words, &line, next, before) {
            self.write(&line);
        }
    }

    /// Whether the line was rewritten.
    fn rewrite(
        &mut self,
        words: &str,
        line: &Line<'_>,
        next: Option<&Line<'_>>,
        before: Option<&Line<'_>>,
    ) -> bool {
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
            return self.included(words, line) || self.shortcode(words, line);
        }
        if let Some((name, ends)) = gitbook(words) {
            return match (name, ends) {
                (_, true) => self.shortcode(&format!("/{name}"), line),
                // Its listing has a fence of its own.
                ("code", false) => {
                    self.blank(line);
                    true
                }
                _ => self.shortcode(words, line),
            };
        }
        if words.starts_with("[!") {
            return self.included(words, line);
        }
        // Attributes of kramdown are for the program that builds the page, as are its parts of an Internet-Draft but the titles of some.
        if words.starts_with("{:") && words.ends_with('}') {
            self.blank(line);
            return true;
        }
        if let Some(part) = words.strip_prefix("--- ") {
            match part {
                "abstract" => self.ours("# Abstract", line),
                "middle" | "back" => self.blank(line),
                _ => match part.strip_prefix("note_") {
                    Some(title) => self.ours(&format!("# {}", title.replace('_', " ")), line),
                    None => return false,
                },
            }
            return true;
        }
        if words.starts_with('<')
            && let Some((name, attributes, ends)) = component(words)
        {
            return ends && self.included(words, line)
                || self.component(name, attributes, ends, line);
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
        false
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
        if is_rest(rest) {
            self.ours(&format!("{}{rest}", "~".repeat(count + TILDES)), line);
            self.fence = Some((':', count));
            return true;
        }
        self.has_options = inner.is_some();
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
        } else {
            self.container(
                Open::Colons {
                    count,
                    quoted: false,
                },
                class,
                title,
                line,
            );
        }
        true
    }

    /// Opens what has Markdown inside, and at the most a title of its own.
    fn container(&mut self, open: Open, class: &str, title: &str, line: &Line<'_>) {
        if let Some(what) = changed_in(class) {
            self.ours(&format!("*{what} {title}*."), line);
        } else if !title.is_empty() && TITLED.contains(&class) {
            self.ours(&format!("**{title}**"), line);
        } else if let Some(label) = example_marks::label([class].into_iter()) {
            self.ours(&format!("**{label}**"), line);
        }
        self.blank(line);
        self.open.push(open);
    }

    /// Names the file that a line takes in.
    fn included(&mut self, words: &str, line: &Line<'_>) -> bool {
        let Some(file) = includes::target(words) else {
            return false;
        };
        self.named(&file, line);
        true
    }

    /// Names a file that belongs here.
    fn named(&mut self, file: &str, line: &Line<'_>) {
        self.blank(line);
        let words = BlockKind::Paragraph(missing::paragraph([file]));
        let words = markdown::write(&[Block {
            kind: words,
            span: Span::default(),
        }]);
        self.ours(words.trim_end(), line);
        self.blank(line);
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

    /// A component that stands alone on its line: a note, a tab, or a frame around what is Markdown again.
    fn component(&mut self, name: &str, attributes: &str, ends: bool, line: &Line<'_>) -> bool {
        if let Some(name) = name.strip_prefix('/') {
            if !self.close_named(name, line) {
                self.blank(line);
            }
            return true;
        }
        let value = |key: &str| {
            attributes
                .split_once(&format!("{key}="))
                .map(|(_, rest)| rest.trim_start_matches('{'))
                .and_then(|rest| {
                    rest.strip_prefix(['"', '\''])
                        .and_then(|inner| inner.split(['"', '\'']).next())
                })
        };
        let title = value("title").or_else(|| value("label")).unwrap_or("");
        let lower = name.to_lowercase();
        let class = match lower.as_str() {
            "admonition" | "callout" | "alert" | "aside" | "notice" => value("type")
                .or_else(|| value("intent"))
                .unwrap_or("note")
                .to_lowercase(),
            "notes" => "note".to_owned(),
            other => other.to_owned(),
        };
        if is_class(&class) && !ends && self.open.len() < DEPTH_MAX {
            self.admonition(
                Open::Named {
                    name: name.to_owned(),
                    quoted: true,
                },
                &class,
                title,
                line,
            );
            return true;
        }
        if !title.is_empty() {
            self.blank(line);
            self.ours(&format!("**{title}**"), line);
        }
        self.blank(line);
        true
    }

    fn close_named(&mut self, name: &str, line: &Line<'_>) -> bool {
        let Some(at) = self
            .open
            .iter()
            .rposition(|open| matches!(open, Open::Named { name: opened, .. } if opened == name))
        else {
            return false;
        };
        self.open.truncate(at);
        self.fence = None;
        self.blank(line);
        true
    }
}

/// `{name} words` of MyST.
fn directive(info: &str) -> Option<(&str, &str)> {
    let (name, rest) = info.strip_prefix('{')?.split_once('}')?;
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '_'));
    is_name.then(|| (name, rest.trim()))
}

/// Whether an info string is a directive of MyST that reStructuredText knows and whose body is no Markdown.
pub(super) fn is_rest(info: &str) -> bool {
    static KNOWN: WordList = words!(
        "eval-rst include literalinclude mdinclude toctree contents currentmodule module index meta sectnum target-notes title tabularcolumns role highlight raw \
         image figure list-table csv-table rubric glossary parsed-literal \
         program option doctest testcode testoutput"
    );
    directive(info).is_some_and(|(name, _)| {
        KNOWN.contains(&name) || name.starts_with("auto") || name.contains(':')
    })
}

/// Whether a line is an option of a directive: `:class: wide`.
fn option(words: &str) -> bool {
    let name = words
        .strip_prefix(':')
        .and_then(|rest| rest.split_once(':'));
    name.is_some_and(|(name, after)| {
        !name.is_empty() && !name.contains(' ') && (after.is_empty() || after.starts_with(' '))
    })
}

/// Directives of MyST with Markdown inside, and those of them, and of other dialects, whose title is shown.
static CONTAINERS: WordList = words!(
    "table tab-set tab-item grid grid-item grid-item-card card dropdown only container topic sidebar div margin epigraph versionadded \
     versionchanged versionremoved deprecated"
);
static TITLED: WordList = words!("tab tab-item tabs card grid-item-card topic sidebar");

/// How much longer the fence is that stands for one of colons: there may be fences inside.
const TILDES: usize = 5;

/// `{% hint style="info" %}` of GitBook, alone on its line: its name, and whether it is an end.
fn gitbook(words: &str) -> Option<(&str, bool)> {
    let inner = words.strip_prefix("{% ")?.strip_suffix("%}")?;
    let name = inner.split_whitespace().next()?;
    let own = name.strip_prefix("end").unwrap_or(name);
    GITBOOK
        .contains(&own)
        .then_some((own, own.len() < name.len()))
}

/// Blocks of GitBook.
static GITBOOK: WordList =
    words!("hint tabs tab code stepper step columns column content-ref embed file");

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

/// A tag of a component, alone on its line: its name, its attributes, and whether it ends at once.
fn component(words: &str) -> Option<(&str, &str, bool)> {
    let inner = words.strip_prefix('<')?.strip_suffix('>')?;
    let begin = inner.strip_prefix('/').unwrap_or(inner);
    if !begin.starts_with(|c: char| c.is_ascii_uppercase()) || inner.contains('<') {
        return None;
    }
    let length = inner
        .find(|c: char| c.is_whitespace())
        .unwrap_or(inner.len());
    let (name, attributes) = inner.split_at(length);
    let ends = inner.ends_with('/');
    let name = name.trim_end_matches('/');
    let name = if name.is_empty() { inner } else { name };
    let is_name = name
        .trim_start_matches('/')
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '.' | '_'));
    is_name.then_some((name, attributes, ends))
}

/// Kinds of admonitions, in all dialects.
static CLASSES: WordList = words!(
    "note tip info warning danger caution important error hint attention success question failure bug example quote abstract \
     summary todo seealso check admonition details callout-note callout-tip callout-warning callout-important callout-caution \
     primary secondary"
);

/// Whether `class` is a kind of admonition.
fn is_class(class: &str) -> bool {
    CLASSES.contains(&class.to_ascii_lowercase().as_str())
}
