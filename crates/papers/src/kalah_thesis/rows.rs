//! Table 1 with each printed row of Table 3 as the heuristic player. The thesis does not say which weights its player had.

use mancalab_base::Error;
use serde_json::json;

use super::chart::Span;
use super::counted::mcts_reading;
use super::readings::Readings;
use super::run::{play, tournament};
use super::table1::{HEURISTIC, MCTS, NETWORK, PLAYERS, PUBLISHED, PUBLISHED_GAMES, texts};
use crate::arena::{Cell, Settings, View};
use crate::fit::{Fit, standard_errors};
use crate::player::heuristic::weights::TABLE3;
use crate::target::whole;
use crate::{Hear, Line, Options, Table, number, ranges};

/// The places in Table 1 of the published cells of the heuristic player: its row, then its column.
fn places() -> Vec<[usize; 2]> {
    let row = (0..PLAYERS.len()).map(|second| [HEURISTIC, second]);
    let column = (0..PLAYERS.len()).filter(|first| *first != HEURISTIC).map(|first| [first, HEURISTIC]);
    row.chain(column).filter(|[first, second]| PUBLISHED[*first][*second].is_some()).collect()
}

/// Returns the index of the heuristic player with our weights, number 0, or with a row's, from 1 on: our own has its place in Table 1, the
/// rows follow the table's players.
fn player(number: usize) -> usize {
    if number == 0 { HEURISTIC } else { PLAYERS.len() + number - 1 }
}

/// The tournament: the cells of the heuristic player, for our weights and each row's.
fn settings(options: &Options) -> Result<Settings, Error> {
    let read = Readings::asked(options)?;
    let rows = (1..=TABLE3.len()).map(|row| format!("{}@table3-{row}", PLAYERS[HEURISTIC]));
    let players = read.players(texts(options)?.into_iter().chain(rows))?;
    let games = options.games.unwrap_or(PUBLISHED_GAMES);
    let cells = (0..=TABLE3.len()).flat_map(|number| {
        let seat = move |place: usize| if place == HEURISTIC { player(number) } else { place };
        places().into_iter().map(move |[first, second]| Cell { first: seat(first), second: seat(second), games })
    });
    tournament("rows", players, cells, options)
}

/// Plays the cells of the heuristic player.
///
/// # Errors
/// An option is invalid, or a file cannot be read or written.
pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let read = Readings::asked(options)?;
    let settings = settings(options)?;
    let games = settings.games;
    let view = play(settings, options, &mut whole(hear))?;
    let results = Results::new(&view);
    let mut reading = Readings { opening: view.settings.opening.moves(), ..read }.lines();
    reading.extend([
        ("a cell", format!("{games} games, the first player moving first; seed {}", options.seed)),
        read.max_line(),
        ("mcts", mcts_reading(&view.players[MCTS], options)),
        ("rows", "the weights of each printed row of Table 3; ours are those that come with the program".to_owned()),
        ("chi-square", "of the cells without mcts and a3c; 14.1 or less in 95 % of cases by chance".to_owned()),
    ]);
    let svg =
        ranges::ranges("Kalah thesis, Table 1 with the rows of Table 3", "% of games won", 100.0, &results.ranges());
    let lines = results.lines();
    let table = Table { lines, chart: results.matrix(), reading, notes: results.notes(), ..Table::default() };
    Ok(table.with_chart("rows", svg))
}

/// The games of each heuristic player.
struct Results {
    places: Vec<[usize; 2]>,
    /// For our weights and each row, the score of each cell, moving first.
    scores: Vec<Vec<crate::arena::Score>>,
}

impl Results {
    fn new(view: &View) -> Results {
        let places = places();
        let scores = view.cells.chunks(places.len()).map(|cells| cells.iter().map(|cell| cell.score).collect());
        Results { scores: scores.collect(), places }
    }

    fn published(&self, cell: usize) -> f64 {
        let [first, second] = self.places[cell];
        PUBLISHED[first][second].unwrap_or_default()
    }

    fn label(&self, cell: usize) -> String {
        let [first, second] = self.places[cell].map(|place| PLAYERS[place].split(':').next().unwrap_or_default());
        format!("{first} v {second}")
    }

    /// Returns the shares of the rows in a cell, in percent.
    fn shares(&self, cell: usize) -> Vec<f64> {
        self.scores[1..].iter().map(|scores| 100.0 * scores[cell].won()).collect()
    }

    /// Returns the fit of a player's cells without mcts and a3c.
    fn fit(&self, number: usize) -> Fit {
        let is_simple = |place: &usize| ![MCTS, NETWORK].contains(place);
        let cells = (0..self.places.len()).filter(|cell| self.places[*cell].iter().all(is_simple));
        let differs =
            |cell: usize| standard_errors(self.scores[number][cell], self.published(cell) / 100.0, PUBLISHED_GAMES);
        cells.map(differs).fold(Fit::default(), Fit::plus)
    }

