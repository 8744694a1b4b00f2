//! Reads what stands above a block of AsciiDoc: its title, its style and its attributes.

/// The lines above a block.
#[derive(Debug, Default)]
pub(crate) struct Metadata {
    /// `.Title`.
    pub(crate) title: Option<String>,
    /// Where the title stands.
    pub(crate) title_at: std::ops::Range<usize>,
    positions: Vec<String>,
    named: Vec<(String, String)>,
    anchored: bool,
}

impl Metadata {
    /// Whether nothing stood above.
    pub(crate) fn is_empty(&self) -> bool {
        self.title.is_none() && self.positions.is_empty() && self.named.is_empty() && !self.anchored
    }

    /// Takes a line over when it is one of these.
    pub(crate) fn take(&mut self, line: &str) -> bool {
        if let Some(title) = line.strip_prefix('.') {
            let is_title = title
                .chars()
                .next()
                .is_some_and(|c| c != '.' && !c.is_whitespace());
            if is_title {
                self.title = Some(title.trim().to_owned());
            }
            return is_title;
        }
        let Some(inner) = line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
        else {
            return false;
        };
        if inner.starts_with('[') {
            self.anchored = true;
            return inner.ends_with(']');
        }
        // A paragraph may begin with brackets as well: attributes begin with a name or a mark.
        let begins = inner.chars().next();
        if !begins.is_none_or(|c| {
            c.is_alphanumeric() || matches!(c, '.' | '#' | '%' | ',' | '"' | '_' | '{' | '\'')
        }) || inner.len() > 1_000
        {
            return false;
        }
        self.anchored = true;
        for (at, part) in split(inner).into_iter().enumerate() {
            match part.split_once('=').filter(|(name, _)| {
                name.trim()
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
            }) {
                Some((name, value)) => {
                    let value = value.trim().trim_matches(['"', '\'']).to_owned();
                    self.named.push((name.trim().to_lowercase(), value));
                }
                None => {
                    let part = part.trim().trim_matches('"');
                    if at == 0 {
                        self.first(part);
                    } else {
                        self.positions.push(part.to_owned());
                    }
                }
            }
        }
        true
    }

    /// `style#id.role%option`.
    fn first(&mut self, part: &str) {
        let end = part.find(['#', '.', '%']).unwrap_or(part.len());
        let style = part.get(..end).unwrap_or("").to_owned();
        for option in part.split('%').skip(1) {
            let option = option.split(['#', '.']).next().unwrap_or("");
            self.named.push(("options".to_owned(), option.to_owned()));
        }
        // A line with only a role keeps the style told before.
        if self.positions.is_empty() {
            self.positions.push(style);
        } else if let Some(first) = self.positions.first_mut()
            && !style.is_empty()
        {
            *first = style;
        }
    }

    /// The style: the first position.
    pub(crate) fn style(&self) -> &str {
        self.position(0).unwrap_or("")
    }

    /// What stands in a position.
    pub(crate) fn position(&self, at: usize) -> Option<&str> {
        self.positions.get(at).map(String::as_str)
    }

    /// An attribute by its name.
    pub(crate) fn named(&self, name: &str) -> Option<&str> {
        let found = self.named.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Whether an option is set, in any spelling.
    pub(crate) fn option(&self, option: &str) -> bool {
        self.named
            .iter()
            .filter(|(name, _)| name == "options" || name == "opts")
            .any(|(_, value)| value.split(',').any(|one| one.trim() == option))
    }

    /// Whether `[,language]` makes code of it.
    pub(crate) fn has_language(&self) -> bool {
        self.style().is_empty()
            && self
                .position(1)
                .is_some_and(|language| !language.is_empty())
    }

    /// The language of code.
    pub(crate) fn language(&self) -> Option<String> {
        let told = matches!(self.style(), "source" | "");
        self.named("language")
            .or_else(|| self.position(1).filter(|_| told))
            .map(str::to_owned)
    }
}

pub(super) fn is_admonition(style: &str) -> bool {
    matches!(style, "note" | "tip" | "important" | "warning" | "caution")
}

/// Splits at commas outside of quotes.
fn split(inner: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut quoted = false;
    for (at, character) in inner.char_indices() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => {
                parts.push(inner.get(start..at).unwrap_or(""));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(inner.get(start..).unwrap_or(""));
    parts
}
