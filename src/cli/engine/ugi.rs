//! A session of the Universal Game Interface, with the words of UCI too.

use std::time::Duration;

use mancalab_base::Error;

use super::Reply;
use super::search::{Limits, Player, Search};
use crate::game::record::Record;
use crate::game::{Outcome, Side, Variant};
use crate::player::analysis::{Termination, termination};
use crate::player::{Spec, check_plays};
use crate::pool::{MAX_THREADS, Pool};

/// The lines that a session accepts, for the message on another one.
const ACCEPTED: &str =
    "ugi, uci, isready, uginewgame, ucinewgame, setoption, position, go, stop, query, quit and nboard";

/// Greatest values of options.
const MAX_HASH: usize = 65_536;
const MAX_MOVES: usize = 256;

/// The state of a session.
pub(super) struct Ugi {
    record: Record,
    /// The player whose moves are used; `None` for the one of the limits.
    own: Option<Spec>,
    player: Player,
    pool: Pool,
    hash: usize,
    moves: usize,
    seed: u64,
    /// Whether the last position was refused: no one has asked for a search of the one before.
    is_refused: bool,
    search: Option<Search>,
}

/// A game of the variant without names.
pub(super) fn new_game(variant: Variant) -> Record {
    Record::new(variant, [String::new(), String::new()], None)
}

impl Ugi {
    /// # Errors
    /// The player does not play the game.
    pub fn new(variant: Variant, own: Option<Spec>) -> Result<Ugi, Error> {
        own.iter().try_for_each(|spec| check(spec, &variant))?;
        let record = new_game(variant);
        let player = Player::default();
        let pool = Pool::alone();
        Ok(Ugi { record, own, player, pool, hash: 64, moves: 1, seed: 1, is_refused: false, search: None })
    }

    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    #[cfg(test)]
    pub(super) fn is_ready(&self) -> bool {
        self.player.is_ready()
    }

    /// Handles a line.
    pub fn take(&mut self, line: &str) -> Reply {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let mut reply = Reply::default();
        match word {
            "" => {}
            "ugi" | "uci" => reply.lines = self.identity(word),
            "isready" => {
                self.prepare();
                reply.line("readyok");
            }
            "stop" => reply.lines = self.stop(),
            "quit" => {
                reply.lines = self.stop();
                reply.quits = true;
            }
            "query" => reply.note(self.query(rest.trim()).map(|answer| vec![format!("response {answer}")])),
            // These lines end a search: its move comes first, so that every `go` has one answer.
            "uginewgame" | "ucinewgame" | "setoption" | "position" | "go" => {
                reply.lines = self.stop();
                reply.note(self.change(word, rest));
            }
            _ => reply.line(&format!("info string unknown line '{word}'; accepted: {ACCEPTED}")),
        }
        reply
    }

    fn change(&mut self, word: &str, rest: &str) -> Result<Vec<String>, Error> {
        match word {
            "setoption" => self.set_option(rest)?,
            "position" => {
                let record = position(rest, self.record.variant);
                self.is_refused = record.is_err();
                self.record = record?;
            }
            "go" => return Ok(self.go(rest)),
            _ => self.begin_game(self.record.variant),
        }
        Ok(Vec::new())
    }

    fn begin_game(&mut self, variant: Variant) {
        self.player.rest();
        (self.record, self.is_refused) = (new_game(variant), false);
    }

    /// Prepares the next search, so that its time is not spent on that.
    fn prepare(&mut self) {
        if self.search.is_none() {
            let own = self.own.as_ref();
            self.player.prepare(own, &self.record, Limits::default(), self.seed, &self.pool);
        }
    }

    /// The answer to `ugi` or `uci`.
    fn identity(&self, word: &str) -> Vec<String> {
        let games: String = Variant::usual().iter().map(|variant| format!(" var {variant}")).collect();
        vec![
            format!("id name mancalab {}", env!("CARGO_PKG_VERSION")),
            format!("id author {}", env!("CARGO_PKG_AUTHORS")),
            format!("option name Game type combo default {}{games}", self.record.variant),
            format!("option name Player type string default {}", self.player_text()),
            format!("option name Hash type spin default {} min 1 max {MAX_HASH}", self.hash),
            format!("option name MultiPV type spin default {} min 1 max {MAX_MOVES}", self.moves),
            format!("option name Threads type spin default {} min 1 max {MAX_THREADS}", self.pool.count()),
            format!("option name Seed type spin default {} min 0 max {}", self.seed, i64::MAX),
            format!("{word}ok"),
        ]
    }

