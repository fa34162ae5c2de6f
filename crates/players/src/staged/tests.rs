//! Function players against hand-written definitions: stages, overlaps, one ply, deeper searches, whole games.

use std::sync::Arc;
use std::time::Duration;

use super::evaluation::TotalOrder;
use super::*;
use crate::budget::Budget;
use crate::game::othello::{Othello, Rules};
use crate::game::{BoardGame, Game, GameState, Move, Side};
use crate::program::Tape;
use crate::program::othello::OthelloLanguage;
use crate::rng::{Rng, keyed};
use crate::search::alpha_beta::EvalValue;
use crate::{Player, RandomPlayer, Spec, Turn, choose};
use proptest::prelude::*;
use rand::Rng as _;

fn staged(text: &str) -> StagedSettings {
    match text.parse() {
        Ok(Spec::Staged(staged)) => staged,
        other => panic!("{other:?}"),
    }
}

fn start() -> Othello {
    Othello::start(Rules::default())
}

fn position(seed: u64, plies: usize) -> Othello {
    let mut rng = keyed(&[seed]);
    let mut pos = start();
    for _ in 0..plies {
        if pos.is_over() {
            break;
        }
        pos = pos.play(pos.pick(rng.next_u32()));
    }
    pos
}

/// A random function with every feature of the language.
fn function(seed: u64) -> Function {
    use crate::program::Grammar;
    use crate::program::othello::{Callee, count_names};
    let names = |more: &[&'static str]| [&["add", "sub", "mul", "div", "constant"], &count_names()[..], more].concat();
    let grown = |more, depth| {
        Grammar::with_symbols(&names(more))
            .unwrap()
            .grown(depth, usize::MAX, &mut keyed(&[seed, depth as u64]))
            .unwrap()
    };
    Function::new(grown(&["adf2"], 5), Some(Callee { arity: 2, body: grown(&["arg1", "arg2"], 4) })).unwrap()
}

fn of_shares(shares: &[(u64, u32)]) -> StagedSettings {
    StagedSettings::new(
        shares.iter().map(|&(seed, share)| Stage { function: Arc::new(function(seed)), share }).collect(),
    )
}

fn no_rng() -> Rng {
    panic!("nothing is to be drawn here")
}

#[test]
fn numbers_keep_their_order() {
    let order = [f64::NAN, f64::NEG_INFINITY, -1e300, -1.0, -1e-310, 0.0, 1e-310, 1.0, 1.5, 1e300, f64::INFINITY];
    for pair in order.windows(2) {
        assert!(TotalOrder::new(pair[0]) < TotalOrder::new(pair[1]), "{pair:?}");
    }
    assert_eq!(TotalOrder::new(-0.0), TotalOrder::new(0.0));
    assert_eq!((TotalOrder::new(f64::NAN), TotalOrder::new(-f64::NAN)), (TotalOrder::LEAST, TotalOrder::LEAST));
    assert_eq!((TotalOrder::LEAST.below(), TotalOrder::default()), (TotalOrder::LEAST, TotalOrder::new(0.0)));
    assert!(TotalOrder::new(1.0).below() < TotalOrder::new(1.0) && TotalOrder::new(f64::INFINITY) < TotalOrder::MOST);
}

/// 60 plies: 25 % are the last 15, 33 % are 19.8, and 1 % is less than one.
#[test]
fn a_stage_is_in_force_for_its_share_of_the_game() {
    for (shares, ends) in [
        (&[100][..], &[60][..]),
        (&[75, 25], &[45, 60]),
        (&[50, 50], &[30, 60]),
        (&[33, 33, 34], &[20, 40, 60]),
        (&[1, 1, 98], &[1, 1, 60]),
        (&[1, 99], &[1, 60]),
        (&[99, 1], &[59, 60]),
    ] {
        let staged = of_shares(&shares.iter().map(|&share| (1, share)).collect::<Vec<_>>());
        assert_eq!(staged.ends(), ends);
        let schedule = staged.schedule();
        for put in 0..60 {
            let stage = ends.iter().position(|&end| put < end).unwrap();
            assert_eq!(schedule.stage(put, no_rng), stage, "{shares:?} at {put}");
            assert_eq!(schedule.chance(put), (stage, 0.0));
        }
        assert_eq!(schedule.stage(60, no_rng), shares.len() - 1);
    }
}

#[test]
fn around_a_boundary_both_stages_are_drawn() {
    let staged = StagedSettings { overlap: 20, ..of_shares(&[(1, 50), (2, 50)]) };
    let schedule = staged.schedule();
    // 20 % are 12 plies: from 24 to 35 the probability of the second grows from 1/24 by 1/12 per ply.
    for put in 0..60 {
        let later = ((f64::from(put) - 23.5) / 12.0).clamp(0.0, 1.0);
        let (stage, chance) = schedule.chance(put);
        assert!((stage as f64 + chance - later).abs() < 1e-12, "{put}: {stage} {chance}");
        let draws = 4000;
        let second = (0..draws).filter(|&seed| schedule.stage(put, || keyed(&[seed, 9])) == 1).count();
        let expected = later * draws as f64;
        let deviation = (expected * (1.0 - later)).sqrt();
        assert!((second as f64 - expected).abs() <= 4.0 * deviation, "{put}: {second}, not {expected}");
        assert_eq!(schedule.stage(put, || keyed(&[7, 9])), schedule.stage(put, || keyed(&[7, 9])));
    }
    // All of the game.
    let schedule = StagedSettings { overlap: 100, ..staged }.schedule();
    let (stage, chance) = schedule.chance(0);
    assert!(stage == 0 && (chance - 0.5 / 60.0).abs() < 1e-12, "{stage} {chance}");
}

/// At any width, one overlap ends before the next begins, and the last ends with the game.
#[test]
fn hand_overs_do_not_reach_into_each_other() {
    for shares in [&[33, 33, 34][..], &[75, 25], &[10, 80, 10], &[20, 20, 20, 20, 20], &[1, 98, 1]] {
        for overlap in [1, 20, 60, 100] {
            let stages: Vec<(u64, u32)> = (1..).zip(shares.iter().copied()).collect();
            let schedule = StagedSettings { overlap, ..of_shares(&stages) }.schedule();
            let now = |put: u32| {
                let (stage, chance) = schedule.chance(put);
                stage as f64 + chance
            };
            let narrowest = f64::from(shares.iter().min().copied().unwrap().min(overlap)) * 0.6;
            for put in 1..60 {
                let step = now(put) - now(put - 1);
                let steepest = if shares.len() == 2 { 1.0 } else { (1.0 / narrowest).max(1.0) };
                assert!((0.0..=steepest + 1e-9).contains(&step), "{shares:?} {overlap} at {put}: {step}");
            }
            assert!(now(0) < 0.51 && now(59) > shares.len() as f64 - 1.51, "{shares:?} {overlap}");
        }
    }
    let uneven = StagedSettings { overlap: 100, ..of_shares(&[(1, 75), (2, 25)]) }.schedule();
    assert!(uneven.chance(59).1 > 0.95, "{:?}", uneven.chance(59));
}

/// The value of `pos` for `side` at this depth, without pruning.
fn minimax(tape: &mut Tape<OthelloLanguage>, pos: &Othello, depth: u32, side: Side) -> TotalOrder {
    if depth == 0 || pos.is_over() {
        return TotalOrder::new(tape.run(&pos.counts(side, Zones::default())));
    }
    let values = pos.moves().map(|mv| minimax(tape, &pos.play(mv), depth - 1, side));
    if pos.side() == side { values.max() } else { values.min() }.unwrap()
}

/// The first of the best moves.
fn first_best(function: &Function, pos: &Othello, depth: u32) -> Option<Move> {
    let mut tape = function.tape();
    let values: Vec<(Move, TotalOrder)> =
        pos.moves().map(|mv| (mv, minimax(&mut tape, &pos.play(mv), depth - 1, pos.side()))).collect();
    let most = values.iter().map(|(_, value)| *value).max()?;
    values.into_iter().find(|(_, value)| *value == most).map(|(mv, _)| mv)
}

/// A game against the random player, played by parsed players: the discs after each number of discs placed.
fn played(staged: &StagedSettings, side: Side, seed: u64) -> Vec<[u32; 2]> {
    let mut player = StagedPlayer::new(staged.clone());
    let mut game_state = GameState::new(start());
    let mut counts = Vec::new();
    loop {
        let pos = *game_state.pos();
        let [own, other] = [side, side.other()].map(|side| pos.discs()[side.index()].count_ones());
        counts.resize((own + other - 3) as usize, [own, other]);
        if game_state.is_over() {
            return counts;
        }
        let turn = Turn::current(&game_state, seed);
        let mv = if pos.side() == side { choose(&mut player, &turn) } else { choose(&mut RandomPlayer, &turn) };
        game_state.play(mv.unwrap());
    }
}

#[test]
fn one_ply_ahead_by_hand() {
    // Black's four first moves leave 4 discs each, so the first, d3, is played; after c4 e3 three flips are possible.
    let mut player = StagedPlayer::new(staged("staged:( white )"));
    let first = choose(&mut player, &Turn::new(start(), 0, 1)).unwrap();
    assert_eq!(Othello::name(first), "d3");
    assert!(pos_values("( white )", &start()).iter().all(|valued| valued.value == 4.0));
    assert!(pos_values("( - black white )", &start()).iter().all(|valued| valued.value == -3.0));
    // All values are equal: the first of the moves, whether or not it is a number.
    let infinite = format!("( * {} {} )", 1e300, 1e300);
    for text in ["( 10 )".to_owned(), infinite.clone(), format!("( - {infinite} {infinite} )")] {
        let mut player = StagedPlayer::new(staged(&format!("staged:{text}")));
        assert_eq!(choose(&mut player, &Turn::new(start(), 0, 1)), Some(first), "{text}");
    }
}

fn pos_values(text: &str, pos: &Othello) -> Vec<MoveValue> {
    values(&text.parse().unwrap(), Zones::default(), pos)
}

#[test]
fn no_one_moves_once_the_game_is_over_and_who_must_pass_passes() {
    let over = position(3, 200);
    let passing =
        (0..).map(|seed| position(seed, 58)).find(|pos| flipped_anywhere(pos) == 0 && !pos.is_over()).unwrap();
    for text in ["staged:( white )", "staged:( white ):depth=3"] {
        let mut player = StagedPlayer::new(staged(text));
        assert!(over.is_over());
        assert_eq!(choose(&mut player, &Turn::new(over, 60, 1)), None);
        assert_eq!(choose(&mut player, &Turn::new(passing, 58, 1)), passing.moves().next());
    }
}

fn flipped_anywhere(pos: &Othello) -> u64 {
    (0..64).map(|square| pos.flipped(square)).fold(0, |all, flipped| all | flipped)
}

/// The overlap in a file belongs to its player, unless the player's text has another.
#[test]
fn a_file_has_its_overlap() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bred.txt");
    let text = "( white ),50,( adf1 black ) where adf1 = ( arg1 ),50:overlap=40";
    std::fs::write(&file, format!("# simplified (2 nodes): {text}\n{text}\n")).unwrap();
    let name = format!("staged:{}", file.display());
    for (own, overlap, shown) in [
        ("", 40, ""),
        (":overlap=40", 40, ""),
        (":overlap=0", 0, ":overlap=0"),
        (":depth=2:overlap=7", 7, ":depth=2:overlap=7"),
    ] {
        let player = staged(&format!("{name}{own}"));
        assert_eq!((player.overlap, player.stages.len()), (overlap, 2), "{own}");
        assert_eq!(player.to_string(), format!("{name}{shown}"));
        assert_eq!(staged(&player.to_string()), player);
        assert_eq!(Spec::Staged(player).contents().as_deref(), Some(text));
    }
    assert_eq!(StagedSettings::in_text(text).unwrap().file_text(), text);
    std::fs::write(&file, "( white ),50,( black ),50:overlap=101").unwrap();
    let error = name.parse::<Spec>().unwrap_err().to_string();
    assert!(error.ends_with("overlap must be a whole number from 0 to 100 (got 101)"), "{error}");
}

