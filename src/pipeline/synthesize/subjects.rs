//! Owns which phrases of a text its source treats as subjects: those in its headings, terms and code, names, and nouns that it
//! comes back to. What else a text says often ("specified", "different", "handful") tells nobody what it is on.

use super::outline::is_generic;
use super::phrases::is_worn;
use super::places::{Place, visit};
use super::series::tells_change;
use super::speakers;
use super::words::{is_english_stop, is_ideograph, words};
use memchr::memmem;
use skillkiln_document::blocks::{Block, BlockKind, walk};
use skillkiln_document::quick::{QuickMap, QuickSet};
use skillkiln_document::text::{plain, squash, squashed};
use std::sync::LazyLock;

/// A longer piece that is stressed, or a longer term, is a sentence.
const MARKED_WORDS_MAX: usize = 4;
/// Terms that a description may name are short.
const TERM_CHARS: std::ops::RangeInclusive<usize> = 3..=28;
/// So many terms are offered.
const TERMS_MAX: usize = 40;
/// In so many words, a noun is to come once more to be a subject.
const WORDS_A_TIME: usize = 2_000;
/// In sentences of English there are so many articles; a short text may have fewer.
const ARTICLES_PER_MILLE: usize = 40;
const WORDS_OF_SENTENCES: usize = 100;
/// A capital word is no longer than this where it is an acronym.
const ACRONYM_CHARS_MAX: usize = 5;

/// What stands for anything, and what a conversation or a list is made of.
const NEVER: &str = "bar baz foo foobar fred hello okay none null quux qux step steps true false waldo world xyz yeah";
/// Nouns that are the subject of nothing where no heading names them.
const IDLE: &str = "advantage amount beginning bit case choice couple day days difference dozen fact friday gap handful hour hours idea \
    kind lot lots majority minute minutes moment monday month months number others pair people person place place plenty reason rest \
    result saturday second seconds series side sort sunday thing things thought thursday time times today total trick tuesday \
    variety way ways wednesday week weeks world year years january february march april june july august september october \
    november december jan feb mar apr jun jul aug sep oct nov dec mon tue wed thu fri sat sun";
/// Words that stand in the documentation of anything and are the subject of nothing by themselves, even where a heading or code has
/// them ("last", "empty", "put"): those that a tenth of some 1,400 documents of six kinds hold and that name no thing.
const ORDINARY: &str = "able absolute accept accepted according active actual adding addition additional advanced affect allow allowed \
    alternative appear apply appropriate arbitrary associated assume attempt avoid bad base basic become beginning best \
    better big bound build built bunch care certain check choose clear close closed combination combined come common \
    compare compatible complete completely complex consider consistent contain containing contains convenience correct \
    corresponding cover create created creating custom define defined delete depending describe described desired detailed \
    determine different direct disabled display done double easier easy effect either empty enabled ends enough ensure \
    equal equivalent etc exact exactly excellent exist existing expect expected experimental explicit extra fail fails far \
    fast faster few final find first form found free full further future general generate generic get getting give given \
    global good greater handle happen hard have hello helps high higher hold holds ignore implement important include \
    included including individual info initial inside install intended internal invalid keep know known large larger last \
    later latest least leave left less let little local long longer look lower made major making manual match matching \
    material maximum mean meaning means minimal minimum minor missing modify moved multiple necessary need needed negative \
    new newer next nice normal notice old older open optional order original overview own particular pass passing past \
    perform placed plain please positive possible present prevent previous primary private probably produce proper \
    provided public purpose put quick quickly quiet quite rare raw reach reads real reason reasons receive recommended \
    reduce regular related relative relevant remain remaining report respective right safe same save second select send \
    separate separately sequence short show similar simple simply single skip slow small smaller special specific specify \
    stable standard starting starts stop stored straightforward such sure take temporary third top total treat turn \
    typical unique unknown unless unlike usual valid various verify via view wait want whole wide working write writing \
    wrong";
