//! Reads PDF and long pages the way the service does: in a child process of the real program.

#[path = "shared/pdf.rs"]
mod pdf;

use pdf::{Pdf, pdf, text};
use skillkiln::config::Settings;
use skillkiln::domain::clock::Clock;
use skillkiln::pipeline::extract::{Input, NamedBytes, Reader, extract};
use skillkiln::pipeline::product::Extracted;
use skillkiln_document::blocks::{Block, BlockKind, Document};
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_document::text::plain;
use std::fmt::Write as _;

fn reader() -> Reader {
    let mut reader = skillkiln::services::reader(&Settings::default(), Clock::system())
        .expect("the defaults make a reader");
    // The files of these tests say little, each what it is about.
    reader.words_min = 0;
    reader.isolation.program = Some(env!("CARGO_BIN_EXE_skillkiln").into());
    reader
}

async fn read(filename: &str, bytes: Vec<u8>) -> Result<Extracted, Failure> {
    let file = NamedBytes {
        filename: filename.to_owned(),
        bytes: bytes.into(),
    };
    extract(&reader(), Input::Files(vec![file])).await
}

const FIRST: &str = "BT /F1 24 Tf 72 720 Td (Field Guide) Tj ET\nBT /F1 11 Tf 72 680 Td (The kiln is heated slowly so that the clay can dry.) Tj ET";
const SECOND: &str = "BT /F1 11 Tf 72 720 Td (On the second page the fire goes out.) Tj ET";

#[tokio::test]
async fn a_pdf_is_read_with_its_pages_under_any_name() {
    let extracted = read("notes.txt", pdf(&[FIRST, SECOND])).await.unwrap();
    let document = &extracted.document;
    let seen: Vec<(String, Option<u32>)> = document
        .blocks
        .iter()
        .map(|block| match &block.kind {
            BlockKind::Heading { text, .. } | BlockKind::Paragraph(text) => {
                assert_eq!(document.evidence(&block.span), plain(text));
                (plain(text), block.span.page())
            }
            other => panic!("unexpected {other:?}"),
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("Field Guide".to_owned(), Some(1)),
            (
                "The kiln is heated slowly so that the clay can dry.".to_owned(),
                Some(1)
            ),
            ("On the second page the fire goes out.".to_owned(), Some(2)),
        ]
    );
    assert_eq!(extracted.origin.label, "notes.txt");
    assert_eq!(extracted.origin.digest.len(), 64);
}

#[tokio::test]
async fn what_cannot_be_read_says_what_to_do() {
    let blank = read("blank.pdf", pdf(&[""])).await.unwrap_err();
    assert_eq!(blank.reason, Reason::Unreadable);
    assert!(
        blank.message.contains("no text in this PDF"),
        "{}",
        blank.message
    );
    let broken = read("broken.pdf", b"%PDF-1.7\nand then nothing".to_vec())
        .await
        .unwrap_err();
    assert!(
        broken.message.contains("export it again"),
        "{}",
        broken.message
    );
    let picture = read("scan.png", b"\x89PNG\r\n\x1a\n".to_vec())
        .await
        .unwrap_err();
    assert!(
        picture
            .message
            .starts_with("scan.png: a picture cannot be read")
    );
}

#[tokio::test]
async fn a_child_that_cannot_answer_fails_its_file_alone() {
    // One that dies, one that talks nonsense without end, and one that falls silent and lives on.
    let folder = tempfile::tempdir().unwrap();
    let silent = program(folder.path(), "exec sleep 1000 >&-");
    for program in ["/bin/false".into(), "/usr/bin/yes".into(), silent] {
        let mut reader = reader();
        reader.isolation.program = Some(program);
        let file = NamedBytes {
            filename: "a.pdf".into(),
            bytes: pdf(&[FIRST]).into(),
        };
        let failure = extract(&reader, Input::Files(vec![file]))
            .await
            .unwrap_err();
        assert_eq!(failure.reason, Reason::Unreadable);
        let text = extract(&reader, Input::Text("still here".into())).await;
        assert_eq!(text.unwrap().origin.label, "text");
    }
}

/// A program of one line of shell. A shell writes it down: what this process has open for writing, while it starts a child in another
/// test, cannot be run.
fn program(folder: &std::path::Path, line: &str) -> std::path::PathBuf {
    let path = folder.join("program");
    let script = r#"printf '%s\n' '#!/bin/sh' "$1" >"$0" && chmod +x "$0""#;
    let mut shell = std::process::Command::new("sh");
    let written = shell.arg("-c").arg(script).arg(&path).arg(line).status();
    assert!(written.is_ok_and(|ended| ended.success()));
    path
}

