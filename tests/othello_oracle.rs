//! Othello against an oracle: a second implementation of the rules, square by square on a plain board.

use mancalab::game::othello::{Othello, PASS, Rules, Start, text};
use mancalab::game::perft::perft;
use mancalab::game::{Game, Move, Side, TextError};
use mancalab::search::SearchHints as _;
use proptest::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Oracle {
    /// Indexed by row and file.
    board: [[Option<Side>; 8]; 8],
    pub(crate) side: Side,
}

impl Oracle {
    pub(crate) fn start(start: Start) -> Oracle {
        let mut board = [[None; 8]; 8];
        let (d4, e4, d5, e5) = match start {
            Start::Standard => (Side::North, Side::South, Side::South, Side::North),
            Start::Parallel => (Side::North, Side::North, Side::South, Side::South),
        };
        (board[3][3], board[3][4], board[4][3], board[4][4]) = (Some(d4), Some(e4), Some(d5), Some(e5));
        Oracle { board, side: Side::South }
    }

    pub(crate) fn new(squares: &[Option<Side>; 64], side: Side) -> Oracle {
        Oracle { board: std::array::from_fn(|row| std::array::from_fn(|file| squares[8 * row + file])), side }
    }

    pub(crate) fn squares(&self) -> [Option<Side>; 64] {
        std::array::from_fn(|square| self.board[square / 8][square % 8])
    }

    fn at(&self, row: i32, file: i32) -> Option<Side> {
        let inside = (0..8).contains(&row) && (0..8).contains(&file);
        if inside { self.board[row as usize][file as usize] } else { None }
    }

    /// Returns the set of squares flipped by a disc of `side` on `square`, one bit each.
    fn flipped(&self, side: Side, square: usize) -> u64 {
        let row = (square / 8) as i32;
        let file = (square % 8) as i32;
        if self.at(row, file).is_some() {
            return 0;
        }
        let mut all = 0;
        for (down, right) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
            let mut line = 0;
            let mut r = row + down;
            let mut f = file + right;
            while self.at(r, f) == Some(side.other()) {
                line |= 1_u64 << (8 * r + f);
                (r, f) = (r + down, f + right);
            }
            if self.at(r, f) == Some(side) {
                all |= line;
            }
        }
        all
    }

    fn squares_of(&self, side: Side) -> Vec<Move> {
        (0..64).filter(|&square| self.flipped(side, square) != 0).map(|square| Move(square as u16)).collect()
    }

    pub(crate) fn moves(&self) -> Vec<Move> {
        let own = self.squares_of(self.side);
        if !own.is_empty() {
            own
        } else if self.squares_of(self.side.other()).is_empty() {
            Vec::new()
        } else {
            vec![PASS]
        }
    }

    pub(crate) fn over(&self) -> bool {
        self.moves().is_empty()
    }

    pub(crate) fn play(&self, mv: Move) -> Oracle {
        let mut after = self.clone();
        if mv != PASS {
            let taken = self.flipped(self.side, mv.index()) | 1 << mv.index();
            for square in (0..64).filter(|square| taken >> square & 1 == 1) {
                after.board[square / 8][square % 8] = Some(self.side);
            }
        }
        after.side = self.side.other();
        after
    }

    /// South's lead in discs on the board.
    fn lead(&self) -> i32 {
        let count = |side| self.board.iter().flatten().filter(|&&disc| disc == Some(side)).count() as i32;
        count(Side::South) - count(Side::North)
    }

    /// The lead; empty squares count for the winner once the game is over.
    pub(crate) fn margin(&self) -> i32 {
        let empty = self.board.iter().flatten().filter(|disc| disc.is_none()).count() as i32;
        match self.lead() {
            lead if !self.over() || lead == 0 => lead,
            lead if lead > 0 => lead + empty,
            lead => lead - empty,
        }
    }

    /// A finished game counts as one.
    fn perft(&self, depth: u32) -> u64 {
        match self.moves() {
            _ if depth == 0 => 1,
            moves if moves.is_empty() => 1,
            moves => moves.into_iter().map(|mv| self.play(mv).perft(depth - 1)).sum(),
        }
    }

    /// The margin of `side` with best play of both sides.
    fn solved(&self, side: Side) -> i32 {
        let values = self.moves().into_iter().map(|mv| self.play(mv).solved(side));
        let best = if self.side == side { values.max() } else { values.min() };
        best.unwrap_or(if side == Side::South { self.margin() } else { -self.margin() })
    }
}

