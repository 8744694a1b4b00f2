//! Reads the running text of Texinfo: commands with their words in braces, one within the other.

use super::Names;
use crate::builder::tidy;
use skillkiln_document::text::{Inline, plain, squash};
use unicode_normalization::UnicodeNormalization;

/// Deepest command within a command that is kept; deeper ones are words.
const DEPTH_MAX: usize = 16;

/// The running text that `words` are.
pub(super) fn read(words: &str, names: &Names) -> Vec<Inline> {
    tidy(inlines(words, names, 0, Place::Words))
}

/// The letters that `words` are, as in an example: without marks, and with every dash as it is written.
pub(super) fn letters(words: &str, names: &Names) -> String {
    plain(&inlines(words, names, 0, Place::Code))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Words,
    Code,
}

fn inlines(words: &str, names: &Names, depth: usize, place: Place) -> Vec<Inline> {
    let mut out: Vec<Inline> = Vec::new();
    let mut text = String::new();
    let mut rest = words;
    while let Some(at) = rest.find('@') {
        let (before, from) = rest.split_at(at);
        text += &typeset(before, place);
        let command = from.get(1..).unwrap_or("");
        let Some(first) = command.chars().next() else {
            rest = "";
            break;
        };
        if !first.is_ascii_alphabetic() {
            let behind = command.get(first.len_utf8()..).unwrap_or("");
            let (sign, taken) = sign(first, behind);
            text += &sign;
            rest = behind.get(taken..).unwrap_or("");
            continue;
        }
        let length = command
            .bytes()
            .take_while(u8::is_ascii_alphanumeric)
            .count();
        let (name, behind) = command.split_at(length);
        let Some((inside, after)) = braced(behind) else {
            // A command without words of its own, as `@noindent` within a line, and a macro before its words.
            if depth < DEPTH_MAX && names.is_macro(name) {
                let length = behind.find('\n').unwrap_or(behind.len());
                let (inside, after) = behind.split_at(length);
                rest = after;
                if !text.is_empty() {
                    out.push(Inline::Text(std::mem::take(&mut text)));
                }
                out.extend(defined(name, inside, names, depth + 1, place));
            } else {
                text += unbraced(name);
                rest = behind.strip_prefix('{').unwrap_or(behind);
            }
            continue;
        };
        rest = after;
        if let Some(letter) = letter(name, inside) {
            text += &letter;
            continue;
        }
        if depth >= DEPTH_MAX {
            text += inside;
            continue;
        }
        if !text.is_empty() {
            out.push(Inline::Text(std::mem::take(&mut text)));
        }
        out.extend(meaning(name, inside, names, depth + 1, place));
    }
    text += &typeset(rest, place);
    if !text.is_empty() {
        out.push(Inline::Text(text));
    }
    out
}

/// Words as they are printed: quotes and dashes are written with signs of a typewriter. Two dashes at a word's beginning are an option's,
/// which a manual that is made from another leaves without its mark, and stay.
fn typeset(words: &str, place: Place) -> String {
    if place == Place::Code || !words.contains(['`', '\'', '-']) {
        return words.to_owned();
    }
    let mut out = String::with_capacity(words.len());
    let mut is_quoted = false;
    let mut rest = words;
    while let Some(c) = rest.chars().next() {
        let begins_word = !out.ends_with(|c: char| c.is_alphanumeric() || c == '-');
        let signs = [
            ("---", "—"),
            ("--", "–"),
            ("``", "“"),
            ("''", "”"),
            ("`", "‘"),
        ];
        let sign = signs.iter().find(|(typed, _)| rest.starts_with(typed));
        let (shown, length) = match sign {
            Some((typed @ "--", _))
                if begins_word
                    && rest
                        .get(2..)
                        .unwrap_or("")
                        .starts_with(|c: char| c.is_ascii_alphabetic()) =>
            {
                (*typed, 2)
            }
            Some((typed, shown)) => (*shown, typed.len()),
            None if c == '\''
                && is_quoted
                && !rest
                    .get(1..)
                    .unwrap_or("")
                    .starts_with(char::is_alphanumeric) =>
            {
                ("’", 1)
            }
            None => (rest.get(..c.len_utf8()).unwrap_or(""), c.len_utf8()),
        };
        match shown {
            "‘" => is_quoted = true,
            "’" => is_quoted = false,
            _ => {}
        }
        out += shown;
        rest = rest.get(length..).unwrap_or("");
    }
    out
}

