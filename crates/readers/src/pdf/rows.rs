//! Tells the rows of tables apart where no rule does: a column of names beside what is told of them is no column of text.

/// Baselines of one row are no further apart, in points.
const LEVEL: f32 = 0.8;
/// So many of a hundred names stand beside a line of what is told, and there are no more of them to a hundred of those.
const LEVEL_OF_HUNDRED: usize = 90;
const NAMES_OF_HUNDRED: usize = 75;
/// So often more of what is told stands below a name before the next one.
const TOLD_ON_MIN: usize = 3;

/// Whether what stands in two columns are rows of a table, by the baselines of both, from top to bottom: each on the left begins with
/// one on the right, and some of those go on below it.
pub(crate) fn are_beside(names: &[f32], told: &[f32]) -> bool {
    let (Some(top), Some(bottom)) = (names.first(), names.last()) else {
        return false;
    };
    let is_level = |y: &f32, others: &[f32]| others.iter().any(|other| (other - y).abs() < LEVEL);
    let level = names.iter().filter(|y| is_level(y, told)).count();
    let inside: Vec<bool> = told
        .iter()
        .filter(|y| **y < top + LEVEL && **y > bottom - LEVEL)
        .map(|y| is_level(y, names))
        .collect();
    let told_on = inside
        .windows(2)
        .filter(|pair| matches!(pair, [true, false]));
    level * 100 >= names.len() * LEVEL_OF_HUNDRED
        && names.len() * 100 <= inside.len() * NAMES_OF_HUNDRED
        && told_on.count() >= TOLD_ON_MIN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_beside_what_is_told_of_them_are_rows_and_two_columns_of_text_are_none() {
        let lines = |count: u8| -> Vec<f32> {
            (0..count)
                .map(|row| 700.0 - 12.0 * f32::from(row))
                .collect()
        };
        let every_third: Vec<f32> = lines(24).into_iter().step_by(3).collect();
        assert!(are_beside(&every_third, &lines(24)));
        assert!(!are_beside(&lines(24), &lines(24)));
        assert!(!are_beside(&lines(24), &lines(12)));
        let aside: Vec<f32> = every_third.iter().map(|y| y - 4.0).collect();
        assert!(!are_beside(&aside, &lines(24)));
    }
}
