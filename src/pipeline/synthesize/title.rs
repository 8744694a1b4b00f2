//! Owns what a skill is called: its title, and the name made of it.

use super::belonging::product;
use super::describe::{Gist, capitalised, clip, sample};
use super::heading_words::without_division;
use super::hostile;
use super::manuals::{ManualPart, part_of_manual};
use super::outline::{block_text, is_generic};
use super::phrases::key_phrases;
use super::project::with_project;
use super::series::{is_release, release_of, released, tells_releases};
use super::talks::announced::announced;
use super::talks::is_heard;
use super::talks::signs::runs;
use super::talks::told::told;
use super::wording::is_unfinished;
use crate::domain::document::{Block, BlockKind};
use crate::domain::text::{is_unspaced, letters, plain, slug, squash};
use crate::pipeline::orders;
use crate::pipeline::scaffold::VAGUE_NAMES;
use crate::pipeline::secret::REDACTED;
use crate::pipeline::secret::redacted;

/// Longest name (V015).
pub(super) const NAME_CHARS_MAX: usize = 64;
/// What is explained behind a colon or a dash is called by so many words at most.
const NAME_WORDS_MAX: usize = 3;
/// Names that could be anything, beside those that the checks know.
const VAGUE: [&str; 8] = [
    "changelog",
    "changes",
    "history",
    "news",
    "text",
    "index",
    "readme",
    "untitled",
];

/// Whether a word of a name could be that of anything (V019).
pub(super) fn is_vague(word: &str) -> bool {
    VAGUE.contains(&word) || VAGUE_NAMES.contains(&word)
}

/// What somebody calls the subject, as a title: none when that is an order to a model, unfinished, or nothing at all. What a secret
/// was is left out (V080), and of a flag, a path or an address that the source does not show, the letters stay: the title claims
/// nothing that a reader could carry out (V090).
pub(super) fn called(name: &str, blocks: &[Block]) -> Option<String> {
    let name = squash(&hostile::visible(&redacted(name)));
    if orders::is_order(&name) || is_unfinished(&name) {
        return None;
    }
    let bears_signs = |word: &str| {
        word.starts_with('-')
            || word.contains(['/', '\\', '`', '<', '>', '{', '}', '$', '=', '@', '~', '|'])
    };
    let is_shown = |word: &str| {
        let bare = word.trim_matches('`');
        bare.chars().any(char::is_alphanumeric)
            && blocks.iter().any(|block| holds(&block_text(block), bare))
    };
    let words = name.split(' ').map(|word| match bears_signs(word) {
        true if !is_shown(word) => word
            .replace(REDACTED, " ")
            .replace(|c: char| !c.is_alphanumeric() && c != '_', " "),
        _ => word.replace(REDACTED, " "),
    });
    let title = squash(&words.collect::<Vec<_>>().join(" "));
    (!title.is_empty()).then_some(title)
}

/// Whether a text has a flag, a path or an address as a whole, and not as the beginning or the end of another.
fn holds(text: &str, sign: &str) -> bool {
    let goes_on = |c: char| c.is_alphanumeric() || "-_./:=@~\\".contains(c);
    text.match_indices(sign).any(|(at, _)| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let mut after = text.get(at + sign.len()..).unwrap_or_default().chars();
        // The stop at the end of a sentence is none of it.
        let ends = match after.next() {
            Some('.' | ':') => !after.next().is_some_and(goes_on),
            next => !next.is_some_and(goes_on),
        };
        ends && !before.is_some_and(goes_on)
    })
}

/// The name that somebody asked for, however short or vague it is; none when nothing of it can be written in ASCII.
pub(super) fn wished(name: Option<&str>) -> Option<String> {
    let name = unreserved(&slug(&redacted(name?), NAME_CHARS_MAX));
    (!name.is_empty()).then_some(name)
}

