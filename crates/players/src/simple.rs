//! The players without a search: those without settings, and the greedy player, the Max agent of the Kalah thesis (section 5.2, Algorithm 2).

use std::collections::HashMap;
use std::fmt;

use mancalab_base::Error;
use rand::{Rng as _, RngExt};

use super::budget::Budget;
use super::game::{Game, Move};
use super::kind::{Forms, PlayerKind, Unread};
use super::pool::Pool;
use super::search::{SearchHints, Ties};
use super::text::Values::Words;
use super::text::{self, Setting, TIES};
use super::{Built, Player, Purpose, Turn, Unbuilt};

/// Plays a uniformly random legal move.
#[derive(Clone, Copy, Debug)]
pub struct RandomPlayer;

impl<G: Game> Player<G> for RandomPlayer {
    fn think(&mut self, turn: &Turn<G>, _: Budget) -> Option<Move> {
        (!turn.pos.is_over()).then(|| turn.pos.pick(turn.rng(Purpose::Move).next_u32()))
    }
}

/// A player without settings.
pub(crate) enum Simple {
    Human,
    Random,
}

pub(crate) const HUMAN: Forms = &[("human", "you, at the keyboard")];
pub(crate) const RANDOM: Forms = &[("random", "any legal move")];

pub(crate) fn unread(text: &str, player: Simple) -> Result<Unread<Simple>, Error> {
    match text.get(1..) {
        None => Ok(Unread::ready(player)),
        Some(extra) => Err(format!("player '{player}' takes no settings (got '{extra}')").into()),
    }
}

impl Simple {
    fn form(&self) -> (&'static str, &'static str) {
        match self {
            Simple::Human => HUMAN[0],
            Simple::Random => RANDOM[0],
        }
    }
}

impl fmt::Display for Simple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.form().0)
    }
}

impl PlayerKind for Simple {
    fn build<G: SearchHints>(&self, _: &Pool) -> Built<G> {
        match self {
            Simple::Human => Err(Unbuilt::Human),
            Simple::Random => Ok(Box::new(RandomPlayer)),
        }
    }

    fn about(&self) -> String {
        self.form().1.to_owned()
    }
}

/// The settings of the greedy player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Max {
    pub ties: Ties,
    /// Whether a move that gives another turn counts with what the best of the following moves gains.
    pub chain: bool,
}

impl Default for Max {
    fn default() -> Max {
        Max { ties: Ties::Random, chain: false }
    }
}

pub(crate) const FORMS: Forms = &[
    ("max", "greedy: takes the most now; ties at random"),
    ("max:ties=last", "of equally good moves the last; also first, chain=yes"),
];

const SETTINGS: &[Setting<Max>] =
    &[Setting("ties", Words(TIES), |s| &mut s.ties), Setting("chain", Words("yes|no"), |s| &mut s.chain)];

impl Max {
    /// Reads the part of a player's text after `max`: settings.
    pub(super) fn read(text: &str) -> Result<Max, Error> {
        let mut max = Max::default();
        match text::read(text, SETTINGS, &mut max)? {
            "" => Ok(max),
            rest => Err(text::unknown("max", &rest[1..], SETTINGS)),
        }
    }

    /// Returns the gain of a move, with that of the moves after it if they count.
    fn gain<G: Game>(self, pos: &G, mv: Move, known: &mut HashMap<G::Key, i32>) -> i32 {
        let gain = pos.gain(mv);
        let next = pos.play(mv);
        if !self.chain || next.is_over() || next.side() != pos.side() {
            return gain;
        }
        if let Some(&best) = known.get(&next.key()) {
            return best;
        }
        // A gain is the mover's whole score, so that of the last move has all others in it; and within a turn equal boards have equal
        // scores.
        let best = next.moves().map(|mv| self.gain(&next, mv, known)).max().unwrap_or(gain);
        known.insert(next.key(), best);
        best
    }
}

impl fmt::Display for Max {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("max")?;
        text::write(f, SETTINGS, self, Max::default())
    }
}

