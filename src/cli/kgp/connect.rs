//! `mancalab connect kgp`: an agent on a server.

use std::net::{TcpStream, ToSocketAddrs as _};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;
use crossbeam_channel::{Receiver, RecvTimeoutError, TryRecvError, bounded};
use mancalab_base::Error;

use super::PORT;
use super::link::{Link, LinkEvent};
use super::session::{End, Identity, Session};
use super::wire::Command;
use crate::cli::run::threads;
use crate::cli::{arena, engine, help, out, signals};
use crate::game::Variant;
use crate::player::offers::Opponent;
use crate::pool::Pool;
use crate::rng;
use crate::sanitize;

#[derive(Args, Debug)]
pub struct ConnectArgs {
    /// Server: HOST, HOST:PORT (TCP, default port 2671) or ws://HOST:PORT/PATH (WebSocket)
    #[arg(value_name = "HOST", value_parser = Address::parse)]
    pub server: Address,
    /// Player whose moves are used; default: the strongest search without a file
    #[arg(long, value_name = "PLAYER", value_parser = help::player(), hide_possible_values = true)]
    pub player: Option<Opponent>,
    /// Most seconds for a move; less if the server's clock demands it
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds)]
    pub time: Duration,
    /// Name to send to the server; default: mancalab and the player
    #[arg(long, value_name = "TEXT")]
    pub name: Option<String>,
    /// Authors to send to the server
    #[arg(long, value_name = "TEXT")]
    pub authors: Option<String>,
    /// Description to send to the server
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    /// Secret by which the server knows this agent again; the connection is not encrypted
    #[arg(long, value_name = "TEXT")]
    pub token: Option<String>,
    /// Print all commands, sent (>) and received (<)
    #[arg(long)]
    pub verbose: bool,
    /// Threads of mcts players with a time limit, 0 for all
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads())]
    pub threads: usize,
    /// Random seed; default: a new one
    #[arg(long, value_name = "NUMBER", value_parser = arena::seed())]
    pub seed: Option<u64>,
}

/// Parser of a number of seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, Error> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.01..=3600.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected a number of seconds from 0.01 to 3600".into())
}

/// Address of a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// `HOST:PORT`
    host: String,
    /// The full address of a WebSocket.
    websocket: Option<String>,
}

impl Address {
    fn parse(text: &str) -> Result<Address, Error> {
        if text.starts_with("wss:") {
            return Err("wss:// needs TLS, which is not supported; use ws:// to a TLS tunnel such as stunnel".into());
        }
        let (host, port, websocket) = match text.strip_prefix("ws://") {
            Some(rest) => (rest.split(['/', '?']).next().unwrap_or(rest), 80, Some(text.to_owned())),
            None => (text, PORT, None),
        };
        let is_number = |port: &str| port.parse::<u16>().is_ok();
        // The colons of an IPv6 address are in brackets.
        let has_port = host.rsplit_once(':').is_some_and(|(host, port)| !host.ends_with(':') && is_number(port));
        let name = host.rsplit_once(':').filter(|_| has_port).map_or(host, |(name, _)| name);
        let is_named = |name: &str| !name.is_empty() && !name.contains(['/', '@', ' ']);
        if !is_named(name) || name.contains(':') && !(name.starts_with('[') && name.ends_with(']')) {
            return Err("expected HOST, HOST:PORT or ws://HOST:PORT/PATH".into());
        }
        let host = if has_port { host.to_owned() } else { format!("{host}:{port}") };
        Ok(Address { host, websocket })
    }
}

/// Time to connect, with the handshake of a WebSocket, and then for the server's greeting.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// Time between two looks at signals while nothing arrives.
const LOOK: Duration = Duration::from_millis(100);

/// Lines that wait.
pub(super) const WAITING: usize = 64;

pub fn run(args: &ConnectArgs) -> Result<ExitCode> {
    let player = args.player.as_ref().map(|player| player.player(&Variant::usual()[0]));
    if let Some(player) = &player {
        engine::check(player, &Variant::usual()[0])?;
    }
    // Until then a signal ends the program at once.
    let (link, lines) = connect(&args.server)?;
    signals::catch().context("cannot catch signals")?;
    let own = player.as_ref().map_or(String::new(), |player| format!(" {player}"));
    let identity = Identity {
        name: args.name.clone().unwrap_or_else(|| format!("mancalab{own}")),
        authors: args.authors.clone(),
        description: args.description.clone(),
        token: args.token.clone(),
    };
    let seed = args.seed.unwrap_or_else(rng::fresh_seed);
    let mut session = Session::new(player, identity, args.time, Pool::new(args.threads), seed);
    let ended = converse(&mut session, &link, &lines, args.verbose);
    link.close();
    out::line(&format!("answered {} boards", session.answered));
    ended
}

