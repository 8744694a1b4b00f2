//! Owns to what a title belongs that would fit the documentation of anything, such as "Quick Start" or "build": to the command that
//! it is a part of, to the site of its page, to the command that its code calls, or to what its file is called.

use super::outline::is_generic;
use super::places::{Place, visit};
use super::title::{VAGUE, called, without_number};
use crate::domain::document::{Block, Document};
use crate::domain::text::{letters, slug, squash};
use crate::pipeline::quick::QuickMap;

/// How a title is told that says nothing alone.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Belonging {
    /// In a name: `borg Quick Start`.
    pub(super) named: String,
    /// In a sentence: `Quick Start (borg)`.
    pub(super) spoken: String,
}

/// Words of titles that stand in the documentation of anything.
const ANYBODYS: &str = "a advanced and architecture asked basic basics build building cheatsheet command commands common community concepts \
    configuration configuring contributing cookbook customization customizing debugger debugging deploy deploying deployment \
    design details develop developing development docs documentation example examples extending faq faqs \
    features file files for frequently getting glossary guide help how howto implementation install installation installing \
    instructions internals intro introduction issues known limitations manual migrating migration notes of operations options our \
    overview performance plan problems questions quick quickstart readme recipes reference requirements roadmap run running \
    script scripts security settings setup specification start started support syntax testing tests the tips to tricks \
    troubleshoot troubleshooting tutorial tutorials upgrade upgrading usage user using with your";
/// Commands that stand in the examples of all others.
const EVERYWHERE: &str = "apt apt-get bash brew cargo cat cd chmod chown cmake cp curl dnf echo env exit export find git gcc grep head if kill less ln ls make mkdir mv \
    nano pip pip3 ps python python3 pwd rm sed set sh source ssh su systemctl tail tar tee test touch vi vim wget which yum";
/// The same command begins this many calls, and this share of them all, where a text is on it.
const CALLS_MIN: usize = 3;
const CALLS_SHARE_PERCENT: usize = 40;
/// A site's name is short.
const SITE_CHARS_MAX: usize = 32;

/// How a title is told with what it belongs to; none where it says enough, or nothing in the source tells.
pub(super) fn of(title: &str, document: &Document, label: &str) -> Option<Belonging> {
    let bare = without_number(title);
    let is_word = bare.len() > 1 && bare.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    if !is_word && !is_anybodys(bare) {
        return None;
    }
    let calls = calls(&document.blocks);
    if let Some(command) = calls.commands_with(bare).filter(|_| is_word) {
        let whole = format!("{command} {bare}");
        return Some(Belonging {
            named: whole.clone(),
            spoken: whole,
        });
    }
    if !is_anybodys(bare) {
        return None;
    }
    let whole = site(bare, document)
        .or_else(|| calls.most().map(str::to_owned))
        .or_else(|| in_file(bare, label))?;
    let whole = called(&whole, &document.blocks)?;
    Some(Belonging {
        named: format!("{whole} {bare}"),
        spoken: format!("{bare} ({whole})"),
    })
}

/// Whether a title is made of words that stand in the documentation of anything.
fn is_anybodys(title: &str) -> bool {
    let lower = title.to_lowercase();
    let mut words = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    !lower.is_empty() && words.all(|word| ANYBODYS.split(' ').any(|known| known == word))
}

/// The name of the site: as the page gives it, or what else stands in the title of the page.
fn site(title: &str, document: &Document) -> Option<String> {
    let own = letters(title);
    let rest = document.title.as_deref().and_then(|whole| {
        let pieces = [" | ", " — ", " – ", " · ", " :: ", " » ", " - "]
            .iter()
            .map(|separator| whole.split(separator).collect::<Vec<_>>())
            .find(|pieces| pieces.len() > 1)?;
        let is_own = |piece: &&&str| letters(piece) == own;
        pieces.iter().find(is_own)?;
        pieces.into_iter().rfind(|piece| letters(piece) != own)
    });
    document
        .about
        .site
        .as_deref()
        .or(rest)
        .map(product)
        .filter(|site| {
            site.contains(char::is_alphabetic)
                && site.chars().count() <= SITE_CHARS_MAX
                && !is_anybodys(site)
                && !is_generic(site)
                && !letters(site).contains(&own)
        })
}

/// `Borg` of `Borg 1.2.4 documentation`.
fn product(site: &str) -> String {
    let words = site.split_whitespace();
    let kept: Vec<&str> = words
        .take_while(|word| {
            let lower = word.to_lowercase();
            let is_version = lower
                .trim_start_matches('v')
                .starts_with(|c: char| c.is_ascii_digit());
            !is_version && !["documentation", "docs", "manual"].contains(&lower.as_str())
        })
        .collect();
    kept.join(" ")
}

/// The commands that a text's code calls, each with what it does.
struct Calls<'a> {
    calls: Vec<(&'a str, &'a str)>,
}

fn calls(blocks: &[Block]) -> Calls<'_> {
    let mut calls = Vec::new();
    visit(blocks, &mut |place, text| match place {
        Place::Listing(language) => {
            let is_shell = language.is_some_and(|language| {
                ["sh", "bash", "shell", "zsh", "console", "terminal"].contains(&language)
            });
            let lines = text
                .lines()
                .filter(|line| is_shell || prompted(line).is_some() || line.starts_with("Usage:"));
            calls.extend(lines.filter_map(call));
        }
        // A word alone is no call.
        Place::Code => calls.extend(call(text).filter(|(_, does)| !does.is_empty())),
        _ => {}
    });
    Calls { calls }
}

