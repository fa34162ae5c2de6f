//! The players and saved games of the Board, for the palette.

use std::path::PathBuf;
use std::time::Duration;

use mancalab_base::Error;

use super::library::saved::{self, SavedGame};
use super::message::Message;
use super::setup::Setup;
use crate::app::palette_item::{PaletteItem, PaletteSource};
use crate::game::Variant;
use crate::player::levels::Opponent;
use crate::player::offers::{about, offers};
use crate::player::{Spec, check_plays};

/// Time for reading games before the palette opens.
const READING: Duration = Duration::from_millis(50);

/// An entry of the palette.
pub(crate) enum PaletteEntry {
    /// An opponent.
    Player(String),
    Game(PathBuf),
}

/// The entries for a new game of this variant, and for the games of a folder.
pub(super) fn items(variant: Variant, games: Option<PathBuf>) -> PaletteSource {
    Box::new(move || {
        let players = offers(&variant).into_iter().filter(|name| *name != Spec::Human.to_string());
        let players = players.map(|name| {
            let about = format!("new game: {}", about(&name, &variant).unwrap_or_default());
            PaletteItem {
                kind: "player",
                about,
                pick: Box::new(Message::Named(PaletteEntry::Player(name.clone()))),
                name,
            }
        });
        let games = games.map(|folder| saved::list(&folder)).unwrap_or_default();
        players.chain(with_contents(games).into_iter().map(game)).collect()
    })
}

/// The contents of the newest games, as far as they are read in time; names suffice for the others.
fn with_contents(mut games: Vec<SavedGame>) -> Vec<SavedGame> {
    let paths = games.iter().map(|game| game.path.clone()).collect();
    let contents = saved::read(paths, 0, READING);
    games.iter_mut().zip(contents).for_each(|(game, (_, about))| game.learn(about));
    games
}

fn game(saved: SavedGame) -> PaletteItem {
    let about = match saved.about() {
        Some(Ok(about)) => format!("{}: {}, {}", about.variant.title(), about.players(), about.result()),
        Some(Err(_)) => "cannot be read".to_owned(),
        None => String::new(),
    };
    PaletteItem {
        kind: "saved game",
        name: saved.name,
        about,
        pick: Box::new(Message::Named(PaletteEntry::Game(saved.path))),
    }
}

/// The usual game with this player in the computer's seat, or else the second.
///
/// # Errors
/// The player does not play the game.
pub(super) fn opponent(name: &str, usual: &Setup) -> Result<Setup, Error> {
    let player: Opponent = name.parse().map_err(|error: mancalab_base::Error| error.to_string())?;
    check_plays(&player.player(&usual.variant), &usual.variant)?;
    let [south, north] = usual.specs().map(|spec| spec.is_human());
    let human = Opponent::Player(Spec::Human);
    let players = if !south && north { [player, human] } else { [human, player] };
    Ok(Setup { players, seed: None, ..usual.clone() })
}
