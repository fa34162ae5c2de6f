//! Positions as the side to move sees them, and their numbers: a slice for each material, in which they are numbered without gaps.
//!
//! A number is that of the men, times the placements of kings on the squares without men, plus that of the kings. Men of the
//! mover may be on the 28 squares 1 to 28 and those of the opponent on 5 to 32, so how many squares the opponent's men may have
//! depends on how many of the mover's are on 1 to 4; the men are numbered by that first. The number of a set of squares among
//! others is that of the combinatorial number system.
//!
//! A step leads to a position with the two sides' material exchanged, so a material and its exchanged one form a layer. Layers
//! are ordered by the number of pieces and then of men: captures and new kings lead to earlier ones.

use crate::game::Side;
use crate::game::checkers::Checkers;
use crate::game::checkers::sets::{Way, neighbours};

/// Squares of the mover's men that no man of the opponent can have, 1 to 4.
const HOME: u32 = 0x0000_000f;
/// Squares of the mover's men that men of the opponent can have, 5 to 28.
const SHARED: u32 = 0x0fff_fff0;
/// Squares of the opponent's men, 5 to 32.
const OTHER_MEN: u32 = 0xffff_fff0;

/// Greatest number of pieces, for the sizes of arrays.
const MOST: usize = *super::checkers::PIECES.end() as usize;

/// Binomial coefficients by the number of squares and of pieces.
const WAYS: [[u32; MOST + 1]; 33] = {
    let mut ways = [[0; MOST + 1]; 33];
    let mut squares = 0;
    while squares <= 32 {
        ways[squares][0] = 1;
        let mut pieces = 1;
        while squares > 0 && pieces <= MOST {
            ways[squares][pieces] = ways[squares - 1][pieces - 1] + ways[squares - 1][pieces];
            pieces += 1;
        }
        squares += 1;
    }
    ways
};

/// Number of placements of pieces on squares.
#[inline(always)]
fn ways(squares: usize, pieces: usize) -> usize {
    WAYS[squares][pieces] as usize
}

/// Number of a set among those with as many of the `squares`.
#[inline(always)]
fn rank(set: u32, squares: u32) -> usize {
    let mut left = set;
    let mut pieces = 0;
    let mut rank = 0;
    while left != 0 {
        let below = (left & left.wrapping_neg()) - 1;
        left &= left - 1;
        pieces += 1;
        rank += ways((squares & below).count_ones() as usize, pieces);
    }
    rank
}

/// The set of `pieces` of the `squares` with this number.
fn unrank(mut rank: usize, pieces: usize, squares: u32) -> u32 {
    let mut set = 0;
    let mut left = squares;
    let mut nth = squares.count_ones() as usize;
    for pieces in (1..=pieces).rev() {
        loop {
            let square = 1 << left.ilog2();
            left ^= square;
            nth -= 1;
            if ways(nth, pieces) <= rank {
                rank -= ways(nth, pieces);
                set |= square;
                break;
            }
        }
    }
    set
}

/// Numbers of men and of kings, of the mover and of the opponent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Material {
    pub men: [usize; 2],
    pub kings: [usize; 2],
}

impl Material {
    #[inline(always)]
    fn count(placement: &Placement) -> Material {
        let count = |sets: [u32; 2]| sets.map(|set| set.count_ones() as usize);
        Material { men: count(placement.men), kings: count(placement.kings) }
    }

    fn pieces(self) -> usize {
        self.side(0) + self.side(1)
    }

    fn side(self, side: usize) -> usize {
        self.men[side] + self.kings[side]
    }

    /// The material after a step of the mover.
    fn exchanged(self) -> Material {
        let exchange = |[mover, other]: [usize; 2]| [other, mover];
        Material { men: exchange(self.men), kings: exchange(self.kings) }
    }

    /// All materials with this many pieces.
    pub fn all(pieces: usize) -> impl Iterator<Item = Material> {
        let parts = move |at: usize| [at % (MOST + 1), at / (MOST + 1) % (MOST + 1)];
        (0..PLACES)
            .map(move |at| Material { men: parts(at), kings: parts(at / ((MOST + 1) * (MOST + 1))) })
            .filter(move |material| material.pieces() == pieces)
    }

    /// Index into an array of all materials.
    #[inline(always)]
    fn index(self) -> usize {
        let [a, b] = self.men;
        let [c, d] = self.kings;
        ((d * (MOST + 1) + c) * (MOST + 1) + b) * (MOST + 1) + a
    }

    /// The placements of men with `home` of the mover's on 1 to 4.
    fn men_with(self, home: usize) -> usize {
        let shared = self.men[0] - home;
        ways(HOME.count_ones() as usize, home)
            * ways(SHARED.count_ones() as usize, shared)
            * ways(OTHER_MEN.count_ones() as usize - shared, self.men[1])
    }

