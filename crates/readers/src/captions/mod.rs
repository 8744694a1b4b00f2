//! Owns how captions are read, whoever brings them: those that the provider delivers, and those that come as files.
//!
//! ```text
//! text ─▶ json · xml · cues ─▶ cues of lines ─▶ tidy: who speaks, sounds dropped, cut at pauses, in order ─▶ segments
//! ```

mod cues;

mod json;

mod speakers;

mod tags;

mod xml;

use crate::spoken::Segment;
use crate::words::{WordList, words};
use skillkiln_document::speaker::Speaker;
use skillkiln_document::text::is_unspaced;

/// More captions than a day of speech has.
const SEGMENTS_MAX: usize = 200_000;

/// A silence between two words that cuts a caption.
const PAUSE_S: f64 = 0.5;

/// Sounds that stand in captions where nobody speaks.
static SOUNDS: WordList = words!("[music] [applause] [laughter] [cheering] [silence] (music)");

/// What is heard in a remark between brackets that says so among words: `[DOOR SLAMS]`.
static NOISES: WordList = words!(
    "applause beep beeping beeps bell cheering cheers chuckles chuckling clapping coughs gasps laughing laughs laughter music noise \
     playing ringing rings sighs silence slams applauding sniffs"
);

/// A caption: when it is shown, and the lines of it that are speech.
#[derive(Debug, Clone, Default)]
struct Cue {
    start_s: f64,
    end_s: f64,
    lines: Vec<Line>,
}

/// A line of a caption: its words or pieces, each with when it is said, in seconds since the caption began, where it is told.
#[derive(Debug, Clone, Default)]
struct Line {
    /// Who begins to speak with it.
    voice: Option<Speaker>,
    words: Vec<(Option<f64>, String)>,
}

impl Line {
    /// A line that tells no times of its words.
    fn plain(text: String) -> Self {
        Self {
            voice: None,
            words: vec![(None, text)],
        }
    }

    /// Puts the words of a further line behind its own; where lines `are_apart`, a blank parts them in any script.
    fn go_on(&mut self, line: Self, are_apart: bool) {
        let first = line.words.first().map(|(_, word)| word.as_str());
        if let (Some((_, above)), Some(below)) = (self.words.last_mut(), first)
            && (are_apart || is_parted(above, below))
        {
            above.push(' ');
        }
        self.words.extend(line.words);
    }

    /// What it says.
    fn text(&self) -> String {
        let words: String = self.words.iter().map(|(_, word)| word.as_str()).collect();
        squash(&words)
    }
}

/// Reads captions that somebody sent as a file. `None` when they are none of the formats.
#[must_use]
pub fn of_file(text: &str) -> Option<Vec<Segment>> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let is_list = || {
        text.strip_prefix('[')
            .is_some_and(|rest| rest.trim_start().starts_with('{'))
    };
    let cues = if text.starts_with('{') || is_list() {
        json::read(&serde_json::from_str(text).ok()?)?
    } else if text.starts_with('<') {
        xml::read(text)?
    } else {
        Some(cues::read(text)).filter(|cues| !cues.is_empty() || text.starts_with("WEBVTT"))?
    };
    Some(tidy(cues))
}

/// Whether structured data may be captions, as far as its beginning tells.
#[must_use]
pub fn may_be_data(text: &str) -> bool {
    let head: String = text.chars().take(4_096).collect();
    json::may_be(&head)
}

/// Reads captions of any of the formats in which the provider delivers them, told apart by how they begin. `None` when it is none
/// of them; an empty list when nobody speaks.
pub fn read(bytes: &[u8]) -> Option<Vec<Segment>> {
    of_file(&String::from_utf8_lossy(bytes))
}

