//! Checkers against an oracle: the rules once more, as steps from square to square over a plain board of 64.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use mancalab::game::checkers::{Checkers, KING, MAN, MOST_CAPTURED, Rules, WON};
use mancalab::game::perft::perft;
use mancalab::game::referee::Why;
use mancalab::game::{Course, Game, Move, Notation, Outcome, Past, Piece, Place, Side, Tabletop};
use mancalab::rng;
use mancalab::search::{Analysis, Limits, Search, Table};
use mancalab::step::Budget;
use proptest::prelude::*;

/// Squares from the upper left corner as Black, below, sees the board, row by row.
#[derive(Clone, Debug, PartialEq)]
struct Oracle {
    board: [Option<Piece>; 64],
    side: Side,
}

/// A move: the squares it goes to, the first and those in between among them, and what it captures.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Found {
    squares: Vec<u8>,
    captured: Vec<u8>,
}

/// The numbers of the dark squares, counted from the lower right corner.
static NUMBERS: LazyLock<[u8; 64]> =
    LazyLock::new(|| std::array::from_fn(|at| (at..64).filter(|at| (at / 8 + at % 8) % 2 == 1).count() as u8));

fn number(at: usize) -> u8 {
    NUMBERS[at]
}

fn beside(at: usize, down: i32, right: i32) -> Option<usize> {
    let (row, file) = ((at / 8) as i32 + down, (at % 8) as i32 + right);
    ((0..8).contains(&row) && (0..8).contains(&file)).then_some((8 * row + file) as usize)
}

impl Oracle {
    fn start() -> Oracle {
        let piece = |at: usize| {
            let is_dark = (at / 8 + at % 8) % 2 == 1;
            match at / 8 {
                0..=2 if is_dark => Some(Piece::of(Side::North)),
                5..=7 if is_dark => Some(Piece::of(Side::South)),
                _ => None,
            }
        };
        Oracle { board: std::array::from_fn(piece), side: Side::South }
    }

    fn of(pieces: &[Option<Piece>; 32], side: Side) -> Oracle {
        let is_dark = |at: usize| (at / 8 + at % 8) % 2 == 1;
        let board = std::array::from_fn(|at| pieces[usize::from(number(at)).saturating_sub(1)].filter(|_| is_dark(at)));
        Oracle { board, side }
    }

    fn ways(piece: Piece) -> Vec<(i32, i32)> {
        let up = piece.king || piece.side == Side::South;
        let down = piece.king || piece.side == Side::North;
        [(-1, -1, up), (-1, 1, up), (1, -1, down), (1, 1, down)]
            .into_iter()
            .filter(|way| way.2)
            .map(|(row, file, _)| (row, file))
            .collect()
    }

    /// The jumps of a piece that has come to `at`; captured pieces stay on the board until the end.
    fn jumps(&self, piece: Piece, at: usize, so_far: &Found, all: &mut Vec<Found>) {
        let mut goes_on = false;
        for (down, right) in Oracle::ways(piece) {
            let Some(over) = beside(at, down, right) else { continue };
            let Some(to) = beside(over, down, right) else { continue };
            let is_prey = self.board[over].is_some_and(|other| other.side != piece.side);
            if !is_prey || so_far.captured.contains(&number(over)) || self.board[to].is_some() {
                continue;
            }
            goes_on = true;
            let mut next = so_far.clone();
            next.squares.push(number(to));
            next.captured.push(number(over));
            self.jumps(piece, to, &next, all);
        }
        if !goes_on && !so_far.captured.is_empty() {
            all.push(so_far.clone());
        }
    }

    fn steps(&self, side: Side) -> Vec<Found> {
        let mut all = Vec::new();
        for (at, piece) in self.board.iter().enumerate() {
            let Some(piece) = piece.filter(|piece| piece.side == side) else { continue };
            for (down, right) in Oracle::ways(piece) {
                if let Some(to) = beside(at, down, right).filter(|&to| self.board[to].is_none()) {
                    all.push(Found { squares: vec![number(at), number(to)], captured: vec![] });
                }
            }
        }
        all
    }

