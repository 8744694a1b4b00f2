//! Parts a paragraph of several lines into its running text and its code: lines that are wholly set in letters of one width, where
//! two or more follow one another.

use crate::office::runs::{self, Run};

/// A stretch of a paragraph.
#[derive(Debug)]
pub(crate) enum Stretch {
    /// Lines of running text.
    Words(Vec<Run>),
    /// Lines of code.
    Code(String),
}

/// The stretches of a paragraph; `None` when it holds no lines of code.
pub(crate) fn stretches(found: &[Run]) -> Option<Vec<Stretch>> {
    let lines: Vec<&[Run]> = found.split(|run| matches!(run, Run::Break)).collect();
    let mut out = Vec::new();
    let mut rest = lines.as_slice();
    while let Some(first) = rest.first() {
        let count = listing(rest);
        let (own, after) = rest.split_at(count.max(1));
        rest = after;
        match (count, out.last_mut()) {
            (1.., _) => {
                let lines: Vec<String> = own.iter().map(|line| runs::code(line)).collect();
                out.push(Stretch::Code(lines.join("\n")));
            }
            (0, Some(Stretch::Words(before))) => {
                before.push(Run::Break);
                before.extend(first.iter().cloned());
            }
            (0, _) => out.push(Stretch::Words(first.to_vec())),
        }
    }
    let is_code = |stretch: &Stretch| matches!(stretch, Stretch::Code(_));
    out.iter().any(is_code).then_some(out)
}

/// How many lines of code these lines begin with, empty ones between them included; 0 when they are not two at least.
fn listing(lines: &[&[Run]]) -> usize {
    let (mut count, mut typed) = (0, 0);
    for (at, line) in lines.iter().enumerate() {
        if runs::are_all_mono(line) {
            typed += 1;
            count = at + 1;
        } else if typed == 0 || !runs::code(line).trim().is_empty() {
            break;
        }
    }
    if typed < 2 { 0 } else { count }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::office::runs::Words;

    fn words(text: &str, mono: bool) -> Run {
        Run::Words(Words {
            text: text.to_owned(),
            mono,
            is_inline_code: mono,
            ..Words::default()
        })
    }

    #[test]
    fn two_lines_of_one_width_are_code_and_one_is_not() {
        let found = [
            words("Values:", false),
            Run::Break,
            words("#define A ", true),
            words("(1)", true),
            Run::Break,
            Run::Break,
            words("       if", true),
            Run::Break,
            words("Then ", false),
            words("A", true),
            Run::Break,
            words("B", true),
        ];
        let parts: Vec<String> = stretches(&found)
            .expect("code")
            .iter()
            .map(|stretch| match stretch {
                Stretch::Words(found) => runs::code(found),
                Stretch::Code(text) => format!("<{text}>"),
            })
            .collect();
        assert_eq!(
            parts,
            ["Values:", "<#define A (1)\n\n       if>", "Then A\nB"]
        );
        assert!(stretches(&[words("a", true), Run::Break, words("b", false)]).is_none());
    }
}
