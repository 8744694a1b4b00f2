//! Tells what looks like a heading and is none: names around a drawing, items of lists, commands, lines within what a program prints.

use crate::pdf::line::Line;
use crate::pdf::outline::is_number;

/// So many lines may stand in a drawing between one of its names and its caption.
const LABELS_MAX: usize = 40;
/// A name in a drawing has so many words at most.
const LABEL_WORDS_MAX: usize = 4;
/// A line so many times as large as the text is no name in a drawing.
const LABEL_TIMES: f32 = 1.15;
/// So many names of pins and values stand in a line at least; fewer may head a section: `ISO 9001 14001`.
const PINS_MIN: usize = 4;
/// What comes before the number of a figure.
const CAPTIONS: [&str; 10] = [
    "figure",
    "fig.",
    "figura",
    "abbildung",
    "abb.",
    "afbeelding",
    "rysunek",
    "рисунок",
    "рис.",
    "図",
];

/// What comes before the number of a table.
const TABLES: [&str; 8] = [
    "table", "tabelle", "tableau", "tabla", "tabella", "tabela", "tabel", "tabell",
];

/// The caption of a table has so many lines below its first, which stand so many times their size apart at most.
const CAPTION_LINES_MAX: usize = 3;
const CAPTION_STEP: f32 = 1.4;

/// Whether a line that stands out is no heading for all that.
pub(crate) fn is_no_heading(lines: &[Line], at: usize, body: f32) -> bool {
    let Some(line) = lines.get(at) else {
        return false;
    };
    let text = line.text();
    let text = text.trim();
    is_item(text)
        || names_table(text)
        || is_in_caption(lines, at)
        || names_pins(text)
        || is_within_code(lines, at)
        || is_in_figure(lines, at, body)
}

/// Whether a line begins with a bullet, or with what a shell asks with: an item of a list, or a command.
pub(crate) fn is_item(text: &str) -> bool {
    text.starts_with(['•', '◦', '‣', '▸', '▶', '◮', '∙']) || text.starts_with("$ ")
}

/// Whether a line has no words but names of pins and values, as stand around a drawing: `PV1 A1 GND`, `10 kΩ 8 4 7 A1`.
fn names_pins(text: &str) -> bool {
    let tokens: Vec<&str> = text.split_whitespace().collect();
    // A heading may have its number before such names.
    let is_numbered = tokens.first().is_some_and(|first| is_number(first));
    let has_digit = |token: &&&str| token.contains(|c: char| c.is_ascii_digit());
    let is_said = text
        .split(|c: char| !c.is_lowercase() && c < '\u{2e80}')
        .any(|run| run.chars().count() >= 3 || run.contains(|c| c >= '\u{2e80}'));
    let is_name = text
        .split(|c: char| !c.is_alphabetic())
        .any(|run| run.chars().count() >= 5);
    tokens.len() >= PINS_MIN + usize::from(is_numbered)
        && !is_said
        && !is_name
        && tokens.iter().filter(has_digit).count() * 2 > tokens.len()
}

/// Whether the lines right above and below are set in a typewriter's face, and a line that is no larger keeps the pace of their listing.
fn is_within_code(lines: &[Line], at: usize) -> bool {
    let Some(line) = lines.get(at) else {
        return false;
    };
    let code = |at: Option<usize>| {
        at.and_then(|at| lines.get(at)).filter(|other| {
            other.page == line.page && other.column == line.column && other.is_fixed()
        })
    };
    let (Some(above), Some(below)) = (code(at.checked_sub(1)), code(Some(at + 1))) else {
        return false;
    };
    let step = above.y - line.y;
    let is_step = |other: f32| (other - step).abs() < 0.04 * step;
    let is_paced = code(at.checked_sub(2)).is_some_and(|first| is_step(first.y - above.y))
        || code(Some(at + 2)).is_some_and(|last| is_step(below.y - last.y));
    line.size <= above.size.min(below.size) + 0.3
        && (0.0..1.5 * line.size).contains(&step)
        && is_step(line.y - below.y)
        && is_paced
}

/// Whether a few words away from the margin have nothing but such words between them and the caption of a figure.
fn is_in_figure(lines: &[Line], at: usize, body: f32) -> bool {
    let Some(line) = lines.get(at) else {
        return false;
    };
    let words = |line: &Line| line.text().split_whitespace().count();
    let text = line.text();
    let is_numbered = text.split_whitespace().next().is_some_and(is_number);
    if is_numbered
        || words(line) > LABEL_WORDS_MAX
        || line.left < line.bounds.0 + line.size
        || line.size >= LABEL_TIMES * body
    {
        return false;
    }
    let below = lines.iter().skip(at + 1).take(LABELS_MAX);
    let mut below = below
        .take_while(|below| below.page == line.page)
        .enumerate();
    // What stands right above its caption may be the heading of a section that begins with a figure.
    below
        .find(|(_, below)| is_caption(&below.text()) || words(below) > LABEL_WORDS_MAX)
        .is_some_and(|(between, found)| between > 0 && is_caption(&found.text()))
}

/// Whether a line begins the caption of a figure, and no sentence about it: `Figure 10.1`, `Fig. 3: Heat`.
pub(crate) fn is_caption(text: &str) -> bool {
    is_counted(text, &CAPTIONS)
}