    fn player_text(&self) -> String {
        self.own.as_ref().map_or("<empty>".to_owned(), Spec::to_string)
    }

    /// Sets an option: `name N value V`.
    fn set_option(&mut self, text: &str) -> Result<(), Error> {
        let (name, value) = option(text).ok_or("setoption: needs name N value V")?;
        match name.to_ascii_lowercase().as_str() {
            "game" => {
                let variant: Variant = value.parse()?;
                self.own.iter().try_for_each(|spec| check(spec, &variant))?;
                self.begin_game(variant);
            }
            "player" if matches!(value, "" | "<empty>") => self.own = None,
            "player" => {
                let spec: Spec = value.parse()?;
                check(&spec, &self.record.variant)?;
                self.own = Some(spec);
            }
            "hash" => self.hash = spin(name, value, 1, MAX_HASH as u64)? as usize,
            "multipv" => self.moves = spin(name, value, 1, MAX_MOVES as u64)? as usize,
            "threads" => {
                self.pool = Pool::new(spin(name, value, 1, MAX_THREADS as u64)? as usize);
                self.player.rest();
            }
            "seed" => self.seed = spin(name, value, 0, i64::MAX as u64)?,
            _ => {
                let known = ["Game", "Player", "Hash", "MultiPV", "Threads", "Seed"];
                return Err(Error::unknown(format!("setoption: no option is named '{name}'"), known).near(name, known));
            }
        }
        Ok(())
    }

    /// Starts a search; returns notes on what was asked for. Every search ends with a move, so what cannot be done is left out.
    fn go(&mut self, text: &str) -> Vec<String> {
        let (mut limits, mut notes) = limits(text, self.record.position().side());
        if self.is_refused {
            notes.push("go: there is no position, since the last one was refused".to_owned());
        } else if self.record.ending().is_none() {
            limits.solve = limits.solve && self.can_solve(&mut notes);
            self.search = self.start(limits);
        }
        let mut lines: Vec<String> = notes.iter().map(|note| info(note)).collect();
        if self.search.is_none() {
            lines.push("bestmove (none)".to_owned());
        }
        lines
    }

    /// Whether a search for exact values is of use; notes why not, and that it may not end.
    fn can_solve(&self, notes: &mut Vec<String>) -> bool {
        match termination(self.record.position()) {
            Ok(Termination::Ends) => true,
            Ok(Termination::MayNotEnd) => {
                notes.push("go solve: no solver has this position; the search may not end before stop".to_owned());
                true
            }
            Err(limit) => {
                notes.push(format!("go solve: not solved: {limit}"));
                false
            }
        }
    }

    fn start(&mut self, limits: Limits) -> Option<Search> {
        let is_analysis = self.moves > 1 || limits.player(self.record.position()).is_none();
        if is_analysis && self.own.is_none() {
            return Some(Search::moves(&self.record, limits, self.hash, &self.pool));
        }
        Search::turn(&mut self.player, self.own.as_ref(), &self.record, limits, self.seed, &self.pool)
    }

    /// Continues the search; returns its news.
    pub fn step(&mut self) -> Vec<String> {
        let Some(search) = &mut self.search else { return Vec::new() };
        if search.step() {
            return self.stop();
        }
        let report = search.news();
        report.map_or(Vec::new(), |report| search.info(&report, self.moves))
    }

    /// Ends the search; returns its result.
    pub fn stop(&mut self) -> Vec<String> {
        let Some(mut search) = self.search.take() else { return Vec::new() };
        search.conclude();
        let mut lines = search.info(&search.report(), self.moves);
        if let Some(error) = search.failure() {
            lines.push(info(&error.in_a_line()));
        }
        let best = search.best().map_or("(none)".to_owned(), |mv| search.position().move_text(mv));
        lines.push(format!("bestmove {best}"));
        lines
    }

    /// Answers a question about the game.
    fn query(&self, what: &str) -> Result<&'static str, Error> {
        if self.is_refused {
            return Err("query: there is no position, since the last one was refused".into());
        }
        let truth = |is: bool| if is { "true" } else { "false" };
        let ending = self.record.ending();
        match what {
            "gameover" => Ok(truth(ending.is_some())),
            "p1turn" => Ok(truth(self.record.position().side() == Side::South)),
            "result" => Ok(match ending.map(|ending| ending.outcome) {
                None => "none",
                Some(Outcome::Won) => "p1win",
                Some(Outcome::Lost) => "p2win",
                Some(Outcome::Drawn) => "draw",
            }),
            _ => Err(format!("query: unknown question '{what}'; accepted: gameover, p1turn and result").into()),
        }
    }
}

