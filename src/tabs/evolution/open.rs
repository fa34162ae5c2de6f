//! From the population to the Board: a program becomes a file, and the file a player.

use std::path::Path;

use super::{Panels, Picture, program_file};
use crate::app::effect::{Context, Tone};
use crate::evolve::kalah::settings::OpponentKind;
use crate::files::write_atomic;
use crate::game::Variant;
use crate::player::Spec;
use crate::tabs::board::Setup;

/// Opens the selected program on the Board, against a person or its first opponent. Of a run that is only watched, the best.
pub fn on_the_board(panels: &Panels, picture: &Picture, run: &Path, human: bool, cx: &mut Context) {
    let spec = match file(panels, picture, run) {
        Ok(file) => format!("program:{file}").parse::<Spec>(),
        Err(reason) => return cx.notice(Tone::Bad, reason),
    };
    let opponent = if human { Ok(Spec::Human) } else { opponent(picture) };
    match spec.and_then(|spec| Ok((spec, opponent?))) {
        Err(reason) => cx.notice(Tone::Bad, reason),
        Ok((program, opponent)) => {
            let variant = Variant::Kalah(picture.settings.rules());
            let players = if human { [opponent, program] } else { [program, opponent] };
            cx.tell("board", Setup { variant, players, seed: None });
        }
    }
}

/// The file the program is in, written if need be.
fn file(panels: &Panels, picture: &Picture, run: &Path) -> Result<String, String> {
    let Some(population) = picture.view.as_ref().and_then(|view| view.population.as_ref()) else {
        return Ok(run.join("best.txt").display().to_string());
    };
    let rank = panels.population.selected();
    let one = population.ranked(rank).ok_or("There is no such program")?;
    let path = program_file(run, population.generation, rank);
    let [first, second] = one.outcome.scores;
    let text = format!(
        "# generation {}, rank {}: fitness {}, {first} first, {second} second\n{}\n",
        population.generation,
        rank + 1,
        one.outcome.fitness,
        one.program.to_notation()
    );
    write_atomic(&path, text.as_bytes())
        .map_err(|error| format!("{} could not be written: {error}", path.display()))?;
    Ok(path.display().to_string())
}

fn opponent(picture: &Picture) -> Result<Spec, String> {
    match picture.settings.opponents.first().map(|opponent| &opponent.kind) {
        Some(OpponentKind::Player(spec)) => Ok(spec.clone()),
        Some(OpponentKind::Programs(_)) => format!("program:random:{}", picture.settings.tableau.seed).parse(),
        None => Ok(Spec::Human),
    }
}