/// Whether a line is the caption of a table: `Table 3. Heat of Kilns`, `Tabelle 2: Holz`.
pub(crate) fn names_table(text: &str) -> bool {
    is_counted(text, &TABLES)
}

/// Whether a line goes on with the caption of a table, in the same setting right below it.
fn is_in_caption(lines: &[Line], at: usize) -> bool {
    let goes_on = |above: &Line, line: &Line| {
        above.page == line.page
            && above.column == line.column
            && (above.size - line.size).abs() < 0.3
            && (0.0..CAPTION_STEP * line.size).contains(&(above.y - line.y))
    };
    let from = at.saturating_sub(CAPTION_LINES_MAX);
    let own = lines.get(from..=at).unwrap_or_default();
    let pairs = own.windows(2).rev();
    let mut above = pairs.map_while(|pair| match pair {
        [above, line] if goes_on(above, line) => Some(above),
        _ => None,
    });
    above.any(|above| names_table(&above.text()))
}

/// Whether a line begins with one of `words` and its number, and no sentence with them.
fn is_counted(text: &str, words: &[&str]) -> bool {
    let lower = text.trim().to_lowercase();
    let mut rest = words.iter().filter_map(|word| lower.strip_prefix(word));
    rest.any(|rest| {
        let rest = rest.trim_start();
        let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let number = rest.strip_suffix(behind).unwrap_or(rest);
        let is_ended = number.ends_with('.')
            || behind.is_empty()
            || behind.trim_start().starts_with([':', '-', '–', '—']);
        number.starts_with(|c: char| c.is_ascii_digit()) && is_ended
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pdf::testing;

    #[test]
    fn a_caption_of_several_lines_heads_nothing() {
        let lines = [
            line("Table 3. Heat of all the Kilns and", 72.0, 100.0),
            line("Their Wood", 72.0, 88.0),
            line("Old Kilns", 72.0, 50.0),
        ];
        assert!(is_no_heading(&lines, 0, 10.0) && is_no_heading(&lines, 1, 10.0));
        assert!(!is_no_heading(&lines, 2, 10.0));
    }

    fn line(words: &str, left: f32, y: f32) -> Line {
        Line {
            left,
            y,
            ..testing::line(vec![testing::piece(words)])
        }
    }

    #[test]
    fn names_of_pins_around_a_drawing_head_no_section() {
        for text in ["PV1 A1 GND A2", "R1 R2 R3 R4", "10 kΩ 8 4 7 A1"] {
            assert!(names_pins(text), "{text}");
        }
        for text in ["Q1 FY24", "ISO 9001 14001", "MP3 AAC 128", "4.1 R1 R2 R3"] {
            assert!(!names_pins(text), "{text}");
        }
        for text in [
            "4 A5",
            "USB 2.0",
            "3.1 MP3",
            "A1 kilns 2",
            "KILNS",
            "KILNS 2.2, 3.1",
            "2.1 USB3 対応1",
        ] {
            assert!(!names_pins(text), "{text}");
        }
        assert!(is_item("• It is hot") && is_item("$ kilnctl open") && !is_item("$5 kilns"));
    }

    #[test]
    fn names_in_a_drawing_stand_above_its_caption_and_away_from_the_margin() {
        let drawn = |left: f32, between: &str| {
            let lines = [
                line("Workers", left, 700.0),
                line(between, 200.0, 660.0),
                line("Figure 10.1: How kilns are lit", 72.0, 600.0),
            ];
            assert!(!is_in_figure(&lines, 0, 8.0) && !is_in_figure(&lines, 1, 10.0));
            is_in_figure(&lines, 0, 10.0)
        };
        assert!(drawn(150.0, "Kiln"));
        assert!(!drawn(72.0, "Kiln"));
        assert!(!drawn(150.0, "It is hot and nobody stands beside it."));
    }

    #[test]
    fn a_sentence_about_a_figure_is_no_caption() {
        for text in [
            "Figure 10.1: How kilns are lit",
            "Fig. 3",
            "Figure 3. Heat",
            "Abbildung 2.1 – Heat",
        ] {
            assert!(is_caption(text), "{text}");
        }
        for text in [
            "Fig. 4 compares the loss of heat",
            "Figure 10.1 shows kilns",
            "Figures",
            "Fig. 4th",
        ] {
            assert!(!is_caption(text), "{text}");
        }
    }

    #[test]
    fn a_line_between_lines_of_code_heads_no_section() {
        let lines = |y: f32, size: f32| {
            let mut lines = [
                line("kilnctl open", 72.0, 700.0),
                line("kilnctl shut", 72.0, 688.0),
                line("door is shut", 72.0, y),
                line("kiln is cold", 72.0, y - 12.0),
            ];
            for at in [0, 2, 3] {
                lines[at].pieces[0].face.is_fixed = true;
            }
            lines[1].size = size;
            lines
        };
        assert!(is_within_code(&lines(676.0, 10.0), 1));
        assert!(!is_within_code(&lines(676.0, 12.0), 1));
        assert!(!is_within_code(&lines(672.0, 10.0), 1));
    }
}
