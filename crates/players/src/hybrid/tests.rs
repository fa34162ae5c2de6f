//! The player with ten heuristics and a network against its definition, and its texts.

use super::*;
use crate::game::kalah::Rules;
use crate::game::{BoardGame, Game, Notation as _};
use crate::heuristic::HeuristicReading;
use crate::search::alpha_beta::{Evaluation, best_moves};
use crate::{Spec, check_plays, choose, rng};
use rand::{Rng as _, RngExt};

fn positions(count: usize) -> Vec<Kalah> {
    let mut rng = rng::keyed(&[15]);
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

fn hybrid(text: &str) -> Hybrid {
    match text.parse::<Spec>().unwrap() {
        Spec::Hybrid(hybrid) => *hybrid,
        other => panic!("{other:?}"),
    }
}

/// The value of a position by full search of every line, with the network evaluated each time.
fn plain(pos: &Kalah, side: Side, depth: u32, bonus: i32, hybrid: &Hybrid) -> i32 {
    if depth == 0 || pos.is_over() {
        let ten = heuristic::Evaluator::new(&hybrid.weights.ten, hybrid.plain.reading);
        let percent = if pos.is_over() {
            100.0 * (pos.margin(side).signum() as f32 + hybrid.net.trained.shaping * pos.margin(side) as f32)
        } else {
            let mut input = Vec::new();
            let mut activations = crate::net::Activations::default();
            pos.encode(hybrid.net.trained.reads(pos).unwrap(), &mut input);
            hybrid.net.trained.network.forward(&input, &mut activations);
            let sign = if pos.side() == side { 1.0 } else { -1.0 };
            100.0 * (sign * activations.value() + hybrid.net.trained.shaping * pos.margin(side) as f32)
        };
        let eleventh = hybrid.weights.thousandths()[10] as f32;
        return ten.position(pos, side) + (2.0 * eleventh * percent).round() as i32 + bonus;
    }
    let values = pos.moves().map(|mv| plain(&pos.play(mv), side, depth - 1, bonus, hybrid));
    if pos.side() == side { values.max().unwrap() } else { values.min().unwrap() }
}

#[test]
fn the_best_moves_are_those_of_plain_minimax_over_eleven_terms() {
    let mut asked = 0;
    for text in
        ["heuristic:3@0.1,0.2,0.9,1,0.8,1,1,0,0.1,0.5,0.7:net=best", "heuristic:2@0,0,0,0,0,0,0,0,0,0,1:net=best"]
    {
        let hybrid = hybrid(text);
        let Hybrid { plain: Heuristic { depth, reading, .. }, weights, net, .. } = &hybrid;
        let depth = *depth;
        let reading = *reading;
        let shared = net.values(&positions(1)[0], 1 << 10).shared();
        for pos in positions(60) {
            let evaluator = Evaluator::new(weights, reading, &shared);
            let best = best_moves(&pos, depth, &evaluator);
            let values: Vec<(Move, i32)> = pos
                .moves()
                .map(|mv| {
                    let child = pos.play(mv);
                    let bonus = Evaluation::<Kalah>::mv(&evaluator, &pos, mv, &child);
                    (mv, plain(&child, pos.side(), depth - 1, bonus, &hybrid))
                })
                .collect();
            let most = values.iter().map(|(_, value)| *value).max().unwrap();
            assert_eq!(best.value, most);
            let expected: Vec<Move> = values.iter().filter(|(_, value)| *value == most).map(|(mv, _)| *mv).collect();
            assert_eq!(best.moves.legal(&pos).collect::<Vec<_>>(), expected);
            // The player plays the first of them, in one step or in many.
            let turn = Turn::new(pos, 0, 1);
            assert_eq!(choose(&mut HybridPlayer::new(hybrid.clone()), &turn), Some(expected[0]));
            asked += best.nodes;
        }
    }
    assert!(asked > 1000);
}

#[test]
fn a_search_that_is_cut_into_steps_finds_the_same() {
    let hybrid = hybrid("heuristic:5:net=best");
    for pos in positions(6) {
        let turn = Turn::new(pos, 0, 1);
        let whole = choose(&mut HybridPlayer::new(hybrid.clone()), &turn);
        let mut player = HybridPlayer::new(hybrid.clone());
        let mut steps = 1;
        let cut = loop {
            match player.think(&turn, Budget::time(std::time::Duration::ZERO)) {
                Some(mv) => break Some(mv),
                None => steps += 1,
            }
        };
        assert_eq!(cut, whole);
        assert!(steps > 1 || pos.count_moves() == 1);
    }
}

#[test]
fn without_a_weight_the_network_has_no_say() {
    let hybrid = hybrid("heuristic:4@0.322,0.124,0.442,1,0.665,0.657,0.776,0.585,0.127,0.263,0:net=best");
    let Spec::Heuristic(ten) = "heuristic:4@table3-1".parse().unwrap() else { unreachable!() };
    for pos in positions(40) {
        let turn = Turn::new(pos, 0, 1);
        let mut by_ten = crate::HeuristicPlayer::new(ten.clone());
        assert_eq!(choose(&mut HybridPlayer::new(hybrid.clone()), &turn), choose(&mut by_ten, &turn));
    }
}

/// The network's term is the eleventh, and the displayed terms add up to the search's evaluation.
#[test]
fn eleven_terms_are_explained() {
    let hybrid = hybrid("heuristic:4@0.1,0.2,0.9,1,0.8,1,1,0,0.1,0.5,0.7:net=best");
    let values = hybrid.net.values(&positions(1)[0], 0).shared();
    let evaluator = Evaluator::new(&hybrid.weights, HeuristicReading::default(), &values);
    for pos in positions(20) {
        for side in [Side::South, Side::North] {
            let terms = hybrid.explain(&Position::Kalah(pos), side, None).unwrap();
            let sum: f64 = terms.iter().map(|term| term.contribution).sum();
            assert_eq!((terms.len(), terms[10].name), (COUNT, "H11"));
            // The eleventh term is displayed to a tenth of a percent.
            assert!((sum - f64::from(evaluator.position(&pos, side)) / 2000.0).abs() < 0.05 * 0.7 + 0.001);
        }
    }
}

#[test]
fn weights_come_back_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.toml");
    let weights: Weights = "0.1,0.2,0.9,1,-0.8,1,1,0,0.1,0.5,100".parse().unwrap();
    std::fs::write(&path, weights.file_text(&[("run", "one".to_owned())])).unwrap();
    let read = hybrid(&format!("heuristic:4@{}:net=best", path.display()));
    assert_eq!((read.weights, read.plain.weights), (weights, weights.ten));
    // The file that comes with the program is complete too.
    std::fs::write(&path, DEFAULT_TEXT).unwrap();
    assert_eq!(Weights::read(&path).unwrap(), Weights::usual());
}

