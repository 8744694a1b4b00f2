//! Owns to what a title belongs that would fit the documentation of anything, such as "Quick Start" or "build": to the command that
//! it is a part of, to the site of its page, to the command that its code calls, or to what its file is called.

use super::heading_words::for_description;
use super::outline::is_generic;
use super::places::{Place, visit};
use super::products::{imported, installed, qualified, told_first};
use super::series::counts_parts;
use super::title::{called, is_vague, without_number};
use skillkiln_document::blocks::{Block, Document};
use skillkiln_document::quick::QuickMap;
use skillkiln_document::text::{letters, slug, squash};
use skillkiln_document::titled::project_before;

/// How a title is told that says nothing alone.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Belonging {
    /// In a name: `borg Quick Start`.
    pub(super) named: String,
    /// In a sentence: `Quick Start (borg)`.
    pub(super) spoken: String,
}

/// Words of titles that stand in the documentation of anything.
const ANYBODYS: &str = "a admin administration administrator administrators advanced and api architecture asked authentication authorization backing basic basics build building cheatsheet command commands common community concepts \
    configuration configuring contributing cookbook customization customizing debugger debugging deploy deploying deployment \
    design details develop developer developers developing development docs documentation example examples extending faq faqs \
    features file files for frequently get getting glossary guide help how howto implementation install installation installing \
    instructions internals intro introduction issues key keys known limitations log logging logs manual migrating migration name new notes of \
    operation operations options our overview performance plan preparing problems programmer programmers questions quick quickstart readme recipes \
    reference release repositories repository requirements restoring roadmap routing run running \
    script scripts security selector selectors settings setup specification start started support syntax task tasks testing tests \
    the things tips to tricks troubleshoot troubleshooting tutorial tutorials up upgrade upgrading usage user users using various version with \
    work workspace workspaces your";
/// Commands that stand in the examples of all others.
const EVERYWHERE: &str = "apt apt-get bash brew cargo cat cd chmod chown cmake cp curl dnf echo env exit export find git gcc grep head if kill less ln ls make mkdir mv \
    nano pip pip3 ps python python3 pwd rm sed set sh source ssh su systemctl tail tar tee test touch vi vim wget which yum";
/// The same command begins this many calls, and this share of them all, where a text is on it.
const CALLS_MIN: usize = 3;
const CALLS_SHARE_PERCENT: usize = 40;
/// A site's name is short.
const SITE_CHARS_MAX: usize = 48;
/// So often a text speaks of what its file is called by.
const NAMED_MIN: usize = 3;
/// Of a file's name so much is looked at.
const FILE_CHARS_MAX: usize = 64;

/// How a title is told with what it belongs to; none where it says enough, or nothing in the source tells.
pub(super) fn of(title: &str, document: &Document, label: &str) -> Option<Belonging> {
    let bare = without_number(title);
    if let Some(stem) = latin_file(bare, label) {
        return Some(Belonging {
            named: stem,
            spoken: title.to_owned(),
        });
    }
    if let Some(module) = module_of(bare, document) {
        let item = bare.rsplit(' ').next().unwrap_or(bare);
        return Some(Belonging {
            named: format!("{module}::{item}"),
            spoken: format!("{bare} ({module})"),
        });
    }
    let bare = match bare.split_once(' ') {
        // A number without a stop is that of a section where what follows fits anything.
        Some((number, rest)) if is_number(number) && number.len() < 3 && is_anybodys(rest) => rest,
        _ => bare,
    };
    if let Some(project) = project_of(bare, document) {
        return belonging_to(project, bare, document);
    }
    let is_word = bare.len() > 1 && bare.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    // "Hooks" and "Ownership" are something else on each site.
    let is_noun = bare.starts_with(char::is_uppercase)
        && bare.chars().all(char::is_alphabetic)
        && bare.chars().skip(1).all(char::is_lowercase);
    if is_noun && !is_anybodys(bare) {
        return site(bare, document)
            .filter(|site| is_manuals(site))
            .and_then(|site| belonging_to(&site, bare, document));
    }
    if !is_word && !is_anybodys(bare) {
        return manual(bare, document).and_then(|manual| belonging_to(&manual, bare, document));
    }
    let calls = calls(&document.blocks);
    if let Some(command) = calls.commands_with(bare).filter(|_| is_word) {
        let whole = format!("{command} {bare}");
        return Some(Belonging {
            named: whole.clone(),
            spoken: whole,
        });
    }
    if !is_anybodys(bare) {
        return None;
    }
    let whole = site(bare, document)
        .or_else(|| label.strip_suffix(".info").and_then(|_| stem_of(label)))
        .or_else(|| calls.most().map(str::to_owned))
        .or_else(|| in_file(bare, label))
        .or_else(|| named_by_file(label, &document.blocks))
        .or_else(|| installed(&document.blocks))
        .or_else(|| imported(&document.blocks))
        .or_else(|| told_first(&document.blocks))
        .or_else(|| qualified(&document.blocks))?;
    belonging_to(&whole, bare, document)
}

