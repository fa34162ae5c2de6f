//! Every step of every run returns soon after its budget is spent, however long players think, and no result depends on
//! budgets or the number of threads.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use mancalab::arena::{Settings as ArenaSettings, Tournament};
use mancalab::budget::{Budget, Job as _, Status};
use mancalab::evolve::checkers::CheckersWeights;
use mancalab::evolve::ga::Task as _;
use mancalab::evolve::kalah::Settings as KalahSettings;
use mancalab::evolve::kalah::weights::{WeightsSettings, preset};
use mancalab::evolve::othello::Settings as OthelloSettings;
use mancalab::game::Variant;
use mancalab::job::{Progress, RunJob, RunSettings};
use mancalab::kinds;
use mancalab::pool::Pool;
use mancalab::settings::KeyedSettings as _;
use mancalab::train;

/// Upper limit for a step, for a busy machine and a debug build. Code that ignored its budget took minutes, or never
/// returned.
const SOON: Duration = Duration::from_secs(5);

/// Runs `work` and checks its duration.
fn soon<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let done = work();
    assert!(began.elapsed() < SOON, "{what} took {:?}", began.elapsed());
    done
}

/// A run without progress: it is started, stepped, viewed, saved, restored and stepped again, each in time.
fn comes_back(what: &str, settings: impl Into<Box<dyn RunSettings>>) {
    let settings = settings.into();
    let (done, is_done) = std::sync::mpsc::channel();
    let output = what.to_owned();
    // On a separate thread, so that a call that never returns fails the test instead of blocking it.
    let thread = std::thread::spawn(move || {
        for_a_while(&output, settings);
        done.send(()).unwrap();
    });
    if let Err(std::sync::mpsc::RecvTimeoutError::Timeout) = is_done.recv_timeout(24 * SOON) {
        panic!("{what}: it does not return");
    }
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

fn for_a_while(what: &str, settings: Box<dyn RunSettings>) {
    let folder = tempfile::tempdir().unwrap();
    let steps = |job: &mut RunJob| {
        for _ in 0..20 {
            let status = soon(what, || job.step(Budget::time(Duration::from_millis(5))));
            assert_eq!((status, job.run().generation()), (Status::Running, None), "{what}");
            soon(what, || drop(job.view()));
        }
        soon(what, || job.rest());
    };
    let mut job = soon(what, || RunJob::create(folder.path(), settings, &Pool::default()).unwrap());
    steps(&mut job);
    soon(what, || drop(job));
    let (mut job, notes) = soon(what, || kinds::resume(folder.path(), &Pool::default()).unwrap());
    assert!(notes.is_empty(), "{what}: {notes:?}");
    steps(&mut job);
}

fn bred_against(opponents: &[&str]) -> KalahSettings {
    let mut settings = KalahSettings::preset("mancala-gp-1").unwrap();
    settings.opponents = opponents.iter().map(|opponent| opponent.parse().unwrap()).collect();
    settings
}

fn valued_against(opponents: &str) -> OthelloSettings {
    let mut settings = OthelloSettings::preset("othello-gp-50-staged").unwrap();
    settings.set_text(&format!("opponents={opponents}")).unwrap();
    settings
}

fn tuned(changes: &[(&str, &str)]) -> WeightsSettings {
    let mut settings = preset("kalah-thesis").unwrap();
    changes.iter().for_each(|(key, value)| settings.set(key, value).unwrap());
    settings
}

fn met(variant: &str, players: &[&str], games: u32) -> ArenaSettings {
    let players = players.iter().map(|player| player.parse().unwrap()).collect();
    ArenaSettings::round_robin(variant.parse::<Variant>().unwrap(), players, games, 1)
}

#[test]
fn breeding_against_an_opponent_that_thinks_for_ever_comes_back() {
    for opponents in [&["minimax:40"][..], &["mcts:10000000"], &["heuristic:20"], &["max", "minimax:40:ties=random"]] {
        comes_back(&format!("{opponents:?}"), bred_against(opponents));
    }
}

#[test]
fn breeding_functions_against_an_opponent_that_thinks_for_ever_comes_back() {
    for opponents in ["minimax:40", "mcts:10000000", "staged:( white ):depth=20", "random,minimax:40"] {
        comes_back(opponents, valued_against(opponents));
    }
    // No player thinks long, but all together do.
    let mut settings = valued_against("random");
    settings.set_text("games=100000").unwrap();
    comes_back("many games", settings);
}

#[test]
fn tuning_deep_searches_comes_back() {
    for game in ["6x4", "8x12"] {
        comes_back(game, tuned(&[("depth", "12"), ("game", game)]));
    }
}

#[test]
fn training_against_an_opponent_that_thinks_for_ever_comes_back() {
    for opponents in ["minimax:40", "mcts:10000000", "9*self,heuristic:20"] {
        let mut settings = train::preset("a3c-mixed").unwrap();
        settings.set("opponents", opponents).unwrap();
        comes_back(opponents, settings);
    }
    let mut settings = train::preset("a3c-mixed").unwrap();
    [("rounds", "1"), ("panel", "minimax:40"), ("panel_every", "1"), ("opponents", "random")]
        .iter()
        .for_each(|(key, value)| settings.set(key, value).unwrap());
    comes_back("the panel", settings);
}

#[test]
fn tuning_deep_searches_of_checkers_comes_back() {
    for contest in ["knockout", "round-robin"] {
        let mut settings = CheckersWeights::preset("checkers-ga").unwrap();
        for (key, value) in [("depth", "12"), ("contest", contest), ("games", "2"), ("opening", "2"), ("quiet", "true")]
        {
            settings.set(key, value).unwrap();
        }
        comes_back(contest, settings);
    }
}

#[test]
fn a_tournament_of_those_who_think_for_ever_comes_back() {
    let players = ["heuristic:20", "mcts:10000000", "minimax:60"];
    for game in ["kalah:6x4", "kalah:8x12"] {
        comes_back(game, met(game, &players, 2));
    }
}

/// Returns the rows and the result of a whole run.
fn output(settings: &dyn RunSettings, threads: usize, budget: Option<Duration>) -> (Vec<String>, String) {
    let mut run = settings.start().unwrap();
    let pool = Pool::new(threads);
    let mut rows = Vec::new();
    loop {
        match run.advance(&pool, budget.map_or(Budget::UNLIMITED, Budget::time)) {
            Progress::Working => {}
            Progress::Generation(row) => rows.push(row.values),
            Progress::Done => return (rows, run.best()),
            Progress::Halted(reason) => panic!("{reason}"),
        }
    }
}

/// Checks that a run's result does not depend on budgets and threads.
fn is_told_alike(settings: impl Into<Box<dyn RunSettings>>) {
    let settings = settings.into();
    let whole = output(&*settings, 1, None);
    assert!(!whole.0.is_empty());
    let cuts = [(1, Some(Duration::ZERO)), (2, None), (2, Some(Duration::from_millis(5))), (4, Some(Duration::ZERO))];
    for (threads, budget) in cuts {
        let cut = output(&*settings, threads, budget);
        assert!(cut == whole, "{threads} threads, a budget of {budget:?}: {cut:?}\n{whole:?}");
    }
}

#[test]
fn what_is_bred_does_not_show_how_the_replies_were_cut() {
    let mut settings = bred_against(&["minimax:9", "minimax:5:ties=random", "mcts:80", "heuristic:7", "2*programs:3"]);
    settings.tableau.population = 24;
    settings.tableau.generations = 3;
    is_told_alike(settings);
}

#[test]
fn what_functions_are_bred_does_not_show_how_the_games_were_cut() {
    let mut settings = valued_against("random,minimax:4,mcts:20,staged:( white ):depth=3,champions:2");
    (settings.tableau.population, settings.tableau.generations, settings.games) = (8, 2, 10);
    is_told_alike(settings);
}

#[test]
fn what_is_tuned_does_not_show_how_the_games_were_cut() {
    // Budgets that interrupt between games, between moves, and within a move between two checks of the clock.
    for depth in ["3", "5", "7"] {
        for chance in [("ties", "random"), ("ties", "first")] {
            let games = if depth == "7" { "1" } else { "2" };
            let opening = if chance.1 == "first" { "0" } else { "2" };
            is_told_alike(tuned(&[
                ("population", "4"),
                ("generations", "1"),
                ("depth", depth),
                ("games", games),
                ("opening", opening),
                chance,
            ]));
        }
    }
}

#[test]
fn a_tournament_does_not_show_how_its_games_were_cut() {
    let players = ["minimax:9", "heuristic:7", "mcts:80", "random"];
    is_told_alike(met("kalah:6x4", &players, 2));
}

/// Returns the games that simultaneous runs play within a moment, each stepped by its own thread as by a worker.
fn played_at_once(pool: &Pool, runs: usize) -> Vec<u64> {
    let until = Instant::now() + Duration::from_millis(1500);
    let play = |_| {
        let settings = met("kalah:6x4", &["heuristic:4:ties=random", "minimax:4:ties=random"], 100_000);
        let mut job = RunJob::in_memory(settings, pool).unwrap();
        move || {
            while Instant::now() < until {
                assert_eq!(job.step(Budget::time(Duration::from_millis(50))), Status::Running);
            }
            job.run_as::<Tournament>().view().done
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..runs).map(|run| scope.spawn(play(run))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn runs_at_the_same_time_share_the_pool_fairly() {
    for pool in [1, 2].map(Pool::new) {
        let played = played_at_once(&pool, 3);
        let least = *played.iter().min().unwrap();
        let most = *played.iter().max().unwrap();
        assert!(least > 0 && 3 * least > most, "{pool:?}: {played:?}");
    }
}

/// `mancalab` with its output as it is written; killed on drop.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a run with JSON output, lets it work for a moment and stops it, which must be quick; returns its last line.
fn ended(state: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mancalab"));
    command.env("XDG_STATE_HOME", state).env("XDG_CONFIG_HOME", state.join("config")).args(arguments);
    let mut running = Running(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
    let mut out = BufReader::new(running.0.stdout.take().unwrap());
    let mut text = String::new();
    // It handles signals once it has written its first line.
    out.read_line(&mut text).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let pid = rustix::process::Pid::from_child(&running.0);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    let began = Instant::now();
    while running.0.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < 2 * SOON, "{arguments:?} does not end");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(running.0.wait().unwrap().code(), Some(143), "{arguments:?}");
    assert!(text.contains("\"begin\""), "{arguments:?}: {text}");
    out.lines().last().unwrap_or_else(|| panic!("{arguments:?} prints nothing at its end")).unwrap()
}

#[test]
fn runs_that_think_for_ever_end_when_they_are_reported_to() {
    let state = tempfile::tempdir().unwrap();
    let runs: [(&str, &[&str]); 4] = [
        ("evolve", &["mancala-gp-1", "--set", "opponents=[\"minimax:40\"]"]),
        ("evolve", &["mancala-gp-1", "--set", "opponents=[\"mcts:1000000\"]"]),
        ("tune", &["kalah-thesis", "--set", "depth=12"]),
        ("match", &["--players", "heuristic:20,mcts:10000000,minimax:60"]),
    ];
    for (number, (command, arguments)) in runs.into_iter().enumerate() {
        let folder = state.path().join(number.to_string());
        let folder = folder.to_str().unwrap();
        let rounds: &[&str] = if command == "match" { &["--rounds"] } else { &[] };
        let begin = [&[command, "--json"][..], rounds, arguments, &["--seed", "1", "--out", folder]].concat();
        let resume = [&[command, "--json"][..], rounds, &["--resume", folder]].concat();
        for way in [&begin[..], &resume] {
            let text = ended(state.path(), way);
            assert!(text.contains("\"end\"") && text.contains("\"finished\":false"), "{way:?}: {text}");
        }
    }
}
