//! Kalah on boards of up to twelve pits a side.
//!
//! A pit may hold more than 255 seeds, so counts are two bytes and moves are made seed by seed. Boards of at most
//! [`MAX_PITS`](super::MAX_PITS) pits have the packed positions of [`Kalah`](super::Kalah); both go by one name.

use mancalab_base::Error;
use std::fmt;
use std::str::FromStr;

use super::board_game::trace;
use super::{Capture, End, Rules};
use crate::sowing::{board_game, planes};
use crate::{Bare, Board, BoardGame, Choice, Game, Move, Notation, PitBoard, Place, Planes, Side, TextError, Trace};

/// Maximal number of pits a side.
pub const MOST_PITS: u8 = 12;

/// Maximal number of seeds on a board.
const MOST_TOTAL: u16 = 2 * MOST_PITS as u16 * super::MAX_SEEDS as u16;

type Row = [u16; MOST_PITS as usize];

/// Rules of Kalah with 1 to [`MOST_PITS`] pits a side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct LargeRules(pub(super) Rules);

impl LargeRules {
    #[must_use]
    pub(super) fn choose(self, index: usize, chosen: usize) -> LargeRules {
        LargeRules(self.0.chosen_within(MOST_PITS, index, chosen))
    }
}

impl fmt::Display for LargeRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for LargeRules {
    type Err = Error;

    fn from_str(text: &str) -> Result<LargeRules, Error> {
        Rules::read(text, MOST_PITS).map(LargeRules)
    }
}

/// A position of Kalah; the game is over when all pits are empty, as all seeds are gathered then.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct LargeKalah {
    /// The mover's pits from the mover's left, and the opponent's from the opponent's.
    pits: [Row; 2],
    stores: [u16; 2],
    side: Side,
    rules: Rules,
}

impl LargeKalah {
    fn pits_a_side(&self) -> usize {
        self.rules.pits().into()
    }

    /// Sows `pit` and captures; whether the mover moves again.
    fn sow(&mut self, pit: usize) -> bool {
        let pits = self.pits_a_side();
        let seeds = std::mem::take(&mut self.pits[0][pit]);
        // Places in sowing order: the mover's pits, the mover's store, the opponent's pits.
        let mut place = pit;
        for _ in 0..seeds {
            place = (place + 1) % (2 * pits + 1);
            match place.checked_sub(pits) {
                None => self.pits[0][place] += 1,
                Some(0) => self.stores[0] += 1,
                Some(past) => self.pits[1][past - 1] += 1,
            }
        }
        if place < pits && self.pits[0][place] == 1 {
            let facing = self.pits[1][pits - 1 - place];
            if facing > 0 || self.rules.capture() == Capture::Empty {
                self.stores[0] += facing + 1;
                (self.pits[0][place], self.pits[1][pits - 1 - place]) = (0, 0);
            }
        }
        place == pits
    }

    /// Gathers the seeds if the game is over.
    fn ended(mut self) -> LargeKalah {
        let [own, other] = self.pits.map(|row| row.iter().sum::<u16>());
        if own == 0 || other == 0 && self.rules.end() == End::Either {
            self.stores = [self.stores[0] + own, self.stores[1] + other];
            self.pits = [[0; MOST_PITS as usize]; 2];
        }
        self
    }

    fn turned(self) -> LargeKalah {
        let ([own, other], [own_store, other_store]) = (self.pits, self.stores);
        LargeKalah { pits: [other, own], stores: [other_store, own_store], side: self.side.other(), ..self }
    }

    /// Extra turns first, nearest to the store first so that they remain available.
    pub fn ordered(&self) -> impl Iterator<Item = Move> {
        let pits = self.rules.pits();
        let own = self.pits[0];
        let is_again = move |pit: &u8| own[usize::from(*pit)] == u16::from(pits - pit);
        let again = (0..pits).rev().filter(is_again);
        let rest = (0..pits).rev().filter(move |pit| own[usize::from(*pit)] > 0 && !is_again(pit));
        again.chain(rest).map(Move::from)
    }

    fn pit_board(&self) -> PitBoard {
        let seats = if self.side == Side::South { *self } else { self.turned() };
        let row = |row: Row| row[..self.pits_a_side()].to_vec();
        PitBoard { pits: seats.pits.map(row), stores: seats.stores }
    }
}

impl Game for LargeKalah {
    type Moves = std::iter::Map<FilledPits, fn(u8) -> Move>;
    type Key = [Row; 2];

    fn side(&self) -> Side {
        self.side
    }

    fn is_over(&self) -> bool {
        self.pits[0].iter().all(|&seeds| seeds == 0)
    }

    fn moves(&self) -> Self::Moves {
        FilledPits { row: self.pits[0], next: 0 }.map(Move::from)
    }

