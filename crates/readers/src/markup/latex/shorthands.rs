//! Owns the words that a document gives a short name to, `\\newcommand{\\Kiln}{the \\emph{old} kiln}`: where the name stands, they are said.

use crate::markup::latex::DEPTH_MAX;
use crate::markup::latex::groups::group;
use std::collections::HashMap;

/// What defines a command.
const DEFINING: [&str; 4] = [
    "\\newcommand",
    "\\renewcommand",
    "\\providecommand",
    "\\def",
];
/// Longer words are no short name's, and more names than these no document has.
const BODY_BYTES_MAX: usize = 120;
const NAMES_MAX: usize = 2_000;
/// So much of a text is looked at around a definition.
const NEAR_BYTES: usize = 240;
/// What builds a document says nothing.
const BUILDING: [&str; 6] = ["\\begin", "\\end", "\\item", "section", "\\input", "\\if"];

/// The words by their names.
#[derive(Debug, Default)]
pub(super) struct Shorthands<'t>(HashMap<&'t str, &'t str>);

impl<'t> Shorthands<'t> {
    /// Those that `text` defines, without commands that take something.
    pub(super) fn of(text: &'t str) -> Self {
        let mut found = HashMap::new();
        for defining in DEFINING {
            for (at, _) in text.match_indices(defining) {
                let start = text.floor_char_boundary(at.saturating_sub(NEAR_BYTES));
                let line = text.get(start..at).and_then(|it| it.rsplit('\n').next());
                let is_remark = line.is_some_and(|line| line.contains('%'));
                let behind = text.get(at + defining.len()..).unwrap_or("");
                let end = behind.floor_char_boundary(NEAR_BYTES);
                let behind = behind.get(..end).unwrap_or("");
                if let Some((name, body)) = defined(behind).filter(|_| !is_remark)
                    && found.len() < NAMES_MAX
                {
                    found.insert(name, body);
                }
            }
        }
        Self(found)
    }
}

/// The name and the words that stand behind a command that defines: `{\\Kiln}{words}`, `\\Kiln{words}`.
fn defined(behind: &str) -> Option<(&str, &str)> {
    let behind = behind.strip_prefix('*').unwrap_or(behind);
    let (named, rest) = match group(behind) {
        ("", _) => {
            let letters = behind.strip_prefix('\\')?;
            let end = letters.find(|c: char| !c.is_ascii_alphabetic())?;
            behind.split_at_checked(end + 1)?
        }
        (named, used) => (named.trim(), behind.get(used..)?),
    };
    let name = named.strip_prefix('\\')?;
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    let (body, _) = group(rest.trim_start_matches(' '));
    let says = !body.trim().is_empty()
        && body.len() <= BODY_BYTES_MAX
        && !body.contains(['#', '@'])
        && !BUILDING.iter().any(|building| body.contains(building));
    (is_name && says).then_some((name, body))
}

/// Where running text stands: how deep, and among which short names.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place<'s> {
    depth: usize,
    shorthands: Option<&'s Shorthands<'s>>,
}

impl<'s> Place<'s> {
    /// The outermost one among these names.
    pub(super) fn among(shorthands: &'s Shorthands<'s>) -> Self {
        Self {
            depth: 0,
            shorthands: Some(shorthands),
        }
    }

    /// That of what stands in a group.
    pub(super) fn inside(self) -> Self {
        Self {
            depth: self.depth + 1,
            ..self
        }
    }

    /// Whether what a command says is no longer asked.
    pub(super) fn is_too_deep(self) -> bool {
        self.depth >= DEPTH_MAX / 2
    }

    /// The words that `name` is short for, and their place: no other names are looked up in them, so that none can grow without end.
    pub(super) fn body_of(self, name: &str) -> Option<(&'s str, Self)> {
        let body = self.shorthands?.0.get(name)?;
        let place = Self {
            depth: self.depth + 1,
            shorthands: None,
        };
        Some((body, place))
    }
}

#[cfg(test)]
mod tests {
    use crate::markup::latex::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn what_a_short_name_stands_for_is_said() {
        let source = "\\documentclass{article}\n\\newcommand{\\Kiln}{{\\bf Kiln\\/}}\n\\newcommand\\hot{\\emph{very} hot}\n\\def\\deg{$T_i$}\n% \\def\\no{never}\n\\begin{document}\n\\section{The \\Kiln}\n\\Kiln{} is \\hot\\ and \\Kiln's heat is \\deg.\n\n\\texttt{\\Kiln} it is \\no.\n\\end{document}\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "# The Kiln\n\nKiln is *very* hot and Kiln's heat is $T_i$.\n\n`Kiln` it is .\n"
        );
    }

    #[test]
    fn a_name_that_stands_for_itself_ends() {
        let source = "\\documentclass{article}\n\\def\\a{x\\a\\b}\n\\def\\b{y\\a\\b}\n\\begin{document}\nIt is \\a.\n\\end{document}\n";
        assert_eq!(write(&read(source.to_owned()).blocks), "It is x.\n");
    }
}
