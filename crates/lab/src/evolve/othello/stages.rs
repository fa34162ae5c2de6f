//! The stages of a game, and the stages that functions are bred for.

use crate::player::staged::PLIES;
use mancalab_base::Error;
use std::fmt;
use std::str::FromStr;

/// The share of each stage in percent. Text: `50,50`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shares(Vec<u32>);

/// Maximum number of stages.
pub const MOST_STAGES: usize = 10;

impl Shares {
    /// Returns the shares in percent, in order: at least one, each at least 1, with sum 100.
    pub fn all(&self) -> &[u32] {
        &self.0
    }

    /// Returns the number of stages.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns stage `number`, counted from 0, as a range of discs placed.
    pub(super) fn span(&self, number: usize) -> Span {
        let before = |stages: usize| -> u32 { self.0.iter().take(stages).sum() };
        Span { from: ply(before(number)), to: ply(before(number + 1)) }
    }
}

/// Returns the number of discs placed after `percent` percent of the game. As in players by functions, a disc belongs to the
/// stage that contains the middle of its ply.
pub(super) fn ply(percent: u32) -> u32 {
    (percent * PLIES + 49) / 100
}

/// A part of the game, in discs placed since the start, of 60.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Span {
    pub from: u32,
    pub to: u32,
}

impl Span {
    pub const GAME: Span = Span { from: 0, to: PLIES };
}

impl Default for Shares {
    fn default() -> Shares {
        Shares(vec![100])
    }
}

impl fmt::Display for Shares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shares: Vec<String> = self.0.iter().map(u32::to_string).collect();
        f.pad(&shares.join(","))
    }
}

impl FromStr for Shares {
    type Err = Error;

    fn from_str(text: &str) -> Result<Shares, Error> {
        let share = |text: &str| text.trim().parse().ok().filter(|share| (1..=100).contains(share));
        let shares: Option<Vec<u32>> = text.split(',').map(share).collect();
        let shares = shares.filter(|shares| shares.len() <= MOST_STAGES && shares.iter().sum::<u32>() == 100);
        shares.map(Shares).ok_or_else(|| {
            Error::expected_several(format!("shares in percent that add up to 100, as in 50,50, at most {MOST_STAGES}"))
        })
    }
}

/// The stages that functions are bred for. Text: `together`, `stage:2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BredStages {
    /// All stages: an individual has a function for each, plays the game with all of them, and the whole game counts.
    #[default]
    Together,
    /// This stage, counted from 1, as in the source: an individual has one function, plays the whole game with it, and only the
    /// opponent's gain in this stage counts.
    Stage(u32),
}

impl fmt::Display for BredStages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BredStages::Together => f.pad("together"),
            BredStages::Stage(number) => f.pad(&format!("stage:{number}")),
        }
    }
}

impl FromStr for BredStages {
    type Err = Error;

    fn from_str(text: &str) -> Result<BredStages, Error> {
        if text == "together" {
            return Ok(BredStages::Together);
        }
        let number = text.strip_prefix("stage:").and_then(|number| number.parse().ok());
        let number = number.filter(|number| (1..=MOST_STAGES as u32).contains(number));
        number.map(BredStages::Stage).ok_or_else(|| {
            Error::expected(format!("together, or stage:N with the number of a stage, 1 to {MOST_STAGES},"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::StagedSettings;
    use crate::player::staged::Stage;
    use crate::program::othello::Function;
    use std::sync::Arc;

    /// The stage that counts is the one in which the function would be active.
    #[test]
    fn spans_are_those_in_which_a_player_plays_by_the_stage() {
        for text in ["100", "50,50", "75,25", "33,33,34", "1,98,1", "10,20,30,40"] {
            let shares: Shares = text.parse().unwrap();
            assert_eq!(shares.to_string(), text);
            let function = Arc::new(Function::parse("( white )").unwrap());
            let stage = |&share| Stage { function: Arc::clone(&function), share };
            let player = StagedSettings::new(shares.all().iter().map(stage).collect());
            let schedule = player.schedule();
            for put in 0..PLIES {
                let spans = (0..shares.count()).filter(|&number| {
                    let Span { from, to } = shares.span(number);
                    (from..to).contains(&put)
                });
                let stage = schedule.stage(put, || unreachable!("stages do not overlap"));
                assert_eq!(spans.collect::<Vec<_>>(), [stage], "{text} at {put}");
            }
        }
        assert_eq!(Shares::default().span(0), Span::GAME);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for text in ["", "50", "50,60", "0,100", "50,-50,100", "50;50", "10,10,10,10,10,10,10,10,10,5,5"] {
            let error = text.parse::<Shares>().unwrap_err().to_string();
            assert!(error.contains("add up to 100"), "{text}: {error}");
        }
        for text in ["", "stage", "stage:0", "stage:x", "stage:11", "alone"] {
            assert!(text.parse::<BredStages>().is_err(), "{text}");
        }
    }
}
