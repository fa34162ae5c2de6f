//! Opens programs on the Board: a program is written to a file, which defines the player.

use mancalab_base::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Panels, ViewModel, program_file};
use crate::app::effect::Context;
use crate::evolve::gp::Selectable;
use crate::evolve::inspect::AnyView;
use crate::files::write_atomic;
use crate::game::Side;
use crate::player::Spec;
use crate::player::offers::Opponent;
use crate::tabs::board::Setup;
use crate::tabs::runs::set_up;

/// Opens the selected program on the Board, against a human or its first opponent. For watched runs, opens the best program.
pub fn on_the_board(panels: &Panels, view_model: &ViewModel, run: &Path, human: bool, cx: &mut Context) {
    let view = view_model.view.clone().filter(|view| view.population().is_some());
    let rank = panels.population.selected();
    let run = run.to_owned();
    let settings = Arc::clone(&view_model.settings);
    set_up(cx, move || {
        let file = match view {
            Some(view) => write(&*view, rank, &run),
            None => Ok(run.join("best.txt")),
        };
        let program = settings.player(&file?)?;
        let mut players = if human { [Spec::Human, program] } else { [program, settings.opponent()?] };
        if !human && settings.side() == Side::North {
            players.swap(0, 1);
        }
        Ok(Setup::new(settings.game(), players.map(Opponent::Player)))
    });
}

/// Writes the program of this rank to a file beside the run and returns its path.
fn write(view: &dyn AnyView, rank: usize, run: &Path) -> Result<PathBuf, Error> {
    let found = view.ranked(rank).zip(view.program(rank)).zip(view.population());
    let ((Selectable { outcome, .. }, program), (generation, _)) = found.ok_or("No such program")?;
    let path = program_file(run, generation, rank);
    let text = format!(
        "# generation {generation}, rank {}: fitness {}, {}\n{}\n",
        rank + 1,
        outcome.fitness,
        view.run_status().history.measures().to_text(&outcome.scores, |score| score.to_string()),
        program.text()
    );
    write_atomic(&path, text.as_bytes()).map_err(Error::cannot("write", &path))?;
    Ok(path)
}
