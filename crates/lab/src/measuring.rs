//! What the runs of `train` have in common: their progress, and their strength against a panel of players.

use crate::arena::{CellView, Score};
use crate::codec::checksum;
use crate::job::RunReader;
use crate::job::measured::{Measured, PANEL};
use crate::job::run_dir::Columns;
use crate::player::Spec;
use crate::settings::{Entry, KeyedSettings, SettingsTable, entry, list_of, texts};
use crate::train::opponents;
use mancalab_base::Error;
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// A column that is computed: the percentage of points against all players of a panel. Generations that are not measured have the
/// value of the measurement before them.
pub const PANEL_PERCENT: &str = "panel_percent";

/// The panel of players that a run meets, and when.
#[derive(Clone, PartialEq, Debug)]
pub struct PanelSettings {
    pub players: Vec<Spec>,
    /// Games against each of them per seat.
    pub games: u32,
    /// Generations between measurements. The last generation is always measured, so that a run ends with results.
    pub every: u64,
    /// Further generations to measure: among them the former last ones of an extended run.
    pub at: Vec<u64>,
}

impl PanelSettings {
    /// The players with these texts, which are constants.
    pub(crate) fn of(players: &[&str], games: u32, every: u64) -> PanelSettings {
        let players = players.iter().map(|text| text.parse().expect("a preset names players")).collect();
        PanelSettings { players, games, every, at: Vec::new() }
    }
}

impl SettingsTable for PanelSettings {
    fn entries() -> Vec<Entry<PanelSettings>> {
        vec![
            Entry::new(
                "panel",
                "players of the panel that measures strength",
                |panel: &PanelSettings| list_of(panel.players.iter().map(ToString::to_string)),
                |panel, text| opponents::players(text).map(|players| panel.players = players),
            ),
            entry!("panel_games", games: whole(1, 10_000), "panel games against each player per seat, 1 to 10000"),
            entry!("panel_every", every: whole(1, 100_000), "generations between measurements, 1 to 100000"),
            Entry::new(
                "panel_at",
                "further generations to measure, besides the last",
                |panel: &PanelSettings| format!("{:?}", panel.at),
                |panel, text| generations(text).map(|generations| panel.at = generations),
            )
            .before("[]"),
        ]
    }
}

/// Parses generation numbers separated by commas, possibly none.
fn generations(text: &str) -> Result<Vec<u64>, Error> {
    let listed = text.trim_start_matches('[').trim_end_matches(']');
    let numbers = listed.split(',').map(str::trim).filter(|number| !number.is_empty());
    let read: Option<Vec<u64>> = numbers.map(|number| number.parse().ok().filter(|n| *n <= 1_000_000)).collect();
    read.ok_or_else(|| Error::expected("numbers from 0 to 1000000 with commas between them, as in [400, 600], or []"))
}

/// Settings of a run that meets a panel.
pub(crate) trait MeasuredSettings: KeyedSettings + Clone {
    fn panel(&self) -> &PanelSettings;

    fn panel_mut(&mut self) -> &mut PanelSettings;

    /// Number of the last generation.
    fn last(&self) -> u64;

    /// Returns whether the panel is met at the end of a generation.
    fn is_measured(&self, generation: u64) -> bool {
        let PanelSettings { players, every, at, .. } = self.panel();
        let is_due = (generation + 1).is_multiple_of(*every) || at.contains(&generation);
        !players.is_empty() && (is_due || generation == self.last())
    }

    /// Returns the first measured generation; `None` without a panel.
    fn first_measured(&self) -> Option<u64> {
        let PanelSettings { players, every, at, .. } = self.panel();
        let due = at.iter().copied().chain([every - 1, self.last()]);
        due.min().filter(|_| !players.is_empty())
    }

    /// Returns the settings of a longer run with the same rows so far; the former last generation stays measured.
    ///
    /// # Errors
    /// `generations` is out of range.
    fn lengthened(&self, generations: u64) -> Result<Self, Error> {
        let mut settings = self.clone();
        settings.set("generations", &generations.to_string())?;
        let last = self.last();
        if self.is_measured(last) && !settings.is_measured(last) {
            settings.panel_mut().at.push(last);
        }
        Ok(settings)
    }
}

