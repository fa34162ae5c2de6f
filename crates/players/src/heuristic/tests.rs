//! The heuristic player against its definition: plain minimax over the sum of the ten terms.

use super::*;
use crate::game::BoardGame;
use crate::game::kalah::{Kalah, Rules};
use crate::rng;
use crate::search::alpha_beta::{Evaluation, best_moves};
use crate::{Spec, choose};
use rand::Rng as _;

const READINGS: [HeuristicReading; 6] = [
    HeuristicReading { judged: JudgedMove::Root, nearness: Nearness::Printed },
    HeuristicReading { judged: JudgedMove::Path, nearness: Nearness::Harmful },
    HeuristicReading { judged: JudgedMove::Root, nearness: Nearness::Difference },
    HeuristicReading { judged: JudgedMove::Root, nearness: Nearness::Indicator },
    HeuristicReading { judged: JudgedMove::Path, nearness: Nearness::Difference },
    HeuristicReading { judged: JudgedMove::Path, nearness: Nearness::Indicator },
];

/// The sum as it is defined, in halves of thousandths.
fn sum(pos: &Kalah, side: Side, judged: Option<(&Kalah, Move)>, weights: &Weights, reading: HeuristicReading) -> i32 {
    let mut scene = scene(pos, side, reading.nearness);
    if let Some((before, mv)) = judged {
        judge(&mut scene, before, mv);
    }
    TERMS.iter().zip(weights.thousandths()).map(|(term, weight)| (term.halves)(&scene) * weight).sum()
}

/// The value of `pos` by full search of every line.
fn plain(
    pos: &Kalah,
    side: Side,
    depth: u32,
    judged: (Kalah, Move),
    (weights, reading): (&Weights, HeuristicReading),
) -> i32 {
    if depth == 0 || pos.is_over() {
        return sum(pos, side, Some((&judged.0, judged.1)), weights, reading);
    }
    let values = pos.moves().map(|mv| {
        let judged = if pos.side() == side && reading.judged == JudgedMove::Path { (*pos, mv) } else { judged };
        plain(&pos.play(mv), side, depth - 1, judged, (weights, reading))
    });
    if pos.side() == side { values.max().unwrap() } else { values.min().unwrap() }
}

fn positions(count: usize) -> Vec<Kalah> {
    let mut rng = rng::keyed(&[5]);
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut pos = Kalah::start(Rules::default());
        for _ in 0..rng.random_range(0..40) {
            if !pos.is_over() {
                pos = pos.play(pos.pick(rng.next_u32()));
            }
        }
        if !pos.is_over() {
            positions.push(pos);
        }
    }
    positions
}

fn some_weights() -> Vec<Weights> {
    let mut rng = rng::keyed(&[6]);
    let mut weights: Vec<Weights> = (0..COUNT).map(Weights::only).collect();
    weights.push(weights::TABLE3[18]);
    // Few distinct values, so that moves tie.
    weights.extend(
        (0..4).map(|_| Weights::from_reals(&std::array::from_fn(|_| rng.random_range(-2..=2).into())).unwrap()),
    );
    weights
}

#[test]
fn folded_and_summed_evaluations_agree() {
    for reading in READINGS {
        for weights in some_weights() {
            let evaluator = Evaluator::new(&weights, reading);
            for pos in positions(60) {
                for side in Side::BOTH {
                    assert_eq!(evaluator.position(&pos, side), sum(&pos, side, None, &weights, reading));
                }
                for mv in pos.moves() {
                    let side = pos.side();
                    let after = pos.play(mv);
                    let both = evaluator.position(&after, side) + evaluator.mv(&pos, mv, &after);
                    assert_eq!(both, sum(&after, side, Some((&pos, mv)), &weights, reading));
                }
            }
        }
    }
}

#[test]
fn the_search_finds_all_that_plain_minimax_finds() {
    for (number, pos) in positions(40).into_iter().enumerate() {
        let reading = READINGS[number % 5];
        for weights in some_weights() {
            let depth = 1 + number as u32 % 4 + number as u32 / 36;
            let side = pos.side();
            let plain = |mv| plain(&pos.play(mv), side, depth - 1, (pos, mv), (&weights, reading));
            let values: Vec<(Move, i32)> = pos.moves().map(|mv| (mv, plain(mv))).collect();
            let value = values.iter().map(|(_, value)| *value).max().unwrap();
            let wanted: Vec<Move> = values.iter().filter(|(_, v)| *v == value).map(|(mv, _)| *mv).collect();

            let evaluator = Evaluator::new(&weights, reading);
            let best = best_moves(&pos, depth, &evaluator);
            assert_eq!(
                (best.value, best.moves.legal(&pos).collect()),
                (value, wanted),
                "{pos:?} {weights} {reading:?}"
            );
            let mut search = AlphaBetaSearch::new(&pos, depth, evaluator);
            assert_eq!(search.step(Budget::UNLIMITED), Status::Done);
            assert_eq!(search.best(), best);
        }
    }
}

#[test]
fn a_search_cut_to_pieces_is_the_same() {
    let evaluator = Evaluator::new(
        &weights::TABLE3[3],
        HeuristicReading { judged: JudgedMove::Path, ..HeuristicReading::default() },
    );
    for pos in positions(3) {
        let mut search = AlphaBetaSearch::new(&pos, 9, evaluator.clone());
        let mut steps = 0;
        while search.step(Budget::time(std::time::Duration::ZERO)) == Status::Running {
            steps += 1;
        }
        let best = best_moves(&pos, 9, &evaluator);
        assert!(steps > 10);
        assert_eq!((search.best().value, search.best().moves), (best.value, best.moves));
    }
}

