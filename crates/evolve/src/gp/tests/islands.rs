//! Islands computed apart, epoch by epoch, give what one machine writes.

mod refused;

use std::time::Duration;

use mancalab_base::Error;
use proptest::prelude::*;

use super::ToyRun;
use super::toy::{Settings, Toy};
use crate::budget::Budget;
use crate::codec::Encoder;
use crate::gp::islands::{self, EpochProgress, check, epochs};
use crate::gp::problem::Settings as _;
use crate::gp::{GpSettings, Improvement, Tableau};
use crate::job::{Progress, Row, Rows, Run as _};
use crate::pool::Pool;

type Epoch = islands::Epoch<Toy>;

/// The kinds of problems: of one tree, and of two whose task differs between generations.
const KINDS: [&[&str]; 2] = [&[], &["trees=2", "anew=true"]];

fn settings(texts: &[&str]) -> Settings {
    Settings::with(&[&["islands=3"], texts].concat())
}

/// The output of a run, except times.
#[derive(PartialEq, Debug)]
struct Outcome {
    rows: Vec<String>,
    best: String,
    state: Vec<u8>,
    /// The reason why it stopped early, if it did.
    halted: Option<Error>,
}

impl Outcome {
    fn new(run: &ToyRun, rows: Vec<String>, halted: Option<Error>) -> Outcome {
        let mut state = run.save(&Pool::alone());
        let mut times = Encoder::new();
        let mut archive = Encoder::new();
        run.view().run_status.times.encode(&mut times);
        run.view().archive.encode(&mut archive);
        Improvement::encode_changes(&run.view().run_status.improvements, &mut archive);
        if !state.is_empty() {
            let times = times.finish();
            let end = state.len() - archive.finish().len();
            assert!(state[..end].ends_with(&times));
            state.drain(end - times.len()..end);
        }
        Outcome { rows, best: run.best(), state, halted }
    }
}

/// Continues a run that has these rows.
fn finished(mut run: ToyRun, mut rows: Vec<String>) -> Outcome {
    let halted = super::finish(&mut run, &Pool::alone(), &mut rows);
    Outcome::new(&run, rows, halted)
}

/// Computes the run on one machine.
fn whole(settings: &Settings) -> Outcome {
    finished(ToyRun::start(settings.clone()).unwrap(), Vec::new())
}

/// How an epoch is computed.
#[derive(Clone, Copy, Debug)]
struct Options {
    threads: usize,
    /// Duration of a step in microseconds; `None`: no limit.
    micros: Option<u64>,
    /// Whether it is saved and resumed after every generation.
    is_resumed: bool,
}

#[test]
fn given_programs_are_the_same_on_islands_computed_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("programs.txt");
    std::fs::write(&path, "(+ 1 2)\n(- 3 (+ 4 5))\n").unwrap();
    let initial = format!("initial={}", path.display());
    let settings = settings(&[&initial, "migration_every=2", "migrants=1"]);
    assert_eq!(by_islands(&settings, PLAIN), whole(&settings));
    let error = check::<Toy>(&Settings::with(&["islands=3", "stop=plateau:2"])).unwrap_err().to_string();
    assert!(error.contains("stop must be never") && error.contains("(got plateau:2)"), "{error}");
}

const PLAIN: Options = Options { threads: 1, micros: None, is_resumed: false };

/// Returns the result of an epoch of an island.
fn epoch_of(
    settings: &Settings,
    (island, epoch): (u32, u64),
    [own, neighbour]: [Option<&[u8]>; 2],
    options: Options,
) -> Vec<u8> {
    let pool = Pool::new(options.threads);
    let mut computed = Epoch::begin(settings, island, epoch, own, neighbour).unwrap();
    if options.is_resumed {
        computed = Epoch::resume(settings, island, epoch, own, neighbour, &computed.save()).unwrap();
    }
    loop {
        let budget = options.micros.map_or(Budget::UNLIMITED, |micros| Budget::time(Duration::from_micros(micros)));
        match computed.advance(&pool, budget) {
            EpochProgress::Working => {}
            EpochProgress::Generation(_) if options.is_resumed => {
                computed = Epoch::resume(settings, island, epoch, None, None, &computed.save()).unwrap();
            }
            EpochProgress::Generation(_) => {}
            EpochProgress::Done => {
                let (ended, all) = computed.generations();
                assert_eq!(ended, all);
                return computed.save();
            }
            EpochProgress::Halted(why) => {
                assert!(why.contains("max_nodes") && why.contains(&format!("of island {island} alone")), "{why}");
                return computed.save();
            }
        }
    }
}

