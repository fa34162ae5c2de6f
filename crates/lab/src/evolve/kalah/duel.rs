//! Games between two sets of weights, millions per run. A [`Weigher`] defines what the weights apply to.
//!
//! A game can be suspended between two moves and, where moves take long, in the middle of a move.

use rand::{Rng as _, RngExt};

use crate::budget::{Budget, Status};
use crate::evolve::ga::Genome;
use crate::evolve::ga::play::{GameKey, GameResult, Play, Seat};
use crate::game::{GameState, History, Move, PitGame, Side};
use crate::rng::{self, Rng};
use crate::search::Ties;
use crate::search::alpha_beta::{AlphaBetaSearch, Evaluation, best_moves_after};
use crate::search::{MoveSet, SearchHints};

/// Purpose of the random draws in a contest. The number is part of every recorded run.
const GAME: u64 = 2;

/// An evaluation of positions by the genes of a genome.
pub trait Weigher<G: PitGame>: Send + Sync + 'static {
    /// The player of a genome.
    type Player: Send + Sync;
    /// Data that a thread keeps for all players. The games do not depend on it.
    type Kept: Send;
    type Evaluation: Evaluation<G, Value = i32> + 'static;

    /// Maximum depth of searches that run without suspension, which is faster: about a millisecond each on large boards.
    const AT_ONCE: u32;
    /// Maximum depth of searches for which the clock is checked only between games.
    const QUICK: u32;

    fn player(&self, genome: &Genome) -> Self::Player;

    /// Creates the data for games from `start`.
    fn kept(&self, start: &G) -> Self::Kept;

    fn evaluation(&self, player: &Self::Player, kept: &Self::Kept) -> Self::Evaluation;
}

/// The games of a run.
#[derive(Debug)]
pub struct Games<G, W> {
    pub weigher: W,
    pub start: G,
    /// Search depth of both sides in plies.
    pub depth: u32,
    pub ties: Ties,
    /// Number of random moves at the start of a game.
    pub opening: u32,
}

/// A cache of best moves. Players meet the same positions often, as there are few openings and opponents play alike. Cached
/// results are exact and independent of earlier positions, so the cache affects the speed only.
pub struct Moves<G: PitGame> {
    entries: Vec<CacheEntry<G::Key>>,
    /// The key of an unused entry.
    unused: CacheEntry<G::Key>,
    /// The number of the first player of this generation; those of earlier ones have smaller numbers.
    first: u32,
}

#[derive(Clone, Copy)]
struct CacheEntry<K> {
    /// With a constant number of seeds, position and margin identify the board.
    key: K,
    best: u64,
    margin: i32,
    player: u32,
}

/// The data that a thread keeps between games.
pub struct Memory<G: PitGame, W: Weigher<G>> {
    moves: Moves<G>,
    kept: W::Kept,
}

impl<G: PitGame> Moves<G> {
    /// Number of entries: some megabytes, and about the number of positions in a generation of fifty.
    const SIZE: usize = 1 << 18;
    /// More than the players of a generation.
    const PLAYERS: u32 = 1 << 12;

    /// Creates a cache for games from `start`.
    fn new(start: &G) -> Moves<G> {
        let unused = CacheEntry { key: start.key(), best: 0, margin: 0, player: u32::MAX };
        Moves { entries: vec![unused; Moves::<G>::SIZE], unused, first: 0 }
    }

    /// Clears the cache for new players, mostly by giving them other numbers: filling the cache takes longer than a
    /// generation of few games.
    fn clear(&mut self) {
        self.first += Moves::<G>::PLAYERS;
        if self.first > u32::MAX - Moves::<G>::PLAYERS {
            self.entries.fill(self.unused);
            self.first = 0;
        }
    }

    /// Returns the best moves of `pos` for `player`, from the cache or from `search`; `None` if `search` returns `None`.
    #[inline]
    fn best(&mut self, pos: &G, player: u32, search: impl FnOnce() -> Option<MoveSet>) -> Option<MoveSet> {
        let key = pos.key();
        let margin = pos.margin(pos.side());
        let salt = u64::from(player) << 8 ^ margin as u64;
        let hash = G::hash(&key) ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        let player = self.first + player;
        let entry = &mut self.entries[hash as usize & (Moves::<G>::SIZE - 1)];
        if entry.player == player && entry.margin == margin && entry.key == key {
            return Some(MoveSet::from_word(entry.best));
        }
        let moves = search()?;
        if let Some(best) = moves.word() {
            *entry = CacheEntry { key, best, margin, player };
        }
        Some(moves)
    }
}

/// A game in progress.
pub struct DuelGame<G: PitGame + SearchHints, W: Weigher<G>> {
    game_state: GameState<G>,
    /// The side that moved first.
    side: Side,
    rng: Rng,
    /// The suspended search for the next move.
    searching: Option<Box<AlphaBetaSearch<G, W::Evaluation>>>,
}

