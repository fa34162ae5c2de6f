//! Rules of checkers: the move limit.

use mancalab_base::Error;
use std::fmt;
use std::str::FromStr;

use super::Checkers;
use crate::Side;

/// Rules of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rules {
    /// Moves a side after which the game is drawn; 0 for no limit.
    limit: u16,
}

/// Start squares of Black's men and of White's.
const START: [u32; 2] = [0x0000_0fff, 0xfff0_0000];

impl Rules {
    /// The forms of a variant's text after the name.
    pub const HELP: &'static str = "[:english|:limit=MOVES]";

    /// Maximal move limit, in moves a side.
    pub const MOST_MOVES: u16 = 9999;

    /// Rules with a move limit, in moves a side, from 1 to [`MOST_MOVES`](Rules::MOST_MOVES); `None` outside that
    /// range.
    pub fn limited(moves: u16) -> Option<Rules> {
        (1..=Rules::MOST_MOVES).contains(&moves).then_some(Rules { limit: moves })
    }

    /// The move limit in moves a side, if any.
    pub fn limit(self) -> Option<u16> {
        (self.limit > 0).then_some(self.limit)
    }

    /// The start position.
    #[must_use]
    pub fn position(self) -> Checkers {
        self.apply(Checkers::from_sets(START, [0; 2], Side::South))
    }

    /// The rules of the position's game.
    pub(super) fn of_position(pos: &Checkers) -> Rules {
        Rules { limit: pos.limit }
    }

    /// The same position under these rules.
    #[must_use]
    pub(super) fn apply(self, pos: Checkers) -> Checkers {
        pos.limited(self.limit)
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.limit() {
            None => f.pad("english"),
            Some(moves) => f.pad(&format!("limit={moves}")),
        }
    }
}

impl FromStr for Rules {
    type Err = Error;

    fn from_str(text: &str) -> Result<Rules, Error> {
        if matches!(text, "" | "english") {
            return Ok(Rules::default());
        }
        let Some(moves) = text.strip_prefix("english:").unwrap_or(text).strip_prefix("limit=") else {
            return Err(Error::unknown(format!("unknown checkers rule '{text}'"), ["english", "limit=MOVES"]));
        };
        moves.parse().ok().and_then(Rules::limited).ok_or_else(|| {
            format!("the move limit must be 1 to {} moves a side (got '{moves}')", Rules::MOST_MOVES).into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_rules() {
        for (text, printed, limit) in [
            ("", "english", None),
            ("english", "english", None),
            ("limit=40", "limit=40", Some(40)),
            ("english:limit=9999", "limit=9999", Some(9999)),
        ] {
            let rules: Rules = text.parse().unwrap();
            assert_eq!((rules.to_string().as_str(), rules.limit()), (printed, limit));
            assert_eq!(rules.to_string().parse(), Ok(rules));
        }
        for text in ["limit=0", "limit=10000", "limit=", "limit=-1", "limit", "russian", "english:"] {
            assert!(text.parse::<Rules>().is_err(), "{text}");
        }
    }
}
