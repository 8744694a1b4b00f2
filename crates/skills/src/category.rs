//! Owns what field a source belongs to: the category whose words it uses most.

use crate::outline::block_text;
use crate::terms::words;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::quick::QuickMap;
use skillkiln_document::text::lower_into;
use std::sync::LazyLock;

/// A category that is told from others: its name, the words that speak for it, and those that do so beside one of them alone, because
/// they stand in texts on anything.
pub struct Category {
    /// Its name.
    pub name: &'static str,
    words: &'static str,
    beside: &'static str,
}

/// The categories that are told apart, in the order of preference.
pub const CATEGORIES: [Category; 14] = [
    Category {
        name: "development",
        words: "api code function compiler library programming class method variable syntax debug git rust python javascript typescript java crate package module async runtime sdk framework parser",
        beside: "",
    },
    Category {
        name: "devops",
        words: "docker kubernetes deploy deployment container terraform ansible nginx systemd daemon helm kvm lxc qemu restic restore virtualization vm",
        beside: "server linux cluster install cloud pipeline monitoring ci backup image registry dns repository snapshot",
    },
    Category {
        name: "data",
        words: "database sql analytics dataframe pandas csv schema postgres postgresql sqlite warehouse spreadsheet excel etl",
        beside: "query table index dataset statistics",
    },
    Category {
        name: "ai",
        words: "prompt llm neural inference embedding gpt transformer",
        beside: "model training agent learning dataset tokens",
    },
    Category {
        name: "security",
        words: "vulnerability encryption authentication authorization attack tls firewall threat cryptographic cve dnssec exploit",
        beside: "security certificate password secret",
    },
    Category {
        name: "design",
        words: "typography ux ui accessibility css figma illustration palette",
        beside: "design layout color colour font interface",
    },
    Category {
        name: "writing",
        words: "writing essay headline proofreading prose",
        beside: "editor style grammar paragraph draft tone sentence",
    },
    Category {
        name: "business",
        words: "sales meeting strategy stakeholder employee hiring",
        beside: "customer management team project company market",
    },
    Category {
        name: "finance",
        words: "tax invoice accounting bookkeeping budget investment loan audit",
        beside: "currency interest bank ledger payment revenue expense",
    },
    Category {
        name: "science",
        words: "experiment physics chemistry biology hypothesis molecule laboratory",
        beside: "theory equation energy species measurement",
    },
    Category {
        name: "education",
        words: "student teacher exam curriculum classroom homework",
        beside: "lesson course learning school university",
    },
    Category {
        name: "health",
        words: "patient treatment symptom disease medical doctor therapy clinical",
        beside: "dose exercise diet health",
    },
    Category {
        name: "cooking",
        words: "oven dough flour bake cook ingredients sauce butter simmer",
        beside: "recipe salt bread starter",
    },
    // A licence, which any project has, speaks of liability and contract.
    Category {
        name: "legal",
        words: "clause court statute regulation gdpr",
        beside: "contract law liability agreement legal license copyright",
    },
];

/// The category of what fits none.
const GENERAL: &str = "general";
/// A text speaks for its category so often at least.
const SCORE_MIN: u32 = 3;
/// How much text is weighed.
const SAMPLE_BYTES: usize = 48 << 10;

/// The numbers of the categories that a word speaks for, each with whether it does so by itself.
static SPEAKS_FOR: LazyLock<QuickMap<&str, Vec<(usize, bool)>>> = LazyLock::new(|| {
    let mut known: QuickMap<&str, Vec<(usize, bool)>> = QuickMap::default();
    for (number, category) in CATEGORIES.iter().enumerate() {
        for (list, is_enough) in [(category.words, true), (category.beside, false)] {
            for word in list.split_whitespace() {
                known.entry(word).or_default().push((number, is_enough));
            }
        }
    }
    known
});

/// The category whose words a text uses most.
#[must_use]
pub fn category(blocks: &[Block]) -> &'static str {
    let mut text = String::new();
    let mut code = 0_u32;
    for block in blocks {
        if matches!(block.kind, BlockKind::Code { .. }) {
            code += 1;
        }
        text.push_str(&block_text(block));
        if text.len() > SAMPLE_BYTES {
            break;
        }
    }
    // How often a text speaks for each, and whether one of its own words does.
    let mut scores = [(0_u32, false); CATEGORIES.len()];
    let mut lower = String::new();
    for word in words(&text) {
        lower_into(word, &mut lower);
        let spoken_for = SPEAKS_FOR.get(lower.as_str());
        let spoken_for = spoken_for.or_else(|| SPEAKS_FOR.get(lower.strip_suffix('s')?));
        for (number, is_enough) in spoken_for.into_iter().flatten() {
            if let Some((score, is_meant)) = scores.get_mut(*number) {
                *score += 1;
                *is_meant |= is_enough;
            }
        }
    }
    if let Some((development, is_meant)) = scores.first_mut() {
        *development += code.min(4);
        *is_meant |= code > 0;
    }
    let scored = scores.iter().zip(&CATEGORIES);
    let meant = scored.filter(|((score, is_meant), _)| *is_meant && *score >= SCORE_MIN);
    // The first of equals wins, so that the order of the table is the order of preference.
    let best = meant.rev().max_by_key(|((score, _), _)| *score);
    best.map_or(GENERAL, |(_, category)| category.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::testing::document;

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
                "The project is under a license: there is no liability under this license, by law or by contract. Its team wrote it, for a fee.",
                "general",
            ),
            (
                "The ledger of a company has a currency for each account. A ledger is what bookkeeping makes.",
                "finance",
            ),
            (
                "Mix the flour. Bake it in the oven. Heat the oven first.",
                "cooking",
            ),
        ] {
            assert_eq!(category(&document(text).blocks), expected, "{text}");
        }
    }
}
