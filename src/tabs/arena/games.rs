//! The games of the selected cell, which can be opened on the Board.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::arena::{PlayedGame, View};
use crate::game::{Outcome, Variant};
use crate::theme::Role;
use crate::ui::table::{Cell, Column, SortedTable};
use crate::ui::{Look, panel, put};

const COLUMNS: [Column; 5] = [
    Column::number("game", 6),
    Column::words("won by", 7),
    Column::number("margin", 7),
    Column::number("plies", 5),
    Column::words("moves", 12),
];

/// The list and its games.
pub struct GameList {
    pub table: SortedTable,
    games: Vec<PlayedGame>,
    /// The cell of the games, and the number of rounds read so far.
    cell_and_rounds: Option<(usize, usize)>,
    rounds: usize,
    /// Incremented when the list shows other games.
    version: u64,
}

impl Default for GameList {
    fn default() -> GameList {
        GameList { table: SortedTable::new(&COLUMNS), games: Vec::new(), cell_and_rounds: None, rounds: 0, version: 0 }
    }
}

impl GameList {
    /// Shows the games of `first` against `second`; if they are shown already, only new ones are read.
    pub fn show(&mut self, view: &View, first: usize, second: usize) {
        let rounds = view.round as usize;
        // A run that another process resumed may have returned to its checkpoint.
        if self.cell_and_rounds != Some((first, second)) || rounds < self.rounds {
            let version = self.version + 1;
            let table = std::mem::replace(&mut self.table, SortedTable::new(&COLUMNS));
            *self = GameList {
                table: table.anew(),
                version,
                cell_and_rounds: Some((first, second)),
                ..GameList::default()
            };
        }
        if rounds > self.rounds {
            let cell = view.index(first, second);
            self.games.extend(cell.map(|cell| view.games.of_rounds(cell, self.rounds..rounds)).unwrap_or_default());
            (self.rounds, self.version) = (rounds, self.version + 1);
            self.table.set_len(self.games.len());
        }
    }

    /// Returns the games of the cell in the order of play.
    pub fn games(&self) -> &[PlayedGame] {
        &self.games
    }

    pub fn selected(&self) -> Option<&PlayedGame> {
        self.games.get(self.table.selected())
    }

    pub fn draw(&mut self, view: &View, area: Rect, buf: &mut Buffer, look: &Look) {
        let title = match self.games.len() {
            0 => "Games".to_owned(),
            1 => "1 game (Enter: open)".to_owned(),
            count => format!("{count} games (Enter: open)"),
        };
        let inner = panel(area, Line::from(look.span(Role::Title, title)), false, buf, look);
        if self.games.is_empty() {
            let text = if view.finished { " No games" } else { " No finished games yet" };
            return put(look.span(Role::Dim, text), inner, buf);
        }
        let games = &self.games;
        let of = |index: usize, column: usize| games.get(index).map_or(0.0, |kept| value(kept, column));
        let cells = |index: usize| games.get(index).map_or(Vec::new(), |kept| texts(kept, view.settings.variant, look));
        self.table.draw((games.len(), self.version), of, cells, inner, buf, look);
    }
}

fn value(kept: &PlayedGame, column: usize) -> f64 {
    match column {
        1 | 2 => kept.end.margin.into(),
        3 => kept.moves.len() as f64,
        _ => kept.number.into(),
    }
}

fn texts(kept: &PlayedGame, variant: Variant, look: &Look) -> Vec<Cell> {
    let winner = match kept.end.outcome {
        Outcome::Won => "first",
        Outcome::Drawn => "drawn",
        Outcome::Lost => "second",
    };
    let has_margins = variant.start().decided().is_none();
    vec![
        (kept.number + 1).to_string().into(),
        winner.to_owned().into(),
        if has_margins { look.signed(kept.end.margin) } else { "-".to_owned() }.into(),
        kept.moves.len().to_string().into(),
        kept.moves_text(variant).into(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{Settings, Tournament};
    use crate::budget::Budget;
    use crate::job::{Progress, Run as _};
    use crate::pool::Pool;

    /// A view is drawn when the tournament is already further, whose rounds it shares.
    #[test]
    fn a_view_that_is_drawn_late_lists_every_game_once() {
        let players = ["random", "max"].map(|text| text.parse().unwrap()).to_vec();
        let settings = Settings::round_robin(Variant::usual()[0], players, 20, 1);
        let mut run = Tournament::start(settings).unwrap();
        let mut list = GameList::default();
        let mut views = Vec::new();
        loop {
            match run.advance(&Pool::alone(), Budget::UNLIMITED) {
                Progress::Generation(_) => views.push(run.view()),
                Progress::Done => break,
                _ => {}
            }
        }
        for view in &views {
            list.show(view, 0, 1);
            let numbers: Vec<u32> = list.games().iter().map(|game| game.number).collect();
            assert_eq!(numbers, (0..view.round).collect::<Vec<_>>());
        }
        assert_eq!(list.games().len(), 20);
    }
}
