//! Awari as Romein and Bal solved it: J. W. Romein and H. E. Bal, "Solving the Game of Awari using Parallel
//! Retrograde Analysis", Computer 36 (2003).
//!
//! Sowing and captures are those of [`oware`](super::oware), grand slams included. A move that leaves the opponent
//! without seeds is illegal, unless all moves do. A side without a move ends the game. A repetition ends it
//! too, and the seeds in the pits are halved.

use super::oware::{feeding, may_be_emptied, take};
use super::words::nonzero;
use super::{RepetitionRule, Rules, SowingPosition, SowingRules, Sown};

pub type Awari = SowingPosition<Rule>;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rule;

impl SowingRules for Rule {
    const NAME: &'static str = "awari";
    const TITLE: &'static str = "Awari";
    const HELP: &'static str = "";
    const ABOUT: &'static str = "Oware in the form that has been solved: twos and threes are taken, and a move must leave the opponent a seed if it can.";
    const EXPLAINED: &'static [&'static str] = &[
        "Get more than half of the seeds into your store.",
        "A move sows the seeds of one of your pits counter-clockwise, one in each following pit, leaving out the pit itself.",
        "A last seed that makes 2 or 3 in an opponent's pit takes them, and the unbroken chain of twos and threes behind it.",
        "A move must leave the opponent a seed if it can.",
        "The game ends when a side cannot move. When a position comes up again the seeds in the pits are halved.",
    ];

    const PITS: u8 = 6;
    const SEEDS: u8 = 4;
    const SKIPS_ORIGIN: bool = true;
    const HAS_ENDGAMES: bool = true;
    const REPEATED: Option<RepetitionRule> = Some(RepetitionRule::Halved);

    #[inline]
    fn capture(_: Rules<Rule>, sown: &mut Sown) {
        take(sown, [2, 3]);
    }

    #[inline]
    fn legal(rules: Rules<Rule>, pits: [u64; 2]) -> u8 {
        let all = nonzero(pits[0]);
        if !may_be_emptied(pits[1]) {
            return all;
        }
        let feeding = feeding(rules, pits);
        if feeding == 0 { all } else { feeding }
    }
}
