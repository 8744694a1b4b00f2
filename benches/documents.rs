//! Documents in every format that is read, all of them the same manual: headings, paragraphs, steps, a table and code in each section.

#[path = "../tests/shared/pdf.rs"]
mod pdf;

use std::fmt::Write as _;
use std::io::{Cursor, Write as _};
use zip::write::SimpleFileOptions;

/// What a section of the manual says.
struct Section {
    number: usize,
    heading: String,
    paragraph: String,
    steps: [String; 3],
    code: String,
}

fn section(number: usize) -> Section {
    let degrees = 600 + (number * 7) % 800;
    Section {
        number,
        heading: format!("Firing stage {number}"),
        paragraph: format!(
            "Before you begin, set the vent to {number} and close the lid. You must wait until the gauge shows {degrees} degrees, \
             because opening it earlier cracks the glaze of whatever stands on shelf {}.",
            number % 9
        ),
        steps: [
            format!("Load shelf {number} with room between the pots."),
            format!("Start the stage and watch the gauge up to {degrees} degrees."),
            format!("Check the cone after {} minutes.", number % 50 + 20),
        ],
        code: format!("kiln start --stage {number} --heat {degrees}\nkiln status --watch"),
    }
}

/// As many sections as make about `bytes` when each is written by `write`, with a beginning and an end.
fn sections(bytes: usize, begin: &str, write: impl Fn(&mut String, &Section), end: &str) -> String {
    let mut text = begin.to_owned();
    for number in 1.. {
        write(&mut text, &section(number));
        if text.len() >= bytes {
            break;
        }
    }
    text + end
}

/// A document under its name.
pub(crate) struct Sample {
    pub(crate) filename: &'static str,
    pub(crate) bytes: Vec<u8>,
}

