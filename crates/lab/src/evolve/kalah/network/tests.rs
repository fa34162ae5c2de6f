//! Tests of runs that breed networks: independent of the division into steps, and their files are players.

use super::*;
use crate::budget::{Budget, Job, Status};
use crate::evolve::ga::GaView;
use crate::evolve::ga::task;
use crate::evolve::tasks::AnyTask as _;
use crate::job::{Progress, Run, RunJob};
use crate::kinds;
use crate::pool::Pool;
use std::time::Duration;

fn small(seed: u64) -> NetworkSettings {
    let mut settings = NetworkWeights::settings();
    for (key, value) in [
        ("population", "6"),
        ("generations", "3"),
        ("hidden", "3"),
        ("games", "4"),
        ("elite", "2"),
        ("opponents", "2*random,max,minimax:3:ties=random"),
    ] {
        settings.set(key, value).unwrap();
    }
    Settings { seed, ..settings }
}

fn rows(settings: NetworkSettings, pool: &Pool, budget: impl Fn() -> Budget) -> Vec<String> {
    let mut run = NetworkRun::start(settings).unwrap();
    let mut rows = Vec::new();
    loop {
        match run.advance(pool, budget()) {
            Progress::Working => {}
            Progress::Generation(row) => rows.push(row.values),
            Progress::Done => return rows,
            Progress::Halted(reason) => panic!("{reason}"),
        }
    }
}

#[test]
fn rows_depend_on_settings_and_seed_alone() {
    for greedy in ["true", "false"] {
        let settings = |seed: u64| {
            let mut settings = small(seed);
            settings.set("greedy", greedy).unwrap();
            settings
        };
        let whole = rows(settings(1), &Pool::default(), || Budget::UNLIMITED);
        assert_eq!(whole.len(), 4);
        assert_eq!(rows(settings(1), &Pool::alone(), || Budget::time(Duration::ZERO)), whole);
        assert_eq!(rows(settings(1), &Pool::new(3), || Budget::UNLIMITED), whole);
        assert_ne!(rows(settings(2), &Pool::default(), || Budget::UNLIMITED), whole);
        let columns = NetworkWeights::columns();
        assert!(columns.starts_with(task::ROW));
        assert!(whole.iter().all(|row| row.split(',').count() == columns.split(',').count()));
    }
}

#[test]
fn a_stopped_run_continues_to_the_same_rows_and_network() {
    let whole = rows(small(5), &Pool::default(), || Budget::UNLIMITED);
    let [folder, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let mut job = RunJob::create(folder.path(), small(5), &Pool::default()).unwrap();
    job.step(Budget::UNLIMITED.single());
    let watched = kinds::watch(folder.path()).unwrap();
    assert_eq!(
        (&watched.seen().get::<GaView>().unwrap().past, watched.seen().get::<GaView>().unwrap().genes),
        (&job.run_as::<NetworkRun>().view().past, PARTS.len())
    );
    drop(job);
    let (mut job, notes) = kinds::resume(folder.path(), &Pool::default()).unwrap();
    assert_eq!((job.run_as::<NetworkRun>().generation(), notes.len()), (Some(0), 0));
    assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
    let written = std::fs::read_to_string(folder.path().join("generations.csv")).unwrap();
    assert_eq!(written.lines().skip(1).collect::<Vec<_>>(), whole);
    let mut at_once = RunJob::create(other.path(), small(5), &Pool::alone()).unwrap();
    assert_eq!(at_once.step(Budget::UNLIMITED), Status::Done);
    let network = |folder: &std::path::Path| std::fs::read(folder.join(NETWORK)).unwrap();
    assert!(network(folder.path()) == network(other.path()));
    let (best, notes) = file::read(&network(folder.path())).unwrap();
    assert_eq!((notes["games"].as_str(), notes["generation"].as_str()), ("96", "3"));
    assert_eq!(best, small(5).task.network(&job.run_as::<NetworkRun>().ranking()[0].individual.genome).unwrap());
}

/// A genome's file is a player with its policy and a value of 0.
#[test]
fn a_genome_is_a_network_that_plays() {
    let settings = small(1);
    let mut run = NetworkRun::start(settings.clone()).unwrap();
    run.advance(&Pool::default(), Budget::UNLIMITED);
    let ranked = &run.ranking()[0];
    let (ending, bytes) = settings.kept(ranked, 50.0);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("genome.{ending}"));
    std::fs::write(&path, &bytes).unwrap();
    let text = settings.player(&ranked.individual.genome, &path.to_string_lossy());
    let spec: Spec = text.parse().unwrap();
    assert!(text.ends_with("genome.safetensors:greedy=yes") && matches!(spec, Spec::A3c(_)), "{text}");
    let network = settings.task.network(&ranked.individual.genome).unwrap();
    let mut input = Vec::new();
    settings.task.start().encode(0, &mut input);
    let mut activations = crate::net::Activations::default();
    network.forward(&input, &mut activations);
    assert!(activations.value() == 0.0 && activations.logits().iter().any(|logit| *logit != 0.0));
    // The heads by hand: the policy's part of the genome is a row of six for each unit and one of biases.
    let genes = &ranked.individual.genome;
    let unit = |unit: usize| {
        let weights = input.iter().map(|&(at, x)| f64::from(x) * genes[usize::from(at) * 3 + unit]).sum::<f64>();
        (weights + genes[196 * 3 + unit]).max(0.0)
    };
    let policy = &genes[197 * 3..];
    let logit = (0..3).map(|one| unit(one) * policy[6 * one + 4]).sum::<f64>() + policy[6 * 3 + 4];
    assert!((logit - f64::from(activations.logits()[4])).abs() < 1e-4);
}

