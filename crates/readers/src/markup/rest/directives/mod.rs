//! Reads what begins with two dots in reStructuredText: directives, footnotes, targets and comments.

mod bodies;
mod parts;

use crate::code_like;
use crate::markup::lines::{self, Line};
use crate::markup::markdown::language_of;
use crate::markup::rest::directives::parts::{
    Directive, body_of, directive_of, is_signature, is_style, options_of,
};
use crate::markup::rest::{Reader, inline};
use skillkiln_document::blocks::{Block, BlockKind, Definition};
use skillkiln_document::text::{Inline, plain};

/// Releases stand below the title of their log.
const RELEASE_LEVEL: u8 = 2;

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
                // What its writer calls it is all that it is called.
                let class = match (name, &title) {
                    ("admonition", Some(_)) => "",
                    ("admonition", None) => "note",
                    _ => name,
                };
                admonition(class, title, blocks, lines, out);
            }
            "versionadded" | "versionchanged" | "deprecated" | "versionremoved"
            | "deprecated-removed" | "soft-deprecated" => {
                self.version(directive, depth, out);
            }
            "image" | "figure" | "thumbnail" => self.figure(directive, depth, out),
            // What is in other files is not here.
            "literalinclude" | "include" | "command-output" | "program-output" | "click"
            | "argparse" => self.elsewhere.extend(lines.first().map(|line| line.start)),
            "availability" => {
                let mut text = vec![
                    Inline::Emphasis(vec![Inline::Text("Availability".to_owned())]),
                    Inline::Text(": ".to_owned()),
                ];
                text.extend(self.inline(&directive.argument()));
                out.push(lines::paragraph(text, lines));
                out.extend(self.blocks(&directive.content, depth + 1));
            }
            "list-table" | "flat-table" | "csv-table" | "table" => {
                self.table(directive, depth, out)
            }
            "toctree" => self.contents(directive, out),
            "autosummary" => summary(directive, out),
            "glossary" => {
                let mut rest = directive.content.as_slice();
                while !rest.is_empty() {
                    let used = self.definitions(rest, depth + 1, true, out);
                    rest = rest.get(used.max(1)..).unwrap_or_default();
                }
            }
            "changelog" => self.release(directive, depth, out),
            "change" => self.change(directive, depth, out),
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
            "class" if !is_style(directive) => self.signature(directive, depth, out),
            "container" | "class" | "rst-class" | "compound" | "only" | "ifconfig" | "hlist"
            | "acks" | "tabs" | "tab-set" | "grid" | "grid-item" | "div" | "cssclass"
            | "centered-content" => {
                out.extend(self.blocks(&directive.content, depth + 1));
            }
            _ if is_signature(directive) => self.signature(directive, depth, out),
            _ => {
                // What it does is unknown; what it says is kept. Names alone are what it does.
                let words = directive.argument();
                let argument = self.inline(&words);
                let shows = shows_code(directive);
                let language = language_of(&words).filter(|_| shows && !named_is_text(&words));
                // Sentences over several lines are what a note of its writer's own says; that it is a note nobody says.
                if directive.arguments.len() > 1 && !shows && words.ends_with(['.', '!', '?']) {
                    return out.extend(self.blocks(&directive.body(), depth + 1));
                }
                if !argument.is_empty()
                    && language.is_none()
                    && (!directive.content.is_empty() || is_said(&words))
                {
                    let text = vec![Inline::Strong(argument)];
                    out.push(lines::paragraph(text, lines));
                }
                if shows {
                    let language = language.or_else(|| self.language.clone());
                    out.push(lines::code(language, &directive.content));
                } else {
                    out.extend(self.blocks(&directive.content, depth + 1));
                }
            }
        }
    }
}

impl Reader {
    /// A release as the `changelog` extension of Sphinx has it: its version heads what changed in it.
    fn release(&mut self, directive: &Directive<'_, '_>, depth: usize, out: &mut Vec<Block>) {
        let version = directive.option("version").unwrap_or_default();
        let heading = match directive.option("released") {
            Some(day) if !day.is_empty() => format!("{version} ({day})"),
            _ => version.to_owned(),
        };
        let blocks = self.blocks(&directive.content, depth + 1);
        if !version.is_empty() && !blocks.is_empty() {
            let text = vec![Inline::Text(heading)];
            let kind = BlockKind::Heading {
                level: RELEASE_LEVEL,
                text,
            };
            out.push(lines::block(kind, directive.lines));
        }
        out.extend(blocks);
    }

