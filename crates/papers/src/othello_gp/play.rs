//! Games of a printed hypothesis against a random player under any reading: a reimplementation of the source's simulator.
//!
//! The printed functions, read token by token like the source's evaluator.
//!
//! Tokens are separated by blanks. The evaluator takes them in order: a count or a number is a value, and an operator takes the next
//! two. So braces have no effect, and a third argument is never read. Its author found that it skipped a single closing brace before
//! a value, but not an opening one after that: there it returned 0, left the rest of the subtree for the next read, and reported a
//! "Parse Error". He fixed this, and does not state which tables are from before.

use std::iter::Peekable;
use std::str::SplitWhitespace;
use std::{fmt, slice};

use rand::RngExt as _;

use super::reading::{Arguments, Braces, Edges, End, Hypothesis, Near, Order, Reading, Worth};
use crate::arena::Score;
use crate::game::othello::{Othello, PASS, Rules};
use crate::game::{Game as _, Move, Outcome, Side};
use crate::player::staged::Schedule;
use crate::player::{self, Purpose, RandomPlayer, Turn};
use crate::pool::Pool;
use crate::rng;

/// The learner's side.
const WHITE: Side = Side::North;

/// Games between two progress reports.
const PIECE: u32 = 1000;

const CORNERS: u64 = 0x8100_0000_0000_0081;
const X_SQUARES: u64 = 0x0042_0000_0000_4200;
const C_SQUARES: u64 = 0x4281_0000_0000_8142;
const BORDER: u64 = 0xff81_8181_8181_81ff;

/// A hypothesis under a reading.
pub(super) struct Simulator {
    reading: Reading,
    /// The function of each stage.
    stages: Vec<Formula>,
    schedule: Schedule,
    /// The squares of each of a side's counts.
    masks: [u64; 4],
}

impl Simulator {
    pub fn new(hypothesis: &Hypothesis, reading: Reading) -> Simulator {
        Simulator::overlapping(hypothesis, reading, 0)
    }

    /// A simulator whose stages overlap by this share of the game in percent; see [`Schedule::new`].
    pub fn overlapping(hypothesis: &Hypothesis, reading: Reading, overlap: u32) -> Simulator {
        let read = |&(text, _): &(&str, u32)| Formula::read(text, reading.braces, reading.arguments);
        let near = match reading.near {
            Near::X => X_SQUARES,
            Near::C => C_SQUARES,
            Near::Both => X_SQUARES | C_SQUARES,
        };
        let edges = if reading.edges == Edges::With { BORDER } else { BORDER & !CORNERS };
        let stages = hypothesis.stages.iter().map(read).collect();
        let shares: Vec<u32> = hypothesis.stages.iter().map(|(_, share)| *share).collect();
        let schedule = Schedule::new(&shares, overlap);
        Simulator { reading, stages, schedule, masks: [u64::MAX, CORNERS, near, edges] }
    }

    /// Returns the functions as they are read.
    pub fn formulas(&self) -> impl Iterator<Item = &Formula> {
        self.stages.iter()
    }

    /// Returns White's score in so many games of `seed`; `hear` receives the number of games of each finished piece.
    pub fn all(&self, seed: &[u64], games: u32, pool: &Pool, hear: &mut dyn FnMut(u32)) -> Score {
        let mut score = Score::default();
        for from in (0..games).step_by(PIECE as usize) {
            let to = games.min(from + PIECE);
            score = score.plus(self.score(seed, from, to, pool));
            hear(to - from);
        }
        score
    }

    /// Returns White's score in the games `from` to `to` of `seed`; it does not depend on the pool.
    pub fn score(&self, seed: &[u64], from: u32, to: u32, pool: &Pool) -> Score {
        let played = pool.map(from as usize..to as usize, |game| {
            let seed: Vec<u64> = seed.iter().copied().chain([game as u64]).collect();
            self.game(rng::derived(&seed), |_| ())
        });
        played
            .into_iter()
            .map(|margin| Score::from_outcome(Outcome::from_margin(margin)))
            .fold(Score::default(), Score::plus)
    }

