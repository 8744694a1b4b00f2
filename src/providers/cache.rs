//! Owns a small memory of what was fetched, so that a source that is asked for again need not be sent again.
//!
//! Invariant: the sizes of all entries never add up to more than the bound. The oldest entry leaves first.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

/// A cache bounded in bytes. Clones of its values are handed out, so values are cheap to clone.
#[derive(Debug)]
pub(super) struct Cache<V> {
    shelf: Mutex<Shelf<V>>,
    size_bytes_max: usize,
}

#[derive(Debug)]
struct Shelf<V> {
    entries: HashMap<String, (V, usize)>,
    /// Keys, oldest first; each key of `entries` exactly once.
    order: VecDeque<String>,
    size_bytes: usize,
}

/// What an entry costs beside its value: the key twice, and the tables.
const OVERHEAD_BYTES: usize = 256;

impl<V: Clone> Cache<V> {
    /// An empty cache of at most `size_bytes_max`.
    pub(super) fn new(size_bytes_max: usize) -> Self {
        Self {
            shelf: Mutex::new(Shelf {
                entries: HashMap::new(),
                order: VecDeque::new(),
                size_bytes: 0,
            }),
            size_bytes_max,
        }
    }

    /// The value kept under `key`.
    pub(super) fn get(&self, key: &str) -> Option<V> {
        let shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.entries.get(key).map(|(value, _)| value.clone())
    }

    /// Keeps `value`, making room for it. A value larger than an eighth of the whole cache is not kept: it would push out too much.
    pub(super) fn put(&self, key: &str, value: V, value_bytes: usize) {
        let size = value_bytes
            .saturating_add(key.len() * 2)
            .saturating_add(OVERHEAD_BYTES);
        let mut guard = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        let shelf = &mut *guard;
        if let Some((_, old)) = shelf.entries.remove(key) {
            shelf.size_bytes -= old;
            shelf.order.retain(|kept| kept != key);
        }
        if size > self.size_bytes_max / 8 {
            return;
        }
        while shelf.size_bytes + size > self.size_bytes_max {
            let Some(oldest) = shelf.order.pop_front() else {
                break;
            };
            if let Some((_, freed)) = shelf.entries.remove(&oldest) {
                shelf.size_bytes -= freed;
            }
        }
        shelf.size_bytes += size;
        shelf.order.push_back(key.to_owned());
        shelf.entries.insert(key.to_owned(), (value, size));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_oldest_entry_makes_room_for_the_newest() {
        let cache = Cache::new(8 * (OVERHEAD_BYTES + 102));
        for number in 0..9 {
            cache.put(&number.to_string(), number, 100);
        }
        assert_eq!(cache.get("0"), None);
        assert_eq!(cache.get("1"), Some(1));
        assert_eq!(cache.get("8"), Some(8));
    }

    #[test]
    fn a_value_that_would_push_out_all_others_is_not_kept() {
        let cache = Cache::new(100_000);
        cache.put("small", 1, 100);
        cache.put("large", 2, 90_000);
        assert_eq!((cache.get("small"), cache.get("large")), (Some(1), None));
    }

    proptest! {
        #[test]
        fn the_bound_holds_and_the_books_of_the_shelf_agree(puts in prop::collection::vec((0u8..20, 0usize..2_000), 0..200)) {
            let cache = Cache::new(10_000);
            for (key, size) in puts {
                cache.put(&key.to_string(), (), size);
                let shelf = cache.shelf.lock().unwrap();
                prop_assert!(shelf.size_bytes <= 10_000);
                prop_assert_eq!(shelf.size_bytes, shelf.entries.values().map(|(_, size)| size).sum::<usize>());
                prop_assert_eq!(shelf.order.len(), shelf.entries.len());
            }
        }
    }
}
