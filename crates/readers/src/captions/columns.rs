//! Owns the formats that write a caption as one line of columns: Advanced SubStation Alpha, and the tables that Whisper writes.

use super::tags::{clock, unescape};
use super::{Cue, Line, plausible};
use skillkiln_document::speaker::Speaker;
use skillkiln_document::text::squash;

/// How Whisper's tables begin.
const TABLE_HEAD: &str = "start\tend\ttext";

/// Whether a text is written so, by how it begins.
pub(super) fn is_columns(text: &str) -> bool {
    is_table(text) || text.starts_with("[Script Info]")
}

fn is_table(text: &str) -> bool {
    text.lines().next().map(str::trim) == Some(TABLE_HEAD)
}

/// Reads captions of either format.
pub(super) fn read(text: &str) -> Vec<Cue> {
    if is_table(text) {
        text.lines().skip(1).filter_map(row).collect()
    } else {
        script(text)
    }
}

/// When it begins and when it ends, in milliseconds, and the words, with tabs between.
fn row(line: &str) -> Option<Cue> {
    let mut columns = line.splitn(3, '\t');
    let mut time = || plausible(columns.next()?.trim().parse::<f64>().ok()? / 1_000.0);
    let (start_s, end_s) = (time()?, time()?);
    Some(Cue {
        start_s,
        end_s,
        lines: vec![Line::plain(columns.next()?.to_owned())],
    })
}

/// The dialogue of a script; its format tells which column is which, the words come last.
fn script(text: &str) -> Vec<Cue> {
    let mut format = vec![
        "layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text",
    ]
    .into_iter()
    .map(str::to_owned)
    .collect::<Vec<String>>();
    let mut is_events = false;
    let mut cues = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            is_events = line.eq_ignore_ascii_case("[events]");
        } else if let Some(columns) = line.strip_prefix("Format:").filter(|_| is_events) {
            format = columns
                .split(',')
                .map(|name| name.trim().to_ascii_lowercase())
                .collect();
        } else if let Some(columns) = line.strip_prefix("Dialogue:") {
            cues.extend(dialogue(columns, &format));
        }
    }
    cues
}

fn dialogue(columns: &str, format: &[String]) -> Option<Cue> {
    let columns: Vec<&str> = columns.splitn(format.len().max(1), ',').collect();
    let column = |name: &str| {
        let at = format.iter().position(|column| column == name)?;
        columns.get(at).map(|column| column.trim())
    };
    let (start_s, end_s) = (clock(column("start")?)?, clock(column("end")?)?);
    let words = column("text")?;
    // What follows is a drawing.
    if words.contains("\\p1") || words.contains("\\p2") {
        return None;
    }
    let words = without_overrides(words).replace("\\h", " ");
    let mut lines: Vec<Line> = words
        .replace("\\n", "\\N")
        .split("\\N")
        .map(|line| Line::plain(unescape(line)))
        .collect();
    let name = column("name").or_else(|| column("actor"));
    if let (Some(first), Some(name)) = (lines.first_mut(), name.filter(|it| !it.is_empty())) {
        first.voice = Some(Speaker::Named(squash(name)));
    }
    Some(Cue {
        start_s,
        end_s,
        lines,
    })
}

/// The words without what stands in braces, which tells how they look.
fn without_overrides(words: &str) -> String {
    let mut plain = String::with_capacity(words.len());
    let mut rest = words;
    while let Some((before, inside)) = rest.split_once('{') {
        let Some((_, after)) = inside.split_once('}') else {
            break;
        };
        plain.push_str(before);
        rest = after;
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::super::of_file;

    #[test]
    fn the_dialogue_of_a_script_is_read_by_its_format() {
        let text = "[Script Info]\nTitle: x\n\n[V4+ Styles]\nFormat: Name, Fontname\nStyle: Default,Arial\n\n[Events]\nFormat: Layer, Start, End, Style, Name, Effect, Text\nComment: 0,0:00:00.00,0:00:01.00,Default,,,Nobody hears\nDialogue: 0,0:00:01.00,0:00:04.50,Default,,,{\\an8}Hot, wet\\Nclay\nDialogue: 0,0:00:05.00,0:00:06.00,Default,,,{\\p1}m 0 0 l 1 1\n";
        let read = of_file(text).unwrap();
        assert_eq!(read.len(), 1);
        assert_eq!((read[0].start_s, read[0].end_s), (1.0, 4.5));
        assert_eq!(read[0].text, "Hot, wet clay");
    }

    #[test]
    fn a_table_of_whisper_counts_milliseconds() {
        let read =
            of_file("start\tend\ttext\n0\t4225\tHot clay\n4525\t11350\tcools\tdown\n").unwrap();
        assert_eq!(
            (read[1].start_s, read[1].text.as_str()),
            (4.525, "cools down")
        );
    }
}