#[test]
fn a_file_of_weights_may_stand_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine:or,not.toml");
    weights::TABLE3[4].write(&path, &[("run", "a test".into())]).unwrap();
    let text = format!("heuristic:3@{}:ties=random", path.display());
    let Ok(Spec::Heuristic(heuristic)) = text.parse() else { panic!("{text}") };
    assert_eq!((heuristic.depth, heuristic.weights, heuristic.ties), (3, weights::TABLE3[4], Ties::Random));
    assert_eq!(heuristic.to_string(), text);
}

#[test]
fn errors_say_what_would_be_accepted() {
    let error = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
    assert_eq!(error("heuristic:21"), "heuristic depth must be 1 to 20, as in heuristic:4 (got 21)");
    assert_eq!(error("heuristic:@default"), "heuristic depth must be 1 to 20, as in heuristic:4 (got )");
    assert_eq!(error("heuristic:4@table3-0"), "the row of Table 3 must be 1 to 20 (got 0)");
    assert_eq!(error("heuristic:4:near=far"), "near must be difference, indicator, printed or harmful (got far)");
    assert!(error("heuristic:4:fast").contains("ties=first|last|random|window, judged=root|path"));
    assert_eq!(error("max@default"), "max takes ties=first|last|random|window and chain=yes|no (got default)");
}

#[test]
fn ties_are_drawn_or_the_first_taken() {
    // By H3 alone at depth 1, every move from the start leaves five pits with seeds, except C, which empties one more.
    let start = Kalah::start(Rules::default());
    let moves = |ties: &str| {
        let spec = format!("heuristic:1@0,0,1,0,0,0,0,0,0,0:ties={ties}").parse().unwrap();
        let mut player = crate::build::<Kalah>(&spec).unwrap();
        let mut moves: Vec<Move> =
            (0..100).filter_map(|seed| choose(&mut *player, &Turn::new(start, 0, seed))).collect();
        moves.sort_unstable();
        moves.dedup();
        moves
    };
    assert_eq!(moves("first"), [Move(0)]);
    assert_eq!(moves("random"), [0, 1, 2, 3, 4, 5].map(Move));
}

#[test]
fn a_position_is_explained_term_by_term() {
    let settings = Heuristic::new(4, weights::TABLE3[0]);
    let before = Kalah::start(Rules::default());
    let pos = before.play(Move(2));
    let start = Position::from(before);
    let after = Position::from(pos);
    let terms = explain(&after, Side::South, Some((&start, Move(2))), &settings).unwrap();
    let names: Vec<&str> = terms.iter().map(|term| term.name).collect();
    assert_eq!(names, ["H1", "H2", "H3", "H4", "H5", "H6", "H7", "H8", "H9", "H10"]);
    assert_eq!(terms.map(|term| term.value), [4.0, 23.0, 5.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    let evaluator = Evaluator::new(&settings.weights, settings.reading);
    let total = evaluator.position(&pos, Side::South) + evaluator.mv(&before, Move(2), &pos);
    let sum: f64 = terms.iter().map(|term| term.contribution).sum();
    assert!((sum - f64::from(total) / 2000.0).abs() < 1e-9);
    // The opponent's perspective; that side made no move.
    assert_eq!(explain(&after, Side::North, Some((&start, Move(2))), &settings).unwrap()[6].value, 0.0);
}

#[test]
fn every_game_of_pits_is_played() {
    use crate::game::{GameState, Variant, with_position};
    fn plays<G: crate::game::Game + crate::Playable>(start: G) {
        let mut players =
            ["heuristic:3", "random"].map(|text| crate::build::<G>(&text.parse::<Spec>().unwrap()).unwrap());
        let mut game = GameState::new(start);
        while !game.is_over() && game.plies() < 60 {
            let player = &mut players[game.pos().side().index()];
            let mv = choose(player.as_mut(), &Turn::current(&game, 3)).unwrap();
            assert!(game.pos().moves().any(|legal| legal == mv));
            game.play(mv);
        }
        assert!(game.pos().margin(Side::South) > 0, "{:?}", game.pos());
    }
    for name in ["kalah", "oware", "awari", "vai-lung-thlan", "ohvalhu", "erherhe"] {
        with_position!(name.parse::<Variant>().unwrap().start(), start => plays(start));
    }
}

#[test]
fn the_heuristics_of_other_games_of_pits_are_explained() {
    let settings = Heuristic::new(1, Weights::default());
    let explained = |game: &str| {
        let start = game.parse::<crate::game::Variant>().unwrap().start();
        let terms = explain(&start, Side::South, None, &settings);
        assert_eq!(terms.is_some(), knows(&start), "{game}");
        terms.map(|terms| terms.map(|term| term.value))
    };
    // The leftmost pit's seeds, those of all pits, and the filled pits.
    assert_eq!(explained("oware").unwrap()[..3], [4.0, 24.0, 6.0]);
    assert_eq!(explained("ohvalhu").unwrap()[..3], [8.0, 64.0, 8.0]);
    assert_eq!((explained("kalah:12x12"), explained("othello")), (None, None));
}
