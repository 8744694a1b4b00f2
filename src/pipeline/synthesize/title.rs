//! Owns what a skill is called: its title, and the name made of it.

use super::belonging::{is_anybodys, product};
use super::describe::clip;
use super::heading_words::without_division;
use super::hostile;
use super::nameless::{
    defined, filed, first_numbered, is_name_alone, name_line, named_above, read_first, readme_of,
    split_at_dash, title_line, title_page, untitled,
};
use super::outline::{block_text, is_generic};
use super::project::with_project;
use super::series::{is_release, release_of, released, tells_releases};
use super::wording::is_unfinished;
use crate::pipeline::scaffold::VAGUE_NAMES;
use crate::pipeline::secret::REDACTED;
use crate::pipeline::secret::redacted;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::orders;
use skillkiln_document::text::{file_slug, letters, plain, slug, squash};

/// Longest name (V015).
pub(super) const NAME_CHARS_MAX: usize = 64;
/// Longest title.
const TITLE_CHARS_MAX: usize = 120;
/// What is explained behind a colon or a dash is called by so many words at most.
const NAME_WORDS_MAX: usize = 3;
/// What a name is said to be has so many words at least.
const KIND_WORDS_MIN: usize = 4;
/// A text is of several sections from so many on.
const SECTIONS_MIN: usize = 3;
/// Names that could be anything, beside those that the checks know.
const VAGUE: [&str; 9] = [
    "changelog",
    "changes",
    "history",
    "news",
    "text",
    "index",
    "readme",
    "todo",
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
    (!name.is_empty()).then(|| file_slug(&name, NAME_CHARS_MAX))
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
        .map(|candidate| without_welcome(candidate).unwrap_or(candidate))
        .map(|candidate| before_explanation(without_number(without_section(candidate))))
        .map(|candidate| unreserved(&slug(candidate, NAME_CHARS_MAX)))
        .find(|name| name.len() >= 2)
        .unwrap_or_default();
    let says_nothing =
        !name.is_empty() && (name.split('-').all(is_vague) || is_vague(&name.replace('-', "")));
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
    file_slug(&name, NAME_CHARS_MAX)
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

/// Whether a block is a heading of the highest level that there is.
fn is_highest(block: &Block) -> bool {
    matches!(block.kind, BlockKind::Heading { level: 1, .. })
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
        .filter(|(_, words)| !is_name_alone(words) && !is_greeting(words))
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
    // Behind what a file "README" begins with, the first of several highest headings is that of a section.
    let is_section = |title: &str| {
        let is_first = first.as_ref().is_some_and(|(_, first)| first == title);
        !opens
            && is_first
            && readme_of(blocks, label).is_some()
            && blocks.iter().filter(|block| is_highest(block)).count() > 1
    };
    let page = name_line(blocks);
    let own = title
        .filter(|title| !is_name_alone(title) && !is_section(title))
        .filter(|title| !is_first_chapter(title, blocks) && !is_greeting(title))
        .filter(|title| !is_first_of_several(title, blocks))
        .map(|title| without_site(&squash(title), site))
        // Above the page of a manual stands of which part of the manuals it is.
        .filter(|title| {
            page.as_ref()
                .is_none_or(|page| letters(title).contains(&letters(page)))
        })
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
    let own = own.map(|own| said_of(&own).map(str::to_owned).unwrap_or(own));
    // A page that is called "Abstract" is the first of what its site is called, and a text whose only heading is "Status" is on
    // what its first words define.
    let whole = |main: &str| {
        let is_front = FRONTS.contains(&main.to_lowercase().as_str());
        let site = site
            .map(squash)
            .filter(|site| is_front && !is_generic(site));
        // The first node of a manual in info may be its introduction.
        let of_file = || label.strip_suffix(".info")?.rsplit('/').next();
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
        (None, None) => page
            .or_else(|| title_line(blocks))
            .or_else(|| explained_first(blocks))
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
            .or_else(|| title_page(blocks))
            .or_else(|| read_first(blocks, label))
            .unwrap_or_else(|| untitled(blocks, label, released.or(release))),
    };
    // A file "README" whose sections have the titles of anybody's is called as what it has installed.
    let chosen = match is_generic(&chosen) || is_anybodys(&chosen) {
        true => readme_of(blocks, label).unwrap_or(chosen),
        false => chosen,
    };
    // What any text begins with is the title of none that goes on with other chapters.
    let level = |block: &Block| match block.kind {
        BlockKind::Heading { level, .. } => Some(level),
        _ => None,
    };
    let highest = blocks.iter().filter_map(level).min();
    let chapters = blocks
        .iter()
        .filter(|block| level(block) == highest && highest.is_some());
    let chosen = match is_generic(&chosen) && chapters.count() > 1 {
        true => filed(blocks, label).unwrap_or(chosen),
        false => chosen,
    };
    let chosen = named_above(&chosen, blocks).unwrap_or(chosen);
    let chosen = asked_first(&chosen, blocks).unwrap_or(chosen);
    // The number of a chapter that stands alone tells nothing.
    let alone = first_numbered(blocks).filter(|words| {
        let is_own = chosen.split_once(' ').is_some_and(|(_, own)| own == words);
        let is_heading = |block: &&Block| matches!(block.kind, BlockKind::Heading { .. });
        is_own && blocks.iter().filter(is_heading).nth(1).is_some()
    });
    let chosen = alone.unwrap_or(chosen);
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
    clip(
        &with_short_paths(&decorated(&hostile::visible(&chosen))),
        TITLE_CHARS_MAX,
    )
}

/// A title too long to be shown, with the names alone of the files in it: the beginning of a path is another path (V090).
fn with_short_paths(title: &str) -> String {
    if title.chars().count() <= TITLE_CHARS_MAX {
        return title.to_owned();
    }
    let shown = |word: &str| match word.rsplit_once('/') {
        Some((_, name)) if !word.contains("://") && name.contains(char::is_alphanumeric) => {
            name.to_owned()
        }
        _ => word.to_owned(),
    };
    title.split(' ').map(shown).collect::<Vec<_>>().join(" ")
}

/// `Kiln` of "Welcome to the Kiln" and of "Welcome to Kiln's documentation!": who is welcomed is told what is there.
pub(super) fn without_welcome(title: &str) -> Option<&str> {
    let rest = title
        .strip_prefix("Welcome to ")
        .or_else(|| title.strip_prefix("Welcome To "))?;
    let rest = rest.strip_prefix("the ").unwrap_or(rest);
    let rest = rest.trim_end_matches(['!', '.', ' ']);
    let rest = [" documentation", " Documentation", " docs", " Docs"]
        .iter()
        .find_map(|ending| rest.strip_suffix(ending))
        .unwrap_or(rest);
    let rest = ["'s", "’s"]
        .iter()
        .find_map(|ending| rest.strip_suffix(ending))
        .unwrap_or(rest);
    (rest.len() > 1 && !is_generic(rest)).then_some(rest)
}

/// `kiln-door` of `<kiln-door/>` and of `<kiln-door></kiln-door>`: what an element is called.
fn element(title: &str) -> Option<&str> {
    let inner = title.trim().strip_prefix('<')?.strip_suffix('>')?;
    let name = match inner.split_once("></") {
        Some((name, closed)) => (name == closed).then_some(name)?,
        None => inner.trim_end_matches('/').trim_end(),
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    (name.len() > 1 && name.chars().all(is_name)).then_some(name)
}

/// Whether a title is that of the first of several chapters, and fits the first of any: "1 Introduction" before "2 Doors".
fn is_first_chapter(title: &str, blocks: &[Block]) -> bool {
    let number = |title: &str| {
        let (number, words) = title.split_once(' ')?;
        let number: u32 = number.trim_end_matches('.').parse().ok()?;
        Some((number, words.trim().to_owned()))
    };
    let Some((1, words)) = number(title) else {
        return false;
    };
    let is_second = |block: &Block| match &block.kind {
        BlockKind::Heading { text, .. } => {
            number(&squash(&plain(text))).is_some_and(|(at, _)| at == 2)
        }
        _ => false,
    };
    is_generic(&words) && blocks.iter().any(is_second)
}

/// Whether a title is only that of the first of several sections, below paragraphs that speak of something else.
fn is_first_of_several(title: &str, blocks: &[Block]) -> bool {
    let level = |block: &Block| match &block.kind {
        BlockKind::Heading { level, text } => Some((*level, squash(&plain(text)))),
        _ => None,
    };
    let above = blocks.iter().take_while(|block| level(block).is_none());
    let above: Vec<String> = above.map(block_text).collect();
    let Some((highest, first)) = blocks.get(above.len()).and_then(level) else {
        return false;
    };
    let equals = blocks.iter().filter_map(level);
    let own = letters(title);
    letters(&first) == own
        && equals.filter(|(level, _)| *level == highest).count() >= SECTIONS_MIN
        && above
            .first()
            .is_some_and(|text| text.trim_end().ends_with('.'))
        && !above.iter().any(|text| letters(text).contains(&own))
}

/// `Kiln` of "Kiln is a tool that fires pots. It burns", which a page has for a title.
fn said_of(title: &str) -> Option<&str> {
    let (name, kind) = [" is a ", " is an "]
        .iter()
        .find_map(|verb| title.split_once(verb))?;
    let is_name = (1..=NAME_WORDS_MAX).contains(&name.split(' ').count())
        && name.starts_with(char::is_uppercase);
    (is_name && kind.split(' ').count() >= KIND_WORDS_MIN).then_some(name)
}

/// The heading that a text begins with, where it says what is called so, whatever rank the sections below have: "Kiln - a tool that fires
/// pots".
fn explained_first(blocks: &[Block]) -> Option<String> {
    let BlockKind::Heading { text, .. } = &blocks.first()?.kind else {
        return None;
    };
    let words = squash(&plain(text));
    let (name, kind) = split_at_dash(&words)?;
    let is_explained = name.split(' ').count() <= NAME_WORDS_MAX
        && !is_generic(name)
        && kind.starts_with(char::is_lowercase)
        && kind.split(' ').count() >= NAME_WORDS_MAX;
    is_explained.then_some(words)
}

/// `Kiln` of "What is Kiln?", which is only the first of several sections of what is on it.
fn asked_first(title: &str, blocks: &[Block]) -> Option<String> {
    let name = title
        .strip_prefix("What is ")
        .or_else(|| title.strip_prefix("What Is "))?
        .trim_end_matches('?');
    let levels = || {
        blocks.iter().filter_map(|block| match block.kind {
            BlockKind::Heading { level, .. } => Some(level),
            _ => None,
        })
    };
    let highest = levels().min()?;
    let is_name = name.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
        && name.split(' ').count() <= NAME_WORDS_MAX;
    (is_name && levels().filter(|level| *level == highest).count() > 1).then(|| name.to_owned())
}

/// Whether a title is the name of a file: `kiln-11.html`.
fn is_file_name(title: &str) -> bool {
    const ENDINGS: [&str; 6] = [".html", ".htm", ".xhtml", ".php", ".pdf", ".txt"];
    !title.contains(' ') && ENDINGS.iter().any(|ending| title.ends_with(ending))
}

/// Whether there is one heading of a level, and none above it.
fn is_alone(blocks: &[Block], of_level: u8) -> bool {
    blocks
        .iter()
        .filter(|block| matches!(block.kind, BlockKind::Heading { level, .. } if level <= of_level))
        .count()
        == 1
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

/// Whether a heading only greets.
fn is_greeting(title: &str) -> bool {
    let words = title.trim_end_matches(['!', '.', ',']).to_lowercase();
    matches!(
        words.as_str(),
        "hello" | "hello there" | "hi" | "hi there" | "welcome"
    )
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

/// Marks that a title may begin with: those of names, and quotes, which would be left without their first half.
const OPENS_A_TITLE: [char; 16] = [
    '.', '@', '$', '-', '/', '(', '"', '\'', '“', '‘', '«', '„', '「', '『', '《', '【',
];

/// A title without the numbers, marks and pictures around it.
pub(super) fn decorated(title: &str) -> String {
    if let Some(name) = element(title) {
        return name.to_owned();
    }
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
        .trim_start_matches(|c: char| !c.is_alphanumeric() && !OPENS_A_TITLE.contains(&c))
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
    fn a_title_is_what_is_named_and_not_the_sentence_the_question_or_the_section_that_names_it() {
        let called = |own: Option<&str>, text: &str, label: &str| {
            let blocks = skillkiln_readers::markup::markdown::read(text.to_owned()).blocks;
            title(own, None, &blocks, label)
        };
        let sentence = "Kiln-complete is a library that completes kilns. It was taken from";
        let text = "Kiln-complete is a library that completes kilns. It was taken from ovens.\n\n## Examples\n\nFire.\n";
        assert_eq!(called(Some(sentence), text, "README.html"), "Kiln-complete");
        let asked = "# What is KTK?\n\nIt fires.\n\n# Features\n\nDoors.\n";
        assert_eq!(called(Some("What is KTK?"), asked, "README"), "KTK");
        let explained =
            "## Kilnlint - a fast door checker\n\nVersion 2.\n\n## Contents\n\nDoors.\n";
        assert_eq!(
            called(None, explained, "READ_ME.txt"),
            "Kilnlint - a fast door checker"
        );
        let sections = "The KMF format holds plans of kilns.\n\n# Signature of the file\n\nA sign.\n\n# Comments\n\nA mark.\n\n# Colors\n\nRed.\n";
        assert_eq!(
            called(Some("Signature of the file"), sections, "KMF.txt"),
            "KMF"
        );
    }

    #[test]
    fn a_text_of_chapters_of_which_the_first_is_an_introduction_is_called_by_its_file() {
        let called = |text: &str, label: &str| {
            let blocks = skillkiln_readers::markup::markdown::read(text.to_owned()).blocks;
            title(Some("Introduction"), None, &blocks, label)
        };
        let chapters = "# Introduction\n\nThe Kiln Door opens.\n\n# Walls\n\nThey stand.\n\n# Roofs\n\nThey lie.\n";
        assert_eq!(
            called(chapters, "docs/KDL_Reference_Guide.pdf"),
            "KDL Reference Guide"
        );
        assert_eq!(called(chapters, "index.html"), "Introduction");
        let info =
            "# Introduction\n\nThis manual is on doors.\n\n## 1 Introduction\n\nThey open.\n";
        assert_eq!(called(info, "kdoor.info"), "kdoor");
        let one = "# Introduction\n\nThe Kiln Door opens.\n\n## Walls\n\nThey stand.\n";
        assert_eq!(called(one, "KDL_Reference_Guide.pdf"), "Introduction");
    }

    #[test]
    fn a_name_that_any_file_has_is_completed_by_a_term() {
        let terms = ["kiln".to_owned()];
        assert_eq!(name(&["TODO"], &terms, ""), "kiln-todo");
        assert_eq!(name(&["Change Log"], &terms, ""), "kiln-change-log");
        assert_eq!(name(&["READ_ME"], &terms, ""), "kiln-read-me");
    }

    #[test]
    fn behind_what_a_text_begins_with_the_first_of_several_headings_is_no_title() {
        let lead = "Kilns which fire pots by a plan.\n\nThe kilns of kilnlib burn wood, and kilnlib has doors.\n\n```sh\ncargo add kilnlib\n```\n\n";
        let called = |text: &str| {
            let blocks = skillkiln_readers::markup::markdown::read(text.to_owned()).blocks;
            title(Some("no_std"), None, &blocks, "README.md")
        };
        let sections = "# no_std\n\nIt has no clock.\n\n# Changes\n\nIt cools.\n";
        assert_eq!(called(&format!("{lead}{sections}")), "kilnlib");
        assert_eq!(called(sections), "no_std");
    }

    #[test]
    fn the_first_of_several_chapters_is_no_title_where_any_begins_with_one_of_its_name() {
        let called = |first: &str, text: &str| {
            let blocks = skillkiln_readers::markup::markdown::read(text.to_owned()).blocks;
            title(Some(first), None, &blocks, "kilnit.info")
        };
        let text = "Kilns of clay, by P. Otter.\n\n# 1 Introduction\n\nIt burns.\n\n# 2 Doors\n\nThey close.\n";
        assert_eq!(called("1 Introduction", text), "Kilnit");
        let own = text.replace("Introduction", "Kilnit of Wood");
        assert_eq!(called("1 Kilnit of Wood", &own), "1 Kilnit of Wood");
    }

    #[test]
    fn the_only_chapter_is_called_without_its_number_and_quotes_stay_whole() {
        let blocks = skillkiln_readers::markup::markdown::read(
            "# 1 Kiln Doors\n\nThey open.\n\n## 1.1 Wood\n\nIt is dry.\n".into(),
        )
        .blocks;
        assert_eq!(
            title(Some("1 Kiln Doors"), None, &blocks, "kiln.info"),
            "Kiln Doors"
        );
        assert_eq!(decorated("‘-d’: Doors"), "‘-d’: Doors");
    }

    #[test]
    fn a_greeting_is_no_title() {
        let blocks = skillkiln_readers::markup::markdown::read(
            "# Hello!\n\nWe burn wood.\n\n# Doors\n\nThey close.\n".into(),
        )
        .blocks;
        assert_eq!(title(Some("Hello!"), None, &blocks, "KILNS.md"), "KILNS");
    }

    #[test]
    fn a_manuals_page_is_called_by_its_name_and_not_as_its_part_of_the_manuals() {
        let called = |title_of_page: &str, line: &str| {
            let text = format!("## NAME\n\n{line}\n\n## SYNOPSIS\n\n`kiln-door`\n");
            let blocks = skillkiln_readers::markup::markdown::read(text).blocks;
            title(Some(title_of_page), None, &blocks, "a.html")
        };
        let code = "```\nkiln-door - opens a kiln\n```";
        assert_eq!(
            called("Standards, Environments and Macros", code),
            "kiln-door"
        );
        assert_eq!(
            called("User Commands", "kiln-door \u{2212} opens a kiln"),
            "kiln-door"
        );
        assert_eq!(called("Kiln - kiln-door Documentation", code), "kiln-door");
    }

    #[test]
    fn a_title_that_tells_nothing_gives_way_to_what_the_text_defines_or_the_site_is_called() {
        let called = |text: &str, site: Option<&str>| {
            let blocks = skillkiln_readers::markup::markdown::read(text.to_owned()).blocks;
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
        let blocks = skillkiln_readers::markup::markdown::read(several).blocks;
        assert_eq!(title(Some("Status"), None, &blocks, "a.md"), "Kilnlib");
        let menu = skillkiln_readers::markup::markdown::read("# Master Menu\n\nA.\n".into());
        assert_eq!(title(None, None, &menu.blocks, "kiln.info"), "kiln");
        let none = title(Some("<no title>"), None, &menu.blocks, "kiln.info");
        assert_eq!(none, "kiln");
    }

    #[test]
    fn who_is_welcomed_is_told_of_what() {
        for (title, rest) in [
            ("Welcome to the Kiln", Some("Kiln")),
            ("Welcome to Kiln's documentation!", Some("Kiln")),
            ("Welcome to the documentation", None),
            ("Welcome", None),
        ] {
            assert_eq!(without_welcome(title), rest, "{title}");
        }
    }

    #[test]
    fn an_element_is_called_without_its_brackets() {
        for title in ["<kiln-door/>", "<kiln-door>", "<kiln-door></kiln-door>"] {
            assert_eq!(decorated(title), "kiln-door");
        }
        assert_eq!(decorated("Doors <T>"), "Doors <T>");
    }

    #[test]
    fn a_title_too_long_to_be_shown_has_no_beginnings_of_paths() {
        let path = format!("/srv/{}", "kilns/".repeat(20));
        assert_eq!(
            with_short_paths(&format!("Wear of {path}door.rs: 100%")),
            "Wear of door.rs: 100%"
        );
        assert_eq!(with_short_paths("Wear of a/door.rs"), "Wear of a/door.rs");
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
    fn a_book_that_is_called_as_its_file_is_has_the_title_of_its_first_page() {
        let read = |text: &str| skillkiln_readers::markup::markdown::read(text.to_owned()).blocks;
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
        let read = |text: &str| skillkiln_readers::markup::markdown::read(text.to_owned()).blocks;
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
            let document = skillkiln_readers::markup::markdown::read(page.to_owned());
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
        use skillkiln_document::blocks::{Landmark, Span};
        use skillkiln_document::text::Inline;
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
