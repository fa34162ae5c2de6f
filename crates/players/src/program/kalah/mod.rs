//! The language of programs for games of pits: integers, and one function that reads the board.
//!
//! After "Using Genetic Programming to Play Mancala": functions IF_<_DO_ELSE_, ADDITION, SUBTRACTION and VALUE_AT, integers 0 to
//! 13. The number that a program computes selects the bowl to sow. Experiments may add products, remainders, the lesser or greater
//! of two numbers, and the seeds in the bowls of a side.
//!
//! A program is a tree of [`KalahLanguage`] in every game. On boards of another size than six a side it runs in the language of
//! that size, where indices and numbers of bowls wrap around later: see [`ProgramGame`].

use std::borrow::Cow;
use std::hash::Hash;
use std::sync::LazyLock;

use mancalab_base::Error;
use rand::RngExt;

use super::grow::CONSTANT;
use super::{Grammar, Language, Node, Operand, Symbol, Tape, Tree};
use crate::game::kalah::Kalah;
use crate::game::sowing::awari::Awari;
use crate::game::sowing::erherhe::Erherhe;
use crate::game::sowing::ohvalhu::Ohvalhu;
use crate::game::sowing::oware::Oware;
use crate::game::sowing::vai_lung_thlan::VaiLungThlan;
use crate::game::{BoardGame, Move, PitGame, Position, Side, Variant};
use crate::rng::{Rng, keyed};
use crate::search::SearchHints;
use crate::settings::string_enum;

/// A program.
pub type Program = Tree<KalahLanguage>;

/// The language on boards with this number of bowls, stores included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PitLanguage<const BOWLS: usize>;

/// The language of the source: six bowls a side.
pub type KalahLanguage = PitLanguage<14>;

/// A language of programs for boards of one size.
///
/// The context holds the seeds from the perspective of the player to move: 0 is the store on the left (the opponent's), 1 to 6 the
/// own bowls in sowing order, 7 the own store, 8 to 13 the opponent's bowls in sowing order, so that 14 − i is opposite i; on
/// larger boards accordingly.
pub trait BowlLanguage: Language<Constant = i32, Value = i64, Context: Copy + AsMut<[u8]> + Send + Sync> {
    /// Bowls a side.
    const PITS: u8;
    /// The context of an empty board.
    const EMPTY: Self::Context;

    /// One value for each remainder of a number: for each own bowl and the store on the left.
    type PerRemainder<T: Copy + Send + Sync>: Copy + AsRef<[T]> + AsMut<[T]> + Send + Sync;

    fn per_remainder<T: Copy + Send + Sync>(value: T) -> Self::PerRemainder<T>;

    /// Returns the program in this language.
    fn own(program: &Program) -> Cow<'_, Tree<Self>>;

    /// Returns the value of a program. Generations do little else: compiled here, for speed, and not with each caller.
    fn value(tape: &mut Tape<Self>, bowls: &Self::Context) -> i64;
}

macro_rules! bowl_language {
    ($bowls:literal, $pits:literal, $own:expr) => {
        impl BowlLanguage for PitLanguage<$bowls> {
            const PITS: u8 = $pits;
            const EMPTY: [u8; $bowls] = [0; $bowls];

            type PerRemainder<T: Copy + Send + Sync> = [T; $pits + 1];

            fn per_remainder<T: Copy + Send + Sync>(value: T) -> [T; $pits + 1] {
                [value; $pits + 1]
            }

            fn own(program: &Program) -> Cow<'_, Tree<Self>> {
                $own(program)
            }

            fn value(tape: &mut Tape<Self>, bowls: &Self::Context) -> i64 {
                tape.run(bowls)
            }
        }
    };
}
bowl_language!(14, 6, Cow::Borrowed);
bowl_language!(18, 8, |program: &Program| Cow::Owned(program.retyped()));

/// A game that programs play.
pub trait ProgramGame: PitGame + BoardGame + SearchHints + Hash + TryFrom<Position> {
    /// The language in which programs run.
    type Language: BowlLanguage;

