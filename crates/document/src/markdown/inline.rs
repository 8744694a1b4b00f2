//! Owns running text as Markdown: words, code, emphasis, links and formulas inside a line.

use crate::markdown::escape::{Surroundings, looks_like_entity, write_line_start, write_text};
use crate::text::{Inline, plain};
use crate::work::step;

/// What a line is written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A paragraph: breaks end the line, and no line may look like the start of a block.
    Paragraph,
    /// A heading or other text that must stay on one line.
    Line,
    /// A table's cell.
    Cell,
}

/// `inlines` as Markdown for `place`, trimmed.
#[must_use]
pub fn inline(inlines: &[Inline], place: Place) -> String {
    let text = plain(inlines);
    let marks = Marks::of(inlines);
    // What stands on a line of its own may be put beside other words, which only a paragraph is not.
    let is_paragraph = place == Place::Paragraph;
    let writer = Writer {
        place,
        around: Surroundings {
            cell: place == Place::Cell,
            lone_star: is_paragraph && !marks.has_stress && marks.stars < 2,
            lone_tick: is_paragraph && !marks.has_code && marks.ticks < 2,
            dollars: marks.has_formula || marks.has_pair('$'),
            tildes: marks.has_pair('~'),
            ..Surroundings::default()
        },
    };
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    writer.sequence(inlines, None, Nested::default(), &mut out);
    match place {
        Place::Paragraph => finish_paragraph(&out),
        Place::Line => finish_line(&out),
        Place::Cell => out.trim().to_owned(),
    }
}

/// Marks a break until the lines are put together; never appears in text, which loses its control characters.
const BREAK: char = '\u{1}';

/// Stands for the mark that ends stressed words, as what follows them.
const STRESS_END: char = '\u{2}';

#[derive(Debug, Clone, Copy)]
struct Writer {
    place: Place,
    around: Surroundings,
}

#[derive(Debug, Clone, Copy, Default)]
struct Nested {
    stressed: bool,
    linked: bool,
}

impl Writer {
    /// Writes `inlines`; `after` is the first character of what follows them.
    fn sequence(self, inlines: &[Inline], after: Option<char>, nested: Nested, out: &mut String) {
        let mut position = 0;
        while let Some(current) = inlines.get(position) {
            step(1);
            let same = inlines
                .get(position..)
                .unwrap_or_default()
                .iter()
                .take_while(|other| {
                    matches!(
                        (current, other),
                        (Inline::Text(_), Inline::Text(_)) | (Inline::Code(_), Inline::Code(_))
                    )
                })
                .count()
                .max(1);
            let run = inlines.get(position..position + same).unwrap_or_default();
            let rest = inlines.get(position + same..).unwrap_or_default();
            let next = rest.iter().find_map(first_character).or(after);
            // A break is a tag inside a cell, and a backslash at the end of a paragraph's line.
            let next = next.map(|c| match (c, self.place) {
                ('\n', Place::Cell) => '<',
                ('\n', Place::Paragraph) => '\\',
                (c, _) => c,
            });
            let around = Surroundings {
                link: nested.linked,
                stressed: nested.stressed,
                next,
                paren: match rest.iter().find_map(first_letter) {
                    Some(letter) => letter == '(',
                    None => after.is_some_and(|c| matches!(c, '(' | '*' | '`' | '$' | '[')),
                },
                ..self.around
            };
            match current {
                Inline::Text(_) => write_text(&plain(run), around, out),
                Inline::Code(_) => self.code(&plain(run), nested, around, out),
                Inline::Emphasis(inner) => self.stressed(inner, "*", next, nested, out),
                Inline::Strong(inner) => self.stressed(inner, "**", next, nested, out),
                Inline::Link(link) => self.link(&link.href, &link.text, next, nested, out),
                Inline::Math(formula) => self.math(formula, nested, around, out),
                Inline::Break => match self.place {
                    Place::Paragraph if nested.linked => out.push(' '),
                    Place::Paragraph => out.push(BREAK),
                    Place::Line => out.push(' '),
                    Place::Cell => out.push_str("<br>"),
                },
            }
            position += same;
        }
    }

    /// Code inside a line: fenced by more backticks than it holds in a row.
    fn code(self, code: &str, nested: Nested, around: Surroundings, out: &mut String) {
        let code = code.replace("\r\n", " ").replace(['\n', '\r'], " ");
        if code.is_empty() {
            return;
        }
        let in_cell = self.place == Place::Cell;
        // `\|` is the one escape that is read inside a cell's code, so a backslash before a bar cannot be written as code;
        // white space alone makes no code either. A link that opens a paragraph is read as a definition when its text holds `]:`,
        // whether that is code or not.
        let defines = nested.linked && code.contains("]:");
        let unwritable = (in_cell && code.contains("\\|")) || code.trim().is_empty() || defines;
        if unwritable || out.ends_with('`') {
            write_text(&code, around, out);
            return;
        }
        let fence = "`".repeat(longest_run(&code, '`') + 1);
        let padded = code.starts_with('`')
            || code.ends_with('`')
            || (code.starts_with(' ') && code.ends_with(' '));
        out.push_str(&fence);
        if padded {
            out.push(' ');
        }
        if in_cell {
            out.push_str(&code.replace('|', "\\|"));
        } else {
            out.push_str(&code);
        }
        if padded {
            out.push(' ');
        }
        out.push_str(&fence);
    }

