//! Owns what stands where in a source: whether a sign or a quotation stands in a unit to the letter, and where else.

use crate::signs::{Sign, SignKind};
use crate::units::{UnitId, Units};
use skillkiln_document::text::squash;
use std::collections::{HashMap, HashSet};

/// A word that stands in as many units is at home in the whole source.
const ELSEWHERE_MAX: usize = 3;
/// Code and numbers that stand in more units are the subject of the whole source.
const COMMON_MIN: usize = 8;
/// Shortest quotation that shows anything, unless it is the whole unit.
const QUOTE_CHARS_MIN: usize = 8;
/// Shortest beginning of code that says which code is meant.
const BEGIN_MIN: usize = 4;
/// Words that an abbreviation passes over.
const PASSED_OVER: [&str; 12] = [
    "a", "an", "and", "by", "for", "from", "in", "of", "on", "the", "to", "with",
];
/// Letters of an abbreviation that stand one behind the other by chance.
const CHANCE_LETTERS: usize = 3;

/// The words of a source, ready to be searched.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// Each unit's words, folded.
    texts: Vec<String>,
    /// Of the units with a label, their own words, folded.
    unlabelled: HashMap<u32, String>,
    /// The units that hold a word, the first few.
    words: HashMap<String, Vec<u32>>,
}

impl Evidence {
    /// Of these units.
    #[must_use]
    pub fn of(units: &Units) -> Self {
        let mut evidence = Self::default();
        for unit in units.all() {
            let text = fold(&unit.whole_text());
            let own: HashSet<String> = words(&text).collect();
            for word in own {
                let at = evidence.words.entry(word).or_default();
                if at.len() < ELSEWHERE_MAX {
                    at.push(unit.number);
                }
            }
            evidence.texts.push(text);
            if !unit.label.is_empty() {
                let own = fold(&unit.text);
                evidence.unlabelled.insert(unit.number, own);
            }
        }
        evidence
    }

    fn text(&self, number: u32) -> &str {
        let at = usize::try_from(number)
            .unwrap_or(usize::MAX)
            .wrapping_sub(1);
        self.texts.get(at).map_or("", String::as_str)
    }

    /// Whether a sign stands in one of these units.
    #[must_use]
    pub fn holds(&self, numbers: &[u32], sign: &Sign) -> bool {
        numbers
            .iter()
            .any(|number| stands(self.text(*number), sign))
    }

    /// Whether it stands in this text.
    #[must_use]
    pub fn stands_in(text: &str, sign: &Sign) -> bool {
        stands(&fold(text), sign)
    }

    /// Whether these letters, in lower case, stand in a word of the source.
    #[must_use]
    pub fn has_letters(&self, letters: &str) -> bool {
        self.words.keys().any(|word| word.contains(letters))
    }

    /// Whether a sign stands anywhere in the source.
    #[must_use]
    pub fn knows(&self, sign: &Sign) -> bool {
        match sign.kind {
            SignKind::Name => {
                name_forms(&sign.text).any(|form| self.words.contains_key(&form))
                    || self.spells_out(&sign.text)
            }
            _ => self.texts.iter().any(|text| stands(text, sign)),
        }
    }

    /// Whether some of these units alone holds a command and, elsewhere, each of the flags that stand behind it in this code: of "Add -g to
    /// kill" that is `kill -g`.
    #[must_use]
    pub fn holds_parts(&self, numbers: &[u32], code: &str) -> bool {
        let mut tokens = code.split_whitespace();
        let is_command = |token: &str| {
            token.starts_with(char::is_alphabetic)
                && token
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
        };
        let Some(command) = tokens.next().filter(|token| is_command(token)) else {
            return false;
        };
        let flags: Vec<&str> = tokens.collect();
        let joins = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        let is_flag = |flag: &&str| flag.len() > 1 && flag.starts_with('-');
        !flags.is_empty()
            && flags.iter().all(is_flag)
            && numbers.iter().any(|number| {
                let text = self.text(*number);
                bounded(text, command, joins) && flags.iter().all(|flag| bounded(text, flag, joins))
            })
    }

