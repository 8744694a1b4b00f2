//! Readers of texts that are marked up by hand, and which of them a text is given to.

pub mod asciidoc;
mod dialects;
pub mod docbook;
pub mod feed;
pub mod fiction_book;
pub mod jats;
pub mod latex;
pub mod lines;
pub mod man;
pub mod markdown;
pub mod mediawiki;
pub mod org;
pub mod rest;

use serde::{Deserialize, Serialize};
use skillkiln_document::blocks::Document;

/// The mark-ups that are read besides Markdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Markup {
    /// reStructuredText.
    Rest,
    /// AsciiDoc.
    AsciiDoc,
    /// A manual page in man or mdoc.
    Man,
    /// LaTeX.
    Latex,
    /// Org.
    Org,
    /// Wikitext.
    MediaWiki,
}

impl Markup {
    /// The mark-up of files with this extension.
    pub(crate) fn of_extension(extension: &str) -> Option<Self> {
        let section = extension.strip_suffix(['x', 'p', 'm']).unwrap_or(extension);
        Some(match extension {
            "rst" | "rest" => Self::Rest,
            "adoc" | "asciidoc" | "asc" | "asciidoctor" => Self::AsciiDoc,
            "tex" | "ltx" | "latex" => Self::Latex,
            "org" => Self::Org,
            "wiki" | "mediawiki" | "wikitext" => Self::MediaWiki,
            "man" | "mdoc" | "roff" | "troff" | "nroff" => Self::Man,
            _ if matches!(section, "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9") => {
                Self::Man
            }
            _ => return None,
        })
    }

    /// The mark-up that a text without a telling name is evidently written in.
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        if man::is_man(text) {
            Some(Self::Man)
        } else if text.contains("\\begin{document}") && text.contains("\\documentclass") {
            Some(Self::Latex)
        } else if asciidoc::is_asciidoc(text) {
            Some(Self::AsciiDoc)
        } else if org::is_org(text) {
            Some(Self::Org)
        } else if rest::is_rest(text) {
            Some(Self::Rest)
        } else if mediawiki::is_mediawiki(text) {
            Some(Self::MediaWiki)
        } else {
            None
        }
    }

    /// Reads `text`.
    pub(crate) fn read(self, text: String) -> Document {
        match self {
            Self::Rest => rest::read(text),
            Self::AsciiDoc => asciidoc::read(text),
            Self::Latex => latex::read(text),
            Self::Org => org::read(text),
            Self::MediaWiki => mediawiki::read(&text),
            Self::Man => man::read(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mislabelled_text_is_told_by_strong_evidence_only() {
        for (text, markup) in [
            (
                "Guide\n=====\n\n.. note:: x\n\n.. code-block:: c\n\n   int x;\n\nSee :ref:`a`.\n",
                Some(Markup::Rest),
            ),
            (
                "= Guide\n\n[source,c]\n----\nint x;\n----\n\n== More\n\nNOTE: x\n",
                Some(Markup::AsciiDoc),
            ),
            (".TH X 1\n.SH NAME\nx \\- y\n", Some(Markup::Man)),
            ("Guide\n=====\n\nJust words::\n\n    code\n", None),
            ("# Guide\n\n```c\nint x;\n```\n", None),
            ("Plain words... and more.\n----\nOther words.\n", None),
        ] {
            assert_eq!(Markup::of_text(text), markup, "{text}");
        }
    }
}