    fn play(&self, mv: Move) -> LargeKalah {
        let mut next = *self;
        if next.sow(mv.index()) { next.ended() } else { next.turned().ended() }
    }

    fn margin(&self, side: Side) -> i32 {
        let margin = i32::from(self.stores[0]) - i32::from(self.stores[1]);
        if side == self.side { margin } else { -margin }
    }

    fn key(&self) -> [Row; 2] {
        self.pits
    }

    fn hash(key: &[Row; 2]) -> u64 {
        let mix =
            |hash: u64, &seeds: &u16| (hash ^ u64::from(seeds)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        let hash = key.iter().flatten().fold(0, mix);
        hash ^ (hash >> 32)
    }

    fn variant(&self) -> u64 {
        u64::from(self.rules.pits()) << 8 | (self.rules.end() as u64) << 1 | self.rules.capture() as u64
    }

    /// Every seed in a pit can go to either store.
    fn reach(&self) -> i32 {
        self.pits.iter().flatten().map(|&seeds| i32::from(seeds)).sum()
    }
}

/// The filled pits of a row.
#[derive(Clone, Copy, Debug)]
pub struct FilledPits {
    row: Row,
    next: u8,
}

impl Iterator for FilledPits {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let skipped = self.row[usize::from(self.next)..].iter().position(|&seeds| seeds > 0)?;
        let pit = self.next + skipped as u8;
        self.next = pit + 1;
        Some(pit)
    }
}

impl BoardGame for LargeKalah {
    type Rules = LargeRules;

    const NAME: &'static str = super::Kalah::NAME;
    const TITLE: &'static str = super::Kalah::TITLE;
    const ABOUT: &'static str = super::Kalah::ABOUT;
    const EXPLAINED: &'static [&'static str] = super::Kalah::EXPLAINED;
    const RULES_HELP: &'static str = super::Kalah::RULES_HELP;

    fn choices(rules: LargeRules) -> Vec<Choice> {
        rules.0.choices().into()
    }

    fn choose(rules: LargeRules, index: usize, chosen: usize) -> LargeRules {
        rules.choose(index, chosen)
    }

    fn start(LargeRules(rules): LargeRules) -> LargeKalah {
        let mut row = [0; MOST_PITS as usize];
        row[..usize::from(rules.pits())].fill(rules.seeds().into());
        LargeKalah { pits: [row; 2], stores: [0; 2], side: Side::South, rules }
    }

    fn rules(&self) -> LargeRules {
        LargeRules(self.rules)
    }

    fn board(&self) -> Board {
        Board::Pits(self.pit_board())
    }

    fn from_board(LargeRules(rules): LargeRules, board: &Board, side: Side) -> Result<LargeKalah, Error> {
        let board = board_game::checked(&rules.to_string(), rules.pits(), MOST_TOTAL, board)?;
        let mut pits = [[0; MOST_PITS as usize]; 2];
        for (row, counts) in pits.iter_mut().zip(&board.pits) {
            row[..counts.len()].copy_from_slice(counts);
        }
        let south = LargeKalah { pits, stores: board.stores, side: Side::South, rules };
        Ok(if side == Side::South { south } else { south.turned() }.ended())
    }

    fn places(&self, mv: Move) -> Vec<Place> {
        vec![Place::Pit(self.side, mv.0 as u8)]
    }

    fn trace(&self, mv: Move) -> Trace {
        trace(self.rules, self.side, &self.pit_board(), mv)
    }
}

impl Notation for LargeKalah {
    fn move_text(&self, mv: Move) -> String {
        board_game::pit_name(self.side, mv.0 as u8)
    }

    fn to_text(&self) -> String {
        board_game::print(&self.pit_board(), self.side)
    }

    fn from_text(rules: LargeRules, text: &str) -> Result<LargeKalah, TextError> {
        board_game::parse(rules, &rules, (rules.0.pits(), MOST_TOTAL), text)
    }

    fn recognise(text: &str) -> Option<Bare> {
        board_game::recognise(text, MOST_PITS)
    }
}

impl Planes for LargeKalah {
    const ENCODINGS: &'static [(&'static str, &'static str)] = &[planes::COUNTS];

    fn inputs(&self, _encoding: usize) -> usize {
        planes::inputs(self.rules.pits())
    }

    fn outputs(&self) -> usize {
        self.pits_a_side()
    }

    fn encode(&self, _encoding: usize, input: &mut Vec<(u16, f32)>) {
        let pits = self.pits.iter().flat_map(|row| &row[..self.pits_a_side()]).copied();
        planes::encode(pits, self.stores, self.rules.pits() * self.rules.seeds(), input);
    }

    fn output(&self, mv: Move) -> u16 {
        mv.0
    }
}

impl fmt::Debug for LargeKalah {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LargeKalah({}: {})", self.rules, self.to_text())
    }
}
