//! Reads source code and structured data: by what they say of themselves, else as a code block to the letter.

use crate::data::{notebook, openapi, outline, prose, source, yaml};
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
        // A grammar of JavaCC is Java with productions in it.
        "java" | "jj" | "jjt" => "java",
        "kt" | "kts" => "kotlin",
        "swift" => "swift",
        "c" | "h" => "c",
        "cc" | "cpp" | "cxx" | "hpp" | "hh" | "hxx" => "cpp",
        "cs" => "csharp",
        "rb" | "rake" | "gemspec" => "ruby",
        "cr" => "crystal",
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
        "clj" | "cljs" | "cljc" => "clojure",
        "el" => "elisp",
        "lisp" => "lisp",
        "scm" => "scheme",
        "tcl" => "tcl",
        "nim" => "nim",
        "awk" => "awk",
        "fish" => "fish",
        "cmake" => "cmake",
        "groovy" | "gradle" => "groovy",
        "f90" | "f95" | "f03" => "fortran",
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
        "yaml" if openapi::may_be(&text) => yaml::read(&text),
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
        return source::read(&text, language)
            .or_else(|| prose::read(&text, language, value.as_ref()))
            .unwrap_or_else(|| outline::read(text, language, value.as_ref()));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn is_cut(document: &Document) -> bool {
        skillkiln_document::markdown::write(&document.blocks).contains("too long to be shown")
    }

    fn speeches(count: usize) -> String {
        let says = "The potter sets the kiln on a slow fire and waits until the glaze has melted. Then she lets it cool for a day, and opens it.";
        let records = vec![format!("{{\"name\": \"Ada\", \"text\": \"{says}\"}}"); count];
        records.join("\n")
    }

    #[test]
    fn long_data_with_running_text_is_not_cut() {
        let text = format!("[{}]", speeches(1_000).replace('\n', ","));
        assert!(!is_cut(&read(text, "json")));
    }

    #[test]
    fn long_data_with_a_record_on_each_line_is_not_cut_either() {
        assert!(!is_cut(&read(speeches(1_000), "json")));
    }

    #[test]
    fn long_data_with_short_values_is_cut() {
        let text = serde_json::json!(vec![["kiln", "oven"]; 10_000]).to_string();
        assert!(is_cut(&read(text, "json")));
    }

    #[test]
    fn short_data_with_running_text_is_shown_to_the_letter() {
        let document = read(speeches(1), "json");
        assert!(matches!(
            document.blocks.as_slice(),
            [Block {
                kind: BlockKind::Code { .. },
                ..
            }]
        ));
    }
}
