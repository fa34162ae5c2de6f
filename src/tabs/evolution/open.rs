//! From the population to the Board: a program becomes a file, and the file a player.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Panels, Picture, program_file};
use crate::app::effect::Context;
use crate::document::Refusal;
use crate::evolve::gp::problem::Settings as _;
use crate::evolve::gp::{Population, Problem as _};
use crate::evolve::kalah::{KalahProblem, OpponentKind, Settings};
use crate::files::write_atomic;
use crate::game::Variant;
use crate::plain;
use crate::player::Spec;
use crate::program::kalah::KalahLanguage;
use crate::tabs::board::Setup;
use crate::tabs::runs::ForBoard;

/// Opens the selected program on the Board, against a person or its first opponent. Of a run that is only watched, the best.
pub fn on_the_board(panels: &Panels, picture: &Picture, run: &Path, human: bool, cx: &mut Context) {
    let population = picture.view.as_ref().and_then(|view| view.population.clone());
    let (rank, run, settings) = (panels.population.selected(), run.to_owned(), Arc::clone(&picture.settings));
    cx.wait_for(move || {
        let file = match population {
            Some(population) => write(&population, rank, &settings, &run),
            None => Ok(run.join("best.txt")),
        };
        let players = || {
            let program = format!("program:{}", file?.display()).parse()?;
            Ok(if human { [Spec::Human, program] } else { [program, opponent(&settings)?] })
        };
        let setup = |players| Setup { variant: Variant::Kalah(settings.rules()), players, seed: None };
        ForBoard(players().map(setup))
    });
}

/// Writes the program of this rank to a file beside the run; gives its path.
fn write(
    population: &Population<KalahLanguage>,
    rank: usize,
    settings: &Settings,
    run: &Path,
) -> Result<PathBuf, String> {
    let one = population.ranked(rank).ok_or("There is no such program")?;
    let path = program_file(run, population.generation, rank);
    let text = format!(
        "# generation {}, rank {}: fitness {}, {}\n{}\n",
        population.generation,
        rank + 1,
        one.outcome.fitness,
        settings.measures().told(&one.outcome.scores, |score| score.to_string()),
        KalahProblem::text(settings, &one.program)
    );
    write_atomic(&path, text.as_bytes())
        .map_err(|error| format!("{} could not be written: {why}", path.display(), why = plain::reason(&error)))?;
    Ok(path)
}

fn opponent(settings: &Settings) -> Result<Spec, Refusal> {
    match settings.opponents.first().map(|opponent| &opponent.kind) {
        Some(OpponentKind::Player(spec)) => Ok(spec.clone()),
        Some(OpponentKind::Programs(_) | OpponentKind::Champions(_)) => {
            format!("program:random:{}", settings.tableau.seed).parse()
        }
        None => Ok(Spec::Human),
    }
}