/// What stands in the braces at the start of `text`, and what stands behind them.
pub(super) fn braced(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('{')?;
    let mut depth = 1_usize;
    let mut is_escaped = false;
    for (at, c) in inside.char_indices() {
        match c {
            _ if is_escaped => {
                is_escaped = false;
                continue;
            }
            '@' => is_escaped = true,
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((inside.get(..at)?, inside.get(at + 1..)?));
        }
    }
    None
}

/// What a command of one sign stands for, and how many bytes behind it belong to it.
fn sign(first: char, behind: &str) -> (String, usize) {
    let mark = match first {
        '@' | '{' | '}' | '!' | '?' | '.' => return (first.to_string(), 0),
        ' ' | '\n' | '\t' => return (" ".to_owned(), 0),
        '*' => return ("\n".to_owned(), 0),
        ':' | '-' | '/' | '|' => return (String::new(), 0),
        '\'' => '\u{301}',
        '`' => '\u{300}',
        '"' => '\u{308}',
        '^' => '\u{302}',
        '~' => '\u{303}',
        '=' => '\u{304}',
        ',' => '\u{327}',
        _ => return (format!("@{first}"), 0),
    };
    let (letter, taken) = match braced(behind) {
        Some((inside, after)) => (inside, behind.len() - after.len()),
        None => {
            let length = behind.chars().next().map_or(0, char::len_utf8);
            (behind.get(..length).unwrap_or(""), length)
        }
    };
    let letter = match letter {
        "@dotless{i}" | "@dotless" => "i",
        letter => letter,
    };
    (format!("{letter}{mark}").nfc().collect(), taken)
}

/// What a command without braces stands for within a line.
fn unbraced(name: &str) -> &'static str {
    match name {
        "dots" => "…",
        "bullet" => "•",
        "minus" => "-",
        "tab" => " ",
        _ => "",
    }
}

/// The letter or sign that a command stands for.
fn letter(name: &str, inside: &str) -> Option<String> {
    let sign = match name {
        "dots" | "enddots" => "...",
        "bullet" => "•",
        "minus" => "-",
        "copyright" => "©",
        "registeredsymbol" => "®",
        "result" => "⇒",
        "expansion" => "↦",
        "print" => "⊣",
        "error" => "error→",
        "equiv" => "≡",
        "point" => "∗",
        "arrow" => "→",
        "TeX" => "TeX",
        "LaTeX" => "LaTeX",
        "tie" => " ",
        "ss" => "ß",
        "ae" => "æ",
        "AE" => "Æ",
        "oe" => "œ",
        "OE" => "Œ",
        "aa" => "å",
        "AA" => "Å",
        "o" => "ø",
        "O" => "Ø",
        "l" => "ł",
        "L" => "Ł",
        "exclamdown" => "¡",
        "questiondown" => "¿",
        "euro" => "€",
        "pounds" => "£",
        "degree" => "°",
        "geq" => "≥",
        "leq" => "≤",
        "comma" => ",",
        "atchar" => "@",
        "lbracechar" => "{",
        "rbracechar" => "}",
        "backslashchar" => "\\",
        "hashchar" => "#",
        "quotedblleft" => "“",
        "quotedblright" => "”",
        "quoteleft" => "‘",
        "quoteright" => "’",
        "guillemetleft" | "guillemotleft" => "«",
        "guillemetright" | "guillemotright" => "»",
        "today" | "thischapter" | "thissection" | "thispage" | "thisfile" | "thistitle" => "",
        "dotless" => inside,
        "U" => {
            let code = u32::from_str_radix(inside.trim(), 16).ok()?;
            return char::from_u32(code).map(String::from);
        }
        _ => return None,
    };
    Some(sign.to_owned())
}

