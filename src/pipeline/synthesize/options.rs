//! Owns what is said of an option where there is no room for all that its manual says: what it does, and what it puts at risk.
//!
//! The first sentence of an entry is often no more than how things are without the option ("by default it refuses"); quoted alone it
//! says the opposite of what the option does. So the sentence that turns it comes with it, and one that warns.

use super::outline::{block_text, blocks_text};
use super::sentences::cut_sentences;
use super::units::{as_paragraph, is_fit, is_harmless, takes_back};
use super::wording;
use skillkiln_document::blocks::{Block, BlockKind, Definition};
use skillkiln_document::text::{Inline, plain, squash};

/// Longest list of options; of a longer one, what each is about.
pub(super) const OPTIONS_CHARS: usize = 3_600;
/// A longer sentence says more than of what kind a value is.
const KIND_CHARS: usize = 60;
/// What is said of an option is at most so long, and a warning beside it.
const TOLD_CHARS: usize = 420;
const WARNING_CHARS: usize = 240;
/// So many sentences turn the one before them at most.
const TURNS_MAX: usize = 2;
/// An entry that no sentence tells is shown as a whole where it is no longer.
pub(super) const WHOLE_CHARS: usize = 480;
/// Of an entry for which there is more room so much is shown at most.
const LONGER_CHARS: usize = 1_500;

/// Whether an entry has a name alone, and that announces the entries which stood in it.
pub(super) fn announces_others(entry: &Definition) -> bool {
    let ends = |term: &Vec<Inline>| plain(term).trim_end().ends_with([':', '：']);
    entry.blocks.is_empty() && entry.terms.iter().any(ends)
}

/// An entry of a list of options with what it is about: the first sentence that is said of it, with those that turn it and one that
/// warns, or all when that is brief; only its name where nothing can stand so.
pub(super) fn shortened(entry: &Definition) -> Definition {
    let with = |blocks: Vec<Block>| Definition {
        terms: entry.terms.clone(),
        blocks,
    };
    let text = blocks_text(&entry.blocks);
    let is_brief = text.len() <= WHOLE_CHARS && !text.trim_end().ends_with([':', '：']);
    match gist(entry) {
        Some(gist) => with(vec![gist]),
        None if is_brief && is_fit(&entry.blocks, &text) => with(entry.blocks.clone()),
        None => with(Vec::new()),
    }
}

/// What its first paragraph says of an entry.
fn gist(entry: &Definition) -> Option<Block> {
    let paragraphs = entry.blocks.iter().filter_map(|block| match &block.kind {
        BlockKind::Paragraph(text) => Some((block, cut_sentences(text))),
        _ => None,
    });
    let mut paragraphs = paragraphs.peekable();
    let (block, first) = paragraphs.peek()?;
    let block = *block;
    let is_all = first.len() == 1 && entry.blocks.len() == 1;
    let mut sentences = paragraphs.flat_map(|(_, sentences)| sentences);
    let mut told = sentences.next()?;
    let text = squash(&plain(&told));
    let is_whole = text.len() <= TOLD_CHARS
        && (is_all && !text.ends_with([':', '：']) || text.ends_with(['.', '!', '。']))
        && may_stand(&text);
    if !is_whole {
        return None;
    }
    let mut chars = text.len();
    let mut turned = 0;
    let mut turns = tells_default(&text) || tells_kind(&text) || tells_case(&text);
    let mut add = |told: &mut Vec<Inline>, sentence: Vec<Inline>, text: &str, most: usize| {
        let fits =
            chars + text.len() <= most && text.ends_with(['.', '!', '。']) && may_stand(text);
        if fits {
            chars += text.len();
            told.push(Inline::Text(" ".into()));
            told.extend(sentence);
        }
        fits
    };
    let mut is_next = true;
    for sentence in sentences {
        let text = squash(&plain(&sentence));
        if is_next && turned < TURNS_MAX && (turns || tells_of_it(&text)) {
            turns = false;
            turned += 1;
            is_next = add(&mut told, sentence, &text, TOLD_CHARS);
            continue;
        }
        is_next = false;
        if warns(&text) && add(&mut told, sentence, &text, TOLD_CHARS + WARNING_CHARS) {
            break;
        }
    }
    Some(as_paragraph(told, block))
}

/// Whether a sentence may be said of an option without those around it. What a machine "currently" does is so whenever it is read.
fn may_stand(sentence: &str) -> bool {
    let is_unfit = wording::is_unfit(sentence)
        && wording::is_unfit(
            &sentence
                .replace(" currently ", " ")
                .replace(" currently.", "."),
        );
    !is_unfit && !wording::names_home(sentence)
}