#[tokio::test]
async fn children_that_stall_in_mid_answer_keep_nobody_else_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let mut reader = reader();
    reader.isolation.program = Some(program(folder.path(), "printf '{'; exec sleep 60"));
    let stalled = || {
        let file = NamedBytes {
            filename: "a.pdf".into(),
            bytes: pdf(&[FIRST]).into(),
        };
        extract(&reader, Input::Files(vec![file]))
    };
    let others = async {
        for _ in 0..300 {
            let text = extract(&reader, Input::Text("still here".into())).await;
            assert!(text.is_ok());
        }
    };
    tokio::select! {
        _ = futures_util::future::join(stalled(), stalled()) => panic!("they never answer"),
        () = others => {}
    }
}

#[tokio::test]
async fn a_child_whose_complaints_somebody_else_holds_open_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let mut reader = reader();
    reader.isolation.program = Some(program(folder.path(), "sleep 20 >&- & exit 1"));
    let file = NamedBytes {
        filename: "a.pdf".into(),
        bytes: pdf(&[FIRST]).into(),
    };
    let begun = std::time::Instant::now();
    let read = extract(&reader, Input::Files(vec![file])).await;
    assert_eq!(read.unwrap_err().reason, Reason::Unreadable);
    assert!(begun.elapsed().as_secs() < 20, "its holder lives on");
}

#[tokio::test]
async fn a_child_at_one_of_its_limits_says_which_and_its_parent_goes_on() {
    // A list of many items takes far more memory than its text.
    let list = || NamedBytes {
        filename: "list.md".into(),
        bytes: "- a\n".repeat(1_000_000).into(),
    };
    let mut cramped = reader();
    cramped.isolation.memory_bytes = 320 << 20;
    let mut hasty = reader();
    hasty.isolation.timeout = std::time::Duration::ZERO;
    // What reads nothing and announces an answer without end.
    let folder = tempfile::tempdir().unwrap();
    let mut wordy = reader();
    wordy.isolation.program = Some(program(
        folder.path(),
        r"printf '\377\377\377\377\377\377\377\177\000\000\000\000\000\000\000\000'; exec <&-; exec sleep 60",
    ));
    for (reader, told) in [
        (cramped, "takes more memory"),
        (hasty, "takes too long"),
        (wordy, "more than the 64 MB"),
    ] {
        let failure = extract(&reader, Input::Files(vec![list()]))
            .await
            .unwrap_err();
        assert_eq!(failure.reason, Reason::TooLarge);
        assert!(failure.message.contains(told), "{}", failure.message);
        assert!(
            failure.message.contains("send a part of it"),
            "{}",
            failure.message
        );
        let text = extract(&reader, Input::Text("still here".into())).await;
        assert!(text.is_ok());
    }
}

#[tokio::test]
async fn what_is_nested_as_deep_as_it_may_be_comes_back_from_its_child() {
    for (filename, mark) in [("deep.md", "> "), ("deep.rst", "- "), ("deep.rst", "1. ")] {
        // Long enough for a child, with words at its bottom.
        let text = format!("{}{}", mark.repeat(60), "kiln ".repeat(120_000));
        let read = read(filename, text.into_bytes()).await.unwrap();
        assert!(read.document.text.contains("kiln kiln"), "{filename}");
    }
}

/// A page of `paragraphs` paragraphs of about a hundred bytes.
fn page(paragraphs: usize) -> Vec<u8> {
    let mut page = String::from("<!doctype html><title>Kiln</title><main><h1>Kiln</h1>");
    for number in 0..paragraphs {
        let _ = write!(
            page,
            "<p>Paragraph {number} says that pots are fired slowly and cooled slowly, whatever the hurry may be.</p>"
        );
    }
    page += "</main>";
    page.into_bytes()
}

#[tokio::test]
async fn a_long_page_is_read_in_a_child_like_a_short_one() {
    let read = read("kiln.html", page(8_000)).await.unwrap();
    let paragraphs = read
        .document
        .blocks
        .iter()
        .filter(|block| matches!(block.kind, BlockKind::Paragraph(_)));
    assert_eq!(paragraphs.count(), 8_000);
}

#[tokio::test]
async fn a_long_page_that_breaks_its_reader_breaks_only_its_child() {
    let mut reader = reader();
    reader.isolation.program = Some("/bin/false".into());
    let input = |paragraphs| {
        let file = NamedBytes {
            filename: "kiln.html".into(),
            bytes: page(paragraphs).into(),
        };
        Input::Files(vec![file])
    };
    let failure = extract(&reader, input(8_000)).await.unwrap_err();
    assert_eq!(failure.reason, Reason::Unreadable);
    assert!(
        extract(&reader, input(80)).await.is_ok(),
        "a short page needs no child"
    );
}

async fn document(file: Vec<u8>) -> Document {
    let extracted = read("guide.pdf", file).await.expect("it can be read");
    extracted.document
}