    /// Returns the game with its rules.
    fn with_rules(&self) -> Variant;
}

macro_rules! program_games {
    ($($game:ident: $bowls:literal),+ $(,)?) => {
        $(impl ProgramGame for $game {
            type Language = PitLanguage<$bowls>;

            fn with_rules(&self) -> Variant {
                Variant::$game(self.rules())
            }
        })+
    };
}
program_games!(Kalah: 14, Oware: 14, Awari: 14, VaiLungThlan: 14, Ohvalhu: 18, Erherhe: 14);

/// The board as programs of a game read it.
pub type Bowls<G> = <<G as ProgramGame>::Language as Language>::Context;

/// Indices of the functions in the list of symbols.
pub const IF: u8 = 0;
pub const ADD: u8 = 1;
pub const SUB: u8 = 2;
pub const VALUE_AT: u8 = 3;
const MUL: u8 = 4;
const MIN: u8 = 5;
const MAX: u8 = 6;
const MOD: u8 = 7;
const SEEDS_OWN: u8 = 8;
const SEEDS_OTHER: u8 = 9;

/// The functions of the source.
pub const OF_SOURCE: [&str; 4] = ["if", "add", "sub", "value_at"];

impl<const BOWLS: usize> Language for PitLanguage<BOWLS> {
    type Constant = i32;
    type Value = i64;
    type Context = [u8; BOWLS];

    const SYMBOLS: &'static [Symbol] = &[
        Symbol { name: "if", short: "if<", pieces: &["(if ", " < ", " do ", " else do ", ")"] },
        Symbol { name: "add", short: "+", pieces: &["(", " + ", ")"] },
        Symbol { name: "sub", short: "-", pieces: &["(", " - ", ")"] },
        Symbol { name: "value_at", short: "@", pieces: &["(value at [", "])"] },
        Symbol { name: "mul", short: "*", pieces: &["(", " * ", ")"] },
        Symbol { name: "min", short: "min", pieces: &["(least of ", " and ", ")"] },
        Symbol { name: "max", short: "max", pieces: &["(greatest of ", " and ", ")"] },
        Symbol { name: "mod", short: "mod", pieces: &["(", " mod ", ")"] },
        Symbol { name: "seeds_own", short: "seeds_own", pieces: &["(seeds_own)"] },
        Symbol { name: "seeds_other", short: "seeds_other", pieces: &["(seeds_other)"] },
    ];
    const CODED: usize = OF_SOURCE.len();
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
    fn look(bowls: &[u8; BOWLS], inputs: &mut [i64]) {
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
            MUL => arg(0).saturating_mul(arg(1)),
            MIN => arg(0).min(arg(1)),
            MAX => arg(0).max(arg(1)),
            // By zero: zero.
            MOD => arg(0).checked_rem_euclid(arg(1)).unwrap_or(0),
            SEEDS_OWN => (1..BOWLS / 2).map(input).sum(),
            SEEDS_OTHER => (BOWLS / 2 + 1..BOWLS).map(input).sum(),
            _ => input(wrapped::<BOWLS>(arg(0))),
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
            (MUL, &[a, b]) if a == zero || b == zero => Some(zero),
            (MUL, &[Operand::Constant(1), other] | &[other, Operand::Constant(1)]) => Some(other),
            (MIN | MAX, &[a, b]) if a == b => Some(a),
            (MOD, &[_, b]) if b == Operand::Constant(1) || b == zero => Some(zero),
            (VALUE_AT, &[Operand::Constant(at)]) => Some(Operand::Input(wrapped::<BOWLS>(at.into()) as u8)),
            _ => None,
        }
    }

    fn is_closed(symbol: u8) -> bool {
        !matches!(symbol, VALUE_AT | SEEDS_OWN | SEEDS_OTHER)
    }

    fn input_nodes(input: u8) -> Vec<Node<i32>> {
        vec![Node::Symbol(VALUE_AT), Node::Constant(input.into())]
    }
}