/// Whether a sentence tells only what may happen, and not what the option does then: `When a pot is fired, there is a possibility that
/// it cracks.`
fn tells_case(sentence: &str) -> bool {
    const MAY: [&str; 4] = [" could ", " may ", " might ", " possib"];
    let lower = sentence.to_lowercase();
    let opens = ["if ", "when ", "sometimes", "in some cases"]
        .iter()
        .any(|opening| lower.starts_with(opening));
    // "Like `clean`, it clears the store": what is different follows.
    const LIKENED: [&str; 7] = [
        "como ",
        "comme ",
        "just like ",
        "like ",
        "similar to ",
        "tal como ",
        "wie ",
    ];
    opens && MAY.iter().any(|turn| lower.contains(turn))
        || LIKENED.iter().any(|opening| lower.starts_with(opening))
}

/// Whether a sentence tells how things are without the option.
fn tells_default(sentence: &str) -> bool {
    const WORDS: [&str; 37] = [
        "alapértelmez",
        "default",
        "di norma",
        "domyślnie",
        "en principe",
        "habitualmente",
        "habituellement",
        "normaal",
        "normalement",
        "normalerweise",
        "normally",
        "normalmente",
        "normalnie",
        "normalt",
        "obvykle",
        "par défaut",
        "por defecto",
        "por omisión",
        "por omissão",
        "por padrão",
        "predefini",
        "predetermina",
        "refuse",
        "solitamente",
        "som standard",
        "standaard",
        "standardmäßig",
        "standardně",
        "usually",
        "varsayılan",
        "would ",
        "zwykle",
        "обычно",
        "по умолчанию",
        "デフォルト",
        "通常",
        "默认",
    ];
    let lower = sentence.to_lowercase();
    WORDS.iter().any(|word| lower.contains(word))
}

/// Whether a sentence says of what kind a value is, and nothing of what it does: `A boolean.`
fn tells_kind(sentence: &str) -> bool {
    const OPENINGS: [&str; 4] = ["a boolean", "takes a ", "takes an ", "the value must be "];
    let lower = sentence.to_lowercase();
    OPENINGS.iter().any(|opening| lower.starts_with(opening)) && lower.len() <= KIND_CHARS
}

/// Whether a sentence turns the one before it, or says of the option itself what it does.
fn tells_of_it(sentence: &str) -> bool {
    const OPENINGS: [&str; 38] = [
        "avec cette option",
        "cette option",
        "com esta opção",
        "con esta opción",
        "con questa opzione",
        "deze optie",
        "diese option",
        "dieser schalter",
        "esta opción",
        "esta opção",
        "if true",
        "instead",
        "met deze optie",
        "mit dieser option",
        "otherwise",
        "questa opzione",
        "specifying this",
        "ta opcja",
        "this flag",
        "this forces",
        "this is used",
        "this option",
        "this switch",
        "this will",
        "usando questa opzione",
        "with this",
        "when this",
        "when true",
        "эта опция",
        "эта опція",
        "этот параметр",
        "з цим параметром",
        "с этим параметром",
        "этот ключ",
        "このオプション",
        "本选项",
        "此选项",
        "该选项",
    ];
    let lower = sentence.to_lowercase();
    takes_back(sentence) || OPENINGS.iter().any(|opening| lower.starts_with(opening))
}

/// Whether a sentence says what may be lost by it.
pub(super) fn warns(sentence: &str) -> bool {
    const RISKS: [&str; 33] = [
        "achtung",
        "at your own risk",
        "atenção",
        "atención",
        "attack",
        "be careful",
        "be sure to",
        "breaking change",
        "caution",
        "corrupt",
        "cuidado",
        "danger",
        "data loss",
        "destroy",
        "destruir",
        "discouraged",
        "gefahr",
        "gefährlich",
        "insecure",
        "irreversibl",
        "irrevocabl",
        "must not",
        "peligro",
        "risco",
        "risque",
        "security risk",
        "throw away",
        "undesirable",
        "vorsicht",
        "vulnerab",
        "warning",
        "with care",
        "your whole system",
    ];
    // That somebody is warned of something warns nobody.
    const REPORTS: [&str; 4] = [
        "a warning is",
        "a warning will",
        "with a warning",
        "warning()",
    ];
    let lower = sentence.to_lowercase();
    RISKS.iter().any(|risk| lower.contains(risk))
        && !REPORTS.iter().any(|report| lower.contains(report))
}

