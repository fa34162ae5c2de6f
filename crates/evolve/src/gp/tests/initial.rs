//! Programs from files that begin a run, and what a fork may change.

use super::toy::{Settings, Toy};
use super::{ToyRun, next};
use crate::gp::population::Operator;
use crate::gp::{GpSettings, Population};
use crate::job::RunSettings as _;
use crate::program::tree::Tree;
use std::path::Path;
use std::sync::Arc;

/// Two programs, a line each.
fn programs(folder: &Path) -> String {
    let path = folder.join("programs.txt");
    std::fs::write(&path, "# two programs\n(+ 1 2)\n(- 3 (+ 4 5))\n").unwrap();
    format!("initial={}", path.display())
}

/// Returns generation 0.
fn first(texts: &[&str]) -> Arc<Population<super::toy::Sums>> {
    let mut run = ToyRun::start(Settings::with(texts)).unwrap();
    assert!(next(&mut run, &mut Vec::new()));
    Arc::clone(run.population().unwrap())
}

#[test]
fn given_programs_take_the_first_places_of_the_islands_in_turn() {
    let folder = tempfile::tempdir().unwrap();
    let initial = programs(folder.path());
    for (islands, places) in [("islands=1", [0, 1]), ("islands=3", [0, 8])] {
        let (with, without) = (first(&[islands, &initial]), first(&[islands]));
        for (number, one) in with.individuals.iter().enumerate() {
            match places.iter().position(|&place| place == number) {
                Some(which) => {
                    let text = ["(+ 1 2)", "(- 3 (+ 4 5))"][which];
                    assert_eq!(one.program.first(), &Tree::parse(text).unwrap());
                    assert_eq!(one.birth().operator, Operator::Seeded);
                }
                None => assert_eq!(one.program, without.individuals[number].program, "{number}"),
            }
        }
    }
}

#[test]
fn a_file_without_programs_is_named_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.txt");
    std::fs::write(&path, "(+ 1 2)\n(+ 1\n").unwrap();
    let settings = Settings::with(&[&format!("initial={}", path.display())]);
    let error = ToyRun::start(settings).err().unwrap().to_string();
    assert!(error.contains("odd.txt, line 2: "), "{error}");
    let missing = Settings::default().tableau.initial;
    assert!(missing.is_empty() && "/nowhere/x.txt".parse::<crate::initial::Initial>().is_err());
}

#[test]
fn a_fork_may_change_how_programs_are_bred_but_not_how_they_were_judged() {
    let parent = GpSettings::<Toy>::new(Settings::default());
    let fork = |text: &str| GpSettings::<Toy>::new(Settings::with(&[text])).check_fork(&parent);
    for text in ["mutation=50", "selection=tournament:2", "seed=9", "generations=99", "stop=plateau:3", "keep=2"] {
        assert_eq!(fork(text), Ok(()), "{text}");
    }
    for text in ["parsimony=1", "population=48", "islands=2", "anew=true", "generator=ramped"] {
        let error = fork(text).unwrap_err().to_string();
        let key = text.split('=').next().unwrap();
        assert!(error.starts_with(key) && error.contains("a fork may change crossover"), "{error}");
    }
}
