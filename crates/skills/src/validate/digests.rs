//! Owns sets of 64-bit digests: what the proofs look things up in, at eight bytes a member.
//!
//! A set is parted by the first bits of its members, and each part is a sorted list. While it is built, a part is sorted when it
//! is full and then given half as much room again, so that building takes `n log n` and never more than twice the room of its
//! distinct members, however often hostile text repeats itself. Parts are short, so that a long set takes up the room that
//! small things left behind: one long list moved to a larger place each time it grew, and left places that nothing else fits.

use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher};

/// Members for which a set has room at first.
const FIRST_ROOM: usize = 512;
/// Members of a part, on average, at which all parts are halved.
const PART_MEMBERS: usize = 512;
/// Most bits by which a set is parted.
const BITS_MAX: u32 = 20;

/// The digest of anything. It lives as long as the checks of one skill, so it need be the same in this process alone; the hasher
/// of the standard library, which stands up to those who look for collisions, took four times as long.
pub(super) fn digest(value: impl Hash) -> u64 {
    foldhash::quality::FixedState::default().hash_one(value)
}

/// A digest on which findings depend, where they are told by chance: it must not change.
pub(super) fn steady_digest(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Which of the parts a member belongs to, when there are as many as `bits` bits tell apart.
fn part_of(member: u64, bits: u32) -> usize {
    usize::try_from(member.checked_shr(u64::BITS - bits).unwrap_or(0)).unwrap_or(0)
}

/// Members that came last of which a set remembers that it has them, each in the place that its last bits name.
const LATELY: usize = 256;

/// A set of digests that is still taking members.
#[derive(Debug, Default)]
pub(super) struct Growing {
    /// What came lately: what a text says again, it mostly says again soon, and need not be sorted once more.
    lately: Vec<u64>,
    parts: Vec<Part>,
    /// There are two to the power of this many parts, or none yet.
    bits: u32,
    /// How many there were in all parts after these were last sorted.
    distinct: usize,
}

/// The members that begin with the same bits.
#[derive(Debug, Default)]
struct Part {
    members: Vec<u64>,
    /// How many there were after they were last sorted.
    distinct: usize,
}

impl Part {
    fn sort(&mut self) {
        // What came since the last time stands behind a long sorted run, which the stable sort makes use of.
        match self.distinct {
            0 => self.members.sort_unstable(),
            _ => self.members.sort(),
        }
        self.members.dedup();
        self.distinct = self.members.len();
    }

    /// The part with only these members, and room for half as many more.
    fn roomy(members: &[u64]) -> Self {
        let mut own = Vec::with_capacity(members.len() + (members.len() / 2).max(PART_MEMBERS / 8));
        own.extend_from_slice(members);
        Self {
            members: own,
            distinct: members.len(),
        }
    }
}

impl Growing {
    /// Takes a member.
    pub(super) fn insert(&mut self, member: u64) {
        if self.parts.is_empty() {
            self.parts.push(Part {
                members: Vec::with_capacity(FIRST_ROOM),
                distinct: 0,
            });
            // No place but the first may hold a zero, and none holds what belongs elsewhere.
            self.lately = vec![0; LATELY];
            self.lately.splice(..1, [1]);
        }
        let place = usize::try_from(member % LATELY as u64).unwrap_or(0);
        if let Some(before) = self.lately.get_mut(place)
            && std::mem::replace(before, member) == member
        {
            return;
        }
        let Some(part) = self.parts.get_mut(part_of(member, self.bits)) else {
            return;
        };
        if part.members.len() < part.members.capacity() {
            part.members.push(member);
            return;
        }
        let before = part.distinct;
        part.sort();
        let room = (part.distinct / 2).max(PART_MEMBERS / 8);
        part.members.reserve_exact(room);
        part.members.push(member);
        self.distinct = self.distinct + part.distinct - before;
        if self.distinct > self.parts.len() * PART_MEMBERS && self.bits < BITS_MAX {
            self.halve();
        }
    }

    /// Makes two parts of each.
    fn halve(&mut self) {
        self.bits += 1;
        let (mut parts, bits) = (Vec::with_capacity(self.parts.len() * 2), self.bits);
        for mut part in std::mem::take(&mut self.parts) {
            part.sort();
            let odd = |member: &u64| part_of(*member, bits) % 2 == 1;
            let middle = part.members.partition_point(|member| !odd(member));
            let (low, high) = part.members.split_at(middle);
            parts.extend([Part::roomy(low), Part::roomy(high)]);
        }
        self.distinct = parts.iter().map(|part| part.distinct).sum();
        self.parts = parts;
    }

    /// The set as it will be looked up in.
    pub(super) fn seal(self) -> Digests {
        let sealed = |mut part: Part| {
            part.sort();
            // A list that is only told to shrink keeps its place.
            Box::from(part.members.as_slice())
        };
        Digests {
            parts: self.parts.into_iter().map(sealed).collect(),
            bits: self.bits,
        }
    }
}

impl Extend<u64> for Growing {
    fn extend<I: IntoIterator<Item = u64>>(&mut self, members: I) {
        members.into_iter().for_each(|member| self.insert(member));
    }
}

/// A set of digests.
#[derive(Debug, Default)]
pub(super) struct Digests {
    parts: Box<[Box<[u64]>]>,
    bits: u32,
}

impl Digests {
    /// How many members it has.
    pub(super) fn len(&self) -> usize {
        self.parts.iter().map(|part| part.len()).sum()
    }

    /// Whether it has this member.
    pub(super) fn contains(&self, member: u64) -> bool {
        let part = self.parts.get(part_of(member, self.bits));
        part.is_some_and(|part| part.binary_search(&member).is_ok())
    }

    /// Its members from `first` on, in order.
    pub(super) fn from(&self, first: u64) -> impl Iterator<Item = u64> {
        let parts = self
            .parts
            .get(part_of(first, self.bits)..)
            .unwrap_or_default();
        let skipped = parts
            .first()
            .map_or(0, |part| part.partition_point(|member| *member < first));
        parts.iter().flatten().copied().skip(skipped)
    }
}

/// Which members of a set were met: a bit for each, where a second set would take eight bytes.
#[derive(Debug)]
pub(super) struct Tally<'a> {
    all: &'a Digests,
    /// Of each part, the bits of its members.
    met: Vec<Box<[u64]>>,
}