/// The longest part from the beginning of an entry that can stand in a body; `None` where that is what [`shortened`] shows.
pub(super) fn longer(entry: &Definition, short: &Definition) -> Option<Definition> {
    let mut chars = 0;
    let fitting = entry.blocks.iter().take_while(|block| {
        let text = block_text(block);
        chars += text.len();
        // Where there is room for the entry as it stands, it is quoted: a warning may well say "currently".
        chars <= LONGER_CHARS && is_harmless(std::slice::from_ref(*block), &text)
    });
    let mut blocks: Vec<Block> = fitting.cloned().collect();
    // What announces something that does not come announces nothing.
    while let Some(last) = blocks.last()
        && blocks.len() < entry.blocks.len()
        && block_text(last).trim_end().ends_with([':', '：'])
    {
        blocks.pop();
    }
    let more = blocks_text(&blocks).len();
    (more > blocks_text(&short.blocks).len()).then(|| Definition {
        terms: entry.terms.clone(),
        blocks,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_readers::markup::markdown;

    fn option(told: &str) -> Definition {
        Definition {
            terms: vec![vec![Inline::Text("--shut".into())]],
            blocks: markdown::read(told.to_owned()).blocks,
        }
    }

    fn short(told: &str) -> String {
        blocks_text(&shortened(&option(told)).blocks)
            .trim()
            .to_owned()
    }

    #[test]
    fn how_things_are_without_an_option_is_turned_in_other_languages_too() {
        for (told, turned) in [
            (
                "Normalmente si apre una porta. Tutte si aprono insieme. Poi cresce.",
                "Normalmente si apre una porta. Tutte si aprono insieme.",
            ),
            (
                "Si apre una porta. Questa opzione le apre tutte. Poi cresce.",
                "Si apre una porta. Questa opzione le apre tutte.",
            ),
            (
                "Par défaut, une porte s'ouvre. Elles s'ouvrent toutes. Il fait chaud.",
                "Par défaut, une porte s'ouvre. Elles s'ouvrent toutes.",
            ),
        ] {
            let long = format!("{told}\n\n{}", "La porta resta chiusa a lungo. ".repeat(30));
            assert_eq!(short(&long), turned);
        }
    }

    #[test]
    fn of_what_kind_a_value_is_and_that_a_warning_is_printed_is_not_enough() {
        assert_eq!(
            short("A boolean. When true, it shuts the door. It is heavy and made of iron."),
            "A boolean. When true, it shuts the door."
        );
        assert!(warns("Use this option with care.") && warns("This is a breaking change."));
        assert!(!warns("Unknown pots are left out with a warning."));
    }

    #[test]
    fn what_happens_without_an_option_is_told_together_with_what_it_does() {
        for told in [
            "The door stays open by default. It is shut before the fire is lit.",
            "If the kiln is hot, the command refuses to shut. However, with this option it shuts.",
            "When the kiln is hot, the door is locked. This flag opens it all the same.",
        ] {
            assert_eq!(short(&format!("{told} Kilns are red.")), told);
        }
        assert_eq!(short("Shuts the door. Kilns are red."), "Shuts the door.");
    }

    #[test]
    fn what_may_happen_is_told_together_with_what_is_done_then() {
        let told = "Like clean, it empties the store. The difference is that it keeps pots.";
        assert_eq!(short(&format!("{told} Kilns are red.")), told);
        let told = "When a pot is fired, there is a possibility that another one cracks. With this option it is taken out.";
        assert_eq!(short(&format!("{told} Kilns are red.")), told);
    }

    #[test]
    fn what_a_machine_does_currently_does_not_age() {
        for told in [
            "Lists the doors that are currently open.",
            "Lists the doors open currently.",
        ] {
            assert_eq!(short(&format!("{told} Kilns are red.")), told);
        }
        assert_eq!(
            short(&format!(
                "Opens as of 2024. {}",
                "Kilns are red. ".repeat(60)
            )),
            ""
        );
    }

    #[test]
    fn a_warning_is_told_from_wherever_it_stands() {
        assert_eq!(
            short("Shuts the door. Kilns are red.\n\nNOTE: this is dangerous beside a fire."),
            "Shuts the door. NOTE: this is dangerous beside a fire."
        );
    }

    #[test]
    fn an_entry_that_no_sentence_tells_is_shown_as_a_whole_where_it_is_brief() {
        let told = "If the door is open, treat as\n\n```sh\nkilnctl shut\n```";
        assert!(short(told).ends_with("kilnctl shut"));
        let long = format!(
            "It does these things: {}:",
            "wood, coal and gas, ".repeat(40)
        );
        assert_eq!(short(&format!("{long}\n\n- It burns.")), "");
    }

    #[test]
    fn where_there_is_room_an_entry_says_all_that_it_says_and_announces_nothing_that_does_not_come()
    {
        let told = "Shuts the door. Kilns are red.\n\nIt is heavy.";
        let entry = option(told);
        let more = longer(&entry, &shortened(&entry)).unwrap();
        assert_eq!(more.blocks.len(), 2);
        assert!(longer(&entry, &more).is_none());
        let long = format!("{told}\n\nSuch are:\n\n- {}", "a kiln ".repeat(300));
        let entry = option(&long);
        assert_eq!(longer(&entry, &shortened(&entry)).unwrap().blocks.len(), 2);
    }
}
