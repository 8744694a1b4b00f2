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
        "xml" | "xsd" | "svg" | "fb2" | "rss" | "atom" => "xml",
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

/// Bytes of a file that are shown; of a longer one its beginning up to there, and that it is no more.
const BYTES_MAX: usize = 4 << 20;

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
    let documented = (text.len() <= BYTES_MAX).then(|| source::read(&text, language));
    let documented = documented.flatten();
    documented.unwrap_or_else(|| to_the_letter(text, language))
}

/// One block, to the letter.
fn to_the_letter(text: String, language: &str) -> Document {
    let mut blocks = Vec::new();
    let mut end = text.len();
    if end > BYTES_MAX {
        let head = text
            .get(..text.floor_char_boundary(BYTES_MAX))
            .unwrap_or("");
        end = head.rfind('\n').unwrap_or(head.len());
        let told = format!(
            "The first {} of {} lines of this file ({} of {} KiB).",
            head.get(..end).unwrap_or("").lines().count(),
            text.lines().count(),
            end >> 10,
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

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::markdown::write;

    #[test]
    fn an_export_of_records_is_kept_whole_and_a_longer_one_says_how_long_it_is() {
        let line = "  {\"part\": \"kiln door\", \"heat\": 800},\n";
        let export = |count: usize| format!("[\n{}]\n", line.repeat(count));
        let whole = export(20_000);
        assert!(write(&read(whole.clone(), "json").blocks).contains(whole.trim_end()));
        let long = write(&read(export(200_000), "json").blocks);
        assert!(
            long.starts_with("The first 110377 of 200002 lines of this file (4095 of 7421 KiB).\n"),
            "{}",
            long.get(..200).unwrap()
        );
    }
}
