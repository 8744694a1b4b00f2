//! Reads the directives of reStructuredText that hold more than prose: code, figures, tables, contents and signatures.

use crate::markup::lines;
use crate::markup::lines::language_of;
use crate::markup::rest::Reader;
use crate::markup::rest::directives::named_is_text;
use crate::markup::rest::directives::parts::Directive;
use skillkiln_document::blocks::{Block, BlockKind, Definition};
use skillkiln_document::markdown::rendered::write_text_of_html;
use skillkiln_document::missing;
use skillkiln_document::text::{Inline, plain, squash};

/// What a directive says before the version that it names.
pub(crate) fn changed_in(name: &str) -> Option<&'static str> {
    Some(match name {
        "versionadded" => "Added in version",
        "versionchanged" => "Changed in version",
        "versionremoved" => "Removed in version",
        "deprecated" => "Deprecated since version",
        _ => return None,
    })
}

impl Reader {
    pub(super) fn code(&self, directive: &Directive<'_, '_>, out: &mut Vec<Block>) {
        let named = language_of(&directive.argument());
        let language = match directive.name.as_str() {
            "parsed-literal" | "testoutput" | "productionlist" | "prettyprint" => None,
            "ipython" | "doctest" | "testcode" | "jupyter-execute" | "example" | "run" => {
                Some("python".to_owned())
            }
            "graphviz" | "digraph" | "graph" => Some("dot".to_owned()),
            "uml" => Some("plantuml".to_owned()),
            "mermaid" => Some("mermaid".to_owned()),
            "prompt" | "terminal" | "console" => named.or_else(|| Some("bash".to_owned())),
            _ => named.or_else(|| self.language.clone()),
        };
        if let Some(caption) = directive.option("caption") {
            out.push(lines::paragraph(self.inline(caption), directive.lines));
        }
        let is_body = directive.name == "parsed-literal" || directive.name == "productionlist";
        let content = if is_body {
            directive.body()
        } else {
            directive.content.clone()
        };
        if directive.name == "parsed-literal" {
            let text = plain(&crate::markup::rest::inline::read(
                &lines::verbatim(&content),
                &self.names,
            ));
            out.push(lines::block(
                BlockKind::Code { language, text },
                directive.lines,
            ));
        } else if !lines::trimmed(&content).is_empty() {
            let mut block = lines::code(language, &content);
            block.span = lines::span(&content);
            out.push(block);
        } else if directive.name != "prompt"
            && !directive.argument().is_empty()
            && named_is_text(&directive.argument())
        {
            out.push(lines::code(None, &directive.arguments));
        }
    }

    /// `versionadded:: 3.2 words`: as it renders, "Added in version 3.2: words".
    pub(super) fn version(
        &mut self,
        directive: &Directive<'_, '_>,
        depth: usize,
        out: &mut Vec<Block>,
    ) {
        let what = changed_in(&directive.name).unwrap_or("Deprecated since version");
        let argument = directive.argument();
        let (version, words) = argument.split_once(' ').unwrap_or((argument.as_str(), ""));
        let mut text = vec![Inline::Emphasis(vec![Inline::Text(format!(
            "{what} {version}"
        ))])];
        let mut blocks = self.blocks(&directive.content, depth + 1);
        let mut words = self.inline(words);
        if words.is_empty()
            && let Some(Block {
                kind: BlockKind::Paragraph(first),
                ..
            }) = blocks.first_mut()
        {
            words = std::mem::take(first);
            blocks.remove(0);
        }
        text.push(Inline::Text(
            if words.is_empty() { "." } else { ": " }.to_owned(),
        ));
        text.extend(words);
        out.push(lines::paragraph(text, directive.lines));
        out.extend(blocks);
    }

    pub(super) fn figure(
        &mut self,
        directive: &Directive<'_, '_>,
        depth: usize,
        out: &mut Vec<Block>,
    ) {
        let blocks = self.blocks(&directive.content, depth + 1);
        let mut blocks = blocks.into_iter();
        let mut caption = Vec::new();
        let mut rest = Vec::new();
        match blocks.next() {
            Some(Block {
                kind: BlockKind::Paragraph(text),
                ..
            }) => caption = text,
            other => rest.extend(other),
        }
        rest.extend(blocks);
        let kind = BlockKind::Figure {
            source: directive.argument().replace(' ', ""),
            alternative: squash(directive.option("alt").unwrap_or("")),
            caption,
        };
        out.push(lines::block(kind, directive.lines));
        out.extend(rest);
    }

