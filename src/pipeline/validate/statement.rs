//! Owns the proof of one statement before it stands in a skill: nothing in it but what the named parts of the source hold.
//!
//! Stricter than the proofs of a finished skill, which look a thing up in the whole source: here it must stand in the parts
//! that the statement itself names.

use crate::pipeline::validate::evidence::Evidence;
use crate::pipeline::validate::index::Index;
use crate::pipeline::validate::proof::sentences as sentences_of;
use crate::pipeline::validate::tokens::{addresses, content_words, flags, numbers, paths};
use skillkiln_document::blocks::{Block, BlockKind, walk};
use skillkiln_document::text::{Inline, plain};
use std::collections::HashSet;

/// Words that turn a sentence into its opposite.
const NEGATIONS: [&str; 22] = [
    "not", "never", "no", "cannot", "without", "none", "nor", "avoid", "don't", "don’t", "nicht",
    "nie", "niemals", "kein", "keine", "keinen", "ohne", "ne", "pas", "jamais", "nunca", "sin",
];

/// What some parts of a source hold.
pub(in crate::pipeline) struct Support {
    evidence: Evidence,
    /// The content words of each sentence, and whether it denies something.
    sentences: Vec<(HashSet<u64>, bool)>,
}

impl Support {
    /// Indexes `blocks` and the titles they stand under.
    pub(in crate::pipeline) fn of<'a>(
        titles: impl Iterator<Item = &'a str>,
        blocks: impl Iterator<Item = &'a Block>,
    ) -> Self {
        let mut index = Index::default();
        let mut sentences = Vec::new();
        titles.for_each(|title| index.say(title));
        for block in blocks {
            walk(std::slice::from_ref(block), &mut |block| {
                index.add_block(block);
                if let BlockKind::Paragraph(text) = &block.kind {
                    let text = plain(text);
                    sentences.extend(sentences_of(&text).map(|one| (words_of(one), denies(one))));
                }
            });
        }
        Self {
            evidence: index.seal(),
            sentences,
        }
    }

    /// Whether a word stands there, as it is or in lower case.
    pub(in crate::pipeline) fn names(&self, word: &str) -> bool {
        self.evidence.has_word(word)
    }

    /// What in a statement does not stand there, in words for whoever made it; empty when all of it does.
    pub(in crate::pipeline) fn faults(&self, statement: &[Inline]) -> Vec<String> {
        let mut faults = Vec::new();
        let mut add = |kind: &str, what: &str| {
            let what: String = what.chars().take(80).collect();
            faults.push(format!("the {kind} `{what}` is not in the parts it names"));
        };
        let mut words = String::new();
        for inline in statement {
            match inline {
                Inline::Code(code) => {
                    if !self.evidence.has_code(code) {
                        add("code", code);
                    }
                    // Where code stood, a name may follow that does not begin a sentence.
                    words.push_str(" x ");
                }
                other => words.push_str(&plain(std::slice::from_ref(other))),
            }
        }
        for address in addresses(&words) {
            if !self.evidence.has_address(&address) {
                add("address", &address);
            }
        }
        for flag in flags(&words).filter(|flag| !self.evidence.has_flag(flag)) {
            add("flag", flag);
        }
        if !words.contains("://") {
            let is_path = |found: &&str| {
                found.starts_with(['/', '~', '.']) || found.matches(['/', '\\']).count() > 1
            };
            for path in paths(&words).filter(is_path) {
                if !self.evidence.has_path(path) {
                    add("path", path);
                }
            }
        }
        for number in numbers(&words).filter(|number| !self.evidence.has_number(number)) {
            add("number", number);
        }
        for name in names(&words).filter(|name| !self.evidence.has_word(name)) {
            add("name", name);
        }
        let text = plain(statement);
        if !self.evidence.supports(&text) {
            faults.push("its words are not those of the parts it names".to_owned());
        }
        if faults.is_empty() && self.denies_otherwise(&text) {
            faults.push("it says the opposite of the sentence it is made of".to_owned());
        }
        faults
    }

    /// Whether the sentence that a statement is made of denies what it affirms, or the other way round.
    fn denies_otherwise(&self, statement: &str) -> bool {
        let (words, own) = (words_of(statement), denies(statement));
        let shared = |sentence: &HashSet<u64>| words.intersection(sentence).count();
        let nearest = self.sentences.iter().map(|(sentence, _)| shared(sentence));
        let Some(most) = nearest
            .max()
            .filter(|most| most * 10 >= words.len() * 7 && *most > 1)
        else {
            return false;
        };
        let mut nearest = self.sentences.iter().filter(|(one, _)| shared(one) == most);
        nearest.all(|(_, denies)| *denies != own)
    }
}

