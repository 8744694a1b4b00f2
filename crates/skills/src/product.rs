//! Owns where a product may have its name from beside the text, an address, a file, a command, and the names that are qualified by it.

use crate::naming::{is_camel, is_vague, names_product};
use crate::section_role::is_generic;
use crate::stop_words::is_stop_word;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::quick::QuickMap;
use skillkiln_document::text::plain;

/// Names of what any product is made with, and abbreviations that are none's.
const GENERAL: &str = " api apis http https json xml html css url urls uri sql cli cpu ram tls ssl ssh tcp udp dns utf ascii yaml toml csv pdf \
    sdk ide faq todo os ui ux id ok ci cd rfc github gitlab google linux windows macos mac unix ubuntu debian english ip vm gpu io rest crud \
    jwt unicode posix january february march april june july august september october november december monday tuesday wednesday thursday \
    friday saturday sunday none null true false also otherwise usage iso iec ieee figure table section chapter appendix page part step example www com org net html htm md txt rst pdf dev ";
/// Programs that pages on anything show.
const TOOLS: &str = " cd sudo git npm npx pnpm yarn pip pip3 python python3 docker curl wget cat echo export ls mkdir rm cp mv brew apt apt-get \
    yum dnf cargo go make bash sh kubectl oc systemctl journalctl service ps kill openssl base64 helm node bundle gem ruby java mvn gradle source set tar unzip chmod touch grep sed awk find ssh \
    bin import from const let var function if for return def class print open use the final static public private case new void int type forall \
    where data match async await impl fn pub pacman emerge port choco winget scoop zypper nix nix-env flatpak snap pkg ";

/// What an address or the name of a file tells of a product: the parts of the host and of the beginning of the path, the words of the file
/// and each two of them together, in lower case.
pub(crate) fn hints(address: Option<&str>, label: &str) -> Vec<String> {
    let mut out = Vec::new();
    let is_address = label.contains("://");
    for address in address.into_iter().chain(is_address.then_some(label)) {
        let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
        let mut parts = rest.split('/');
        let host = parts.next().unwrap_or_default();
        out.extend(host.split('.').rev().skip(1).map(str::to_lowercase));
        out.extend(parts.take(2).map(str::to_lowercase));
    }
    if !is_address {
        let file = label.rsplit('/').next().unwrap_or(label);
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let parts: Vec<String> = stem
            .split(|c: char| !c.is_alphanumeric())
            .filter(|part| !part.is_empty())
            .map(str::to_lowercase)
            .collect();
        let pairs = parts
            .windows(2)
            .filter(|pair| pair.iter().all(|part| can_name(part)));
        out.extend(pairs.map(|pair| pair.join("-")));
        out.extend(parts);
    }
    out.retain(|hint| can_name(hint));
    out
}

/// Whether a word in lower case can be a product's name.
pub(crate) fn can_name(lower: &str) -> bool {
    lower.chars().filter(|c| c.is_alphabetic()).count() >= 3
        && !is_nobodys(lower)
        && !is_vague(lower)
        && !is_generic(lower)
}

/// The project whose pages stand at an address: `kiln` of `https://kiln.readthedocs.io/`, `https://clay.github.io/kiln/` and
/// `https://github.com/clay/kiln`.
pub(crate) fn project(address: &str) -> Option<String> {
    let (_, rest) = address.split_once("://")?;
    let mut parts = rest.split('/');
    let host = parts.next()?.to_lowercase();
    let first = parts.next().unwrap_or_default();
    let owner = host.split('.').next().unwrap_or_default();
    let name = if host.ends_with(".readthedocs.io") {
        owner
    } else if host == "github.com" || host == "gitlab.com" {
        parts.next()?
    } else if host.ends_with(".github.io") {
        let is_page = first.contains('.') || !can_name(&first.to_lowercase());
        if is_page { owner } else { first }
    } else {
        return None;
    };
    can_name(&name.to_lowercase()).then(|| name.to_owned())
}

/// Paragraphs among which a source says what it is.
const DEFINED_PARAGRAPHS_MAX: usize = 12;
/// Titles of one word that begin with the name of the same product.
const TITLES_MIN: usize = 3;

/// The name that titles of one word begin with, as those of alerts do: `Kiln` of `KilnTooHot`, `KilnDoorOpen` and `KilnCold`.
pub(crate) fn shared_by_titles(blocks: &[Block]) -> Option<String> {
    let first_word = |title: &str| {
        let parts: Vec<(usize, char)> = title.char_indices().collect();
        let pairs = parts.windows(2);
        let mut inside = pairs.filter_map(|pair| match pair {
            [(_, before), (at, next)] if before.is_lowercase() && next.is_uppercase() => Some(*at),
            _ => None,
        });
        title.get(..inside.next()?).map(str::to_owned)
    };
    let mut counts: QuickMap<String, usize> = QuickMap::default();
    for block in blocks {
        if let BlockKind::Heading { text, .. } = &block.kind
            && let title = plain(text)
            && !title.contains(char::is_whitespace)
            && let Some(word) = first_word(&title)
        {
            *counts.entry(word).or_default() += 1;
        }
    }
    most_of(counts, TITLES_MIN)
}