    /// The placements of kings for each placement of men.
    fn king_ways(self) -> usize {
        let free = 32 - self.men[0] - self.men[1];
        ways(free, self.kings[0]) * ways(free - self.kings[0], self.kings[1])
    }

    /// Number of placements, also where one side has no pieces.
    pub fn positions(self) -> usize {
        let men: usize = (0..=self.men[0].min(HOME.count_ones() as usize)).map(|home| self.men_with(home)).sum();
        men * self.king_ways()
    }

    /// Such as `1 man and 2 kings`.
    fn label(self, side: usize) -> String {
        let part = |count: usize, one: &str, more: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            _ => Some(format!("{count} {more}")),
        };
        let parts = [part(self.men[side], "man", "men"), part(self.kings[side], "king", "kings")];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" and ")
    }
}

/// Sizes of the array of all materials.
const PLACES: usize = (MOST + 1).pow(4);

/// Material without a slice.
const NONE: u8 = u8::MAX;

/// The positions with one material.
struct Slice {
    material: Material,
    layer: u8,
    /// Number of its first position in the layer.
    first: usize,
    positions: usize,
    /// Number of the first placement of men, by the mover's men on 1 to 4.
    starts: [usize; 5],
    king_ways: usize,
}

impl Slice {
    fn new(material: Material, layer: u8, first: usize) -> Slice {
        let mut starts = [usize::MAX; 5];
        let mut next = 0;
        for (home, start) in starts.iter_mut().enumerate().take(material.men[0] + 1) {
            *start = next;
            next += material.men_with(home);
        }
        let king_ways = material.king_ways();
        let positions = material.positions();
        Slice { material, layer, first, positions, starts, king_ways }
    }

    #[inline(always)]
    fn number(&self, placement: &Placement) -> usize {
        let Placement { men: [own, other], kings } = *placement;
        let shared = own & SHARED;
        let count = shared.count_ones() as usize;
        let free = OTHER_MEN & !shared;
        let mut men = rank(own & HOME, HOME) * ways(SHARED.count_ones() as usize, count) + rank(shared, SHARED);
        men = men * ways(free.count_ones() as usize, self.material.men[1]) + rank(other, free);
        men += self.starts[(own & HOME).count_ones() as usize];
        let free = !(own | other);
        let left = 32 - self.material.men[0] - self.material.men[1] - self.material.kings[0];
        let other_ways = ways(left, self.material.kings[1]);
        men * self.king_ways + rank(kings[0], free) * other_ways + rank(kings[1], free & !kings[0])
    }

    fn placement(&self, number: usize) -> Placement {
        let Material { men, kings } = self.material;
        let mut at = number / self.king_ways;
        let king = number % self.king_ways;
        let home = self.starts.iter().rposition(|&start| start <= at).unwrap_or(0);
        at -= self.starts[home];
        let count = men[0] - home;
        let other_ways = ways(OTHER_MEN.count_ones() as usize - count, men[1]);
        let own = at / other_ways;
        let other = at % other_ways;
        let shared_ways = ways(SHARED.count_ones() as usize, count);
        let shared = unrank(own % shared_ways, count, SHARED);
        let own = unrank(own / shared_ways, home, HOME) | shared;
        let other = unrank(other, men[1], OTHER_MEN & !shared);
        let free = !(own | other);
        let other_ways = ways(free.count_ones() as usize - kings[0], kings[1]);
        let own_kings = unrank(king / other_ways, kings[0], free);
        let other_kings = unrank(king % other_ways, kings[1], free & !own_kings);
        Placement { men: [own, other], kings: [own_kings, other_kings] }
    }
}

/// The slices of all positions of up to some pieces, each side having one at least.
pub struct Slices {
    slices: Vec<Slice>,
    /// The slice of each material.
    by_material: Box<[u8; PLACES]>,
    /// The first slice of each layer, and their number.
    starts: Vec<usize>,
    pieces: u32,
}

impl Slices {
    /// The slices of positions of at most `pieces` pieces, one of [`PIECES`](super::checkers::PIECES).
    pub fn new(pieces: u8) -> Slices {
        let mut materials: Vec<Material> = (2..=usize::from(pieces))
            .flat_map(Material::all)
            .filter(|material| material.side(0) > 0 && material.side(1) > 0 && *material <= material.exchanged())
            .collect();
        materials.sort_by_key(|material| (material.pieces(), material.men[0] + material.men[1], *material));
        let mut slices = Slices {
            slices: Vec::new(),
            by_material: Box::new([NONE; PLACES]),
            starts: vec![0],
            pieces: pieces.into(),
        };
        for (material, layer) in materials.into_iter().zip(0..) {
            slices.add(material, layer, 0);
            if material.exchanged() != material {
                slices.add(material.exchanged(), layer, material.positions());
            }
            slices.starts.push(slices.slices.len());
        }
        slices
    }

