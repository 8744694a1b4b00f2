//! Reads office documents, e-books and archives the way the service does: in a child process of the real program.

#![expect(
    clippy::unwrap_used,
    reason = "a test that finds nothing fails, as it should"
)]

use skillkiln::config::Settings;
use skillkiln::domain::clock::Clock;
use skillkiln::pipeline::extract::{Input, NamedBytes, Reader, extract};
use skillkiln_document::blocks::{Document, walk};
use skillkiln_document::failure::{Failure, Reason};
use skillkiln_document::markdown;
use std::io::{Cursor, Write as _};
use zip::write::SimpleFileOptions;

fn reader() -> Reader {
    let mut reader = skillkiln::services::reader(&Settings::default(), Clock::system())
        .expect("the defaults make a reader");
    // The files of these tests say little, each what it is about.
    reader.words_min = 0;
    reader.isolation.program = Some(env!("CARGO_BIN_EXE_skillkiln").into());
    reader
}

async fn read(filename: &str, bytes: Vec<u8>) -> Result<Document, Failure> {
    let file = NamedBytes {
        filename: filename.to_owned(),
        bytes: bytes.into(),
    };
    let document = extract(&reader(), Input::Files(vec![file])).await?.document;
    walk(&document.blocks, &mut |block| {
        assert!(document.text.get(block.span.bytes.clone()).is_some());
    });
    Ok(document)
}

/// What is read, as Markdown.
async fn shown(filename: &str, bytes: Vec<u8>) -> String {
    let document = read(filename, bytes).await.unwrap();
    markdown::write(&document.blocks)
}

/// What the refusal says.
async fn refusal(filename: &str, bytes: Vec<u8>) -> String {
    read(filename, bytes).await.unwrap_err().message
}

fn packed(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn tar(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in entries {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, *bytes).unwrap();
    }
    tar.into_inner().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}

/// An Office Open XML document whose main part is `main`, with these parts besides.
fn office(main: &str, content_type: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    let types = format!(
        "<Types xmlns='t'><Override PartName='/{main}' ContentType='application/vnd.openxmlformats-officedocument.{content_type}.main+xml'/></Types>"
    );
    let relationships = format!(
        "<Relationships xmlns='r'><Relationship Id='a' Type='http://x/officeDocument' Target='{main}'/></Relationships>"
    );
    let mut all: Vec<(&str, &[u8])> = vec![
        ("[Content_Types].xml", types.as_bytes()),
        ("_rels/.rels", relationships.as_bytes()),
    ];
    all.extend(parts.iter().map(|(name, text)| (*name, text.as_bytes())));
    packed(&all)
}

fn docx(body: &str) -> Vec<u8> {
    let document =
        format!("<w:document xmlns:w='w' xmlns:r='r'><w:body>{body}</w:body></w:document>");
    office(
        "word/document.xml",
        "wordprocessingml.document",
        &[
            ("word/document.xml", &document),
            (
                "word/_rels/document.xml.rels",
                "<Relationships><Relationship Id='l' Type='t/hyperlink' Target='https://example.org/' TargetMode='External'/>\
                 <Relationship Id='s' Type='t/styles' Target='styles.xml'/><Relationship Id='n' Type='t/numbering' Target='numbering.xml'/>\
                 <Relationship Id='f' Type='t/footnotes' Target='footnotes.xml'/></Relationships>",
            ),
            (
                "word/styles.xml",
                "<w:styles xmlns:w='w'><w:style w:styleId='berschrift1'><w:name w:val='heading 1'/></w:style>\
                 <w:style w:styleId='C'><w:name w:val='HTML Preformatted'/></w:style>\
                 <w:style w:styleId='T1'><w:name w:val='toc 1'/></w:style></w:styles>",
            ),
            (
                "word/numbering.xml",
                "<w:numbering xmlns:w='w'><w:abstractNum w:abstractNumId='0'><w:lvl w:ilvl='0'><w:start w:val='3'/><w:numFmt w:val='decimal'/>\
                 <w:lvlText w:val='%1.'/></w:lvl><w:lvl w:ilvl='1'><w:numFmt w:val='bullet'/><w:lvlText w:val='o'/></w:lvl></w:abstractNum>\
                 <w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num></w:numbering>",
            ),
            (
                "word/footnotes.xml",
                "<w:footnotes xmlns:w='w'><w:footnote w:id='2'><w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:footnote></w:footnotes>",
            ),
        ],
    )
}

