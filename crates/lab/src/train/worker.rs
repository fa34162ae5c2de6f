//! A worker: a copy of the network that plays independently and computes gradients from its decisions.
//!
//! A decision's advantage is estimated as in "High-Dimensional Continuous Control Using Generalized Advantage Estimation"
//! (Schulman et al., 2016): `Σ (γλ)ⁱ δᵢ` with `δ = r + γV(s′) − V(s)`, where `s′` is the position at the same side's next
//! decision, so the other side's moves are part of the environment. λ = 1 uses the final outcome, λ = 0 the next value.

use mancalab_base::Error;
use rand::Rng as _;

use super::opponents::{self, Who};
use super::settings::{Settings, Total};
use crate::budget::Budget;
use crate::codec::{Decoder, Encoder};
use crate::game::{Game, GameState, Move, Planes, Side};
use crate::net::{Activations, Decision, Network, Policy, Scratch, losses};
use crate::player::{Playable, Player, Turn, build};
use crate::rng;

/// The shared input of all workers.
#[derive(Clone, Copy)]
pub struct Common<'a, G> {
    pub start: G,
    pub settings: &'a Settings,
    pub encoding: usize,
    /// The past selves, as a ring buffer.
    pub past: &'a [Network],
}

/// Sums over a worker's decisions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sums {
    pub games: u64,
    pub decisions: u64,
    pub policy: f64,
    pub value: f64,
    pub entropy: f64,
    /// Games against others than itself, and half points won in them.
    pub met: u64,
    pub halves: u64,
}

impl Sums {
    pub fn add(&mut self, other: Sums) {
        self.games += other.games;
        self.decisions += other.decisions;
        self.policy += other.policy;
        self.value += other.value;
        self.entropy += other.entropy;
        self.met += other.met;
        self.halves += other.halves;
    }
}

/// A decision and its evaluation.
#[derive(Default)]
struct EvaluatedMove {
    asked: NetworkAnswer,
    side: usize,
    chosen: usize,
    /// The lead of the deciding side.
    margin: i32,
    advantage: f32,
    goal: f32,
}

/// A worker and its progress in a round.
pub struct Worker<G: Planes + Playable> {
    number: u64,
    pub network: Network,
    /// The players among the opponents, created on first use.
    players: Vec<Option<Box<dyn Player<G>>>>,
    /// Buffers for past selves.
    other: NetworkAnswer,
    /// Games started.
    begun: u64,
    episode: Option<Episode<G>>,
    /// The decisions of this round. The vector is longer than `count` to reuse its buffers.
    made: Vec<EvaluatedMove>,
    count: usize,
    /// Index of the first decision of the current game.
    game_from: usize,
    pub gradient: Vec<f32>,
    scratch: Scratch,
    slopes: Vec<f32>,
    pub is_done: bool,
    /// Gradients computed in this generation, if no worker waits for another.
    pub given: u32,
    pub sums: Sums,
}

impl<G: Planes + Playable> Worker<G> {
    pub fn new(number: usize, network: Network, opponents: usize) -> Worker<G> {
        let gradient = vec![0.0; network.parameters().len()];
        Worker {
            number: number as u64,
            network,
            players: (0..opponents).map(|_| None).collect(),
            other: NetworkAnswer::default(),
            begun: 0,
            episode: None,
            made: Vec::new(),
            count: 0,
            game_from: 0,
            gradient,
            scratch: Scratch::default(),
            slopes: Vec::new(),
            is_done: false,
            given: 0,
            sums: Sums::default(),
        }
    }

    /// Plays until its gradient is ready or the budget is spent.
    pub fn run(&mut self, common: Common<'_, G>, budget: Budget) {
        while !self.is_done {
            let mut episode = self.episode.take().unwrap_or_else(|| self.begin(common));
            // A finished game is evaluated in a separate step after its last move, then dropped.
            let is_judged = episode.game_state.is_over();
            let goes_on = self.advance(&mut episode, common, budget);
            if !is_judged {
                self.episode = Some(episode);
            }
            if !goes_on || budget.is_spent() {
                return;
            }
        }
    }