/// Checks a player of an engine.
///
/// # Errors
/// It is a human, or does not play the game.
pub(in crate::cli) fn check(spec: &Spec, variant: &Variant) -> Result<(), Error> {
    if spec.is_human() {
        return Err("a human cannot be the player of an engine".into());
    }
    check_plays(spec, variant)
}

/// Returns the name and the value of an option, `name N value V` with these words in any case.
fn option(text: &str) -> Option<(&str, &str)> {
    let words = text.to_ascii_lowercase();
    let begin = words.find(|letter: char| !letter.is_whitespace()).filter(|&at| words[at..].starts_with("name"))?
        + "name".len();
    let value = words[begin..].find(" value").map(|at| begin + at);
    let is_named = text[begin..].starts_with(char::is_whitespace);
    let name = &text[begin..value.unwrap_or(text.len())];
    let value = value.map_or("", |at| &text[at + " value".len()..]);
    is_named.then(|| (name.trim(), value.trim()))
}

/// A message in UGI.
fn info(text: &str) -> String {
    format!("info string {text}")
}

fn spin(name: &str, value: &str, least: u64, most: u64) -> Result<u64, Error> {
    let number = value.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("{name} must be a whole number from {least} to {most} (got {value})").into())
}

/// The share of the clock for a move: as if the game had this many more.
const MOVES_LEFT: u32 = 25;

/// The share of the clock that a move never uses.
const RESERVE: u32 = 10;

/// The words that `go` knows.
const KNOWN: &str = "depth N, nodes N, movetime MS, wtime, btime, winc and binc MS, movestogo N, infinite and solve";

/// The clock of a side.
#[derive(Clone, Copy, Default)]
struct Clock {
    left: Option<Duration>,
    increment: Duration,
}

/// Reads the words after `go`, for this side to move. Unknown words and unreadable values are ignored, as UCI demands; the notes name
/// them.
pub(super) fn limits(text: &str, side: Side) -> (Limits, Vec<String>) {
    let mut limits = Limits::default();
    let mut clocks = [Clock::default(); 2];
    let mut moves_left = MOVES_LEFT;
    let mut ignored = Vec::new();
    let mut notes = Vec::new();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        match word {
            "infinite" => limits.infinite = true,
            "solve" => limits.solve = true,
            "depth" | "nodes" | "movetime" | "wtime" | "btime" | "winc" | "binc" | "movestogo" => {
                let value = words.peek().copied();
                let Some(number) = value.and_then(|value| number(word, value)) else {
                    notes.push(format!("go: {word} must be a whole number (got {})", value.unwrap_or("nothing")));
                    continue;
                };
                words.next();
                let time = Duration::from_millis(number);
                // The side that moves first is White in chess.
                let clock = &mut clocks[usize::from(word.starts_with('b'))];
                match word {
                    "depth" => limits.depth = Some(u32::try_from(number).unwrap_or(u32::MAX)),
                    "nodes" => limits.nodes = Some(number),
                    "movetime" => limits.time = Some(time),
                    "movestogo" => moves_left = u32::try_from(number.max(1)).unwrap_or(u32::MAX),
                    "wtime" | "btime" => clock.left = Some(time),
                    _ => clock.increment = time,
                }
            }
            _ => ignored.push(word),
        }
    }
    if !ignored.is_empty() {
        notes.push(format!("go: ignored '{}'; known: {KNOWN}", ignored.join(" ")));
    }
    let Clock { left, increment } = clocks[side.index()];
    if let Some(left) = left {
        let share = (left / moves_left + increment).min(left.saturating_sub(left / RESERVE));
        limits.time = Some(limits.time.map_or(share, |time| time.min(share)));
    }
    (limits, notes)
}

/// Reads the value of a limit, of any size. A negative time is none left.
fn number(word: &str, text: &str) -> Option<u64> {
    let number: i128 = text.parse().ok()?;
    let is_time = word.ends_with("time") || word.ends_with("inc");
    (number >= 0 || is_time).then(|| number.clamp(0, i64::MAX.into()) as u64)
}

