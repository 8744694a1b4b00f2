//! Owns the labels of numbered paragraphs that are more than a number, `[5]` or `TABLE I`: the text refers to them by these words.

/// What a caption begins with, as writers of several languages say and shorten it.
const CAPTIONS: &[&str] = &[
    "fig",
    "figs",
    "figure",
    "figura",
    "table",
    "tab",
    "tabelle",
    "tableau",
    "tabla",
    "tabela",
    "tabella",
    "abbildung",
    "abb",
];

/// How a label counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Count {
    Decimal,
    Roman,
    Letters,
}

/// What stands before the number of a paragraph and behind it, and how the number is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Label {
    before: String,
    after: String,
    count: Count,
    is_upper: bool,
}

impl Label {
    /// The label of these parts: a number in square brackets, or that of a caption. `None` for what the items of any list have, and
    /// for words before the steps of one. `format` is the name of the way to
    /// count in Word, or its first sign in OpenDocument.
    pub(crate) fn new(before: &str, after: &str, format: &str) -> Option<Self> {
        let is_cited = before.trim() == "[" && after.trim() == "]";
        let word = before.trim().trim_end_matches('.').to_lowercase();
        let is_caption =
            CAPTIONS.contains(&word.as_str()) && !after.contains(char::is_alphanumeric);
        let (count, is_upper) = match format {
            "decimal" | "1" => (Count::Decimal, false),
            "upperRoman" | "I" => (Count::Roman, true),
            "lowerRoman" | "i" => (Count::Roman, false),
            "upperLetter" | "A" => (Count::Letters, true),
            "lowerLetter" | "a" => (Count::Letters, false),
            _ => return None,
        };
        (is_cited || is_caption).then(|| Self {
            before: before.trim_start().to_owned(),
            after: after.trim_end().to_owned(),
            count,
            is_upper,
        })
    }

    /// The label of the paragraph with this number.
    pub(crate) fn text(&self, number: u64) -> String {
        let mut written = match self.count {
            Count::Roman if (1..4000).contains(&number) => roman(number),
            Count::Letters if (1..=26).contains(&number) => u8::try_from(number)
                .map(|number| char::from(b'a' + number - 1).to_string())
                .unwrap_or_default(),
            _ => number.to_string(),
        };
        if self.is_upper {
            written = written.to_uppercase();
        }
        format!("{}{written}{}", self.before, self.after)
    }
}

fn roman(mut number: u64) -> String {
    const VALUES: [(u64, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    let mut out = String::new();
    for (value, letters) in VALUES {
        while number >= value {
            out.push_str(letters);
            number -= value;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_more_than_a_number() {
        for (before, after, format, number, written) in [
            ("[", "]", "decimal", 5, Some("[5]")),
            ("TABLE ", ".", "I", 14, Some("TABLE XIV.")),
            ("Fig. ", "", "1", 2, Some("Fig. 2")),
            ("Step ", ":", "lowerLetter", 2, None),
            ("§ ", "", "decimal", 3, None),
            ("(", ")", "decimal", 1, None),
            ("", ".", "upperRoman", 1, None),
        ] {
            let label = Label::new(before, after, format);
            assert_eq!(
                label.map(|label| label.text(number)).as_deref(),
                written,
                "{before}{after}"
            );
        }
    }
}