    /// Stressed text. Where Markdown could not tell the marks from literal stars, the words stand without them.
    fn stressed(
        self,
        inner: &[Inline],
        mark: &str,
        next: Option<char>,
        nested: Nested,
        out: &mut String,
    ) {
        // Written after the mark, so that the first word knows what stands before it.
        let mut marked = mark.to_owned();
        let deeper = Nested {
            stressed: true,
            ..nested
        };
        self.sequence(inner, Some(STRESS_END), deeper, &mut marked);
        let inside = marked.get(mark.len()..).unwrap_or("");
        let core = inside.trim_matches(is_space);
        let lead = inside.len() - inside.trim_start_matches(is_space).len();
        let before = if lead > 0 {
            None
        } else {
            out.chars().next_back().filter(|c| *c != BREAK)
        };
        let after = if lead + core.len() < inside.len() {
            None
        } else {
            next
        };
        let opens = core
            .chars()
            .next()
            .is_some_and(|first| is_wordlike(first) || before.is_none_or(|c| !is_wordlike(c)));
        let closes = core
            .chars()
            .next_back()
            .is_some_and(|last| is_wordlike(last) || after.is_none_or(|c| !may_be_wordlike(c)));
        let clash = before == Some('*')
            || after == Some('*')
            || core.contains(BREAK)
            || core.starts_with('*')
            || core.ends_with('*');
        if nested.stressed || !opens || !closes || clash {
            self.sequence(inner, next, nested, out);
            return;
        }
        let (head, tail) = (
            inside.get(..lead).unwrap_or(""),
            inside.get(lead + core.len()..).unwrap_or(""),
        );
        for part in [head, mark, core, mark, tail] {
            out.push_str(part);
        }
    }

    fn link(
        self,
        href: &str,
        text: &[Inline],
        next: Option<char>,
        nested: Nested,
        out: &mut String,
    ) {
        let words = plain(text);
        let href = href.trim();
        if nested.linked || href.is_empty() || words.trim().is_empty() {
            self.sequence(text, next, nested, out);
            return;
        }
        if words == href && is_plain_address(href) && self.place != Place::Cell {
            out.push('<');
            out.push_str(href);
            out.push('>');
            return;
        }
        // An exclamation mark would turn the link into a picture.
        if out.ends_with('!') {
            out.pop();
            out.push_str("\\!");
        }
        out.push('[');
        let deeper = Nested {
            linked: true,
            ..nested
        };
        self.sequence(text, Some(']'), deeper, out);
        out.push_str("](");
        write_address(href, out);
        out.push(')');
    }

    fn math(self, formula: &str, nested: Nested, around: Surroundings, out: &mut String) {
        let formula = formula.trim();
        let next = around.next;
        let fits = !nested.linked
            && !formula.is_empty()
            && !formula.contains(['$', '\n', '\r', '`', '|', '<'])
            && !formula.ends_with('\\')
            && braces_match(formula)
            && !next.is_some_and(|c| c.is_ascii_digit() || c == '$')
            && !out.ends_with('$');
        if fits {
            out.push('$');
            out.push_str(formula);
            out.push('$');
        } else {
            self.code(formula, nested, around, out);
        }
    }
}

/// The marks that the words of a block hold, and what is written with marks.
#[derive(Debug, Default)]
struct Marks {
    has_stress: bool,
    has_code: bool,
    has_formula: bool,
    /// Runs of stars.
    stars: usize,
    /// Runs of backticks.
    ticks: usize,
    /// Of `$` and `~`: whether there is one, and whether a later one stands behind anything but white space, which could close.
    dollar: (bool, bool),
    tilde: (bool, bool),
    before: Option<char>,
}

impl Marks {
    fn of(inlines: &[Inline]) -> Self {
        let mut marks = Self::default();
        marks.read(inlines, false);
        marks
    }

    /// Reads `inlines`; in what is `marked` white space tells nothing, since the marks may stand behind it.
    fn read(&mut self, inlines: &[Inline], marked: bool) {
        for inline in inlines {
            match inline {
                Inline::Text(text) => {
                    self.words(text, marked);
                    continue;
                }
                Inline::Code(code) => {
                    self.has_code = true;
                    self.words(code, true);
                }
                Inline::Math(formula) => {
                    (self.has_code, self.has_formula) = (true, true);
                    self.words(formula, true);
                }
                Inline::Emphasis(inner) | Inline::Strong(inner) => {
                    self.has_stress = true;
                    self.read(inner, true);
                }
                Inline::Link(link) => self.read(&link.text, true),
                Inline::Break => {}
            }
            // What is written here is a mark, or may be one.
            self.before = Some(')');
        }
    }

