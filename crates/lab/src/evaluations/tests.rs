//! Tests of whole runs.

use super::{Learnable as _, Settings};
use crate::budget::{Budget, Job as _};
use crate::game::checkers::Checkers;
use crate::game::othello::Othello;
use crate::job::run_dir::{CHECKERS_NETWORKS, OTHELLO_PATTERNS as PATTERNS};
use crate::job::{Progress, Rows, Run, RunJob, RunSettings as _};
use crate::kinds;
use crate::measuring::Learner as _;
use crate::pool::Pool;
use crate::settings::KeyedSettings as _;
use mancalab_evaluations::{LearnedEvaluation as _, file};
use std::fs;
use std::path::Path;
use std::time::Duration;

type EvaluationLearning = super::EvaluationLearning<Othello>;

fn settings(changes: &[(&str, &str)]) -> Settings {
    let mut settings = Othello::usual();
    let small = [
        ("generations", "1"),
        ("games", "24"),
        ("depth", "2"),
        ("exact", "6"),
        ("opening", "20"),
        ("iterations", "4"),
        ("held_out", "4"),
        ("compared", "3"),
        ("panel", "max"),
        ("panel_games", "1"),
        ("panel_every", "1"),
        ("panel_depth", "2"),
    ];
    for (key, value) in small.iter().chain(changes) {
        settings.set(key, value).unwrap();
    }
    settings.check().unwrap();
    settings
}

/// The output of a run: its rows, its file of weights and its final state.
#[derive(PartialEq)]
struct Output {
    rows: Vec<String>,
    product: Vec<u8>,
    state: Vec<u8>,
}

/// Continues a run to its end in steps with these budgets; returns its output and the number of steps.
fn finish(mut run: EvaluationLearning, pool: &Pool, budget: impl Fn() -> Budget) -> (Output, usize) {
    let mut rows = Vec::new();
    for steps in 0..100_000 {
        match run.advance(pool, budget()) {
            Progress::Generation(row) => rows.push(row.values),
            Progress::Working => {}
            Progress::Done => {
                let (name, product) = run.product().unwrap();
                assert_eq!(name, PATTERNS);
                return (Output { rows, product, state: run.save(pool) }, steps);
            }
            Progress::Halted(reason) => panic!("{reason}"),
        }
    }
    panic!("steps without a budget make no progress: {:?}", run.view());
}

#[test]
fn neither_threads_nor_steps_nor_a_restored_state_change_the_output() {
    let start = || EvaluationLearning::start(settings(&[])).unwrap();
    let alone = Pool::alone();
    let several = Pool::new(3);
    let (plain, _) = finish(start(), &alone, || Budget::UNLIMITED);
    assert_eq!(plain.rows.len(), 2);
    // A step without a budget is a move of a game for each thread, an iteration of a fit or a comparison.
    let (cut, steps) = finish(start(), &several, || Budget::time(Duration::ZERO));
    assert!(cut == plain && steps > 2 * 24 * 20 / 3, "{steps} steps");

    let mut run = start();
    assert!(
        matches!(run.advance(&several, Budget::UNLIMITED), Progress::Generation(row) if row.values == plain.rows[0])
    );
    let state = run.save(&several);
    let product = run.product();
    // What is saved stays that of the newest complete generation.
    while run.view().phase != "comparing" {
        run.advance(&alone, Budget::time(Duration::ZERO));
    }
    assert!(run.save(&alone) == state && run.product() == product);
    let restored = EvaluationLearning::restore(settings(&[]), &state, Rows::in_memory(&plain.rows[..1])).unwrap();
    assert!(restored.product() == product && restored.best() == run.best());
    let (output, _) = finish(restored, &alone, || Budget::UNLIMITED);
    assert!(output.rows == plain.rows[1..] && output.product == plain.product && output.state == plain.state);

    let error = |row: &str| row.split(',').nth(3).unwrap().parse::<f64>().unwrap();
    assert!(error(&plain.rows[1]) < error(&plain.rows[0]), "{:#?}", plain.rows);
    let (learned, notes) = file::read::<Othello>(&plain.product).unwrap();
    assert!(learned.stages.iter().flatten().any(|weight| *weight != 0));
    let command = "mancalab train othello-patterns --seed 1 --generations 1 --set games=24 --set depth=2 --set exact=6 \
                   --set opening=20 --set iterations=4 --set held_out=4 --set compared=3";
    assert_eq!(notes["command"], command);

    damaged_states_are_refused(&plain);
}