    fn all_jumps(&self, side: Side) -> Vec<Found> {
        let mut all = Vec::new();
        for (at, piece) in self.board.iter().enumerate() {
            let Some(piece) = piece.filter(|piece| piece.side == side) else { continue };
            let mut lifted = self.clone();
            lifted.board[at] = None;
            lifted.jumps(piece, at, &Found { squares: vec![number(at)], captured: vec![] }, &mut all);
        }
        all
    }

    fn moves(&self) -> Vec<Found> {
        let jumps = self.all_jumps(self.side);
        let mut moves = if jumps.is_empty() { self.steps(self.side) } else { jumps };
        moves.sort();
        moves
    }

    fn play(&self, found: &Found) -> Oracle {
        let mut next = self.clone();
        let at = |square: u8| (0..64).find(|&at| number(at) == square && (at / 8 + at % 8) % 2 == 1).unwrap();
        let (from, to) = (at(found.squares[0]), at(*found.squares.last().unwrap()));
        let mut piece = next.board[from].take().unwrap();
        piece.king |= to / 8 == if piece.side == Side::South { 0 } else { 7 };
        next.board[to] = Some(piece);
        for &square in &found.captured {
            next.board[at(square)] = None;
        }
        next.side = self.side.other();
        next
    }

    fn lead(&self) -> i32 {
        let worth =
            |piece: &Piece| if piece.king { KING } else { MAN } * if piece.side == Side::South { 1 } else { -1 };
        self.board.iter().flatten().map(worth).sum()
    }

    /// For South.
    fn margin(&self) -> i32 {
        match (self.moves().is_empty(), self.side) {
            (true, Side::South) => -WON,
            (true, Side::North) => WON,
            (false, _) => self.lead(),
        }
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { self.moves().iter().map(|found| self.play(found).perft(depth - 1)).sum() }
    }

    fn set(&self, wanted: impl Fn(Piece) -> bool) -> u32 {
        let has = |at: &usize| self.board[*at].is_some_and(&wanted);
        (0..64).filter(has).fold(0, |set, at| set | 1 << (number(at) - 1))
    }

    fn position(&self) -> Checkers {
        let sets = |king: bool| Side::BOTH.map(|side| self.set(|piece| piece == Piece { side, king }));
        Checkers::from_sets(sets(false), sets(true), self.side)
    }
}

fn from_squares(moves: &[Found]) -> u32 {
    moves.iter().fold(0, |set, found| set | 1 << (found.squares[0] - 1))
}

fn assert_same(pos: &Checkers, oracle: &Oracle) {
    for side in Side::BOTH {
        assert_eq!(pos.men(side), oracle.set(|piece| piece == Piece::of(side)), "{pos}");
        assert_eq!(pos.kings(side), oracle.set(|piece| piece == Piece { side, king: true }), "{pos}");
        assert_eq!(pos.movers(side), from_squares(&oracle.steps(side)), "{pos}");
        assert_eq!(pos.jumpers(side), from_squares(&oracle.all_jumps(side)), "{pos}");
        assert_eq!(pos.margin(side), if side == Side::South { oracle.margin() } else { -oracle.margin() }, "{pos}");
    }
    let wanted = oracle.moves();
    assert_eq!(pos.side(), oracle.side);
    assert_eq!((pos.is_over(), pos.must_jump()), (wanted.is_empty(), !oracle.all_jumps(oracle.side).is_empty()));
    assert_eq!(*pos, oracle.position());
    let moves: Vec<Move> = pos.moves().collect();
    let found = |&mv: &Move| {
        let path = pos.path(mv);
        Found { squares: path.squares().to_vec(), captured: path.captured().to_vec() }
    };
    assert_eq!(moves.iter().map(found).collect::<Vec<_>>(), wanted, "{pos}");
    assert_eq!(moves.iter().collect::<BTreeSet<_>>().len(), moves.len(), "each move has a number of its own: {pos}");
    assert_eq!(pos.count_moves(), moves.len() as u64, "{pos}");
    if moves.is_empty() {
        return;
    }
    for plies in [0, 1, 3, 9] {
        let promising: BTreeSet<Move> = pos.promising(plies).collect();
        assert_eq!(promising, moves.iter().copied().collect(), "{pos}");
    }
    assert_eq!(pos.count_pairs(), oracle.perft(2), "{pos}");
    // Each of as many equal parts of all there is to draw stands for another move.
    let n = moves.len() as u64;
    let picked: BTreeSet<Move> = (0..n).map(|nth| pos.pick((((2 * nth + 1) << 32) / (2 * n)) as u32)).collect();
    assert_eq!(picked, moves.iter().copied().collect(), "{pos}");
    assert_gains(pos, oracle, &moves);
    assert_told(pos, &moves);
}

