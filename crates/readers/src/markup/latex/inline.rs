//! Takes the commands inside running LaTeX back to their words.

use crate::markup::latex::groups::{
    argument_after, end_of_formula, footnote, group, optional, verb,
};
use crate::markup::latex::references;
use crate::markup::latex::shorthands::Place;
use skillkiln_document::text::{Inline, plain, squash};

/// Groups of one command that are read as its arguments.
const GROUPS_MAX: usize = 6;

/// Running text.
pub(super) fn inline(text: &str, place: Place<'_>) -> Vec<Inline> {
    let mut out = Vec::new();
    let mut words = String::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let length = rest
            .find(['\\', '$', '%', '{', '}', '~', '`', '\'', '-'])
            .unwrap_or(rest.len());
        words.push_str(rest.get(..length).unwrap_or(""));
        at += length;
        let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) else {
            break;
        };
        let used = match rest.as_bytes().first() {
            Some(b'\\') => {
                let (pieces, used) = piece_of(rest, place);
                if !words.is_empty() {
                    out.push(Inline::Text(std::mem::take(&mut words)));
                }
                out.extend(pieces);
                used
            }
            Some(b'$') => match end_of_formula(rest.get(1..).unwrap_or(""), "$") {
                Some(end) => {
                    if !words.is_empty() {
                        out.push(Inline::Text(std::mem::take(&mut words)));
                    }
                    out.push(Inline::Math(squash(rest.get(1..=end).unwrap_or(""))));
                    end + 2
                }
                None => {
                    words.push('$');
                    1
                }
            },
            Some(b'%') => rest.find('\n').map_or(rest.len(), |end| end + 1),
            Some(b'~') => {
                words.push(' ');
                1
            }
            Some(b'{' | b'}') => 1,
            _ => {
                let (shown, used) = [("``", "“"), ("''", "”"), ("---", "—"), ("--", "–")]
                    .into_iter()
                    .find(|(mark, _)| rest.starts_with(mark))
                    .map_or_else(
                        || (rest.get(..1).unwrap_or(""), 1),
                        |(mark, shown)| (shown, mark.len()),
                    );
                words.push_str(shown);
                used
            }
        };
        at += used.max(1);
    }
    if !words.is_empty() {
        out.push(Inline::Text(words));
    }
    out
}

