//! The language of Kalah programs: integers, and one function that reads the board.
//!
//! After "Using Genetic Programming to Play Mancala": functions IF_<_DO_ELSE_, ADDITION, SUBTRACTION and VALUE_AT, integers 0 to
//! 13. The number that a program computes selects the bowl to sow.

use super::{Grammar, Language, Node, Operand, Symbol, Tape, Tree};
use crate::game::Game;
use crate::game::kalah::Kalah;
use crate::rng::{Rng, keyed};
use crate::settings::string_enum;
use rand::RngExt;

/// The number of bowls on a board of six a side, mancalas included.
pub const BOWLS: usize = 14;

/// Stones from the perspective of the player to move: 0 is the mancala on the left (the opponent's), 1 to 6 the own bowls from left
/// to right, 7 the own mancala, 8 to 13 the opponent's bowls counter-clockwise, so that 14 − i is opposite i.
pub type Bowls = [u8; BOWLS];

/// A Kalah program.
pub type Program = Tree<KalahLanguage>;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct KalahLanguage;

/// Indices of the functions in the list of symbols.
pub const IF: u8 = 0;
pub const ADD: u8 = 1;
pub const SUB: u8 = 2;
pub const VALUE_AT: u8 = 3;

impl Language for KalahLanguage {
    type Constant = i32;
    type Value = i64;
    type Context = Bowls;

    const SYMBOLS: &'static [Symbol] = &[
        Symbol { name: "if", short: "if<", pieces: &["(if ", " < ", " do ", " else do ", ")"] },
        Symbol { name: "add", short: "+", pieces: &["(", " + ", ")"] },
        Symbol { name: "sub", short: "-", pieces: &["(", " - ", ")"] },
        Symbol { name: "value_at", short: "@", pieces: &["(value at [", "])"] },
    ];
    const INPUTS: usize = BOWLS;
    const CONSTANT: [&'static str; 2] = ["(", ")"];
    const CONSTANT_HELP: &'static str = "a whole number";

    fn draw(rng: &mut Rng) -> i32 {
        rng.random_range(0..BOWLS as i32)
    }

    fn parse_constant(text: &str) -> Option<i32> {
        // The standard library reads `+4`, which would be written back without its sign.
        text.parse().ok().filter(|_| !text.starts_with('+'))
    }

    fn value(constant: i32) -> i64 {
        constant.into()
    }

    fn bits(constant: i32) -> u64 {
        constant as u32 as u64
    }

    fn constant(value: i64) -> Option<i32> {
        value.try_into().ok()
    }

    #[inline]
    fn look(bowls: &Bowls, inputs: &mut [i64]) {
        for (input, &stones) in inputs.iter_mut().zip(bowls) {
            *input = stones.into();
        }
    }

    #[inline(always)]
    fn apply(symbol: u8, arg: impl Fn(usize) -> i64, input: impl Fn(usize) -> i64) -> i64 {
        match symbol {
            IF => {
                if arg(0) < arg(1) {
                    arg(2)
                } else {
                    arg(3)
                }
            }
            ADD => arg(0).saturating_add(arg(1)),
            SUB => arg(0).saturating_sub(arg(1)),
            _ => input(bowl_of(arg(0))),
        }
    }

    fn fold(symbol: u8, args: &[Operand<i32>]) -> Option<Operand<i32>> {
        let zero = Operand::Constant(0);
        match (symbol, args) {
            (IF, &[a, b, _, otherwise]) if a == b => Some(otherwise),
            (IF, &[_, _, then, otherwise]) if then == otherwise => Some(then),
            (IF, &[Operand::Constant(a), Operand::Constant(b), then, otherwise]) => {
                Some(if a < b { then } else { otherwise })
            }
            (ADD, &[a, b]) if a == zero => Some(b),
            (ADD | SUB, &[a, b]) if b == zero => Some(a),
            (SUB, &[a, b]) if a == b => Some(zero),
            (VALUE_AT, &[Operand::Constant(at)]) => Some(Operand::Input(bowl_of(at.into()) as u8)),
            _ => None,
        }
    }

    fn is_closed(symbol: u8) -> bool {
        symbol != VALUE_AT
    }

    fn input_nodes(input: u8) -> Vec<Node<i32>> {
        vec![Node::Symbol(VALUE_AT), Node::Constant(input.into())]
    }
}

