//! Boards as counts and pieces, for display, editing and animation. Never on a hot path.
//!
//! A [`Board`] consists of pits or squares; a [`Place`] is one location on it. A move is a list of [`Step`]s, and an
//! animation applies them to the board one by one ([`Trace::at`]).

use super::Side;

/// One location on a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// Counted from the left of the side that owns it.
    Pit(Side, u8),
    Store(Side),
    /// Counted row by row from the upper left corner, as South sees the board.
    Square(u8),
}

/// Contents of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Board {
    Pits(PitBoard),
    Squares(Squares),
}

/// Seeds in every pit and store. Pits are counted from the left of the side that owns them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PitBoard {
    /// `[south, north]`; both rows have the same length.
    pub pits: [Vec<u16>; 2],
    /// `[south, north]`.
    pub stores: [u16; 2],
}

/// Pieces on squares, at most one on each. There are at most 26 files and 255 squares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Squares {
    pub files: u8,
    pub ranks: u8,
    /// The playable squares, which also decide the squares' names.
    pub ground: Ground,
    /// Row by row from the upper left corner, as South sees the board.
    pub pieces: Vec<Option<Piece>>,
}

/// The playable squares of a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ground {
    /// All squares, named by file and rank: `d3`.
    Whole,
    /// The dark squares, the lower left corner among them, numbered row by row from the lower right, as South sees the
    /// board.
    Dark,
}

/// A piece on a square: a disc, a man or a king.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    pub side: Side,
    pub king: bool,
}

impl Piece {
    /// A disc or man of `side`.
    pub fn man(side: Side) -> Piece {
        Piece { side, king: false }
    }
}

/// One step of a move, one frame of its animation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Picks up all seeds of a pit, or the piece on a square.
    Lift(Place),
    /// Drops one seed, or the piece picked up.
    Drop(Place),
    /// Captures seeds, with their counts, into the mover's store, or removes captured pieces.
    Take(Vec<(Place, u16)>),
    /// Moves the remaining seeds, with their counts, into their owners' stores at the end of the game.
    Gather(Vec<(Place, u16)>),
    /// Places a new piece on a square.
    Place(u8, Piece),
    /// Flips pieces to the other side.
    Flip(Vec<u8>),
    /// Promotes the man on a square to a king.
    Promote(u8),
}

/// The steps of one move, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    pub mover: Side,
    /// Empty for a pass.
    pub steps: Vec<Step>,
    /// The same side moves again, by a rule of the move itself.
    pub extra_turn: bool,
    pub over: bool,
}

impl Board {
    /// Score of each side, `[south, north]`: seeds in the store, or pieces.
    pub fn counts(&self) -> [u16; 2] {
        match self {
            Board::Pits(board) => board.stores,
            Board::Squares(board) => Side::BOTH.map(|side| board.count(side)),
        }
    }

    /// Upper bound of a side's score: all seeds, or a piece on every square.
    pub fn most(&self) -> u32 {
        match self {
            Board::Pits(board) => board.total(),
            Board::Squares(board) => board.pieces.len() as u32,
        }
    }

    /// All playable places, pits before stores.
    pub fn places(&self) -> Vec<Place> {
        match self {
            Board::Pits(board) => board.places().collect(),
            Board::Squares(board) => board.squares().filter(|&at| board.is_played_on(at)).map(Place::Square).collect(),
        }
    }

    /// Name of a place: `C` for South's third pit, `c` for North's, `d3` for a square. Stores have no name.
    pub fn name(&self, place: Place) -> String {
        match (self, place) {
            (_, Place::Pit(side, pit)) => {
                let first = if side == Side::South { b'A' } else { b'a' };
                char::from(first.saturating_add(pit)).to_string()
            }
            (Board::Squares(board), Place::Square(square)) => board.name(square),
            (_, Place::Store(_)) | (Board::Pits(_), Place::Square(_)) => String::new(),
        }
    }
}

impl PitBoard {
    pub fn pits_a_side(&self) -> usize {
        self.pits[0].len()
    }

    /// All pits, then both stores.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        let pits = self.pits_a_side() as u8;
        let rows = Side::BOTH.into_iter().flat_map(move |side| (0..pits).map(move |pit| Place::Pit(side, pit)));
        rows.chain(Side::BOTH.map(Place::Store))
    }

    /// Seeds in a place; 0 if the place is not on this board.
    pub fn get(&self, place: Place) -> u16 {
        match place {
            Place::Pit(side, pit) => self.pits[side.index()].get(usize::from(pit)).copied().unwrap_or(0),
            Place::Store(side) => self.stores[side.index()],
            Place::Square(_) => 0,
        }
    }

    /// `None` if the place is not on this board.
    pub fn get_mut(&mut self, place: Place) -> Option<&mut u16> {
        match place {
            Place::Pit(side, pit) => self.pits[side.index()].get_mut(usize::from(pit)),
            Place::Store(side) => Some(&mut self.stores[side.index()]),
            Place::Square(_) => None,
        }
    }

    /// All seeds, stores included.
    pub fn total(&self) -> u32 {
        self.pits.iter().flatten().chain(&self.stores).map(|&n| u32::from(n)).sum()
    }

    fn set(&mut self, place: Place, seeds: u16) {
        if let Some(count) = self.get_mut(place) {
            *count = seeds;
        }
    }

    fn add(&mut self, place: Place, seeds: u16) {
        self.set(place, self.get(place).saturating_add(seeds));
    }

    fn follow(&mut self, step: &Step, mover: Side) {
        match step {
            Step::Lift(place) => self.set(*place, 0),
            Step::Drop(place) => self.add(*place, 1),
            Step::Take(taken) => {
                for &(place, seeds) in taken {
                    self.set(place, 0);
                    self.add(Place::Store(mover), seeds);
                }
            }
            Step::Gather(gathered) => {
                for &(place, seeds) in gathered {
                    let Place::Pit(owner, _) = place else { continue };
                    self.set(place, 0);
                    self.add(Place::Store(owner), seeds);
                }
            }
            Step::Place(..) | Step::Flip(_) | Step::Promote(_) => {}
        }
    }
}