/// A title with the whole that it belongs to.
fn belonging_to(whole: &str, bare: &str, document: &Document) -> Option<Belonging> {
    let whole = called(whole, &document.blocks)?;
    // What is to be read first of something is called as that is.
    if bare.eq_ignore_ascii_case("readme") {
        return Some(Belonging {
            named: whole.clone(),
            spoken: whole,
        });
    }
    let spoken = match bare.contains(char::is_lowercase) {
        true => bare.to_owned(),
        false => for_description(bare),
    };
    let article = ["The ", "A ", "An "];
    let named = article
        .iter()
        .find_map(|article| bare.strip_prefix(article))
        .unwrap_or(bare);
    Some(Belonging {
        named: format!("{whole} {named}"),
        spoken: format!("{spoken} ({whole})"),
    })
}

/// The project before a page's own title, where it names one.
fn project_of<'d>(title: &str, document: &'d Document) -> Option<&'d str> {
    let project = project_before(document.title.as_deref()?, title)?;
    let is_told = project.chars().count() <= SITE_CHARS_MAX
        && !is_anybodys(project)
        && !is_generic(project)
        && !letters(title).contains(&letters(project));
    is_told.then_some(project)
}

/// The module that an item of a Rust library is in, as rustdoc writes it in the title of the item's page: `Vec in std::vec - Rust`.
fn module_of<'d>(title: &str, document: &'d Document) -> Option<&'d str> {
    let (item, module) = document
        .title
        .as_deref()?
        .strip_suffix(" - Rust")?
        .split_once(" in ")?;
    let is_module = module
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '_' | ':'));
    (is_module && title.split(' ').next_back() == Some(item)).then_some(module)
}

/// What a manual is of that says so itself, where a title of one of its pages does not name it: somebody who looks for "Working with
/// repositories" looks for those of one program.
fn manual(title: &str, document: &Document) -> Option<String> {
    const KINDS: [&str; 10] = [
        "book",
        "docs",
        "documentation",
        "faq",
        "guide",
        "handbook",
        "language",
        "manual",
        "reference",
        "tutorial",
    ];
    // Whom it is for, and of what kind it is; what made the pages is not what they are on.
    const NO_PRODUCTS: [&str; 42] = [
        "administrator",
        "administrators",
        "admin",
        "api",
        "complete",
        "core",
        "customer",
        "developer",
        "developers",
        "doxygen",
        "encyclopedia",
        "free",
        "full",
        "function",
        "functions",
        "godoc",
        "internal",
        "javadoc",
        "language",
        "ldoc",
        "library",
        "my",
        "official",
        "online",
        "operator",
        "operators",
        "our",
        "product",
        "programmer",
        "programmers",
        "public",
        "rdoc",
        "s",
        "software",
        "sphinx",
        "system",
        "technical",
        "the",
        "user",
        "users",
        "yard",
        "your",
    ];
    let whole = site_told(title, document)?;
    let lower = whole.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric());
    // "The Kiln Book (2nd edition)" ends with what it is as well.
    let is_word = |word: &&str| word.len() > 1 && !word.starts_with(|c: char| c.is_ascii_digit());
    let mut last = words.filter(|word| is_word(word) && *word != "edition");
    let is_manual = last.next_back().is_some_and(|word| KINDS.contains(&word));
    let of = site_of(title, whole).filter(|of| of.len() > 1 && is_manual)?;
    let is_product = |word: &str| !NO_PRODUCTS.contains(&word) && !is_anybodys(word);
    let called = of.to_lowercase();
    if !called
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .any(is_product)
    {
        return None;
    }
    let own = letters(title);
    let mut words = of.split(' ').map(letters).filter(|word| word.len() > 2);
    let is_named = words.any(|word| own.contains(&word));
    (!is_named).then_some(of)
}

