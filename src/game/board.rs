//! A board of pits and stores as plain counts, for drawing, editing and telling what a move does. Never on a hot path.

use super::Side;

/// Seeds in every pit and store. Pits are counted from the left of the side that owns them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PitBoard {
    /// `[south, north]`; both rows have the same length.
    pub pits: [Vec<u16>; 2],
    /// `[south, north]`.
    pub stores: [u16; 2],
}

/// One place on a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cell {
    Pit(Side, u8),
    Store(Side),
}

/// What one move does, in the order in which a hand would do it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    pub mover: Side,
    /// The pit that is emptied first.
    pub origin: Cell,
    /// Where each seed falls, in order.
    pub sown: Vec<Cell>,
    /// What goes to the mover's store by capture: the pit and its count, the capturing seed included.
    pub captured: Vec<(Cell, u16)>,
    /// What each side gathers from its own pits because the game is over.
    pub gathered: Vec<(Cell, u16)>,
    /// The mover moves again.
    pub extra_turn: bool,
    pub over: bool,
}

impl PitBoard {
    pub fn pits_a_side(&self) -> usize {
        self.pits[0].len()
    }

    pub fn get(&self, cell: Cell) -> u16 {
        match cell {
            Cell::Pit(side, pit) => self.pits[side.index()][usize::from(pit)],
            Cell::Store(side) => self.stores[side.index()],
        }
    }

    pub fn get_mut(&mut self, cell: Cell) -> &mut u16 {
        match cell {
            Cell::Pit(side, pit) => &mut self.pits[side.index()][usize::from(pit)],
            Cell::Store(side) => &mut self.stores[side.index()],
        }
    }

    /// All seeds, stores included.
    pub fn total(&self) -> u32 {
        self.pits.iter().flatten().chain(&self.stores).map(|&n| u32::from(n)).sum()
    }
}

impl Trace {
    /// How many frames an animation of the move has, the start excluded: one to lift the seeds, one a seed, one for a
    /// capture and one for the gathering.
    pub fn frames(&self) -> usize {
        1 + self.sown.len() + usize::from(!self.captured.is_empty()) + usize::from(!self.gathered.is_empty())
    }

    /// The board after `frame` frames of the move, starting from `before`: 0 is `before` itself, [`frames`](Trace::frames) the end.
    pub fn at(&self, before: &PitBoard, frame: usize) -> PitBoard {
        let mut board = before.clone();
        if frame == 0 {
            return board;
        }
        *board.get_mut(self.origin) = 0;
        for &cell in self.sown.iter().take(frame - 1) {
            *board.get_mut(cell) += 1;
        }
        let mut done = 1 + self.sown.len();
        if !self.captured.is_empty() {
            done += 1;
            if frame >= done {
                for &(cell, seeds) in &self.captured {
                    *board.get_mut(cell) = 0;
                    *board.get_mut(Cell::Store(self.mover)) += seeds;
                }
            }
        }
        if !self.gathered.is_empty() && frame > done {
            for &(cell, seeds) in &self.gathered {
                let Cell::Pit(owner, _) = cell else { continue };
                *board.get_mut(cell) = 0;
                *board.get_mut(Cell::Store(owner)) += seeds;
            }
        }
        board
    }

    /// The cell that the animation is at after `frame` frames, if one is.
    pub fn hand(&self, frame: usize) -> Option<Cell> {
        match frame {
            0 => None,
            1 => Some(self.origin),
            _ => self.sown.get(frame - 2).copied(),
        }
    }
}