/// Both probabilities add up to 100, and are shown by players with an overlap alone.
#[test]
fn the_probability_of_each_stage_is_reported() {
    let chances = |text: &str, plies| {
        let in_force = staged(text).in_force(position(1, plies).into(), plies as u32, 1).unwrap();
        (in_force.chances("·"), in_force.is_drawn())
    };
    let two = "staged:( white ),50,( black ),50";
    assert_eq!(chances(two, 30), (None, false));
    assert_eq!(chances("staged:( white ):overlap=40", 30), (None, false));
    let gradual = format!("{two}:overlap=20");
    for (plies, text, is_drawn) in [
        (10, "stage 1 100 %", false),
        (27, "stage 1 71 % · stage 2 29 %", true),
        (33, "stage 1 21 % · stage 2 79 %", true),
        (40, "stage 2 100 %", false),
    ] {
        assert_eq!(chances(&gradual, plies), (Some(text.to_owned()), is_drawn), "{plies}");
    }
}

#[test]
fn a_file_of_functions_is_a_player() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a:b.txt");
    std::fs::write(&file, "# bred, in two stages\n( white ),75,\n( adf1 white_corners ) where adf1 = ( arg1 ),25\n")
        .unwrap();
    let name = file.display();
    let player = staged(&format!("staged:{name}:depth=2"));
    assert_eq!((player.depth, player.stages.len()), (2, 2));
    assert_eq!(player.to_string(), format!("staged:{name}:depth=2"));
    let contents = Spec::Staged(player).contents();
    assert_eq!(contents.as_deref(), Some("( white ),75,( adf1 white_corners ) where adf1 = ( arg1 ),25"));
    let error = |text: &str| {
        std::fs::write(&file, text).unwrap();
        format!("staged:{name}").parse::<Spec>().unwrap_err().to_string()
    };
    let message = error("# a, comment\n( white ),75,\n( black ),20\n");
    assert_eq!(
        message,
        format!(
            "staged:{name}: line 3, column 13: the text ends here; expected shares that add up to 100; they add up to 95"
        )
    );
    let message = error("( white ),\n\n 75,( + black\n ),25");
    assert_eq!(
        message,
        format!("staged:{name}: line 4, column 2: found ')'; expected a number, a count such as white or '('")
    );
    let message = "staged:nowhere".parse::<Spec>().unwrap_err().to_string();
    assert!(
        message.starts_with("staged:nowhere: no such file or directory; expected functions with their shares"),
        "{message}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_best_move_is_that_of_plain_minimax(seed: u64, boards: u64, plies in 0..64_usize, depth in 1..=3_u32) {
        let pos = position(boards, plies);
        let player = StagedSettings { depth, ..StagedSettings::one_stage(function(seed)) };
        let mv = choose(&mut StagedPlayer::new(player), &Turn::new(pos, plies as u32, 1));
        prop_assert_eq!(mv, first_best(&function(seed), &pos, depth));
    }

    /// One ply ahead the search finds the same as the evaluation of all moves at once.
    #[test]
    fn a_search_one_ply_deep_is_a_look_at_all_moves(seed: u64, boards: u64, plies in 0..64_usize) {
        let pos = position(boards, plies);
        let one = choose(&mut StagedPlayer::new(StagedSettings::one_stage(function(seed))), &Turn::new(pos, 0, 1));
        let turn = Turn::new(pos, 0, 1);
        let evaluation = super::evaluation::FunctionEvaluation::new(&function(seed), Zones::default());
        let mut search = crate::search::alpha_beta::AlphaBetaSearch::new(turn.game_state(), 1, evaluation);
        search.step(Budget::UNLIMITED);
        prop_assert_eq!(search.best().moves.legal(&pos).next(), one);
    }

    #[test]
    fn practice_games_are_those_of_the_players(
        seeds: [u64; 3], shares in prop::sample::select(vec![vec![100], vec![50, 50], vec![75, 25], vec![33, 33, 34], vec![1, 1, 98]]),
        overlap in prop::sample::select(vec![0, 10, 60]), second: bool, seed: u64,
    ) {
        let stages: Vec<(u64, u32)> = seeds.into_iter().zip(shares).collect();
        let staged = StagedSettings { overlap, ..of_shares(&stages) };
        let side = if second { Side::North } else { Side::South };
        let counts = played(&staged, side, seed);
        let last = *counts.last().unwrap();
        let expected: Vec<[u32; 2]> = staged.ends().iter().map(|&end| *counts.get(end as usize).unwrap_or(&last)).collect();
        let mut practice = Practice::new(&staged);
        for _ in 0..2 {
            prop_assert_eq!(practice.play_out(&start(), side, seed), &expected);
        }
        prop_assert_eq!(practice.play_out(&start(), side, seed)[staged.stages.len() - 1], last);
    }
}

