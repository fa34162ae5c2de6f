//! The terms that look ahead, against plain loops over rows and files.

use super::*;

/// `(row, file)`, counted from the lower left corner from Black's perspective.
type At = (i32, i32);

const DIAGONALS: [At; 4] = [(1, -1), (1, 1), (-1, -1), (-1, 1)];

#[derive(Clone)]
struct Plain {
    /// The owner, and whether it is a king; `None` for an empty square.
    squares: [[Option<(Side, bool)>; 8]; 8],
}

fn plus((row, file): At, (up, right): At) -> At {
    (row + up, file + right)
}

impl Plain {
    fn new(pos: &Checkers) -> Plain {
        let mut squares = [[None; 8]; 8];
        for side in Side::BOTH {
            for (set, king) in [(pos.men(side), false), (pos.kings(side), true)] {
                for bit in (0..32).filter(|bit| set >> bit & 1 == 1) {
                    let row = bit / 4;
                    let nth = bit % 4;
                    squares[row][if row % 2 == 0 { 6 } else { 7 } - 2 * nth] = Some((side, king));
                }
            }
        }
        Plain { squares }
    }

    /// `None` off the board.
    fn at(&self, (row, file): At) -> Option<Option<(Side, bool)>> {
        let on_board = (0..8).contains(&row) && (0..8).contains(&file);
        on_board.then(|| self.squares[row as usize][file as usize])
    }

    fn is_empty(&self, at: At) -> bool {
        self.at(at) == Some(None)
    }

    fn all() -> impl Iterator<Item = At> {
        (0..8).flat_map(|row| (0..8).map(move |file| (row, file))).filter(|(row, file)| (row + file) % 2 == 0)
    }

    fn may_go((side, king): (Side, bool), (up, _): At) -> bool {
        king || (up > 0) == (side == Side::South)
    }

    /// From, direction, to.
    fn steps(&self, side: Side) -> Vec<(At, At, At)> {
        let mut steps = Vec::new();
        for from in Plain::all() {
            let Some(Some(piece)) = self.at(from) else { continue };
            let ways = DIAGONALS.into_iter().filter(|&way| piece.0 == side && Plain::may_go(piece, way));
            steps.extend(ways.map(|way| (from, way, plus(from, way))).filter(|step| self.is_empty(step.2)));
        }
        steps
    }

    fn stepped(&self, from: At, to: At) -> Plain {
        let mut next = self.clone();
        next.squares[to.0 as usize][to.1 as usize] = next.squares[from.0 as usize][from.1 as usize].take();
        next
    }

    /// Single jumps over `captured`: the boards after them, and the landing squares.
    fn captures(&self, captured: At) -> Vec<(Plain, At)> {
        let owner = self.at(captured).unwrap().unwrap().0;
        let mut after = Vec::new();
        for way in DIAGONALS {
            let from = plus(captured, (-way.0, -way.1));
            let to = plus(captured, way);
            if let Some(Some(piece)) = self.at(from)
                && piece.0 != owner
                && Plain::may_go(piece, way)
                && self.is_empty(to)
            {
                let mut next = self.stepped(from, to);
                next.squares[captured.0 as usize][captured.1 as usize] = None;
                after.push((next, to));
            }
        }
        after
    }
}

/// The squares that a side can step to, with two flags: some piece is lost there, some piece forces an exchange.
fn contested(plain: &Plain, side: Side) -> (f64, f64) {
    let mut denied = Vec::new();
    let mut exchanging = Vec::new();
    for (from, _, to) in plain.steps(side) {
        let captures = plain.stepped(from, to).captures(to);
        let is_lost = captures.iter().any(|(after, landed)| after.captures(*landed).is_empty());
        if is_lost {
            denied.push(to);
        } else if !captures.is_empty() {
            exchanging.push(to);
        }
    }
    for squares in [&mut denied, &mut exchanging] {
        squares.sort_unstable();
        squares.dedup();
    }
    (denied.len() as f64, exchanging.len() as f64)
}

#[test]
fn ways_lead_where_the_game_says() {
    use crate::game::checkers::sets::{Way, neighbours};
    use crate::samuel::scene;
    for square in 0..32 {
        let own = 1_u32 << square;
        // The other side's board is rotated.
        let sets = u64::from(own) | u64::from(own.reverse_bits()) << 32;
        for (way, theirs) in [
            (scene::Way::ForwardLeft, Way::FarLeft),
            (scene::Way::ForwardRight, Way::FarRight),
            (scene::Way::BackLeft, Way::NearLeft),
            (scene::Way::BackRight, Way::NearRight),
        ] {
            let to = way.shift(sets);
            assert_eq!(to as u32, neighbours(own, theirs), "{square} {way:?}");
            assert_eq!(((to >> 32) as u32).reverse_bits(), neighbours(own, theirs.back()), "{square} {way:?}");
        }
    }
}

