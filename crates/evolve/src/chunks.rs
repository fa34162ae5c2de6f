//! The rows of a run in memory, in chunks that a run and its views share: a clone, and a row more, cost the same for any length.

use std::sync::Arc;

/// A list that only grows.
#[derive(Clone, PartialEq, Debug)]
pub struct Chunks<T> {
    full: Arc<Vec<Arc<[T]>>>,
    rest: Vec<T>,
}

/// Rows per chunk.
const PIECE: usize = 64;

impl<T> Default for Chunks<T> {
    fn default() -> Chunks<T> {
        Chunks { full: Arc::default(), rest: Vec::new() }
    }
}

impl<T> FromIterator<T> for Chunks<T> {
    fn from_iter<I: IntoIterator<Item = T>>(rows: I) -> Chunks<T> {
        let mut chunks = Chunks::default();
        rows.into_iter().for_each(|row| chunks.push(row));
        chunks
    }
}

impl<T> Chunks<T> {
    pub fn push(&mut self, row: T) {
        self.rest.push(row);
        if self.rest.len() == PIECE {
            let piece = Arc::from(std::mem::take(&mut self.rest));
            Arc::make_mut(&mut self.full).push(piece);
        }
    }

    pub fn len(&self) -> usize {
        self.full.len() * PIECE + self.rest.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the row with this number, from 0.
    pub fn get(&self, at: usize) -> Option<&T> {
        match self.full.get(at / PIECE) {
            Some(piece) => piece.get(at % PIECE),
            None => self.rest.get(at.checked_sub(self.full.len() * PIECE)?),
        }
    }

    pub fn last(&self) -> Option<&T> {
        self.len().checked_sub(1).and_then(|last| self.get(last))
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.full.iter().flat_map(|piece| piece.iter()).chain(&self.rest)
    }

    /// Returns the rows behind the first `count`.
    pub fn behind(&self, count: usize) -> impl Iterator<Item = &T> {
        (count..self.len()).filter_map(|at| self.get(at))
    }

    /// Returns about `most` rows from `from` to `to`: the multiples of a step, which stay the same while the run grows, and the
    /// newest.
    pub fn between(&self, from: u64, to: u64, most: usize) -> impl Iterator<Item = &T> {
        let last = self.len().saturating_sub(1).min(usize::try_from(to).unwrap_or(usize::MAX));
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        let step = (last.saturating_sub(from) + 1).div_ceil(most.max(1)).next_power_of_two();
        let steps = (from.div_ceil(step).saturating_mul(step)..=last).step_by(step);
        let newest = (from <= last && last % step != 0).then_some(last);
        steps.chain(newest).filter_map(|at| self.get(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_those_of_a_list_of_any_length() {
        for len in [0, 1, PIECE - 1, PIECE, PIECE + 1, 10 * PIECE + 3] {
            let list = (0..len).collect::<Vec<_>>();
            let mut chunks = Chunks::default();
            for &row in &list {
                let before: Chunks<usize> = chunks.clone();
                chunks.push(row);
                assert_eq!((before.len(), before.last()), (row, row.checked_sub(1).as_ref()), "a view stays as it is");
            }
            assert!(chunks.iter().eq(&list) && chunks.len() == len && chunks.is_empty() == list.is_empty());
            assert_eq!(chunks, list.iter().copied().collect());
            assert!((0..=len).all(|at| chunks.get(at) == list.get(at) && chunks.behind(at).eq(&list[at..])));
        }
    }

    #[test]
    fn a_span_has_the_multiples_of_a_step_and_the_newest() {
        let chunks: Chunks<usize> = (0..1000).collect();
        let between = |from, to, most| chunks.between(from, to, most).copied().collect::<Vec<_>>();
        assert_eq!(between(0, 9, 10), (0..10).collect::<Vec<_>>());
        assert_eq!(between(995, u64::MAX, 3), [996, 998, 999]);
        assert_eq!(between(0, 5000, 3), [0, 512, 999]);
        assert!(between(2000, 5000, 3).is_empty() && Chunks::<usize>::default().between(0, 9, 9).next().is_none());
    }
}
