//! Opens networks and games on the Board: the network is written to a file beside the run, which defines the player; a game of the
//! panel is replayed.

use mancalab_base::{Error, bail};
use std::path::{Path, PathBuf};

use super::strength::Game;
use crate::app::effect::{Context, Tone};
use crate::files::write_atomic;
use crate::game::Side;
use crate::game::record::Record;
use crate::patterns;
use crate::player::Spec;
use crate::player::levels::Opponent;
use crate::tabs::board::{OpenedGame, Setup};
use crate::tabs::runs::{name, set_up, show_game};
use crate::train::{NetworkSnapshot, Probe, View};

/// Returns the file of a generation's network, for the Board.
fn network_path(run: &Path, generation: u64) -> PathBuf {
    run.join("networks").join(format!("generation-{generation}.safetensors"))
}

/// Writes the network beside the run; returns its generation and its player. Writes and reads files.
fn player(view: &View, learned: Option<&NetworkSnapshot>, run: &Path) -> Result<(u64, Spec), Error> {
    let learned = learned.ok_or("No network yet")?;
    let generation = learned.generation;
    let bytes = view.network_file(learned).ok_or("No network yet")?;
    let path = network_path(run, generation);
    write_atomic(&path, &bytes).map_err(Error::cannot("write", &path))?;
    Ok((generation, format!("a3c:{}", path.display()).parse()?))
}

/// Opens a game of the panel against the selected opponent, at its start.
pub fn game(view: &View, Game { against, number }: Game, run: &Path, cx: &mut Context) {
    if view.learned.is_none() {
        return cx.notice(Tone::Info, "No generation is complete yet");
    }
    let view = view.clone();
    let run = run.to_owned();
    show_game(cx, move || replayed(&view, &run, against, number));
}

fn replayed(view: &View, run: &Path, against: usize, number: u64) -> Result<OpenedGame, Error> {
    let (generation, network) = player(view, view.panel_network(), run)?;
    let replayed = view.replayed(against, number).ok_or("The game cannot be replayed")?;
    let other = view.settings.panel.get(against).cloned().unwrap_or_else(|| network.clone());
    let players = if replayed.seat == Side::South { [network, other] } else { [other, network] };
    let variant = view.settings.variant;
    let opening = view.settings.opening;
    let mut record = Record::new(variant, players.clone().map(|player| player.to_string()), Some(replayed.seed));
    if !replayed.moves.into_iter().all(|mv| record.play(mv)) {
        bail!("The game cannot be replayed");
    }
    record.headers.push(("Opening".to_owned(), format!("{opening} random moves")));
    let of = if is_measured(view, against) { "of the panel" } else { "(not one of the measured games)" };
    let origin = format!("{}, generation {generation}, game {} {of}", name(run), number + 1);
    Ok(OpenedGame::of_run(record, players.map(Some), origin))
}

/// Returns whether the games that can be opened against this opponent are those of the measurement.
pub fn is_measured(view: &View, against: usize) -> bool {
    let generation = |learned: &NetworkSnapshot| learned.generation as usize;
    let past = view.panel_network().and_then(|learned| view.past.get(generation(learned)));
    against < view.settings.panel.len() && past.is_some_and(|past| !past.panel.is_empty())
}

/// Opens one of the fixed positions, with the network playing both sides.
pub fn position(view: &View, Probe { position, .. }: &Probe, run: &Path, cx: &mut Context) {
    let view = view.clone();
    let position = *position;
    let run = run.to_owned();
    show_game(cx, move || {
        let (generation, network) = player(&view, view.learned.as_ref(), &run)?;
        let players = [network.clone(), network];
        let names = players.clone().map(|player| player.to_string());
        let record = Record::from_position(view.settings.variant, position, names, None);
        let origin = format!("{}, generation {generation}, a position of it", name(&run));
        Ok(OpenedGame::of_run(record, players.map(Some), origin))
    });
}

/// Starts a new game of the network against a human, who moves first.
pub fn challenge(view: &View, run: &Path, cx: &mut Context) {
    let view = view.clone();
    let run = run.to_owned();
    set_up(cx, move || {
        let (_, network) = player(&view, view.learned.as_ref(), &run)?;
        Ok(Setup::new(view.settings.variant, [Spec::Human, network].map(Opponent::Player)))
    });
}

/// Starts a new game of a search with the run's weights, as it meets the panel, against a human, who moves first.
pub fn challenge_patterns(view: &patterns::View, run: &Path, cx: &mut Context) {
    let depth = view.settings.panel_depth;
    let subject = view.settings.subject;
    let run = run.to_owned();
    set_up(cx, move || {
        let path = run.join(subject.file);
        if !path.exists() {
            bail!("{} is not saved yet (w saves the run)", path.display());
        }
        let player: Spec = format!("minimax:{depth}@{}", path.display()).parse()?;
        Ok(Setup::new(subject.game.parse()?, [Spec::Human, player].map(Opponent::Player)))
    });
}
