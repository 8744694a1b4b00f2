//! Reads XML that is mostly running text and has no reader of its own: elements with text are paragraphs, those around them
//! sections under what names them.

use crate::data::prose::records::is_called;
use crate::data::prose::running::{Share, is_running};
use crate::data::prose::writer::Writer;
use crate::xml_tree::{Content, Element, Tree};
use skillkiln_document::blocks::Document;
use skillkiln_document::text::squash;
use std::collections::HashMap;

/// What the element is called that names the one around it.
const TITLES: [&str; 9] = [
    "title",
    "head",
    "heading",
    "headline",
    "titel",
    "titre",
    "titolo",
    "überschrift",
    "h1",
];
/// What names it only where it comes first.
const NAMES: [&str; 8] = [
    "name", "label", "speaker", "subject", "caption", "author", "num", "redner",
];
/// What the attribute is called that names an element.
const ATTRIBUTES: [&str; 10] = [
    "title", "name", "heading", "head", "label", "speaker", "subject", "who", "by", "author",
];
/// What the attribute is called that tells whose an element's words are.
const SPEAKERS: [&str; 4] = ["who", "by", "speaker", "author"];
/// Elements without text that part words.
const PARTING: [&str; 4] = ["br", "lb", "tab", "pb"];
/// Elements with words of their own around one that may still be a paragraph.
const AROUND_MAX: usize = 2;
/// What the cells of a row are called.
const CELLS: [&str; 4] = ["td", "th", "cell", "entry"];
/// The title of an element is one of so many that come first in it.
const AHEAD_MAX: usize = 8;
/// Longer words name nothing.
const NAME_CHARS_MAX: usize = 150;
/// Words before the first paragraph that name a section where they end with a colon.
const LABEL_WORDS: usize = 15;
/// Words of an element without running text that are one line.
const LINE_WORDS: usize = 40;
/// Words of a value that is told with its name.
const VALUE_WORDS: usize = 8;
/// No blank stands behind these.
const OPENING: [char; 6] = ['(', '[', '{', '“', '„', '«'];
/// No blank stands before these.
const CLOSING: [char; 11] = ['.', ',', ';', ':', '!', '?', ')', ']', '}', '”', '…'];
/// A file with less text between its tags, in bytes of a hundred, is not looked at further.
const BETWEEN_PERCENT: usize = 30;

/// The document that `text` is; `None` where little of it is running text.
pub(super) fn read(text: &str) -> Option<Document> {
    let mut share = Share::default();
    if !is_between_tags(text, &mut share) {
        return None;
    }
    let tree = Tree::read(text.as_bytes())?;
    let root = part(tree.root(), 0)?;
    count(&root, &mut share);
    let Kind::Around { title, parts } = root.kind else {
        return None;
    };
    if !share.is_most() {
        return None;
    }
    let mut writer = Writer::default();
    write_all(parts, 1, &mut writer);
    Some(writer.finish(title))
}

/// Whether enough stands between the tags of `text` to be running text; counts what stands in their attributes.
fn is_between_tags(text: &str, share: &mut Share) -> bool {
    let mut between = 0;
    for piece in text.split('<') {
        let (tag, said) = piece.split_once('>').unwrap_or(("", piece));
        between += said.trim().len();
        for value in tag.split('"').skip(1).step_by(2) {
            share.name(value);
        }
    }
    between * 100 >= text.len() * BETWEEN_PERCENT
}

/// What an element is.
#[derive(Debug)]
struct Part<'t> {
    name: &'t str,
    /// Whose words stand in it, as an attribute tells.
    speaker: Option<&'t str>,
    kind: Kind<'t>,
    /// Whether running text stands in it.
    runs: bool,
}

#[derive(Debug)]
enum Kind<'t> {
    /// The words of an element that has some of its own.
    Words(String),
    /// The elements in one that has none, and what names it.
    Around {
        title: Option<String>,
        parts: Vec<Part<'t>>,
    },
}