    /// Returns for each cell the mean, the lowest and the highest of the rows and our own share, then the fit of each player.
    fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        for cell in 0..self.places.len() {
            let Span { mean, low, high } = Span::from_values(&self.shares(cell));
            let ours = 100.0 * self.scores[0][cell].won();
            for (which, share) in [("rows mean", mean), ("lowest", low), ("highest", high), ("ours", ours)] {
                let published = Some(self.published(cell));
                let line = Line::new(format!("{}: {which}", self.label(cell)), published, share, "% won");
                lines.push(line.named([("cell", json!(self.label(cell))), ("which", json!(which))]));
            }
        }
        for number in 0..self.scores.len() {
            let name = name(number);
            let line = Line::new(format!("{name}: fit"), None, self.fit(number).chi_square, "chi-square");
            lines.push(line.named([("cell", json!("all")), ("which", json!(name))]));
        }
        lines
    }

    fn ranges(&self) -> Vec<ranges::Row> {
        let row = |cell: usize| {
            (self.label(cell), Some(Span::at(self.published(cell))), Span::from_values(&self.shares(cell)))
        };
        (0..self.places.len()).map(row).collect()
    }

    /// Formats a row for each player under the published one.
    fn matrix(&self) -> Vec<String> {
        let cells = 0..self.places.len();
        let row = |name: String, shares: &mut dyn Iterator<Item = f64>, fit: String| {
            let shares: String = shares.map(|share| format!("{share:>9.1}")).collect();
            format!("{name:<10}{shares}{fit:>12}").trim_end().to_owned()
        };
        let seat = |index: usize| -> String {
            let short = |cell: usize| PLAYERS[self.places[cell][index]].split(':').next().unwrap_or_default();
            cells.clone().map(|cell| format!("{:>9}", short(cell).replace("heuristic", "it"))).collect()
        };
        let mut lines = vec![
            "% won by the first of each pair; it: the heuristic player".to_owned(),
            format!("{:<10}{}", "first", seat(0)),
            format!("{:<10}{}{:>12}", "second", seat(1), "chi-square"),
            row("published".to_owned(), &mut cells.clone().map(|cell| self.published(cell)), String::new()),
        ];
        lines.extend((0..self.scores.len()).map(|number| {
            let shares = &mut self.scores[number].iter().map(|score| 100.0 * score.won());
            row(name(number), shares, format!("{:.1}", self.fit(number).chi_square))
        }));
        lines
    }

    /// Says in how many cells the rows reach the published share, and how well each player fits.
    fn notes(&self) -> Vec<String> {
        let is_within = |cell: &usize| {
            let Span { low, high, .. } = Span::from_values(&self.shares(*cell));
            (low..=high).contains(&self.published(*cell))
        };
        let within = (0..self.places.len()).filter(is_within).count();
        let fits: Vec<f64> = (0..self.scores.len()).map(|number| self.fit(number).chi_square).collect();
        let nearest = (1..fits.len()).min_by(|&a, &b| fits[a].total_cmp(&fits[b])).unwrap_or(0);
        let Span { low, high, .. } = Span::from_values(&fits[1..]);
        vec![
            format!("The published share is within the range of the rows in {within} of {} cells.", self.places.len()),
            format!(
                "Chi-squares of the rows: {} to {}, the least that of {}; ours {}. {}",
                number(low),
                number(high),
                name(nearest),
                number(fits[0]),
                self.fit(nearest)
            ),
            "The nearest of twenty is chosen by these cells, so that its fit is no evidence that it is the thesis' player."
                .to_owned(),
        ]
    }
}

fn name(number: usize) -> String {
    if number == 0 { "ours".to_owned() } else { format!("row {number}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::reproduce;

    #[test]
    fn every_row_plays_the_cells_of_the_heuristic_player() {
        let options = Options { games: Some(2), ..Options::default() };
        let table = reproduce("kalah-thesis/rows", &["iterations=20"], options, &mut |_| ()).unwrap();
        assert_eq!(table.lines.len(), 4 * 10 + 21);
        let line = |what: &str| table.lines.iter().find(|line| line.what == what).unwrap();
        assert_eq!(line("heuristic v a3c: ours").published, Some(53.5));
        assert_eq!(line("mcts v heuristic: rows mean").published, Some(44.7));
        let measured = |what: &str| line(what).measured.unwrap();
        let [low, mean, high] =
            ["lowest", "rows mean", "highest"].map(|which| measured(&format!("heuristic v max: {which}")));
        assert!(low <= mean && mean <= high && low < high);
        assert!(measured("row 20: fit") > 0.0);
        assert_eq!(table.chart.len(), 4 + 21);
        assert!(table.notes[0].ends_with(" of 10 cells."), "{:?}", table.notes);
    }

    #[test]
    fn the_places_are_the_published_cells() {
        let shares: Vec<f64> = places().iter().map(|[first, second]| PUBLISHED[*first][*second].unwrap()).collect();
        assert_eq!(shares, [99.5, 90.2, 68.5, 61.0, 53.5, 0.5, 12.5, 35.2, 44.7, 67.1]);
        assert_eq!([player(0), player(1), player(20)], [3, 6, 25]);
    }
}
