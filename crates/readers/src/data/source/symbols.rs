//! Tells what a line of source code declares.

/// What is declared, and where.
#[derive(Debug, Clone)]
pub(crate) struct Symbol {
    /// Its name.
    pub(crate) name: String,
    /// Its line.
    pub(crate) line: usize,
    /// Whether it stands inside another.
    pub(crate) inner: bool,
}

/// Words before a declaration that tell nothing of its name.
const MODIFIERS: [&str; 34] = [
    "pub",
    "pub(crate)",
    "pub(super)",
    "export",
    "default",
    "declare",
    "public",
    "private",
    "protected",
    "internal",
    "static",
    "final",
    "abstract",
    "async",
    "unsafe",
    "const",
    "extern",
    "inline",
    "virtual",
    "override",
    "open",
    "sealed",
    "data",
    "suspend",
    "partial",
    "readonly",
    "synchronized",
    "native",
    "constexpr",
    "explicit",
    "friend",
    "volatile",
    "strictfp",
    "mutating",
];

/// Words that a declaration's name follows.
const KEYWORDS: [&str; 27] = [
    "fn",
    "struct",
    "enum",
    "trait",
    "mod",
    "type",
    "union",
    "macro_rules!",
    "impl",
    "function",
    "class",
    "interface",
    "namespace",
    "func",
    "def",
    "var",
    "let",
    "fun",
    "object",
    "record",
    "protocol",
    "extension",
    "static",
    "module",
    "typedef",
    "concept",
    "@interface",
];

/// What is declared within other things, and holds declarations itself.
const CONTAINERS: [&str; 16] = [
    "struct",
    "enum",
    "trait",
    "mod",
    "union",
    "impl",
    "class",
    "interface",
    "namespace",
    "object",
    "record",
    "protocol",
    "extension",
    "module",
    "defmodule",
    "@interface",
];

/// Whether a line declares what holds further declarations, and not a body of statements.
pub(crate) fn is_container(text: &str) -> bool {
    keyword(text).is_some_and(|(word, _)| CONTAINERS.contains(&word))
}

/// Whether a line says with a word that it declares something: in languages in which a call reads as a declaration does.
pub(crate) fn is_told_by_word(text: &str) -> bool {
    keyword(text).is_some_and(|(word, _)| KEYWORDS.contains(&word))
}

/// Whether a line gives a name to a value, which may be a function.
pub(crate) fn is_value(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words.any(|word| matches!(word, "var" | "let" | "const" | "static" | "val"))
        && keyword(text).is_none_or(|(word, _)| {
            matches!(word, "var" | "let" | "static") || !KEYWORDS.contains(&word)
        })
}

/// Whether a line of C is nothing but a type, such as a function gives back whose name stands below.
pub(crate) fn is_type(words: &str, language: &str) -> bool {
    matches!(language, "c" | "cpp")
        && words.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && words
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | ' ' | '*' | ':' | '<' | '>'))
}

/// Whether a line opens what only puts the names within it together.
pub(crate) fn is_namespace(text: &str, language: &str) -> bool {
    let is_named = keyword(text).is_some_and(|(word, _)| {
        matches!(word, "namespace" | "module" | "defmodule")
            || word == "mod" && !text.contains("mod tests")
    });
    is_named || matches!(language, "c" | "cpp") && text.trim().starts_with("extern \"C\"")
}

/// The implementation that a line of Rust begins, without its brace: "impl Display for Kiln".
pub(crate) fn implementation<'t>(text: &'t str, language: &str) -> Option<&'t str> {
    let text = text.trim();
    let is_one = language == "rust" && (text.starts_with("impl ") || text.starts_with("impl<"));
    is_one.then(|| text.split(" {").next().unwrap_or(text))
}

