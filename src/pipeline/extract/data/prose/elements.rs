//! Reads XML that is mostly running text and has no reader of its own: elements with text are paragraphs, those around them
//! sections under what names them.

use crate::domain::document::Document;
use crate::domain::text::squash;
use crate::pipeline::extract::data::prose::records::is_called;
use crate::pipeline::extract::data::prose::running::{Share, is_running};
use crate::pipeline::extract::data::prose::writer::Writer;
use crate::pipeline::extract::xml_tree::{Content, Element, Tree};
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
const ATTRIBUTES: [&str; 7] = [
    "title", "name", "heading", "head", "label", "speaker", "subject",
];
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
/// Values in a paragraph that are looked for among its words.
const REPEATED_MAX: usize = 16;
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
    if has_words && !runs {
        let words = joined(pieces);
        // What stands within words within words is a part of them, and is not read again at each depth.
        let runs = around < AROUND_MAX && is_running(&words);
        let kind = Kind::Words(words);
        return Some(Part { name, kind, runs });
    }
    let own = |text: &str| Part {
        name: "",
        kind: Kind::Words(text.to_owned()),
        runs: false,
    };
    let mut parts: Vec<Part<'t>> = pieces
        .into_iter()
        .filter_map(|piece| match piece {
            Piece::Text(text) => (!text.trim().is_empty()).then(|| own(text)),
            Piece::Part(part) => Some(part),
        })
        .collect();
    if parts.is_empty() {
        return None;
    }
    let title = runs.then(|| titled(element, &mut parts)).flatten();
    let kind = Kind::Around { title, parts };
    Some(Part { name, kind, runs })
}

/// The words of a paragraph. Values that stand in it beside words which say the same are left out.
fn joined(pieces: Vec<Piece<'_>>) -> String {
    let own: String = pieces
        .iter()
        .filter_map(|piece| match piece {
            Piece::Text(text) => Some(*text),
            Piece::Part(_) => None,
        })
        .collect();
    let mut words = String::new();
    let mut looked_for = 0;
    for piece in pieces {
        let part = match piece {
            Piece::Text(text) => {
                words.push_str(text);
                continue;
            }
            Piece::Part(Part {
                kind: Kind::Words(inner),
                ..
            }) => {
                words.push_str(&inner);
                continue;
            }
            Piece::Part(part) => part,
        };
        let mut values = Vec::new();
        leaves(&part, usize::MAX, &mut values);
        if let [value] = values.as_slice() {
            words.push_str(value);
            continue;
        }
        looked_for += values.len();
        let repeated = values.iter().filter(|value| own.contains(value.trim()));
        if looked_for > REPEATED_MAX || repeated.count() * 2 < values.len() {
            words.push(' ');
            words.push_str(&values.join(" "));
            words.push(' ');
        }
    }
    words
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

/// What names an element in which running text stands: an element in it, which is taken out, or an attribute.
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
    let attribute = || {
        let values = ATTRIBUTES.iter().filter_map(|name| element.attribute(name));
        let mut short = values.filter(|value| value.chars().count() <= NAME_CHARS_MAX);
        short.find(|value| value.contains(char::is_alphabetic))
    };
    if named.is_none()
        && let Some(value) = attribute()
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
                writer.item(&format!("{}: {words}", part.name));
            }
            Kind::Words(words) => writer.paragraph(&words),
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

/// Writes what stands in an element without running text: one line, unless it is long or of several of a kind.
fn write_values(part: &Part<'_>, writer: &mut Writer) {
    let mut values = Vec::new();
    match &part.kind {
        Kind::Around { parts, .. }
            if is_list(parts) || leaves(part, LINE_WORDS, &mut values) == 0 =>
        {
            parts.iter().for_each(|part| write_values(part, writer));
        }
        Kind::Around { .. } => writer.item(&values.join(" ")),
        Kind::Words(words) => writer.item(words),
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
    use crate::pipeline::markdown;

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
    fn values_beside_words_that_say_the_same_are_said_once() {
        let who = "<who id='1'><name><first>Ada</first><last>Kiln</last></name></who>";
        let xml = format!("<a><talk><p>{who}Ada Kiln:</p><p>{TEXT}</p></talk></a>");
        assert_eq!(written(&xml).trim(), format!("# Ada Kiln\n\n{TEXT}"));
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
