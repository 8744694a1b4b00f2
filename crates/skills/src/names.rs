//! Owns what a source names: proper names and code within lines, by how widely they stand in it, and which of them is the product that all of
//! it is about.

use crate::lead_ins::language_of;
use crate::listings::{Listings, program};
use crate::naming::{is_vague, says_nothing};
use crate::outline::block_text;
use crate::product::{
    can_name, defined_first, hints, is_nobodys, project, shared_by_titles, without_version,
};
use crate::terms::words;
use skillkiln_document::blocks::{Block, BlockKind, Document, walk};
use skillkiln_document::quick::{QuickMap, QuickSet};
use skillkiln_document::speaker::{is_name, named};
use skillkiln_document::text::{Inline, letters, plain};
use std::cmp::Reverse;

/// A name stands in so many paragraphs at least to be the product's; one that an address, a file or a command tells of in fewer.
const PARAGRAPHS_MIN: u32 = 4;
const HINTED_MIN: u32 = 2;
/// Of so many paragraphs one has the name at least, and half as many again as the next one has.
const SHARE: u32 = 20;
/// Of so many paragraphs one has a name that all of them are of, and so many at least.
const THROUGHOUT_SHARE: u32 = 5;
const THROUGHOUT_MIN: u32 = 8;
const SUBJECT_BYTES_MAX: usize = 4;
/// How much more a name counts that an address, a file or a command tells of; one of two words counts twice that.
const HINT_WEIGHT: u32 = 3;
/// A name stands so many times as often as the same word without a capital.
const COMMON_SHARE: u32 = 6;
/// In one of so many paragraphs at least somebody speaks, where what is said is written down.
const SPOKEN_SHARE: u32 = 4;
/// Longest name.
const CHARS_MAX: usize = 32;
/// Paragraphs that two words with capitals stand in, where they are a name.
const PAIR_MIN: u32 = 3;
/// A longer row of words with capitals is a title.
const PHRASE_WORDS_MAX: usize = 4;
/// How much of a document is looked at.
const BLOCKS_MAX: usize = 4_000;
/// Blocks that the language is told by.
const SAMPLE_BLOCKS: usize = 80;

/// What a source names.
#[derive(Debug, Default)]
pub struct Names {
    /// Proper names, those in most paragraphs first.
    proper: Vec<String>,
    /// The same of code within lines.
    code: Vec<String>,
    /// What all of it is about, where that has a name.
    product: Option<String>,
    /// Whether its address or most of what is run tells so, and not how widely it is named.
    is_sure: bool,
    /// Words that stand in running text without a capital, by how many paragraphs have them.
    common: QuickMap<String, u32>,
    /// The same of words and pairs of them with one, in lower case.
    capital: QuickMap<String, u32>,
}

