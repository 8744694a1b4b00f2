//! Owns chance that can be repeated: the same seed gives the same numbers with every version of this program, so that a saved run can
//! be measured again.

/// A source of numbers (SplitMix64, which is short enough to stand here and will never change).
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// From a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// One of all numbers.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// At least `from` and less than `to`.
    pub fn between(&mut self, from: u64, to: u64) -> u64 {
        from + self.roll() % to.saturating_sub(from).max(1)
    }

    /// One of the words; empty when there are none.
    pub fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        let length = words.len().max(1) as u64;
        let at = usize::try_from(self.roll() % length).unwrap_or(0);
        words.get(at).copied().unwrap_or_default()
    }

    /// More than 0 and at most 1.
    pub fn share(&mut self) -> f64 {
        ((self.roll() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers_for_ever() {
        let mut dice = Dice::new(1);
        let rolled = [dice.roll(), dice.roll()];
        assert_eq!(rolled, [0x910a_2dec_8902_5cc1, 0xbeeb_8da1_658e_ec67]);
    }

    #[test]
    fn a_number_keeps_within_its_bounds() {
        let mut dice = Dice::new(7);
        for _ in 0..1_000 {
            assert!((3..9).contains(&dice.between(3, 9)));
            let share = dice.share();
            assert!(share > 0.0 && share <= 1.0);
        }
        assert_eq!(dice.between(4, 4), 4);
        assert_eq!(dice.pick(&[]), "");
    }
}
