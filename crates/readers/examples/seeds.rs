//! Writes what the fuzz targets begin with: the hostile texts on which the work of every reader is counted, and something small of
//! each other form that they know. `seeds CORPUS`

#[path = "../../../fuzz/fuzz_targets/files.rs"]
mod files;
#[path = "../tests/linear/generators.rs"]
mod generators;

use files::FILES;
use generators::{Generator, generators};
use std::io::{Cursor, Write as _};
use std::path::PathBuf;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// As long as an input of the targets may be.
const BYTES: usize = 4_000;

/// The name of a seed: what is hostile about it.
fn name(generator: &Generator, choice: u8) -> String {
    let name = generator.name.replace(|c: char| !c.is_alphanumeric(), "-");
    format!("{choice}-{name}-{}", generator.file)
}

/// Captions, and requests: the first byte of those says what kind of source is asked for.
const TEXTS: &[(&str, &str, &str)] = &[
    (
        "captions",
        "vtt",
        "WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.000 align:start\n<v Ann>Fire <c.b>it</c>.\n\nNOTE x\n",
    ),
    (
        "captions",
        "srt",
        "1\n00:00:01,000 --> 00:00:02,000\nFire it.\n\n2\n00:00:02,000 --> 00:00:04,000\n<i>Slowly</i>.\n",
    ),
    (
        "captions",
        "json",
        "{\"events\":[{\"tStartMs\":0,\"dDurationMs\":900,\"segs\":[{\"utf8\":\"Fire it.\"}]}]}",
    ),
    (
        "captions",
        "xml",
        "<timedtext><body><p t=\"0\" d=\"900\">Fire <s>it</s>.</p></body></timedtext>",
    ),
    (
        "requests",
        "address",
        "\0https://user@xn--kln-1ma.example:8443/a/../b?c=d#e",
    ),
    ("requests", "video", "\u{3}youtu.be/dQw4w9WgXcQ?t=1"),
    (
        "requests",
        "cookies",
        "\0a=b; skillkiln=c; skillkiln-device=\"d\"",
    ),
    ("requests", "signature", "\0t=1800000000,v1=00ff,v0=x"),
    (
        "requests",
        "event",
        "\0{\"type\":\"checkout.session.completed\",\"id\":\"evt_1\",\"created\":1,\"data\":{\"object\":{\"amount_total\":1,\"currency\":\"usd\",\"metadata\":{}}}}",
    ),
];

/// Packed files by what is in them.
const PACKED: &[(&str, &[(&str, &str)])] = &[
    (
        "zip",
        &[("a/b.md", "# A\n\nFire it.\n"), ("c.txt", "Fire it.")],
    ),
    (
        "docx",
        &[
            ("[Content_Types].xml", "<Types/>"),
            (
                "word/document.xml",
                "<w:document xmlns:w=\"w\"><w:body><w:p><w:r><w:t>Fire it.</w:t></w:r></w:p></w:body></w:document>",
            ),
        ],
    ),
    (
        "epub",
        &[
            ("mimetype", "application/epub+zip"),
            (
                "META-INF/container.xml",
                "<container><rootfiles><rootfile full-path=\"a.opf\"/></rootfiles></container>",
            ),
            (
                "a.opf",
                "<package><manifest><item id=\"a\" href=\"a.xhtml\"/></manifest><spine><itemref idref=\"a\"/></spine></package>",
            ),
            (
                "a.xhtml",
                "<html><body><h1>A</h1><p>Fire it.</p></body></html>",
            ),
        ],
    ),
];

fn packed(files: &[(&str, &str)]) -> std::io::Result<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        archive.start_file(*name, SimpleFileOptions::default())?;
        archive.write_all(text.as_bytes())?;
    }
    Ok(archive.finish()?.into_inner())
}

fn main() -> std::io::Result<()> {
    let corpus = PathBuf::from(
        std::env::args_os()
            .nth(1)
            .unwrap_or_else(|| "corpus".into()),
    );
    let ending = |file: &str| file.rsplit('.').next().map(str::to_owned);
    for generator in &generators() {
        let text = generator.text(BYTES);
        let put = |target: &str, choice: u8| {
            let mut seed = vec![choice];
            seed.extend(text.bytes());
            std::fs::write(corpus.join(target).join(name(generator, choice)), seed)
        };
        let reader = FILES
            .iter()
            .position(|file| ending(file) == ending(generator.file));
        if let Some(choice) = reader.and_then(|reader| u8::try_from(reader).ok()) {
            put("readers", choice)?;
        }
        put("skills", 0)?;
        put("skills", 2)?;
    }
    for (target, name, text) in TEXTS {
        std::fs::write(corpus.join(target).join(name), text)?;
    }
    for (name, files) in PACKED {
        std::fs::write(corpus.join("archive").join(name), packed(files)?)?;
    }
    Ok(())
}
