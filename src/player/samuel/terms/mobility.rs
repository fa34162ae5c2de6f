//! Terms about the squares that pieces can step to, and what the next jump would make of that.
//!
//! All of them disregard that a jump may be compulsory now, as the paper says of MOB.

use super::super::scene::{BACK, FORWARD, Halves, Scene, Sets, WAYS, Way, both, exchanged};

/// The row where men are crowned.
const CROWNING: Sets = both(0xF000_0000);

/// MOB: 1 for each empty square that some piece can step to.
#[inline]
pub fn mobility(scene: &Scene) -> Halves {
    let [men, kings] = scene.steps();
    Halves::of(2, men | kings)
}

/// DENY: 1 for each square that the other side could step to, where what comes there could be captured without an exchange.
#[inline]
pub fn denial(scene: &Scene) -> Halves {
    Halves::of(2, exchanged(contested(scene).denied))
}

/// MOBIL: the squares to step to less those that the other side denies.
#[inline]
pub fn undenied_mobility(scene: &Scene) -> Halves {
    let [men, kings] = scene.steps();
    Halves::of(2, men | kings).and(-2, contested(scene).denied)
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
    let [men, kings] = steps_as(scene);
    let [ahead, behind] = [FORWARD, BACK].map(|ways| capturing(scene, ways));
    let [ahead, behind] = [ahead[0] | ahead[1], behind[0] | behind[1]];
    Halves::of(2, men & ahead | kings & (ahead | behind))
}

/// FORK: 1 for each square that some piece can step to, where it stands before two pieces of the other side side by side, with an
/// empty square behind each: one of the two is lost. Behind them is as good as before them for a king.
#[inline]
pub fn fork(scene: &Scene) -> Halves {
    let [men, kings] = steps_as(scene);
    let [ahead, behind] = [FORWARD, BACK].map(|ways| capturing(scene, ways));
    Halves::of(2, (men | kings) & ahead[0] & ahead[1]).and(2, kings & behind[0] & behind[1])
}

/// Squares to step to, as what a piece will be there: a man, or a king. A man that steps to the last row is crowned.
#[inline]
fn steps_as(scene: &Scene) -> [Sets; 2] {
    let [men, kings] = scene.steps();
    [men & !CROWNING, kings | men & CROWNING]
}

/// Squares from which a piece could capture each of these ways.
#[inline]
fn capturing(scene: &Scene, ways: [Way; 2]) -> [Sets; 2] {
    // Seen from where it would land: back over what is captured, and back again.
    ways.map(|way| way.opposite().of(scene.other() & way.opposite().of(scene.empty)))
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
#[inline]
fn contested(scene: &Scene) -> Contested {
    // For each way from the square stepped to, to the piece that captures there.
    let captures = WAYS.map(|way| Capture::from(scene, way));
    let lands_freely = |way: Way| way.of(scene.empty);
    let (mut captured, mut lost) = (0, 0);
    for (way, capture) in WAYS.into_iter().zip(captures) {
        captured |= capture.any & lands_freely(way);
        lost |= capture.safe & lands_freely(way);
    }
    let (mut denied, mut exchanging) = (0, 0);
    for (way, capture) in WAYS.into_iter().zip(captures) {
        let steps = way.of(scene.going(way)) & scene.empty;
        // What stands ahead of the step may land where the piece came from.
        let lost = steps & (lost | capture.safe);
        denied |= lost;
        exchanging |= steps & (captured | capture.any) & !lost;
    }
    Contested { denied, exchanging }
}

/// Squares on which a piece would stand next to one of the other side's that could capture it, if there is room to land.
#[derive(Clone, Copy)]
struct Capture {
    any: Sets,
    /// Where the other side's piece would not be captured after that.
    safe: Sets,
}

impl Capture {
    /// `way` leads from the square to the piece that captures.
    #[inline]
    fn from(scene: &Scene, way: Way) -> Capture {
        let any = way.opposite().of(scene.others_going(way.opposite()));
        // Where it lands it is captured along the way it came, over the square that was just cleared, or across.
        let along = way.of(scene.going(way));
        let across = way.across().map(|side| side.opposite().of(scene.going(side.opposite())) & side.of(scene.empty));
        let recaptured = along | across[0] | across[1];
        Capture { any, safe: any & !way.of(recaptured) }
    }
}
