//! Reviews against plain minimax.

use super::*;
use crate::game::{Game, Move, Side, Variant, with_position};
use crate::search;

/// Without a solver.
pub(super) const TERMS: Terms = Terms { depth: 5, effort: Effort::Usual, solve: 0, mistake: 10, blunder: 15, mb: 1 };

const SOLVED: Terms = Terms { solve: 6, ..TERMS };

/// The margin for the side to move after `depth` plies of best play, by plain minimax.
fn minimax<G: Game>(pos: &G, depth: u32) -> i32 {
    let side = pos.side();
    if pos.is_over() || depth == 0 {
        return pos.margin(side);
    }
    pos.moves().map(|mv| after(pos, mv, depth)).max().unwrap()
}

/// The margin after `mv` for the side to move in `pos`; the move counts as a ply.
fn after<G: Game>(pos: &G, mv: Move, depth: u32) -> i32 {
    let child = pos.play(mv);
    let value = if child.is_over() { child.margin(child.side()) } else { minimax(&child, depth - 1) };
    if child.side() == pos.side() { value } else { -value }
}

/// A game of the first, second, third legal move and so on, with the positions of its line.
pub(super) fn game(variant: &str, position: Option<&str>, plies: usize) -> (Record, Vec<NodeId>) {
    let variant: Variant = variant.parse().unwrap();
    let start = position.map_or(variant.start(), |text| variant.position_from_text(text).unwrap());
    let mut record = Record::from_position(variant, start, ["a".into(), "b".into()], None);
    for ply in 0..plies {
        let moves = record.position().moves();
        if moves.is_empty() || !record.play(moves[ply % moves.len()]) {
            break;
        }
    }
    let nodes = line(&record);
    (record, nodes)
}

pub(super) fn review(
    record: &Record,
    nodes: &[NodeId],
    terms: Terms,
    pool: &Pool,
    mut budget: impl FnMut() -> Budget,
) -> Vec<Arc<PositionValue>> {
    let requests = nodes.iter().map(|&node| PositionRequest::new(record, node)).collect();
    let mut job = ReviewJob::new(requests, terms, pool);
    while job.step(budget()) == Status::Running {}
    let view = job.view();
    assert_eq!((view.done(), view.left()), (nodes.len(), Some(Duration::ZERO)));
    view.found.into_iter().flatten().collect()
}

/// Asserts that every value of a review equals plain minimax's.
fn agrees(record: &Record, nodes: &[NodeId], terms: Terms, solves: impl Fn(&Position) -> bool) {
    let valued = review(record, nodes, terms, &Pool::alone(), || Budget::UNLIMITED);
    for (&node, valued) in nodes.iter().zip(&valued) {
        let position = record.position_at(node);
        if position.is_over() {
            assert_eq!((valued.south, valued.solved), (f64::from(position.margin(Side::South)), true));
            continue;
        }
        if matches!(position, Position::Othello(_)) && !solves(position) {
            // An estimate by patterns.
            continue;
        }
        let depth = if solves(position) { 60 } else { terms.depth };
        for line in &valued.moves {
            let margin = with_position!(position, pos => after(pos, line.mv, depth));
            assert_eq!(line.margin, margin, "{} {}", position.to_text(), position.move_text(line.mv));
        }
        assert_eq!(valued.moves.len(), position.moves().len());
        let value = with_position!(position, pos => minimax(pos, depth));
        assert_eq!(valued.south, f64::from(if position.side() == Side::South { value } else { -value }));
        let first = position.moves().into_iter().find(|&mv| valued.loss(mv).unwrap().is_zero());
        assert_eq!(valued.best().map(|line| line.mv), first, "the first of the best in the game's order");
    }
}

#[test]
fn values_are_plain_minimaxs_in_small_games_of_kalah() {
    for variant in ["kalah:3x2:standard", "kalah:4x3:empty", "kalah:2x3"] {
        let (record, nodes) = game(variant, None, 40);
        assert!(record.ending_at(nodes[nodes.len() - 1]).is_some(), "{variant} was played to its end");
        agrees(&record, &nodes, TERMS, |_| false);
    }
}

#[test]
fn a_perfect_review_solves_every_position() {
    let (record, nodes) = game("kalah:3x3", None, 40);
    agrees(&record, &nodes, Terms { effort: Effort::Unlimited, ..TERMS }, |_| true);
}

