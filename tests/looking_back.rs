//! History-dependent rules: a game drawn by threefold repetition or by its length, against a reference search over
//! lists of positions.
//!
//! The game: each side moves up and down five squares, and may score a point on the last one, which puts it back on the
//! first. The game ends after three points in total.

use mancalab::budget::{Budget, Status};
use mancalab::game::referee::{self, Why};
use mancalab::game::{Game, GameState, History, Move, Outcome, Side};
use mancalab::player::{Turn, build, choose};
use mancalab::rng;
use mancalab::search::alpha_beta::{AlphaBetaSearch, Evaluation};
use mancalab::search::mcts::Rollout;
use mancalab::search::{Analysis, Limits, Mcts, Search, SearchHints, Table, playout};
use proptest::prelude::*;
use std::time::Duration;

const LAST: u8 = 4;
const LEFT: Move = Move(0);
const RIGHT: Move = Move(1);
const CASH: Move = Move(2);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Pacing {
    squares: [u8; 2],
    points: [i32; 2],
    side: Side,
}

const START: Pacing = Pacing { squares: [2, 1], points: [0; 2], side: Side::South };

impl SearchHints for Pacing {}
mancalab_players::playable!(Pacing);

impl Game for Pacing {
    type Moves = std::vec::IntoIter<Move>;
    type Key = ([u8; 2], i32, Side);

    const USES_HISTORY: bool = true;
    const MOST_PLIES: Option<u32> = Some(60);

    fn side(&self) -> Side {
        self.side
    }

    fn is_over(&self) -> bool {
        self.points.iter().sum::<i32>() == 3
    }

    fn moves(&self) -> Self::Moves {
        let square = self.squares[self.side.index()];
        let can = [square > 0, square < LAST, square == LAST].map(|can| can && !self.is_over());
        [LEFT, RIGHT, CASH].into_iter().filter(|mv| can[mv.index()]).collect::<Vec<_>>().into_iter()
    }

    fn play(&self, mv: Move) -> Pacing {
        let mut next = *self;
        let side = self.side.index();
        match mv {
            LEFT => next.squares[side] -= 1,
            RIGHT => next.squares[side] += 1,
            _ => (next.squares[side], next.points[side]) = (0, self.points[side] + 1),
        }
        next.side = self.side.other();
        next
    }

    fn margin(&self, side: Side) -> i32 {
        self.points[side.index()] - self.points[side.other().index()]
    }

    fn key(&self) -> Self::Key {
        (self.squares, self.points.iter().sum(), self.side)
    }

    fn hash(key: &Self::Key) -> u64 {
        u64::from(key.0[0]) << 8 | u64::from(key.0[1]) | (key.1 as u64) << 16 | (key.2 as u64) << 20
    }

    fn is_irreversible(&self, mv: Move) -> bool {
        mv == CASH
    }

    fn ruling(&self, past: &History<Pacing>) -> Option<&'static str> {
        (past.count(self) >= 2).then_some("threefold repetition")
    }

    /// A third occurrence comes at least eight plies after the first.
    fn depends_on_history(&self, past: &History<Pacing>, depth: u32) -> bool {
        past.positions().len() + depth as usize >= 8
    }
}

/// Returns the value of `pos` for `side`; `before` are all earlier positions of the game.
fn minimax(pos: &Pacing, before: &mut Vec<Pacing>, depth: u32, side: Side) -> i32 {
    if pos.is_over() {
        return pos.margin(side);
    }
    if before.iter().filter(|other| **other == *pos).count() >= 2 {
        return 0;
    }
    if depth == 0 {
        return pos.margin(side);
    }
    before.push(*pos);
    let values: Vec<i32> = pos.moves().map(|mv| minimax(&pos.play(mv), before, depth - 1, side)).collect();
    before.pop();
    let best = if pos.side == side { values.iter().max() } else { values.iter().min() };
    *best.unwrap()
}

/// The margin as a static evaluation, for the other search.
struct ByPoints;

impl Evaluation<Pacing> for ByPoints {
    type Value = i32;

    fn position(&self, pos: &Pacing, side: Side) -> i32 {
        pos.margin(side)
    }
}

