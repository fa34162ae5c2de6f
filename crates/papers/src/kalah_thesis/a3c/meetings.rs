//! Whom the network of the thesis met: the games of its row and its column in Table 1.

use crate::kalah_thesis::table1::{A3C, PLAYERS, PUBLISHED};

/// The others, in the table's order.
pub(super) const OPPONENTS: [&str; 4] = ["random", "max", "minimax:4", "heuristic:4"];
/// The network, behind them.
const NETWORK: usize = OPPONENTS.len();

/// Games of the network against one of the others, or against itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Meeting {
    /// One of the opponents, or the network itself behind them.
    against: usize,
    /// The network moves first.
    pub begins: bool,
}

/// First those that the network begins.
pub(super) const MEETINGS: &[Meeting] = &[
    Meeting { against: 0, begins: true },
    Meeting { against: 1, begins: true },
    Meeting { against: 2, begins: true },
    Meeting { against: 3, begins: true },
    Meeting { against: NETWORK, begins: true },
    Meeting { against: 0, begins: false },
    Meeting { against: 1, begins: false },
    Meeting { against: 2, begins: false },
    Meeting { against: 3, begins: false },
];

/// What the thesis prints: games won by whoever moves first, in percent.
pub(super) fn published(meeting: &Meeting) -> Option<f64> {
    let place = |name: &str| PLAYERS.iter().position(|player| *player == name);
    let [first, second] = meeting.names().map(place);
    PUBLISHED[first?][second?]
}

impl Meeting {
    pub fn is_itself(&self) -> bool {
        self.against == NETWORK
    }

    pub fn opponent(&self) -> &'static str {
        OPPONENTS.get(self.against).copied().unwrap_or("itself")
    }

    /// Who moves first and who second, of the opponents and the network behind them.
    pub fn seats(&self) -> [usize; 2] {
        if self.begins { [NETWORK, self.against] } else { [self.against, NETWORK] }
    }

    /// The same by the names of Table 1.
    pub fn names(&self) -> [&'static str; 2] {
        self.seats().map(|seat| OPPONENTS.get(seat).copied().unwrap_or(A3C))
    }

    /// What is told of whoever moves first.
    pub fn told(&self) -> String {
        if self.begins { format!("v {}", self.opponent()) } else { format!("{} v it", self.opponent()) }
    }

    /// The network is as good as what is printed: it wins as often, or the other as seldom.
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
        assert_eq!((MEETINGS[2].told(), MEETINGS[7].told()), ("v minimax:4".into(), "minimax:4 v it".into()));
        assert!(MEETINGS[0].is_reached(98.0, 97.6) && !MEETINGS[5].is_reached(5.0, 4.0) && MEETINGS[4].is_itself());
    }
}
