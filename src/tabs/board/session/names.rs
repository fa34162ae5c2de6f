//! The names of sides and players in lines and frames.

use super::Session;
use crate::game::Side;
use crate::player::Spec;
use crate::player::levels::Level;
use crate::theme::Role;
use crate::ui::{Look, board, clip};

impl Session {
    /// Returns the name of a side in this game.
    pub fn seat_name(&self, side: Side) -> &'static str {
        self.record.variant.seats()[side.index()]
    }

    /// Returns the name of a side's player in a sentence: its level in a person's game, or its text.
    pub fn player_name(&self, side: Side) -> String {
        let text = self.players[side.index()].to_string();
        if self.has_human() { Level::name(&text, &self.record.variant).to_owned() } else { text }
    }

    /// The role of a side in this game.
    pub fn side_role(&self, side: Side) -> Role {
        board::side_role(side, self.pits() == 0)
    }

    /// The side's name, after one of its pieces on a board of squares.
    pub fn seat_title(&self, side: Side, look: &Look) -> String {
        let name = self.seat_name(side);
        if self.pits() > 0 { name.to_owned() } else { format!("{} {name}", look.glyphs.discs[side.index()]) }
    }

    /// A player's name: its level in a person's game, or its short text.
    pub fn short_player_name(&self, side: Side, look: &Look) -> String {
        let text = &self.record.players[side.index()];
        let name = if self.has_human() { Level::name(text, &self.record.variant) } else { text };
        short_name(name, look)
    }
}

/// A player's text in a frame: the last part of a path, the beginning of long numbers.
pub fn short_name(name: &str, look: &Look) -> String {
    // In a function `/` is a division.
    let is_in_file = || Spec::file_in(name).is_ok_and(|file| file.is_some());
    let name = match name.rsplit_once('/').filter(|_| is_in_file()) {
        Some((before, last)) => match before.split_once('@') {
            Some((player, _)) => format!("{player}@{last}"),
            None => format!("{}:{last}", before.split(':').next().unwrap_or_default()),
        },
        None => name.to_owned(),
    };
    clip(&name, 36, look)
}
