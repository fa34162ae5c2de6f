//! The opponents of a generation.

use std::sync::Arc;

use super::game::Rival;
use super::settings::Settings;
use super::trees::Layout;
use crate::evolve::gp::Genome;
use crate::evolve::opponent::{OpponentKind, or_random};
use crate::player::{self, Spec};
use crate::program::Grammar;
use crate::program::othello::OthelloLanguage;
use crate::rng;

/// An opponent.
pub(super) struct Case {
    /// Its number among all possible opponents, the key of its random draws.
    pub number: u64,
    spec: Spec,
    /// Games of each program against it, at least one.
    pub games: u32,
}

impl Case {
    /// Returns the number of nodes of its functions; 0 for other players.
    pub fn nodes(&self) -> usize {
        match &self.spec {
            Spec::Staged(staged) => staged.stages.iter().map(|stage| stage.function.size()).sum(),
            _ => 0,
        }
    }

    /// Returns the player for one thread; `None` for a human.
    pub fn rival(&self) -> Option<Rival> {
        match &self.spec {
            Spec::Random => Some(Rival::Random),
            spec => player::build(spec).ok().map(Rival::Other),
        }
    }
}

/// Purpose of the random draws of random programs. The number is part of every recorded run.
const PROGRAMS: u64 = 4;

/// Random programs with larger trees are left out.
const MOST_NODES: usize = 10_000;

/// Returns the opponents of a generation. The games are divided among them by weight; opponents without a game are left out.
/// `champions` are the fittest programs of the previous generation, fittest first; the random player replaces them in the first
/// generation.
pub(super) fn cases(
    settings: &Settings,
    grammars: &[Grammar<OthelloLanguage>],
    layout: &Layout,
    champions: &[Arc<Genome<OthelloLanguage>>],
) -> Vec<Case> {
    let all: f64 = settings.opponents.iter().map(|opponent| opponent.weight).sum();
    let mut cases = Vec::new();
    let mut number = 0;
    // Cumulative share of the weights, and the number of games already assigned.
    let mut share = 0.0;
    let mut dealt = 0;
    for opponent in &settings.opponents {
        let (specs, most): (Vec<Spec>, u32) = match &opponent.kind {
            OpponentKind::Player(spec) => (vec![spec.clone()], 1),
            OpponentKind::Programs(count) => {
                let program = |number: u32| {
                    let mut rng = rng::keyed(&[settings.tableau.seed, number.into(), PROGRAMS]);
                    let depth = settings.tableau.initial_depth as usize;
                    let trees = grammars.iter().map(|grammar| grammar.program_within(depth, MOST_NODES, &mut rng));
                    layout.player(&Genome::new(trees.collect::<Option<_>>()?)?).map(Spec::Staged)
                };
                (or_random((0..*count).filter_map(program).collect()), *count)
            }
            OpponentKind::Champions(count) => {
                let fittest = champions.iter().take(*count as usize);
                let fittest = fittest.filter_map(|program| layout.player(program).map(Spec::Staged));
                (or_random(fittest.collect()), *count)
            }
        };
        let weight = opponent.weight / all / specs.len().max(1) as f64;
        for (spec, number) in specs.into_iter().zip(number..) {
            share += weight;
            let upto = ((share * f64::from(settings.games)).round() as u32).clamp(dealt, settings.games);
            let games = upto - dealt;
            dealt = upto;
            cases.extend((games > 0).then_some(Case { number, spec, games }));
        }
        number += u64::from(most);
    }
    cases
}
