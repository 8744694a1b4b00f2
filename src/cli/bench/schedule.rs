//! Owns when the generations of an open loop begin: a plan that does not wait for anybody. The latency of each is counted from its
//! time in the plan, so that a stall is felt by all that should have begun during it (coordinated omission).

use super::seeded::Dice;
use std::time::Duration;

/// The times at which generations should begin, counted from the start, in order.
#[derive(Debug, Clone)]
pub struct Schedule {
    rate: f64,
    until_s: f64,
    /// The seed's numbers, where the distances are drawn.
    dice: Option<Dice>,
    at_s: f64,
    count: u64,
}

impl Schedule {
    /// `rate` a second for `duration`, at even distances.
    #[must_use]
    pub fn even(rate: f64, duration: Duration) -> Self {
        Self {
            rate,
            until_s: duration.as_secs_f64(),
            dice: None,
            at_s: 0.0,
            count: 0,
        }
    }

    /// `rate` a second for `duration`, each independent of all others (a Poisson process), drawn by the seed.
    #[must_use]
    pub fn poisson(rate: f64, duration: Duration, seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        Self {
            at_s: -dice.share().ln() / rate,
            dice: Some(dice),
            ..Self::even(rate, duration)
        }
    }
}

impl Iterator for Schedule {
    type Item = Duration;

    fn next(&mut self) -> Option<Duration> {
        if self.at_s >= self.until_s {
            return None;
        }
        let at = Duration::from_secs_f64(self.at_s);
        self.count += 1;
        self.at_s = match &mut self.dice {
            // From the count and not from the last one, so that no error adds up.
            None => self.count as f64 / self.rate,
            Some(dice) => self.at_s - dice.share().ln() / self.rate,
        };
        Some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_even_schedule_keeps_its_distances_and_its_end() {
        let times: Vec<u128> = Schedule::even(4.0, Duration::from_secs(1))
            .map(|at| at.as_millis())
            .collect();
        assert_eq!(times, [0, 250, 500, 750]);
        let many = Schedule::even(3_000.0, Duration::from_secs(10));
        assert_eq!(many.count(), 30_000);
    }

    #[test]
    fn a_drawn_schedule_has_the_rate_and_the_spread_of_independent_arrivals() {
        let times: Vec<f64> = Schedule::poisson(1_000.0, Duration::from_secs(20), 5)
            .map(|at| at.as_secs_f64())
            .collect();
        assert!(times.is_sorted());
        assert!((19_000..21_000).contains(&times.len()), "{}", times.len());
        let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        let variance = gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / gaps.len() as f64;
        // Of an exponential distribution the standard deviation is the mean.
        assert!((variance.sqrt() / mean - 1.0).abs() < 0.05);
    }

    #[test]
    fn the_same_seed_draws_the_same_schedule() {
        let draw =
            |seed| Schedule::poisson(50.0, Duration::from_secs(2), seed).collect::<Vec<Duration>>();
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }
}
