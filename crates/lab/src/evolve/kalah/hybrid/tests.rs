//! Tests of runs that tune eleven weights: independent of the division into steps, and consistent with their player.

use super::*;
use crate::budget::Budget;
use crate::evolve::checks::{self, rows};
use crate::job::RunSettings as _;
use crate::player::Spec;
use crate::pool::Pool;
use crate::settings::KeyedSettings as _;
use std::time::Duration;

fn small(seed: u64) -> HybridSettings {
    let mut settings = HybridWeights::settings();
    for (key, value) in [("population", "4"), ("generations", "2"), ("depth", "1"), ("games", "1")] {
        settings.set(key, value).unwrap();
    }
    Settings { seed, ..settings }
}

#[test]
fn rows_depend_on_settings_and_seed_alone() {
    checks::rows_depend_on_settings_and_seed_alone(small);
    assert_eq!(HybridWeights::labels().len(), small(1).task.genes().len());
}

/// Searches too long for one step are suspended, with the same result.
#[test]
fn deep_searches_are_cut_without_a_difference() {
    let mut settings = Settings { generations: 0, population: 2, ..small(3) };
    settings.set("depth", "5").unwrap();
    settings.set("opening", "20").unwrap();
    let whole = rows(settings.clone(), &Pool::alone(), Budget::UNLIMITED);
    assert_eq!(rows(settings, &Pool::alone(), Budget::time(Duration::ZERO)), whole);
}

#[test]
fn a_stopped_run_continues_to_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    let job = checks::continues_to_the_same_rows(&small(5), folder.path(), 1, |_| {});
    let best = weights(&job.run_as::<HybridRun>().view().past.last().unwrap().best_genome);
    drop(job);
    // The best genome is a file of weights.
    let text = format!("heuristic:4@{}:net=best", folder.path().join("best.txt").display());
    let Spec::Hybrid(player) = text.parse().unwrap() else { panic!("{text}") };
    assert_eq!(player.weights, best);
}

#[test]
fn a_genome_is_a_player_and_the_network_is_promised() {
    let settings = small(1);
    let genome: Genome = settings.task.genes().iter().map(|gene| gene.start).collect();
    let text = settings.task.player(&genome, "");
    assert!(text.starts_with("heuristic:1@") && text.ends_with(",0.5:ties=random:net=best"), "{text}");
    assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
    let files = settings.files();
    assert_eq!((files.len(), files[0].0.as_str()), (1, "the network best"));
}

#[test]
fn settings_say_what_they_accept() {
    let mut settings = small(1);
    let mut error = |key: &str, value: &str| settings.set(key, value).unwrap_err().to_string();
    assert!(error("net", "no/such").contains("cannot read no/such"));
    assert!(error("net", "").contains("net must be best or a network file"));
    assert!(error("start", "thesis").contains("expected bred or middle"));
    settings.set("game", "5x4:standard").unwrap();
    let refused = HybridRun::start(settings).err().unwrap();
    assert!(refused.to_string().contains("its network was trained for kalah:6x4:standard"), "{refused}");
    let changes = [("start", "middle"), ("games", "3"), ("opening", "1"), ("ties", "first"), ("spread", "0.2")];
    checks::are_changed_and_kept(&small(1), &changes);
}
