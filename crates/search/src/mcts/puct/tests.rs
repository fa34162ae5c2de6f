use std::time::Duration;

use super::*;
use crate::budget::{Budget, Status};
use crate::game::checkers::Checkers;
use crate::game::{Game as _, Move};
use crate::game::{Notation as _, Variant, with_position};
use crate::net::Shape;
use crate::rng::keyed;
use rand::Rng as _;

/// An untrained network whose heads give non-zero outputs.
fn guide<G: Planes>(start: &G, seed: u64) -> Guide {
    let shape = Shape { inputs: start.inputs(0), hidden: vec![8], outputs: start.outputs() };
    let mut network = Network::random(shape, &mut keyed(&[seed])).unwrap();
    let mut rng = keyed(&[seed, 1]);
    let heads = 9 * (start.outputs() + 1);
    let from = network.parameters().len() - heads;
    let wide = |word: u32| word as f32 / u32::MAX as f32 - 0.5;
    network.parameters_mut()[from..].iter_mut().for_each(|weight| *weight += wide(rng.next_u32()));
    Guide { network: Arc::new(network), encoding: 0, shaping: 0.01, exploration: 1.5, temperature: 1.25 }
}

/// Reference implementation of PUCT: a tree of boxes, recursive. Values are for the side to move.
struct Plain<G> {
    game_state: GameState<G>,
    mv: Move,
    prior: f32,
    visits: u32,
    /// For the side to move in the parent.
    total: f64,
    /// Sum of the margins for South at the ends of the visits.
    margins: i32,
    children: Vec<Plain<G>>,
}

impl<G: Planes> Plain<G> {
    fn new(game_state: GameState<G>, mv: Move, prior: f32) -> Plain<G> {
        Plain { game_state, mv, prior, visits: 0, total: 0.0, margins: 0, children: Vec::new() }
    }

    /// Runs one visit. Returns the value for South and the margin; `by` moved to this node from a position of
    /// margin `before`.
    fn visit(&mut self, guide: &Guide, by: Side, before: Option<i32>) -> (f32, i32) {
        let pos = *self.game_state.pos();
        let ending = before.and_then(|margin| Some((margin, self.game_state.ending()?)));
        let (south, margin) = if let Some((before, ending)) = ending {
            let margin = if G::WIN_SCORE.is_some() { before } else { ending.margin };
            let outcome = [-1.0, 0.0, 1.0][ending.outcome as usize];
            (outcome + guide.shaping * margin as f32, margin)
        } else if self.children.is_empty() {
            let mut input = Vec::new();
            let mut printed = Activations::default();
            let mut policy = Policy::default();
            pos.encode(guide.encoding, &mut input);
            guide.network.forward(&input, &mut printed);
            let legal: Vec<u16> = pos.moves().map(|mv| pos.output(mv)).collect();
            policy.read(printed.logits(), &legal, guide.temperature);
            for (mv, prior) in pos.moves().zip(policy.chances) {
                let mut game_state = self.game_state.clone();
                game_state.play(mv);
                self.children.push(Plain::new(game_state, mv, prior));
            }
            let sign = if pos.side() == Side::South { 1.0 } else { -1.0 };
            let margin = pos.margin(Side::South);
            (sign * printed.value() + guide.shaping * margin as f32, margin)
        } else {
            let own = (self.total / f64::from(self.visits)) as f32;
            let unknown = if by == pos.side() { own } else { -own };
            let bound = |child: &Plain<G>| {
                let mean = match child.visits {
                    0 => unknown,
                    visits => (child.total / f64::from(visits)) as f32,
                };
                let root = (self.visits as f32).sqrt();
                mean + guide.exploration * child.prior * root / (1.0 + child.visits as f32)
            };
            let bounds: Vec<f32> = self.children.iter().map(bound).collect();
            let most = bounds.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let best = bounds.iter().position(|bound| *bound == most).unwrap();
            self.children[best].visit(guide, pos.side(), Some(pos.margin(Side::South)))
        };
        self.visits += 1;
        self.total += f64::from(if by == Side::South { south } else { -south });
        self.margins += margin;
        (south, margin)
    }
}

/// Compares a search with the reference implementation. Returns whether several moves were visited.
fn visits_alike<G: Planes>(game_state: &GameState<G>, guide: Guide) -> bool {
    let mut plain = Plain::new(game_state.clone(), Move::NONE, 1.0);
    for _ in 0..300 {
        plain.visit(&guide, game_state.pos().side().other(), None);
    }
    let mut search = PuctSearch::new(game_state.clone(), guide);
    assert_eq!(search.step(300, Budget::UNLIMITED), Status::Done);
    let lines = search.report().lines;
    assert_eq!(lines.len(), plain.children.len());
    for line in &lines {
        let child = plain.children.iter().find(|child| child.mv == line.mv).unwrap();
        let sign = if game_state.pos().side() == Side::South { 1.0 } else { -1.0 };
        let margin = sign * f64::from(child.margins) / f64::from(child.visits.max(1));
        assert_eq!(
            (line.tried.unwrap().visits, line.margin),
            (child.visits.into(), margin.round() as i32),
            "{lines:?}"
        );
    }
    assert_eq!(lines.iter().map(|line| line.tried.unwrap().visits).sum::<u64>(), 299);
    assert_eq!(search.best_move(), Some(lines[0].mv));
    lines.len() > 1 && lines[1].tried.unwrap().visits > 10
}

