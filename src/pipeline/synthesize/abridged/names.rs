//! Owns what the entries of a section are called, and what it costs to name those that are not shown.

use super::piece::Piece;
use crate::pipeline::synthesize::joining::REMARK;
use crate::pipeline::synthesize::loaders;
use crate::pipeline::synthesize::page;
use skillkiln_document::blocks::{Block, BlockKind, walk};
use skillkiln_document::text::{Inline, plain, without_links};

/// A longer name of an entry is no name.
const NAME_CHARS: usize = 40;
/// A question is looked for by its words.
const QUESTION_CHARS: usize = 72;
/// Code is a list of options of which so many lines are, and so many of ten; and of declarations of which so many are told.
pub(super) const NAMED_LINES_MIN: usize = 6;
const OPTIONS_OF_TEN: usize = 7;
/// Of entries that are left out none is named where fewer of ten have a name; nor fewer of a list that only comes further down.
const NAMED_MIN: usize = 1;
const NAMED_FURTHER_MIN: usize = 5;
const NAMED_OF_TEN: usize = 7;
/// The name of a function or an option that tells what a text is about has so many letters, and so many characters at most.
const NAME_LETTERS: usize = 4;
const CODE_CHARS: usize = 32;

/// What names the entries of a block: their terms, or how their items or rows begin.
pub(super) fn names(block: &Block) -> Vec<Vec<Inline>> {
    let marked = |text: &[Inline]| {
        let first = text.first()?;
        matches!(first, Inline::Code(_) | Inline::Strong(_)).then(|| vec![first.clone()])
    };
    let bare = |name: Vec<Inline>| match name.as_slice() {
        [Inline::Strong(words)] if plain(words).starts_with(char::is_alphabetic) => {
            let words = plain(words);
            vec![Inline::Text(
                words.trim_end_matches([':', '.', ' ']).to_owned(),
            )]
        }
        _ => name,
    };
    let short = |name: &Vec<Inline>| {
        let name = plain(name);
        let letters = name.trim().chars().count();
        let most = match name.trim_end().ends_with(['?', '？']) {
            true => QUESTION_CHARS,
            false => NAME_CHARS,
        };
        // A number alone names nothing.
        (1..=most).contains(&letters) && !name.trim().bytes().all(|b| b.is_ascii_digit())
    };
    let whole = |name: &Vec<Inline>| Some(name.clone()).filter(short).or_else(|| marked(name));
    let names: Vec<Option<Vec<Inline>>> = match &block.kind {
        BlockKind::Definitions(entries) => {
            let terms = entries.iter().map(|entry| entry.terms.first());
            terms.map(|term| whole(&without_note(term?))).collect()
        }
        BlockKind::List { items, .. } => {
            let firsts = items
                .iter()
                .map(|item| item.first().map(|block| &block.kind));
            firsts
                .map(|first| match first {
                    Some(BlockKind::Paragraph(text)) => marked(text),
                    _ => None,
                })
                .collect()
        }
        BlockKind::Table { rows, .. } => {
            let cells = rows.iter().map(|row| row.first());
            cells.map(|cell| whole(cell?)).collect()
        }
        BlockKind::Code { text, .. } => {
            let entries = entries_in(text, 1).unwrap_or_default().into_iter();
            let names = entries.map(|entry| match entry.contains(REMARK) {
                true => declared(entry),
                false => entry.trim().split("  ").next(),
            });
            names
                .map(|name| Some(vec![Inline::Code(name?.trim().to_owned())]))
                .collect()
        }
        _ => Vec::new(),
    };
    let names = names.into_iter().flatten().map(bare);
    // Where a name leads is of no use to who looks for it in another file.
    let names = names.map(|name| without_links(&name));
    // Nor is one that arguments would change where a skill is called with some.
    let stays = |name: &Vec<Inline>| short(name) && !loaders::in_line(name);
    names.filter(stays).collect()
}

/// A term without what stands behind it in parentheses ("since Linux 2.6.16"), where only that makes it too long for a name.
fn without_note(term: &[Inline]) -> Vec<Inline> {
    let mut name = term.to_vec();
    if let Some(Inline::Text(text)) = name.last_mut()
        && text.trim_end().ends_with(')')
        && let Some(note) = text.find(" (")
        && plain(term).trim().chars().count() > NAME_CHARS
    {
        text.truncate(note);
    }
    name
}

