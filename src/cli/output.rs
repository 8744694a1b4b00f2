//! Owns how a command speaks: results on standard output, the rest on standard error, and how it ends.

use crate::providers::public_address::Refusal;
use crate::services::admin::AdminError;
use serde::Serialize;
use skillkiln_document::failure::Failure;
use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

/// Why a command ended without doing what it was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    /// It could not; the message says why. Exit 1.
    Failed(String),
    /// It was asked wrongly; the message says how to ask. Exit 2.
    Misused(String),
    /// It did, and what it found is bad; everything is said already. Exit 1.
    Found,
    /// It did, and what it compared is not the same; everything is said already. Exit 3.
    Changed,
    /// Nobody listens any more, as when its output goes to `head`. Exit 0.
    Unheard,
}

impl Stop {
    /// A failure in the words of its cause.
    #[must_use]
    pub fn failed(cause: impl fmt::Display) -> Self {
        Self::Failed(cause.to_string())
    }

    /// What the operator's services answered: what makes no sense was asked wrongly.
    #[must_use]
    pub fn by_admin(error: AdminError) -> Self {
        match error {
            AdminError::Malformed(message) => Self::Misused(message),
            error => Self::failed(error),
        }
    }

    /// Why, in words; empty where everything is said already.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::Failed(message) | Self::Misused(message) => message,
            Self::Found | Self::Changed | Self::Unheard => String::new(),
        }
    }

    /// Says why on standard error, and gives the exit code.
    #[must_use]
    pub fn report(self) -> ExitCode {
        let (code, message) = match self {
            Self::Failed(message) => (1, Some(message)),
            Self::Misused(message) => (2, Some(message)),
            Self::Found => (1, None),
            Self::Changed => (3, None),
            Self::Unheard => (0, None),
        };
        if let Some(message) = message {
            note(&format!("error: {message}"));
        }
        ExitCode::from(code)
    }
}

/// Says a line on standard error. When that is closed there is nobody left to tell.
pub fn note(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Prints a result line on standard output.
///
/// # Errors
/// [`Stop::Unheard`] when nobody listens, [`Stop::Failed`] when it cannot be written, as on a full disk.
pub fn say(line: &str) -> Result<(), Stop> {
    write_all(format!("{line}\n").as_bytes())
}

/// Prints a result as JSON, indented for people and fit for machines.
///
/// # Errors
/// As [`say`].
pub fn say_json(value: &impl Serialize) -> Result<(), Stop> {
    say(&serde_json::to_string_pretty(value).map_err(Stop::failed)?)
}

/// Prints bytes to the letter.
///
/// # Errors
/// As [`say`].
pub fn write_all(bytes: &[u8]) -> Result<(), Stop> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)
        .and_then(|()| out.flush())
        .map_err(|cause| match cause.kind() {
            io::ErrorKind::BrokenPipe => Stop::Unheard,
            _ => Stop::Failed(format!("cannot write the result: {cause}")),
        })
}

/// So many of something, in words: `1 account`, `2 accounts`.
#[must_use]
pub fn counted(count: impl fmt::Display, of: &str) -> String {
    let count = count.to_string();
    let ending = if count == "1" { "" } else { "s" };
    format!("{count} {of}{ending}")
}

/// Lays rows out in columns under their headings, for people.
#[must_use]
pub fn table(headings: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let longest = cells.map(|cell| cell.chars().count()).max().unwrap_or(0);
        longest.max(headings.get(column).map_or(0, |h| h.chars().count()))
    };
    let widths: Vec<usize> = (0..headings.len()).map(width).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let padded: Vec<String> = cells
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:width$}"))
            .collect();
        padded.join("  ").trim_end().to_owned()
    };
    let mut lines = vec![line(&mut headings.iter().copied())];
    lines.extend(
        rows.iter()
            .map(|row| line(&mut row.iter().map(String::as_str))),
    );
    lines.join("\n")
}

/// What an outsider wrote, made safe for a terminal: control characters, which could move the cursor or hide text, are shown
/// as the replacement character.
#[must_use]
pub fn tame(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}

/// A stage's failure in its own words. Whoever types commands may set what a user of a service may not.
#[must_use]
pub fn failed(failure: Failure) -> Stop {
    let mut words = failure.message;
    if words == Refusal::Private.to_string() {
        words.push_str(", or, if that network is yours, set fetch.allow_private_addresses=true");
    }
    Stop::Failed(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_lines_its_columns_up() {
        let rows = vec![
            vec!["ann@example.org".into(), "3".into()],
            vec!["bo@example.org".into(), "50".into()],
        ];
        assert_eq!(
            table(&["email", "credits"], &rows),
            "email            credits\nann@example.org  3\nbo@example.org   50"
        );
    }

    #[test]
    fn one_is_not_counted_as_many() {
        assert_eq!(counted(1, "account"), "1 account");
        assert_eq!(counted(0, "account"), "0 accounts");
    }

    #[test]
    fn a_terminal_is_safe_from_what_outsiders_write() {
        assert_eq!(tame("a\u{1b}[2Jb\n"), "a\u{fffd}[2Jb\u{fffd}");
    }
}