/// As the coach asks: the start is in the book, the position after it has too many seeds, the last ones are solved.
#[test]
fn a_quick_review_is_exact_where_that_takes_half_a_second() {
    let (record, nodes) = game("kalah:6x3", None, 80);
    let quick = Terms { effort: Effort::Quick, ..SOLVED };
    let valued = review(&record, &nodes, quick, &Pool::alone(), || Budget::UNLIMITED);
    assert_eq!((valued[0].solved, valued[1].solved, valued[1].is_beyond), (true, false, false));
    let late = valued.len() - 8;
    let unlimited = Terms { effort: Effort::Unlimited, ..TERMS };
    let perfect = review(&record, &nodes[late..], unlimited, &Pool::alone(), || Budget::UNLIMITED);
    let south = |valued: &[Arc<PositionValue>]| valued.iter().map(|valued| valued.south).collect::<Vec<_>>();
    assert_eq!(south(&valued[late..]), south(&perfect));
    assert!(valued[late..].iter().all(|valued| valued.solved));
}

#[test]
fn values_are_those_of_perfect_play_near_the_end_of_othello() {
    let (record, nodes) = game("othello", None, 70);
    let late = nodes.len() - 9;
    let solves = |position: &Position| plies_left(position).is_some_and(|plies| plies <= 2 * SOLVED.solve);
    assert!(solves(record.position_at(nodes[late + 3])));
    agrees(&record, &nodes[late..], Terms { depth: 3, ..SOLVED }, solves);
    // In the middle of the game no position is solved; all are searched to the depth.
    agrees(&record, &nodes[20..22], Terms { depth: 3, ..SOLVED }, |_| false);
}

/// The solver may leave moves that were not played, but what is shown of the game is exact.
#[test]
fn a_review_of_kalah_is_that_of_the_solver() {
    for variant in ["kalah:4x3", "kalah:6x2:empty", "kalah:5x3"] {
        let (record, nodes) = game(variant, None, 80);
        let valued = review(&record, &nodes, SOLVED, &Pool::alone(), || Budget::UNLIMITED);
        let perfect =
            review(&record, &nodes, Terms { effort: Effort::Unlimited, ..TERMS }, &Pool::alone(), || Budget::UNLIMITED);
        for ((valued, perfect), step) in valued.iter().zip(&perfect).zip(record.line()) {
            assert_eq!(
                (valued.south, valued.solved, valued.chance()),
                (perfect.south, true, perfect.chance()),
                "{variant}"
            );
            let [own, exact] = [valued, perfect].map(|valued| valued.move_line(step.mv).unwrap());
            assert_eq!((own.margin, own.solved), (exact.margin, true), "{variant}");
            assert_eq!(valued.loss(step.mv), perfect.loss(step.mv));
            let best = perfect.move_line(valued.best().unwrap().mv).unwrap();
            assert_eq!(best.margin, perfect.best().unwrap().margin);
            assert!([0.0, 0.5, 1.0].contains(&valued.chance()), "{}", valued.chance());
        }
    }
}

#[test]
fn threads_and_steps_change_no_exact_review() {
    let (record, nodes) = game("kalah:5x3", None, 60);
    let whole = review(&record, &nodes, SOLVED, &Pool::alone(), || Budget::UNLIMITED);
    assert_eq!(whole, review(&record, &nodes, SOLVED, &Pool::new(3), || Budget::time(Duration::ZERO)));
    // With smaller tables the same values.
    let last = review(&record, &nodes[7..], SOLVED, &Pool::new(2), || Budget::time(Duration::ZERO));
    assert!(whole[7..].iter().zip(&last).all(|(one, other)| (one.south, one.solved) == (other.south, other.solved)));
}

/// Where the solver knows the value and not every move, those that it leaves are estimates, none above the value.
#[test]
fn estimates_stand_beside_exact_values() {
    let position = "kalah:4x3".parse::<Variant>().unwrap().start();
    let moves = position.moves();
    let line =
        |mv, margin, solved| search::Line { mv, margin, depth: 1, solved, pv: vec![mv], tried: None, weighed: None };
    let exact = Report { solved: true, lines: vec![line(moves[2], -4, true)], ..Report::default() };
    let estimates = moves.iter().map(|&mv| line(mv, 6, false)).collect();
    let report = merged(&exact, Report { depth: 5, lines: estimates, ..Report::default() });
    let valued = PositionValue::found(&position, report);
    assert_eq!((valued.south, valued.chance(), valued.best().unwrap().mv), (-4.0, 0.0, moves[2]));
    assert!(valued.moves.iter().all(|line| line.margin == -4 && valued.chance_of(line) == 0.0), "{:?}", valued.moves);
    assert!(moves.iter().all(|&mv| valued.loss(mv).unwrap().is_zero()));
}

