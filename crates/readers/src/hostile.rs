//! Tests that hold every reader to its promise: whatever arrives, it ends, and it does not take the process with it.

use crate::data::{code, mail, separated};
use crate::markup::{asciidoc, latex, man, markdown, rest};
use crate::{decode, file_type, html, text, transcript};
use skillkiln_document::blocks::{Document, NESTING_MAX, walk};
use skillkiln_document::markdown::{rendered_text, write};

/// The pages that break parsers.
fn hostile_pages() -> Vec<String> {
    let many = |piece: &str, times: usize| piece.repeat(times);
    vec![
        many("<div>", 20_000),
        many("<b>", 20_000),
        many("<b><p>", 5_000),
        many("<ul><li>", 5_000),
        many("<table><tr><td>", 2_000),
        many("<blockquote>", 5_000),
        many("<dl><dd>", 5_000),
        many("<span><div></span>", 2_000),
        many("<a href=x><div>", 2_000),
        format!("<p>words<!--{}", many("-", 100_000)),
        format!("<p title=\"{}\">words", many("a", 5_000_000)),
        format!("<p {}>words", many("a=1 ", 20_000)),
        many("<script>", 20_000),
        many("<", 100_000),
        many("</p>", 20_000),
        many("&", 100_000),
        many("&#", 60_000),
        many("\u{a0}", 60_000),
        many("<pre>", 5_000),
        format!(
            "<table>{}</table>",
            many("<tr><td colspan=9999 rowspan=9999>x", 500)
        ),
        "<p>\0\u{fffe}</p>".to_owned(),
        String::new(),
    ]
}

/// The texts that break readers of Markdown.
fn hostile_texts() -> Vec<String> {
    let many = |piece: &str| piece.repeat(50_000);
    let few = |piece: &str| piece.repeat(8_000);
    vec![
        many(">"),
        many("> "),
        many("["),
        many("*"),
        many("_a"),
        many("`"),
        many("![a]("),
        many("- "),
        many("1. "),
        many("|"),
        many("<"),
        many("\\"),
        many("$a"),
        many("a\n: b\n\n"),
        few("\\begin{itemize}\\item "),
        few("\\emph{"),
        few("{"),
        few("$"),
        "$".repeat(200_000),
        few("\\begin{verbatim}"),
        few("\\["),
        few("\\end{a}"),
        few("& \\\\ "),
        few("/// a\nfn b() {\n"),
        few("/** @param a b\n"),
        few("def a():\n    \"\"\"b\n"),
        few("[{\"a\":"),
        format!("openapi: 3\ninfo: {}", few("{a: ")),
        few("====\n"),
        few("--\n"),
        few("* a\n+\n"),
        (1..7)
            .map(|n| "*".repeat(n) + " a\n")
            .collect::<String>()
            .repeat(500),
        few("a::\n"),
        few("|===\n|a\n"),
        format!("|===\n{}", few("|a ")),
        few("[a]\n"),
        few("<<a"),
        few("((a"),
        few("ifdef::a[]\n"),
        few("{a}"),
        few("https://x.org["),
        few(".RS\n"),
        few(".Bl -tag\n.It a\n"),
        few(".TP\n"),
        few(".de x\n"),
        few(".if t \\{\n"),
        few(".if n .if n a\n"),
        few("\\fB\\fP"),
        few(".Op Op "),
        few(".TS\n.\na\n"),
        few("a::\n\n x\n"),
        few(".. x::\n"),
        few(":a: "),
        few("``"),
        few("+-+\n|"),
        few("== ==\n"),
        few("a\n==\n"),
        few("a\n b\n"),
        few("a_ `b`_ |c| "),
        few(" "),
        few("\t"),
        "  - a\n".repeat(5_000),
        (0..3_000).map(|n| " ".repeat(n % 200) + "- a\n").collect(),
        format!("---\n{}\n---\nx", "a: [".repeat(1_000)),
    ]
}

fn depth(document: &Document) -> usize {
    // Each walk level is one container, so the deepest block tells by how often it is inside another.
    fn deepest(blocks: &[skillkiln_document::blocks::Block]) -> usize {
        use skillkiln_document::blocks::BlockKind;
        blocks
            .iter()
            .map(|block| match &block.kind {
                BlockKind::List { items, .. } => {
                    1 + items.iter().map(|item| deepest(item)).max().unwrap_or(0)
                }
                BlockKind::Quote(inner) | BlockKind::Admonition { blocks: inner, .. } => {
                    1 + deepest(inner)
                }
                BlockKind::Definitions(entries) => {
                    1 + entries
                        .iter()
                        .map(|entry| deepest(&entry.blocks))
                        .max()
                        .unwrap_or(0)
                }
                _ => 0,
            })
            .max()
            .unwrap_or(0)
    }
    deepest(&document.blocks)
}

/// Spans lie in the text, and nothing nests too deep.
fn assert_sound(document: &Document) {
    walk(&document.blocks, &mut |block| {
        assert!(
            document.text.get(block.span.bytes.clone()).is_some(),
            "{:?}",
            block.span
        );
    });
    assert!(depth(document) <= NESTING_MAX);
}

/// Runs on as much stack as the pool gives.
fn on_pool_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(8 << 20)
        .spawn(work)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn hostile_pages_are_read_or_refused() {
    on_pool_stack(|| {
        for page in hostile_pages() {
            if let Ok(document) = html::read(&page, Some("https://example.org/")) {
                assert_sound(&document);
                let _ = rendered_text(&write(&document.blocks));
            }
        }
    });
}

