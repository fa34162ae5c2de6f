//! Players: legal moves, the same for the same turn, whatever the budgets of the steps.

use mancalab::budget::{Budget, Job, Status};
use mancalab::game::kalah::Kalah;
use mancalab::game::record::Before;
use mancalab::game::{BoardGame, Game, Move, Notation, PitGame, Position, Side, Variant};
use mancalab::player::analysis::Question;
use mancalab::player::{AnalysisJob, MoveJob, Player, Seat, Spec, Turn, build, choose};
use mancalab::pool::Pool;
use std::time::{Duration, Instant};

fn kalah(text: &str) -> Kalah {
    Kalah::from_text("6x4".parse().unwrap(), text).unwrap()
}

fn start() -> Kalah {
    kalah("<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S")
}

fn player(spec: &str) -> Box<dyn Player<Kalah>> {
    build(&spec.parse().unwrap()).unwrap()
}

fn moves(spec: &str, pos: Kalah) -> Vec<u16> {
    let mut player = player(spec);
    let chosen = (0..200).filter_map(|seed| choose(&mut *player, &Turn::new(pos, 3, seed)));
    let mut moves: Vec<u16> = chosen.map(|mv| mv.0).collect();
    moves.sort_unstable();
    moves.dedup();
    moves
}

/// Games of players without random choices depend only on the opening, those of others do not.
#[test]
fn players_without_random_choices_are_known() {
    let games = |one: &str| (0..12).map(|seed| game(one, one, seed).0).collect::<std::collections::HashSet<_>>().len();
    for text in [
        "random",
        "max",
        "minimax:2",
        "minimax:2:ties=random",
        "heuristic:2",
        "heuristic:2:ties=random",
        "mcts:50",
        "program:figure5-1",
        "a3c",
        "a3c:greedy=yes",
        "mcts:30:net=best",
    ] {
        let is_deterministic = text.parse::<Spec>().unwrap().is_deterministic();
        assert_eq!(games(text) == 1, is_deterministic, "{text}");
    }
    for (text, is_deterministic) in
        [("staged:best", true), ("staged:best:overlap=10", false), ("samuel:2", true), ("samuel:2:ties=random", false)]
    {
        assert_eq!(text.parse::<Spec>().map(|spec| spec.is_deterministic()), Ok(is_deterministic), "{text}");
    }
}

/// Plays a game between two players; each is one object for the whole game.
fn game(south: &str, north: &str, seed: u64) -> (Vec<Move>, i32) {
    let mut players = [player(south), player(north)];
    let mut pos = start();
    let mut played = Vec::new();
    while !pos.is_over() {
        let turn = Turn::new(pos, played.len() as u32, seed);
        let mv = choose(&mut *players[pos.side().index()], &turn).unwrap();
        pos = pos.play(mv);
        played.push(mv);
    }
    (played, pos.margin(Side::South))
}

#[test]
fn a_human_is_not_built() {
    assert!(build::<Kalah>(&Spec::Human).is_err());
    assert!(MoveJob::new(Position::Kalah(start()), &Spec::Human, 0, 1).is_none());
}

#[test]
fn random_plays_everything_legal() {
    assert_eq!(moves("random", start()), [0, 1, 2, 3, 4, 5]);
    assert_eq!(moves("random", kalah("<6,10,10,0,4,0,0,5,0,4,4,4,4,1,2> S")), [1, 4]);
}

#[test]
fn max_takes_the_most() {
    // C reaches the store; E captures nothing.
    assert_eq!(moves("max", start()), [2, 3, 4, 5]);
    // A captures five, D stores one.
    assert_eq!(moves("max", kalah("<6,10,10,1,0,0,3,0,0,4,4,4,4,5,2> S")), [0]);
}

#[test]
fn minimax_plays_the_same_when_asked_again() {
    let mut player = player("minimax:8:ties=random");
    let turn = Turn::new(start(), 0, 5);
    let first = choose(&mut *player, &turn);
    let other = choose(&mut *player, &Turn::new(start().play(Move(0)), 1, 5));
    assert_eq!(choose(&mut *player, &turn), first);
    assert_eq!(choose(&mut *player, &Turn::new(start().play(Move(0)), 1, 5)), other);
    assert_eq!(player.report().unwrap().depth, 8);
}

#[test]
fn games_repeat() {
    for (south, north) in [
        ("heuristic:4:ties=random", "heuristic:8@table3-1"),
        ("minimax:6", "max"),
        ("random", "minimax:4:ties=random"),
        ("minimax:5", "minimax:7"),
    ] {
        assert_eq!(game(south, north, 11), game(south, north, 11));
    }
}

#[test]
fn minimax_beats_max_beats_random() {
    let wins = |south, north| (0..20).filter(|&seed| game(south, north, seed).1 > 0).count();
    assert!(wins("minimax:5", "max") >= 15);
    assert!(wins("max", "random") >= 15);
}