/// What the best move gains, however it is asked.
fn assert_gains(pos: &Checkers, oracle: &Oracle, moves: &[Move]) {
    let sign = if oracle.side == Side::South { 1 } else { -1 };
    let gains: Vec<i32> = oracle.moves().iter().map(|found| sign * oracle.play(found).margin()).collect();
    let most = *gains.iter().max().unwrap();
    let best: BTreeSet<Move> = moves.iter().zip(&gains).filter(|(_, gain)| **gain == most).map(|(&mv, _)| mv).collect();
    let n = best.len() as u64;
    let greedy: BTreeSet<Move> = (0..n).map(|nth| pos.greedy((((2 * nth + 1) << 32) / (2 * n)) as u32)).collect();
    assert_eq!(greedy, best, "{pos}");
    for beta in [most - 3, most, most + 1, i32::MAX] {
        let frontier = pos.frontier(beta);
        assert_eq!(frontier.best >= beta, most >= beta, "{pos}");
        assert!(if most >= beta { frontier.best <= most } else { frontier.best >= most }, "{pos}");
        assert!(!frontier.solved || most.abs() == WON, "{pos}");
        assert!((1..=moves.len() as u32).contains(&frontier.visited));
    }
}

/// A move by its places, its text and its steps.
fn assert_told(pos: &Checkers, moves: &[Move]) {
    let places: BTreeSet<String> = moves.iter().map(|&mv| format!("{:?}", pos.places(mv))).collect();
    assert_eq!(places.len(), moves.len(), "no two moves share their places: {pos}");
    for &mv in moves {
        let (text, long) = (pos.move_text(mv), pos.long_text(mv));
        assert_eq!((pos.named(&text), pos.named(&long)), (Some(mv), Some(mv)), "{pos} {text} {long}");
        assert_eq!(pos.named(&long.replace('x', "-")), Some(mv));
        let (board, next) = (pos.board(), pos.play(mv));
        let Some(Place::Square(first)) = pos.places(mv).first().copied() else { panic!("{pos} {text}") };
        assert!(text.starts_with(&board.name(Place::Square(first))));
        let trace = pos.trace(mv);
        assert_eq!(trace.at(&board, trace.frames()), next.board(), "{pos} {text}");
        assert_eq!((trace.mover, trace.over, trace.extra_turn), (pos.side(), next.is_over(), false));
        assert_eq!(trace.taken().len(), pos.path(mv).captured().len());
        let crowned = next.kings(pos.side()).count_ones() > pos.kings(pos.side()).count_ones();
        assert_eq!((trace.promotes(), trace.drops()), (crowned, pos.path(mv).squares().len() - 1));
    }
}

/// A board and a text give the same position again.
fn assert_read_again(pos: &Checkers) {
    assert_eq!(Checkers::read(&pos.to_text()), Ok(*pos));
    assert_eq!(<Checkers as Tabletop>::from_board(Rules::default(), &pos.board(), pos.side()), Ok(*pos));
}

/// How a game has ended, from the list of all its positions.
fn why(game: &[Oracle], limit: usize) -> Option<&'static str> {
    let (now, plies) = (game.last()?, game.len() - 1);
    if now.moves().is_empty() {
        return Some("lost");
    }
    if game.iter().filter(|other| *other == now).count() >= 3 {
        return Some("repetition");
    }
    let men = |pos: &Oracle| pos.set(|piece| !piece.king);
    let count = |pos: &Oracle| pos.set(|_| true).count_ones();
    let is_progress = |pair: &[Oracle]| men(&pair[0]) != men(&pair[1]) || count(&pair[0]) != count(&pair[1]);
    let idle = game.windows(2).rev().take_while(|pair| !is_progress(pair)).count();
    if idle >= 80 {
        return Some("progress");
    }
    (limit > 0 && plies >= 2 * limit).then_some("limit")
}