/// Returns the results of all islands in the epoch after `before`.
fn next_epoch(settings: &Settings, epoch: u64, before: &[Vec<u8>], options: Options) -> Vec<Vec<u8>> {
    let islands = settings.tableau().islands as usize;
    let of = |island: usize| {
        let given = [island, (island + islands - 1) % islands].map(|island| before.get(island).map(|bytes| &**bytes));
        epoch_of(settings, (island as u32, epoch), given, options)
    };
    // The order of the islands is arbitrary.
    let mut all: Vec<(usize, Vec<u8>)> = (0..islands).rev().map(|island| (island, of(island))).collect();
    all.reverse();
    all.into_iter().map(|(_, bytes)| bytes).collect()
}

fn slices(results: &[Vec<u8>]) -> Vec<&[u8]> {
    results.iter().map(Vec::as_slice).collect()
}

/// Computes the run island by island, then merges it. The merged run is saved and restored after every epoch if epochs are.
fn by_islands(settings: &Settings, options: Options) -> Outcome {
    let mut run = ToyRun::start(settings.clone()).unwrap();
    let mut rows = Vec::new();
    let mut before = Vec::new();
    let mut epoch = 0;
    let halted = loop {
        assert!(epoch < epochs(settings.tableau()));
        before = next_epoch(settings, epoch, &before, options);
        let mut take = |row: Row| {
            assert_eq!(row.timings.split(',').count(), GpSettings::<Toy>::FORM.timing_columns.split(',').count());
            rows.push(row.values);
            Ok(())
        };
        match run.take_epoch(&slices(&before), &mut take).unwrap() {
            Progress::Working => epoch += 1,
            Progress::Done => break None,
            Progress::Halted(why) => break Some(why),
            Progress::Generation(_) => unreachable!("rows are given one by one"),
        }
        if options.is_resumed {
            run = ToyRun::restore(settings.clone(), &run.save(&Pool::alone()), Rows::in_memory(&rows)).unwrap();
        }
    };
    Outcome::new(&run, rows, halted)
}

#[test]
fn islands_computed_apart_give_what_one_machine_writes() {
    let texts: &[&[&str]] = &[
        &["migration_every=2", "migrants=2", "elitism=1", "mutation=30"],
        &["migration_every=3", "migrants=1", "elitism=2", "prefer_small=true", "selection=tournament:3", "islands=2"],
        &["migration_every=1", "migrants=3", "parsimony=0.25", "crossover=60", "points=walk", "generator=ramped"],
        &["migration_every=0", "islands=4", "elitism=0", "mutation=50", "max_depth=6"],
        &["migration_every=8", "migrants=8", "elitism=0"],
    ];
    for (texts, kind) in texts.iter().flat_map(|texts| KINDS.map(|kind| (texts, kind))) {
        let settings = settings(&[texts, kind].concat());
        let whole = whole(&settings);
        assert_eq!((whole.rows.len(), &whole.halted), (8, &None));
        assert_eq!(by_islands(&settings, PLAIN), whole, "{texts:?} {kind:?}");
    }
}

#[test]
fn neither_threads_nor_budgets_nor_resuming_show_in_the_bytes() {
    for kind in KINDS {
        let settings = settings(&[&["migration_every=3", "migrants=1", "elitism=1", "mutation=20"], kind].concat());
        let mut before = Vec::new();
        for epoch in 0..epochs(settings.tableau()) {
            let plain = next_epoch(&settings, epoch, &before, PLAIN);
            for (threads, micros, is_resumed) in [(2, None, true), (1, Some(0), false), (2, Some(50), true)] {
                let options = Options { threads, micros, is_resumed };
                assert_eq!(next_epoch(&settings, epoch, &before, options), plain, "{kind:?} {options:?}");
            }
            before = plain;
        }
    }
}

#[test]
fn a_target_ends_the_run_where_it_is_reached() {
    let error = |row: &String| row.split(',').nth(7).unwrap().parse::<u32>().unwrap();
    let mut ends = Vec::new();
    for seed in 1..=4 {
        let mut settings = settings(&["migration_every=3", "migrants=1", "population=150", "elitism=1", "mutation=30"]);
        settings.tableau.seed = seed;
        let errors: Vec<u32> = whole(&settings).rows.iter().map(error).collect();
        for termination in errors {
            settings.termination = termination;
            let whole = whole(&settings);
            assert_eq!(by_islands(&settings, PLAIN), whole, "{seed}, {termination}");
            ends.push(whole.rows.len());
        }
    }
    // In the middle of an epoch, too.
    assert!(ends.iter().any(|end| end % 3 != 0 && (2..8).contains(end)), "{ends:?}");
}