/// A name from the first of `candidates` that can be written in ASCII; `fallback` completes a vague one or stands alone.
pub(super) fn name(candidates: &[&str], terms: &[String], digest: &str) -> String {
    let short: String = digest
        .chars()
        .filter(char::is_ascii_hexdigit)
        .take(8)
        .collect::<String>()
        .to_ascii_lowercase();
    let mut name = candidates
        .iter()
        .map(|candidate| before_explanation(without_number(without_section(candidate))))
        .map(|candidate| unreserved(&slug(candidate, NAME_CHARS_MAX)))
        .find(|name| name.len() >= 2)
        .unwrap_or_default();
    let says_nothing = !name.is_empty() && name.split('-').all(is_vague);
    if says_nothing || is_generic(&name.replace('-', " ")) {
        let term = terms
            .iter()
            .map(|term| unreserved(&slug(term, 40)))
            .find(|term| !term.is_empty() && *term != name && !is_vague(term))
            .unwrap_or_else(|| short.clone());
        name = format!("{term}-{name}");
    }
    if name.is_empty() {
        name = if short.is_empty() {
            "skill-from-source".to_owned()
        } else {
            format!("skill-{short}")
        };
    }
    if is_order(&name) {
        // What is read here is a text on the deed, not the deed.
        name = format!("{}-guide", slug(&name, NAME_CHARS_MAX - "-guide".len()));
    }
    slug(&name, NAME_CHARS_MAX)
}

/// `kiln` of `kiln: Fires pots of clay, of stone and of all that melts, in whatever order`: what explains a name is rather left out
/// than cut in the middle.
fn before_explanation(title: &str) -> &str {
    let is_too_long = slug(title, usize::MAX).len() > NAME_CHARS_MAX;
    let named = [": ", " - ", " — ", " – ", " -- "]
        .iter()
        .filter_map(|mark| title.split_once(mark))
        .filter(|(name, tail)| {
            // What is more than a name is half of what is said.
            name.len() > 1 && name.split(' ').count() <= NAME_WORDS_MAX && tail.contains(' ')
        })
        .map(|(name, _)| name)
        .min_by_key(|name| name.len());
    named
        .filter(|name| {
            is_too_long
                && !is_generic(name)
                && !name.split(' ').all(|word| is_vague(&word.to_lowercase()))
        })
        .unwrap_or(title)
}

/// Whether a name would read as an order that changes something in the world, which an agent had better not carry out on its
/// own (agnix CC-SK-006).
fn is_order(name: &str) -> bool {
    const DEEDS: [&str; 8] = [
        "commit", "delete", "deploy", "publish", "push", "release", "send", "ship",
    ];
    const TEXTS: [&str; 18] = [
        "analysis",
        "analyzer",
        "check",
        "conventions",
        "docs",
        "format",
        "guide",
        "guidelines",
        "history",
        "lookup",
        "notes",
        "report",
        "review",
        "search",
        "status",
        "style",
        "summary",
        "triage",
    ];
    let has = |words: &[&str]| name.split('-').any(|part| words.contains(&part));
    has(&DEEDS) && !has(&TEXTS)
}

/// A manual page's title without the number of its section: `cargo-build(1)`, and `cargo-build(1) Manual Page`.
pub(super) fn without_section(title: &str) -> &str {
    let bare = title.trim();
    match bare
        .strip_suffix(" Manual Page")
        .unwrap_or(bare)
        .strip_suffix(')')
        .and_then(|rest| rest.rsplit_once('('))
    {
        Some((page, section))
            if !page.is_empty()
                && !page.ends_with(char::is_whitespace)
                && section.len() <= 8
                && section.starts_with(|c: char| c.is_ascii_digit())
                && section.chars().all(|c| c.is_ascii_alphanumeric()) =>
        {
            page
        }
        _ => title,
    }
}

/// `SQL Dump` of `26.1. SQL Dump`, of `B.4. SQL Dump` and of `Chapter 26. SQL Dump`. A number without a stop may be a version.
pub(super) fn without_number(title: &str) -> &str {
    let title = without_division(title.trim());
    match title.split_once(' ') {
        Some((number, rest))
            if number.ends_with(['.', ')'])
                && number.contains(|c: char| c.is_ascii_digit())
                && without_letter(number)
                    .chars()
                    .all(|c| c.is_ascii_digit() || matches!(c, '.' | ')'))
                && rest.contains(char::is_alphabetic) =>
        {
            rest
        }
        _ => title,
    }
}

/// The number of a section in an appendix, without its letter.
fn without_letter(number: &str) -> &str {
    number
        .strip_prefix(|c: char| c.is_ascii_uppercase())
        .filter(|rest| rest.starts_with('.'))
        .unwrap_or(number)
}

/// A slug without the words that the upload refuses (V017).
fn unreserved(slug_text: &str) -> String {
    let mut name = slug_text.to_owned();
    while name.contains("anthropic") || name.contains("claude") {
        name = name.replace("anthropic", "").replace("claude", "");
    }
    slug(&name, NAME_CHARS_MAX)
}

