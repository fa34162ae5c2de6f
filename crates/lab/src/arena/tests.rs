mod blocks;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::JoinHandle;
use std::time::Duration;

use super::super::budget::{Budget, Job as _, Status};
use super::super::game::{Move, Variant, notation};
use super::super::job::{Rows, Run as _, RunJob, Watched as _};
use super::super::kinds;
use super::super::pool::Pool;
use super::super::settings::KeyedSettings as _;
use super::game::Final;
use super::*;

fn robin(players: &[&str], games: u32) -> Settings {
    let players = players.iter().map(|text| text.parse().unwrap()).collect();
    Settings::round_robin(Variant::usual()[0], players, games, 7)
}

const PLAYERS: [&str; 4] = ["random", "max", "minimax:2:ties=random", "mcts:50"];

/// Returns everything that does not depend on the clock.
fn outcome(tournament: &Tournament) -> Vec<(Score, i64, Option<Verdict>, Vec<PlayedGame>)> {
    let games = tournament.view().games;
    let cells = tournament.standing().iter().enumerate();
    cells.map(|(index, view)| (view.score, view.margins, view.verdict, games.games(index))).collect()
}

/// Returns the number of stored games in all cells.
fn games(view: &View) -> u64 {
    (0..view.cells.len()).map(|cell| view.games.games(cell).len() as u64).sum()
}

fn played(settings: Settings, threads: usize, budget: impl Fn() -> Budget) -> RunJob {
    let mut tournament = RunJob::in_memory(settings, &Pool::new(threads)).unwrap();
    while tournament.step(budget()) == Status::Running {}
    tournament
}

#[test]
fn results_depend_neither_on_threads_nor_on_steps() {
    for stop in [None, Some(Sprt { lower: 0.0, upper: 100.0 })] {
        let settings = Settings { stop, ..robin(&PLAYERS, 20) };
        let whole = played(settings.clone(), 1, || Budget::UNLIMITED);
        let cut = played(settings.clone(), 3, || Budget::time(Duration::ZERO));
        let parallel = played(settings, 4, || Budget::UNLIMITED);
        assert_eq!(outcome(whole.run_as::<Tournament>()), outcome(cut.run_as::<Tournament>()));
        assert_eq!(outcome(whole.run_as::<Tournament>()), outcome(parallel.run_as::<Tournament>()));
        let view = whole.run_as::<Tournament>().view();
        assert!(view.finished && view.done == view.total && view.done == games(&view));
        assert_eq!(view.done < 16 * 20, stop.is_some(), "{} games", view.done);
    }
}

/// Keeps processors busy until it is dropped.
struct BusyLoops(Arc<AtomicBool>, Vec<JoinHandle<()>>);

impl BusyLoops {
    fn start(count: usize) -> BusyLoops {
        let is_over = Arc::new(AtomicBool::new(false));
        let start = |_| {
            let is_over = Arc::clone(&is_over);
            std::thread::spawn(move || while !is_over.load(Relaxed) {})
        };
        BusyLoops(Arc::clone(&is_over), (0..count).map(start).collect())
    }
}

