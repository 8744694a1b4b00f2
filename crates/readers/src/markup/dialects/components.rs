//! The tags of components that MDX and its kin mix into Markdown, and the blocks of templates: their names, their attributes, what
//! they hold on a line, and how they are written as Markdown.

use super::{DEPTH_MAX, Open, Writer, is_class};
use crate::markup::lines::Line;

/// Blocks of templates around what is content.
const FRAMES: &[&str] = &[
    "tabs",
    "tab",
    "content-ref",
    "code",
    "stepper",
    "step",
    "raw",
];
/// A tag over more lines is none.
pub(super) const TAG_LINES_MAX: usize = 200;

/// Whether a line begins with the tag of a component.
pub(super) fn begins_component(words: &str) -> bool {
    let inner = words.strip_prefix('<').unwrap_or_default();
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    inner.starts_with(|c: char| c.is_ascii_uppercase())
}

/// A tag of a component, alone on its line: its name, its attributes, and whether it ends at once.
pub(super) fn component(words: &str) -> Option<(&str, &str, bool)> {
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

/// `<Note type="tip">words</Note>`: its name, its attributes and the words.
pub(super) fn component_around(words: &str) -> Option<(&str, &str, &str)> {
    let (tag, rest) = words.split_at(words.find('>')? + 1);
    let (name, attributes, ends) = component(tag)?;
    let said = rest.strip_suffix('>')?.strip_suffix(name)?;
    let said = said.strip_suffix("</")?.trim();
    (!ends && !name.starts_with('/') && !said.is_empty()).then_some((name, attributes, said))
}

/// What an attribute of a component says.
pub(crate) fn attribute<'a>(attributes: &'a str, key: &str) -> Option<&'a str> {
    let (before, rest) = attributes.split_once(&format!("{key}="))?;
    if before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_')) {
        return None;
    }
    let rest = rest.trim_start_matches('{');
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    rest.get(1..)?.split(quote).next()
}

/// The kind of admonition that a component is, if it is one.
pub(super) fn note_class(name: &str, attributes: &str) -> Option<String> {
    let value = |key: &str| attribute(attributes, key);
    let lower = name.to_lowercase();
    let class = match lower.as_str() {
        "admonition" | "callout" | "alert" | "aside" | "notice" => value("type")
            .or_else(|| value("intent"))
            .unwrap_or("note")
            .to_lowercase(),
        "note" => value("type")
            .filter(|class| is_class(class))
            .unwrap_or("note")
            .to_lowercase(),
        "notes" => "note".to_owned(),
        _ => lower,
    };
    is_class(&class).then_some(class)
}

impl Writer<'_> {
    /// The tag of a component that begins the line that is read and ends another, in one line, and the number of that.
    pub(super) fn tag(&self) -> Option<(String, usize)> {
        let mut tag = String::new();
        let (mut quote, mut depth) = (None, 0_usize);
        let lines = self.lines.iter().enumerate().skip(self.at);
        for (at, line) in lines.take(TAG_LINES_MAX) {
            // A paragraph that begins so ends here.
            if line.is_blank() && depth == 0 && quote.is_none() {
                return None;
            }
            for (place, sign) in line.words().char_indices() {
                match (quote, sign) {
                    (Some(open), sign) if open == sign => quote = None,
                    (Some(_), _) => {}
                    (None, '"' | '`') => quote = Some(sign),
                    // In what is computed, an apostrophe may be one of a sentence.
                    (None, '\'') if depth == 0 || tag.ends_with(['=', '{', '[', ' ', '(']) => {
                        quote = Some(sign);
                    }
                    (None, '{') => depth += 1,
                    (None, '}') => depth = depth.saturating_sub(1),
                    (None, '>') if depth == 0 => {
                        tag.push(sign);
                        let is_end = line.words().len() == place + 1;
                        return is_end.then_some((tag, at));
                    }
                    _ => {}
                }
                tag.push(sign);
            }
            tag.push(' ');
        }
        None
    }

    /// A component on one line with what it holds.
    pub(super) fn component_around(
        &mut self,
        name: &str,
        attributes: &str,
        said: &str,
        line: &Line<'_>,
    ) -> bool {
        let depth = self.open.len();
        self.component(name, attributes, false, line);
        if self.open.len() == depth {
            return false;
        }
        let start = self.offset + line.start + line.text.find(said).unwrap_or_default();
        let prefix = self.prefix();
        self.derived.line(&prefix, start, said);
        self.open.truncate(depth);
        self.blank(line);
        true
    }

    /// `{% hint style="info" %}` of GitBook and other blocks of templates.
    pub(super) fn block_tag(&mut self, words: &str, line: &Line<'_>) -> bool {
        let inner = words.trim_start_matches(['{', '%', '-', ' ']);
        let inner = inner.trim_end_matches(['}', '%', '-', ' ']);
        let (name, attributes) = inner.split_once(' ').unwrap_or((inner, ""));
        if let Some(name) = name.strip_prefix("end").filter(|name| !name.is_empty()) {
            let is_frame = FRAMES.contains(&name);
            let closes = self.close_named(name, line);
            if is_frame && !closes {
                self.blank(line);
            }
            return is_frame || closes;
        }
        if name == "hint" && self.open.len() < DEPTH_MAX {
            let style = attribute(attributes, "style").unwrap_or("note");
            let class = if is_class(style) { style } else { "note" };
            let (name, quoted) = (name.to_owned(), true);
            self.admonition(Open::Named { name, quoted }, class, "", line);
            return true;
        }
        if let ("tab", Some(title)) = (name, attribute(attributes, "title")) {
            self.blank(line);
            self.ours(&format!("**{title}**"), line);
            self.blank(line);
            return true;
        }
        let is_frame = FRAMES.contains(&name);
        if is_frame {
            self.blank(line);
        }
        is_frame
    }

    /// A component that stands alone on its line: a note, a tab, or a frame around what is Markdown again.
    pub(super) fn component(
        &mut self,
        name: &str,
        attributes: &str,
        ends: bool,
        line: &Line<'_>,
    ) -> bool {
        if let Some(name) = name.strip_prefix('/') {
            if !self.close_named(name, line) {
                self.blank(line);
            }
            return true;
        }
        let value = |key: &str| attribute(attributes, key);
        let lower = name.to_lowercase();
        let of_tab = || value("value").filter(|_| matches!(lower.as_str(), "tab" | "tabitem"));
        let title = value("title").or_else(|| value("label"));
        let title = title.or_else(of_tab).unwrap_or("");
        if let Some(class) = note_class(name, attributes).filter(|_| !ends)
            && self.open.len() < DEPTH_MAX
        {
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

    pub(super) fn close_named(&mut self, name: &str, line: &Line<'_>) -> bool {
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