/// The entries of code that lists so many options at least, each with the lines that go on with it, or declarations, each with what is
/// said of it above; `None` of other code.
pub(super) fn entries_in(code: &str, least: usize) -> Option<Vec<&str>> {
    options_in(code, least).or_else(|| declarations_in(code, least))
}

/// The declarations of a listing of Haskell's that says of so many at least what they are, each with what is said of it and those
/// behind it of which nothing is.
fn declarations_in(code: &str, least: usize) -> Option<Vec<&str>> {
    let mut starts = vec![0];
    let (mut at, mut told, mut is_parted) = (0, 0, true);
    for line in code.split_inclusive('\n') {
        if is_parted && line.starts_with(REMARK) {
            told += 1;
            if told > 1 {
                starts.push(at);
            }
        }
        is_parted = line.trim().is_empty();
        at += line.len();
    }
    (told >= least.max(1))
        .then(|| cut_at(code, &starts))
        .flatten()
}

/// The name that an entry of such a listing declares: `open` of `open :: Door -> IO ()`, `Door` of `data Door = Door`.
fn declared(entry: &str) -> Option<&str> {
    const KINDS: [&str; 6] = ["class", "data", "instance", "newtype", "pattern", "type"];
    let is_said = |line: &&str| line.trim().is_empty() || line.starts_with("--");
    let line = entry.lines().find(|line| !is_said(line))?;
    let mut words = line.split_whitespace();
    let first = words.next()?;
    if !KINDS.contains(&first) {
        return Some(first);
    }
    // "class Monad m => Kiln m" declares what stands behind its condition.
    let named = line.split_once("=>").map_or(line, |(_, named)| named);
    named
        .split_whitespace()
        .find(|word| !KINDS.contains(word) && *word != "family")
}

/// The entries of a list of so many options at least that stands as code, each with the lines that go on with it; `None` of other
/// code.
fn options_in(code: &str, least: usize) -> Option<Vec<&str>> {
    // "-- | Opens the door" is a remark in a language that has no options.
    let begins = |line: &str| {
        let option = line.trim_start().strip_prefix('-');
        let name = option.map(|option| option.strip_prefix('-').unwrap_or(option));
        name.is_some_and(|name| name.starts_with(char::is_alphanumeric))
    };
    let mut lines = code.lines().filter(|line| !line.trim().is_empty());
    let (all, options) = lines.by_ref().fold((0, 0), |(all, options), line| {
        (all + 1, options + usize::from(begins(line)))
    });
    if options < least || options * 10 < all * OPTIONS_OF_TEN {
        return None;
    }
    let mut starts: Vec<usize> = Vec::new();
    let mut at = 0;
    for line in code.split_inclusive('\n') {
        if starts.is_empty() || begins(line) {
            starts.push(at);
        }
        at += line.len();
    }
    cut_at(code, &starts)
}

/// Code in pieces that begin at these places.
fn cut_at<'c>(code: &'c str, starts: &[usize]) -> Option<Vec<&'c str>> {
    let ends = starts.iter().skip(1).copied().chain([code.len()]);
    let entries = starts.iter().zip(ends);
    entries
        .map(|(start, end)| code.get(*start..end).map(str::trim_end))
        .collect()
}

/// The names of functions, options and the like that a block's running text has as code.
pub(super) fn code_names(block: &Block) -> Vec<String> {
    let is_name = |name: &str| {
        let letters = name.chars().filter(|c| c.is_alphabetic()).count();
        letters >= NAME_LETTERS
            && name.chars().count() <= CODE_CHARS
            && !name.contains(|c: char| c.is_whitespace() || "/\\*$=\"'%".contains(c))
            && name.contains(|c: char| !c.is_alphanumeric() || c.is_uppercase())
    };
    let mut out = Vec::new();
    walk(std::slice::from_ref(block), &mut |inner| {
        let BlockKind::Paragraph(text) = &inner.kind else {
            return;
        };
        let names = text.iter().filter_map(|inline| match inline {
            Inline::Code(name) => Some(name.trim()),
            _ => None,
        });
        out.extend(names.filter(|name| is_name(name)).map(str::to_owned));
    });
    out
}

/// Whether an option has a form of one letter, as those have that are given most.
pub(super) fn has_letter(name: &[Inline]) -> bool {
    let is_letter = |word: &str| word.len() == 2 && word.starts_with('-') && !word.ends_with('-');
    // `-p` of `-pNUM` is set apart from what it takes.
    let is_set_apart = name.iter().any(|inline| match inline {
        Inline::Strong(words) => is_letter(plain(words).trim()),
        Inline::Code(word) => is_letter(word),
        _ => false,
    });
    let name = plain(name);
    let mut words = name.split([' ', ',', '=', '[', '<', '|']);
    is_set_apart || words.any(is_letter)
}

