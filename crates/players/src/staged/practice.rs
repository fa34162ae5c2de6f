//! Games against a random player, which measure evolved functions: tens of thousands a second, so moves allocate and copy nothing.
//!
//! They equal the games of [`StagedPlayer`](super::StagedPlayer) and [`RandomPlayer`](crate::RandomPlayer) from the same position with
//! the same seed, one ply ahead.

use super::{Choosing, PLIES, StagedSettings};
use crate::game::othello::{Afterwards, Othello};
use crate::game::{Game, Move, Side};
use crate::{Purpose, keyed};
use rand::Rng as _;

/// A function player, ready for any number of such games.
#[derive(Clone, Debug)]
pub struct Practice {
    choosing: Choosing,
    /// The number of discs placed when each stage ends.
    ends: Vec<u32>,
    discs: Vec<[u32; 2]>,
}

impl Practice {
    /// Prepares the player; its depth is ignored.
    pub fn new(staged: &StagedSettings) -> Practice {
        let ends = staged.ends();
        Practice { choosing: Choosing::new(staged), discs: vec![[0; 2]; ends.len()], ends }
    }

    /// Plays a game from `start` as `side`; `seed` determines the opponent's moves and the stage where stages overlap.
    ///
    /// Returns the discs on the board when each stage ended, the player's own first; for the last stage, and for stages that the game did
    /// not reach, the discs at the end.
    pub fn play_out(&mut self, start: &Othello, side: Side, seed: u64) -> &[[u32; 2]] {
        self.play_on(start, 0, side, seed, &mut |_| ())
    }

    /// Plays on a game that is at `pos` after `ply` plies, and calls `made` with each of the player's moves.
    pub fn play_on(
        &mut self,
        pos: &Othello,
        mut ply: u32,
        side: Side,
        seed: u64,
        made: &mut dyn FnMut(Move),
    ) -> &[[u32; 2]] {
        let mut pos = *pos;
        let mut stage = 0;
        while !pos.is_over() {
            while stage + 1 < self.ends.len() && pos.put() >= self.ends[stage] {
                self.discs[stage] = own_first(&pos, side);
                stage += 1;
            }
            pos = if pos.side() == side { self.moved(&pos, ply, seed, made) } else { moved_at_random(&pos, ply, seed) };
            ply += 1;
        }
        self.discs[stage..].fill(own_first(&pos, side));
        &self.discs
    }

    #[inline]
    fn moved(&mut self, pos: &Othello, ply: u32, seed: u64, made: &mut dyn FnMut(Move)) -> Othello {
        let afterwards = Afterwards::new(pos);
        let stage = self.choosing.stage(pos, || keyed(seed, ply, Purpose::Stage));
        let best = self.choosing.best(&afterwards, stage);
        afterwards.moves().get(best).copied().into_iter().for_each(made);
        afterwards.position(best)
    }
}

#[inline]
fn moved_at_random(pos: &Othello, ply: u32, seed: u64) -> Othello {
    pos.play(pos.pick(keyed(seed, ply, Purpose::Move).next_u32()))
}

fn own_first(pos: &Othello, side: Side) -> [u32; 2] {
    let [own, other] = [side, side.other()].map(|side| pos.discs()[side.index()].count_ones());
    [own, other]
}

impl StagedSettings {
    /// Returns the number of discs placed when each stage ends, if stages do not overlap.
    pub fn ends(&self) -> Vec<u32> {
        let upto = |share: &mut u32, stage: &super::Stage| {
            *share += stage.share;
            // A disc belongs to the stage of the middle of its ply.
            Some((*share * PLIES + 49) / 100)
        };
        self.stages.iter().scan(0, upto).collect()
    }
}
