//! Owns the runs of an office document's paragraphs: stretches of words in one format, and what they become as running text
//! or as code.

use crate::builder::tidy;
use crate::words::{WordList, phrases};
use skillkiln_document::text::Inline;

/// Words of font names whose letters are equally wide.
static MONOSPACED: WordList = phrases!(
    "mono | courier | consolas | menlo | monaco | typewriter | fixedsys | inconsolata | anonymous pro | source code | fira code | \
     cascadia | lucida console | andale | cousine | hack | cmtt | terminal | iosevka | ocr a"
);

/// Whether the letters of the font `name` are equally wide.
pub(crate) fn is_monospaced(name: &str) -> bool {
    let name = name.to_lowercase();
    MONOSPACED.iter().any(|word| name.contains(word))
        && !name.contains("monotype")
        && !name.contains("hackney")
}

/// A stretch of a paragraph.
#[derive(Debug, Clone)]
pub(crate) enum Run {
    /// Words in one format.
    Words(Words),
    /// A line break.
    Break,
    /// A link around runs.
    Link(String, Vec<Run>),
    /// A piece that has no format: a formula, the mark of a note.
    Other(Inline),
}

/// Words in one format.
#[derive(Debug, Clone, Default)]
pub(crate) struct Words {
    /// As they stand, white space included.
    pub(crate) text: String,
    /// Strongly stressed.
    pub(crate) bold: bool,
    /// Stressed.
    pub(crate) italic: bool,
    /// In letters of one width, or in a style for code.
    pub(crate) mono: bool,
    /// Whether that is a style for code inside a line.
    pub(crate) is_inline_code: bool,
}

/// Whether there is a word in `runs`, and every word is set in letters of one width that no style for code inside a line asks for.
pub(crate) fn are_all_code(runs: &[Run]) -> bool {
    let mut any = false;
    let all = runs.iter().all(|run| match run {
        Run::Words(words) if words.text.trim().is_empty() => true,
        Run::Words(words) => {
            any = true;
            words.mono && !words.is_inline_code
        }
        Run::Break => true,
        Run::Link(_, inner) => {
            any = true;
            are_all_code(inner)
        }
        Run::Other(_) => false,
    });
    all && any
}

/// `runs` as code: to the letter.
pub(crate) fn code(runs: &[Run]) -> String {
    let mut out = String::new();
    for run in runs {
        match run {
            Run::Words(words) => out.push_str(&words.text),
            Run::Break => out.push('\n'),
            Run::Link(_, inner) => out.push_str(&code(inner)),
            Run::Other(Inline::Text(text) | Inline::Code(text) | Inline::Math(text)) => {
                out.push_str(text);
            }
            Run::Other(_) => {}
        }
    }
    out
}

/// `runs` as running text.
pub(crate) fn running(runs: &[Run]) -> Vec<Inline> {
    tidy(inlines(runs))
}

/// `runs` as a heading: its own format says nothing more.
pub(crate) fn heading(runs: &[Run]) -> Vec<Inline> {
    let plain: Vec<Run> = runs
        .iter()
        .map(|run| match run {
            Run::Words(words) => Run::Words(Words {
                bold: false,
                italic: false,
                mono: words.mono && words.is_inline_code,
                ..words.clone()
            }),
            Run::Break => Run::Words(Words {
                text: " ".to_owned(),
                ..Words::default()
            }),
            other => other.clone(),
        })
        .collect();
    running(&plain)
}

fn inlines(runs: &[Run]) -> Vec<Inline> {
    let mut out: Vec<Inline> = Vec::new();
    let mut open: Option<Words> = None;
    for run in runs {
        if let Run::Words(words) = run {
            if words.text.is_empty() {
                continue;
            }
            match &mut open {
                Some(before) if is_same_format(before, words) => before.text.push_str(&words.text),
                _ => {
                    close(open.take(), &mut out);
                    open = Some(words.clone());
                }
            }
            continue;
        }
        close(open.take(), &mut out);
        match run {
            Run::Break => out.push(Inline::Break),
            Run::Link(href, inner) => {
                let text = tidy_inside(inlines(inner));
                match text.is_empty() {
                    true => {}
                    false => out.push(Inline::link(href.clone(), text)),
                }
            }
            Run::Other(inline) => out.push(inline.clone()),
            Run::Words(_) => {}
        }
    }
    close(open, &mut out);
    out
}

/// A link's words without line breaks.
fn tidy_inside(inlines: Vec<Inline>) -> Vec<Inline> {
    inlines
        .into_iter()
        .map(|inline| match inline {
            Inline::Break => Inline::Text(" ".to_owned()),
            other => other,
        })
        .collect()
}

/// White space has every format.
fn is_same_format(before: &Words, words: &Words) -> bool {
    words.text.trim().is_empty()
        || (before.bold, before.italic, before.mono) == (words.bold, words.italic, words.mono)
}

/// Stress begins and ends at words, not at the white space beside them.
fn close(words: Option<Words>, out: &mut Vec<Inline>) {
    let Some(words) = words else {
        return;
    };
    let inner = words.text.trim();
    if inner.is_empty() || !(words.mono || words.bold || words.italic) {
        out.push(Inline::Text(words.text));
        return;
    }
    let lead = words.text.len() - words.text.trim_start().len();
    let (before, rest) = words.text.split_at_checked(lead).unwrap_or(("", inner));
    let after = rest.get(inner.len()..).unwrap_or("");
    let mut inline = if words.mono {
        Inline::Code(inner.replace('\u{a0}', " "))
    } else {
        Inline::Text(inner.to_owned())
    };
    if words.italic && !words.mono {
        inline = Inline::Emphasis(vec![inline]);
    }
    if words.bold && !words.mono {
        inline = Inline::Strong(vec![inline]);
    }
    if !before.is_empty() {
        out.push(Inline::Text(before.to_owned()));
    }
    out.push(inline);
    if !after.is_empty() {
        out.push(Inline::Text(after.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, bold: bool, mono: bool) -> Run {
        Run::Words(Words {
            text: text.to_owned(),
            bold,
            mono,
            ..Words::default()
        })
    }

    #[test]
    fn runs_of_one_format_are_one_and_stress_begins_at_words() {
        let runs = [
            words("Run ", false, false),
            words("make", false, true),
            words(" all", false, true),
            words(" it ", true, false),
            words("now", true, false),
            words(" ", false, false),
        ];
        assert_eq!(
            running(&runs),
            [
                Inline::Text("Run ".into()),
                Inline::Code("make all".into()),
                Inline::Text(" ".into()),
                Inline::Strong(vec![Inline::Text("it now".into())]),
            ]
        );
        assert!(!are_all_code(&runs));
        assert!(are_all_code(&[words("x", false, true), Run::Break]));
        assert_eq!(
            heading(&[words("A", true, true)]),
            [Inline::Text("A".into())]
        );
    }

    #[test]
    fn fonts_are_told_by_name() {
        for name in ["Courier New", "DejaVu Sans Mono", "Consolas"] {
            assert!(is_monospaced(name), "{name}");
        }
        for name in ["Times New Roman", "Monotype Corsiva", "Arial"] {
            assert!(!is_monospaced(name), "{name}");
        }
    }
}