/// The title of a source: its one main heading, or what it calls itself without the site's name, or its first words.
pub(super) fn title(
    title: Option<&str>,
    site: Option<&str>,
    blocks: &[Block],
    label: &str,
) -> String {
    let opens = blocks
        .iter()
        .take(3)
        .any(|block| matches!(block.kind, BlockKind::Heading { .. }));
    let mut headings = blocks.iter().filter_map(|block| match &block.kind {
        BlockKind::Heading { level, text } => Some((*level, squash(&plain(text)))),
        _ => None,
    });
    let first = headings.next();
    let second = headings.clone().next();
    let main = first
        .as_ref()
        .filter(|(level, words)| *level == 1 && opens && words.chars().any(char::is_alphanumeric))
        .filter(|(_, words)| !is_name_alone(words))
        .filter(|_| !headings.any(|(level, _)| level == 1))
        .map(|(_, words)| words.clone());
    // One of several releases is not what the notes on all of them are called.
    let is_latest = |main: &String| is_release(main) && tells_releases(blocks);
    let release = main.clone().filter(is_latest);
    let main = main.filter(|main| !is_latest(main));
    let released = released(blocks);
    let is_one_of_several = |title: &str| {
        is_release(title)
            || released.as_ref().is_some_and(|name| {
                release_of(title).is_some_and(|own| letters(&own) == letters(name))
            })
    };
    let own = title
        .filter(|title| !is_name_alone(title))
        .map(|title| without_site(&squash(title), site))
        .filter(|title| title.chars().any(char::is_alphanumeric))
        // Sphinx says so of a page without headings.
        .filter(|title| !title.trim_start_matches('<').starts_with("no title"))
        .filter(|title| main.is_some() || !is_one_of_several(title))
        .filter(|title| !is_file_name(title) || first_numbered(blocks).is_none());
    // The file of a book is called as it is, in short.
    let in_full = |own: &String| {
        let is_slug =
            !own.contains(' ') && own.contains(['-', '_']) && !own.contains(char::is_uppercase);
        let (_, first) = first.as_ref().filter(|_| is_slug)?;
        letters(first)
            .contains(&letters(own))
            .then(|| first.clone())
    };
    let own = own.map(|own| in_full(&own).unwrap_or(own));
    // A page that is called "Abstract" is the first of what its site is called, and a text whose only heading is "Status" is on
    // what its first words define.
    let whole = |main: &str| {
        let is_front = FRONTS.contains(&main.to_lowercase().as_str());
        let site = site
            .map(squash)
            .filter(|site| is_front && !is_generic(site));
        let of_file = || label.strip_suffix(".info").filter(|_| is_front);
        defined(blocks)
            .or(site.map(|site| product(&site)))
            .or_else(|| of_file().map(str::to_owned))
    };
    let is_empty = |own: &Option<String>| own.as_ref().is_none_or(|own| is_generic(own));
    let chosen = match (main, own) {
        (Some(main), own) if is_generic(&main) && is_empty(&own) => whole(&main).unwrap_or(main),
        (Some(main), Some(own)) if is_generic(&main) => own,
        // A site's name stands above the page's own, which the page is called by.
        (Some(_), Some(own)) if second.is_some_and(|(_, second)| second == own) => own,
        (Some(main), _) => main,
        (None, Some(own)) if is_generic(&own) => whole(&own).unwrap_or(own),
        (None, Some(own)) => own,
        (None, None) => name_line(blocks)
            .or_else(|| title_line(blocks))
            .or_else(|| first_numbered(blocks))
            .or_else(|| {
                // One of several equals is not the title of them all.
                first
                    .filter(|(level, words)| {
                        !is_generic(words)
                            && !is_one_of_several(words)
                            && words.chars().any(char::is_alphanumeric)
                            && is_alone(blocks, *level)
                    })
                    .map(|(_, words)| words)
            })
            .or_else(|| title_page(blocks).filter(|words| !is_generic(words)))
            .or_else(|| read_first(blocks, label))
            .unwrap_or_else(|| untitled(blocks, label, released.or(release))),
    };
    let chosen = with_project(&chosen, blocks).unwrap_or(chosen);
    // A manual of one page may be called twice by what it is called.
    let chosen = match [": ", " - ", " — ", " – "]
        .iter()
        .find_map(|mark| chosen.split_once(mark))
    {
        Some((head, tail)) if letters(head) == letters(tail) && !letters(head).is_empty() => {
            tail.to_owned()
        }
        _ => chosen,
    };
    clip(&decorated(&hostile::visible(&chosen)), 120)
}