impl<G: PitGame + SearchHints, W: Weigher<G>> Play for Games<G, W> {
    type Player = W::Player;
    type Game = DuelGame<G, W>;
    type Memory = Memory<G, W>;

    fn is_certain(&self) -> bool {
        self.opening == 0 && !self.ties.is_drawn()
    }

    fn player(&self, genome: &Genome) -> W::Player {
        self.weigher.player(genome)
    }

    fn memory(&self) -> Memory<G, W> {
        Memory { moves: Moves::new(&self.start), kept: self.weigher.kept(&self.start) }
    }

    /// Keeps the data shared by all players.
    fn clear(&self, memory: &mut Memory<G, W>) {
        memory.moves.clear();
    }

    /// Starts a game after its opening.
    fn begin(&self, GameKey { seed, generation, pairing, game, .. }: GameKey) -> DuelGame<G, W> {
        let mut rng = rng::keyed(&[seed, generation, pairing, game, GAME]);
        let mut game_state = GameState::new(self.start);
        for _ in 0..self.opening {
            if !game_state.is_over() {
                game_state.play(game_state.pos().pick(rng.next_u32()));
            }
        }
        DuelGame { game_state, side: self.start.side(), rng, searching: None }
    }

    /// `memory` must contain no other players and games than those of this contest.
    fn play(
        &self,
        playing: &mut DuelGame<G, W>,
        [first, second]: [Seat<'_, W::Player>; 2],
        memory: &mut Memory<G, W>,
        budget: Budget,
    ) -> Option<GameResult> {
        let DuelGame { game_state, side, rng, searching } = playing;
        let Memory { moves, kept } = memory;
        loop {
            if let Some(ending) = game_state.ending() {
                return Some(GameResult { outcome: ending.outcome(*side), ahead: ending.margin(*side) });
            }
            let (&pos, history) = game_state.pos_and_history();
            let seat = if pos.side() == *side { &first } else { &second };
            let is_kept = !G::USES_HISTORY || !pos.depends_on_history(history, self.depth);
            let mut search = || {
                let evaluation = || self.weigher.evaluation(seat.player, kept);
                if self.depth <= W::AT_ONCE {
                    return Some(best_moves_after(&pos, history, self.depth, &evaluation()).moves);
                }
                self.search(&pos, history, evaluation, searching, budget)
            };
            let best = if is_kept { moves.best(&pos, seat.number, search) } else { search() };
            game_state.play(self.draw(&pos, best?, rng));
            if self.depth > W::QUICK && budget.is_spent() && !game_state.is_over() {
                return None;
            }
        }
    }
}

impl<G: PitGame + SearchHints, W: Weigher<G>> Games<G, W> {
    /// Returns the best moves of `pos`, to which a game came through `history`; `None` if the budget is spent first. `searching`
    /// is the suspended search.
    #[cold]
    fn search(
        &self,
        pos: &G,
        history: &History<G>,
        evaluation: impl FnOnce() -> W::Evaluation,
        searching: &mut Option<Box<AlphaBetaSearch<G, W::Evaluation>>>,
        budget: Budget,
    ) -> Option<MoveSet> {
        let begin =
            || Box::new(AlphaBetaSearch::new(GameState::after(*pos, history.clone(), 0), self.depth, evaluation()));
        let search = searching.get_or_insert_with(begin);
        if search.step(budget) == Status::Running {
            return None;
        }
        searching.take().map(|search| search.best().moves)
    }

    #[inline]
    fn draw(&self, pos: &G, best: MoveSet, rng: &mut Rng) -> Move {
        let nth = match self.ties {
            Ties::Random if best.len() > 1 => rng.random_range(0..best.len()),
            Ties::First | Ties::Random => 0,
            Ties::Last => best.len().saturating_sub(1),
            Ties::Window => {
                let from = best.legal(pos).next().unwrap_or_default();
                let draw = |count| rng.random_range(0..count);
                return self.ties.choose(pos, std::iter::once(from), draw).unwrap_or_default();
            }
        };
        best.legal(pos).nth(nth as usize).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::BoardGame as _;
    use crate::game::kalah::Kalah;

    #[test]
    fn a_cleared_cache_holds_nothing_of_earlier_players() {
        let pos: Kalah = Kalah::start("6x4:standard".parse().unwrap());
        let mut moves = Moves::new(&pos);
        let best = || Some(MoveSet::from_word(1));
        // Numbers of players begin again within.
        for generation in 0..2 * (u32::MAX / Moves::<Kalah>::PLAYERS) {
            assert!(moves.best(&pos, 7, || None).is_none(), "{generation}");
            moves.best(&pos, 7, best);
            assert!(moves.best(&pos, 7, || None).is_some(), "{generation}");
            moves.clear();
        }
    }
}
