//! The player that is another program, which a command starts and a line protocol asks for moves: UGI, UCI or NBoard.
//!
//! [`process`] starts the program and ends it, [`protocol`] knows the lines, [`player`] asks for a move and starts a program
//! anew that dies, hangs or answers nonsense. Building the player starts nothing; the first turn does.

mod player;
pub mod process;
mod protocol;
#[cfg(test)]
mod tests;

use mancalab_base::{Error, bail};
use std::fmt;
use std::time::Duration;

use super::kind::{Forms, PlayerKind};
use super::text::{self, MILLISECONDS, Setting, Values::Number, Values::Words};
use super::{Built, of_one};
use crate::game::othello::Othello;
use crate::pool::Pool;
use crate::sanitize;
use crate::search::SearchHints;
use player::EnginePlayer;
pub use process::end_all;
pub use protocol::Protocol;

/// The settings of a player that is another program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct External {
    /// The shell command that starts the program.
    pub command: String,
    pub protocol: Protocol,
    /// Time limit of a move; the default without any limit is [`USUAL`].
    pub time: Option<Duration>,
    /// Plies to search.
    pub depth: Option<u32>,
    /// Positions to visit.
    pub nodes: Option<u32>,
}

/// The time of a move if nothing limits it.
const USUAL: Duration = Duration::from_secs(1);

/// Maximum length of a command, in bytes: a dialog shows it in full.
const LONGEST_COMMAND: usize = 200;

pub(crate) const FORMS: Forms = &[
    ("engine:\"COMMAND\"", "another program by UGI, one second a move; ms=T, depth=D or nodes=N"),
    ("engine:\"COMMAND\":protocol=P", "by UCI (uci) or, for othello with depth=D, by NBoard (nboard)"),
];

const SETTINGS: &[Setting<External>] = &[
    Setting("protocol", Words("ugi|uci|nboard"), |s| &mut s.protocol),
    Setting("ms", MILLISECONDS, |s| &mut s.time),
    Setting("depth", Number("D", "a whole number", 1.0, 100.0), |s| &mut s.depth),
    Setting("nodes", Number("N", "a whole number", 1.0, 4_000_000_000.0), |s| &mut s.nodes),
];

impl External {
    fn new(command: String) -> External {
        External { command, protocol: Protocol::Ugi, time: None, depth: None, nodes: None }
    }

    /// Reads the part of a player's text after `engine`. Starts nothing.
    ///
    /// # Errors
    /// Names the invalid part and what is accepted.
    pub(super) fn read(text: &str) -> Result<External, Error> {
        let text = text.strip_prefix(':').unwrap_or_default();
        let mut external = External::new(String::new());
        let unquoted = text.trim_start().strip_prefix('"').map(unquoted);
        external.command = match unquoted {
            Some(None) => bail!("engine: the command needs a closing quotation mark, as in engine:\"program -x\""),
            Some(Some((command, rest))) => match text::read(rest, SETTINGS, &mut external)?.trim() {
                "" => command,
                extra => return Err(text::unknown("engine", extra.trim_start_matches(':'), SETTINGS)),
            },
            None => text::read(text, SETTINGS, &mut external)?.trim().to_owned(),
        };
        external.check()?;
        Ok(external)
    }

    fn check(&self) -> Result<(), Error> {
        if self.command.trim().is_empty() {
            bail!("engine needs a command, as in engine:\"program -x\"");
        }
        if self.command.len() > LONGEST_COMMAND {
            bail!("engine: the command must have at most {LONGEST_COMMAND} bytes; write a script for a longer one");
        }
        if self.command.contains(sanitize::is_hidden) {
            bail!("engine: the command must be one line of visible characters");
        }
        if self.protocol == Protocol::NBoard && (self.depth.is_none() || self.nodes.is_some()) {
            bail!("engine: protocol=nboard needs depth=D, and may have ms=T, after which a move fails");
        }
        Ok(())
    }

    /// Returns the time of a move, if it is limited.
    fn limit(&self) -> Option<Duration> {
        self.time.or_else(|| (self.depth.is_none() && self.nodes.is_none()).then_some(USUAL))
    }
}

/// Splits a text behind a quotation mark at the next one: the command without escapes, and the rest.
fn unquoted(text: &str) -> Option<(String, &str)> {
    let mut command = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((command, &text[at + 1..])),
            '\\' => command.push(letters.next()?.1),
            other => command.push(other),
        }
    }
    None
}

/// Returns whether a piece of a list begins an engine's quoted command that it does not end.
pub(crate) fn is_open(piece: &str) -> bool {
    let name = piece.split_once(':').filter(|(name, _)| name.trim().eq_ignore_ascii_case("engine"));
    name.and_then(|(_, rest)| rest.trim_start().strip_prefix('"')).is_some_and(|rest| !closes(rest))
}

/// Returns whether a quoted text ends in this piece.
pub(crate) fn closes(piece: &str) -> bool {
    unquoted(piece).is_some()
}

/// The command is quoted, so that it may contain commas, colons and blanks.
impl fmt::Display for External {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "engine:\"{}\"", self.command.replace('\\', "\\\\").replace('"', "\\\""))?;
        text::write(f, SETTINGS, self, External::new(String::new()))
    }
}

impl PlayerKind for External {
    fn build<G: SearchHints>(&self, _: &Pool) -> Built<G> {
        let player = || EnginePlayer::new(self.clone());
        match self.protocol {
            Protocol::NBoard => of_one::<G, Othello, _>("an NBoard engine", player),
            Protocol::Ugi | Protocol::Uci => Ok(Box::new(player())),
        }
    }

    fn about(&self) -> String {
        "another program".to_owned()
    }

    /// The moves of another program may differ each time.
    fn is_timed(&self) -> bool {
        true
    }

    fn impurity(&self) -> Option<[&'static str; 2]> {
        Some(["by another program", "choose a player that is part of mancalab"])
    }
}