/// The first heading, where only when it was written and by whom stands below it: that of a page of its own, whose rank its chapters have.
fn title_page(blocks: &[Block]) -> Option<String> {
    let (first, behind) = blocks.split_first()?;
    let BlockKind::Heading { text, .. } = &first.kind else {
        return None;
    };
    let lines: Vec<String> = behind
        .iter()
        .take_while(|block| matches!(block.kind, BlockKind::Paragraph(_)))
        .map(block_text)
        .collect();
    let next = behind.get(lines.len()).map(|block| &block.kind);
    let is_year = |word: &str| word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
    let mut words = lines
        .iter()
        .flat_map(|line| line.split(|c: char| !c.is_alphanumeric()));
    let is_imprint = words.any(is_year)
        && lines.len() <= TITLE_PAGE_LINES
        && lines.iter().all(|line| {
            line.chars().count() <= TITLE_PAGE_CHARS && !line.trim_end().ends_with('.')
        });
    let title = squash(&plain(text));
    (is_imprint && matches!(next, Some(BlockKind::Heading { .. })) && title.contains(' '))
        .then_some(title)
}

/// What a file "README" is on: the name that it opens with, as a heading of the rank that all its sections have.
fn read_first(blocks: &[Block], label: &str) -> Option<String> {
    let file = label.rsplit(['/', '\\']).next().unwrap_or_default();
    let BlockKind::Heading { text, .. } = &blocks.first()?.kind else {
        return None;
    };
    let words = squash(&plain(text));
    let is_name =
        words.contains(char::is_alphabetic) && !words.contains(' ') && !is_generic(&words);
    let lower = words.to_lowercase();
    let mut told = blocks
        .iter()
        .skip(1)
        .map(|block| block_text(block).to_lowercase());
    let is_readme = file.to_lowercase().starts_with("readme");
    (is_readme && is_name && told.any(|text| text.contains(&lower))).then_some(words)
}

/// What the first words of a text say that it is: `Kiln` of "Kiln is a tool that burns wood." above the first section.
fn defined(blocks: &[Block]) -> Option<String> {
    let paragraphs = blocks.iter().take(DEFINED_BLOCKS).filter(|block| {
        let is_paragraph = matches!(block.kind, BlockKind::Paragraph(_));
        is_paragraph && block.span.seconds().is_none()
    });
    paragraphs.map(block_text).find_map(|text| {
        let (name, _) = [" is a ", " is an ", " is the "]
            .iter()
            .filter_map(|verb| text.split_once(verb))
            .min_by_key(|(name, _)| name.len())?;
        let articles = ["The ", "A ", "An "];
        let named = articles
            .iter()
            .find_map(|article| name.strip_prefix(article));
        let name = named.unwrap_or(name);
        let is_name = name.starts_with(char::is_uppercase) || name.contains(['-', '_']);
        // "This is a kiln" and "Here is a door" name nothing.
        let is_pronoun = [
            "This", "That", "It", "Here", "There", "What", "Below", "Note", "Version", "Each",
            "Every", "Our",
        ];
        (is_name
            && name.split(' ').count() <= DEFINED_WORDS
            && !name.contains([',', '.', ':', '!', '?', ';', '\n'])
            && !is_pronoun
                .iter()
                .any(|word| name.split(' ').any(|own| own == *word)))
        .then(|| squash(name))
    })
}

/// Whether a title is the name of a file: `kiln-11.html`.
fn is_file_name(title: &str) -> bool {
    const ENDINGS: [&str; 6] = [".html", ".htm", ".xhtml", ".php", ".pdf", ".txt"];
    !title.contains(' ') && ENDINGS.iter().any(|ending| title.ends_with(ending))
}

/// The first heading, where its number is that to which the numbers of all others belong: `11. Doors` before `11.1. Wood`.
fn first_numbered(blocks: &[Block]) -> Option<String> {
    let mut headings = blocks.iter().filter_map(|block| match &block.kind {
        BlockKind::Heading { text, .. } => Some(squash(&plain(text))),
        _ => None,
    });
    let first = headings.next()?;
    let (number, words) = first.split_once(' ')?;
    let number = number.trim_end_matches('.');
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let is_below = |heading: String| {
        let rest = heading.strip_prefix(number).map(str::to_owned);
        rest.is_some_and(|rest| {
            rest.starts_with('.') && rest.chars().nth(1).is_some_and(|c| c.is_ascii_digit())
        })
    };
    (is_number && headings.all(is_below)).then(|| words.to_owned())
}

/// Whether a heading only stands over the name of a manual's page.
fn is_name_alone(heading: &str) -> bool {
    heading.chars().all(|c| !c.is_lowercase()) && part_of_manual(heading) == Some(ManualPart::Name)
}

