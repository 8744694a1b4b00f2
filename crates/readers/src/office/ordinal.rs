//! Writes the numbers of headings and items as their format says: in digits, Roman numerals or letters.

/// A way to write a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Format {
    /// 1, 2, 3.
    #[default]
    Digits,
    /// I, II, III.
    Roman,
    /// A, B, C.
    Letters,
    /// i, ii, iii.
    SmallRoman,
    /// a, b, c.
    SmallLetters,
}

impl Format {
    /// The format that Word or OpenDocument names so.
    pub(crate) fn named(name: &str) -> Self {
        match name {
            "upperRoman" | "I" => Self::Roman,
            "upperLetter" | "A" => Self::Letters,
            "lowerRoman" | "i" => Self::SmallRoman,
            "lowerLetter" | "a" => Self::SmallLetters,
            _ => Self::Digits,
        }
    }

    /// `number` in this format.
    pub(crate) fn write(self, number: u64) -> String {
        match self {
            Self::Digits => number.to_string(),
            Self::Roman => roman(number),
            Self::Letters => letters(number),
            Self::SmallRoman => roman(number).to_lowercase(),
            Self::SmallLetters => letters(number).to_lowercase(),
        }
    }
}

fn roman(number: u64) -> String {
    const SIGNS: [(u64, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    if !(1..4_000).contains(&number) {
        return number.to_string();
    }
    let mut rest = number;
    let mut out = String::new();
    for (value, sign) in SIGNS {
        while rest >= value {
            out.push_str(sign);
            rest -= value;
        }
    }
    out
}

/// A to Z, then AA to ZZ: the letter again, as word processors count.
fn letters(number: u64) -> String {
    let at = number.saturating_sub(1);
    let letter = u8::try_from(at % 26).map_or('A', |at| char::from(b'A' + at));
    let times = usize::try_from(at / 26).unwrap_or(usize::MAX).min(8);
    std::iter::repeat_n(letter, times + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_their_format() {
        let write = |name: &str, number| Format::named(name).write(number);
        assert_eq!(write("decimal", 12), "12");
        assert_eq!(write("upperRoman", 1994), "MCMXCIV");
        assert_eq!(write("i", 4), "iv");
        assert_eq!(write("upperLetter", 3), "C");
        assert_eq!(write("lowerLetter", 28), "bb");
    }
}