fn damaged_states_are_refused(Output { rows, state, .. }: &Output) {
    let restore = |state: &[u8], rows: &[String]| {
        EvaluationLearning::restore(settings(&[]), state, Rows::in_memory(rows))
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    assert_eq!(restore(state, rows), Ok(()));
    for at in [0, 1, 100, state.len() / 2, state.len() - 1] {
        assert!(restore(&state[..at], rows).is_err(), "{at}");
    }
    assert!(restore(&[state, &[0][..]].concat(), rows).is_err());
    assert!(restore(state, &rows[..1]).unwrap_err().contains("does not match the newest row"));
    assert!(restore(state, &[]).unwrap_err().contains("no rows"));
    let odd = [rows[0].clone(), rows[1].replacen("1,", "2,", 1)];
    assert!(restore(state, &odd).is_err());
    // No sum of the weights is possible: all bits of one are set.
    let mut damaged = state.clone();
    let end = damaged.len();
    damaged[end - 4..].fill(0xff);
    assert!(restore(&damaged, rows).unwrap_err().contains("not finite"));
}

/// The former last generation stays measured, and the weights are those of a longer run.
#[test]
fn an_extended_run_is_a_longer_run() {
    let folder = tempfile::tempdir().unwrap();
    let make = |name: &str, changes: &[(&str, &str)]| {
        let path = folder.path().join(name);
        let settings = settings(&[&[("panel_every", "100")], changes].concat());
        RunJob::create(&path, settings, &Pool::new(2)).unwrap().step(Budget::UNLIMITED);
        path
    };
    let rows = |path: &Path| fs::read_to_string(path.join("generations.csv")).unwrap();
    let extended = make("extended", &[("generations", "0")]);
    let short = rows(&extended);
    kinds::extend(&extended, 1, &Pool::new(2)).unwrap().0.step(Budget::UNLIMITED);
    assert!(rows(&extended).starts_with(&short));
    assert!(rows(&extended).lines().skip(1).all(|row| !row.ends_with(",-")), "{}", rows(&extended));
    assert!(fs::read_to_string(extended.join("run.toml")).unwrap().contains("\npanel_at = [0]\n"));
    let whole = make("whole", &[("panel_at", "0")]);
    for name in ["generations.csv", PATTERNS, "best.txt"] {
        assert!(fs::read(whole.join(name)).unwrap() == fs::read(extended.join(name)).unwrap(), "{name}");
    }
    let best = fs::read_to_string(whole.join("best.txt")).unwrap();
    assert!(best.contains(" discs in generation 1, after 48 games\n") && best.contains("\nmax: "), "{best}");
    let watching = kinds::watch(&whole).unwrap();
    let seen = watching.seen().get::<super::View>().unwrap();
    assert!(
        seen.is_over() && seen.share() >= 1.0 && seen.measured().is_some_and(|(at, met)| (at, met.len()) == (1, 1))
    );
}

#[test]
fn what_does_not_go_together_is_reported() {
    let refused = |changes: &[(&str, &str)]| {
        let mut settings = Othello::usual();
        changes.iter().for_each(|(key, value)| settings.set(key, value).unwrap());
        settings.check().unwrap_err().to_string()
    };
    assert_eq!(
        refused(&[("opening", "30"), ("opening_most", "20")]),
        "opening must be at most opening_most, 20 (got 30)"
    );
    assert_eq!(refused(&[("games", "10")]), "held_out must be at most games, 10 (got 20)");
    assert!(refused(&[("panel", "heuristic:3")]).contains("plays kalah"));
    let mut settings = Othello::usual();
    for (key, value) in [("lambda", "1.5"), ("games", "0"), ("held_out", "1"), ("panel", "human"), ("depht", "4")] {
        assert!(settings.set(key, value).is_err(), "{key}={value}");
    }
}

/// The weights of checkers are learned the same way, without a table of endgames.
#[test]
fn neither_threads_nor_steps_change_what_is_learned_of_checkers() {
    let start = || {
        let mut settings = Checkers::usual();
        let small = [
            ("generations", "1"),
            ("games", "12"),
            ("depth", "2"),
            ("exact", "0"),
            ("iterations", "10"),
            ("held_out", "4"),
            ("compared", "3"),
            ("panel", "max"),
            ("panel_games", "1"),
            ("panel_depth", "2"),
        ];
        small.iter().for_each(|(key, value)| settings.set(key, value).unwrap());
        super::EvaluationLearning::<Checkers>::start(settings).unwrap()
    };
    let output = |pool: &Pool, budget: fn() -> Budget| {
        let mut run = start();
        let mut rows = Vec::new();
        loop {
            match run.advance(pool, budget()) {
                Progress::Generation(row) => rows.push(row.values),
                Progress::Working => {}
                Progress::Done => return (rows, run.product(), run.save(pool)),
                Progress::Halted(reason) => panic!("{reason}"),
            }
        }
    };
    let plain = output(&Pool::alone(), || Budget::UNLIMITED);
    assert!(plain == output(&Pool::new(3), || Budget::time(Duration::ZERO)));
    let (rows, product, _) = plain;
    let (name, product) = product.unwrap();
    assert_eq!((rows.len(), name), (2, CHECKERS_NETWORKS));
    let (learned, notes) = file::read::<Checkers>(&product).unwrap();
    assert!(notes["error"].ends_with(" points"), "{notes:?}");
    assert!(learned.stages.iter().any(|stage| *stage != Checkers::stored(&Checkers::initial())));
    assert!(file::read::<Othello>(&product).unwrap_err().to_string().contains("not a file of Othello"));
}

mod written {
    use super::*;
    use crate::settings::{self, Source};
    use proptest::prelude::*;

    /// Reads the settings back from their text.
    fn reread(settings: &Settings) -> Settings {
        let manifest = settings.manifest();
        let text = settings.to_text();
        let source = Source::new("run.toml", &*text);
        let mut read = None;
        settings::parse(&source, |table, problems| {
            read = Some((settings.form().read)(&manifest, table, problems));
        })
        .unwrap_or_else(|report| panic!("{report}"));
        read.unwrap().get::<Settings>().unwrap().clone()
    }

    proptest! {
        #[test]
        fn settings_are_written_and_read_again(key in 0..19_usize, text: String, number in 0..100_u32) {
            let mut settings = settings(&[]);
            let list = settings.list();
            let key = list[key % list.len()].0;
            for text in [text, number.to_string()] {
                if settings.set(key, &text).is_ok() && settings.check().is_ok() {
                    prop_assert_eq!(&reread(&settings), &settings);
                }
            }
        }
    }
}
