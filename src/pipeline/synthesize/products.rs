//! Owns by what signs a text shows the product that it is on, where neither its page nor its site says so: what it has installed,
//! what its code is imported from, who does something in its first sentence, and before what its types are written.

use super::outline::block_text;
use super::places::{Place, visit};
use super::sentences::sentences;
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::quick::QuickMap;
use skillkiln_document::text::letters;

/// So many imports of one library, and this share of them all, show that a text is on it.
const IMPORTS_MIN: usize = 3;
const IMPORTS_SHARE_PERCENT: usize = 60;
/// What is installed is named so often in all, with the line that installs it.
const NAMED_MIN: usize = 3;
/// The first sentence that says who does something stands in one of so many blocks.
const FIRST_BLOCKS: usize = 3;
/// So many types written behind one name, and this share of them all.
const TYPES_MIN: usize = 8;
const TYPES_SHARE_PERCENT: usize = 60;
/// Below these the modules of any library of a language stand.
const SHARED: &str = "Algebra Array Codec Control Data Database Foreign Graphics Language Math Microsoft Network Numeric Object Prelude Promise \
    Sound String System Test Text Type";
/// How installers are called.
const INSTALLERS: [&str; 21] = [
    "bun add ",
    "cargo add ",
    "cargo install ",
    "composer require ",
    "conda install ",
    "dotnet add package ",
    "gem install ",
    "go get ",
    "go install ",
    "npm add ",
    "npm i ",
    "npm install ",
    "pip install ",
    "pip3 install ",
    "pipx install ",
    "pnpm add ",
    "pnpm install ",
    "poetry add ",
    "uv add ",
    "yarn add ",
    "yarn global add ",
];
/// What is installed to work on anything, or with anything.
const TOOLS: &str = "angular autoconf axios babel black build coverage cython django eslint express fastapi flake8 flask git hatch isort jest jquery jupyter keras lodash make matplotlib mypy nginx nodejs npm numpy pandas pip pipenv pipx \
    pnpm poetry pre-commit prettier pylint pytest python python3 react react-dom requests ruff scikit-learn scipy setuptools sphinx svelte tensorflow torch tox transformers twine \
    typescript uv virtualenv vite vue webpack wheel yarn";
/// With these a sentence begins as well, and they are no names; nor are the places that all projects are at.
const NO_NAMES: &str = "a all an and any as at before both by after each every for from github gitlab here how i if in it its many most next no note on \
    once one or our please python see since some that the their there these they this those to use used using version we what \
    when where which while who why with you your";
/// What a sentence says that its subject does.
const DEEDS: &str = "allows enables exposes gives helps implements integrates is lets makes offers provides requires ships supports uses";

/// The product whose package a text has installed: what most of its lines that install something name, and what it speaks of besides.
pub(super) fn installed(blocks: &[Block]) -> Option<String> {
    let mut counts: QuickMap<String, usize> = QuickMap::default();
    visit(blocks, &mut |place, text| {
        if matches!(place, Place::Listing(_) | Place::Code) {
            for name in text.lines().filter_map(package) {
                *counts.entry(name.to_owned()).or_default() += 1;
            }
        }
    });
    let all: usize = counts.values().sum();
    let (name, count) = most(counts)?;
    let bare = letters(name.rsplit('/').next().unwrap_or(&name));
    let mut named = 0;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    visit(blocks, &mut |_, text| {
        let words = text.split(|c: char| !is_part(c));
        named += words.filter(|word| letters(word) == bare).count();
    });
    (count * 2 > all && bare.len() > 1 && named >= NAMED_MIN).then_some(name)
}

/// The name that was counted most, of several the first in the order of letters.
fn most(counts: QuickMap<String, usize>) -> Option<(String, usize)> {
    counts
        .into_iter()
        .max_by(|one, other| one.1.cmp(&other.1).then(other.0.cmp(&one.0)))
}

