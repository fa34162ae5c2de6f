//! Tests that the network learns.

use super::*;
use crate::kinds;

#[test]
fn it_learns_to_beat_random_play() {
    let settings = settings(&[
        ("game", "kalah:4x3:standard"),
        ("encoding", "outlook"),
        ("opponents", "random"),
        ("generations", "14"),
        ("rounds", "15"),
        ("steps", "32"),
        ("hidden", "16"),
        ("rate", "0.01"),
        ("panel_games", "40"),
        ("panel", "random"),
        ("panel_every", "10"),
    ]);
    let (rows, _) = rows(&settings, 2, || Budget::UNLIMITED);
    let won = |row: &String| row.split(',').nth(7).unwrap().parse::<f64>().unwrap();
    let games = |row: &String| row.split(',').nth(1).unwrap().parse::<u64>().unwrap();
    assert!(games(&rows[0]) > 50 && games(&rows[14]) > 500, "{rows:#?}");
    assert!(won(&rows[14]) > 80.0 && won(&rows[14]) > won(&rows[0]) + 10.0, "{rows:#?}");
}

/// The numbers are not reproducible, but the training learns, ends, and can be stopped and resumed.
#[test]
fn workers_that_wait_for_no_one_learn_too_and_are_marked() {
    let changes = [
        ("schedule", "free"),
        ("game", "kalah:4x3:standard"),
        ("encoding", "outlook"),
        ("opponents", "random,max"),
        ("generations", "9"),
        ("workers", "5"),
        ("rounds", "12"),
        ("steps", "32"),
        ("hidden", "16"),
        ("rate", "0.01"),
        ("panel_every", "10"),
    ];
    let settings = settings(&changes);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("free");
    let mut job = RunJob::create(&path, settings.clone(), &Pool::new(3)).unwrap();
    job.step(Budget::UNLIMITED.single());
    // In the middle of the second generation.
    job.step(Budget::time(Duration::ZERO));
    drop(job);
    let (mut job, notes) = kinds::resume(&path, &Pool::new(2)).unwrap();
    assert_eq!(notes, [""; 0]);
    while !job.run_as::<Training>().is_over() {
        job.step(Budget::time(Duration::from_millis(1)));
    }
    let view = job.run_as::<Training>().view();
    assert!(!view.is_reproducible() && view.past.len() == 10);
    // Every worker has contributed to every generation: a gradient consists of 32 decisions or a few more.
    let decisions: Vec<u64> = view.past.iter().map(|past| past.decisions).collect();
    assert!(decisions.iter().zip(1..).all(|(all, nth)| *all == nth * 5 * 12 * 32), "{decisions:?}");
    assert!(view.past[9].won > view.past[0].won + 10.0 && view.past.iter().all(|past| past.gradient > 0.0));
    drop(job);
    let text = |name: &str| fs::read_to_string(path.join(name)).unwrap();
    let run = text("run.toml");
    assert!(
        run.contains("\nreproducible = false\n") && run.contains("gives another generations.csv each time"),
        "{run}"
    );
    assert!(text("best.txt").contains("not reproducible"));
    // The mark and the setting must agree.
    for changed in [run.replace("reproducible = false\n", ""), run.replace("\"free\"", "\"fixed\"")] {
        fs::write(path.join("run.toml"), changed).unwrap();
        let refused = kinds::resume(&path, &Pool::alone()).map(|_| ()).unwrap_err().to_string();
        assert!(refused.contains("`reproducible = false`"), "{refused}");
    }
}

#[test]
fn a_player_of_the_panel_is_seen_however_it_takes_equally_good_moves() {
    let settings = preset("a3c-mixed").unwrap();
    let view = Training::start(settings).unwrap().view();
    let is_seen = |text: &str| view.is_seen(&text.parse().unwrap());
    for seen in ["minimax:4", "minimax:4:ties=random", "max", "random"] {
        assert!(is_seen(seen), "{seen}");
    }
    for unseen in ["minimax:5", "heuristic:3", "mcts:100"] {
        assert!(!is_seen(unseen), "{unseen}");
    }
}