/// What a command makes of the words in its braces.
fn meaning(name: &str, inside: &str, names: &Names, depth: usize, place: Place) -> Vec<Inline> {
    let read = |words: &str| inlines(words, names, depth, place);
    let code = || plain(&inlines(inside, names, depth, Place::Code));
    let text = |words: &str| vec![Inline::Text(words.to_owned())];
    match name {
        "code" | "samp" | "kbd" | "key" | "file" | "command" | "option" | "env" | "verb"
        | "indicateurl" | "t" => {
            let code = match name {
                // The letters stand between two that are the same.
                "verb" => inside
                    .get(1..inside.len().saturating_sub(1))
                    .unwrap_or("")
                    .to_owned(),
                _ => squash(&code()),
            };
            match place {
                Place::Words if !code.is_empty() => vec![Inline::Code(code)],
                _ => text(&code),
            }
        }
        "math" => vec![Inline::Math(squash(&code()))],
        "var" | "emph" | "i" | "slanted" | "cite" | "dfn" if place == Place::Words => {
            vec![Inline::Emphasis(read(inside))]
        }
        "strong" | "b" if place == Place::Words => vec![Inline::Strong(read(inside))],
        "url" | "uref" => {
            let (address, shown) = inside.split_once(',').unwrap_or((inside, ""));
            let address = squash(&letters(address, names));
            let shown = shown.rsplit(',').next().unwrap_or("").trim();
            match shown {
                "" => vec![Inline::link(address.clone(), text(&address))],
                shown => vec![Inline::link(address, read(shown))],
            }
        }
        "email" => {
            let (address, shown) = inside.split_once(',').unwrap_or((inside, ""));
            match shown.trim() {
                "" => text(&squash(&letters(address, names))),
                shown => {
                    let mut out = read(shown);
                    out.extend(text(&format!(" <{}>", squash(&letters(address, names)))));
                    out
                }
            }
        }
        "xref" | "pxref" | "ref" | "inforef" => reference(name, inside, &read),
        "footnote" => {
            let mut out = text(" (");
            out.extend(read(squash(inside).as_str()));
            out.extend(text(")"));
            out
        }
        "acronym" | "abbr" => {
            let (short, long) = inside.split_once(',').unwrap_or((inside, ""));
            let mut out = read(short);
            if !long.trim().is_empty() {
                out.extend(text(" ("));
                out.extend(read(long.trim()));
                out.extend(text(")"));
            }
            out
        }
        // What another file gives a name to is not known here.
        "value" => names.value(inside.trim()).map(read).unwrap_or_default(),
        "image" | "anchor" | "hyphenation" => Vec::new(),
        _ => defined(name, inside, names, depth, place),
    }
}

/// What a command that the manual defines makes of `inside`; of one that is defined elsewhere its words are shown, or else its name,
/// which is what such commands are for: `@AUCTeX{}`.
fn defined(name: &str, inside: &str, names: &Names, depth: usize, place: Place) -> Vec<Inline> {
    match names.expanded(name, inside) {
        Some(body) => inlines(&body, names, depth, place),
        None if inside.trim().is_empty() && !sets_words(name) => {
            vec![Inline::Text(name.to_owned())]
        }
        None => inlines(inside, names, depth, place),
    }
}

/// Commands that only say how words are set.
fn sets_words(name: &str) -> bool {
    matches!(
        name,
        "w" | "asis"
            | "r"
            | "sc"
            | "sansserif"
            | "dmn"
            | "sub"
            | "sup"
            | "titlefont"
            | "headitemfont"
            | "ctrl"
            | "clicksequence"
            | "var"
            | "emph"
            | "i"
            | "slanted"
            | "cite"
            | "dfn"
            | "strong"
            | "b"
    )
}