/// What stands in an element, in order.
#[derive(Debug)]
enum Piece<'t> {
    Text(&'t str),
    Part(Part<'t>),
}

/// What an element is that so many elements with words of their own stand `around`; `None` where nothing is said in it.
fn part<'t>(element: Element<'t>, around: usize) -> Option<Part<'t>> {
    let mut pieces = Vec::new();
    let mut runs = false;
    let mut texts = element.content().filter_map(|content| match content {
        Content::Text(text) => Some(text),
        Content::Element(_) => None,
    });
    let has_words = texts.any(|text| !text.trim().is_empty());
    let inside = around + usize::from(has_words);
    for content in element.content() {
        match content {
            Content::Text(text) => pieces.push(Piece::Text(text)),
            Content::Element(inner) => match part(inner, inside) {
                Some(part) => {
                    runs |= part.runs;
                    pieces.push(Piece::Part(part));
                }
                None if PARTING.contains(&inner.name()) => pieces.push(Piece::Text(" ")),
                None => {}
            },
        }
    }
    let name = element.name();
    let speaker = attribute(element, &SPEAKERS);
    if has_words && !runs {
        let words = joined(&pieces);
        // What stands within words within words is a part of them, and is not read again at each depth.
        let runs = around < AROUND_MAX && is_running(&words);
        let kind = Kind::Words(words);
        return Some(Part {
            name,
            speaker,
            kind,
            runs,
        });
    }
    let mut parts: Vec<Part<'t>> = match has_words {
        true => gathered(pieces),
        false => pieces.into_iter().filter_map(only_part).collect(),
    };
    let first = parts.first()?;
    let is_named = NAMES.iter().any(|name| is_called(first.name, name));
    let title = match (runs, has_words) {
        (true, false) => titled(element, &mut parts),
        // What stands among words is one of them.
        (true, true) => attribute(element, &ATTRIBUTES).map(str::to_owned),
        (false, _) => None,
    };
    Some(Part {
        name,
        speaker: speaker.filter(|_| !is_named),
        kind: Kind::Around { title, parts },
        runs,
    })
}

/// The parts of an element in which running text stands beside words of its own: its words, and what stands within them, are one
/// paragraph as far as neither running text nor a list comes between.
fn gathered(pieces: Vec<Piece<'_>>) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut beside = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Part(part) if part.runs || is_block(&part) => {
                end_paragraph(&mut beside, &mut parts);
                parts.push(part);
            }
            piece => beside.push(piece),
        }
    }
    end_paragraph(&mut beside, &mut parts);
    parts
}

/// Adds what stands `beside` each other to the parts: as one paragraph where words of the element are among it.
fn end_paragraph<'t>(beside: &mut Vec<Piece<'t>>, parts: &mut Vec<Part<'t>>) {
    let has_words = beside
        .iter()
        .any(|piece| matches!(piece, Piece::Text(text) if !text.trim().is_empty()));
    if has_words {
        parts.push(Part {
            name: "",
            speaker: None,
            kind: Kind::Words(joined(beside)),
            runs: false,
        });
        beside.clear();
        return;
    }
    parts.extend(beside.drain(..).filter_map(only_part));
}

fn only_part(piece: Piece<'_>) -> Option<Part<'_>> {
    match piece {
        Piece::Part(part) => Some(part),
        Piece::Text(_) => None,
    }
}

/// The words of a paragraph. Values that stand in it are apart by a blank.
fn joined(pieces: &[Piece<'_>]) -> String {
    let mut words = String::new();
    let mut is_behind_values = false;
    for piece in pieces {
        let mut said = Vec::new();
        match piece {
            Piece::Text(text) => said.push(*text),
            Piece::Part(Part {
                kind: Kind::Words(inner),
                ..
            }) => said.push(inner.as_str()),
            Piece::Part(part) => {
                leaves(part, usize::MAX, &mut said);
            }
        }
        let are_values = said.len() > 1;
        for next in said {
            if (are_values || is_behind_values) && !are_parted(&words, next) {
                words.push(' ');
            }
            words.push_str(next);
            is_behind_values = are_values;
        }
    }
    words
}

/// Whether something parts the words `next` from those `before`.
fn are_parted(before: &str, next: &str) -> bool {
    before.is_empty()
        || before.ends_with(|sign: char| sign.is_whitespace() || OPENING.contains(&sign))
        || next.starts_with(|sign: char| sign.is_whitespace() || CLOSING.contains(&sign))
}

/// Adds the words in a part, element by element, until there are `words_max`; tells how many may still be added.
fn leaves<'p>(part: &'p Part<'_>, words_max: usize, found: &mut Vec<&'p str>) -> usize {
    match &part.kind {
        Kind::Words(words) => {
            found.push(words);
            words_max.saturating_sub(words.split_whitespace().take(words_max).count())
        }
        Kind::Around { parts, .. } => parts.iter().fold(words_max, |left, part| match left {
            0 => 0,
            left => leaves(part, left, found),
        }),
    }
}

/// The first of the attributes `names` of an element that is short and has letters.
fn attribute<'t>(element: Element<'t>, names: &[&str]) -> Option<&'t str> {
    let values = names.iter().filter_map(|name| element.attribute(name));
    let mut short = values.filter(|value| value.chars().count() <= NAME_CHARS_MAX);
    let value = short.find(|value| value.contains(char::is_alphabetic))?;
    // Some point at the list of who speaks.
    Some(value.trim().trim_start_matches('#'))
}

