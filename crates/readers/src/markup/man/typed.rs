//! Finds what is typed and not read where a page does not say so: the commands of a console, and lines of configuration that
//! the writer indents or parts by hand.

use crate::code_like;
use crate::markup::lines::Line;
use crate::markup::man::{Open, Reader};
use skillkiln_document::text::plain;

/// Blanks before a line of the source that keep it as it stands; one alone slips in.
const INDENT_MIN: usize = 2;

/// The same below a term that ends in a colon: it says what is to be written into a file, or typed.
const INDENT_LED_MIN: usize = 1;

/// A line of so many words that ends in a colon is a sentence, and no key of a configuration.
const LEADING_WORDS_MIN: usize = 6;

/// Lines of a stretch that are looked at: a page of thousands must not be read again for each of them.
const LINES_MAX: usize = 200;

/// Whether a line has a sign that prose has seldom: a number, a path, an option, a setting, or a mark that it begins with.
fn has_sign(line: &str) -> bool {
    line.trim_start()
        .starts_with(|c: char| c.is_ascii_punctuation())
        || line.contains(['/', '=', '$'])
        || line.contains(" \\-")
        || line.contains(" -")
        || line.contains(|c: char| c.is_ascii_digit())
}

impl<'a> Reader<'a> {
    /// Takes the lines from this one on that the source itself indents as code; gives how many of `rest` belong to it, none when
    /// this line is read like any other. A typesetter keeps their blanks and their ends.
    pub(super) fn take_indented(&mut self, line: Line<'a>, rest: &[Line<'a>]) -> Option<usize> {
        let is_set_in = is_indented(&line, INDENT_LED_MIN);
        let is_led = is_set_in
            && (is_indented(&line, INDENT_MIN) || has_sign(line.text))
            && self.is_led_by_term();
        let least = match is_led {
            true => INDENT_LED_MIN,
            false => INDENT_MIN,
        };
        let may_begin = self.code.is_none()
            && !self.term_next
            && self.font_next.is_none()
            && is_indented(&line, least)
            && !line.is_blank()
            && line.start >= self.read_until
            && (self.text.is_empty() || self.is_led_by_colon());
        if !may_begin {
            return None;
        }
        let mut lines = Vec::new();
        let (mut taken, mut gap) = (0, 0);
        // The line itself and then each paragraph behind it, as far as they are no prose.
        let mut paragraph = vec![line];
        loop {
            let behind = rest.get(taken + gap..).unwrap_or_default();
            let (more, after) = behind.split_at(paragraph_length(behind, least));
            paragraph.extend(more.iter().filter(|line| !is_break(line)));
            let runs_on = after
                .first()
                .is_some_and(|next| is_running(next) && !is_indented(next, least));
            if runs_on || is_prose(&paragraph, |line| self.code_line(line.text)) {
                break;
            }
            if !lines.is_empty() {
                lines.push(line.after(usize::MAX));
            }
            lines.append(&mut paragraph);
            taken += gap + more.len();
            gap = after
                .iter()
                .take_while(|line| line.is_blank() || is_break(line))
                .count();
            if gap == 0 || !after.get(gap).is_some_and(|line| is_indented(line, least)) {
                break;
            }
        }
        if lines.is_empty() {
            // Its other lines are words as well.
            self.read_until = paragraph.last().map_or(0, |line| line.start + 1);
            return None;
        }
        self.end_paragraph();
        self.code = Some(lines);
        self.end_code();
        Some(taken)
    }

    /// Whether the term ends in a colon whose meaning begins here.
    fn is_led_by_term(&self) -> bool {
        let Some(Open::Definitions(entries)) = self.levels.last().map(|level| &level.open) else {
            return false;
        };
        let entry = entries.last().filter(|entry| entry.blocks.is_empty());
        let term = entry.and_then(|entry| entry.terms.last());
        self.text.is_empty() && term.is_some_and(|term| plain(term).ends_with(':'))
    }

    fn is_led_by_colon(&self) -> bool {
        let last = self.text.last().map(std::slice::from_ref);
        plain(last.unwrap_or_default()).trim_end().ends_with(':')
    }

    /// Takes the lines of an indented stretch that are parted by `.br`, when most are commands or configuration; gives how many.
    pub(super) fn take_parted(&mut self, rest: &[Line<'a>]) -> usize {
        let length = rest
            .iter()
            .take(LINES_MAX)
            .position(|line| line.text.starts_with(".RE"))
            .unwrap_or(0);
        let stretch = rest.get(..length).unwrap_or_default();
        let mut lines = Vec::new();
        for line in stretch.iter().filter(|line| !is_break(line)) {
            let is_word = !line.text.starts_with(['.', '\'']) || line.text.starts_with(".B ");
            if !is_word {
                return 0;
            }
            lines.push(*line);
        }
        let breaks = stretch.iter().filter(|line| is_break(line)).count();
        let filled = lines.iter().filter(|line| !line.is_blank()).count();
        let typed = lines
            .iter()
            .filter(|line| is_typed(&self.code_line(line.text)))
            .count();
        if filled < 2 || breaks + 1 < filled || typed * 2 < filled {
            return 0;
        }
        self.code = Some(lines);
        self.end_code();
        length
    }
}

