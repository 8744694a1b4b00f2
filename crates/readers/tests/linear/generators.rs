//! Hostile texts of any size, one generator a row of `generators.tsv`: nested, repeated, unclosed, self-referring, in long lines, with
//! many headings, images, sentences, brackets, macros.

/// One kind of hostile text.
pub(crate) struct Generator {
    /// The file's name: its ending finds the reader.
    pub(crate) file: &'static str,
    /// What is hostile about it.
    pub(crate) name: &'static str,
    /// What is repeated; `{}` is the number of the repetition.
    piece: String,
    /// What stands before all.
    head: String,
    /// What stands behind all.
    tail: String,
}

impl Generator {
    /// About `bytes` bytes of it.
    pub(crate) fn text(&self, bytes: usize) -> String {
        let mut text = self.head.clone();
        let mut number = 0;
        while text.len() < bytes {
            text.push_str(&self.piece.replace("{}", &number.to_string()));
            number += 1;
        }
        text + &self.tail
    }
}

/// All of them.
pub(crate) fn generators() -> Vec<Generator> {
    let rows = include_str!("generators.tsv").lines();
    rows.filter(|row| !row.starts_with('#'))
        .map(|row| {
            let mut fields = row.split('\t');
            let mut next = || fields.next().unwrap_or_default();
            let (file, name) = (next(), next());
            let mut next = || unescaped(next());
            let (piece, head, tail) = (next(), next(), next());
            Generator {
                file,
                name,
                piece,
                head,
                tail,
            }
        })
        .collect()
}

/// A field with its line ends, blanks and backslashes.
fn unescaped(field: &str) -> String {
    let halves = field
        .split("\\\\")
        .map(|half| half.replace("\\n", "\n").replace("\\s", " "));
    halves.collect::<Vec<_>>().join("\\")
}
