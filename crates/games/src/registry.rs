//! The list of games.
//!
//! To add a game, add a folder that implements [`BoardGame`] and [`Notation`], or [`SowingRules`](super::sowing::SowingRules), and a
//! line to the call of `games!` below. The search crate may have hints for its searches.
//! The macro defines [`Position`] and [`Variant`], enums over all games, and `with_position!`, which dispatches to
//! generic code such as searches and players.

use mancalab_base::Error;
use std::any::Any;
use std::fmt;
use std::str::FromStr;

use super::{Bare, Board, BoardGame, Choice, Game, Move, Notation, Place, Side, TextError, Trace, Transcript};

games! { $
    Kalah(kalah::Kalah),
    Othello(othello::Othello),
    Checkers(checkers::Checkers),
    Oware(sowing::oware::Oware),
    Awari(sowing::awari::Awari),
    VaiLungThlan(sowing::vai_lung_thlan::VaiLungThlan),
    Ohvalhu(sowing::ohvalhu::Ohvalhu),
    Erherhe(sowing::erherhe::Erherhe),
    // Not a game of its own: positions of Kalah that its first type cannot hold. It stays the last.
    LargeKalah(kalah::large::LargeKalah),
}

macro_rules! games {
    ($d:tt $($name:ident($($part:ident)::+)),+ $(,)?) => {
        /// The type of each game's positions, by its name in the list.
        pub mod types {
            $(pub type $name = $crate::$($part)::+;)+
        }

        /// A position of any game.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Position { $($name(types::$name)),+ }

        /// A game with its rules. Flags, config and game files use its text, such as `kalah:6x4:standard`.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Variant { $($name(<types::$name as BoardGame>::Rules)),+ }

        /// Evaluates `body` with `pos` bound to the position in its own type: `with_position!(position, pos => body)`.
        #[macro_export]
        macro_rules! with_position {
            ($d position:expr, $d pos:ident => $d body:expr) => {
                match $d position { $($crate::Position::$name($d pos) => $d body),+ }
            };
        }

        /// Calls a macro with the module and the type of each game's positions.
        #[macro_export]
        macro_rules! each_game {
            ($d each:ident) => {
                $($d each!($($part)::+ => $crate::registry::types::$name);)+
            };
        }

        $(impl From<types::$name> for Position {
            fn from(pos: types::$name) -> Position {
                Position::$name(pos)
            }
        }

        impl TryFrom<Position> for types::$name {
            /// The position, of another game.
            type Error = Position;

            fn try_from(position: Position) -> Result<types::$name, Position> {
                match position {
                    Position::$name(pos) => Ok(pos),
                    other => Err(other),
                }
            }
        })+

        impl Variant {
            /// Name of each game and the forms of its rules, for help and error messages.
            pub const KNOWN: &'static [(&'static str, &'static str)] = Variant::TYPES.split_at(Variant::TYPES.len() - 1).0;

            /// The same for each type of positions; the last is of a game above.
            const TYPES: &'static [(&'static str, &'static str)] = &[$((<types::$name>::NAME, <types::$name>::RULES_HELP)),+];

            /// The default variant of every game.
            pub fn usual() -> Vec<Variant> {
                Variant::KNOWN.iter().map(|(name, _)| name.parse().expect("a name is the default variant")).collect()
            }

            pub fn start(&self) -> Position {
                match self { $(Variant::$name(rules) => Position::$name(<types::$name>::start(*rules))),+ }
            }

            /// See [`BoardGame::opening`].
            pub fn opening(&self, moves: &[Move]) -> Option<String> {
                match self { $(Variant::$name(_) => <types::$name>::opening(moves)),+ }
            }

            /// See [`BoardGame::NAME`].
            pub fn name(&self) -> &'static str {
                match self { $(Variant::$name(_) => <types::$name>::NAME),+ }
            }

            pub fn title(&self) -> &'static str {
                match self { $(Variant::$name(_) => <types::$name>::TITLE),+ }
            }

            /// See [`BoardGame::SEATS`].
            pub fn seats(&self) -> [&'static str; 2] {
                match self { $(Variant::$name(_) => <types::$name>::SEATS),+ }
            }

            /// See [`BoardGame::ABOUT`].
            pub fn about(&self) -> &'static str {
                match self { $(Variant::$name(_) => <types::$name>::ABOUT),+ }
            }

            /// See [`BoardGame::EXPLAINED`].
            pub fn explained(&self) -> &'static [&'static str] {
                match self { $(Variant::$name(_) => <types::$name>::EXPLAINED),+ }
            }

            /// See [`Notation::GAME_TYPE`].
            pub fn game_type(&self) -> Option<u16> {
                match self { $(Variant::$name(_) => <types::$name>::GAME_TYPE),+ }
            }

            /// See [`BoardGame::choices`].
            pub fn choices(&self) -> Vec<Choice> {
                match self { $(Variant::$name(rules) => <types::$name>::choices(*rules)),+ }
            }

            /// See [`BoardGame::choose`].
            #[must_use]
            pub fn choose(&self, index: usize, chosen: usize) -> Variant {
                let rules = match self { $(Variant::$name(rules) => <types::$name>::chosen_text(*rules, index, chosen)),+ };
                format!("{}:{rules}", self.name()).parse().expect("the text of rules is read back")
            }

            /// See [`BoardGame::from_board`].
            pub fn from_board(&self, board: &Board, side: Side) -> Result<Position, Error> {
                match self { $(Variant::$name(rules) => <types::$name>::from_board(*rules, board, side).map(Position::$name)),+ }
            }

            /// See [`Notation::recognise`].
            pub(crate) fn recognise(&self, text: &str) -> Option<Bare> {
                match self { $(Variant::$name(_) => <types::$name>::recognise(text)),+ }
            }

            /// See [`Notation::corrections`].
            pub fn corrections(&self, text: &str) -> Vec<String> {
                match self { $(Variant::$name(_) => <types::$name>::corrections(text)),+ }
            }

            /// See [`Notation::position_length`].
            pub(crate) fn position_length(&self, text: &str) -> usize {
                match self { $(Variant::$name(_) => <types::$name>::position_length(text)),+ }
            }

            /// See [`Notation::from_text`].
            pub fn position_from_text(&self, text: &str) -> Result<Position, TextError> {
                match self { $(Variant::$name(rules) => <types::$name>::from_text(*rules, text).map(Position::$name)),+ }
            }
        }

        impl fmt::Display for Variant {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let text = match self { $(Variant::$name(rules) => format!("{}:{rules}", <types::$name>::NAME)),+ };
                f.pad(&text)
            }
        }

        impl FromStr for Variant {
            type Err = Error;

            fn from_str(text: &str) -> Result<Variant, Error> {
                let (name, rules) = text.trim().split_once(':').unwrap_or((text.trim(), ""));
                let mut refused = None;
                $(if name.eq_ignore_ascii_case(<types::$name>::NAME) {
                    match rules.parse() {
                        Ok(rules) => return Ok(Variant::$name(rules)),
                        Err(error) => refused = Some(error),
                    }
                })+
                if let Some(error) = refused {
                    return Err(error);
                }
                let known: Vec<String> = Variant::KNOWN.iter().map(|(name, rules)| format!("{name}{rules}")).collect();
                let names = Variant::KNOWN.iter().map(|(name, _)| *name);
                Err(Error::unknown(format!("unknown game '{name}'"), known).near(name, names))
            }
        }

        impl Position {
            /// The position of a game that is known by its type only; `None` if its type is not listed here.
            pub fn from_game<G: Game>(pos: &G) -> Option<Position> {
                let pos: &dyn Any = pos;
                None$(.or_else(|| pos.downcast_ref::<types::$name>().map(|pos| Position::$name(*pos))))+
            }

            /// The game and its rules; see [`BoardGame::rules`].
            pub fn variant(&self) -> Variant {
                match self { $(Position::$name(pos) => Variant::$name(BoardGame::rules(pos))),+ }
            }

            /// See [`Game::play`]; the move must be legal.
            #[must_use]
            pub fn play(&self, mv: Move) -> Position {
                match self { $(Position::$name(pos) => Position::$name(pos.play(mv))),+ }
            }
        }
    };
}
use games;