    fn words(&mut self, words: &str, marked: bool) {
        if !words
            .bytes()
            .any(|byte| matches!(byte, b'*' | b'`' | b'$' | b'~'))
        {
            self.before = words.chars().next_back().or(self.before);
            return;
        }
        for character in words.chars() {
            let closes = marked || self.before.is_some_and(|c| !c.is_whitespace());
            match character {
                '*' => self.stars += usize::from(self.before != Some('*')),
                '`' => self.ticks += usize::from(self.before != Some('`')),
                '$' => self.dollar = (true, self.dollar.1 || self.dollar.0 && closes),
                '~' => self.tilde = (true, self.tilde.1 || self.tilde.0 && closes),
                _ => {}
            }
            self.before = Some(character);
        }
    }

    /// Whether two of the marks could be read as a pair.
    fn has_pair(&self, mark: char) -> bool {
        match mark {
            '$' => self.dollar.1,
            _ => self.tilde.1,
        }
    }
}

fn is_space(character: char) -> bool {
    character == BREAK || character.is_whitespace()
}

/// Whether a star beside this character is read as touching a word.
fn is_wordlike(character: char) -> bool {
    character.is_alphanumeric()
}

/// The first character that `inline` will put out, near enough to judge what stands before it.
fn first_character(inline: &Inline) -> Option<char> {
    match inline {
        Inline::Text(text) => text.chars().next(),
        Inline::Code(_) => Some('`'),
        Inline::Emphasis(_) | Inline::Strong(_) => Some('*'),
        // A link without an address is written as its words.
        Inline::Link(link) => {
            let first = link.text.iter().find_map(first_character);
            first.filter(|c| !c.is_whitespace()).or(Some('['))
        }
        Inline::Math(_) => Some('$'),
        Inline::Break => Some('\n'),
    }
}

/// The first character of the words that `inline` holds: what is written when its marks cannot be.
fn first_letter(inline: &Inline) -> Option<char> {
    match inline {
        Inline::Text(text) | Inline::Code(text) => text.chars().next(),
        Inline::Math(formula) => formula.trim().chars().next(),
        Inline::Emphasis(inner) | Inline::Strong(inner) => inner.iter().find_map(first_letter),
        Inline::Link(link) => link.text.iter().find_map(first_letter),
        Inline::Break => Some('\n'),
    }
}

/// The same of what will be put out next: code and formulas that cannot be written as such stand there as their bare words.
fn may_be_wordlike(first: char) -> bool {
    is_wordlike(first) || matches!(first, '`' | '$')
}

/// The length of the longest run of `wanted` in `text`.
pub(crate) fn longest_run(text: &str, wanted: char) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for character in text.chars() {
        run = if character == wanted { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// Whether braces match, counted with and without the escaped ones, since readers of formulas differ.
fn braces_match(formula: &str) -> bool {
    let (mut all, mut bare, mut escaped) = (0i32, 0i32, false);
    for character in formula.chars() {
        let step = match character {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        all += step;
        if !escaped {
            bare += step;
        }
        if all < 0 || bare < 0 {
            return false;
        }
        escaped = character == '\\' && !escaped;
    }
    all == 0 && bare == 0
}

fn is_plain_address(href: &str) -> bool {
    (href.starts_with("https://") || href.starts_with("http://"))
        && href
            .bytes()
            .all(|b| b.is_ascii_graphic() && !matches!(b, b'<' | b'>' | b'\\' | b'`' | b'$'))
        && !href.split('&').skip(1).any(looks_like_entity)
}

/// Writes an address so that nothing in it can end the link or be read as mark-up.
pub(crate) fn write_address(href: &str, out: &mut String) {
    for (at, character) in href.char_indices() {
        match character {
            ' ' | '(' | ')' | '<' | '>' | '\\' | '`' | '$' | '|' | '"' | '*' | '[' | ']' => {
                out.push_str(&format!("%{:02X}", u32::from(character)));
            }
            '&' if looks_like_entity(href.get(at + 1..).unwrap_or("")) => out.push_str("&amp;"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
}

/// Joins the lines of a paragraph with hard breaks and guards the start of each.
fn finish_paragraph(marked: &str) -> String {
    let mut out = String::with_capacity(marked.len());
    let lines: Vec<&str> = marked
        .split(BREAK)
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    for (number, line) in lines.iter().enumerate() {
        if number > 0 {
            out.push_str("\\\n");
        }
        write_line_start(line, &mut out);
    }
    out
}

/// One line for a heading, whose closing `#` would otherwise be swallowed.
fn finish_line(marked: &str) -> String {
    let line = marked.trim();
    let head = line.trim_end_matches('#');
    if head.len() < line.len() && (head.is_empty() || head.ends_with(' ')) {
        format!("{head}\\{}", line.get(head.len()..).unwrap_or(""))
    } else {
        line.to_owned()
    }
}
