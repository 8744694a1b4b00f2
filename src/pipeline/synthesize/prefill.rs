//! Owns what is suggested for a source before anybody asks: a name, a description and a category, from its own words.

use super::belonging;
use super::clean::prepare;
use super::describe::{self, Gist, Subject};
use super::outline::{Outline, write_block};
use super::title;
use super::words::words;
use crate::domain::document::{Block, BlockKind, Document};
use crate::domain::text::lower_into;
use crate::pipeline::product::Origin;
use crate::pipeline::quick::QuickMap;
use std::sync::LazyLock;

/// Suggested metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// A name that the front matter may hold.
    pub name: String,
    /// What the source is about and when it helps.
    pub description: String,
    /// One of [`CATEGORIES`].
    pub category: String,
}

/// The categories that are told apart, each with words that speak for it.
pub const CATEGORIES: [(&str, &str); 14] = [
    (
        "development",
        " api code function compiler library programming class method variable syntax debug git rust python javascript typescript java crate package module async runtime sdk framework parser ",
    ),
    (
        "devops",
        " docker kubernetes deploy deployment container server linux cluster install cloud terraform ansible nginx systemd pipeline monitoring ci backup daemon image registry helm dns kvm lxc qemu repository restic restore snapshot virtualization vm ",
    ),
    (
        "data",
        " database sql query table index dataset analytics dataframe pandas csv statistics schema postgres postgresql sqlite warehouse spreadsheet excel etl ",
    ),
    (
        "ai",
        " model prompt llm training neural inference embedding agent agents learning gpt transformer dataset tokens ",
    ),
    (
        "security",
        " security vulnerability encryption authentication authorization attack tls certificate password firewall threat cryptographic cve dnssec exploit secret ",
    ),
    (
        "design",
        " design layout color colour typography font interface ux ui accessibility css figma illustration palette ",
    ),
    (
        "writing",
        " writing editor style grammar paragraph essay headline draft tone sentence proofreading prose ",
    ),
    (
        "business",
        " customer sales meeting management strategy team project stakeholder employee hiring company market ",
    ),
    (
        "finance",
        " tax invoice accounting bookkeeping budget currency interest investment bank ledger payment loan audit revenue expense ",
    ),
    (
        "science",
        " experiment theory physics chemistry biology hypothesis equation molecule energy species measurement laboratory ",
    ),
    (
        "education",
        " student teacher lesson course exam curriculum classroom learning homework school university ",
    ),
    (
        "health",
        " patient treatment symptom symptoms disease dose medical exercise diet doctor therapy health clinical ",
    ),
    (
        "cooking",
        " recipe oven dough flour bake cook ingredients sauce butter salt simmer bread starter ",
    ),
    (
        "legal",
        " contract law clause liability court agreement legal license copyright statute regulation gdpr ",
    ),
];

/// The category of what fits none.
const GENERAL: &str = "general";
/// How much text is weighed.
const SAMPLE_BYTES: usize = 48 << 10;

/// Suggests metadata for a source.
#[must_use]
pub fn suggest(document: &Document, origin: &Origin) -> Suggestion {
    let document = prepare(document);
    let outline = Outline::of(&document.blocks);
    let subject = outline.subject(&document.blocks);
    let gist = Gist::of(subject);
    let title = title::title(
        document.title.as_deref(),
        document.about.site.as_deref(),
        &document.blocks,
        &origin.label,
    );
    let belonging = belonging::of(&title, &document, &origin.label);
    let named = belonging.as_ref().map_or(&title, |whole| &whole.named);
    let shown = match title.is_empty() {
        true => &origin.label,
        false => &title,
    };
    Suggestion {
        name: title::name(&[named], gist.phrases(3), &origin.digest),
        description: describe::description(&Subject {
            title: shown,
            called: belonging.as_ref().map_or(shown, |whole| &whole.spoken),
            summary: document.about.description.as_deref(),
            blocks: &document.blocks,
            outline: &outline,
            gist: &gist,
        }),
        category: category(subject).to_owned(),
    }
}