/// Returns a game after the moves of `choices`, as far as it lasts, and all earlier positions.
fn game(choices: &[u8]) -> (GameState<Pacing>, Vec<Pacing>) {
    let mut game_state = GameState::new(START);
    let mut before = Vec::new();
    for &choice in choices {
        let moves: Vec<Move> = game_state.pos().moves().collect();
        let mv = moves[usize::from(choice) % moves.len()];
        let mut next = game_state.clone();
        next.play(mv);
        if next.is_over() {
            break;
        }
        before.push(*game_state.pos());
        game_state = next;
    }
    (game_state, before)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The choices mostly move left and right, so that positions repeat.
    #[test]
    fn a_search_sees_repetition(choices in prop::collection::vec(0..3_u8, 0..24), depth in 1..=10_u32) {
        let (game_state, mut before) = game(&choices);
        let pos = *game_state.pos();
        let side = game_state.pos().side;
        before.push(pos);
        let wanted: Vec<i32> = pos.moves().map(|mv| minimax(&pos.play(mv), &mut before, depth - 1, side)).collect();
        let mut analysis = Analysis::new(game_state.clone(), depth, Table::new(1));
        // Interrupted between any two steps, the search keeps the history.
        while analysis.step(Budget::time(Duration::ZERO)) == Status::Running {}
        let report = analysis.report();
        for (mv, value) in pos.moves().zip(&wanted) {
            let line = report.lines.iter().find(|line| line.mv == mv).unwrap();
            prop_assert!(line.margin == *value || report.solved, "{mv:?} {} {value}", line.margin);
        }
        let mut evaluated = AlphaBetaSearch::new(game_state.clone(), depth, ByPoints);
        while evaluated.step(Budget::time(Duration::ZERO)) == Status::Running {}
        prop_assert_eq!(evaluated.best().value, *wanted.iter().max().unwrap());
        let mut search = Search::new(game_state, Limits::depth(depth));
        search.step(Budget::UNLIMITED);
        let report = search.report();
        prop_assert!(report.solved || report.lines[0].margin == *wanted.iter().max().unwrap());
    }

    #[test]
    fn the_past_is_what_was_played_since_the_last_point(choices in prop::collection::vec(0..3_u8, 0..60)) {
        let (game_state, before) = game(&choices);
        let points: i32 = game_state.pos().points.iter().sum();
        let since: Vec<Pacing> =
            before.into_iter().filter(|pos| pos.points.iter().sum::<i32>() == points).collect();
        prop_assert_eq!(game_state.history().positions(), &since[..]);
        let mut walked = game_state.history().clone();
        walked.push(game_state.pos(), CASH);
        prop_assert!(walked.positions().is_empty());
        walked.pop();
        prop_assert_eq!(&walked, game_state.history());
    }
}

#[test]
fn games_end_by_repetition_and_by_their_length() {
    let mut game_state = GameState::new(START);
    let around = [RIGHT, RIGHT, LEFT, LEFT];
    for mv in around.iter().chain(&around[..3]) {
        game_state.play(*mv);
        assert_eq!(game_state.ending(), None);
    }
    game_state.play(LEFT);
    let ending = game_state.ending().unwrap();
    assert_eq!((ending.why, ending.outcome), (Why::Rule("threefold repetition"), Outcome::Drawn));
    let late = referee::ending(&START, &History::default(), 60).unwrap();
    assert_eq!((late.why, late.outcome(Side::North)), (Why::Plies(60), Outcome::Drawn));
    for seed in 0..200 {
        let (end, ending) = playout(&START, &mut rng::keyed(&[seed]));
        assert!(end.plies() <= 60 && (ending.why != Why::NoMoves || ending.margin != 0));
    }
}

/// One step from a draw by repetition: the side that is behind takes it, the side that is ahead avoids it.
#[test]
fn players_and_trees_know_what_was_played() {
    for (points, wanted) in [([1, 0], LEFT), ([0, 1], RIGHT)] {
        let mut game_state = GameState::new(Pacing { squares: [1, 1], points, side: Side::South });
        for mv in [LEFT, RIGHT, RIGHT, LEFT, LEFT, RIGHT, RIGHT] {
            game_state.play(mv);
        }
        // North is back on the square from which a step to the left gives the third occurrence of the start.
        assert_eq!((game_state.pos().side, game_state.pos().squares), (Side::North, [1, 2]));
        let turn = Turn::current(&game_state, 1);
        let mut player = build::<Pacing>(&"minimax:1".parse().unwrap()).unwrap();
        assert_eq!(choose(&mut *player, &turn), Some(wanted));
        let mut tree = Mcts::new(game_state, Rollout::default(), rng::keyed(&[3]));
        tree.step(4000, Budget::UNLIMITED);
        let left = tree.report().lines.into_iter().find(|line| line.mv == LEFT).unwrap();
        assert_eq!(left.tried.unwrap().mean, 5000, "every game after it is drawn");
        assert_eq!(left.pv, [LEFT], "the line ends with the game");
    }
}
