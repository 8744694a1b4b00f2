//! Reads source code and structured data: by what they say of themselves, else as a code block to the letter.

use crate::data::{notebook, openapi, source};
use crate::words::{Pairs, pairs};
use serde_json::Value;
use skillkiln_document::blocks::{About, Block, BlockKind, Document, Span};
use skillkiln_document::text::Inline;

/// The languages of files, by their extensions, in the words of syntax highlighters.
static LANGUAGES: Pairs = pairs!(
    "json json  jsonl json  ndjson json  geojson json  ipynb json  yaml yaml  yml yaml  toml toml  xml xml  xsd xml  svg xml  fb2 xml \
     rss xml  atom xml  ini ini  cfg ini  conf ini  properties ini  rs rust  py python  pyi python  js javascript  mjs javascript \
     cjs javascript  jsx jsx  ts typescript  mts typescript  tsx tsx  go go  java java  kt kotlin  kts kotlin  swift swift  c c  h c \
     cc cpp  cpp cpp  cxx cpp  hpp cpp  hh cpp  cs csharp  rb ruby  php php  pl perl  pm perl  lua lua  r r  jl julia  scala scala \
     hs haskell  ml ocaml  mli ocaml  ex elixir  exs elixir  erl erlang  clj clojure  dart dart  zig zig  nix nix  sql sql  sh bash \
     bash bash  zsh bash  ps1 powershell  bat batch  cmd batch  css css  scss scss  vue vue  svelte svelte  graphql graphql \
     gql graphql  proto protobuf  tf hcl  hcl hcl  dockerfile dockerfile  mk makefile  makefile makefile  diff diff  patch diff"
);

/// The language of files with this extension.
pub(crate) fn language(extension: &str) -> Option<&'static str> {
    LANGUAGES.get(extension).copied()
}

/// Bytes of a file that are shown; of a longer one its beginning up to there, and that it is no more.
const BYTES_MAX: usize = 4 << 20;
/// Characters of a line of JSON from which on it is no line that anybody reads, and those behind which it is cut between its values.
const LINE_CHARS_MAX: usize = 1_000;
const LINE_CHARS: usize = 120;

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
    let mut code = text.get(..end).unwrap_or("").replace("\r\n", "\n");
    if language == "json" && code.lines().any(|line| line.len() > LINE_CHARS_MAX) {
        code = code.split_inclusive('\n').map(in_lines).collect();
    }
    blocks.push(Block {
        kind: BlockKind::Code {
            language: Some(language.to_owned()),
            text: code.trim_matches('\n').trim_end().to_owned(),
        },
        span: Span::of(0..end),
    });
    Document::of(None, About::default(), text, blocks)
}

/// A line of JSON, of a long one with breaks between its values: a part of it can be found, shown and cut.
fn in_lines(line: &str) -> String {
    if line.len() <= LINE_CHARS_MAX {
        return line.to_owned();
    }
    let mut out = String::with_capacity(line.len() + line.len() / LINE_CHARS);
    let (mut width, mut is_quoted, mut is_escaped) = (0, false, false);
    let mut signs = line.chars().peekable();
    while let Some(sign) = signs.next() {
        out.push(sign);
        width += 1;
        if sign == '"' && !is_escaped {
            is_quoted = !is_quoted;
        }
        let ends = sign == ',' && !is_quoted && width >= LINE_CHARS;
        if ends && signs.peek().is_some_and(|next| *next != '\n') {
            out.push('\n');
            width = 0;
        }
        is_escaped = sign == '\\' && !is_escaped;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillkiln_document::markdown::write;

    #[test]
    fn json_without_line_breaks_has_some_between_its_values() {
        let text = format!(
            "[{}0]",
            "{\"a, \\\", b\":[1,2],\"c\":\"\\\\\"},".repeat(200)
        );
        let document = read(text.clone(), "json");
        let BlockKind::Code { text: shown, .. } = &document.blocks[0].kind else {
            panic!("no code");
        };
        assert!(
            shown
                .lines()
                .all(|line| (1..2 * LINE_CHARS).contains(&line.len()))
        );
        let values = |json: &str| serde_json::from_str::<Value>(json).unwrap();
        assert_eq!(values(shown), values(&text));
    }

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
