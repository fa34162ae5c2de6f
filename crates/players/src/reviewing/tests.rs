//! Reviews against plain minimax.

use super::*;
use crate::game::{Game, Variant, with_position};

pub(super) const TERMS: Terms = Terms { depth: 5, perfect: false, solve: 6, mistake: 10, blunder: 15, mb: 1 };

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
) -> Vec<Arc<Valued>> {
    let asked = nodes.iter().map(|&node| Asked::of(record, node)).collect();
    let mut job = Reviewing::new(asked, terms, pool);
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
    agrees(&record, &nodes, Terms { perfect: true, ..TERMS }, |_| true);
}

#[test]
fn values_are_those_of_perfect_play_near_the_end_of_othello() {
    let (record, nodes) = game("othello", None, 70);
    let late = nodes.len() - 9;
    let solves = |position: &Position| position.plies_left().is_some_and(|plies| plies <= 2 * TERMS.solve);
    assert!(solves(record.position_at(nodes[late + 3])));
    agrees(&record, &nodes[late..], Terms { depth: 3, ..TERMS }, solves);
    // In the middle of the game no position is solved; all are searched to the depth.
    agrees(&record, &nodes[20..22], Terms { depth: 3, ..TERMS }, |_| false);
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
        let position = record.position_at(node);
        let curve = Curve::at(position);
        for mv in position.moves() {
            let [best, own] = [valued.best().unwrap(), valued.of(mv).unwrap()].map(|line| f64::from(line.margin));
            let lost = 100.0 * (curve.chance(best) - curve.chance(own));
            let loss = valued.loss(mv).unwrap();
            assert!((loss.chance - lost).abs() < 1e-9 && loss.value == best - own, "{loss:?}");
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

#[test]
fn wins_and_losses_are_marked_only_where_the_result_changes() {
    let variant: Variant = "checkers".parse().unwrap();
    let position = variant.start();
    let moves = position.moves();
    let line =
        |mv, margin| search::Line { mv, margin, depth: 1, solved: false, pv: vec![mv], tried: None, weighed: None };
    let valued = |margins: [i32; 2]| {
        let lines = margins.iter().zip(&moves).map(|(&margin, &mv)| line(mv, margin)).collect();
        Valued::found(&position, Report { lines, ..Report::default() })
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
