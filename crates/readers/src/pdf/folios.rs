//! Knows the numbers of pages as they are printed, in figures and Roman.

/// The value of a page's number, in figures or Roman.
pub(crate) fn value(word: &str) -> Option<u16> {
    let word = word.trim_matches(['-', '–', '—', ' ', '[', ']', '|']);
    if !word.is_empty() && word.len() <= 4 && word.bytes().all(|b| b.is_ascii_digit()) {
        return word.parse().ok();
    }
    if !is_roman(word) {
        return None;
    }
    let values = word.chars().map(|c| match c.to_ascii_lowercase() {
        'i' => 1,
        'v' => 5,
        'x' => 10,
        'l' => 50,
        _ => 100,
    });
    let mut largest = 0;
    // From the right, what is smaller than what stands behind it is taken off.
    let total: i32 = values.rev().fold(0, |sum, value| {
        largest = largest.max(value);
        if value < largest {
            sum - value
        } else {
            sum + value
        }
    });
    u16::try_from(total).ok()
}

/// Whether words are the number of a page, as they are printed.
pub(crate) fn is_page_number(text: &str) -> bool {
    let text = text.trim().trim_matches(['-', '–', '—', ' ']);
    !text.is_empty() && text.len() <= 4 && text.chars().all(|c| c.is_ascii_digit())
        || is_roman(text)
}

fn is_roman(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty()
        && text.len() <= 7
        && text
            .chars()
            .all(|c| matches!(c.to_ascii_lowercase(), 'i' | 'v' | 'x' | 'l' | 'c'))
}
