//! Marks on the board: possible and last moves, the animated move, the hint, and values of the analysis.

use super::Board;
use super::panels::analysis::LinePosition;
use crate::game::{self, Move, Place, Side, Trace};
use crate::player::analysis::Engine;
use crate::search::{Line, MoveStatistics};
use crate::ui::Look;
use crate::ui::board::View;

impl Board {
    /// The board on screen: of the position, of a moment of a move, or of the editor.
    pub(super) fn shown_board(&self) -> game::Board {
        match (&self.session.edit, &self.playback.animation) {
            (Some(edit), _) => edit.board.clone(),
            (None, Some(animation)) => animation.board(),
            (None, None) if let Some(previewed) = self.panels.previewed(&self.session) => previewed.position.board(),
            (None, None) => self.entry.begun_board(&self.session).unwrap_or_else(|| self.session.position().board()),
        }
    }

    pub(super) fn view<'a>(&self, board: &'a game::Board, look: &Look) -> View<'a> {
        let mut view = View::new(board, self.session.bottom(), self.session.record.variant.seats());
        if let Some(edit) = &self.session.edit {
            view.hand = Some(edit.cursor);
            return view;
        }
        if let Some(animation) = &self.playback.animation {
            view.hand = animation.trace.hand(animation.frame);
            return view;
        }
        if let Some(LinePosition { before, mv, .. }) = self.panels.previewed(&self.session) {
            view.last = before.places(mv);
            view.changes = changes(&before.board(), board, &view.last);
            return view;
        }
        if self.awaits_human() {
            view.playable = self.entry.next_places(&self.session);
            view.cursor = self.entry_cursor();
            view.preview = self.move_at_cursor().map_or(Vec::new(), |mv| turned(&self.session.position().trace(mv)));
            view.named = self.entry.named(&self.session).to_vec();
            view.forced = self.forced_places();
        }
        if let Some((before, mv)) = self.session.record.last() {
            view.last = before.places(mv);
            view.changes = changes(&before.board(), board, &view.last);
        }
        let hint = self.panels.picked(&self.session).or_else(|| self.panels.analysis.hint());
        view.pointed = hint.map_or(Vec::new(), |mv| self.session.position().places(mv));
        view.values = self.values(look);
        view.notes = self.notes();
        view
    }

    /// What the marks on the board and in the list of moves mean, for the help.
    pub(super) fn marks_explained(&self, look: &Look) -> Vec<String> {
        let glyphs = &look.glyphs;
        let mut lines = match self.session.position().board() {
            game::Board::Pits(_) => vec![
                format!("+1, {}4  change of a pit by the last move", glyphs.minus),
                format!("{}  the pit that was sown; {}  the hand, or a hint", glyphs.up, glyphs.pointer),
            ],
            game::Board::Squares(board) if board.has_kings() => vec![
                format!(
                    "{}  the last move; {}  a piece that must jump; {}  a hint; {}  a king",
                    glyphs.spot, glyphs.must, glyphs.pointer, glyphs.king
                ),
                format!("{}  a piece that the chosen move takes", glyphs.turn),
            ],
            game::Board::Squares(_) => vec![
                format!("{}  a possible move; {}  the last move; {}  a hint", glyphs.open, glyphs.spot, glyphs.pointer),
                format!("{}  a disc that the chosen move turns over", glyphs.turn),
            ],
        };
        lines.push("Numbers at moves are values of the analysis, for the side to move.".to_owned());
        lines.push("?  a mistake; ??  a blunder; *  hidden variations; \"  a comment".to_owned());
        lines
    }

    /// The pieces that may capture, before one is chosen, if a capture is mandatory.
    pub(super) fn forced_places(&self) -> Vec<Place> {
        let position = self.session.position();
        let moves = position.moves();
        let captures = |mv: &Move| position.places(*mv).len() > 1 && !position.trace(*mv).taken().is_empty();
        if !self.entry.named(&self.session).is_empty() || !moves.iter().all(captures) {
            return Vec::new();
        }
        self.entry.next_places(&self.session)
    }

    /// The values of moves with a single pit or square, if the analysis is shown.
    fn values(&self, look: &Look) -> Vec<(Place, String)> {
        let report = self.panels.analysis.view.as_ref().filter(|_| self.panels.analysis.on).map(|view| &view.report);
        let engine = self.panels.analysis.engine;
        let unit = self.session.position().unit();
        let value = |line: &Line| match self.session.position().places(line.mv)[..] {
            [place] => Some((place, value_text(engine, line, unit, look))),
            _ => None,
        };
        report.into_iter().flat_map(|report| &report.lines).filter_map(value).collect()
    }

    /// The number of moves of each side if it were to move; none on a board of pits, where it is visible.
    pub(super) fn notes(&self) -> [String; 2] {
        let board = self.session.position().board();
        if matches!(board, game::Board::Pits(_)) || self.session.edit.is_some() || self.playback.animation.is_some() {
            return [String::new(), String::new()];
        }
        Side::BOTH.map(|side| {
            let seen =
                self.session.record.variant.from_board(&board, side).ok().filter(|position| position.side() == side);
            let moves = seen.map_or(0, |position| {
                position.moves().into_iter().filter(|&mv| !position.places(mv).is_empty()).count()
            });
            match moves {
                0 => "no move".to_owned(),
                1 => "1 move".to_owned(),
                moves => format!("{moves} moves"),
            }
        })
    }
}

/// A value without decimals, or the share of points in hundredths.
fn value_text(engine: Engine, line: &Line, unit: i32, look: &Look) -> String {
    match (engine, line.tried) {
        (Engine::MonteCarlo, Some(tried)) if tried.visits > 0 => {
            let percent =
                (u64::from(tried.mean) * 100 + u64::from(MoveStatistics::UNIT) / 2) / u64::from(MoveStatistics::UNIT);
            percent.to_string()
        }
        (Engine::MonteCarlo, _) => look.glyphs.minus.to_owned(),
        (Engine::AlphaBeta, _) => look.signed(line.value(unit).round() as i32),
    }
}

/// The pieces that a move flips or captures.
fn turned(trace: &Trace) -> Vec<Place> {
    let taken = trace.taken().into_iter().map(|(place, _)| place);
    trace.flipped().into_iter().map(Place::Square).chain(taken).collect()
}

/// The differences between two boards of pits, without the emptied pit.
pub(crate) fn changes(before: &game::Board, after: &game::Board, origin: &[Place]) -> Vec<(Place, i32)> {
    let (game::Board::Pits(before), game::Board::Pits(after)) = (before, after) else { return Vec::new() };
    let changed = before.places().filter(|place| !origin.contains(place));
    let changed = changed.map(|place| (place, i32::from(after.get(place)) - i32::from(before.get(place))));
    changed.filter(|&(_, by)| by != 0).collect()
}
