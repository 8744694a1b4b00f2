//! Office files: charts, diagrams and the numbers of headings.

use crate::shown;
use std::io::{Cursor, Write as _};
use zip::write::SimpleFileOptions;

fn packed(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(*name, SimpleFileOptions::default())
            .expect("an entry begins");
        zip.write_all(text.as_bytes()).expect("an entry is written");
    }
    zip.finish().expect("an archive ends").into_inner()
}

/// An Office Open XML document with these parts, the first of them its main one.
fn office(content_type: &str, parts: &[(&str, &str)]) -> Vec<u8> {
    let main = parts.first().map_or("", |(name, _)| name);
    let types = format!(
        "<Types xmlns='t'><Override PartName='/{main}' ContentType='application/vnd.openxmlformats-officedocument.{content_type}.main+xml'/></Types>"
    );
    let relationships = format!(
        "<Relationships xmlns='r'><Relationship Id='a' Type='http://x/officeDocument' Target='{main}'/></Relationships>"
    );
    let mut all = vec![
        ("[Content_Types].xml", types.as_str()),
        ("_rels/.rels", relationships.as_str()),
    ];
    all.extend(parts);
    packed(&all)
}

/// A chart of two series over three days, the last value of the second left open.
const CHART: &str = "<c:chartSpace xmlns:c='c' xmlns:a='a'><c:chart>\
    <c:title><c:tx><c:rich><a:p><a:r><a:t>Bread </a:t></a:r><a:r><a:t>baked</a:t></a:r></a:p></c:rich></c:tx></c:title>\
    <c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:strCache><c:pt idx='0'><c:v>Rye</c:v></c:pt></c:strCache></c:strRef></c:tx>\
    <c:cat><c:strRef><c:strCache><c:pt idx='0'><c:v>Monday</c:v></c:pt><c:pt idx='1'><c:v>Tuesday</c:v></c:pt></c:strCache></c:strRef></c:cat>\
    <c:val><c:numRef><c:numCache><c:formatCode>General</c:formatCode><c:pt idx='0'><c:v>12</c:v></c:pt><c:pt idx='1'><c:v>0.30000000000000004</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart>\
    <c:lineChart><c:ser><c:tx><c:v>Burnt</c:v></c:tx>\
    <c:val><c:numLit><c:formatCode>0%</c:formatCode><c:pt idx='0'><c:v>0.25</c:v></c:pt></c:numLit></c:val></c:ser></c:lineChart>\
    <c:catAx><c:title><c:tx><c:rich><a:p><a:r><a:t>Day</a:t></a:r></a:p></c:rich></c:tx></c:title></c:catAx>\
    <c:valAx><c:title><c:tx><c:rich><a:p><a:r><a:t>Loaves</a:t></a:r></a:p></c:rich></c:tx></c:title></c:valAx></c:plotArea></c:chart></c:chartSpace>";

const CHART_SHOWN: &str = "Bread baked – Loaves\n\n| Day | Rye | Burnt |\n| --- | --- | --- |\n| Monday | 12 | 25% |\n| Tuesday | 0.3 | |\n";

#[test]
fn a_chart_on_a_slide_is_its_table_and_a_diagram_its_words() {
    let frame = |inside: &str| {
        format!(
            "<p:graphicFrame><a:graphic><a:graphicData>{inside}</a:graphicData></a:graphic></p:graphicFrame>"
        )
    };
    let words = |kind: &str, words: &str| {
        format!(
            "<p:sp><p:nvSpPr><p:nvPr>{kind}</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>{words}</a:t></a:r></a:p></p:txBody></p:sp>"
        )
    };
    let slide = [
        words("<p:ph type='title'/>", "A week"),
        frame("<c:chart r:id='c'/>"),
        words("", "Rye sells best."),
        frame("<dgm:relIds r:dm='d'/>"),
    ];
    let slide = format!(
        "<p:sld xmlns:p='p' xmlns:a='a' xmlns:r='r' xmlns:c='c' xmlns:dgm='dgm'><p:cSld><p:spTree>{}</p:spTree></p:cSld></p:sld>",
        slide.concat()
    );
    let bytes = office(
        "presentationml.presentation",
        &[
            (
                "ppt/presentation.xml",
                "<p:presentation xmlns:p='p' xmlns:r='r'><p:sldIdLst><p:sldId r:id='s'/></p:sldIdLst></p:presentation>",
            ),
            (
                "ppt/_rels/presentation.xml.rels",
                "<Relationships><Relationship Id='s' Type='t/slide' Target='slides/slide1.xml'/></Relationships>",
            ),
            ("ppt/slides/slide1.xml", &slide),
            (
                "ppt/slides/_rels/slide1.xml.rels",
                "<Relationships><Relationship Id='c' Type='t/chart' Target='../charts/chart1.xml'/><Relationship Id='d' Type='t/diagramData' Target='../d.xml'/></Relationships>",
            ),
            ("ppt/charts/chart1.xml", CHART),
            (
                "ppt/d.xml",
                "<dgm:dataModel xmlns:dgm='dgm' xmlns:a='a'><dgm:pt><dgm:t><a:p><a:r><a:t>Knead</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>",
            ),
        ],
    );
    assert_eq!(
        shown("week.pptx", &bytes),
        format!("# A week\n\n{CHART_SHOWN}\nRye sells best.\n\n- Knead\n")
    );
}