/// A caption whose words have times of their own, cut where the speaker pauses: such captions stay on the screen while nobody
/// speaks, so their own times say nothing about pauses. Captions without such times stay whole.
fn at_pauses(start_s: f64, end_s: f64, words: Vec<(Option<f64>, String)>) -> Vec<Segment> {
    let is_timed = words.iter().any(|(offset, _)| offset.is_some());
    let mut pieces: Vec<Segment> = Vec::new();
    for (offset, word) in words {
        let begins = (start_s + offset.unwrap_or(0.0)).min(end_s.max(start_s));
        match pieces.last_mut() {
            Some(piece) if !is_timed || begins - piece.end_s < PAUSE_S => {
                piece.text.push_str(&word);
                if is_timed && !word.trim().is_empty() {
                    piece.end_s = said_by(begins, &word).min(end_s);
                }
            }
            _ => pieces.push(Segment {
                speaker: None,
                start_s: begins,
                end_s: if is_timed {
                    said_by(begins, &word).min(end_s).max(begins)
                } else {
                    end_s
                },
                text: word,
            }),
        }
    }
    pieces
}

/// When a word that begins at `begins` has been said, at an unhurried pace.
fn said_by(begins: f64, word: &str) -> f64 {
    let letters = u32::try_from(word.trim().chars().count()).unwrap_or(u32::MAX);
    begins + 0.25 + 0.06 * f64::from(letters.min(20))
}

/// A point in a video: not negative, and less than a year.
fn plausible(seconds: f64) -> Option<f64> {
    (0.0..31_536_000.0).contains(&seconds).then_some(seconds)
}

/// Cleans what was read: white space squashed, sounds dropped, in the order of time, and no caption longer than until the next.
/// Captions heard by a machine overlap, since each line stays on the screen while the next one is spoken.
fn tidy(mut cues: Vec<Cue>) -> Vec<Segment> {
    cues.truncate(SEGMENTS_MAX);
    speakers::tell(&mut cues);
    let ends: Vec<String> = cues
        .iter()
        .flat_map(|cue| &cue.lines)
        .map(Line::text)
        .collect();
    let are_apart = ends_bare(ends.iter().map(String::as_str));
    let mut segments: Vec<Segment> = cues
        .into_iter()
        .flat_map(|cue| segments_of(cue, are_apart))
        .filter_map(|segment| {
            let text = spoken(&segment.text);
            (!text.is_empty()).then_some(Segment { text, ..segment })
        })
        .collect();
    segments.sort_by(|a, b| a.start_s.total_cmp(&b.start_s));
    let starts: Vec<f64> = segments.iter().skip(1).map(|next| next.start_s).collect();
    for (segment, next) in segments.iter_mut().zip(starts) {
        segment.end_s = segment.end_s.min(next);
    }
    for segment in &mut segments {
        segment.end_s = segment.end_s.max(segment.start_s);
    }
    segments
}

/// Whether what is said in a script without blanks has no full stops, as captions for people have none: the end of a line, or of a
/// caption, is all that ends it.
#[must_use]
pub fn ends_bare<'a>(texts: impl Iterator<Item = &'a str>) -> bool {
    /// Fewer tell nothing.
    const LINES_MIN: usize = 8;
    let (mut lines, mut stopped) = (0, 0);
    for text in texts.filter(|text| text.chars().any(is_unspaced)) {
        lines += 1;
        stopped += usize::from(text.contains('。'));
    }
    lines >= LINES_MIN && stopped * 10 < lines
}

/// The pieces of a caption between which the speaker pauses or somebody else begins; none of one that is a remark.
fn segments_of(cue: Cue, are_apart: bool) -> Vec<Segment> {
    let texts: Vec<String> = cue.lines.iter().map(Line::text).collect();
    if is_note(&texts.join(" ")) {
        return Vec::new();
    }
    let letters = |text: &String| text.chars().count();
    let all = texts.iter().map(letters).sum::<usize>().max(1);
    let mut seen = 0;
    let mut turns: Vec<(f64, Line)> = Vec::new();
    for (line, text) in cue.lines.into_iter().zip(&texts) {
        // Of a caption with several speakers, each line takes a part by its length.
        let part = f64::from(u32::try_from(seen).unwrap_or(u32::MAX))
            / f64::from(u32::try_from(all).unwrap_or(u32::MAX));
        seen += letters(text);
        if is_note(text) {
            continue;
        }
        match turns.last_mut().filter(|_| line.voice.is_none()) {
            Some((_, turn)) => turn.go_on(line, are_apart),
            None => turns.push((cue.start_s + (cue.end_s - cue.start_s) * part, line)),
        }
    }
    let ends: Vec<f64> = turns.iter().skip(1).map(|(start_s, _)| *start_s).collect();
    let ends = ends.into_iter().chain([cue.end_s]);
    let mut segments = Vec::new();
    for ((start_s, turn), end_s) in turns.into_iter().zip(ends) {
        let is_timed = turn.words.iter().any(|(offset, _)| offset.is_some());
        let (start_s, end_s) = match is_timed {
            true => (cue.start_s, cue.end_s),
            false => (start_s, end_s),
        };
        let mut voice = turn.voice;
        segments.extend(
            at_pauses(start_s, end_s, turn.words)
                .into_iter()
                .map(|it| Segment {
                    speaker: voice.take(),
                    ..it
                }),
        );
    }
    segments
}

