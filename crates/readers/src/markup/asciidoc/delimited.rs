//! Reads the delimited blocks of AsciiDoc: listings, quotations, verses, examples and sidebars.

use crate::markup::asciidoc::Reader;
use crate::markup::asciidoc::delimiter::Delimiter;
use crate::markup::asciidoc::metadata::{Metadata, is_admonition};
use crate::markup::lines::language_of;
use crate::markup::lines::{self, Line};
use skillkiln_document::blocks::{Block, BlockKind};
use skillkiln_document::markdown::rendered::write_text_of_html;
use skillkiln_document::text::{Inline, plain, squash};

impl Reader {
    #[expect(
        clippy::too_many_arguments,
        reason = "a delimited block is all of these"
    )]
    pub(super) fn delimited(
        &mut self,
        delimiter: Delimiter,
        words: &str,
        body: &[Line<'_>],
        taken: &[Line<'_>],
        metadata: Metadata,
        depth: usize,
        out: &mut Vec<Block>,
    ) {
        let style = metadata.style().to_lowercase();
        let first = taken.first().copied();
        let title = |reader: &Self, out: &mut Vec<Block>| {
            if let Some(line) = first {
                reader.titled(&metadata, &line, out);
            }
        };
        let is_code_style =
            matches!(style.as_str(), "source" | "listing" | "literal") || metadata.has_language();
        match delimiter {
            Delimiter::Comment => {}
            Delimiter::Listing | Delimiter::Literal | Delimiter::Fence => {
                title(self, out);
                self.code(&style, words, body, &metadata, out);
            }
            Delimiter::Open if is_code_style => {
                title(self, out);
                self.code(&style, words, body, &metadata, out);
            }
            Delimiter::Pass if matches!(style.as_str(), "stem" | "latexmath" | "asciimath") => {
                let formula = lines::joined(lines::trimmed(body));
                out.push(lines::block(BlockKind::Math(formula), body));
            }
            Delimiter::Pass => {
                let mut shown = String::new();
                write_text_of_html(&lines::joined(body), &mut shown);
                let shown = squash(&shown);
                if !shown.is_empty() {
                    out.push(lines::paragraph(vec![Inline::Text(shown)], body));
                }
            }
            Delimiter::Table => {
                self.table(words, body, taken, &metadata, depth, out);
            }
            Delimiter::Quote if style == "verse" => {
                title(self, out);
                let text = self.verse(body);
                out.push(lines::block(
                    BlockKind::Quote(vec![lines::paragraph(text, body)]),
                    taken,
                ));
            }
            _ if is_admonition(&style) || matches!(delimiter, Delimiter::Sidebar) => {
                let blocks = self.blocks(body, depth + 1);
                let kind = BlockKind::Admonition {
                    class: match is_admonition(&style) {
                        true => style,
                        false => "sidebar".to_owned(),
                    },
                    title: metadata
                        .title
                        .as_deref()
                        .map(|title| plain(&self.inline(title))),
                    blocks,
                };
                out.push(lines::block(kind, taken));
            }
            Delimiter::Quote => {
                title(self, out);
                let mut blocks = self.blocks(body, depth + 1);
                blocks.extend(self.attribution(&metadata, taken));
                if !blocks.is_empty() {
                    out.push(lines::block(BlockKind::Quote(blocks), taken));
                }
            }
            Delimiter::Example | Delimiter::Open | Delimiter::Sidebar => {
                title(self, out);
                out.extend(self.blocks(body, depth + 1));
            }
        }
    }

    pub(super) fn code(
        &self,
        style: &str,
        words: &str,
        body: &[Line<'_>],
        metadata: &Metadata,
        out: &mut Vec<Block>,
    ) {
        let fenced = words.strip_prefix("```").and_then(language_of);
        let named = metadata
            .language()
            .and_then(|language| language_of(&language));
        let by_default = (style == "source")
            .then(|| self.attributes.get("source-language").cloned())
            .flatten();
        let language = match style {
            "mermaid" | "plantuml" | "graphviz" | "ditaa" => Some(style.to_owned()),
            _ => fenced.or(named).or(by_default),
        };
        // An include inside stands for what is in another file; to the letter it is what is here.
        let text = lines::joined(lines::trimmed(body));
        if style == "verse" {
            let text = self.verse(body);
            out.push(lines::block(
                BlockKind::Quote(vec![lines::paragraph(text, body)]),
                body,
            ));
        } else if matches!(style, "stem" | "latexmath" | "asciimath") {
            out.push(lines::block(BlockKind::Math(text), body));
        } else if !text.is_empty() {
            let text = self.filled(text, metadata);
            out.push(lines::block(BlockKind::Code { language, text }, body));
        }
    }

    /// Fills attributes in where the block asks for it.
    fn filled(&self, text: String, metadata: &Metadata) -> String {
        let asks = metadata
            .named("subs")
            .is_some_and(|subs| subs.contains("attributes") || subs.contains("normal"));
        if !asks || !text.contains('{') {
            return text;
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            let name: String = after
                .chars()
                .take(64)
                .take_while(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
                .collect();
            match self.attributes.get(&name.to_lowercase()).filter(|_| {
                after
                    .get(name.len()..)
                    .is_some_and(|end| end.starts_with('}'))
            }) {
                Some(value) => {
                    out.push_str(value);
                    rest = after.get(name.len() + 1..).unwrap_or("");
                }
                None => {
                    out.push('{');
                    rest = after;
                }
            }
        }
        out.push_str(rest);
        out
    }

    pub(super) fn verse(&self, body: &[Line<'_>]) -> Vec<Inline> {
        let mut text = Vec::new();
        for line in lines::trimmed(body) {
            if !text.is_empty() {
                text.push(Inline::Break);
            }
            text.extend(self.inline(line.words()));
        }
        text
    }

    pub(super) fn attribution(&self, metadata: &Metadata, lines: &[Line<'_>]) -> Option<Block> {
        let parts: Vec<&str> = [1, 2]
            .iter()
            .filter_map(|at| metadata.position(*at))
            .filter(|part| !part.is_empty())
            .collect();
        if metadata.style() != "quote" || parts.is_empty() {
            return None;
        }
        let text = self.inline(&format!("— {}", parts.join(", ")));
        Some(lines::paragraph(text, lines))
    }
}
