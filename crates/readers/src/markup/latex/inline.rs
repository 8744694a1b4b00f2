//! Takes the commands inside running LaTeX back to their words.

use crate::markup::latex::groups::{DEPTH_MAX, argument_after, end_of_formula, group, verb};
use crate::words::{Pairs, pairs};
use skillkiln_document::text::{Inline, plain, squash};
use skillkiln_document::work::step;

/// Running text.
pub(super) fn inline(text: &str, depth: usize) -> Vec<Inline> {
    step(1 + text.len() / 4);
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
                let (pieces, used) = piece_of(rest, depth);
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

/// Commands that are a sign or a name.
static KNOWN: Pairs = pairs!(
    "LaTeX LaTeX  TeX TeX  ldots …  dots …  textbackslash \\  textasciitilde ~  textasciicircum ^  textbar |  textless < \
     textgreater >  copyright ©  S §  P ¶  ss ß  ae æ  AE Æ  o ø  O Ø  aa å  l ł  euro €  pounds £  textquotedbl \""
);

/// A command inside running text: what it shows, and the bytes it takes.
pub(super) fn piece_of(rest: &str, depth: usize) -> (Vec<Inline>, usize) {
    step(1);
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
        "quad" | "qquad" | "space" | "hfill" => " ",
        _ => KNOWN.get(name).copied().unwrap_or(""),
    };
    if !known.is_empty() {
        if after.starts_with("{}") {
            used += 2;
        } else if after.starts_with(' ') && known != " " {
            used += 1;
        }
        return (text(known), used);
    }
    if depth >= DEPTH_MAX / 2 {
        return (Vec::new(), used);
    }
    let (argument, taken) = argument_after(after);
    let inner = || inline(argument, depth + 1);
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
            let (code, more) = verb(after.get(taken..).unwrap_or(""));
            used += more;
            vec![Inline::Code(code.to_owned())]
        }
        "verb" => {
            let (code, length) = verb(after);
            return (vec![Inline::Code(code.to_owned())], used + length);
        }
        "href" => {
            let (shown, more) = group(after.get(taken..).unwrap_or(""));
            let shown = inline(shown, depth + 1);
            used += more;
            vec![Inline::link(
                argument
                    .replace("\\%", "%")
                    .replace("\\#", "#")
                    .replace("\\_", "_"),
                shown,
            )]
        }
        // What is struck out holds no longer.
        "sout" | "st" | "xout" => Vec::new(),
        "url" | "nolinkurl" => vec![Inline::link(argument.to_owned(), text(argument))],
        "footnote" => {
            let mut pieces = text(" (");
            pieces.extend(inner());
            pieces.extend(text(")"));
            pieces
        }
        "cite" | "citep" | "citet" | "nocite" => text(&format!("[{argument}]")),
        "ref" | "autoref" | "cref" | "Cref" | "eqref" | "pageref" | "nameref" | "vref" => {
            text(argument)
        }
        "label" | "hypertarget" | "index" | "vspace" | "hspace" | "color" | "cline"
        | "cmidrule" | "input" | "fontsize" | "setlength" | "gls@" => Vec::new(),
        "multicolumn" | "multirow" => {
            let (_, second) = group(after.get(taken..).unwrap_or(""));
            let (shown, third) = group(after.get(taken + second..).unwrap_or(""));
            used += second + third;
            inline(shown, depth + 1)
        }
        "textcolor" | "colorbox" | "parbox" | "raisebox" => {
            let (shown, more) = group(after.get(taken..).unwrap_or(""));
            used += more;
            inline(shown, depth + 1)
        }
        // What a document defines for itself is shown by its arguments.
        _ => inner(),
    };
    used += taken;
    if taken == 0 && after.starts_with(' ') {
        used += 1;
    }
    (pieces, used)
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
    (
        vec![Inline::Text(shown)],
        rest.floor_char_boundary(used).max(1),
    )
}