#[test]
fn hostile_texts_are_read() {
    on_pool_stack(|| {
        for source in hostile_texts() {
            for document in [
                markdown::read(source.clone()),
                rest::read(source.clone()),
                asciidoc::read(source.clone()),
                man::read(source.clone()),
                latex::read(source.clone()),
                code::read(source.clone(), "rust"),
                code::read(source.clone(), "python"),
                code::read(source.clone(), "json"),
                text::read_plain(source.clone()),
                separated::read(source.clone(), '|'),
                transcript::read_subtitles(&source).unwrap_or_default(),
            ] {
                assert_sound(&document);
                let _ = rendered_text(&write(&document.blocks));
            }
        }
    });
}

#[test]
fn hostile_messages_are_read_or_refused() {
    on_pool_stack(|| {
        let part = "Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n";
        for message in [
            part.repeat(5_000),
            format!("Subject: {}", "=?utf-8?q?a?= ".repeat(50_000)),
            format!("{}\r\n\r\nx", "To: a\r\n".repeat(50_000)),
            format!(
                "Content-Type: text/plain; {}\r\n\r\nx",
                "a=b;".repeat(50_000)
            ),
            String::new(),
        ] {
            if let Ok(document) = mail::read(message.as_bytes()) {
                assert_sound(&document);
            }
        }
    });
}

#[test]
fn any_bytes_have_a_type_or_a_refusal_and_decode() {
    let mut bytes: Vec<u8> = Vec::new();
    for seed in 0..200u32 {
        bytes.extend(seed.wrapping_mul(2_654_435_761).to_le_bytes());
        let _ = file_type::of_file("x", &bytes);
        let _ = file_type::of_page(None, "not an address", &bytes);
        let _ = decode::decode(&bytes, Some("utf-16"));
    }
}

#[test]
fn a_documentation_page_keeps_its_code_its_anchors_and_its_notes() {
    let page = r##"<!doctype html><html lang="en"><head><title>Guide — Tool documentation</title>
<meta name="generator" content="Docutils"></head><body><nav><a href="/">Home</a></nav>
<div role="main"><section id="setup"><h1>Setup<a class="headerlink" href="#setup">¶</a></h1>
<p>Install it with <code>pip install tool</code> as <a href="install.html">described</a>, then configure what you need before the first start of the whole thing.</p>
<div class="highlight-python3"><div class="highlight"><pre><span class="k">def</span> f(x):
    return x &lt; 2
</pre></div></div>
<div class="admonition warning"><p class="admonition-title">Warning</p><p>Back up <em>first</em>.</p></div>
<ul><li>one<ul><li>two</li></ul></li></ul>
<table><thead><tr><th>Key</th><th>Meaning</th></tr></thead><tbody><tr><td>a|b</td><td><ul><li>x</li><li>y</li></ul></td></tr></tbody></table>
</section></div><footer>Imprint</footer></body></html>"##;
    let document = html::read(page, Some("https://docs.example.org/guide/")).unwrap();
    assert_eq!(document.title.as_deref(), Some("Setup"));
    assert_eq!(document.about.language.as_deref(), Some("en"));
    assert_eq!(document.blocks[0].span.fragment(), Some("setup"));
    assert_sound(&document);
    let markdown = write(&document.blocks);
    for expected in [
        "# Setup\n",
        "`pip install tool`",
        "[described](https://docs.example.org/guide/install.html)",
        "```python\ndef f(x):\n    return x < 2\n```",
        "> **Warning:** Back up *first*.",
        "- one\n  - two",
        "| Key | Meaning |",
        "| a\\|b | • x<br>• y |",
    ] {
        assert!(markdown.contains(expected), "{expected} in\n{markdown}");
    }
    assert!(!markdown.contains("Imprint") && !markdown.contains('¶'));
}

#[test]
fn a_page_that_scripts_fill_says_so() {
    let page = "<html><body><div id=\"root\"></div><script>start()</script></body></html>";
    let failure = html::read(page, None).unwrap_err();
    assert!(failure.message.contains("filled in by scripts"));
}

#[test]
fn markdown_keeps_true_spans_and_its_structure() {
    let source = "---\ntitle: T\nauthor: [A, B]\n---\n# Head\n\nText with `code`.\n\n> [!NOTE]\n> Mind.\n\n1. a\n   ```rust\n   fn x() {}\n   ```\n2. b\n\nTerm\n: Meaning\n";
    let document = markdown::read(source.to_owned());
    assert_eq!(document.title.as_deref(), Some("T"));
    assert_eq!(document.about.author.as_deref(), Some("A, B"));
    assert_sound(&document);
    let seen: Vec<&str> = document
        .blocks
        .iter()
        .map(|block| document.evidence(&block.span).trim())
        .collect();
    assert_eq!(seen[0], "# Head");
    assert_eq!(seen[1], "Text with `code`.");
    assert_eq!(
        write(&document.blocks),
        "# Head\n\nText with `code`.\n\n> **Note:** Mind.\n\n1. a\n\n   ```rust\n   fn x() {}\n   ```\n\n2. b\n\n- **Term**: Meaning\n"
    );
}

#[test]
fn plain_text_shows_its_structure() {
    let source = "USER GUIDE\n\nThis tool does\nmany things.\n\n- first\n- second\n  goes on\n\nUsage\n=====\n\n    $ tool run --fast\n    $ tool stop\n\nDone.\n";
    let document = text::read(source.to_owned());
    assert_sound(&document);
    assert_eq!(
        write(&document.blocks),
        "# USER GUIDE\n\nThis tool does many things.\n\n- first\n- second goes on\n\n# Usage\n\n```\n$ tool run --fast\n$ tool stop\n```\n\nDone.\n"
    );
}