/// The name of the type that an implementation is of, and not of a trait for it: "Kiln" of "impl<T> Kiln<T>".
pub(crate) fn implemented(implementation: &str) -> Option<&str> {
    if implementation.contains(" for ") {
        return None;
    }
    let mut rest = implementation.strip_prefix("impl")?;
    let mut depth = 0_usize;
    if rest.starts_with('<') {
        let end = rest.char_indices().find_map(|(at, c)| {
            match c {
                '<' => depth += 1,
                '>' => depth = depth.saturating_sub(1),
                _ => {}
            }
            (depth == 0).then_some(at + 1)
        })?;
        rest = rest.get(end..)?;
    }
    rest.trim_start().split(['<', ' ', '{']).next()
}

/// The first word of a line that is no modifier, and what stands behind it.
fn keyword(text: &str) -> Option<(&str, &str)> {
    let mut rest = text.trim();
    loop {
        let (word, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let is_modifier = MODIFIERS.contains(&word) || word.starts_with("pub(") || word == "\"C\"";
        if !is_modifier {
            let word = word.split('<').next().unwrap_or(word);
            return (!word.is_empty()).then_some((word, behind));
        }
        rest = behind.trim_start();
    }
}

/// Words that a declaration's name follows, in languages that are told by these alone.
fn words_of(language: &str) -> Option<&'static [&'static str]> {
    Some(match language {
        "perl" => &["sub", "package"],
        "ruby" | "crystal" => &["def", "class", "module"],
        "bash" | "fish" | "awk" | "powershell" | "cmake" => {
            &["function", "macro", "filter", "class"]
        }
        "lua" => &["function", "local function"],
        "julia" => &[
            "function",
            "struct",
            "mutable struct",
            "abstract type",
            "macro",
            "module",
        ],
        "elixir" => &[
            "def",
            "defp",
            "defmacro",
            "defmodule",
            "defprotocol",
            "defimpl",
        ],
        "nim" => &[
            "proc",
            "func",
            "template",
            "macro",
            "iterator",
            "method",
            "converter",
        ],
        "tcl" => &["proc", "namespace eval", "oo::class create"],
        "haskell" => &["data", "newtype", "class", "type"],
        "ocaml" => &[
            "let rec",
            "let",
            "val",
            "module type",
            "module",
            "external",
            "class",
            "exception",
        ],
        "fortran" => &["subroutine", "function", "module", "program"],
        "protobuf" => &["message", "service", "enum", "rpc"],
        "graphql" => &[
            "type",
            "input",
            "enum",
            "interface",
            "union",
            "scalar",
            "query",
            "mutation",
            "fragment",
        ],
        "clojure" | "lisp" | "elisp" | "scheme" => &["(def"],
        "sql" => &["create"],
        "r" | "erlang" => &[],
        _ => return None,
    })
}

