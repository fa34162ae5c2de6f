//! Tests of whole trainings.

mod learning;

use std::fs;
use std::time::Duration;

use super::{Settings, Training, preset};
use crate::budget::{Budget, Job as _};
use crate::codec::checksum;
use crate::game::Variant;
use crate::game::record::Record;
use crate::job::{Progress, Run, RunJob};
use crate::kinds;
use crate::measuring::Learner as _;
use crate::net::file;
use crate::pool::Pool;
use crate::settings::KeyedSettings as _;

fn settings(changes: &[(&str, &str)]) -> Settings {
    let mut settings = preset("a3c-mixed").unwrap();
    let small = [
        ("generations", "3"),
        ("hidden", "8-6"),
        ("workers", "3"),
        ("rounds", "2"),
        ("steps", "9"),
        ("opponents", "random,2*minimax:1,2*self,3*past"),
        ("past", "2"),
        ("past_every", "1"),
        ("panel", "random,max"),
        ("panel_games", "1"),
        ("panel_every", "2"),
    ];
    for (key, value) in small.iter().chain(changes) {
        settings.set(key, value).unwrap();
    }
    settings.check().unwrap();
    settings
}

/// Returns the rows of a run with this number of threads and this budget per step, and its final state.
fn rows(settings: &Settings, threads: usize, budget: impl Fn() -> Budget) -> (Vec<String>, Vec<u8>) {
    let pool = Pool::new(threads);
    let mut rows = Vec::new();
    let mut run = Training::start(settings.clone()).unwrap();
    loop {
        match run.advance(&pool, budget()) {
            Progress::Generation(row) => rows.push(row.values),
            Progress::Working => {}
            Progress::Done => return (rows, run.save(&pool)),
            Progress::Halted(reason) => panic!("{reason}"),
        }
    }
}

/// Settings for each game and encoding.
const GAMES: [&[(&str, &str)]; 5] = [
    &[],
    &[("encoding", "outlook"), ("steps", "0"), ("total", "sum")],
    &[("game", "kalah:3x2:empty"), ("workers", "1")],
    &[
        ("game", "othello"),
        ("encoding", "discs"),
        ("steps", "20"),
        ("opponents", "random,2*minimax:1:eval=discs,2*self,3*past"),
    ],
    &[
        ("game", "checkers"),
        ("encoding", "pieces"),
        ("steps", "20"),
        ("opponents", "random,2*minimax:1:eval=pieces,2*self,3*past"),
    ],
];

#[test]
fn neither_threads_nor_the_cutting_of_steps_can_be_seen() {
    for game in GAMES {
        let settings = settings(game);
        let plain = rows(&settings, 1, || Budget::UNLIMITED);
        assert_eq!(plain.0.len(), 4);
        assert!(plain == rows(&settings, 1, || Budget::time(Duration::ZERO)), "{game:?}");
        assert!(plain == rows(&settings, 3, || Budget::time(Duration::from_millis(1))), "{game:?}");
        let mut other = settings.clone();
        other.seed = 2;
        assert_ne!(plain.0, rows(&other, 1, || Budget::UNLIMITED).0);
        let measured = plain.0.iter().filter(|row| !row.ends_with(",-")).count();
        assert_eq!(measured, 2, "{:?}", plain.0);
    }
}

/// Pins the results, so that no change goes unnoticed on any processor: weights, moments and games of the newest generation. An
/// intended change requires a new `weights/a3c.safetensors` as well.
#[test]
fn what_is_computed_is_pinned() {
    // Independent of the preset.
    let learning = [
        ("opening", "2"),
        ("gamma", "1"),
        ("lambda", "0.95"),
        ("shaping", "0.02"),
        ("value", "1"),
        ("entropy", "0.01"),
        ("clip", "1"),
        ("rate", "0.001"),
        ("rate_end", "0.0001"),
        ("decay", "400"),
        ("epsilon", "0.00001"),
    ];
    let state = |game: &[_]| rows(&settings(&[&learning, game].concat()), 2, || Budget::UNLIMITED).1;
    let sums = GAMES.map(|game| checksum(&state(game)));
    assert_eq!(sums, PINNED);
}
const PINNED: [u64; 5] = [
    5_851_256_935_859_285_793,
    14_118_007_866_519_243_415,
    6_813_688_936_590_181_628,
    5_472_257_302_574_971_502,
    9_782_430_358_812_855_122,
];

