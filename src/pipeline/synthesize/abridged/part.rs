//! Owns how much of a section is shown for the room that it gets.

use super::TOKENS_OF_LINE;
use super::names::{code_names, has_letter, name_tokens, names_tokens};
use super::piece::Piece;
use crate::pipeline::synthesize::outline::{Section, block_text};
use crate::pipeline::synthesize::portions::written_tokens;
use crate::pipeline::synthesize::units::{leans_back, points_back};
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::text::{Inline, plain};
use std::collections::HashSet;
use std::ops::Range;

/// A first example that takes more of the body is none that a section is opened with; where it is the only one, the section may be
/// about it.
const EXAMPLE_TOKENS: usize = 30 * TOKENS_OF_LINE;
const ONLY_EXAMPLE_TOKENS: usize = 60 * TOKENS_OF_LINE;
/// So many warnings and requirements of so many tokens are shown apart from what they were said behind; a list of what is allowed may
/// take more.
const WARNING_TOKENS: usize = 120;
const ALLOWED_TOKENS: usize = 200;
const WARNINGS_MAX: usize = 2;
/// So many tokens name the entries that were left out; of more, the rest of them is named by the file.
const NAMES_TOKENS: usize = 160;
/// For so many of them an entry gives up its place.
const NAMES_TOKENS_MIN: usize = 40;
/// What a function does is told behind so many pieces on its parameters at most.
const NEEDS_MAX: usize = 6;
/// Parameters that have no more words are only named, with their kinds.
const PARAMETER_WORDS: usize = 16;
/// What only says since when there is something.
const SINCE: [&str; 5] = [
    "Added in",
    "Deprecated since",
    "Extends",
    "History",
    "New in version",
];
/// A pointer at a file takes so many tokens.
pub(super) const POINTER_TOKENS: usize = 24;

/// How much of a section is shown: so many of its first pieces, its first example, which may stand further down, so many of its
/// warnings, which may too, and so many tokens of what the entries are called before which its list was cut.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) first: usize,
    pub(super) example: Range<usize>,
    pub(super) warnings: usize,
    pub(super) names: usize,
}

/// A section with its pieces, and how many of them are shown.
pub(super) struct Part<'a> {
    pub(super) section: &'a Section,
    pub(super) heading: Option<&'a Block>,
    /// The headings right above that have nothing of their own: what it says is said of them as well.
    pub(super) alike: Vec<&'a Block>,
    pub(super) pieces: Vec<Piece>,
    /// What the pieces before each cost together, and all of them.
    pub(super) costs: Vec<usize>,
    /// How many tokens name the entries that are missing where a section is cut before each piece.
    pub(super) names: Vec<usize>,
    /// The first code, with what it leans on.
    pub(super) example: Option<Range<usize>>,
    /// The warnings, and behind them what is required, by their numbers.
    pub(super) warnings: Vec<usize>,
    /// How many of them are warnings.
    pub(super) warned: usize,
    pub(super) weight: usize,
    /// Whether it is an entry of a reference, which its line names: it has no heading there.
    pub(super) is_entry: bool,
    /// The section whose example it is, by number: nothing of it is shown without that.
    pub(super) leans_on: Option<usize>,
    /// Whether it is the first that says something.
    pub(super) opens: bool,
    /// Whether it tells how to begin: a body without that is none.
    pub(super) comes_first: bool,
    /// What it gets at least.
    pub(super) least: usize,
    /// Whether something of it is left out that is no piece.
    pub(super) is_broken_off: bool,
    /// So many of its pieces have to be shown that it says anything.
    pub(super) needs: usize,
    pub(super) shown: Shown,
}

