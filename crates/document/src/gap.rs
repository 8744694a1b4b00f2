//! Owns which brackets show what may be left out of a call, `[insert NUM]`, and leave no gap for what somebody is still to write.

/// Whether what stands in brackets is a word as it is typed, and in capitals what stands for its values.
pub fn is_optional(inside: &str) -> bool {
    let mut words = inside.split_whitespace();
    let typed = words
        .next()
        .is_some_and(|word| word.chars().all(|c| c.is_ascii_lowercase()));
    let mut values = words.peekable();
    let is_value =
        |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    typed && values.peek().is_some() && values.all(is_value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_left_out_of_a_call_is_told_from_what_is_to_be_written() {
        for optional in ["insert NUM", "add POT_NAME", "enter ROW COLUMN"] {
            assert!(is_optional(optional), "{optional}");
        }
        for gap in [
            "insert name",
            "Add an example",
            "your NAME here",
            "insert",
            "",
            "INSERT NUM",
        ] {
            assert!(!is_optional(gap), "{gap}");
        }
    }
}