/// Each block as a word for its kind and its words.
fn outline_of(document: &Document) -> Vec<(&'static str, String)> {
    let mut blocks = Vec::new();
    document.walk(&mut |block| {
        blocks.push(match &block.kind {
            BlockKind::Heading { level, text } => {
                (if *level == 1 { "h1" } else { "h2" }, plain(text))
            }
            BlockKind::Paragraph(text) => ("p", plain(text)),
            BlockKind::Code { text, .. } => ("code", text.clone()),
            BlockKind::Table { rows, .. } => ("table", format!("{} rows", rows.len())),
            BlockKind::List { items, .. } => ("list", format!("{} items", items.len())),
            BlockKind::Admonition { class, .. } => ("aside", class.clone()),
            other => panic!("unexpected {other:?}"),
        });
    });
    blocks
}

#[tokio::test]
async fn a_listing_keeps_its_indentation_and_goes_on_over_the_page() {
    let first = [
        text("F1", 10, 72, 700, "The kiln is driven by a small program:"),
        text("F2", 10, 90, 680, "def fire(kiln):"),
        text("F2", 10, 114, 668, "for step in range(3):"),
        // An empty line, then two words with three spaces between them.
        text("F2", 10, 138, 644, "kiln.heat(step)   # slowly"),
    ]
    .join("\n");
    let second = [
        text("F2", 10, 114, 700, "return kiln"),
        text("F1", 10, 72, 676, "Then the door is opened."),
    ]
    .join("\n");
    let read = document(pdf(&[&first, &second])).await;
    let code = "def fire(kiln):\n    for step in range(3):\n\n        kiln.heat(step)   # slowly\n    return kiln";
    assert_eq!(
        outline_of(&read),
        [
            ("p", "The kiln is driven by a small program:".to_owned()),
            ("code", code.to_owned()),
            ("p", "Then the door is opened.".to_owned()),
        ]
    );
}

#[tokio::test]
async fn running_heads_and_page_numbers_are_left_out() {
    let sayings = [
        "Clay must dry before it is fired.",
        "Ash is a glaze of its own.",
        "Cones bend when it is hot enough.",
        "Salt eats the bricks of a kiln.",
        "Slow fires crack fewer pots.",
        "Open the door on the second day.",
    ];
    let pages: Vec<String> = (1..)
        .zip(sayings)
        .map(|(number, saying)| {
            [
                text("F1", 9, 72, 760, &format!("Field Guide, chapter {number}")),
                text("F1", 11, 72, 700, saying),
                text("F1", 9, 300, 40, &number.to_string()),
            ]
            .join("\n")
        })
        .collect();
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    let read = document(pdf(&pages)).await;
    let words: Vec<String> = outline_of(&read)
        .into_iter()
        .map(|(_, words)| words)
        .collect();
    assert_eq!(words, sayings);
}

#[tokio::test]
async fn words_cut_at_a_line_end_are_joined_and_real_hyphens_stay() {
    let page = [
        text(
            "F1",
            11,
            72,
            700,
            "A careful potter who works in real-time will not need any manip-",
        ),
        text(
            "F1",
            11,
            72,
            687,
            "ulation of the damper, and whoever watches the flame in real-",
        ),
        text(
            "F1",
            11,
            72,
            674,
            "time can leave it closed until the very end of the firing.",
        ),
        text(
            "F1",
            11,
            72,
            630,
            "WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IM-",
        ),
        text("F1", 11, 72, 617, "PLIED, AND NOT FOR KILNS."),
    ]
    .join("\n");
    let read = document(pdf(&[&page])).await;
    assert_eq!(
        read.text.trim(),
        "A careful potter who works in real-time will not need any manipulation of the damper, and whoever watches the \
         flame in real-time can leave it closed until the very end of the firing.\nWITHOUT WARRANTY OF ANY KIND, EXPRESS OR \
         IMPLIED, AND NOT FOR KILNS."
    );
}

#[tokio::test]
async fn the_outline_tells_headings_that_look_like_text() {
    let page = [
        text("F1", 11, 72, 700, "1 Glazes"),
        text("F1", 11, 72, 670, "A glaze is glass that sticks to clay."),
        text("F1", 11, 72, 640, "1.1 Ash"),
        text(
            "F1",
            11,
            72,
            610,
            "Ash melts by itself when it is hot enough.",
        ),
    ]
    .join("\n");
    let file = Pdf {
        page: "",
        catalogue: "/Outlines 7 0 R /Lang (en-GB)",
        information: "/Title (Clay and Fire) /Author (A. Potter) /CreationDate (D:20240131120000Z)",
        objects: &[
            "<< /Type /Outlines /First 8 0 R /Last 8 0 R /Count 2 >>",
            "<< /Title (Glazes) /Parent 7 0 R /Dest [5 0 R /Fit] /First 9 0 R /Last 9 0 R /Count 1 >>",
            "<< /Title (Ash) /Parent 8 0 R /Dest [5 0 R /Fit] >>",
        ],
        pages: &[&page],
    };
    let read = document(file.bytes()).await;
    let headings: Vec<_> = outline_of(&read)
        .into_iter()
        .filter(|(kind, _)| *kind != "p")
        .collect();
    assert_eq!(
        headings,
        [("h1", "1 Glazes".to_owned()), ("h2", "1.1 Ash".to_owned())]
    );
    assert_eq!(read.title.as_deref(), Some("Clay and Fire"));
    assert_eq!(read.about.author.as_deref(), Some("A. Potter"));
    assert_eq!(read.about.date.as_deref(), Some("2024-01-31"));
    assert_eq!(read.about.language.as_deref(), Some("en-GB"));
}