impl Squares {
    /// A board without pieces.
    pub fn empty(files: u8, ranks: u8) -> Squares {
        Squares { files, ranks, ground: Ground::Whole, pieces: vec![None; usize::from(files) * usize::from(ranks)] }
    }

    /// A board without pieces on which only the dark squares are playable.
    pub fn dark(files: u8, ranks: u8) -> Squares {
        Squares { ground: Ground::Dark, ..Squares::empty(files, ranks) }
    }

    /// Whether this square is playable.
    pub fn is_played_on(&self, square: u8) -> bool {
        let row = square / self.files;
        let file = square % self.files;
        self.ground == Ground::Whole || (self.ranks - 1 - row.min(self.ranks - 1) + file).is_multiple_of(2)
    }

    pub fn squares(&self) -> impl Iterator<Item = u8> + use<> {
        0..self.pieces.len() as u8
    }

    /// The playable squares.
    pub fn played_on(&self) -> impl Iterator<Item = u8> {
        self.squares().filter(|&square| self.is_played_on(square))
    }

    /// Whether the game has kings: boards of dark squares are for checkers.
    pub fn has_kings(&self) -> bool {
        self.ground == Ground::Dark
    }

    /// Number of a side's kings.
    pub fn count_kings(&self, side: Side) -> u16 {
        self.pieces.iter().flatten().filter(|piece| piece.side == side && piece.king).count() as u16
    }

    pub fn get(&self, square: u8) -> Option<Piece> {
        self.pieces.get(usize::from(square)).copied().flatten()
    }

    /// Sets a square; no effect if it does not exist.
    pub fn set(&mut self, square: u8, piece: Option<Piece>) {
        if let Some(place) = self.pieces.get_mut(usize::from(square)) {
            *place = piece;
        }
    }

    pub fn count(&self, side: Side) -> u16 {
        self.pieces.iter().flatten().filter(|piece| piece.side == side).count() as u16
    }

    /// Name of a playable square; empty for others.
    pub fn name(&self, square: u8) -> String {
        match self.ground {
            Ground::Whole => self.file_and_rank(square),
            Ground::Dark if !self.is_played_on(square) => String::new(),
            Ground::Dark => {
                let later = self.squares().filter(|&other| other >= square && self.is_played_on(other));
                later.count().to_string()
            }
        }
    }

    /// Name by file and rank, such as `d3`: files from the left, ranks from above, as South sees the board.
    pub fn file_and_rank(&self, square: u8) -> String {
        format!("{}{}", char::from(b'a' + square % self.files), square / self.files + 1)
    }

    fn follow(&mut self, step: &Step, hand: &mut Option<Piece>) {
        match step {
            Step::Lift(Place::Square(square)) => {
                *hand = self.get(*square);
                self.set(*square, None);
            }
            Step::Drop(Place::Square(square)) => self.set(*square, hand.take()),
            Step::Take(taken) => {
                for &(place, _) in taken {
                    let Place::Square(square) = place else { continue };
                    self.set(square, None);
                }
            }
            Step::Place(square, piece) => self.set(*square, Some(*piece)),
            Step::Flip(squares) => {
                for &square in squares {
                    let turned = self.get(square).map(|piece| Piece { side: piece.side.other(), ..piece });
                    self.set(square, turned);
                }
            }
            Step::Promote(square) => {
                let king = self.get(*square).map(|piece| Piece { king: true, ..piece });
                self.set(*square, king);
            }
            Step::Lift(_) | Step::Drop(_) | Step::Gather(_) => {}
        }
    }
}

impl Trace {
    /// Number of animation frames, the start excluded: one per step.
    pub fn frames(&self) -> usize {
        self.steps.len()
    }

    /// The board after `frame` steps, starting from `before`: 0 is `before` itself, [`frames`](Trace::frames) the end.
    pub fn at(&self, before: &Board, frame: usize) -> Board {
        let mut board = before.clone();
        let mut hand = None;
        for step in self.steps.iter().take(frame) {
            match &mut board {
                Board::Pits(pits) => pits.follow(step, self.mover),
                Board::Squares(squares) => squares.follow(step, &mut hand),
            }
        }
        board
    }

    /// The place of the hand after `frame` steps, if any.
    pub fn hand(&self, frame: usize) -> Option<Place> {
        match self.steps.get(frame.checked_sub(1)?)? {
            Step::Lift(place) | Step::Drop(place) => Some(*place),
            Step::Place(square, _) | Step::Promote(square) => Some(Place::Square(*square)),
            Step::Take(_) | Step::Gather(_) | Step::Flip(_) => None,
        }
    }

    /// Number of drops: seeds, or landings of a piece.
    pub fn drops(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Drop(_))).count()
    }

    /// The captures, each place with its count.
    pub fn taken(&self) -> Vec<(Place, u16)> {
        self.steps
            .iter()
            .filter_map(|step| if let Step::Take(taken) = step { Some(taken) } else { None })
            .flatten()
            .copied()
            .collect()
    }

    /// The squares whose pieces are flipped.
    pub fn flipped(&self) -> Vec<u8> {
        self.steps
            .iter()
            .filter_map(|step| if let Step::Flip(squares) = step { Some(squares) } else { None })
            .flatten()
            .copied()
            .collect()
    }

    /// Whether a man becomes a king.
    pub fn promotes(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Promote(_)))
    }
}

#[cfg(test)]
mod tests;