fn p(style: &str, text: &str) -> String {
    format!(
        "<w:p><w:pPr><w:pStyle w:val='{style}'/></w:pPr><w:r><w:t xml:space='preserve'>{text}</w:t></w:r></w:p>"
    )
}

fn item(level: u8, text: &str) -> String {
    format!(
        "<w:p><w:pPr><w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='1'/></w:numPr></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"
    )
}

#[tokio::test]
async fn a_word_document_keeps_its_structure_under_any_name() {
    let body = [
        p("T1", "Contents line 7"),
        p("berschrift1", "Firing"),
        "<w:p><w:r><w:t xml:space='preserve'>Heat </w:t></w:r><w:ins><w:r><w:rPr><w:b/></w:rPr><w:t>slowly</w:t></w:r></w:ins>\
         <w:del><w:r><w:delText>fast</w:delText></w:r></w:del><w:r><w:footnoteReference w:id='2'/></w:r>\
         <w:hyperlink r:id='l'><w:r><w:t xml:space='preserve"
            .to_owned(),
    ];
    let body = format!(
        "{}'> see</w:t></w:r></w:hyperlink></w:p>{}{}{}{}{}{}{}{}",
        body.concat(),
        item(0, "dry"),
        item(1, "in the sun"),
        item(0, "fire"),
        p("C", "for pot in kiln:"),
        p("C", ""),
        p("C", "    fire(pot)"),
        "<w:p><w:r><mc:AlternateContent xmlns:mc='m'><mc:Choice><w:drawing><wps:txbx><w:txbxContent><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></w:txbxContent>\
         </wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>",
        "<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr><w:tc><w:tcPr><w:gridSpan w:val='2'/></w:tcPr><w:p><w:r><w:t>Head</w:t></w:r></w:p></w:tc></w:tr>\
         <w:tr><w:tc><w:tcPr><w:vMerge w:val='restart'/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr>\
         <w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p><w:r><w:t>hidden by merging</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>c</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
    );
    assert_eq!(
        shown("notes.txt", docx(&body)).await,
        "# Firing\n\nHeat **slowly**[1][ see](https://example.org/)\n\n3. dry\n   - in the sun\n4. fire\n\n\
         ```\nfor pot in kiln:\n\n    fire(pot)\n```\n\nIn a box.\n\n\
         | Head | |\n| --- | --- |\n| a | b |\n| | c |\n\n[1] A note.\n"
    );
}

#[tokio::test]
async fn a_presentation_is_its_slides_with_their_notes() {
    let slide = "<p:sld xmlns:p='p' xmlns:a='a'><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type='sldNum'/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>7</a:t></a:r></a:p></p:txBody></p:sp>\
        <p:sp><p:nvSpPr><p:nvPr><p:ph idx='1'/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>First</a:t></a:r></a:p><a:p><a:pPr lvl='1'/><a:r><a:t>Inner</a:t></a:r></a:p></p:txBody></p:sp>\
        <p:sp><p:nvSpPr><p:nvPr><p:ph type='title'/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>Kilns</a:t></a:r></a:p></p:txBody></p:sp>\
        <p:sp><p:nvSpPr><p:nvPr/></p:nvSpPr><p:txBody><a:p><a:r><a:rPr><a:latin typeface='Consolas'/></a:rPr><a:t>fire --slow</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>";
    let notes = "<p:notes xmlns:p='p' xmlns:a='a'><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type='body' idx='1'/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>Say so.</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:notes>";
    let pptx = office(
        "ppt/presentation.xml",
        "presentationml.presentation",
        &[
            (
                "ppt/presentation.xml",
                "<p:presentation xmlns:p='p' xmlns:r='r'><p:sldIdLst><p:sldId id='256' r:id='x'/></p:sldIdLst></p:presentation>",
            ),
            (
                "ppt/_rels/presentation.xml.rels",
                "<Relationships><Relationship Id='x' Type='t/slide' Target='slides/s.xml'/></Relationships>",
            ),
            ("ppt/slides/s.xml", slide),
            (
                "ppt/slides/_rels/s.xml.rels",
                "<Relationships><Relationship Id='n' Type='t/notesSlide' Target='../notesSlides/n.xml'/></Relationships>",
            ),
            ("ppt/notesSlides/n.xml", notes),
        ],
    );
    let document = read("talk.pptx", pptx).await.unwrap();
    assert_eq!(
        markdown::write(&document.blocks),
        "# Kilns\n\n- First\n  - Inner\n\n```\nfire --slow\n```\n\n> **Notes:** Say so.\n"
    );
    assert!(
        document
            .blocks
            .iter()
            .all(|block| block.span.page() == Some(1))
    );
}

