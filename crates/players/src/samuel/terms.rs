//! The terms of Samuel's paper, one function each, and the piece advantage.
//!
//! From A. L. Samuel, *Some Studies in Machine Learning Using the Game of Checkers*, IBM Journal of Research and Development 3
//! (1959), appendix C. `docs/samuel-terms.md` documents each term's reading and how certain it is. The signs make more better for
//! the owner: the paper counts some terms for the passive side and some for the active one; here each is counted for both sides,
//! and terms of which less is better are negative. Where the sign is not obvious, games decided it.
//!
//! Terms about the squares that pieces can step to, and the next jumps from there.
//!
//! None considers whether a jump is compulsory now, as in the paper for MOB.

use super::scene::{Halves, Scene, Sets, Way, both, exchanged, squares, worker};

/// One term.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// The paper's name, in capital letters.
    pub name: &'static str,
    /// A short title, for tables.
    pub title: &'static str,
    /// Its value for each side, in halves.
    pub halves: fn(&Scene) -> Halves,
}

/// Defines the table of terms, and their weighted sum without a function pointer per term.
macro_rules! terms {
    ($($name:literal $title:literal $halves:path,)+) => {
        /// All terms, in the paper's order, the piece advantage last.
        pub const TERMS: [Term; COUNT] = [$(Term { name: $name, title: $title, halves: $halves }),+];

        /// The number of terms.
        pub const COUNT: usize = [$($name),+].len();

        /// Returns the weighted sum of all terms: each side's value minus the opponent's, in halves, times the weight.
        #[inline]
        pub(super) fn weighed(scene: &Scene, weights: &[i32; COUNT]) -> i32 {
            let mut weights = weights.iter();
            0 $(+ weights.next().map_or(0, |weight| weight * $halves(scene).difference()))+
        }
    };
}

terms! {
    "ADV" "men far advanced" advancement,
    "APEX" "men on the triangle's tip" apex,
    "BACK" "bridge of the back row" back_row_bridge,
    "CENT" "men in the centre" centre,
    "CNTR" "control of the centre" centre_control,
    "CORN" "a double corner to flee to" double_corner,
    "CRAMP" "cramping the other side" cramp,
    "DENY" "squares denied" denial,
    "DIA" "on double corner diagonals" double_diagonals,
    "DIAV" "near to those diagonals" diagonal_moment,
    "DYKE" "three in a line" dyke,
    "EXCH" "exchanges to force" exchange,
    "EXPOS" "open on two sides" exposure,
    "FORK" "forks to threaten" fork,
    "GAP" "gaps between pieces" gap,
    "GUARD" "back row guarded" back_row_guard,
    "HOLE" "holes among pieces" hole,
    "KCENT" "kings in the centre" king_centre,
    "MOB" "squares to step to" mobility,
    "MOBIL" "of these not denied" undenied_mobility,
    "MOVE" "the move" the_move,
    "NODE" "pieces with room around" node,
    "OREO" "triangle of the back row" triangle,
    "POLE" "men all alone" pole,
    "RECAP" "alias of EXCH" recapture,
    "THRET" "captures to threaten" threat,
    "PIECE" "men (2) and kings (3)" pieces,
}

/// The double corners, where a king can hardly be caught.
const DOUBLE_CORNERS: Sets = squares([1, 5, 28, 32]);

/// The files that begin on the squares of the own back row.
const SYSTEM: u32 = 0x0F0F_0F0F;

/// A side's material at the start, in the units of [`pieces`].
const FULL: u32 = 24;

/// PIECE: 2 for each man, 3 for each king.
#[inline]
pub fn pieces(scene: &Scene) -> Halves {
    Halves::sides(scene.material.map(|units| 2 * units as i32))
}

/// CORN: 1 if the side has at most 6 in men (2) and kings (3), the opponent has more, and a piece can step into a double corner.
#[inline]
pub fn double_corner(scene: &Scene) -> Halves {
    let reach = scene.steps() & DOUBLE_CORNERS;
    let [own, other] = scene.material;
    let weaker = [own <= 6 && other > own, other <= 6 && own > other];
    Halves::whether(2, |half| weaker[half] && worker(reach, half) != 0)
}