impl PlayerKind for Max {
    fn build<G: SearchHints>(&self, _: &Pool) -> Built<G> {
        Ok(Box::new(MaxPlayer(*self)))
    }

    fn about(&self) -> String {
        if self.chain { "greedy: takes most this turn" } else { "greedy: takes most now" }.to_owned()
    }

    fn set_ties(&mut self, ties: Ties) {
        self.ties = ties;
    }

    fn is_deterministic(&self) -> bool {
        !self.ties.is_drawn()
    }
}

/// Plays the move with the greatest [gain](Game::gain), in Kalah that with most seeds in its own store.
#[derive(Clone, Copy, Debug, Default)]
pub struct MaxPlayer(pub Max);

impl<G: Game> Player<G> for MaxPlayer {
    fn think(&mut self, turn: &Turn<G>, _: Budget) -> Option<Move> {
        let mut known = HashMap::new();
        let gains: Vec<(Move, i32)> = turn.pos.moves().map(|mv| (mv, self.0.gain(&turn.pos, mv, &mut known))).collect();
        let most = gains.iter().map(|&(_, gain)| gain).max()?;
        let best = gains.iter().filter(|&&(_, gain)| gain == most).map(|&(mv, _)| mv);
        self.0.ties.choose(&turn.pos, best, |count| turn.rng(Purpose::Tie).random_range(0..count))
    }
}

#[cfg(test)]
mod tests {
    use super::super::game::kalah::Kalah;
    use super::super::game::{BoardGame as _, Notation as _};
    use super::super::{Spec, choose};
    use super::*;

    fn chosen(text: &str, pos: &Kalah) -> Vec<String> {
        let Ok(Spec::Max(max)) = text.parse() else { panic!("{text}") };
        let moves = (0..40).map(|seed| choose(&mut MaxPlayer(max), &Turn::new(*pos, 0, seed)));
        let mut moves: Vec<String> = moves.map(|mv| pos.move_text(mv.unwrap())).collect();
        moves.sort();
        moves.dedup();
        moves
    }

    #[test]
    fn of_equally_good_moves_each_setting_takes_its_own() {
        // C, D, E and F reach the store, and gain one seed each.
        let start = Kalah::start("6x4:standard".parse().unwrap());
        assert_eq!(chosen("max", &start), ["C", "D", "E", "F"]);
        assert_eq!([chosen("max:ties=first", &start), chosen("max:ties=last", &start)], [["C"], ["F"]]);
        // C gives another turn, which gains more.
        assert_eq!(chosen("max:chain=yes", &start), ["C"]);
    }

    #[test]
    fn settings_are_read_and_written() {
        for text in ["max", "max:ties=first", "max:ties=last:chain=yes", "max:chain=yes"] {
            assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
        }
        assert_eq!("max:chain=no".parse::<Spec>().unwrap().to_string(), "max");
        let error = "max:5".parse::<Spec>().unwrap_err().to_string();
        assert_eq!(error, "max takes ties=first|last|random|window and chain=yes|no (got 5)");
    }

    /// The greatest gain of a turn, by trying all its moves.
    fn greatest(pos: &Kalah, gained: i32) -> i32 {
        let after = |mv| {
            let next = pos.play(mv);
            if next.is_over() || next.side() != pos.side() { pos.gain(mv) } else { greatest(&next, pos.gain(mv)) }
        };
        pos.moves().map(after).max().unwrap_or(gained)
    }

    #[test]
    fn a_chain_counts_with_its_best_end() {
        let mut pos = Kalah::start("6x6:standard".parse().unwrap());
        let mut player = MaxPlayer(Max { chain: true, ..Max::default() });
        for ply in 0..60 {
            if pos.is_over() {
                break;
            }
            let mv = choose(&mut player, &Turn::new(pos, ply, 7)).unwrap();
            let end = pos.play(mv);
            let reached = if end.is_over() || end.side() != pos.side() { pos.gain(mv) } else { greatest(&end, 0) };
            assert_eq!(reached, greatest(&pos, 0));
            pos = end;
        }
    }
}