#[test]
fn a_generation_is_too_large_where_it_is_on_one_machine() {
    let grows = ["migration_every=3", "migrants=1", "mutation=60", "initial_depth=2", "mutation_depth=8"];
    for kind in KINDS {
        let mut settings = settings(&[&grows, kind].concat());
        let mean = |row: &String| row.split(',').rev().nth(9).unwrap().parse::<f64>().unwrap();
        let sizes: Vec<f64> = whole(&settings).rows.iter().map(mean).collect();
        let mut ends = std::collections::BTreeSet::new();
        // Too large for all islands together, and at last for a single one.
        for mean in sizes.iter().copied().chain([sizes[0] / 8.0]) {
            settings.tableau.max_nodes = (24.0 * mean).round() as u64 - 1;
            let whole = whole(&settings);
            ends.insert(whole.rows.len());
            assert_eq!(by_islands(&settings, PLAIN), whole, "{kind:?} {mean}");
        }
        assert!(ends.contains(&0) && ends.len() > 2, "{kind:?} {ends:?} {sizes:?}");
    }
}

#[test]
fn an_epoch_that_was_too_large_resumes_when_more_nodes_are_allowed() {
    let mut settings = settings(&["migration_every=0", "mutation=60", "points=walk"]);
    let enough = next_epoch(&settings, 0, &[], PLAIN);
    let most = settings.tableau().max_nodes;
    let halted = |max_nodes: u64, settings: &mut Settings| {
        settings.tableau_mut().max_nodes = max_nodes;
        let mut epoch = Epoch::begin(settings, 1, 0, None, None).unwrap();
        while matches!(epoch.advance(&Pool::alone(), Budget::UNLIMITED), EpochProgress::Generation(_)) {}
        (epoch.generations().0, epoch.save())
    };
    let mut tried = (1..40).map(|number| halted(number * 50, &mut settings));
    let (_, saved) = tried.find(|(ended, _)| (1..8).contains(ended)).unwrap();
    let mut again = Epoch::resume(&settings, 1, 0, None, None, &saved).unwrap();
    assert!(matches!(again.advance(&Pool::alone(), Budget::UNLIMITED), EpochProgress::Halted(_)));
    assert_eq!(again.save(), saved);
    settings.tableau_mut().max_nodes = most;
    let mut resumed = Epoch::resume(&settings, 1, 0, None, None, &saved).unwrap();
    while resumed.advance(&Pool::alone(), Budget::UNLIMITED) != EpochProgress::Done {}
    assert_eq!(resumed.save(), enough[1]);
}

#[test]
fn a_run_put_together_continues_by_itself_and_from_the_middle_of_an_epoch() {
    let settings = settings(&["migration_every=3", "migrants=2", "mutation=30", "elitism=1"]);
    let whole = whole(&settings);
    let first = next_epoch(&settings, 0, &[], PLAIN);
    let second = next_epoch(&settings, 1, &first, PLAIN);
    let mut run = ToyRun::start(settings.clone()).unwrap();
    let mut rows = Vec::new();
    for results in [&first, &second] {
        let mut take = |row: Row| {
            rows.push(row.values);
            if rows.len() == 5 { Err("the disk is full".into()) } else { Ok(()) }
        };
        let taken = run.take_epoch(&slices(results), &mut take);
        assert_eq!(taken, if rows.len() == 5 { Err("the disk is full".into()) } else { Ok(Progress::Working) });
    }
    let restored = || ToyRun::restore(settings.clone(), &run.save(&Pool::alone()), Rows::in_memory(&rows)).unwrap();
    assert_eq!(finished(restored(), rows.clone()), whole);
    let mut rest = Vec::new();
    let mut take = |row: Row| {
        rest.push(row.values);
        Ok(())
    };
    let mut run = restored();
    assert_eq!(run.take_epoch(&slices(&second), &mut take), Ok(Progress::Working));
    let last = next_epoch(&settings, 2, &second, PLAIN);
    assert_eq!(run.take_epoch(&slices(&last), &mut take), Ok(Progress::Done));
    assert_eq!(run.take_epoch(&[], &mut take), Ok(Progress::Done));
    assert_eq!(Outcome::new(&run, [rows.clone(), rest].concat(), None), whole);
}