impl Position {
    pub fn side(&self) -> Side {
        with_position!(self, pos => pos.side())
    }

    pub fn is_over(&self) -> bool {
        with_position!(self, pos => pos.is_over())
    }

    /// The legal moves in canonical order.
    pub fn moves(&self) -> Vec<Move> {
        with_position!(self, pos => pos.moves().collect())
    }

    pub fn is_legal(&self, mv: Move) -> bool {
        with_position!(self, pos => pos.moves().any(|legal| legal == mv))
    }

    /// See [`Game::margin`].
    pub fn margin(&self, side: Side) -> i32 {
        with_position!(self, pos => pos.margin(side))
    }

    /// See [`BoardGame::UNIT`].
    pub fn unit(&self) -> i32 {
        fn unit<G: BoardGame>(_: &G) -> i32 {
            G::UNIT
        }
        with_position!(self, pos => unit(pos))
    }

    /// See [`Game::WIN_SCORE`].
    pub fn decided(&self) -> Option<i32> {
        fn decided<G: Game>(_: &G) -> Option<i32> {
            G::WIN_SCORE
        }
        with_position!(self, pos => decided(pos))
    }

    pub fn board(&self) -> Board {
        with_position!(self, pos => pos.board())
    }

    pub fn move_text(&self, mv: Move) -> String {
        with_position!(self, pos => pos.move_text(mv))
    }

    /// The legal move with this name, case-insensitive.
    pub fn move_from_text(&self, text: &str) -> Option<Move> {
        let by_name = || self.moves().into_iter().find(|&mv| self.move_text(mv).eq_ignore_ascii_case(text));
        self.named(text).or_else(by_name)
    }

    /// See [`Notation::named`].
    pub(crate) fn named(&self, text: &str) -> Option<Move> {
        with_position!(self, pos => pos.named(text))
    }

    /// See [`Notation::is_result`].
    pub(crate) fn is_result(&self, text: &str) -> bool {
        fn check<G: Notation>(_: &G, text: &str) -> bool {
            G::is_result(text)
        }
        with_position!(self, pos => check(pos, text))
    }

    /// See [`BoardGame::places`].
    pub fn places(&self, mv: Move) -> Vec<Place> {
        with_position!(self, pos => pos.places(mv))
    }

    pub fn trace(&self, mv: Move) -> Trace {
        with_position!(self, pos => pos.trace(mv))
    }

    /// See [`Notation::read_transcript`].
    pub(crate) fn read_transcript(&self, text: &str) -> Transcript {
        with_position!(self, pos => pos.read_transcript(text))
    }

    /// Text of the position, without the rules.
    pub fn to_text(&self) -> String {
        with_position!(self, pos => pos.to_text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_knows_its_rules_and_its_type() {
        let others = ["kalah:4x3:empty", "kalah:9x4", "checkers:limit=40", "oware:slam=all"];
        let others = others.map(|text| text.parse().unwrap());
        for variant in Variant::usual().into_iter().chain(others) {
            let start = variant.start();
            assert_eq!(start.variant(), variant);
            assert_eq!(with_position!(start, pos => Position::from_game(&pos)), Some(start));
        }
    }
}
