//! What is written of a game by lines: its players, moves, clocks and end, each in a sentence.

use super::super::library::agree::needs_agreement;
use super::super::session::Session;
use super::{look, words};
use crate::game::record::NodeId;
use crate::game::{Outcome, Side};
use crate::player::levels::Level;

impl Session {
    /// The positions after `from` on the way to `to`; that of `to` alone if `from` is not on it.
    pub(super) fn nodes_between(&self, from: NodeId, to: NodeId) -> Vec<NodeId> {
        let way = std::iter::successors(Some(to), |&node| self.record.parent(node));
        let mut nodes: Vec<NodeId> = way.take_while(|&node| node != from).collect();
        nodes.reverse();
        if nodes.first().is_some_and(|&first| self.record.parent(first) != Some(from)) {
            nodes = vec![to];
        }
        nodes.retain(|&node| self.record.came(node).is_some());
        nodes
    }

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
                let text = self.player_name(side);
                // A path or a command is too long for a sentence.
                let kind = text.split(':').next().filter(|_| !needs_agreement(&text));
                kind.unwrap_or_else(|| self.seat_name(side)).to_owned()
            }
            None => self.seat_name(side).to_owned(),
        }
    }

    /// `You move`, `Easy moves`.
    pub(super) fn does(&self, side: Side, verb: &str) -> String {
        let ending = if self.only_person() == Some(side) { "" } else { "s" };
        format!("{} {verb}{ending}", self.name_of(side))
    }

    /// `you`, `a person`, `minimax:6`, `Easy (minimax:2)`.
    pub(super) fn player_text(&self, side: Side) -> String {
        if self.is_human(side) {
            return if self.only_person().is_some() { "you" } else { "a person" }.to_owned();
        }
        let text = self.players[side.index()].to_string();
        match Level::played_by(&text, &self.record.variant) {
            Some(level) => format!("{} ({text})", level.title()),
            None => text,
        }
    }

    /// The score at a position: `You 7, Easy 5.`
    pub(super) fn score_text(&self, node: NodeId) -> String {
        let counts = self.record.position_at(node).board().counts();
        let [first, second] = self.sides().map(|side| format!("{} {}", self.name_of(side), counts[side.index()]));
        format!("{first}, {second}.")
    }

    /// The move that led to a position, what it did, and the score: `You played C: 4 seeds sown, 2 captured. You 7, Easy 5.`
    pub(super) fn sentence(&self, node: NodeId) -> String {
        let Some((parent, mv)) = self.record.came(node) else { return String::new() };
        let before = self.record.position_at(parent);
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
        let mover = self.record.parent(node).map(|parent| self.record.position_at(parent).side());
        self.record.ending_at(node).is_none() && mover == Some(self.record.position_at(node).side())
    }

    pub(super) fn whose_move(&self) -> String {
        match self.only_person() {
            Some(_) => "Your move.".to_owned(),
            None => format!("{} to move.", self.seat_name(self.position().side())),
        }
    }

    /// The time that both sides have left: `You have 4:32, Easy 5:00.`; `None` without a clock.
    pub(super) fn times_text(&self) -> Option<String> {
        let [first, second] = self.sides();
        let verb = if self.only_person().is_some() { "have" } else { "has" };
        let left = [self.clock_text(first)?, self.clock_text(second)?];
        Some(format!("{} {verb} {}, {} {}.", self.name_of(first), left[0], self.name_of(second), left[1]))
    }

    /// The end of the game: `Game over: you win 27 to 21.`
    pub(super) fn ending_text(&self) -> String {
        let [first, second] = self.sides();
        if let Some(loser) = self.resigned().filter(|_| self.time_is_over()) {
            let result = match self.only_person() {
                Some(person) if person == loser => "you lose".to_owned(),
                Some(_) => "you win".to_owned(),
                None => format!("{} wins", self.seat_name(loser.other())),
            };
            return format!("Game over: {result} on time.");
        }
        let Some(ending) = self.record.ending() else { return String::new() };
        let counts = self.position().board().counts();
        let [own, other] = [counts[first.index()], counts[second.index()]];
        let result = match (ending.outcome(first), self.only_person()) {
            (Outcome::Won, Some(_)) => format!("you win {own} to {other}"),
            (Outcome::Lost, Some(_)) => format!("you lose {own} to {other}"),
            (Outcome::Won, None) => format!("{} wins {own} to {other}", self.seat_name(first)),
            (Outcome::Lost, None) => format!("{} wins {other} to {own}", self.seat_name(second)),
            (Outcome::Drawn, _) => format!("a draw, {own} to {other}"),
        };
        let why = self.result_texts(ending, &look()).1.map_or(String::new(), |why| format!(", {why}"));
        let casual = self.casual_text().filter(|_| self.is_counted());
        let casual = casual.map_or(String::new(), |reasons| format!(" Casual game: {reasons}."));
        format!("Game over: {result}{why}.{casual}")
    }

    pub(super) fn moves_listed(&self) -> String {
        let position = self.position();
        position.moves().into_iter().map(|mv| position.move_text(mv)).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn moves_text(&self) -> String {
        let moves = if self.has_ended() { String::new() } else { self.moves_listed() };
        if moves.is_empty() { "No moves: the game is over.".to_owned() } else { format!("Moves: {moves}.") }
    }
}
