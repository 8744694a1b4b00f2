//! Owns what a text costs its reader: tokens, by estimate.

use skillkiln_document::text::is_ideographic;

/// Tokens of a text: four characters of an alphabet make one, as does each ideograph.
#[must_use]
pub fn tokens(text: &str) -> usize {
    if text.is_ascii() {
        return text.len().div_ceil(4);
    }
    let (mut letters, mut signs) = (0_usize, 0_usize);
    for c in text.chars() {
        match is_ideographic(c) {
            true => signs += 1,
            false => letters += 1,
        }
    }
    signs + letters.div_ceil(4)
}

/// Tokens of a text by its length alone, as public measures count them: a quarter for each character.
#[must_use]
pub fn tokens_by_length(text: &str) -> usize {
    text.chars().count() / 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ideograph_costs_as_much_as_four_letters() {
        assert_eq!(tokens("fire the kiln..."), 4);
        assert_eq!(tokens("窯を焚く"), 4);
        assert_eq!(tokens_by_length("窯を焚く"), 1);
    }
}
