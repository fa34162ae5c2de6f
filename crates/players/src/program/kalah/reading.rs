//! How a program reads a board, and how a number becomes a bowl.

use super::{BowlLanguage, Bowls, Program, ProgramGame};
use crate::game::{Move, Side};
use crate::program::Tape;
use crate::settings::string_enum;

/// The mapping from a number to the bowl to sow.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Choice {
    /// The number modulo 7; from there upward, past 0, to the first own bowl with stones.
    #[default]
    Next,
    /// The same, but downward.
    Previous,
    /// The number modulo 6 is an own bowl, counted from the left from 0; from there upward to the first with stones.
    Six,
}

string_enum!(Choice { "next" => Next, "previous" => Previous, "six" => Six });

/// The origin of VALUE_AT indices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Seat {
    /// From the mancala on the mover's left: [`Bowls`].
    #[default]
    Mover,
    /// From the mancala on South's left, whichever side moves.
    South,
    /// From the mover's leftmost bowl: 0 to 5 the own bowls, 6 the own mancala, 7 to 12 the opponent's bowls, 13 the opponent's mancala.
    First,
}

string_enum!(Seat { "mover" => Mover, "south" => South, "first" => First });

/// The interpretation of programs where the source is silent. The default gives Figure 5's scores exactly; the alternatives show
/// what each choice changes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Reading {
    pub seat: Seat,
    pub choice: Choice,
}

impl Reading {
    /// Returns the board as the program reads it. Boards with another number of bowls are adapted: missing bowls are empty.
    #[inline]
    pub fn bowls<G: ProgramGame>(self, pos: &G) -> Bowls<G> {
        let me = if self.seat == Seat::South { Side::South } else { pos.side() };
        let pits = usize::from(G::Language::PITS);
        let mut context = G::Language::EMPTY;
        let bowls = context.as_mut();
        for (store, side) in [(0, me.other()), (pits + 1, me)] {
            bowls[store] = pos.seeds(side).store;
        }
        for (first, side) in [(1, me), (pits + 2, me.other())] {
            bowls[first..first + pits].copy_from_slice(&pos.row(side)[..pits]);
        }
        if self.seat == Seat::First {
            bowls.rotate_left(1);
        }
        context
    }

    /// Returns the bowl, counted in sowing order from 0, for each [`remainder`](Reading::remainder). `None` if the game is over.
    pub fn choices<G: ProgramGame>(self, pos: &G) -> Option<PerRemainder<G, u8>> {
        let mut legal = [false; 16];
        pos.moves().for_each(|pit| legal[pit.index()] = true);
        let mut choices = G::Language::per_remainder(0);
        for (remainder, choice) in choices.as_mut().iter_mut().enumerate() {
            let pits = pos.pits_a_side().max(G::Language::PITS);
            *choice = self.chosen(remainder, pits, |pit| legal[usize::from(pit)])?;
        }
        Some(choices)
    }

    fn chosen(self, remainder: usize, pits: u8, legal: impl Fn(u8) -> bool) -> Option<u8> {
        let bowls = i32::from(pits) + 1;
        let start = remainder as i32;
        let place = |step: i32| match self.choice {
            Choice::Next => (start + step).rem_euclid(bowls),
            Choice::Previous => (start - step).rem_euclid(bowls),
            Choice::Six => 1 + (start + step).rem_euclid(i32::from(pits)),
        };
        (0..bowls).map(place).find(|&bowl| bowl > 0 && legal(bowl as u8 - 1)).map(|bowl| bowl as u8 - 1)
    }

    /// Returns the remainder that selects the bowl, for a program's value.
    #[inline]
    pub fn remainder<G: ProgramGame>(self, value: i64) -> usize {
        let pits = i64::from(G::Language::PITS);
        match self.choice {
            Choice::Six => value.rem_euclid(pits) as usize,
            _ => value.rem_euclid(pits + 1) as usize,
        }
    }

    /// Returns the move of a program that is ready to run; `None` if the game is over.
    pub fn chosen_move<G: ProgramGame>(self, tape: &mut Tape<G::Language>, pos: &G) -> Option<Move> {
        let remainder = self.remainder::<G>(tape.run(&self.bowls(pos)));
        self.choices(pos).map(|choices| choices.as_ref()[remainder].into())
    }
}

/// One value for each remainder in a game.
type PerRemainder<G, T> = <<G as ProgramGame>::Language as BowlLanguage>::PerRemainder<T>;

/// A program's evaluation of a position, step by step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The program's value.
    pub value: i64,
    /// The value modulo 7 (or 6).
    pub remainder: usize,
    /// The own bowl of this remainder, from 1; `None` for the mancala on the left.
    pub named: Option<u8>,
    /// That bowl is empty or does not exist, so the next one with stones is sown.
    pub fallback: bool,
    /// The bowl sown, counted from the mover's left from 0.
    pub played: u8,
}

impl Reading {
    /// Explains a program's move; `None` if the game is over.
    pub fn explain<G: ProgramGame>(self, program: &Program, pos: &G) -> Option<Explanation> {
        let choices = self.choices(pos)?;
        let value = Tape::new(&G::Language::own(program)).run(&self.bowls(pos));
        let remainder = self.remainder::<G>(value);
        let played = choices.as_ref()[remainder];
        let named = match self.choice {
            Choice::Six => Some(remainder as u8 + 1),
            _ => (remainder > 0).then_some(remainder as u8),
        };
        Some(Explanation { value, remainder, named, fallback: named != Some(played + 1), played })
    }
}