fn told(course: &Course<Checkers>) -> Option<&'static str> {
    course.ending().map(|ending| match ending.why {
        Why::NoMoves => "lost",
        Why::Rule(text) if text.contains("repetition") => "repetition",
        Why::Rule(text) if text.contains("without") => "progress",
        Why::Rule(text) if text.contains("limit") => "limit",
        other => panic!("{other:?}"),
    })
}

/// Plays a game both ways from the same position to its end, with every position compared. A game that wanders keeps out of the way of
/// jumps and of positions it has been in, as long as it can.
fn compare(start: &Oracle, limit: u16, wanders: bool, seed: u64) -> Option<&'static str> {
    let rules: Rules = if limit > 0 { format!("limit={limit}").parse().unwrap() } else { Rules::default() };
    let pos = <Checkers as Tabletop>::from_board(rules, &start.position().board(), start.side).unwrap();
    let (mut course, mut game, mut rng) = (Course::new(pos), vec![start.clone()], rng::keyed(&[seed]));
    loop {
        let oracle = game.last().unwrap();
        if limit == 0 {
            assert_same(course.pos(), oracle);
            assert_read_again(course.pos());
        }
        let (ended, wanted) = (told(&course), why(&game, limit.into()));
        assert_eq!(ended, wanted, "{}", course.pos());
        assert_eq!(course.is_over(), ended.is_some());
        if let Some(ending) = course.ending() {
            assert_eq!(ending.outcome == Outcome::Drawn, ended != Some("lost"));
            return ended;
        }
        let moves = oracle.moves();
        let any = rng.next_u32() as usize % moves.len();
        let is_quiet = |&nth: &usize| {
            let next = oracle.play(&moves[nth]);
            next.all_jumps(next.side).is_empty() && !game.contains(&next)
        };
        let others = (0..moves.len()).map(|nth| (nth + any) % moves.len());
        let nth = others.clone().find(|nth| !wanders || is_quiet(nth)).unwrap_or(any);
        let next = oracle.play(&moves[nth]);
        let mv = course.pos().moves().nth(nth).unwrap();
        course.play(mv);
        game.push(next);
    }
}

fn side() -> impl Strategy<Value = Side> {
    prop::sample::select(Side::BOTH.to_vec())
}

/// At most twelve pieces a side, and no man where it would be a king.
fn allowed(mut pieces: Vec<Option<Piece>>) -> [Option<Piece>; 32] {
    let mut left = [12; 2];
    for (at, square) in pieces.iter_mut().enumerate() {
        if let Some(piece) = square {
            let last = if piece.side == Side::South { 28..32 } else { 0..4 };
            piece.king |= last.contains(&at);
            let left = &mut left[piece.side.index()];
            if *left == 0 {
                *square = None;
            } else {
                *left -= 1;
            }
        }
    }
    pieces.try_into().unwrap()
}

/// Boards of all kinds: full, sparse, kings alone, and kings of one side among scattered pieces of the other.
fn pieces() -> impl Strategy<Value = [Option<Piece>; 32]> {
    let square = |weights: [u32; 5]| {
        let piece = |side, king| Just(Some(Piece { side, king }));
        prop_oneof![
            weights[0] => Just(None),
            weights[1] => piece(Side::South, false),
            weights[2] => piece(Side::South, true),
            weights[3] => piece(Side::North, false),
            weights[4] => piece(Side::North, true),
        ]
    };
    let board = move |weights| prop::collection::vec(square(weights), 32);
    prop_oneof![
        board([10, 5, 2, 5, 2]),
        board([20, 2, 2, 2, 2]),
        board([12, 0, 1, 0, 1]),
        board([20, 0, 2, 8, 1]),
        board([20, 8, 1, 0, 2]),
    ]
    .prop_map(allowed)
    .prop_filter("a piece", |pieces| pieces.iter().any(Option::is_some))
}

