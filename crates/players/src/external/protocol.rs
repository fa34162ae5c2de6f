//! The lines of the protocols: what a player sends, which lines answer it, and what a program reports of its search.

use super::External;
use crate::Turn;
use crate::game::notation::ggf;
use crate::game::record::Record;
use crate::game::{Game, Position};
use crate::search::{Line, MoveValue, Report};
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

/// Reads a line about a search in `position`, of UGI, UCI or NBoard, into the report.
pub(super) fn read(line: &str, position: &Position, report: &mut Report) {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("info") => read_info(words, position, report),
        Some("nodestats") => report.nodes = words.next().and_then(|count| count.parse().ok()).unwrap_or(report.nodes),
        Some("search" | "book") => {
            let mut next = || words.next().unwrap_or_default();
            let pv = next();
            let value = next();
            let value = value.split(',').next().and_then(|value| value.parse::<f64>().ok());
            next();
            let depth = next().split(|c: char| !c.is_ascii_digit()).next().and_then(|depth| depth.parse().ok());
            if let Some(value) = value {
                let moves = pv.as_bytes().chunks(2).filter_map(|chars| std::str::from_utf8(chars).ok());
                let value = Score::weighed(MoveValue::Value((value * 1000.0) as i64));
                set(report, position, depth.unwrap_or(0), value, moves);
            }
        }
        _ => {}
    }
}

/// A value, as a [`Line`] holds it.
#[derive(Clone, Copy)]
struct Score {
    margin: i32,
    weighed: Option<MoveValue>,
}

impl Score {
    fn weighed(weighed: MoveValue) -> Score {
        let margin = if let MoveValue::Value(thousandths) = weighed { (thousandths / 1000) as i32 } else { 0 };
        Score { margin, weighed: Some(weighed) }
    }
}

/// Reads the rest of an `info` line.
fn read_info<'a>(words: impl Iterator<Item = &'a str>, position: &Position, report: &mut Report) {
    let mut depth = report.depth;
    let mut value = None;
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        match word {
            "depth" => depth = words.next().and_then(|depth| depth.parse().ok()).unwrap_or(depth),
            "nodes" => report.nodes = words.next().and_then(|count| count.parse().ok()).unwrap_or(report.nodes),
            "multipv" if words.next() != Some("1") => return,
            "score" => {
                let unit = words.next().unwrap_or_default();
                let number = words.next_if(|word| word.parse::<f64>().is_ok()).and_then(|word| word.parse().ok());
                value = score(unit, number, position);
            }
            "pv" => {
                if let Some(value) = value {
                    set(report, position, depth, value, words);
                }
                return;
            }
            "string" => return,
            _ => {}
        }
    }
}

/// Returns a score: `margin N`, `cp HUNDREDTHS`, `mate MOVES`, or our own `win` and `loss`, perhaps with plies.
fn score(unit: &str, number: Option<f64>, position: &Position) -> Option<Score> {
    // A mate in one move is one ply away, one in two moves three.
    let plies = |moves: f64| (2.0 * moves - 1.0) as u32;
    Some(match (unit, number) {
        ("margin", Some(margin)) => Score { margin: margin as i32, weighed: None },
        ("cp", Some(hundredths)) => Score::weighed(MoveValue::Value((hundredths * 10.0) as i64)),
        ("mate", Some(moves)) if moves > 0.0 => Score::weighed(MoveValue::Wins(plies(moves))),
        ("mate", Some(moves)) => Score::weighed(MoveValue::Loses(plies(-moves))),
        ("win", Some(plies)) => Score::weighed(MoveValue::Wins(plies as u32)),
        ("loss", Some(plies)) => Score::weighed(MoveValue::Loses(plies as u32)),
        ("win", None) => Score { margin: position.decided()?, weighed: None },
        ("loss", None) => Score { margin: -position.decided()?, weighed: None },
        _ => return None,
    })
}

/// Sets the report's line to these moves, as far as they are legal.
fn set<'a>(report: &mut Report, position: &Position, depth: u32, value: Score, moves: impl Iterator<Item = &'a str>) {
    let mut pos = *position;
    let legal = moves.map_while(|text| {
        let mv = pos.move_from_text(text)?;
        pos = pos.play(mv);
        Some(mv)
    });
    let pv: Vec<_> = legal.collect();
    let Some(&mv) = pv.first() else { return };
    let Score { margin, weighed } = value;
    report.depth = depth;
    report.lines = vec![Line { mv, margin, depth, solved: false, pv, tried: None, weighed }];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::checkers::{Checkers, Rules};
    use crate::game::kalah::Kalah;
    use crate::game::{BoardGame as _, GameState, Variant};

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

    #[test]
    fn lines_of_all_protocols_are_read() {
        let start = "othello".parse::<Variant>().unwrap().start();
        let mut report = Report::default();
        let mut read = |line: &str| {
            read(line, &start, &mut report);
            let line = report.lines.first().map(|line| (line.pv.len(), line.margin, line.weighed));
            (report.depth, report.nodes, line)
        };
        assert_eq!(read("info depth 3 nodes 7 nps 9"), (0, 7, None));
        let two = Some((2, 0, Some(MoveValue::Value(-120))));
        assert_eq!(read("info depth 3 score cp -12 nodes 8 pv d3 c5 zz"), (3, 8, two));
        assert_eq!(read("info depth 4 multipv 2 score cp 9 pv c4"), (3, 8, two));
        assert_eq!(read("info depth 4 score margin 2 solved pv c4"), (4, 8, Some((1, 2, None))));
        assert_eq!(read("info depth 4 score mate -2 pv c4"), (4, 8, Some((1, 0, Some(MoveValue::Loses(3))))));
        assert_eq!(read("info depth 4 score win nodes 9 pv c4").1, 9);
        let searched = Some((2, 0, Some(MoveValue::Value(-810))));
        assert_eq!(read("search F5d6 -0.81 0   5@73%"), (5, 9, searched));
        assert_eq!(read("nodestats 35805 0.00"), (5, 35805, searched));
        assert_eq!(read("search"), (5, 35805, searched));
    }
}