    fn add(&mut self, material: Material, layer: u8, first: usize) {
        self.by_material[material.index()] = self.slices.len() as u8;
        self.slices.push(Slice::new(material, layer, first));
    }

    /// The layers, in the order of their computation.
    pub fn layers(&self) -> std::ops::Range<u8> {
        0..(self.starts.len() - 1) as u8
    }

    fn of_layer(&self, layer: u8) -> &[Slice] {
        &self.slices[self.starts[usize::from(layer)]..self.starts[usize::from(layer) + 1]]
    }

    /// Number of positions in a layer.
    pub fn positions(&self, layer: u8) -> usize {
        self.of_layer(layer).iter().map(|slice| slice.positions).sum()
    }

    /// Number of all positions.
    pub fn count(&self) -> u64 {
        self.slices.iter().map(|slice| slice.positions as u64).sum()
    }

    /// The material of a layer, for messages, such as `2 kings against 1 man`.
    pub fn label(&self, layer: u8) -> String {
        let material = self.of_layer(layer)[0].material;
        format!("{} against {}", material.label(1), material.label(0))
    }

    /// Whether a position has a place.
    #[inline]
    pub fn has(&self, placement: &Placement) -> bool {
        let [own, other] = [0, 1].map(|side| placement.men[side] | placement.kings[side]);
        own != 0 && other != 0 && (own | other).count_ones() <= self.pieces
    }

    /// The layer of a position and its number there; `None` if it has too many pieces, or one side has none.
    #[inline]
    pub fn place(&self, placement: &Placement) -> Option<(u8, usize)> {
        if !self.has(placement) {
            return None;
        }
        let slice = self.slices.get(usize::from(self.by_material[Material::count(placement).index()]))?;
        Some((slice.layer, slice.first + slice.number(placement)))
    }

    /// The position with this number in a layer.
    pub fn placement(&self, layer: u8, number: usize) -> Placement {
        let slices = self.of_layer(layer);
        let slice = slices.last().filter(|slice| slice.first <= number).unwrap_or(&slices[0]);
        slice.placement(number - slice.first)
    }
}

/// Squares of the mover's and of the opponent's pieces. The mover's men move to higher numbers: where White moves, the board is
/// turned by half a turn. So positions that differ only in colours are one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    /// Of the mover and of the opponent.
    pub men: [u32; 2],
    pub kings: [u32; 2],
}

impl Placement {
    #[inline]
    pub fn from_position(pos: &Checkers) -> Placement {
        let [own, other] = pos.sides();
        Placement { men: [own[0], other[0]], kings: [own[1], other[1]] }
    }

    /// The placement of a [board](super::checkers::board).
    #[inline]
    pub fn of_board(board: [u64; 2]) -> Placement {
        Placement { men: board.map(|side| side as u32), kings: board.map(|side| (side >> 32) as u32) }
    }

    /// The same board with the other side to move.
    #[inline]
    #[must_use]
    pub fn turned(self) -> Placement {
        let turn = |[mover, other]: [u32; 2]| [other.reverse_bits(), mover.reverse_bits()];
        Placement { men: turn(self.men), kings: turn(self.kings) }
    }

    /// The position with South to move.
    #[inline]
    pub fn position(self) -> Checkers {
        Checkers::from_sets(self.men, self.kings, Side::South)
    }

    /// The placements before a step of the opponent that captured nothing and made no king. In some of them the opponent
    /// would have had to jump.
    #[inline]
    pub fn for_each_parent(self, mut visit: impl FnMut(Placement)) {
        let empty = !(self.men[0] | self.men[1] | self.kings[0] | self.kings[1]);
        // The opponent's men move to lower numbers, so they come from higher ones.
        for way in Way::ALL {
            let from = |pieces: u32| neighbours(pieces, way) & empty;
            if Way::FAR.contains(&way) {
                each(from(self.men[1]), |square| {
                    let men = [self.men[0], self.men[1] & !neighbours(square, way.back()) | square];
                    visit(Placement { men, ..self }.turned());
                });
            }
            each(from(self.kings[1]), |square| {
                let kings = [self.kings[0], self.kings[1] & !neighbours(square, way.back()) | square];
                visit(Placement { kings, ..self }.turned());
            });
        }
    }
}

/// Calls `visit` with each square of a set.
#[inline]
fn each(mut set: u32, mut visit: impl FnMut(u32)) {
    while set != 0 {
        visit(set & set.wrapping_neg());
        set &= set - 1;
    }
}
