//! Terms about the squares that pieces can step to, and what the next jump would make of that.
//!
//! All of them disregard that a jump may be compulsory now, as the paper says of MOB.

use super::super::scene::{Halves, Scene, Sets, Way, both, exchanged};

/// The row where men are crowned.
const CROWNING: Sets = both(0xF000_0000);

/// MOB: 1 for each empty square that some piece can step to.
#[inline]
pub fn mobility(scene: &Scene) -> Halves {
    Halves::of(2, scene.steps())
}

/// DENY: 1 for each square that the other side could step to, where what comes there could be captured without an exchange.
#[inline]
pub fn denial(scene: &Scene) -> Halves {
    Halves::of(2, exchanged(contested(scene).denied))
}

/// MOBIL: the squares to step to less those that the other side denies.
#[inline]
pub fn undenied_mobility(scene: &Scene) -> Halves {
    Halves::of(2, scene.steps()).and(-2, contested(scene).denied)
}

/// EXCH: 1 for each square that some piece can step to and so force an exchange: it can be captured there, and whatever captures it
/// can be captured in turn.
#[inline]
pub fn exchange(scene: &Scene) -> Halves {
    Halves::of(2, contested(scene).exchanging)
}

/// RECAP: the same as EXCH; in the paper it is there to see what becomes of a term that is there twice.
#[inline]
pub fn recapture(scene: &Scene) -> Halves {
    exchange(scene)
}

/// THRET: 1 for each square that some piece can step to, where it threatens to capture.
#[inline]
pub fn threat(scene: &Scene) -> Halves {
    let prey = Prey::of(scene);
    let (ahead, behind) = (prey.ahead[0] | prey.ahead[1], prey.behind[0] | prey.behind[1]);
    Halves::of(2, scene.steps() & ahead | crowned_steps(scene) & behind)
}

/// FORK: 1 for each square that some piece can step to, where it stands before two pieces of the other side side by side, with an
/// empty square behind each: one of the two is lost. Behind them is as good as before them for a king.
#[inline]
pub fn fork(scene: &Scene) -> Halves {
    let Prey { ahead, behind } = Prey::of(scene);
    Halves::of(2, scene.steps() & ahead[0] & ahead[1]).and(2, crowned_steps(scene) & behind[0] & behind[1])
}

/// Squares to step to where a piece will be a king: one that is, or a man that comes to the last row.
#[inline(always)]
fn crowned_steps(scene: &Scene) -> Sets {
    scene.kings_steps() | scene.steps() & CROWNING
}

/// Squares from which a piece could capture, to the left and to the right.
struct Prey {
    ahead: [Sets; 2],
    behind: [Sets; 2],
}

impl Prey {
    #[inline(always)]
    fn of(scene: &Scene) -> Prey {
        let (other, empty) = (scene.other, &scene.beside_empty);
        // Seen from where the piece would land: back over what it captures, and back again.
        Prey {
            ahead: [Way::BackRight.of(other & empty.back_right), Way::BackLeft.of(other & empty.back_left)],
            behind: [
                Way::ForwardRight.of(other & empty.forward_right),
                Way::ForwardLeft.of(other & empty.forward_left),
            ],
        }
    }
}

/// Squares to step to on which a piece could be captured.
#[derive(Clone, Copy)]
struct Contested {
    /// What captures some piece that comes there is not captured itself.
    denied: Sets,
    /// Some piece that comes there can be captured, but only by what is then captured itself.
    exchanging: Sets,
}

/// Looks two captures ahead at each step: the one of the piece that steps, and the one of what captured it. Of captures of several
/// pieces in a row the first alone is seen.
#[inline(always)]
fn contested(scene: &Scene) -> Contested {
    let Scene { ahead, beside_empty, other, other_kings, empty, .. } = scene;
    // What captures lands where own pieces capture it along one of the diagonals, between themselves and an empty square.
    let rising = ahead.back_left & beside_empty.forward_right | ahead.forward_right & beside_empty.back_left;
    let falling = ahead.back_right & beside_empty.forward_left | ahead.forward_left & beside_empty.back_right;
    // By the way from the square stepped to, to the piece that captures there: where it lands it is captured along the way it came, over
    // the square that was just cleared, or across.
    let capture = |way: Way, any: Sets, along: Sets, across: Sets| Capture { any, safe: any & !way.of(along | across) };
    let left = capture(Way::ForwardLeft, Way::BackRight.of(*other), ahead.forward_left, rising);
    let right = capture(Way::ForwardRight, Way::BackLeft.of(*other), ahead.forward_right, falling);
    let back_left = capture(Way::BackLeft, Way::ForwardRight.of(*other_kings), ahead.back_left, falling);
    let back_right = capture(Way::BackRight, Way::ForwardLeft.of(*other_kings), ahead.back_right, rising);
    let with_room = left
        .on(beside_empty.forward_left)
        .or(right.on(beside_empty.forward_right))
        .or(back_left.on(beside_empty.back_left))
        .or(back_right.on(beside_empty.back_right));
    // What stands ahead of a step may land where the piece came from, too.
    let stepping = |steps: Sets, ahead: Capture| {
        let Capture { any, safe } = with_room.or(ahead).on(steps & empty);
        Contested { denied: safe, exchanging: any & !safe }
    };
    stepping(ahead.forward_left, left)
        .or(stepping(ahead.forward_right, right))
        .or(stepping(ahead.back_left, back_left))
        .or(stepping(ahead.back_right, back_right))
}

impl Contested {
    #[inline(always)]
    fn or(self, other: Contested) -> Contested {
        Contested { denied: self.denied | other.denied, exchanging: self.exchanging | other.exchanging }
    }
}

/// Squares on which a piece would stand next to one of the other side's that could capture it.
#[derive(Clone, Copy)]
struct Capture {
    any: Sets,
    /// Where the other side's piece would not be captured after that.
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