#[test]
fn what_is_wrong_is_named() {
    let error = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
    assert_eq!(error("heuristic:4:net="), NET_WANTED);
    assert_eq!(error("heuristic:0:net=best"), "heuristic depth must be 1 to 20, as in heuristic:4 (got 0)");
    let after = "with net=, expected weights after @: default, a file, or eleven numbers";
    assert_eq!(error("heuristic:4@table3-1:net=best"), format!("{after} (got 'table3-1')"));
    assert_eq!(error("heuristic:4@:net=best"), format!("{after} (got '')"));
    assert_eq!(
        error("heuristic:4@1,2:net=best"),
        "with net=, expected eleven weights, W1 to W11, with commas between them; '1,2' has 2"
    );
    assert_eq!(
        error("heuristic:4@0,0,0,0,0,0,0,0,0,0,101:net=best"),
        "W11 must be a number from -100 to 100 (got 101)"
    );
    assert!(error("heuristic:4@w.toml:net=n.safetensors").contains("a player opens only one file"));
    assert!(error("heuristic:4:net=no/such").contains("cannot read no/such: "));
    // Eleven numbers need a network.
    assert!(error("heuristic:4@0,0,0,0,0,0,0,0,0,0,1").contains("the eleventh is for a network: add :net=best"));
    let spec: Spec = "heuristic:4:net=best".parse().unwrap();
    let refused = |variant: &str| check_plays(&spec, &variant.parse().unwrap()).unwrap_err();
    assert!(refused("othello").to_string().contains("heuristic plays kalah only"));
    assert!(refused("kalah:5x4").to_string().contains("its network was trained for kalah:6x4:standard"));
    assert_eq!(check_plays(&spec, &Variant::usual()[0]), Ok(()));
}

/// A replaced network file must be a network for this player.
#[test]
fn the_network_that_comes_with_the_program_is_for_a_game_with_pits() {
    let net = Net::load(network::Source::Shipped).unwrap_or_else(|error| panic!("weights/a3c.safetensors: {error}"));
    assert_eq!(net.check_plays(&Variant::Kalah(Rules::default())), Ok(()), "weights/a3c.safetensors");
}

/// With a cache of one entry, positions must differ by the whole key.
#[test]
fn a_value_is_remembered_of_that_very_position() {
    let net = Net::shipped();
    let texts = ["<6,20,4,0,1,2,3,4,1,1,5,1,0,2,4> S", "<6,4,20,0,1,2,3,4,1,1,5,1,0,2,4> S"];
    let turned = ["<6,4,20,1,5,1,0,2,4,0,1,2,3,4,1> N", "<6,20,4,1,5,1,0,2,4,0,1,2,3,4,1> N"];
    let read = |text: &str| Kalah::from_text(Rules::default(), text).unwrap();
    let mut positions: Vec<Kalah> = texts.iter().chain(&turned).map(|text| read(text)).collect();
    positions.extend(self::positions(20));
    let mut one = net.values(&positions[0], 1);
    let mut none = net.values(&positions[0], 0);
    for pos in positions.iter().chain(positions.iter().rev()) {
        for side in Side::BOTH {
            assert_eq!(one.percent(pos, side), none.percent(pos, side), "{pos:?}");
        }
    }
    let mut percent = |text: &str, side| none.percent(&read(text), side);
    assert_ne!(percent(texts[0], Side::South), percent(texts[1], Side::South));
    assert_eq!(percent(texts[0], Side::South), percent(turned[0], Side::North));
}