/// What it costs to name an entry.
pub(super) fn name_tokens(name: &[Inline]) -> usize {
    page::tokens(&plain(name)) + 1
}

/// For each piece, and behind the last, how many tokens name what it and those behind it of the same list are called, or those of the
/// next list behind it, none where that is too little, or too many of them have no name; and what the members of those before it are
/// called that are left out.
pub(super) fn names_tokens(pieces: &[Piece]) -> Vec<usize> {
    let mut out = vec![0; pieces.len() + 1];
    let (mut entries, mut named, mut tokens) = (0, 0, 0);
    for (number, out) in out.iter_mut().enumerate().rev() {
        let Some(piece) = pieces.get(number) else {
            continue;
        };
        let is_list = piece.entries() > 0;
        let next = pieces.get(number + 1);
        if is_list && !next.is_some_and(|next| next.goes_on_with(piece)) {
            (entries, named, tokens) = (0, 0, 0);
        }
        entries += piece.entries();
        if is_list {
            named += piece.names.len() + piece.repeated;
            let names = piece.names.iter();
            tokens += names.map(|name| name_tokens(name)).sum::<usize>();
        }
        let least = match is_list {
            true => NAMED_MIN,
            false if number == 0 => usize::MAX,
            false => NAMED_FURTHER_MIN,
        };
        if named >= least && named * 10 >= entries * NAMED_OF_TEN {
            *out = tokens;
        }
    }
    let mut members = 0;
    for (piece, out) in pieces.iter().zip(out.iter_mut().skip(1)) {
        let names = piece.unshown_members().iter();
        members += names.map(|name| name_tokens(name)).sum::<usize>();
        *out += members;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::blocks::{Definition, Span};

    #[test]
    fn remarks_of_two_hyphens_make_no_list_of_options() {
        let options = |mark: &str| {
            let code: String = (0..8)
                .map(|n| format!("{mark}open{n} the door\n"))
                .collect();
            options_in(&code, NAMED_LINES_MIN).map(|lines| lines.len())
        };
        assert_eq!(options("-"), Some(8));
        assert_eq!(options("  --"), Some(8));
        assert_eq!(options("-- "), None);
        assert_eq!(options("-- | "), None);
        assert_eq!(options("---- "), None);
    }

    #[test]
    fn a_listing_of_declarations_is_cut_between_them_and_named_by_what_they_declare() {
        let told = |name: &str| {
            format!("-- | Opens {name}\n--\n--   It is hot.\n{name} :: Door -> IO ()\n\n")
        };
        let names = ["open1", "open2", "open3", "open4", "open5", "open6"];
        let code =
            names.map(told).concat() + "-- | A door\ndata Ord a => Door a = Door\n\nshut :: Door\n";
        let entries = entries_in(&code, NAMED_LINES_MIN).unwrap();
        assert_eq!(entries.len(), 7);
        assert_eq!(entries[1], told("open2").trim_end());
        assert!(entries[6].ends_with("shut :: Door"));
        let declared: Vec<_> = entries.iter().filter_map(|entry| declared(entry)).collect();
        assert_eq!(declared, [&names[..], &["Door"]].concat());
        // One of them, as it stands in a piece.
        assert_eq!(entries_in(entries[1], 1).unwrap().len(), 1);
        assert_eq!(entries_in("open :: Door -> IO ()", 1), None);
    }

    #[test]
    fn a_term_is_named_without_the_note_that_makes_it_too_long() {
        let told = |note: &str| Definition {
            terms: vec![vec![
                Inline::Emphasis(vec![Inline::Text("kiln.memory_spread_page".into())]),
                Inline::Text(note.to_owned()),
            ]],
            blocks: Vec::new(),
        };
        let entries = vec![told(" (since kiln 2.6.17)"), told(" (new)")];
        let block = Block {
            kind: BlockKind::Definitions(entries),
            span: Span::default(),
        };
        let names: Vec<String> = names(&block).iter().map(|name| plain(name)).collect();
        assert_eq!(
            names,
            ["kiln.memory_spread_page", "kiln.memory_spread_page (new)"]
        );
    }
}