/// A command inside running text: what it shows, and the bytes it takes.
pub(super) fn piece_of(rest: &str, place: Place<'_>) -> (Vec<Inline>, usize) {
    let text = |shown: &str| vec![Inline::Text(shown.to_owned())];
    let length = rest
        .bytes()
        .skip(1)
        .take_while(u8::is_ascii_alphabetic)
        .count();
    if length == 0 {
        let Some(next) = rest.chars().nth(1) else {
            return (Vec::new(), 1);
        };
        let used = 1 + next.len_utf8();
        return match next {
            '%' | '$' | '&' | '#' | '_' | '{' | '}' => (text(&next.to_string()), used),
            '\\' => (vec![Inline::Break], used),
            ' ' | '\n' | ',' | ';' | ':' => (text(" "), used),
            '"' | '\'' | '`' | '^' | '~' | '=' | '.' => accent(rest, next),
            _ => (Vec::new(), used),
        };
    }
    let name = rest.get(1..=length).unwrap_or("");
    let star = usize::from(
        rest.get(1 + length..)
            .is_some_and(|after| after.starts_with('*')),
    );
    let mut used = 1 + length + star;
    let after = rest.get(used..).unwrap_or("");
    let known = match name {
        "LaTeX" => "LaTeX",
        "TeX" => "TeX",
        "ldots" | "dots" => "…",
        "textbackslash" => "\\",
        "textasciitilde" => "~",
        "textasciicircum" => "^",
        "textbar" => "|",
        "textless" => "<",
        "textgreater" => ">",
        "copyright" => "©",
        "S" => "§",
        "P" => "¶",
        "ss" => "ß",
        "ae" => "æ",
        "AE" => "Æ",
        "o" => "ø",
        "O" => "Ø",
        "aa" => "å",
        "l" => "ł",
        "euro" => "€",
        "pounds" => "£",
        "quad" | "qquad" | "space" | "hfill" => " ",
        "textquotedbl" => "\"",
        _ => "",
    };
    if !known.is_empty() {
        if after.starts_with("{}") {
            used += 2;
        } else if after.starts_with(' ') && known != " " {
            used += 1;
        }
        return (text(known), used);
    }
    if place.is_too_deep() {
        return (Vec::new(), used);
    }
    if let Some((body, place)) = place.body_of(name) {
        // Braces behind the command end its name, and a blank does as well.
        used += match after.starts_with("{}") {
            true => 2,
            false => usize::from(after.starts_with(' ')),
        };
        return (inline(body, place), used);
    }
    let (argument, taken) = argument_after(after);
    let inner = || inline(argument, place.inside());
    // What the further groups of a command that nobody knows take.
    let mut more = 0;
    let pieces = match name {
        "textbf" | "strong" | "bfseries" if taken > 0 => vec![Inline::Strong(inner())],
        "emph" | "textit" | "textsl" | "em" if taken > 0 => vec![Inline::Emphasis(inner())],
        "texttt" | "code" | "path" | "file" | "command" | "lstinline" | "mintinline" | "ttt"
        | "cmd" | "env" | "pkg" | "textsf"
            if taken > 0 && name != "mintinline" =>
        {
            vec![Inline::Code(squash(&plain(&inner())))]
        }
        "mintinline" => {
            let (code, length) = verb(after.get(taken..).unwrap_or(""));
            used += length;
            vec![Inline::Code(code.to_owned())]
        }
        "verb" => {
            let (code, length) = verb(after);
            return (vec![Inline::Code(code.to_owned())], used + length);
        }
        "href" => {
            let (shown, length) = group(after.get(taken..).unwrap_or(""));
            let shown = inline(shown, place.inside());
            used += length;
            vec![Inline::link(
                argument
                    .replace("\\%", "%")
                    .replace("\\#", "#")
                    .replace("\\_", "_"),
                shown,
            )]
        }
        "url" | "nolinkurl" => vec![Inline::link(argument.to_owned(), text(argument))],
        "footnote" => {
            let (note, length) = footnote(after);
            let mut pieces = text(" (");
            pieces.extend(inline(note, place.inside()));
            pieces.extend(text(")"));
            return (pieces, used + length);
        }
        // What a writer's own silent command puts into the index is said beside it; others print it as well.
        _ if name.ends_with("sidx") || name == "sindex" => Vec::new(),
        // A list of works alone; what is printed of them is told at the end.
        "nocite" => Vec::new(),
        _ if CITES.contains(&name) => {
            let (cited, length) = citation(after, place);
            return (cited, used + length);
        }
        // The number that it stands for is not in the source: until its heading is found, what it names is as good a name as there
        // is, without its kind.
        "ref" | "autoref" | "cref" | "Cref" | "eqref" | "pageref" | "nameref" | "vref" => {
            vec![references::to(argument, named(argument), name == "nameref")]
        }
        // What is computed when the document is made is shown as what computes it.
        "Sexpr" if taken > 0 => vec![Inline::Code(squash(argument))],
        "label" | "SweaveOpts" | "index" | "vspace" | "hspace" | "color" | "cline" | "cmidrule"
        | "input" | "fontsize" | "setlength" | "gls@" => Vec::new(),
        "multicolumn" | "multirow" => {
            let (_, second) = group(after.get(taken..).unwrap_or(""));
            let (shown, third) = group(after.get(taken + second..).unwrap_or(""));
            used += second + third;
            inline(shown, place.inside())
        }
        "textcolor" | "colorbox" | "parbox" | "raisebox" => {
            let (shown, length) = group(after.get(taken..).unwrap_or(""));
            used += length;
            inline(shown, place.inside())
        }
        // What a document defines for itself is shown by its arguments.
        _ => {
            let mut groups = vec![argument];
            while taken > 0 && groups.len() < GROUPS_MAX {
                let rest = after.get(taken + more..).unwrap_or("");
                let (next, length) = if rest.starts_with('{') {
                    group(rest)
                } else {
                    ("", 0)
                };
                if length == 0 {
                    break;
                }
                groups.push(next);
                more += length;
            }
            match signature(name, &groups) {
                Some(code) => vec![Inline::Code(code)],
                None => {
                    let mut pieces = Vec::new();
                    for group in groups {
                        if !pieces.is_empty() {
                            pieces.push(Inline::Text(" ".to_owned()));
                        }
                        pieces.extend(inline(group, place.inside()));
                    }
                    pieces
                }
            }
        }
    };
    used += more;
    used += taken;
    if taken == 0 && after.starts_with(' ') {
        used += 1;
    }
    (pieces, used)
}

