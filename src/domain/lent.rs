//! Owns who still holds what was lent, so that its owner keeps it until nobody does.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

/// What its owner lends. Clones are the owner's own, and count as nobody.
#[derive(Debug)]
pub struct Lendable<T>(Arc<Inner<T>>);

#[derive(Debug)]
struct Inner<T> {
    leases: AtomicUsize,
    thing: T,
}

/// A lease on it, which ends when it is dropped; a clone is another one.
#[derive(Debug)]
pub struct Lent<T>(Lendable<T>);

impl<T> Lendable<T> {
    /// Lent to nobody yet.
    #[must_use]
    pub fn new(thing: T) -> Self {
        let leases = AtomicUsize::new(0);
        Self(Arc::new(Inner { leases, thing }))
    }

    /// One lease more.
    #[must_use]
    pub fn lend(&self) -> Lent<T> {
        self.0.leases.fetch_add(1, Relaxed);
        Lent(self.clone())
    }

    /// Whether anybody holds a lease.
    #[must_use]
    pub fn is_lent(&self) -> bool {
        self.0.leases.load(Acquire) > 0
    }

    /// Whether the other is this very thing.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Clone for Lendable<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> Deref for Lendable<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0.thing
    }
}

impl<T> Clone for Lent<T> {
    fn clone(&self) -> Self {
        self.0.lend()
    }
}

impl<T> Deref for Lent<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0.0.thing
    }
}

impl<T> Drop for Lent<T> {
    fn drop(&mut self) {
        self.0.0.leases.fetch_sub(1, AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lent_is_held_until_the_last_lease_ends() {
        let owned = Lendable::new(7);
        let own = owned.clone();
        assert!(own.is(&owned) && !own.is(&Lendable::new(7)));
        assert!(!owned.is_lent(), "the owner's own clones are no leases");
        let first = owned.lend();
        let second = first.clone();
        assert_eq!(*first + *second + *own, 21);
        drop(first);
        assert!(own.is_lent());
        drop(second);
        assert!(!own.is_lent());
    }
}