impl Names {
    /// The names of some blocks of a document, whose file or address is `label`.
    #[must_use]
    pub fn of(document: &Document, blocks: &[Block], title: &str, label: &str) -> Self {
        let sample: String = blocks.iter().take(SAMPLE_BLOCKS).map(block_text).collect();
        let own = letters(title);
        let mut hints = hints(document.about.address.as_deref(), label);
        hints.retain(|hint| !own.contains(&letters(hint)));
        let mut search = Search {
            // In German every noun has a capital.
            has_capitals: language_of(&sample) != "de",
            hints: hints.into_iter().map(|hint| (hint, 0)).collect(),
            ..Search::default()
        };
        for block in blocks.iter().take(BLOCKS_MAX) {
            walk(std::slice::from_ref(block), &mut |block| {
                search.visit(block);
            });
        }
        let site = document.about.site.as_deref().map(without_version);
        // A page of a manual tells in its footer who wrote it, and the text tells of what.
        let is_manual = label.ends_with(|c: char| c.is_ascii_digit());
        let is_told = |site: &String| !is_manual || letters(&sample).contains(&letters(site));
        let site = site
            .filter(|site| !site.is_empty() && site.chars().count() <= CHARS_MAX && is_told(site));
        let address = document.about.address.as_deref().unwrap_or(label);
        let product = site
            .or_else(|| project(address))
            .or_else(|| shared_by_titles(blocks))
            .or_else(|| search.leading(&own));
        let is_told = product.is_some();
        let product = product.or_else(|| search.product(&own));
        let is_sure = is_told
            || product
                .as_ref()
                .is_some_and(|name| search.is_throughout(name));
        // A title that could be that of anything says nothing of what it is about.
        let is_nameless = says_nothing(&title.to_lowercase());
        let product = product.or_else(|| defined_first(blocks).filter(|_| is_nameless));
        let product = product.or_else(|| search.most_used().filter(|_| is_nameless));
        let is_used = |count: u32| count > 1;
        let mut proper = ranked(&search.proper, is_used);
        proper.retain(|name| search.is_proper(name));
        let phrases = ranked(&search.phrases, is_used);
        // A word that stands in one name for the most part is told by all of that.
        let mut held: QuickMap<&str, u32> = QuickMap::default();
        for (phrase, count) in &search.phrases {
            for word in phrase.split(' ') {
                let most = held.entry(word).or_default();
                *most = (*most).max(*count);
            }
        }
        proper.retain(|word| {
            let alone = search.proper.get(word).copied().unwrap_or_default();
            held.get(word.as_str())
                .is_none_or(|count| count * 2 < alone)
        });
        proper.splice(0..0, phrases);
        let mut capital: QuickMap<String, u32> = QuickMap::default();
        capital.extend(search.openers.into_iter().map(|word| (word, 1)));
        // What stands so once or twice may be the title of another page.
        let pairs = search.pairs.iter();
        let pairs = pairs.filter(|(_, count)| **count >= PAIR_MIN);
        for (name, count) in search.proper.iter().chain(pairs) {
            *capital.entry(name.to_lowercase()).or_default() += count;
        }
        Self {
            proper,
            code: ranked(&search.code, is_used),
            product,
            is_sure,
            common: search.common,
            capital,
        }
    }

    /// What all of it is about, where that has a name.
    #[must_use]
    pub fn product(&self) -> Option<&str> {
        self.product.as_deref()
    }

    /// The product, where its address or most of what is run tells of it.
    #[must_use]
    pub fn sure_product(&self) -> Option<&str> {
        self.product().filter(|_| self.is_sure)
    }

    /// Whether a word, or two, in lower case, is of the language and no name: it stands in running text without a capital, or never in it.
    #[must_use]
    pub fn is_common(&self, lower: &str) -> bool {
        let times = |of: &QuickMap<String, u32>| of.get(lower).copied().unwrap_or_default();
        let (common, capital) = (times(&self.common), times(&self.capital));
        capital == 0 || common > 0 && common * 2 >= capital
    }

    /// The names that stand in more than one paragraph, code first, those in most paragraphs first.
    pub fn most_used(&self) -> impl Iterator<Item = &str> {
        self.code.iter().chain(&self.proper).map(String::as_str)
    }
}

/// Names by how many paragraphs have them.
fn ranked(counts: &QuickMap<String, u32>, is_taken: impl Fn(u32) -> bool) -> Vec<String> {
    let mut all: Vec<(&String, u32)> = counts
        .iter()
        .map(|(name, count)| (name, *count))
        .filter(|(_, count)| is_taken(*count))
        .collect();
    all.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(other.0)));
    all.into_iter().map(|(name, _)| name.clone()).collect()
}

/// The paragraphs that have been looked at.
#[derive(Default)]
struct Search {
    has_capitals: bool,
    paragraphs: u32,
    /// Words with a capital within a sentence, by how many paragraphs have them.
    proper: QuickMap<String, u32>,
    /// The same of two of them, one behind the other, and of all that stand so.
    pairs: QuickMap<String, u32>,
    phrases: QuickMap<String, u32>,
    /// The same of code within lines.
    code: QuickMap<String, u32>,
    /// The same of what the address or the file tells of.
    hints: QuickMap<String, u32>,
    /// Programs that are run.
    commands: QuickMap<String, u32>,
    listings: Listings,
    common: QuickMap<String, u32>,
    /// Words that open sentences.
    openers: QuickSet<String>,
    /// The words of the names of those who speak, and in how many paragraphs somebody does.
    speakers: QuickSet<String>,
    spoken: u32,
}