fn is_plain_puct<G: Planes>(start: G) -> usize {
    let mut seen = 0;
    for seed in 0..6 {
        // A game of random moves: a third of a short game's length, or nearly all of it.
        let mut game_state = GameState::new(start);
        let mut rng = keyed(&[seed, 7]);
        for ply in 0..60 {
            if game_state.is_over() {
                break;
            }
            if ply % 12 == seed {
                seen += usize::from(visits_alike(&game_state, guide(&start, seed)));
            }
            game_state.play(game_state.pos().pick(rng.next_u32()));
        }
    }
    seen
}

#[test]
fn it_visits_what_plain_puct_visits() {
    for variant in Variant::usual().iter().copied().chain(["kalah:3x2:empty".parse().unwrap()]) {
        let seen = with_position!(variant.start(), start => is_plain_puct(start));
        assert!(seen > 3, "{variant}: {seen} positions with a choice");
    }
}

/// Kings that move back and forth: the history decides the draws below the root, and a drawn root changes
/// nothing.
#[test]
fn rules_that_look_back_end_what_lies_below_the_root() {
    let start = Checkers::from_text(Default::default(), "B:WK1,K5:BK32,K28").unwrap();
    let mut seen = 0;
    let mut drawn = 0;
    for seed in 0..4 {
        let mut game_state = GameState::new(start);
        let mut rng = keyed(&[seed, 9]);
        while !game_state.is_over() {
            game_state.play(game_state.pos().pick(rng.next_u32()));
            if game_state.history().len() % 9 == 8 && !game_state.pos().is_over() {
                seen += usize::from(visits_alike(&game_state, guide(&start, seed)));
            }
        }
        if !game_state.pos().is_over() {
            drawn += usize::from(visits_alike(&game_state, guide(&start, seed)));
        }
    }
    assert!(seen > 5 && drawn > 0, "{seen} {drawn}");
}

#[test]
fn steps_change_nothing() {
    fn check<G: Planes>(start: G) {
        let new = || PuctSearch::new(&start, guide(&start, 3));
        let mut whole = new();
        let mut cut = new();
        whole.step(500, Budget::UNLIMITED);
        let mut steps = 1;
        while cut.step(500, Budget::time(Duration::ZERO)) == Status::Running {
            steps += 1;
        }
        assert!(steps > 20 && whole.iterations() == 500);
        assert_eq!(whole.report(), cut.report());
        let line = &whole.report().lines[0];
        assert!(line.pv[0] == line.mv && line.pv.len() > 1);
    }
    with_position!(Variant::usual()[0].start(), start => check(start));
}

/// An untrained network: the search must find immediate wins and see the opponent's next move.
#[test]
fn the_end_of_the_game_is_seen_whatever_the_network_says() {
    fn check<G: Planes>(start: G) {
        let shape = Shape { inputs: start.inputs(0), hidden: vec![], outputs: start.outputs() };
        let guide = Guide { network: Arc::new(Network::new(shape).unwrap()), ..guide(&start, 1) };
        let mut found = 0;
        for seed in 0..40 {
            let mut pos = start;
            let mut rng = keyed(&[seed]);
            while !pos.is_over() {
                let wins = |mv: &Move| pos.play(*mv).is_over() && pos.play(*mv).margin(pos.side()) > 0;
                if pos.moves().count() > 1 && pos.moves().any(|mv| wins(&mv)) && !pos.moves().all(|mv| wins(&mv)) {
                    let mut search = PuctSearch::new(&pos, guide.clone());
                    search.step(2000, Budget::UNLIMITED);
                    let line = search.report().lines[0].clone();
                    assert!(line.tried.unwrap().mean > 9 * MoveStatistics::UNIT / 10, "{pos:?} {line:?}");
                    found += 1;
                }
                pos = pos.play(pos.pick(rng.next_u32()));
            }
        }
        assert!(found > 3, "{found}");
    }
    let small: Variant = "kalah:3x2:empty".parse().unwrap();
    with_position!(small.start(), start => check(start));
}

/// Without visits the policy alone chooses the move, and it breaks ties between equal visits.
#[test]
fn after_one_iteration_the_likeliest_move_is_played() {
    fn check<G: Planes>(start: G) {
        let mut others = 0;
        for seed in 0..20 {
            let mut search = PuctSearch::new(&start, guide(&start, seed));
            search.step(1, Budget::UNLIMITED);
            let likeliest = search.method.policy.likeliest();
            assert_eq!(search.best_move(), start.moves().nth(likeliest));
            others += usize::from(likeliest != 0);
            let lines = search.report().lines;
            let bounds: Vec<u32> = lines.iter().map(|line| line.tried.unwrap().exploration).collect();
            assert!(bounds.is_sorted_by(|one, next| one >= next), "{bounds:?}");
        }
        assert!(others > 5, "{others}");
    }
    with_position!(Variant::usual()[0].start(), start => check(start));
}

#[test]
fn a_tree_that_is_full_grows_no_more_and_the_search_continues() {
    fn check<G: Planes>(start: G) {
        let mut search = PuctSearch::new(&start, guide(&start, 2));
        search.tree.keep_to_nodes(100);
        assert_eq!(search.step(2000, Budget::UNLIMITED), Status::Done);
        assert!(search.tree.len() <= 100 && search.tree.len() > 90, "{}", search.tree.len());
        let lines = search.report().lines;
        assert_eq!(lines.iter().map(|line| line.tried.unwrap().visits).sum::<u64>(), 1999);
    }
    with_position!(Variant::usual()[0].start(), start => check(start));
}