    /// Plays the game of this seed and returns White's final margin in discs. `hear` receives every turn, passes included.
    pub fn game(&self, seed: u64, mut hear: impl FnMut(Move)) -> i32 {
        let start = Rules::default().position();
        let mut pos = Othello::from_discs(start.discs(), self.reading.first());
        // Whether the turn before had no move.
        let mut was_stuck = false;
        for turn in 0.. {
            if pos.is_over() || self.reading.end == End::After(turn) {
                break;
            }
            let mv = if pos.side() == WHITE { self.choose(&pos, turn, seed) } else { random(pos, turn, seed) };
            if mv.is_none() && (was_stuck || self.reading.end == End::Halted) {
                break;
            }
            was_stuck = mv.is_none();
            // A side without an acceptable move passes too, which the game itself does not allow.
            pos = mv.map_or_else(|| Othello::from_discs(pos.discs(), pos.side().other()), |mv| pos.play(mv));
            hear(mv.unwrap_or(PASS));
        }
        pos.margin(WHITE)
    }

    /// Returns White's move, if there is one.
    fn choose(&self, pos: &Othello, turn: u32, seed: u64) -> Option<Move> {
        let function = self.function(pos, turn, seed);
        let mut best = 0_u64;
        let mut most = f64::NEG_INFINITY;
        for mv in pos.moves().filter(|mv| *mv != PASS) {
            let value = function.value(&self.counts(&pos.play(mv)), self.reading.by_zero());
            if self.reading.moves == Worth::Above0 && value <= 0.0 {
                continue;
            }
            if value > most {
                (best, most) = (0, value);
            }
            best |= u64::from(value == most) << mv.0;
        }
        let squares = || (0..64_u16).filter(|square| best >> square & 1 == 1);
        let square = match self.reading.order {
            Order::First => squares().next(),
            Order::Last => squares().next_back(),
            Order::Random => {
                let count = best.count_ones().max(1) as usize;
                squares().nth(rng::keyed(&[seed, turn.into(), Purpose::Tie as u64]).random_range(0..count))
            }
        };
        square.map(Move)
    }

    /// Returns the function in force, by the number of discs placed.
    fn function(&self, pos: &Othello, turn: u32, seed: u64) -> &Formula {
        &self.stages[self.schedule.stage(pos.put(), || rng::keyed(&[seed, turn.into(), Purpose::Stage as u64]))]
    }

    fn counts(&self, pos: &Othello) -> Counts {
        let [black, white] = pos.discs();
        let count = |discs: u64, at: usize| f64::from((discs & self.masks[at]).count_ones());
        std::array::from_fn(|at| if at < 4 { count(white, at) } else { count(black, at - 4) })
    }
}

/// Returns the random player's move, if there is one.
fn random(pos: Othello, turn: u32, seed: u64) -> Option<Move> {
    player::choose(&mut RandomPlayer, &Turn::new(pos, turn, seed)).filter(|mv| *mv != PASS)
}

/// The names of the counts: White's, then Black's.
const COUNTS: [&str; 8] = [
    "white",
    "white_corners",
    "white_near_corners",
    "white_edges",
    "black",
    "black_corners",
    "black_near_corners",
    "black_edges",
];

/// The counts of a board, in the order of the names.
pub(super) type Counts = [f64; COUNTS.len()];

/// A function in prefix order: operators precede their two arguments.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Formula(Vec<Item>);

#[derive(Clone, Copy, PartialEq, Debug)]
enum Item {
    Operator(char),
    Count(usize),
    Number(f64),
}

impl Formula {
    pub fn read(text: &str, braces: Braces, arguments: Arguments) -> Formula {
        let mut reader = Reader { tokens: text.split_whitespace().peekable(), braces, items: Vec::new() };
        match arguments {
            Arguments::Two => reader.value(),
            Arguments::All => reader.bracketed(),
        }
        Formula(reader.items)
    }

    /// Returns the function's value; `by_zero` is the result of a division by zero.
    #[inline]
    pub fn value(&self, counts: &Counts, by_zero: f64) -> f64 {
        value(&mut self.0.iter(), counts, by_zero)
    }
}