/// How many lines from the start go on with the paragraph of an indented line.
fn paragraph_length(rest: &[Line<'_>], least: usize) -> usize {
    rest.iter()
        .enumerate()
        .take(LINES_MAX)
        .take_while(|(at, line)| {
            let parts = is_break(line)
                && rest
                    .get(at + 1)
                    .is_some_and(|line| is_indented(line, least));
            parts || is_indented(line, least)
        })
        .count()
}

fn is_break(line: &Line<'_>) -> bool {
    line.words() == ".br"
}

fn is_indented(line: &Line<'_>, least: usize) -> bool {
    !line.is_blank() && line.indent() >= least
}

/// Whether a line goes on with the words before it.
fn is_running(line: &Line<'_>) -> bool {
    !line.is_blank() && !line.text.starts_with(['.', '\''])
}

/// Whether indented lines are words to be read: a sentence, or items with their marks.
fn is_prose(lines: &[Line<'_>], shown: impl Fn(&Line<'_>) -> String) -> bool {
    let lines: Vec<String> = lines.iter().map(shown).collect();
    let is_item = lines.first().is_some_and(|first| {
        let mark = first.split_whitespace().next().unwrap_or("");
        matches!(mark, "*" | "-" | "o" | "•" | "+")
            || mark.ends_with(['.', ')']) && mark.len() < 4 && mark.len() > 1
    });
    // What is led to by a sentence in the same paragraph is read with it.
    let leads = lines.first().is_some_and(|first| {
        first.starts_with(char::is_alphabetic)
            && first.trim_end().ends_with(':')
            && first.split_whitespace().count() >= LEADING_WORDS_MIN
    });
    let told = lines.iter().filter(|line| {
        line.split_whitespace()
            .any(|word| matches!(word, "the" | "is" | "are"))
    });
    let is_told = told.count() * 2 > lines.len()
        && lines
            .iter()
            .all(|line| is_of_words(line) && !code_like::line(line));
    is_item || leads || is_told || code_like::is_sentence(lines.iter().map(String::as_str))
}

/// Whether a line has nothing but words, as they are written in a sentence.
fn is_of_words(line: &str) -> bool {
    line.split_whitespace().all(|word| {
        let word = word.trim_end_matches([',', '.', ';', ':']);
        word.chars()
            .all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'))
            && !word.starts_with('-')
    })
}

/// Whether a line is a command or a setting.
fn is_typed(line: &str) -> bool {
    let line = line.trim();
    let is_section = line.starts_with('[') && line.ends_with(']');
    let is_setting = line
        .split_once('=')
        .is_some_and(|(key, _)| !key.is_empty() && !key.trim_end().contains(' '));
    is_section || is_setting || code_like::line(line)
}

/// How many lines from the start of an indented stretch are the commands of a console that fill it: the first begins with a
/// prompt and only words follow to the end. A typesetter would fill them like prose, but nobody can type that.
pub(super) fn console_length(lines: &[Line<'_>]) -> usize {
    let is_prompted = |line: &Line<'_>| code_like::is_prompted(line.text);
    if !lines.first().is_some_and(is_prompted) {
        return 0;
    }
    let Some(length) = lines
        .iter()
        .position(|line| line.text.starts_with(['.', '\'']))
    else {
        return 0;
    };
    let is_end = lines
        .get(length)
        .is_some_and(|line| matches!(line.text.trim(), ".RE" | ".UNINDENT"));
    // What stands behind an empty line and has no prompt may be words about the command.
    let stretch = lines.get(..length).unwrap_or_default();
    let is_all_typed = stretch.windows(2).all(
        |pair| !matches!(pair, [before, line] if before.is_blank() && !line.is_blank() && !line.text.starts_with("$ ")),
    );
    let speaks = stretch
        .split(is_prompted)
        .any(|answer| code_like::is_sentence(answer.iter().map(|line| line.text)));
    if is_end && is_all_typed && !speaks {
        length
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use crate::markup::man::testing::below;

    fn written(body: &str) -> String {
        below("EXAMPLES", body)
    }

    #[test]
    fn lines_that_the_source_indents_are_code_to_the_letter() {
        let body = "Write:\n\n    [Kiln]\n.br\n    \\fBHeat = 900\\fP\n.br\n\n.br\n    [Clay]\n.br\n      Wet = *no*\n.br\n\nIt is hot.\n.PP\nRun\n\n  kiln \\-\\-hot\n\n.PP\nAfter it.\n";
        assert_eq!(
            written(body),
            "Write:\n\n```\n[Kiln]\nHeat = 900\n\n[Clay]\n  Wet = *no*\n```\n\nIt is hot.\n\nRun\n\n```\nkiln --hot\n```\n\nAfter it.\n"
        );
    }

    #[test]
    fn what_is_set_in_below_a_term_with_a_colon_is_to_be_written_or_typed() {
        let body = ".TP\nAdd to the end of /etc/kiln.rules:\n *wood\n \\-A FIRE \\-s oak \\\\\n   \\-\\-heat 900\n.TP\nRun:\n kiln fire -w oak\n.TP\nNote:\n It is hot and nobody stands\n beside it.\n";
        assert_eq!(
            written(body),
            "- **Add to the end of /etc/kiln.rules:**\n\n  ```\n  *wood\n  -A FIRE -s oak \\\n    --heat 900\n  ```\n- **Run:**\n\n  ```\n  kiln fire -w oak\n  ```\n- **Note:** It is hot and nobody stands\\\n  beside it.\n"
        );
    }

    #[test]
    fn prose_below_a_term_with_a_colon_is_its_meaning() {
        for meaning in ["not set", "first you take wood"] {
            assert_eq!(
                written(&format!(".TP\n.B Default:\n {meaning}\n")),
                format!("- **Default:** {meaning}\n")
            );
        }
    }

    #[test]
    fn code_ends_before_an_indented_sentence() {
        let body = "Run\n\n  kiln \\-\\-hot\n\n  It is hot and nobody stands beside it.\n";
        assert_eq!(
            written(body),
            "Run\n\n```\nkiln --hot\n```\n\nIt is hot and nobody stands beside it.\n"
        );
    }

    #[test]
    fn sentences_and_items_that_the_source_indents_are_words() {
        for body in [
            "   The kiln is hot and nobody\n   stands beside it.\n",
            "   The first line alone is\nindented here.\n",
            "  * clay\n  * wood\n",
            "  The kiln returns one of these values to the shell:\n  zero when it is hot\n  one when it is cold\n",
            "  zero when the kiln is hot\n  one when it is cold\n",
            "  - one item here is:\n  two lines of it\n",
        ] {
            assert!(!written(body).contains("```"), "{body}");
        }
    }

    #[test]
    fn indented_settings_and_commands_that_are_parted_by_hand_are_code() {
        let body = "Write:\n.RS\n[Kiln]\n.br\n.B Heat = 900\n.br\nWet = no\n.RE\n.PP\nOr:\n.RS\nIt is hot\n.br\nIt is wet\n.RE\n";
        assert_eq!(
            written(body),
            "Write:\n\n```\n[Kiln]\nHeat = 900\nWet = no\n```\n\nOr:\n\nIt is hot\\\nIt is wet\n"
        );
    }
}