/// What any log of changes is made of: what was done, and to which files.
const CHANGE: &str = "ac accept cest cet gmt utc add added adding addition adds adjust allow am apply avoid bug bugfix bugfixe bump bumped change changed     changelog changes clarify cleanup close closed closes co-authored-by commit committed conditional copyright correct cosmetic debian ditto     drop dropped enable enhancement ensure fix fixed fixes fixing git github gitlab https http i implement import imported improve improved     improvement improves introduce issue likewise low maintainer mandatory maintenance medium mention merge merged merge_request     merge_requests mino misc move moved new news note part-of patch patche po pr prefer provide pull ref refactor release released     remove removed removes rename renamed reorder replace replaced reported-by request respect restore revert reverted reviewed-by     reword rewrite signed-off-by simplify skip src stop support supports switch sync thank thanks ticket typo unreleased unstable update     updated updates upgrade upstream urgency use used uses various version versions warn warning work workaround www";
/// What stands before a noun, or before an adjective of one.
const BEFORE_NOUNS: &str = "a an the these those each every any no its their your our of for with in into on by from per between without through via";

/// The lists above as they are looked up, for each word of a text.
static NEVERS: LazyLock<QuickSet<&str>> = LazyLock::new(|| NEVER.split(' ').collect());
static ORDINARIES: LazyLock<QuickSet<&str>> =
    LazyLock::new(|| ORDINARY.split_whitespace().collect());
static CHANGES: LazyLock<QuickSet<&str>> = LazyLock::new(|| CHANGE.split_whitespace().collect());
static IDLES: LazyLock<QuickSet<&str>> = LazyLock::new(|| IDLE.split(' ').collect());
static LEADS: LazyLock<QuickSet<&str>> = LazyLock::new(|| BEFORE_NOUNS.split(' ').collect());

/// How often a word stands in a text, behind what nouns follow, and before what adds nothing to it.
#[derive(Debug, Default, Clone, Copy)]
struct Standing {
    all: usize,
    behind: usize,
    closing: usize,
}

impl Standing {
    fn count(&mut self, is_behind: bool, is_closing: bool) {
        self.all += 1;
        self.behind += usize::from(is_behind);
        self.closing += usize::from(is_closing);
    }
}

/// The subjects of a text.
pub(super) struct Subjects {
    /// Its words in lower case, each parted from the next by a space.
    text: String,
    words: usize,
    /// How each word stands in it, by its singular.
    standings: QuickMap<String, Standing>,
    /// The words of headings and of what is defined or stressed, in lower case and the singular.
    marked: QuickSet<String>,
    /// What is told in code, and how often.
    code: QuickMap<String, usize>,
    /// What is defined or told in code, as it may be named.
    terms: Vec<String>,
    speakers: QuickSet<String>,
    /// Whether it is a log of releases or days.
    is_log: bool,
    /// Whether it is a log, or hardly has an article: its entries are no sentences, by which nouns are known, and all its words may
    /// tell.
    is_terse: bool,
}

impl Subjects {
    /// Of these runs of blocks, of which `sample` is the text.
    pub(super) fn of(runs: &[&[Block]], sample: &str) -> Self {
        let is_log = is_log(runs);
        let mut subjects = Self {
            text: format!(" {} ", squashed(sample).to_lowercase()),
            words: 0,
            standings: QuickMap::default(),
            marked: QuickSet::default(),
            code: QuickMap::default(),
            terms: Vec::new(),
            speakers: speakers::of(runs, sample, is_log),
            is_log,
            is_terse: false,
        };
        let articles = subjects.count();
        subjects.is_terse = is_log
            || subjects.words > WORDS_OF_SENTENCES
                && articles * 1_000 < subjects.words * ARTICLES_PER_MILLE;
        let mut defined = Vec::new();
        let mut take = |place, piece: &str| match place {
            Place::Heading => subjects.mark(piece),
            Place::Term | Place::Stressed
                if piece.split_whitespace().count() <= MARKED_WORDS_MAX =>
            {
                subjects.mark(piece);
                if place == Place::Term {
                    defined.extend(term(piece));
                }
            }
            Place::Code => *subjects.code.entry(piece.trim().to_owned()).or_default() += 1,
            _ => {}
        };
        runs.iter().for_each(|blocks| visit(blocks, &mut take));
        let mut told: Vec<(&String, &usize)> = subjects
            .code
            .iter()
            .filter(|(_, times)| **times > 1)
            .collect();
        told.sort_by(|one, other| other.1.cmp(one.1).then(one.0.cmp(other.0)));
        defined.extend(told.into_iter().filter_map(|(code, _)| term(code)));
        if is_mostly_code(runs) {
            for (name, times) in identifiers(runs) {
                let key = singular(&name.to_lowercase()).to_owned();
                subjects.standings.entry(key).or_default().all += times;
                defined.push(name);
            }
        }
        // Of a log, what it tells in code is what was mended once.
        if is_log {
            defined.clear();
        }
        let mut seen = QuickSet::default();
        defined.retain(|term| seen.insert(term.to_lowercase()));
        defined.truncate(TERMS_MAX);
        subjects.terms = defined;
        subjects
    }