/// What a line installs first, without its version and its extras.
fn package(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(|c: char| "$#%> ".contains(c));
    let rest = INSTALLERS.iter().find_map(|installer| {
        let at = line.find(installer)?;
        let before = line.get(..at)?;
        // `sudo`, `python -m` and `uv` call others.
        let calls_other = before.is_empty() || before.ends_with(' ');
        let is_short = before.split_whitespace().count() <= 2;
        (calls_other && is_short).then(|| line.get(at + installer.len()..))?
    })?;
    let mut words = rest.split_whitespace();
    let name = loop {
        let word = words.next()?;
        match word {
            "-r" | "-c" | "-e" | "--requirement" | "--channel" | "--editable" => {
                words.next();
            }
            _ if word.starts_with('-') => {}
            _ => break word,
        }
    };
    let name = name.trim_matches(|c: char| "\"'`;,".contains(c));
    let scope = usize::from(name.starts_with('@'));
    let end = name
        .char_indices()
        .skip(scope)
        .find(|(_, c)| "[=<>~!@^;".contains(*c))
        .map_or(name.len(), |(at, _)| at);
    let name = name.get(..end)?;
    let is_name = name.len() > 1
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_@/.".contains(c))
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '@')
        && (scope == 1 || !name.contains('/'))
        && !TOOLS.split(' ').any(|tool| tool == name);
    is_name.then_some(name)
}

/// The library that most of a text's code takes something from: `kiln` of `use kiln::Door;`, `from kiln import Door` and
/// `import { Door } from "kiln"`.
pub(super) fn imported(blocks: &[Block]) -> Option<String> {
    const OWN: [&str; 29] = [
        "assert",
        "buffer",
        "child_process",
        "crypto",
        "events",
        "fs",
        "http",
        "https",
        "path",
        "stream",
        "url",
        "util",
        "std",
        "core",
        "alloc",
        "crate",
        "self",
        "super",
        "os",
        "sys",
        "java",
        "javax",
        "json",
        "re",
        "typing",
        "fmt",
        "react",
        "time",
        "logging",
    ];
    let mut counts: QuickMap<String, usize> = QuickMap::default();
    let mut all = 0;
    visit(blocks, &mut |place, text| {
        if !matches!(place, Place::Listing(_)) {
            return;
        }
        for line in text.lines() {
            if let Some(name) = import(line.trim()).filter(|name| !OWN.contains(name)) {
                *counts.entry(name.to_owned()).or_default() += 1;
                all += 1;
            }
        }
    });
    let (name, count) = most(counts)?;
    (count >= IMPORTS_MIN && count * 100 >= all * IMPORTS_SHARE_PERCENT).then_some(name)
}

/// What a line of code takes something from.
fn import(line: &str) -> Option<&str> {
    let quoted = |rest: &'_ str| -> Option<usize> { rest.find(['"', '\'']) };
    let name = if let Some(rest) = line.strip_prefix("use ") {
        rest.split("::")
            .next()
            .filter(|name| name.len() < rest.len())?
    } else if let Some(rest) = line.strip_prefix("from ") {
        rest.split_once(" import ")?.0.split([' ', '.']).next()?
    } else if let Some((_, rest)) = line.split_once("require(") {
        let at = quoted(rest).filter(|at| *at == 0)?;
        rest.get(at + 1..)?.split(['"', '\'']).next()?
    } else {
        let rest = line.strip_prefix("import ")?;
        match quoted(rest) {
            Some(at) => rest.get(at + 1..)?.split(['"', '\'']).next()?,
            None => rest.split([' ', '.', ',']).next()?,
        }
    };
    let is_name = name.len() > 1
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '@')
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_-@/".contains(c));
    is_name.then_some(name)
}

/// The name that does something in the first sentence of a text: `Kilnctl` of "Kilnctl lets you keep keys", where it is named again.
pub(super) fn told_first(blocks: &[Block]) -> Option<String> {
    let text = blocks
        .iter()
        .take(FIRST_BLOCKS)
        .find(|block| matches!(block.kind, BlockKind::Paragraph(_)))
        .map(block_text)?;
    let first = sentences(&text).into_iter().next()?;
    let mut words = text.get(first)?.split_whitespace();
    let mut name = words.next()?.to_owned();
    let mut deed = words.next()?;
    // A name may have two words.
    if deed.starts_with(char::is_uppercase) {
        name = format!("{name} {deed}");
        deed = words.next()?;
    }
    let is_known = |word: &str, list: &str| list.split(' ').any(|known| known == word);
    let is_name = name.starts_with(char::is_uppercase)
        && name.len() > 2
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || "-_. ".contains(c))
        && !name
            .split(' ')
            .any(|word| is_known(&word.to_lowercase(), NO_NAMES));
    // What is also written small in sentences is no name: users, doors.
    let small = name.to_lowercase();
    let (mut times, mut is_common) = (0, false);
    visit(blocks, &mut |place, text| {
        times += text.matches(&name).count();
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        is_common |= place == Place::Text && words.any(|word| word == small);
    });
    let is_told = is_known(deed, DEEDS) && times >= NAMED_MIN && !is_common;
    (is_name && is_told).then_some(name)
}

