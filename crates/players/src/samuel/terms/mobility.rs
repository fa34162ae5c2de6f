//! Terms about the squares that pieces can step to, and the next jumps from there.
//!
//! None considers whether a jump is compulsory now, as in the paper for MOB.

use super::super::scene::{Halves, Scene, Sets, Way, both, exchanged};

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