/// The words of the name of who speaks in a paragraph, in lower case.
fn speaker_words(text: &[Inline]) -> Vec<String> {
    let line = plain(text);
    let name = named(&line)
        .map(|(name, _)| name)
        .filter(|name| is_name(name));
    let words = name.into_iter().flat_map(str::split_whitespace);
    words.map(str::to_lowercase).collect()
}

impl Search {
    fn visit(&mut self, block: &Block) {
        let mut paragraph = Paragraph::default();
        match &block.kind {
            BlockKind::Paragraph(text) => paragraph.read(text),
            BlockKind::Table { header, rows, .. } => {
                let cells = header.iter().chain(rows.iter().flatten());
                cells.for_each(|cell| paragraph.read(cell));
                // In a cell every word may have a capital.
                paragraph.proper.clear();
                paragraph.pairs.clear();
                paragraph.phrases.clear();
            }
            BlockKind::Definitions(entries) => {
                let terms = entries.iter().flat_map(|entry| &entry.terms);
                terms.for_each(|term| paragraph.read(term));
            }
            BlockKind::Code { language, text } => {
                for command in self.listings.note(language.as_deref(), text) {
                    self.note_command(command);
                }
                return;
            }
            _ => return,
        }
        self.paragraphs += 1;
        if let BlockKind::Paragraph(text) = &block.kind {
            let words = speaker_words(text);
            self.spoken += u32::from(!words.is_empty());
            self.speakers.extend(words);
        }
        self.openers.extend(paragraph.openers);
        for code in &paragraph.code {
            self.note_command(code);
        }
        let code = paragraph
            .code
            .iter()
            .map(|code| code.trim_end_matches("()"));
        for name in code
            .filter(|name| is_code_name(name))
            .collect::<QuickSet<_>>()
        {
            *self.code.entry(name.to_owned()).or_default() += 1;
        }
        if self.has_capitals {
            for name in &paragraph.proper {
                *self.proper.entry(name.clone()).or_default() += 1;
            }
            for (all, own) in [
                (&mut self.pairs, paragraph.pairs),
                (&mut self.phrases, paragraph.phrases),
            ] {
                own.into_iter()
                    .for_each(|name| *all.entry(name).or_default() += 1);
            }
        }
        for word in &paragraph.words {
            if let Some(count) = self.hints.get_mut(word) {
                *count += 1;
            }
        }
        for word in paragraph.common {
            *self.common.entry(word).or_default() += 1;
        }
    }

    /// The name in code that stands in most paragraphs.
    fn most_used(&self) -> Option<String> {
        let all = ranked(&self.code, |count| count >= PARAGRAPHS_MIN);
        let names = all
            .into_iter()
            .filter(|name| can_name(&name.to_lowercase()));
        names
            .into_iter()
            .find(|name| name.chars().all(|c| c.is_alphanumeric() || c == '-'))
    }

    /// Takes note of the program that a line of a shell runs.
    fn note_command(&mut self, line: &str) {
        if let Some(program) = program(line) {
            *self.commands.entry(program.to_owned()).or_default() += 1;
        }
    }

    /// What most commands run, whatever word that is: `restic` of a page on restoring; else what most listings import, where sentences name
    /// it and the title, whose letters are `own`, does not: the module of a title may be one of several of a product.
    fn leading(&self, own: &str) -> Option<String> {
        let is_said = |name: &&str| {
            let is_written = self.openers.contains(*name)
                || self.common.contains_key(*name)
                || self.written(name) != **name;
            is_written && !own.contains(&letters(name))
        };
        let module = || self.listings.module().filter(is_said);
        let name = self.listings.program().or_else(module)?;
        (!is_nobodys(name) && !is_vague(name)).then(|| self.written(name))
    }

    /// Whether a name stands in so many paragraphs that all of them are of it.
    fn is_throughout(&self, name: &str) -> bool {
        let count = self.proper.get(name).copied().unwrap_or_default();
        // A short one in capitals, as OCSP, is a subject more often.
        let is_short = name.len() <= SUBJECT_BYTES_MAX && !name.chars().any(char::is_lowercase);
        count >= THROUGHOUT_MIN && count * THROUGHOUT_SHARE >= self.paragraphs && !is_short
    }

