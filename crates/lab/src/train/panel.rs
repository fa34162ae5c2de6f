//! The strength measurement: games against a fixed panel of players, from random openings.

use super::settings::Settings;
use super::worker::{Episode, NetworkAnswer};
use crate::budget::Budget;
use crate::game::{Move, Outcome, Planes, Side};
use crate::measuring::PanelResult;
use crate::net::Network;
use crate::player::{Playable, Player, build};
use crate::pool::Pool;
use crate::work::{Work, WorkList};

/// Offset of the panel's random keys, which no worker number reaches.
const LANE: u64 = 1 << 32;

/// A worker's players of the panel, and the buffers of the network's answers.
struct Seats<G: Planes + Playable> {
    players: Vec<Option<Box<dyn Player<G>>>>,
    answer: NetworkAnswer,
}

/// A measurement.
pub struct Panel<G: Planes + Playable> {
    playing: WorkList<Seats<G>, Episode<G>>,
    ended: usize,
    met: Vec<PanelResult>,
}

/// The games of a measurement.
#[derive(Clone, Copy)]
struct PanelGames<'a, G> {
    start: G,
    settings: &'a Settings,
    encoding: usize,
    network: &'a Network,
    generation: u64,
}

impl<G: Planes + Playable> PanelGames<'_, G> {
    /// Returns the number of games.
    fn count(&self) -> usize {
        self.settings.panel.players.len() * 2 * self.settings.panel.games as usize
    }

    /// Starts the game with this number against a player of the panel.
    fn episode(&self, against: usize, number: u64) -> Episode<G> {
        let Settings { opening, seed, .. } = self.settings;
        let seat = Side::BOTH[(number % 2) as usize];
        // The opening depends on the game alone, not on the player or the seat.
        let key = [*seed, LANE + self.generation, number / 2];
        Episode::begin(self.start, key, *opening, against, 0, seat)
    }
}

impl<G: Planes + Playable> Work for PanelGames<'_, G> {
    type Memory = Seats<G>;
    type Item = Episode<G>;
    /// The player, the network's seat and its outcome.
    type Output = (usize, usize, Outcome);

    fn memory(&self) -> Seats<G> {
        Seats { players: self.settings.panel.players.iter().map(|_| None).collect(), answer: NetworkAnswer::default() }
    }

    /// The panel's players in turn, in both seats with the same opening.
    fn begin(&self, number: usize) -> Option<Episode<G>> {
        let players = self.settings.panel.players.len();
        (number < self.count()).then(|| self.episode(number % players, (number / players) as u64))
    }

    fn advance(
        &self,
        seats: &mut Seats<G>,
        episode: &mut Episode<G>,
        budget: Budget,
    ) -> Option<(usize, usize, Outcome)> {
        loop {
            if let Some(ending) = episode.game_state.ending() {
                let begins = episode.seat == self.start.side();
                seats.players[episode.against].iter_mut().for_each(|player| player.rest());
                return Some((episode.against, usize::from(!begins), ending.outcome(episode.seat)));
            }
            if !seats.play(episode, self, budget) || budget.is_spent() {
                return None;
            }
        }
    }
}

impl<G: Planes + Playable> Seats<G> {
    /// Plays a move of the side to move; returns false if the budget is spent first. An index beyond the panel is the network
    /// itself.
    fn play(&mut self, episode: &mut Episode<G>, work: &PanelGames<'_, G>, budget: Budget) -> bool {
        if episode.game_state.pos().side() == episode.seat || episode.against == work.settings.panel.players.len() {
            self.answer.choose(work.network, episode, work.encoding);
            return true;
        }
        let player = &mut self.players[episode.against];
        if player.is_none() {
            *player = build(&work.settings.panel.players[episode.against]).ok();
        }
        // The run's settings check that the player plays this game.
        player.as_mut().is_some_and(|player| episode.answer(player.as_mut(), budget))
    }
}

/// A replayed game of the panel.
#[derive(Clone, PartialEq, Debug)]
pub struct PanelReplay {
    pub moves: Vec<Move>,
    /// The seat of the network.
    pub seat: Side,
    /// The seed of the other player's random choices.
    pub seed: u64,
}

/// Replays the game with this number of `network` against a player of the panel at the end of `generation`; the index after the
/// last player is the network itself. The network moves first in even games. Takes as long as the original game.
pub(super) fn replayed<G: Planes + Playable>(
    start: G,
    (settings, encoding): (&Settings, usize),
    network: &Network,
    generation: u64,
    (against, number): (usize, u64),
) -> Option<PanelReplay> {
    let work = PanelGames { start, settings, encoding, network, generation };
    let mut seats = work.memory();
    let mut episode = work.episode(against, number);
    while !episode.game_state.is_over() {
        if !seats.play(&mut episode, &work, Budget::UNLIMITED) {
            return None;
        }
    }
    Some(PanelReplay { seed: episode.seed(), seat: episode.seat, moves: episode.moves })
}

impl<G: Planes + Playable> Panel<G> {
    pub fn new() -> Panel<G> {
        Panel { playing: WorkList::default(), ended: 0, met: Vec::new() }
    }

    /// Continues the measurement; returns the results of all games once they are finished, and resets for the next measurement.
    pub fn measure(
        &mut self,
        start: G,
        (settings, encoding): (&Settings, usize),
        network: &Network,
        generation: u64,
        (pool, budget): (&Pool, Budget),
    ) -> Option<Vec<PanelResult>> {
        self.met.resize(settings.panel.players.len(), PanelResult::default());
        let work = PanelGames { start, settings, encoding, network, generation };
        for (against, seat, outcome) in self.playing.advance(&work, pool, budget) {
            self.met[against].ended[seat][outcome.halves() as usize] += 1;
            self.ended += 1;
        }
        if self.ended < work.count() {
            return None;
        }
        self.ended = 0;
        self.playing.restart();
        Some(std::mem::take(&mut self.met))
    }
}
