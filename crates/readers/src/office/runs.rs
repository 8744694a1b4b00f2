//! Owns the runs of an office document's paragraphs: stretches of words in one format, and what they become as running text
//! or as code.

use crate::builder::tidy;
use skillkiln_document::text::Inline;

/// Words of font names whose letters are equally wide.
const MONOSPACED: &[&str] = &[
    "mono",
    "courier",
    "consolas",
    "menlo",
    "monaco",
    "typewriter",
    "fixedsys",
    "inconsolata",
    "anonymous pro",
    "source code",
    "fira code",
    "cascadia",
    "lucida console",
    "andale",
    "cousine",
    "hack",
    "cmtt",
    "terminal",
    "iosevka",
    "ocr a",
];

/// A power or an index that is written with a sign has at most so many letters.
const SCRIPT_CHARS_MAX: usize = 4;

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
    /// Where they stand beside the line.
    pub(crate) shift: Shift,
}

/// Where words stand beside the line of their paragraph.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Shift {
    /// On it.
    #[default]
    None,
    /// Above it: powers, marks of notes.
    Raised,
    /// Below it: indices.
    Lowered,
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

/// Whether there is a word in `runs`, and every word is set in letters of one width, whatever asks for that.
pub(crate) fn are_all_mono(runs: &[Run]) -> bool {
    let is_blank = |run: &Run| matches!(run, Run::Words(words) if words.text.trim().is_empty());
    let is_mono = |run: &Run| match run {
        Run::Words(words) => words.mono,
        Run::Break => true,
        Run::Link(_, inner) => are_all_mono(inner),
        Run::Other(_) => false,
    };
    runs.iter().all(|run| is_blank(run) || is_mono(run))
        && runs
            .iter()
            .any(|run| !is_blank(run) && !matches!(run, Run::Break))
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
    let plain: Vec<Run> = marked(runs)
        .into_iter()
        .map(|run| match run {
            Run::Words(words) => Run::Words(Words {
                bold: false,
                italic: false,
                mono: words.mono && words.is_inline_code,
                ..words
            }),
            Run::Break => Run::Words(Words {
                text: " ".to_owned(),
                ..Words::default()
            }),
            other => other,
        })
        .collect();
    running(&plain)
}