fn perft_of_the_start(depth: u32) -> Vec<u64> {
    (1..=depth).map(|depth| perft(&Rules::default().position(), depth)).collect()
}

const COUNTS: [u64; 13] =
    [7, 49, 302, 1469, 7361, 36_768, 179_740, 845_931, 3_963_680, 18_391_564, 85_242_128, 388_623_673, 1_766_623_630];

#[test]
fn the_start_is_counted() {
    assert_eq!(perft_of_the_start(8), COUNTS[..8]);
    let oracle = Oracle::start();
    assert_eq!((1..=5).map(|depth| oracle.perft(depth)).collect::<Vec<_>>(), COUNTS[..5]);
}

/// Some seconds in a release build.
#[test]
#[ignore = "counts two billion sequences"]
fn the_start_is_counted_deeper() {
    assert_eq!(perft_of_the_start(13), COUNTS);
}

#[test]
fn many_games_and_all_their_ends() {
    let mut ends = BTreeSet::new();
    for seed in 0..30 {
        ends.insert(compare(&Oracle::start(), [0, 0, 40][seed as usize % 3], false, seed));
    }
    // Two kings that hardly ever meet.
    let mut two = [None; 32];
    (two[3], two[28]) = (Some(Piece { side: Side::South, king: true }), Some(Piece { side: Side::North, king: true }));
    for seed in 0..20 {
        ends.insert(compare(&Oracle::of(&two, Side::South), 0, seed % 2 == 0, seed));
    }
    assert_eq!(ends, ["lost", "repetition", "progress", "limit"].map(Some).into_iter().collect());
}

/// Positions with what is rare: jumps around and back to where they began, and several ways between the same two squares.
#[test]
fn kings_jump_in_circles() {
    let (mut circles, mut several, mut longest) = (0, 0, 0);
    let mut rng = rng::keyed(&[5]);
    for _ in 0..4000 {
        let inner = |at: usize| (1..7).contains(&(at / 4)) && !matches!((at / 4 % 2, at % 4), (0, 3) | (1, 0));
        let mut pieces: Vec<Option<Piece>> = (0..32)
            .map(|at| {
                let stands = inner(at) && rng.next_u32().is_multiple_of(2);
                stands.then(|| Piece { side: Side::North, king: rng.next_u32().is_multiple_of(4) })
            })
            .collect();
        pieces[(rng.next_u32() % 32) as usize] = Some(Piece { side: Side::South, king: true });
        let oracle = Oracle::of(&allowed(pieces), Side::South);
        let pos = oracle.position();
        assert_same(&pos, &oracle);
        for mv in pos.moves() {
            let (path, captured) = (pos.path(mv), pos.path(mv).captured().len());
            circles += usize::from(path.squares().first() == path.squares().last());
            several += usize::from(pos.move_text(mv).matches('x').count() > 1);
            longest = longest.max(captured);
        }
    }
    assert!(circles > 50 && several > 50 && (5..=MOST_CAPTURED).contains(&longest), "{circles} {several} {longest}");
}

/// Every arrangement of what one king can capture, from every square: as many ways between the same two squares as `jumps` says, so
/// that a move's number has room for them, and no more moves than a tree makes room for.
#[test]
fn no_more_ways_lead_from_square_to_square_than_a_move_has_room_for() {
    let (mut most, mut most_of_all) = (0, 0);
    for from in 1..=32_u8 {
        let at = (0..64).find(|&at| number(at) == from && (at / 8 + at % 8) % 2 == 1).unwrap();
        let parity = |row: usize| (row + 1) % 2;
        let prey: Vec<usize> = (0..64_usize)
            .filter(|&over| {
                let (row, file) = (over / 8, over % 8);
                row % 2 == parity(at / 8)
                    && file % 2 == parity(at % 8)
                    && (1..7).contains(&row)
                    && (1..7).contains(&file)
            })
            .collect();
        assert_eq!(prey.len(), MOST_CAPTURED);
        for chosen in 0..1_u32 << prey.len() {
            let set = prey.iter().enumerate().filter(|(nth, _)| chosen >> nth & 1 == 1);
            let men = set.fold(0, |set, (_, &over)| set | 1_u32 << (number(over) - 1));
            let pos = Checkers::from_sets([0, men], [1 << (from - 1), 0], Side::South);
            if !pos.must_jump() {
                continue;
            }
            let ends: Vec<(u8, u8)> = pos
                .moves()
                .map(|mv| pos.path(mv))
                .filter(|path| path.captured().len() > 1)
                .map(|path| (path.squares()[0], path.squares()[path.squares().len() - 1]))
                .collect();
            most =
                ends.iter().map(|end| ends.iter().filter(|other| *other == end).count()).max().unwrap_or(0).max(most);
            most_of_all = pos.count_moves().max(most_of_all);
        }
    }
    assert_eq!((most, most_of_all), (9, 16));
}

