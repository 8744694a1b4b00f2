//! Reads transcripts in the CHAT format of CHILDES and TalkBank (`.cha`): each utterance is a turn of who speaks, by the name that the
//! head gives to its code. What analyses an utterance word by word says it again and is left out; what remarks on it is kept as code.

use crate::builder::{Builder, tidy};
use skillkiln_document::blocks::{About, Block, BlockKind, Document};
use skillkiln_document::text::{Inline, squash};
use std::collections::HashMap;

/// Tiers that take the words of an utterance apart: its forms, grammar, sounds and times.
const ANALYSES: [&str; 14] = [
    "%mor", "%gra", "%trn", "%grt", "%umor", "%ugra", "%pho", "%mod", "%phon", "%wor", "%tim",
    "%xmor", "%xgra", "%xpho",
];
/// What a head tells for programs alone.
const FOR_PROGRAMS: [&str; 7] = [
    "@UTF8",
    "@PID",
    "@Begin",
    "@End",
    "@Font",
    "@Window",
    "@Color words",
];
/// Marks of a writer among the words: repeats, corrections, pauses.
const MARKS: [&str; 12] = [
    "[/]", "[//]", "[///]", "[/?]", "[/-]", "[!]", "[!!]", "[?]", "(.)", "(..)", "(...)", "‡",
];

/// Whether a text is such a transcript: its head says who takes part, and utterances follow.
pub(super) fn is_chat(text: &str) -> bool {
    let mut lines = text.trim_start_matches('\u{feff}').lines().take(200);
    lines.clone().next().is_some_and(|it| it.starts_with('@'))
        && lines.clone().any(|line| line.starts_with("@Participants:"))
        && lines.any(|line| line.starts_with('*') && line.contains(":\t"))
}

/// Reads it.
pub(super) fn read(text: &str) -> Document {
    let mut builder = Builder::default();
    let mut blocks = Vec::new();
    let mut names = HashMap::new();
    let mut remarks: Vec<String> = Vec::new();
    let mut date = None;
    for (name, words) in tiers(text) {
        if let Some(code) = name.strip_prefix('*') {
            write_remarks(&mut remarks, &mut builder, &mut blocks);
            let speaker = names.get(code).map_or(code, String::as_str);
            let (said, seconds) = utterance(&words);
            if said.is_empty() {
                continue;
            }
            if let Some((start_s, end_s)) = seconds {
                builder.at_seconds(start_s, end_s);
            }
            let turn = vec![
                Inline::Strong(vec![Inline::Text(speaker.to_owned())]),
                Inline::Text(format!(": {said}")),
            ];
            blocks.push(builder.leaf(BlockKind::Paragraph(tidy(turn))));
        } else if !ANALYSES.contains(&name) && !FOR_PROGRAMS.contains(&name) {
            match name {
                "@Participants" => names = participants(&words),
                "@Date" if date.is_none() => date = Some(words.clone()),
                _ => {}
            }
            remarks.push(format!("{name}: {words}"));
        }
    }
    write_remarks(&mut remarks, &mut builder, &mut blocks);
    let about = About {
        date,
        ..About::default()
    };
    builder.finish(None, about, blocks)
}

/// Puts what was remarked so far into a block.
fn write_remarks(remarks: &mut Vec<String>, builder: &mut Builder, blocks: &mut Vec<Block>) {
    if remarks.is_empty() {
        return;
    }
    let text = std::mem::take(remarks).join("\n");
    let language = None;
    blocks.push(builder.leaf(BlockKind::Code { language, text }));
}

/// The lines of a transcript, each with its name; one that begins with a tab goes on the one above it.
fn tiers(text: &str) -> Vec<(&str, String)> {
    let mut tiers: Vec<(&str, String)> = Vec::new();
    for line in text.trim_start_matches('\u{feff}').lines() {
        if line.starts_with(['@', '*', '%']) {
            let (name, words) = line.split_once(':').unwrap_or((line.trim_end(), ""));
            tiers.push((name, words.trim().to_owned()));
        } else if let Some((_, words)) = tiers.last_mut().filter(|_| !line.trim().is_empty()) {
            words.push(' ');
            words.push_str(line.trim());
        }
    }
    tiers
}

/// What each code of a speaker stands for: `CHI Eve Target_Child , MOT Sue Mother`. Who has no name has a role.
fn participants(words: &str) -> HashMap<String, String> {
    let participant = |entry: &str| {
        let parts: Vec<&str> = entry.split_whitespace().collect();
        let name = match parts.as_slice() {
            [_, name, _, ..] | [_, name] => name,
            _ => return None,
        };
        Some(((*parts.first()?).to_owned(), name.replace('_', " ")))
    };
    words.split(',').filter_map(participant).collect()
}

/// The words of an utterance without the marks of its writer, and when it is said, in seconds, where a bullet tells.
fn utterance(words: &str) -> (String, Option<(f64, f64)>) {
    let mut seconds = None;
    let mut said = String::with_capacity(words.len());
    for (at, part) in words.split('\u{15}').enumerate() {
        // Between two bullets stand the milliseconds.
        let times = part.split_once('_').filter(|_| at % 2 == 1);
        let ms = |digits: &str| digits.parse::<u32>().ok().map(|ms| f64::from(ms) / 1_000.0);
        match times.and_then(|(start, end)| Some((ms(start)?, ms(end)?))) {
            Some((start_s, end_s)) => seconds = Some((start_s, end_s.max(start_s))),
            None => said.push_str(part),
        }
    }
    for mark in MARKS {
        said = said.replace(mark, " ");
    }
    let mut plain = String::with_capacity(said.len());
    let mut rest = said.as_str();
    // What is said of an utterance stands behind a plus: `[+ IMP]`.
    while let Some((before, after)) = rest.split_once("[+ ") {
        plain.push_str(before);
        rest = after.split_once(']').map_or(after, |(_, after)| after);
    }
    plain.push_str(rest);
    (squash(&plain), seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::markdown::write;

    const SOURCE: &str = "@UTF8\n@Begin\n@Participants:\tCHI Eve Target_Child , MOT Mother\n@Date:\t15-OCT-1962\n*CHI:\tmore cookie . [+ IMP]\n%mor:\tqn|more n|cookie .\n%com:\tpoints at it\n*MOT:\tyes (.) ‡ you get\n\ta fly . \u{15}1200_2500\u{15}\n%gra:\t1|3|COM\n@End\n";

    #[test]
    fn each_utterance_is_a_turn_and_no_analysis_is_prose() {
        assert!(is_chat(SOURCE));
        assert_eq!(
            write(&read(SOURCE).blocks),
            "```\n@Participants: CHI Eve Target_Child , MOT Mother\n@Date: 15-OCT-1962\n```\n\n**Eve**: more cookie .\n\n```\n%com: points at it\n```\n\n**Mother**: yes you get a fly .\n"
        );
    }

    #[test]
    fn a_bullet_tells_when_an_utterance_is_said() {
        let document = read(SOURCE);
        let last = document.blocks.last().unwrap();
        assert_eq!(last.span.seconds(), Some((1.2, 2.5)));
    }

    #[test]
    fn a_text_with_signs_at_its_lines_is_none() {
        assert!(!is_chat("@author: Ada\n* one:\ttwo\n% three\n"));
    }
}
