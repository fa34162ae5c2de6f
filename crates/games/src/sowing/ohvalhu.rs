//! Ohvalhu of the Maldives: eight pits, eight seeds a pit, sown counter-clockwise and into the own store. One round.
//!
//! A last seed in a filled pit is lifted with the others there and sown on; one in the own store gives another turn; one
//! in an empty pit of the opponent's ends the turn; one in an empty pit of the own side ends it too and takes itself and
//! the seeds of the opposite pit. After H. H. L. M. Donkers, A. J. de Voogt and J. W. H. M. Uiterwijk, "Human versus Machine
//! Problem-Solving: Winning Openings in Dakon", Board Games Studies 3 (2000), a side without seeds passes, and the game is
//! over when no seeds are left. By choice a last seed opposite an empty pit stays (`alone=`), or a side without seeds ends
//! the game (`stuck=`).
//!
//! A move ends because each lap leaves a seed in the store. A game ends because only seeds that stay on their side and move
//! towards the store leave the stores as they are.

use super::{RepetitionRule, RuleChoice, Rules, SowingPosition, SowingRules, Sown};

pub type Ohvalhu = SowingPosition<Rule>;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rule;

impl SowingRules for Rule {
    const NAME: &'static str = "ohvalhu";
    const TITLE: &'static str = "Ohvalhu";
    const HELP: &'static str = "[:alone=taken|stays][:stuck=passes|ends]";
    const ABOUT: &'static str = "A last seed in a filled pit is sown on with all others there, lap after lap, until it meets an empty pit or your store.";
    const EXPLAINED: &'static [&'static str] = &[
        "Get more than half of the seeds into your store.",
        "A move sows the seeds of one of your pits counter-clockwise, one in each following pit and in your store.",
        "A last seed in a filled pit is lifted with the others there and sown on. In your store it gives another turn.",
        "In an empty pit of yours it takes itself and the seeds of the opposite pit; in an empty pit of the opponent's the turn ends.",
        "A side without seeds passes. The game ends when no seeds are left in the pits.",
    ];

    const PITS: u8 = 8;
    const SEEDS: u8 = 8;
    const HAS_STORE: bool = true;
    const RELAYS: bool = true;
    const REPEATED: Option<RepetitionRule> = None;
    const CHOICES: &'static [RuleChoice] = &[
        RuleChoice { key: "alone", label: "Last seed alone", values: &["taken", "stays"] },
        RuleChoice { key: "stuck", label: "No seeds", values: &["passes", "ends"] },
    ];

    #[inline]
    fn capture(rules: Rules<Rule>, sown: &mut Sown) {
        if sown.last >= Rule::PITS {
            return;
        }
        let own = 1 << sown.last;
        let opposite = 0x80 >> sown.last;
        let facing = sown.pits[1] >> (8 * (Rule::PITS - 1 - sown.last)) & 0xff;
        if facing > 0 || rules.chosen(0) == 0 {
            sown.take([own, opposite]);
        }
    }

    #[inline]
    fn passes(rules: Rules<Rule>) -> bool {
        rules.chosen(1) == 0
    }
}