    /// Whether the source has the words of which this is the abbreviation, one behind the other; of three letters more than once.
    #[must_use]
    pub fn spells_out(&self, name: &str) -> bool {
        let letters = name.strip_suffix('s').unwrap_or(name);
        if letters.len() < CHANCE_LETTERS || !letters.bytes().all(|byte| byte.is_ascii_uppercase())
        {
            return false;
        }
        let sought = letters.to_lowercase();
        let times = |text: &String| {
            let firsts: String = text
                .split(|c: char| !c.is_alphanumeric())
                .map(str::to_lowercase)
                .filter(|word| !PASSED_OVER.contains(&word.as_str()))
                .filter_map(|word| word.chars().next())
                .collect();
            firsts.matches(&sought).count()
        };
        let count: usize = self.texts.iter().map(times).sum();
        count > usize::from(letters.len() == CHANCE_LETTERS)
    }

    /// The unit nearest to these in which a sign stands; none for one that stands in many, where it proves nothing.
    #[must_use]
    pub fn nearest(&self, sign: &Sign, numbers: &[u32]) -> Option<u32> {
        let distance = |number: &u32| numbers.iter().map(|own| own.abs_diff(*number)).min();
        if sign.kind == SignKind::Name {
            let found = name_forms(&sign.text).find_map(|form| self.words.get(&form))?;
            let is_rare = found.len() < ELSEWHERE_MAX;
            return found
                .iter()
                .copied()
                .filter(|_| is_rare)
                .min_by_key(distance);
        }
        let found: Vec<u32> = (1..)
            .zip(&self.texts)
            .filter(|(_, text)| stands(text, sign))
            .map(|(number, _)| number)
            .collect();
        let is_rare = found.len() <= COMMON_MIN;
        found.into_iter().filter(|_| is_rare).min_by_key(distance)
    }

    /// The unit that holds a quotation to the letter, white space, marks and case apart.
    #[must_use]
    pub fn quoted(&self, numbers: &[u32], quote: &str) -> Option<u32> {
        let quote = bare(&fold(quote));
        let long = quote.chars().count() >= QUOTE_CHARS_MIN;
        let holds = |number: &u32| {
            let text = bare(self.text(*number));
            let is_own = || {
                self.unlabelled
                    .get(number)
                    .is_some_and(|own| bare(own) == quote)
            };
            // A line of code or a row is often quoted with the mark that was shown before it.
            !quote.is_empty() && ((long && text.contains(&quote)) || text == quote || is_own())
        };
        numbers.iter().copied().find(holds)
    }

    /// What share of the content words of a sentence stands in these units, in percent.
    #[must_use]
    pub fn overlap(&self, numbers: &[u32], sentence: &str) -> usize {
        let own: HashSet<String> = words(&fold(sentence))
            .filter(|word| word.chars().count() > 3)
            .collect();
        if own.is_empty() {
            return 100;
        }
        let there: HashSet<String> = numbers
            .iter()
            .flat_map(|number| words(self.text(*number)))
            .collect();
        own.iter().filter(|word| there.contains(*word)).count() * 100 / own.len()
    }
}

/// The units that are named, whole, and the headings they stand under.
#[must_use]
pub fn with_headings(units: &Units, ids: &[UnitId]) -> Vec<u32> {
    let mut numbers: Vec<u32> = Vec::new();
    for id in ids {
        let Some(unit) = units.get(id.number) else {
            continue;
        };
        for number in std::iter::once(unit.number).chain(unit.under.iter().copied()) {
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
    }
    numbers
}

/// A text as it is searched: one blank between words, plain marks in place of the printer's, no comma within a number, no backtick.
#[must_use]
pub fn fold(text: &str) -> String {
    let text = squash(text);
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut last = ' ';
    while let Some(c) = rest.next() {
        let c = match c {
            '`' => continue,
            '‘' | '’' => '\'',
            '“' | '”' => '"',
            '–' | '‑' => '-',
            ',' if last.is_ascii_digit() && rest.peek().is_some_and(char::is_ascii_digit) => {
                let three: Vec<char> = rest.clone().take(4).collect();
                let is_grouping = three.len() >= 3
                    && three.iter().take(3).all(char::is_ascii_digit)
                    && three.get(3).is_none_or(|c| !c.is_ascii_digit());
                if is_grouping {
                    continue;
                }
                ','
            }
            c => c,
        };
        out.push(c);
        last = c;
    }
    out
}

/// A folded text without stress, in lower case, as quotations are compared.
fn bare(text: &str) -> String {
    let kept: String = text
        .chars()
        .filter(|c| !matches!(c, '*' | '_' | '\\'))
        .collect();
    let lower = squash(&kept).to_lowercase();
    lower
        .trim_matches(['"', '\'', '.', '…', ' ', '$', '>'])
        .to_owned()
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '.'))
        .flat_map(|word| {
            let whole = word.trim_matches(['.', '_']);
            let parts = whole.split(['.', '_']).filter(move |part| *part != whole);
            std::iter::once(whole).chain(parts)
        })
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