#[test]
fn a_training_that_is_resumed_gives_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    for (number, game) in GAMES.into_iter().enumerate() {
        let settings = settings(game);
        let [whole, cut] = ["whole", "cut"].map(|name| folder.path().join(format!("{name}-{number}")));
        RunJob::create(&whole, settings.clone(), &Pool::alone()).unwrap().step(Budget::UNLIMITED);
        let mut job = RunJob::create(&cut, settings.clone(), &Pool::alone()).unwrap();
        job.step(Budget::UNLIMITED.single());
        // In the middle of the second generation.
        job.step(Budget::time(Duration::ZERO));
        drop(job);
        for budget in [Budget::UNLIMITED.single(), Budget::UNLIMITED] {
            let (mut job, notes) = kinds::resume(&cut, &Pool::new(2)).unwrap();
            assert_eq!(notes, [""; 0]);
            job.step(budget);
        }
        for name in ["generations.csv", "network.safetensors", "best.txt"] {
            assert!(fs::read(whole.join(name)).unwrap() == fs::read(cut.join(name)).unwrap(), "{game:?}: {name}");
        }
        let (network, notes) = file::read(&fs::read(whole.join("network.safetensors")).unwrap()).unwrap();
        assert_eq!((notes["encoding"].as_str(), notes["generation"].as_str()), (settings.encoding.as_str(), "3"));
        assert!(network.shape().hidden == [8, 6] && network.parameters().iter().any(|number| *number != 0.0));
        let watching = kinds::watch(&whole).unwrap();
        let seen = watching.seen().get::<super::View>().unwrap();
        assert!(seen.finished && seen.measured().is_some());
        // A watching process has the network and evaluations of the checkpoint, like the training process.
        let own = job_at(&whole).run_as::<Training>().view();
        let seen = watching.view().unwrap().get::<super::View>().unwrap();
        assert!(own.learned.is_some() && (&own.learned, &own.probes) == (&seen.learned, &seen.probes), "{game:?}");
        assert!(own.probes.iter().all(|probe| probe.opinion.is_some()), "{game:?}");
        assert_eq!(
            own.learned.as_ref().and_then(|learned| own.network_file(learned)),
            fs::read(whole.join("network.safetensors")).ok()
        );
    }
}

/// Games in progress at the end of a generation continue, including those with past selves, which have changed since.
#[test]
fn a_training_that_is_resumed_after_every_generation_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    // Large steps, so that all past selves play differently.
    let short = [("opponents", "past"), ("past", "4"), ("rounds", "1"), ("steps", "5"), ("rate", "0.5")];
    let mixed = [("opponents", "past,2*self,minimax:2:ties=random"), ("past_every", "2"), ("rate", "0.5")];
    for (number, changes) in [&short[..], &mixed, &[("steps", "0"), ("panel_every", "1")]].into_iter().enumerate() {
        let settings = settings(&[&[("generations", "12")], changes].concat());
        let [whole, cut] = ["whole", "cut"].map(|name| folder.path().join(format!("{name}-{number}")));
        RunJob::create(&whole, settings.clone(), &Pool::alone()).unwrap().step(Budget::UNLIMITED);
        let mut job = RunJob::create(&cut, settings, &Pool::alone()).unwrap();
        while !job.run_as::<Training>().is_over() {
            job.step(Budget::UNLIMITED.single());
            drop(job);
            job = job_at(&cut);
        }
        for name in ["generations.csv", "network.safetensors"] {
            assert!(fs::read(whole.join(name)).unwrap() == fs::read(cut.join(name)).unwrap(), "{changes:?}: {name}");
        }
    }
}

/// Resumes a run stored in a folder.
fn job_at(folder: &std::path::Path) -> RunJob {
    kinds::resume(folder, &Pool::alone()).unwrap().0
}

