//! Tutorials: short commented games that the Board steps through.

use crate::app::effect::Context;
use crate::game::Variant;
use crate::tabs::board::Board;
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

/// The tutorial of a game under any of its rules.
fn find(variant: Variant) -> Option<&'static str> {
    let header = format!("[Game \"{}", variant.name());
    TUTORIALS.into_iter().find(|text| text.strip_prefix(&header).is_some_and(|rest| rest.starts_with([':', '"'])))
}

impl Board {
    pub(in crate::tabs::board) fn has_tutorial(&self) -> bool {
        find(self.session.record.variant).is_some()
    }

    /// What to do in a tutorial; `None` in other games.
    pub(in crate::tabs::board) fn tutorial_text(&self) -> Option<&'static str> {
        let is_tutorial = self.session.record.header("Event") == Some("Tutorial");
        is_tutorial.then(|| match self.session.record.next() {
            Some(_) => "Tutorial: . shows the next move, n begins a game",
            None => "The end of the tutorial: n begins a game",
        })
    }

    /// Opens the tutorial of the game on the board at its start.
    pub(in crate::tabs::board) fn open_tutorial(&mut self, cx: &mut Context) {
        let variant = self.session.record.variant;
        let Some(mut opened) = find(variant).and_then(|text| OpenedGame::read(text, variant).ok()) else { return };
        opened.record.to_start();
        let setup = self.setup.clone();
        // The program always has it: it need not be saved.
        self.show_opened(OpenedGame { stored: true, ..opened }, "the tutorial", cx);
        // The next new game has the players of before.
        self.setup = setup;
    }
}
