//! Tests of runs that breed networks: independent of the division into steps, and their files are players.

use super::*;
use crate::budget::{Budget, Job, Status};
use crate::evolve::checks::{self, rows};
use crate::evolve::ga::GaView;
use crate::evolve::task::AnyTask as _;
use crate::job::{Run, RunJob};
use crate::kinds;
use crate::pool::Pool;

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

#[test]
fn rows_depend_on_settings_and_seed_alone() {
    for greedy in ["true", "false"] {
        checks::rows_depend_on_settings_and_seed_alone(|seed| {
            let mut settings = small(seed);
            settings.set("greedy", greedy).unwrap();
            settings
        });
    }
}

#[test]
fn a_stopped_run_continues_to_the_same_rows_and_network() {
    let [folder, other] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let job = checks::continues_to_the_same_rows(&small(5), folder.path(), 1, |job| {
        let watched = kinds::watch(folder.path()).unwrap();
        let seen = watched.seen().get::<GaView>().unwrap();
        assert_eq!((&seen.past, seen.genes), (&job.run_as::<NetworkRun>().view().past, PARTS.len()));
    });
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
    let means: Vec<f64> = rows(settings, &Pool::default(), Budget::UNLIMITED)
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
    assert!(error("crossover", "two").contains("expected one-point, uniform, linear or blend"));
    let refused = |key: &str, value: &str| {
        let mut settings = small(1);
        settings.set(key, value).unwrap();
        NetworkRun::start(settings).err().unwrap().to_string()
    };
    assert!(refused("games", "5").contains("games must be even"));
    let changes = [
        ("game", "5x3:empty"),
        ("encoding", "outlook"),
        ("greedy", "false"),
        ("opening", "4"),
        ("selection", "points"),
        ("crossover", "one-point"),
        ("sigma", "0.5"),
        ("spread", "0.7"),
    ];
    checks::are_changed_and_kept(&small(1), &changes);
    let mut changed = small(1);
    changes.iter().for_each(|(key, value)| changed.set(key, value).unwrap());
    assert_eq!(rows(changed, &Pool::alone(), Budget::UNLIMITED).len(), 4);
}