impl Drop for BusyLoops {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
        self.1.drain(..).for_each(|thread| _ = thread.join());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn processor_time_is_the_same_on_a_busy_machine() {
    let games = |players: &[&str], pairs: &str| {
        let mut settings = Settings { variant: "oware".parse().unwrap(), ..robin(players, 2) };
        for (key, value) in [("pairs", pairs), ("time", "processor")] {
            settings.set(key, value).unwrap();
        }
        played(settings, 1, || Budget::UNLIMITED)
    };
    let limited = ["minimax:4", "minimax:5"];
    let alone = games(&limited, "1-2 2-1");
    let (beside, timed) = {
        let _busy = BusyLoops::start(4);
        (games(&limited, "1-2 2-1"), games(&["mcts:ms=8"], "1-1"))
    };
    assert_eq!(outcome(alone.run_as::<Tournament>()), outcome(beside.run_as::<Tournament>()));
    // The only legal move takes no time.
    let view = timed.run_as::<Tournament>().view();
    let mut turns = [0; 2];
    for game in view.games.games(0) {
        let mut record = game.record(view.settings.variant, Default::default()).unwrap();
        record.to_start();
        let mut ply = 0;
        while !record.is_at_end() {
            turns[ply % 2] += u32::from(ply >= 2 && record.position().moves().len() > 1);
            record.forward();
            ply += 1;
        }
    }
    // A third of the processors is left to the player: wall time would give it 3 ms.
    let [first, second] = [0, 1].map(|seat| view.cells[0].time[seat].as_secs_f64() * 1e3 / f64::from(turns[seat]));
    assert!((first / second - 1.0).abs() < 0.05 && (7.0..10.0).contains(&first), "{first} and {second} ms");
}

#[test]
fn a_player_that_cannot_move_ends_the_tournament_with_the_reason() {
    let run = played(robin(&["max", "engine:\"/no/such/program\""], 2), 2, || Budget::time(Duration::from_millis(5)));
    let error = run.error().unwrap().to_string();
    assert!(run.is_halted() && error.contains("engine:\"/no/such/program\" exited with status 127"), "{error}");
    assert!(!run.run_as::<Tournament>().view().finished);
}

#[test]
fn a_stop_is_reported_and_ends_both_cells() {
    let settings = Settings { stop: Some(Sprt { lower: 0.0, upper: 100.0 }), ..robin(&["random", "minimax:3"], 200) };
    let view = played(settings, 2, || Budget::UNLIMITED).run_as::<Tournament>().view();
    let verdict = |first, second| view.cell(first, second).unwrap().verdict;
    assert_eq!((verdict(0, 1), verdict(1, 0)), (Some(Verdict::Lower), Some(Verdict::Lower)));
    assert_eq!((verdict(0, 0), view.cell(0, 0).unwrap().score.games()), (None, 200));
    assert!(view.cell(0, 1).unwrap().score.games() < 60);
}

/// An independent computation of the test from the games' margins, round by round: it is decided after the last
/// round played, not earlier.
#[test]
fn a_stop_falls_where_a_plain_computation_shows_also_where_orders_have_other_numbers() {
    for pairs in ["1-2 2-1", "2-1:12 1-2", "1-2"] {
        let stop = Sprt { lower: 0.0, upper: 60.0 };
        let settings =
            Settings { stop: Some(stop), pairs: pairs.parse().unwrap(), ..robin(&["max", "minimax:2"], 2000) };
        let view = played(settings, 2, || Budget::UNLIMITED).run_as::<Tournament>().view();
        let points = |first, second| {
            let cell = view.index(first, second);
            let games = cell.map(|cell| view.games.games(cell)).unwrap_or_default();
            games.iter().map(|kept| f64::from(kept.end.margin.signum() + 1) / 2.0).collect::<Vec<f64>>()
        };
        let own = points(0, 1);
        let other = points(1, 0);
        let [low, high] = [0.0, 60.0].map(|elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0)));
        let ratio = |trials: &[f64]| {
            let n = trials.len().max(1) as f64;
            let mean = trials.iter().sum::<f64>() / n;
            let variance = (trials.iter().map(|share| (share - mean).powi(2)).sum::<f64>() + 0.5) / n;
            trials.iter().map(|share| (share - low).powi(2) - (share - high).powi(2)).sum::<f64>() / (2.0 * variance)
        };
        let mut both = Vec::new();
        let mut alone = Vec::new();
        for round in 0..own.len() {
            match other.get(round) {
                Some(points) => both.push((own[round] + 1.0 - points) / 2.0),
                None => alone.push(own[round]),
            }
            let decided = (ratio(&both) + ratio(&alone)).abs() >= 19f64.ln() && 2 * both.len() + alone.len() >= 16;
            assert_eq!(decided, round + 1 == own.len(), "{pairs}, round {round} of {}", own.len());
        }
        assert!(view.cells.iter().all(|view| view.verdict.is_some()) && own.len() < 2000, "{pairs}");
    }
}

/// Rows with another rule for early stops.
#[test]
fn rows_that_were_stopped_elsewhere_are_refused_by_a_clear_word() {
    let settings = Settings { stop: Some(Sprt { lower: 0.0, upper: 100.0 }), ..robin(&["random", "minimax:3"], 200) };
    let stopped = played(settings.clone(), 2, || Budget::UNLIMITED);
    let cells = stopped.run_as::<Tournament>().view().cells.len();
    let never = played(Settings { stop: None, ..settings.clone() }, 2, || Budget::UNLIMITED);
    let last = stopped.run_as::<Tournament>().view().cell(0, 1).unwrap().score.games() as usize;
    let mut seen = FromRows::new(settings.clone());
    (0..last).for_each(|round| seen.row(&stopped.run_as::<Tournament>().row(round)).unwrap());
    let error = seen.row(&never.run_as::<Tournament>().row(last)).unwrap_err();
    let wanted = format!("round {last} has a game of player 1 against 2, which the early stop ends before: ");
    assert!(error.to_string().starts_with(&wanted) && error.to_string().ends_with("start a new tournament"), "{error}");
    let mut seen = FromRows::new(settings);
    let error = seen.row(&format!("0,{}", vec!["-"; cells].join(" "))).unwrap_err();
    assert!(error.to_string().contains("round 0 has no game of player 1 against 1"), "{error}");
}

