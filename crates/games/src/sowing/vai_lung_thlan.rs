//! Vai Lung Thlan of the Mizo: six pits, five seeds a pit, sown clockwise, a lap into the emptied pit too.
//!
//! A last seed in an empty pit on either side takes it, and the unbroken chain of single seeds directly behind it. After
//! J. Shakespear, The Lushei Kuki Clans (1912), and R. Gering, "Vai lung thlan", Abstract Games 12 (2002): a side without
//! seeds passes, and the game is over when no seeds are left. By choice sowing is counter-clockwise (`sowing=`), or a side
//! without seeds ends the game (`stuck=`).

use super::laps::chain;
use super::words::holding;
use super::{RuleChoice, Rules, SowingPosition, SowingRules, Sown};

pub type VaiLungThlan = SowingPosition<Rule>;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rule;

impl SowingRules for Rule {
    const NAME: &'static str = "vai-lung-thlan";
    const TITLE: &'static str = "Vai Lung Thlan";
    const HELP: &'static str = "[:sowing=clockwise|counter][:stuck=passes|ends]";
    const ABOUT: &'static str = "Seeds go round clockwise, and there are no stores to sow into: a last seed in an empty pit takes the single seeds behind it.";
    const EXPLAINED: &'static [&'static str] = &[
        "Get more than half of the seeds into your store.",
        "A move sows the seeds of one of your pits clockwise, one in each following pit.",
        "A last seed in an empty pit of either side takes itself, and the unbroken chain of single seeds directly behind it.",
        "A side without seeds passes. The game ends when no seeds are left, or a position comes up again.",
    ];

    const PITS: u8 = 6;
    const SEEDS: u8 = 5;
    const CHOICES: &'static [RuleChoice] = &[
        RuleChoice { key: "sowing", label: "Sowing", values: &["clockwise", "counter"] },
        RuleChoice { key: "stuck", label: "No seeds", values: &["passes", "ends"] },
    ];

    #[inline]
    fn capture(_: Rules<Rule>, sown: &mut Sown) {
        let [own, other] = sown.pits.map(|pits| u32::from(holding(pits, 1)));
        let taken = chain(own | other << Rule::PITS, 2 * Rule::PITS, sown.last);
        sown.take([taken as u8 & ((1 << Rule::PITS) - 1), (taken >> Rule::PITS) as u8]);
    }

    #[inline]
    fn passes(rules: Rules<Rule>) -> bool {
        rules.chosen(1) == 0
    }

    #[inline]
    fn is_clockwise(rules: Rules<Rule>) -> bool {
        rules.chosen(0) == 0
    }
}