impl<'a> Part<'a> {
    /// Of a section with these pieces; nothing of it is shown yet.
    pub(super) fn of(
        section: &'a Section,
        heading: Option<&'a Block>,
        pieces: Vec<Piece>,
        is_broken_off: bool,
    ) -> Self {
        let mut sum = 0;
        let costs = pieces.iter().map(|piece| {
            sum += piece.cost;
            sum
        });
        let warnings = warnings(&pieces);
        let warns = |number: &usize| pieces.get(*number).is_some_and(Piece::is_warning);
        Self {
            section,
            heading,
            alike: Vec::new(),
            costs: std::iter::once(0).chain(costs).collect(),
            names: names_tokens(&pieces),
            example: example(&pieces),
            warned: warnings.iter().filter(|number| warns(number)).count(),
            warnings,
            weight: 1,
            is_entry: false,
            leans_on: None,
            opens: false,
            comes_first: false,
            least: 0,
            is_broken_off,
            needs: needs(section, &pieces),
            pieces,
            shown: Shown::default(),
        }
    }

    pub(super) fn heading_cost(&self) -> usize {
        let headings = self.headings();
        headings
            .map(|heading| written_tokens(heading).max(2 * TOKENS_OF_LINE))
            .sum()
    }

    /// What stands over it, unless its line names it.
    pub(super) fn headings(&self) -> impl Iterator<Item = &'a Block> {
        let own = self.alike.iter().copied().chain(self.heading);
        own.filter(|_| !self.is_entry)
    }

    pub(super) fn is_shown(&self) -> bool {
        self.shown.first > 0 || self.shown.names > 0
    }

    pub(super) fn cost(&self) -> usize {
        match self.is_shown() {
            true => self.heading_cost() + self.cost_of(&self.shown),
            false => 0,
        }
    }

    fn cost_of(&self, shown: &Shown) -> usize {
        let until = |piece: usize| self.costs.get(piece).copied().unwrap_or_default();
        let example = shown.example.start.max(shown.first)..shown.example.end;
        let warnings = self.warnings.iter().copied().take(shown.warnings);
        let warnings =
            warnings.filter(|number| *number >= shown.first && !example.contains(number));
        let warnings = warnings.filter_map(|number| self.pieces.get(number));
        let warnings: usize = warnings.map(|piece| piece.cost).sum();
        let example = match example.is_empty() {
            true => 0,
            false => until(example.end) - until(example.start),
        };
        let names = match shown.names {
            0 => 0,
            names => names + POINTER_TOKENS,
        };
        until(shown.first) + example + warnings + names
    }

    /// How many pieces stand before its first example at least: those up to the first that is told in sentences, since an example of
    /// what nobody defined shows nothing.
    fn told(&self) -> usize {
        let is_told = |piece: &Piece| {
            let first = piece.blocks.first().map(|block| &block.kind);
            matches!(first, Some(BlockKind::Paragraph(_)))
        };
        let before = self.example.as_ref().map_or(0, |example| example.start);
        let before = self.pieces.get(..before).unwrap_or_default();
        before.iter().position(is_told).unwrap_or_default() + 1
    }

    /// What it costs to show its first piece.
    pub(super) fn beginning(&self) -> usize {
        self.costs.get(1).copied().unwrap_or_default()
    }

    /// What it costs to show how it begins together with its first example and the warnings; nothing where it has none that is short enough.
    pub(super) fn opening(&self) -> usize {
        let code = self.pieces.iter().position(Piece::is_code);
        let near = code.filter(|at| {
            let found = self.pieces.get(*at);
            *at < 2 && found.is_some_and(|piece| piece.cost <= example_tokens(&self.pieces))
        });
        let (first, example) = match (near, &self.example) {
            (Some(at), _) => (at + 1, 0..0),
            (None, Some(example)) => (self.told(), example.clone()),
            (None, None) => return 0,
        };
        let names = self.names_min(first);
        self.cost_of(&Shown {
            first,
            example,
            warnings: self.warned,
            names,
        })
    }

    /// Shows as much from the beginning as costs at most `room`; with the warnings and the example as soon as there is room for
    /// them. Where a list is cut, what its other entries are called stands there, and of a section that begins with its list at
    /// least that.
    pub(super) fn fill(&mut self, room: usize) {
        let examples = [self.example.clone(), Some(0..0)].into_iter().flatten();
        let warnings = match self.warned {
            0 => vec![0],
            warned => vec![warned, 0],
        };
        let ways = warnings
            .into_iter()
            .flat_map(|warnings| examples.clone().map(move |example| (warnings, example)));
        // What somebody is warned of when they run it is not shown without that.
        let is_safe = |shown: &Shown| {
            let runs = |piece: &Piece| piece.is_code();
            let until = shown.first.max(shown.example.end);
            shown.warnings >= self.warned
                || !self
                    .pieces
                    .get(..until)
                    .is_some_and(|all| all.iter().any(runs))
                || self
                    .warnings
                    .iter()
                    .take(self.warned)
                    .all(|at| *at < shown.first)
        };
        let fitting = ways.into_iter().find_map(|(warnings, example)| {
            let least = match example.is_empty() {
                true => usize::from(warnings > 0),
                false => self.told(),
            };
            let firsts = least..=self.pieces.len();
            let with_names = firsts
                .rev()
                .map(|first| self.beginning_with(first, &example, warnings));
            let opening = (!self.pieces.is_empty()).then(|| Shown {
                names: 0,
                ..self.beginning_with(1, &example, warnings)
            });
            let ways = with_names.filter(|shown| shown.first > 0 || shown.names > 0);
            ways.chain(opening)
                .filter(is_safe)
                .find(|shown| self.cost_of(shown) <= room)
        });
        // What is required takes the place of details, up to the half of what would be shown.
        let required = fitting.as_ref().and_then(|shown| {
            let least = shown.first.div_ceil(2).max(1).max(self.needs);
            let firsts = (least..=shown.first).rev();
            let all = self.warnings.len();
            firsts
                .filter(|_| all > self.warned)
                .map(|first| self.beginning_with(first, &shown.example, all))
                .find(|shown| self.cost_of(shown) <= room)
        });
        let fitting = required.or(fitting);
        let tells = |shown: &Shown| shown.first >= self.needs;
        let mut shown = fitting.filter(tells).unwrap_or_default();
        if shown.names > 0 {
            let left = room.saturating_sub(self.cost_of(&shown));
            let all = self.names.get(shown.first).copied().unwrap_or_default();
            shown.names = (shown.names + left).min(all).min(NAMES_TOKENS);
        }
        self.shown = shown;
    }

    /// So many pieces from the beginning, with these others, and what the list is called that is cut there.
    fn beginning_with(&self, first: usize, example: &Range<usize>, warnings: usize) -> Shown {
        Shown {
            first,
            example: example.clone(),
            warnings,
            names: self.names_min(first),
        }
    }

    /// How many tokens at least name what a list has beside what is shown, where it is cut before `piece`.
    fn names_min(&self, piece: usize) -> usize {
        let all = self.names.get(piece).copied().unwrap_or_default();
        all.min(NAMES_TOKENS_MIN)
    }

    /// The numbers of the pieces that are shown behind those from the beginning, in order.
    pub(super) fn apart(&self) -> Vec<usize> {
        let shown = &self.shown;
        let warnings = self.warnings.iter().copied().take(shown.warnings);
        let mut apart: Vec<usize> = shown.example.clone().chain(warnings).collect();
        // Behind what something else is called with, a warning is said of that.
        let is_of_other = |number: usize| {
            let between = self.pieces.get(shown.first..number).unwrap_or_default();
            between.iter().any(Piece::names_other)
        };
        apart.retain(|number| *number >= shown.first && !is_of_other(*number));
        apart.sort_unstable();
        apart.dedup();
        apart
    }

    pub(super) fn is_cut(&self) -> bool {
        self.is_broken_off
            || self.shown.first < self.pieces.len()
            || self.pieces.iter().any(Piece::is_shortened)
    }

    /// The names of code that what is not shown speaks of, and what is shown does not, in order.
    pub(super) fn unseen(&self) -> Vec<Vec<Inline>> {
        let apart = self.apart();
        let is_seen = |number: usize| number < self.shown.first || apart.contains(&number);
        let mut seen: HashSet<String> = HashSet::new();
        let mut out = Vec::new();
        for wants_seen in [true, false] {
            let pieces = self.pieces.iter().enumerate();
            for (_, piece) in pieces.filter(|(number, _)| is_seen(*number) == wants_seen) {
                for name in piece.blocks.iter().flat_map(code_names) {
                    if seen.insert(name.clone()) && !wants_seen {
                        out.push(vec![Inline::Code(name)]);
                    }
                }
            }
        }
        out
    }

    /// Shows at full length as many of its shown pieces as `room` allows, in order, and says what that took.
    pub(super) fn lengthen(&mut self, room: usize) -> usize {
        let mut taken = 0;
        for (number, piece) in self.pieces.iter_mut().enumerate() {
            let more = piece.longer.as_ref().map(|(_, more)| *more);
            let more = more.filter(|more| number < self.shown.first && taken + more <= room);
            piece.is_lengthened = more.is_some();
            taken += more.unwrap_or_default();
        }
        taken
    }

    /// What the members of those entries are called that are shown, and the entries that the list has beside them, or the next one,
    /// each with where it stands: as many as there is room for, options that have a letter before others; and whether those are all.
    pub(super) fn missing(&self) -> (Vec<(usize, &Vec<Inline>)>, bool) {
        let shown = self.pieces.get(..self.shown.first).unwrap_or_default();
        let members = shown
            .iter()
            .flat_map(|piece| piece.unshown_members().iter().map(|name| (piece.at, name)));
        let rest = self.pieces.get(self.shown.first..).unwrap_or_default();
        let list = rest.iter().position(|piece| piece.entries() > 0);
        let list = rest.get(list.unwrap_or(rest.len())..).unwrap_or_default();
        let goes_on = list
            .windows(2)
            .take_while(|pair| matches!(pair, [before, next] if next.goes_on_with(before)));
        let list = list.get(..goes_on.count() + 1).unwrap_or_default();
        // A table of which nothing is shown is called by its caption rather than by its rows.
        let caption = list.first().and_then(|first| {
            let goes_on = shown.last().is_some_and(|before| before.at == first.at);
            let caption = first.caption().filter(|_| !goes_on)?;
            (name_tokens(caption) <= self.shown.names).then_some((first.at, caption))
        });
        let rows = if caption.is_some() { &[] } else { list };
        let entries = rows
            .iter()
            .flat_map(|piece| piece.names.iter().map(|name| (piece.at, name)));
        let names: Vec<(usize, &Vec<Inline>)> = members
            .chain(caption)
            .chain(entries)
            .filter(|(_, name)| plain(name).contains(char::is_alphanumeric))
            .collect();
        let mut left = self.shown.names;
        let mut is_named = vec![false; names.len()];
        for wants_letter in [true, false] {
            let of_kind = names.iter().zip(&mut is_named);
            let of_kind = of_kind.filter(|((_, name), _)| has_letter(name) == wants_letter);
            for ((_, name), is_named) in of_kind {
                let Some(after) = left.checked_sub(name_tokens(name)) else {
                    break;
                };
                left = after;
                *is_named = true;
            }
        }
        let are_all = is_named.iter().all(|is_named| *is_named);
        let named = names.into_iter().zip(is_named);
        let named = named.filter_map(|(name, is_named)| is_named.then_some(name));
        (named.collect(), are_all)
    }
}