#[test]
fn thinking_in_pieces_gives_the_same_move() {
    for (seed, plies) in [(1, 4), (2, 30), (3, 50)] {
        let turn = Turn::new(position(seed, plies), plies as u32, seed);
        let player = || {
            StagedPlayer::new(StagedSettings {
                depth: 7,
                ..StagedSettings::one_stage("( - white_corners black )".parse().unwrap())
            })
        };
        let whole = choose(&mut player(), &turn).unwrap();
        let mut in_pieces = player();
        let mut pieces = 1;
        let mv = loop {
            match in_pieces.think(&turn, Budget::time(Duration::ZERO)) {
                Some(mv) => break mv,
                None => pieces += 1,
            }
        };
        assert_eq!(mv, whole);
        assert!(pieces > 1, "{plies}");
    }
}

#[test]
fn it_is_reported_why_a_move_was_made() {
    let mut pos = start();
    let explanation = |text: &str, pos: Othello, mv| {
        let position = crate::game::Position::from(pos);
        text.parse::<Spec>().unwrap().explanation(position, mv, 7, 3)
    };
    let d3 = pos.moves().next().unwrap();
    assert_eq!(explanation("staged:( white )", pos, d3).as_deref(), Some("value 4, next c4 4; ( white )"));
    let two = "staged:( / white 3 ),50,( - black_edges 10 ),50";
    assert_eq!(explanation(two, pos, d3).as_deref(), Some("value 1.33, next c4 1.33; stage 1 of 2: ( / white 3 )"));
    let deep = format!("{two}:depth=3");
    assert_eq!(explanation(&deep, pos, d3).as_deref(), Some("searches 3 plies with stage 1 of 2: ( / white 3 )"));
    while pos.put() < 30 {
        pos = pos.play(pos.pick(1 << 31));
    }
    let mv = choose(&mut StagedPlayer::new(staged(two)), &Turn::new(pos, 7, 3)).unwrap();
    let why = explanation(two, pos, mv).unwrap();
    assert!(why.starts_with("value -") && why.ends_with("; stage 2 of 2: ( - black_edges 10 )"), "{why}");
    assert_eq!(explanation("random", pos, mv), None);
    let kalah = "kalah".parse::<crate::game::Variant>().unwrap().start();
    assert_eq!("staged:( white )".parse::<Spec>().unwrap().explanation(kalah, Move(0), 0, 1), None);
}