    /// Counts the words and how each of them stands in the text, and says how many are articles.
    fn count(&mut self) -> usize {
        let mut articles = 0;
        let mut before = "";
        let text = &self.text;
        let mut tokens = text.split(' ').filter(|token| !token.is_empty()).peekable();
        while let Some(token) = tokens.next() {
            self.words += 1;
            articles += usize::from(matches!(token, "a" | "an" | "the"));
            let word = token.trim_start_matches(['(', '"', '“']);
            let (word, mark) = word.split_at(word.find(|c| !is_of_word(c)).unwrap_or(word.len()));
            let is_behind = LEADS.contains(before);
            before = token;
            if word.is_empty() {
                continue;
            }
            let next = tokens.peek().copied().unwrap_or_default();
            let is_closing = !mark.is_empty() || adds_nothing(next);
            // Where words are not parted by spaces, each is counted and nothing is known of how it stands.
            if !token.is_ascii() && token.chars().any(is_ideograph) {
                for part in words(token) {
                    count(&mut self.standings, part, false, false);
                }
            } else {
                count(&mut self.standings, singular(word), is_behind, is_closing);
            }
        }
        articles
    }

    /// How often the text says a word, which is in lower case and the singular.
    pub(super) fn times(&self, singular: &str) -> usize {
        self.standings
            .get(singular)
            .map_or(0, |standing| standing.all)
    }

    fn mark(&mut self, piece: &str) {
        let lower = piece.to_lowercase();
        let own = words(&lower)
            .filter(|word| !is_english_stop(word))
            .map(|word| singular(word).to_owned());
        self.marked.extend(own);
    }

    /// What the source defines, and what it tells again and again in code, as a description may name it.
    pub(super) fn terms(&self) -> &[String] {
        &self.terms
    }

    /// Whether a phrase that the text comes back to is one of its subjects.
    pub(super) fn has(&self, phrase: &str) -> bool {
        let lower = phrase.to_lowercase();
        let parts: Vec<&str> = words(&lower).collect();
        let is_owner = || phrase.ends_with("'s") || phrase.ends_with("’s");
        if is_owner()
            || parts.iter().any(|part| NEVERS.contains(part))
            || parts.iter().all(|part| self.speakers.contains(*part))
            || parts.iter().all(|part| ORDINARIES.contains(part))
            || parts.len() > 1 && parts.iter().all(|part| IDLES.contains(part))
        {
            return false;
        }
        if self.is_log && is_of_any_log(&parts) {
            return false;
        }
        if self.is_terse {
            return !matches!(parts.as_slice(), [only] if IDLES.contains(only));
        }
        if is_generic(phrase) {
            return false;
        }
        if is_name(phrase) || self.code.contains_key(phrase) && !is_worn(phrase) {
            return true;
        }
        let are_marked = parts
            .iter()
            .all(|part| self.marked.contains(singular(part)));
        match parts.as_slice() {
            [_] => are_marked || self.is_noun(&lower),
            [.., last] => are_marked || !ends_as_verb(last) && self.follows_article(&lower),
            [] => false,
        }
    }

    /// Whether a word, in lower case, is a noun of which the text speaks more than in passing: it stands behind an article or a
    /// preposition, and mostly no other word of weight follows.
    fn is_noun(&self, lower: &str) -> bool {
        if IDLES.contains(singular(lower)) || IDLES.contains(lower) {
            return false;
        }
        let standing = match lower.chars().all(is_of_word) {
            true => self.standings.get(singular(lower)).copied(),
            false => Some(self.standing(lower)),
        };
        standing.is_some_and(
            |Standing {
                 all,
                 behind,
                 closing,
             }| {
                all >= 2 + self.words / WORDS_A_TIME && behind * 6 >= all && closing * 4 >= all
            },
        )
    }