#[tokio::test]
async fn columns_are_read_one_after_the_other() {
    let mut page = String::new();
    for row in 0..12 {
        let y = 700 - row * 13;
        page += &text(
            "F1",
            10,
            60,
            y,
            &format!("left column line number {row} goes on and on here"),
        );
        page += &text(
            "F1",
            10,
            320,
            y,
            &format!("right column line number {row} goes on and on too"),
        );
    }
    let read = document(pdf(&[&page])).await;
    let last_left = read
        .text
        .find("left column line number 11")
        .expect("it is there");
    let first_right = read
        .text
        .find("right column line number 0")
        .expect("it is there");
    assert!(last_left < first_right, "{}", read.text);
}

#[tokio::test]
async fn a_ruled_table_keeps_its_rows() {
    let mut page = text("F1", 11, 72, 720, "Cones and what they mean:");
    for y in [700, 680, 660, 640] {
        page += &format!("72 {y} m 400 {y} l S ");
    }
    for x in [72, 200, 400] {
        page += &format!("{x} 700 m {x} 640 l S ");
    }
    for (row, (cone, heat)) in [("Cone", "Heat"), ("04", "1060 C"), ("6", "1222 C")]
        .iter()
        .enumerate()
    {
        let y = 686 - 20 * i32::try_from(row).expect("three rows");
        page += &text("F1", 11, 80, y, cone);
        page += &text("F1", 11, 210, y, heat);
    }
    let read = document(pdf(&[&page])).await;
    let Some(BlockKind::Table { header, rows, .. }) = read.blocks.get(1).map(|block| &block.kind)
    else {
        panic!("no table in {:?}", read.blocks);
    };
    let words = |row: &Vec<Vec<_>>| row.iter().map(|cell| plain(cell)).collect::<Vec<_>>();
    assert_eq!(words(header), ["Cone", "Heat"]);
    assert_eq!(
        rows.iter().map(words).collect::<Vec<_>>(),
        [["04", "1060 C"], ["6", "1222 C"]]
    );
}

/// Rows of a page without rules, their cells at these places.
fn aligned(rows: &[&[(i32, &str)]]) -> String {
    let mut page = text(
        "F1",
        11,
        72,
        720,
        "What stands below was set with care and no rules:",
    );
    for (row, cells) in rows.iter().enumerate() {
        let y = 690 - 14 * i32::try_from(row).expect("a few rows");
        for (x, words) in *cells {
            page += &text("F1", 11, *x, y, words);
        }
    }
    page
}

#[tokio::test]
async fn a_table_without_rules_keeps_its_rows() {
    let page = aligned(&[
        &[(80, "Cone"), (200, "Heat"), (300, "Colour")],
        &[(80, "04"), (200, "1060 C"), (300, "orange, then yellow")],
        &[(300, "towards the end")],
        &[(80, "6"), (200, "1222 C"), (300, "white")],
    ]);
    let page = page + &text("F1", 11, 72, 600, "And this is a sentence below it.");
    let read = document(pdf(&[&page])).await;
    let Some(BlockKind::Table { header, rows, .. }) = read.blocks.get(1).map(|block| &block.kind)
    else {
        panic!("no table in {:?}", read.blocks);
    };
    let words = |row: &Vec<Vec<_>>| row.iter().map(|cell| plain(cell)).collect::<Vec<_>>();
    assert_eq!(words(header), ["Cone", "Heat", "Colour"]);
    assert_eq!(
        rows.iter().map(words).collect::<Vec<_>>(),
        [
            ["04", "1060 C", "orange, then yellow towards the end"],
            ["6", "1222 C", "white"]
        ]
    );
    assert_eq!(read.blocks.len(), 3, "{:?}", read.blocks);
}

