//! Lists of work: items that all threads of a pool compute, in pieces as short as the caller's budget.
//!
//! Every worker keeps its memory from one item to the next and suspends its item when the budget is spent. Which worker computes an
//! item, and in how many pieces, follows from threads and time, so outputs must depend on neither: they follow from the item, and
//! the caller orders them by a number that they carry.

use std::sync::{Mutex, PoisonError};

use super::budget::Budget;
use super::pool::Pool;

/// The shared input of all workers of a [`WorkList`].
pub trait Work: Sync {
    /// The data that a worker keeps between items, such as players and tables.
    type Memory: Send;
    /// An item in progress.
    type Item: Send;
    /// The result of an item.
    type Output: Send;

    /// Returns the memory of a worker that has computed nothing.
    fn memory(&self) -> Self::Memory;

    /// Begins the item with this number, from 0; `None` if there are no more items, for now or for good.
    fn begin(&self, number: usize) -> Option<Self::Item>;

    /// Continues an item. Returns its output; `None` if the budget is spent first, or the item cannot go on.
    fn advance(&self, memory: &mut Self::Memory, item: &mut Self::Item, budget: Budget) -> Option<Self::Output>;
}

/// The items of a list that were begun, and the workers.
pub struct WorkList<M, I> {
    workers: Vec<Worker<M, I>>,
    /// The number of the next item.
    next: usize,
}

struct Worker<M, I> {
    memory: M,
    item: Option<I>,
    /// Whether it begins items, rather than only finishing its own.
    begins: bool,
}

impl<M, I> Default for WorkList<M, I> {
    fn default() -> WorkList<M, I> {
        WorkList { workers: Vec::new(), next: 0 }
    }
}

impl<M: Send, I: Send> WorkList<M, I> {
    /// Drops the items in progress and begins again with number 0. The workers' memories stay.
    pub fn restart(&mut self) {
        self.next = 0;
        self.workers.iter_mut().for_each(|worker| worker.item = None);
    }

    /// Returns the items in progress.
    pub fn items(&self) -> impl Iterator<Item = &I> {
        self.workers.iter().filter_map(|worker| worker.item.as_ref())
    }

    /// Returns the workers' memories.
    pub fn memories(&self) -> impl Iterator<Item = &M> {
        self.workers.iter().map(|worker| &worker.memory)
    }

    /// Computes items until the budget is spent or none is left; returns the outputs of the finished ones.
    pub fn advance<W>(&mut self, work: &W, pool: &Pool, budget: Budget) -> Vec<W::Output>
    where
        W: Work<Memory = M, Item = I>,
    {
        // The workers of a larger pool than today's finish their items.
        let count = pool.count().max(self.workers.len());
        self.workers.resize_with(count, || Worker { memory: work.memory(), item: None, begins: true });
        for (number, worker) in self.workers.iter_mut().enumerate() {
            worker.begins = number < pool.count();
        }
        let next = Mutex::new(self.next);
        let begin = || {
            let mut next = next.lock().unwrap_or_else(PoisonError::into_inner);
            let item = work.begin(*next)?;
            *next += 1;
            Some(item)
        };
        let outputs = pool.map_each(&mut self.workers, |worker| worker.advance(work, &begin, budget));
        self.next = next.into_inner().unwrap_or_else(PoisonError::into_inner);
        outputs.into_iter().flatten().collect()
    }
}

impl<M, I> Worker<M, I> {
    fn advance<W>(&mut self, work: &W, begin: &(dyn Fn() -> Option<I> + Sync), budget: Budget) -> Vec<W::Output>
    where
        W: Work<Memory = M, Item = I>,
    {
        let mut outputs = Vec::new();
        while let Some(mut item) = self.item.take().or_else(|| self.begins.then(begin).flatten()) {
            let Some(output) = work.advance(&mut self.memory, &mut item, budget) else {
                self.item = Some(item);
                break;
            };
            outputs.push(output);
            if budget.is_spent() {
                break;
            }
        }
        outputs
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Items that need as many pieces as their number says; a worker's memory is the number of its pieces.
    struct Counts(usize);

    impl Work for Counts {
        type Memory = usize;
        type Item = (usize, usize);
        type Output = usize;

        fn memory(&self) -> usize {
            0
        }

        fn begin(&self, number: usize) -> Option<(usize, usize)> {
            (number < self.0).then_some((number, 0))
        }

        fn advance(&self, memory: &mut usize, (number, done): &mut (usize, usize), budget: Budget) -> Option<usize> {
            while done < number {
                *memory += 1;
                *done += 1;
                if done < number && budget.is_spent() {
                    return None;
                }
            }
            Some(*number)
        }
    }

    fn outputs(list: &mut WorkList<usize, (usize, usize)>, count: usize, threads: usize, budget: Budget) -> Vec<usize> {
        let mut outputs = list.advance(&Counts(count), &Pool::new(threads), budget);
        outputs.sort_unstable();
        outputs
    }

    #[test]
    fn every_item_is_computed_once_by_any_threads_in_pieces_of_any_length() {
        for threads in [1, 3] {
            let mut list = WorkList::default();
            assert_eq!(outputs(&mut list, 20, threads, Budget::UNLIMITED), (0..20).collect::<Vec<_>>());
            assert!(outputs(&mut list, 20, threads, Budget::UNLIMITED).is_empty());
            // Items that come later are dealt, too.
            assert_eq!(outputs(&mut list, 22, threads, Budget::UNLIMITED), [20, 21]);
            list.restart();
            let mut all = Vec::new();
            while all.len() < 20 {
                all.extend(outputs(&mut list, 20, threads, Budget::time(Duration::ZERO)));
            }
            all.sort_unstable();
            assert_eq!(all, (0..20).collect::<Vec<_>>());
            assert_eq!(list.memories().sum::<usize>(), (0..22).chain(0..20).sum::<usize>());
        }
    }

    #[test]
    fn workers_of_a_larger_pool_finish_their_items_and_begin_none() {
        let mut list = WorkList::default();
        let now = Budget::time(Duration::ZERO);
        let mut all = outputs(&mut list, 30, 4, now);
        while list.next < 10 {
            all.extend(outputs(&mut list, 30, 4, now));
        }
        let items = list.items().count();
        assert!((1..=4).contains(&items), "{items}");
        while all.len() < 30 {
            all.extend(outputs(&mut list, 30, 1, now));
            assert!(list.workers[1..].iter().all(|worker| !worker.begins));
        }
        all.sort_unstable();
        assert_eq!(all, (0..30).collect::<Vec<_>>());
    }
}