/// Up to which piece a section of an API has to be shown that it says anything: "Added in: v1" and a list of parameters do not say what
/// a function does.
fn needs(section: &Section, pieces: &[Piece]) -> usize {
    let words = |piece: &Piece| match piece.blocks.first().map(|block| &block.kind) {
        Some(BlockKind::Paragraph(text)) => Some(plain(text)),
        _ => None,
    };
    let tells_since = |text: &str| SINCE.iter().any(|since| text.starts_with(since));
    // What is said of a parameter tells as well.
    let explains = |block: &Block| {
        let is_told = !matches!(block.kind, BlockKind::Paragraph(_));
        is_told && block_text(block).split_whitespace().count() > PARAMETER_WORDS
    };
    let tells = |piece: &Piece| {
        let says = words(piece).is_some_and(|text| {
            let text = text.trim_end();
            text.ends_with(['.', ':', '!', '?', '。']) && text.contains(' ') && !tells_since(text)
        });
        says || piece.blocks.iter().any(explains)
    };
    let first = pieces.first();
    let is_since = || first.and_then(words).is_some_and(|text| tells_since(&text));
    let is_api = section.title.contains('(') || is_since();
    match pieces
        .iter()
        .position(|piece| tells(piece) || piece.is_code())
    {
        Some(at) if is_api && at <= NEEDS_MAX && !pieces.get(at).is_some_and(Piece::is_code) => {
            at + 1
        }
        _ => 0,
    }
}