#[tokio::test]
async fn terms_beside_their_meanings_are_definitions() {
    let mut page = aligned(&[]);
    let entries = [
        ("fire", "Heats the kiln until the cone bends over."),
        ("wait", "Lets it cool down for a night, and looks at it"),
        ("", "in the morning."),
        ("open", "Takes out the pots."),
    ];
    for (row, (term, meaning)) in entries.into_iter().enumerate() {
        let y = 690 - 14 * i32::try_from(row).expect("four rows");
        page += &text("F2", 11, 80, y, term);
        page += &text("F1", 11, 160, y, meaning);
    }
    let read = document(pdf(&[&page])).await;
    let Some(BlockKind::Definitions(entries)) = read.blocks.get(1).map(|block| &block.kind) else {
        panic!("no definitions in {:?}", read.blocks);
    };
    let told: Vec<(String, String)> = entries
        .iter()
        .map(|entry| {
            let terms: Vec<String> = entry.terms.iter().map(|term| plain(term)).collect();
            let mut meaning = String::new();
            for block in &entry.blocks {
                meaning += read.evidence(&block.span);
            }
            (terms.join("; "), meaning)
        })
        .collect();
    let told: Vec<(&str, &str)> = told.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(
        told,
        [
            ("fire", "Heats the kiln until the cone bends over."),
            (
                "wait",
                "Lets it cool down for a night, and looks at it in the morning."
            ),
            ("open", "Takes out the pots."),
        ]
    );
}

#[tokio::test]
async fn words_beside_a_term_go_on_below_themselves_even_in_the_face_of_code() {
    let mut page = text(
        "F1",
        11,
        72,
        720,
        "What a kiln can do is told here, and all of it is true of each of them, as a rule.",
    );
    page += &text("F2", 11, 72, 690, "light");
    page += &text(
        "F1",
        11,
        140,
        690,
        "Lights the wood below the kiln, and the kiln with it, whatever is set as its",
    );
    page += &text("F2", 11, 140, 676, "HEAT.");
    page += &text("F2", 11, 72, 655, "open");
    page += &text("F1", 11, 140, 655, "Opens it.");
    let read = document(pdf(&[&page])).await;
    let is_code = |block: &Block| matches!(block.kind, BlockKind::Code { .. });
    assert!(!read.blocks.iter().any(is_code), "{:?}", read.blocks);
    assert!(
        read.text.contains("whatever is set as its HEAT.\n"),
        "{}",
        read.text
    );
}

#[tokio::test]
async fn a_term_above_another_one_is_no_listing() {
    let mut page = text(
        "F1",
        11,
        72,
        720,
        "What a kiln can do is told here, and all of it is true.",
    );
    page += &text("F2", 11, 72, 690, "%d");
    page += &text("F2", 11, 72, 676, "%D");
    page += &text(
        "F1",
        11,
        110,
        676,
        "How many days it was hot, and who was awake beside it all the while.",
    );
    let read = document(pdf(&[&page])).await;
    let is_code = |block: &Block| matches!(block.kind, BlockKind::Code { .. });
    assert!(!read.blocks.iter().any(is_code), "{:?}", read.blocks);
}

#[tokio::test]
async fn rows_of_chapters_and_labels_of_a_drawing_are_no_table() {
    let chapters = aligned(&[
        &[(80, "Clay"), (400, "3")],
        &[(80, "Glazes"), (400, "9")],
        &[(80, "Kilns"), (393, "12")],
    ]);
    let drawing = aligned(&[
        &[(80, "a"), (200, "b")],
        &[(300, "c"), (420, "d")],
        &[(130, "e"), (250, "f")],
        &[(350, "g"), (480, "h")],
    ]);
    for page in [chapters, drawing] {
        let read = document(pdf(&[&page])).await;
        let mut tables = 0;
        read.walk(&mut |block| {
            let is_table = matches!(
                block.kind,
                BlockKind::Table { .. } | BlockKind::Definitions(_)
            );
            tables += usize::from(is_table);
        });
        assert_eq!(tables, 0, "{:?}", read.blocks);
    }
}

#[tokio::test]
async fn a_printed_table_of_contents_is_left_out() {
    let page = [
        text("F1", 16, 72, 720, "Contents"),
        text(
            "F1",
            11,
            72,
            690,
            "1 Clay . . . . . . . . . . . . . . . . 3",
        ),
        text(
            "F1",
            11,
            72,
            676,
            "2 Glazes . . . . . . . . . . . . . . . 9",
        ),
        text(
            "F1",
            11,
            72,
            662,
            "3 Kilns . . . . . . . . . . . . . . . 12",
        ),
    ]
    .join("\n");
    let read = document(pdf(&[&page, SECOND])).await;
    assert_eq!(read.text.trim(), "On the second page the fire goes out.");
}

/// A page that is one picture.
const PICTURE: &str = "q 612 0 0 792 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q";