#[test]
fn a_review_follows_from_the_game_alone() {
    let (record, nodes) = game("kalah:4x3", None, 40);
    let whole = review(&record, &nodes, TERMS, &Pool::alone(), || Budget::UNLIMITED);
    let cut = review(&record, &nodes, TERMS, &Pool::new(3), || Budget::time(Duration::ZERO));
    assert_eq!(whole, cut);
    let last = review(&record, &nodes[7..], TERMS, &Pool::new(2), || Budget::time(Duration::ZERO));
    assert_eq!(whole[7..], last);
    let back: Vec<NodeId> = nodes.iter().rev().copied().collect();
    let mut back = review(&record, &back, TERMS, &Pool::alone(), || Budget::UNLIMITED);
    back.reverse();
    assert_eq!(whole, back);
}

#[test]
fn a_move_is_marked_by_the_chance_that_it_gives_away() {
    let (record, nodes) = game("kalah:4x3", None, 40);
    let valued = review(&record, &nodes, TERMS, &Pool::alone(), || Budget::UNLIMITED);
    let mut seen = [0; 3];
    for (&node, valued) in nodes.iter().zip(&valued) {
        for mv in record.position_at(node).moves() {
            let [best, own] = [valued.best().unwrap(), valued.move_line(mv).unwrap()];
            let lost = 100.0 * (valued.chance_of(best) - valued.chance_of(own));
            let loss = valued.loss(mv).unwrap();
            let value = f64::from((best.margin - own.margin).max(0));
            assert!((loss.chance - lost).abs() < 1e-9 && loss.value == value, "{loss:?}");
            // What is shown for South is the same.
            let shown = 100.0 * (valued.south_chance_of(best) - valued.south_chance_of(own)).abs();
            assert!((loss.chance - shown).abs() < 1e-9 && valued.south_of(own).abs() == f64::from(own.margin.abs()));
            let which = usize::from(lost >= 10.0) + usize::from(lost >= 15.0);
            assert_eq!(valued.mark(mv, &TERMS), [None, Some(Mark::Mistake), Some(Mark::Blunder)][which], "{lost}");
            seen[which] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
    assert_eq!(valued[0].loss(Move::NONE), None);
}

#[test]
fn accuracy_is_full_for_the_best_moves_and_less_for_others() {
    let (record, nodes) = game("kalah:4x3", None, 40);
    let valued = review(&record, &nodes, TERMS, &Pool::alone(), || Budget::UNLIMITED);
    let best = valued.iter().filter_map(|valued| Some((&**valued, valued.best()?.mv)));
    assert!((accuracy(best).unwrap() - 100.0).abs() < 0.01);
    let played = record.line();
    let played = valued.iter().zip(&played).map(|(valued, step)| (&**valued, step.mv));
    let accuracy = accuracy(played).unwrap();
    assert!(accuracy > 20.0 && accuracy < 95.0, "{accuracy}");
    assert_eq!(super::accuracy(std::iter::empty()), None);
}

/// A game of best moves after these, but for the first that can lose a won game, with the values of its positions, and the ply of that
/// move.
fn lost_by_a_blunder(variant: &str, moves: &str) -> (Record, Vec<Arc<PositionValue>>, usize) {
    let (mut record, _) = game(variant, None, 0);
    for name in moves.split_whitespace() {
        let mv = record.position().move_from_text(name).unwrap();
        assert!(record.play(mv), "{name}");
    }
    let terms = Terms { solve: 10, depth: 2, ..TERMS };
    let mut at = None;
    while record.ending().is_none() {
        let here = record.at();
        let valued = &review(&record, &[here], terms, &Pool::alone(), || Budget::UNLIMITED)[0];
        let is_lost = |line: &&search::Line| line.margin < 0;
        let blunder = valued.moves.iter().rfind(is_lost).filter(|_| valued.best().unwrap().margin > 0);
        let ply = record.ply() as usize;
        let chosen = blunder.filter(|_| at.is_none()).inspect(|_| at = Some(ply));
        assert!(record.play(chosen.or(valued.best()).unwrap().mv));
    }
    let valued = review(&record, &line(&record), terms, &Pool::alone(), || Budget::UNLIMITED);
    (record, valued, at.expect("a blunder"))
}

#[test]
fn a_game_lost_by_one_blunder_has_that_mark() {
    // Ten squares are left, of which a3 wins by 16 discs and g3 loses by 6.
    let othello = "f5 f6 f7 g7 e6 d6 c4 c3 d7 d8 c5 g4 b2 a1 e7 b5 f4 g5 h3 f3 f2 h4 a5 f1 h5 g6 g2 c6 e8 c7 f8 g8 b6 a6 b8 \
                   h1 h7 h6 c2 h2 d3 b4 h8 d2 c8 a4 c1 b3 a2 b1";
    for (variant, moves) in [("kalah:4x3", ""), ("kalah:5x3", ""), ("othello", othello)] {
        let (record, valued, blunder) = lost_by_a_blunder(variant, moves);
        let first = moves.split_whitespace().count();
        let played = record.line();
        let marks: Vec<_> = valued.iter().zip(&played).map(|(valued, step)| valued.mark(step.mv, &TERMS)).collect();
        for (ply, mark) in marks.iter().enumerate().skip(first) {
            assert_eq!(*mark, (ply == blunder).then_some(Mark::Blunder), "{variant}, ply {ply}");
        }
        let of = |side: Side| {
            let own = valued.iter().zip(&played).skip(first).filter(|(_, step)| step.mover == side);
            accuracy(own.map(|(valued, step)| (&**valued, step.mv)))
        };
        let loser = played[blunder].mover;
        let winner = played[blunder].mover.other();
        assert!(of(loser).unwrap() < of(winner).unwrap_or(100.0), "{variant}");
    }
}

/// The shortest games in which a side loses all its discs are lost by moves of the opening.
#[test]
fn a_rout_at_othello_has_marks_and_tells_the_loser() {
    let (mut record, _) = game("othello", None, 0);
    for name in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"] {
        let mv = record.position().move_from_text(name).unwrap();
        assert!(record.play(mv), "{name}");
    }
    let valued = review(&record, &line(&record), Terms { depth: 6, ..TERMS }, &Pool::alone(), || Budget::UNLIMITED);
    assert_eq!(valued.last().unwrap().south, 64.0);
    let played = record.line();
    let of = |side: Side| valued.iter().zip(&played).filter(move |(_, step)| step.mover == side);
    let [winner, loser] = Side::BOTH.map(|side| accuracy(of(side).map(|(valued, step)| (&**valued, step.mv))).unwrap());
    assert!(loser < winner && loser < 75.0, "{winner} {loser}");
    let is_marked =
        |(valued, step): (&Arc<PositionValue>, &crate::game::record::Step)| valued.mark(step.mv, &TERMS).is_some();
    assert!(of(Side::North).any(is_marked));
}

#[test]
fn wins_and_losses_are_marked_only_where_the_result_changes() {
    let variant: Variant = "checkers".parse().unwrap();
    let position = variant.start();
    let moves = position.moves();
    let line =
        |mv, margin| search::Line { mv, margin, depth: 1, solved: false, pv: vec![mv], tried: None, weighed: None };
    let valued = |margins: [i32; 2]| {
        let lines = margins.iter().zip(&moves).map(|(&margin, &mv)| line(mv, margin)).collect();
        PositionValue::found(&position, Report { lines, ..Report::default() })
    };
    // The best move's margin, the other's, and its mark.
    for (best, other, mark) in [
        (100, 3, None),
        (100, 0, Some(Mark::Blunder)),
        (100, -100, Some(Mark::Blunder)),
        (-3, -100, None),
        (0, -100, Some(Mark::Blunder)),
        (5, -100, Some(Mark::Blunder)),
    ] {
        let valued = valued([best, other]);
        assert_eq!(valued.mark(moves[1], &TERMS), mark, "{best} {other}");
        assert_eq!(valued.mark(moves[0], &TERMS), None);
        let given = if best == 100 { GivenAway::Win } else { GivenAway::NotLost };
        assert_eq!(valued.loss(moves[1]).unwrap().result, mark.map(|_| given));
    }
    // Half men: three are one and a half.
    assert_eq!(valued([3, 0]).loss(moves[1]).unwrap().value, 1.5);
}

#[test]
fn a_repetition_counts_as_its_rule_gives_out_the_seeds() {
    for (variant, margin) in [("oware", -3), ("awari", -1)] {
        let (mut record, _) = game(variant, Some("<6,22,23,0,0,0,0,0,0,1,0,0,0,0,1> N"), 0);
        while record.ending_at(*line(&record).last().unwrap()).is_none() {
            assert!(record.play(record.position().moves()[0]));
        }
        let valued = review(&record, &line(&record), TERMS, &Pool::alone(), || Budget::UNLIMITED);
        assert_eq!(valued.last().unwrap().south, f64::from(margin), "{variant}");
    }
}

fn line(record: &Record) -> Vec<NodeId> {
    std::iter::once(0).chain(record.line().iter().map(|step| step.node)).collect()
}