#[test]
fn a_view_shows_who_is_strong_and_how_long_it_takes() {
    let view = played(robin(&PLAYERS, 30), 2, || Budget::UNLIMITED).run_as::<Tournament>().view();
    let (ratings, _) = view.ratings();
    assert!(ratings[0].elo < ratings[1].elo && ratings[1].elo < ratings[2].elo);
    assert!(ratings.iter().all(|rating| rating.plus_minus > 0.0 && rating.plus_minus < 200.0));
    assert!(view.sample(0).share() < 0.3 && view.sample(2).share() > 0.5);
    assert!(view.time_a_move(3) > view.time_a_move(0));
    assert!(view.cell(2, 0).unwrap().mean_margin() > 5.0);
    assert_eq!(view.sample(0).games(), 2 * 3 * 30);
    assert!(view.seconds_left().is_some_and(|left| left == 0.0));
}

#[test]
fn a_game_can_be_opened_and_its_players_play_it_again() {
    let view = played(robin(&PLAYERS, 3), 2, || Budget::UNLIMITED).run_as::<Tournament>().view();
    for (index, cell) in view.cells.iter().enumerate() {
        let kept = view.games.games(index);
        assert_eq!(kept.iter().map(|kept| kept.number).collect::<Vec<_>>(), [0, 1, 2]);
        for kept in &kept {
            let record = view.record(kept).unwrap();
            assert_eq!(record.players[0], view.players[cell.cell.first]);
            let [south, north] = record.position_at(record.end()).board().counts();
            assert!(record.result().is_some());
            assert_eq!(i32::from(south) - i32::from(north), kept.end.margin);
            assert_eq!(notation::read(&notation::write(&record)).unwrap().line(), record.line());
            // The same players with the game's seed choose the same moves again.
            let mut pos = *record.start();
            for (ply, &mv) in (0..).zip(&kept.moves) {
                let seat = pos.side().index();
                if ply >= kept.opening {
                    let spec = record.players[seat].parse().unwrap();
                    let mut thinking = crate::player::MoveJob::new(pos, &spec, ply, record.seed.unwrap()).unwrap();
                    thinking.step(Budget::UNLIMITED);
                    assert_eq!(thinking.view().choice, Some(mv));
                }
                pos = pos.play(mv);
            }
        }
    }
}

#[test]
fn openings_are_the_same_in_every_cell() {
    let view = played(robin(&["random", "max"], 5), 2, || Budget::UNLIMITED).run_as::<Tournament>().view();
    let openings = |cell| view.games.games(cell).iter().map(|kept| kept.moves[..2].to_vec()).collect::<Vec<_>>();
    assert!((1..4).all(|cell| openings(cell) == openings(0)));
    let seeds: std::collections::HashSet<u64> =
        (0..4).flat_map(|cell| view.games.games(cell)).map(|kept| kept.seed).collect();
    assert_eq!(seeds.len(), 20);
}

/// Short names omit settings shared by all players of a kind, but never distinguishing ones or the search effort.
#[test]
fn names_are_as_short_as_they_can_be() {
    let names = |players: &[&str]| {
        played(Settings { games: 1, ..robin(players, 1) }, 1, || Budget::UNLIMITED)
            .run_as::<Tournament>()
            .view()
            .names()
    };
    assert_eq!(names(&["minimax:1:ms=1", "mcts:4:eps=0.9"]), ["minimax:1:ms=1", "mcts:4"]);
    assert_eq!(names(&["mcts:4:eps=0.9", "mcts:4:eps=0.5"]), ["mcts:4:eps=0.9", "mcts:4:eps=0.5"]);
    assert_eq!(names(&["minimax:1:ties=random", "minimax:2"]), ["minimax:1:ties=random", "minimax:2"]);
    assert_eq!(names(&["max", "max"]), ["max", "max"]);
}

