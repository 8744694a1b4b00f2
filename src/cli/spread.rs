//! Owns what can be read from the service's own counters of durations: how they are spread, in classes that are powers of two.

/// Durations in classes: at most so many seconds, so many.
pub type Classes = [(f64, u64)];

/// What was counted between two looks.
#[must_use]
pub fn between(earlier: &Classes, later: &Classes) -> Vec<(f64, u64)> {
    let known = |bound: f64| {
        let class = earlier.iter().find(|(edge, _)| *edge == bound);
        class.map_or(0, |(_, count)| *count)
    };
    later
        .iter()
        .map(|(edge, count)| (*edge, count.saturating_sub(known(*edge))))
        .collect()
}

/// How many durations there are.
#[must_use]
pub fn count(classes: &Classes) -> u64 {
    classes.last().map_or(0, |(_, count)| *count)
}

/// The seconds that this share of the durations did not exceed, as if each class were filled evenly on the logarithmic scale; none
/// when nothing was counted.
#[must_use]
pub fn quantile(classes: &Classes, share: f64) -> Option<f64> {
    let rank = share * count(classes) as f64;
    if rank <= 0.0 {
        return None;
    }
    let (mut from, mut below) = (0.0, 0);
    for (edge, up_to) in classes {
        if *up_to as f64 >= rank && *up_to > below {
            let within = (rank - below as f64) / (up_to - below) as f64;
            // The first class begins at nothing; all others at half their end.
            return Some(if from > 0.0 {
                from * (edge / from).powf(within)
            } else {
                edge * within
            });
        }
        (from, below) = (*edge, *up_to);
    }
    classes.last().map(|(edge, _)| *edge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_lies_in_the_class_that_holds_it() {
        let classes = [(1.0, 0), (2.0, 50), (4.0, 99), (8.0, 100)];
        let median = quantile(&classes, 0.5).unwrap();
        assert_eq!(median, 2.0);
        let late = quantile(&classes, 0.9).unwrap();
        assert!((2.0..=4.0).contains(&late), "{late}");
        let last = quantile(&classes, 1.0).unwrap();
        assert_eq!(last, 8.0);
        assert_eq!(quantile(&[(1.0, 0), (2.0, 0)], 0.5), None);
        assert_eq!(quantile(&[], 0.5), None);
    }

    #[test]
    fn what_was_counted_between_two_looks_is_the_difference() {
        let earlier = [(1.0, 3), (2.0, 5)];
        let later = [(1.0, 3), (2.0, 9), (4.0, 10)];
        let between = between(&earlier, &later);
        assert_eq!(between, [(1.0, 0), (2.0, 4), (4.0, 10)]);
        assert_eq!(count(&between), 10);
    }
}
