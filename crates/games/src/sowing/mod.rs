//! Games of pits and stores, and the positions that most of them share.
//!
//! A [`SowingPosition`] is stored from the mover's seat, each side's pits as the bytes of one word in sowing order, so
//! that boards sown clockwise are mirror images. A game adds its [`SowingRules`]: captures, legal moves, and choices.
//! Seeds left when the game is over belong to the side that has them in its pits.
//!
//! Seeds that are sown and not captured may go round for ever. A position that comes up a second time ends the game, and
//! the seeds in the pits are given out as [`RepetitionRule`] says.

pub(crate) mod board_game;
mod laps;
mod order;
pub(crate) mod pits;
pub(crate) mod planes;
mod repeated;
pub(crate) mod words;

pub mod awari;
pub mod erherhe;
pub mod ohvalhu;
pub mod oware;
pub mod vai_lung_thlan;

use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;
use std::str::FromStr;

use mancalab_base::Error;

use super::{Choice, Game, History, Move, Notation, PitGame, Seeds, Side};
use laps::{Runs, runs};
use words::{mixed, nonzero, total};

pub use laps::Sown;
pub use pits::Pits;

/// Maximal number of seeds on a board; fits a byte.
pub const MAX_TOTAL: u8 = 192;

/// Plies after which an endless game is ended.
const MOST_PLIES: u32 = 2000;

/// A position of a game with the rules `R`. At the end the seeds left are gathered.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SowingPosition<R> {
    /// The mover's pits and the opponent's; bytes after the last pit are 0.
    pits: [u64; 2],
    stores: [u8; 2],
    /// 0 when South is to move, 1 when North is.
    side: u8,
    /// The pits from which the mover may sow; none when the game is over.
    legal: u8,
    rules: Rules<R>,
}

impl<R: SowingRules> SowingPosition<R> {
    const RUNS: Runs = runs(R::PITS, R::HAS_STORE);

    /// Rules of this position.
    pub fn rules(&self) -> Rules<R> {
        self.rules
    }

    /// The position with these pits of the mover, South, and the opponent, and empty stores; or its end.
    pub fn with_pits(rules: Rules<R>, pits: [u64; 2]) -> SowingPosition<R> {
        SowingPosition::settled(pits, [0; 2], 0, rules)
    }

    /// The position with these pits and stores of the mover and the opponent, or its end if the mover cannot move.
    #[inline]
    fn settled(pits: [u64; 2], stores: [u8; 2], side: u8, rules: Rules<R>) -> SowingPosition<R> {
        let pos = SowingPosition { pits, stores, side, legal: R::legal(rules, pits), rules };
        if pos.legal == 0 { pos.stuck() } else { pos }
    }

    /// The position of a side that cannot move: the other's turn, or the end of the game.
    #[cold]
    fn stuck(self) -> SowingPosition<R> {
        let SowingPosition { pits: [own, other], stores: [own_store, other_store], side, rules, .. } = self;
        if R::passes(rules) && other != 0 {
            return SowingPosition::settled([other, own], [other_store, own_store], side ^ 1, rules);
        }
        SowingPosition { pits: [0; 2], stores: [own_store + total(own), other_store + total(other)], ..self }
    }

    /// Effect of sowing from `pit`, and whether the mover moves again.
    #[inline]
    fn sown(rules: Rules<R>, pits: [u64; 2], pit: u8) -> (Sown, bool) {
        let mut sown = Sown { pits, gain: 0, last: pit };
        let shape = (R::PITS, R::HAS_STORE, R::SKIPS_ORIGIN);
        sown.lap(&Self::RUNS, shape, pit);
        while R::RELAYS && sown.count(R::PITS) > 1 {
            sown.lap(&Self::RUNS, shape, sown.last);
        }
        if R::HAS_STORE && sown.last == R::PITS {
            return (sown, true);
        }
        R::capture(rules, &mut sown);
        (sown, false)
    }

    /// Number of a pit from its side's left, by its number in sowing order, and the reverse.
    #[inline]
    fn mirrored(&self, pit: u8) -> u8 {
        if R::is_clockwise(self.rules) { R::PITS - 1 - pit } else { pit }
    }

    /// Pits and stores by seat, `[south, north]`.
    fn by_seat(&self) -> ([u64; 2], [u8; 2]) {
        let ([own, other], [own_store, other_store]) = (self.pits, self.stores);
        match self.side() {
            Side::South => ([own, other], [own_store, other_store]),
            Side::North => ([other, own], [other_store, own_store]),
        }
    }

