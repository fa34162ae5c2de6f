//! Rows of a run as named numbers, for programs that draw curves of them.

use std::path::Path;
use std::sync::Arc;

use mancalab_base::Error;

use super::rows::{ERRORS, PANEL};
use crate::arena::{self, Ledger, Score};
use crate::job::RunSettings;
use crate::job::{RunReader, export};
use crate::kinds;
use crate::measuring::{PANEL_PERCENT, PanelResult};
use crate::patterns;

/// The reader of a run's rows, in turn from the first.
pub struct Scalars {
    /// The names of the columns; empty before the header.
    names: Vec<String>,
    /// The players of the panel.
    panel: Vec<String>,
    settings: Box<dyn RunSettings>,
    /// The games of a tournament.
    ledger: Option<Ledger>,
}

/// A generation or round, and its numbers with their names.
pub type Step = (u64, Vec<(String, f64)>);

impl Scalars {
    /// # Errors
    /// The folder holds no run, or its `run.toml` cannot be read.
    pub fn open(folder: &Path) -> Result<Scalars, Error> {
        let listed = RunReader::open(folder)?.listed()?;
        let settings = kinds::settings(folder)?;
        let panel = listed.iter().find(|(key, _)| key == "panel").and_then(|(_, value)| export::items(value));
        let ledger = settings.get::<arena::Settings>().map(|settings| Ledger::new(Arc::new(settings.clone())));
        Ok(Scalars { names: Vec::new(), panel: panel.unwrap_or_default(), settings, ledger })
    }

    /// Reads the next line of `generations.csv`: returns the generation or round, and the numbers with their names, of which a panel, the
    /// stages of a game and the players of a tournament have one each. `None` for the header.
    ///
    /// # Errors
    /// The row is not the next of a tournament.
    pub fn read(&mut self, line: &str) -> Result<Option<Step>, Error> {
        let mut fields = line.split(',');
        if self.names.is_empty() {
            self.names = fields.map(str::to_owned).collect();
            return Ok(None);
        }
        let step = fields.next().and_then(|step| step.parse().ok()).unwrap_or(0);
        let mut numbers = Vec::new();
        for (name, field) in self.names.iter().skip(1).zip(fields) {
            match name.strip_prefix(ERRORS) {
                Some(unit) => numbers.extend(self.errors(unit, field)),
                None if name == PANEL => numbers.extend(self.met(field)),
                None => numbers.extend(field.parse().ok().map(|number| (name.clone(), number))),
            }
        }
        if let Some(ledger) = &mut self.ledger {
            ledger.count(line)?;
            numbers.extend(shares(ledger));
        }
        Ok(Some((step, numbers)))
    }

    fn errors(&self, unit: &str, field: &str) -> Vec<(String, f64)> {
        let stages = self.settings.get::<patterns::Settings>().map_or(&[][..], |settings| settings.subject.stages);
        let name = |at: usize| stages.get(at).map_or_else(|| (at + 1).to_string(), |(name, ..)| (*name).to_owned());
        let error =
            |(at, error): (usize, &str)| Some((format!("stage_error_{unit}/{}", name(at)), error.parse().ok()?));
        field.split(' ').enumerate().filter_map(error).collect()
    }

    /// The percentage of points against each player of the panel, and against all.
    fn met(&self, field: &str) -> Vec<(String, f64)> {
        let met = PanelResult::parse_list(field).unwrap_or_default();
        let of_all = (!met.is_empty()).then(|| (PANEL_PERCENT.to_owned(), PanelResult::percent_of_all(&met)));
        let of_one =
            |(player, met): (&String, &PanelResult)| (format!("{PANEL_PERCENT}/{player}"), 100.0 * met.both().share());
        of_all.into_iter().chain(self.panel.iter().zip(&met).map(of_one)).collect()
    }
}

/// The percentage of points of each player of a tournament in its games so far.
fn shares(ledger: &Ledger) -> Vec<(String, f64)> {
    let players = &ledger.settings().players;
    let score = |player: usize| {
        ledger.cells().iter().fold(Score::default(), |all, view| {
            let first = if view.cell.first == player { view.score } else { Score::default() };
            let second = if view.cell.second == player { view.score.turned() } else { Score::default() };
            all.plus(first).plus(second)
        })
    };
    let scores = players.iter().enumerate().map(|(at, player)| (at, player, score(at)));
    let met = scores.filter(|(_, _, score)| score.games() > 0);
    met.map(|(at, player, score)| (format!("points_percent/{} {player}", at + 1), 100.0 * score.share())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::othello::Othello;
    use crate::job::RunJob;
    use crate::patterns::Learnable as _;
    use crate::pool::Pool;

    /// The numbers of a row of a new run.
    fn numbers(preset: &str, columns: &str, row: &str) -> (u64, Vec<(String, f64)>) {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("run");
        let settings = kinds::KINDS.iter().find_map(|kind| kind.preset(preset)).unwrap();
        drop(RunJob::create(&run, settings, &Pool::alone()).unwrap());
        let mut scalars = Scalars::open(&run).unwrap();
        assert_eq!(scalars.read(columns).unwrap(), None);
        scalars.read(row).unwrap().unwrap()
    }

    fn named(numbers: &[(&str, f64)]) -> Vec<(String, f64)> {
        numbers.iter().map(|(name, number)| ((*name).to_owned(), *number)).collect()
    }

    #[test]
    fn packed_columns_have_a_number_for_each_player_and_stage() {
        let (step, numbers) =
            numbers("a3c-mixed", "generation,won_percent,panel_won_drawn_lost", "12,50.5,3-0-1/1-2-1 0-0-4/0-0-4");
        assert_eq!((step, numbers.len()), (12, 4));
        let values: Vec<f64> = numbers.iter().map(|(_, number)| *number).collect();
        assert_eq!((values, numbers[1].0.as_str()), (vec![50.5, 31.25, 62.5, 0.0], "panel_percent"));
        assert!(numbers[2].0.starts_with("panel_percent/") && numbers[2].0 != numbers[3].0);
        let (_, numbers) = self::numbers("a3c-mixed", "generation,rate,panel_won_drawn_lost", "1,0.5,-");
        assert_eq!(numbers, named(&[("rate", 0.5)]));
    }

    #[test]
    fn errors_are_named_by_the_stage() {
        let (_, numbers) = numbers("othello-patterns", "generation,errors_by_stage_discs", "3,1.5 2.5");
        assert_eq!(numbers.iter().map(|(_, number)| *number).collect::<Vec<_>>(), [1.5, 2.5]);
        let names = [0, 1].map(|at| format!("stage_error_discs/{}", Othello::SUBJECT.stages[at].0));
        assert_eq!(numbers.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(), names);
    }
}