fn xlsx(sheet: &str) -> Vec<u8> {
    let sheet = format!("<worksheet xmlns='s'>{sheet}</worksheet>");
    office(
        "xl/workbook.xml",
        "spreadsheetml.sheet",
        &[
            (
                "xl/workbook.xml",
                "<workbook xmlns:r='r'><sheets><sheet name='Firings' sheetId='1' r:id='x'/></sheets></workbook>",
            ),
            (
                "xl/_rels/workbook.xml.rels",
                "<Relationships><Relationship Id='x' Type='t/worksheet' Target='worksheets/a.xml'/><Relationship Id='y' Type='t/styles' Target='styles.xml'/></Relationships>",
            ),
            (
                "xl/styles.xml",
                "<styleSheet><cellXfs><xf numFmtId='0'/><xf numFmtId='14'/></cellXfs></styleSheet>",
            ),
            ("xl/worksheets/a.xml", &sheet),
        ],
    )
}

#[tokio::test]
async fn a_workbook_is_its_tables_and_a_merge_to_the_last_cell_costs_nothing() {
    let sheet = "<sheetData><row r='1'><c r='A1' t='inlineStr'><is><t>Day</t></is></c><c r='B1' t='inlineStr'><is><t>Cone</t></is></c></row>\
        <row r='2'><c r='A2' s='1'><v>45000</v></c><c r='B2'><v>6.5</v></c></row><row r='3'><c r='A3' s='1'><v>45001</v></c><c r='B3'><f>B2*2</f></c></row>\
        <row r='1048576'><c r='XFD1048576' t='inlineStr'><is><t>far away</t></is></c></row></sheetData><mergeCells><mergeCell ref='A1:XFD1048576'/></mergeCells>";
    assert_eq!(
        shown("book.xlsx", xlsx(sheet)).await,
        "# Firings\n\n| Day | Cone |\n| --- | --- |\n| 2023-03-15 | 6.5 |\n| 2023-03-16 | =B2\\*2 |\n\nfar away\n"
    );
}

fn epub(extra: &[(&str, &str)]) -> Vec<u8> {
    epub_in("", extra)
}

fn epub_in(folder: &str, extra: &[(&str, &str)]) -> Vec<u8> {
    let mut parts: Vec<(&str, &str)> = vec![
        ("mimetype", "application/epub+zip"),
        (
            "META-INF/container.xml",
            "<container><rootfiles><rootfile full-path='OEBPS/book.opf'/></rootfiles></container>",
        ),
        (
            "OEBPS/book.opf",
            "<package xmlns:dc='d'><metadata><dc:title>On Kilns</dc:title><dc:creator>Ann Potter</dc:creator><dc:language>en</dc:language></metadata>\
             <manifest><item id='b' href='two%20x.xhtml' media-type='application/xhtml+xml'/><item id='a' href='one.xhtml' media-type='application/xhtml+xml'/>\
             <item id='n' href='toc.ncx' media-type='application/x-dtbncx+xml'/></manifest><spine toc='n'><itemref idref='a'/><itemref idref='b'/></spine></package>",
        ),
        (
            "OEBPS/toc.ncx",
            "<ncx><navMap><navPoint><navLabel><text>Clay</text></navLabel><content src='one.xhtml#x'/></navPoint><navPoint><navLabel><text>Fire</text></navLabel><content src='two%20x.xhtml'/></navPoint></navMap></ncx>",
        ),
        (
            "OEBPS/one.xhtml",
            "<html xmlns='h'><head><title/></head><body><a id='x'/><p>Clay is wet, see <a href='two%20x.xhtml'>fire</a>.</p></body></html>",
        ),
        (
            "OEBPS/two x.xhtml",
            "<html><body><h1>Fire</h1><pre>fire()\n  wait()</pre></body></html>",
        ),
    ];
    parts.extend(extra);
    let parts: Vec<(String, &[u8])> = parts
        .iter()
        .map(|(name, text)| (format!("{folder}{name}"), text.as_bytes()))
        .collect();
    let parts: Vec<(&str, &[u8])> = parts
        .iter()
        .map(|(name, text)| (name.as_str(), *text))
        .collect();
    packed(&parts)
}