    fn key(&self, settings: &Settings) -> Key {
        [settings.seed, self.number, self.begun]
    }

    /// Starts the next game.
    fn begin(&mut self, common: Common<'_, G>) -> Episode<G> {
        let Common { settings, past, .. } = common;
        let key = self.key(settings);
        self.begun += 1;
        let bits = |nth| drawn(key, Purpose::Meeting, nth);
        let part = |nth, parts: usize| ((u64::from(bits(nth)) * parts as u64) >> 32) as usize;
        let against =
            opponents::drawn(settings.opponents.iter().map(|one| one.share), f64::from(bits(0)) / f64::from(u32::MAX));
        let seat = if part(1, 2) == 0 { Side::South } else { Side::North };
        let opening = part(2, settings.opening as usize + 1) as u32;
        Episode::begin(common.start, key, opening, against, part(3, past.len()), seat)
    }

    /// Plays a move, or ends the game or the round; returns false if the budget is spent in the middle of a move.
    fn advance(&mut self, episode: &mut Episode<G>, common: Common<'_, G>, budget: Budget) -> bool {
        let Common { settings, encoding, past, .. } = common;
        if let Some(ending) = episode.game_state.ending() {
            let outcomes = Side::BOTH.map(|side| ending.outcome(side).halves() as f32 - 1.0);
            self.judge(episode, settings, outcomes, [0.0; 2]);
            self.sums.games += 1;
            let opponent = &settings.opponents[episode.against];
            if opponent.who != Who::Itself {
                self.sums.met += 1;
                self.sums.halves += u64::from(ending.outcome(episode.seat).halves());
            }
            self.players.iter_mut().flatten().for_each(|player| player.rest());
            // A game that ended before any decision has no gradient.
            if self.count >= settings.steps.max(1) as usize {
                self.learn(settings);
            }
            return true;
        }
        let side = episode.game_state.pos().side();
        let who = &settings.opponents[episode.against].who;
        if side == episode.seat || *who == Who::Itself {
            let is_full = settings.steps > 0 && self.count >= settings.steps as usize;
            return if is_full { self.break_off(episode, common) } else { self.decide(episode, encoding) };
        }
        match who {
            Who::Player(spec) => {
                let player = &mut self.players[episode.against];
                if player.is_none() {
                    *player = build(spec).ok();
                }
                // The run's settings check that the player plays this game.
                player.as_mut().is_some_and(|player| episode.answer(player.as_mut(), budget))
            }
            Who::Itself | Who::Past => {
                let other = past.get(episode.slot).unwrap_or(&self.network);
                self.other.choose(other, episode, encoding);
                true
            }
        }
    }

    /// Makes and records a decision.
    fn decide(&mut self, episode: &mut Episode<G>, encoding: usize) -> bool {
        if self.made.len() == self.count {
            self.made.push(EvaluatedMove::default());
        }
        let pos = *episode.game_state.pos();
        let made = &mut self.made[self.count];
        made.asked.choose(&self.network, episode, encoding);
        let mv = episode.moves.last().copied().expect("a move was played");
        made.chosen = pos.moves().position(|legal| legal == mv).expect("a move that was played is legal");
        (made.side, made.margin) = (pos.side().index(), pos.margin(pos.side()));
        self.count += 1;
        true
    }

    /// Ends the round in the middle of a game, with the network's value for the remainder.
    fn break_off(&mut self, episode: &Episode<G>, common: Common<'_, G>) -> bool {
        let pos = *episode.game_state.pos();
        self.other.ask(&self.network, &pos, common.encoding);
        let side = pos.side().index();
        let value = self.other.printed.value();
        // Zero-sum: one side's value is the negative of the other's.
        let values = [0, 1].map(|seat| if seat == side { value } else { -value });
        self.judge(episode, common.settings, [0.0; 2], values);
        self.learn(common.settings);
        true
    }

