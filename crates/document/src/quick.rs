//! Owns the maps and sets that are looked into once a word: with a hasher that takes a fifth of the time of the standard library's.

use foldhash::fast::RandomState;
use std::collections::{HashMap, HashSet};

/// A map for short keys.
pub type QuickMap<K, V> = HashMap<K, V, RandomState>;
/// A set for short keys.
pub type QuickSet<T> = HashSet<T, RandomState>;