#[tokio::test]
async fn a_book_whose_folder_was_packed_is_the_same_book() {
    let book = shown("book.epub", epub(&[])).await;
    for folder in ["epub/", "My Book.epub/"] {
        assert_eq!(shown("book.epub", epub_in(folder, &[])).await, book);
    }
    let beside = epub_in("epub/", &[]);
    let noted = epub_in("", &[("__MACOSX/epub/._mimetype", "\u{5}\u{16}")]);
    assert_eq!(shown("book.epub", noted).await, book);
    assert_eq!(shown("book.zip", beside).await, book);
}

#[tokio::test]
async fn a_book_is_its_chapters_in_the_order_of_the_spine() {
    let document = read("book.epub", epub(&[])).await.unwrap();
    assert_eq!(document.title.as_deref(), Some("On Kilns"));
    assert_eq!(document.about.author.as_deref(), Some("Ann Potter"));
    assert_eq!(
        markdown::write(&document.blocks),
        "# Clay\n\nClay is wet, see fire.\n\n# Fire\n\n```\nfire()\n  wait()\n```\n"
    );
    let lock = "<encryption><EncryptedData><EncryptionMethod Algorithm='http://www.w3.org/2001/04/xmlenc#aes128-cbc'/><CipherData><CipherReference URI='OEBPS/one.xhtml'/></CipherData></EncryptedData></encryption>";
    let locked = epub(&[("META-INF/encryption.xml", lock)]);
    assert!(refusal("book.epub", locked).await.contains("(DRM)"));
    let fonts = lock.replace(
        "http://www.w3.org/2001/04/xmlenc#aes128-cbc",
        "http://www.idpf.org/2008/embedding",
    );
    assert!(
        read("book.epub", epub(&[("META-INF/encryption.xml", &fonts)]))
            .await
            .is_ok()
    );
}

fn odf(mimetype: &str, body: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content xmlns:office='o' xmlns:text='t' xmlns:table='b' xmlns:style='s'><office:automatic-styles>\
         <style:style style:name='P1' style:parent-style-name='Preformatted_20_Text'/><text:list-style style:name='L'><text:list-level-style-number style:num-format='1'/></text:list-style>\
         </office:automatic-styles><office:body>{body}</office:body></office:document-content>"
    );
    packed(&[
        (
            "mimetype",
            format!("application/vnd.oasis.opendocument.{mimetype}").as_bytes(),
        ),
        ("content.xml", content.as_bytes()),
        ("META-INF/manifest.xml", b"<manifest/>"),
    ])
}

#[tokio::test]
async fn open_documents_are_read_like_the_others() {
    let text = "<office:text><text:tracked-changes><text:p>deleted</text:p></text:tracked-changes><text:h text:outline-level='2'>Glaze</text:h>\
        <text:list text:style-name='L'><text:list-item><text:p>one</text:p></text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list>\
        <text:p text:style-name='P1'>if hot:</text:p><text:p text:style-name='P1'><text:s text:c='4'/>wait()</text:p>\
        <text:p>As  said<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>By whom?</text:p></text:note-body></text:note>.</text:p></office:text>";
    assert_eq!(
        shown("a.odt", odf("text", text)).await,
        "## Glaze\n\n1. one\n2. two\n\n```\nif hot:\n    wait()\n```\n\nAs said[1].\n\n[1] By whom?\n"
    );
    let sheet = "<office:spreadsheet><table:table table:name='S'><table:table-row><table:table-cell><text:p>Name</text:p></table:table-cell><table:table-cell><text:p>Size</text:p></table:table-cell></table:table-row>\
        <table:table-row><table:table-cell><text:p>pot</text:p></table:table-cell><table:table-cell office:value-type='float' office:value='107'><text:p>00107</text:p></table:table-cell><table:table-cell table:number-columns-repeated='16382'/></table:table-row>\
        <table:table-row table:number-rows-repeated='1048574'><table:table-cell table:number-columns-repeated='16384'/></table:table-row></table:table></office:spreadsheet>";
    assert_eq!(
        shown("a.ods", odf("spreadsheet", sheet)).await,
        "# S\n\n| Name | Size |\n| --- | --- |\n| pot | 00107 |\n"
    );
}

