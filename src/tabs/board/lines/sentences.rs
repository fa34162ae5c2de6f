//! What is written of a game by lines: its players, moves, clocks and end, each in a sentence.

use super::super::draw::variant_title;
use super::super::{Board, files};
use super::{QUOTED, WORDS, Word, known_words, look, resuming, words};
use crate::game::record::NodeId;
use crate::game::{Outcome, Side};
use crate::player::levels::Level;

impl Board {
    /// The two sides, the only person's first.
    pub(super) fn sides(&self) -> [Side; 2] {
        let first = self.only_person().unwrap_or(Side::South);
        [first, first.other()]
    }

    /// `You`, the level or the kind of the person's opponent such as `Easy` or `mcts`, or the seat of one of two alike.
    pub(super) fn name_of(&self, side: Side) -> String {
        match self.only_person() {
            Some(person) if person == side => "You".to_owned(),
            Some(_) => {
                let text = self.session.player_name(side);
                // A path or a command is too long for a sentence.
                let kind = text.split(':').next().filter(|_| !files::needs_agreement(&text));
                kind.unwrap_or_else(|| self.session.seat_name(side)).to_owned()
            }
            None => self.session.seat_name(side).to_owned(),
        }
    }

    /// `You move`, `Easy moves`.
    pub(super) fn does(&self, side: Side, verb: &str) -> String {
        let ending = if self.only_person() == Some(side) { "" } else { "s" };
        format!("{} {verb}{ending}", self.name_of(side))
    }

    pub(super) fn introduction(&self) -> Vec<String> {
        let mut texts = Vec::new();
        if let Some(file) = self.unfinished_file() {
            texts.push(format!("Your last game is unfinished. Continue it with: {}", resuming(&file)));
        }
        let seats = Side::BOTH.map(|side| format!("{}: {}.", self.session.seat_name(side), self.player_text(side)));
        texts.push(format!("{}. {} {}", variant_title(&self.session.record.variant, &look()), seats[0], seats[1]));
        for (side, name) in &self.library.strangers {
            let seat = self.session.seat_name(*side);
            let flag = ["--south", "--north"][side.index()];
            texts.push(format!("{seat} was {name}; you play its moves. {flag} PLAYER seats a player."));
        }
        if !self.session.record.is_empty() {
            texts.push(format!(
                "Moves played: {}. {}",
                self.session.record.ply(),
                self.score_text(self.session.record.at())
            ));
        }
        texts
    }

    /// `you`, `a person`, `minimax:6`, `Easy (minimax:2)`.
    pub(super) fn player_text(&self, side: Side) -> String {
        if self.session.is_human(side) {
            return if self.only_person().is_some() { "you" } else { "a person" }.to_owned();
        }
        let text = self.session.players[side.index()].to_string();
        match Level::of(&text, &self.session.record.variant) {
            Some(level) => format!("{} ({text})", level.title()),
            None => text,
        }
    }

    /// The score at a position: `You 7, Easy 5.`
    pub(super) fn score_text(&self, node: NodeId) -> String {
        let counts = self.session.record.position_at(node).board().counts();
        let [first, second] = self.sides().map(|side| format!("{} {}", self.name_of(side), counts[side.index()]));
        format!("{first}, {second}.")
    }

    /// The move that led to a position, what it did, and the score: `You played C: 4 seeds sown, 2 captured. You 7, Easy 5.`
    pub(super) fn sentence(&self, node: NodeId) -> String {
        let Some((parent, mv)) = self.session.record.came(node) else { return String::new() };
        let before = self.session.record.position_at(parent);
        let trace = before.trace(mv);
        let name = self.name_of(before.side());
        let mut text = match words::effects(before, &trace) {
            _ if trace.steps.is_empty() => format!("{name} passed. {}", self.score_text(node)),
            effects if effects.is_empty() => {
                format!("{name} played {}. {}", before.move_text(mv), self.score_text(node))
            }
            effects => format!("{name} played {}: {effects}. {}", before.move_text(mv), self.score_text(node)),
        };
        if self.moves_again(node) {
            text += &format!(" {} again.", self.does(before.side(), "move"));
        }
        text
    }

    /// Returns whether the side that made the move to this position is also to make the next.
    pub(super) fn moves_again(&self, node: NodeId) -> bool {
        let mover = self.session.record.parent(node).map(|parent| self.session.record.position_at(parent).side());
        self.session.record.ending_at(node).is_none() && mover == Some(self.session.record.position_at(node).side())
    }

    pub(super) fn whose_move(&self) -> String {
        match self.only_person() {
            Some(_) => "Your move.".to_owned(),
            None => format!("{} to move.", self.session.seat_name(self.session.position().side())),
        }
    }

