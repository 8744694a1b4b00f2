//! Owns how a heading reads inside a sentence, and which headings tell nothing there because every manual has them.

use super::describe::capitalised;
use super::hostile;
use super::manuals::part_of_manual;
use super::signature;
use super::title::decorated;
use super::words::is_english_stop;
use skillkiln_document::text::squash;
use std::cmp::Ordering;

/// Words with the quotes that TeX and old terminals write, as everybody writes them: ‘kiln’ of "`kiln'".
fn in_pairs(words: &str) -> String {
    let mut pieces = words.split('`');
    let first = pieces.next().unwrap_or_default().to_owned();
    let quoted = |piece: &str| {
        let (inner, rest) = piece.split_once('\'')?;
        let is_quoted = !inner.is_empty() && !rest.starts_with(char::is_alphanumeric);
        is_quoted.then(|| format!("‘{inner}’{rest}"))
    };
    let all: Option<Vec<String>> = pieces.map(quoted).collect();
    // Marks of code stand in twos.
    all.map_or_else(|| words.to_owned(), |all| first + &all.concat())
}

/// A heading as it reads inside a sentence: without number, final mark, or characters a description may not hold.
pub(super) fn for_description(heading: &str) -> String {
    // TeX's single quotes go in pairs; a mark of code is dropped below.
    let visible = in_pairs(&hostile::visible(heading));
    let visible = without_type_parameters(&signature::short(&visible));
    // `GET /kilns/{id}` is no other path; two braces are what a template has left open.
    let is_template = visible.contains("{{") || visible.contains("{%");
    let is_dropped = |c: &char| match c {
        '<' | '>' | '`' | '*' | '"' => true,
        '{' | '}' => is_template,
        _ => false,
    };
    let cleaned: String = visible.chars().filter(|c| !is_dropped(c)).collect();
    let squashed = squash(&cleaned);
    let squashed = without_owner(without_kind(without_division(without_path(&squashed))))
        .replace("---", "—")
        .replace(": ", " – ")
        .replace("->", "to")
        .replace('→', "to")
        .replace("I/O", "IO");
    // `E.20.1. Doors` stands in an appendix.
    let in_appendix = squashed.split_once(' ').filter(|(number, _)| {
        let digits = number
            .strip_prefix(|c: char| c.is_ascii_uppercase())
            .and_then(|rest| rest.strip_prefix('.'));
        digits.is_some_and(|digits| {
            digits.starts_with(|c: char| c.is_ascii_digit())
                && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        })
    });
    let unnumbered = in_appendix
        .map_or(squashed.as_str(), |(_, words)| words)
        .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' ' | '#'));
    // `64-bit files` begins with a word, not with a number, and `./fire.sh` with a folder.
    let is_word = squashed.strip_suffix(unnumbered).is_some_and(|number| {
        number.ends_with(|c: char| c.is_ascii_digit())
            || number.ends_with('.') && unnumbered.starts_with('/')
    });
    let chosen = if !is_word && unnumbered.chars().filter(|c| c.is_alphabetic()).count() >= 3 {
        unnumbered
    } else {
        squashed.as_str()
    };
    let spoken = without_lone_brackets(lowered(&decorated(chosen)));
    spoken
        .trim_end_matches(['.', ':', '?', '!', ' ', ',', ';', '…'])
        .to_owned()
}

/// What an operation of an interface does, without how it is called: "Fire a kiln" of "POST /kilns/{id} Fire a kiln".
fn without_path(heading: &str) -> &str {
    let told = heading.split_once(' ').and_then(|(method, rest)| {
        let is_method = matches!(
            method,
            "GET" | "PUT" | "POST" | "DELETE" | "PATCH" | "HEAD" | "OPTIONS" | "TRACE"
        );
        let (path, told) = rest.split_once(' ')?;
        (is_method && path.starts_with('/')).then_some(told)
    });
    told.unwrap_or(heading)
}

