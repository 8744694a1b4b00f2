//! Cuts a directive of reStructuredText into its name, arguments, options and body.

use crate::markup::lines::{self, Line};
use crate::words::{WordList, words};
use skillkiln_document::text::squash;

/// A directive in its parts.
pub(super) struct Directive<'l, 'a> {
    /// Its name without the domain, in lower case.
    pub(super) name: String,
    /// The domain before the colon, when there is one.
    pub(super) domain: String,
    /// What stands behind the colons, line for line.
    pub(super) arguments: Vec<Line<'a>>,
    pub(super) options: Vec<(String, Line<'a>)>,
    pub(super) content: Vec<Line<'a>>,
    /// All its lines.
    pub(super) lines: &'l [Line<'a>],
}

impl<'a> Directive<'_, 'a> {
    pub(super) fn argument(&self) -> String {
        squash(&lines::words(&self.arguments))
    }

    pub(super) fn option(&self, name: &str) -> Option<&'a str> {
        let found = self.options.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.words())
    }

    /// The arguments and the content as one body, for directives that take their first words on the same line.
    pub(super) fn body(&self) -> Vec<Line<'a>> {
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

/// The lines of a body whose first line begins after `cut` bytes.
pub(super) fn body_of<'a>(lines: &[Line<'a>], cut: usize) -> Vec<Line<'a>> {
    let Some((first, rest)) = lines.split_first() else {
        return Vec::new();
    };
    let first = first.after(cut);
    let mut body = vec![first.dedent(usize::MAX)];
    body.extend(lines::dedent(rest, lines::common_indent(rest)));
    body
}

/// Directives whose arguments go on in the lines below.
static PLAIN: WordList = words!(
    "code-block sourcecode code list-table csv-table table toctree figure image highlight rubric admonition glossary topic \
     sidebar only tab tab-item container include literalinclude class contents versionadded versionchanged deprecated doctest \
     testcode testoutput ipython"
);

/// Takes a directive apart; `lead` is where its name begins. `None` when it is a comment.
pub(super) fn directive_of<'l, 'a>(
    lines: &'l [Line<'a>],
    lead: usize,
) -> Option<Directive<'l, 'a>> {
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
    let takes_lines = PLAIN.contains(&name);
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
pub(super) fn options_of<'a>(body: &[Line<'a>]) -> (Vec<(String, Line<'a>)>, usize) {
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

/// Whether a directive describes something that has a name or a signature.
pub(super) fn is_signature(directive: &Directive<'_, '_>) -> bool {
    if directive.arguments.is_empty() {
        return false;
    }
    static KNOWN: WordList = words!(
        "function method class attribute data exception option cmdoption envvar describe object confval staticmethod classmethod \
         decorator decoratormethod property member var macro struct union enum enumerator type opcode pdbcommand 2to3fixer \
         setting directive role event js:function alias templatetag templatefilter fieldlookup django-admin django-admin-option \
         cfgcmd command signal parameter field variable coroutinemethod coroutinefunction abstractmethod"
    );
    KNOWN.contains(&directive.name.as_str())
        || matches!(
            directive.domain.as_str(),
            "py" | "c" | "cpp" | "js" | "rst" | "std" | "http" | "rust" | "go" | "php"
        )
        || directive.name.starts_with("auto")
}
