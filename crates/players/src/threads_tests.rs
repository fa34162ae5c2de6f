//! Tests of players on several threads.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use super::spec::check_plays;
use super::{Playable, Player, Purpose, Spec, Turn, build, choose};
use crate::budget::Budget;
use crate::game::checkers::Checkers;
use crate::game::kalah::Kalah;
use crate::game::othello::Othello;
use crate::game::sowing::oware::Oware;
use crate::game::{BoardGame, GameState, Variant};
use crate::rng;
use crate::search::mcts::{self, Mcts, Rollout};
use mancalab_base::rights::{Limits, Rights};
use rand::Rng as _;

fn kalah() -> Kalah {
    Kalah::start("6x4:standard".parse().unwrap())
}

/// A turn after some random moves, in a game that is not over.
fn turn<G: BoardGame>(start: G, plies: u32, key: u64) -> Turn<G> {
    let mut random = rng::keyed(&[11, key]);
    loop {
        let mut game_state = GameState::new(start);
        for _ in 0..plies {
            if !game_state.is_over() {
                game_state.play(game_state.pos().pick(random.next_u32()));
            }
        }
        if !game_state.is_over() {
            return Turn::current(&game_state, key);
        }
    }
}

fn player<G: BoardGame + Playable>(text: &str) -> Box<dyn Player<G>> {
    build::<G>(&text.parse().unwrap()).unwrap()
}

/// Compares the moves and values of a player on two and three threads with those on one.
fn compare<G: BoardGame + Playable>(start: G, text: &str, plies: &[u32]) {
    let mut players = ["", ":threads=2", ":threads=3"].map(|threads| player::<G>(&format!("{text}{threads}")));
    for (key, &plies) in plies.iter().enumerate() {
        let turn = turn(start, plies, key as u64);
        let found = players.each_mut().map(|player| {
            let mv = choose(player.as_mut(), &turn);
            let report = player.report().unwrap();
            (mv, report.lines.iter().map(|line| (line.mv, line.margin, line.weighed)).collect::<Vec<_>>())
        });
        assert!(found[1] == found[0] && found[2] == found[0], "{text} {turn:?} {found:?}");
    }
}

#[test]
fn minimax_finds_the_same_moves_on_any_number_of_threads() {
    compare(kalah(), "minimax:12", &[0, 5, 11, 18]);
    compare(kalah(), "minimax:11:ties=random", &[2, 9]);
    compare(Oware::start(Default::default()), "minimax:10", &[3, 20]);
    compare(Othello::start(Default::default()), "minimax:7:eval=discs", &[6, 24]);
    compare(Othello::start(Default::default()), "minimax:5", &[8, 30, 47, 50]);
    compare(Checkers::start(Default::default()), "minimax:9:eval=pieces", &[4, 16]);
    compare(Checkers::start(Default::default()), "minimax:6", &[4, 16]);
    compare(Checkers::start(Default::default()), "samuel:7", &[4, 16]);
    compare(Checkers::start(Default::default()), "samuel:6@best:ties=random", &[8]);
    compare(Checkers::start(Default::default()), "samuel:7:prune=on", &[10]);
}

#[test]
fn mcts_on_several_threads_follows_from_the_turn_alone() {
    let mut moves = HashSet::new();
    for key in 0..6 {
        let turn = turn(kalah(), 4, key);
        for text in ["mcts:9001:threads=3", "mcts:9001:threads=3:reuse=yes", "mcts:40:threads=64"] {
            let mut whole = player(text);
            let mut again = player(text);
            let mut cut = player(text);
            let mv = choose(whole.as_mut(), &turn).unwrap();
            assert_eq!(choose(again.as_mut(), &turn), Some(mv));
            let in_pieces = (0..100_000).find_map(|_| cut.think(&turn, Budget::time(Duration::ZERO)));
            assert_eq!((in_pieces, cut.report()), (Some(mv), whole.report()), "{text}");
            let report = whole.report().unwrap();
            let visits: u64 = report.lines.iter().map(|line| line.tried.unwrap().visits).sum();
            assert!(visits == report.games && report.lines[0].mv == mv);
            let all = if text.starts_with("mcts:40") { 40 } else { 9001 };
            assert!(report.games == all || !text.contains("reuse") && report.games % 3 == 0 && report.games < all);
            moves.insert(mv);
        }
    }
    assert!(moves.len() > 1);
}