/// A title as it goes on in an English sentence: without the capitals of its words, other than those of names. Where `text` does not
/// tell of one of them whether it is a name, they all stay.
pub(super) fn in_sentence(title: &str, text: &str) -> String {
    let writings: Vec<Writing> = title
        .split(' ')
        .skip(1)
        .map(|word| writing(word.trim_matches(|c: char| !c.is_alphanumeric()), text))
        .collect();
    let are_known = !writings.contains(&Writing::Unknown);
    let mut out = String::with_capacity(title.len());
    let mut words = title.split(' ');
    let first = words.next().unwrap_or_default();
    match first.chars().nth(1).is_some_and(char::is_uppercase) {
        true => out.push_str(first),
        false => out.push_str(&lower_first(first)),
    }
    for (word, writing) in words.zip(writings) {
        out.push(' ');
        match writing {
            Writing::Small => out.push_str(&lower_first(word)),
            Writing::Plain if are_known => out.push_str(&lower_first(word)),
            _ => out.push_str(word),
        }
    }
    out
}

/// How a word of a title is written inside sentences.
#[derive(PartialEq, Eq)]
enum Writing {
    /// With a capital at most in titles, as all know.
    Small,
    /// Without a capital, as the text shows.
    Plain,
    /// As it stands.
    Own,
    /// Nothing shows it.
    Unknown,
}

fn writing(word: &str, text: &str) -> Writing {
    let lower = word.to_lowercase();
    let mut rest = word.chars();
    let is_letter = word.len() == 1 && word != "A";
    if is_letter || !rest.next().is_some_and(char::is_uppercase) || !rest.all(char::is_lowercase) {
        return Writing::Own;
    }
    if is_english_stop(&lower) || lower == "started" {
        return Writing::Small;
    }
    let (mut plain, mut named) = (0, 0);
    let (mut before, mut is_inside) = ("", false);
    for token in text.split_whitespace() {
        let bare = token.trim_matches(|c: char| !c.is_alphanumeric());
        // At the beginning of a sentence, a capital tells nothing; names may have several words.
        is_inside = !before.ends_with(['.', '!', '?', ':'])
            && (is_inside
                || before.starts_with(char::is_lowercase)
                || is_english_stop(&before.to_lowercase()));
        plain += usize::from(bare == lower);
        named += usize::from(bare == word && is_inside);
        is_inside &= bare.starts_with(char::is_uppercase);
        before = token;
    }
    match plain.cmp(&named) {
        Ordering::Less => Writing::Own,
        _ if plain > 0 => Writing::Plain,
        _ => Writing::Unknown,
    }
}

fn lower_first(word: &str) -> String {
    let mut letters = word.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// Words without a closing bracket that nothing opened: its partner went with the number before the words.
fn without_lone_brackets(words: String) -> String {
    [('[', ']'), ('(', ')')]
        .into_iter()
        .fold(words, |words, (open, close)| {
            if words.contains(close) && !words.contains(open) {
                squash(&words.replace(close, ""))
            } else {
                words
            }
        })
}

/// `Purposes and Goals` of `Chapter 1. Purposes and Goals`, and `Adding a Library` of `Step 2: Adding a Library`.
pub(super) fn without_division(words: &str) -> &str {
    if let Some(rest) = without_wide_division(words) {
        return rest;
    }
    let mut parts = words.splitn(3, ' ');
    let (Some(division), Some(number), Some(rest)) = (parts.next(), parts.next(), parts.next())
    else {
        return words;
    };
    const DIVISIONS: &str = "anhang annexe apéndice appendice appendix beispiel bijlage capitolo capítulo chapitre chapter ejemplo esempio \
        example exemple exercise hoofdstuk kapitel lecture lesson parte part przykład rozdział section step teil voorbeeld глава \
        приложение пример раздел часть";
    let lower = division.to_lowercase();
    let is_division = DIVISIONS.split(' ').any(|known| known == lower);
    // A number is set off by its own stop, or by a dash behind it.
    let after_dash = rest
        .strip_prefix(['-', '–', '—'])
        .and_then(|rest| rest.strip_prefix(' '));
    let is_number = number.len() <= 8
        && (number.ends_with(['.', ':']) || after_dash.is_some())
        && number
            .trim_end_matches(['.', ':'])
            .chars()
            .all(|c| c.is_ascii_digit() || c.is_ascii_uppercase() || c == '.');
    let rest = after_dash.unwrap_or(rest);
    if is_division && is_number && rest.contains(char::is_alphabetic) {
        rest
    } else {
        words
    }
}

/// `窯` of `第4章 窯`, as Chinese and Japanese number the parts of a book.
fn without_wide_division(words: &str) -> Option<&str> {
    let (number, rest) = words
        .strip_prefix('第')?
        .split_once(['章', '节', '節', '部', '課', '课'])?;
    let is_number = |c: char| c.is_numeric() || c == ' ' || "〇一二三四五六七八九十百".contains(c);
    let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || ":：.．、-".contains(c));
    (number.chars().all(is_number) && rest.contains(char::is_alphabetic)).then_some(rest)
}

