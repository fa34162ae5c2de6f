//! Rules of Kalah: number of pits, number of seeds, capture rule, and end of the game.

use mancalab_base::{Error, bail, settings::string_enum};
use std::fmt;
use std::str::FromStr;

use super::large::MOST_PITS;
use crate::Choice;

/// Maximal number of pits a side; each side's pits are the bytes of one word.
pub const MAX_PITS: u8 = 8;
/// Maximal number of seeds a pit at the start.
pub const MAX_SEEDS: u8 = 12;
/// Maximal number of seeds on a board; fits a byte.
pub const MAX_TOTAL: u8 = 2 * MAX_PITS * MAX_SEEDS;

/// When a last seed in an empty pit of its own side captures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Capture {
    /// If the opposite pit has seeds: all go to the store.
    #[default]
    Standard,
    /// Always; with an empty opposite pit the last seed goes to the store alone.
    Empty,
}

impl Capture {
    fn name(self) -> &'static str {
        match self {
            Capture::Standard => "standard",
            Capture::Empty => "empty",
        }
    }
}

/// When the game is over. Each side then keeps the seeds in its pits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum End {
    /// After a move that leaves either side without seeds.
    #[default]
    Either,
    /// Only when the side to move has no seeds.
    Mover,
}

string_enum!(End { "either" => Either, "mover" => Mover });

/// Rules of Kalah, with texts such as `6x4:standard`, `6x4:standard:end=mover` and `6x4:standard:fair=3`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    pits: u8,
    seeds: u8,
    capture: Capture,
    end: End,
    fair: u8,
}

impl Rules {
    /// Rules with these numbers of pits and seeds.
    ///
    /// # Errors
    /// The number that is out of range, and the range.
    pub fn new(pits: u8, seeds: u8, capture: Capture) -> Result<Rules, Error> {
        Rules::within(MAX_PITS, pits, seeds, capture)
    }

    /// The same with at most `most` pits a side.
    fn within(most: u8, pits: u8, seeds: u8, capture: Capture) -> Result<Rules, Error> {
        if !(1..=most).contains(&pits) {
            bail!("pits a side must be 1 to {most} (got {pits})");
        }
        if !(1..=MAX_SEEDS).contains(&seeds) {
            bail!("seeds a pit must be 1 to {MAX_SEEDS} (got {seeds})");
        }
        Ok(Rules { pits, seeds, capture, end: End::default(), fair: 0 })
    }

    /// The same rules with this end of the game.
    #[must_use]
    pub fn ending(self, end: End) -> Rules {
        Rules { end, ..self }
    }

    /// The same rules with the fair opening of this number from 1, or 0 for the usual start.
    #[must_use]
    pub fn opened(self, fair: u8) -> Rules {
        Rules { fair, ..self }
    }

    /// The options that a dialog offers, in the order of the rules' text. The end of the game is kept: only the text sets it.
    pub fn choices(&self) -> [Choice; 3] {
        const SEEDS: &[&str] = &["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"];
        let captures: &[&str] = &["standard", "empty"];
        [
            Choice {
                label: "Pits a side",
                values: SEEDS.split_at(usize::from(MOST_PITS)).0,
                chosen: usize::from(self.pits) - 1,
            },
            Choice { label: "Seeds a pit", values: SEEDS, chosen: usize::from(self.seeds) - 1 },
            Choice { label: "Capture", values: captures, chosen: self.capture as usize },
        ]
    }

    /// Sets one of the [`choices`](Rules::choices); unchanged if there is no such value.
    #[must_use]
    pub fn choose(self, index: usize, chosen: usize) -> Rules {
        self.chosen_within(MAX_PITS, index, chosen)
    }

    /// The same with at most `most` pits a side.
    pub(super) fn chosen_within(self, most: u8, index: usize, chosen: usize) -> Rules {
        let number = chosen as u8 + 1;
        let sized = |pits, seeds| Rules::within(most, pits, seeds, self.capture).map(|rules| rules.ending(self.end));
        let chosen = match index {
            0 => sized(number, self.seeds),
            1 => sized(self.pits, number),
            2 => Ok(Rules { capture: if chosen == 0 { Capture::Standard } else { Capture::Empty }, fair: 0, ..self }),
            _ => Ok(self),
        };
        chosen.unwrap_or(self)
    }