/// What cites works: a note before them and one behind them may stand in brackets.
const CITES: [&str; 12] = [
    "cite",
    "citep",
    "citet",
    "citealt",
    "citealp",
    "citeauthor",
    "citeyear",
    "citeyearpar",
    "autocite",
    "parencite",
    "textcite",
    "footcite",
];

/// What a citation shows, whose arguments are at the beginning of `after`, and the bytes they take: the keys of the works, with the
/// notes around them.
fn citation(after: &str, place: Place<'_>) -> (Vec<Inline>, usize) {
    let (first, used) = optional(after);
    let (second, more) = optional(after.get(used..).unwrap_or(""));
    let (keys, taken) = group(after.get(used + more..).unwrap_or(""));
    // One note alone stands behind the works.
    let (before, behind) = match (used, more) {
        (0, _) => ("", ""),
        (_, 0) => ("", first),
        _ => (first, second),
    };
    let note = |words: &str| squash(&plain(&inline(words, place.inside())));
    let (before, behind) = (note(before), note(behind));
    let mut shown = before;
    if !shown.is_empty() {
        shown.push(' ');
    }
    let keys: Vec<&str> = keys.split(',').map(str::trim).collect();
    shown.push_str(&keys.join(", "));
    if !behind.is_empty() {
        shown.push_str(", ");
        shown.push_str(&behind);
    }
    let text = Inline::Text(format!("[{shown}]"));
    (vec![text], used + more + taken)
}

/// What a label names, without the kind of it that writers put before: `sec:heat`.
fn named(label: &str) -> &str {
    const KINDS: [&str; 12] = [
        "sec", "subsec", "sect", "chap", "ch", "app", "fig", "tab", "tbl", "eq", "equ", "lst",
    ];
    match label.split_once(':') {
        Some((kind, name)) if KINDS.contains(&kind) && !name.is_empty() => name,
        _ => label,
    }
}

/// The signature that the groups of a command spell whose name says that it defines a function: what it gives, where that is told,
/// its name, and what it takes.
fn signature(command: &str, groups: &[&str]) -> Option<String> {
    let defines =
        command.starts_with("fun") || command.contains("func") || command.contains("proto");
    let (gives, name, takes) = match groups {
        [gives, name, takes] => (squash(gives), *name, *takes),
        [name, takes] => (String::new(), *name, *takes),
        _ => return None,
    };
    let name = name.trim().replace("\\_", "_");
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_.:".contains(c));
    let is_code = |text: &str| !text.contains(['{', '}', '$', '%', '.']) || text.ends_with("...");
    (defines && is_name && is_code(takes) && is_code(&gives)).then(|| {
        let takes = squash(&takes.replace("\\_", "_").replace("\\&", "&"));
        squash(&format!("{gives} {name}({takes})"))
    })
}

