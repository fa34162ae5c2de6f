//! The reading of the source where it is silent, in parts that `--set` changes individually.

use std::fmt;

use mancalab_base::Error;

use crate::game::Side;

/// The keys of `--set`: a bundle of readings, then its parts.
pub(super) const READINGS: &[&str] =
    &["reading", "order", "near", "edges", "zero", "moves", "end", "first", "braces", "arguments"];

/// A reading: with the hypothesis and the seed it determines a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Reading {
    pub order: Order,
    pub near: Near,
    pub edges: Edges,
    pub zero: Zero,
    pub moves: Worth,
    pub end: End,
    pub first: First,
    pub braces: Braces,
    pub arguments: Arguments,
}

/// Values with a name each.
trait Words: Copy + PartialEq + 'static {
    const WORDS: &'static [(&'static str, Self)];

    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, value)| *value == self).map_or("", |(word, _)| word)
    }

    fn named(key: &str, value: &str) -> Result<Self, Error> {
        let known = Self::WORDS.iter().find(|(word, _)| *word == value).map(|(_, known)| *known);
        known.ok_or_else(|| refused(key, value, Self::WORDS.iter().map(|(word, _)| *word)))
    }
}

fn refused(key: &str, value: &str, known: impl IntoIterator<Item = &'static str>) -> Error {
    Error::not_accepted(format!("{key} cannot be '{value}'"), known)
}

macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$of:meta])* $variant:ident = $word:literal),* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum $name { $($(#[$of])* $variant),* }

        impl Words for $name {
            const WORDS: &'static [(&'static str, $name)] = &[$(($word, $name::$variant)),*];
        }
    };
}

words!(
    /// Which of equally good moves is played.
    Order {
        /// In order from a1, by rows.
        First = "first",
        Last = "last",
        Random = "random"
    }
);
words!(
    /// Which squares are near a corner.
    Near {
        /// Diagonally adjacent to a corner.
        X = "x",
        /// Adjacent to a corner on an edge.
        C = "c",
        Both = "both"
    }
);
words!(
    /// Whether corners count as edges.
    Edges { Without = "without", With = "with" }
);
words!(
    /// The result of a division by zero.
    Zero { Nought = "0", One = "1" }
);
words!(
    /// Which legal moves White plays.
    Worth {
        Any = "any",
        /// Those with a value above 0; without one, White has no move.
        Above0 = "above0"
    }
);
words!(
    /// Who moves first.
    First { Black = "black", White = "white" }
);
words!(
    /// The effect of an opening brace after a closing one on the source's evaluator.
    Braces {
        /// None, as fixed by its author.
        Skipped = "skipped",
        /// The subtree counts as zero, as the author found it.
        Zero = "zero"
    }
);
words!(
    /// The number of arguments of an operator.
    Arguments {
        /// Two, as in the described evaluator: the rest is not read.
        Two = "two",
        /// All before its closing brace.
        All = "sum"
    }
);

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// Neither side has a move.
    Neither,
    /// The side to move has no move.
    Halted,
    /// After this many turns at the latest; a pass counts.
    After(u32),
}

/// The maximum number of turns: the number of squares to fill.
const TURNS: u32 = 60;

impl End {
    fn named(value: &str) -> Result<End, Error> {
        match value {
            "neither" => Ok(End::Neither),
            "stuck" => Ok(End::Halted),
            _ => {
                let turns = value.parse().ok().filter(|turns| (1..=TURNS).contains(turns));
                turns
                    .map(End::After)
                    .ok_or_else(|| refused("end", value, ["neither", "stuck", "1 to 60 turns, such as 56"]))
            }
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Neither => f.write_str("neither"),
            End::Halted => f.write_str("stuck"),
            End::After(turns) => write!(f, "{turns}"),
        }
    }
}

impl Reading {
    /// The game's own rules, and the evaluator as its author fixed it.
    pub const OWN: Reading = Reading {
        order: Order::First,
        near: Near::Both,
        edges: Edges::Without,
        zero: Zero::One,
        moves: Worth::Any,
        end: End::Neither,
        first: First::Black,
        braces: Braces::Skipped,
        arguments: Arguments::Two,
    };

    /// The combination, of some thousand tried, with counts nearest to the printed ones.
    pub const AS_PRINTED: Reading =
        Reading { near: Near::X, edges: Edges::With, moves: Worth::Above0, end: End::Halted, ..Reading::OWN };

    /// The bundles by name.
    pub const NAMED: [(&str, Reading); 2] = [("own", Reading::OWN), ("as-printed", Reading::AS_PRINTED)];