#[test]
fn values_are_reported_in_few_characters() {
    let texts =
        [14.0, -3.25, 0.0, 1.0 / 3.0, -0.001, 1.2e9, 1e300, -9999.555, 123_456.7, f64::INFINITY, f64::NAN].map(number);
    assert!(texts.iter().all(|text| text.len() <= 8));
    assert_eq!(texts, ["14", "-3.25", "0", "0.33", "-1e-3", "1.2e9", "1.0e300", "-9999.56", "123457", "inf", "none"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The explained move is the played one, whichever stage is drawn where stages overlap.
    #[test]
    fn the_first_of_what_is_reported_is_played(seeds: [u64; 2], boards: u64, plies in 0..64_usize, seed: u64) {
        let pos = position(boards, plies);
        let staged = StagedSettings { overlap: 100, ..of_shares(&[(seeds[0], 50), (seeds[1], 50)]) };
        let mv = choose(&mut StagedPlayer::new(staged.clone()), &Turn::new(pos, plies as u32, seed));
        let in_force = staged.in_force(pos.into(), plies as u32, seed).unwrap();
        let judged = in_force.judged();
        prop_assert_eq!(judged.moves.first().map(|judged| judged.mv), mv);
        prop_assert_eq!(judged.moves.len(), pos.moves().count());
        for valued in judged.moves {
            let after = pos.play(valued.mv);
            prop_assert_eq!(valued.counts, after.counts(pos.side(), staged.zones));
            let value = in_force.function.tape().run(&valued.counts);
            prop_assert!(value == valued.value || (value.is_nan() && valued.value.is_nan()));
        }
    }
}