#[tokio::test]
async fn pages_without_words_are_named() {
    let failure = read("scan.pdf", pdf(&[PICTURE, PICTURE]))
        .await
        .unwrap_err();
    assert!(
        failure.message.contains("text recognition"),
        "{}",
        failure.message
    );
    let read = document(pdf(&[FIRST, PICTURE, SECOND])).await;
    assert!(read.text.contains("On the second page the fire goes out."));
    assert!(
        matches!(&read.blocks.last().expect("blocks").kind, BlockKind::Admonition { class, .. } if class == "note")
    );
    assert!(read.text.contains("Page 2 is a picture"), "{}", read.text);
}

#[tokio::test]
async fn pages_past_the_limit_are_told_of() {
    let mut reader = reader();
    reader.limits.pdf_pages_max = 1;
    let file = NamedBytes {
        filename: "a.pdf".into(),
        bytes: pdf(&[FIRST, SECOND]).into(),
    };
    let read = extract(&reader, Input::Files(vec![file])).await.unwrap();
    let text = &read.document.text;
    assert!(
        text.contains("Field Guide") && !text.contains("fire goes out"),
        "{text}"
    );
    assert!(
        text.contains("Only the first 1 of 2 pages were read"),
        "{text}"
    );
}

#[tokio::test]
async fn what_stands_before_the_header_of_a_file_does_no_harm() {
    let mut file = b"X-Mailer: kiln\r\n\r\n".to_vec();
    file.extend(pdf(&[FIRST]));
    assert!(document(file).await.text.contains("heated slowly"));
}

#[tokio::test]
async fn a_file_that_was_cut_off_gives_the_pages_it_has() {
    let whole = pdf(&[FIRST, SECOND]);
    let text = String::from_utf8(whole.clone()).expect("the file is text");
    // The list of pages is the second object: without it nothing names the pages.
    let lost = text.replacen("/Type /Pages", "/Type /Gapes", 1);
    let lost = lost.replacen("/Pages 2 0 R", "/Pages 99 0 R", 1);
    // The file ends before the table of its objects and in the middle of its last page.
    let end = lost.find("the fire goes out").expect("it is there");
    for (file, last) in [(lost.as_bytes(), true), (&lost.as_bytes()[..end], false)] {
        let read = document(file.to_vec()).await;
        assert!(read.text.contains("heated slowly"), "{}", read.text);
        assert_eq!(read.text.contains("fire goes out"), last, "{}", read.text);
        assert!(read.text.contains("Download or export it again"));
    }
}

#[tokio::test]
async fn a_title_that_runs_along_the_pages_is_kept_where_it_is_the_title() {
    let mut pages = vec![
        text("F1", 24, 72, 740, "Clay and Fire")
            + &text("F1", 16, 72, 680, "A. Potter and B. Kiln"),
    ];
    let said = [
        "slowly heated",
        "cooled at night",
        "opened late",
        "swept",
        "loaded anew",
    ];
    for (number, words) in said.into_iter().enumerate() {
        pages.push(
            text("F1", 9, 72, 760, "Clay and Fire")
                + &text("F1", 11, 72, 700, &format!("The kiln is {words}."))
                + &text("F1", 9, 300, 40, &(number + 2).to_string()),
        );
    }
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    let read = document(pdf(&pages)).await;
    assert_eq!(read.title.as_deref(), Some("Clay and Fire"));
    assert_eq!(
        read.text.matches("Clay and Fire").count(),
        1,
        "{}",
        read.text
    );
}

#[tokio::test]
async fn the_label_of_a_chapter_stands_before_its_title() {
    let outline = "/Outlines 9 0 R";
    let objects = [
        "<< /Type /Outlines /First 10 0 R /Last 11 0 R /Count 2 >>",
        "<< /Title (Clay) /Parent 9 0 R /Next 11 0 R /Dest [5 0 R /Fit] >>",
        "<< /Title (2 Fire) /Parent 9 0 R /Prev 10 0 R /Dest [7 0 R /Fit] >>",
    ];
    let chapter = |label: &str, title: &str| {
        text("F1", 20, 72, 720, label)
            + &text("F1", 24, 72, 680, title)
            + &text(
                "F1",
                11,
                72,
                640,
                "This is what there is to say of it in this chapter.",
            )
    };
    let pages = [
        chapter("CHAPTER ONE", "Clay"),
        chapter("Chapter 2", "2 Fire"),
    ];
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    let file = Pdf {
        page: "",
        catalogue: outline,
        information: "",
        objects: &objects,
        pages: &pages,
    };
    let read = document(file.bytes()).await;
    let headings: Vec<String> = outline_of(&read)
        .into_iter()
        .filter(|(kind, _)| kind.starts_with('h'))
        .map(|(_, words)| words)
        .collect();
    assert_eq!(headings, ["Chapter 1: Clay", "2 Fire"], "{}", read.text);
}

