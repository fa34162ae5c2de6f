//! The opponents of a generation.

use std::sync::Arc;

use super::settings::Settings;
use crate::evolve::gp::Genome;
use crate::evolve::opponent::{self, OpponentKind};
use crate::player::{self, Player, ProgramPlayer, Spec};
use crate::program::kalah::{KalahLanguage, ProgramGame, Reading, random_program};

/// An opponent of all programs of a generation.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Rival {
    /// Its number among all possible opponents.
    pub place: usize,
    /// The key of its random draws, the same for all champions of a setting.
    pub number: u64,
    pub spec: Spec,
    /// Its share of all games.
    pub weight: f64,
    /// How it reads the board, if that is not for its player to choose: a champion plays as it was bred.
    pub reading: Option<Reading>,
}

impl Rival {
    /// Returns whether it plays as the other does.
    pub fn plays_as(&self, other: &Rival) -> bool {
        self.number == other.number && self.reading == other.reading && self.spec == other.spec
    }

    /// Returns a player for one thread; `None` for a human.
    pub fn player<G: ProgramGame>(&self) -> Option<Box<dyn Player<G>>> {
        match (&self.spec, self.reading) {
            (Spec::Program(named), Some(reading)) => {
                Some(Box::new(ProgramPlayer::<G>::with_reading(&named.program, reading)))
            }
            (spec, _) => player::build(spec).ok(),
        }
    }
}

/// Returns the opponents of a generation, random programs and champions individually. `champions` are the fittest programs of the
/// previous generation, fittest first; the random player replaces them in the first generation.
pub(super) fn rivals(settings: &Settings, champions: &[Arc<Genome<KalahLanguage>>]) -> Vec<Rival> {
    let all: f64 = settings.opponents.iter().map(|opponent| opponent.weight).sum();
    let mut rivals = Vec::new();
    let mut number = 0;
    for opponent in &settings.opponents {
        let (specs, most): (Vec<Spec>, u32) = match &opponent.kind {
            OpponentKind::Player(spec) => (vec![spec.clone()], 1),
            OpponentKind::Programs(count) => {
                let program = |number: u32| random_program(settings.tableau.seed, number.into());
                let spec = |number: u32| Spec::program(format!("random-{number}"), program(number));
                ((0..*count).map(spec).collect(), *count)
            }
            OpponentKind::Champions(count) => {
                let fittest = champions.iter().take(*count as usize);
                let fittest = fittest.map(|program| Spec::program("champion", program.first().clone()));
                (opponent::or_random(fittest.collect()), *count)
            }
        };
        let are_champions = matches!(opponent.kind, OpponentKind::Champions(_));
        let weight = opponent.weight / all / specs.len() as f64;
        rivals.extend(specs.into_iter().zip(number..).map(|(spec, place)| Rival {
            place: place as usize,
            number: if are_champions { number } else { place },
            spec,
            weight,
            reading: are_champions.then_some(settings.reading),
        }));
        number += u64::from(most);
    }
    rivals
}