/// Returns the players that are read from files, with checksums of the contents.
pub(crate) fn files<'a>(players: impl IntoIterator<Item = &'a Spec>) -> Vec<(String, u64)> {
    let read = |spec: &Spec| Some((spec.to_string(), checksum(spec.contents()?.as_bytes())));
    players.into_iter().filter_map(read).collect()
}

/// Results of the learner's games against a player, by seat: first those that the learner began.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PanelResult {
    /// Lost, drawn and won.
    pub ended: [[u32; 3]; 2],
}

impl PanelResult {
    /// Returns the results in two cells of a tournament: in the first the learner moves first, in the second its opponent.
    ///
    /// # Panics
    /// There are fewer cells.
    pub(crate) fn from_cells(cells: &[CellView]) -> PanelResult {
        let ended =
            [cells[0].score, cells[1].score.turned()].map(|Score { losses, draws, wins }| [losses, draws, wins]);
        PanelResult { ended }
    }

    /// Returns the points of a seat in percent; a draw is half a point.
    pub fn percent(&self, seat: usize) -> f64 {
        let [lost, drawn, won] = self.ended[seat];
        100.0 * (f64::from(won) + f64::from(drawn) / 2.0) / f64::from((lost + drawn + won).max(1))
    }

    fn score(&self, seat: usize) -> Score {
        let [losses, draws, wins] = self.ended[seat];
        Score { wins, draws, losses }
    }

    /// Returns the score of all games, with either side moving first.
    pub fn both(&self) -> Score {
        self.score(0).plus(self.score(1))
    }

    /// Returns the points in all games against a panel in percent; 0 without games.
    pub fn percent_of_all(panel: &[PanelResult]) -> f64 {
        100.0 * panel.iter().map(PanelResult::both).fold(Score::default(), Score::plus).share()
    }
}

/// Won, drawn and lost of the games that the learner began, then of the others: `17-1-2/15-0-5`.
impl fmt::Display for PanelResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [[l, d, w], [l2, d2, w2]] = self.ended;
        write!(f, "{w}-{d}-{l}/{w2}-{d2}-{l2}")
    }
}

impl PanelResult {
    /// The text of a panel's results in a row: those of each player, or `-` without a measurement.
    pub(crate) fn list(panel: &[PanelResult]) -> String {
        let texts: Vec<String> = panel.iter().map(PanelResult::to_string).collect();
        if texts.is_empty() { "-".to_owned() } else { texts.join(" ") }
    }

    /// Parses the output of [`list`](PanelResult::list).
    pub(crate) fn parse_list(text: &str) -> Option<Vec<PanelResult>> {
        if text == "-" { Some(Vec::new()) } else { text.split(' ').map(PanelResult::parse).collect() }
    }

    /// Parses the [`Display`](fmt::Display) format.
    fn parse(text: &str) -> Option<PanelResult> {
        let seat = |text: &str| {
            let numbers: Vec<u32> = text.split('-').map(|number| number.parse().ok()).collect::<Option<_>>()?;
            let [won, drawn, lost] = numbers[..] else { return None };
            Some([lost, drawn, won])
        };
        let (first, second) = text.split_once('/')?;
        Some(PanelResult { ended: [seat(first)?, seat(second)?] })
    }
}

/// The measurements of a run by its panel, for display.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Strength {
    /// The texts of the panel's players.
    pub players: Vec<String>,
    /// The measured generations, with the results against each player.
    pub results: Vec<(u64, Vec<PanelResult>)>,
}

impl Strength {
    /// Returns the measurements of a run; those that cannot be read are left out.
    pub fn new(measured: &Measured) -> Strength {
        let mut strength = Strength { players: measured.players().to_vec(), results: Vec::new() };
        measured.iter().for_each(|(generation, field)| strength.push(generation, field));
        strength
    }

    /// Reads the measurements of the run in a folder: none of a run without a panel.
    ///
    /// # Errors
    /// The folder holds no run, or its rows cannot be read.
    pub fn read(folder: &Path) -> Result<Strength, Error> {
        let listed = RunReader::open(folder)?.listed()?;
        let value = listed.iter().find(|(key, _)| key == "panel").map(|(_, value)| value.as_str());
        let players = value.and_then(|value| texts(value, "players").ok()).unwrap_or_default();
        let mut strength = Strength { players, results: Vec::new() };
        let columns = Columns::open(folder)?;
        let Some(panel) = columns.names.iter().position(|name| name == PANEL) else { return Ok(strength) };
        let mut generation = 0;
        columns.each(|row| {
            row.split(',').nth(panel).into_iter().for_each(|field| strength.push(generation, field));
            generation += 1;
        })?;
        Ok(strength)
    }

