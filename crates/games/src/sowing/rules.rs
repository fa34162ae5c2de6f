//! What distinguishes the games that share this module's positions: sizes, directions, captures, and choices of rules.

use mancalab_base::Error;
use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;
use std::str::FromStr;

use super::laps::Sown;
use super::words::nonzero;
use crate::Choice;

/// How the seeds in the pits are given out when a position comes up again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RepetitionRule {
    /// Each side keeps those in its pits.
    Kept,
    /// Each side gets half of them.
    Halved,
}

/// A choice of rule: its key in texts, its label in dialogs, and its values, the default first.
#[derive(Debug)]
pub struct RuleChoice {
    pub key: &'static str,
    pub label: &'static str,
    pub values: &'static [&'static str],
}

/// A game of pits in which a move sows all seeds of one pit. Pits are in sowing order: byte 0 of a side's word is the pit
/// that the other side's sowing reaches first.
pub trait SowingRules: Copy + Eq + Hash + fmt::Debug + Send + Sync + 'static {
    /// See [`BoardGame`](crate::BoardGame).
    const NAME: &'static str;
    const TITLE: &'static str;
    const HELP: &'static str;
    const ABOUT: &'static str;
    const EXPLAINED: &'static [&'static str];

    const PITS: u8;
    const SEEDS: u8;
    /// Whether the mover sows into the own store; a last seed there gives another turn.
    const HAS_STORE: bool = false;
    /// Whether a lap leaves out the pit it began in.
    const SKIPS_ORIGIN: bool = false;
    /// Whether a last seed in a filled pit is lifted with the others there and sown on. Only with a store: every lap then
    /// leaves a seed in it, so that the move ends.
    const RELAYS: bool = false;
    /// What happens when a position comes up again; `None` if none can.
    const REPEATED: Option<RepetitionRule> = Some(RepetitionRule::Kept);
    /// Whether an endgame table can be built: for games without stores to sow into and without passes.
    const HAS_ENDGAMES: bool = false;
    /// At most two.
    const CHOICES: &'static [RuleChoice] = &[];

    /// Captures after the last seed of a move.
    fn capture(rules: Rules<Self>, sown: &mut Sown);

    /// The pits from which the mover, who has the first of these pits, may sow. Empty without seeds.
    #[inline]
    fn legal(_rules: Rules<Self>, pits: [u64; 2]) -> u8 {
        nonzero(pits[0])
    }

    /// Whether a side that cannot move passes as long as the other can; otherwise the game is over.
    #[inline]
    fn passes(_rules: Rules<Self>) -> bool {
        false
    }

    /// Whether sowing is clockwise.
    #[inline]
    fn is_clockwise(_rules: Rules<Self>) -> bool {
        false
    }
}

/// The chosen rules of a game, with texts such as `slam=all`, or `standard` for the default.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules<R> {
    chosen: [u8; 2],
    game: PhantomData<R>,
}

impl<R> Default for Rules<R> {
    fn default() -> Rules<R> {
        Rules { chosen: [0; 2], game: PhantomData }
    }
}

impl<R: SowingRules> Rules<R> {
    /// Index of the value of choice `index`.
    #[inline]
    pub fn chosen(self, index: usize) -> u8 {
        self.chosen[index]
    }

    /// The name of the endgame table for these rules, such as `oware-slam-all`.
    pub fn table(self) -> String {
        format!("{}-{self}", R::NAME).replace([':', '='], "-")
    }

    pub(super) fn number(self) -> u64 {
        u16::from_le_bytes(self.chosen).into()
    }

    pub(super) fn choices(self) -> Vec<Choice> {
        let choice = |(choice, &chosen): (&RuleChoice, &u8)| Choice {
            label: choice.label,
            values: choice.values,
            chosen: chosen.into(),
        };
        R::CHOICES.iter().zip(&self.chosen).map(choice).collect()
    }

    #[must_use]
    pub fn choose(mut self, index: usize, chosen: usize) -> Rules<R> {
        if R::CHOICES.get(index).is_some_and(|choice| chosen < choice.values.len()) {
            self.chosen[index] = chosen as u8;
        }
        self
    }
}