#[test]
fn a_time_limit_is_kept() {
    let mut player = player("minimax:60:ms=300");
    let started = Instant::now();
    let turn = Turn::new(start(), 0, 1);
    assert!(choose(&mut *player, &turn).is_some());
    // Without the limit it would take years; the bound allows for a busy machine.
    assert!(started.elapsed() < Duration::from_secs(30));
    assert!(player.report().unwrap().depth >= 8);
}

#[test]
fn programs_are_players_wherever_players_are_named() {
    let program = |text: &str| text.parse::<Spec>();
    for text in ["program:figure5-1", "program:figure5-2", "program:random:7"] {
        assert_eq!(program(text).unwrap().to_string(), text);
        assert_eq!(game(text, "minimax:3", 1), game(text, "minimax:3", 9));
    }
    // The printed scores, on the board as on paper.
    let mut pos = kalah_empty();
    let mut players = [player("program:figure5-2"), player("minimax:8")];
    let mut ply = 0;
    while !pos.is_over() {
        pos = pos.play(choose(&mut *players[pos.side().index()], &Turn::new(pos, ply, 0)).unwrap());
        ply += 1;
    }
    assert_eq!(pos.seeds(Side::South).store, 41);
    // Boards of other sizes work too.
    let mut pos = Kalah::start("8x3".parse().unwrap());
    while !pos.is_over() {
        let mv = choose(&mut *player("program:figure5-1"), &Turn::new(pos, 0, 0)).unwrap();
        assert!(pos.moves().any(|legal| legal == mv));
        pos = pos.play(mv);
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a:program.txt");
    std::fs::write(&file, "# fitness 1\n(+ 1 (@ 3))\n").unwrap();
    let text = format!("program:{}", file.display());
    assert_eq!(program(&text).unwrap().to_string(), text);
    std::fs::write(&file, "# fitness 1\n(+ 1\n (@ 3)").unwrap();
    assert_eq!(
        program(&text).unwrap_err().to_string(),
        format!("{text}: line 3, column 7: the text ends here; expected ')'")
    );
    assert!(
        program("program")
            .unwrap_err()
            .to_string()
            .starts_with("program takes a file, figure5-1, figure5-2 or random:SEED")
    );
    assert!(
        program("program:nowhere")
            .unwrap_err()
            .to_string()
            .starts_with("program:nowhere: no such file or directory; expected a file, figure5-1")
    );
    assert!(program("program:random:x").unwrap_err().to_string().contains("(got x)"));
}

fn kalah_empty() -> Kalah {
    Kalah::start("6x4:empty".parse().unwrap())
}

#[test]
fn no_one_moves_once_the_game_is_over() {
    let over = kalah("<6,24,24,0,0,0,0,0,0,0,0,0,0,0,0> S");
    for spec in ["random", "max", "minimax:4", "program:figure5-1"] {
        assert_eq!(choose(&mut *player(spec), &Turn::new(over, 0, 1)), None);
        let mut job = MoveJob::new(Position::Kalah(over), &spec.parse().unwrap(), 0, 1).unwrap();
        assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
        assert_eq!(job.view().choice, None);
    }
}

#[test]
fn thinking_is_a_job_that_can_be_cut_and_resumed_again() {
    let spec: Spec = "minimax:12".parse().unwrap();
    let position = "kalah:6x4".parse::<Variant>().unwrap().start();
    let mut whole = MoveJob::new(position, &spec, 0, 1).unwrap();
    assert_eq!(whole.step(Budget::UNLIMITED), Status::Done);

    let seat = Seat::new(position, &spec, &Pool::alone()).unwrap();
    let mut cut = seat.turn(position, Before::default(), 0, 1).unwrap();
    while cut.step(Budget::time(Duration::ZERO)) == Status::Running {
        assert_eq!(cut.view().choice, None);
    }
    assert!(cut.view().choice.is_some());
    assert_eq!(cut.view().choice, whole.view().choice);
    assert_eq!(cut.view().report, whole.view().report);

    let next = position.play(cut.view().choice.unwrap());
    let mut cut = seat.turn(next, Before::default(), 1, 1).unwrap();
    assert_eq!(cut.view().choice, None);
    cut.step(Budget::UNLIMITED);
    let mut fresh = MoveJob::new(next, &spec, 1, 1).unwrap();
    fresh.step(Budget::UNLIMITED);
    assert_eq!(cut.view().choice, fresh.view().choice);
}

#[test]
fn analysing_has_every_move_from_the_start() {
    let mut job = AnalysisJob::new(
        Position::Kalah(start()),
        &Before::default(),
        Question::AlphaBeta { depth: 10, mb: 8, solve: false },
    );
    assert_eq!(job.view().report.lines.len(), 6);
    while job.step(Budget::time(Duration::ZERO)) == Status::Running {
        assert_eq!(job.view().report.lines.len(), 6);
    }
    let view = job.view();
    assert_eq!(view.report.depth, 10);
    assert!(view.report.lines.is_sorted_by_key(|line| -line.margin));
    assert!(view.busy > Duration::ZERO);
}
