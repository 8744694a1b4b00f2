//! Reads source code and structured data: by what they say of themselves, else as a code block to the letter.

use crate::data::{notebook, openapi, outline, source};
use serde_json::Value;
use skillkiln_document::blocks::{About, Block, BlockKind, Document, Span};

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

/// A file that is code or structured data: what it describes where its content tells, else the code to the letter.
pub(crate) fn read(text: String, language: &str) -> Document {
    let value = match language {
        "json"
            if text.len() > outline::WHOLE_BYTES_MAX
                || openapi::may_be(&text)
                || text.contains("\"nbformat\"") =>
        {
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
    if text.len()
        > if is_data {
            outline::WHOLE_BYTES_MAX
        } else {
            CODE_BYTES_MAX
        }
    {
        return match source::read(&text, language) {
            Some(document) => document,
            None => outline::read(text, language, value.as_ref()),
        };
    }
    source::read(&text, language).unwrap_or_else(|| whole(text, language))
}

/// One block, to the letter.
fn whole(text: String, language: &str) -> Document {
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
