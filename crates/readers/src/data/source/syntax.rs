//! How programming languages write comments, and how what they declare ends.

/// What a reader has to know of a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Syntax {
    /// Marks of a comment that goes to the end of its line, the longest first.
    pub(crate) line: &'static [&'static str],
    /// Marks around a comment.
    pub(crate) around: Option<(&'static str, &'static str)>,
    pub(crate) written: Written,
    pub(crate) ends: Ends,
}

/// What of a language's comments is written for those who use the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Written {
    /// `///`, `//!`, `/** */` and `/*! */`, and a plain comment right above what stands at the margin.
    Marked,
    /// A comment right above a declaration.
    Above,
    /// Strings that open a module, a class or a function.
    Inside,
}

/// How what is declared ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    /// With the brace that closes it, or a semicolon.
    Brace,
    /// Before the next line that is indented no more than it.
    Indent,
    /// With a line `end` as deep as it.
    Word,
    /// With the bracket that closes it.
    Bracket,
    /// Nothing tells.
    Open,
}

const SLASHES: Syntax = Syntax {
    line: &["//"],
    around: Some(("/*", "*/")),
    written: Written::Marked,
    ends: Ends::Brace,
};
const HASHES: Syntax = Syntax {
    line: &["#"],
    around: None,
    written: Written::Above,
    ends: Ends::Brace,
};

/// The syntax of `language`; `None` of data and of what has no comments.
pub(crate) fn of(language: &str) -> Option<Syntax> {
    Some(match language {
        "rust" | "javascript" | "jsx" | "typescript" | "tsx" | "java" | "kotlin" | "swift"
        | "c" | "cpp" | "csharp" | "scala" | "dart" | "zig" | "groovy" | "protobuf" => SLASHES,
        "go" => Syntax {
            written: Written::Above,
            ..SLASHES
        },
        "php" => Syntax {
            line: &["//", "#"],
            ..SLASHES
        },
        "python" => Syntax {
            written: Written::Inside,
            ends: Ends::Indent,
            ..HASHES
        },
        "perl" | "bash" | "fish" | "tcl" | "awk" => HASHES,
        "r" => Syntax {
            line: &["#'", "#"],
            ..HASHES
        },
        "powershell" => Syntax {
            around: Some(("<#", "#>")),
            ..HASHES
        },
        "ruby" | "crystal" | "elixir" | "julia" => Syntax {
            around: match language {
                "ruby" => Some(("=begin", "=end")),
                "julia" => Some(("#=", "=#")),
                _ => None,
            },
            ends: Ends::Word,
            ..HASHES
        },
        "nim" => Syntax {
            line: &["##", "#"],
            ends: Ends::Indent,
            ..HASHES
        },
        "lua" => Syntax {
            line: &["---", "--"],
            around: Some(("--[[", "]]")),
            written: Written::Above,
            ends: Ends::Word,
        },
        "haskell" => Syntax {
            line: &["-- |", "-- ^", "--"],
            around: Some(("{-", "-}")),
            written: Written::Above,
            ends: Ends::Open,
        },
        "sql" => Syntax {
            line: &["--"],
            around: Some(("/*", "*/")),
            written: Written::Above,
            ends: Ends::Open,
        },
        "ocaml" => Syntax {
            line: &[],
            around: Some(("(*", "*)")),
            written: Written::Above,
            ends: Ends::Open,
        },
        "erlang" => Syntax {
            line: &["%%%", "%%", "%"],
            ends: Ends::Open,
            ..HASHES
        },
        "clojure" | "lisp" | "elisp" | "scheme" => Syntax {
            line: &[";;;;", ";;;", ";;", ";"],
            around: None,
            written: Written::Above,
            ends: Ends::Bracket,
        },
        "fortran" => Syntax {
            line: &["!"],
            ends: Ends::Open,
            ..HASHES
        },
        "nix" | "hcl" | "graphql" | "makefile" | "dockerfile" | "cmake" => Syntax {
            ends: Ends::Open,
            ..HASHES
        },
        "css" | "scss" => Syntax {
            line: &[],
            ends: Ends::Open,
            ..SLASHES
        },
        _ => return None,
    })
}