#[test]
fn rows_show_the_root_mean_square_of_each_part() {
    let task = small(1).task;
    let parts = task.parts();
    assert_eq!((parts, task.genes().len()), ([196 * 3, 3, 18, 6], 196 * 3 + 3 + 18 + 6));
    let genome: Genome = [2.0, -3.0, 0.5, 0.0].iter().zip(parts).flat_map(|(gene, count)| vec![*gene; count]).collect();
    assert_eq!(*task.shown(&genome), [2.0, 3.0, 0.5, 0.0]);
    assert_eq!(NetworkWeights::labels().len(), task.shown(&genome).len());
}

#[test]
fn fitness_rises() {
    let mut settings = Settings { generations: 12, population: 20, ..small(7) };
    settings.set("opponents", "random").unwrap();
    settings.set("games", "30").unwrap();
    let means: Vec<f64> = rows(settings, &Pool::default(), || Budget::UNLIMITED)
        .iter()
        .map(|row| row.split(',').nth(2).unwrap().parse().unwrap())
        .collect();
    assert!(means[12] > means[0] + 8.0, "{means:?}");
}

#[test]
fn settings_say_what_they_accept() {
    let mut settings = small(1);
    let mut error = |key: &str, value: &str| settings.set(key, value).unwrap_err().to_string();
    assert!(error("encoding", "discs").contains("counts or outlook"));
    assert!(error("opponents", "champions:3").contains("champions are not available in Kalah; use \"random\""));
    assert!(error("opponents", "samuel:3").contains("samuel"));
    assert!(error("crossover", "two").contains("expected one-point or uniform"));
    let refused = |key: &str, value: &str| {
        let mut settings = small(1);
        settings.set(key, value).unwrap();
        NetworkRun::start(settings).err().unwrap().to_string()
    };
    assert!(refused("games", "5").contains("games must be even"));
    let mut changed = small(1);
    for (key, value) in [
        ("game", "5x3:empty"),
        ("encoding", "outlook"),
        ("greedy", "false"),
        ("opening", "4"),
        ("selection", "points"),
        ("crossover", "one-point"),
        ("sigma", "0.5"),
        ("spread", "0.7"),
    ] {
        let before = changed.clone();
        changed.set(key, value).unwrap();
        assert_ne!(changed, before, "{key}");
    }
    let source = crate::settings::Source::new("run.toml", changed.to_text());
    let mut read = small(1);
    crate::settings::parse(&source, |table, problems| read.read(table, problems)).unwrap();
    assert_eq!(read, changed);
    assert_eq!(rows(changed, &Pool::alone(), || Budget::UNLIMITED).len(), 4);
}