#[tokio::test]
async fn a_page_that_saves_its_state_without_end_is_read() {
    let nested = format!("{} {FIRST}", "q ".repeat(50_000));
    assert!(
        document(pdf(&[&nested]))
            .await
            .text
            .contains("heated slowly")
    );
}

#[tokio::test]
async fn the_definition_of_a_function_is_code_on_one_line() {
    let page = [
        text("F1", 11, 72, 700, "int fire_kiln (int cone, const"),
        text("F1", 11, 480, 700, "[Function]"),
        text("F1", 11, 122, 687, "char *fuel)"),
        text(
            "F1",
            11,
            101,
            670,
            "Heats the kiln until the cone bends, with what fuel there is at hand to be burnt now.",
        ),
    ]
    .join("\n");
    let read = document(pdf(&[&page])).await;
    let words: Vec<String> = outline_of(&read)
        .into_iter()
        .map(|(_, words)| words)
        .collect();
    assert_eq!(
        words,
        [
            "Function: int fire_kiln (int cone, const char *fuel)",
            "Heats the kiln until the cone bends, with what fuel there is at hand to be burnt now."
        ]
    );
}

/// The headings of a book of two chapters, told by their levels and their words.
async fn headings_of(filename: &str, bytes: Vec<u8>) -> Vec<(u8, String)> {
    let document = read(filename, bytes)
        .await
        .expect("it can be read")
        .document;
    assert_eq!(document.title.as_deref(), Some("On Kilns"), "{filename}");
    let mut headings = Vec::new();
    document.walk(&mut |block| {
        if let BlockKind::Heading { level, text } = &block.kind {
            headings.push((*level, plain(text)));
        }
    });
    headings
}

/// The book as an e-book: a title page and a file a chapter, each beginning at the highest heading.
fn book_as_epub() -> Vec<u8> {
    let parts = [
        ("mimetype", "application/epub+zip"),
        (
            "META-INF/container.xml",
            "<container><rootfiles><rootfile full-path='book.opf'/></rootfiles></container>",
        ),
        (
            "book.opf",
            "<package xmlns:dc='d'><metadata><dc:title>On Kilns</dc:title></metadata><manifest>\
             <item id='t' href='t.xhtml' media-type='application/xhtml+xml'/>\
             <item id='a' href='a.xhtml' media-type='application/xhtml+xml'/>\
             <item id='b' href='b.xhtml' media-type='application/xhtml+xml'/></manifest>\
             <spine><itemref idref='t'/><itemref idref='a'/><itemref idref='b'/></spine></package>",
        ),
        (
            "t.xhtml",
            "<html><body><h1>On Kilns</h1><p>How clay becomes stone.</p></body></html>",
        ),
        (
            "a.xhtml",
            "<html><body><h1>1. Clay</h1><p>Clay is wet.</p><h2>1.1. Drying</h2><p>Let it dry slowly.</p></body></html>",
        ),
        (
            "b.xhtml",
            "<html><body><h1>2. Fire</h1><p>Fire is hot.</p></body></html>",
        ),
    ];
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(name, zip::write::SimpleFileOptions::default())
            .expect("a zip in memory");
        std::io::Write::write_all(&mut zip, text.as_bytes()).expect("a zip in memory");
    }
    zip.finish().expect("a zip in memory").into_inner()
}

/// The book as a PDF: its outline knows the chapters, its first page shows the title.
fn book_as_pdf() -> Vec<u8> {
    let title = [
        text("F1", 24, 72, 700, "On Kilns"),
        text("F1", 11, 72, 650, "How clay becomes stone."),
    ]
    .join("\n");
    let clay = [
        text("F1", 18, 72, 700, "1. Clay"),
        text("F1", 11, 72, 670, "Clay is wet."),
        text("F1", 14, 72, 640, "1.1. Drying"),
        text("F1", 11, 72, 610, "Let it dry slowly."),
    ]
    .join("\n");
    let fire = [
        text("F1", 18, 72, 700, "2. Fire"),
        text("F1", 11, 72, 670, "Fire is hot."),
    ]
    .join("\n");
    Pdf {
        page: "",
        catalogue: "/Outlines 11 0 R",
        information: "/Title (On Kilns)",
        objects: &[
            "<< /Type /Outlines /First 12 0 R /Last 14 0 R /Count 3 >>",
            "<< /Title (1. Clay) /Parent 11 0 R /Dest [7 0 R /Fit] /First 13 0 R /Last 13 0 R /Count 1 /Next 14 0 R >>",
            "<< /Title (1.1. Drying) /Parent 12 0 R /Dest [7 0 R /Fit] >>",
            "<< /Title (2. Fire) /Parent 11 0 R /Dest [9 0 R /Fit] >>",
        ],
        pages: &[&title, &clay, &fire],
    }
    .bytes()
}

