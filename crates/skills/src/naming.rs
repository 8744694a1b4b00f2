//! Owns what a skill is called: its title in words, and its name.

use crate::clean::frames::is_contents;
use crate::outline::Outline;
use crate::scaffold::VAGUE_NAMES;
use crate::section_role::is_generic;
use crate::stop_words::is_stop_word;
use crate::tasks::{bare_title, task};
use crate::units::Unit;
use skillkiln_document::blocks::{BlockKind, Document};
use skillkiln_document::text::{is_device_name, is_ideographic, letters, plain, slug, squash};

/// Longest name (V015).
const NAME_CHARS_MAX: usize = 64;
/// A title of no more words, without those that say nothing, is told with its product.
const PRODUCT_WORDS_MAX: usize = 2;
/// A product of no more letters may be short for another name.
const SHORT_BYTES_MAX: usize = 3;
/// Types that any file may have.
const COMMON_TYPES: [&str; 6] = ["Builder", "Config", "Error", "Item", "Options", "Result"];
/// Types among which a file of a program is called by one.
const TYPES_MAX: usize = 40;
/// Names that could be anything, beside those that the checks know (V019).
const VAGUE: &str = " readme changelog changes history news text index todo untitled input output reference options guide tutorial handbook \
    manual python javascript ruby rust java version page home welcome revision revisions table contents quick official checklist main item \
    release releases unreleased chapter preface foreword abstract lib mod src ";

/// Whether a word of a name could be that of anything.
pub(crate) fn is_vague(word: &str) -> bool {
    VAGUE_NAMES.contains(&word) || VAGUE.contains(&format!(" {word} ")) || is_device_name(word)
}

/// What a document is called: its one main heading, else what it calls itself, else its file.
#[must_use]
pub fn title(document: &Document, label: &str) -> String {
    let mut tops = document
        .blocks
        .iter()
        .enumerate()
        .filter_map(|(at, block)| match &block.kind {
            BlockKind::Heading { level: 1, text } => Some((at, squash(&plain(text)))),
            _ => None,
        });
    let first = tops.next();
    let is_only = tops.next().is_none();
    let main = first
        .filter(|(at, words)| {
            is_only && *at < 6 && words.chars().any(char::is_alphanumeric) && !is_contents(words)
        })
        .map(|(_, words)| words);
    let own = document
        .title
        .as_deref()
        .map(squash)
        // A number is that of a release, and the name of nothing.
        .filter(|title| title.chars().any(char::is_alphabetic) && !is_contents(title))
        .filter(|title| is_only || !names_release(title))
        .map(|title| without_site(&title, document.about.site.as_deref()));
    let says = |title: &String| !says_nothing(&bare_title(title).to_lowercase());
    let file = of_file(label);
    // A page may call itself by more than its heading does: "log (Caddyfile directive)" of "log".
    let is_longer = |own: &String| {
        main.as_ref().is_some_and(|main| {
            !main.contains(' ')
                && own
                    .strip_prefix(main.as_str())
                    .is_some_and(|rest| rest.starts_with(" ("))
        })
    };
    let longer = own.clone().filter(is_longer);
    let told = [&longer, &main, &own]
        .into_iter()
        .flatten()
        .find(|title| says(title));
    match told {
        Some(title) => without_readme(title),
        None if says(&file) && !label.contains("://") => file,
        None => main.or(own).unwrap_or(file),
    }
}

/// The type that a file of a program is about: that which most of it names. Types are written with a capital, and what they can do is not.
#[must_use]
pub fn main_type(outline: &Outline, units: &[Unit]) -> Option<String> {
    let titles = outline
        .sections
        .iter()
        .map(|one| bare_title(&one.title).trim_matches('`'));
    let types = titles.filter(|title| {
        let is_common = COMMON_TYPES.contains(title);
        title.starts_with(char::is_uppercase) && !title.contains(' ') && !is_common
    });
    let named = |title: &str| {
        units
            .iter()
            .filter(|unit| unit.text.contains(title))
            .count()
    };
    let counted = types.take(TYPES_MAX).map(|title| (named(title), title));
    let most = counted.reduce(|one, other| if other.0 > one.0 { other } else { one });
    most.map(|(_, title)| title.to_owned())
}

