//! The limit on the size of a generation, checked during breeding, so that an oversized generation never fills the memory.

use std::sync::atomic::{AtomicU64, Ordering};

/// The node limit of a generation in progress. Whether all programs fit depends on their sizes alone, not on the order of
/// requests.
pub(super) struct NodeLimit {
    most: u64,
    taken: AtomicU64,
}

impl NodeLimit {
    pub fn new(most: u64) -> NodeLimit {
        NodeLimit { most, taken: AtomicU64::new(0) }
    }

    /// Returns the maximum number of nodes of a single program.
    pub fn most(&self) -> usize {
        usize::try_from(self.most).unwrap_or(usize::MAX)
    }

    /// Returns the result of `make`, whose number of nodes is given by `size`, if it fits. After the first refusal, or if
    /// `make` returns `None` because its result would be too large, nothing fits any more.
    pub fn let_in<T>(&self, size: impl Fn(&T) -> usize, make: impl FnOnce() -> Option<T>) -> Option<T> {
        if self.taken.load(Ordering::Relaxed) > self.most {
            return None;
        }
        let made = make();
        // A result that exceeds the limit on its own uses up the rest.
        let nodes = made.as_ref().map_or(self.most + 1, |made| size(made) as u64);
        let before = self.taken.fetch_add(nodes, Ordering::Relaxed);
        made.filter(|_| before + nodes <= self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how many of these sizes are accepted.
    fn let_in(most: u64, sizes: &[Option<usize>]) -> usize {
        let limit = NodeLimit::new(most);
        sizes.iter().filter(|size| limit.let_in(|size| *size, || **size).is_some()).count()
    }

    #[test]
    fn all_are_let_in_that_there_is_room_for_and_nothing_after_them() {
        assert_eq!(let_in(10, &[Some(4), Some(6)]), 2);
        assert_eq!(let_in(9, &[Some(4), Some(6), Some(1)]), 1);
        assert_eq!(let_in(9, &[Some(1), None, Some(1)]), 1, "one was too large to be made");
        assert_eq!(let_in(9, &[Some(10)]), 0);
    }
}
