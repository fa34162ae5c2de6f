//! Games against a player that moves at random, as those that are bred are judged by: tens of thousands of them a second, so nothing is
//! looked up, copied or allocated for a move.
//!
//! They are the games that [`StagedPlayer`](super::StagedPlayer) and [`RandomPlayer`](crate::RandomPlayer) play from the same
//! position with the same seed, one ply ahead.

use super::choosing::Choosing;
use super::{PLIES, Staged};
use crate::game::othello::{Afterwards, Othello};
use crate::game::{Game, Move, Side};
use crate::{Purpose, keyed};
use rand::Rng as _;

/// A player by functions, ready to play any number of such games.
#[derive(Clone, Debug)]
pub struct Practice {
    choosing: Choosing,
    /// How many discs have been put when each stage ends.
    ends: Vec<u32>,
    discs: Vec<[u32; 2]>,
}

impl Practice {
    /// The depth is not used.
    pub fn new(staged: &Staged) -> Practice {
        let ends = staged.ends();
        Practice { choosing: Choosing::new(staged), discs: vec![[0; 2]; ends.len()], ends }
    }

    /// Plays a game from `start`, in which it has `side`; `seed` decides what the other plays and where stages overlap which is in
    /// force.
    ///
    /// Gives the discs on the board when each stage ended, the player's own first: of the last stage, and of those that the game was
    /// over before, the discs at the end.
    pub fn play_out(&mut self, start: &Othello, side: Side, seed: u64) -> &[[u32; 2]] {
        self.play_on(start, 0, side, seed, |_| ())
    }

    /// The same of a game that has come to `pos` by `ply` plies, and tells what moves the player makes.
    pub fn play_on(
        &mut self,
        pos: &Othello,
        mut ply: u32,
        side: Side,
        seed: u64,
        mut made: impl FnMut(Move),
    ) -> &[[u32; 2]] {
        let mut pos = *pos;
        let mut stage = 0;
        while !pos.is_over() {
            while stage + 1 < self.ends.len() && pos.put() >= self.ends[stage] {
                self.discs[stage] = own_first(&pos, side);
                stage += 1;
            }
            pos = if pos.side() == side {
                self.moved(&pos, ply, seed, &mut made)
            } else {
                moved_at_random(&pos, ply, seed)
            };
            ply += 1;
        }
        self.discs[stage..].fill(own_first(&pos, side));
        &self.discs
    }

    #[inline]
    fn moved(&mut self, pos: &Othello, ply: u32, seed: u64, made: &mut impl FnMut(Move)) -> Othello {
        let afterwards = Afterwards::of(pos);
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

impl Staged {
    /// How many discs have been put when each stage ends, if stages do not overlap.
    pub fn ends(&self) -> Vec<u32> {
        let upto = |share: &mut u32, stage: &super::Stage| {
            *share += stage.share;
            // A disc is put in the stage that the middle of its ply lies in.
            Some((*share * PLIES + 49) / 100)
        };
        self.stages.iter().scan(0, upto).collect()
    }
}