/// MOVE: 1 for the side that has the move, once pieces have been captured and while both sides are equal in men (2) and kings (3). The
/// side to move has it if an odd number of all pieces are on the files that begin on the squares of its own back row.
#[inline]
pub fn the_move(scene: &Scene) -> Halves {
    let [own, other] = scene.material;
    if own != other || own >= FULL {
        return Halves::sides([0, 0]);
    }
    let mover = usize::from(!scene.is_mover);
    let is_odd = (worker(!scene.empty, mover) & SYSTEM).count_ones() % 2 == 1;
    Halves::whether(2, |half| (half == mover) == is_odd)
}

/// The squares at the edge of the board.
const EDGE: Sets = both(0xF818_181F);

/// DYKE: 1 for each three pieces on adjacent squares of a diagonal; four in a line are two such threes.
#[inline]
pub fn dyke(scene: &Scene) -> Halves {
    let three = |way: Way, next: Sets| scene.own & way.shift(scene.own & next);
    let left = three(Way::ForwardLeft, scene.beside_own.forward_left);
    let right = three(Way::ForwardRight, scene.beside_own.forward_right);
    Halves::each(2, left).and(2, right)
}

/// EXPOS: 1 for each piece between two empty squares on one diagonal or the other.
#[inline]
pub fn exposure(scene: &Scene) -> Halves {
    Halves::each(2, scene.own & scene.beside_empty.between())
}

/// GAP: -1 for each empty square that alone separates two pieces on a diagonal, or a piece from the edge of the board.
#[inline]
pub fn gap(scene: &Scene) -> Halves {
    Halves::each(-2, scene.empty & (scene.beside_own.between() | scene.beside_own.any() & EDGE))
}

/// HOLE: -1 for each empty square with pieces on three or four of the squares around it.
#[inline]
pub fn hole(scene: &Scene) -> Halves {
    Halves::each(-2, scene.empty & scene.beside_own.three())
}

/// NODE: 1 for each piece with three or four empty squares around it.
#[inline]
pub fn node(scene: &Scene) -> Halves {
    Halves::each(2, scene.own & scene.beside_empty.three())
}

/// POLE: -1 for each man with four empty squares around it.
#[inline]
pub fn pole(scene: &Scene) -> Halves {
    Halves::each(-2, scene.men & scene.beside_empty.all())
}

/// The eight centre squares. The paper numbers them 11, 12, 15, 16, 20, 21, 24 and 25, the positions in its machine's words, where
/// 9, 18 and 27 are not squares.
const CENTRE: Sets = squares([10, 11, 14, 15, 18, 19, 22, 23]);

/// The two squares of the back row that keep the opponent's men from being crowned.
const BRIDGE: Sets = squares([1, 3]);

/// Three men of the start, named after the biscuit.
const OREO: Sets = squares([2, 3, 7]);

/// The tips of the two triangles: the same squares from either side.
const APEXES: Sets = squares([7, 26]);

/// The two diagonals that end in the double corners, and the squares one and two beside them. The single corners are three beside.
const DOUBLE: Sets = squares([1, 6, 10, 15, 19, 24, 28, 5, 9, 14, 18, 23, 27, 32]);
const ONE_BESIDE: Sets = squares([2, 7, 11, 16, 20, 13, 17, 22, 26, 31]);
const TWO_BESIDE: Sets = squares([3, 8, 12, 21, 25, 30]);

/// The rows of a man, counted from its own back row.
const THIRD_AND_FOURTH: Sets = squares([9, 10, 11, 12, 13, 14, 15, 16]);
const FIFTH_AND_SIXTH: Sets = squares([17, 18, 19, 20, 21, 22, 23, 24]);

const CRAMPING: Sets = squares([13]);
const BESIDE_CRAMPING: Sets = squares([9, 14]);
const CRAMPED: Sets = squares([17, 21, 22, 25]);

/// ADV: a man on the fifth or sixth row counts 1, one on the third or fourth -1.
#[inline]
pub fn advancement(scene: &Scene) -> Halves {
    Halves::each(2, scene.men & FIFTH_AND_SIXTH).and(-2, scene.men & THIRD_AND_FOURTH)
}

/// APEX: -1 if there is no king on the board, and the opponent has a man on 7 or 26 and the side has none.
#[inline]
pub fn apex(scene: &Scene) -> Halves {
    let no_kings = scene.kings | scene.other_kings == 0;
    // Without kings all pieces are men.
    let own = scene.own & APEXES;
    let other = scene.other & APEXES;
    Halves::whether(-2, |half| no_kings && worker(other, half) != 0 && worker(own, half) == 0)
}