    /// Returns the readings selected by these settings, with their names: both bundles if there are none, else the bundle `reading`, or
    /// `own`, with the parts that are set.
    ///
    /// # Errors
    /// A value is not accepted, or two are incompatible.
    pub fn asked(set: &[(String, String)]) -> Result<Vec<(String, Reading)>, Error> {
        if set.is_empty() {
            return Ok(Reading::NAMED.map(|(name, reading)| (name.to_owned(), reading)).to_vec());
        }
        let bundle = set.iter().rev().find(|(key, _)| key == "reading").map_or("own", |(_, value)| value.as_str());
        let known = Reading::NAMED.iter().find(|(name, _)| *name == bundle);
        let Some(&(_, mut reading)) = known else {
            return Err(refused("reading", bundle, Reading::NAMED.map(|(name, _)| name)));
        };
        let mut name = bundle.to_owned();
        for (key, value) in set.iter().filter(|(key, _)| key != "reading") {
            reading.set(key, value)?;
            name += &format!(" {key}={value}");
        }
        if (reading.braces, reading.arguments) == (Braces::Zero, Arguments::All) {
            return Err(
                "arguments=sum is incompatible with braces=zero: that evaluator reads two arguments and ignores the \
                        closing brace; use arguments=two"
                    .into(),
            );
        }
        Ok(vec![(name, reading)])
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), Error> {
        match key {
            "order" => self.order = Words::named(key, value)?,
            "near" => self.near = Words::named(key, value)?,
            "edges" => self.edges = Words::named(key, value)?,
            "zero" => self.zero = Words::named(key, value)?,
            "moves" => self.moves = Words::named(key, value)?,
            "end" => self.end = End::named(value)?,
            "first" => self.first = Words::named(key, value)?,
            "braces" => self.braces = Words::named(key, value)?,
            "arguments" => self.arguments = Words::named(key, value)?,
            _ => return Err(Error::unknown(format!("there is no reading '{key}'"), READINGS.iter().copied())),
        }
        Ok(())
    }

    /// Returns the side that moves first.
    pub fn first(&self) -> Side {
        if self.first == First::Black { Side::South } else { Side::North }
    }

    pub fn by_zero(&self) -> f64 {
        if self.zero == Zero::One { 1.0 } else { 0.0 }
    }
}

/// All parts, in the form of `--set`.
impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reading { order, near, edges, zero, moves, end, first, braces, arguments } = self;
        write!(f, "order={} near={} edges={} zero={} ", order.word(), near.word(), edges.word(), zero.word())?;
        write!(f, "moves={} end={end} first={} ", moves.word(), first.word())?;
        write!(f, "braces={} arguments={}", braces.word(), arguments.word())
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(set: &[(&str, &str)]) -> Vec<(String, String)> {
        set.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_bundle_is_made_of_its_parts() {
        let asked = |set: &[(&str, &str)]| Reading::asked(&owned(set));
        assert_eq!(
            asked(&[]).unwrap().into_iter().map(|(_, reading)| reading).collect::<Vec<_>>(),
            [Reading::OWN, Reading::AS_PRINTED]
        );
        let parts = [("near", "x"), ("edges", "with"), ("moves", "above0"), ("end", "stuck")];
        assert_eq!(asked(&parts).unwrap()[0].1, asked(&[("reading", "as-printed")]).unwrap()[0].1);
        // The bundle applies before its parts, in any order.
        let both = asked(&[("end", "56"), ("reading", "as-printed")]).unwrap();
        assert_eq!(both, [("as-printed end=56".to_owned(), Reading { end: End::After(56), ..Reading::AS_PRINTED })]);
    }

    /// A reading's text parses to the same reading.
    #[test]
    fn a_text_is_read_as_it_is_written() {
        let other = Reading {
            order: Order::Random,
            zero: Zero::Nought,
            first: First::White,
            braces: Braces::Zero,
            end: End::After(1),
            ..Reading::OWN
        };
        let all = Reading { arguments: Arguments::All, order: Order::Last, near: Near::C, ..Reading::OWN };
        for reading in [Reading::OWN, Reading::AS_PRINTED, other, all] {
            let text = reading.to_string();
            let set: Vec<(&str, &str)> = text.split(' ').filter_map(|part| part.split_once('=')).collect();
            assert!(set.iter().map(|(key, _)| key).eq(&READINGS[1..]));
            assert_eq!(Reading::asked(&owned(&set)).unwrap()[0].1, reading);
        }
    }

    #[test]
    fn what_is_none_is_reported_with_what_would_be() {
        let error = |key, value| Reading::asked(&owned(&[(key, value)])).unwrap_err().to_string();
        assert_eq!(error("near", "y"), "near cannot be 'y'; accepted: x, c, both");
        assert_eq!(error("reading", "paper"), "reading cannot be 'paper'; accepted: own, as-printed");
        for turns in ["0", "61", "-1", ""] {
            assert!(error("end", turns).ends_with("accepted: neither, stuck, 1 to 60 turns, such as 56"));
        }
        assert!(error("depth", "2").starts_with("there is no reading 'depth'; known: reading, order"));
        let both = Reading::asked(&owned(&[("braces", "zero"), ("arguments", "sum")])).unwrap_err().to_string();
        assert!(both.contains("use arguments=two"));
    }
}