fn assert_same(pos: &Othello, oracle: &Oracle) {
    let moves = oracle.moves();
    assert_eq!(pos.squares(), oracle.squares());
    assert_eq!(pos.side(), oracle.side);
    assert_eq!(pos.is_over(), oracle.over(), "{pos}");
    assert_eq!(pos.moves().collect::<Vec<_>>(), moves, "{pos}");
    assert_eq!(pos.count_moves(), moves.len() as u64);
    assert_eq!(pos.margin(Side::South), oracle.margin());
    assert_eq!(pos.margin(Side::North), -oracle.margin());
    for plies in 0..4 {
        let mut ordered_moves: Vec<Move> = pos.ordered_moves(plies).collect();
        ordered_moves.sort_unstable();
        assert_eq!(ordered_moves, moves, "{pos}");
    }
    for square in 0..64 {
        assert_eq!(pos.flipped(square), oracle.flipped(oracle.side, square.into()), "{pos} {square}");
    }
    if moves.is_empty() {
        return;
    }
    let children: Vec<Oracle> = moves.iter().map(|&mv| oracle.play(mv)).collect();
    let replies: Vec<usize> = children.iter().map(|child| child.moves().len()).collect();
    // A child that ends the game counts as one.
    assert_eq!(pos.count_pairs(), replies.iter().map(|&replies| replies.max(1) as u64).sum::<u64>(), "{pos}");
    for (n, &mv) in (0..).zip(&moves) {
        // The middle of the nth of equal parts of the random range.
        assert_eq!(pos.pick((((2 * n + 1) << 32) / (2 * moves.len() as u64)) as u32), mv);
    }
    let sign = if oracle.side == Side::South { 1 } else { -1 };
    let leads: Vec<i32> = children.iter().map(|child| sign * child.lead()).collect();
    for bits in [0, 1 << 30, u32::MAX] {
        let greedy = moves.iter().position(|&mv| mv == pos.greedy(bits)).unwrap();
        assert_eq!(Some(&leads[greedy]), leads.iter().max(), "{pos}");
    }
    // Far from the end, moves that end the game count discs on the board unless they take all of the opponent's.
    let is_near_end = oracle.board.iter().flatten().filter(|disc| disc.is_none()).count() <= 16;
    let after = |child: &Oracle| {
        let has_none = child.board.iter().flatten().all(|&disc| disc != Some(child.side));
        sign * if is_near_end || has_none { child.margin() } else { child.lead() }
    };
    let most = children.iter().map(after).max().unwrap();
    let whole = pos.horizon(i32::MAX);
    assert_eq!(whole.best, most);
    for beta in [most - 3, most, most + 1] {
        let horizon = pos.horizon(beta);
        assert_eq!(horizon.best >= beta, most >= beta);
        assert!(!horizon.solved || replies.iter().all(|&replies| replies == 0));
    }
}

/// Reads a whole transcript.
fn read(start: &Othello, text: &str) -> Result<Vec<Move>, TextError> {
    let transcript = text::read(start, text);
    transcript.error.map_or(Ok(transcript.moves), Err)
}

/// Plays the game of `choices` with both implementations and compares everything at every ply; returns the end.
fn compare(start: Start, choices: &[u8]) -> (Othello, bool) {
    let mut pos = Rules { start }.position();
    let mut oracle = Oracle::start(start);
    let mut moves = Vec::new();
    let mut passed = false;
    for &choice in choices {
        assert_same(&pos, &oracle);
        let legal = oracle.moves();
        let Some(&mv) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
        (pos, oracle) = (pos.play(mv), oracle.play(mv));
        passed |= mv == PASS;
        moves.push(mv);
        assert_eq!(Othello::read(&pos.text()), Ok(pos));
        assert_eq!(Othello::from_squares(&pos.squares(), pos.side()), Ok(pos));
    }
    assert_same(&pos, &oracle);
    let start = Rules { start }.position();
    assert_eq!(read(&start, &text::write(&moves)), Ok(moves.clone()));
    // Without passes the game is the same, except for a pass at the very end.
    let silent: Vec<Move> = moves.iter().copied().filter(|&mv| mv != PASS).collect();
    let mut known = moves;
    known.truncate(known.iter().rposition(|&mv| mv != PASS).map_or(0, |at| at + 1));
    assert_eq!(read(&start, &text::write(&silent)), Ok(known));
    (pos, passed)
}

