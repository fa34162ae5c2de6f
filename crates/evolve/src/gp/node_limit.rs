//! How large a generation may become: looked at while it is bred, so that what would fill the memory is never made.

use std::sync::atomic::{AtomicU64, Ordering};

/// The nodes that a generation in the making may have. Whether it has room for all of its programs depends on their sizes alone,
/// not on the order in which they ask.
pub(super) struct NodeLimit {
    most: u64,
    taken: AtomicU64,
}

impl NodeLimit {
    pub fn new(most: u64) -> NodeLimit {
        NodeLimit { most, taken: AtomicU64::new(0) }
    }

    /// The most nodes that one program may have.
    pub fn most(&self) -> usize {
        usize::try_from(self.most).unwrap_or(usize::MAX)
    }

    /// Gives what `make` makes, of so many nodes as `size` says, if there is room for it. Nothing is made any more once there was
    /// no room, or something was too large to be made.
    pub fn let_in<T>(&self, size: impl Fn(&T) -> usize, make: impl FnOnce() -> Option<T>) -> Option<T> {
        if self.taken.load(Ordering::Relaxed) > self.most {
            return None;
        }
        let made = make();
        // What is too large by itself fills all there is.
        let nodes = made.as_ref().map_or(self.most + 1, |made| size(made) as u64);
        let before = self.taken.fetch_add(nodes, Ordering::Relaxed);
        made.filter(|_| before + nodes <= self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of these sizes are let in.
    fn let_in(most: u64, sizes: &[Option<usize>]) -> usize {
        let room = NodeLimit::new(most);
        sizes.iter().filter(|size| room.let_in(|size| *size, || **size).is_some()).count()
    }

    #[test]
    fn all_are_let_in_that_there_is_room_for_and_nothing_after_them() {
        assert_eq!(let_in(10, &[Some(4), Some(6)]), 2);
        assert_eq!(let_in(9, &[Some(4), Some(6), Some(1)]), 1);
        assert_eq!(let_in(9, &[Some(1), None, Some(1)]), 1, "one was too large to be made");
        assert_eq!(let_in(9, &[Some(10)]), 0);
    }
}