/// Returns the value that begins at the next item. The recursion is a few levels deep for the printed functions.
fn value(items: &mut slice::Iter<'_, Item>, counts: &Counts, by_zero: f64) -> f64 {
    match items.next() {
        Some(Item::Count(count)) => counts[*count],
        Some(Item::Number(number)) => *number,
        Some(Item::Operator(operator)) => {
            let a = value(items, counts, by_zero);
            let b = value(items, counts, by_zero);
            match operator {
                '+' => a + b,
                '-' => a - b,
                '*' => a * b,
                _ if b == 0.0 => by_zero,
                _ => a / b,
            }
        }
        None => 0.0,
    }
}

/// The function as it is read, in the source's notation with two arguments for each operator.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [Item::Operator(_), ..] => write(&mut self.0.iter(), f),
            items => {
                f.write_str("( ")?;
                write(&mut items.iter(), f)?;
                f.write_str(" )")
            }
        }
    }
}

fn write(items: &mut slice::Iter<'_, Item>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match items.next() {
        Some(Item::Count(count)) => f.write_str(COUNTS[*count]),
        Some(Item::Number(number)) => write!(f, "{number}"),
        Some(Item::Operator(operator)) => {
            write!(f, "( {operator} ")?;
            write(items, f)?;
            f.write_str(" ")?;
            write(items, f)?;
            f.write_str(" )")
        }
        None => Ok(()),
    }
}

struct Reader<'a> {
    tokens: Peekable<SplitWhitespace<'a>>,
    braces: Braces,
    items: Vec<Item>,
}

impl Reader<'_> {
    /// Reads a value like the source's evaluator.
    fn value(&mut self) {
        let token = match self.braces {
            Braces::Skipped => self.tokens.find(|token| !token.chars().all(|c| c == '(' || c == ')')),
            Braces::Zero => self.behind_a_brace(),
        };
        let item = item(token.unwrap_or_default());
        self.items.push(item);
        if let Item::Operator(_) = item {
            self.value();
            self.value();
        }
    }

    /// Returns the next token, or that after an opening brace, or after a closing one of a length that the evaluator knows.
    fn behind_a_brace(&mut self) -> Option<&str> {
        let mut token = self.tokens.next()?;
        for brace in ["(", ")", "))", ")))", "))))"] {
            if token == brace {
                token = self.tokens.next()?;
            }
        }
        Some(token)
    }

    /// Reads a value by its braces: an operator takes all values before its closing brace, from the left.
    fn bracketed(&mut self) {
        let is_open = self.tokens.next_if_eq(&"(").is_some();
        let at = self.items.len();
        let item = item(self.tokens.next().unwrap_or_default());
        self.items.push(item);
        if let Item::Operator(_) = item {
            self.bracketed();
            self.bracketed();
            while is_open && self.tokens.peek().is_some_and(|token| *token != ")") {
                self.items.insert(at, item);
                self.bracketed();
            }
        }
        if is_open {
            self.tokens.next_if_eq(&")");
        }
    }
}

/// Returns the item of a token; an invalid token is 0, as in the source.
fn item(token: &str) -> Item {
    if let Some(operator @ ('+' | '-' | '*' | '/')) = token.chars().next().filter(|_| token.len() == 1) {
        return Item::Operator(operator);
    }
    let count = COUNTS.iter().position(|name| *name == token).map(Item::Count);
    count.unwrap_or_else(|| Item::Number(if token == "10" { 10.0 } else { 0.0 }))
}

#[cfg(test)]
mod tests {
    use rand::Rng as _;

    use super::super::reading::{First, PRODUCT, QUOTIENT, SUM, TABLE1, TABLE2, Zero};
    use super::*;
    use crate::game::othello::{Othello, Rules, Zones};
    use crate::game::{GameState, Side};
    use crate::player::Spec;
    use crate::program::othello::Function;
    use crate::rng;

    fn simulator(hypothesis: &Hypothesis, reading: Reading) -> Simulator {
        Simulator::new(hypothesis, reading)
    }

    fn moves(simulator: &Simulator, seed: u64) -> (Vec<Move>, i32) {
        let mut moves = Vec::new();
        let margin = simulator.game(seed, |mv| moves.push(mv));
        (moves, margin)
    }