const STARTS: [Start; 2] = [Start::Standard, Start::Parallel];

/// Checks that a bound and the value are on the same side of `beta`, and that the bound holds.
fn assert_bounds(bound: i32, beta: i32, value: i32) {
    assert_eq!(bound >= beta, value >= beta, "{bound} {value} {beta}");
    assert!(if bound >= beta { value >= bound } else { value <= bound }, "{bound} {value} {beta}");
}

fn squares() -> impl Strategy<Value = [Option<Side>; 64]> {
    let disc =
        |empty: u32| prop_oneof![empty => Just(None), 4 => Just(Some(Side::South)), 4 => Just(Some(Side::North))];
    let board = |empty| prop::collection::vec(disc(empty), 64);
    prop_oneof![board(30), board(6), board(1)]
        .prop_map(|squares| squares.try_into().unwrap())
        .prop_filter("a disc", |squares: &[Option<Side>; 64]| squares.iter().any(Option::is_some))
}

fn side() -> impl Strategy<Value = Side> {
    prop::sample::select(Side::BOTH.to_vec())
}

#[test]
fn perft_of_the_start() {
    let start = Rules::default().position();
    let counts: Vec<u64> = (1..=9).map(|depth| perft(&start, depth)).collect();
    assert_eq!(counts, [4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288]);
    let oracle = Oracle::start(Start::Standard);
    assert_eq!((1..=6).map(|depth| oracle.perft(depth)).collect::<Vec<_>>(), counts[..6]);
}

/// Deeper than the shortest games, which end after nine plies.
#[test]
fn perft_counts_games_that_have_ended_as_one() {
    assert_eq!(perft(&Rules::default().position(), 10), 24_571_284);
}

#[test]
fn many_games_with_passes_among_them() {
    let mut with_passes = 0;
    for salt in 0..24_u32 {
        let choice = |ply: u32| ((ply + 131 * salt).wrapping_mul(2_654_435_761) >> 20) as u8;
        let (end, passed) = compare(STARTS[salt as usize % 2], &(0..130).map(choice).collect::<Vec<_>>());
        assert!(end.is_over());
        with_passes += u32::from(passed);
    }
    assert!(with_passes > 2, "{with_passes}");
}

/// Black has taken everything after nine plies, and most of the board is empty.
#[test]
fn the_shortest_game() {
    let start = Rules::default().position();
    let moves = read(&start, "e6f4e3f6g5d6e7f5c5").unwrap();
    let end = moves.iter().fold(start, |pos, &mv| pos.play(mv));
    assert_eq!(
        (end.is_over(), end.margin(Side::South), end.discs()[0].count_ones(), end.discs()[1]),
        (true, 64, 13, 0)
    );
    let more = read(&start, "e6f4e3f6g5d6e7f5c5 a1").unwrap_err().to_string();
    assert_eq!(more, "line 1, column 20: found 'a1'; expected no more moves: the game is over");
}

/// Neither side can move, although there are empty squares and discs of both.
#[test]
fn a_game_ends_when_neither_can_move() {
    let pos = Othello::read(&format!("XX-OO---{} X", "-".repeat(56))).unwrap();
    assert!(pos.is_over() && pos.moves().next().is_none());
    assert_eq!((pos.margin(Side::South), pos.count_moves(), perft(&pos, 3)), (0, 0, 1));
}