    fn push(&mut self, generation: u64, field: &str) {
        let results = PanelResult::parse_list(field).filter(|results| !results.is_empty());
        self.results.extend(results.map(|results| (generation, results)));
    }

    /// Returns the newest measurement.
    pub fn newest(&self) -> Option<(u64, &[PanelResult])> {
        self.results.last().map(|(generation, results)| (*generation, &results[..]))
    }

    /// Returns the newest measurement in a line: `42.5 % in generation 12: max 55 %, minimax:4 30 %`.
    pub fn in_a_line(&self) -> Option<String> {
        let (generation, results) = self.newest()?;
        let one =
            |(player, result): (&String, &PanelResult)| format!("{player} {:.0} %", 100.0 * result.both().share());
        let each = self.players.iter().zip(results).map(one).collect::<Vec<_>>().join(", ");
        Some(format!("{:.1} % in generation {generation}: {each}", PanelResult::percent_of_all(results)))
    }
}

/// A run that learns from games and measures its strength against a panel of players.
pub trait Learner {
    /// The number of the last generation; the first is 0.
    fn last(&self) -> u64;

    /// The number of completed generations.
    fn ended(&self) -> usize;

    /// The completed share of the current generation, 0 to 1.
    fn within(&self) -> f64;

    /// Time spent on the run, without pauses.
    fn spent(&self) -> Duration;

    /// Speed in the newest completed generation; 0 before the first.
    fn games_per_second(&self) -> f64;

    /// The players of the panel.
    fn panel(&self) -> &[Spec];

    /// Generations between measurements.
    fn panel_every(&self) -> u64;

    /// The first measured generation; `None` without a panel.
    fn first_measured(&self) -> Option<u64>;

    /// The results of a completed generation against each player of the panel; empty unless it was measured.
    fn met(&self, generation: usize) -> &[PanelResult];

    /// Whether it trains against this player; `None` if it trains against no players.
    fn is_seen(&self, player: &Spec) -> Option<bool>;

    /// Whether another run with these settings gives the same rows.
    fn is_reproducible(&self) -> bool {
        true
    }

    /// Returns the newest completed generation.
    fn newest(&self) -> Option<u64> {
        (self.ended() as u64).checked_sub(1)
    }

    /// Returns all measurements: the generation, and its results against each player of the panel.
    fn measurements(&self) -> Vec<(u64, &[PanelResult])> {
        let met = |generation| (generation as u64, self.met(generation));
        (0..self.ended()).map(met).filter(|(_, met)| !met.is_empty()).collect()
    }

    /// Returns the newest measurement.
    fn measured(&self) -> Option<(u64, &[PanelResult])> {
        let met = |generation| (generation as u64, self.met(generation));
        (0..self.ended()).rev().map(met).find(|(_, met)| !met.is_empty())
    }

    /// Returns whether the last generation is complete.
    fn is_over(&self) -> bool {
        self.ended() as u64 > self.last()
    }

    /// Returns the completed share of the run, 0 to 1.
    fn share(&self) -> f64 {
        if self.is_over() { 1.0 } else { (self.ended() as f64 + self.within()) / (self.last() + 1) as f64 }
    }

    /// Returns the estimated seconds until the end at the current speed; `None` before the end of the first generation.
    fn seconds_left(&self) -> Option<f64> {
        let share = self.share();
        (self.ended() > 0).then(|| self.spent().as_secs_f64() * (1.0 - share) / share)
    }
}

/// The methods that read the same fields of both views.
macro_rules! learner {
    () => {
        fn last(&self) -> u64 {
            self.settings.generations
        }

        fn ended(&self) -> usize {
            self.past.len()
        }

        fn spent(&self) -> Duration {
            self.spent
        }

        fn games_per_second(&self) -> f64 {
            self.games_per_second
        }

        fn panel(&self) -> &[Spec] {
            &self.settings.panel.players
        }

        fn panel_every(&self) -> u64 {
            self.settings.panel.every
        }

        fn first_measured(&self) -> Option<u64> {
            self.settings.first_measured()
        }

        fn met(&self, generation: usize) -> &[PanelResult] {
            self.past.get(generation).map_or(&[], |past| &past.panel)
        }
    };
}
pub(crate) use learner;
