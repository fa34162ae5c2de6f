//! Sowing one lap: what is dropped where, from a small table.
//!
//! The places of a game are numbered in sowing order: the mover's pits from 0, the mover's store if it is sown into, and
//! the opponent's pits. A lap drops the same number into every place, and one more into a run of places after the
//! origin.

use super::words::{spread, total};

/// Most places: eight pits a side and a store.
const PLACES: usize = 17;

/// One seed in each of some consecutive places.
#[derive(Clone, Copy)]
pub struct Run {
    own: u64,
    other: u64,
    store: u8,
}

/// By origin and length.
pub type Runs = [[Run; PLACES]; PLACES];

/// Places of a board with `pits` a side.
pub const fn places(pits: u8, has_store: bool) -> u8 {
    2 * pits + has_store as u8
}

pub const fn runs(pits: u8, has_store: bool) -> Runs {
    let mut runs = [[Run { own: 0, other: 0, store: 0 }; PLACES]; PLACES];
    let places = places(pits, has_store) as usize;
    let mut origin = 0;
    while origin < places {
        let mut length = 1;
        while length < places {
            let mut run = runs[origin][length - 1];
            let place = (origin + length) % places;
            if place < pits as usize {
                run.own += 1 << (8 * place);
            } else if has_store && place == pits as usize {
                run.store += 1;
            } else {
                run.other += 1 << (8 * (place - pits as usize - has_store as usize));
            }
            runs[origin][length] = run;
            length += 1;
        }
        origin += 1;
    }
    runs
}

/// Both sides' pits while a move is made.
#[derive(Clone, Copy, Debug)]
pub struct Sown {
    /// The mover's pits and the opponent's, in sowing order.
    pub pits: [u64; 2],
    /// Seeds that the mover gains.
    pub gain: u8,
    /// Place of the last seed.
    pub last: u8,
}

impl Sown {
    /// Lifts the seeds of `place`, which is not the store, and sows them.
    #[inline(always)]
    pub fn lap(&mut self, runs: &Runs, (pits, has_store, skips): (u8, bool, bool), place: u8) {
        let places = places(pits, has_store);
        let (side, pit) = if place < pits { (0, place) } else { (1, place - pits - u8::from(has_store)) };
        let seeds = (self.pits[side] >> (8 * pit)) as u8;
        self.pits[side] &= !(0xff << (8 * pit));
        let lap = places - u8::from(skips);
        let laps = u64::from(seeds / lap);
        let rest = seeds % lap;
        let run = &runs[usize::from(place)][usize::from(rest)];
        let all = (u64::MAX >> (64 - 8 * pits)) & 0x0101_0101_0101_0101;
        self.pits[0] += run.own;
        self.pits[1] += run.other;
        self.gain += run.store;
        if laps > 0 {
            self.pits[0] += laps * all;
            self.pits[1] += laps * all;
            self.gain += laps as u8 * u8::from(has_store);
            if skips {
                self.pits[side] -= laps << (8 * pit);
            }
        }
        self.last = (place + if rest == 0 { lap } else { rest }) % places;
    }

    /// Seeds in the place of the last seed, on a board with a store; 0 in the store.
    #[inline]
    pub fn count(&self, pits: u8) -> u8 {
        match self.last.checked_sub(pits + 1) {
            None if self.last < pits => (self.pits[0] >> (8 * self.last)) as u8,
            None => 0,
            Some(pit) => (self.pits[1] >> (8 * pit)) as u8,
        }
    }

    /// Takes all seeds of two sets of pits, the mover's and the opponent's.
    #[inline]
    pub fn take(&mut self, sets: [u8; 2]) {
        for (pits, set) in self.pits.iter_mut().zip(sets) {
            let bytes = spread(set);
            self.gain += total(*pits & bytes);
            *pits &= !bytes;
        }
    }
}

/// The part of a set of places that ends at `last` and is unbroken backwards, around a board of `places`.
#[inline]
pub fn chain(set: u32, places: u8, last: u8) -> u32 {
    let twice = u64::from(set) | u64::from(set) << places;
    let top = u32::from(last) + u32::from(places);
    let length = (!(twice << (63 - top))).leading_zeros().min(places.into());
    let ones = ((1_u64 << length) - 1) << (top + 1 - length);
    ((ones | ones >> places) & ((1 << places) - 1)) as u32
}
