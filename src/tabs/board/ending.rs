//! The end of a game on the Board: its card, a resignation, and the next game with the same players.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::Board;
use super::message::Message;
use super::session::Mode;
use super::setup::Setup;
use crate::app::overlay::confirm::Question;
use crate::app::tab::{Context, Tone};
use crate::game::notation::RESIGNED;
use crate::player::offers::Opponent;

/// What a move after the end says.
pub(super) const IS_OVER: &str = "The game is over: n starts a new one, u takes the last move back";

impl Board {
    /// Shows the card at the end of a person's game, and begins the review.
    pub(super) fn show_card(&mut self, cx: &mut Context) {
        if self.session.has_human() && self.session.mode.is_live() {
            self.panels.card = Some(self.session.spot());
            if self.session.is_counted() && !self.library.is_logged(self.session.game) {
                self.make_main();
            }
            // The coach searched for less long than the review does.
            self.panels.review.renew(&self.session, cx);
            self.start_review(true, cx);
            let is_followed = self.setup.players.iter().any(|player| matches!(player, Opponent::MyLevel(_)));
            self.library.log_result(&self.session, is_followed, cx);
        }
    }

    /// Makes the line that was played to its end the main line, after moves that were tried and left.
    fn make_main(&mut self) {
        let end = self.session.record.at();
        while self.session.record.promote(end) {}
    }

    pub(super) fn has_card(&self) -> bool {
        self.panels.card == Some(self.session.spot())
            && self.playback.animation.is_none()
            && self.session.edit.is_none()
    }

    /// A key while the card is shown; false if none is, or if the key is for the board.
    pub(super) fn card_key(&mut self, key: KeyEvent, cx: &mut Context) -> bool {
        if !self.has_card() {
            return false;
        }
        if key.code == KeyCode::Enter && self.panels.review.is_reviewing() {
            // The card stays, so that the key can be pressed again.
            cx.notice(Tone::Info, "The review is not complete yet");
            return true;
        }
        self.panels.card = None;
        let is_chord = !key.modifiers.difference(KeyModifiers::SHIFT).is_empty();
        let (done, of) = self.panels.review.reviewed(&self.session);
        match key.code {
            KeyCode::Enter if self.panels.review.has_mistakes(&self.session) => {
                self.walk(cx, |record| {
                    record.to_start();
                    true
                });
                self.go_to_mistake(1, cx);
            }
            KeyCode::Enter if done < of => cx.notice(Tone::Info, "The game is not reviewed (r: review)"),
            KeyCode::Enter => cx.notice(Tone::Info, "No mistakes in this game"),
            KeyCode::Esc => {}
            // A letter of a pit or square too many, typed fast, neither continues a game that was just resigned nor hides the result.
            KeyCode::Char(c) if !is_chord && self.session.names_a_place(c) => {
                self.panels.card = Some(self.session.spot());
                cx.notice(Tone::Info, IS_OVER);
            }
            _ => return false,
        }
        true
    }

    /// The game and its players, which after a puzzle are not those of the next new game.
    fn same_again(&self) -> Setup {
        let variant = self.session.record.variant;
        if variant == self.setup.variant {
            return self.setup.clone();
        }
        let players = self.session.players.clone().map(Opponent::Player);
        Setup { variant, players, ..self.setup.clone() }
    }

    /// The same players again, from the same start.
    pub(super) fn rematch(&mut self, cx: &mut Context) {
        self.start_game(self.same_again(), *self.session.record.start(), cx);
    }

    pub(super) fn swap_sides(&mut self, cx: &mut Context) {
        let mut setup = self.same_again();
        setup.players.swap(0, 1);
        self.start_game(setup, *self.session.record.start(), cx);
    }

    pub(super) fn ask_to_resign(&mut self, cx: &mut Context) {
        let game = self.session.game;
        if !self.session.can_resign() {
            return cx.notice(Tone::Info, "You have no game in progress");
        }
        let text = match self.session.person() {
            Some(side) if self.session.has_computer() => format!("You play {}.", self.session.seat_name(side)),
            Some(side) => format!("{} is to move.", self.session.seat_name(side)),
            None => return,
        };
        cx.open(Question::new("Resign?", text, ["resign", "play on"], move || Message::Resign(game)));
    }

    /// Ends the game by resignation; `space` would continue it.
    pub(super) fn resign(&mut self, game: u64, cx: &mut Context) {
        let Some(side) = self.session.person().filter(|_| game == self.session.game && self.session.can_resign())
        else {
            return;
        };
        let seat = self.session.seat_name(side).to_owned();
        self.session.record.set_header(RESIGNED, Some(seat));
        self.show_card(cx);
        self.session.mode = Mode::Viewed;
    }
}
