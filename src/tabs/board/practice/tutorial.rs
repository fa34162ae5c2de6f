//! Tutorials: short commented games that the Board steps through.

use crate::game::Variant;
use crate::game::record::Record;
use crate::tabs::board::library::game_file::OpenedGame;

const TUTORIALS: [&str; 8] = [
    include_str!("tutorials/kalah.game"),
    include_str!("tutorials/oware.game"),
    include_str!("tutorials/awari.game"),
    include_str!("tutorials/vai-lung-thlan.game"),
    include_str!("tutorials/ohvalhu.game"),
    include_str!("tutorials/erherhe.game"),
    include_str!("tutorials/othello.game"),
    include_str!("tutorials/checkers.game"),
];

/// The text of the tutorial of a game under any of its rules.
pub fn find(variant: Variant) -> Option<&'static str> {
    let header = format!("[Game \"{}", variant.name());
    TUTORIALS.into_iter().find(|text| text.strip_prefix(&header).is_some_and(|rest| rest.starts_with([':', '"'])))
}

/// The tutorial of a game, at its start.
pub fn read(variant: Variant) -> Option<OpenedGame> {
    let mut opened = OpenedGame::read(find(variant)?, variant).ok()?;
    opened.record.to_start();
    // The program always has it: it need not be saved.
    Some(OpenedGame { stored: true, ..opened })
}

/// What to do in a tutorial; `None` in other games.
pub fn text(record: &Record) -> Option<&'static str> {
    let is_tutorial = record.header("Event") == Some("Tutorial");
    is_tutorial.then(|| match record.next() {
        Some(_) => "Tutorial: . next, n new game",
        None => "End of the tutorial: n new game",
    })
}