/// Whether a name or a title, in lower case, could be that of anything: "version 5", "quick start", "readme", "revision history".
#[must_use]
pub fn says_nothing(lower: &str) -> bool {
    let mut words = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let is_nobodys = |word: &str| {
        is_vague(word)
            || is_generic(word)
            || is_stop_word(word)
            || word.bytes().all(|byte| byte.is_ascii_digit())
    };
    let parts = words.clone().filter(|word| !is_stop_word(word)).count();
    let is_numbered = lower.contains(|c: char| c.is_ascii_digit());
    (words.all(is_nobodys) && !(is_numbered && parts > 2)) || is_generic(lower)
}

/// A title with the product in front, where it names it not and says little alone: "Brenn options", "Brenn doors and ash".
#[must_use]
pub fn product_title(title: &str, product: Option<&str>) -> String {
    let title = spoken(title);
    let is_own = |product: &&str| names_product(&title, product) || is_camel(&title);
    let Some(product) = product.filter(|product| !is_own(product)) else {
        return title;
    };
    let words = title
        .split(' ')
        .filter(|word| !is_stop_word(&word.to_lowercase()));
    let is_long = words.count() > PRODUCT_WORDS_MAX || task(&title, "", |_| true).is_own;
    if is_long && !says_nothing(&title.to_lowercase()) {
        return title;
    }
    let mut letters = title.chars();
    let first = letters.next().unwrap_or_default();
    let own = title.split(' ').next().unwrap_or_default();
    let is_name = own.chars().skip(1).any(char::is_uppercase);
    match letters.next().is_some_and(char::is_lowercase) && !is_name {
        true => format!(
            "{product} {}{}",
            first.to_lowercase(),
            title.get(first.len_utf8()..).unwrap_or_default()
        ),
        false => format!("{product} {title}"),
    }
}

/// Whether a title has the name of a product, a longer or a shorter form of it, or what a short one stands for: "Postgres" of PostgreSQL,
/// "ripgrep" of `rg`, "Kiln Door Notes" of KDNs.
pub(crate) fn names_product(title: &str, product: &str) -> bool {
    let product = letters(product);
    let mut words = title.split(|c: char| !c.is_alphanumeric()).map(letters);
    if product.len() <= SHORT_BYTES_MAX {
        return words.any(|word| stands_for(&product, &word));
    }
    let initials: String = title
        .split(' ')
        .filter_map(|word| word.chars().next())
        .collect();
    letters(title).contains(&product)
        || initials
            .to_lowercase()
            .contains(product.trim_end_matches('s'))
        || words.any(|word| word.len() > 3 && product.starts_with(&word))
}

/// Whether a short name has letters of a word, in their order, from its first one.
fn stands_for(short: &str, word: &str) -> bool {
    let mut rest = word.chars();
    word.starts_with(short.chars().next().unwrap_or_default())
        && short.chars().all(|c| rest.any(|other| other == c))
}

/// Whether a title is one word with capitals inside, as the name of an alert is, and no "QuickStart" that any product has.
pub(crate) fn is_camel(title: &str) -> bool {
    let capitals = title.chars().skip(1).filter(|c| c.is_uppercase()).count();
    let says = !says_nothing(&title.to_lowercase());
    !title.contains(' ') && capitals > 0 && title.chars().any(char::is_lowercase) && says
}

/// A title without what of a log of changes every project's has: "brenn" of "brenn CHANGELOG".
#[must_use]
pub fn without_vague(title: &str) -> String {
    let lower = title.to_lowercase().replace('\u{2019}', "'");
    let title_of = lower.find("what's new").and_then(|at| title.get(..at));
    let words = title_of
        .unwrap_or(title)
        .split(' ')
        .filter(|word| !is_vague(&word.to_lowercase()));
    let left = words.collect::<Vec<_>>().join(" ").trim().to_owned();
    if left.is_empty() {
        title.to_owned()
    } else {
        left
    }
}

/// A title without what a library, a manual or a program for books puts around it: "The Project Gutenberg eBook of Clay, by A. Potter" is
/// "Clay", and "kiln(1)" is "kiln".
fn spoken(title: &str) -> String {
    const FRONTS: [&str; 2] = ["the project gutenberg ebook of ", "project gutenberg's "];
    const ENDS: [&str; 3] = [" · gitbook", " - github", " - wikipedia"];
    let mut rest = title.trim();
    for front in FRONTS {
        let head = rest.get(..front.len());
        if head.is_some_and(|head| head.eq_ignore_ascii_case(front)) {
            rest = rest.get(front.len()..).unwrap_or(rest);
            rest = rest.split(", by ").next().unwrap_or(rest);
        }
    }
    for end in ENDS {
        let at = rest.len().saturating_sub(end.len());
        if rest
            .get(at..)
            .is_some_and(|tail| tail.eq_ignore_ascii_case(end))
        {
            rest = rest.get(..at).unwrap_or(rest);
        }
    }
    if let Some((name, section)) = rest
        .strip_suffix(')')
        .and_then(|rest| rest.rsplit_once('('))
        && section.len() == 1
        && section.bytes().all(|byte| byte.is_ascii_digit())
    {
        rest = name;
    }
    rest.trim().to_owned()
}

