//! Érhérhé: six pits, four seeds a pit, sown counter-clockwise.
//!
//! Divilly, O'Riordan and Hill, "Exploration and Analysis of the Evolution of Strategies for Mancala Variants" (2013),
//! compare it with Awari and Oware. This reading follows Oware (a lap leaves out the pit it began in; a side whose
//! opponent has no seeds must give some if it can), but a last seed takes an opponent's pit in which it makes one or three.
//! Whether it also takes the unbroken chain of ones and threes behind it (`chain=`) is open: by default it does not.

use super::oware::{feeding, take};
use super::words::{holding, nonzero};
use super::{RuleChoice, Rules, SowingPosition, SowingRules, Sown};

pub type Erherhe = SowingPosition<Rule>;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rule;

impl SowingRules for Rule {
    const NAME: &'static str = "erherhe";
    const TITLE: &'static str = "Érhérhé";
    const HELP: &'static str = "[:chain=no|yes]";
    const ABOUT: &'static str =
        "Ones and threes are taken from the opponent's pits, and a player without seeds is given some.";
    const EXPLAINED: &'static [&'static str] = &[
        "Get more than half of the seeds into your store.",
        "A move sows the seeds of one of your pits counter-clockwise, one in each following pit, leaving out the pit itself.",
        "A last seed that makes 1 or 3 in an opponent's pit takes them.",
        "An opponent without seeds must be given some.",
        "The game ends when a side cannot move, or a position comes up again; each side keeps the seeds in its pits.",
    ];

    const PITS: u8 = 6;
    const SEEDS: u8 = 4;
    const SKIPS_ORIGIN: bool = true;
    const CHOICES: &'static [RuleChoice] =
        &[RuleChoice { key: "chain", label: "Takes a chain", values: &["no", "yes"] }];

    #[inline]
    fn capture(rules: Rules<Rule>, sown: &mut Sown) {
        if rules.chosen(0) == 1 {
            take(sown, [1, 3]);
        } else if let Some(last) = sown.last.checked_sub(Rule::PITS) {
            sown.take([0, 1 << last & (holding(sown.pits[1], 1) | holding(sown.pits[1], 3))]);
        }
    }

    #[inline]
    fn legal(rules: Rules<Rule>, pits: [u64; 2]) -> u8 {
        if pits[1] == 0 { feeding(rules, pits) } else { nonzero(pits[0]) }
    }
}
