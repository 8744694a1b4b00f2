//! Reads the chunks of code in a document of Sweave or knitr, which R runs before LaTeX reads what is left: `<<name>>=` up to `@`.

use crate::markup::latex::Reader;
use skillkiln_document::blocks::{Block, BlockKind, Span};

/// How far a chunk may reach.
const CHUNK_BYTES_MAX: usize = 100_000;

impl Reader<'_> {
    /// Takes the chunk that begins here, if one does.
    pub(super) fn chunk(&mut self) -> bool {
        let begins_line = self
            .text
            .get(..self.at)
            .is_some_and(|before| before.is_empty() || before.ends_with('\n'));
        let rest = self.rest();
        let Some(line) = rest.lines().next().filter(|_| begins_line) else {
            return false;
        };
        if !is_start(line) {
            return false;
        }
        let from = (line.len() + 1).min(rest.len());
        let limit = rest.floor_char_boundary(CHUNK_BYTES_MAX);
        let body = rest.get(from..limit.max(from)).unwrap_or("");
        let mut length = 0;
        let mut end = None;
        for line in body.split_inclusive('\n') {
            let words = line.trim_end();
            if words == "@" || words.starts_with("@ ") {
                end = Some(line.len());
                break;
            }
            if is_start(line) {
                end = Some(0);
                break;
            }
            length += line.len();
        }
        // One that nobody ended reaches as far as the text, where that is not too far.
        let Some(end) = end.or((limit == rest.len()).then_some(0)) else {
            return false;
        };
        self.end_paragraph();
        let text = body.get(..length).unwrap_or("").trim_matches(['\n', '\r']);
        let text = text.trim_end().replace("\r\n", "\n");
        let start = self.at + from;
        if !text.is_empty() {
            self.push(Block {
                kind: BlockKind::Code {
                    language: Some("r".to_owned()),
                    text,
                },
                span: Span::of(start..start + length),
            });
        }
        self.at = start + length + end;
        true
    }
}

/// Whether a line begins a chunk.
fn is_start(line: &str) -> bool {
    let inner = line.strip_prefix("<<");
    inner.is_some_and(|inner| inner.trim_end().ends_with(">>="))
}

#[cfg(test)]
mod tests {
    use crate::markup::latex::read;
    use skillkiln_document::markdown::write;

    #[test]
    fn a_chunk_is_code() {
        let source = "Fire it:\n<<fire>>=\nx <- c(1, 2)\n\nfire(x) # $hot\n@\nand wait.\n\n<<echo=FALSE, fig=TRUE>>=\nplot(x)\n<<>>=\nwait(x)\n@\n\nIt is 1 << 2 hot.\n";
        assert_eq!(
            write(&read(source.to_owned()).blocks),
            "Fire it:\n\n```r\nx <- c(1, 2)\n\nfire(x) # $hot\n```\n\nand wait.\n\n```r\nplot(x)\n```\n\n```r\nwait(x)\n```\n\nIt is 1 << 2 hot.\n"
        );
    }
}
