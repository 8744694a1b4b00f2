//! Reads source code and structured data: a code block with its language, to the letter.

use crate::domain::document::{About, Block, BlockKind, Document, Span};

/// The language of files with this extension, in the words of syntax highlighters.
pub(crate) fn language(extension: &str) -> Option<&'static str> {
    Some(match extension {
        "json" | "jsonl" | "ndjson" | "geojson" => "json",
        "yaml" | "yml" => "yaml",
        "toml" => "toml",
        "xml" | "xsd" | "svg" => "xml",
        "ini" | "cfg" | "conf" | "properties" => "ini",
        "rs" => "rust",
        "py" | "pyi" => "python",
        "js" | "mjs" | "cjs" => "javascript",
        "jsx" => "jsx",
        "ts" | "mts" => "typescript",
        "tsx" => "tsx",
        "go" => "go",
        "java" => "java",
        "kt" | "kts" => "kotlin",
        "swift" => "swift",
        "c" | "h" => "c",
        "cc" | "cpp" | "cxx" | "hpp" | "hh" => "cpp",
        "cs" => "csharp",
        "rb" => "ruby",
        "php" => "php",
        "pl" | "pm" => "perl",
        "lua" => "lua",
        "r" => "r",
        "jl" => "julia",
        "scala" => "scala",
        "hs" => "haskell",
        "ml" | "mli" => "ocaml",
        "ex" | "exs" => "elixir",
        "erl" => "erlang",
        "clj" => "clojure",
        "dart" => "dart",
        "zig" => "zig",
        "nix" => "nix",
        "sql" => "sql",
        "sh" | "bash" | "zsh" => "bash",
        "ps1" => "powershell",
        "bat" | "cmd" => "batch",
        "css" => "css",
        "scss" => "scss",
        "vue" => "vue",
        "svelte" => "svelte",
        "graphql" | "gql" => "graphql",
        "proto" => "protobuf",
        "tf" | "hcl" => "hcl",
        "dockerfile" => "dockerfile",
        "mk" | "makefile" => "makefile",
        "tex" => "latex",
        "diff" | "patch" => "diff",
        _ => return None,
    })
}

/// A file that is code or structured data: one block, to the letter.
pub(crate) fn read(text: String, language: &str) -> Document {
    let code = text
        .replace("\r\n", "\n")
        .trim_matches('\n')
        .trim_end()
        .to_owned();
    let block = Block {
        kind: BlockKind::Code {
            language: Some(language.to_owned()),
            text: code,
        },
        span: Span::of(0..text.len()),
    };
    Document {
        title: None,
        about: About::default(),
        text,
        blocks: vec![block],
        moments: Vec::new(),
    }
}