    /// How a word with marks in it stands in the text, which is not cut at them.
    fn standing(&self, lower: &str) -> Standing {
        let mut standing = Standing::default();
        for (before, after) in self.uses(lower) {
            standing.count(is_before_nouns(before), is_end(after));
        }
        standing
    }

    /// Whether several words, in lower case, follow an article or a preposition once, and end with them what it opens.
    fn follows_article(&self, lower: &str) -> bool {
        self.uses(lower)
            .any(|(before, after)| is_before_nouns(before) && is_end(after))
    }

    /// What stands before and behind each use of a phrase in lower case, whether it stands in the plural there or not.
    fn uses<'a>(&'a self, lower: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let stem = singular(lower);
        memmem::find_iter(self.text.as_bytes(), stem).filter_map(move |at| {
            let before = self.text.get(..at)?;
            let after = self.text.get(at + stem.len()..)?;
            let after = after.strip_prefix('s').unwrap_or(after);
            let is_whole = before.ends_with([' ', '(', '"', '“']) && !after.starts_with(is_of_word);
            is_whole.then_some((before, after))
        })
    }
}

fn count(
    standings: &mut QuickMap<String, Standing>,
    word: &str,
    is_behind: bool,
    is_closing: bool,
) {
    if let Some(standing) = standings.get_mut(word) {
        standing.count(is_behind, is_closing);
    } else {
        let mut standing = Standing::default();
        standing.count(is_behind, is_closing);
        standings.insert(word.to_owned(), standing);
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

/// Whether words in lower case tell in a log only that something changed, when or where.
fn is_of_any_log(parts: &[&str]) -> bool {
    let is_change = |part: &&str| {
        CHANGES.contains(part)
            || CHANGES.contains(singular(part))
            || !part.contains(char::is_alphabetic)
            || part.bytes().all(|byte| byte == b'x')
    };
    parts.first().is_some_and(is_change) || parts.iter().all(is_change)
}

/// Whether the headings are those of releases or days, and of the kinds of changes below each.
fn is_log(runs: &[&[Block]]) -> bool {
    let (mut all, mut releases) = (0, 0);
    for block in runs.iter().copied().flatten() {
        if let BlockKind::Heading { text, .. } = &block.kind {
            all += 1;
            let heading = squash(&plain(text));
            releases += usize::from(tells_change(&heading));
        }
    }
    releases > 2 && releases * 8 > all
}

/// Whether what stands before a phrase ends in a word that nouns follow.
fn is_before_nouns(before: &str) -> bool {
    let word = before
        .trim_end_matches([' ', '(', '"', '“'])
        .rsplit(' ')
        .next()
        .unwrap_or_default();
    LEADS.contains(word)
}

/// Whether what stands behind a phrase adds nothing to it: a mark, or a word without weight.
fn is_end(after: &str) -> bool {
    let next = after.trim_start().split(' ').next().unwrap_or_default();
    !after.starts_with(' ') || adds_nothing(next)
}

/// Whether the word behind a phrase is none, or one without weight.
fn adds_nothing(next: &str) -> bool {
    !next.starts_with(char::is_alphanumeric)
        || is_english_stop(next.trim_end_matches([',', '.', ':', ';', ')']))
}

/// Whether the last word of a phrase, in lower case, makes it no noun: "totals specified".
fn ends_as_verb(last: &str) -> bool {
    last.len() > 4 && ["ed", "ing", "ly"].iter().any(|end| last.ends_with(end))
}

/// Whether a word is written as names are: `CMake`, `site_dir`, `sse4`, `TLS`.
fn is_name(phrase: &str) -> bool {
    let letters = || phrase.chars().filter(|c| c.is_alphabetic());
    let is_word = !phrase.contains([' ', '-', '\'']);
    let shouts = letters().all(char::is_uppercase);
    let is_marked = phrase.contains('_')
        || phrase.chars().any(|c| c.is_ascii_digit())
        || phrase.chars().skip(1).any(char::is_uppercase);
    is_word
        && is_marked
        && letters().count() > 1
        && (!shouts || phrase.contains('_') || phrase.chars().count() <= ACRONYM_CHARS_MAX)
        && !is_worn(phrase)
}

/// A term as a description may name it: an option without its value, and nothing that a description may not hold.
fn term(piece: &str) -> Option<String> {
    let bare = piece.trim().trim_matches([',', ':', '"']);
    let option = bare
        .split(['=', '[', ' ', ',', '<'])
        .next()
        .filter(|_| bare.starts_with("--"));
    let term = option.unwrap_or(bare);
    let letters = term.chars().filter(|c| c.is_alphabetic()).count();
    let fits = TERM_CHARS.contains(&term.chars().count())
        && letters >= 3
        && letters * 2 > term.chars().count()
        && term.split(' ').count() <= 2
        && !term.contains([
            '<', '>', '{', '}', '[', ']', '|', '$', '=', '\\', '"', '`', ',', ';', '*', '…', '%',
            '/',
        ])
        && !term.starts_with(['.', '(', '+', '#', '@', '!'])
        && !term.ends_with(['.', '(', '-', ':'])
        && term.matches('(').count() == term.matches(')').count()
        && (option.is_some() || !term.starts_with('-'))
        && !is_worn(term)
        && !is_generic(term)
        && !ORDINARIES.contains(term.to_lowercase().as_str())
        && !words(&term.to_lowercase()).any(|word| NEVERS.contains(word));
    fits.then(|| term.to_owned())
}

/// A word without the `s` of a plural.
pub(super) fn singular(word: &str) -> &str {
    word.strip_suffix('s')
        .filter(|stem| stem.len() > 2 && !stem.ends_with('s'))
        .unwrap_or(word)
}

/// Whether a text is code with a few words beside it, as a file of source code is.
fn is_mostly_code(runs: &[&[Block]]) -> bool {
    let (mut code, mut all) = (0, 0);
    let mut count = |block: &Block| match &block.kind {
        BlockKind::Code { text, .. } => {
            code += text.len();
            all += text.len();
        }
        BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => all += plain(text).len(),
        _ => {}
    };
    runs.iter().for_each(|blocks| walk(blocks, &mut count));
    code * 10 > all * 7
}

/// The names that code is made of, each of several words: what is called before what is only named, and the more often the earlier.
fn identifiers<'a>(runs: &[&'a [Block]]) -> Vec<(String, usize)> {
    let mut seen: Vec<(&str, usize)> = Vec::new();
    let mut places: QuickMap<&str, usize> = QuickMap::default();
    let mut take = |block: &'a Block| {
        let BlockKind::Code { text, .. } = &block.kind else {
            return;
        };
        let of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut rest = text.as_str();
        while let Some(at) = rest.find(of_name) {
            let from = rest.get(at..).unwrap_or("");
            let (name, behind) = from.split_at(from.find(|c| !of_name(c)).unwrap_or(from.len()));
            rest = behind;
            if !is_of_words(name) {
                continue;
            }
            let place = *places.entry(name).or_insert_with(|| {
                seen.push((name, 0));
                seen.len() - 1
            });
            if let Some((_, times)) = seen.get_mut(place) {
                *times += if behind.starts_with('(') { 3 } else { 1 };
            }
        }
    };
    runs.iter().for_each(|blocks| walk(blocks, &mut take));
    // What comes first stays before what comes as often.
    seen.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    seen.into_iter()
        .filter_map(|(name, times)| Some((term(name)?, times)))
        .collect()
}

