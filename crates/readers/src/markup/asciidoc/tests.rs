//! Tests of the reader of AsciiDoc, on the pieces real manuals are made of.

use super::*;
use skillkiln_document::markdown::write;

fn written(text: &str) -> String {
    write(&read(text.to_owned()).blocks)
}

#[test]
fn headers_and_sections_in_both_spellings() {
    let document = read("= Guide\nAda Love <a@b.c>\nv1.0, 2026-05-01\n:url: https://x.org\n\nIntro {url}[here].\n\n== One\n\nTwo\n---\n\nText.\n\n=== Deep\n".into());
    assert_eq!(document.title.as_deref(), Some("Guide"));
    assert_eq!(document.about.author.as_deref(), Some("Ada Love"));
    assert_eq!(document.about.date.as_deref(), Some("2026-05-01"));
    assert_eq!(
        write(&document.blocks),
        "# Guide\n\nIntro [here](https://x.org).\n\n## One\n\n## Two\n\nText.\n\n### Deep\n"
    );
    let spans: Vec<&str> = document
        .blocks
        .iter()
        .map(|block| document.evidence(&block.span))
        .collect();
    assert_eq!(spans[3], "Two\n---");
}

#[test]
fn blocks_keep_their_code_and_their_kind() {
    let text = ".Run it\n[source,bash]\n----\n$ make <1>\n\n  all\n----\n<1> Builds.\n\n....\nraw *x*\n....\n\nNOTE: Mind.\n\n[WARNING]\n====\nHot.\n\n* a\n====\n\n____\nSaid.\n____\n\n literal\n  lines\n\n// no\n\n```rust\nfn x() {}\n```\n\ninclude::other.adoc[]\n";
    assert_eq!(
        written(text),
        "**Run it**\n\n```bash\n$ make <1>\n\n  all\n```\n\n1. Builds.\n\n```\nraw *x*\n```\n\n> **Note:** Mind.\n\n> **Warning:** Hot.\n>\n> - a\n\n> Said.\n\n```\nliteral\n lines\n```\n\n```rust\nfn x() {}\n```\n\nIncluded here: `other.adoc`\n"
    );
}

#[test]
fn lists_keep_what_is_attached_to_them() {
    let text = "* one\n+\n----\ncode\n----\n** in\n* two\n  goes on\n\n//-\n\n. first\n. second\n\n//-\n\n-a::\n--all::\n\tShow all.\n+\nMore.\n\n-b::\n\tB.\n";
    assert_eq!(
        written(text),
        "- one\n\n  ```\n  code\n  ```\n\n  - in\n\n- two goes on\n\n1. first\n2. second\n\n- **-a**, **--all**: Show all.\n\n  More.\n\n- **-b**: B.\n"
    );
}

#[test]
fn tables_have_headers_styles_and_spans() {
    let text = "[cols=\"1,2a\"]\n|===\n|Key |Value\n\n|a\n|* x\n* y\n\n2+|both\n|===\n";
    assert_eq!(
        written(text),
        "| Key | Value |\n| --- | --- |\n| a | • x<br>• y |\n| both | |\n"
    );
    let text = "[%header,format=csv]\n|===\na,\"b, c\"\n1,2\n|===\n";
    assert_eq!(written(text), "| a | b, c |\n| --- | --- |\n| 1 | 2 |\n");
}

#[test]
fn running_text_reads_as_it_renders() {
    for (source, markdown) in [
        ("costs [line-through]#80# 70 [.a]#b#", "costs 70 b"),
        (
            "a *b* _c_ `d` **e**f `+x_y+`",
            "a **b** *c* `d` **e**f `x_y`",
        ),
        (
            "see <<sec,the section>> and xref:a.adoc[A], linkgit:git-add[1]",
            "see the section and A, **git-add(1)**",
        ),
        (
            "https://x.org[X^] https://y.org. link:z.html[Z]",
            "[X](https://x.org) <https://y.org>. [Z](z.html)",
        ),
        (
            "2*3*4 and \"`quoted`\" {unknown} C{plus}{plus}",
            "2\\*3\\*4 and “quoted” {unknown} C++",
        ),
        ("line +\nbreak footnote:[Said.]", "line\\\nbreak (Said.)"),
    ] {
        assert_eq!(written(source).trim_end(), markdown, "{source}");
    }
}

#[test]
fn a_condition_that_nothing_closes_leaves_nothing_out() {
    assert_eq!(
        written("Clay.\n\nifdef::a[]\n\nWater.\n\nendif::[]\n\nFire.\n"),
        "Clay.\n\nFire.\n"
    );
    assert_eq!(
        written("Clay.\n\nifdef::a[]\n\nWater.\n\nifdef::b[]\n\nAsh.\n\nendif::[]\n\nFire.\n"),
        "Clay.\n\nWater.\n\nFire.\n"
    );
    let many = format!("{}Fire.\n", "ifdef::a[]\n".repeat(100_000));
    assert_eq!(written(&many), "Fire.\n");
}