/// What was counted most: so often at least, and twice as often as anything else.
fn most_of(counts: QuickMap<String, usize>, least: usize) -> Option<String> {
    let mut all: Vec<(String, usize)> = counts.into_iter().collect();
    all.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(&other.0)));
    let next = all.get(1).map_or(0, |(_, count)| *count);
    let most = all.into_iter().next();
    most.filter(|(name, count)| {
        *count >= least && *count >= next * 2 && can_name(&name.to_lowercase())
    })
    .map(|(name, _)| name)
}

/// The word that one of the first paragraphs says what it is: `kiln` of "kiln is a program that fires pots".
pub(crate) fn defined_first(blocks: &[Block]) -> Option<String> {
    let paragraphs = blocks.iter().filter_map(|block| match &block.kind {
        BlockKind::Paragraph(words) => Some(plain(words)),
        _ => None,
    });
    paragraphs.take(DEFINED_PARAGRAPHS_MAX).find_map(|text| {
        let (word, rest) = text.trim_start().split_once(' ')?;
        let defines = ["is a ", "is an ", "is the "]
            .iter()
            .any(|verb| rest.starts_with(verb));
        let is_word = word
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
        (defines && is_word && can_name(&word.to_lowercase())).then(|| word.to_owned())
    })
}

/// Whether a word in lower case is no product's own.
pub(crate) fn is_nobodys(lower: &str) -> bool {
    GENERAL.contains(&format!(" {lower} ")) || is_stop_word(lower)
}

/// A name with the product in front, where the title names it not, though it says something without: "brenn-restoring-from-backup".
#[must_use]
pub(crate) fn qualified(title: &str, product: Option<&str>) -> String {
    let is_own = |product: &&str| {
        names_product(title, product) || is_camel(title) || opens_with_owner(title)
    };
    match product.filter(|product| !is_own(product)) {
        Some(product) => format!("{product} {title}"),
        None => title.to_owned(),
    }
}

/// Whether a title opens with an abbreviation of whose it is: "CNCF fuzzing handbook".
fn opens_with_owner(title: &str) -> bool {
    const CHARS_MIN: usize = 4;
    let first = title.split(' ').next().unwrap_or_default();
    first.chars().count() >= CHARS_MIN
        && first.chars().all(char::is_uppercase)
        && !is_nobodys(&first.to_lowercase())
}

/// "fire 0.74.3" without its version.
pub(crate) fn without_version(name: &str) -> String {
    let is_number = |word: &&str| {
        word.trim_start_matches(['v', 'V'])
            .starts_with(|c: char| c.is_ascii_digit())
    };
    let words = name.split_whitespace().take_while(|word| !is_number(word));
    words.collect::<Vec<_>>().join(" ")
}

/// Whether a word that a line of a shell begins with can be the name of the program that a source is about.
pub(crate) fn can_run(word: &str) -> bool {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    word.len() >= 2
        && word.starts_with(|c: char| c.is_ascii_lowercase())
        && word.chars().all(is_sign)
        && !TOOLS.contains(&format!(" {word} "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::text::Inline;

    #[test]
    fn a_name_is_qualified_where_the_title_names_no_product() {
        for (title, product, called) in [
            (
                "Restoring from backup",
                "brenn",
                "brenn Restoring from backup",
            ),
            ("Brenn at night", "brenn", "Brenn at night"),
            ("ripgrep GUIDE", "rg", "ripgrep GUIDE"),
            ("Changing clay", "cl", "Changing clay"),
            ("Changing pots", "brc", "brc Changing pots"),
            ("KilnTooHot", "Brenn", "KilnTooHot"),
            (
                "Kiln Door Notes: use them",
                "KDNs",
                "Kiln Door Notes: use them",
            ),
            ("CNCF fuzzing handbook", "brenn", "CNCF fuzzing handbook"),
        ] {
            assert_eq!(qualified(title, Some(product)), called);
        }
    }

    #[test]
    fn the_first_word_that_is_said_to_be_something_is_the_product() {
        let paragraph = |text: &str| Block::paragraph(vec![Inline::Text(text.into())]);
        let told = |texts: [&str; 2]| defined_first(&texts.map(paragraph));
        let texts = ["Special thanks to:", "brenn is a kiln for the impatient."];
        assert_eq!(told(texts).as_deref(), Some("brenn"));
        assert_eq!(told(["This is a kiln.", "It is the hottest."]), None);
    }
}