    /// Reads rules with at most `most` pits a side.
    pub(super) fn read(text: &str, most: u8) -> Result<Rules, Error> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Rules::default());
        }
        let (text, fair) = text.split_once(":fair=").map_or((text, None), |(text, fair)| (text, Some(fair)));
        let (rest, end) = text.split_once(":end=").map_or((text, None), |(rest, end)| (rest, Some(end)));
        let (size, capture) = rest.split_once(':').map_or((rest, None), |(size, capture)| (size, Some(capture)));
        let number = |what: &str, text: &str, most: u8| {
            let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let wanted = if is_number { format!("1 to {most}") } else { "a number, as in 6x4".to_owned() };
            text.parse::<u8>().map_err(|_| format!("{what} must be {wanted} (got '{text}')"))
        };
        let (pits, seeds) = size
            .split_once(['x', 'X'])
            .ok_or_else(|| format!("the size must be pits a side x seeds a pit, such as 6x4 (got '{size}')"))?;
        let capture = match capture.map(str::to_ascii_lowercase).as_deref() {
            None | Some("standard") => Capture::Standard,
            Some("empty") => Capture::Empty,
            Some(other) => bail!("the capture rule must be standard or empty (got '{other}')"),
        };
        let end = end.map_or(Ok(End::Either), str::parse).map_err(|error: Error| format!("end: {error}"))?;
        let rules =
            Rules::within(most, number("pits a side", pits, most)?, number("seeds a pit", seeds, MAX_SEEDS)?, capture)
                .map(|rules| rules.ending(end))
                .map_err(|error| format!("'{text}': {error}"))?;
        fair.map_or(Ok(rules), |number| rules.numbered(number))
    }

    /// The same rules with the fair opening of this number.
    fn numbered(self, text: &str) -> Result<Rules, Error> {
        let known = self.fair_openings().count();
        let number = text.parse().ok().filter(|number: &u8| (1..=known).contains(&usize::from(*number)));
        match number {
            Some(number) => Ok(self.opened(number)),
            None if known == 0 => bail!("no fair openings of {self} are known"),
            None => bail!("fair must be 1 to {known} (got '{text}')"),
        }
    }

    /// Pits a side.
    #[inline]
    pub fn pits(&self) -> u8 {
        self.pits
    }

    /// Seeds a pit at the start, 1 to [`MAX_SEEDS`].
    pub fn seeds(&self) -> u8 {
        self.seeds
    }

    pub fn capture(&self) -> Capture {
        self.capture
    }

    /// Number of the [fair opening](Rules::fair_openings) to start with, or 0.
    pub fn fair(&self) -> u8 {
        self.fair
    }

    pub fn end(&self) -> End {
        self.end
    }

    #[inline]
    pub(super) fn ends_with_mover(&self) -> bool {
        self.end == End::Mover
    }

    #[inline]
    pub(super) fn captures_alone(&self) -> bool {
        self.capture == Capture::Empty
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { pits: 6, seeds: 4, capture: Capture::Standard, end: End::Either, fair: 0 }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = if self.ends_with_mover() { ":end=mover" } else { "" };
        let fair = if self.fair > 0 { format!(":fair={}", self.fair) } else { String::new() };
        f.pad(&format!("{}x{}:{}{end}{fair}", self.pits, self.seeds, self.capture.name()))
    }
}

impl FromStr for Rules {
    type Err = Error;

    fn from_str(text: &str) -> Result<Rules, Error> {
        Rules::read(text, MAX_PITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_whole() {
        let text = |text: &str| text.parse::<Rules>().unwrap().to_string();
        assert_eq!(text(""), "6x4:standard");
        assert_eq!(text("3x12"), "3x12:standard");
        assert_eq!(text(" 8X1:Empty "), "8x1:empty");
        assert_eq!(text("6x4:end=mover"), "6x4:standard:end=mover");
        assert_eq!(text("6x4:empty:end=either"), "6x4:empty");
    }

    #[test]
    fn what_a_dialog_offers_can_be_chosen() {
        let mut rules: Rules = "6x4:end=mover".parse().unwrap();
        for (index, value) in [(0, "8"), (1, "12"), (2, "empty")] {
            let choice = rules.choices()[index];
            rules = rules.choose(index, choice.values.iter().position(|known| *known == value).unwrap());
            let choice = rules.choices()[index];
            assert_eq!(choice.values[choice.chosen], value);
        }
        assert_eq!(rules.to_string(), "8x12:empty:end=mover");
        assert_eq!(rules.choose(0, 99), rules);
        assert_eq!(rules.choose(9, 0), rules);
    }

    #[test]
    fn errors_name_the_value_and_what_is_accepted() {
        let error = |text: &str| text.parse::<Rules>().unwrap_err().to_string();
        assert_eq!(error("9x4"), "'9x4': pits a side must be 1 to 8 (got 9)");
        assert_eq!(error("6x0:empty"), "'6x0:empty': seeds a pit must be 1 to 12 (got 0)");
        assert_eq!(error("64"), "the size must be pits a side x seeds a pit, such as 6x4 (got '64')");
        assert_eq!(error("6xfour"), "seeds a pit must be a number, as in 6x4 (got 'four')");
        assert_eq!(error("6x4:end=both"), "end: 'both' is not accepted; expected either or mover");
        assert_eq!(error("6x4:none"), "the capture rule must be standard or empty (got 'none')");
    }
}