impl Digests {
    /// A tally of which nothing has been met yet.
    pub(super) fn tally(&self) -> Tally<'_> {
        let lengths = self.parts.iter().map(|part| part.len().div_ceil(64));
        Tally {
            all: self,
            met: lengths.map(|length| vec![0; length].into()).collect(),
        }
    }
}

impl Tally<'_> {
    /// Notes that a digest was met; one that is no member is nothing.
    pub(super) fn meet(&mut self, digest: u64) {
        let number = part_of(digest, self.all.bits);
        let part = self.all.parts.get(number);
        let Some(Ok(place)) = part.map(|part| part.binary_search(&digest)) else {
            return;
        };
        let bits = self
            .met
            .get_mut(number)
            .and_then(|part| part.get_mut(place / 64));
        if let Some(bits) = bits {
            *bits |= 1 << (place % 64);
        }
    }

    /// How many members were met.
    pub(super) fn met(&self) -> usize {
        let bits = self
            .met
            .iter()
            .flatten()
            .map(|bits| bits.count_ones() as usize);
        bits.sum()
    }
}

impl FromIterator<u64> for Digests {
    fn from_iter<I: IntoIterator<Item = u64>>(members: I) -> Self {
        let mut growing = Growing::default();
        growing.extend(members);
        growing.seal()
    }
}

/// The digest of the letters and digits of a text.
pub(super) fn digest_of_words(text: &str) -> u64 {
    let mut letters = String::with_capacity(text.len());
    letters.extend(text.chars().filter(|c| c.is_alphanumeric()));
    digest(letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn mixed(count: u64, kinds: u64) -> impl Iterator<Item = u64> {
        (0..count).map(move |number| digest(number % kinds))
    }

    #[test]
    fn a_set_holds_each_member_once_however_often_it_came() {
        let set: Digests = mixed(50_000, 7_000).collect();
        let plain: BTreeSet<u64> = mixed(50_000, 7_000).collect();
        assert_eq!(set.len(), plain.len());
        assert!(plain.iter().all(|member| set.contains(*member)));
        assert!(!set.contains(digest("none of them")));
    }

    #[test]
    fn a_member_that_came_lately_is_known_and_none_is_taken_for_another() {
        let lately = LATELY as u64;
        let members = [1, 0, 0, lately, 0, lately + 1, 1, u64::MAX, u64::MAX];
        let set: Digests = members.into_iter().collect();
        assert!(set.from(0).eq([0, 1, lately, lately + 1, u64::MAX]));
    }

    #[test]
    fn a_growing_set_takes_at_most_twice_the_room_of_its_members() {
        let mut growing = Growing::default();
        for member in mixed(1_000_000, 3_000) {
            growing.insert(member);
            let room: usize = growing
                .parts
                .iter()
                .map(|part| part.members.capacity())
                .sum();
            assert!(room <= 2 * 3_000);
        }
        assert_eq!(growing.seal().len(), 3_000);
    }

    #[test]
    fn a_long_set_and_one_of_likes_are_in_order() {
        for members in [
            mixed(200_000, 100_000).collect::<Vec<u64>>(),
            (0..100_000).map(|low| (7 << 32) | (low % 50_000)).collect(),
        ] {
            let plain: BTreeSet<u64> = members.iter().copied().collect();
            let set: Digests = members.into_iter().collect();
            assert!(set.from(0).eq(plain.iter().copied()));
            let middle = *plain.iter().nth(plain.len() / 2).unwrap();
            assert!(set.from(middle).eq(plain.range(middle..).copied()));
            assert!(set.from(middle + 1).eq(plain.range(middle + 1..).copied()));
            assert_eq!(set.from(u64::MAX).count(), 0);
        }
    }

    #[test]
    fn a_tally_counts_each_member_once_that_was_met_and_nothing_else() {
        let set: Digests = mixed(10_000, 5_000).collect();
        let mut tally = set.tally();
        assert_eq!(tally.met(), 0);
        // Of these, 2,000 are members, each of them twice.
        for number in (3_000..8_000).chain(3_000..8_000) {
            tally.meet(digest(number as u64));
        }
        assert_eq!(tally.met(), 2_000);
        let mut none = Digests::default();
        none.tally().meet(1);
        none = [1].into_iter().collect();
        assert_eq!(none.tally().met(), 0);
    }
}