    /// Whether a word that has a capital is a proper name.
    fn is_proper(&self, name: &str) -> bool {
        let lower = name.to_lowercase();
        let lower = lower.as_str();
        // "websocket" within a sentence takes nothing from WebSocket.
        let is_mixed =
            name.chars().skip(1).any(char::is_uppercase) && name.chars().any(char::is_lowercase);
        // A path or a file may have the name of NATS in small letters.
        let count =
            |of: &QuickMap<String, u32>, name: &str| of.get(name).copied().unwrap_or_default();
        let is_rare = count(&self.common, lower) * COMMON_SHARE <= count(&self.proper, name);
        // "NATS Server: fires" of one note is said by nobody.
        let is_spoken = self.spoken * SPOKEN_SHARE >= self.paragraphs;
        let is_shouted = !name.chars().any(char::is_lowercase);
        (is_mixed || !self.common.contains_key(lower) || is_shouted && is_rare)
            && !(is_spoken && self.speakers.contains(lower))
            && !is_nobodys(lower)
    }

    /// What all of it is about: the name that stands most widely; one that an address, a file or a command tells of counts more. `own` are
    /// the letters of the title, which names itself.
    fn product(&self, own: &str) -> Option<String> {
        // What runs may be a word of a language; a program that all is about is told of in sentences.
        let is_told =
            |name: &String| self.openers.contains(name) && !self.common.contains_key(name);
        let programs = ranked(&self.commands, |count| count >= HINTED_MIN);
        let program = programs.into_iter().next().filter(is_told);
        let is_wide = |count: u32| count >= PARAGRAPHS_MIN && count * SHARE >= self.paragraphs;
        let hints = self.hints.iter().filter(|(hint, count)| {
            let written = self.written(hint);
            let named = self.proper.get(&written).copied().unwrap_or_default();
            let least = if hint.contains('-') {
                HINTED_MIN
            } else {
                PARAGRAPHS_MIN
            };
            **count >= least && (!self.common.contains_key(*hint) || is_wide(named))
        });
        let hints = hints.map(|(hint, count)| {
            let joins = 1 + u32::from(hint.contains('-'));
            (count * HINT_WEIGHT * joins, self.written(hint))
        });
        let run = program.iter().map(|program| {
            let count = self.commands.get(program).copied().unwrap_or_default();
            (count * HINT_WEIGHT, self.written(program))
        });
        let hinted = hints.chain(run);
        let mut proper: Vec<(u32, String)> = self
            .proper
            .iter()
            .filter(|(name, count)| is_wide(**count) && !is_nobodys(&name.to_lowercase()))
            .map(|(name, count)| (*count, name.clone()))
            .collect();
        // Another name is the product's where it stands a third as widely as what the title has: `Brenn` of "Brennfire over HTTP".
        let is_own = |name: &String| own.contains(&letters(name));
        let most_own = proper
            .iter()
            .filter(|(_, name)| is_own(name))
            .map(|(count, _)| *count);
        let most_own = most_own.max().unwrap_or_default();
        proper.retain(|(count, name)| !is_own(name) && count * 3 >= most_own);
        proper.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
        let next = proper.get(1).map_or(0, |(count, _)| *count);
        let proper = proper
            .into_iter()
            .take(1)
            .filter(|(count, name)| count * 2 >= next * 3 && self.is_proper(name));
        let hinted = hinted.filter(|(_, name)| !own.contains(&letters(name)));
        let best = hinted
            .chain(proper)
            .max_by(|one, other| one.0.cmp(&other.0).then(other.1.cmp(&one.1)));
        best.map(|(_, name)| name)
    }

    /// A name as it is written with a capital, where it is.
    fn written(&self, lower: &str) -> String {
        let forms = self.proper.iter();
        let forms = forms.filter(|(name, _)| name.to_lowercase() == lower);
        let best = forms.max_by_key(|(name, count)| (**count, Reverse(*name)));
        best.map_or_else(|| lower.to_owned(), |(name, _)| name.clone())
    }
}

