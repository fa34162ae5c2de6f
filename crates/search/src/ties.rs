//! The choice among equally good moves.

use crate::game::{Game, Move};
use crate::settings::string_enum;

/// Choice among equally good moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ties {
    /// The first in the game's canonical order, as in plain minimax that replaces its choice only by a strictly better move.
    #[default]
    First,
    /// The last in this order, as in plain minimax that replaces its choice also by an equal move.
    Last,
    /// A uniformly random one, drawn from the game's seed.
    Random,
    /// A uniformly random one of those that alpha-beta with one window at the root takes for the best: the first of the best moves, and
    /// every move after it, whose pruned search returns the window's bound. A mistake of plain implementations, for comparison.
    Window,
}

impl Ties {
    /// Returns whether the choice depends on the game's seed.
    pub fn is_drawn(self) -> bool {
        matches!(self, Ties::Random | Ties::Window)
    }

    /// Returns whether the choice needs all best moves, not the first alone.
    pub fn needs_all(self) -> bool {
        matches!(self, Ties::Last | Ties::Random)
    }

    /// Chooses one of the `best` moves of `pos`, in canonical order; `draw` returns a random number below its argument.
    #[inline]
    pub fn choose<G: Game>(
        self,
        pos: &G,
        mut best: impl Iterator<Item = Move> + Clone,
        draw: impl FnOnce(usize) -> usize,
    ) -> Option<Move> {
        match self {
            Ties::First => best.next(),
            Ties::Last => best.last(),
            Ties::Random => drawn(best, draw),
            Ties::Window => {
                let first = best.next()?;
                drawn(pos.moves().skip_while(|mv| *mv != first), draw)
            }
        }
    }
}
string_enum!(Ties { "first" => First, "last" => Last, "random" => Random, "window" => Window });

#[inline]
fn drawn(mut moves: impl Iterator<Item = Move> + Clone, draw: impl FnOnce(usize) -> usize) -> Option<Move> {
    match moves.clone().count() {
        0 => None,
        count => moves.nth(draw(count)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::BoardGame as _;
    use crate::game::kalah::Kalah;

    #[test]
    fn each_word_chooses_its_move() {
        let start = Kalah::start("6x4:standard".parse().unwrap());
        let best = [1u32, 3].map(|pit| start.moves().nth(pit as usize).unwrap());
        let chosen = |ties: &str, nth: usize| {
            let ties: Ties = ties.parse().unwrap();
            let mut counts = 0;
            let mv = ties.choose(&start, best.into_iter(), |count| {
                counts = count;
                nth
            });
            (mv.map(|mv| mv.index()), counts)
        };
        assert_eq!([chosen("first", 0), chosen("last", 0)], [(Some(1), 0), (Some(3), 0)]);
        assert_eq!([chosen("random", 0), chosen("random", 1)], [(Some(1), 2), (Some(3), 2)]);
        assert_eq!([chosen("window", 0), chosen("window", 4)], [(Some(1), 5), (Some(5), 5)]);
        for (_, ties) in Ties::WORDS {
            assert_eq!(ties.choose(&start, std::iter::empty(), |_| 0), None);
        }
    }
}
