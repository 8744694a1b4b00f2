//! Reads what begins with two dots in reStructuredText: directives, footnotes, targets and comments.

pub(crate) mod bodies;
mod parts;

use crate::markup::lines::language_of;
use crate::markup::lines::{self, Line};
use crate::markup::rest::directives::parts::{
    Directive, body_of, directive_of, is_signature, options_of,
};
use crate::markup::rest::{Reader, inline};
use skillkiln_document::blocks::{Block, BlockKind, Definition};
use skillkiln_document::missing;
use skillkiln_document::text::{Inline, plain};

impl Reader {
    /// Reads what begins with `..`; gives how many lines it took.
    pub(super) fn explicit(
        &mut self,
        lines: &[Line<'_>],
        depth: usize,
        out: &mut Vec<Block>,
    ) -> usize {
        let Some(first) = lines.first() else { return 1 };
        let length = 1 + lines::indented_length(lines.get(1..).unwrap_or_default(), 1);
        let rest = first.words().strip_prefix("..").unwrap_or("").trim_start();
        // An empty comment ends with its line.
        if rest.is_empty() && lines.get(1).is_none_or(Line::is_blank) {
            return 1;
        }
        let taken = lines.get(..length).unwrap_or_default();
        let offset = first.text.len() - first.text.trim_end().len();
        let lead = first.text.len() - offset - rest.len();
        if let Some(note) = rest.strip_prefix('[')
            && let Some((name, words)) = note.split_once(']')
            && !name.is_empty()
        {
            let cut = first.text.trim_end().len() - words.len();
            let blocks = self.blocks(&body_of(taken, cut), depth + 1);
            let name = self.names.note_defined(name);
            let terms = vec![vec![Inline::Text(format!("[{name}]"))]];
            let entry = Definition { terms, blocks };
            out.push(lines::block(BlockKind::Definitions(vec![entry]), taken));
            return length;
        }
        if rest.starts_with('_') {
            return length;
        }
        if let Some((name, definition)) =
            rest.strip_prefix('|').and_then(|rest| rest.split_once('|'))
        {
            // A picture is shown where its name stands; here it is told once.
            if definition.trim_start().starts_with("image::") {
                let options = options_of(&lines::dedent(
                    taken.get(1..).unwrap_or_default(),
                    lines::common_indent(taken.get(1..).unwrap_or_default()),
                ))
                .0;
                let alternative = options
                    .iter()
                    .find(|(key, _)| key == "alt")
                    .map_or(name, |(_, value)| value.words());
                self.names
                    .substitutions
                    .entry(inline::fold(name))
                    .or_default()
                    .clone_from(&alternative.to_owned());
            }
            return length;
        }
        let Some(directive) = directive_of(taken, lead) else {
            return length;
        };
        self.directive(&directive, depth, out);
        length
    }

    fn directive(&mut self, directive: &Directive<'_, '_>, depth: usize, out: &mut Vec<Block>) {
        let name = directive.name.as_str();
        let lines = directive.lines;
        match name {
            "code-block" | "sourcecode" | "code" | "prompt" | "parsed-literal"
            | "productionlist" | "ipython" | "doctest" | "testcode" | "testoutput" | "graphviz"
            | "digraph" | "graph" | "uml" | "mermaid" | "prettyprint" | "jupyter-execute"
            | "highlight-code" | "terminal" | "console" => self.code(directive, out),
            "math" => {
                let formula = lines::verbatim(&directive.body());
                if !formula.trim().is_empty() {
                    out.push(lines::block(
                        BlockKind::Math(formula.trim().to_owned()),
                        lines,
                    ));
                }
            }
            "note" | "tip" | "hint" | "important" | "warning" | "caution" | "danger" | "error"
            | "attention" | "seealso" | "todo" | "impl-detail" => {
                let blocks = self.blocks(&directive.body(), depth + 1);
                let title = directive.option("title").map(str::to_owned);
                let (class, title) = match name {
                    "seealso" => ("note", title.or_else(|| Some("See also".to_owned()))),
                    "impl-detail" => (
                        "note",
                        title.or_else(|| Some("Implementation detail".to_owned())),
                    ),
                    other => (other, title),
                };
                admonition(class, title, blocks, lines, out);
            }
            "admonition" | "topic" | "sidebar" | "dropdown" | "details" | "collapse" => {
                let blocks = self.blocks(&directive.content, depth + 1);
                let title = Some(directive.argument()).filter(|title| !title.is_empty());
                let title = title.map(|title| plain(&self.inline(&title)));
                let class = if name == "admonition" { "note" } else { name };
                admonition(class, title, blocks, lines, out);
            }
            "versionadded" | "versionchanged" | "deprecated" | "versionremoved"
            | "deprecated-removed" | "soft-deprecated" => {
                self.version(directive, depth, out);
            }
            "image" | "figure" | "thumbnail" => self.figure(directive, depth, out),
            "example" | "run" if directive.domain == "click" => self.code(directive, out),
            "literalinclude" | "include" | "mdinclude" => {
                let text = missing::paragraph([directive.argument().as_str()]);
                out.push(lines::paragraph(text, lines));
            }
            "command-output" | "program-output" | "click" | "argparse" => {
                let text = vec![
                    Inline::Text("Shown here: ".to_owned()),
                    Inline::Code(directive.argument()),
                ];
                out.push(lines::paragraph(text, lines));
            }
            "list-table" | "flat-table" | "csv-table" | "table" => {
                self.table(directive, depth, out)
            }
            "toctree" => self.contents(directive, out),
            "glossary" => {
                let mut rest = directive.content.as_slice();
                while !rest.is_empty() {
                    let used = self.definitions(rest, depth + 1, true, out);
                    rest = rest.get(used.max(1)..).unwrap_or_default();
                }
            }
            "highlight" => {
                self.language = language_of(&directive.argument()).filter(|l| l != "default")
            }
            "raw" => self.raw(directive, out),
            "rubric" | "centered" => {
                let text = self.inline(&directive.argument());
                if !text.is_empty() {
                    out.push(lines::paragraph(vec![Inline::Strong(text)], lines));
                }
            }
            "epigraph" | "highlights" | "pull-quote" => {
                let inner = self.blocks(&directive.body(), depth + 1);
                if !inner.is_empty() {
                    out.push(lines::block(BlockKind::Quote(inner), lines));
                }
            }
            "contents"
            | "sectnum"
            | "section-numbering"
            | "index"
            | "meta"
            | "module"
            | "currentmodule"
            | "program"
            | "default-domain"
            | "default-role"
            | "role"
            | "sectionauthor"
            | "moduleauthor"
            | "codeauthor"
            | "tabularcolumns"
            | "testsetup"
            | "testcleanup"
            | "target-notes"
            | "title"
            | "header"
            | "footer"
            | "date"
            | "default-literal-role"
            | "namespace"
            | "acks-none" => {}
            "container" | "class" | "rst-class" | "compound" | "only" | "ifconfig" | "hlist"
            | "acks" | "tabs" | "tab-set" | "grid" | "grid-item" | "div" | "cssclass"
            | "centered-content" => {
                out.extend(self.blocks(&directive.content, depth + 1));
            }
            _ if is_signature(directive) => self.signature(directive, depth, out),
            _ => {
                // What it does is unknown; what it says is kept.
                let argument = self.inline(&directive.argument());
                if !argument.is_empty() {
                    let text = vec![Inline::Strong(argument)];
                    out.push(lines::paragraph(text, lines));
                }
                out.extend(self.blocks(&directive.content, depth + 1));
            }
        }
    }
}

fn admonition(
    class: &str,
    title: Option<String>,
    blocks: Vec<Block>,
    lines: &[Line<'_>],
    out: &mut Vec<Block>,
) {
    if blocks.is_empty() && title.is_none() {
        return;
    }
    let kind = BlockKind::Admonition {
        class: class.to_owned(),
        title,
        blocks,
    };
    out.push(lines::block(kind, lines));
}

/// A code directive whose argument holds blanks is no language but the code itself.
fn named_is_text(argument: &str) -> bool {
    argument.contains(' ')
}
