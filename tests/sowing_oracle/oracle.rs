//! The rules of the games that sow, seed by seed on plain rows. Knows a game by its name and its rules by their text.

use mancalab::game::{Board, PitBoard};

/// A place: its side, and its pit from that side's left; the store without one.
pub type Place = (usize, Option<usize>);

#[derive(Clone, PartialEq, Debug)]
pub struct Oracle {
    pub game: &'static str,
    pub rules: String,
    pub rows: [Vec<u16>; 2],
    pub stores: [u16; 2],
    pub mover: usize,
}

impl Oracle {
    pub fn seeds(&self, side: usize) -> u16 {
        self.rows[side].iter().sum()
    }

    pub fn is(&self, rule: &str) -> bool {
        self.rules.contains(rule)
    }

    pub fn at(&mut self, (side, pit): Place) -> &mut u16 {
        match pit {
            Some(pit) => &mut self.rows[side][pit],
            None => &mut self.stores[side],
        }
    }

    pub fn next(&self, (side, pit): Place) -> Place {
        let last = self.rows[0].len() - 1;
        let clockwise = self.game == "vai-lung-thlan" && !self.is("counter");
        match pit {
            Some(0) if clockwise => (1 - side, Some(last)),
            Some(pit) if clockwise => (side, Some(pit - 1)),
            Some(pit) if pit < last => (side, Some(pit + 1)),
            Some(_) if side == self.mover && matches!(self.game, "kalah" | "ohvalhu") => (side, None),
            _ => (1 - side, Some(0)),
        }
    }

    pub fn take(&mut self, place: Place) {
        let seeds = std::mem::take(self.at(place));
        self.stores[self.mover] += seeds;
    }

    /// The board after all laps and captures, and the last place.
    pub fn sown(&self, pit: usize) -> (Oracle, Place) {
        let mut after = self.clone();
        let mut place = (self.mover, Some(pit));
        loop {
            let origin = place;
            for _ in 0..std::mem::take(after.at(origin)) {
                place = after.next(place);
                if place == origin && matches!(self.game, "oware" | "awari" | "erherhe") {
                    place = after.next(place);
                }
                *after.at(place) += 1;
            }
            if self.game != "ohvalhu" || place.1.is_none() || *after.at(place) == 1 {
                break;
            }
        }
        after.capture(place);
        (after, place)
    }

    pub fn capture(&mut self, last: Place) {
        let (side, Some(pit)) = last else { return };
        let before = self.clone();
        match self.game {
            "kalah" | "ohvalhu" => {
                let opposite = (1 - side, Some(self.rows[0].len() - 1 - pit));
                let alone = if self.game == "kalah" { self.is("empty") } else { !self.is("alone=stays") };
                if side == self.mover && *self.at(last) == 1 && (*self.at(opposite) > 0 || alone) {
                    self.take(last);
                    self.take(opposite);
                }
            }
            "vai-lung-thlan" => {
                // Backwards: the place whose next one is this.
                let all: Vec<Place> = (0..2).flat_map(|side| (0..6).map(move |pit| (side, Some(pit)))).collect();
                let mut place = last;
                while *self.at(place) == 1 {
                    self.take(place);
                    place = *all.iter().find(|&&other| self.next(other) == place).unwrap();
                }
            }
            _ if side == self.mover => {}
            game => {
                let counts = if game == "erherhe" { [1, 3] } else { [2, 3] };
                for pit in (0..=pit).rev() {
                    if !counts.contains(&self.rows[side][pit]) {
                        break;
                    }
                    self.take((side, Some(pit)));
                    if game == "erherhe" && !self.is("chain=yes") {
                        break;
                    }
                }
                if game == "oware" && !self.is("slam=") && self.seeds(side) == 0 {
                    *self = before;
                }
            }
        }
    }

    pub fn moves(&self) -> Vec<usize> {
        let mut all: Vec<usize> = (0..self.rows[0].len()).filter(|&pit| self.rows[self.mover][pit] > 0).collect();
        let other = 1 - self.mover;
        let feeds = |pit: &usize| self.sown(*pit).0.seeds(other) > 0;
        match self.game {
            "awari" if all.iter().any(feeds) => all.retain(feeds),
            "oware" if self.is("illegal") => all.retain(feeds),
            "oware" | "erherhe" if self.seeds(other) == 0 => all.retain(feeds),
            _ => {}
        }
        all
    }

    pub fn is_over(&self) -> bool {
        self.moves().is_empty()
    }

    pub fn play(&self, pit: usize) -> Oracle {
        let (mut after, last) = self.sown(pit);
        after.mover = if last.1.is_none() { self.mover } else { 1 - self.mover };
        after.settled()
    }

    /// Passes the turn of a side that cannot move, or gathers the seeds.
    pub fn settled(mut self) -> Oracle {
        let passes = matches!(self.game, "vai-lung-thlan" | "ohvalhu") && !self.is("stuck=ends");
        if self.is_over() && passes && self.seeds(1 - self.mover) > 0 {
            self.mover = 1 - self.mover;
        }
        let over_early = self.game == "kalah" && !self.is("end=mover") && self.seeds(1 - self.mover) == 0;
        if self.is_over() || over_early {
            for side in 0..2 {
                self.stores[side] += self.seeds(side);
                self.rows[side].fill(0);
            }
        }
        self
    }

    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { self.moves().into_iter().map(|pit| self.play(pit).perft(depth - 1)).sum() }
    }

    pub fn margin(&self) -> i32 {
        i32::from(self.stores[0]) - i32::from(self.stores[1])
    }

    pub fn board(&self) -> Board {
        Board::Pits(PitBoard { pits: self.rows.clone(), stores: self.stores })
    }

    pub fn name(&self, pit: usize) -> String {
        char::from(b"Aa"[self.mover] + pit as u8).to_string()
    }
}