/// The first warnings of a section that are brief enough to stand apart from what they were said behind; where it has few, what it
/// says that must be as well.
fn warnings(pieces: &[Piece]) -> Vec<usize> {
    let pieces = || pieces.iter().enumerate();
    let warnings = pieces().filter(|(_, piece)| piece.is_warning() && piece.cost <= WARNING_TOKENS);
    let required = pieces().filter(|(_, piece)| {
        let most = match piece.entries() {
            0 => WARNING_TOKENS,
            _ => ALLOWED_TOKENS,
        };
        piece.cost <= most && piece.requires()
    });
    let numbers = warnings.chain(required).map(|(number, _)| number);
    numbers.take(WARNINGS_MAX).collect()
}

/// Where a section's first code stands among its pieces, with the paragraph before it where it has nothing of its own that
/// announces it; nothing where that goes on with what was said before.
fn example(pieces: &[Piece]) -> Option<Range<usize>> {
    let code = pieces.iter().position(Piece::is_code)?;
    let found = pieces.get(code)?;
    if code < 2 || found.cost > example_tokens(pieces) {
        return None;
    }
    let start = match found.blocks.len() {
        1 => code - 1,
        _ => code,
    };
    let first = pieces.get(start)?;
    let text = match &first.blocks.first()?.kind {
        BlockKind::Paragraph(text) => plain(text),
        _ => return None,
    };
    // What goes on in a paragraph may mean what its sentences before name.
    let before = pieces.get(start.checked_sub(1)?)?;
    let goes_on = before.at + first.blocks.len() == first.at + 1;
    let leans = leans_back(&text) || goes_on && points_back(&text) || points_at_text(&text);
    (!leans).then_some(start..code + 1)
}