/// `kiln` of the line `kiln - fires clay` below the heading over it.
fn name_line(blocks: &[Block]) -> Option<String> {
    let is_over = |block: &Block| matches!(&block.kind, BlockKind::Heading { text, .. } if is_name_alone(&plain(text)));
    let at = blocks.iter().take(4).position(is_over)?;
    let line = block_text(blocks.get(at + 1)?);
    let (name, _) = [" - ", " — ", " – ", " -- "]
        .iter()
        .find_map(|dash| line.split_once(dash))?;
    let name = name.trim();
    (!name.is_empty() && name.len() <= 40 && !name.contains('\n')).then(|| name.to_owned())
}

/// Whether there is one heading of a level, and none above it.
fn is_alone(blocks: &[Block], of_level: u8) -> bool {
    blocks
        .iter()
        .filter(|block| matches!(block.kind, BlockKind::Heading { level, .. } if level <= of_level))
        .count()
        == 1
}

/// The first line of a text, when it stands alone like a title.
pub(super) fn title_line(blocks: &[Block]) -> Option<String> {
    let (first, rest) = blocks.split_first()?;
    let BlockKind::Paragraph(text) = &first.kind else {
        return None;
    };
    // What somebody says first is none.
    if first.span.seconds().is_some() {
        return None;
    }
    let line = plain(text);
    let line = line.trim();
    let is_title = (6..=90).contains(&line.chars().count())
        && line.split_whitespace().count() <= 14
        && line.contains(char::is_alphabetic)
        && !line.contains(['\n', '|'])
        && !line.ends_with(['.', ':', ',', ';', '!', '。', '：'])
        && line.starts_with(|c: char| !c.is_lowercase());
    (is_title && !rest.is_empty()).then(|| squash(line))
}

/// What the first page of a whole is called that is no part of it.
const FRONTS: [&str; 9] = [
    "abstract",
    "contents",
    "docs",
    "documentation",
    "home",
    "index",
    "main menu",
    "master menu",
    "table of contents",
];
/// What a text is, is said in so many blocks, of a name of so many words.
const DEFINED_BLOCKS: usize = 3;
const DEFINED_WORDS: usize = 3;
/// Below the title of a book so many lines say by whom it is and when it was written, and none is longer.
const TITLE_PAGE_LINES: usize = 5;
const TITLE_PAGE_CHARS: usize = 80;
/// How a source is labelled that is no file and has no address.
const PASTED: &str = "text";
/// Among so many phrases those that make a title are looked for.
const PHRASES_LOOKED_AT: usize = 8;
/// A title made of a text's first words is not longer.
const UNTITLED_CHARS_MAX: usize = 60;

/// A title for a source that has none: the file's name, whose releases it tells of, or its first line when that is short, or what it
/// is about. A recording is rather called by what it announces.
fn untitled(blocks: &[Block], label: &str, released: Option<String>) -> String {
    let file = label.rsplit(['/', '\\']).next();
    let file = file.filter(|file| *file != PASTED);
    let stem = file.map(|file| file.rsplit_once('.').map_or(file, |(stem, _)| stem));
    let stem = stem.map(|stem| stem.replace(['_', '-'], " "));
    let is_spoken = is_heard(blocks);
    let told = told(blocks);
    let blocks = told.as_ref();
    if let Some(announced) = is_spoken.then(|| announced(blocks)).flatten() {
        return announced;
    }
    if let Some(stem) = stem.filter(|stem| {
        !label.contains("://")
            && !is_spoken
            && stem.chars().filter(|c| c.is_alphabetic()).count() >= 3
    }) {
        return capitalised(&squash(&stem));
    }
    released
        .or_else(|| by_phrases(blocks, is_spoken))
        .unwrap_or_else(|| {
            let line = blocks
                .iter()
                .find(|block| matches!(block.kind, BlockKind::Paragraph(_)))
                .map(block_text)
                .unwrap_or_default();
            // Where no blanks part words, a clause is enough.
            let line = match line.chars().any(is_unspaced) {
                true => line
                    .split(['。', '，', '、', '！', '？'])
                    .next()
                    .unwrap_or(""),
                false => line.as_str(),
            };
            let words: Vec<&str> = line.split_whitespace().take(8).collect();
            words
                .join(" ")
                .chars()
                .take(UNTITLED_CHARS_MAX)
                .collect::<String>()
                .trim_end_matches(['.', ',', ':', ';'])
                .to_owned()
        })
}