/// What names an element without words of its own in which running text stands: an element in it, which is taken out, or an
/// attribute.
fn titled(element: Element<'_>, parts: &mut Vec<Part<'_>>) -> Option<String> {
    let is_among = |part: &Part<'_>, names: &[&str]| {
        words_of(part).is_some_and(|words| words.chars().count() <= NAME_CHARS_MAX)
            && names.iter().any(|name| is_called(part.name, name))
    };
    let is_label = |words: &str| {
        words.trim_end().ends_with(':') && words.split_whitespace().count() <= LABEL_WORDS
    };
    let first = |is: &dyn Fn(&Part<'_>) -> bool| parts.first().is_some_and(is).then_some(0);
    let named = parts
        .iter()
        .take(AHEAD_MAX)
        .position(|part| is_among(part, &TITLES))
        .or_else(|| first(&|part| is_among(part, &NAMES)));
    if named.is_none()
        && let Some(value) = attribute(element, &ATTRIBUTES)
    {
        return Some(value.to_owned());
    }
    let at = named.or_else(|| first(&|part| words_of(part).is_some_and(is_label)))?;
    let part = parts.remove(at);
    let words = squash(words_of(&part)?);
    Some(words.trim_end_matches([':', ' ']).to_owned())
}

fn words_of<'p>(part: &'p Part<'_>) -> Option<&'p str> {
    match &part.kind {
        Kind::Words(words) => Some(words),
        Kind::Around { .. } => None,
    }
}

/// Counts what is said in a part.
fn count(part: &Part<'_>, share: &mut Share) {
    match &part.kind {
        Kind::Words(words) => share.value(words),
        Kind::Around { parts, .. } => parts.iter().for_each(|part| count(part, share)),
    }
}

/// Writes what stands in an element with running text, whose heading is written already.
fn write_all(parts: Vec<Part<'_>>, level: usize, writer: &mut Writer) {
    let mut named: HashMap<&str, usize> = HashMap::new();
    for part in &parts {
        *named.entry(part.name).or_default() += 1;
    }
    let mut is_before = true;
    for part in parts {
        is_before &= !part.runs;
        let is_single = named.get(part.name) == Some(&1) && !part.name.is_empty();
        match part.kind {
            // What is told of a text before it begins.
            Kind::Words(words)
                if is_before && is_single && words.split_whitespace().count() <= VALUE_WORDS =>
            {
                let name = part.speaker.unwrap_or(part.name);
                writer.item(&format!("{name}: {words}"));
            }
            Kind::Words(words) => writer.paragraph(&said(part.speaker, &words)),
            Kind::Around { title, parts } if part.runs => {
                let is_titled = title.is_some();
                if let Some(title) = title {
                    writer.heading(level, &title);
                }
                write_all(parts, level + usize::from(is_titled), writer);
            }
            Kind::Around { .. } => write_values(&part, writer),
        }
    }
}

/// The words behind the name of who says them, where that does not stand there already.
fn said(speaker: Option<&str>, words: &str) -> String {
    match speaker {
        Some(name) if !words.trim_start().starts_with(name) => format!("{name}: {words}"),
        _ => words.to_owned(),
    }
}

/// Writes what stands in an element without running text: one line, unless it is long or of several of a kind.
fn write_values(part: &Part<'_>, writer: &mut Writer) {
    let mut values = Vec::new();
    match &part.kind {
        Kind::Around { parts, .. }
            if is_list(parts) || leaves(part, LINE_WORDS, &mut values) == 0 =>
        {
            if let Some(name) = part.speaker {
                writer.item(name);
            }
            parts.iter().for_each(|part| write_values(part, writer));
        }
        Kind::Around { .. } => writer.item(&said(part.speaker, &values.join(" "))),
        Kind::Words(words) => writer.item(&said(part.speaker, words)),
    }
}

/// Whether an element without running text is more than a line.
fn is_block(part: &Part<'_>) -> bool {
    match &part.kind {
        Kind::Around { parts, .. } => {
            is_list(parts) || leaves(part, LINE_WORDS, &mut Vec::new()) == 0
        }
        Kind::Words(_) => false,
    }
}