/// What a line declares in a language of which [`words_of`] knows the words.
fn by_words(head: &str, words: &[&str], language: &str) -> Option<String> {
    if language == "sql" {
        return of_sql(head);
    }
    if words == ["(def"] {
        // `(defun name (…`, `(define (name …`, `(ns name`.
        let (_, rest) = head.strip_prefix("(def")?.split_once(char::is_whitespace)?;
        let rest = rest.trim_start().trim_start_matches(['(', '\'']);
        let name = rest
            .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')'))
            .next()?;
        return (!name.is_empty() && !name.starts_with(['"', '^'])).then(|| name.to_owned());
    }
    let behind = words.iter().find_map(|word| {
        let rest = head.strip_prefix(word)?;
        rest.starts_with([' ', '\t']).then(|| rest.trim_start())
    });
    let behind = match (behind, language) {
        (Some(behind), _) => behind,
        // `name() {`
        (None, "bash") => head
            .split_once("()")
            .filter(|(name, rest)| !name.contains(' ') && matches!(rest.trim(), "" | "{"))
            .map(|(name, _)| name)?,
        // `name <- function(`
        (None, "r") => {
            let (name, rest) = head.split_once("<-").or_else(|| head.split_once(" = "))?;
            rest.trim_start()
                .starts_with("function")
                .then(|| name.trim_end())?
        }
        // `name(Arguments) ->`
        (None, "erlang") => head
            .split_once('(')
            .filter(|(name, rest)| {
                rest.contains("->") && name.starts_with(|c: char| c.is_ascii_lowercase())
            })
            .map(|(name, _)| name)?,
        // `name :: Type`
        (None, "haskell") => head.split_once(" :: ").map(|(name, _)| name)?,
        _ => return None,
    };
    let behind = match language {
        "ruby" | "crystal" => behind.strip_prefix("self.").unwrap_or(behind),
        _ => behind,
    };
    // What is bound to nothing, as `let () =`, has no name.
    let name: String = behind
        .chars()
        .take_while(|c| {
            c.is_alphanumeric()
                || *c == '_'
                || match language {
                    "perl" | "tcl" => *c == ':',
                    "lua" => matches!(c, '.' | ':'),
                    "ruby" | "crystal" | "elixir" | "julia" => matches!(c, '?' | '!' | ':' | '.'),
                    "powershell" | "bash" | "fish" => matches!(c, '-' | ':'),
                    "r" => *c == '.',
                    "haskell" | "ocaml" => *c == '\'',
                    _ => false,
                }
        })
        .collect();
    let name = name.trim_end_matches([':', '.', '-']);
    (name.starts_with(|c: char| c.is_alphabetic() || c == '_') && name != "_")
        .then(|| name.to_owned())
}

/// The table, view or function that a statement of SQL makes.
fn of_sql(head: &str) -> Option<String> {
    const MADE: [&str; 8] = [
        "table",
        "view",
        "function",
        "procedure",
        "trigger",
        "index",
        "type",
        "sequence",
    ];
    let mut words = head.split_whitespace();
    if !words.next()?.eq_ignore_ascii_case("create") {
        return None;
    }
    words.find(|word| MADE.iter().any(|made| word.eq_ignore_ascii_case(made)))?;
    let name = words.find(|word| {
        !["if", "not", "exists", "concurrently"]
            .iter()
            .any(|other| word.eq_ignore_ascii_case(other))
    })?;
    let name = name
        .split('(')
        .next()?
        .trim_matches(['"', '`', '[', ']', ';']);
    (!name.is_empty() && !name.eq_ignore_ascii_case("on")).then(|| name.to_owned())
}

/// The name that a line declares; `None` when it declares nothing.
pub(crate) fn of_line(text: &str, language: &str) -> Option<String> {
    let text = text.trim();
    let mut length = text.len().min(400);
    while !text.is_char_boundary(length) {
        length -= 1;
    }
    let head = text.get(..length).unwrap_or(text);
    if let Some(words) = words_of(language) {
        return by_words(head, words, language);
    }
    let mut words = head.split_whitespace().peekable();
    let mut had_const = false;
    while let Some(word) = words.peek().copied() {
        let is_modifier = MODIFIERS.contains(&word) || word.starts_with("pub(") || word == "\"C\"";
        if !is_modifier {
            break;
        }
        had_const |= matches!(word, "const" | "static");
        words.next();
    }
    let first = words.next()?;
    let keyword = first.trim_end_matches('*');
    if keyword == "func" && words.peek().is_some_and(|word| word.starts_with('(')) {
        // A method of Go: the receiver stands first.
        let after = head.split_once(')')?.1;
        return name_of(after.trim_start());
    }
    if KEYWORDS.contains(&keyword) && !(language == "go" && keyword == "def") {
        let rest = head.split_once(first)?.1.trim_start();
        if keyword == "impl" {
            return None;
        }
        let rest = rest
            .strip_prefix("class ")
            .or_else(|| rest.strip_prefix("struct "))
            .unwrap_or(rest);
        let rest = rest.strip_prefix("mut ").unwrap_or(rest);
        return name_of(rest.trim_start_matches('*').trim_start());
    }
    if language == "python" {
        return None;
    }
    if had_const && !matches!(language, "c" | "cpp" | "java" | "csharp" | "dart") {
        return name_of(first);
    }
    // `#define NAME`, `type name(`, `name(` inside a class.
    if let Some(rest) = head.strip_prefix("#define ") {
        return name_of(rest);
    }
    let is_typed = matches!(
        language,
        "c" | "cpp"
            | "java"
            | "csharp"
            | "dart"
            | "javascript"
            | "jsx"
            | "typescript"
            | "tsx"
            | "php"
            | "kotlin"
            | "scala"
            | "swift"
    );
    if !is_typed
        || [
            "return", "if", "for", "while", "switch", "else", "case", "throw", "new", "import",
            "using", "package", "#include", "delete",
        ]
        .contains(&keyword)
    {
        return None;
    }
    let before = head
        .split('(')
        .next()
        .filter(|before| before.len() < head.len())?;
    if before.contains(['=', '"', '.', ';', '{']) {
        return None;
    }
    let name = before.trim_end().rsplit([' ', '*', '&']).next()?;
    let name = name.rsplit("::").next().unwrap_or(name);
    name_of(name)
}