/// A title of the phrases that a text comes back to: the first two of them, and of a recording those of several words before others.
fn by_phrases(blocks: &[Block], is_spoken: bool) -> Option<String> {
    let gist = Gist::of(blocks);
    let mut chosen = gist.phrases(PHRASES_LOOKED_AT).to_vec();
    if chosen.is_empty() {
        chosen = key_phrases(&sample(blocks), PHRASES_LOOKED_AT);
    }
    if is_spoken {
        chosen.retain(|phrase| phrase.chars().count() > 2 && gist.may_name(phrase));
        chosen.sort_by_key(|phrase| !phrase.contains([' ', '-']));
        if chosen.is_empty() {
            chosen = runs(&gist.sample, 2);
        }
    }
    chosen.truncate(2);
    (!chosen.is_empty()).then(|| capitalised(&gist.joined(&chosen)))
}

/// Drops the site's name from a page's title.
fn without_site(title: &str, site: Option<&str>) -> String {
    for separator in [" | ", " — ", " – ", " · ", " :: ", " » ", " - "] {
        let pieces: Vec<&str> = title.split(separator).map(str::trim).collect();
        let [first, .., last] = pieces.as_slice() else {
            continue;
        };
        // "Kilns of clay (Index - V)" is not cut where it explains itself.
        if first.matches('(').count() > first.matches(')').count() {
            continue;
        }
        let is_site = |piece: &str| site.is_some_and(|site| site.eq_ignore_ascii_case(piece));
        if is_site(first) {
            return pieces.get(1).copied().unwrap_or(last).to_owned();
        }
        // `Chapter 53` of `Chapter 53 - Logs` is what the rest stands under.
        let is_division = without_division(&format!("{first} - x")) == "x";
        if first.len() >= 3 && !is_generic(first) && !is_division {
            return (*first).to_owned();
        }
    }
    title.to_owned()
}

