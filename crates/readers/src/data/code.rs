//! Reads source code and structured data: by what they say of themselves, else as a code block to the letter.

use crate::data::{notebook, openapi, source};
use serde_json::Value;
use skillkiln_document::blocks::{Block, BlockKind, Document, Span};
use skillkiln_document::text::Inline;

/// The language of files with this extension, in the words of syntax highlighters.
pub(crate) fn language(extension: &str) -> Option<&'static str> {
    Some(match extension {
        "json" | "jsonl" | "ndjson" | "geojson" | "ipynb" => "json",
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
        "diff" | "patch" => "diff",
        _ => return None,
    })
}

/// How far source code is shown whole.
const CODE_BYTES_MAX: usize = 1 << 20;
/// How far structured data is shown whole.
const DATA_BYTES_MAX: usize = 256 << 10;
/// What is shown of a longer file.
const SAMPLE_BYTES_MAX: usize = 16 << 10;

/// A file that is code or structured data: what it describes where its content tells, else the code to the letter.
pub(crate) fn read(text: String, language: &str) -> Document {
    let value = match language {
        "json" if openapi::may_be(&text) || text.contains("\"nbformat\"") => {
            serde_json::from_str::<Value>(&text).ok()
        }
        "yaml" if openapi::may_be(&text) => serde_saphyr::from_str::<Value>(&text).ok(),
        _ => None,
    };
    if let Some(value) = &value {
        if openapi::is_openapi(value) {
            return openapi::read(value);
        }
        if notebook::is_notebook(value) {
            return notebook::read(value);
        }
    }
    let is_data = matches!(
        language,
        "json" | "yaml" | "toml" | "xml" | "ini" | "sql" | "diff" | "css" | "scss"
    );
    let shown_max = if is_data {
        DATA_BYTES_MAX
    } else {
        CODE_BYTES_MAX
    };
    source::read(&text, language).unwrap_or_else(|| to_the_letter(text, language, shown_max))
}

/// One block, to the letter; of a file above `shown_max` its beginning, and that it is no more.
fn to_the_letter(text: String, language: &str, shown_max: usize) -> Document {
    let mut blocks = Vec::new();
    let mut end = text.len();
    if text.len() > shown_max {
        let sample = text
            .get(..text.floor_char_boundary(SAMPLE_BYTES_MAX))
            .unwrap_or("");
        end = sample.rfind('\n').unwrap_or(sample.len());
        let told = format!(
            "This file is too long to be shown: {} lines, {} KiB. Here is its beginning.",
            text.lines().count(),
            text.len() >> 10
        );
        blocks.push(Block {
            kind: BlockKind::Paragraph(vec![Inline::Text(told)]),
            span: Span::of(0..0),
        });
    }
    let code = text.get(..end).unwrap_or("").replace("\r\n", "\n");
    blocks.push(Block {
        kind: BlockKind::Code {
            language: Some(language.to_owned()),
            text: code.trim_matches('\n').trim_end().to_owned(),
        },
        span: Span::of(0..end),
    });
    Document {
        text,
        blocks,
        ..Document::default()
    }
}
