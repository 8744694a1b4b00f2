//! Owns the sentence that a description opens with: what the source says of its subject, in its own words and the third person.
//!
//! Every sentence at a source's beginning, its summary and the tail of its title (`copy — Shallow and deep copy operations`) is a
//! candidate; [`told`] says how surely it tells what the subject is, and the surest opens. A line that is no sentence, as those
//! below a project's name, follows the name and a colon.

pub(super) mod fitting;
pub(super) mod meant;
pub(super) mod name;
#[cfg(test)]
mod tests;
mod told;
pub(super) mod words;

use self::fitting::{opens_well, stands_alone, without_brackets, without_notes};
use self::name::{Name, explanation, what_text_is_on};
use self::told::{Candidate, NEAR_SUBJECT, SUBJECT_IS, TAIL, as_told_by_text, told};
use self::words::{LABELS, is_in};
use super::describe::Subject;
use super::heading_words::without_type_parameters;
use super::manuals::{ManualPart, part_of_manual};
use super::nameless::{manual_text, split_at_dash};
use super::outline::{block_text, is_generic, is_peripheral};
use super::sentences::sentences;
use super::series::{is_entry, is_release};
use super::title::without_section;
use super::wording::{is_furniture, is_imprint};
use super::words::SmallWords;
use skillkiln_document::blocks::BlockKind;
use skillkiln_document::text::{letters, plain, squash};
use whatlang::Lang;

/// So many paragraphs are looked at, and so many sentences of each.
const PARAGRAPHS: u32 = 4;
const SENTENCES: usize = 3;
/// A line below a name has fewer words.
const LINE_WORDS: usize = 10;
/// Among so many blocks a section is looked for that says by its title what it is for.
const BLOCKS: usize = 80;
/// Among so many one is looked for that defines the subject, where the beginning does not.
const BLOCKS_FAR: usize = 600;
const FAR: u32 = 100;
/// Sections of references that say to what else a class belongs.
const RELATIONS: &str = "class-hierarchy implemented-interfaces inheritance-diagram known-derived-interfaces known-implementations object-hierarchy prerequisites";
/// What says whose something is, and not what it is.
const OWNED: [&str; 12] = [
    "registered trademark",
    "trademark of",
    "trademarks of",
    "marque déposée",
    "marca registrada",
    "eingetragene Marke",
    "使用許諾",
    "保留所有權利",
    "保留所有权利",
    "版权所有",
    "授權書",
    "授权书",
];
/// The names of a manual's page are not longer.
const NAMES_CHARS: usize = 600;
/// A name on such a page that its head does not give has so many words at most.
const NAME_WORDS: usize = 3;
/// What a sentence is on stands within so many characters.
const TEXT_WITHIN_CHARS: usize = 40;
/// Behind so many sections, one called an introduction introduces a part.
const SECTIONS: usize = 2;

/// A sentence of the source that says what it is about, in the third person and short enough to open with.
pub(super) fn opening(subject: &Subject<'_>, title: &str) -> Option<String> {
    if let Some(line) = manual_line(subject, title) {
        return Some(line);
    }
    let candidates = candidates(subject);
    let is_english = subject
        .gist
        .language
        .is_none_or(|language| language == Lang::Eng);
    let explained = explanation(title)
        .map(|(head, tail)| format!("{head}: {}.", tail.trim_end_matches('.')))
        .filter(|line| opens_well(line));
    if !is_english {
        if explained.is_some() {
            return explained;
        }
        let told: Vec<String> = candidates
            .into_iter()
            .map(|candidate| as_told_by_text(&candidate.words).unwrap_or(candidate.words))
            .filter(|sentence| opens_well(sentence) && !is_notice(sentence, subject.gist.language))
            .collect();
        // What begins with a name out of the title is said of that.
        let names: Vec<String> = title_words(title);
        let is_of_name = |sentence: &&String| {
            let first = sentence.split(' ').next().unwrap_or_default();
            names.contains(&letters(first))
        };
        let of_name = told.iter().find(is_of_name).cloned();
        let tells = |sentence: &&String| is_of_text(sentence) && !is_of_making(sentence);
        let of_text = || told.iter().find(tells).cloned();
        return of_name
            .or_else(|| defined_as(subject, title))
            .or_else(of_text)
            .or_else(|| told.first().cloned());
    }
    let name = Name::of(title);
    let mut best: Option<(u32, String)> = None;
    let mut offer = |score: u32, sentence: String| {
        if best.as_ref().is_none_or(|(most, _)| score > *most) {
            best = Some((score, sentence));
        }
    };
    if let Some(line) = explained {
        offer(TAIL, line);
    }
    for candidate in candidates {
        if let Some((score, sentence)) = told(&candidate, &name) {
            offer(score.saturating_sub(candidate.depth), sentence);
        }
    }
    if best
        .as_ref()
        .is_none_or(|(score, _)| *score <= NEAR_SUBJECT)
        && let Some(defined) = definition(subject, &name)
    {
        return Some(defined);
    }
    best.map(|(_, sentence)| sentence)
}

