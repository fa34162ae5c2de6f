//! The opponents of the thesis' network: the games of its row and its column in Table 1.

use crate::kalah_thesis::OPENING;
use crate::kalah_thesis::table1::{A3C, PLAYERS, PUBLISHED};

/// The opponents, in the table's order.
pub(super) const OPPONENTS: [&str; 4] = ["random", "max", "minimax:4", "heuristic:4"];
/// The index of the network, after the opponents.
const NETWORK: usize = OPPONENTS.len();

/// The games of the network against an opponent, or against itself. All begin with random moves, though the network chooses by chance
/// anyway; the last networks also play without.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Meeting {
    /// Random moves at the start of a game.
    pub opening: u32,
    /// The index of the opponent, or that of the network.
    against: usize,
    /// Whether the network moves first.
    pub begins: bool,
}

/// All meetings, those with the network moving first before the others.
pub(super) const MEETINGS: &[Meeting] = &[
    Meeting { opening: OPENING, against: 0, begins: true },
    Meeting { opening: OPENING, against: 1, begins: true },
    Meeting { opening: OPENING, against: 2, begins: true },
    Meeting { opening: OPENING, against: 3, begins: true },
    Meeting { opening: OPENING, against: NETWORK, begins: true },
    Meeting { opening: OPENING, against: 0, begins: false },
    Meeting { opening: OPENING, against: 1, begins: false },
    Meeting { opening: OPENING, against: 2, begins: false },
    Meeting { opening: OPENING, against: 3, begins: false },
];

/// Returns the published percentage of games won by the side that moves first.
pub(super) fn published(meeting: &Meeting) -> Option<f64> {
    let place = |name: &str| PLAYERS.iter().position(|player| *player == name);
    let [first, second] = meeting.names().map(place);
    PUBLISHED[first?][second?]
}

/// Returns all meetings with this number of random moves.
pub(super) fn meetings(opening: u32) -> impl Iterator<Item = Meeting> {
    MEETINGS.iter().map(move |meeting| meeting.from(opening))
}

impl Meeting {
    /// Returns the same meeting from this number of random moves.
    pub fn from(self, opening: u32) -> Meeting {
        Meeting { opening, ..self }
    }

    pub fn is_itself(&self) -> bool {
        self.against == NETWORK
    }

    pub fn opponent(&self) -> &'static str {
        OPPONENTS.get(self.against).copied().unwrap_or("itself")
    }

    /// Returns the indices of the first and the second player, the network after the opponents.
    pub fn seats(&self) -> [usize; 2] {
        if self.begins { [NETWORK, self.against] } else { [self.against, NETWORK] }
    }

    /// Returns their names in Table 1.
    pub fn names(&self) -> [&'static str; 2] {
        self.seats().map(|seat| OPPONENTS.get(seat).copied().unwrap_or(A3C))
    }

    /// Returns the label of the meeting; the side that moves first is named first.
    pub fn to_text(self) -> String {
        let opening = if self.opening == OPENING { String::new() } else { format!(", opening {}", self.opening) };
        let names = if self.begins { format!("v {}", self.opponent()) } else { format!("{} v it", self.opponent()) };
        names + &opening
    }

    /// Returns whether the network is as good as printed: it wins at least as often, or loses at most as often.
    pub fn is_reached(&self, won: f64, printed: f64) -> bool {
        if self.begins { won >= printed } else { won <= printed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_are_those_of_the_row_and_the_column() {
        let printed: Vec<f64> = MEETINGS.iter().map(|meeting| published(meeting).unwrap()).collect();
        assert_eq!(printed, [97.6, 89.3, 71.4, 67.1, 79.0, 4.0, 26.4, 48.0, 53.5]);
        assert_eq!((MEETINGS[2].to_text(), MEETINGS[7].to_text()), ("v minimax:4".into(), "minimax:4 v it".into()));
        assert!(MEETINGS[0].is_reached(98.0, 97.6) && !MEETINGS[5].is_reached(5.0, 4.0) && MEETINGS[4].is_itself());
    }
}