#[test]
fn postcodes_shares_and_prices_of_a_sheet_are_shown_as_the_styles_of_their_cells_say() {
    let rows = "<row r='1'><c r='A1' t='inlineStr'><is><t>Postcode</t></is></c><c r='B1' t='inlineStr'><is><t>Share</t></is></c><c r='D1' t='inlineStr'><is><t>Price</t></is></c></row>\
        <row r='2'><c r='A2' s='1'><v>1067</v></c><c r='B2' s='2'><v>0.07</v></c><c r='D2' s='3'><v>1234.5</v></c></row>\
        <row r='3'><c r='A3' s='1'><v>80331</v></c><c r='B3' s='2'><v>0.5</v></c><c r='D3' s='3'><v>9</v></c></row>";
    let bytes = office(
        "spreadsheetml.sheet",
        &[
            (
                "xl/workbook.xml",
                "<workbook xmlns:r='r'><sheets><sheet name='Doors' r:id='x'/></sheets></workbook>",
            ),
            (
                "xl/_rels/workbook.xml.rels",
                "<Relationships><Relationship Id='x' Type='t/worksheet' Target='a.xml'/><Relationship Id='y' Type='t/styles' Target='styles.xml'/></Relationships>",
            ),
            (
                "xl/styles.xml",
                "<styleSheet><numFmts><numFmt numFmtId='164' formatCode='00000'/><numFmt numFmtId='165' formatCode='#,##0.00&#160;&quot;€&quot;'/></numFmts>\
                 <cellXfs><xf numFmtId='0'/><xf numFmtId='164'/><xf numFmtId='9'/><xf numFmtId='165'/></cellXfs></styleSheet>",
            ),
            (
                "xl/a.xml",
                &format!("<worksheet><sheetData>{rows}</sheetData></worksheet>"),
            ),
        ],
    );
    assert_eq!(
        shown("doors.xlsx", &bytes),
        "# Doors\n\n| Postcode | Share | Price |\n| --- | --- | --- |\n| 01067 | 7% | 1,234.50 € |\n| 80331 | 50% | 9.00 € |\n"
    );
}

#[test]
fn a_long_opendocument_sheet_is_kept_whole_and_rows_that_repeat_without_end_are_counted() {
    let row = |times: u64, says: &str| {
        format!(
            "<table:table-row table:number-rows-repeated='{times}'><table:table-cell office:value-type='float' office:value='7'><text:p>{says}</text:p></table:table-cell>\
             <table:table-cell table:number-columns-repeated='2'><text:p>x</text:p></table:table-cell></table:table-row>"
        )
    };
    let mut rows: String = (0..25_000)
        .map(|number| row(1, &format!("{number:05}")))
        .collect();
    rows.push_str(&row(1_000_000, "end"));
    let content = format!(
        "<office:document-content xmlns:office='o' xmlns:text='t' xmlns:table='b'><office:body><office:spreadsheet><table:table table:name='S'>{rows}</table:table></office:spreadsheet></office:body></office:document-content>"
    );
    let bytes = packed(&[
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("content.xml", &content),
        ("META-INF/manifest.xml", "<manifest/>"),
    ]);
    let shown = shown("s.ods", &bytes);
    assert!(shown.contains("\n| 24999 | x | x |\n"));
    assert!(
        shown.contains("The first 45000 of 1024999 rows"),
        "{}",
        &shown[..200]
    );
}

