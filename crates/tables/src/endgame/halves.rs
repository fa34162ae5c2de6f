//! The rows of pits of one side, by number, and the effects of moves on them.

use std::ops::Range;

use crate::game::kalah::{Capture, Rules, total};
use crate::rank::Ranks;

/// All rows with at most a number of seeds, those with fewer seeds first.
///
/// The rank of a board is the number of the mover's row plus an [`offset`](Halves::offset) by the opponent's row and the
/// mover's seeds. So ranks follow from a few small tables, and the boards with one row of the opponent and one number of
/// seeds of the mover are adjacent.
pub(super) struct Halves {
    pub rules: Rules,
    pub ranks: Ranks,
    /// The rows, one pit a byte.
    words: Vec<u64>,
    /// The first row with each number of seeds.
    starts: Vec<u32>,
    /// Offsets by the mover's seeds, from the place `first` of the opponent's row.
    offsets: Vec<u32>,
    first: Vec<u32>,
    /// By row and pit: the row without the pit's seeds.
    without: Vec<u32>,
    /// By row and pit: the row with one more seed in each pit up to this one; 0 if those are too many.
    plus: Vec<u32>,
    /// By row and pit: the row after sowing the pit as far as the store.
    sown: Vec<u32>,
}

/// The effect of a move that depends on the mover's row alone.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// The mover's row becomes `row`, and the first `ones` pits of the opponent get a seed each.
    Pass { row: u32, ones: usize },
    /// The last seed drops into the store.
    Again { row: u32 },
    /// The last seed drops into an empty pit: the mover's row becomes `taken` if it captures the opponent's seeds in
    /// `pit`, else `kept`.
    Capture { pit: usize, kept: u32, taken: u32 },
    /// The sowing reaches the mover's own pits again.
    Lap { pit: u8 },
}

impl Halves {
    /// `None` if the ranks of boards of at most `seeds` seeds do not fit 32 bits.
    pub fn new(rules: Rules, seeds: u8) -> Option<Halves> {
        let ranks = Ranks::new(rules.pits().into(), seeds)?;
        u32::try_from(ranks.count(seeds)).ok()?;
        let mut words = Vec::new();
        let mut starts = vec![0];
        for sum in 0..=seeds {
            add_rows(rules.pits(), sum, 0, &mut words);
            starts.push(words.len() as u32);
        }
        let none = Vec::new;
        let mut halves = Halves {
            rules,
            ranks,
            words,
            starts,
            offsets: none(),
            first: none(),
            without: none(),
            plus: none(),
            sown: none(),
        };
        for row in 0..halves.words.len() {
            halves.add_changes(halves.words[row], seeds);
        }
        Some(halves)
    }

    fn add_changes(&mut self, word: u64, seeds: u8) {
        let Halves { ranks, offsets, first, without, plus, sown, .. } = self;
        let number = |word: u64| if total(word) <= seeds { ranks.of_row(word) as u32 } else { 0 };
        first.push(offsets.len() as u32);
        offsets.extend((0..=seeds - total(word)).map(|own| ranks.of_opponent(word, own) as u32));
        let pits = usize::from(self.rules.pits());
        let ones = |pits: Range<usize>| pits.map(|pit| 1 << (8 * pit)).sum::<u64>();
        for pit in 0..pits {
            let emptied = word & !(0xff << (8 * pit));
            let end = pit + 1 + pit_of(word, pit);
            without.push(number(emptied));
            plus.push(number(word + ones(0..pit + 1)));
            sown.push(number(emptied + ones(pit + 1..end.min(pits))));
        }
    }

    /// The rows with this many seeds.
    pub fn rows(&self, seeds: u8) -> Range<u32> {
        self.starts[usize::from(seeds)]..self.starts[usize::from(seeds) + 1]
    }

    /// The row as a word.
    #[inline(always)]
    pub fn word(&self, row: u32) -> u64 {
        self.words[row as usize]
    }

    /// The part of a board's rank by the opponent's row and the mover's number of seeds.
    #[inline(always)]
    pub fn offset(&self, opponent: u32, own: u8) -> usize {
        self.offsets[self.first[opponent as usize] as usize + usize::from(own)] as usize
    }

    #[inline(always)]
    fn place(&self, row: u32, pit: usize) -> usize {
        row as usize * usize::from(self.rules.pits()) + pit
    }

    /// The row without the pit's seeds.
    #[inline(always)]
    pub fn without(&self, row: u32, pit: usize) -> u32 {
        self.without[self.place(row, pit)]
    }

    /// The row with a seed more in each of the first `ones` pits.
    #[inline(always)]
    pub fn plus(&self, row: u32, ones: usize) -> u32 {
        if ones == 0 { row } else { self.plus[self.place(row, ones - 1)] }
    }

    /// The effects of all moves of a row.
    pub fn steps(&self, row: u32) -> impl Iterator<Item = Step> {
        let pits = usize::from(self.rules.pits());
        (0..pits).filter(move |&pit| pit_of(self.word(row), pit) > 0).map(move |pit| self.step(row, pit))
    }

    fn step(&self, row: u32, pit: usize) -> Step {
        let pits = usize::from(self.rules.pits());
        let word = self.word(row);
        let sown = self.sown[self.place(row, pit)];
        let end = pit + pit_of(word, pit);
        if end == pits {
            Step::Again { row: sown }
        } else if end > 2 * pits {
            Step::Lap { pit: pit as u8 }
        } else if end > pits {
            Step::Pass { row: sown, ones: end - pits }
        } else if pit_of(word, end) > 0 {
            Step::Pass { row: sown, ones: 0 }
        } else {
            Step::Capture { pit: pits - 1 - end, kept: sown, taken: self.without(sown, end) }
        }
    }

    /// Whether a last seed in an empty pit is captured with the opposite pit empty.
    pub fn captures_alone(&self) -> bool {
        self.rules.capture() == Capture::Empty
    }
}

/// Seeds in a pit of a row.
#[inline(always)]
pub(super) fn pit_of(word: u64, pit: usize) -> usize {
    (word >> (8 * pit)) as usize & 0xff
}

/// Adds the rows of `sum` seeds in the first `pits` pits, in the order of their numbers; `above` has the pits after them.
fn add_rows(pits: u8, sum: u8, above: u64, words: &mut Vec<u64>) {
    if pits == 1 {
        return words.push(above << 8 | u64::from(sum));
    }
    for last in (0..=sum).rev() {
        add_rows(pits - 1, sum - last, above << 8 | u64::from(last), words);
    }
}