/// The numbers of the categories that a word speaks for.
static SPEAKS_FOR: LazyLock<QuickMap<&str, Vec<usize>>> = LazyLock::new(|| {
    let mut known: QuickMap<&str, Vec<usize>> = QuickMap::default();
    for (number, (_, list)) in CATEGORIES.iter().enumerate() {
        for word in list.split_whitespace() {
            known.entry(word).or_default().push(number);
        }
    }
    known
});

/// The category whose words a text uses most.
pub(super) fn category(blocks: &[Block]) -> &'static str {
    let mut text = String::new();
    let mut code = 0_u32;
    for block in blocks {
        if matches!(block.kind, BlockKind::Code { .. }) {
            code += 1;
        }
        write_block(block, &mut text);
        if text.len() > SAMPLE_BYTES {
            break;
        }
    }
    let mut scores = [0_u32; CATEGORIES.len()];
    let mut lower = String::new();
    for word in words(&text) {
        lower_into(word, &mut lower);
        let numbers = SPEAKS_FOR.get(lower.as_str());
        let numbers = numbers.or_else(|| SPEAKS_FOR.get(lower.strip_suffix('s')?));
        for number in numbers.into_iter().flatten() {
            if let Some(score) = scores.get_mut(*number) {
                *score += 1;
            }
        }
    }
    if let Some(development) = scores.first_mut() {
        *development += code.min(4);
    }
    // The first of equals wins, so that the order of the table is the order of preference.
    let best = scores.iter().copied().max().unwrap_or(0);
    if best < 3 {
        return GENERAL;
    }
    scores
        .iter()
        .position(|score| *score == best)
        .and_then(|number| CATEGORIES.get(number))
        .map_or(GENERAL, |(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    #[test]
    fn a_source_is_described_in_its_own_words_and_by_when_it_helps() {
        let document = testing::document(
            "# Installing the Widget Server\n\nThe Widget Server is a daemon that serves widgets over HTTP.\n\n\
             ## Prerequisites\n\nA Linux server.\n\n## Install from the package archive\n\n```bash\napt install widget\n```\n\n\
             ## Configure TLS\n\nSet the certificate in widget.toml.",
        );
        let suggestion = suggest(&document, &testing::origin());
        assert_eq!(suggestion.name, "installing-the-widget-server");
        assert_eq!(
            suggestion.description,
            "The Widget Server is a daemon that serves widgets over HTTP. Use when installing the Widget Server, \
             or for questions about Install from the package archive or Configure TLS."
        );
        assert_eq!(suggestion.category, "devops");
    }

    #[test]
    fn words_that_every_manual_uses_speak_for_no_category() {
        for (text, expected) in [
            (
                "A policy says which snapshots of the repository the process keeps. The policy forgets old ones; a restore needs a snapshot.",
                "devops",
            ),
            (
                "A policy tells how DNSSEC keys roll. The policy is a part of the process of DNSSEC; who signs with DNSSEC validates.",
                "security",
            ),
            (
                "The virtual machine runs under KVM. A machine has a disk; a machine of KVM has its image on a server.",
                "devops",
            ),
            (
                "The ledger of a company has a currency for each account. A ledger is what bookkeeping makes.",
                "finance",
            ),
        ] {
            let document = testing::document(text);
            assert_eq!(category(&document.blocks), expected, "{text}");
        }
    }

    #[test]
    fn a_name_is_always_one_that_loaders_accept() {
        let digest = "1a2b3c4d5e";
        let name = |title: &str| title::name(&[title], &["connection pool".into()], digest);
        assert_eq!(name("Claude Code: the guide"), "code-the-guide");
        assert_eq!(name("anthropic"), "skill-1a2b3c4d");
        assert_eq!(name("Tools"), "connection-pool-tools");
        assert_eq!(name("🙂🙂"), title::name(&["🙂🙂"], &[], digest));
        assert_eq!(name("!!!"), "skill-1a2b3c4d");
        assert_eq!(name("Größe"), "grosse");
        assert!(name(&"very long ".repeat(40)).len() <= 64);
    }
}
