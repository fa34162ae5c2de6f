//! The games of the selected cell, which can be opened on the Board.

use crate::arena::{PlayedGame, View};
use crate::game::{Outcome, Variant};
use crate::ui::table::{Column, Field, SortedTable};
use crate::ui::{Canvas, Look};

/// The list and its games.
#[derive(Default)]
pub struct GameList {
    pub table: SortedTable,
    games: Vec<PlayedGame>,
    /// The cell of the games, and the number of rounds read so far.
    cell_and_rounds: Option<(usize, usize)>,
    rounds: usize,
    /// Incremented when the list shows other games.
    version: u64,
}

impl GameList {
    /// Shows the games of `first` against `second`; if they are shown already, only new ones are read.
    pub fn show(&mut self, view: &View, first: usize, second: usize) {
        let rounds = view.round as usize;
        // A run that another process resumed may have returned to its checkpoint.
        if self.cell_and_rounds != Some((first, second)) || rounds < self.rounds {
            let version = self.version + 1;
            let table = std::mem::take(&mut self.table);
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

    pub fn draw(&mut self, view: &View, mut canvas: Canvas<'_>) {
        let look = canvas.look;
        let title = match self.games.len() {
            0 => "Games".to_owned(),
            1 => "1 game (Enter: open)".to_owned(),
            count => format!("{count} games (Enter: open)"),
        };
        let mut inner = canvas.panel(title);
        if self.games.is_empty() {
            return inner.explain(if view.finished { "No games" } else { "No finished games yet" });
        }
        self.table.draw((self.games.len(), self.version), &fields(&self.games, view.settings.variant, look), inner);
    }
}

fn fields<'a>(games: &'a [PlayedGame], variant: Variant, look: &'a Look) -> Vec<Field<'a>> {
    let number = |index: usize| f64::from(games[index].number);
    let margin = |index: usize| f64::from(games[index].end.margin);
    let plies = |index: usize| games[index].moves.len();
    let has_margins = variant.start().decided().is_none();
    vec![
        Field::new(Column::number("game", 6), number, |index| (games[index].number + 1).to_string()),
        Field::new(Column::words("won by", 7), margin, |index| winner(games[index].end.outcome).to_owned()),
        Field::new(Column::number("margin", 7), margin, move |index| match has_margins {
            true => look.signed(games[index].end.margin),
            false => "-".to_owned(),
        }),
        Field::new(Column::number("plies", 5), move |index| plies(index) as f64, move |index| plies(index).to_string()),
        Field::new(Column::words("moves", 12), number, move |index| games[index].moves_text(variant)),
    ]
}

/// Returns the seat that won.
fn winner(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Won => "first",
        Outcome::Drawn => "drawn",
        Outcome::Lost => "second",
    }
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