/// Returns all files of a tournament, and how it ended.
fn on_disk(folder: &std::path::Path) -> String {
    std::fs::read_to_string(folder.join("generations.csv")).unwrap()
}

#[test]
fn a_tournament_that_was_cut_short_leaves_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    let cut = folder.path().join("cut");
    let settings = Settings { stop: Some(Sprt { lower: 0.0, upper: 100.0 }), ..robin(&PLAYERS, 20) };
    let mut one = RunJob::create(&whole, settings.clone(), &Pool::default()).unwrap();
    assert_eq!(one.step(Budget::UNLIMITED), Status::Done);
    let mut other = RunJob::create(&cut, settings, &Pool::default()).unwrap();
    for _ in 0..3 {
        other.step(Budget::UNLIMITED.single());
    }
    drop(other);
    let (mut resumed, notes) = kinds::resume(&cut, &Pool::default()).unwrap();
    assert_eq!((resumed.run_as::<Tournament>().generation(), notes.len()), (Some(2), 0));
    assert!(resumed.run_as::<Tournament>().view().time_a_move(3) > Some(Duration::ZERO));
    assert_eq!(resumed.step(Budget::UNLIMITED), Status::Done);
    assert_eq!(on_disk(&whole), on_disk(&cut));
    assert_eq!(outcome(one.run_as::<Tournament>()), outcome(resumed.run_as::<Tournament>()));
    assert!(std::fs::read_to_string(whole.join("best.txt")).unwrap().starts_with("# "));
}

#[test]
fn who_watches_sees_what_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = RunJob::create(folder.path(), robin(&PLAYERS, 5), &Pool::default()).unwrap();
    run.step(Budget::UNLIMITED);
    let watching = kinds::watch(folder.path()).unwrap();
    assert!(watching.is_finished());
    let seen = watching.seen().get::<FromRows>().unwrap().view();
    let own = run.run_as::<Tournament>().view();
    let scores = |view: &View| view.cells.iter().map(|view| (view.score, view.margins, view.turns)).collect::<Vec<_>>();
    assert_eq!(scores(&seen), scores(&own));
    assert!((0..16).all(|cell| seen.games.games(cell) == own.games.games(cell)));
    assert!(seen.finished && seen.games_per_second() > 0.0);
    // Invalid times do not stop a watcher.
    let odd = "0,1.8e19,18446744073709551615:4294967295:18446744073709551615:1";
    let mut seen = FromRows::new(watching.settings().get::<Settings>().unwrap().clone());
    (0..3).for_each(|_| seen.timing(odd));
    assert!(seen.view().time_a_move(0).is_some());
    drop((run, watching));
    let path = folder.path().join("generations.csv");
    let rows = std::fs::read_to_string(&path).unwrap();
    let third = rows.lines().nth(3).unwrap();
    std::fs::write(&path, rows.replace(third, "2,x")).unwrap();
    let error = kinds::watch(folder.path()).err().unwrap();
    assert!(error.to_string().contains("generations.csv, line 4: '2,x…' is not round 2"), "{error}");
}

#[test]
fn rows_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = RunJob::create(folder.path(), robin(&["random", "max"], 3), &Pool::default()).unwrap();
    run.step(Budget::UNLIMITED);
    drop(run);
    let path = folder.path().join("generations.csv");
    let rows = std::fs::read_to_string(&path).unwrap();
    let spoilt = rows.replacen("0,", "0,x", 1);
    std::fs::write(&path, spoilt).unwrap();
    let error = kinds::resume(folder.path(), &Pool::default()).err().unwrap();
    assert!(
        error.to_string().contains("generations.csv, line 2: '0,x") && error.to_string().contains("is not round 0"),
        "{error}"
    );
    // A margin that contradicts the moves.
    let margin = rows.split([',', ':']).nth(2).unwrap();
    std::fs::write(&path, rows.replacen(&format!("{margin}:"), "49:", 1)).unwrap();
    let error = kinds::resume(folder.path(), &Pool::default()).err().unwrap();
    assert!(
        error.to_string().contains("line 2: the moves of player 1 against 1 do not end with the margin of '49:"),
        "{error}"
    );
    // Missing moves.
    let moves = rows.split([' ', ',']).nth(2).unwrap();
    std::fs::write(&path, rows.replacen(moves, margin, 1)).unwrap();
    let error = kinds::resume(folder.path(), &Pool::default()).err().unwrap();
    assert!(error.to_string().contains("do not end with the margin of"), "{error}");
    std::fs::write(&path, &rows).unwrap();
    let run = folder.path().join("run.toml");
    let text = std::fs::read_to_string(&run).unwrap();
    std::fs::write(&run, text.replace("games = 3", "games = 4")).unwrap();
    let error = kinds::resume(folder.path(), &Pool::default()).err().unwrap();
    assert!(error.to_string().contains("`generations` is 2, but must be 3 for these games"), "{error}");
}