/// A name as it may stand in a source: as it is, and without the mark of more than one.
fn name_forms(name: &str) -> impl Iterator<Item = String> {
    let lower = name.to_lowercase();
    let one = lower.strip_suffix('s').map(str::to_owned);
    let more = format!("{lower}s");
    let version = lower
        .strip_prefix('v')
        .filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        .map(str::to_owned);
    [Some(lower.clone()), one, Some(more), version]
        .into_iter()
        .flatten()
}

fn stands(text: &str, sign: &Sign) -> bool {
    let sought = fold(&sign.text);
    match sign.kind {
        SignKind::Code => code_stands(text, &sought),
        SignKind::Number => whole_number(text, &sought),
        SignKind::Flag => bounded(text, &sought, |c| c.is_alphanumeric() || c == '-'),
        SignKind::Path | SignKind::Address => text.contains(&sought),
        SignKind::Name => {
            let text = text.to_lowercase();
            name_forms(&sought).any(|form| bounded(&text, &form, char::is_alphanumeric))
        }
    }
}

/// Whether a text stands there and no character that `joins` stands right before or behind it.
fn bounded(text: &str, sought: &str, joins: impl Fn(char) -> bool) -> bool {
    text.match_indices(sought).any(|(at, found)| {
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        let behind = text
            .get(at + found.len()..)
            .and_then(|rest| rest.chars().next());
        !before.is_some_and(&joins) && !behind.is_some_and(&joins)
    })
}

fn whole_number(text: &str, sought: &str) -> bool {
    text.match_indices(sought).any(|(at, found)| {
        let mut before = text.get(..at).unwrap_or_default().chars().rev();
        let mut behind = text.get(at + found.len()..).unwrap_or_default().chars();
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let joined = |first: Option<char>, second: Option<char>| {
            digit(first) || (first == Some('.') && digit(second))
        };
        !joined(before.next(), before.next()) && !joined(behind.next(), behind.next())
    })
}

/// Whether code stands there to the letter, or with its placeholders in place of one token each; a call also without the types of its
/// parameters, and a beginning that ends in an ellipsis.
fn code_stands(text: &str, code: &str) -> bool {
    if text.contains(code) || call_stands(text, code) {
        return true;
    }
    if let Some(begin) = code.strip_suffix('…').or_else(|| code.strip_suffix("...")) {
        return begin.len() >= BEGIN_MIN && text.contains(begin);
    }
    let parts = segments(code);
    if parts.len() < 2 {
        return false;
    }
    let fixed: String = parts.concat();
    // What is nothing but places to fill in says nothing of its own.
    if !fixed.contains(|c: char| c.is_alphanumeric()) {
        return fixed.trim().is_empty();
    }
    let first = parts.first().map_or("", String::as_str);
    let mut starts: Box<dyn Iterator<Item = usize>> = match first.is_empty() {
        true => Box::new(std::iter::once(0)),
        false => Box::new(
            text.match_indices(first)
                .map(|(at, found)| at + found.len()),
        ),
    };
    starts.any(|at| {
        fills(
            text.get(at..).unwrap_or_default(),
            parts.get(1..).unwrap_or_default(),
            first.is_empty(),
        )
    })
}

/// Whether a call stands there with the names of all its parameters, in their order, whatever stands beside each: of `put(int size)` that is
/// `put(size)`.
fn call_stands(text: &str, code: &str) -> bool {
    let Some((name, inside)) = code
        .strip_suffix(')')
        .and_then(|call| call.split_once('('))
        .filter(|(name, inside)| !name.is_empty() && !inside.trim().is_empty())
    else {
        return false;
    };
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    let sought: Vec<&str> = inside.split(',').map(str::trim).collect();
    if !sought
        .iter()
        .all(|one| !one.is_empty() && one.chars().all(joins))
    {
        return false;
    }
    let begin = format!("{name}(");
    text.match_indices(&begin).any(|(at, found)| {
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        let own = parameters(text.get(at + found.len()..).unwrap_or_default());
        !before.is_some_and(joins)
            && own.len() == sought.len()
            && own
                .iter()
                .zip(&sought)
                .all(|(own, sought)| bounded(own, sought, joins))
    })
}