    /// A change of a release, with the tags and tickets that it is filed under.
    fn change(&mut self, directive: &Directive<'_, '_>, depth: usize, out: &mut Vec<Block>) {
        let mut blocks = self.blocks(&directive.content, depth + 1);
        let told = |name: &str| {
            directive
                .option(name)
                .map(str::trim)
                .filter(|told| !told.is_empty())
        };
        if let Some(Block {
            kind: BlockKind::Paragraph(text),
            ..
        }) = blocks.first_mut()
        {
            if let Some(tickets) = told("tickets") {
                text.push(Inline::Text(format!(" ({tickets})")));
            }
            if let Some(tags) = told("tags") {
                text.insert(0, Inline::Text(": ".to_owned()));
                text.insert(0, Inline::Strong(vec![Inline::Text(tags.to_owned())]));
            }
        }
        if blocks.is_empty() {
            return;
        }
        let kind = BlockKind::List {
            start: None,
            items: vec![blocks],
        };
        let block = lines::block(kind, directive.lines);
        match (
            out.last_mut().map(|last| (&mut last.kind, &mut last.span)),
            block.kind,
        ) {
            (
                Some((BlockKind::List { start: None, items }, span)),
                BlockKind::List { items: more, .. },
            ) => {
                items.extend(more);
                span.bytes.end = block.span.bytes.end;
            }
            (_, kind) => out.push(Block {
                kind,
                span: block.span,
            }),
        }
    }
}

/// The names of what is documented elsewhere, one in a line; what is said of each is told in the code.
fn summary(directive: &Directive<'_, '_>, out: &mut Vec<Block>) {
    let body = directive.body();
    let named = body.iter().filter(|line| !line.is_blank());
    let items: Vec<Vec<Block>> = named
        .map(|line| {
            let name = Inline::Code(line.words().trim_start_matches('~').to_owned());
            vec![lines::paragraph(vec![name], std::slice::from_ref(line))]
        })
        .collect();
    if !items.is_empty() {
        let kind = BlockKind::List { start: None, items };
        out.push(lines::block(kind, directive.lines));
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

/// Whether a directive that nobody knows shows code: it is called so, or its body is evidently written in a language of programs.
fn shows_code(directive: &Directive<'_, '_>) -> bool {
    let name = directive.name.as_str();
    let is_called = match name {
        "example" | "run" | "shell" | "session" => !directive.domain.is_empty(),
        _ => name.starts_with("code-") || name.ends_with("-code") || name.ends_with("-prompt"),
    };
    let mut count = 0;
    let (mut alike, mut evident) = (0, false);
    for line in directive.content.iter().filter(|line| !line.is_blank()) {
        let words = line.words();
        // Directives inside are not to the letter.
        if words.starts_with(".. ") {
            return false;
        }
        count += 1;
        evident = evident || is_evident_code(words);
        alike += usize::from(code_like::line(words) || is_evident_code(words));
    }
    count > 0 && (is_called || evident && alike * 2 >= count)
}

/// Whether a line begins as nothing but code does.
fn is_evident_code(words: &str) -> bool {
    let is_name = |name: &str| {
        let mut letters = name.chars();
        letters
            .next()
            .is_some_and(|c| c.is_alphabetic() || c == '_')
            && letters.all(|c| c.is_alphanumeric() || "_.".contains(c))
    };
    let opens_block = |rest: &str| rest.ends_with(':') || rest.contains('(');
    if let Some(rest) = words.strip_prefix('@') {
        return rest.split('(').next().is_some_and(is_name);
    }
    match words.split_once(' ') {
        Some(("#include", _)) => true,
        Some(("$", _)) => code_like::is_prompted(words),
        Some(("def" | "class", rest)) => opens_block(rest),
        Some(("import", rest)) => is_name(rest.trim_end_matches(';')),
        Some(("from", rest)) => rest.contains(" import "),
        _ => false,
    }
}

/// Whether the argument of a directive that has nothing else is a sentence, or several words of prose.
fn is_said(argument: &str) -> bool {
    let is_word = |word: &&str| {
        let word = word.trim_matches(|c: char| matches!(c, ',' | ':' | '(' | ')' | '"' | '`'));
        word.chars()
            .all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'))
    };
    argument.contains(' ') && argument.ends_with(['.', '!', '?', ':'])
        || argument.split(' ').filter(is_word).count() > 2
}

/// A code directive whose argument holds blanks is no language but the code itself.
fn named_is_text(argument: &str) -> bool {
    argument.contains(' ')
}