/// `\"a` and `\'{e}`.
fn accent(rest: &str, mark: char) -> (Vec<Inline>, usize) {
    use unicode_normalization::UnicodeNormalization;
    let after = rest.get(2..).unwrap_or("");
    let (letter, used) = match after.strip_prefix('{') {
        Some(inner) => match inner.chars().next() {
            Some('\\') => (inner.chars().nth(1), 5),
            Some('}') | None => (None, 4),
            Some(letter) => (Some(letter), 4 + letter.len_utf8()),
        },
        None => match after.chars().next() {
            Some(letter) => (Some(letter), 2 + letter.len_utf8()),
            None => (None, 2),
        },
    };
    let combining = match mark {
        '"' => '\u{308}',
        '\'' => '\u{301}',
        '`' => '\u{300}',
        '^' => '\u{302}',
        '~' => '\u{303}',
        '=' => '\u{304}',
        _ => '\u{307}',
    };
    let shown: String = letter
        .filter(|c| c.is_alphabetic())
        .map(|c| [c, combining].into_iter().nfc().collect())
        .unwrap_or_default();
    let used = used.min(rest.len());
    let used = (0..=used)
        .rev()
        .find(|at| rest.is_char_boundary(*at))
        .unwrap_or(1)
        .max(1);
    (vec![Inline::Text(shown)], used)
}

#[cfg(test)]
mod tests {
    use crate::markup::latex::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_citation_shows_its_works_with_the_notes_around_them_and_a_reference_what_it_names() {
        for (source, shown) in [
            (
                "Fire~\\citep[see,\ne.g.,][]{kiln:Oak,kiln:Ash} now.",
                "Fire [see, e.g., kiln:Oak, kiln:Ash] now.\n",
            ),
            ("Hot \\citep[][]{oak}.", "Hot [oak].\n"),
            ("As \\citet[p.~7]{oak} says.", "As [oak, p. 7] says.\n"),
            (
                "See Section~\\ref{sec:heat} and \\ref{a:b}.",
                "See Section heat and a:b.\n",
            ),
            (
                "There are \\Sexpr{nrow(pots)} pots.\\SweaveOpts{engine=R}",
                "There are `nrow(pots)` pots.\n",
            ),
        ] {
            assert_eq!(write(&read(source.to_owned()).blocks), shown, "{source}");
        }
    }

    #[test]
    fn the_arguments_of_an_unknown_command_are_parted_and_a_signature_is_code() {
        for (source, shown) in [
            (
                "\\fun{GEN}{heat_get}{GEN kiln, long *n} fires.",
                "`GEN heat_get(GEN kiln, long *n)` fires.\n",
            ),
            ("Is \\func{heat}{int n} hot?", "Is `heat(int n)` hot?\n"),
            (
                "A \\pair{kiln}{very hot oven} \\mine{one}s.",
                "A kiln very hot oven ones.\n",
            ),
            ("A \\mine{one} {two}.", "A one two.\n"),
        ] {
            let document = read(source.to_owned());
            assert_eq!(write(&document.blocks), shown, "{source}");
        }
    }

    #[test]
    fn what_stands_behind_the_end_of_a_listing_is_said_and_what_goes_into_the_index_is_not() {
        let source = "Write:\n\\bprog\nfire();\n@eprog\\noindent which fires it.\n\n\\subsec{Making kilns}\\sidx{kiln}\nThe \\idx{function}\\kbdsidx{fire} fires.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "Write:\n\n```\nfire();\n```\n\nwhich fires it.\n\n## Making kilns\n\nThe function fires.\n"
        );
    }

    #[test]
    fn a_footnote_is_said_below_the_sentence_that_it_belongs_to() {
        let source = "A kiln\\footnote{*}{Made of clay.} is hot:\n\\bprog\nfire();\n@eprog\nand dry\\footnote{By day.}.\n\nIt burns.\n\n\\caption{Heat\\footnote{Much.}}\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "A kiln is hot:\n\n```\nfire();\n```\n\nand dry.\n\nMade of clay.\n\nBy day.\n\nIt burns.\n\nHeat (Much.)\n"
        );
    }

    #[test]
    fn a_listing_between_commands_of_its_writer_is_code() {
        let source = "Write:\n\\bprog\nfire({kiln}, $1)\n  % hot\n@eprog\nThen wait.\n\n\\bprog never ends.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "Write:\n\n```\nfire({kiln}, $1)\n  % hot\n```\n\nThen wait.\n\nnever ends.\n"
        );
    }
}