/// Whether a blank stands between these words where lines or captions meet: some scripts have none.
#[must_use]
pub fn is_parted(above: &str, below: &str) -> bool {
    let ends = above.trim_end().chars().next_back();
    let begins = below.trim_start().chars().next();
    !(ends.is_some_and(is_unspaced) && begins.is_some_and(is_unspaced))
}

/// The words of a caption: without notes, invisible characters and the names of sounds.
fn spoken(text: &str) -> String {
    let line = squash(text);
    if is_note(&line) {
        return String::new();
    }
    squash(&without_sounds(&line))
}

/// The text on one line, without characters that nobody sees and the notes of music.
fn squash(text: &str) -> String {
    let visible: String = text
        .chars()
        .filter(|c| !matches!(c, '\u{200b}'..='\u{200f}' | '\u{feff}' | '♪' | '♫' | '♬'))
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The line with a blank in the place of each named sound; one pass, since a line may be as long as a file.
fn without_sounds(line: &str) -> String {
    let mut quiet = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find(['[', '(']) {
        let (before, tail) = rest.split_at(at);
        quiet.push_str(before);
        let sound = match quiet.ends_with(char::is_alphanumeric) {
            true => named_sound(tail),
            false => named_sound(tail).or_else(|| noise(tail)),
        };
        let skipped = match sound {
            Some(length) => {
                quiet.push(' ');
                length
            }
            None => {
                quiet.extend(tail.chars().next());
                1
            }
        };
        rest = tail.get(skipped..).unwrap_or_default();
    }
    quiet.push_str(rest);
    quiet
}

/// The bytes of a sound that is always written so.
fn named_sound(tail: &str) -> Option<usize> {
    SOUNDS.iter().map(|sound| sound.len()).find(|length| {
        tail.get(..*length)
            .is_some_and(|head| SOUNDS.contains(&head.to_ascii_lowercase().as_str()))
    })
}

/// The bytes of a remark on what is heard: a few words between brackets of which one is a noise. Round brackets hold words that
/// are said as well: there it is in capitals.
fn noise(tail: &str) -> Option<usize> {
    /// No remark among words is longer.
    const BYTES_MAX: usize = 60;
    let close = if tail.starts_with('[') { b']' } else { b')' };
    let head = tail.as_bytes().get(..BYTES_MAX.min(tail.len()))?;
    let end = head.iter().position(|byte| *byte == close)?;
    let inside = tail.get(1..end)?;
    let is_shouted = !inside.contains(char::is_lowercase);
    ((close == b']' || is_shouted) && names_noise(inside)).then_some(end + 1)
}

/// Whether one of these words is a noise.
fn names_noise(words: &str) -> bool {
    words
        .to_lowercase()
        .split(' ')
        .any(|word| NOISES.contains(&word))
}

/// A caption that is nothing but a remark in brackets, such as `[upbeat music]` in any language.
fn is_note(line: &str) -> bool {
    line.strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .is_some_and(|inside| !inside.contains(['[', ']']) && inside.chars().count() <= 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spoken::segment;
    use proptest::prelude::*;

    #[test]
    fn json3_is_read_with_numbers_as_text_and_without_appended_events() {
        let text = r#"{"wireMagic":"pb3","events":[
            {"tStartMs":0,"dDurationMs":60000,"id":1,"wpWinPosId":1},
            {"tStartMs":"160","dDurationMs":"4000","segs":[{"utf8":"hello"},{"utf8":" world","tOffsetMs":300}]},
            {"tStartMs":2000,"dDurationMs":2160,"aAppend":1,"segs":[{"utf8":"\n"}]},
            {"tStartMs":2010,"dDurationMs":3000,"segs":[{"utf8":"this is\u200b\nRust"}]},
            {"tStartMs":6000,"dDurationMs":1000,"segs":[{"utf8":"[Music]"}]},
            {"tStartMs":7000,"dDurationMs":1000,"segs":[{"utf8":"[Música animada]"}]},
            {"tStartMs":8000,"dDurationMs":1000,"segs":[{"utf8":"so [Applause] that is it ♪"}]},
            {"tStartMs":9000}, {"segs":[{"utf8":"no time"}]}, {"tStartMs":-5,"segs":[{"utf8":"before"}]}
        ]}"#;
        assert_eq!(
            read(text.as_bytes()).unwrap(),
            [
                segment(0.16, 1.01, "hello world"),
                segment(2.01, 5.01, "this is Rust"),
                segment(8.0, 9.0, "so that is it"),
            ]
        );
    }

    #[test]
    fn words_with_times_of_their_own_are_cut_where_the_speaker_pauses() {
        let text = r#"{"events":[{"tStartMs":1000,"dDurationMs":9000,"segs":[
            {"utf8":"first"},{"utf8":" thought","tOffsetMs":400},{"utf8":" second","tOffsetMs":3000},{"utf8":" one","tOffsetMs":3400}]}]}"#;
        let found = read(text.as_bytes()).unwrap();
        let told: Vec<(f64, &str)> = found.iter().map(|s| (s.start_s, s.text.as_str())).collect();
        assert_eq!(told, [(1.0, "first thought"), (4.0, "second one")]);
        assert!(found[0].end_s < 2.5, "{}", found[0].end_s);
    }

    #[test]
    fn an_index_into_an_array_is_a_part_of_speech_and_stays() {
        let text = r#"{"events":[{"tStartMs":0,"dDurationMs":10,"segs":[{"utf8":"a[0] and [music] b[1]"}]}]}"#;
        assert_eq!(read(text.as_bytes()).unwrap()[0].text, "a[0] and b[1]");
    }

    #[test]
    fn srv3_is_read_with_its_words_and_without_appended_lines() {
        let text = r#"<?xml version="1.0" encoding="utf-8" ?><timedtext format="3">
<head><ws id="0"/><pen id="1"/></head><body><w t="0" id="1" wp="1" ws="1"/>
<p t="160" d="4000" w="1"><s ac="0">hello</s><s t="300" ac="0"> world</s></p>
<p t="2000" d="2160" w="1" a="1">
</p><p t="2010" d="3000">Tom &amp; Jerry &#39;go&#x27; &lt;here&gt;<br/>now</p>
</body></timedtext>"#;
        assert_eq!(
            read(text.as_bytes()).unwrap(),
            [
                segment(0.16, 1.01, "hello world"),
                segment(2.01, 5.01, "Tom & Jerry 'go' <here> now"),
            ]
        );
    }

    #[test]
    fn srv1_is_read_although_it_is_escaped_twice() {
        let text = "<?xml version=\"1.0\"?><transcript><text start=\"0.5\" dur=\"1.25\">it&amp;#39;s a &lt;i&gt;test&lt;/i&gt;</text><text start=\"2\">Q&amp;amp;A</text></transcript>";
        assert_eq!(
            read(text.as_bytes()).unwrap(),
            [segment(0.5, 1.75, "it's a test"), segment(2.0, 2.0, "Q&A")]
        );
    }

    #[test]
    fn vtt_is_read_without_tags_and_without_lines_that_roll_over() {
        let text = "WEBVTT\nKind: captions\nLanguage: en\n\nNOTE a remark\nof two lines\n\n00:00:00.160 --> 00:00:02.000 align:start position:0%\n \nhello<00:00:00.400><c> world</c>\n\n00:00:02.000 --> 00:00:02.010\nhello world\n \n\n1\n00:02.010 --> 00:05.000\nhello world\nthis &amp; that\n\n01:00:00,000 --> 01:00:01,000\n<v Ada>the end</v>\n";
        assert_eq!(
            read(text.as_bytes()).unwrap(),
            [
                segment(0.16, 0.95, "hello world"),
                segment(2.01, 5.0, "this & that"),
                Segment {
                    speaker: Some(Speaker::Named("Ada".into())),
                    ..segment(3600.0, 3601.0, "the end")
                },
            ]
        );
    }

    #[test]
    fn a_file_of_subtitles_loses_no_speech_and_keeps_no_sound() {
        let srt = "1\n00:00:01,000 --> 00:00:03,000\n{\\an8}loop while i<n and then\ngit checkout <branch>\n\n2\n00:00:03,000 --> 00:00:05,000\n[DOOR SLAMS] (LAUGHTER) a vector<int> (SQL) x[i]\n\n3\n00:00:05,000 --> 00:00:07,000\n[\u{266a} upbeat\nmusic \u{266a}]\n\n4\n00:00:07,000 --> 00:00:09,000\n<font color=\"red\">the <title> tag</font>\n";
        let read = of_file(srt).unwrap();
        let texts: Vec<&str> = read.iter().map(|segment| segment.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "loop while i<n and then git checkout <branch>",
                "a vector<int> (SQL) x[i]",
                "the <title> tag",
            ]
        );
    }

    #[test]
    fn lines_of_a_script_without_blanks_meet_without_one() {
        let srt = "1\n00:00:01,000 --> 00:00:03,000\nオイ\nラーの\n\n2\n00:00:03,000 --> 00:00:05,000\n窯 is\na kiln\n";
        let read = of_file(srt).unwrap();
        assert_eq!(read[0].text, "オイラーの");
        assert_eq!(read[1].text, "窯 is a kiln");
    }

    #[test]
    fn lines_of_a_script_without_blanks_stay_apart_where_nobody_writes_full_stops() {
        let cue = |at: usize| {
            format!("{at}\n00:00:0{at},000 --> 00:00:0{at},900\n起きてくれ\nここは危ない\n\n")
        };
        let read = of_file(&(1..9).map(cue).collect::<String>()).unwrap();
        assert_eq!(read[0].text, "起きてくれ ここは危ない");
    }

    #[test]
    fn what_is_not_captions_is_told_apart_from_silence() {
        assert_eq!(read(b"{\"events\":[]}"), Some(vec![]));
        for foreign in [
            "",
            "<html><body>Sign in</body></html>",
            "{\"error\":1}",
            "{",
            "plain words",
        ] {
            assert_eq!(read(foreign.as_bytes()), None, "{foreign}");
        }
    }

    #[test]
    fn a_caption_as_long_as_a_file_is_read_in_one_pass() {
        let text = "[music] (".repeat(200_000);
        let json = serde_json::json!({ "events": [{ "tStartMs": 0, "segs": [{ "utf8": text }] }] });
        let read = read(json.to_string().as_bytes()).unwrap();
        assert!(!read[0].text.contains("music"));
    }

    proptest! {
        #[test]
        fn no_captions_make_the_reader_panic(middle in "\\PC{0,200}", head in prop::sample::select(vec![
            "{\"events\":[", "WEBVTT\n\n", "<timedtext><body><p t=\"1\">", "<transcript><text start=\"1\">", "<",
        ])) {
            if let Some(segments) = read(format!("{head}{middle}").as_bytes()) {
                prop_assert!(segments.iter().all(|s| s.start_s <= s.end_s && !s.text.is_empty()));
            }
        }

        #[test]
        fn captions_never_overlap(times in prop::collection::vec((0u32..10_000, 0u32..5_000), 0..50)) {
            let events: Vec<String> = times
                .iter()
                .map(|(t, d)| format!("{{\"tStartMs\":{t},\"dDurationMs\":{d},\"segs\":[{{\"utf8\":\"w\"}}]}}"))
                .collect();
            let segments = read(format!("{{\"events\":[{}]}}", events.join(",")).as_bytes()).unwrap();
            prop_assert_eq!(segments.len(), times.len());
            prop_assert!(segments.windows(2).all(|two| two[0].end_s <= two[1].start_s));
        }
    }
}