#[tokio::test]
async fn an_archive_is_one_document_with_its_tree_first() {
    let entries: &[(&str, &[u8])] = &[
        ("proj/ch10.md", b"# Ten\n\nlast words\n"),
        ("proj/ch2.md", b"# Two\n\nsome words\n"),
        ("proj/README.md", b"# Kiln\n\nread me first\n"),
        ("proj/src/main.rs", b"fn main() {}\n"),
        ("proj/.git/config", b"[core]\n"),
        ("__MACOSX/proj/._ch2.md", b"\0\0"),
        ("proj/logo.png", b"\x89PNG\r\n\x1a\n"),
        ("proj/broken.pdf", b"%PDF-1.7\nnothing"),
        ("../../etc/evil.md", b"# Evil\n\nharmless words\n"),
    ];
    let zip = packed(entries);
    let expected = "```\nproj/\n  README.md\n  ch2.md\n  ch10.md\n  src/\n    main.rs\netc/\n  evil.md\n```\n\nFiles not read: proj/broken.pdf (";
    let shown_zip = shown("proj.zip", zip.clone()).await;
    let first = shown_zip.find("read me first").unwrap();
    assert!(first < shown_zip.find("some words").unwrap(), "{shown_zip}");
    assert!(shown_zip.find("some words").unwrap() < shown_zip.find("last words").unwrap());
    assert!(shown_zip.contains("); 1 binary; 2 hidden."), "{shown_zip}");
    assert!(shown_zip.contains("```rust\nfn main() {}\n```"));
    assert!(
        expected.lines().all(|line| shown_zip.contains(line)),
        "{shown_zip}"
    );
    let within: Vec<(&str, &[u8])> = entries
        .iter()
        .filter(|(name, _)| !name.contains(".."))
        .copied()
        .collect();
    let tarred = shown("proj.tgz", gzip(&tar(&within))).await;
    assert!(
        tarred.contains("read me first") && tarred.contains("1 binary"),
        "{tarred}"
    );
    assert_eq!(
        shown("notes.md.gz", gzip(b"# Notes\n\nwords\n")).await,
        "# Notes\n\nwords\n"
    );
    // An office document inside counts as a document, not as an archive.
    let inside = packed(&[("report.docx", &docx(&p("berschrift1", "Report")))]);
    assert!(shown("a.zip", inside).await.contains("# Report"));
}

#[tokio::test]
async fn bombs_are_refused_by_what_they_unpack_to() {
    let zeros = vec![b' '; 40 << 20];
    let ratio = packed(&[("a.txt", &zeros)]);
    let failure = read("a.zip", ratio.clone()).await.unwrap_err();
    assert_eq!(failure.reason, Reason::TooLarge);
    assert!(
        failure.message.contains("unpacks to far more"),
        "{}",
        failure.message
    );
    assert!(
        refusal("a.gz", gzip(&zeros))
            .await
            .contains("unpacks to far more")
    );
    // A bomb inside is a bomb.
    let nested = packed(&[("b.zip", &ratio), ("c.md", b"words")]);
    assert!(
        refusal("n.zip", nested)
            .await
            .contains("unpacks to far more")
    );
    let mut deep = packed(&[("a.md", b"# Words\n\nhere\n")]);
    for _ in 0..4 {
        deep = packed(&[("inner.zip", &deep)]);
    }
    assert!(
        refusal("deep.zip", deep)
            .await
            .contains("unpack the inner ones")
    );
    let names: Vec<String> = (0..2_100).map(|at| format!("{at}.md")).collect();
    let many: Vec<(&str, &[u8])> = names
        .iter()
        .map(|name| (name.as_str(), &b"x"[..]))
        .collect();
    assert!(
        refusal("many.zip", packed(&many))
            .await
            .contains("more entries than are read")
    );
    assert!(
        refusal("many.tar", tar(&many))
            .await
            .contains("more entries than are read")
    );
}