/// Whether code within a line is a name that somebody would say.
fn is_code_name(code: &str) -> bool {
    let letters = code.chars().filter(|c| c.is_alphabetic()).count();
    let is_sign = |c: char| c.is_whitespace() || "\"'<>{}[]()$=;,|@\\*".contains(c);
    const WORDS_OF_LANGUAGES: &str = " void true false null none nil int string str bool boolean float double self this undefined return ";
    letters >= 3
        && !WORDS_OF_LANGUAGES.contains(&format!(" {} ", code.to_lowercase()))
        && code.chars().count() <= CHARS_MAX
        && !code.contains(is_sign)
}

/// The words of a paragraph.
#[derive(Default)]
struct Paragraph {
    code: Vec<String>,
    /// Words with a capital within a sentence, each once.
    proper: QuickSet<String>,
    /// Two of them, one behind the other, and all that stand so: "Clay Works of Brenn".
    pairs: QuickSet<String>,
    phrases: QuickSet<String>,
    /// All words in lower case, each once.
    words: QuickSet<String>,
    /// Words without a capital outside of code, each once.
    common: QuickSet<String>,
    /// Words that open a sentence, in lower case.
    openers: Vec<String>,
}

impl Paragraph {
    fn read(&mut self, inlines: &[Inline]) {
        for inline in inlines {
            match inline {
                Inline::Text(text) => self.read_text(text),
                Inline::Code(code) => {
                    self.words.insert(code.to_lowercase().replace('_', "-"));
                    self.code.push(code.clone());
                }
                Inline::Emphasis(inner) | Inline::Strong(inner) => self.read(inner),
                Inline::Link(link) => self.read(&link.text),
                Inline::Math(_) | Inline::Break => {}
            }
        }
    }

    fn read_text(&mut self, text: &str) {
        let mut end = 0;
        let base = text.as_ptr() as usize;
        let mut before = String::new();
        let mut phrase: Vec<&str> = Vec::new();
        for word in words(text) {
            // `words` yields slices of `text`, in its order.
            let at = (word.as_ptr() as usize).saturating_sub(base);
            let between = text.get(end..at).unwrap_or_default().trim_end();
            end = at + word.len();
            let opens = at == 0 || between.ends_with(['.', '!', '?', ':', ';', '"', '“', '(']);
            let is_capital = word.starts_with(char::is_uppercase);
            let is_mixed = word.chars().skip(1).any(char::is_uppercase)
                && word.chars().any(char::is_lowercase);
            let goes_on =
                between.is_empty() && (is_capital && !opens || word == "of" && !phrase.is_empty());
            if !goes_on {
                self.note_phrase(&mut phrase);
            }
            if goes_on || is_capital && !opens {
                phrase.push(word);
            }
            if word.starts_with(char::is_lowercase) && !is_mixed {
                self.common.insert(word.to_owned());
            } else if (is_capital && !opens) || is_mixed {
                let name = word.trim_end_matches("'s").trim_end_matches("’s");
                let count = name.chars().filter(|c| c.is_alphabetic()).count();
                if (3..=CHARS_MAX).contains(&count) {
                    self.proper.insert(name.to_owned());
                }
            }
            let lower = word.to_lowercase().replace('_', "-");
            if opens && is_capital {
                self.openers.push(lower.clone());
            }
            self.words.insert(format!("{before}-{lower}"));
            self.words.insert(lower.clone());
            before = lower;
        }
        self.note_phrase(&mut phrase);
    }