/// When all cells are decided, nothing more is played or written.
#[test]
fn a_tournament_that_is_decided_ends() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings {
        pairs: Pairs::only([(0, 1), (1, 0)]),
        stop: Some(Sprt { lower: 0.0, upper: 100.0 }),
        ..robin(&["random", "minimax:3"], 100_000)
    };
    let mut run = RunJob::create(folder.path(), settings, &Pool::default()).unwrap();
    assert_eq!(run.step(Budget::UNLIMITED), Status::Done);
    let rows = on_disk(folder.path()).lines().count();
    assert!(rows < 100, "{rows} rows");
    let view = run.run_as::<Tournament>().view();
    assert!(view.finished && view.done == view.total);
    drop(run);
    assert!(kinds::watch(folder.path()).unwrap().is_finished());
    let parent = folder.path().parent().unwrap();
    let entry = crate::job::run_dir::list(parent).into_iter().find(|entry| entry.folder == folder.path()).unwrap();
    assert_eq!(entry.state, crate::job::run_dir::EntryState::Finished);
    let (mut again, notes) = kinds::resume(folder.path(), &Pool::default()).unwrap();
    assert_eq!((again.step(Budget::UNLIMITED), notes.len()), (Status::Done, 0));
    assert_eq!(on_disk(folder.path()).lines().count(), rows);
}

/// A tournament resumes only if its players' files are unchanged.
#[test]
fn a_players_file_that_was_changed_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let weights = folder.path().join("weights.toml");
    let write = |w4: &str| {
        let ten: crate::player::heuristic::Weights = format!("1,1,1,{w4},1,1,1,1,1,1").parse().unwrap();
        std::fs::write(&weights, ten.file_text(&[])).unwrap();
    };
    write("1.0");
    let run = folder.path().join("run");
    let player = format!("heuristic:2@{}", weights.display());
    let mut job = RunJob::create(&run, robin(&["random", &player], 3), &Pool::default()).unwrap();
    job.step(Budget::UNLIMITED.single());
    drop(job);
    kinds::resume(&run, &Pool::default()).unwrap();
    write("0.25");
    // It cannot be resumed, but can be viewed.
    assert!(kinds::watch(&run).is_ok());
    let error = kinds::resume(&run, &Pool::default()).err().unwrap();
    assert!(error.to_string().contains("the file of player 2 has changed"), "{error}");
    write("1.0");
    let (mut job, _) = kinds::resume(&run, &Pool::default()).unwrap();
    assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
    drop(job);
    write("0.25");
    // A finished tournament has nothing to play.
    assert!(kinds::resume(&run, &Pool::default()).is_ok());
    let comma = folder.path().join("a,b.toml");
    std::fs::copy(&weights, &comma).unwrap();
    let error = robin(&["random", &format!("heuristic:2@{}", comma.display())], 3).check().unwrap_err();
    assert!(error.to_string().contains("a comma in a file's name"), "{error}");
}

/// The first checkpoints of tournaments did not contain files.
#[test]
fn a_checkpoint_without_files_is_read() {
    let settings = robin(&["random", "max"], 2);
    let whole = played(settings.clone(), 1, || Budget::UNLIMITED);
    let state = whole.run_as::<Tournament>().save(&Pool::alone());
    let rows: Vec<String> = (0..2).map(|round| whole.run_as::<Tournament>().row(round)).collect();
    let text = state.len() - 1 - "none".len();
    for state in [&state[..], &state[..text]] {
        let restored = Tournament::restore(settings.clone(), state, Rows::in_memory(&rows)).unwrap();
        assert_eq!(outcome(&restored), outcome(whole.run_as::<Tournament>()));
    }
    assert!(Tournament::restore(settings, &state[..text - 1], Rows::in_memory(&rows)).is_err());
}