/// Whether there are several elements that are called alike, and are not the cells of a row.
fn is_list(parts: &[Part<'_>]) -> bool {
    let (Some(first), true) = (parts.first(), parts.len() > 1) else {
        return false;
    };
    !CELLS.contains(&first.name) && parts.iter().all(|part| part.name == first.name)
}

#[cfg(test)]
mod tests {
    use super::read;
    use skillkiln_document::markdown;

    const TEXT: &str = "The potter sets the kiln on a slow fire and waits until the glaze has melted. Then she lets it cool for a day, and opens it.";

    fn written(xml: &str) -> String {
        let document = read(xml).expect("XML with running text");
        markdown::write(&document.blocks)
    }

    #[test]
    fn elements_with_text_are_paragraphs_in_their_order() {
        let xml =
            format!("<talk><p>{TEXT}</p><c>(Applause)</c><p>It <b>holds </b>well.</p></talk>");
        assert_eq!(
            written(&xml).trim(),
            format!("{TEXT}\n\n(Applause)\n\nIt holds well.")
        );
    }

    #[test]
    fn an_element_around_paragraphs_is_a_section_under_its_title() {
        let xml = format!("<a><part><id>7</id><title>Firing</title><text>{TEXT}</text></part></a>");
        assert_eq!(
            written(&xml).trim(),
            format!("# Firing\n\n- id: 7\n\n{TEXT}")
        );
    }

    #[test]
    fn an_attribute_names_a_section_without_a_title() {
        let xml = format!("<a><part name='Firing'><p>{TEXT}</p></part></a>");
        assert_eq!(written(&xml).trim(), format!("# Firing\n\n{TEXT}"));
    }

    #[test]
    fn a_label_before_the_text_names_its_section() {
        let xml = format!("<a><talk id='x7'><p>Ada Kiln (red):</p><p>{TEXT}</p></talk></a>");
        assert_eq!(written(&xml).trim(), format!("# Ada Kiln (red)\n\n{TEXT}"));
    }

    #[test]
    fn values_in_a_paragraph_are_kept_and_apart_by_a_blank() {
        let values = "<ref><n>1</n><t>Kiln</t></ref>";
        let xml = format!("<a><p>{TEXT}</p><p>See{values}, which{values}tells.</p></a>");
        assert_eq!(
            written(&xml).trim(),
            format!("{TEXT}\n\nSee 1 Kiln, which 1 Kiln tells.")
        );
    }

    #[test]
    fn a_title_among_words_is_one_of_them() {
        let xml = format!(
            "<a><sec><p>In his book <title>On Kilns</title> he wrote: <q>{TEXT}</q></p></sec></a>"
        );
        assert_eq!(
            written(&xml).trim(),
            format!("In his book On Kilns he wrote:\n\n{TEXT}")
        );
    }

    #[test]
    fn words_beside_running_text_are_one_paragraph() {
        let xml = format!("<a><p>He said <q>{TEXT}</q> and <i>left</i> <b>soon</b>.</p></a>");
        assert_eq!(
            written(&xml).trim(),
            format!("He said\n\n{TEXT}\n\nand left soon.")
        );
    }

    #[test]
    fn who_speaks_stands_before_the_words() {
        let short = "<said who='Ben'>Yes.</said><said who='Cleo'><p>No.</p></said>";
        let xml =
            format!("<a><said who='#Ada'>{TEXT}</said>{short}<sp who='Dan'><p>{TEXT}</p></sp></a>");
        assert_eq!(
            written(&xml).trim(),
            format!("Ada: {TEXT}\n\nBen: Yes.\n\n- Cleo: No.\n\n# Dan\n\n{TEXT}")
        );
    }

    #[test]
    fn a_short_element_without_text_of_its_own_is_a_line() {
        let entry = "<who><first>Ada</first><last>Kiln</last></who>";
        let xml = format!("<a><p>{TEXT}</p><list>{entry}{entry}</list></a>");
        assert_eq!(
            written(&xml).trim(),
            format!("{TEXT}\n\n- Ada Kiln\n- Ada Kiln")
        );
    }

    #[test]
    fn the_cells_of_a_row_are_a_line() {
        let row = "<tr><td>Ada Kiln</td><td>red</td></tr>";
        let xml = format!("<a><p>{TEXT}</p><table>{row}{row}</table></a>");
        assert_eq!(
            written(&xml).trim(),
            format!("{TEXT}\n\n- Ada Kiln red\n- Ada Kiln red")
        );
    }

    #[test]
    fn settings_are_no_document() {
        let xml = "<schema><key name='heat' type='i'><default>900</default><summary>How hot it is.</summary></key></schema>";
        assert!(read(&xml.repeat(9)).is_none());
    }
}
