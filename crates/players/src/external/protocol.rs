//! The lines of the protocols: what a player sends, and which lines answer it.

use super::External;
use crate::Turn;
use crate::game::notation::ggf;
use crate::game::record::Record;
use crate::game::{Game, Position};
use crate::settings::string_enum;

/// The protocol of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// Universal Game Interface, for any game.
    Ugi,
    /// The same with the words of the Universal Chess Interface.
    Uci,
    /// The protocol of the NBoard program, version 2, for Othello.
    NBoard,
}

impl Protocol {
    /// Returns the first lines to a program, which end with one that [`greeted`](Protocol::greeted) answers.
    pub(super) fn greeting(self, external: &External) -> Vec<String> {
        match self {
            Protocol::Ugi => vec!["ugi".to_owned()],
            Protocol::Uci => vec!["uci".to_owned()],
            Protocol::NBoard => {
                let depth = external.depth.unwrap_or(1);
                vec!["nboard 2".to_owned(), format!("set depth {depth}"), sync_line(self, 0)]
            }
        }
    }

    /// Returns whether a line ends the greeting.
    pub(super) fn greeted(self, line: &str) -> bool {
        match self {
            Protocol::Ugi => line == "ugiok",
            Protocol::Uci => line == "uciok",
            Protocol::NBoard => line == synced_line(self, 0),
        }
    }

    /// Returns the lines that set up a turn, which end with a request for [`synced_line`] `number`.
    pub(super) fn setup<G: Game>(self, turn: &Turn<G>, setup: &Setup, number: u32) -> Option<Vec<String>> {
        let mut lines = Vec::new();
        match self {
            Protocol::Ugi | Protocol::Uci => {
                let (first, moves) = way(turn)?;
                if setup.is_new && setup.takes_game {
                    lines.push(format!("setoption name Game value {}", first.variant()));
                }
                if setup.is_new {
                    lines.push(format!("{self}newgame"));
                }
                lines.push(position_line(&first, &moves));
            }
            Protocol::NBoard => {
                let players = ["Black", "White"].map(str::to_owned);
                let position = Position::from_game(&turn.pos)?;
                let mut record = Record::from_position(position.variant(), position, players, None);
                let headers = [("Site", "mancalab".to_owned()), ("TimeControl", format!("{MINUTES}:00"))];
                record.headers.extend(headers.map(|(name, value)| (name.to_owned(), value)));
                lines.push(format!("set game {}", ggf::write(&record)?));
            }
        }
        lines.push(sync_line(self, number));
        Some(lines)
    }

    /// Returns the line that asks for a move.
    pub(super) fn go(self, external: &External) -> String {
        if self == Protocol::NBoard {
            return "go".to_owned();
        }
        let mut line = "go".to_owned();
        external.depth.iter().for_each(|depth| line += &format!(" depth {depth}"));
        external.nodes.iter().for_each(|nodes| line += &format!(" nodes {nodes}"));
        external.limit().iter().for_each(|time| line += &format!(" movetime {}", time.as_millis()));
        line
    }

    /// Returns the move in a line that answers `go`.
    pub(super) fn answer(self, line: &str) -> Option<&str> {
        let answer = match self {
            Protocol::Ugi | Protocol::Uci => line.strip_prefix("bestmove ")?.split_whitespace().next(),
            Protocol::NBoard => line.strip_prefix("=== ")?.split(['/', ' ']).find(|word| !word.is_empty()),
        };
        Some(answer.unwrap_or_default())
    }
}
string_enum!(Protocol { "ugi" => Ugi, "uci" => Uci, "nboard" => NBoard });
crate::text::parsed!(Protocol);

/// What the setup of a turn depends on.
pub(super) struct Setup {
    /// Whether the turn begins another game.
    pub is_new: bool,
    /// Whether the program has an option for the game.
    pub takes_game: bool,
}

/// Time for a game, in minutes, that an NBoard engine may use beside its depth.
const MINUTES: u64 = 60;

/// The line that asks for [`synced_line`].
fn sync_line(protocol: Protocol, number: u32) -> String {
    if protocol == Protocol::NBoard { format!("ping {number}") } else { "isready".to_owned() }
}

/// The line after which all lines answer the newest turn.
pub(super) fn synced_line(protocol: Protocol, number: u32) -> String {
    if protocol == Protocol::NBoard { format!("pong {number}") } else { "readyok".to_owned() }
}

/// The positions that the rules may depend on, as the first of them and the moves to the current one.
fn way<G: Game>(turn: &Turn<G>) -> Option<(Position, Vec<String>)> {
    let mut moves = Vec::new();
    let mut before = turn.history.positions().to_vec();
    before.push(turn.pos);
    for pair in before.windows(2) {
        let mv = pair[0].moves().find(|&mv| pair[0].play(mv) == pair[1]);
        match mv {
            Some(mv) => moves.push(Position::from_game(&pair[0])?.move_text(mv)),
            // A history with gaps is of no use to the program.
            None => return Some((Position::from_game(&turn.pos)?, Vec::new())),
        }
    }
    Some((Position::from_game(&before[0])?, moves))
}

fn position_line(first: &Position, moves: &[String]) -> String {
    let start = if *first == first.variant().start() { "startpos".to_owned() } else { first.to_text() };
    if moves.is_empty() { format!("position {start}") } else { format!("position {start} moves {}", moves.join(" ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::checkers::{Checkers, Rules};
    use crate::game::kalah::Kalah;
    use crate::game::{BoardGame as _, GameState};

    fn setup(is_new: bool) -> Setup {
        Setup { is_new, takes_game: true }
    }

    #[test]
    fn a_turn_is_set_up_by_its_position_and_the_history_of_its_rules() {
        let start = Kalah::start("6x4".parse().unwrap());
        let lines = Protocol::Ugi.setup(&Turn::new(start, 0, 1), &setup(true), 1).unwrap();
        let game = "setoption name Game value kalah:6x4:standard";
        assert_eq!(lines, [game, "uginewgame", "position startpos", "isready"]);
        let next = Turn::new(start.play(2.into()), 1, 1);
        let lines = Protocol::Uci.setup(&next, &setup(false), 2).unwrap();
        assert_eq!(lines, ["position <6,1,0,4,4,0,5,5,5,4,4,4,4,4,4> S", "isready"]);
        let mut state = GameState::new(Checkers::start(Rules::default()));
        for _ in 0..2 {
            state.play(state.pos().moves().next().unwrap());
        }
        let lines = Protocol::Ugi.setup(&Turn::current(&state, 1), &setup(false), 3).unwrap();
        assert!(lines[0].starts_with("position "), "{lines:?}");
    }

    #[test]
    fn answers_are_read_leniently() {
        assert_eq!(Protocol::Ugi.answer("bestmove d3 ponder c4"), Some("d3"));
        assert_eq!(Protocol::Ugi.answer("bestmove "), Some(""));
        assert_eq!(Protocol::Ugi.answer("info depth 3"), None);
        for line in ["=== D3/-1.34/0.00", "=== D3", "===  D3 -1.00 0.0"] {
            assert_eq!(Protocol::NBoard.answer(line), Some("D3"), "{line}");
        }
    }
}