fn words_of(sentence: &str) -> HashSet<u64> {
    content_words(sentence).collect()
}

fn denies(sentence: &str) -> bool {
    sentence
        .split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'))
        .map(str::to_lowercase)
        .any(|word| {
            NEGATIONS.contains(&word.as_str()) || word.ends_with("n't") || word.ends_with("n’t")
        })
}

/// Words that name something: with a capital letter where no sentence begins, or spelled as no plain word is.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let mut begins = true;
    text.split_whitespace().filter_map(move |token| {
        let is_first = std::mem::replace(
            &mut begins,
            token.ends_with(['.', '!', '?', ':', '。', '！', '？']),
        );
        let word = token.trim_matches(|c: char| !c.is_alphanumeric());
        let inner = word.chars().skip(1).any(char::is_uppercase)
            || word.contains(['_', '@'])
            || (word.contains(|c: char| c.is_ascii_digit())
                && word.contains(|c: char| c.is_alphabetic()));
        let is_name = inner || (!is_first && word.starts_with(char::is_uppercase));
        (is_name && word.chars().count() > 1).then_some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::blocks::Span;

    fn support() -> Support {
        let paragraph = |text: Vec<Inline>| Block {
            kind: BlockKind::Paragraph(text),
            span: Span::default(),
        };
        let blocks = [
            paragraph(vec![
                Inline::Text("Install Redis on port 6379 before the first start. Edit ".into()),
                Inline::Code("/etc/kiln.conf".into()),
                Inline::Text(" by hand and close the lid.".into()),
            ]),
            Block {
                kind: BlockKind::Code {
                    language: None,
                    text: "kilnctl start --heat 900".into(),
                },
                span: Span::default(),
            },
        ];
        Support::of(std::iter::once("Setting up"), blocks.iter())
    }

    fn faults(parts: &[Inline]) -> Vec<String> {
        support().faults(parts)
    }

    fn text(text: &str) -> Inline {
        Inline::Text(text.into())
    }

    #[test]
    fn a_statement_in_the_words_of_its_parts_has_no_fault() {
        for statement in [
            vec![text("Install Redis on port 6379 before the first start.")],
            vec![
                text("Edit "),
                Inline::Code("/etc/kiln.conf".into()),
                text(" by hand."),
            ],
            vec![
                text("Start it with "),
                Inline::Code("kilnctl start --heat 900".into()),
                text("."),
            ],
            vec![text("Close the lid.")],
        ] {
            assert_eq!(faults(&statement), Vec::<String>::new());
        }
    }

    #[test]
    fn whatever_is_made_up_is_named() {
        for (statement, word) in [
            (vec![Inline::Code("kilnctl stop --now".into())], "code"),
            (
                vec![Inline::Code("kilnctl start --heat 901".into())],
                "code",
            ),
            (
                vec![text("Install Redis on port 6380 before the first start.")],
                "number `6380`",
            ),
            (
                vec![text(
                    "Install Postgres on port 6379 before the first start.",
                )],
                "name `Postgres`",
            ),
            (
                vec![text(
                    "Before the first start install Postgres on port 6379.",
                )],
                "name `Postgres`",
            ),
            (
                vec![text("Install Redis with --force before the first start.")],
                "flag `--force`",
            ),
            (
                vec![text("Edit /etc/other.conf by hand and close the lid.")],
                "path `/etc/other.conf`",
            ),
            (
                vec![text(
                    "Install Redis from https://evil.example/x before the first start.",
                )],
                "address",
            ),
            (
                vec![text(
                    "Never install Redis on port 6379 before the first start.",
                )],
                "opposite",
            ),
            (
                vec![text("Clean the burner with a brush of copper wire daily.")],
                "words",
            ),
        ] {
            let faults = faults(&statement).join("; ");
            assert!(faults.contains(word), "{statement:?}: {faults}");
        }
    }
}