    /// Returns the moves of the game of this seed between the player `white` and the random player.
    fn by_players(white: &str, seed: u64) -> Vec<Move> {
        let specs = ["random", white].map(|text| text.parse::<Spec>().unwrap());
        let mut players = specs.map(|spec| player::build::<Othello>(&spec).unwrap());
        let mut game_state = GameState::new(Rules::default().position());
        let mut moves = Vec::new();
        while !game_state.is_over() {
            let player = &mut *players[game_state.pos().side().index()];
            moves.push(player::choose(player, &Turn::current(&game_state, seed)).unwrap());
            game_state.play(*moves.last().unwrap());
        }
        moves
    }

    #[test]
    fn under_the_games_own_rules_it_plays_the_games_of_the_player_by_functions() {
        let overlaps =
            TABLE1.iter().chain(TABLE2).flat_map(|hypothesis| [0, 20, 100].map(|overlap| (hypothesis, overlap)));
        for (hypothesis, overlap) in overlaps {
            let simulator = Simulator::overlapping(hypothesis, Reading::OWN, overlap);
            // As they are read, since one of them has a third argument.
            let shares = hypothesis.stages.iter().map(|(_, share)| share);
            let stages = simulator.formulas().zip(shares).map(|(formula, share)| format!("{formula},{share}"));
            let white = format!("staged:{}:overlap={overlap}", stages.collect::<Vec<_>>().join(","));
            for seed in 0..10 {
                assert_eq!(moves(&simulator, seed).0, by_players(&white, seed), "{white}, seed {seed}");
            }
        }
    }

    #[test]
    fn whoever_waits_for_a_corner_ends_the_game() {
        let corners = simulator(&TABLE1[1], Reading::AS_PRINTED);
        for seed in 0..20 {
            let (moves, margin) = moves(&corners, seed);
            assert_eq!((moves.len(), margin), (1, 1 - 4), "black has moved once, and White has no corner to take");
        }
        // Where only two passes in a row end the game, White waits and Black plays on,
        let waiting = simulator(&TABLE1[1], Reading { end: End::Neither, ..Reading::AS_PRINTED });
        let games: Vec<(Vec<Move>, i32)> = (0..20).map(|seed| moves(&waiting, seed)).collect();
        // until Black has captured all of White's discs.
        assert!(games.iter().all(|(moves, margin)| moves.len() > 2 && moves[1] == PASS && *margin < -4), "{games:?}");
    }

    #[test]
    fn a_game_ends_after_the_turns_that_are_asked_for() {
        let white = |end| simulator(&TABLE1[0], Reading { end, ..Reading::OWN });
        for seed in 0..10 {
            let whole = moves(&white(End::Neither), seed).0;
            for turns in [1, 20, 56, 60] {
                let cut = moves(&white(End::After(turns)), seed).0;
                assert_eq!(cut, whole[..whole.len().min(turns as usize)]);
            }
            // A game that ends at the first pass is the same up to it.
            let stuck = moves(&white(End::Halted), seed).0;
            assert_eq!(stuck, whole[..whole.iter().position(|mv| *mv == PASS).unwrap_or(whole.len())]);
        }
    }

    #[test]
    fn each_part_of_a_reading_changes_games() {
        let quotient = &TABLE2[1];
        let wins = |reading| simulator(quotient, reading).score(&[7], 0, 60, &Pool::alone());
        let base = Reading { near: Near::X, ..Reading::OWN };
        let own = wins(base);
        let others = [
            Reading { order: Order::Last, ..base },
            Reading { order: Order::Random, ..base },
            Reading { near: Near::C, ..base },
            Reading { near: Near::Both, ..base },
            Reading { moves: Worth::Above0, ..base },
            Reading { end: End::Halted, ..base },
            Reading { first: First::White, ..base },
        ];
        for other in others {
            assert_ne!(wins(other), own, "{other}");
            assert_eq!(wins(other).games(), 60);
        }
        // Its value is never between 0 and 1, so only the limit above 0 makes a difference.
        let above = Reading { moves: Worth::Above0, ..base };
        assert_ne!(wins(Reading { zero: Zero::Nought, ..above }), wins(above));
        let product = |reading| simulator(&TABLE2[4], reading).score(&[7], 0, 60, &Pool::alone());
        assert_ne!(product(Reading { edges: Edges::With, ..base }), product(base));
    }