/// A title without the numbers, marks and pictures around it.
pub(super) fn decorated(title: &str) -> String {
    // `:warning:` is a picture as well.
    let is_picture = |word: &&str| {
        let name = word
            .strip_prefix(':')
            .and_then(|word| word.strip_suffix(':'));
        name.is_some_and(|name| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
        })
    };
    let words: Vec<&str> = title
        .split_whitespace()
        .filter(|word| !is_picture(word))
        .collect();
    let squashed = words.join(" ");
    let trimmed = squashed
        .trim_start_matches(|c: char| {
            !c.is_alphanumeric() && !matches!(c, '.' | '@' | '$' | '-' | '/' | '(' | '"' | '\'')
        })
        .trim_end_matches(['#', '¶', ':', ' ', '§', '🔗', '∗', '†', '‡']);
    if trimmed.is_empty() {
        squashed
    } else {
        trimmed.trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_too_long_to_be_one_leaves_out_what_explains_it() {
        let long =
            "kilnctl: Command-line clay, stone and glass processor - fires pots, doors and bricks";
        assert_eq!(name(&[long], &[], ""), "kilnctl");
        assert_eq!(
            name(&["kilnctl: Fires pots"], &[], ""),
            "kilnctl-fires-pots"
        );
        let vague =
            "Overview: How to fire pots of clay, of stone and of glass in a kiln that burns wood";
        assert!(name(&[vague], &[], "").starts_with("overview-how-to"));
    }

    #[test]
    fn a_title_that_tells_nothing_gives_way_to_what_the_text_defines_or_the_site_is_called() {
        let called = |text: &str, site: Option<&str>| {
            let blocks = crate::pipeline::extract::markup::markdown::read(text.to_owned()).blocks;
            title(None, site, &blocks, "a.md")
        };
        let status = "Kilnlib is a modern library of kilns.\n\n# Status\n\nIt burns.\n";
        assert_eq!(called(status, None), "Kilnlib");
        let this = "This is a kiln.\n\n# Status\n\nIt burns.\n";
        assert_eq!(called(this, None), "Status");
        assert_eq!(
            called("# Kiln Manual: Kiln Manual\n\nIt burns.\n", None),
            "Kiln Manual"
        );
        let site = Some("Kiln Policy 0.12 documentation");
        assert_eq!(called("# Abstract\n\nIt burns.\n", site), "Kiln Policy");
        assert_eq!(called("# Doors\n\nThey open.\n", site), "Doors");
        let several = format!("{status}\n# Doors\n\nThey open.\n");
        let blocks = crate::pipeline::extract::markup::markdown::read(several).blocks;
        assert_eq!(title(Some("Status"), None, &blocks, "a.md"), "Kilnlib");
        let menu = crate::pipeline::extract::markup::markdown::read("# Master Menu\n\nA.\n".into());
        assert_eq!(title(None, None, &menu.blocks, "kiln.info"), "kiln");
        let none = title(Some("<no title>"), None, &menu.blocks, "kiln.info");
        assert_eq!(none, "kiln");
    }

    #[test]
    fn a_title_is_not_cut_where_it_explains_itself() {
        let whole = "kiln-1.1: Fires pots of clay (Index - V)";
        assert_eq!(without_site(whole, None), whole);
        assert_eq!(
            without_site("Doors (of clay) - Kilns", None),
            "Doors (of clay)"
        );
    }

    #[test]
    fn what_stands_alone_over_a_date_and_a_name_is_the_title() {
        let called = |text: &str| {
            let blocks = crate::pipeline::extract::markup::markdown::read(text.to_owned()).blocks;
            title(None, None, &blocks, "book.pdf")
        };
        let page = "# The Kiln Manual\n\nApril 4, 2022\n\nAda Potter\n\n# Doors\n\nThey open.\n";
        assert_eq!(called(page), "The Kiln Manual");
        let section = "# The Kiln Doors\n\nThey are of 2022.\n\n# Wood\n\nIt is dry.\n";
        assert_eq!(called(section), "Book");
        let undated = "# The Kiln Doors\n\nHeavy\n\n# Wood\n\nIt is dry.\n";
        assert_eq!(called(undated), "Book");
    }

    #[test]
    fn a_readme_is_called_by_the_name_that_it_opens_with() {
        let called = |text: &str, label: &str| {
            let blocks = crate::pipeline::extract::markup::markdown::read(text.to_owned()).blocks;
            title(None, None, &blocks, label)
        };
        let text = "## kilnlib\n\nIt burns.\n\n## What kilnlib is\n\nA library.\n";
        assert_eq!(called(text, "README.md"), "kilnlib");
        assert_eq!(called(text, "notes.md"), "Notes");
        let usage = "## Usage\n\nIt burns.\n\n## Wood\n\nIt is dry.\n";
        assert_eq!(called(usage, "README.md"), "README");
    }

    #[test]
    fn a_book_that_is_called_as_its_file_is_has_the_title_of_its_first_page() {
        let read =
            |text: &str| crate::pipeline::extract::markup::markdown::read(text.to_owned()).blocks;
        let book = read("## The Kiln Owner's Reference\n\nIt burns.\n\n## Wood\n\nIt is dry.\n");
        let called = |own: &str| title(Some(own), None, &book, "book.epub");
        assert_eq!(
            called("kiln-owners-reference"),
            "The Kiln Owner's Reference"
        );
        assert_eq!(called("kiln-and-wood"), "kiln-and-wood");
    }

    #[test]
    fn a_page_that_is_called_as_its_file_is_has_the_title_of_its_first_section() {
        let read =
            |text: &str| crate::pipeline::extract::markup::markdown::read(text.to_owned()).blocks;
        let page = read("## 11. Doors\n\nThey open.\n\n## 11.1. Wood\n\nIt burns.\n");
        assert_eq!(
            title(Some("kiln-11.html"), None, &page, "kiln-11.html"),
            "Doors"
        );
        let several = read("## 11. Doors\n\nThey open.\n\n## 12. Wood\n\nIt burns.\n");
        assert_eq!(
            title(Some("kiln-11.html"), None, &several, "kiln-11.html"),
            "kiln-11.html"
        );
    }

    #[test]
    fn a_text_on_a_deed_is_not_named_as_the_deed() {
        for (title, made) in [
            ("Deploy an application", "deploy-an-application-guide"),
            ("GCC 12 Release Series", "gcc-12-release-series-guide"),
            ("Release notes of Kiln 3", "release-notes-of-kiln-3"),
            ("Deployment of applications", "deployment-of-applications"),
        ] {
            assert_eq!(name(&[title], &[], "abcdef0123456789"), made);
        }
        assert_eq!(wished(Some("Deploy")).as_deref(), Some("deploy"));
    }

    #[test]
    fn notes_on_several_releases_are_not_called_by_the_latest_but_by_their_file_or_what_is_released()
     {
        let called = |page: &str, label: &str| {
            let document = crate::pipeline::extract::markup::markdown::read(page.to_owned());
            title(document.title.as_deref(), None, &document.blocks, label)
        };
        let of = |name: &str| {
            format!("# {name} 2.1 (3 May 2024)\n\nA.\n\n# {name} 2.0\n\nB.\n\n# {name} 1.9\n\nC.")
        };
        assert_eq!(called(&of("kiln"), "doc/changelog"), "kiln Changelog");
        assert_eq!(called(&of("kiln"), "text"), "kiln");
        let mixed = of("kkiln").replace(
            "# kkiln 1.9",
            "# K-Kiln 1.9\n\nC.\n\n# K-Kiln 1.8\n\nD.\n\n# K-Kiln 1.7",
        );
        assert_eq!(called(&mixed, "text"), "kkiln");
        let single = "# Version 1.3.5 (2020 June 3)\n\nIt burns.\n\nVersion 1.3.4\n\nIt smokes.";
        assert_eq!(called(single, "NEWS"), "NEWS");
        assert_eq!(called(single, "text"), "Version 1.3.5 (2020 June 3)");
        let one = "# Version 1.3.5 (2020 June 3)\n\nIt burns.\n\nIt smokes.";
        assert_eq!(called(one, "v1.3.5.md"), "Version 1.3.5 (2020 June 3)");
    }

    #[test]
    fn a_recording_is_not_called_by_a_file_whose_name_told_nothing() {
        use crate::domain::document::{Landmark, Span};
        use crate::domain::text::Inline;
        let said = |seconds| Block {
            kind: BlockKind::Paragraph(vec![Inline::Text("The kiln glows.".to_owned())]),
            span: Span::at(
                0..15,
                Some(
                    Landmark {
                        seconds,
                        ..Landmark::default()
                    }
                    .into(),
                ),
            ),
        };
        assert_eq!(untitled(&[said(None)], "english.srt", None), "English");
        let spoken = untitled(&[said(Some((0.0, 1.0)))], "english.srt", None);
        assert!(!spoken.contains("nglish"), "{spoken}");
    }

    #[test]
    fn a_manual_pages_section_is_no_part_of_its_name() {
        for (title, page) in [
            ("kiln(1)", "kiln"),
            ("Kiln::Heat(3perl)", "Kiln::Heat"),
            ("kiln plan list(1)", "kiln plan list"),
            ("kiln(1) Manual Page", "kiln"),
            ("Kilns (2nd edition)", "Kilns (2nd edition)"),
        ] {
            assert_eq!(without_section(title), page);
        }
    }

    #[test]
    fn the_number_of_a_section_is_no_part_of_its_name_and_a_version_is() {
        for (title, made) in [
            ("26.1. Firing Plan", "firing-plan"),
            ("3) Firing Plan", "firing-plan"),
            ("Chapter 4. Firing Plan", "firing-plan"),
            ("Chapter 4 - Firing Plan", "firing-plan"),
            ("Kapitel 4. Brennplan", "brennplan"),
            ("第4章 Firing Plan", "firing-plan"),
            ("B.4. Firing Plan", "firing-plan"),
            ("E. coli", "e-coli"),
            ("3.1 Firing Plan", "3-1-firing-plan"),
            ("2026.", "2026"),
        ] {
            assert_eq!(name(&[title], &[], "abcdef0123456789"), made);
        }
    }

    #[test]
    fn what_stands_behind_the_number_of_a_chapter_is_no_site() {
        for (title, own) in [
            ("Chapter 53 - Logs", "Chapter 53 - Logs"),
            ("Logs - Kiln", "Logs"),
        ] {
            assert_eq!(without_site(title, None), own);
        }
    }

    #[test]
    fn the_heading_over_a_pages_name_is_not_the_name() {
        for text in [
            "# NAME\n\nkiln - fires clay\n\n# SYNOPSIS\n\nkiln POT",
            "# NOM\n\nkiln — cuit l'argile\n\n# SYNOPSIS\n\nkiln POT",
        ] {
            let document = crate::pipeline::synthesize::testing::document(text);
            let own = document.title.as_deref();
            assert_eq!(title(own, None, &document.blocks, "a.md"), "kiln");
        }
    }

    #[test]
    fn a_name_that_was_asked_for_always_wins() {
        for (asked, name) in [
            ("R", "r"),
            ("7", "7"),
            ("Tools", "tools"),
            ("C++", "c"),
            ("printf(3)", "printf-3"),
            ("Öfen bauen", "ofen-bauen"),
        ] {
            assert_eq!(wished(Some(asked)).as_deref(), Some(name));
        }
        for nothing in [None, Some(""), Some("…"), Some("Claude")] {
            assert_eq!(wished(nothing), None, "{nothing:?}");
        }
    }
}
