//! Boards as plain counts and pieces, for drawing, editing and telling what a move does. Never on a hot path.
//!
//! A [`Board`] is made of pits or of squares; a [`Place`] is where a hand can go on it. What a move does is told as [`Step`]s in
//! the order in which a hand would do them, and an animation is a fold of the steps over the board before ([`Trace::at`]).

use super::Side;

/// One place on a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// Counted from the left of the side that owns it.
    Pit(Side, u8),
    Store(Side),
    /// Counted row by row from the upper left corner, as South sees the board.
    Square(u8),
}

/// What lies on a board.
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
    /// Which squares are played on, and by that how they are called.
    pub ground: Ground,
    /// Row by row from the upper left corner, as South sees the board.
    pub pieces: Vec<Option<Piece>>,
}

/// The squares of a board that are played on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ground {
    /// All, called by file and rank: `d3`.
    Whole,
    /// The dark ones, every second one and the lower left corner among them, numbered row by row from the lower right, as South sees the
    /// board.
    Dark,
}

/// What stands on a square: a disc or man, or, where a game has such a thing, a king.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Piece {
    pub side: Side,
    pub king: bool,
}

impl Piece {
    /// A disc or man of `side`.
    pub fn of(side: Side) -> Piece {
        Piece { side, king: false }
    }
}

/// One thing that a hand does, and one frame of the animation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// Takes all seeds of a pit, or the piece on a square, into the hand.
    Lift(Place),
    /// Lets one seed fall, or sets the piece in the hand down.
    Drop(Place),
    /// Captures: seeds, with their counts, for the mover's store, or pieces, which leave the board.
    Take(Vec<(Place, u16)>),
    /// Each side puts its own seeds, with their counts, into its own store, because the game is over.
    Gather(Vec<(Place, u16)>),
    /// Sets a new piece on a square.
    Place(u8, Piece),
    /// Turns pieces over, so that they are the other side's.
    Flip(Vec<u8>),
    /// Makes a king of the man on a square.
    Promote(u8),
}

/// What one move does, in the order in which a hand would do it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    pub mover: Side,
    /// None for a pass.
    pub steps: Vec<Step>,
    /// The mover moves again, as a rule of the move itself.
    pub extra_turn: bool,
    pub over: bool,
}

impl Board {
    /// What counts for each side, `[south, north]`: the seeds in its store, or its pieces.
    pub fn counts(&self) -> [u16; 2] {
        match self {
            Board::Pits(board) => board.stores,
            Board::Squares(board) => Side::BOTH.map(|side| board.count(side)),
        }
    }

    /// The most that can ever count for a side: all seeds, or a piece on every square.
    pub fn most(&self) -> u32 {
        match self {
            Board::Pits(board) => board.total(),
            Board::Squares(board) => board.pieces.len() as u32,
        }
    }

    /// All places that are played on, the pits before the stores.
    pub fn places(&self) -> Vec<Place> {
        match self {
            Board::Pits(board) => board.places().collect(),
            Board::Squares(board) => board.squares().filter(|&at| board.is_played_on(at)).map(Place::Square).collect(),
        }
    }

    /// What a place is called: `C` for South's third pit and `c` for North's, `d3` for a square. A store has no name.
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

    /// The seeds in a place; there are none in what is no place of this board.
    pub fn get(&self, place: Place) -> u16 {
        match place {
            Place::Pit(side, pit) => self.pits[side.index()].get(usize::from(pit)).copied().unwrap_or(0),
            Place::Store(side) => self.stores[side.index()],
            Place::Square(_) => 0,
        }
    }

    /// `None` for what is no place of this board.
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

    /// A board without pieces that is played on its dark squares alone.
    pub fn dark(files: u8, ranks: u8) -> Squares {
        Squares { ground: Ground::Dark, ..Squares::empty(files, ranks) }
    }

    /// Whether a piece may stand on this square.
    pub fn is_played_on(&self, square: u8) -> bool {
        let (row, file) = (square / self.files, square % self.files);
        self.ground == Ground::Whole || (self.ranks - 1 - row.min(self.ranks - 1) + file).is_multiple_of(2)
    }

    pub fn squares(&self) -> impl Iterator<Item = u8> + use<> {
        0..self.pieces.len() as u8
    }

    /// The squares that are played on.
    pub fn played_on(&self) -> impl Iterator<Item = u8> {
        self.squares().filter(|&square| self.is_played_on(square))
    }

    /// Whether men become kings: on the dark squares alone it is draughts that is played.
    pub fn has_kings(&self) -> bool {
        self.ground == Ground::Dark
    }

    /// How many of a side's pieces are kings.
    pub fn count_kings(&self, side: Side) -> u16 {
        self.pieces.iter().flatten().filter(|piece| piece.side == side && piece.king).count() as u16
    }

    pub fn get(&self, square: u8) -> Option<Piece> {
        self.pieces.get(usize::from(square)).copied().flatten()
    }

    /// Nothing happens if there is no such square.
    pub fn set(&mut self, square: u8, piece: Option<Piece>) {
        if let Some(place) = self.pieces.get_mut(usize::from(square)) {
            *place = piece;
        }
    }

    pub fn count(&self, side: Side) -> u16 {
        self.pieces.iter().flatten().filter(|piece| piece.side == side).count() as u16
    }

    /// What a square is called, which is played on; nothing for another.
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

    /// `d3`: the file's letter from the left and the rank's number from above, as South sees the board.
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
    /// How many frames an animation of the move has, the start excluded: one a step.
    pub fn frames(&self) -> usize {
        self.steps.len()
    }

    /// The board after `frame` frames of the move, starting from `before`: 0 is `before` itself, [`frames`](Trace::frames) the end.
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

    /// The place that the hand is at after `frame` frames, if it is at one.
    pub fn hand(&self, frame: usize) -> Option<Place> {
        match self.steps.get(frame.checked_sub(1)?)? {
            Step::Lift(place) | Step::Drop(place) => Some(*place),
            Step::Place(square, _) | Step::Promote(square) => Some(Place::Square(*square)),
            Step::Take(_) | Step::Gather(_) | Step::Flip(_) => None,
        }
    }

    /// How often something is set down: a seed, or a piece after each jump.
    pub fn drops(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Drop(_))).count()
    }

    /// What is captured, each place with its count.
    pub fn taken(&self) -> Vec<(Place, u16)> {
        self.steps
            .iter()
            .filter_map(|step| if let Step::Take(taken) = step { Some(taken) } else { None })
            .flatten()
            .copied()
            .collect()
    }

    /// The squares whose pieces are turned over.
    pub fn flipped(&self) -> Vec<u8> {
        self.steps
            .iter()
            .filter_map(|step| if let Step::Flip(squares) = step { Some(squares) } else { None })
            .flatten()
            .copied()
            .collect()
    }

    /// A man becomes a king.
    pub fn promotes(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Promote(_)))
    }
}

#[cfg(test)]
mod tests;