/// One document of each format; packed ones hold about `bytes` of markup.
pub(crate) fn all(bytes: usize) -> Vec<Sample> {
    let samples: [(&'static str, Vec<u8>); 22] = [
        ("manual.txt", plain(bytes).into()),
        ("manual.md", markdown(bytes).into()),
        ("manual.html", html(bytes).into()),
        ("manual.rst", rest(bytes).into()),
        ("manual.adoc", asciidoc(bytes).into()),
        ("manual.tex", latex(bytes).into()),
        ("manual.1", manual_page(bytes).into()),
        ("manual.ipynb", notebook(bytes).into()),
        ("openapi.json", openapi(bytes).into()),
        ("firings.csv", csv(bytes).into()),
        ("firings.json", json(bytes).into()),
        ("kiln.rs", source(bytes).into()),
        ("manual.eml", mail(bytes).into()),
        ("talk.vtt", subtitles(bytes).into()),
        ("manual.rtf", rich_text(bytes).into()),
        ("manual.docx", docx(bytes)),
        ("manual.pptx", pptx(bytes)),
        ("firings.xlsx", xlsx(bytes)),
        ("manual.odt", odt(bytes)),
        ("manual.epub", epub(bytes)),
        ("manual.pdf", portable(bytes)),
        ("manual.zip", archive(bytes)),
    ];
    let named = |(filename, bytes)| Sample { filename, bytes };
    samples.into_iter().map(named).collect()
}

fn plain(bytes: usize) -> String {
    let write = |text: &mut String, section: &Section| {
        let underline = "-".repeat(section.heading.len());
        let [one, two, three] = &section.steps;
        write!(
            text,
            "\n{}\n{underline}\n\n{}\n\n1. {one}\n2. {two}\n3. {three}\n\n    {}\n",
            section.heading,
            section.paragraph,
            section.code.replace('\n', "\n    ")
        )
        .expect("a string grows");
    };
    sections(bytes, "Guide to the kiln\n=================\n", write, "")
}

fn markdown(bytes: usize) -> String {
    let write = |text: &mut String, section: &Section| {
        let [one, two, three] = &section.steps;
        write!(
            text,
            "\n## {}\n\n{}\n\n1. {one}\n2. {two}\n3. {three}\n\n| shelf | limit |\n|---|---|\n| {} | {} |\n\n```sh\n{}\n```\n",
            section.heading,
            section.paragraph,
            section.number,
            section.number + 20,
            section.code
        )
        .expect("a string grows");
    };
    sections(bytes, "# Guide to the kiln\n", write, "")
}

/// What stands in the body of a page.
fn html_section(text: &mut String, section: &Section) {
    let [one, two, three] = &section.steps;
    write!(
        text,
        "<section id=\"s{0}\"><h2>{1}</h2>\n<p>{2}</p>\n<ol><li>{one}</li><li>{two}</li><li>{three}</li></ol>\n\
         <table><tr><th>shelf</th><th>limit</th></tr><tr><td>{0}</td><td>{3}</td></tr></table>\n<pre><code class=\"language-sh\">{4}</code></pre></section>\n",
        section.number,
        section.heading,
        section.paragraph,
        section.number + 20,
        section.code
    )
    .expect("a string grows");
}

/// A page with what stands around its content.
pub(crate) fn html(bytes: usize) -> String {
    let begin = "<!doctype html><html lang=\"en\"><head><title>Guide to the kiln</title><style>body{margin:0}</style>\
                 <script>var menu=1;</script></head><body><header><nav><a href=\"/\">Home</a> <a href=\"/docs\">Docs</a></nav></header>\
                 <main><article><h1>Guide to the kiln</h1>\n";
    let end = "</article></main><footer>Made of clay.</footer></body></html>\n";
    sections(bytes, begin, html_section, end)
}

fn rest(bytes: usize) -> String {
    let write = |text: &mut String, section: &Section| {
        let underline = "-".repeat(section.heading.len());
        let [one, two, three] = &section.steps;
        write!(
            text,
            "\n{}\n{underline}\n\n{}\n\n#. {one}\n#. {two}\n#. {three}\n\n.. code-block:: sh\n\n   {}\n",
            section.heading,
            section.paragraph,
            section.code.replace('\n', "\n   ")
        )
        .expect("a string grows");
    };
    sections(bytes, "Guide to the kiln\n=================\n", write, "")
}

fn asciidoc(bytes: usize) -> String {
    let write = |text: &mut String, section: &Section| {
        let [one, two, three] = &section.steps;
        write!(
            text,
            "\n== {}\n\n{}\n\n. {one}\n. {two}\n. {three}\n\n[source,sh]\n----\n{}\n----\n",
            section.heading, section.paragraph, section.code
        )
        .expect("a string grows");
    };
    sections(bytes, "= Guide to the kiln\n", write, "")
}

fn latex(bytes: usize) -> String {
    let write = |text: &mut String, section: &Section| {
        let [one, two, three] = &section.steps;
        write!(
            text,
            "\n\\section{{{}}}\n{}\n\\begin{{enumerate}}\n\\item {one}\n\\item {two}\n\\item {three}\n\\end{{enumerate}}\n\
             \\begin{{verbatim}}\n{}\n\\end{{verbatim}}\n",
            section.heading, section.paragraph, section.code
        )
        .expect("a string grows");
    };
    let begin =
        "\\documentclass{article}\n\\title{Guide to the kiln}\n\\begin{document}\n\\maketitle\n";
    sections(bytes, begin, write, "\\end{document}\n")
}

fn manual_page(bytes: usize) -> String {
    let write = |text: &mut String, section: &Section| {
        let [one, two, three] = &section.steps;
        write!(
            text,
            ".SS {}\n{}\n.IP 1. 4\n{one}\n.IP 2. 4\n{two}\n.IP 3. 4\n{three}\n.PP\n.nf\n{}\n.fi\n",
            section.heading, section.paragraph, section.code
        )
        .expect("a string grows");
    };
    let begin = ".TH KILN 1 2026-11-20\n.SH NAME\nkiln \\- fires pots\n.SH DESCRIPTION\n";
    sections(bytes, begin, write, "")
}

fn notebook(bytes: usize) -> String {
    let write = |text: &mut String, section: &Section| {
        let prose = serde_json::json!({
            "cell_type": "markdown", "metadata": {},
            "source": [format!("## {}\n", section.heading), section.paragraph.clone()]
        });
        let code = serde_json::json!({
            "cell_type": "code", "metadata": {}, "execution_count": section.number, "source": [section.code.clone()],
            "outputs": [{ "output_type": "stream", "name": "stdout", "text": [format!("stage {} done\n", section.number)] }]
        });
        let comma = if section.number == 1 { "" } else { "," };
        write!(text, "{comma}{prose},{code}").expect("a string grows");
    };
    let begin = "{\"nbformat\":4,\"nbformat_minor\":5,\"metadata\":{\"language_info\":{\"name\":\"python\"}},\"cells\":[";
    sections(bytes, begin, write, "]}")
}

fn openapi(bytes: usize) -> String {
    let write = |text: &mut String, section: &Section| {
        let path = serde_json::json!({ "post": {
            "summary": section.heading, "description": section.paragraph,
            "parameters": [{ "name": "heat", "in": "query", "required": true, "description": section.steps[1], "schema": { "type": "integer" } }],
            "responses": { "200": { "description": section.steps[2] } }
        }});
        let comma = if section.number == 1 { "" } else { "," };
        write!(text, "{comma}\"/stages/{}\":{path}", section.number).expect("a string grows");
    };
    let begin =
        "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"Kiln\",\"version\":\"1\"},\"paths\":{";
    sections(bytes, begin, write, "}}")
}

fn csv(bytes: usize) -> String {
    let write = |text: &mut String, section: &Section| {
        let row = format!(
            "{},\"{}\",{},\"{}\"\n",
            section.number,
            section.heading,
            section.number % 800,
            section.steps[0]
        );
        text.push_str(&row);
    };
    sections(bytes, "number,stage,heat,note\n", write, "")
}

fn json(bytes: usize) -> String {
    let write = |text: &mut String, section: &Section| {
        let row = serde_json::json!({
            "stage": section.heading, "note": section.paragraph, "steps": section.steps, "limits": { "heat": section.number }
        });
        let comma = if section.number == 1 { "" } else { "," };
        write!(text, "{comma}\n{row:#}").expect("a string grows");
    };
    sections(bytes, "[", write, "]")
}

fn source(bytes: usize) -> String {
    let write = |text: &mut String, section: &Section| {
        write!(
            text,
            "\n/// {}\n///\n/// {}\npub fn stage_{}(heat: u32) -> u32 {{\n    // {}\n    heat + {}\n}}\n",
            section.heading, section.paragraph, section.number, section.steps[0], section.number
        )
        .expect("a string grows");
    };
    sections(bytes, "//! The stages of the kiln.\n", write, "")
}

fn mail(bytes: usize) -> String {
    let write = |text: &mut String, section: &Section| {
        write!(
            text,
            "{}\r\n\r\n{}\r\n\r\n{}\r\n\r\n",
            section.heading,
            section.paragraph.replace(". ", ".\r\n"),
            section.steps.join("\r\n")
        )
        .expect("a string grows");
    };
    let begin = "From: Ann <ann@example.org>\r\nTo: bo@example.org\r\nSubject: The stages of the kiln\r\n\
                 Date: Fri, 20 Nov 2026 09:15:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n";
    sections(bytes, begin, write, "")
}

fn subtitles(bytes: usize) -> String {
    let write = |text: &mut String, section: &Section| {
        let time = |second: usize| {
            format!(
                "{:02}:{:02}:{:02}.000",
                second / 3600,
                second / 60 % 60,
                second % 60
            )
        };
        let at = section.number * 4;
        write!(
            text,
            "\n{} --> {}\n{}\n\n{} --> {}\n{}\n",
            time(at),
            time(at + 2),
            section.paragraph,
            time(at + 2),
            time(at + 4),
            section.steps[0]
        )
        .expect("a string grows");
    };
    sections(bytes, "WEBVTT\n", write, "")
}

fn rich_text(bytes: usize) -> String {
    let write = |text: &mut String, section: &Section| {
        write!(
            text,
            "\\pard\\s1\\outlinelevel0\\b {}\\b0\\par\n\\pard {}\\par\n\\pard {}\\par\n",
            section.heading,
            section.paragraph,
            section.steps.join("\\line ")
        )
        .expect("a string grows");
    };
    let begin = "{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Times;}}{\\stylesheet{\\s1 heading 1;}}\n";
    sections(bytes, begin, write, "}")
}

fn packed(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in entries {
        zip.start_file(*name, SimpleFileOptions::default())
            .and_then(|()| Ok(zip.write_all(text.as_bytes())?))
            .expect("memory can be written");
    }
    zip.finish().expect("memory can be written").into_inner()
}

/// An Office Open XML document whose main part is `main`.
fn office(main: &str, content_type: &str, parts: &[(&str, &str)]) -> Vec<u8> {
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

fn docx(bytes: usize) -> Vec<u8> {
    let paragraph = |style: &str, text: &str| {
        format!(
            "<w:p><w:pPr><w:pStyle w:val='{style}'/></w:pPr><w:r><w:t xml:space='preserve'>{text}</w:t></w:r></w:p>"
        )
    };
    let write = |text: &mut String, section: &Section| {
        text.push_str(&paragraph("H", &section.heading));
        text.push_str(&paragraph("N", &section.paragraph));
        for step in &section.steps {
            write!(
                text,
                "<w:p><w:pPr><w:numPr><w:ilvl w:val='0'/><w:numId w:val='1'/></w:numPr></w:pPr><w:r><w:t>{step}</w:t></w:r></w:p>"
            )
            .expect("a string grows");
        }
        for line in section.code.lines() {
            text.push_str(&paragraph("C", line));
        }
    };
    let body = sections(
        bytes,
        "<w:document xmlns:w='w' xmlns:r='r'><w:body>",
        write,
        "</w:body></w:document>",
    );
    office(
        "word/document.xml",
        "wordprocessingml.document",
        &[
            ("word/document.xml", &body),
            (
                "word/_rels/document.xml.rels",
                "<Relationships><Relationship Id='s' Type='t/styles' Target='styles.xml'/><Relationship Id='n' Type='t/numbering' Target='numbering.xml'/></Relationships>",
            ),
            (
                "word/styles.xml",
                "<w:styles xmlns:w='w'><w:style w:styleId='H'><w:name w:val='heading 1'/></w:style><w:style w:styleId='C'><w:name w:val='HTML Preformatted'/></w:style></w:styles>",
            ),
            (
                "word/numbering.xml",
                "<w:numbering xmlns:w='w'><w:abstractNum w:abstractNumId='0'><w:lvl w:ilvl='0'><w:start w:val='1'/><w:numFmt w:val='decimal'/><w:lvlText w:val='%1.'/></w:lvl></w:abstractNum><w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num></w:numbering>",
            ),
        ],
    )
}

fn pptx(bytes: usize) -> Vec<u8> {
    let mut slides = Vec::new();
    let mut length = 0;
    while length < bytes {
        let section = section(slides.len() + 1);
        let points = [&section.paragraph].into_iter().chain(&section.steps);
        let points: String = points
            .map(|point| format!("<a:p><a:r><a:t>{point}</a:t></a:r></a:p>"))
            .collect();
        let slide = format!(
            "<p:sld xmlns:p='p' xmlns:a='a'><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type='title'/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>{}</a:t></a:r></a:p></p:txBody></p:sp>\
             <p:sp><p:nvSpPr><p:nvPr><p:ph idx='1'/></p:nvPr></p:nvSpPr><p:txBody>{points}</p:txBody></p:sp></p:spTree></p:cSld></p:sld>",
            section.heading
        );
        length += slide.len();
        slides.push(slide);
    }
    let names: Vec<String> = (1..=slides.len())
        .map(|number| format!("ppt/slides/slide{number}.xml"))
        .collect();
    let ids: String = (1..=slides.len())
        .map(|number| format!("<p:sldId id='{}' r:id='r{number}'/>", 255 + number))
        .collect();
    let links: String = (1..=slides.len())
        .map(|number| {
            format!(
                "<Relationship Id='r{number}' Type='t/slide' Target='slides/slide{number}.xml'/>"
            )
        })
        .collect();
    let main = format!(
        "<p:presentation xmlns:p='p' xmlns:r='r'><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>"
    );
    let links = format!("<Relationships>{links}</Relationships>");
    let mut parts = vec![
        ("ppt/presentation.xml", main.as_str()),
        ("ppt/_rels/presentation.xml.rels", links.as_str()),
    ];
    parts.extend(
        names
            .iter()
            .map(String::as_str)
            .zip(slides.iter().map(String::as_str)),
    );
    office(
        "ppt/presentation.xml",
        "presentationml.presentation",
        &parts,
    )
}

fn xlsx(bytes: usize) -> Vec<u8> {
    let write = |text: &mut String, section: &Section| {
        write!(
            text,
            "<row r='{0}'><c r='A{0}'><v>{0}</v></c><c r='B{0}' t='inlineStr'><is><t>{1}</t></is></c><c r='C{0}' t='inlineStr'><is><t>{2}</t></is></c></row>",
            section.number, section.heading, section.steps[0]
        )
        .expect("a string grows");
    };
    let sheet = sections(
        bytes,
        "<worksheet xmlns='s'><sheetData>",
        write,
        "</sheetData></worksheet>",
    );
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
                "<Relationships><Relationship Id='x' Type='t/worksheet' Target='worksheets/a.xml'/></Relationships>",
            ),
            ("xl/worksheets/a.xml", &sheet),
        ],
    )
}