    /// The time that both sides have left: `You have 4:32, Easy 5:00.`; `None` without a clock.
    pub(super) fn times_text(&self) -> Option<String> {
        let [first, second] = self.sides();
        let verb = if self.only_person().is_some() { "have" } else { "has" };
        let left = [self.clock_text(first)?, self.clock_text(second)?];
        Some(format!("{} {verb} {}, {} {}.", self.name_of(first), left[0], self.name_of(second), left[1]))
    }

    /// That a person is to move, with the time left and the moves that must be made, or the end of the game.
    pub(super) fn whose_turn(&self) -> Option<String> {
        if self.has_ended() {
            let words = match () {
                () if !self.session.has_human() => "",
                () if self.time_is_over() => " Type board, save or quit.",
                () => " Type board, undo, save or quit.",
            };
            return Some(self.ending_text() + words);
        }
        if !self.awaits_human() {
            return None;
        }
        let whose = [Some(self.whose_move()), self.times_text()].into_iter().flatten().collect::<Vec<_>>().join(" ");
        Some(match (self.awaited_pass(), self.forced_text()) {
            (Some(pass), _) => {
                format!("{whose} No move is possible: type {}.", self.session.position().move_text(pass))
            }
            (None, Some(forced)) => format!("{whose} {forced}."),
            (None, None) if self.session.record.is_empty() => {
                format!("{whose} {} Type a move or help.", self.moves_text())
            }
            (None, None) => whose,
        })
    }

    /// The end of the game: `Game over: you win 27 to 21.`
    pub(super) fn ending_text(&self) -> String {
        let [first, second] = self.sides();
        if let Some(loser) = self.resigned().filter(|_| self.time_is_over()) {
            let result = match self.only_person() {
                Some(person) if person == loser => "you lose".to_owned(),
                Some(_) => "you win".to_owned(),
                None => format!("{} wins", self.session.seat_name(loser.other())),
            };
            return format!("Game over: {result} on time.");
        }
        let Some(ending) = self.session.record.ending() else { return String::new() };
        let counts = self.session.position().board().counts();
        let [own, other] = [counts[first.index()], counts[second.index()]];
        let result = match (ending.outcome(first), self.only_person()) {
            (Outcome::Won, Some(_)) => format!("you win {own} to {other}"),
            (Outcome::Lost, Some(_)) => format!("you lose {own} to {other}"),
            (Outcome::Won, None) => format!("{} wins {own} to {other}", self.session.seat_name(first)),
            (Outcome::Lost, None) => format!("{} wins {other} to {own}", self.session.seat_name(second)),
            (Outcome::Drawn, _) => format!("a draw, {own} to {other}"),
        };
        let why = self.result_texts(ending, &look()).1.map_or(String::new(), |why| format!(", {why}"));
        let casual = self.casual_text().filter(|_| self.is_counted());
        let casual = casual.map_or(String::new(), |reasons| format!(" Casual game: {reasons}."));
        format!("Game over: {result}{why}.{casual}")
    }

    pub(super) fn moves_listed(&self) -> String {
        let position = self.session.position();
        position.moves().into_iter().map(|mv| position.move_text(mv)).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn moves_text(&self) -> String {
        let moves = if self.has_ended() { String::new() } else { self.moves_listed() };
        if moves.is_empty() { "No moves: the game is over.".to_owned() } else { format!("Moves: {moves}.") }
    }

    /// The answer to a line that is no move and no word: what is accepted.
    pub(super) fn refusal(&self, line: &str) -> String {
        let mut quoted: String = line.chars().take(QUOTED).collect();
        if quoted.len() < line.len() {
            quoted += "...";
        }
        let words = known_words();
        match () {
            () if self.awaits_person() => {
                format!("'{quoted}' is not possible: expected {} or {words}.", self.moves_listed())
            }
            () if self.has_ended() => {
                format!("'{quoted}' is not possible, because the game is over: expected {words}.")
            }
            () => format!("'{quoted}' is not possible, because computers play both sides: expected {words}."),
        }
    }

    pub(super) fn words_explained(&self) -> Vec<String> {
        let first = match self.moves_text() {
            text if self.has_ended() => text,
            text => format!("Type a move. {text}"),
        };
        let words = WORDS.iter().map(|Word { word, about, .. }| format!("{word}: {about}."));
        std::iter::once(first).chain(words).collect()
    }

    /// The board in words, and whose move it is.
    pub(super) fn in_words(&self) -> Vec<String> {
        let name = |side| match self.only_person() {
            Some(_) => format!("{} ({})", self.name_of(side), self.session.seat_name(side)),
            None => self.session.seat_name(side).to_owned(),
        };
        let mut texts =
            words::board(&self.session.position().board(), self.session.record.variant.seats(), self.bottom(), name);
        texts.extend(self.whose_turn());
        texts
    }
}