#[tokio::test]
async fn hostile_documents_end() {
    let bomb = docx("<w:p><w:r><w:t>x&lol9;y</w:t></w:r></w:p>");
    assert_eq!(shown("a.docx", bomb).await, "xy\n");
    let deep = docx(&format!(
        "{}words{}",
        "<w:sdt><w:sdtContent><w:p><w:r><w:t>".repeat(20_000),
        ""
    ));
    let _ = read("deep.docx", deep).await;
    let tables =
        "<w:tbl><w:tr><w:tc>".repeat(3_000) + "<w:p><w:r><w:t>deep inside</w:t></w:r></w:p>";
    let _ = read("tables.docx", docx(&tables)).await;
    let wide = "<w:tbl>".to_owned()
        + &"<w:tr><w:tc><w:tcPr><w:gridSpan w:val='4000000000'/></w:tcPr><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc></w:tr>".repeat(2_000);
    assert!(shown("wide.docx", docx(&wide)).await.contains('x'));
    let repeated = "<office:spreadsheet><table:table><table:table-row table:number-rows-repeated='4000000000'><table:table-cell table:number-columns-repeated='4000000000'><text:p>x</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>";
    assert!(
        shown("a.ods", odf("spreadsheet", repeated))
            .await
            .contains("rows")
    );
}

#[tokio::test]
async fn what_cannot_be_read_says_what_to_do() {
    let good = docx(&p("berschrift1", "Report"));
    let half = good[..good.len() / 2].to_vec();
    assert!(
        refusal("half.docx", half)
            .await
            .contains("damaged or cut short")
    );
    let mut broken = good.clone();
    let at = good
        .windows(17)
        .position(|name| name == b"word/document.xml")
        .unwrap()
        + 30;
    broken[at..at + 40].fill(0xaa);
    assert!(
        refusal("broken.docx", broken)
            .await
            .contains("damaged or cut short")
    );
    assert!(
        refusal("empty.docx", packed(&[]))
            .await
            .contains("no document in this archive")
    );
    assert!(
        refusal("blank.docx", docx("<w:p/>"))
            .await
            .contains("no text in this file")
    );
    let pictures = packed(&[("a.png", b"\x89PNG\r\n\x1a\n")]);
    let refused = refusal("a.zip", pictures).await;
    assert!(
        refused.contains("no document in this archive") && refused.contains("DOCX"),
        "{refused}"
    );
    let mut locked = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    locked.resize(1024, 0);
    locked.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    locked.resize(2048, 0);
    assert!(
        refusal("locked.docx", locked)
            .await
            .contains("locked with a password")
    );
    let mut encrypted = packed(&[("a.md", b"# Words\n\nhere\n")]);
    // The flag that says that an entry is encrypted, in its own header and in the directory.
    encrypted[6] |= 1;
    let directory = encrypted
        .windows(4)
        .position(|mark| mark == b"PK\x01\x02")
        .unwrap();
    encrypted[directory + 8] |= 1;
    assert!(
        refusal("a.zip", encrypted)
            .await
            .contains("locked with a password")
    );
    let locked_open = packed(&[
        ("mimetype", b"application/vnd.oasis.opendocument.text"),
        ("content.xml", b"\x01\x02"),
        ("META-INF/manifest.xml", b"<manifest:manifest xmlns:manifest='m'><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>"),
    ]);
    assert!(
        refusal("a.odt", locked_open)
            .await
            .contains("locked with a password")
    );
    // A picture in an office document, an archive in one: not opened, not in the way.
    let holding = office(
        "word/document.xml",
        "wordprocessingml.document",
        &[
            (
                "word/document.xml",
                "<w:document xmlns:w='w'><w:body><w:p><w:r><w:t>words</w:t></w:r></w:p></w:body></w:document>",
            ),
            ("word/embeddings/bomb.zip", "PK\u{3}\u{4}"),
        ],
    );
    assert_eq!(shown("a.docx", holding).await, "words\n");
}
