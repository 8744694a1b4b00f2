//! Reads PDF and long pages the way the service does: in a child process of the real program.

use skillkiln::config::Settings;
use skillkiln::domain::clock::Clock;
use skillkiln::domain::document::BlockKind;
use skillkiln::domain::failure::{Failure, Reason};
use skillkiln::domain::text::plain;
use skillkiln::pipeline::extract::{Input, NamedBytes, Reader, extract};
use skillkiln::pipeline::product::Extracted;
use std::fmt::Write as _;

fn reader() -> Reader {
    let mut reader = skillkiln::services::reader(&Settings::default(), Clock::system())
        .expect("the defaults make a reader");
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

/// A PDF of one page a content stream, with Helvetica as F1 and Courier as F2.
fn pdf(pages: &[&str]) -> Vec<u8> {
    let kids: Vec<String> = (0..pages.len())
        .map(|page| format!("{} 0 R", 5 + page * 2))
        .collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!(
            "<< /Type /Pages /Kids [{}] /Count {} >>",
            kids.join(" "),
            pages.len()
        ),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
            .to_owned(),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>"
            .to_owned(),
    ];
    for (number, content) in pages.iter().enumerate() {
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>",
            6 + number * 2
        ));
        objects.push(format!(
            "<< /Length {} >>\nstream\n{content}\nendstream",
            content.len()
        ));
    }
    let mut out = "%PDF-1.4\n".to_owned();
    let mut offsets = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        offsets.push(out.len());
        write!(out, "{} 0 obj\n{object}\nendobj\n", number + 1).expect("a string grows");
    }
    let start = out.len();
    write!(out, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).expect("a string grows");
    for offset in offsets {
        writeln!(out, "{offset:010} 00000 n ").expect("a string grows");
    }
    write!(
        out,
        "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n",
        objects.len() + 1
    )
    .expect("a string grows");
    out.into_bytes()
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
                (plain(text), block.span.page)
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
    let mut reader = reader();
    reader.isolation.program = Some("/bin/false".into());
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