/// The parameters at the beginning of a text, as far as the bracket that closes them.
fn parameters(text: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' if depth == 0 => return out,
            ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                out.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = out.last_mut() {
            last.push(c);
        }
    }
    Vec::new()
}

/// Whether a token and the next fixed part stand at the beginning of a text, and so on.
fn fills(text: &str, parts: &[String], is_loose: bool) -> bool {
    let Some((next, rest)) = parts.split_first() else {
        return true;
    };
    let token = match is_loose {
        // Nothing fixed stands before the first place: any token may fill it.
        true => text.len(),
        false => text.find(char::is_whitespace).unwrap_or(text.len()),
    };
    if next.is_empty() {
        return token > 0;
    }
    let window = text.get(..text.len()).unwrap_or_default();
    let Some(at) = window
        .find(next.as_str())
        .filter(|at| *at > 0 && *at <= token)
    else {
        return false;
    };
    fills(text.get(at + next.len()..).unwrap_or_default(), rest, false)
}

/// The fixed parts of code around its placeholders: of `a <b> c` they are `a ` and ` c`.
fn segments(code: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        if let Some(length) = placeholder(rest) {
            out.push(String::new());
            rest = rest.get(length..).unwrap_or_default();
            continue;
        }
        if let Some(last) = out.last_mut() {
            last.push(first);
        }
        rest = rest.get(first.len_utf8()..).unwrap_or_default();
    }
    out
}