#[test]
fn squares_are_contested_as_plain_boards_say() {
    for pos in positions(40) {
        let plain = Plain::new(&pos);
        let [black, white] = Side::BOTH.map(|side| contested(&plain, side));
        assert_eq!(printed("DENY", &pos), [white.0, black.0], "{pos:?}");
        assert_eq!(printed("EXCH", &pos), [black.1, white.1], "{pos:?}");
    }
}

#[test]
fn threats_and_forks_are_those_of_plain_boards() {
    for pos in positions(40) {
        let plain = Plain::new(&pos);
        let found = Side::BOTH.map(|side| {
            let mut threats = Vec::new();
            let mut forks = Vec::new();
            for (from, _, to) in plain.steps(side) {
                let mut after = plain.stepped(from, to);
                let (_, king) = after.at(to).unwrap().unwrap();
                let crowned = to.0 == if side == Side::South { 7 } else { 0 };
                let piece = (side, king || crowned);
                after.squares[to.0 as usize][to.1 as usize] = Some(piece);
                let captures = |way: At| {
                    let next = after.at(plus(to, way)).flatten();
                    let beyond = plus(to, (2 * way.0, 2 * way.1));
                    Plain::may_go(piece, way) && next.is_some_and(|next| next.0 != side) && after.is_empty(beyond)
                };
                if DIAGONALS.into_iter().any(captures) {
                    threats.push(to);
                }
                forks.extend(
                    [1, -1].into_iter().filter(|&up| captures((up, -1)) && captures((up, 1))).map(|up| (to, up)),
                );
            }
            threats.sort_unstable();
            threats.dedup();
            forks.sort_unstable();
            forks.dedup();
            (threats.len() as f64, forks.len() as f64)
        });
        assert_eq!(printed("THRET", &pos), found.map(|found| found.0), "{pos:?}");
        assert_eq!(printed("FORK", &pos), found.map(|found| found.1), "{pos:?}");
    }
}

#[test]
fn squares_around_are_those_of_plain_boards() {
    for pos in positions(40) {
        let plain = Plain::new(&pos);
        let against = |sides: [f64; 2]| sides.map(|count| 0.0 - count);
        let around = |at: At| DIAGONALS.map(|way| plain.at(plus(at, way)));
        let is_own = |side: Side, at: At| matches!(plain.at(at), Some(Some((owner, _))) if owner == side);
        let count = |is: &dyn Fn(Side, At) -> bool| {
            Side::BOTH.map(|side| Plain::all().filter(|&at| is(side, at)).count() as f64)
        };
        let empties = |at: At| around(at).into_iter().filter(|&next| next == Some(None)).count();
        let beside = |side: Side, at: At| DIAGONALS.into_iter().filter(|&way| is_own(side, plus(at, way))).count();
        let opposite = |at: At, is: &dyn Fn(At) -> bool| {
            DIAGONALS.into_iter().any(|way| is(plus(at, way)) && is(plus(at, (-way.0, -way.1))))
        };
        let is_edge = |(row, file): At| row == 0 || row == 7 || file == 0 || file == 7;
        assert_eq!(printed("NODE", &pos), count(&|side, at| is_own(side, at) && empties(at) >= 3), "{pos:?}");
        assert_eq!(
            printed("HOLE", &pos),
            against(count(&|side, at| plain.is_empty(at) && beside(side, at) >= 3)),
            "{pos:?}"
        );
        assert_eq!(
            printed("EXPOS", &pos),
            count(&|side, at| is_own(side, at) && opposite(at, &|next| plain.is_empty(next))),
            "{pos:?}"
        );
        assert_eq!(
            printed("GAP", &pos),
            against(count(&|side, at| plain.is_empty(at)
                && (opposite(at, &|next| is_own(side, next)) || is_edge(at) && beside(side, at) > 0))),
            "{pos:?}"
        );
        let is_man = |side: Side, at: At| plain.at(at) == Some(Some((side, false)));
        assert_eq!(printed("POLE", &pos), against(count(&|side, at| is_man(side, at) && empties(at) == 4)), "{pos:?}");
    }
}