/// A line without the prompt before it; none where there is none.
fn prompted(line: &str) -> Option<&str> {
    let line = line.trim_start();
    ["$ ", "# ", "% ", "> "]
        .iter()
        .find_map(|prompt| line.strip_prefix(prompt))
}

/// The command that a line calls, and its next word.
fn call(line: &str) -> Option<(&str, &str)> {
    let line = prompted(line).unwrap_or(line);
    let line = line.strip_prefix("Usage:").unwrap_or(line);
    let mut words = line.split_whitespace().skip_while(|word| *word == "sudo");
    let command = words.next()?;
    let is_command = command.len() > 1
        && command.starts_with(|c: char| c.is_ascii_lowercase())
        && command
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "._+-".contains(c));
    is_command.then(|| (command, words.next().unwrap_or_default()))
}

impl<'a> Calls<'a> {
    /// The command that is called with a word next to it, where it is always the same.
    fn commands_with(&self, word: &str) -> Option<&'a str> {
        let mut commands = self
            .calls
            .iter()
            .filter(|(_, next)| *next == word)
            .map(|(command, _)| *command);
        let first = commands.next()?;
        let mut others = 0;
        let is_one = commands
            .inspect(|_| others += 1)
            .all(|command| command == first);
        (is_one && others > 0 && first != word).then_some(first)
    }

    /// The command that most calls begin with.
    fn most(&self) -> Option<&'a str> {
        let mut counts: QuickMap<&str, usize> = QuickMap::default();
        let own = |command: &&str| !EVERYWHERE.split(' ').any(|known| known == *command);
        let commands = self.calls.iter().map(|(command, _)| *command).filter(own);
        let all = commands
            .map(|command| *counts.entry(command).or_default() += 1)
            .count();
        let (command, count) = counts
            .into_iter()
            .max_by_key(|(command, count)| (*count, std::cmp::Reverse(*command)))?;
        (count >= CALLS_MIN && count * 100 >= all * CALLS_SHARE_PERCENT).then_some(command)
    }
}

/// What stands beside a title in the name of its file: `docker` of `docker-glossary.md`.
fn in_file(title: &str, label: &str) -> Option<String> {
    let file = label.rsplit(['/', '\\']).next()?;
    let (stem, _) = file.split_once('.')?;
    let stem = slug(stem, SITE_CHARS_MAX * 2);
    let own = slug(title, SITE_CHARS_MAX * 2);
    let rest = stem
        .strip_suffix(own.as_str())
        .and_then(|rest| rest.strip_suffix('-'))
        .or_else(|| stem.strip_prefix(own.as_str())?.strip_prefix('-'))?;
    let tells = |part: &str| {
        part.len() > 2
            && part.bytes().all(|b| b.is_ascii_lowercase())
            && !VAGUE.contains(&part)
            && !is_anybodys(part)
    };
    rest.split('-')
        .all(tells)
        .then(|| squash(&rest.replace('-', " ")))
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    fn named(title: &str, page: Option<&str>, text: &str, label: &str) -> Option<String> {
        let mut document = testing::document(text);
        document.title = page.map(str::to_owned);
        of(title, &document, label).map(|whole| whole.named)
    }

    #[test]
    fn a_part_of_a_command_is_called_with_the_command() {
        let text = "# rm\n\n```\nUsage:  kiln rm POT\n\n```bash\n$ kiln rm -f pot\n\nWords.";
        let text = text.replace("POT\n\n```bash", "POT\n```\n\n```bash");
        let mut document = testing::document(&text);
        assert_eq!(of("rm", &document, "rm.md").unwrap().spoken, "kiln rm");
        document.blocks.pop();
        document.blocks.pop();
        assert_eq!(of("rm", &document, "rm.md"), None, "one line shows nothing");
    }

    #[test]
    fn a_title_that_fits_anything_is_called_with_its_site() {
        let page = |title| {
            named(
                "Quick Start",
                Some(title),
                "# Quick Start\n\nFire it.",
                "a.html",
            )
        };
        assert_eq!(
            page("Quick Start — Kiln 1.2.4 documentation").as_deref(),
            Some("Kiln Quick Start")
        );
        assert_eq!(
            page("Quick Start - Kiln").as_deref(),
            Some("Kiln Quick Start")
        );
        assert_eq!(page("Quick Start"), None);
        assert_eq!(
            named(
                "Quick Firing",
                Some("Quick Firing - Kiln"),
                "Fire it.",
                "a.html"
            ),
            None
        );
    }

    #[test]
    fn a_title_that_fits_anything_is_called_with_the_command_of_its_code() {
        let text = |command: &str| {
            format!(
                "# Troubleshooting\n\n```bash\nsudo {command} log\n{command} list\ncd pots\n{command} fire\n```"
            )
        };
        let whole = |command: &str| named("Troubleshooting", None, &text(command), "a.md");
        assert_eq!(whole("kiln").as_deref(), Some("kiln Troubleshooting"));
        assert_eq!(
            whole("curl"),
            None,
            "it stands in the examples of all others"
        );
    }

    #[test]
    fn a_title_that_fits_anything_is_called_with_what_its_file_adds() {
        let file = |label| named("Glossary", None, "# Glossary\n\nWords.", label);
        assert_eq!(file("kiln-glossary.md").as_deref(), Some("kiln Glossary"));
        for nothing in [
            "glossary.md",
            "057-glossary.md",
            "docs-glossary.md",
            "words.md",
        ] {
            assert_eq!(file(nothing), None, "{nothing}");
        }
    }
}