fn odt(bytes: usize) -> Vec<u8> {
    let write = |text: &mut String, section: &Section| {
        let steps: String = section
            .steps
            .iter()
            .map(|step| format!("<text:list-item><text:p>{step}</text:p></text:list-item>"))
            .collect();
        write!(
            text,
            "<text:h text:outline-level='2'>{}</text:h><text:p>{}</text:p><text:list text:style-name='L'>{steps}</text:list>",
            section.heading, section.paragraph
        )
        .expect("a string grows");
    };
    let begin = "<office:document-content xmlns:office='o' xmlns:text='t' xmlns:table='b' xmlns:style='s'><office:automatic-styles>\
                 <text:list-style style:name='L'><text:list-level-style-number style:num-format='1'/></text:list-style>\
                 </office:automatic-styles><office:body><office:text>";
    let end = "</office:text></office:body></office:document-content>";
    let content = sections(bytes, begin, write, end);
    packed(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", &content),
        ("META-INF/manifest.xml", "<manifest/>"),
    ])
}

fn epub(bytes: usize) -> Vec<u8> {
    const CHAPTERS: usize = 8;
    let chapter = sections(
        bytes / CHAPTERS,
        "<html xmlns='h'><head><title>Guide</title></head><body><h1>Guide</h1>",
        html_section,
        "</body></html>",
    );
    let names: Vec<String> = (0..CHAPTERS).map(|n| format!("OEBPS/c{n}.xhtml")).collect();
    let items: String = (0..CHAPTERS)
        .map(|n| format!("<item id='c{n}' href='c{n}.xhtml' media-type='application/xhtml+xml'/>"))
        .collect();
    let spine: String = (0..CHAPTERS)
        .map(|n| format!("<itemref idref='c{n}'/>"))
        .collect();
    let book = format!(
        "<package xmlns:dc='d'><metadata><dc:title>Guide to the kiln</dc:title><dc:language>en</dc:language></metadata>\
         <manifest>{items}</manifest><spine>{spine}</spine></package>"
    );
    let mut parts = vec![
        ("mimetype", "application/epub+zip"),
        (
            "META-INF/container.xml",
            "<container><rootfiles><rootfile full-path='OEBPS/book.opf'/></rootfiles></container>",
        ),
        ("OEBPS/book.opf", book.as_str()),
    ];
    parts.extend(names.iter().map(|name| (name.as_str(), chapter.as_str())));
    packed(&parts)
}