/// A slug in which nothing is read wrongly: in Japanese, Chinese characters have other readings than those that programs write, so that only
/// what is written in Latin letters or in the syllables of foreign words stays.
#[must_use]
pub fn readable_slug(text: &str, is_japanese: bool, chars_max: usize) -> String {
    // A picture is no word: "kiln-owl" of an owl behind the name.
    let is_picture = |c: char| matches!(c, '\u{2600}'..='\u{27bf}' | '\u{1f000}'..='\u{1faff}');
    let text = &text.replace(is_picture, " ");
    let has_kana = text.chars().any(|c| matches!(c, '\u{3041}'..='\u{30fa}'));
    if !is_japanese && !has_kana {
        return slug(text, chars_max);
    }
    let is_read = |c: char| !is_ideographic(c) || matches!(c, '\u{30a1}'..='\u{30ff}');
    let read: String = text
        .chars()
        .map(|c| if is_read(c) { c } else { ' ' })
        .collect();
    let words: Vec<&str> = read
        .split(' ')
        .filter(|word| word.chars().filter(|c| c.is_alphanumeric()).count() > 1)
        .collect();
    slug(&words.join(" "), chars_max)
}

/// Whether a title is that of one release among several: "Changes from 3.7c to 3.8".
fn names_release(title: &str) -> bool {
    title.split_whitespace().any(|word| {
        let (before, after) = word.split_once('.').unwrap_or((word, ""));
        before.ends_with(|c: char| c.is_ascii_digit())
            && after.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// A title without the name of its site behind a mark.
fn without_site(title: &str, site: Option<&str>) -> String {
    for mark in [" | ", " · ", " — ", " – ", " - "] {
        if let Some((own, behind)) = title.rsplit_once(mark)
            && site.is_some_and(|site| squash(site).eq_ignore_ascii_case(behind.trim()))
        {
            return own.trim().to_owned();
        }
    }
    title.to_owned()
}

/// A title of a file's name.
fn of_file(label: &str) -> String {
    let file = label
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or(label);
    let stem = file.split('?').next().unwrap_or(file);
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    // "kiln.en" and "kiln.zh-Hans" have their language behind them.
    let stem = match stem.rsplit_once('.') {
        Some((own, language)) if is_language(language) => own,
        _ => stem,
    };
    without_readme(&squash(&stem.replace(['_', '-'], " ")))
}

/// "kiln README" is of kiln.
fn without_readme(title: &str) -> String {
    match title.rsplit_once(' ') {
        Some((own, last)) if last.eq_ignore_ascii_case("readme") => own.to_owned(),
        _ => title.to_owned(),
    }
}

/// Whether a part of a file's name is the tag of a language: `en`, `pt-BR`, `zh-Hans`.
fn is_language(tag: &str) -> bool {
    let mut parts = tag.split(['-', '_']);
    let first = parts.next().unwrap_or_default();
    first.len() == 2
        && first.bytes().all(|byte| byte.is_ascii_lowercase())
        && parts.all(|part| {
            matches!(part.len(), 2 | 4) && part.bytes().all(|b| b.is_ascii_alphabetic())
        })
}

/// A name of a title: qualified by `product` where it says nothing alone, and none that is taken.
#[must_use]
pub fn name(title: &str, product: &str, digest: &str, taken: &[String]) -> String {
    let own = unreserved(&readable_slug(bare_title(title), false, NAME_CHARS_MAX));
    let of_product = unreserved(&slug(product, 30));
    let says_nothing = |name: &str| name.len() < 3 || says_nothing(name);
    let mut base = match says_nothing(&own) {
        true if !of_product.is_empty() && !own.contains(&of_product) => {
            format!("{of_product}-{own}")
        }
        _ => own,
    };
    base = base.trim_matches('-').to_owned();
    if says_nothing(&base) {
        let short: String = digest
            .chars()
            .filter(char::is_ascii_hexdigit)
            .take(8)
            .collect();
        base = match (base.is_empty(), short.is_empty()) {
            (true, true) => "skill-from-source".to_owned(),
            (true, false) => format!("skill-{short}"),
            (false, _) if base.len() == 2 && base.bytes().all(|byte| byte.is_ascii_lowercase()) => {
                format!("{base}-guide")
            }
            (false, true) => format!("{base}-guide"),
            (false, false) => format!("{base}-{short}"),
        };
    }
    let base = slug(&base, NAME_CHARS_MAX);
    free(base, |name| taken.iter().any(|one| one == name))
}

/// A name that is not taken: itself, or with the first number behind it that makes it so.
pub(crate) fn free(base: String, is_taken: impl Fn(&str) -> bool) -> String {
    let mut own = base;
    let stem = slug(&own, NAME_CHARS_MAX - 4);
    let mut number = 2;
    while is_taken(&own) {
        own = format!("{stem}-{number}");
        number += 1;
    }
    own
}

/// A slug without the words that the upload refuses (V017).
pub(crate) fn unreserved(name: &str) -> String {
    let mut name = name.to_owned();
    while name.contains("anthropic") || name.contains("claude") {
        name = name.replace("anthropic", "").replace("claude", "");
    }
    slug(&name, NAME_CHARS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_contents_and_one_release_of_several_give_no_title() {
        let titled = |text: &str, own: &str| {
            let mut document = skillkiln_document::testing::document(text);
            document.title = Some(own.into());
            title(&document, "docs/kiln-guide.md")
        };
        let contents = titled("# Table of Contents\n\nDoors.", "Table of Contents");
        assert_eq!(contents, "kiln guide");
        let releases = "# Changes from 3.7c to 3.8\n\nDoors.\n\n# Changes from 3.6 to 3.7c\n\nAsh.";
        assert_eq!(titled(releases, "Changes from 3.7c to 3.8"), "kiln guide");
        assert_eq!(titled("# Kiln 3.8\n\nDoors.", "Kiln 3.8"), "Kiln 3.8");
        let log = "# Unreleased\n\nDoors.\n\n# 3.8\n\nAsh.";
        assert_eq!(titled(log, "Unreleased"), "kiln guide");
        let longer = titled("# fire\n\nDoors.", "fire (a setting of Brenn)");
        assert_eq!(longer, "fire (a setting of Brenn)");
        assert_eq!(of_file("docs/kiln.zh-Hans.vtt"), "kiln");
    }

    #[test]
    fn a_title_that_says_little_is_told_with_its_product() {
        for (title, product, told) in [
            ("Overview", "oven-proxy", "oven-proxy overview"),
            ("QuickStart", "Brenn", "Brenn QuickStart"),
            ("Door options", "Kiln", "Kiln door options"),
            ("DOM", "RapidKiln", "RapidKiln DOM"),
            ("Kiln doors", "Kiln", "Kiln doors"),
            (
                "Fire the kiln slowly at night",
                "Brenn",
                "Fire the kiln slowly at night",
            ),
            ("kiln(1)", "Kiln", "kiln"),
            (
                "The Project Gutenberg EBook of Clay, by A. Potter",
                "Kiln",
                "Kiln clay",
            ),
        ] {
            assert_eq!(product_title(title, Some(product)), told);
        }
        assert_eq!(product_title("KilnTooHot", Some("Brenn")), "KilnTooHot");
        assert!(says_nothing("revision history") && says_nothing("version 5"));
        assert!(!says_nothing("kiln version 5"));
        assert!(says_nothing("frequently asked questions"));
    }

    #[test]
    fn no_chinese_reading_stands_in_a_japanese_name() {
        assert_eq!(readable_slug("窯の手入れ", false, 64), "");
        assert_eq!(readable_slug("エラー処理をKilnで", false, 64), "era-kiln");
        assert_eq!(readable_slug("Kiln API \u{1f989}", false, 64), "kiln-api");
        assert_eq!(readable_slug("手入", true, 64), "");
        assert_eq!(readable_slug("手入", false, 64), slug("手入", 64));
        assert_eq!(name("窯の手入れ", "", "1a2b3c4d5e", &[]), "skill-1a2b3c4d");
    }

    #[test]
    fn a_name_that_says_nothing_is_qualified_by_the_product() {
        assert_eq!(name("Options", "Kiln", "", &[]), "kiln-options");
        assert_eq!(name("Fire the kiln", "Kiln", "", &[]), "fire-the-kiln");
        assert_eq!(
            name("Fire the kiln", "", "", &["fire-the-kiln".into()]),
            "fire-the-kiln-2"
        );
        assert!(!name("窯", "", "1a2b3c4d5e", &[]).is_empty());
    }
}