/// Whether a site may be that of a manual; one of what people write about is none.
fn is_manuals(site: &str) -> bool {
    let lower = site.to_lowercase();
    !["blog", "news", "magazine", "wiki", "'s", "’s"]
        .iter()
        .any(|word| lower.contains(word))
}

/// Whether a title is made of words that stand in the documentation of anything.
pub(super) fn is_anybodys(title: &str) -> bool {
    let lower = title.to_lowercase();
    let mut words = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty() && !is_number(word));
    let is_known = |word: &str| ANYBODYS.split(' ').any(|known| known == word);
    words.clone().next().is_some() && words.all(is_known)
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_digit())
}

/// What the file of a text is called whose title is in letters that a name cannot have: they would be spelled out.
fn latin_file(title: &str, label: &str) -> Option<String> {
    let is_foreign = |c: &char| c.is_alphabetic() && !is_latin(*c);
    let foreign = title.chars().filter(is_foreign).count();
    let stem = stem_of(label)?;
    // The signs of Chinese in Japanese would be spelled as Chinese is read.
    let is_japanese = title.chars().any(|c| matches!(c, '\u{3040}'..='\u{30ff}'));
    if is_japanese && stem.len() == 2 && stem.bytes().all(|b| b.is_ascii_lowercase()) {
        return Some(stem);
    }
    let is_name = stem.len() > 2
        && stem.starts_with(|c: char| c.is_ascii_lowercase())
        && stem
            .split('-')
            .any(|part| part.len() > 2 && part.bytes().all(|b| b.is_ascii_lowercase()))
        && !stem
            .split('-')
            .all(|part| is_vague(part) || is_anybodys(part) && part != "release");
    // A sign of Chinese says as much as three letters, so that a name in Latin ones beside it weighs less than it is long.
    let letters = title.chars().filter(|c| c.is_alphabetic()).count();
    (foreign * 3 > letters && is_name).then_some(stem)
}

fn is_latin(c: char) -> bool {
    matches!(c, '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
}

/// What the name of a file begins with, as a name is written; none where it is an address.
fn stem_of(label: &str) -> Option<String> {
    let file = label.rsplit(['/', '\\']).next()?;
    let (stem, _) = file.split_once('.')?;
    (stem.is_ascii() && !label.contains("://")).then(|| slug(stem, FILE_CHARS_MAX))
}

/// The name of the site without what kind of text it is; none where it says nothing beside the title.
fn site(title: &str, document: &Document) -> Option<String> {
    site_of(title, site_told(title, document)?)
}

fn site_of(title: &str, told: &str) -> Option<String> {
    let own = letters(title);
    Some(product(told)).filter(|site| {
        site.contains(char::is_alphabetic)
            && site.chars().count() <= SITE_CHARS_MAX
            && !is_anybodys(site)
            && !is_generic(site)
            // A key that an address is made of names nobody.
            && !site.ends_with(".onion")
            && !counts_parts(&site.to_lowercase())
            && !letters(site).contains(&own)
    })
}

/// The site in its own words: as the page gives it, or what else stands in the title of the page.
fn site_told<'d>(title: &str, document: &'d Document) -> Option<&'d str> {
    let own = letters(title);
    let rest = || {
        let whole = document.title.as_deref()?;
        let pieces = [" | ", " — ", " – ", " · ", " :: ", " » ", " - "]
            .iter()
            .map(|separator| whole.split(separator).collect::<Vec<_>>())
            .find(|pieces| pieces.len() > 1)?;
        let is_own =
            |piece: &&&str| letters(piece).trim_start_matches(|c: char| c.is_ascii_digit()) == own;
        pieces.iter().find(is_own)?;
        pieces.into_iter().rfind(|piece| !is_own(&piece))
    };
    document.about.site.as_deref().or_else(rest)
}

