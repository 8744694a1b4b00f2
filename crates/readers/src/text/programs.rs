//! Finds the programs that plain text shows in no programming language, as standards describe what is to be done: lines that end before
//! they have to, set in deeper under those that open something.

use crate::code_like;
use crate::text::line::Line;
use crate::words::{WordList, words};

/// Columns of text; what reaches further is no measure of it.
const WIDTH_MAX: usize = 100;
/// Lines of such a program at least.
const LINES_MIN: usize = 4;
/// Words that open what is set in below them, at the beginning of a line or at its end.
static OPENINGS: WordList = words!(
    "if else elseif elsif for foreach while repeat loop procedure function switch case begin do"
);

/// The column at which lines of the text end.
pub(super) fn width_of(lines: &[Line<'_>]) -> usize {
    let ends = lines.iter().map(end_of).filter(|end| *end <= WIDTH_MAX);
    ends.max().unwrap_or(0)
}

/// How many lines from the start are such a program: a group without empty lines, and those behind it that are set in deeper than its
/// first line.
pub(super) fn length(lines: &[Line<'_>], width: usize) -> usize {
    let group = |from: usize| {
        let rest = lines.iter().skip(from);
        from + rest.take_while(|line| !line.words.is_empty()).count()
    };
    let mut length = group(0);
    let base = lines.first().map_or(0, |line| line.indent);
    if !is_program(lines.get(..length).unwrap_or_default(), width) {
        return 0;
    }
    while let Some(gap) = lines
        .get(length..)
        .and_then(|rest| rest.iter().position(|line| !line.words.is_empty()))
    {
        let end = group(length + gap);
        let next = lines.get(length + gap..end).unwrap_or_default();
        if next.iter().any(|line| line.indent <= base) || forced(next, width) * 4 > next.len() {
            break;
        }
        length = end;
    }
    length
}

fn is_program(lines: &[Line<'_>], width: usize) -> bool {
    let turns = lines.windows(2).filter(|pair| match pair {
        [one, next] => one.indent != next.indent,
        _ => false,
    });
    let opened = lines.windows(2).filter(|pair| match pair {
        [one, next] => next.indent > one.indent && opens(one.words),
        _ => false,
    });
    let (turns, opened) = (turns.count(), opened.count());
    let code = lines
        .iter()
        .filter(|line| code_like::line(line.words))
        .count();
    lines.len() >= LINES_MIN
        && turns >= 2
        && opened >= 1
        && (opened + code) * 5 >= lines.len()
        && forced(lines, width) * 4 <= lines.len()
}

/// Whether what is set in below a line belongs to it.
fn opens(words: &str) -> bool {
    let mut parts = words.split(|c: char| !c.is_alphanumeric());
    let known = |word: &str| {
        OPENINGS
            .iter()
            .any(|known| known.eq_ignore_ascii_case(word))
    };
    words.ends_with([':', '{', '('])
        || parts.next().is_some_and(known)
        || words.ends_with(" then")
        || words.ends_with(" do")
}

/// How many lines end because the next word had no room on them.
fn forced(lines: &[Line<'_>], width: usize) -> usize {
    let pairs = lines
        .windows(2)
        .filter(|pair| matches!(pair, [one, next] if is_forced(one, next, width)));
    pairs.count()
}

/// Whether a line ends because the first word of the next one had no room on it.
pub(super) fn is_forced(one: &Line<'_>, next: &Line<'_>, width: usize) -> bool {
    let word = next.words.split_whitespace().next().unwrap_or_default();
    end_of(one) + 1 + word.chars().count() > width
}

fn end_of(line: &Line<'_>) -> usize {
    line.indent + line.words.chars().count()
}

#[cfg(test)]
mod tests {
    use crate::text::read_plain;
    use skillkiln_document::markdown::write;

    #[test]
    fn indented_pseudo_code_of_a_standard_keeps_its_lines_and_prose_and_verse_do_not() {
        let prose = "   A kiln is heated by a controller, which sends messages to the kiln and\n   waits for the answers of the kiln.\n";
        let programs = [
            "   procedure Receive(message)\n      if message.heat > limit then\n         open(door)\n      end if\n\n      return heat\n",
            "   on receipt of a FIRE message:\n      if the door is open:\n         discard the message\n      otherwise:\n         start the timer\n",
            "   while (TRUE) {\n       m = next();\n       if (m == NULL)\n           break;\n   }\n",
        ];
        for program in programs {
            let lines: Vec<&str> = program
                .lines()
                .map(|line| line.get(3..).unwrap_or(""))
                .collect();
            let text = format!("1.  Algorithm\n\n{prose}\n{program}\n{prose}");
            let shown = write(&read_plain(text).blocks);
            let code = format!("```\n{}\n```\n\nA kiln", lines.join("\n"));
            assert!(shown.contains(&code), "{shown}");
        }
        let hanging = "   MUST\n      This word means that what follows is wanted in each and every kiln\n      that is built, whatever it burns\n      and wherever it stands.\n";
        let verse =
            "   Roses are red\n     violets are blue\n   sugar is sweet\n     and so are you\n";
        for words in [hanging, verse] {
            let shown = write(&read_plain(format!("{prose}\n{words}\n{prose}")).blocks);
            assert!(!shown.contains("```"), "{shown}");
        }
    }
}
