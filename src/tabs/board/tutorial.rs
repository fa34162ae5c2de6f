//! Tutorials of the games of pits: short commented games that the Board steps through.

use super::game_file::Held;
use super::{Board, Message};
use crate::app::effect::{Context, Tone};
use crate::game::Variant;

const TUTORIALS: [&str; 6] = [
    include_str!("tutorials/kalah.game"),
    include_str!("tutorials/oware.game"),
    include_str!("tutorials/awari.game"),
    include_str!("tutorials/vai-lung-thlan.game"),
    include_str!("tutorials/ohvalhu.game"),
    include_str!("tutorials/erherhe.game"),
];

/// The tutorial of a game under any of its rules.
fn find(variant: Variant) -> Option<&'static str> {
    let header = format!("[Game \"{}", variant.name());
    TUTORIALS.into_iter().find(|text| text.strip_prefix(&header).is_some_and(|rest| rest.starts_with([':', '"'])))
}

impl Board {
    pub(super) fn has_tutorial(&self) -> bool {
        find(self.record.variant).is_some()
    }

    /// Opens the tutorial of the game on the board at its start.
    pub(super) fn open_tutorial(&mut self, cx: &mut Context) {
        let variant = self.record.variant;
        let Some(text) = find(variant) else { return };
        cx.wait_for(move || Message::Tutorial(Held::paste(text, variant)));
    }

    pub(super) fn show_tutorial(&mut self, held: Held, cx: &mut Context) {
        self.show_held(held, "the tutorial", cx);
        self.walk(cx, |record| {
            record.to_start();
            true
        });
        cx.notice(Tone::Info, "Step with → and ←; each move has its comment");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::notation;

    #[test]
    fn every_game_of_pits_has_a_tutorial_whose_moves_are_legal_and_explained() {
        for name in ["kalah", "oware", "awari", "vai-lung-thlan", "ohvalhu", "erherhe"] {
            let variant: Variant = name.parse().unwrap();
            let text = find(variant).unwrap_or_else(|| panic!("{name}"));
            let Held::Game(opened) = Held::paste(text, variant).unwrap() else { panic!("{name}") };
            let mut record = opened.record;
            record.to_start();
            let mut moves = 0;
            while record.forward() {
                moves += 1;
                assert!(!record.comment(record.at()).is_empty(), "{name}, move {moves}");
            }
            let words = text.lines().skip(5).collect::<String>().split('{').count() - 1;
            assert_eq!(moves, words, "{name}: every comment belongs to a move");
            assert!(notation::write(&record).contains("[Start"), "{name}");
        }
        assert!(find("othello".parse().unwrap()).is_none());
    }
}