/// Whether a paragraph opens with what was said above it ("This behavior"), and not with the example that it shows.
fn points_at_text(text: &str) -> bool {
    const SHOWN: [&str; 14] = [
        "code",
        "command",
        "configuration",
        "example",
        "function",
        "listing",
        "program",
        "query",
        "script",
        "shows",
        "snippet",
        "uses",
        "will",
        "would",
    ];
    let mut words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let is_pointer = words
        .next()
        .is_some_and(|word| matches!(word, "This" | "These" | "Such" | "That"));
    is_pointer && !words.take(2).any(|word| SHOWN.contains(&word))
}

/// What a first example may take of the body.
fn example_tokens(pieces: &[Piece]) -> usize {
    match pieces.iter().filter(|piece| piece.is_code()).nth(1) {
        None => ONLY_EXAMPLE_TOKENS,
        Some(_) => EXAMPLE_TOKENS,
    }
}

#[cfg(test)]
mod tests {
    use super::super::gathering::pieces;
    use super::super::gathering::tests::long_items;
    use super::super::keep_telling_names;
    use super::super::names::names_tokens;
    use super::Part;
    use crate::pipeline::synthesize::outline::Outline;
    use skillkiln_document::blocks::{Block, BlockKind};
    use skillkiln_document::text::Inline;
    use skillkiln_document::text::plain;
    use skillkiln_readers::markup::markdown;