/// The name before most types that are written behind one: `Kiln` of `Kiln.Door` and `Kiln.Lid`. What every library has its modules
/// below is no product.
pub(super) fn qualified(blocks: &[Block]) -> Option<String> {
    let mut counts: QuickMap<String, usize> = QuickMap::default();
    let mut all = 0;
    visit(blocks, &mut |_, text| {
        let parts = text.split(|c: char| !c.is_alphanumeric() && c != '.' && c != '_');
        for part in parts {
            let Some((before, behind)) = part.split_once('.') else {
                continue;
            };
            let is_type = |name: &str| {
                name.starts_with(|c: char| c.is_ascii_uppercase())
                    && name.chars().nth(1).is_some_and(|c| c.is_ascii_lowercase())
            };
            let is_shared = SHARED.split(' ').any(|shared| shared == before);
            if is_type(before) && is_type(behind) && !is_shared {
                *counts.entry(before.to_owned()).or_default() += 1;
                all += 1;
            }
        }
    });
    let (name, count) = most(counts)?;
    (count >= TYPES_MIN && count * 100 >= all * TYPES_SHARE_PERCENT).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::super::testing::document;
    use super::*;

    #[test]
    fn a_text_is_on_what_it_has_installed_and_speaks_of() {
        let on = |text: &str| installed(&document(text).blocks);
        let about = "\n\nkiln-lib burns. Import `kiln_lib`.\n";
        for line in [
            "pip install kiln-lib",
            "$ python -m pip install -U \"kiln-lib[wood]>=2\"",
            "npm install --save kiln-lib@latest",
            "uv pip install kiln-lib",
        ] {
            let text = format!("# Installing\n\n```sh\n{line}\n```{about}");
            assert_eq!(on(&text).as_deref(), Some("kiln-lib"), "{line}");
        }
        for line in [
            "pip install -r kiln-lib",
            "pip install .",
            "pip install pytest",
            "apt install kiln-lib",
            "npm install",
            "pip install wood\npip install kiln-lib",
        ] {
            let text = format!("# Installing\n\n```sh\n{line}\n```{about}");
            assert_eq!(on(&text), None, "{line}");
        }
        assert_eq!(on("# Installing\n\n`pip install wood`\n"), None);
    }

    #[test]
    fn a_text_is_on_what_does_something_in_its_first_sentence() {
        let on = |text: &str| told_first(&document(text).blocks);
        let text = "# API keys\n\nAider lets you give keys. Give Aider one, and Aider keeps it.\n";
        assert_eq!(on(text).as_deref(), Some("Aider"));
        for other in [
            "# API keys\n\nThis lets you give keys. This is so. This is good.\n",
            "# API keys\n\nAider lets you give keys.\n",
            "# API keys\n\nKeys open doors. Keys shut them. Keys rust.\n",
            "# API keys\n\nPotter lets pots cool. Potter waits. Potter or no potter, they cool.\n",
        ] {
            assert_eq!(on(other), None, "{other}");
        }
    }

    #[test]
    fn a_text_is_on_what_its_types_are_written_behind() {
        let line = "`get()` gives a `Kiln.Door`.\n\n";
        let text = format!("# Reference\n\n{}", line.repeat(8));
        assert_eq!(qualified(&document(&text).blocks).as_deref(), Some("Kiln"));
        assert_eq!(qualified(&document(line).blocks), None);
        let shared = text.replace("Kiln.", "Data.");
        assert_eq!(qualified(&document(&shared).blocks), None);
    }
}