/// A position by its text, and the names of its moves.
fn names(text: &str) -> Vec<String> {
    let pos = Checkers::read(text).unwrap();
    pos.moves().map(|mv| pos.move_text(mv)).collect()
}

#[test]
fn rules_by_example() {
    assert_eq!(names("B:W21-32:B1-12"), ["9-13", "9-14", "10-14", "10-15", "11-15", "11-16", "12-16"]);
    // A jump is compulsory, and goes on to its end.
    assert_eq!(names("B:W18,25:B14,1"), ["14x23"]);
    assert_eq!(names("B:W18,26:B14,1"), ["14x30"]);
    // Any jump will do, not the one that captures most.
    assert_eq!(names("B:W10,18,26:B7,14"), ["7x14"].map(|_| "14x30").into_iter().collect::<Vec<_>>());
    // A man that becomes a king stops there, though a king could jump on.
    let pos = Checkers::read("B:W26,27,5:B22").unwrap();
    assert_eq!(names("B:W26,27,5:B22"), ["22x31"]);
    let next = pos.play(pos.moves().next().unwrap());
    assert_eq!(next.to_text(), "W:W5,27:BK31");
    // A king jumps back to where it began.
    assert_eq!(
        names("B:W14,15,22,23:BK10"),
        ["10x19x26x17x10", "10x17x26x19x10"].map(str::to_owned).into_iter().rev().collect::<Vec<_>>()
    );
    // Who has no legal move loses, with pieces or without.
    for text in ["W:W12:B8,3", "W:B8", "W:W:B8"] {
        let pos = Checkers::read(text).unwrap();
        assert_eq!(
            (pos.is_over(), pos.outcome(Side::South), pos.margin(Side::North)),
            (true, Outcome::Won, -WON),
            "{text}"
        );
    }
}

#[test]
fn moves_are_named_as_players_write_them() {
    let pos = Checkers::read("B:W14,15,22,23:BK10").unwrap();
    assert_eq!(pos.moves_named("10x10").len(), 2, "two ways round");
    assert_eq!(pos.named("10x10"), None);
    for text in ["10x19x26x17x10", "10-19-26-17-10", "10X19X26X17X10", "10:19:26:17:10"] {
        assert_eq!(pos.named(text), pos.moves().nth(1), "{text}");
    }
    let start = Rules::default().position();
    for text in ["11-15", "11x15", "11:15"] {
        assert_eq!(start.named(text).map(|mv| start.move_text(mv)).as_deref(), Some("11-15"));
    }
    for text in ["11-17", "11", "", "11-15-18", "0-4", "300-1", "a-b", "11--15"] {
        assert_eq!(start.named(text), None, "{text}");
    }
}