/// Games opened on the Board are those that were counted.
#[test]
fn games_of_the_panel_are_played_again() {
    // Generations 1 and 3 are measured.
    for (game, newest) in GAMES.into_iter().flat_map(|game| [(game, 2), (game, 3)]) {
        let settings = settings(&[game, &[("panel", "max,minimax:2:ties=random"), ("panel_games", "2")]].concat());
        let mut run = Training::start(settings.clone()).unwrap();
        let pool = Pool::new(2);
        while run.generation() != Some(newest) {
            run.advance(&pool, Budget::UNLIMITED);
        }
        let view = run.view();
        let (generation, met) = view.measured().unwrap();
        assert_eq!(Some(generation), view.panel_network().map(|learned| learned.generation));
        for (against, met) in met.iter().enumerate() {
            let mut again = crate::measuring::PanelResult::default();
            for number in 0..4 {
                let replayed = view.replayed(against, number).unwrap();
                let begins = replayed.seat == settings.variant.start().side();
                assert_eq!(begins, number % 2 == 0);
                let mut record = Record::new(settings.variant, Default::default(), None);
                assert!(replayed.moves.iter().all(|&mv| record.play(mv)));
                let outcome = record.ending().unwrap().outcome(replayed.seat);
                again.ended[usize::from(!begins)][outcome.halves() as usize] += 1;
            }
            assert_eq!(again, *met, "{game:?}");
        }
        // The index after the panel is the network itself.
        assert!(view.replayed(2, 0).unwrap() == view.replayed(2, 0).unwrap());
        assert_ne!(view.replayed(2, 0), view.replayed(2, 2));
    }
}

/// The training stops there with a message, and does not retry for ever.
#[test]
fn a_network_whose_numbers_grow_beyond_all_bounds_ends_the_training() {
    let settings = settings(&[
        ("rate", "1"),
        ("clip", "1000"),
        ("total", "sum"),
        ("hidden", "512-512-512-512"),
        ("opponents", "self"),
        ("workers", "1"),
        ("rounds", "20"),
        ("steps", "5"),
        ("value", "100"),
    ]);
    let mut run = Training::start(settings.clone()).unwrap();
    let pool = Pool::alone();
    let mut ended = Vec::new();
    let why = loop {
        match run.advance(&pool, Budget::UNLIMITED) {
            Progress::Generation(row) => ended.push(row.values),
            Progress::Halted(why) => break why,
            progress => panic!("{progress:?} after {ended:?}"),
        }
    };
    assert!(
        why.to_string().starts_with(&format!("in generation {} the network's weights diverged", ended.len())),
        "{why}"
    );
    assert!(matches!(run.advance(&pool, Budget::UNLIMITED), Progress::Halted(again) if again == why));
    // Completed generations remain valid.
    assert_eq!(run.past().len(), ended.len());
    let mut again = Training::start(settings).unwrap();
    if let Some(newest) = ended.last() {
        assert_eq!(again.take_up(&run.save(&pool), newest), Ok(()));
    }
}

#[test]
fn more_generations_are_the_same_run() {
    let folder = tempfile::tempdir().unwrap();
    let [short, long] = ["short", "long"].map(|name| folder.path().join(name));
    RunJob::create(&short, settings(&[("generations", "1")]), &Pool::alone()).unwrap().step(Budget::UNLIMITED);
    kinds::extend(&short, 3, &Pool::alone()).unwrap().0.step(Budget::UNLIMITED);
    RunJob::create(&long, settings(&[]), &Pool::alone()).unwrap().step(Budget::UNLIMITED);
    assert_eq!(fs::read(short.join("generations.csv")).unwrap(), fs::read(long.join("generations.csv")).unwrap());
}