/// BACK: 1 if the opponent has no king and the side holds both squares of the bridge, 1 and 3 (White's 30 and 32).
#[inline]
pub fn back_row_bridge(scene: &Scene) -> Halves {
    Halves::whether(2, |half| worker(scene.other_kings, half) == 0 && is_held(scene, BRIDGE, half))
}

/// CENT: 1 for each centre square with an own man.
#[inline]
pub fn centre(scene: &Scene) -> Halves {
    Halves::each(2, scene.men & CENTRE)
}

/// CNTR: 1 for each centre square that an own piece occupies or can step to.
#[inline]
pub fn centre_control(scene: &Scene) -> Halves {
    Halves::each(2, (scene.own | scene.steps()) & CENTRE)
}

/// CRAMP: 2 if the side holds the cramping square 13 (White's 20) and 9 or 14 beside it (19 or 24), while the opponent's pieces are on
/// 17, 21, 22 and 25 (8, 11, 12 and 16).
#[inline]
pub fn cramp(scene: &Scene) -> Halves {
    Halves::whether(4, |half| {
        is_held(scene, CRAMPING, half)
            && worker(scene.own & BESIDE_CRAMPING, half) != 0
            && worker(scene.other & CRAMPED, half) == worker(CRAMPED, half)
    })
}

/// DIA: 1 for each piece on the two diagonals that end in the double corners.
#[inline]
pub fn double_diagonals(scene: &Scene) -> Halves {
    Halves::each(2, scene.own & DOUBLE)
}

/// DIAV: 1 1/2 for each piece on those diagonals, 1 for one on a square beside them, 1/2 for one two squares beside.
#[inline]
pub fn diagonal_moment(scene: &Scene) -> Halves {
    let own = scene.own;
    Halves::each(3, own & DOUBLE).and(2, own & ONE_BESIDE).and(1, own & TWO_BESIDE)
}

/// GUARD: 1 if the opponent has no king and the side holds the bridge or the triangle.
#[inline]
pub fn back_row_guard(scene: &Scene) -> Halves {
    let guards = |half| is_held(scene, BRIDGE, half) || is_held(scene, OREO, half);
    Halves::whether(2, |half| worker(scene.other_kings, half) == 0 && guards(half))
}

/// KCENT: 1 for each centre square with an own king.
#[inline]
pub fn king_centre(scene: &Scene) -> Halves {
    Halves::each(2, scene.kings & CENTRE)
}

/// OREO: 1 if the side has no king and holds the triangle 2, 3 and 7 (White's 26, 30 and 31).
#[inline]
pub fn triangle(scene: &Scene) -> Halves {
    Halves::whether(2, |half| worker(scene.kings, half) == 0 && is_held(scene, OREO, half))
}

/// Returns whether an own piece is on each of these squares.
#[inline(always)]
fn is_held(scene: &Scene, squares: Sets, half: usize) -> bool {
    worker(squares & !scene.own, half) == 0
}

/// The row where men are crowned.
const CROWNING: Sets = both(0xF000_0000);

/// MOB: 1 for each empty square that some piece can step to.
#[inline]
pub fn mobility(scene: &Scene) -> Halves {
    Halves::each(2, scene.steps())
}

/// DENY: 1 for each square that the opponent could step to, where the piece could be captured without an exchange.
#[inline]
pub fn denial(scene: &Scene) -> Halves {
    Halves::each(2, exchanged(contested(scene).denied))
}

/// MOBIL: the squares to step to minus those that the opponent denies.
#[inline]
pub fn undenied_mobility(scene: &Scene) -> Halves {
    Halves::each(2, scene.steps()).and(-2, contested(scene).denied)
}

/// EXCH: 1 for each square that some piece can step to and so force an exchange: it can be captured there, and its captor can be
/// captured in turn.
#[inline]
pub fn exchange(scene: &Scene) -> Halves {
    Halves::each(2, contested(scene).exchanging)
}

/// RECAP: equal to EXCH; the paper has it to show the effect of a duplicated term.
#[inline]
pub fn recapture(scene: &Scene) -> Halves {
    exchange(scene)
}

/// THRET: 1 for each square that some piece can step to, where it threatens to capture.
#[inline]
pub fn threat(scene: &Scene) -> Halves {
    let capturable = Capturable::new(scene);
    let ahead = capturable.ahead[0] | capturable.ahead[1];
    let behind = capturable.behind[0] | capturable.behind[1];
    Halves::each(2, scene.steps() & ahead | crowned_steps(scene) & behind)
}