    /// Takes note of words with capitals that stand one behind the other.
    fn note_phrase(&mut self, phrase: &mut Vec<&str>) {
        if phrase.last() == Some(&"of") {
            phrase.pop();
        }
        if phrase.len() > 1 && phrase.len() <= PHRASE_WORDS_MAX {
            self.phrases.insert(phrase.join(" "));
            self.pairs
                .extend(phrase.windows(2).map(|pair| pair.join(" ")));
        }
        phrase.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::testing::document;

    fn product_of(title: &str, label: &str, text: &str) -> Option<String> {
        let document = document(text);
        let names = Names::of(&document, &document.blocks, title, label);
        names.product().map(str::to_owned)
    }

    #[test]
    fn a_product_is_told_by_its_name_a_file_or_a_command() {
        let named = "Light it with Brenn today.\n\nWhere Brenn is cold, wait.\n\nOnly Brenn shuts.\n\nStop Brenn.";
        assert_eq!(
            product_of("Options", "a.md", named).as_deref(),
            Some("Brenn")
        );
        let in_file =
            "Load BRENN now.\n\nStop BRENN then.\n\nShut BRENN.\n\nOpen BRENN.\n\nIt is hot.";
        let product = product_of("Options", "brenn-options.html", in_file);
        assert_eq!(product.as_deref(), Some("BRENN"));
        let run = "Brenn fires.\n\n```sh\nbrenn light\nbrenn stop\n```\n\nIt is hot.";
        assert_eq!(
            product_of("Tutorial", "a.md", run).as_deref(),
            Some("brenn")
        );
        let address = "https://clay.github.io/brenn/docs/doors/";
        assert_eq!(
            product_of("Doors", address, "It is hot.").as_deref(),
            Some("brenn")
        );
        let alerts =
            "# BrennTooHot\n\nWait.\n\n# BrennCold\n\nLight it.\n\n# BrennDoorOpen\n\nShut it.";
        let product = product_of("Runbook", "a.md", alerts);
        assert_eq!(product.as_deref(), Some("Brenn"));
        assert_eq!(product_of("Brenn", "a.md", named), None);
        assert_eq!(
            product_of("Doors", "a.md", "A door shuts. It is hot."),
            None
        );
    }

    #[test]
    fn what_most_commands_run_or_most_listings_import_is_surely_the_product() {
        let sure = |text: &str| {
            let document = document(text);
            let names = Names::of(&document, &document.blocks, "Firing pots", "a.md");
            names.sure_product().map(str::to_owned)
        };
        let session = "All room is finite, so brenn can remove pots.\n\n```console\n$ brenn forget 1\n$ brenn prune\nfired it all\n```\n\n";
        assert_eq!(sure(&session.repeat(3)).as_deref(), Some("brenn"));
        let import = "Fire it with Brenn.\n\n```python\nfrom brenn import fire\n```\n\n";
        assert_eq!(sure(&import.repeat(3)).as_deref(), Some("Brenn"));
        assert_eq!(sure(&"```sh\nkubectl get pots\n```\n\n".repeat(6)), None);
    }

    #[test]
    fn what_most_paragraphs_name_is_surely_the_product() {
        let sure = |name: &str| {
            let document = document(&format!("Light it with {name} today.\n\n").repeat(9));
            let names = Names::of(&document, &document.blocks, "Pots and doors", "a.md");
            names.sure_product().map(str::to_owned)
        };
        assert_eq!(sure("Brenn").as_deref(), Some("Brenn"));
        assert_eq!(sure("OCSP"), None);
    }

    #[test]
    fn a_product_is_told_beside_what_the_title_names_though_a_path_has_it_small() {
        let text = "Send MQTT to a BRENN server.\n\nA BRENN server takes MQTT.\n\nStart BRENN, not MQTT.\n\nStop the BRENN.\n\n\
            BRENN Server: it waits.\n\nAsk BRENN.\n\nOf BRENN there is one, in brenn-io.";
        assert_eq!(product_of("MQTT", "a.md", text).as_deref(), Some("BRENN"));
    }

    #[test]
    fn code_that_stands_in_several_paragraphs_is_a_name() {
        let document = document("Call `fire()` now.\n\nNever `fire` twice.\n\nUse `stop` once.");
        let names = Names::of(&document, &document.blocks, "Kiln", "a.md");
        assert_eq!(names.most_used().collect::<Vec<_>>(), ["fire"]);
    }

    #[test]
    fn a_word_with_a_capital_is_a_name_where_the_text_writes_it_so() {
        let text = "The kiln of Clay Works is hot.\n\nAsk Clay Works for clay, and works.\n\nSeen at Brenn.\n\nIt is of Clay Works.";
        let document = document(text);
        let names = Names::of(&document, &document.blocks, "Kiln", "a.md");
        for (word, is_common) in [
            ("kiln", true),
            ("brenn", false),
            ("never", true),
            ("works", false),
            ("clay works", false),
        ] {
            assert_eq!(names.is_common(word), is_common, "{word}");
        }
        assert_eq!(names.most_used().collect::<Vec<_>>(), ["Clay Works"]);
    }
}