/// The final state of a run is always measured, and an extended run keeps its rows.
#[test]
fn the_last_generation_is_always_measured() {
    let folder = tempfile::tempdir().unwrap();
    let rows = |path: &std::path::Path| fs::read_to_string(path.join("generations.csv")).unwrap();
    let measured =
        |path: &std::path::Path| -> Vec<bool> { rows(path).lines().skip(1).map(|row| !row.ends_with(",-")).collect() };
    let make = |name: &str, changes: &[(&str, &str)]| {
        let path = folder.path().join(name);
        let settings = settings(&[&[("panel_every", "100")], changes].concat());
        RunJob::create(&path, settings, &Pool::alone()).unwrap().step(Budget::UNLIMITED);
        path
    };
    let extended = make("extended", &[("generations", "1")]);
    assert_eq!(measured(&extended), [false, true]);
    let seen = kinds::watch(&extended).unwrap();
    assert_eq!(seen.seen().get::<super::View>().unwrap().measured().map(|(generation, _)| generation), Some(1));
    let short = rows(&extended);
    kinds::extend(&extended, 3, &Pool::alone()).unwrap().0.step(Budget::UNLIMITED);
    assert!(rows(&extended).starts_with(&short));
    assert_eq!(measured(&extended), [false, true, false, true]);
    assert!(fs::read_to_string(extended.join("run.toml")).unwrap().contains("\npanel_at = [1]\n"));
    // Equals a run with that measurement from the start, with the same weights as one without it.
    let at_once = make("at once", &[("panel_at", "1")]);
    assert_eq!(rows(&extended), rows(&at_once));
    let other = make("other", &[]);
    assert_eq!(measured(&other), [false, false, false, true]);
    let network = |path: &std::path::Path| file::read(&fs::read(path.join("network.safetensors")).unwrap()).unwrap().0;
    assert!(network(&extended) == network(&other));
    assert_eq!(measured(&make("unmeasured", &[("panel", "[]")])), [false; 4]);
    let mut settings = settings(&[]);
    for (text, expected) in [("[4, 7]", "[4, 7]"), ("9", "[9]"), ("", "[]")] {
        settings.set("panel_at", text).unwrap();
        assert!(
            settings.list().iter().any(|(key, _, value)| (*key, value.as_str()) == ("panel_at", expected)),
            "{text}"
        );
    }
    assert!(settings.set("panel_at", "last").unwrap_err().to_string().contains("as in [400, 600], or []"));
}

#[test]
fn a_damaged_state_is_refused_or_read_and_nothing_breaks() {
    let settings = settings(&[("generations", "1")]);
    let (rows, state) = rows(&settings, 1, || Budget::UNLIMITED);
    let take_up = |state: &[u8]| Training::start(settings.clone()).unwrap().take_up(state, &rows[1]);
    assert_eq!(take_up(&state), Ok(()));
    for at in 0..state.len() {
        if at % 97 == 0 {
            assert!(take_up(&state[..at]).is_err(), "{at}");
        }
        if at < 200 || at + 400 > state.len() {
            let mut damaged = state.clone();
            damaged[at] ^= 0x81;
            // The result is not checked, only that it returns.
            let _ = take_up(&damaged);
        }
    }
    let other = super::tests::settings(&[("hidden", "9")]);
    assert!(
        Training::start(other)
            .unwrap()
            .take_up(&state, &rows[1])
            .unwrap_err()
            .to_string()
            .contains("numbers (expected")
    );
}

#[test]
fn what_does_not_go_together_is_reported() {
    let refused = |changes: &[(&str, &str)]| {
        let mut settings = preset("a3c-mixed").unwrap();
        changes.iter().for_each(|(key, value)| settings.set(key, value).unwrap());
        settings.check().unwrap_err()
    };
    let error = refused(&[("game", "othello")]);
    assert_eq!(error, "encoding must be discs for this game (got counts)".into());
    assert!(
        refused(&[("game", "othello"), ("encoding", "discs")])
            .to_string()
            .contains("heuristic plays kalah, oware, awari, vai-lung-thlan, ohvalhu or erherhe only")
    );
    assert!(refused(&[("encoding", "discs")]).to_string().starts_with("encoding must be counts or outlook"));
    let many = refused(&[("hidden", "1024-1024-1024-1024"), ("workers", "256")]);
    assert!(
        many.to_string().starts_with("hidden, workers and past: ")
            && many.to_string().ends_with(" MiB (maximum: 2048 MiB)"),
        "{many}"
    );
    let mut settings = preset("a3c-best").unwrap();
    assert!(settings.set("hidden", "0").unwrap_err().to_string().contains("up to four numbers"));
    assert!(settings.set("hiden", "64").unwrap_err().to_string().contains("did you mean 'hidden'?"));
    let known: Vec<&str> = Variant::KNOWN.iter().map(|(name, _)| *name).collect();
    assert!(known.contains(&settings.variant.name()));
}