/// A reference: the title of what it leads to, and the manual that stands in.
fn reference(name: &str, inside: &str, read: &dyn Fn(&str) -> Vec<Inline>) -> Vec<Inline> {
    let parts: Vec<String> = inside.split(',').map(squash).collect();
    let part = |at: usize| parts.get(at).map_or("", String::as_str);
    let told = [2, 1, 0]
        .into_iter()
        .map(part)
        .find(|part| !part.is_empty())
        .unwrap_or("");
    let manual = match part(4) {
        "" if name != "inforef" => part(3),
        manual => manual,
    };
    let lead = match name {
        "xref" | "inforef" => "See ",
        "pxref" => "see ",
        _ => "",
    };
    let mut out = vec![Inline::Text(lead.to_owned())];
    out.extend(read(told));
    if !manual.is_empty() {
        out.push(Inline::Text(" in ".to_owned()));
        out.push(Inline::Emphasis(read(manual)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::lines::lines_of;
    use skillkiln_document::blocks::{Block, BlockKind, Span};
    use skillkiln_document::markdown::write;

    fn written(words: &str) -> String {
        let mut names = Names::default();
        names.set("VERSION 1.2");
        names.define("fire", &lines_of("the @emph{kiln}\n"));
        names.define(
            "heat {what, how}",
            &lines_of("\\what\\ to @code{\\how\\}\n"),
        );
        let block = Block {
            kind: BlockKind::Paragraph(read(words, &names)),
            span: Span::default(),
        };
        write(&[block]).trim_end().to_owned()
    }

    #[test]
    fn commands_mark_what_stands_in_their_braces() {
        for (words, shown) in [
            ("Run @command{fire @option{-n}} now.", "Run `fire -n` now."),
            (
                "The @emph{hot @strong{kiln}} is @var{n}.",
                "The *hot kiln* is *n*.",
            ),
            ("``Hot'' --- it is.", "“Hot” — it is."),
            ("@code{a--b}", "`a--b`"),
            (
                "@strong{--hot}, (--cold) and `it\'s\' 1--2 -- a--b",
                "**--hot**, (--cold) and ‘it\'s’ 1–2 – a–b",
            ),
            ("a@@b @{x@} @dots{} @copyright{} 2", "a@b {x} ... © 2"),
            ("Andr@'e @\"Ubel fa@,{c}ade", "André Übel façade"),
            ("Version @value{VERSION}.", "Version 1.2."),
            (
                "@xref{Firing}. And (@pxref{Cool, , Cooling down})",
                "See Firing. And (see Cooling down)",
            ),
            (
                "@xref{Top,,, make, The Make Manual}.",
                "See Top in *The Make Manual*.",
            ),
            (
                "@uref{https://kiln.example/,the kiln}",
                "[the kiln](https://kiln.example/)",
            ),
            ("Hot@footnote{Very.} it is.", "Hot (Very.) it is."),
            ("An open @code{brace", "An open brace"),
            (
                "@unknown{words} stay, as @Kilns{} do",
                "words stay, as Kilns do",
            ),
            ("Version @value{UNKNOWN}@w{}", "Version"),
            (
                "Heat @fire{}, @heat{pots, 900}",
                "Heat the *kiln*, pots to `900`",
            ),
            ("@heat pots, 900", "pots to `900`"),
        ] {
            assert_eq!(written(words), shown, "{words}");
        }
    }

    #[test]
    fn names_for_themselves_end() {
        let mut names = Names::default();
        names.set("a @value{a}@value{a}@value{a}@value{a}@value{a}@value{a}@value{a}@value{a}");
        names.define(
            "b",
            &lines_of("@b{}@b{}@b{}@b{}@b{}@b{}@b{}@b{}@b{}@b{}@b{}\n"),
        );
        names.define("c{x}", &lines_of("\\x\\\\x\\\n"));
        let nested = format!("{}x{}", "@c{".repeat(40), "}".repeat(40));
        let text = format!("Hot. @value{{a}} @b{{}} {nested}");
        assert!(plain(&read(&text, &names)).starts_with("Hot. "));
    }

    #[test]
    fn deep_commands_end() {
        let deep = format!("{}x{}", "@i{".repeat(5_000), "}".repeat(5_000));
        assert!(written(&deep).contains('x'));
    }
}