fn name_of(rest: &str) -> Option<String> {
    let name: String = rest
        .trim_start_matches(['$', '~'])
        .chars()
        .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '$'))
        .collect();
    (!name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit())).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::of_line;

    #[test]
    fn a_declaration_is_told_by_its_words() {
        for (line, language, name) in [
            ("pub(crate) async fn go<T>(x: T) {", "rust", Some("go")),
            ("pub const MAX: usize = 1;", "rust", Some("MAX")),
            ("    heat: u8,", "rust", None),
            ("impl Kiln {", "rust", None),
            (
                "export default class Kiln extends Oven {",
                "typescript",
                Some("Kiln"),
            ),
            ("export const fire = (n) => n;", "javascript", Some("fire")),
            (
                "  async fire(n: number): Promise<void> {",
                "typescript",
                Some("fire"),
            ),
            ("func (k *Kiln) Fire(n int) error {", "go", Some("Fire")),
            ("type Kiln struct {", "go", Some("Kiln")),
            ("public static <T> List<T> of(T... a) {", "java", Some("of")),
            (
                "int kiln_fire(struct kiln *k, int n);",
                "c",
                Some("kiln_fire"),
            ),
            ("#define KILN_MAX 3", "c", Some("KILN_MAX")),
            ("    def fire(self):", "python", Some("fire")),
            ("return fire(n);", "c", None),
            ("sub fire {", "perl", Some("fire")),
            ("package Kiln::Fire;", "perl", Some("Kiln::Fire")),
            ("def self.fire(n)", "ruby", Some("fire")),
            ("class Kiln::Oven < Base", "ruby", Some("Kiln::Oven")),
            ("fire_kiln() {", "bash", Some("fire_kiln")),
            ("function Get-Kiln {", "powershell", Some("Get-Kiln")),
            ("echo $(date)", "bash", None),
            ("fire <- function(n) {", "r", Some("fire")),
            ("n <- 1", "r", None),
            ("local function fire(n)", "lua", Some("fire")),
            ("function M.fire(n)", "lua", Some("M.fire")),
            ("fire :: Int -> Kiln", "haskell", Some("fire")),
            ("let rec fire n =", "ocaml", Some("fire")),
            ("let () =", "ocaml", None),
            ("fire(N) -> N.", "erlang", Some("fire")),
            ("(defun kiln-fire (n)", "elisp", Some("kiln-fire")),
            ("(define (fire n)", "scheme", Some("fire")),
            ("CREATE TABLE IF NOT EXISTS kilns (", "sql", Some("kilns")),
            ("create or replace view hot as", "sql", Some("hot")),
            ("SELECT 1;", "sql", None),
        ] {
            assert_eq!(of_line(line, language).as_deref(), name, "{line}");
        }
    }
}
