//! Owns the memory for bodies that are being read: all of them together are bounded, whoever sends how many (decision 56).
//!
//! A body takes its place piece by piece as it arrives, so that announcing much and sending little takes little away from others.

use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// What a permit stands for.
const UNIT_BYTES: usize = 16 << 10;

/// The room for all bodies. Clones share it.
#[derive(Debug, Clone)]
pub(super) struct Room(Arc<Semaphore>);

impl Room {
    /// A room for so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        Self(Arc::new(Semaphore::new(
            bytes.div_ceil(UNIT_BYTES).min(Semaphore::MAX_PERMITS),
        )))
    }
}

/// What one body holds of the room; given back when it is dropped.
#[derive(Debug, Default)]
pub(super) struct Place {
    units: usize,
    held: Option<OwnedSemaphorePermit>,
}

impl Place {
    /// Makes the place large enough for `bytes`; false when the room is full.
    pub(super) fn grow(&mut self, room: &Room, bytes: usize) -> bool {
        let wanted = bytes.div_ceil(UNIT_BYTES);
        let missing = wanted.saturating_sub(self.units);
        if missing == 0 {
            return true;
        }
        let more = u32::try_from(missing)
            .ok()
            .and_then(|missing| room.0.clone().try_acquire_many_owned(missing).ok());
        let Some(more) = more else { return false };
        match &mut self.held {
            Some(held) => held.merge(more),
            None => self.held = Some(more),
        }
        self.units = wanted;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bodies_together_take_no_more_than_the_room() {
        let room = Room::new(4 * UNIT_BYTES);
        let (mut one, mut other) = (Place::default(), Place::default());
        assert!(one.grow(&room, 1));
        assert!(one.grow(&room, 3 * UNIT_BYTES));
        assert!(
            one.grow(&room, UNIT_BYTES),
            "a place never shrinks while its body is read"
        );
        assert!(other.grow(&room, UNIT_BYTES));
        assert!(!other.grow(&room, UNIT_BYTES + 1));
        drop(one);
        assert!(other.grow(&room, 4 * UNIT_BYTES));
    }
}