/// `Consumer lag` of `Runbook: Consumer lag`: what kind of text it is tells no subject.
pub(super) fn without_kind(words: &str) -> &str {
    const KINDS: &str = "checklist cookbook faq guide handbook how-to howto lab lecture lesson notes playbook recipe rezept runbook \
        tutorial walkthrough workshop";
    let Some((kind, rest)) = words.split_once(": ") else {
        return words;
    };
    let lower = kind.trim().to_lowercase();
    match KINDS.split(' ').any(|known| known == lower) && rest.contains(char::is_alphabetic) {
        true => rest.trim_start(),
        false => words,
    }
}

/// `Rye bread` of `Rye bread, my weekday version`: whose it is tells no subject, and a description is in the third person.
fn without_owner(words: &str) -> &str {
    words
        .split_once(", my ")
        .or_else(|| words.split_once(", our "))
        .map(|(head, _)| head)
        .filter(|head| head.contains(' '))
        .unwrap_or(words)
}

/// `Using Result in tests` of `Using Result<T, E> in tests`, and `the script tag` of `the <script src="a.js"> tag`; what stands
/// in pointed brackets by itself is kept.
pub(super) fn without_type_parameters(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    let mut rest = words;
    while let Some(at) = rest.find('<') {
        let (before, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let belongs = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let mut depth = 0_usize;
        let end = after.char_indices().find_map(|(at, c)| {
            match c {
                '<' => depth += 1,
                '>' => depth = depth.saturating_sub(1),
                _ => {}
            }
            (depth == 0).then_some(at + 1)
        });
        match end.filter(|_| belongs) {
            Some(end) => rest = after.get(end..).unwrap_or_default(),
            None if end.is_some_and(|end| is_tag(after.get(..end).unwrap_or_default())) => {
                let inside = after.get(1..end.unwrap_or(1)).unwrap_or_default();
                let name = inside.split([' ', '>']).next().unwrap_or_default();
                out.push_str(if name.starts_with('/') { "" } else { name });
                rest = after.get(end.unwrap_or(1)..).unwrap_or_default();
            }
            None => {
                out.push('<');
                rest = after.get(1..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    out
}

/// Whether this is a tag with attributes, or one that closes.
fn is_tag(bracketed: &str) -> bool {
    let inside = bracketed.trim_start_matches('<').trim_end_matches('>');
    inside
        .strip_prefix('/')
        .is_some_and(|name| name.chars().all(char::is_alphanumeric))
        || inside.split_once(' ').is_some_and(|(name, rest)| {
            name.chars().all(char::is_alphanumeric) && rest.contains('=')
        })
}

/// What tells that words in capitals are those of a Romance language.
const ROMANCE: [&str; 9] = ["AUX", "DE", "DEL", "DES", "DU", "LAS", "LES", "LOS", "UNE"];
/// What is no acronym then.
const ROMANCE_SMALL: [&str; 33] = [
    "À", "AL", "AU", "AUX", "CON", "DA", "DAS", "DE", "DEL", "DES", "DI", "DO", "DOS", "DU", "E",
    "EL", "EM", "EN", "ET", "IL", "LA", "LAS", "LE", "LES", "LOS", "OU", "PAR", "POR", "SUR", "UN",
    "UNA", "UNE", "Y",
];

/// A heading that shouts, as manual pages have them, in small letters; what may be an acronym stays.
fn lowered(words: &str) -> String {
    let letters = || words.chars().filter(|c| c.is_alphabetic());
    if letters().count() < 6 || letters().any(char::is_lowercase) {
        return words.to_owned();
    }
    let is_small = |word: &str| {
        matches!(
            word,
            "A" | "AN"
                | "AND"
                | "AS"
                | "AT"
                | "BY"
                | "FOR"
                | "HOW"
                | "IN"
                | "IS"
                | "NOT"
                | "OF"
                | "ON"
                | "OR"
                | "THE"
                | "TO"
                | "USE"
        )
    };
    let is_acronym = |word: &str| {
        matches!(
            word,
            "ASCII"
                | "HTML"
                | "HTTP"
                | "HTTPS"
                | "JSON"
                | "LDAP"
                | "POSIX"
                | "REST"
                | "SMTP"
                | "TOML"
                | "UNIX"
                | "YAML"
        ) || begins_as_no_word(word)
    };
    // Romance languages join what they say with small words, and lose a vowel in front of another.
    let pieces = || words.split(|c: char| !c.is_alphabetic());
    let is_romance = pieces().any(|word| ROMANCE.contains(&word));
    let is_small = |word: &str, piece: &str| {
        let is_elided = || {
            matches!(word, "C" | "D" | "J" | "L" | "N" | "QU" | "S")
                && piece.ends_with(['\'', '’'])
                && piece.chars().count() == word.chars().count() + 1
        };
        is_small(word) || is_elided() || is_romance && ROMANCE_SMALL.contains(&word)
    };
    // German nouns have capitals anywhere, and most words of its headings are nouns.
    let is_german = is_german(words);
    // What is written with an underline is the name of something, and stands as it is written.
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::with_capacity(words.len());
    for piece in words.split_inclusive(|c: char| !is_part(c)) {
        if piece.contains('_') {
            out.push_str(piece);
            continue;
        }
        let word = piece.trim_end_matches(|c: char| !c.is_alphanumeric());
        // The end of "DEVELOPER'S" is no word.
        let is_end = || matches!(word, "S" | "T") && out.ends_with(['\'', '’']);
        let is_lowered =
            (word.chars().count() > 3 && !is_acronym(word)) || is_small(word, piece) || is_end();
        if is_german && is_lowered && !is_german_stop(&word.to_lowercase()) {
            out.push_str(&capitalised(&piece.to_lowercase()));
        } else if is_lowered || is_german && is_german_stop(&word.to_lowercase()) {
            out.push_str(&piece.to_lowercase());
        } else {
            out.push_str(piece);
        }
    }
    out
}

/// Whether a word in capitals begins with more consonants than any that is spoken: `DNSSEC`.
fn begins_as_no_word(word: &str) -> bool {
    let consonants = word
        .chars()
        .take_while(|c| c.is_ascii_uppercase() && !"AEIOUY".contains(*c));
    consonants.count() >= 4 && !word.starts_with("SCH")
}

/// Whether a heading in capitals is German, by its letters, its small words or the ends of its nouns.
fn is_german(words: &str) -> bool {
    words.contains(['Ä', 'Ö', 'Ü', 'ẞ'])
        || words.split(|c: char| !c.is_alphabetic()).any(|word| {
            matches!(
                word,
                "DER" | "EINE" | "FÜR" | "ODER" | "UND" | "ZUM" | "ZUR"
            ) || word.len() > 11 && word.ends_with("EN")
                || word.len() > 6
                    && ["UNG", "UNGEN", "HEIT", "KEIT", "SCHAFT", "IERUNG"]
                        .iter()
                        .any(|end| word.ends_with(end))
        })
}

/// Small words of German.
fn is_german_stop(lower: &str) -> bool {
    matches!(
        lower,
        "aus"
            | "bei"
            | "das"
            | "dem"
            | "den"
            | "der"
            | "des"
            | "ein"
            | "eine"
            | "für"
            | "im"
            | "mit"
            | "oder"
            | "und"
            | "vom"
            | "von"
            | "zum"
            | "zur"
    )
}

/// What the parts of code are, as those who write pages from its comments call them: Doxygen, Javadoc, GTK-Doc, YARD.
const PARTS_OF_CODE: [&str; 56] = [
    "&",
    "and",
    "annotation",
    "attribute",
    "attributes",
    "class",
    "classes",
    "constant",
    "constants",
    "constructor",
    "constructors",
    "data",
    "define",
    "definition",
    "destructor",
    "destructors",
    "element",
    "enum",
    "enumeration",
    "enumerations",
    "enumerator",
    "event",
    "field",
    "fields",
    "file",
    "friend",
    "friends",
    "function",
    "functions",
    "inherited",
    "instance",
    "interface",
    "macro",
    "macros",
    "member",
    "members",
    "method",
    "methods",
    "module",
    "namespace",
    "nested",
    "object",
    "operator",
    "optional",
    "properties",
    "property",
    "related",
    "required",
    "signal",
    "signals",
    "slot",
    "slots",
    "structure",
    "type",
    "typedef",
    "variable",
];
/// What such a page says of them below a heading, and whose they are.
const SAID_OF_PARTS: [&str; 6] = [
    "detail",
    "details",
    "documentation",
    "hierarchy",
    "summary",
    "description",
];
const KINDS_OF_PARTS: [&str; 4] = ["private", "protected", "public", "static"];

/// Whether a heading is one that pages written from comments in code have of any code: "Member Function Documentation".
fn is_of_generator(heading: &str) -> bool {
    let lower = heading.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return false;
    };
    let is_part = |word: &&str| PARTS_OF_CODE.contains(word) || KINDS_OF_PARTS.contains(word);
    let is_said = |word: &&str| *word == "detailed" || SAID_OF_PARTS.contains(word);
    let is_of_parts = first.split('/').all(|part| PARTS_OF_CODE.contains(&part));
    is_of_parts && lower.contains(" inherited from ")
        || words.len() >= 2
            && (is_said(last) || KINDS_OF_PARTS.contains(first))
            && words.iter().all(|word| is_part(word) || is_said(word))
        || matches!(
            lower.as_str(),
            "indices and tables" | "team and repository tags" | "types and values"
        )
}

/// What options are called, and what is said of them where nothing is said of what they are for.
const OPTIONS: [&str; 4] = ["arguments", "flags", "options", "parameters"];
const SAID_OF_OPTIONS: [&str; 20] = [
    "additional",
    "all",
    "available",
    "basic",
    "command",
    "command-line",
    "common",
    "general",
    "generic",
    "global",
    "keyword",
    "line",
    "list",
    "main",
    "optional",
    "other",
    "positional",
    "required",
    "standard",
    "supported",
];

/// Whether a heading stands over options of any kind: "Required flags", "LIST COMMAND FLAGS", and "KILN WIDE FLAGS" of all that a
/// program has.
fn is_of_options(heading: &str) -> bool {
    let lower = heading.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let Some((last, before)) = words.split_last() else {
        return false;
    };
    OPTIONS.contains(last)
        && (before.iter().all(|word| SAID_OF_OPTIONS.contains(word))
            || matches!(before, [_, "wide"]))
}

/// Whether a heading names a kind of section, as every manual has it.
pub(super) fn is_structural(heading: &str) -> bool {
    if part_of_manual(heading).is_some() || is_of_generator(heading) || is_of_options(heading) {
        return true;
    }
    matches!(
        heading.to_lowercase().as_str(),
        "api"
            | "api reference"
            | "attributes"
            | "basic usage"
            | "bugs"
            | "commands"
            | "environment"
            | "environment variables"
            | "exit status"
            | "exit codes"
            | "files"
            | "name"
            | "operations"
            | "return value"
            | "schemas"
            | "synopsis"
            | "acknowledgement"
            | "author"
            | "authors"
            | "available languages"
            | "building"
            | "code of conduct"
            | "comments"
            | "community"
            | "compatibility"
            | "configuration parameters"
            | "contact"
            | "contents of this page"
            | "contribute"
            | "contributing"
            | "contribution"
            | "contributions"
            | "copyright"
            | "credits"
            | "details"
            | "directives"
            | "disclaimer"
            | "download"
            | "downloads"
            | "example"
            | "examples"
            | "faq"
            | "getting help"
            | "history"
            | "includes"
            | "intro"
            | "licence"
            | "licensing"
            | "links"
            | "maintainers"
            | "miscellany"
            | "module contents"
            | "package contents"
            | "stability level"
            | "submodules"
            | "subpackages"
            | "used by"
            | "minimum rust version"
            | "minimum supported rust version"
            | "minimum supported rust version (msrv)"
            | "more information"
            | "msrv"
            | "notice"
            | "purpose"
            | "rust version support"
            | "sponsors"
            | "support"
            | "supported rust versions"
            | "thanks"
            | "topics"
            | "tutorial"
            | "versioning"
            | "versions"
            | "what is this"
            | "features"
            | "functionality"
            | "getting started"
            | "goals"
            | "installation"
            | "installing"
            | "library"
            | "limitations"
            | "motivation"
            | "non-goals"
            | "performance"
            | "prerequisites"
            | "quick start"
            | "quickstart"
            | "reference"
            | "requirements"
            | "setup"
            | "troubleshooting"
            | "usage"
            | "testing"
            | "development"
            | "how it works"
            | "associated types"
            | "auto trait implementations"
            | "blanket implementations"
            | "constants"
            | "description"
            | "enums"
            | "errors"
            | "fields"
            | "functions"
            | "implementations"
            | "implementors"
            | "macros"
            | "methods"
            | "modules"
            | "panics"
            | "properties"
            | "provided methods"
            | "re-exports"
            | "required methods"
            | "safety"
            | "structs"
            | "trait implementations"
            | "traits"
            | "type aliases"
            | "variants"
            // What changed, as change logs sort it.
            | "added"
            | "additions"
            | "breaking"
            | "breaking change"
            | "breaking changes"
            | "bug fixes"
            | "bugfixes"
            | "changed"
            | "chore"
            | "commit details"
            | "commit statistics"
            | "deprecated"
            | "enhancements"
            | "feat"
            | "fixed"
            | "fixes"
            | "improvements"
            | "misc"
            | "miscellaneous"
            | "new contributors"
            | "new features"
            | "other"
            | "other changes"
            | "prior releases"
            | "removed"
            | "unreleased"
            | "what's changed"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_of_tex_keep_both_halves() {
        assert_eq!(
            for_description("The `kilnee' package"),
            "The ‘kilnee’ package"
        );
        assert_eq!(for_description("What `kiln` does"), "What kiln does");
        assert_eq!(
            for_description("The `kiln isn't open"),
            "The kiln isn't open"
        );
    }

    #[test]
    fn an_operation_is_told_by_what_it_does() {
        for (heading, told) in [
            ("`GET /kilns/{id}` One kiln", "one kiln"),
            ("POST /kilns Fire a kiln", "fire a kiln"),
            ("`GET /kilns`", "GET /kilns"),
            ("GET requests and kilns", "GET requests and kilns"),
        ] {
            assert_eq!(for_description(heading).to_lowercase(), told.to_lowercase());
        }
    }

    #[test]
    fn what_a_command_is_called_is_no_kind_of_section() {
        for name in ["add", "remove", "update", "fix", "implement"] {
            assert!(!is_structural(name), "{name}");
        }
        assert!(is_structural("Bug fixes") && is_structural("Commands"));
        for heading in [
            "Member Function Documentation",
            "Constructor & Destructor Documentation",
            "Static Public Member Functions",
            "Detailed Description",
            "Method Detail",
            "Nested Class Summary",
            "Methods inherited from class Kiln",
        ] {
            assert!(is_structural(heading), "{heading}");
        }
        for heading in [
            "FLAGS",
            "Optional arguments",
            "LIST COMMAND FLAGS",
            "kiln wide flags",
        ] {
            assert!(is_structural(heading), "{heading}");
        }
        assert!(!is_structural("Firing options"));
        for heading in [
            "Data structures",
            "Public kilns",
            "Kiln class summary",
            "Functions",
        ] {
            assert!(!is_of_generator(heading), "{heading}");
        }
    }

    #[test]
    fn small_words_of_romance_languages_are_no_acronyms() {
        for (heading, said) in [
            ("CODES D'ÉTAT DE PROCESSUS", "codes d'état de processus"),
            ("CLÉS DE FOURS OBSOLÈTES", "clés de fours obsolètes"),
            ("VALORES DE SALIDA Y ERRORES", "valores de salida y errores"),
            ("THE LE AND BE FORMATS", "the LE and BE formats"),
        ] {
            assert_eq!(lowered(heading), said);
        }
    }

    #[test]
    fn the_end_of_a_word_behind_an_apostrophe_is_as_small_as_the_word() {
        assert_eq!(
            for_description("DEBIAN DEVELOPER’S DUTIES"),
            "debian developer’s duties"
        );
    }

    #[test]
    fn a_title_goes_on_in_a_sentence_with_the_capitals_of_its_names() {
        let text = "Filters of Python burn. These filters turn Python on.";
        for (title, spoken) in [
            ("Developing Filters", "developing filters"),
            ("Getting Started with Kilns", "getting started with Kilns"),
            (
                "Developing Generator Filters",
                "developing Generator Filters",
            ),
            ("Distributing Python Filters", "distributing Python filters"),
            ("URL Filters", "URL filters"),
        ] {
            assert_eq!(in_sentence(title, text), spoken);
        }
    }

    #[test]
    fn a_heading_reads_as_part_of_a_sentence() {
        for (heading, words) in [
            ("3.2 The `name` field:", "The name field"),
            ("Using Result<T, E> in Tests", "Using Result in Tests"),
            ("Building <target>", "Building target"),
            ("GET /kilns/{id}", "GET /kilns/{id}"),
            ("Set {{ kiln }} on fire", "Set kiln on fire"),
            ("./fire.sh -s root", "./fire.sh -s root"),
            ("UID AND GID POOLS", "UID and GID pools"),
            (
                "SSH-BASED VIRTUAL PRIVATE NETWORKS",
                "SSH-based virtual private networks",
            ),
            ("SYNTAX", "syntax"),
            ("5. DNSSEC", "DNSSEC"),
            ("Runbook: Consumer lag", "Consumer lag"),
            ("Chapter 3: Ash", "Ash"),
            ("EXAMPLE 2. Add a pot", "Add a pot"),
            ("Rye bread, my weekday version", "Rye bread"),
            ("Chapter 53 - Log files", "Log files"),
            ("第4章 窯", "窯"),
            ("VERIFYING HOST KEYS", "verifying host keys"),
            ("TCP-WEITERLEITUNG", "TCP-Weiterleitung"),
            ("MASKIERZEICHEN", "Maskierzeichen"),
            ("MIT LICENSE", "MIT license"),
            ("PRÜFUNG DER SCHLÜSSEL", "Prüfung der Schlüssel"),
            ("TCP", "TCP"),
            ("COMMIT_PREPARED", "COMMIT_PREPARED"),
            ("[Unreleased] - a date", "Unreleased - a date"),
            ("pub fn len(&self) -> usize", "len"),
            ("a < b and c > d", "a b and c d"),
        ] {
            assert_eq!(for_description(heading), words, "{heading}");
        }
    }
}