fn connect(address: &Address) -> Result<(Link, Receiver<LinkEvent>)> {
    let named = sanitize::inline(&address.host).into_owned();
    let cannot = |error: &std::io::Error| anyhow!("cannot connect to {named}: {}", sanitize::reason(error));
    let mut refused = anyhow!("{named} is no address");
    let until = Instant::now() + PATIENCE;
    let found = address.host.to_socket_addrs();
    for at in found.map_err(|_| anyhow!("cannot connect to {named}: no host has that name"))? {
        // Zero would be an error of its own.
        let left = until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        match TcpStream::connect_timeout(&at, left) {
            Err(error) => refused = cannot(&error),
            Ok(stream) => {
                let (sender, lines) = bounded(WAITING);
                let deliver = move |incoming| sender.send(incoming).is_ok();
                let link = match &address.websocket {
                    None => Link::tcp(stream, deliver),
                    Some(address) => Link::open(stream, address, until, deliver),
                };
                return Ok((link.map_err(|error| cannot(&error))?, lines));
            }
        }
    }
    Err(refused)
}

/// Answers the server until either ends.
fn converse(session: &mut Session, link: &Link, lines: &Receiver<LinkEvent>, verbose: bool) -> Result<ExitCode> {
    let until = Instant::now() + PATIENCE;
    let send = |command: &Command| -> Result<()> {
        if verbose {
            out::line(&format!("> {command}"));
        }
        link.send(command).map_err(|error| anyhow!("the connection was lost: {}", sanitize::reason(&error)))
    };
    loop {
        if signals::received() != 0 {
            let _ = send(&Command::new("goodbye", Vec::new()));
            return Ok(signals::exit_code());
        }
        if !session.is_greeted() && Instant::now() > until {
            bail!("the server has not announced a version of the Kalah Game Protocol");
        }
        let line = match session.is_thinking() {
            true => lines.try_recv(),
            false => lines.recv_timeout(LOOK).map_err(|error| match error {
                RecvTimeoutError::Timeout => TryRecvError::Empty,
                RecvTimeoutError::Disconnected => TryRecvError::Disconnected,
            }),
        };
        let mut end = None;
        match line {
            Ok(LinkEvent::Line(line)) => {
                if verbose && !line.trim().is_empty() {
                    out::line(&format!("< {}", sanitize::inline(line.trim_end())));
                }
                end = session.take(&line);
            }
            Ok(LinkEvent::TooLong) => out::report("mancalab: skipped a line of the server, which is too long"),
            Ok(LinkEvent::Closed(reason)) => bail!("the server did not say goodbye: {reason}"),
            Err(TryRecvError::Disconnected) => bail!("the server did not say goodbye"),
            Err(TryRecvError::Empty) if session.is_thinking() => session.step()?,
            Err(TryRecvError::Empty) => {}
        }
        for note in session.notes.drain(..) {
            out::line(&note);
        }
        for command in session.take_out() {
            send(&command)?;
        }
        match end {
            None => {}
            Some(End::Goodbye) => return Ok(ExitCode::SUCCESS),
            Some(End::Failed(reason)) => bail!(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_host_and_perhaps_a_port_and_a_path() {
        let host = |text: &str| Address::parse(text).map(|address| (address.host, address.websocket.is_some()));
        for (text, expected, is_websocket) in [
            ("localhost", "localhost:2671", false),
            ("127.0.0.1:4000", "127.0.0.1:4000", false),
            ("[::1]", "[::1]:2671", false),
            ("[::1]:4000", "[::1]:4000", false),
            ("ws://example.org/socket", "example.org:80", true),
            ("ws://[::1]:8080", "[::1]:8080", true),
        ] {
            assert_eq!(host(text), Ok((expected.to_owned(), is_websocket)), "{text}");
        }
        for odd in ["", ":2671", "::1", "a/b", "http://x", "ws://", "wss://x", "x:99999", "x:", "me@x"] {
            assert!(host(odd).is_err(), "{odd}");
        }
    }
}
