//! Reads the header of an AsciiDoc document: its title, authors, revision and attributes.

use crate::markup::asciidoc::{Reader, inline, section};
use crate::markup::lines::{self, Line};
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{plain, squash};

impl Reader {
    /// The title with the lines about author and revision below it.
    pub(super) fn header(&mut self, lines: &[Line<'_>]) -> (usize, Vec<Block>) {
        let mut at = 0;
        let mut out = Vec::new();
        while let Some(line) = lines.get(at) {
            let words = line.words();
            if words.is_empty() || words.starts_with("//") && !words.starts_with("////") {
                at += 1;
            } else if let Some(used) = self.entry(lines.get(at..).unwrap_or_default()) {
                at += used;
            } else {
                break;
            }
        }
        let rest = lines.get(at..).unwrap_or_default();
        let Some((1, title, used)) = section(rest) else {
            return (at, out);
        };
        // A title in the old spelling asks for the old marks.
        if used == 2 {
            self.attributes
                .insert("compat-mode".to_owned(), String::new());
        }
        let text = self.inline(title);
        out.push(lines::block(
            BlockKind::Heading { level: 1, text },
            rest.get(..used).unwrap_or_default(),
        ));
        at += used;
        let is_line = |line: Option<&Line<'_>>| {
            line.is_some_and(|line| {
                !line.is_blank() && !line.text.starts_with([':', '/', '[', '=', '.'])
            })
        };
        if is_line(lines.get(at)) {
            let words = lines.get(at).map_or("", Line::words);
            // An author line holds a name, mostly with an address.
            if words.contains('<') || words.split_whitespace().count() <= 4 && !words.ends_with('.')
            {
                let name = words.split('<').next().unwrap_or("").trim();
                self.about.author = Some(squash(name)).filter(|name| !name.is_empty());
                at += 1;
                if is_line(lines.get(at)) {
                    let words = lines.get(at).map_or("", Line::words);
                    let date = words
                        .rsplit(',')
                        .next()
                        .unwrap_or(words)
                        .split(':')
                        .next()
                        .unwrap_or("");
                    self.about.date = Some(squash(date))
                        .filter(|date| date.contains(|c: char| c.is_ascii_digit()));
                    at += 1;
                }
            }
        }
        (at, out)
    }

    /// `:name: value`; gives the lines it takes.
    pub(super) fn entry(&mut self, lines: &[Line<'_>]) -> Option<usize> {
        let words = lines.first()?.words();
        let rest = words.strip_prefix(':')?;
        let (name, value) = rest.split_once(':')?;
        let is_name = !name.is_empty()
            && name.len() < 80
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '!'))
            && (value.is_empty() || value.starts_with(' '));
        if !is_name {
            return None;
        }
        let mut used = 1;
        let mut value = value.trim().to_owned();
        while let Some(head) = value.strip_suffix(" \\").map(str::to_owned) {
            value = head;
            let Some(next) = lines.get(used) else { break };
            value.push(' ');
            value.push_str(next.words());
            used += 1;
            if used > 50 {
                break;
            }
        }
        if name.contains('!') {
            self.attributes
                .remove(&name.replace('!', "").to_lowercase());
            return Some(used);
        }
        match name {
            "author" => self.about.author = Some(value.clone()),
            "revdate" => self.about.date = Some(value.clone()),
            "lang" => self.about.language = Some(value.clone()),
            "description" => self.about.description = Some(value.clone()),
            _ => {}
        }
        if self.attributes.len() < 2_000 && value.len() < 2_000 {
            // Other attributes in the value are filled in once, here.
            let value = if value.contains('{') {
                plain(&inline::read(&value, &self.attributes))
            } else {
                value
            };
            self.attributes
                .insert(name.to_lowercase(), value.chars().take(2_000).collect());
        }
        Some(used)
    }
}