/// `Borg` of `Borg 1.2.4 documentation`, of `The Borg Book`, and of `Borg - Archives for all`.
pub(super) fn product(site: &str) -> String {
    let name = [" - ", " – ", ": "]
        .iter()
        .find_map(|dash| site.split_once(dash))
        .map_or(site, |(name, _)| name);
    let words = name.split_whitespace();
    let kept: Vec<&str> = words
        .take_while(|word| {
            let lower = word.to_lowercase();
            let is_version = lower
                .trim_start_matches('v')
                .starts_with(|c: char| c.is_ascii_digit());
            !is_version && !["documentation", "docs", "manual"].contains(&lower.as_str())
        })
        .collect();
    let mut kept = kept.as_slice();
    if let ["The", rest @ ..] = kept {
        kept = rest;
    }
    if let [name @ .., "Programming", "Language"] = kept
        && !name.is_empty()
    {
        kept = name;
    }
    while let [rest @ .., last] = kept
        && !rest.is_empty()
        && (["book", "handbook", "version"].contains(&last.to_lowercase().as_str())
            || is_anybodys(last))
    {
        kept = rest;
    }
    kept.join(" ")
}

/// The commands that a text's code calls, each with what it does.
struct Calls<'a> {
    calls: Vec<(&'a str, &'a str)>,
}

fn calls(blocks: &[Block]) -> Calls<'_> {
    let mut calls = Vec::new();
    visit(blocks, &mut |place, text| match place {
        Place::Listing(language) => {
            let is_shell = language.is_some_and(|language| {
                ["sh", "bash", "shell", "zsh", "console", "terminal"].contains(&language)
            });
            let lines = text
                .lines()
                .filter(|line| is_shell || prompted(line).is_some() || line.starts_with("Usage:"));
            calls.extend(lines.filter_map(call));
        }
        // A word alone is no call, and neither is a value that is compared or a field that is set.
        Place::Code => calls.extend(call(text).filter(|(command, does)| {
            does.starts_with(|c: char| c.is_alphanumeric() || "-<[".contains(c))
                && !command.contains('.')
        })),
        _ => {}
    });
    Calls { calls }
}

/// A line without the prompt before it; none where there is none.
fn prompted(line: &str) -> Option<&str> {
    let line = line.trim_start();
    ["$ ", "# ", "% ", "> "]
        .iter()
        .find_map(|prompt| line.strip_prefix(prompt))
}

/// The command that a line calls, and its next word.
fn call(line: &str) -> Option<(&str, &str)> {
    let line = prompted(line).unwrap_or(line);
    let line = line.strip_prefix("Usage:").unwrap_or(line);
    let mut words = line.split_whitespace().skip_while(|word| *word == "sudo");
    let command = words.next()?;
    let is_command = command.len() > 1
        && command.starts_with(|c: char| c.is_ascii_lowercase())
        && command
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "._+-".contains(c));
    is_command.then(|| (command, words.next().unwrap_or_default()))
}

impl<'a> Calls<'a> {
    /// The command that is called with a word next to it, where it is always the same.
    fn commands_with(&self, word: &str) -> Option<&'a str> {
        let mut commands = self
            .calls
            .iter()
            .filter(|(_, next)| *next == word)
            .map(|(command, _)| *command);
        let first = commands.next()?;
        let mut others = 0;
        let is_one = commands
            .inspect(|_| others += 1)
            .all(|command| command == first);
        (is_one && others > 0 && first != word).then_some(first)
    }

    /// The command that most calls begin with.
    fn most(&self) -> Option<&'a str> {
        let mut counts: QuickMap<&str, usize> = QuickMap::default();
        let own = |command: &&str| !EVERYWHERE.split(' ').any(|known| known == *command);
        let commands = self.calls.iter().map(|(command, _)| *command).filter(own);
        let all = commands
            .map(|command| *counts.entry(command).or_default() += 1)
            .count();
        let (command, count) = counts
            .into_iter()
            .max_by_key(|(command, count)| (*count, std::cmp::Reverse(*command)))?;
        (count >= CALLS_MIN && count * 100 >= all * CALLS_SHARE_PERCENT).then_some(command)
    }
}

