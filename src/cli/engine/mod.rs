//! `mancalab engine`: moves for other programs, by a line protocol on standard input and output.
//!
//! A thread reads the input, so that lines arrive while a search runs; the search works in short steps between them. The
//! first line chooses the protocol: `nboard` that of NBoard, any other UGI.

mod nboard;
pub(super) mod search;
#[cfg(test)]
mod tests;
mod ugi;

use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Args;
use crossbeam_channel::TryRecvError;
use mancalab_base::Error;

use super::{help, input, out, tables};
use crate::game::Variant;
use crate::player::offers::Opponent;
use nboard::NBoard;
use ugi::Ugi;
pub(super) use ugi::{check, play_named};

#[derive(Args, Debug)]
pub struct EngineArgs {
    /// Game and rules; UGI's option Game changes them
    #[arg(long, value_name = "GAME", default_value = "kalah:6x4:standard", value_parser = help::games(), hide_possible_values = true)]
    pub game: Variant,
    /// Player whose moves are used; default: alpha-beta to the depth that `go` names, or else the game's strongest search
    #[arg(long, value_name = "PLAYER", value_parser = help::player(), hide_possible_values = true)]
    pub player: Option<Opponent>,
}

pub fn run(args: &EngineArgs) -> Result<ExitCode> {
    tables::warn_of_damage(&args.game);
    let player = args.player.as_ref().map(|player| player.player(&args.game));
    let mut session = Session::Ugi(Ugi::new(args.game, player)?);
    let lines = input::lines().context("cannot start a thread")?;
    let mut is_first = true;
    loop {
        let line = match session.is_searching() {
            true => lines.try_recv(),
            false => lines.recv().map_err(|_| TryRecvError::Disconnected),
        };
        let reply = match line {
            Ok(line) => {
                if std::mem::take(&mut is_first) && line.split_whitespace().next() == Some("nboard") {
                    let othello = "othello".parse()?;
                    let player = args.player.as_ref().map(|player| player.player(&othello));
                    session = Session::NBoard(NBoard::new(player)?);
                }
                session.take(&line)
            }
            Err(TryRecvError::Empty) => Reply { lines: session.step(), quits: false },
            Err(TryRecvError::Disconnected) => session.take("quit"),
        };
        let is_read = reply.lines.iter().all(|line| out::line(line));
        if reply.quits || !is_read {
            return Ok(ExitCode::SUCCESS);
        }
    }
}

/// What a session writes in answer to a line, and whether it ends.
#[derive(PartialEq, Eq, Debug, Default)]
struct Reply {
    lines: Vec<String>,
    quits: bool,
}

impl Reply {
    fn line(&mut self, line: &str) {
        self.lines.push(line.to_owned());
    }

    /// Adds lines, or an error as UGI's message.
    fn note(&mut self, lines: Result<Vec<String>, Error>) {
        match lines {
            Ok(lines) => self.lines.extend(lines),
            Err(error) => self.line(&format!("info string {}", error.in_a_line())),
        }
    }

    /// Adds an error as NBoard's status.
    fn status(&mut self, done: Result<(), Error>) {
        if let Err(error) = done {
            self.line(&format!("status {}", error.in_a_line()));
        }
    }
}

/// A session of either protocol.
enum Session {
    Ugi(Ugi),
    NBoard(NBoard),
}

impl Session {
    fn is_searching(&self) -> bool {
        match self {
            Session::Ugi(session) => session.is_searching(),
            Session::NBoard(session) => session.is_searching(),
        }
    }

    fn take(&mut self, line: &str) -> Reply {
        match self {
            Session::Ugi(session) => session.take(line),
            Session::NBoard(session) => session.take(line),
        }
    }

    fn step(&mut self) -> Vec<String> {
        match self {
            Session::Ugi(session) => session.step(),
            Session::NBoard(session) => session.step(),
        }
    }
}
