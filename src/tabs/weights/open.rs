//! Opens genomes and games on the Board: a genome is written to a file, which defines the player; a game of a pairing is replayed.

use mancalab_base::Error;
use std::path::Path;
use std::sync::Arc;

use super::bracket::Inspect;
use super::{Panels, ViewModel};
use crate::app::tab::{Context, Tone};
use crate::files::write_atomic;
use crate::job::run_dir::NETWORK;
use crate::player::Spec;
use crate::player::offers::Opponent;
use crate::tabs::board::{OpenedGame, Setup};
use crate::tabs::runs::parts::name as run_name;
use crate::tabs::runs::{set_up, show_game};

/// Opens the game of the pairing under the cursor on the Board, at its start, after replaying it.
pub fn game(panels: &Panels, view_model: &ViewModel, run: &Path, cx: &mut Context) {
    let Some(shown) = Inspect::find(view_model) else {
        return cx.notice(Tone::Info, "No generation has been evaluated yet");
    };
    let Some((pairing, game)) = panels.bracket.chosen(&shown) else {
        return cx.notice(Tone::Info, "A bye has no game");
    };
    let Some((bracket, ranking)) =
        view_model.view.as_ref().and_then(|view| Some((view.bracket.clone()?, view.ranking.clone())))
    else {
        return;
    };
    let settings = Arc::clone(&view_model.settings);
    let pairing = pairing.clone();
    let run = run_name(run);
    show_game(cx, move || {
        let played = settings.record(&bracket, &pairing, game, &ranking);
        let (record, players) = played.ok_or("The game cannot be replayed")?;
        let players = players.iter().map(|player| player.parse::<Spec>().map(Some)).collect::<Result<Vec<_>, _>>()?;
        let players = <[Option<Spec>; 2]>::try_from(players).unwrap_or_default();
        let origin = format!("{run}, generation {}, pairing {}", bracket.generation, pairing.number + 1);
        Ok(OpenedGame::of_run(record, players, origin))
    });
}

/// Opens the selected genome on the Board, against a human or minimax of the same depth. For watched runs, opens the best of the
/// newest generation.
pub fn on_the_board(panels: &Panels, view_model: &ViewModel, run: &Path, human: bool, cx: &mut Context) {
    let settings = &view_model.settings;
    let opponent = if human { "human".to_owned() } else { settings.yardstick() };
    let selected =
        view_model.view.as_ref().and_then(|view| Some((view, view.ranking.get(panels.standings.selected())?)));
    let (player, file) = match (selected, view_model.past.last()) {
        (Some((view, ranked)), _) => {
            let (ending, bytes) = settings.kept(ranked, view.fitness(ranked));
            let path = run.join("genomes").join(format!("genome-{}.{ending}", ranked.individual.id));
            (settings.player(&ranked.individual.genome, &path.to_string_lossy()), Some((path, bytes)))
        }
        (None, Some(best)) => (settings.player(&best.best_genome, &run.join(NETWORK).to_string_lossy()), None),
        (None, None) => return cx.notice(Tone::Bad, "No genome yet"),
    };
    let variant = settings.game();
    set_up(cx, move || {
        // The weights are written beside the run, for later games.
        if let Some((path, bytes)) = file {
            write_atomic(&path, &bytes).map_err(Error::cannot("write", &path))?;
        }
        let genome = player.parse()?;
        let opponent = opponent.parse::<Spec>()?;
        let players = if human { [opponent, genome] } else { [genome, opponent] };
        Ok(Setup::new(variant, players.map(Opponent::Player)))
    });
}
