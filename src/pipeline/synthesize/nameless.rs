//! Owns what a text is called that has no title of its own: by the name that it opens with, the page before its chapters, what it
//! defines, the file it stands in, or what it comes back to.

use super::describe::{Gist, capitalised, sample};
use super::lead_ins;
use super::manuals::{ManualPart, part_of_manual};
use super::outline::{block_text, is_generic, tells_changes};
use super::phrases::key_phrases;
use super::places::{Place, visit};
use super::products::installed;
use super::talks::announced::announced;
use super::talks::is_heard;
use super::talks::signs::runs;
use super::talks::told::told;
use super::title::is_vague;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::quick::QuickMap;
use skillkiln_document::text::{is_unspaced, letters, plain, squash};

/// What a text is, is said in so many blocks, of a name of so many words.
const DEFINED_BLOCKS: usize = 3;
const DEFINED_WORDS: usize = 3;
/// So many words say of which kind a text is, and on what.
const NAMING_WORDS: usize = 8;
/// Below the title of a book so many lines say by whom it is and when it was written, and none is longer.
const TITLE_PAGE_LINES: usize = 5;
const TITLE_PAGE_CHARS: usize = 80;
/// How a source is labelled that is no file and has no address.
const PASTED: &str = "text";
/// So often a text writes what its file is called by.
const SPELLED_MIN: usize = 3;
/// Among so many phrases those that make a title are looked for.
const PHRASES_LOOKED_AT: usize = 8;
/// So many files are called by their titles.
const FILES_NAMED: usize = 3;
/// A title made of a text's first words, or of the titles of files, is not longer.
const UNTITLED_CHARS_MAX: usize = 60;

/// The first heading, where only when it was written and by whom stands below it: that of a page of its own, whose rank its chapters have.
pub(super) fn title_page(blocks: &[Block]) -> Option<String> {
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
    let is_year = |word: &str| word.parse().is_ok_and(|year| (1900..2100).contains(&year));
    let mut words = lines
        .iter()
        .flat_map(|line| line.split(|c: char| !c.is_alphanumeric()));
    let is_imprint = words.any(is_year)
        && lines.len() <= TITLE_PAGE_LINES
        && lines.iter().all(|line| {
            line.chars().count() <= TITLE_PAGE_CHARS && !line.trim_end().ends_with('.')
        });
    let title = squash(&plain(text));
    let is_title = title.contains(' ') && !is_generic(&title);
    (is_imprint && matches!(next, Some(BlockKind::Heading { .. })) && is_title).then_some(title)
}

/// What a file "README" is on: the name that it opens with, as a heading of the rank that all its sections have, or else what it has
/// installed.
pub(super) fn read_first(blocks: &[Block], label: &str) -> Option<String> {
    is_readme(label).then(|| opening_name(blocks).or_else(|| installed(blocks)))?
}

/// What a file "README" has installed, where it is one.
pub(super) fn readme_of(blocks: &[Block], label: &str) -> Option<String> {
    is_readme(label).then(|| installed(blocks))?
}

fn is_readme(label: &str) -> bool {
    let file = label.rsplit(['/', '\\']).next().unwrap_or_default();
    file.to_lowercase().replace('_', "").starts_with("readme")
}

fn opening_name(blocks: &[Block]) -> Option<String> {
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
    (is_name && told.any(|text| text.contains(&lower))).then_some(words)
}