    #[test]
    fn a_section_shows_its_first_example_with_its_first_sentence() {
        let told = "The wood is dry and burns for a long while in there. ".repeat(9);
        let source = format!(
            "A kiln fires pots.\n\n{told}\n\nOpen it by a command.\n\n```\nkilnctl open\n```\n\n{told}"
        );
        of_part(&source, |part| {
            let mut shown = |room: usize| {
                part.fill(room);
                (
                    part.shown.first,
                    part.shown.example.start.max(part.shown.first)..part.shown.example.end,
                    part.cost() <= room,
                )
            };
            assert_eq!(shown(1), (0, 0..0, true));
            assert_eq!(shown(30).0, 1);
            let (first, example, fits) = shown(150);
            assert!(
                fits && first < example.start && example.len() == 2,
                "{first} {example:?}"
            );
            assert!(shown(4_000).1.is_empty());
            let opening = part.opening();
            part.fill(opening);
            assert_eq!((part.shown.first, part.apart().len()), (1, 2));
            part.fill(4_000);
            assert!(!part.is_cut());
        });
    }

    #[test]
    fn of_a_function_that_cannot_be_told_not_only_its_parameters_are_shown() {
        let told = "It fires the pots that stand in the kiln for a night and a day. ".repeat(4);
        let source = format!(
            "## fire(wood)\n\nAdded in: v2\n\n- `wood` {{object}}\n- `heat` {{number}}\n\n{told}"
        );
        let blocks = markdown::read(source).blocks;
        let outline = Outline::of(&blocks);
        let section = outline
            .sections
            .iter()
            .find(|section| section.level > 0)
            .unwrap();
        let (pieces, _) = pieces(
            &blocks,
            section.own.start + 1..section.own.end,
            false,
            4_000,
        );
        let mut part = Part::of(section, blocks.first(), pieces, false);
        let whole = part.costs.last().copied().unwrap();
        part.fill(part.costs[1]);
        assert!(!part.is_shown());
        part.fill(whole);
        assert!(part.is_shown());
    }

    #[test]
    fn an_example_does_not_jump_over_what_is_told_first_nor_open_with_what_was_said_before() {
        let told = "The wood is dry and burns for a long while in there. ".repeat(9);
        let code = "```\nkilnctl open\n```";
        of_part(
            &format!(
                "- heat: how hot it is\n\nIt opens the door.\n\n{told}\n\nOpen it so.\n\n{code}"
            ),
            |part| {
                part.fill(part.opening());
                assert_eq!((part.shown.first, part.apart().len()), (2, 2));
            },
        );
        of_part(
            &format!("A kiln fires pots.\n\n{told}\n\nThis behavior can be seen.\n\n{code}"),
            |part| {
                assert_eq!(part.opening(), 0);
            },
        );
    }

    #[test]
    fn a_warning_of_a_section_is_shown_although_what_stands_before_it_is_cut() {
        let told = "The wood is dry and burns for a long while in there. ".repeat(9);
        let source = format!(
            "A kiln fires pots.\n\n{told}\n\n> [!WARNING]\n> Never open the door while the fire burns.\n\n{told}"
        );
        of_part(&source, |part| {
            let warning = part.pieces[part.warnings[0]].cost;
            part.fill(part.beginning() + warning);
            assert_eq!((part.shown.first, part.apart().len()), (1, 1));
            part.fill(part.beginning());
            assert_eq!((part.shown.first, part.apart().len()), (1, 0));
            part.fill(4_000);
            assert!(part.apart().is_empty() && !part.is_cut());
        });
        let leaning = source.replace("Never open the door", "And never open the door");
        of_part(&leaning, |part| {
            part.fill(60);
            assert!(part.apart().is_empty());
        });
    }

    #[test]
    fn what_must_be_takes_the_place_of_details_but_not_of_the_beginning() {
        let told = "The wood is dry and burns for a long while in there. ".repeat(6);
        let source = format!(
            "`fire WOOD`\n\nA kiln fires pots.\n\n{told}\n\nWOOD must be one of these:\n\n- oak\n- ash\n\n{told}"
        );
        of_part(&source, |part| {
            assert_eq!((part.warned, part.warnings.len()), (0, 1));
            let required = part.pieces[part.warnings[0]].cost;
            let half = part.costs[2];
            part.fill(half + required);
            assert_eq!((part.shown.first, part.apart().len()), (2, 1));
            part.fill(part.beginning());
            assert_eq!((part.shown.first, part.apart().len()), (1, 0));
        });
        let leaning = source.replace("WOOD must", "This must");
        of_part(&leaning, |part| assert!(part.warnings.is_empty()));
    }

