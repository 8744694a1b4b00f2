//! Reads what begins with two dots in reStructuredText: directives, footnotes, targets and comments.

use super::Reader;
use crate::domain::document::{Block, BlockKind, Definition};
use crate::domain::text::{Inline, plain, squash};
use crate::pipeline::extract::markup::lines::{self, Line};
use crate::pipeline::extract::markup::markdown::language_of;
use crate::pipeline::markdown::rendered::write_text_of_html;

/// A directive in its parts.
struct Directive<'l, 'a> {
    /// Its name without the domain, in lower case.
    name: String,
    /// The domain before the colon, when there is one.
    domain: String,
    /// What stands behind the colons, line for line.
    arguments: Vec<Line<'a>>,
    options: Vec<(String, Line<'a>)>,
    content: Vec<Line<'a>>,
    /// All its lines.
    lines: &'l [Line<'a>],
}

impl<'a> Directive<'_, 'a> {
    fn argument(&self) -> String {
        squash(&lines::words(&self.arguments))
    }

    fn option(&self, name: &str) -> Option<&'a str> {
        let found = self.options.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.words())
    }

    /// The arguments and the content as one body, for directives that take their first words on the same line.
    fn body(&self) -> Vec<Line<'a>> {
        let mut body = self.arguments.clone();
        if !body.is_empty() && !self.content.is_empty() && self.has_gap() {
            body.extend(body.last().map(|line| line.after(usize::MAX)));
        }
        body.extend(self.content.iter().copied());
        body
    }

    fn has_gap(&self) -> bool {
        let (Some(last), Some(first)) = (self.arguments.last(), self.content.first()) else {
            return false;
        };
        let mut between = self
            .lines
            .iter()
            .filter(|line| line.start > last.start && line.start < first.start);
        between.any(Line::is_blank)
    }
}

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
                    .entry(super::inline::fold(name))
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
            "literalinclude" | "include" | "command-output" | "program-output" | "click"
            | "argparse" => {
                let text = vec![
                    Inline::Text(
                        if name.contains("include") {
                            "Included here: "
                        } else {
                            "Shown here: "
                        }
                        .to_owned(),
                    ),
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

    fn code(&self, directive: &Directive<'_, '_>, out: &mut Vec<Block>) {
        let named = language_of(&directive.argument());
        let language = match directive.name.as_str() {
            "parsed-literal" | "testoutput" | "productionlist" | "prettyprint" => None,
            "ipython" | "doctest" | "testcode" | "jupyter-execute" => Some("python".to_owned()),
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
            let text = plain(&super::inline::read(
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
    fn version(&mut self, directive: &Directive<'_, '_>, depth: usize, out: &mut Vec<Block>) {
        let what = match directive.name.as_str() {
            "versionadded" => "Added in version",
            "versionchanged" => "Changed in version",
            "versionremoved" => "Removed in version",
            _ => "Deprecated since version",
        };
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

    fn figure(&mut self, directive: &Directive<'_, '_>, depth: usize, out: &mut Vec<Block>) {
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

    fn table(&mut self, directive: &Directive<'_, '_>, depth: usize, out: &mut Vec<Block>) {
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
                    let text = vec![
                        Inline::Text("Included here: ".into()),
                        Inline::Code(file.to_owned()),
                    ];
                    out.push(lines::paragraph(text, directive.lines));
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
    fn contents(&self, directive: &Directive<'_, '_>, out: &mut Vec<Block>) {
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
                vec![Inline::Link {
                    href: target.to_owned(),
                    text: words,
                }]
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
    fn raw(&self, directive: &Directive<'_, '_>, out: &mut Vec<Block>) {
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
    fn signature(&mut self, directive: &Directive<'_, '_>, depth: usize, out: &mut Vec<Block>) {
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

/// Whether a directive describes something that has a name or a signature.
fn is_signature(directive: &Directive<'_, '_>) -> bool {
    if directive.arguments.is_empty() {
        return false;
    }
    let known = [
        "function",
        "method",
        "class",
        "attribute",
        "data",
        "exception",
        "option",
        "cmdoption",
        "envvar",
        "describe",
        "object",
        "confval",
        "staticmethod",
        "classmethod",
        "decorator",
        "decoratormethod",
        "property",
        "member",
        "var",
        "macro",
        "struct",
        "union",
        "enum",
        "enumerator",
        "type",
        "opcode",
        "pdbcommand",
        "2to3fixer",
        "setting",
        "directive",
        "role",
        "event",
        "js:function",
        "alias",
        "templatetag",
        "templatefilter",
        "fieldlookup",
        "django-admin",
        "django-admin-option",
        "cfgcmd",
        "command",
        "signal",
        "parameter",
        "field",
        "variable",
        "coroutinemethod",
        "coroutinefunction",
        "abstractmethod",
    ];
    known.contains(&directive.name.as_str())
        || matches!(
            directive.domain.as_str(),
            "py" | "c" | "cpp" | "js" | "rst" | "std" | "http" | "rust" | "go" | "php"
        )
        || directive.name.starts_with("auto")
}

/// The lines of a body whose first line begins after `cut` bytes.
fn body_of<'a>(lines: &[Line<'a>], cut: usize) -> Vec<Line<'a>> {
    let Some((first, rest)) = lines.split_first() else {
        return Vec::new();
    };
    let first = first.after(cut);
    let mut body = vec![first.dedent(usize::MAX)];
    body.extend(lines::dedent(rest, lines::common_indent(rest)));
    body
}

/// Takes a directive apart; `lead` is where its name begins. `None` when it is a comment.
fn directive_of<'l, 'a>(lines: &'l [Line<'a>], lead: usize) -> Option<Directive<'l, 'a>> {
    let first = lines.first()?;
    let rest = first.text.get(lead..)?;
    let end = rest.find("::")?;
    let name = rest.get(..end)?.trim_end();
    let is_name = !name.is_empty()
        && name.len() < 60
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '+' | '.'));
    let after = rest.get(end + 2..)?;
    if !is_name || !(after.is_empty() || after.starts_with([' ', '\t'])) {
        return None;
    }
    let (domain, name) = name.rsplit_once(':').unwrap_or(("", name));
    let body = body_of(lines, lead + end + 2);
    let mut arguments = Vec::new();
    let mut at = 0;
    // An option ends the arguments, a blank line as well.
    while let Some(line) = body.get(at) {
        let is_empty_first = at == 0 && line.is_blank();
        if is_empty_first {
            at += 1;
            continue;
        }
        if line.is_blank() || is_option(line.text) {
            break;
        }
        arguments.push(line.dedent(usize::MAX));
        at += 1;
    }
    let (options, used) = options_of(body.get(at..).unwrap_or_default());
    let mut content = lines::trimmed(body.get(at + used..).unwrap_or_default()).to_vec();
    // Without a blank line what is indented below is content, unless arguments go on there.
    let takes_lines = matches!(
        name,
        "code-block"
            | "sourcecode"
            | "code"
            | "list-table"
            | "csv-table"
            | "table"
            | "toctree"
            | "figure"
            | "image"
            | "highlight"
            | "rubric"
            | "admonition"
            | "glossary"
            | "topic"
            | "sidebar"
            | "only"
            | "tab"
            | "tab-item"
            | "container"
            | "include"
            | "literalinclude"
            | "class"
            | "contents"
            | "versionadded"
            | "versionchanged"
            | "deprecated"
            | "doctest"
            | "testcode"
            | "testoutput"
            | "ipython"
    );
    if takes_lines
        && body.first().is_some_and(Line::is_blank)
        && options.is_empty()
        && !arguments.is_empty()
    {
        // Nothing stood on the directive's own line.
        arguments.extend(content);
        content = arguments;
        arguments = Vec::new();
    } else if takes_lines && name != "class" && arguments.len() > 1 && !name.starts_with("version")
    {
        let mut more = arguments.split_off(1);
        more.extend(content);
        content = more;
    }
    Some(Directive {
        name: name.to_lowercase(),
        domain: domain.to_owned(),
        arguments,
        options,
        content,
        lines,
    })
}

fn is_option(text: &str) -> bool {
    let text = text.trim_start();
    text.strip_prefix(':')
        .and_then(|rest| {
            rest.find(':')
                .and_then(|end| Some((rest.get(..end)?, rest.get(end + 1..)?)))
        })
        .is_some_and(|(name, after)| {
            !name.is_empty()
                && name
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ' | '.'))
                && (after.is_empty() || after.starts_with([' ', '\t']))
        })
}

/// The options `:name: value` at the start of a body, and how many lines they take.
fn options_of<'a>(body: &[Line<'a>]) -> (Vec<(String, Line<'a>)>, usize) {
    let mut options = Vec::new();
    let mut used = 0;
    while let Some(line) = body.get(used) {
        if is_option(line.text) {
            let text = line.text.trim_start();
            let lead = line.text.len() - text.len();
            let end = text.get(1..).and_then(|rest| rest.find(':')).unwrap_or(0) + 1;
            let name = text.get(1..end).unwrap_or("").to_lowercase();
            options.push((name, line.after(lead + end + 1)));
        } else if options.is_empty() || line.is_blank() || line.indent() == 0 {
            break;
        }
        used += 1;
    }
    (options, used)
}