/// Returns the bowl that VALUE_AT reads in a game, by the number of its argument.
pub fn bowl_of<G: ProgramGame>(number: i64) -> usize {
    number.rem_euclid(G::Language::INPUTS as i64) as usize
}

/// Returns the bowl of a VALUE_AT index: beyond the board it wraps around.
#[inline]
fn wrapped<const BOWLS: usize>(number: i64) -> usize {
    if (0..BOWLS as i64).contains(&number) { number as usize } else { number.rem_euclid(BOWLS as i64) as usize }
}

/// The programs of the source's Figure 5, by their names after `program:`.
pub const PRINTED: [(&str, &str); 2] =
    [("figure5-1", include_str!("figure5-1.txt")), ("figure5-2", include_str!("figure5-2.txt"))];

/// Returns a printed program by its name.
pub fn printed(name: &str) -> Option<Program> {
    let (_, text) = PRINTED.iter().find(|(known, _)| *known == name)?;
    Tree::parse(text).ok()
}

/// Returns the grammar of programs of these functions and inputs, and integers.
///
/// # Errors
/// A name is unknown, with the known ones, or there is no function.
pub fn grammar<S: AsRef<str>>(names: &[S]) -> Result<Grammar<KalahLanguage>, Error> {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).chain([CONSTANT]).collect();
    Grammar::with_symbols(&names)
}

/// Returns random program `number` of a seed: grown like the source's first generation, at most 16 deep.
pub fn random_program(seed: u64, number: u64) -> Program {
    const RANDOM_PROGRAM: u64 = 2;
    static GRAMMAR: LazyLock<Grammar<KalahLanguage>> =
        LazyLock::new(|| grammar(&OF_SOURCE).expect("functions are known"));
    GRAMMAR.program(16, &mut keyed(&[seed, number, RANDOM_PROGRAM]))
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
pub struct ProgramReading {
    pub seat: Seat,
    pub choice: Choice,
}

impl ProgramReading {
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

    /// Returns the bowl, counted in sowing order from 0, for each [`remainder`](ProgramReading::remainder). `None` if the game is over.
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

impl ProgramReading {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::{Decoder, Encoder};

    fn encoded(text: &str) -> Vec<u8> {
        let mut out = Encoder::new();
        Program::parse(text).unwrap().encode(&mut out);
        out.finish()
    }

    /// Checkpoints of runs that began before there were more functions than the source's.
    #[test]
    fn programs_of_the_source_keep_their_bytes() {
        assert_eq!(encoded("(+ 7 (@ 2))"), [2, 1, b'7', 1, b'2', 4, 1, 4, 3, 5]);
    }

    #[test]
    fn programs_of_all_functions_come_back() {
        for text in ["(max seeds_own (mod (* 3 (@ 4)) seeds_other))", "(min 1 (max 2 3))", "seeds_own"] {
            let bytes = encoded(text);
            let mut from = Decoder::new(&bytes);
            assert_eq!(Program::decode(&mut from).unwrap().to_sexpr(), text);
        }
        let mut odd = encoded("(+ 7 (@ 2))");
        *odd.last_mut().unwrap() = 99;
        assert!(Program::decode(&mut Decoder::new(&odd)).is_err());
    }

    proptest::proptest! {
        /// Its definition: putting the other program's part in place gives the other program, and no single argument of the part has all
        /// differences in it.
        #[test]
        fn a_difference_is_the_smallest_part_that_changes_one_program_into_another(seed in 0u64..500, place in 0usize..1000) {
            let [before, given] = [0, 1].map(|number| random_program(seed, number));
            let place = place % before.size();
            let after = before.spliced(place, &given, 0);
            let Some((own, its)) = before.difference(&after) else {
                proptest::prop_assert_eq!(&before, &after);
                return Ok(());
            };
            proptest::prop_assert_eq!(&before.spliced(own, &after, its), &after);
            proptest::prop_assert!((place..before.end(place)).contains(&own), "{own} {place}");
            for (arg, other) in before.arguments(own).zip(after.arguments(its)) {
                proptest::prop_assert_ne!(&before.spliced(arg, &after, other), &after);
            }
        }
    }
}