    #[test]
    fn a_stage_has_its_share_of_the_game() {
        let staged = simulator(&TABLE1[3], Reading::OWN);
        let formulas: Vec<&Formula> = staged.formulas().collect();
        let mut pos = Rules::default().position();
        let mut put = 0;
        while !pos.is_over() {
            assert_eq!(staged.function(&pos, put, 1), formulas[usize::from(put >= 45)], "{put} discs were put");
            let mv = pos.moves().next().unwrap();
            put += u32::from(mv != PASS);
            pos = pos.play(mv);
        }
        assert!(put > 45);
    }

    #[test]
    fn games_depend_on_their_seeds_alone() {
        let staged = simulator(&TABLE2[2], Reading::OWN);
        let alone = staged.score(&[1, 2], 0, 50, &Pool::alone());
        let parts = [(0, 7), (7, 8), (8, 50)].map(|(from, to)| staged.score(&[1, 2], from, to, &Pool::new(3)));
        assert_eq!(parts.into_iter().fold(Score::default(), Score::plus), alone);
        assert_ne!(staged.score(&[2, 2], 0, 50, &Pool::alone()), alone);
    }

    fn mended(text: &str) -> Formula {
        Formula::read(text, Braces::Skipped, Arguments::Two)
    }

    /// Expected values worked out by hand from the author's account.
    #[test]
    fn a_subtree_behind_a_closing_brace_was_zero() {
        let found = |text: &str| Formula::read(text, Braces::Zero, Arguments::Two).to_string();
        // The author's own example.
        assert_eq!(found("( + ( * white white ) ( * black black ))"), "( + ( * white white ) 0 )");
        assert_eq!(found(SUM), "( + white ( + white_corners black_near_corners ) )");
        assert_eq!(found(QUOTIENT), "( / ( - white_near_corners black_corners ) 0 )");
        assert_eq!(found(PRODUCT), "( + ( + white_corners white ) 0 )");
        // The unread rest is read by the next operator.
        let nested = "( + ( - ( + white black ) ( * 10 white_edges ) ) black_edges )";
        assert_eq!(found(nested), "( + ( - ( + white black ) 0 ) ( * 10 white_edges ) )");
        // A single brace was skipped; a second one was not.
        assert_eq!(found("( + ( - white black ) 10 )"), "( + ( - white black ) 10 )");
        assert_eq!(found("( - ( + white ( + white black ) ) 10 )"), "( - ( + white ( + white black ) ) 0 )");
        assert_eq!(found("( white )"), "( white )");
    }

    #[test]
    fn two_arguments_are_read_or_all() {
        assert_eq!(mended(SUM).to_string(), "( + white ( + white_corners black_near_corners ) )");
        let all = |text: &str| Formula::read(text, Braces::Skipped, Arguments::All).to_string();
        assert_eq!(all(SUM), "( + ( + white ( + white_corners black_near_corners ) ) white )");
        for text in [QUOTIENT, PRODUCT, "( white )", "( - 10 ( / white 10 ) )"] {
            assert_eq!((mended(text).to_string(), all(text)), (text.to_owned(), text.to_owned()));
        }
    }

    #[test]
    fn the_mended_evaluator_agrees_with_the_language() {
        let texts = [QUOTIENT, PRODUCT, "( white )", "( / ( * 10 white_edges ) ( - black_corners white_corners ) )"];
        let mut rng = rng::keyed(&[5]);
        for text in texts {
            let formula = mended(text);
            let function = Function::parse(text).unwrap();
            let mut tape = function.tape();
            let mut pos = Rules::default().position();
            while !pos.is_over() {
                let counts = pos.counts(Side::North, Zones::default());
                assert_eq!(formula.value(&counts.map(f64::from), 1.0), tape.run(&counts), "{text}\n{pos}");
                pos = pos.play(pos.pick(rng.next_u32()));
            }
        }
    }

    #[test]
    fn what_a_division_by_zero_gives_is_reported() {
        let formula = mended("( / white ( - black black ) )");
        let counts = Othello::counts(&Rules::default().position(), Side::North, Zones::default()).map(f64::from);
        assert_eq!([0.0, 1.0].map(|by_zero| formula.value(&counts, by_zero)), [0.0, 1.0]);
    }
}
