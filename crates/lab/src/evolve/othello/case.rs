//! Whom programs play against in a generation.

use std::sync::Arc;

use super::game::Rival;
use super::settings::Settings;
use super::trees::Layout;
use crate::evolve::gp::Genome;
use crate::evolve::opponent::OpponentKind;
use crate::player::{self, Spec};
use crate::program::Grammar;
use crate::program::othello::OthelloLanguage;
use crate::rng;

/// An opponent.
pub(super) struct Case {
    /// Its number among all that there may be, which the chance of its games follows from.
    pub number: u64,
    spec: Spec,
    /// Games of each program against it, at least one.
    pub games: u32,
}

impl Case {
    /// How many nodes its functions have together; none of a player of another kind.
    pub fn nodes(&self) -> usize {
        match &self.spec {
            Spec::Staged(staged) => staged.stages.iter().map(|stage| stage.function.size()).sum(),
            _ => 0,
        }
    }

    /// The player, for one thread; `None` of a human.
    pub fn rival(&self) -> Option<Rival> {
        match &self.spec {
            Spec::Random => Some(Rival::Random),
            spec => player::build(spec).ok().map(Rival::Other),
        }
    }
}

/// What the random programs among the opponents are drawn for, beside the run's seed.
const PROGRAMS: u64 = 4;

/// A random program with a larger tree is left out.
const MOST_NODES: usize = 10_000;

/// The opponents of a generation, with the games shared out among them by their weights; whoever has none is left out. `champions` are the fittest programs of the one before, the fittest first; before there are any the
/// random player stands in for them.
pub(super) fn cases(
    settings: &Settings,
    grammars: &[Grammar<OthelloLanguage>],
    layout: &Layout,
    champions: &[Arc<Genome<OthelloLanguage>>],
) -> Vec<Case> {
    let all: f64 = settings.opponents.iter().map(|opponent| opponent.weight).sum();
    let (mut cases, mut number) = (Vec::new(), 0);
    // What those before weigh together, as a share of all, and the games that are theirs.
    let (mut share, mut dealt) = (0.0, 0);
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

/// The random player stands in where there is nobody, so that every game is played.
fn or_random(specs: Vec<Spec>) -> Vec<Spec> {
    if specs.is_empty() { vec![Spec::Random] } else { specs }
}

/// How many of the fittest programs of the generation before the opponents take.
pub(super) fn champions(settings: &Settings) -> usize {
    let most = |kind: &OpponentKind| match kind {
        OpponentKind::Champions(count) => *count as usize,
        OpponentKind::Player(_) | OpponentKind::Programs(_) => 0,
    };
    settings.opponents.iter().map(|opponent| most(&opponent.kind)).max().unwrap_or(0)
}
