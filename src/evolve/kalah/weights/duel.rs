//! Games between two sets of weights: what a genome's fitness is made of, played millions of times in a run.
//!
//! A game can be left between two moves, and where a move takes long also in the middle of it.

use rand::{Rng as _, RngExt};

use super::weights;
use crate::evolve::ga::Genome;
use crate::evolve::ga::play::{GameKey, Play, Played, Seat};
use crate::game::{Course, Move, PitGame, Side};
use crate::player::heuristic::{Evaluator, Reading};
use crate::rng::{self, Rng};
use crate::search::Ties;
use crate::search::evaluated::{MoveSet, Searching, best_moves};
use crate::step::{Budget, Status};

/// Searches of so few plies are made in one go, which is faster: a millisecond or so each, where boards are large.
const AT_ONCE: u32 = 6;

/// Searches of so few plies are made for a whole game between two looks at the clock.
const QUICK: u32 = 4;

/// What a random choice in a contest is for. The number is part of every recorded run.
const GAME: u64 = 2;

/// How the games of a run are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Games<G> {
    pub start: G,
    /// Plies each side looks ahead.
    pub depth: u32,
    pub ties: Ties,
    /// Moves at the beginning of a game that are drawn at random.
    pub opening: u32,
    pub reading: Reading,
}

/// Moves that were found before. A player meets the same positions again and again: the openings are few, and its opponents
/// play alike. What is found is exact, so what is remembered changes nothing but the time it takes.
pub struct Memory<G: PitGame> {
    entries: Vec<Remembered<G::Key>>,
    /// What an entry that was never used holds.
    unused: Remembered<G::Key>,
}

#[derive(Clone, Copy)]
struct Remembered<K> {
    /// With the same seeds in play, position and margin tell all that lies on the board.
    key: K,
    best: u64,
    margin: i32,
    player: u32,
}

impl<G: PitGame> Memory<G> {
    /// Entries: some megabytes, and about as many as there are positions in a generation of fifty.
    const SIZE: usize = 1 << 18;

    /// For games that begin at `start`.
    pub fn new(start: &G) -> Memory<G> {
        let unused = Remembered { key: start.key(), best: 0, margin: 0, player: u32::MAX };
        Memory { entries: vec![unused; Memory::<G>::SIZE], unused }
    }

    /// Forgets everything: what follows is about other players.
    pub fn clear(&mut self) {
        self.entries.fill(self.unused);
    }

    /// The best moves of `pos` for `player`, from memory or else as `search` finds them, if it does.
    #[inline]
    fn best(&mut self, pos: &G, player: u32, search: impl FnOnce() -> Option<MoveSet>) -> Option<MoveSet> {
        let (key, margin) = (pos.key(), pos.margin(pos.side()));
        let salt = u64::from(player) << 8 ^ margin as u64;
        let hash = G::hash(&key) ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        let entry = &mut self.entries[hash as usize & (Memory::<G>::SIZE - 1)];
        if entry.player == player && entry.margin == margin && entry.key == key {
            return Some(MoveSet::from_word(entry.best));
        }
        let moves = search()?;
        if let Some(best) = moves.word() {
            *entry = Remembered { key, best, margin, player };
        }
        Some(moves)
    }
}

/// A game under way.
pub struct Playing<G: PitGame> {
    course: Course<G>,
    /// Who moved first.
    side: Side,
    rng: Rng,
    /// The search for the next move, where it was left.
    searching: Option<Box<Searching<G, Evaluator>>>,
}

impl<G: PitGame> Play for Games<G> {
    type Player = Evaluator;
    type Game = Playing<G>;
    type Memory = Memory<G>;

    fn is_certain(&self) -> bool {
        self.opening == 0 && self.ties == Ties::First
    }

    fn player(&self, genome: &Genome) -> Evaluator {
        Evaluator::new(&weights(genome), self.reading)
    }

    fn memory(&self) -> Memory<G> {
        Memory::new(&self.start)
    }

    fn clear(&self, memory: &mut Memory<G>) {
        memory.clear();
    }

    /// A game after its opening.
    fn begin(&self, GameKey { seed, generation, pairing, game, .. }: GameKey) -> Playing<G> {
        let mut rng = rng::keyed(&[seed, generation, pairing, game, GAME]);
        let mut course = Course::new(self.start);
        for _ in 0..self.opening {
            if !course.is_over() {
                course.play(course.pos().pick(rng.next_u32()));
            }
        }
        Playing { course, side: self.start.side(), rng, searching: None }
    }

    /// `memory` must know of no other players and games than those of this contest.
    fn play(
        &self,
        playing: &mut Playing<G>,
        [first, second]: [Seat<'_, Evaluator>; 2],
        memory: &mut Memory<G>,
        budget: Budget,
    ) -> Option<Played> {
        let Playing { course, side, rng, searching } = playing;
        loop {
            if let Some(ending) = course.ending() {
                return Some(Played { outcome: ending.outcome(*side), ahead: course.pos().margin(*side) });
            }
            let pos = course.pos();
            let seat = if pos.side() == *side { &first } else { &second };
            let best = memory.best(pos, seat.number, || match self.depth {
                ..=AT_ONCE => Some(best_moves(pos, self.depth, seat.player).moves),
                _ => self.search(pos, seat.player, searching, budget),
            })?;
            course.play(self.draw(pos, best, rng));
            if self.depth > QUICK && budget.is_spent() && !course.is_over() {
                return None;
            }
        }
    }
}

impl<G: PitGame> Games<G> {
    /// The best moves of `pos`; `None` if the budget is spent first. `searching` is the search where it was left.
    #[cold]
    fn search(
        &self,
        pos: &G,
        player: &Evaluator,
        searching: &mut Option<Box<Searching<G, Evaluator>>>,
        budget: Budget,
    ) -> Option<MoveSet> {
        let begin = || Box::new(Searching::new(pos, self.depth, player.clone()));
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
            _ => 0,
        };
        best.of(pos).nth(nth as usize).unwrap_or_default()
    }
}