#[tokio::test]
async fn a_book_has_the_same_outline_in_every_format() {
    let html = "<html><head><title>On Kilns</title></head><body><main><h1>On Kilns</h1><p>How clay becomes stone.</p>\
        <h2>1. Clay</h2><p>Clay is wet.</p><h3>1.1. Drying</h3><p>Let it dry slowly.</p>\
        <h2>2. Fire</h2><p>Fire is hot.</p></main></body></html>";
    let words = "On Kilns\n\nHow clay becomes stone.\n\n1. Clay\n\n    Clay is wet.\n\n1.1. Drying\n\n    Let it dry slowly.\n\n2. Fire\n\n    Fire is hot.\n";
    let ruled = "On Kilns\n********\n\nHow clay becomes stone.\n\n1. Clay\n*******\n\nClay is wet.\n\n1.1. Drying\n===========\n\nLet it dry slowly.\n\n2. Fire\n*******\n\nFire is hot.\n";
    let expected = [
        (1, "On Kilns".to_owned()),
        (2, "1. Clay".to_owned()),
        (3, "1.1. Drying".to_owned()),
        (2, "2. Fire".to_owned()),
    ];
    for (filename, bytes) in [
        ("kilns.html", html.into()),
        ("kilns.txt", words.into()),
        ("ruled.txt", ruled.into()),
        ("kilns.epub", book_as_epub()),
        ("kilns.pdf", book_as_pdf()),
    ] {
        assert_eq!(headings_of(filename, bytes).await, expected, "{filename}");
    }
}

/// A host of repositories: an archive of one, and a page for each.
fn host() -> std::net::SocketAddr {
    use std::io::{Cursor, Read as _, Write as _};
    const WORDS: &str = "The kiln fires pots at nine hundred degrees, and its lid must stay closed until everything inside is cold again.";
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (path, text) in [
        ("care-1a2b/README.md", format!("# Care\n\n{WORDS}\n")),
        ("care-1a2b/docs/fire.md", format!("# Firing\n\n{WORDS}\n")),
        ("care-1a2b/src/kiln.rs", "fn fire() {}".to_owned()),
    ] {
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file(path, options).expect("it is done");
        zip.write_all(text.as_bytes()).expect("it is done");
    }
    let archive = zip.finish().expect("it is done").into_inner();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("it is done");
    let address = listener.local_addr().expect("it is done");
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let mut head = [0; 2048];
            let read = stream.read(&mut head).unwrap_or(0);
            let head = String::from_utf8_lossy(head.get(..read).unwrap_or_default()).into_owned();
            let page = format!("<title>Page</title><main><h1>Page</h1><p>{WORDS}</p></main>");
            let (status, kind, body) = match head.split(' ').nth(1).unwrap_or_default() {
                "/pots/care/archive/HEAD.zip" => ("200 OK", "application/zip", archive.clone()),
                "/pots/care" | "/pots/none" => ("200 OK", "text/html", page.into_bytes()),
                _ => ("404 Not Found", "text/plain", Vec::new()),
            };
            let length = body.len();
            let answer = format!(
                "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
            );
            let _ = stream.write_all(&[answer.as_bytes(), &body].concat());
        }
    });
    address
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repository_is_read_by_its_archive_and_by_its_page_where_there_is_none() {
    let host = host();
    let mut settings = Settings::default();
    settings.fetch.allow_private_addresses = true;
    settings.fetch.git_hosts = vec![format!("{host}=gitea")];
    let mut reader = skillkiln::services::reader(&settings, Clock::system()).unwrap();
    reader.words_min = 0;
    reader.isolation.program = Some(env!("CARGO_BIN_EXE_skillkiln").into());
    let read = async |path: &str| {
        let address = format!("http://{host}{path}");
        let input = Input::Address { address, pages: 1 };
        extract(&reader, input).await.unwrap()
    };
    let found = read("/pots/care").await;
    assert!(found.document.text.contains("Firing"));
    assert!(
        !found.document.text.contains("fn fire"),
        "its code is not read"
    );
    assert_eq!(found.document.title.as_deref(), Some("Care"));
    assert_eq!(found.origin.label, format!("http://{host}/pots/care"));
    assert_eq!(read("/pots/care").await.origin.digest, found.origin.digest);
    let page = read("/pots/none").await;
    assert_eq!(page.document.title.as_deref(), Some("Page"));
    // Of more files than are read it is said how many are missing.
    let mut short = reader.clone();
    short.limits.archive_entries_max = 1;
    let input = Input::Address {
        address: format!("http://{host}/pots/care"),
        pages: 1,
    };
    let cut = extract(&short, input).await.unwrap();
    assert!(!cut.document.text.contains("Firing"));
    let last = cut.document.text.trim_end().lines().last();
    assert_eq!(last, Some("One more file of this repository was not read."));
    assert_ne!(cut.origin.digest, found.origin.digest);
}