    #[test]
    fn a_single_entry_that_is_left_out_is_named_too_and_entries_called_alike_are_named_once() {
        of_part(&format!("It has doors:\n\n{}", long_items(9)), |part| {
            let whole = part.costs.last().copied().unwrap();
            part.fill(whole - 1);
            assert_eq!(missing(part), ["door 9"]);
        });
        let told = "the doors of the kiln ".repeat(14);
        let error = |number: usize| format!("- `E{}`: {told}{number}\n", number / 4);
        let errors: String = (0..16).map(error).collect();
        of_part(&format!("It fails.\n\n{errors}"), |part| {
            keep_telling_names(std::iter::once(&mut part.pieces));
            part.names = names_tokens(&part.pieces);
            part.fill(500);
            assert_eq!(missing(part).last().unwrap(), "E3");
        });
    }

    #[test]
    fn what_the_rest_of_a_section_speaks_of_is_told_by_its_names_of_code() {
        let told = "The wood is dry and burns for a long while in there. ".repeat(9);
        let source = format!(
            "It has `door_open()`.\n\n{told}\n\nIt has `door_open()`, `door_shut()`, `/etc/kiln.conf` and `wood`, and {told}"
        );
        of_part(&source, |part| {
            part.fill(part.beginning());
            let names: Vec<String> = part.unseen().iter().map(|name| plain(name)).collect();
            assert_eq!(names, ["door_shut()"]);
        });
    }

    #[test]
    fn what_the_other_entries_of_a_cut_list_are_called_is_known() {
        of_part(
            &format!("It has many doors:\n\n{}", long_items(9)),
            |part| {
                part.fill(300);
                let first = part.shown.first;
                assert!((1..8).contains(&first), "{first}");
                let names = missing(part);
                assert_eq!(*names.first().unwrap(), format!("door {}", first + 1));
                assert_eq!(names.len(), 9 - first);
            },
        );
    }

    #[test]
    fn what_a_list_further_down_names_is_told_although_a_paragraph_before_it_is_cut() {
        let told = "The wood is dry and burns for a long while in there. ".repeat(9);
        let source = format!("A kiln has doors.\n\n{told}\n\n{}", long_items(9));
        of_part(&source, |part| {
            part.fill(part.beginning() + 100);
            assert!((1..9).contains(&part.shown.first));
            assert_eq!(missing(part).len(), 9);
            part.fill(part.beginning());
            assert_eq!((part.shown.first, missing(part).len()), (1, 0));
        });
    }

    #[test]
    fn a_table_of_which_nothing_is_shown_is_called_by_its_caption() {
        let rows: String = (0..30)
            .map(|number| format!("| [door {number}](https://kilns.example/) | wide |\n"))
            .collect();
        let table = format!("| door | is |\n| --- | --- |\n{rows}");
        let told = "The wood is dry and burns for a long while in there. ".repeat(9);
        let mut blocks =
            markdown::read(format!("# Kilns\n\nIt burns.\n\n{told}\n\n{table}")).blocks;
        let named = |blocks: &[Block]| {
            let outline = Outline::of(blocks);
            let (pieces, _) = pieces(blocks, 1..blocks.len(), false, usize::MAX);
            let section = outline.sections.first().unwrap();
            let mut part = Part::of(section, None, pieces, false);
            part.fill(part.beginning() + 100);
            missing(&part)
        };
        let rows = named(&blocks);
        assert!(rows.len() > 3 && rows[0] == "door 0", "{rows:?}");
        if let Some(BlockKind::Table { caption, .. }) = blocks.last_mut().map(|last| &mut last.kind)
        {
            *caption = Some(vec![Inline::Text("Doors of all kilns".into())]);
        }
        assert_eq!(named(&blocks), ["Doors of all kilns"]);
    }