    fn in_pits(&self) -> i32 {
        i32::from(total(self.pits[0])) + i32::from(total(self.pits[1]))
    }
}

impl<R: SowingRules> Game for SowingPosition<R> {
    const USES_HISTORY: bool = R::REPEATED.is_some();
    const MOST_PLIES: Option<u32> = if R::REPEATED.is_some() { Some(MOST_PLIES) } else { None };

    type Moves = Pits;
    type Key = [u64; 2];

    #[inline]
    fn side(&self) -> Side {
        if self.side == 0 { Side::South } else { Side::North }
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.legal == 0
    }

    #[inline]
    fn moves(&self) -> Pits {
        Pits(self.legal)
    }

    #[inline]
    fn play(&self, mv: Move) -> SowingPosition<R> {
        debug_assert!(self.legal >> mv.0 & 1 == 1, "no such move: {mv:?} in {self:?}");
        let (Sown { pits: [own, other], gain, .. }, again) = Self::sown(self.rules, self.pits, mv.0 as u8);
        let [own_store, other_store] = [self.stores[0] + gain, self.stores[1]];
        if again {
            return Self::settled([own, other], [own_store, other_store], self.side, self.rules);
        }
        Self::settled([other, own], [other_store, own_store], self.side ^ 1, self.rules)
    }

    #[inline]
    fn margin(&self, side: Side) -> i32 {
        let margin = i32::from(self.stores[0]) - i32::from(self.stores[1]);
        if side as u8 == self.side { margin } else { -margin }
    }

    /// No move counts as irreversible, because it takes playing one to see; the rule itself looks no further back than
    /// the last capture.
    #[inline]
    fn is_irreversible(&self, _mv: Move) -> bool {
        false
    }

    #[inline]
    fn ruling(&self, history: &History<Self>) -> Option<&'static str> {
        self.is_repeated(history.positions()).then_some("repetition")
    }

    fn stopped_margin(&self, side: Side) -> Option<i32> {
        let kept = match R::REPEATED {
            Some(RepetitionRule::Halved) => 0,
            _ => i32::from(total(self.pits[0])) - i32::from(total(self.pits[1])),
        };
        Some(self.margin(side) + if side as u8 == self.side { kept } else { -kept })
    }

    #[inline]
    fn depends_on_history(&self, history: &History<Self>, depth: u32) -> bool {
        self.may_repeat(history.positions(), depth)
    }

    #[inline]
    fn key(&self) -> [u64; 2] {
        self.pits
    }

    #[inline]
    fn hash(key: &[u64; 2]) -> u64 {
        mixed(key)
    }

    #[inline]
    fn variant(&self) -> u64 {
        self.rules.number()
    }

    /// Every seed in a pit can go to either store.
    #[inline]
    fn reach(&self) -> i32 {
        self.in_pits()
    }

    #[inline]
    fn pick(&self, bits: u32) -> Move {
        pits::any(self.legal, bits)
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        pits::count(self.legal).into()
    }
}

impl<R: SowingRules> PitGame for SowingPosition<R> {
    fn seeds(&self, side: Side) -> Seeds {
        let seat = usize::from(side as u8 != self.side);
        let pits = self.pits[seat];
        let store = self.stores[seat];
        let leftmost_pit = (pits >> (8 * self.mirrored(0))) as u8;
        Seeds { leftmost_pit, pits: total(pits), filled: pits::count(nonzero(pits)), store }
    }

    fn pits_a_side(&self) -> u8 {
        R::PITS
    }

    fn row(&self, side: Side) -> [u8; 8] {
        self.pits[usize::from(side as u8 != self.side)].to_le_bytes()
    }

    fn looks_back_to<'a>(&self, history: &'a History<Self>) -> &'a [Self] {
        let positions = history.positions();
        &positions[positions.len() - self.since_capture(positions).count()..]
    }
}

impl<R: SowingRules> fmt::Debug for SowingPosition<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({}: {})", R::TITLE, self.rules, self.to_text())
    }
}

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
    /// See [`BoardGame`](super::BoardGame).
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

    fn number(self) -> u64 {
        u16::from_le_bytes(self.chosen).into()
    }

    fn choices(self) -> Vec<Choice> {
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
    use super::super::Variant;

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