/// Whether a sentence of a text that is not in English begins with that text: "L'objectif de ce manuel est ...".
fn is_of_text(sentence: &str) -> bool {
    const TEXTS: [&str; 38] = [
        "ceci est ",
        "das ist ",
        "dies ist ",
        "este es ",
        "questo è ",
        "ce document",
        "ce guide",
        "ce livre",
        "ce manuel",
        "ce tutoriel",
        "cette documentation",
        "este documento",
        "este guia",
        "este libro",
        "este livro",
        "este manual",
        "este tutorial",
        "esta guía",
        "questa guida",
        "questo documento",
        "questo manuale",
        "dieser leitfaden",
        "diese anleitung",
        "dieses dokument",
        "dieses handbuch",
        "deze handleiding",
        "dit document",
        "ten dokument",
        "ten podręcznik",
        "это руководство",
        "этот документ",
        "данное руководство",
        "本書",
        "本文書",
        "この文書",
        "本文档",
        "本手册",
        "本指南",
    ];
    let beginning: String = sentence.chars().take(TEXT_WITHIN_CHARS).collect();
    let lower = beginning.to_lowercase();
    TEXTS.iter().any(|text| lower.contains(text))
}

/// Whether a sentence says in which forms a text can be had, or of which it was translated: "Ce manuel a deux versions."
fn is_of_making(sentence: &str) -> bool {
    const MADE: [&str; 15] = [
        "version",
        "versión",
        "versão",
        "versione",
        "fassung",
        "верси",
        "バージョン",
        "traduit",
        "traducid",
        "traduzid",
        "tradott",
        "übersetz",
        "vertaald",
        "переведен",
        "перевод",
    ];
    let lower = sentence.to_lowercase();
    MADE.iter().any(|form| lower.contains(form))
}

/// Whether a sentence of a text that is not in English is: such a notice was left by who translates it. Or it begins with a word in
/// capitals that calls for attention.
fn is_notice(sentence: &str, language: Option<Lang>) -> bool {
    const TELLING: &str = "and the this";
    const COMMON: &str = "and are as for is more of the this to with";
    let words: Vec<String> = sentence.split(' ').map(str::to_lowercase).collect();
    let common = words.iter().filter(|word| is_in(COMMON, word)).count();
    // No sentence does without the small words of its language.
    let own = language.and_then(SmallWords::of_language);
    let has_own = own.is_none_or(|own| words.iter().any(|word| own.has(word)));
    let is_english = common * 4 >= words.len() && words.iter().any(|word| is_in(TELLING, word))
        || common > 0 && !has_own;
    let calls = sentence.split_once(": ").is_some_and(|(first, _)| {
        first.chars().count() > 3 && first.chars().all(char::is_uppercase)
    });
    is_english || calls
}

/// The first sentence of a text in another language that begins with the name of what it is on and says what that is: "Geomview é um
/// programa …", wherever it stands.
fn defined_as(subject: &Subject<'_>, title: &str) -> Option<String> {
    const IS: &str = "er es est ist jest je är on è é";
    let name = letters(what_text_is_on(title).unwrap_or(title));
    let mut paragraphs = subject.blocks.iter().take(BLOCKS_FAR).filter_map(|block| {
        let is_text = matches!(block.kind, BlockKind::Paragraph(_));
        is_text.then(|| block_text(block))
    });
    let defines = |sentence: &String| {
        let mut words = sentence.split(' ');
        let first = words.next().unwrap_or_default();
        letters(first) == name && words.next().is_some_and(|verb| is_in(IS, verb))
    };
    paragraphs.find_map(|text| {
        let first = cut(&text).into_iter().next();
        first
            .filter(|sentence| defines(sentence) && !is_licensing(sentence) && opens_well(sentence))
    })
}

/// Whether a sentence speaks of the licence that something is given under.
fn is_licensing(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    lower.contains("licen") || lower.contains("lizenz")
}

