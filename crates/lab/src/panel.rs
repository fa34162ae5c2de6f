//! The panel of a run of evolution or tuning: players that its best meet every few generations, and that it is not bred against.
//!
//! Fitness within a population, or against the opponents of the breeding, does not say how strong a run becomes. The games are a
//! tournament of the arena, with openings of their own in every generation, the same for all players and both seats.

use mancalab_base::{Error, bail, entry};
use rand::Rng as _;

use crate::arena::{self, Opening, Pairs, Tournament};
use crate::budget::Budget;
use crate::game::Variant;
use crate::job::measured::Measurement;
use crate::job::{Progress, Run};
use crate::measuring::{self, PanelResult};
use crate::player::{Spec, check_plays};
use crate::pool::Pool;
use crate::rng;
use crate::settings::{Entry, SettingsTable, list_of};
use crate::train::opponents;

/// Part of the key of the openings' generator, which no other use of a run's seed has.
const PANEL: u64 = u64::from_be_bytes(*b"thepanel");

/// Most players of a panel: a tournament also has the run's best.
const MOST_PLAYERS: usize = arena::MAX_PLAYERS - 1;

/// The settings of a panel. No column of the rows but its own depends on them.
#[derive(Clone, PartialEq, Debug)]
pub struct Panel {
    /// None: nothing is measured.
    pub players: Vec<Spec>,
    /// Games against each of them per seat.
    pub games: u32,
    /// Generations between measurements.
    pub every: u64,
    /// Random moves at the start of each game.
    pub opening: u32,
}

impl Default for Panel {
    fn default() -> Panel {
        Panel { players: Vec::new(), games: 20, every: 10, opening: 2 }
    }
}

impl SettingsTable for Panel {
    fn entries() -> Vec<Entry<Panel>> {
        vec![
            Entry::new(
                "panel",
                "players that the best of a generation meet to measure strength, such as max,minimax:6; [] for none",
                |panel: &Panel| list_of(panel.players.iter().map(ToString::to_string)),
                |panel, text| opponents::players(text).map(|players| panel.players = players),
            )
            .implied("[]"),
            entry!("panel_games", games: whole(1, 10_000), "games against each player of the panel per seat, 1 to 10000")
                .implied("20"),
            entry!("panel_every", every: whole(1, 100_000), "generations between measurements by the panel, 1 to 100000")
                .implied("10"),
            entry!(
                "panel_opening",
                opening: whole(0, 20),
                "random moves at the start of a game of the panel, 0 to 20"
            )
            .implied("2"),
        ]
    }
}

/// Returns the player that is the best of a run's newest generation.
pub(crate) type Champion = fn(&dyn Run) -> Result<Spec, Error>;

impl Panel {
    /// Returns the players that are read from files; see [`RunSettings::files`](crate::job::RunSettings::files).
    pub(crate) fn files(&self) -> Vec<(String, u64)> {
        let named = |(player, checksum)| (format!("the player {player} of the panel"), checksum);
        measuring::files(&self.players).into_iter().map(named).collect()
    }

    /// Returns the games of a run of this game, with this seed and number of its last generation; `None` without players.
    ///
    /// # Errors
    /// A player does not play the game, or there are too many.
    pub(crate) fn measurement(
        &self,
        game: Variant,
        (seed, last): (u64, u64),
        champion: Champion,
    ) -> Result<Option<Box<dyn Measurement>>, Error> {
        if self.players.is_empty() {
            return Ok(None);
        }
        if self.players.len() > MOST_PLAYERS {
            bail!("panel must contain at most {MOST_PLAYERS} players (got {})", self.players.len());
        }
        let checked = self.players.iter().try_for_each(|player| check_plays(player, &game));
        checked.map_err(|error| format!("panel: {error}"))?;
        let panel = self.clone();
        Ok(Some(Box::new(PanelGames { panel, game, seed, last, champion, playing: None })))
    }
}

/// The games of a run's panel.
struct PanelGames {
    panel: Panel,
    game: Variant,
    seed: u64,
    /// The run's last generation.
    last: u64,
    champion: Champion,
    playing: Option<Tournament>,
}

impl PanelGames {
    /// Returns the tournament of the run's newest generation: its best is player 0.
    fn tournament(&self, run: &dyn Run) -> Result<Tournament, Error> {
        let players = [vec![(self.champion)(run)?], self.panel.players.clone()].concat();
        let both_seats = (1..players.len()).flat_map(|player| [(0, player), (player, 0)]);
        // Seeds of tournaments are at most `i64::MAX`.
        let seed = rng::keyed(&[self.seed, PANEL, run.generation().unwrap_or(0)]).next_u64() >> 1;
        Tournament::start(arena::Settings {
            pairs: Pairs::only(both_seats),
            opening: Opening::Moves(self.panel.opening),
            ..arena::Settings::round_robin(self.game, players, self.panel.games, seed)
        })
    }
}

impl Measurement for PanelGames {
    fn players(&self) -> Vec<String> {
        self.panel.players.iter().map(ToString::to_string).collect()
    }

    fn is_valid(&self, field: &str) -> bool {
        PanelResult::parse_list(field).is_some_and(|results| results.len() == self.panel.players.len())
    }

    fn is_due(&self, generation: u64, is_over: bool) -> bool {
        // A run that is extended ends later, with the same rows up to here: its last generation is none to it then.
        generation.is_multiple_of(self.panel.every) || (is_over && generation < self.last)
    }

    fn begin(&mut self, run: &dyn Run) -> Result<(), Error> {
        self.playing = Some(self.tournament(run)?);
        Ok(())
    }

    fn advance(&mut self, pool: &Pool, budget: Budget) -> Result<Option<String>, Error> {
        let Some(tournament) = &mut self.playing else { bail!("no games of the panel have begun") };
        loop {
            match tournament.advance(pool, budget) {
                Progress::Working => return Ok(None),
                Progress::Generation(_) if budget.is_spent() => return Ok(None),
                Progress::Generation(_) => {}
                Progress::Halted(reason) => return Err(reason),
                Progress::Done => break,
            }
        }
        let results: Vec<PanelResult> = tournament.standing().chunks_exact(2).map(PanelResult::from_cells).collect();
        self.playing = None;
        Ok(Some(PanelResult::list(&results)))
    }
}

#[cfg(test)]
mod tests;
