//! Tests how the paragraphs and lists of OpenDocument texts are read.

use super::*;
use crate::builder::Builder;
use crate::office::{assemble, direct};
use crate::xml_tree::Tree;
use skillkiln_document::markdown::write;

/// What is read of a text with these automatic styles, as Markdown.
fn shown(styles: &str, text: &str) -> String {
    let source = format!(
        "<office:document-content xmlns:office='o' xmlns:text='t' xmlns:style='s' xmlns:fo='f'>\
         <office:automatic-styles>{styles}</office:automatic-styles>\
         <office:body><office:text>{text}</office:text></office:body></office:document-content>"
    );
    let tree = Tree::read(source.as_bytes()).expect("XML");
    let styles = Styles::read([Some(&tree)]);
    let text = tree.root().at(&["body", "text"]).expect("a text");
    let mut body = Body::new(&styles, &[]);
    body.learn(text);
    body.container(text, 0);
    let mut pieces = body.finish();
    direct::promote(&mut pieces, None);
    write(&assemble::blocks(&mut Builder::default(), pieces))
}

#[test]
fn a_note_goes_with_the_section_that_refers_to_it() {
    let text = "<text:h text:outline-level='1'>Clay</text:h>\
        <text:p>It is wet<text:note><text:note-body><text:p>By whom?</text:p></text:note-body></text:note>.</text:p>\
        <text:h text:outline-level='1'>Fire</text:h><text:p>It is hot.</text:p>";
    assert_eq!(
        shown("", text),
        "# Clay\n\nIt is wet[1].\n\n[1] By whom?\n\n# Fire\n\nIt is hot.\n"
    );
}

/// Lines of a table of contents under its heading.
fn contents(lines: &[(&str, u32)]) -> String {
    let lines: String = lines
        .iter()
        .map(|(words, page)| format!("<text:p>{words}<text:tab/>{page}</text:p>"))
        .collect();
    format!("<text:h text:outline-level='1'>Contents</text:h>{lines}")
}

#[test]
fn contents_go_and_a_heading_of_two_long_sentences_is_a_paragraph() {
    let entries = [
        ("Clay", 1),
        ("1. Fire", 2),
        ("Ash", 2),
        ("Glaze", 5),
        ("Kiln", 9),
    ];
    let text = format!(
        "{}<text:p>This page is intentionally left blank.</text:p>\
        <text:h text:outline-level='1'>Clay</text:h><text:h text:outline-level='1'>Fire</text:h>\
        <text:h text:outline-level='2'>First dry the pots well in the sun. Then fire them in the kiln.</text:h>\
        <text:h text:outline-level='1'>Kiln</text:h>\
        <text:h text:outline-level='1'>Index</text:h><text:alphabetical-index><text:p>Ash 3</text:p></text:alphabetical-index>",
        contents(&entries)
    );
    assert_eq!(
        shown("", &text),
        "# Clay\n\n# Fire\n\nFirst dry the pots well in the sun. Then fire them in the kiln.\n\n# Kiln\n"
    );
}

#[test]
fn lines_that_end_in_numbers_are_kept_when_they_name_no_headings_or_the_numbers_fall() {
    let fire = "<text:h text:outline-level='1'>Fire</text:h><text:h text:outline-level='1'>Salt</text:h>\
        <text:h text:outline-level='1'>Clay</text:h>";
    for entries in [
        [
            ("Bricks", 8),
            ("Rods", 16),
            ("Bolts", 20),
            ("Nuts", 25),
            ("Pins", 120),
        ],
        [
            ("Fire", 70),
            ("Clay", 25),
            ("Salt", 5),
            ("Sand", 4),
            ("Lime", 1),
        ],
    ] {
        let read = shown("", &(contents(&entries) + fire));
        assert!(read.starts_with("# Contents\n"), "{read}");
        for (words, _) in entries {
            assert!(read.contains(words), "{words}");
        }
    }
    let few = shown(
        "",
        &(contents(&[("Fire", 1), ("Salt", 2), ("Clay", 3)]) + fire),
    );
    assert!(few.starts_with("# Contents\n"), "{few}");
}

#[test]
fn lines_of_one_width_within_a_paragraph_are_code() {
    let styles = "<style:style style:name='T1' style:family='text'><style:text-properties style:font-name='Courier'/></style:style>";
    let text = "<text:p>Write this:<text:line-break/><text:span text:style-name='T1'>if hot:<text:line-break/><text:s text:c='4'/>wait()</text:span></text:p>";
    assert_eq!(
        shown(styles, text),
        "Write this:\n\n```\nif hot:\n    wait()\n```\n"
    );
}

#[test]
fn labels_are_words_unless_the_list_goes_on_with_another() {
    let styles = "<text:list-style style:name='L'><text:list-level-style-number style:num-prefix='Fig. ' style:num-format='1'/></text:list-style>";
    let list = |goes_on: &str, words: &str| {
        format!(
            "<text:list text:style-name='L'{goes_on}><text:list-item><text:p>{words}</text:p></text:list-item></text:list>"
        )
    };
    let text = format!(
        "{}<text:p>A kiln.</text:p>{}",
        list("", "The kiln"),
        list(" text:continue-numbering='true'", "Its door")
    );
    assert_eq!(
        shown(styles, &text),
        "Fig. 1 The kiln\n\nA kiln.\n\n1. Its door\n"
    );
}

#[test]
fn letters_of_a_symbol_font_and_indices_are_read_as_they_look() {
    let styles = "<style:style style:name='T1' style:family='text'><style:text-properties style:font-name='Symbol'/></style:style>\
        <style:style style:name='T2' style:family='text'><style:text-properties style:text-position='sub 58%'/></style:style>";
    let text = "<text:p><text:span text:style-name='T1'>&#xF073;</text:span><text:span text:style-name='T2'>11</text:span> is a stress.</text:p>";
    assert_eq!(shown(styles, text), "σ_11 is a stress.\n");
}