/// The first sentence that says what the subject is by its name, where the beginning of a long text says it nowhere: behind a cover, a
/// licence and the contents.
fn definition(subject: &Subject<'_>, name: &Name<'_>) -> Option<String> {
    let names = name.all();
    let mut is_aside = false;
    let mut paragraphs = subject.blocks.iter().take(BLOCKS_FAR).filter(|block| {
        if let BlockKind::Heading { text, .. } = &block.kind {
            is_aside = is_peripheral(&squash(&plain(text)));
        }
        !is_aside && matches!(block.kind, BlockKind::Paragraph(_))
    });
    paragraphs.find_map(|block| {
        let text = block_text(block);
        let lower = text.to_lowercase();
        let may_name = names.iter().any(|name| lower.contains(name.as_str()));
        if !may_name || is_byline(&text) || is_labelled(&text) || is_footnote(&text) {
            return None;
        }
        cut(&text).into_iter().take(SENTENCES).find_map(|words| {
            let candidate = Candidate {
                words,
                depth: FAR,
                leads: false,
                opens: false,
                is_alone: false,
                is_of_all: false,
                is_quoted: false,
            };
            let (score, sentence) = told(&candidate, name)?;
            (score >= SUBJECT_IS && !is_licensing(&sentence)).then_some(sentence)
        })
    })
}

/// The words of a title that may be a name, as letters, and those that hyphens join as one: they are long enough to be no article.
fn title_words(title: &str) -> Vec<String> {
    let joined = title.split_whitespace().filter(|word| word.contains('-'));
    let words = title.split(|c: char| !c.is_alphanumeric());
    joined
        .chain(words)
        .filter(|word| word.chars().count() > 3)
        .map(letters)
        .collect()
}

/// How a manual page says what it is: its name, a dash, and a line.
fn manual_line(subject: &Subject<'_>, title: &str) -> Option<String> {
    let page = without_section(title);
    let mut is_under_name = false;
    subject.blocks.iter().take(4).find_map(|block| {
        let text = match &block.kind {
            BlockKind::Paragraph(text) => text,
            BlockKind::Heading { text, .. } => {
                is_under_name = part_of_manual(&plain(text)) == Some(ManualPart::Name);
                return None;
            }
            BlockKind::Code { .. } if is_under_name => &Vec::new(),
            _ => return None,
        };
        let line = match text.is_empty() {
            true => manual_text(block),
            false => squash(&plain(text)),
        };
        let (names, summary) = split_at_dash(&line)?;
        // A page on several names tells of them all, also where they only begin as it is called.
        let mut all = names.split(',').map(str::trim);
        let begins = names
            .split_at_checked(page.len())
            .is_some_and(|(called, _)| called.eq_ignore_ascii_case(page));
        let are_several = names.contains(", ") && !names.contains(". ");
        let is_named = all.any(|name| name.eq_ignore_ascii_case(page)) || begins && are_several;
        // What stands below "NAME" names the page, whatever its head calls it.
        let first = names.split(',').next().unwrap_or_default().trim();
        let is_name = is_under_name && !first.is_empty() && first.split(' ').count() <= NAME_WORDS;
        if !(is_named || is_name) || names.len() > NAMES_CHARS {
            return None;
        }
        let called = if is_named { page } else { first };
        let sentence = format!("{called}: {}.", summary.trim_end_matches('.'));
        stands_alone(&sentence).then_some(sentence)
    })
}