/// FORK: 1 for each square that some piece can step to, in front of two opposing pieces side by side with an empty square behind each:
/// one of the two is lost. For a king, behind them counts as well as in front.
#[inline]
pub fn fork(scene: &Scene) -> Halves {
    let Capturable { ahead, behind } = Capturable::new(scene);
    Halves::each(2, scene.steps() & ahead[0] & ahead[1]).and(2, crowned_steps(scene) & behind[0] & behind[1])
}

/// Returns the squares where a stepping piece will be a king: those of kings' steps, and men's steps to the last row.
#[inline(always)]
fn crowned_steps(scene: &Scene) -> Sets {
    scene.kings_steps() | scene.steps() & CROWNING
}

/// Squares from which a piece could capture, to the left and to the right.
struct Capturable {
    ahead: [Sets; 2],
    behind: [Sets; 2],
}

impl Capturable {
    #[inline(always)]
    fn new(scene: &Scene) -> Capturable {
        let other = scene.other;
        let empty = &scene.beside_empty;
        // From the landing square: back over the captured piece, and back again.
        Capturable {
            ahead: [Way::BackRight.shift(other & empty.back_right), Way::BackLeft.shift(other & empty.back_left)],
            behind: [
                Way::ForwardRight.shift(other & empty.forward_right),
                Way::ForwardLeft.shift(other & empty.forward_left),
            ],
        }
    }
}

/// Squares to step to on which a piece could be captured.
#[derive(Clone, Copy)]
struct Danger {
    /// A capture of some piece that steps there has no recapture.
    denied: Sets,
    /// Some piece that steps there can be captured, but every captor is recaptured.
    exchanging: Sets,
}

/// Looks two captures ahead at each step: the capture of the stepping piece, and the recapture. Of multiple jumps only the first is
/// considered.
#[inline(always)]
fn contested(scene: &Scene) -> Danger {
    let Scene { ahead, beside_empty, other, other_kings, empty, .. } = scene;
    // The landing squares where own pieces recapture along a diagonal, between themselves and an empty square.
    let rising = ahead.back_left & beside_empty.forward_right | ahead.forward_right & beside_empty.back_left;
    let falling = ahead.back_right & beside_empty.forward_left | ahead.forward_left & beside_empty.back_right;
    // The directions lead from the step's square to the captor. After landing it is recaptured along its path, over the square just
    // cleared, or across.
    let capture =
        |way: Way, any: Sets, along: Sets, across: Sets| Capture { any, safe: any & !way.shift(along | across) };
    let left = capture(Way::ForwardLeft, Way::BackRight.shift(*other), ahead.forward_left, rising);
    let right = capture(Way::ForwardRight, Way::BackLeft.shift(*other), ahead.forward_right, falling);
    let back_left = capture(Way::BackLeft, Way::ForwardRight.shift(*other_kings), ahead.back_left, falling);
    let back_right = capture(Way::BackRight, Way::ForwardLeft.shift(*other_kings), ahead.back_right, rising);
    let with_room = left
        .on(beside_empty.forward_left)
        .or(right.on(beside_empty.forward_right))
        .or(back_left.on(beside_empty.back_left))
        .or(back_right.on(beside_empty.back_right));
    // A captor ahead of a step may also land on the square that the piece left.
    let stepping = |steps: Sets, ahead: Capture| {
        let Capture { any, safe } = with_room.or(ahead).on(steps & empty);
        Danger { denied: safe, exchanging: any & !safe }
    };
    stepping(ahead.forward_left, left)
        .or(stepping(ahead.forward_right, right))
        .or(stepping(ahead.back_left, back_left))
        .or(stepping(ahead.back_right, back_right))
}

impl Danger {
    #[inline(always)]
    fn or(self, other: Danger) -> Danger {
        Danger { denied: self.denied | other.denied, exchanging: self.exchanging | other.exchanging }
    }
}

/// Squares where a piece would be next to an opposing piece that could capture it.
#[derive(Clone, Copy)]
struct Capture {
    any: Sets,
    /// Those where the captor would not be recaptured.
    safe: Sets,
}

impl Capture {
    #[inline(always)]
    fn on(self, squares: Sets) -> Capture {
        Capture { any: self.any & squares, safe: self.safe & squares }
    }

    #[inline(always)]
    fn or(self, other: Capture) -> Capture {
        Capture { any: self.any | other.any, safe: self.safe | other.safe }
    }
}
