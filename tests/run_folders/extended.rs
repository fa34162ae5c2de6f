//! Extended runs equal longer runs.

use super::*;
use mancalab::kinds;

/// Returns the final state of a run: its rows, its best, and its checkpoint without times.
fn ended<R: Run>(mut job: RunJob, state: impl Fn(&R) -> Vec<u8>) -> (String, String, Vec<u8>) {
    assert_eq!((job.step(Budget::UNLIMITED), job.error()), (Status::Done, None));
    let folder = job.folder().unwrap().to_owned();
    let state = state(job.run_as());
    drop(job);
    let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    (text(ROWS), text("best.txt"), state)
}

/// Checks that a run extended after its end or in the middle equals the longer run.
fn is_the_same<R: Run>(settings: impl Into<Box<dyn RunSettings>>, until: u64, state: impl Fn(&R) -> Vec<u8> + Copy) {
    let settings = settings.into();
    let at_once = tempfile::tempdir().unwrap();
    let long = settings.extended(until).unwrap();
    let long = ended(RunJob::create(at_once.path(), long, &Pool::alone()).unwrap(), state);
    for generations in [usize::MAX, 3] {
        let folder = tempfile::tempdir().unwrap();
        let mut job = RunJob::create(folder.path(), settings.clone(), &Pool::alone()).unwrap();
        for _ in 0..generations {
            if job.step(Budget::UNLIMITED.single()) == Status::Done {
                break;
            }
        }
        drop(job);
        let (job, notes) = kinds::extend(folder.path(), until, &Pool::new(2)).unwrap();
        assert!(notes.is_empty(), "{notes:?}");
        assert!(ended(job, state) == long, "{} extended differs from the longer run", settings.form().kind);
        let toml = |folder: &Path| fs::read_to_string(folder.join("run.toml")).unwrap();
        assert_eq!(toml(folder.path()), toml(at_once.path()));
    }
}

#[test]
fn an_extended_run_is_the_one_that_had_been_asked_for_at_once() {
    let mut islands = breeding();
    for (key, value) in [("islands", "3"), ("migration_every", "2"), ("migrants", "1"), ("elitism", "1")] {
        islands.set(key, value).unwrap();
    }
    let programs = |run: &KalahRun| {
        let all = run.population().unwrap().individuals.iter().map(|one| one.program.first().to_notation());
        all.collect::<Vec<_>>().join("\n").into_bytes()
    };
    is_the_same::<KalahRun>(breeding(), 11, programs);
    is_the_same::<KalahRun>(islands, 11, programs);
    is_the_same::<WeightsRun>(tuning(), 9, |run| run.save(&Pool::alone()));
    is_the_same::<Tournament>(playing(), 12, |_| Vec::new());
    // Player 2 nearly always wins: those two pairs end early, the others play on.
    let players = ["random", "max", "random"].map(|player| player.parse().unwrap()).to_vec();
    let stops = ArenaSettings { players, stop: Some("0,200".parse().unwrap()), ..playing() };
    is_the_same::<Tournament>(stops, 60, |_| Vec::new());
}

#[test]
fn a_tournament_whose_further_games_would_be_others_is_not_extended() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |pairs: &str, stop: Option<&str>| {
        let stop = stop.map(|stop| stop.parse().unwrap());
        let settings = ArenaSettings { pairs: pairs.parse().unwrap(), stop, games: 200, ..playing() };
        let run = folder.path().join(pairs);
        RunJob::create(&run, settings, &Pool::alone()).unwrap().step(Budget::UNLIMITED);
        let before = files(&run);
        let error = kinds::extend(&run, 400, &Pool::alone()).err().unwrap().to_string();
        assert!(files(&run) == before, "{error}");
        error
    };
    let late = refused("1-2:300 2-1", None);
    assert!(late.contains("games: the pair 2-1 has 200 games, others have 300"), "{late}");
    let own = refused("1-2:4 2-1:4", None);
    assert!(own.contains("pairs: each pair has its own number of games"), "{own}");
    let over = refused("1-2 2-1", Some("0,200"));
    assert!(over.contains("it has ended early"), "{over}");
}