/// Pages of text lines, as a word processor sets them.
fn portable(bytes: usize) -> Vec<u8> {
    const LINES: usize = 48;
    let mut lines: Vec<(&str, i32, String)> = Vec::new();
    let mut length = 0;
    for number in 1.. {
        let section = section(number);
        lines.push(("F1", 16, section.heading));
        let words = section.paragraph.split(' ').collect::<Vec<&str>>();
        lines.extend(words.chunks(12).map(|line| ("F1", 10, line.join(" "))));
        let steps = section.steps.iter().enumerate();
        lines.extend(steps.map(|(at, step)| ("F1", 10, format!("{}. {step}", at + 1))));
        lines.extend(section.code.lines().map(|line| ("F2", 10, line.to_owned())));
        // Each line is about 40 bytes of operators beside its words.
        length += section.paragraph.len() + section.code.len() + 40 * 12;
        if length >= bytes {
            break;
        }
    }
    let pages: Vec<String> = lines
        .chunks(LINES)
        .map(|page| {
            let set = page.iter().zip((0..).map(|line| 740 - line * 14));
            set.map(|((font, size, words), y)| pdf::text(font, *size, 72, y, words))
                .collect()
        })
        .collect();
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    pdf::pdf(&pages)
}

fn archive(bytes: usize) -> Vec<u8> {
    packed(&[
        ("kiln/README.md", &markdown(bytes / 3)),
        ("kiln/docs/manual.rst", &rest(bytes / 3)),
        ("kiln/src/lib.rs", &source(bytes / 3)),
    ])
}