/// Returns the bowl of a VALUE_AT index: beyond the board it wraps around.
#[inline]
pub fn bowl_of(number: i64) -> usize {
    if (0..BOWLS as i64).contains(&number) { number as usize } else { number.rem_euclid(BOWLS as i64) as usize }
}

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

impl Choice {
    /// The names in config and in flags.
    pub const WORDS: &'static [(&'static str, Choice)] =
        &[("next", Choice::Next), ("previous", Choice::Previous), ("six", Choice::Six)];
}

string_enum!(Choice);

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

impl Seat {
    /// The names in config and in flags.
    pub const WORDS: &'static [(&'static str, Seat)] =
        &[("mover", Seat::Mover), ("south", Seat::South), ("first", Seat::First)];
}

string_enum!(Seat);

/// The interpretation of programs where the source is silent. The default gives Figure 5's scores exactly; the alternatives show
/// what each choice changes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Reading {
    pub seat: Seat,
    pub choice: Choice,
}

impl Reading {
    /// Returns the board as the program reads it. Boards with another number of bowls are adapted: missing bowls are empty.
    pub fn bowls(self, pos: &Kalah) -> Bowls {
        let board = pos.pit_board();
        let me = if self.seat == Seat::South { crate::game::Side::South } else { pos.side() };
        let (own, other) = (me.index(), me.other().index());
        let mut bowls = [0; BOWLS];
        let byte = |seeds: u16| u8::try_from(seeds).unwrap_or(u8::MAX);
        bowls[0] = byte(board.stores[other]);
        bowls[7] = byte(board.stores[own]);
        for pit in 0..board.pits_a_side().min(6) {
            bowls[1 + pit] = byte(board.pits[own][pit]);
            bowls[8 + pit] = byte(board.pits[other][pit]);
        }
        if self.seat == Seat::First {
            bowls.rotate_left(1);
        }
        bowls
    }

    /// Returns the bowl, counted from the mover's left from 0, for each remainder; 7 remainders, or 6 under [`Choice::Six`]. `None`
    /// if the game is over.
    pub fn choices(self, pos: &Kalah) -> Option<[u8; 7]> {
        let pits = pos.rules().pits();
        let mut legal = [false; 16];
        pos.moves().for_each(|pit| legal[pit.index()] = true);
        let mut choices = [0; 7];
        for (remainder, choice) in choices.iter_mut().enumerate() {
            *choice = self.chosen(remainder, pits.max(6), |pit| legal[usize::from(pit)])?;
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
    pub fn remainder(self, value: i64) -> usize {
        match self.choice {
            Choice::Six => value.rem_euclid(6) as usize,
            _ => value.rem_euclid(7) as usize,
        }
    }
}

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
    pub fn explain(self, program: &Program, pos: &Kalah) -> Option<Explanation> {
        let choices = self.choices(pos)?;
        let value = Tape::new(program).run(&self.bowls(pos));
        let remainder = self.remainder(value);
        let played = choices[remainder];
        let named = match self.choice {
            Choice::Six => Some(remainder as u8 + 1),
            _ => (remainder > 0).then_some(remainder as u8),
        };
        Some(Explanation { value, remainder, named, fallback: named != Some(played + 1), played })
    }
}

/// The programs of the source's Figure 5, by their names after `program:`.
pub const PRINTED: [(&str, &str); 2] =
    [("figure5-1", include_str!("figure5-1.txt")), ("figure5-2", include_str!("figure5-2.txt"))];

/// Returns a printed program by its name.
pub fn printed(name: &str) -> Option<Program> {
    let (_, text) = PRINTED.iter().find(|(known, _)| *known == name)?;
    Tree::parse(text).ok()
}

/// Returns random program `number` of a seed: grown like the source's first generation, at most 16 deep.
pub fn random_program(seed: u64, number: u64) -> Program {
    const RANDOM_PROGRAM: u64 = 2;
    Grammar::whole().program(16, &mut keyed(&[seed, number, RANDOM_PROGRAM]))
}