/// What stands beside a title in the name of its file: `docker` of `docker-glossary.md`.
fn in_file(title: &str, label: &str) -> Option<String> {
    let stem = stem_of(label)?;
    let own = slug(title, FILE_CHARS_MAX);
    let rest = stem
        .strip_suffix(own.as_str())
        .and_then(|rest| rest.strip_suffix('-'))
        .or_else(|| stem.strip_prefix(own.as_str())?.strip_prefix('-'))?;
    let tells = |part: &str| {
        part.len() > 2
            && part.bytes().all(|b| b.is_ascii_lowercase())
            && !is_vague(part)
            && !is_anybodys(part)
    };
    rest.split('-')
        .all(tells)
        .then(|| squash(&rest.replace('-', " ")))
}

/// What the name of a file names that its text speaks of: `Kiln` of `Kiln-4.2-Users_Guide-en-US.epub`. The name in the text's own letters.
fn named_by_file(label: &str, blocks: &[Block]) -> Option<String> {
    let stem = stem_of(label)?;
    let tells = |part: &&str| {
        part.len() > 2
            && part.contains(|c: char| c.is_ascii_lowercase())
            && !is_vague(part)
            && !is_anybodys(part)
    };
    let parts: Vec<&str> = stem.split('-').filter(tells).collect();
    let mut times: QuickMap<String, usize> = QuickMap::default();
    visit(blocks, &mut |place, text| {
        if place == Place::Text {
            for word in text.split(|c: char| !c.is_alphanumeric()) {
                if parts.contains(&word.to_ascii_lowercase().as_str()) {
                    *times.entry(word.to_owned()).or_default() += 1;
                }
            }
        }
    });
    // A name has a capital wherever it stands: what is also written small is a word.
    let is_name = |name: &&str| {
        let small = times.get(*name).copied().unwrap_or_default();
        let all: usize = times
            .iter()
            .filter(|(word, _)| word.eq_ignore_ascii_case(name))
            .map(|(_, times)| times)
            .sum();
        all >= NAMED_MIN && small * 10 <= all
    };
    let part = parts.iter().copied().find(|part| is_name(part))?;
    let written = times
        .into_iter()
        .filter(|(word, _)| word.eq_ignore_ascii_case(part));
    written
        .max_by(|one, other| one.1.cmp(&other.1).then(other.0.cmp(&one.0)))
        .map(|(word, _)| word)
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    fn named(title: &str, page: Option<&str>, text: &str, label: &str) -> Option<String> {
        let mut document = testing::document(text);
        document.title = page.map(str::to_owned);
        of(title, &document, label).map(|whole| whole.named)
    }

    #[test]
    fn a_guide_for_anybody_is_called_with_what_its_file_names_and_its_text_speaks_of() {
        let text = "# Users' Guide\n\nInstall Kilnit. Kilnit burns. With Kilnit, pots are made of wood and of clay.";
        let named = |text: &str, label: &str| named("Users' Guide", None, text, label);
        assert_eq!(
            named(text, "Kilnit-4.2-Users_Guide-en-US.epub").as_deref(),
            Some("Kilnit Users' Guide")
        );
        // A word, a name that stands there once, and no name at all.
        assert_eq!(
            named(&text.replace("burns", "kilnit burns"), "kilnit-guide.epub"),
            None
        );
        assert_eq!(
            named("# Users' Guide\n\nInstall Kilnit.", "kilnit-guide.epub"),
            None
        );
        assert_eq!(named(text, "users-guide.epub"), None);
    }

    #[test]
    fn a_part_of_a_command_is_called_with_the_command() {
        let text = "# rm\n\n```\nUsage:  kiln rm POT\n\n```bash\n$ kiln rm -f pot\n\nWords.";
        let text = text.replace("POT\n\n```bash", "POT\n```\n\n```bash");
        let mut document = testing::document(&text);
        assert_eq!(of("rm", &document, "rm.md").unwrap().spoken, "kiln rm");
        document.blocks.pop();
        document.blocks.pop();
        assert_eq!(of("rm", &document, "rm.md"), None, "one line shows nothing");
    }

    #[test]
    fn a_page_is_called_with_the_project_before_its_title() {
        let page = |title| {
            named(
                "Heat Transport",
                Some(title),
                "# Heat Transport\n\nIt is hot.",
                "a.html",
            )
        };
        assert_eq!(
            page("kiln_lib: Heat Transport").as_deref(),
            Some("kiln_lib Heat Transport")
        );
        assert_eq!(page("Guide: Heat Transport"), None);
        assert_eq!(page("Heat Transport: Heat"), None);
    }

    #[test]
    fn a_title_that_fits_anything_is_called_with_its_site() {
        let page = |title| {
            named(
                "Quick Start",
                Some(title),
                "# Quick Start\n\nFire it.",
                "a.html",
            )
        };
        assert_eq!(
            page("Quick Start — Kiln 1.2.4 documentation").as_deref(),
            Some("Kiln Quick Start")
        );
        assert_eq!(
            page("Quick Start - Kiln").as_deref(),
            Some("Kiln Quick Start")
        );
        assert_eq!(
            page("Quick Start — Pottery Oven Interface (POI) Utility 5.1 documentation").as_deref(),
            Some("Pottery Oven Interface (POI) Utility Quick Start")
        );
        assert_eq!(page("Quick Start"), None);
        assert_eq!(page("Chapter 53 - Quick Start"), None);
        assert_eq!(
            named(
                "Quick Firing",
                Some("Quick Firing - Kiln"),
                "Fire it.",
                "a.html"
            ),
            None
        );
    }

    #[test]
    fn a_title_of_one_word_is_called_with_the_site_of_a_manual() {
        let page = |title: &str, whole: &str| named(title, Some(whole), "Fire it.", "a.html");
        assert_eq!(
            page("Hooks", "Hooks - The Kiln Book").as_deref(),
            Some("Kiln Hooks")
        );
        assert_eq!(page("Hooks", "Hooks - Ana's Kiln Blog"), None);
        assert_eq!(page("Kilns", "Kilns - Kilns"), None);
        assert_eq!(page("fireKiln", "fireKiln - Kiln"), None);
        assert_eq!(page("Hooks", "Hooks"), None);
    }

    #[test]
    fn a_page_of_a_manual_is_called_with_what_that_is_of() {
        let page = |title: &str, whole: &str| named(title, Some(whole), "Fire it.", "a.html");
        assert_eq!(
            page(
                "Working with pots",
                "Working with pots — Kiln 1.2 documentation"
            )
            .as_deref(),
            Some("Kiln Working with pots")
        );
        assert_eq!(
            page("Working with pots", "Working with pots | Kiln Reference").as_deref(),
            Some("Kiln Working with pots")
        );
        assert_eq!(
            page("The ways of fire", "The ways of fire — Kiln documentation").as_deref(),
            Some("Kiln ways of fire")
        );
        for whole in [
            "Firing a kiln — Kiln 1.2 documentation",
            "Firing a kiln - My guide",
            "Firing a kiln - RDoc Documentation",
            "Firing a kiln - Developer Documentation",
            "Firing a kiln - Programmer's Guide",
            "Firing a kiln - Ada's Book Blog of pots",
            "Firing a kiln - The Free Encyclopedia Book",
        ] {
            assert_eq!(page("Firing a kiln", whole), None, "{whole}");
        }
    }

    #[test]
    fn an_item_of_a_library_is_called_with_its_module() {
        let page = |title: &str, whole: &str| named(title, Some(whole), "It burns.", "a.html");
        assert_eq!(
            page("Struct Door", "Door in kilns::doors - Rust").as_deref(),
            Some("kilns::doors::Door")
        );
        assert_eq!(page("Struct Door", "Doors in old kilns - Rust"), None);
        assert_eq!(page("Old Doors", "Door in kilns - Rust"), None);
    }

    #[test]
    fn examples_are_called_with_the_library_that_they_use() {
        let text = |import: &str| {
            format!(
                "# Examples\n\n{}",
                format!("```\nuse std::fs;\n{import}\n```\n\nA.\n\n").repeat(3)
            )
        };
        let whole = |import: &str| named("Examples", None, &text(import), "a.md");
        for import in [
            "use kilnlib::Door;",
            "from kilnlib import Door",
            "import kilnlib",
            "import { Door } from 'kilnlib';",
            "const { Door } = require('kilnlib');",
        ] {
            assert_eq!(
                whole(import).as_deref(),
                Some("kilnlib Examples"),
                "{import}"
            );
        }
        let readme = text("import kilnlib").replace("# Examples", "# README");
        assert_eq!(
            named("README", None, &readme, "a.md").as_deref(),
            Some("kilnlib")
        );
        assert_eq!(whole("import os"), None);
        assert_eq!(whole("use of doors"), None);
    }

    #[test]
    fn a_site_is_called_without_its_version_and_without_what_kind_of_text_it_is() {
        for (site, name) in [
            ("Kiln 5.2.6 documentation", "Kiln"),
            ("The Kiln Book", "Kiln"),
            ("Kiln - Fires for all 1.2 documentation", "Kiln"),
            ("Kiln Frequently-Asked Questions", "Kiln"),
            ("Kiln Documentation (2.2.x)", "Kiln"),
            ("Kiln Server Version 2.4", "Kiln Server"),
            ("The Pottery Language", "Pottery Language"),
            ("The Clay Programming Language", "Clay"),
        ] {
            assert_eq!(product(site), name);
        }
        for title in [
            "Workspaces",
            "Log files",
            "Routing Tasks",
            "Migrating to 4.0.0",
            "1 OPTIONS",
        ] {
            let page = format!("{title} - The Kiln Book");
            assert!(
                named(title, Some(&page), "Fire it.", "a.html").is_some(),
                "{title}"
            );
        }
        assert_eq!(
            named("1 OPTIONS", None, "Fire it.", "kiln.info").as_deref(),
            Some("kiln OPTIONS")
        );
    }

    #[test]
    fn a_heading_in_capitals_is_told_without_them() {
        let document = testing::document("Fire it.");
        let whole = of("1 OPTIONS", &document, "kiln.info").unwrap();
        assert_eq!(whole.spoken, "options (kiln)");
    }

    #[test]
    fn a_title_that_no_name_can_be_written_of_leaves_it_to_the_file() {
        let name = |title, label| named(title, None, "窯。", label);
        assert_eq!(
            name("第4章 窯の使い方", "firing.ja.html").as_deref(),
            Some("firing")
        );
        assert_eq!(
            name("B.4. 窑炉的内容(clay)", "docs/preseed.zh.html").as_deref(),
            Some("preseed")
        );
        for label in [
            "index.html",
            "057.html",
            "窯.html",
            "https://kiln.example/firing.html",
        ] {
            assert_eq!(name("第4章 窯の使い方", label), None, "{label}");
        }
        assert_eq!(name("Öfen bauen", "firing.de.html"), None);
    }

    #[test]
    fn a_title_that_fits_anything_is_called_with_the_command_of_its_code() {
        let text = |command: &str| {
            format!(
                "# Troubleshooting\n\n```bash\nsudo {command} log\n{command} list\ncd pots\n{command} fire\n```"
            )
        };
        let whole = |command: &str| named("Troubleshooting", None, &text(command), "a.md");
        assert_eq!(whole("kiln").as_deref(), Some("kiln Troubleshooting"));
        assert_eq!(
            whole("curl"),
            None,
            "it stands in the examples of all others"
        );
    }

    #[test]
    fn a_title_that_fits_anything_is_called_with_what_its_file_adds() {
        let file = |label| named("Glossary", None, "# Glossary\n\nWords.", label);
        assert_eq!(file("kiln-glossary.md").as_deref(), Some("kiln Glossary"));
        for nothing in [
            "glossary.md",
            "057-glossary.md",
            "docs-glossary.md",
            "words.md",
        ] {
            assert_eq!(file(nothing), None, "{nothing}");
        }
    }
}