    /// Computes the advantages of the current game's decisions at the end of the game or the round. `outcomes` are the final
    /// rewards of both sides, `values` the estimated values of the remainder.
    fn judge(&mut self, episode: &Episode<G>, settings: &Settings, outcomes: [f32; 2], values: [f32; 2]) {
        let gamma = settings.gamma as f32;
        let fading = (settings.gamma * settings.lambda) as f32;
        let pos = episode.game_state.pos();
        for side in Side::BOTH {
            let seat = side.index();
            let mut reward = outcomes[seat];
            let mut value = values[seat];
            let mut advantage = 0.0;
            // A margin that only defines the winner is already part of the outcome.
            let is_reported = G::WIN_SCORE.is_some() && episode.game_state.is_over();
            let mut margin = (!is_reported).then(|| pos.margin(side));
            for made in self.made[self.game_from..self.count].iter_mut().rev().filter(|made| made.side == seat) {
                let own = made.asked.printed.value();
                reward += settings.shaping as f32 * margin.map_or(0, |margin| margin - made.margin) as f32;
                advantage = reward + gamma * value - own + fading * advantage;
                (made.advantage, made.goal) = (advantage, advantage + own);
                (reward, value, margin) = (0.0, own, Some(made.margin));
            }
        }
        self.game_from = self.count;
    }

    /// Computes the gradient of all decisions of the round.
    fn learn(&mut self, settings: &Settings) {
        self.gradient.fill(0.0);
        let share = match settings.total {
            Total::Mean => 1.0 / self.count.max(1) as f32,
            Total::Sum => 1.0,
        };
        for EvaluatedMove { asked, chosen, advantage, goal, .. } in &self.made[..self.count] {
            let decision = Decision { chosen: *chosen, advantage: *advantage, goal: *goal };
            let NetworkAnswer { input, legal, printed, policy } = asked;
            let lost = losses(printed, policy, legal, decision, settings.loss_weights(), share, &mut self.slopes);
            self.network.backward(input, printed, &self.slopes, &mut self.scratch, &mut self.gradient);
            self.sums.policy += f64::from(lost.policy);
            self.sums.value += f64::from(lost.value);
            self.sums.entropy += f64::from(lost.entropy);
        }
        self.sums.decisions += self.count as u64;
        (self.count, self.game_from, self.is_done) = (0, 0, true);
    }

    /// Encodes the state between two rounds.
    pub fn save(&self, out: &mut Encoder) {
        out.floats(self.network.parameters());
        out.small(self.begun);
        out.u8(self.episode.is_some().into());
        let Some(episode) = &self.episode else { return };
        out.small(episode.slot as u64);
        out.small(episode.moves.len() as u64);
        episode.moves.iter().for_each(|mv| out.small(mv.0.into()));
    }

    /// Restores the state.
    ///
    /// # Errors
    /// Returns an error if it is invalid or belongs to another worker.
    pub fn restore(&mut self, from: &mut Decoder<'_>, common: Common<'_, G>) -> Result<(), Error> {
        from.floats_into(self.network.parameters_mut())?;
        self.begun = from.small()?;
        let has_game = from.u8()? == 1;
        let before = self.begun.checked_sub(1);
        let Some(before) = before.filter(|_| has_game) else { return Ok(()) };
        self.begun = before;
        let mut episode = self.begin(common);
        episode.slot = from.small()? as usize;
        let opening = episode.moves.len();
        for nth in 0..from.count()? {
            let mv = Move(from.small()?.try_into().map_err(|_| "a move of the checkpoint is invalid")?);
            if nth < opening {
                continue;
            }
            if !episode.game_state.pos().moves().any(|legal| legal == mv) {
                return Err("a move of the checkpoint is illegal".into());
            }
            episode.play(mv);
        }
        self.episode = Some(episode);
        Ok(())
    }
}

#[cfg(test)]
mod tests;