    #[test]
    fn a_paragraph_that_says_it_warns_is_a_warning() {
        let warns = |text: &str| {
            let blocks = markdown::read(text.to_owned()).blocks;
            super::Piece::of(0, blocks).is_warning()
        };
        assert!(warns("**Warning:** Never open the door while it burns."));
        assert!(warns("CAUTION! The door is hot when it burns."));
        assert!(!warns("**Warning:** Restart required!"));
        assert!(!warns("Warning: This opens the door of all kilns."));
        assert!(!warns("Warnings: they are printed to the log."));
    }

    #[test]
    fn each_entry_of_an_interface_tells_what_it_does_before_any_tells_more() {
        let told = "The fire is hot, and the pots stand in it for a night and a day. ".repeat(3);
        let entries: String = (0..6)
            .map(|number| format!("`open_{number}(door)`\n:   Opens door {number} of the kiln. {told}\n\n    {told}\n\n"))
            .collect();
        of_part(&format!("It has doors.\n\n{entries}"), |part| {
            part.fill(200);
            assert_eq!(part.shown.first, part.pieces.len());
            assert!(part.is_cut());
        });
    }

    #[test]
    fn options_that_have_a_letter_are_named_before_others_and_all_in_their_order() {
        let told = "the doors of the kiln ".repeat(14);
        let option = |number: usize| {
            let letter = char::from(b'a' + u8::try_from(number / 9).unwrap());
            match number % 9 {
                8 => format!("- `-{letter}, --door-{number}`: {told}\n"),
                _ => format!("- `--door-{number}`: {told}\n"),
            }
        };
        let options: String = (0..90).map(option).collect();
        of_part(&format!("It has options.\n\n{options}"), |part| {
            part.fill(part.beginning() + 190);
            let names = missing(part);
            let has = |name: &str| names.iter().any(|own| own == name);
            assert!(has("-a, --door-8") && has("-j, --door-89"), "{names:?}");
            assert!(has("--door-1") && !has("--door-88"), "{names:?}");
            assert!(
                names.iter().position(|own| own == "--door-1")
                    < names.iter().position(|own| own == "-a, --door-8")
            );
        });
    }

    #[test]
    fn a_list_of_options_that_stands_as_code_is_cut_and_named_by_its_lines() {
        let told = "the doors of the kiln ".repeat(3);
        let options: String = (0..60)
            .map(|number| format!("--door-{number}   {told}\n"))
            .collect();
        of_part(&format!("It has options:\n\n```\n{options}```\n"), |part| {
            part.fill(400);
            let first = part.shown.first;
            assert!((2..59).contains(&first), "{first}");
            assert_eq!(*missing(part).first().unwrap(), format!("--door-{first}"));
        });
    }

    fn missing(part: &Part<'_>) -> Vec<String> {
        let names = part.missing().0.into_iter();
        names.map(|(_, name)| plain(name)).collect()
    }

    #[test]
    fn a_section_that_begins_with_its_list_shows_at_least_what_the_entries_are_called() {
        of_part(&long_items(40), |part| {
            part.fill(part.beginning() - 1);
            assert_eq!(part.shown.first, 0);
            assert!(part.is_shown() && part.missing().0.len() >= 3);
            part.fill(400);
            assert!(part.shown.first > 0 && part.missing().0.len() >= 10);
        });
    }

    /// What is told of the only section of a source.
    fn of_part<T>(source: &str, told: impl FnOnce(&mut Part<'_>) -> T) -> T {
        let blocks = markdown::read(format!("# Kilns\n\n{source}")).blocks;
        let outline = Outline::of(&blocks);
        let (pieces, is_broken_off) = pieces(&blocks, 1..blocks.len(), false, usize::MAX);
        let section = outline.sections.first().unwrap();
        told(&mut Part::of(section, None, pieces, is_broken_off))
    }
}