    pub(super) fn table(
        &mut self,
        directive: &Directive<'_, '_>,
        depth: usize,
        out: &mut Vec<Block>,
    ) {
        let title = self.inline(&directive.argument());
        let caption = Some(title).filter(|title| !title.is_empty());
        let header_rows = directive
            .option("header-rows")
            .and_then(|rows| rows.trim().parse().ok())
            .unwrap_or(0);
        match directive.name.as_str() {
            "list-table" | "flat-table" => {
                self.list_table(&directive.content, header_rows, caption, depth, out);
            }
            "csv-table" => {
                if let Some(file) = directive.option("file").or_else(|| directive.option("url")) {
                    out.push(lines::paragraph(
                        missing::paragraph([file]),
                        directive.lines,
                    ));
                }
                let separator = match directive.option("delim") {
                    Some("tab") => '\t',
                    Some("space") => ' ',
                    Some(delim) => delim.chars().next().unwrap_or(','),
                    None => ',',
                };
                self.csv_table(
                    &directive.content,
                    directive.option("header"),
                    header_rows,
                    caption,
                    separator,
                    out,
                );
            }
            _ => {
                let mut blocks = self.blocks(&directive.content, depth + 2);
                let mut title = caption;
                for block in &mut blocks {
                    if let BlockKind::Table { caption, .. } = &mut block.kind {
                        *caption = title.take();
                    }
                }
                out.extend(blocks);
            }
        }
    }

    /// The entries of a table of contents; what it leads to is in other files.
    pub(super) fn contents(&self, directive: &Directive<'_, '_>, out: &mut Vec<Block>) {
        if directive.options.iter().any(|(name, _)| name == "hidden") {
            return;
        }
        let mut items = Vec::new();
        for line in directive.content.iter().filter(|line| !line.is_blank()) {
            let entry = line.words();
            let (shown, target) = match entry
                .strip_suffix('>')
                .and_then(|entry| entry.rsplit_once('<'))
            {
                Some((shown, target)) => (shown.trim(), target.trim()),
                None => (entry, entry),
            };
            let words = vec![Inline::Text(shown.to_owned())];
            let text = if target.starts_with("http") {
                vec![Inline::link(target.to_owned(), words)]
            } else {
                words
            };
            items.push(vec![lines::paragraph(text, std::slice::from_ref(line))]);
        }
        if !items.is_empty() {
            if let Some(caption) = directive.option("caption") {
                let text = vec![Inline::Strong(self.inline(caption))];
                out.push(lines::paragraph(text, directive.lines));
            }
            out.push(lines::block(
                BlockKind::List { start: None, items },
                directive.lines,
            ));
        }
    }

    /// HTML that is passed through shows its text; for other formats it is not meant for readers of this one.
    pub(super) fn raw(&self, directive: &Directive<'_, '_>, out: &mut Vec<Block>) {
        if !directive.argument().to_lowercase().contains("html") {
            return;
        }
        let mut shown = String::new();
        write_text_of_html(&lines::joined(&directive.content), &mut shown);
        let shown = squash(&shown);
        if !shown.is_empty() {
            out.push(lines::paragraph(vec![Inline::Text(shown)], directive.lines));
        }
    }

    /// `function:: f(x)`: the signatures are the terms, the body is what they mean.
    pub(super) fn signature(
        &mut self,
        directive: &Directive<'_, '_>,
        depth: usize,
        out: &mut Vec<Block>,
    ) {
        let mut terms: Vec<Vec<Inline>> = Vec::new();
        let mut joined = String::new();
        for line in &directive.arguments {
            let words = line.words();
            if let Some(head) = words.strip_suffix('\\') {
                joined.push_str(head);
                continue;
            }
            joined.push_str(words);
            let signature = std::mem::take(&mut joined).replace("\\*", "*");
            let kind = match directive.name.as_str() {
                kind @ ("class" | "exception" | "classmethod" | "staticmethod" | "async"
                | "enum" | "struct" | "macro" | "type" | "property") => format!("{kind} "),
                kind if kind.starts_with("auto") => format!("{} ", kind.trim_start_matches("auto")),
                "decorator" => "@".to_owned(),
                _ => String::new(),
            };
            terms.push(vec![Inline::Code(format!("{kind}{signature}"))]);
        }
        if terms.is_empty() {
            terms.push(vec![Inline::Code(directive.name.clone())]);
        }
        let blocks = self.blocks(&directive.content, depth + 1);
        let entry = Definition { terms, blocks };
        match out.last_mut() {
            // Neighbours make one list.
            Some(Block { kind: BlockKind::Definitions(entries), span })
                if entries.last().is_some_and(|last| matches!(last.terms.as_slice(), [term, ..] if matches!(term.as_slice(), [Inline::Code(_)]))) =>
            {
                entries.push(entry);
                span.bytes.end = lines::span(directive.lines).bytes.end.max(span.bytes.end);
            }
            _ => out.push(lines::block(BlockKind::Definitions(vec![entry]), directive.lines)),
        }
    }
}