/// The length of a place to fill in at the beginning of a text: `<commit>`, `<your file>`.
#[must_use]
pub fn placeholder(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('<')?;
    let end = inside.find('>').filter(|end| (1..=40).contains(end))?;
    let name = inside.get(..end)?;
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    let starts = name.starts_with(char::is_alphabetic);
    (starts && name.chars().all(is_word)).then_some(end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::testing::document;

    fn sign(kind: SignKind, text: &str) -> Sign {
        Sign {
            kind,
            text: text.to_owned(),
        }
    }

    #[test]
    fn code_stands_to_the_letter_or_with_places_to_fill_in() {
        let text = "jj rebase -s puqltutt -o nuvyytnq # remark";
        for code in [
            "jj rebase -s",
            "jj rebase -s <commit> -o <destination>",
            "<command> rebase",
            "jj rebase -s <c>",
            "<commit>",
            "jj   rebase",
        ] {
            assert!(
                Evidence::stands_in(text, &sign(SignKind::Code, code)),
                "{code}"
            );
        }
        for code in [
            "jj rebase -s <commit> -d <destination>",
            "jj rebase <commit> -o",
            "git rebase -s <commit>",
            "Vec<String>",
        ] {
            assert!(
                !Evidence::stands_in(text, &sign(SignKind::Code, code)),
                "{code}"
            );
        }
    }

    #[test]
    fn a_call_stands_without_the_types_of_its_parameters() {
        let text =
            "final void put(@Nullable Map<K, V> first, int size), then containsAtLeast(Object one)";
        for (code, is_there) in [
            ("put(first, size)", true),
            ("put(size, first)", false),
            ("put(size)", false),
            ("put(first, size, more)", false),
            ("output(first, size)", false),
            ("containsAtLeast(one)", true),
            ("containsAt…", true),
            ("excludes…", false),
            ("…", false),
        ] {
            assert_eq!(
                Evidence::stands_in(text, &sign(SignKind::Code, code)),
                is_there,
                "{code}"
            );
        }
        // A bracket that is never closed ends nothing.
        assert!(!Evidence::stands_in(
            "put(int size",
            &sign(SignKind::Code, "put(size)")
        ));
    }

    #[test]
    fn parts_of_a_command_stand_in_one_unit() {
        let text = "- Add -g to kill-session, as in kill-pane.\n- Sort with -O.";
        let evidence = Evidence::of(&Units::of("", &document(text).blocks));
        assert!(evidence.holds_parts(&[1, 2], "kill-session -g"));
        for other in [
            "kill-session -O",
            "kill -g",
            "kill-session",
            "kill-session g",
            "-g -g",
        ] {
            assert!(!evidence.holds_parts(&[1, 2], other), "{other}");
        }
    }

    #[test]
    fn an_abbreviation_is_known_by_the_words_that_it_stands_for() {
        let text = "Learning from human feedback. Reinforcement learning from human feedback is new. The zone of ice: a cold door, and a cold door.";
        let evidence = Evidence::of(&Units::of("", &document(text).blocks));
        let knows = |name: &str| evidence.knows(&sign(SignKind::Name, name));
        assert!(knows("RLHF") && knows("RLHFs") && knows("LHF"));
        assert!(!knows("RHLF") && !knows("ZIC") && !knows("Rlhf"));
    }

    #[test]
    fn numbers_and_names_stand_whole() {
        let text = "Up to 1,200 degrees in v3.12 for 40 min with the kiln_ctl of Acme and an ID, --slow-start";
        for (kind, text_of_sign) in [
            (SignKind::Number, "1200"),
            (SignKind::Number, "40"),
            (SignKind::Number, "3.12"),
            (SignKind::Name, "v3.12"),
            (SignKind::Name, "ACME"),
            (SignKind::Name, "IDs"),
            (SignKind::Flag, "--slow-start"),
        ] {
            assert!(
                Evidence::stands_in(text, &sign(kind, text_of_sign)),
                "{text_of_sign}"
            );
        }
        for (kind, text_of_sign) in [
            (SignKind::Number, "200"),
            (SignKind::Number, "3.1"),
            (SignKind::Number, "3"),
            (SignKind::Name, "Acm"),
            (SignKind::Flag, "--slow"),
        ] {
            assert!(
                !Evidence::stands_in(text, &sign(kind, text_of_sign)),
                "{text_of_sign}"
            );
        }
    }

    #[test]
    fn the_nearest_unit_is_named_and_none_for_a_name_that_stands_everywhere() {
        let text = "# Kiln\n\nRun `a b`.\n\nAcme made it.\n\nAcme sold it.\n\nAcme lost it, as Bolt knows.\n\nRun `a b` again.";
        let units = Units::of("Kiln", &document(text).blocks);
        let evidence = Evidence::of(&units);
        let often = "Run `z`.\n\n".repeat(COMMON_MIN + 1);
        let often = Evidence::of(&Units::of("", &document(often.trim_end()).blocks));
        assert_eq!(often.nearest(&sign(SignKind::Code, "z"), &[1]), None);
        let code = sign(SignKind::Code, "a b");
        assert_eq!(evidence.nearest(&code, &[5]), Some(6));
        assert_eq!(evidence.nearest(&code, &[3]), Some(2));
        assert_eq!(evidence.nearest(&sign(SignKind::Name, "Acme"), &[2]), None);
        assert_eq!(
            evidence.nearest(&sign(SignKind::Name, "Bolt"), &[2]),
            Some(5)
        );
    }

    #[test]
    fn a_quotation_is_found_or_not() {
        let source = document("# Kiln\n\nNever open the *lid*, above `200` degrees.\n\nok");
        let units = Units::of("Kiln", &source.blocks);
        let evidence = Evidence::of(&units);
        assert_eq!(
            evidence.quoted(&[2], "never open the lid, above 200"),
            Some(2)
        );
        assert_eq!(evidence.quoted(&[2, 3], "ok"), Some(3));
        assert_eq!(evidence.quoted(&[2], "ok"), None);
        assert_eq!(evidence.quoted(&[2], "open the lid"), Some(2));
        assert_eq!(evidence.quoted(&[2], "always open the lid"), None);
        assert_eq!(evidence.quoted(&[3], "Never open the lid"), None);
        assert_eq!(evidence.quoted(&[2], ""), None);
        assert_eq!(
            evidence.nearest(&sign(SignKind::Number, "200"), &[3]),
            Some(2)
        );
        assert!(evidence.knows(&sign(SignKind::Name, "Lid")));
        assert!(!evidence.knows(&sign(SignKind::Name, "Door")));
        let ids = [UnitId::whole(2), UnitId::whole(99)];
        assert_eq!(with_headings(&units, &ids), [2, 1]);
    }
}