/// Reads the words after `position`: a position's text or `startpos`, and moves.
///
/// # Errors
/// Where the position is invalid, or which move is illegal, and what is accepted.
pub(super) fn position(text: &str, variant: Variant) -> Result<Record, Error> {
    let (start, moves) = match format!("{text} ").split_once(" moves ") {
        Some((start, moves)) => (start.to_owned(), moves.to_owned()),
        None => (text.to_owned(), String::new()),
    };
    let start = start.trim();
    let start = start.strip_prefix("fen ").unwrap_or(start).trim();
    let pos = match start {
        "" => return Err("position: startpos or a position's text is needed".to_owned().into()),
        "startpos" => variant.start(),
        text => variant.position_from_text(text).map_err(|error| format!("position: {error}"))?,
    };
    let mut record = Record::from_position(variant, pos, [String::new(), String::new()], None);
    play_named(&mut record, moves.split_whitespace()).map_err(|error| format!("position: {error}"))?;
    Ok(record)
}

/// Plays moves by their names.
///
/// # Errors
/// Which move is illegal, and the legal ones.
pub(in crate::cli) fn play_named<'a>(record: &mut Record, names: impl Iterator<Item = &'a str>) -> Result<(), Error> {
    for (number, name) in (1..).zip(names) {
        let mv = record.position().move_from_text(name);
        if !mv.is_some_and(|mv| record.play(mv)) {
            let position = *record.position();
            let legal: Vec<String> = position.moves().into_iter().map(|mv| position.move_text(mv)).collect();
            let legal = if record.ending().is_some() { "none, the game is over".to_owned() } else { legal.join(", ") };
            return Err(format!("move {number}, '{name}', is not legal; legal: {legal}").into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        let of = |text: &str| limits(text, Side::North).0;
        let all = of(" depth 5 nodes 100 movetime 20 infinite solve");
        let time = |ms| Some(Duration::from_millis(ms));
        assert_eq!(all, Limits { depth: Some(5), nodes: Some(100), time: time(20), infinite: true, solve: true });
        assert_eq!(of("wtime 1 btime 5000 winc 7 binc 100").time, time(300));
        assert_eq!(of("wtime 1000"), Limits::default());
        assert_eq!(of("btime 100 binc 5000").time, time(90));
        assert_eq!(of("btime 60000 movestogo 40").time, time(1500));
        assert_eq!(of("btime 1000 movestogo 0").time, time(900));
        for none_left in ["btime -50", "btime 0", "movetime -1"] {
            assert_eq!(of(none_left).time, time(0), "{none_left}");
        }
        assert_eq!(of("btime 0 binc -7").time, time(0));
        assert_eq!(of("nodes 5000000000000").nodes, Some(5_000_000_000_000));
    }

    #[test]
    fn unknown_words_and_values_are_ignored_and_named() {
        let of = |text: &str| limits(text, Side::South);
        let (found, notes) = of("ponder mate 3 searchmoves C D movetime 20");
        assert_eq!(found, Limits { time: Some(Duration::from_millis(20)), ..Limits::default() });
        assert!(
            notes.len() == 1 && notes[0].starts_with("go: ignored 'ponder mate 3 searchmoves C D'; known: depth N")
        );
        let (found, notes) = of("depth x nodes depth 4");
        assert_eq!(found, Limits { depth: Some(4), ..Limits::default() });
        assert_eq!(
            notes[..2],
            ["depth must be a whole number (got x)", "nodes must be a whole number (got depth)"]
                .map(|note| format!("go: {note}"))
        );
        assert_eq!(of("nodes").1, ["go: nodes must be a whole number (got nothing)"]);
        assert_eq!(of("depth -3").0, Limits::default());
    }

    #[test]
    fn positions_are_read_with_their_moves() {
        let of = |text: &str, game: &str| {
            let record = position(text, game.parse().unwrap()).map_err(|error| error.to_string())?;
            Ok::<_, String>((record.position().to_text(), record.ply()))
        };
        assert_eq!(of("startpos moves C F", "kalah").unwrap().1, 2);
        let text = "<6,0,4,0,5,5,5,5,4,4,4,4,4,4,1> S";
        assert_eq!(of(&format!("fen {text}"), "kalah"), Ok((text.to_owned(), 0)));
        assert_eq!(of(&format!("{text} moves"), "kalah"), Ok((text.to_owned(), 0)));
        assert!(of(&format!("{text} moves  A"), "kalah").is_err());
        assert_eq!(of("startpos moves d3 c5", "othello").unwrap().1, 2);
        assert!(of("startpos moves d3 d3", "othello").unwrap_err().contains("move 2, 'd3', is not legal; legal: c3"));
        assert!(of("", "kalah").unwrap_err().contains("startpos"));
        assert!(of("x", "kalah").unwrap_err().starts_with("position: line 1, column 1"));
    }
}
