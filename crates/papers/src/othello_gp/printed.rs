//! The printed data: hypotheses, and the games of 50 that each won against a random player.

/// Games of every printed count.
pub(super) const GAMES: u32 = 50;

/// A hypothesis with its printed count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hypothesis {
    /// Its label in its table.
    pub name: &'static str,
    /// Functions in order, with their shares of the game in percent.
    pub stages: &'static [(&'static str, u32)],
    /// Games won of [`GAMES`].
    pub wins: u32,
}

impl Hypothesis {
    /// Returns the hypothesis as a text: a single function, or functions each with its share.
    pub fn text(&self) -> String {
        match self.stages {
            [(function, _)] => (*function).to_owned(),
            stages => {
                stages.iter().map(|(function, share)| format!("{function},{share}")).collect::<Vec<_>>().join(",")
            }
        }
    }
}

/// Table 1: functions picked by hand.
pub(super) const TABLE1: &[Hypothesis] = &[
    Hypothesis { name: "( white )", stages: &[(WHITE, 100)], wins: 44 },
    Hypothesis { name: "( white_corners )", stages: &[(CORNERS, 100)], wins: 1 },
    Hypothesis { name: "( white ),50,( white_corners ),50", stages: &[(WHITE, 50), (CORNERS, 50)], wins: 43 },
    Hypothesis { name: "( white ),75,( white_corners ),25", stages: &[(WHITE, 75), (CORNERS, 25)], wins: 49 },
];

/// Table 2: functions evolved to a fitness of at most 50 and 25; a tree for either half of the game, and both staged.
pub(super) const TABLE2: &[Hypothesis] = &[
    Hypothesis { name: "fitness 50, tree 1", stages: &[(SUM, 100)], wins: 46 },
    Hypothesis { name: "fitness 50, tree 2", stages: &[(QUOTIENT, 100)], wins: 49 },
    Hypothesis { name: "fitness 50, 50|50", stages: &[(SUM, 50), (QUOTIENT, 50)], wins: 45 },
    Hypothesis { name: "fitness 25, tree 1", stages: &[(WHITE, 100)], wins: 44 },
    Hypothesis { name: "fitness 25, tree 2", stages: &[(PRODUCT, 100)], wins: 46 },
    Hypothesis { name: "fitness 25, 50|50", stages: &[(WHITE, 50), (PRODUCT, 50)], wins: 50 },
];

const WHITE: &str = "( white )";
const CORNERS: &str = "( white_corners )";

/// A sum of three, as printed.
pub(super) const SUM: &str = "( + white ( + white_corners black_near_corners ) white )";

pub(super) const QUOTIENT: &str = "( / ( - white_near_corners black_corners ) ( - black_corners white_near_corners ) )";

pub(super) const PRODUCT: &str =
    "( + ( + white_corners white ) ( * ( * white_edges black_edges ) ( - white_corners black_near_corners ) ) )";
