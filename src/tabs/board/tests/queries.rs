//! The game on the Board, and what the Board shows of it, for tests.

use super::super::Board;
use super::super::draw::count_texts;
use crate::app::stage::Stage;
use crate::game::Side;
use crate::game::record::Record;

impl Stage {
    pub(crate) fn board(&self) -> &Board {
        self.tab_of()
    }

    /// Returns the game on the board.
    pub(crate) fn record(&self) -> &Record {
        &self.board().session.record
    }

    /// Returns the lines below the board: the last move or what to do, then reasons, comments and the end.
    pub(crate) fn story(&self) -> Vec<String> {
        let lines = self.board().story_lines(u16::MAX, u16::MAX, self.look());
        lines.iter().map(ToString::to_string).collect()
    }

    /// Returns the notice, or else the lines below the board, separated by strokes.
    pub(crate) fn reply(&self) -> String {
        if self.notice().is_empty() { self.story().join(" / ") } else { self.notice().to_owned() }
    }

    /// Enters keys, and text after an apostrophe, as in `'11-15 enter`; each entry must have this [reply](Stage::reply).
    #[track_caller]
    pub(crate) fn replies(&mut self, case: &str, entries: &[(&str, &str)]) {
        for (entry, reply) in entries {
            for word in entry.split_whitespace() {
                match word.strip_prefix('\'') {
                    Some(text) => self.text(text),
                    None => self.keys(word),
                };
            }
            assert_eq!(self.reply(), *reply, "{case}, after {entry}");
        }
    }

    /// Saves the game by this name, and confirms it if the file exists.
    pub(crate) fn save_as(&mut self, name: &str) -> &mut Stage {
        self.keys("s ctrl-u").text(name).keys("enter");
        if self.dialog().is_some() { self.keys("enter") } else { self }
    }

    /// Returns the counts of the pieces of both sides on the board, with the steps of a move shown so far.
    pub(crate) fn counts(&self) -> [String; 2] {
        let board = self.board().shown_board();
        Side::BOTH.map(|side| count_texts(side, &board, self.look()).0)
    }

    /// Returns the line of the first player: side, player, and whether it is to move.
    pub(crate) fn south(&self) -> String {
        self.board().player_line(Side::South, self.look()).to_string()
    }

    /// Returns the line of the second player.
    pub(crate) fn north(&self) -> String {
        self.board().player_line(Side::North, self.look()).to_string()
    }

    /// Returns the names of the moves in the analysis.
    pub(crate) fn analysed(&mut self) -> Vec<String> {
        let analysis = self.panel("Alpha-beta").expect("an analysis").lines();
        analysis.into_iter().skip(1).map(|row| row.split(' ').next().unwrap_or_default().to_owned()).collect()
    }

    /// Returns the list of moves, without the heads of its columns; rows are separated by strokes.
    pub(crate) fn moves(&mut self) -> String {
        let moves = self.panel_of((80, 24), "Moves").expect("the list of moves");
        moves.lines().into_iter().filter(|row| !row.contains("lead")).collect::<Vec<_>>().join(" / ")
    }
}