/// Purposes of the random draws in a game. The numbers are part of every recorded training.
#[derive(Clone, Copy)]
#[repr(u64)]
pub enum Purpose {
    /// The choice of opponent and seat.
    Meeting = 0,
    Opening = 1,
    /// A move of a network.
    Choice = 2,
    /// All randomness of the other player.
    Player = 3,
}

/// The key of all random draws of a game: the run's seed, the place where the game is played, and its number there.
pub type Key = [u64; 3];

/// Returns 32 random bits for a purpose, a pure function of its arguments.
pub fn drawn([seed, worker, number]: Key, purpose: Purpose, nth: u64) -> u32 {
    rng::keyed(&[seed, worker, number, purpose as u64, nth]).next_u32()
}

/// A game in progress.
pub struct Episode<G> {
    pub key: Key,
    pub game_state: GameState<G>,
    /// All moves from the start.
    pub moves: Vec<Move>,
    /// Index of the opponent in its list.
    pub against: usize,
    /// Index of the past self, if the opponent is one.
    pub slot: usize,
    /// The seat of the network that learns or is measured.
    pub seat: Side,
    /// The other player's turn in progress.
    turn: Option<Turn<G>>,
}

impl<G: Game> Episode<G> {
    /// Starts a game with this number of random moves.
    pub fn begin(start: G, key: Key, opening: u32, against: usize, slot: usize, seat: Side) -> Episode<G> {
        let game_state = GameState::new(start);
        let mut episode = Episode { key, game_state, moves: Vec::with_capacity(64), against, slot, seat, turn: None };
        for nth in 0..opening {
            if !episode.game_state.is_over() {
                episode.play(episode.game_state.pos().pick(drawn(key, Purpose::Opening, nth.into())));
            }
        }
        episode
    }

    pub fn play(&mut self, mv: Move) {
        self.moves.push(mv);
        self.game_state.play(mv);
        self.turn = None;
    }

    /// Lets the other player search and move; returns false if the budget is spent first.
    pub fn answer(&mut self, player: &mut dyn Player<G>, budget: Budget) -> bool {
        let seed = self.seed();
        let turn = self.turn.get_or_insert_with(|| Turn::current(&self.game_state, seed));
        let Some(mv) = player.think(turn, budget) else { return false };
        self.play(mv);
        true
    }

    /// Returns the seed of the other player's game.
    pub fn seed(&self) -> u64 {
        let [seed, worker, number] = self.key;
        rng::derived(&[seed, worker, number, Purpose::Player as u64])
    }

    /// Returns the random bits by which a network chooses its next move.
    pub fn bits(&self) -> u32 {
        drawn(self.key, Purpose::Choice, self.moves.len() as u64)
    }
}

/// A network's evaluation of a position, with its buffers.
#[derive(Default)]
pub struct NetworkAnswer {
    pub input: Vec<(u16, f32)>,
    /// The outputs of the legal moves, in the order of the moves.
    pub legal: Vec<u16>,
    pub printed: Activations,
    pub policy: Policy,
}

impl NetworkAnswer {
    /// Evaluates a position, which must not be over; returns itself.
    pub fn ask<G: Planes>(&mut self, network: &Network, pos: &G, encoding: usize) -> &NetworkAnswer {
        let NetworkAnswer { input, legal, printed, policy } = self;
        input.clear();
        pos.encode(encoding, input);
        legal.clear();
        legal.extend(pos.moves().map(|mv| pos.output(mv)));
        network.forward(input, printed);
        policy.read(printed.logits(), legal, 1.0);
        self
    }

    /// Plays a move drawn from the policy.
    pub fn choose<G: Planes>(&mut self, network: &Network, episode: &mut Episode<G>, encoding: usize) {
        let pos = *episode.game_state.pos();
        self.ask(network, &pos, encoding);
        let nth = self.policy.pick(episode.bits());
        episode.play(pos.moves().nth(nth).unwrap_or_default());
    }
}
