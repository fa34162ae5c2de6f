//! Oware (Abapa): six pits, four seeds a pit, sown counter-clockwise.
//!
//! A lap leaves out the pit it began in. A last seed that makes two or three in an opponent's pit takes them, and the
//! unbroken chain of twos and threes in the opponent's pits behind it. A side whose opponent has no seeds must give some
//! if it can; if it cannot, the game is over. Rules after the Oware Society's Abapa.
//!
//! Sources differ about a grand slam, a move that would take all of the opponent's seeds (`slam=`): it takes nothing, the
//! tournament rule and the one that published perft counts follow; it takes `all`; or it is `illegal`. If no move is legal
//! the game is over, and each side keeps the seeds in its pits.

use super::laps::chain;
use super::words::{holding, nonzero};
use super::{RuleChoice, Rules, SowingPosition, SowingRules, Sown};

pub type Oware = SowingPosition<Rule>;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rule;

const PITS: u8 = 6;

/// The values of `slam=`.
const SLAMS: &[&str] = &["none", "all", "illegal"];
const NONE: u8 = 0;
const ILLEGAL: u8 = 2;

impl SowingRules for Rule {
    const NAME: &'static str = "oware";
    const TITLE: &'static str = "Oware";
    const HELP: &'static str = "[:slam=none|all|illegal]";
    const ABOUT: &'static str = "Twos and threes are taken from the opponent's pits, but never all of them; an opponent without seeds must be given some.";
    const EXPLAINED: &'static [&'static str] = &[
        "Get more than half of the seeds into your store.",
        "A move sows the seeds of one of your pits counter-clockwise, one in each following pit, leaving out the pit itself.",
        "A last seed that makes 2 or 3 in an opponent's pit takes them, and the unbroken chain of twos and threes behind it.",
        "A move that would take all of the opponent's seeds takes nothing. An opponent without seeds must be given some.",
        "The game ends when a side cannot move, or a position comes up again; each side keeps the seeds in its pits.",
    ];

    const PITS: u8 = PITS;
    const SEEDS: u8 = 4;
    const SKIPS_ORIGIN: bool = true;
    const HAS_ENDGAMES: bool = true;
    const CHOICES: &'static [RuleChoice] = &[RuleChoice { key: "slam", label: "Grand slam", values: SLAMS }];

    #[inline]
    fn capture(rules: Rules<Rule>, sown: &mut Sown) {
        let before = *sown;
        take(sown, [2, 3]);
        if rules.chosen(0) == NONE && sown.pits[1] == 0 && sown.gain > 0 {
            *sown = before;
        }
    }

    #[inline]
    fn legal(rules: Rules<Rule>, pits: [u64; 2]) -> u8 {
        if pits[1] == 0 || rules.chosen(0) == ILLEGAL && may_be_emptied(pits[1]) {
            return feeding::<Rule>(rules, pits);
        }
        nonzero(pits[0])
    }
}

/// Takes the seeds of the opponent's pits with one of two counts, in an unbroken chain that ends at the last seed.
#[inline]
pub(super) fn take(sown: &mut Sown, counts: [u8; 2]) {
    let Some(last) = sown.last.checked_sub(PITS) else { return };
    let set = (holding(sown.pits[1], counts[0]) | holding(sown.pits[1], counts[1])) & ((2 << last) - 1);
    sown.take([0, chain(set.into(), PITS, last) as u8]);
}

/// Whether one move may take all the seeds of these pits: only pits that get a seed are captured, with three at most.
#[inline]
pub(super) fn may_be_emptied(pits: u64) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    (((pits & !HIGH) + 0x7d7d_7d7d_7d7d_7d7d) | pits) & HIGH == 0
}

/// The pits from which a sowing leaves the opponent seeds.
#[cold]
pub(super) fn feeding<R: SowingRules>(rules: Rules<R>, pits: [u64; 2]) -> u8 {
    let feeds = |pit: &u8| SowingPosition::<R>::sown(rules, pits, *pit).0.pits[1] != 0;
    super::Pits(nonzero(pits[0])).map(|mv| mv.0 as u8).filter(feeds).fold(0, |set, pit| set | 1 << pit)
}