impl<R: SowingRules> fmt::Display for Rules<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = R::CHOICES.iter().zip(self.chosen.map(usize::from)).filter(|(_, chosen)| *chosen > 0);
        let texts: Vec<String> =
            all.map(|(choice, chosen)| format!("{}={}", choice.key, choice.values[chosen])).collect();
        f.pad(&if texts.is_empty() { "standard".to_owned() } else { texts.join(":") })
    }
}

impl<R: SowingRules> FromStr for Rules<R> {
    type Err = Error;

    fn from_str(text: &str) -> Result<Rules<R>, Error> {
        let mut rules = Rules::default();
        for part in text.trim().split(':').filter(|part| !matches!(*part, "" | "standard")) {
            let known = |(index, choice): (usize, &RuleChoice)| {
                let value = part.strip_prefix(choice.key)?.strip_prefix('=')?;
                Some((index, choice.values.iter().position(|known| known.eq_ignore_ascii_case(value))?))
            };
            let Some((index, chosen)) = R::CHOICES.iter().enumerate().find_map(known) else {
                let forms = R::CHOICES.iter().map(|choice| format!("{}={}", choice.key, choice.values.join("|")));
                let forms: Vec<String> = ["standard".to_owned()].into_iter().chain(forms).collect();
                return Err(Error::unknown(format!("unknown {} rule '{part}'", R::NAME), forms));
            };
            rules.chosen[index] = chosen as u8;
        }
        Ok(rules)
    }
}

#[cfg(test)]
mod tests {
    use crate::Variant;

    #[test]
    fn texts_come_back_without_defaults() {
        for (text, printed) in [
            ("oware", "oware:standard"),
            ("oware:slam=none", "oware:standard"),
            ("Oware:standard:slam=ALL", "oware:slam=all"),
            ("vai-lung-thlan:stuck=ends:sowing=counter", "vai-lung-thlan:sowing=counter:stuck=ends"),
            ("awari:", "awari:standard"),
            ("kalah:9x12:empty", "kalah:9x12:empty"),
        ] {
            let variant: Variant = text.parse().unwrap();
            assert_eq!(variant.to_string(), printed);
            assert_eq!(printed.parse(), Ok(variant));
        }
        let error = |text: &str| text.parse::<Variant>().unwrap_err().to_string();
        assert!(error("oware:slam=some").contains("unknown oware rule 'slam=some'"));
        assert!(error("awari:slam=all").contains("unknown awari rule 'slam=all'"));
        assert_eq!(error("kalah:13x4"), "'13x4': pits a side must be 1 to 12 (got 13)");
    }

    /// A choice may need another type of positions, and leads back.
    #[test]
    fn what_a_dialog_offers_can_be_chosen() {
        let mut variants = Variant::usual();
        variants.push("kalah:12x4:end=mover".parse().unwrap());
        for variant in variants {
            for (index, choice) in variant.choices().into_iter().enumerate() {
                for (chosen, value) in choice.values.iter().enumerate() {
                    let other = variant.choose(index, chosen);
                    assert_eq!(other.choices()[index].chosen, chosen, "{variant}: {value}");
                    assert_eq!(other.choose(index, choice.chosen), variant);
                }
            }
        }
    }

    /// Choices one after the other, from every variant that they lead to.
    #[test]
    fn all_choices_can_be_combined() {
        let mut variants = Variant::usual();
        variants
            .extend(["kalah:12x4:end=mover", "kalah:6x4:standard:fair=3"].map(|text| text.parse::<Variant>().unwrap()));
        let mut next = 0;
        while let Some(variant) = variants.get(next).copied() {
            next += 1;
            for (index, choice) in variant.choices().into_iter().enumerate() {
                for chosen in 0..choice.values.len() + 1 {
                    let other = variant.choose(index, chosen);
                    if !variants.contains(&other) {
                        variants.push(other);
                    }
                }
            }
        }
        assert!(variants.len() > 300, "{}", variants.len());
    }
}