/// The move is that of all iterations, though the search stops when it is certain.
#[test]
fn rounds_that_are_left_out_would_not_have_changed_the_move() {
    let mut stopped = 0;
    for key in 0..12 {
        let turn = turn(kalah(), 2 + key as u32, key);
        let mut player = player("mcts:20000:threads=2");
        let mv = choose(player.as_mut(), &turn);
        stopped += u32::from(player.report().unwrap().games < 20_000);
        let trees: Vec<Mcts<Kalah>> = (0..2)
            .map(|tree| {
                let rng = rng::keyed(&[turn.seed, turn.ply.into(), Purpose::Move as u64, tree]);
                let mut search = Mcts::new(turn.game_state(), Rollout::default(), rng);
                search.step(10_000, Budget::UNLIMITED);
                search
            })
            .collect();
        assert_eq!(mv, mcts::best_move(&trees));
    }
    assert!(stopped > 0);
}

#[test]
fn a_time_limit_is_kept_on_several_threads() {
    fn timed<G: BoardGame + Playable>(start: G, text: &str) {
        let turn = turn(start, 4, 1);
        let mut player = player::<G>(text);
        let began = Instant::now();
        let mv = choose(player.as_mut(), &turn);
        assert!(turn.pos.moves().any(|legal| Some(legal) == mv), "{text}");
        assert!(began.elapsed() >= Duration::from_millis(40) && began.elapsed() < Duration::from_secs(20), "{text}");
        assert!(player.report().is_some_and(|report| report.depth > 0));
        player.rest();
        assert!(choose(player.as_mut(), &turn).is_some());
    }
    timed(Checkers::start(Default::default()), "samuel:ms=40:threads=2:prune=on");
    for text in ["minimax:60:ms=40:threads=3", "mcts:ms=40:threads=3"] {
        timed(kalah(), text);
        timed(Othello::start(Default::default()), text);
        timed(Checkers::start(Default::default()), text);
    }
}

#[test]
fn texts_name_the_number_of_threads() {
    let text = |text: &str| text.parse::<Spec>().map(|spec| spec.to_string()).map_err(|error| error.to_string());
    for same in [
        "minimax:8:threads=2",
        "minimax:20:ms=50:threads=64",
        "mcts:100:threads=2",
        "mcts:ms=50:threads=1",
        "samuel:6:threads=3",
    ] {
        assert_eq!(text(same).as_deref(), Ok(same));
    }
    assert_eq!(text("minimax:8:threads=1"), Ok("minimax:8".to_owned()));
    assert_eq!(text("mcts:100:threads=1"), Ok("mcts:100".to_owned()));
    for kind in ["minimax:8", "mcts:100"] {
        for bad in ["0", "65", "2.5", "-1", "x", ""] {
            let error = text(&format!("{kind}:threads={bad}")).unwrap_err();
            assert_eq!(error, format!("threads must be a number of threads from 1 to 64 (got {bad})"));
        }
    }
    assert!(text("heuristic:4:threads=2").unwrap_err().ends_with("(got threads=2)"));
    let pure = |text: &str| text.parse::<Spec>().unwrap().impurity().is_none();
    assert!(pure("minimax:8:threads=2") && pure("mcts:100:threads=2") && !pure("mcts:ms=50:threads=2"));
    let spec: Spec = "minimax:8:threads=2".parse().unwrap();
    assert!(Variant::usual().iter().all(|variant| check_plays(&spec, variant).is_ok()));
}

#[test]
fn guests_have_one_thread() {
    let rights = Rights::of_guest(Limits {
        depth: 12,
        iterations: 5000,
        seconds: 10,
        analysis_seconds: 60,
        table_mb: 16,
        saves: 2,
        save_kb: 1,
        paste_kb: 1,
        minutes: 120,
    });
    let check = |text: &str, rights: &Rights| text.parse::<Spec>().unwrap().check_rights(rights);
    for text in ["minimax:8", "mcts:1000", "minimax:8:threads=1"] {
        assert!(check(text, &rights).is_ok(), "{text}");
    }
    for text in ["minimax:8:threads=2", "mcts:1000:threads=2"] {
        let error = check(text, &rights).unwrap_err().to_string();
        assert_eq!(error, format!("guests' players use one thread (got '{text}')"));
        assert!(check(text, &Rights::default()).is_ok());
    }
}