proptest! {
    #[test]
    fn random_games(start in prop::sample::select(STARTS.to_vec()), choices in prop::collection::vec(any::<u8>(), 0..130)) {
        compare(start, &choices);
    }

    /// Boards that no game from the start reaches.
    #[test]
    fn random_boards(squares in squares(), side in side()) {
        let pos = Othello::from_squares(&squares, side).unwrap();
        let oracle = Oracle::new(&squares, side);
        assert_same(&pos, &oracle);
        for mv in oracle.moves() {
            assert_same(&pos.play(mv), &oracle.play(mv));
        }
        prop_assert_eq!(Othello::read(&pos.text()), Ok(pos));
    }

    /// Endgames with any `beta`: the bound is on the same side as the value.
    #[test]
    fn the_end_is_played_well(mut squares in squares(), empty in prop::collection::btree_set(0..64_usize, 0..8), side in side(), beta in -64..=64_i32) {
        for (at, square) in squares.iter_mut().enumerate() {
            *square = if empty.contains(&at) { None } else { square.or(Some(if at % 3 == 0 { side } else { side.other() })) };
        }
        let pos = Othello::from_squares(&squares, side).unwrap();
        if pos.is_over() {
            return Ok(());
        }
        let value = Oracle::new(&squares, side).solved(side);
        for beta in [beta, value, value + 1] {
            let bound = pos.finish(beta).unwrap();
            prop_assert!(bound.solved);
            assert_bounds(bound.best, beta, value);
            if let Some(settled) = pos.bound(beta) {
                assert_bounds(settled, beta, value);
            }
        }
    }

    /// A bound from stable discs holds whatever is played.
    #[test]
    fn what_is_settled_holds_to_the_end(squares in squares(), side in side(), beta in -64..=64_i32, choices in prop::collection::vec(any::<u8>(), 130)) {
        let start = Othello::from_squares(&squares, side).unwrap();
        let mut pos = start;
        let mut plies = 0;
        for choice in choices {
            if let Some(bound) = start.bound(beta) {
                assert_bounds(bound, beta, pos.margin(side));
            }
            let moves: Vec<Move> = pos.moves().collect();
            let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
            let left = pos.plies_left();
            pos = pos.play(mv);
            plies += 1;
            prop_assert!(left.is_none_or(|left| pos.plies_left().is_some_and(|after| after < left)));
        }
        prop_assert!(start.plies_left().is_none_or(|left| plies <= left));
    }

    #[test]
    fn no_text_is_too_strange_to_read(text in "\\PC*") {
        let _ = Othello::read(&text);
        let _ = text::read(&Rules::default().position(), &text);
        let _ = text.parse::<Rules>();
    }

    /// Characters of a valid text are deleted, doubled or replaced: the result either parses and prints back to itself,
    /// or is rejected at a position within the text.
    #[test]
    fn a_damaged_position_is_refused_where_it_is_damaged(
        squares in squares(), side in side(),
        damage in prop::collection::vec((0..66_usize, "[XO*.bw0 \n#é-]{0,2}"), 1..4),
    ) {
        let mut letters: Vec<String> = Othello::from_squares(&squares, side).unwrap().text().chars().map(String::from).collect();
        for (at, with) in damage {
            letters[at] = with;
        }
        let text = letters.concat();
        match Othello::read(&text) {
            Ok(pos) => prop_assert_eq!(Othello::read(&pos.text()), Ok(pos)),
            Err(error) => {
                let lines: Vec<&str> = text.split('\n').collect();
                prop_assert!(error.line <= lines.len());
                prop_assert!(error.column <= lines[error.line - 1].chars().count() + 1);
                prop_assert!(!error.expected.is_empty());
            }
        }
    }

    #[test]
    fn a_damaged_transcript_is_refused_where_it_is_damaged(
        choices in prop::collection::vec(any::<u8>(), 0..80),
        damage in prop::collection::vec((0..160_usize, "[a-h1-8A-H. \n#é-]{0,3}"), 1..3),
    ) {
        let start = Rules::default().position();
        let mut pos = start;
        let mut moves = Vec::new();
        for choice in choices {
            if pos.is_over() {
                break;
            }
            let mv = pos.pick(u32::from(choice) << 24);
            moves.push(mv);
            pos = pos.play(mv);
        }
        let mut letters: Vec<String> = text::write(&moves).chars().map(String::from).collect();
        for (at, with) in damage {
            if let Some(letter) = letters.get_mut(at) {
                *letter = with;
            }
        }
        let text = letters.concat();
        match read(&start, &text) {
            Ok(moves) => prop_assert_eq!(read(&start, &text::write(&moves)), Ok(moves)),
            Err(error) => {
                let lines: Vec<&str> = text.split('\n').collect();
                prop_assert!(error.line <= lines.len());
                prop_assert!(error.column <= lines[error.line - 1].chars().count() + 1);
                prop_assert!(!error.expected.is_empty());
            }
        }
    }
}
