//! Owns sets of 64-bit digests: what the proofs look things up in, at eight bytes a member.
//!
//! A set is a sorted list. While it is built, it is sorted again each time it has doubled, so that building takes
//! `n log n` and never more than twice the room of its distinct members, however often hostile text repeats itself.

use std::cmp::Ordering;
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher};

/// Members from which on a growing set is sorted for the first time.
const FIRST_SORT: usize = 1_024;

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

/// A set of digests that is still taking members.
#[derive(Debug, Default)]
pub(super) struct Growing {
    members: Vec<u64>,
    /// How many there were after they were last sorted.
    distinct: usize,
}

impl Growing {
    /// Takes a member.
    pub(super) fn insert(&mut self, member: u64) {
        if self.members.len() >= 2 * self.distinct.max(FIRST_SORT) {
            self.sort();
            self.members
                .reserve_exact(self.members.len().max(2 * FIRST_SORT));
        } else if self.members.len() == self.members.capacity() {
            self.members
                .reserve_exact((self.members.len() / 8).max(2 * FIRST_SORT));
        }
        self.members.push(member);
    }

    /// Gives back the room that was kept for more: most members are there.
    pub(super) fn settle(&mut self) {
        self.sort();
        self.members.shrink_to_fit();
    }

    /// The set as it will be looked up in.
    pub(super) fn seal(mut self) -> Digests {
        self.settle();
        Digests(self.members)
    }

    fn sort(&mut self) {
        self.members.sort_unstable();
        self.members.dedup();
        self.distinct = self.members.len();
    }
}

impl Extend<u64> for Growing {
    fn extend<I: IntoIterator<Item = u64>>(&mut self, members: I) {
        members.into_iter().for_each(|member| self.insert(member));
    }
}

/// A set of digests.
#[derive(Debug, Default)]
pub(super) struct Digests(Vec<u64>);

impl Digests {
    /// How many members it has.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has this member.
    pub(super) fn contains(&self, member: u64) -> bool {
        self.0.binary_search(&member).is_ok()
    }

    /// Its members from `first` on, in order.
    pub(super) fn from(&self, first: u64) -> impl Iterator<Item = u64> {
        let start = self.0.partition_point(|member| *member < first);
        self.0.get(start..).unwrap_or_default().iter().copied()
    }

    /// How many members it has in common with another.
    pub(super) fn common(&self, other: &Self) -> usize {
        let (mut own, mut theirs) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut count = 0;
        while let (Some(one), Some(two)) = (own.peek(), theirs.peek()) {
            match one.cmp(two) {
                Ordering::Less => drop(own.next()),
                Ordering::Greater => drop(theirs.next()),
                Ordering::Equal => {
                    count += 1;
                    own.next();
                    theirs.next();
                }
            }
        }
        count
    }
}

impl FromIterator<u64> for Digests {
    fn from_iter<I: IntoIterator<Item = u64>>(members: I) -> Self {
        let mut growing = Growing::default();
        growing.extend(members);
        growing.seal()
    }
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
    fn a_growing_set_takes_at_most_twice_the_room_of_its_members() {
        let mut growing = Growing::default();
        for member in mixed(1_000_000, 3_000) {
            growing.insert(member);
            assert!(growing.members.capacity() <= 4 * 3_000);
        }
        assert_eq!(growing.seal().len(), 3_000);
    }

    #[test]
    fn two_sets_count_what_they_have_in_common() {
        let one: Digests = (0..100).collect();
        let two: Digests = (90..200).collect();
        assert_eq!(one.common(&two), 10);
        assert_eq!(two.common(&one), 10);
        assert_eq!(one.common(&Digests::default()), 0);
        assert_eq!(one.from(98).collect::<Vec<_>>(), [98, 99]);
    }
}
