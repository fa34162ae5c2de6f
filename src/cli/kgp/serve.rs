//! `mancalab serve kgp`: listens for agents, and prints the table of their tournament.

use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{fmt, thread};

use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use mancalab_base::Error;

use super::connect::seconds;
use super::link::{Link, LinkEvent};
use super::server::{Server, Settings};
use super::{PORT, games};
use crate::cli::format::OutputArgs;
use crate::cli::{arena, out, signals};
use crate::files::sync_folder;
use crate::game::Variant;
use crate::{rng, sanitize, threads};

#[derive(Args, Debug)]
pub struct ServeArgs {
    /// Address for TCP: HOST, HOST:PORT or :PORT; 0.0.0.0 is reached from other machines, and port 0 is a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:2671")]
    pub listen: String,
    /// Address for WebSocket too, such as 127.0.0.1:8080
    #[arg(long, value_name = "ADDRESS")]
    pub websocket: Option<String>,
    /// Number of agents; the games begin when they are there
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(2..=64))]
    pub agents: u32,
    /// Boards as PITSxSEEDS, 3 to 12 pits a side and 1 to 12 seeds a pit, separated by commas
    #[arg(long, value_name = "SIZES", default_value = "6x4", value_parser = boards)]
    pub boards: Boards,
    /// Games that each agent begins against each other on each board
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub games: u32,
    /// Seconds for a move; then the last one sent is played, or a random one
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    pub time: Duration,
    /// Seconds for the answer to a ping and for a new agent's first commands, after which the agent is removed
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub patience: Duration,
    /// Save every game to this folder
    #[arg(long, value_name = "DIR")]
    pub save: Option<PathBuf>,
    /// Random seed of moves that the server chooses; default: a random one, which is printed
    #[arg(long, value_name = "NUMBER", value_parser = arena::seed())]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Boards as one argument.
type Boards = Vec<Variant>;

fn boards(text: &str) -> Result<Boards, Error> {
    let board = |size: &str| -> Result<Variant, Error> {
        let size = size.trim();
        let pits = size.split_once('x').and_then(|(pits, _)| pits.parse::<u8>().ok());
        if size.contains(':') || !pits.is_some_and(|pits| (3..=12).contains(&pits)) {
            return Err(format!("expected PITSxSEEDS with 3 to 12 pits a side, such as 6x4 (got '{size}')").into());
        }
        format!("kalah:{size}:standard").parse()
    };
    text.split(',').map(board).collect()
}

/// Time between two looks at signals.
const LOOK: Duration = Duration::from_millis(100);

/// Events that wait.
pub(super) const WAITING: usize = 256;

pub fn run(args: &ServeArgs) -> Result<ExitCode> {
    if let Some(folder) = &args.save {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", sanitize::path(folder)))?;
    }
    let seed = args.seed.unwrap_or_else(rng::fresh_seed);
    signals::catch().context("cannot catch signals")?;
    let (sender, events) = bounded(WAITING);
    let number = Arc::new(AtomicU64::new(0));
    for (address, kind) in [(Some(&args.listen), Kind::Tcp), (args.websocket.as_ref(), Kind::WebSocket)] {
        let Some(address) = address else { continue };
        let listener = listen(address)?;
        let at = listener.local_addr().context("cannot read the address")?;
        out::report(&format!("listening on {at} ({kind})"));
        let acceptor = Acceptor { kind, patience: args.patience, events: sender.clone(), number: Arc::clone(&number) };
        acceptor.start(listener).context("cannot start a thread")?;
    }
    if args.seed.is_none() {
        out::report(&format!("seed {seed}"));
    }
    let mut server = Server::new(Settings {
        agents: args.agents as usize,
        boards: args.boards.clone(),
        rounds: args.games,
        time: args.time,
        patience: args.patience,
        seed,
        save: args.save.clone(),
    });
    hold(&mut server, &events, || signals::received() != 0)?;
    server.close();
    args.save.iter().for_each(|folder| sync_folder(folder));
    let rows = server.rows();
    let finished = server.is_over();
    let json = games::json(&rows, &server.played, seed, finished);
    args.output.print("kgp-serve", &json, || games::text(&rows));
    Ok(signals::exit_code())
}