fn inlines(runs: &[Run]) -> Vec<Inline> {
    let mut out: Vec<Inline> = Vec::new();
    let mut open: Option<Words> = None;
    for run in marked(runs) {
        match run {
            Run::Words(words) if words.text.is_empty() => {}
            Run::Words(words) => match &mut open {
                Some(own) if is_same_format(own, &words) => own.text.push_str(&words.text),
                _ => {
                    close(open.take(), &mut out);
                    open = Some(words);
                }
            },
            other => {
                close(open.take(), &mut out);
                match other {
                    Run::Break => out.push(Inline::Break),
                    Run::Link(href, inner) => {
                        let text = tidy_inside(inlines(&inner));
                        if !text.is_empty() {
                            out.push(Inline::link(href, text));
                        }
                    }
                    Run::Other(inline) => out.push(inline),
                    Run::Words(_) => {}
                }
            }
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

/// Writes words of one format. Stress begins and ends at words, not at the white space beside them.
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

/// `runs` with the sign of a power or an index before the words that are one; no words stand beside the line any more.
fn marked(runs: &[Run]) -> Vec<Run> {
    let mut out = joined(runs);
    // Where the words before stand, when they are an index or a power.
    let mut outer = Shift::None;
    for at in 0..out.len() {
        let (before, rest) = out.split_at_mut(at);
        let Some((Run::Words(words), after)) = rest.split_first_mut() else {
            outer = Shift::None;
            continue;
        };
        let base = match before.last() {
            Some(Run::Words(base)) => Some(base),
            _ => None,
        };
        let is_marked = base.is_some_and(|base| {
            let bears = outer != Shift::None && outer != words.shift && !ends_in_space(base);
            (bears || may_bear(base, words)) && is_script(words) && !goes_on(words, after.first())
        });
        outer = Shift::None;
        if is_marked {
            let sign = if words.shift == Shift::Raised {
                '^'
            } else {
                '_'
            };
            words.text.insert(0, sign);
            outer = words.shift;
        }
    }
    for run in &mut out {
        if let Run::Words(words) = run {
            words.shift = Shift::None;
        }
    }
    out
}

/// `runs` with what is set alike in one.
fn joined(runs: &[Run]) -> Vec<Run> {
    let mut out: Vec<Run> = Vec::new();
    for run in runs {
        match (run, out.last_mut()) {
            (Run::Words(words), Some(Run::Words(own)))
                if words.text.trim().is_empty()
                    || is_same_format(own, words) && own.shift == words.shift =>
            {
                own.text.push_str(&words.text);
            }
            _ => out.push(run.clone()),
        }
    }
    out
}

fn ends_in_space(words: &Words) -> bool {
    words.text.ends_with(char::is_whitespace)
}

/// Whether words beside the line are those of a power or an index: a few digits and signs, or letters that are set as variables are.
fn is_script(words: &Words) -> bool {
    let inner = words.text.trim();
    let is_sign = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '−' | '–');
    words.shift != Shift::None
        && !words.mono
        && (1..=SCRIPT_CHARS_MAX).contains(&inner.chars().count())
        && !words.text.starts_with(char::is_whitespace)
        && inner
            .chars()
            .all(|c| is_sign(c) || words.italic && c.is_alphabetic())
}

/// Whether a power or an index may stand at `base`: at a single letter, or for digits at a digit or a bracket that closes. Letters
/// stand at a variable only, not at the last letter of a stressed line: those shorten words. A digit below a Latin letter that
/// is no variable is that of a substance.
fn may_bear(base: &Words, script: &Words) -> bool {
    let mut letters = base.text.chars().rev();
    let last = letters.next();
    let is_letter =
        last.is_some_and(char::is_alphabetic) && !letters.next().is_some_and(char::is_alphanumeric);
    let is_latin = last.is_some_and(|c| c.is_ascii_alphabetic());
    let is_variable = is_letter && base.italic && base.text.trim().chars().count() == 1;
    let is_number = !script.text.contains(char::is_alphabetic);
    let closes = last.is_some_and(|c| c.is_ascii_digit() || matches!(c, ')' | ']' | '}'));
    base.shift == Shift::None
        && !base.mono
        && (is_variable
            || is_number && closes
            || is_number && is_letter && (script.shift == Shift::Raised || !is_latin))
}

/// Whether the word goes on behind words beside the line.
fn goes_on(words: &Words, after: Option<&Run>) -> bool {
    let next = after.and_then(|run| code(std::slice::from_ref(run)).chars().next());
    let is_other_script =
        |run: &Run| matches!(run, Run::Words(next) if next.shift != Shift::None && is_script(next));
    !ends_in_space(words)
        && next.is_some_and(char::is_alphanumeric)
        && !after.is_some_and(is_other_script)
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
    fn powers_and_indices_do_not_read_as_one_with_what_they_stand_at() {
        let at = |text: &str, italic: bool, shift: Shift| {
            Run::Words(Words {
                text: text.to_owned(),
                italic,
                shift,
                ..Words::default()
            })
        };
        let shown = |runs: &[Run]| skillkiln_document::text::plain(&running(runs));
        let raised = |base: &str, words: &str| {
            shown(&[
                at(base, false, Shift::None),
                at(words, false, Shift::Raised),
            ])
        };
        assert_eq!(raised("10", "-3"), "10^-3");
        assert_eq!(raised("(a)", "2"), "(a)^2");
        for (base, words) in [
            ("5", "th"),
            ("words", "1"),
            ("at ", "x"),
            ("n", "o"),
            ("M", "e"),
            ("D", "r"),
            ("Hel", "loworld"),
        ] {
            assert_eq!(raised(base, words), format!("{base}{words}"));
        }
        let water = [
            at("H", false, Shift::None),
            at("2", false, Shift::Lowered),
            at("O", false, Shift::None),
        ];
        assert_eq!(shown(&water), "H2O");
        let name = [
            at("L", false, Shift::None),
            at("A", true, Shift::Raised),
            at("TEX", false, Shift::None),
        ];
        assert_eq!(shown(&name), "LATEX");
        let both = [
            at("a", true, Shift::None),
            at("ij", true, Shift::Lowered),
            at("0", false, Shift::Raised),
            at(" is", false, Shift::None),
        ];
        assert_eq!(shown(&both), "a_ij^0 is");
        let line = [
            at("voir le n", true, Shift::None),
            at("o", true, Shift::Raised),
        ];
        assert_eq!(shown(&line), "voir le no");
    }

    #[test]
    fn what_stands_beside_the_line_keeps_its_stress() {
        let at = |text: &str, shift: Shift| {
            Run::Words(Words {
                text: text.to_owned(),
                italic: true,
                shift,
                ..Words::default()
            })
        };
        for (base, script, shift, expected) in [
            ("V", "0", Shift::Lowered, "V_0"),
            ("Micro", "soft", Shift::Raised, "Microsoft"),
        ] {
            assert_eq!(
                running(&[at(base, Shift::None), at(script, shift)]),
                [Inline::Emphasis(vec![Inline::Text(expected.into())])]
            );
        }
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