/// A Word document of these paragraphs, whose headings are numbered by their styles.
fn numbered(body: &str) -> Vec<u8> {
    let style = |level: u8| {
        format!(
            "<w:style w:styleId='H{level}'><w:name w:val='heading {level}'/><w:pPr><w:numPr><w:ilvl w:val='{}'/><w:numId w:val='1'/></w:numPr></w:pPr></w:style>",
            level - 1
        )
    };
    let level = |at: u8, format: &str, text: &str| {
        format!(
            "<w:lvl w:ilvl='{at}'><w:start w:val='1'/><w:numFmt w:val='{format}'/><w:lvlText w:val='{text}'/></w:lvl>"
        )
    };
    let levels = [
        level(0, "upperLetter", "Part %1:"),
        level(1, "decimal", "%1.%2"),
        level(2, "lowerRoman", "(%3)"),
    ];
    office(
        "wordprocessingml.document",
        &[
            (
                "word/document.xml",
                &format!(
                    "<w:document xmlns:w='w' xmlns:r='r' xmlns:c='c'><w:body>{body}</w:body></w:document>"
                ),
            ),
            (
                "word/_rels/document.xml.rels",
                "<Relationships><Relationship Id='s' Type='t/styles' Target='styles.xml'/><Relationship Id='n' Type='t/numbering' Target='numbering.xml'/>\
                 <Relationship Id='c' Type='t/chart' Target='chart.xml'/></Relationships>",
            ),
            (
                "word/styles.xml",
                &format!(
                    "<w:styles xmlns:w='w'>{}{}{}</w:styles>",
                    style(1),
                    style(2),
                    style(3)
                ),
            ),
            (
                "word/numbering.xml",
                &format!(
                    "<w:numbering xmlns:w='w'><w:abstractNum w:abstractNumId='0'>{}</w:abstractNum><w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num></w:numbering>",
                    levels.concat()
                ),
            ),
            ("word/chart.xml", CHART),
        ],
    )
}

#[test]
fn numbered_headings_in_word_keep_the_numbers_that_their_styles_give_them() {
    let heading = |level: u8, extra: &str, words: &str| {
        format!(
            "<w:p><w:pPr><w:pStyle w:val='H{level}'/>{extra}</w:pPr><w:r><w:t>{words}</w:t></w:r></w:p>"
        )
    };
    let body = [
        heading(1, "", "Dough"),
        heading(2, "", "Flour"),
        heading(2, "", "Water"),
        heading(3, "", "Warm"),
        heading(1, "<w:numPr><w:numId w:val='0'/></w:numPr>", "Thanks"),
        heading(1, "", "Oven"),
        heading(2, "", "B.1 Stones"),
    ];
    assert_eq!(
        shown("bread.docx", &numbered(&body.concat())),
        "# Part A: Dough\n\n## A.1 Flour\n\n## A.2 Water\n\n### (i) Warm\n\n# Thanks\n\n# Part B: Oven\n\n## B.1 Stones\n"
    );
}

#[test]
fn a_chart_in_a_word_document_is_its_table() {
    let drawing = "<w:drawing><a:graphic xmlns:a='a'><c:chart r:id='c'/></a:graphic></w:drawing>";
    let body = format!("<w:p><w:r><w:t>As baked.</w:t></w:r></w:p><w:p><w:r>{drawing}</w:r></w:p>");
    assert_eq!(
        shown("bread.docx", &numbered(&body)),
        format!("As baked.\n\n{CHART_SHOWN}")
    );
}

#[test]
fn an_open_document_keeps_the_numbers_of_its_headings_and_the_tables_of_its_charts() {
    let level = |level: u8, format: &str, more: &str| {
        format!(
            "<text:outline-level-style text:level='{level}' style:num-format='{format}' {more}/>"
        )
    };
    let levels = [
        level(1, "I", "style:num-suffix='.'"),
        level(2, "1", "text:display-levels='2'"),
        level(3, "", ""),
    ];
    let heading =
        |level: u8, words: &str| format!("<text:h text:outline-level='{level}'>{words}</text:h>");
    let text = [
        heading(1, "Dough"),
        heading(2, "Flour"),
        heading(1, "Oven"),
        heading(2, "Stones"),
        heading(3, "Cracks"),
        "<text:p><draw:frame><draw:object xlink:href='./Object 1'/></draw:frame></text:p>"
            .to_owned(),
    ];
    let row = |cells: [&str; 2]| {
        let cells = cells
            .map(|cell| format!("<table:table-cell><text:p>{cell}</text:p></table:table-cell>"));
        format!("<table:table-row>{}</table:table-row>", cells.concat())
    };
    let chart = format!(
        "<office:document-content><office:body><office:chart><chart:chart><chart:title><text:p>Bread</text:p></chart:title><table:table><table:table-header-rows>{}</table:table-header-rows><table:table-rows>{}</table:table-rows></table:table></chart:chart></office:chart></office:body></office:document-content>",
        row(["", "Rye"]),
        row(["Monday", "12"])
    );
    let bytes = packed(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        (
            "content.xml",
            &format!(
                "<office:document-content xmlns:xlink='xlink'><office:body><office:text>{}</office:text></office:body></office:document-content>",
                text.concat()
            ),
        ),
        (
            "styles.xml",
            &format!(
                "<office:document-styles><office:styles><text:outline-style>{}</text:outline-style></office:styles></office:document-styles>",
                levels.concat()
            ),
        ),
        ("Object 1/content.xml", &chart),
    ]);
    assert_eq!(
        shown("bread.odt", &bytes),
        "# I. Dough\n\n## I.1 Flour\n\n# II. Oven\n\n## II.1 Stones\n\n### Cracks\n\nBread\n\n| | Rye |\n| --- | --- |\n| Monday | 12 |\n"
    );
}