fn listen(address: &str) -> Result<TcpListener> {
    let text = match address.strip_prefix(':') {
        Some(port) => format!("127.0.0.1:{port}"),
        None if address.rsplit_once(':').is_none() => format!("{address}:{PORT}"),
        None => address.to_owned(),
    };
    let cannot = || format!("cannot listen on {}", sanitize::inline(&text));
    let unknown = |_| anyhow!("{}: no host has that name; an address is such as 127.0.0.1:{PORT}", cannot());
    let all: Vec<SocketAddr> = text.to_socket_addrs().map_err(unknown)?.collect();
    TcpListener::bind(&all[..]).with_context(cannot)
}

/// What happens to the connections of a server.
pub(super) enum Event {
    /// Of this number, with a handle that ends it.
    Accepted(u64, TcpStream),
    /// The handshake is over.
    Opened(u64, Link),
    Incoming(u64, LinkEvent),
}

/// Holds the tournament until it is over or `is_stopped`.
///
/// # Errors
/// No address is listened on.
pub(super) fn hold(server: &mut Server, events: &Receiver<Event>, is_stopped: impl Fn() -> bool) -> Result<()> {
    while !server.is_over() && !is_stopped() {
        let now = Instant::now();
        let wait = server.next().map_or(LOOK, |next| next.saturating_duration_since(now).min(LOOK));
        match events.recv_timeout(wait) {
            Ok(Event::Accepted(number, stream)) => server.accept(number, stream, Instant::now()),
            Ok(Event::Opened(number, link)) => server.open(number, link),
            Ok(Event::Incoming(number, incoming)) => server.take(number, incoming, Instant::now()),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => bail!("no address is listened on"),
        }
        server.tick(Instant::now());
        server.notes.drain(..).for_each(|note| out::report(&note));
    }
    Ok(())
}

/// What connections speak.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Tcp,
    WebSocket,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Kind::Tcp { "TCP" } else { "WebSocket" })
    }
}

/// Accepts connections and hands them to the server, which decides how many there may be.
pub(super) struct Acceptor {
    pub kind: Kind,
    /// Time for a handshake.
    pub patience: Duration,
    pub events: Sender<Event>,
    /// The number of the next connection.
    pub number: Arc<AtomicU64>,
}

impl Acceptor {
    /// Accepts in a thread of its own.
    ///
    /// # Errors
    /// The system's error.
    pub fn start(self, listener: TcpListener) -> std::io::Result<()> {
        threads::spawn("accept", move || self.run(&listener))
    }

    fn run(self, listener: &TcpListener) {
        for stream in listener.incoming() {
            if stream.and_then(|stream| self.take(stream)).is_err() {
                // Without free file descriptors the system refuses at once.
                thread::sleep(LOOK);
            }
        }
    }

    fn take(&self, stream: TcpStream) -> std::io::Result<()> {
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        let until = Instant::now() + self.patience;
        // At the end of a tournament nobody takes events.
        let _ = self.events.send(Event::Accepted(number, stream.try_clone()?));
        let kind = self.kind;
        let events = self.events.clone();
        // A handshake must not keep others waiting.
        let hand_over = move || {
            let later = events.clone();
            // What the connection delivers follows its own event.
            let (opened, after) = bounded::<()>(0);
            let deliver = move |incoming| {
                let _ = after.recv();
                later.send(Event::Incoming(number, incoming)).is_ok()
            };
            let link = match kind {
                Kind::Tcp => Link::tcp(stream, deliver),
                Kind::WebSocket => Link::accept(stream, until, deliver),
            };
            let _ = events.send(match link {
                Ok(link) => Event::Opened(number, link),
                Err(error) => Event::Incoming(number, LinkEvent::Closed(sanitize::reason(&error))),
            });
            drop(opened);
        };
        threads::spawn("open", hand_over)
    }
}