/// What the first words of a text say that it is: `Kiln` of "Kiln is a tool that burns wood." above the first section.
pub(super) fn defined(blocks: &[Block]) -> Option<String> {
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

/// The first heading, where its number is that to which the numbers of all others belong: `11. Doors` before `11.1. Wood`.
pub(super) fn first_numbered(blocks: &[Block]) -> Option<String> {
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
pub(super) fn is_name_alone(heading: &str) -> bool {
    heading.chars().all(|c| !c.is_lowercase()) && part_of_manual(heading) == Some(ManualPart::Name)
}

/// `kiln` of the line `kiln - fires clay` below the heading over it.
pub(super) fn name_line(blocks: &[Block]) -> Option<String> {
    let is_over = |block: &Block| matches!(&block.kind, BlockKind::Heading { text, .. } if is_name_alone(&plain(text)));
    let at = blocks.iter().take(4).position(is_over)?;
    let line = manual_text(blocks.get(at + 1)?);
    let (name, _) = split_at_dash(&line)?;
    let name = name.trim();
    (!name.is_empty() && name.len() <= 40 && !name.contains('\n')).then(|| name.to_owned())
}

/// What a block says below the name of a manual's page: converters of such pages write it as code when it is indented.
pub(super) fn manual_text(block: &Block) -> String {
    match &block.kind {
        BlockKind::Code { text, .. } => squash(text),
        _ => block_text(block),
    }
}

/// What stands before the first dash of a manual's line, and behind it. What prints such pages writes it as a minus, too.
pub(super) fn split_at_dash(line: &str) -> Option<(&str, &str)> {
    const DASHES: [&str; 5] = [" — ", " – ", " - ", " -- ", " \u{2212} "];
    DASHES.iter().find_map(|dash| line.split_once(dash))
}

/// Whether a line calls what follows a text of some kind: "kilnd Frequently Asked Questions", "API Reference for kilnd".
fn names_text(line: &str) -> bool {
    const TEXTS: [&str; 9] = [
        "documentation",
        "faq",
        "guide",
        "handbook",
        "howto",
        "manual",
        "reference",
        "specification",
        "tutorial",
    ];
    let lower = line.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    let (count, is_text) = (
        lower.split_whitespace().count(),
        words.any(|word| TEXTS.contains(&word)) || lower.contains("frequently asked questions"),
    );
    is_text && (2..=NAMING_WORDS).contains(&count)
}

/// The line above the first heading, where it says what all below it is: of which kind a text of several highest headings is, or, before
/// a heading that any text has, the name that the text has.
pub(super) fn named_above(title: &str, blocks: &[Block]) -> Option<String> {
    let (first, rest) = blocks.split_first()?;
    let BlockKind::Paragraph(text) = &first.kind else {
        return None;
    };
    let line = squash(&plain(text));
    let line = line.trim_end_matches(['.', ':']);
    let mut headings = rest.iter().filter_map(|block| match &block.kind {
        BlockKind::Heading { level, text } => Some((*level, squash(&plain(text)))),
        _ => None,
    });
    let (level, heading) = headings.next()?;
    let is_line = first.span.seconds().is_none()
        && heading == title
        && !line.contains(['\n', '|', '.', ',', ':', '!', '?', ';', '@'])
        && line.contains(char::is_alphabetic);
    let are_several = headings.any(|(other, _)| other <= level);
    // "Kiln Doors" is what its text speaks of.
    let is_name = || {
        let lower = line.to_lowercase();
        line.split(' ').count() <= DEFINED_WORDS
            && line
                .split(' ')
                .all(|word| word.starts_with(|c: char| !c.is_lowercase()))
            && rest
                .iter()
                .any(|block| block_text(block).to_lowercase().contains(&lower))
    };
    (is_line && (are_several && names_text(line) || is_generic(title) && is_name()))
        .then(|| line.to_owned())
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
        && (line.starts_with(|c: char| !c.is_lowercase()) || names_text(line));
    (is_title && !rest.is_empty()).then(|| squash(line))
}

/// A title for a source that has none: the file's name, whose releases it tells of, or its first line when that is short, or what it
/// is about. A recording is rather called by what it announces.
pub(super) fn untitled(blocks: &[Block], label: &str, released: Option<String>) -> String {
    if let Some(called) = of_files(blocks, label) {
        return called;
    }
    let file = file_of(label);
    let stem = file.map(stem_of);
    let is_spoken = is_heard(blocks);
    let told = told(blocks);
    let blocks = told.as_ref();
    if let Some(announced) = is_spoken.then(|| announced(blocks)).flatten() {
        return announced;
    }
    if let Some(stem) = stem.filter(|stem| {
        !label.contains("://")
            && !is_spoken
            && stem.chars().filter(|c| c.is_alphabetic()).count() >= 2
    }) {
        if let Some(spelled) = spelled(&stem, blocks) {
            return spelled;
        }
        if stem.chars().filter(|c| c.is_alphabetic()).count() >= 3 {
            return capitalised(&squash(&stem));
        }
    }
    if let Some(log) = file.and_then(|file| log_of_release(file, blocks)) {
        return log;
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

/// The file that a label names.
fn file_of(label: &str) -> Option<&str> {
    let file = label.rsplit(['/', '\\']).next();
    file.filter(|file| *file != PASTED)
}

/// The name of a file in words.
fn stem_of(file: &str) -> String {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    squash(&stem.replace(['_', '-'], " "))
}

/// What the file of a text is called whose sections are "Introduction" and its like, which is more than any of these say.
pub(super) fn filed(blocks: &[Block], label: &str) -> Option<String> {
    let stem = stem_of(file_of(label).filter(|_| !label.contains("://"))?);
    let tells = |word: &str| {
        let lower = word.to_lowercase();
        lower.chars().filter(|c| c.is_alphabetic()).count() >= 3
            && !is_generic(&lower)
            && !is_vague(&lower)
    };
    if !stem.split(' ').any(tells) {
        return None;
    }
    Some(spelled(&stem, blocks).unwrap_or_else(|| capitalised(&stem)))
}

/// What a file is called by, as its text writes it in most places: `GL-117` of `gl 117`.
fn spelled(stem: &str, blocks: &[Block]) -> Option<String> {
    let own = letters(stem);
    let mut times: QuickMap<&str, usize> = QuickMap::default();
    visit(blocks, &mut |place, text| {
        if matches!(place, Place::Text | Place::Heading) {
            let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
            for word in text
                .split(|c: char| !is_part(c))
                .map(|word| word.trim_matches(['-', '.']))
            {
                if word.contains(|c: char| c.is_uppercase() || c.is_ascii_digit())
                    && letters(word) == own
                {
                    *times.entry(word).or_default() += 1;
                }
            }
        }
    });
    let most = times
        .into_iter()
        .max_by(|one, other| one.1.cmp(&other.1).then(other.0.cmp(one.0)));
    most.filter(|(_, times)| *times >= SPELLED_MIN)
        .map(|(word, _)| word.to_owned())
}

/// The heading over what changed in the release that a file is called by: "Detailed Changelog v0.2.2".
fn log_of_release(file: &str, blocks: &[Block]) -> Option<String> {
    let (stem, _) = file.rsplit_once('.')?;
    let number = stem.strip_prefix(['v', 'V']).unwrap_or(stem);
    let is_version =
        number.contains('.') && number.split('.').all(|part| part.parse::<u32>().is_ok());
    let heading = blocks.iter().find_map(|block| match &block.kind {
        BlockKind::Heading { text, .. } => {
            Some(squash(&plain(text))).filter(|title| tells_changes(&title.to_lowercase()))
        }
        _ => None,
    });
    heading
        .filter(|_| is_version)
        .map(|heading| format!("{heading} {stem}"))
}

/// What several files are called that were put together, each under its title: by two or three of those, or by what all come back to.
fn of_files(blocks: &[Block], label: &str) -> Option<String> {
    let titles: Vec<String> = blocks
        .iter()
        .filter_map(|block| match &block.kind {
            BlockKind::Heading { level: 1, text } => Some(squash(&plain(text))),
            _ => None,
        })
        .collect();
    if titles.len() < 2 || label.contains("://") || label.split(", ").count() != titles.len() {
        return None;
    }
    let own = lead_ins::for_text(&sample(&[blocks]));
    let (last, before) = titles.split_last()?;
    let joined = format!("{}{}{last}", before.join(own.comma()), own.and());
    if titles.len() <= FILES_NAMED && joined.chars().count() <= UNTITLED_CHARS_MAX {
        return Some(joined);
    }
    by_phrases(blocks, is_heard(blocks)).or_else(|| titles.into_iter().next())
}

/// A title of the phrases that a text comes back to: the first two of them, and of a recording those of several words before others.
fn by_phrases(blocks: &[Block], is_spoken: bool) -> Option<String> {
    let gist = Gist::of(&[blocks]);
    let mut chosen = gist.phrases(PHRASES_LOOKED_AT).to_vec();
    if chosen.is_empty() {
        chosen = key_phrases(&sample(&[blocks]), PHRASES_LOOKED_AT);
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

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_readers::markup::markdown::read;

    #[test]
    fn what_stands_alone_over_a_date_and_a_name_is_the_title() {
        let called = |text: &str| title_page(&read(text.to_owned()).blocks);
        let page = "# The Kiln Manual\n\nApril 4, 2022\n\nAda Potter\n\n# Doors\n\nThey open.\n";
        assert_eq!(called(page).as_deref(), Some("The Kiln Manual"));
        let section = "# The Kiln Doors\n\nThey are of 2022.\n\n# Wood\n\nIt is dry.\n";
        assert_eq!(called(section), None);
        let undated = "# The Kiln Doors\n\nHeavy\n\n# Wood\n\nIt is dry.\n";
        assert_eq!(called(undated), None);
    }

    #[test]
    fn what_a_file_is_called_by_is_spelled_as_its_text_spells_it_and_a_log_tells_of_which_release()
    {
        let called = |text: &str, label: &str| untitled(&read(text.to_owned()).blocks, label, None);
        let text = "Get KL-117. Run KL-117, and KL-117 burns.\n\n## Wood\n\nIt is dry.\n";
        assert_eq!(called(text, "kl-117.pdf"), "KL-117");
        assert_eq!(called("Get it.\n\nRun it.\n", "kiln_door.pdf"), "Kiln door");
        let log = "## Highlights\n\n- Fewer doors.\n\n## Detailed Changelog\n\n- Wood is dry.\n";
        assert_eq!(called(log, "v0.2.2.md"), "Detailed Changelog v0.2.2");
    }

    #[test]
    fn a_line_above_the_first_heading_names_a_text_whose_headings_do_not() {
        let above = |title: &str, text: &str| named_above(title, &read(text.to_owned()).blocks);
        let reference =
            "API Reference for kiln8000.\n\n# Doors\n\nThey open.\n\n# Walls\n\nThey stand.\n";
        assert_eq!(
            above("Doors", reference).as_deref(),
            Some("API Reference for kiln8000")
        );
        let named = "Fire Door\n\n# Introduction\n\nThe Fire Door opens.\n";
        assert_eq!(above("Introduction", named).as_deref(), Some("Fire Door"));
        let greeting = "Dear Potter\n\n# Introduction\n\nThe Fire Door opens.\n";
        assert_eq!(above("Introduction", greeting), None);
        let one = "A manual of doors\n\n# Kiln Doors\n\nThey open.\n";
        assert_eq!(above("Kiln Doors", one), None);
        let asked =
            read("kilnd Frequently Asked Questions (FAQ)\n\nIt is asked often.\n".to_owned());
        assert_eq!(
            title_line(&asked.blocks).as_deref(),
            Some("kilnd Frequently Asked Questions (FAQ)")
        );
    }

    #[test]
    fn a_readme_is_called_by_the_name_that_it_opens_with() {
        let called = |text: &str, label: &str| read_first(&read(text.to_owned()).blocks, label);
        let text = "## kilnlib\n\nIt burns.\n\n## What kilnlib is\n\nA library.\n";
        assert_eq!(called(text, "README.md").as_deref(), Some("kilnlib"));
        assert_eq!(called(text, "notes.md"), None);
        let usage = "## Usage\n\nIt burns.\n\n## Wood\n\nIt is dry.\n";
        assert_eq!(called(usage, "README.md"), None);
        let installing =
            format!("{usage}\n`pip install kilnlib`: kilnlib burns, and kilnlib cools.\n");
        assert_eq!(called(&installing, "README.md").as_deref(), Some("kilnlib"));
        let blocks = read(installing).blocks;
        assert_eq!(readme_of(&blocks, "README.md").as_deref(), Some("kilnlib"));
        assert_eq!(readme_of(&blocks, "use.md"), None);
    }

    #[test]
    fn several_files_are_called_by_their_titles_or_by_what_they_come_back_to() {
        let text = "# Glazing\n\nGlaze is a coat of glass that a pot has.\n\n# Loading\n\nLoad the kiln from the bottom shelf.\n";
        let blocks = read(text.to_owned()).blocks;
        let called = |label: &str| untitled(&blocks, label, None);
        assert_eq!(called("a.md, b.md"), "Glazing and Loading");
        // One file with two highest headings is called as it is.
        assert_eq!(called("my-kiln.md"), "My kiln");
        let many: String = (0..5)
            .map(|n| format!("# Part {n}\n\nThe kiln is hot. A kiln has a lid. Shut the kiln.\n\n"))
            .collect();
        let blocks = read(many).blocks;
        let label = "a.md, b.md, c.md, d.md, e.md";
        assert!(
            untitled(&blocks, label, None)
                .to_lowercase()
                .contains("kiln")
        );
    }
}