/// The final margin is the value of the start, minus what one side's moves lose, plus what the other's do.
#[test]
fn losses_explain_the_margin() {
    let variant = "kalah:3x3:standard".parse().unwrap();
    let players = robin(&["random", "minimax:2:ties=random", "perfect"], 4);
    let settings = Settings { variant, opening: 0.into(), losses: true, ..players };
    let whole = played(settings.clone(), 1, || Budget::UNLIMITED);
    let cut = played(settings.clone(), 2, || Budget::time(Duration::ZERO));
    assert_eq!(outcome(whole.run_as::<Tournament>()), outcome(cut.run_as::<Tournament>()));
    let view = whole.run_as::<Tournament>().view();
    for cell in 0..view.cells.len() {
        for kept in view.games.games(cell) {
            let [own, other] = kept.end.lost.unwrap().map(|lost| lost as i32);
            assert_eq!(kept.end.margin, 2 - own + other);
        }
    }
    let lost = [0, 1, 2].map(|player| view.lost_a_game(player).unwrap());
    assert!(lost[0] > lost[1] && lost[1] > lost[2] && lost[2] == 0.0, "{lost:?}");
    let rows: Vec<String> = (0..4).map(|round| whole.run_as::<Tournament>().row(round)).collect();
    let restored =
        Tournament::restore(settings, &whole.run_as::<Tournament>().save(&Pool::alone()), Rows::in_memory(&rows))
            .unwrap();
    assert_eq!(restored.view().lost_a_game(0), Some(lost[0]));
    for text in ["4/", "4/1", "4/01/2", "4/1/2/3", "4/-1/2"] {
        assert_eq!(Final::parse(text), None, "{text}");
    }
}

/// All encodings of moves are decoded correctly.
#[test]
fn moves_come_back_from_their_code() {
    let settings = robin(&["random"], 1);
    let cell = settings.cells()[0];
    let view = played(settings.clone(), 1, || Budget::UNLIMITED).run_as::<Tournament>().view();
    let kept = &view.games.games(0)[0];
    assert!(kept.code().bytes().all(|letter| (b'a'..=b'f').contains(&letter)));
    let wide = PlayedGame { moves: [0, 61, 62, 255, 256, 4711].map(Move).into(), ..kept.clone() };
    assert_eq!(wide.code(), "a9~3e~ff~~0100~~1267");
    assert_eq!(PlayedGame::decode(&settings, (0, cell), 0, kept.end, &wide.code()).unwrap().moves, wide.moves);
    // Kalah has no pit with this number.
    assert_eq!(view.record(&wide), None);
    assert_eq!(PlayedGame::decode(&settings, (0, cell), 0, kept.end, "a~3"), None);
    assert_eq!(PlayedGame::decode(&settings, (0, cell), 0, kept.end, "?"), None);
    assert_eq!(PlayedGame::decode(&settings, (0, cell), 0, kept.end, "~~012"), None);
}

fn duel(players: [&str; 2], games: u32, opening: u32) -> Option<Tally> {
    duel_by(&Pool::default(), players, games, opening)
}

fn duel_by(pool: &Pool, players: [&str; 2], games: u32, opening: u32) -> Option<Tally> {
    let players = players.map(|text| text.parse().unwrap());
    Match { variant: Variant::usual()[0], players, games, opening, seed: 3 }.play(pool, &mut |_| ())
}

#[test]
fn the_stronger_wins_from_either_seat() {
    let tally = duel(["minimax:4", "random"], 40, 2).unwrap();
    assert_eq!((tally.first.games(), tally.second.games()), (20, 20));
    assert!(tally.first.share() > 0.85 && tally.second.share() > 0.85, "{tally:?}");
    let turned = duel(["random", "minimax:4"], 40, 2).unwrap();
    assert!(turned.all().share() < 0.15);
    assert_eq!(duel(["human", "random"], 2, 0), None);
}

#[test]
fn a_match_does_not_depend_on_threads() {
    let played = |threads| duel_by(&Pool::new(threads), ["heuristic:2:ties=random", "max"], 30, 2);
    assert!(played(1).is_some());
    assert_eq!(played(1), played(4));
}

#[test]
fn without_chance_all_games_of_a_seat_are_the_same() {
    let tally = duel(["minimax:3", "minimax:2"], 10, 0).unwrap();
    for score in [tally.first, tally.second] {
        assert!([score.wins, score.draws, score.losses].contains(&5));
    }
}