#[test]
fn errors_of_positions_say_where_and_what_was_expected() {
    let error = |text: &str| Checkers::read(text).unwrap_err().to_string();
    for (text, told) in [
        ("", "line 1, column 1: the text ends here; expected B or W, the side to move"),
        ("X:W1", "line 1, column 1: found 'X'; expected B or W, the side to move"),
        ("B", "line 1, column 2: the text ends here; expected a colon and the squares of a side, such as :W21,K30"),
        ("B:W21,33", "line 1, column 7: found '33'; expected a square from 1 to 32"),
        ("B:W21,:B1", "line 1, column 7: found ':'; expected a square from 1 to 32"),
        ("B:W21\n :W5", "line 2, column 3: found 'W'; expected the other side's squares"),
        (
            "B:W21,22:B5,K22",
            "line 1, column 14: found '22'; expected another square, as there is a piece on 22 already",
        ),
        ("B:W21-19:B1", "line 1, column 7: found '19'; expected a square from 21 to 32"),
        ("B:W21 22", "line 1, column 7: found '2'; expected a comma and another square, or a colon"),
        ("B:W21:B1 x", "line 1, column 10: found 'x'; expected nothing more"),
    ] {
        assert_eq!(error(text), told, "{text}");
    }
    assert_eq!(error("B:W4:B1"), "line 1, column 4: found '4'; expected K4: a man of White would be a king there");
    assert!(
        error("B:W9:B27-29").ends_with("column 7: found '27-29'; expected K29: a man of Black would be a king there")
    );
    assert!(error("B:W14-26:B1").contains("White has 13 pieces; at most 12 are accepted"));
    assert!(error("B:W:B").contains("at least one is needed"));
    for text in ["B:W21,22,K30:B5,K9", "b: b5, k9 :w 21,22,k30 .", "B:BK9,5:W22,21,K30"] {
        assert_eq!(Checkers::read(text).unwrap().to_text(), "B:W21,22,K30:B5,K9", "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_boards(pieces in pieces(), side in side()) {
        let oracle = Oracle::of(&pieces, side);
        let pos = oracle.position();
        assert_same(&pos, &oracle);
        assert_read_again(&pos);
        for (mv, found) in pos.moves().zip(oracle.moves()) {
            assert_same(&pos.play(mv), &oracle.play(&found));
        }
    }

    #[test]
    fn no_text_is_too_strange_to_read(text in "\\PC*", fen in "[BWbw:K,0-9 .\n-]{0,40}") {
        for text in [text, fen] {
            if let Ok(pos) = Checkers::read(&text) {
                prop_assert_eq!(Checkers::read(&pos.to_text()), Ok(pos));
            }
            let _ = text.parse::<Rules>();
            let _ = Rules::default().position().named(&text);
            let _ = <Checkers as Notation>::recognise(&text);
        }
    }

    /// Letters of a good text are lost, doubled or replaced: read as something that prints back to itself, or refused within the text.
    #[test]
    fn a_damaged_position_is_refused_where_it_is_damaged(
        pieces in pieces(), side in side(), damage in prop::collection::vec((0..60_usize, "[BWK:,.0-9 \n#é-]{0,2}"), 1..4),
    ) {
        let mut letters: Vec<String> = Oracle::of(&pieces, side).position().to_text().chars().map(String::from).collect();
        for (at, with) in damage {
            if let Some(letter) = letters.get_mut(at) {
                *letter = with;
            }
        }
        let text = letters.concat();
        match Checkers::read(&text) {
            Ok(pos) => prop_assert_eq!(Checkers::read(&pos.to_text()), Ok(pos)),
            Err(error) => {
                let lines: Vec<&str> = text.split('\n').collect();
                prop_assert!(error.line <= lines.len());
                prop_assert!(error.column <= lines[error.line - 1].chars().count() + 1);
                prop_assert!(!error.expected.is_empty());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn random_games_from_random_boards(pieces in pieces(), side in side(), limit in prop_oneof![Just(0), 1..60_u16], seed: u64) {
        compare(&Oracle::of(&pieces, side), limit, false, seed);
    }
}

/// A game among few kings that paces up and down more often than not, so that positions do come again.
fn pacing() -> impl Strategy<Value = Course<Checkers>> {
    let squares = prop::collection::btree_set(0..32_u32, 2..5);
    let men = prop::collection::btree_set(0..32_u32, 0..3);
    let limit = prop_oneof![3 => Just(0_u16), 1 => 1..12_u16];
    (squares, men, limit, prop::collection::vec(any::<u8>(), 0..24)).prop_filter_map(
        "goes on",
        |(squares, men, limit, choices)| {
            let mut kings = [0; 2];
            squares.iter().enumerate().for_each(|(nth, at)| kings[nth % 2] |= 1 << at);
            let men = men.iter().fold(0, |set, at| set | 1_u32 << at) & !(kings[0] | kings[1]) & 0x0fff_ffff;
            let pos = Checkers::from_sets([men, 0], kings, Side::South);
            let rules: Rules = if limit > 0 { format!("limit={limit}").parse().unwrap() } else { Rules::default() };
            let mut course = Course::new(<Checkers as Tabletop>::from_board(rules, &pos.board(), Side::South).unwrap());
            for choice in choices {
                let moves: Vec<Move> = course.pos().moves().collect();
                let before = course.past().positions();
                // Back to where the game was four plies ago, if one of three moves does that.
                let back =
                    moves.iter().find(|&&mv| before.len() >= 3 && course.pos().play(mv) == before[before.len() - 3]);
                let any = moves.get(usize::from(choice) % moves.len().max(1));
                let mut next = course.clone();
                next.play(*back.filter(|_| choice % 3 != 0).or(any)?);
                if next.is_over() {
                    break;
                }
                course = next;
            }
            (!course.is_over()).then_some(course)
        },
    )
}

/// Whether what was played before `pos` changes how the game ends within so many plies.
fn is_changed(pos: &Checkers, past: &mut Past<Checkers>, fresh: &mut Past<Checkers>, depth: u32) -> bool {
    if pos.is_over() {
        return false;
    }
    let [known, own] = [&*past, &*fresh].map(|past| pos.ruling(past));
    if known != own {
        return true;
    }
    if known.is_some() || depth == 0 {
        return false;
    }
    pos.moves().any(|mv| {
        past.push(pos, mv);
        fresh.push(pos, mv);
        let changed = is_changed(&pos.play(mv), past, fresh, depth - 1);
        past.pop();
        fresh.pop();
        changed
    })
}

/// What `pos` is worth to `side`, by plain minimax over all positions of the game.
fn minimax(pos: &Checkers, past: &mut Past<Checkers>, depth: u32, side: Side) -> i32 {
    if pos.is_over() || depth == 0 && pos.ruling(past).is_none() {
        return pos.margin(side);
    }
    if pos.ruling(past).is_some() {
        return 0;
    }
    let values = pos.moves().map(|mv| {
        past.push(pos, mv);
        let value = minimax(&pos.play(mv), past, depth - 1, side);
        past.pop();
        value
    });
    if pos.side() == side { values.max().unwrap() } else { values.min().unwrap() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Where nothing binds it to its past, a position's worth is its own.
    #[test]
    fn what_is_not_bound_by_the_past_is_free_of_it(course in pacing(), depth in 1..=6_u32) {
        if !course.pos().is_bound_by(course.past(), depth) {
            let mut past = course.past().clone();
            prop_assert!(!is_changed(course.pos(), &mut past, &mut Past::default(), depth), "{}", course.pos());
        }
    }

    #[test]
    fn a_search_sees_the_draws(course in pacing(), depth in 1..=6_u32) {
        let (pos, side) = (*course.pos(), course.pos().side());
        let mut past = course.past().clone();
        let wanted: Vec<i32> = pos.moves().map(|mv| {
            past.push(&pos, mv);
            let value = minimax(&pos.play(mv), &mut past, depth - 1, side);
            past.pop();
            value
        }).collect();
        let mut analysis = Analysis::new(course.clone(), depth, Table::new(1));
        analysis.step(Budget::UNLIMITED);
        let report = analysis.report();
        for (mv, value) in pos.moves().zip(&wanted) {
            let line = report.lines.iter().find(|line| line.mv == mv).unwrap();
            prop_assert!(line.margin == *value || report.solved, "{} {} {} {value}", pos, pos.move_text(mv), line.margin);
        }
        let mut search = Search::new(course.clone(), Limits::depth(depth));
        search.step(Budget::UNLIMITED);
        let report = search.report();
        prop_assert!(report.solved || report.lines[0].margin == *wanted.iter().max().unwrap());
    }
}