fn candidates(subject: &Subject<'_>) -> Vec<Candidate> {
    let mut out: Vec<Candidate> = Vec::new();
    let mut add = |text: &str, depth: u32, leads: bool, is_of_all: bool, is_quoted: bool| {
        // `KilnReader<R>` is called without what it reads.
        let text = match text.contains('<') {
            true => &without_type_parameters(text),
            false => text,
        };
        let cut = cut(text);
        let is_alone = cut.len() == 1;
        for (words, place) in cut.into_iter().zip(0..).take(SENTENCES) {
            out.push(Candidate {
                words,
                depth: depth + 3 * place,
                leads: leads && place == 0,
                opens: place == 0,
                is_alone,
                is_of_all,
                is_quoted,
            });
        }
    };
    // A site says the same of all its pages.
    if let Some(summary) = subject
        .summary
        .filter(|summary| is_said_of(summary, &subject.gist.sample))
    {
        add(summary, 0, true, true, false);
    }
    let mut paragraphs = 0;
    let mut sections = 0;
    let mut leads = true;
    let mut under_lead = false;
    let mut is_aside = false;
    for block in subject.blocks.iter().take(BLOCKS) {
        match &block.kind {
            BlockKind::Heading { text, .. } => {
                let title = squash(&plain(text));
                // What is said of a release is said of nothing else.
                if is_release(&title) || is_entry(&title) {
                    break;
                }
                // A section on a part of the subject has its own introduction.
                under_lead = sections <= SECTIONS && is_lead_title(&title);
                sections += usize::from(!is_generic(&title) && title != subject.title);
                is_aside = title != subject.title
                    && (is_peripheral(&title)
                        || is_in(RELATIONS, &squash(&title).to_lowercase().replace(' ', "-")));
            }
            // A licence or a history before the first chapter tells of itself.
            _ if is_aside => {}
            // Projects quote what they are for below their name; elsewhere a quotation is somebody else's.
            BlockKind::Quote(_) if paragraphs > 0 || sections > 0 => {}
            BlockKind::Paragraph(_) | BlockKind::Quote(_) => {
                let text = block_text(block);
                if paragraphs >= PARAGRAPHS && !under_lead
                    || is_byline(&text)
                    || is_labelled(&text)
                    || is_footnote(&text)
                {
                    continue;
                }
                // A line below "Summary" may be one of a table of contents.
                if under_lead && paragraphs > 0 && !is_sentence(&text) {
                    continue;
                }
                let depth = if under_lead { 2 } else { 4 * paragraphs };
                let is_of_all = under_lead || sections == 0;
                let is_quoted = matches!(block.kind, BlockKind::Quote(_));
                let leads_in = is_of_all && leads || under_lead;
                add(&text, depth, leads_in, is_of_all, is_quoted);
                // The line below a name is none of the paragraphs.
                let is_line =
                    leads_in && !is_sentence(&text) && text.split(' ').count() < LINE_WORDS;
                paragraphs += u32::from(!is_line);
                leads = false;
                under_lead = false;
            }
            BlockKind::Table { header, rows, .. } if paragraphs == 0 => {
                let first = rows.first().filter(|_| header.iter().all(Vec::is_empty));
                if let Some([label, says, ..]) = first.map(Vec::as_slice)
                    && is_lead_title(plain(label).trim_end_matches(':'))
                {
                    add(&squash(&plain(says)), 0, true, true, false);
                }
            }
            _ => {}
        }
    }
    out
}

/// Whether most telling words of a summary stand in the text as well.
fn is_said_of(summary: &str, text: &str) -> bool {
    let text = text.to_lowercase();
    let words: Vec<String> = summary
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() > 3 || !word.is_ascii())
        .map(str::to_lowercase)
        .collect();
    let found = words
        .iter()
        .filter(|word| text.contains(word.as_str()))
        .count();
    found * 10 >= words.len() * 6
}

/// Whether a section's title says that it tells what all is about.
fn is_lead_title(title: &str) -> bool {
    let lower = title
        .trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' ')
        .to_lowercase();
    matches!(
        lower.as_str(),
        "abstract"
            | "about"
            | "description"
            | "introduction"
            | "overview"
            | "purpose"
            | "summary"
            | "synopsis"
    ) || lower.starts_with("what is ")
}

/// Whether a paragraph only says who wrote it, when, and where else it can be had.
fn is_byline(text: &str) -> bool {
    let has_letters = |word: &&str| word.contains(char::is_alphabetic);
    let is_latin = text.chars().all(|c| c.is_ascii() || !c.is_alphabetic());
    is_latin && text.split_whitespace().filter(has_letters).count() < 3
        || text.contains(['|', '@', '©'])
        || OWNED.iter().any(|turn| text.contains(turn))
        || is_furniture(&text.to_lowercase())
        || is_imprint(&text.to_lowercase()) && !says_for_what(text)
}

/// Whether a manual says for what it is, and what that is: "This manual is for kiln (version 2), a tool that fires pots."
fn says_for_what(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("This manual is for ") else {
        return false;
    };
    let bare = without_brackets(rest);
    bare.split_once(", ").is_some_and(|(name, kind)| {
        let is_kind = ["a ", "an ", "the "]
            .iter()
            .any(|article| kind.starts_with(article));
        is_kind && name.split(' ').count() <= NAME_WORDS
    })
}

/// Whether a paragraph is a note at the foot of a page: it begins with a raised figure.
fn is_footnote(text: &str) -> bool {
    text.starts_with(['¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'])
}

/// Whether a paragraph warns of something or notes it: "Note: ...".
fn is_labelled(text: &str) -> bool {
    text.split_once([':', '：', '!', '！'])
        .is_some_and(|(label, _)| is_in(LABELS, &label.trim().to_lowercase()))
}

/// Whether a paragraph ends as sentences do.
fn is_sentence(text: &str) -> bool {
    text.trim_end().ends_with(['.', '!', '。', '！', ':', ')'])
}

/// The sentences of a text; a line that stands by itself is one.
fn cut(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for line in text.split('\n') {
        let squashed = squash(line);
        let cut = sentences(&squashed);
        out.extend(
            cut.into_iter()
                .filter_map(|range| squashed.get(range))
                .map(without_notes),
        );
    }
    out
}