/// Whether a name in code is made of several words, and is none of the language's own: "fire_kiln" and "fireKiln", but not "size_t",
/// "__init__" and "KILN".
fn is_of_words(name: &str) -> bool {
    let inner = name.trim_matches('_');
    let parts = inner.contains('_')
        || inner
            .as_bytes()
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()));
    parts
        && !name.starts_with("__")
        && !name.ends_with("_t")
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.contains(|c: char| c.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::super::describe::sample;
    use super::super::testing;
    use super::*;
    use skillkiln_readers::markup::markdown;

    fn of_text(text: &str) -> Subjects {
        let document = testing::document(text);
        Subjects::of(&[&document.blocks], &sample(&[&document.blocks]))
    }

    #[test]
    fn a_noun_that_a_text_comes_back_to_is_a_subject_and_no_other_word_is() {
        let subjects = of_text(
            "A burner specified by a handful of rules. The burner of each kiln has different valves. Specify a different burner, specify \
             a handful of kilns. Towards the burner, towards okay foo.",
        );
        assert!(subjects.has("burner"));
        for word in [
            "specify",
            "specified",
            "different",
            "towards",
            "handful",
            "okay",
            "foo",
        ] {
            assert!(!subjects.has(word), "{word}");
        }
    }

    #[test]
    fn what_stands_in_headings_and_names_are_subjects() {
        let subjects = of_text(
            "# Gap\n\n## Step 1\n\nTLS and kiln_heat run. TLS and kiln_heat burn. WARRANTIES are none.",
        );
        for word in ["gap", "TLS", "kiln_heat"] {
            assert!(subjects.has(word), "{word}");
        }
        for word in ["step", "WARRANTIES", "burn"] {
            assert!(!subjects.has(word), "{word}");
        }
    }

    #[test]
    fn an_ordinary_word_is_no_topic_even_where_headings_and_code_have_it() {
        let subjects = of_text(
            "# The last little kiln\n\n`empty` is empty, and `last` is last. The kiln is `empty`, the `last` one.",
        );
        assert!(subjects.has("kiln") && subjects.has("last kiln"));
        for word in ["last", "little", "empty"] {
            assert!(!subjects.has(word), "{word}");
            assert!(!subjects.terms().contains(&word.to_owned()), "{word}");
        }
    }

    #[test]
    fn a_text_with_few_articles_keeps_what_it_defines_and_a_log_does_not() {
        let terms = |text: String| {
            let blocks = markdown::read(text).blocks;
            Subjects::of(&[&blocks], &sample(&[&blocks]))
                .terms()
                .to_vec()
        };
        let entries = "`fire_kiln` Mend crackle. `fire_kiln` Mend glaze.\n\n".repeat(40);
        assert_eq!(terms(entries.clone()), ["fire_kiln"]);
        let log = (1..4).map(|number| format!("## 1.{number}.0\n\n{entries}"));
        assert!(terms(log.collect()).is_empty());
    }

    #[test]
    fn a_text_that_is_code_is_on_what_it_calls() {
        let code = "size_t heat_max = 900;\nkiln_fire(heat_max);\nkiln_fire(HEAT_MIN);\n__init__();\nif (n) go(n);\n";
        let blocks = markdown::read(format!("# Firing\n\n```c\n{code}```\n")).blocks;
        let subjects = Subjects::of(&[&blocks], &sample(&[&blocks]));
        assert_eq!(subjects.terms(), ["kiln_fire", "heat_max"]);
        let words =
            "A kiln is hot, and whoever fires it waits until it has cooled for a day. ".repeat(9);
        let blocks = markdown::read(format!("{words}\n\n```c\n{code}```\n")).blocks;
        assert!(Subjects::of(&[&blocks], &words).terms().is_empty());
    }

    #[test]
    fn words_of_a_text_without_spaces_are_counted_each() {
        let subjects = of_text("窯は熱い。窯が冷える。A kiln, kilns and (kiln) burn.");
        assert_eq!(subjects.times("窯"), 2);
        assert_eq!(subjects.times("kiln"), 3);
    }

    #[test]
    fn in_a_log_of_releases_every_word_may_tell() {
        let entries: String = (1..4)
            .map(|number| format!("## 1.{number}.0\n\nMend crackle.\n\n"))
            .collect();
        assert!(of_text(&entries).has("crackle"));
        assert!(!of_text("# Kilns\n\nMend crackle. Mend crackle.").has("crackle"));
    }

    #[test]
    fn several_words_are_a_subject_where_they_stand_as_a_noun() {
        let subjects =
            of_text("The two totals specified here make a heat curve. It makes heat curves rise.");
        assert!(subjects.has("heat curve"));
        assert!(!subjects.has("totals specified") && !subjects.has("curves rise"));
    }

    #[test]
    fn an_option_is_a_term_without_its_value() {
        for (piece, named) in [
            ("--heat=DEGREES", Some("--heat")),
            ("kilnctl", Some("kilnctl")),
            ("-h", None),
            ("foo", None),
            ("{{pot}}", None),
        ] {
            assert_eq!(term(piece).as_deref(), named, "{piece}");
        }
    }
}
