//! `mancalab kgp serve`: listens for agents, and prints the table of their tournament.

use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use mancalab_base::Error;

use super::connect::seconds;
use super::link::{Incoming, Link};
use super::server::{Server, Settings};
use super::{PORT, table};
use crate::cli::{arena, out, signals};
use crate::files::sync_folder;
use crate::game::Variant;
use crate::rng;
use crate::sanitize;

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
    /// Print one JSON object at the end
    #[arg(long)]
    pub json: bool,
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

/// Connections at a time, of which those without a seat are removed soon.
const MAX_CONNECTIONS: usize = 256;

/// Time between two looks at signals.
const LOOK: Duration = Duration::from_millis(100);

/// Events that wait.
const WAITING: usize = 256;

enum Event {
    Opened(u64, Link),
    Incoming(u64, Incoming),
}

pub fn run(args: &ServeArgs) -> Result<ExitCode> {
    if let Some(folder) = &args.save {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", sanitize::path(folder)))?;
    }
    let seed = args.seed.unwrap_or_else(rng::fresh_seed);
    signals::catch().context("cannot catch signals")?;
    let (sender, events) = bounded(WAITING);
    let number = Arc::new(AtomicUsize::new(0));
    let open = Arc::new(());
    let addresses =
        [(Some(&args.listen), Link::tcp as Opens, "TCP"), (args.websocket.as_ref(), Link::accept, "WebSocket")];
    for (address, opens, what) in addresses {
        let Some(address) = address else { continue };
        let listener = listen(address)?;
        let at = listener.local_addr().context("cannot read the address")?;
        out::report(&format!("listening on {at} ({what})"));
        let acceptor = Acceptor { opens, events: sender.clone(), number: number.clone(), open: open.clone() };
        thread::Builder::new()
            .name("accept".into())
            .spawn(move || acceptor.run(&listener))
            .context("cannot start a thread")?;
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
    while !server.is_over() && signals::received() == 0 {
        let now = Instant::now();
        let wait = server.next().map_or(LOOK, |next| next.saturating_duration_since(now).min(LOOK));
        match events.recv_timeout(wait) {
            Ok(Event::Opened(number, link)) => server.open(number, link, Instant::now()),
            Ok(Event::Incoming(number, incoming)) => server.take(number, incoming, Instant::now()),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => bail!("no address is listened on"),
        }
        server.tick(Instant::now());
        server.notes.drain(..).for_each(|note| out::report(&note));
    }
    server.close();
    args.save.iter().for_each(|folder| sync_folder(folder));
    let (rows, finished) = (server.rows(), server.is_over());
    if args.json {
        out::json("kgp-serve", &table::json(&rows, &server.played, seed, finished));
    } else {
        out::result(&table::text(&rows));
    }
    Ok(signals::exit_code())
}

fn listen(address: &str) -> Result<TcpListener> {
    let text = match address.strip_prefix(':') {
        Some(port) => format!("127.0.0.1:{port}"),
        None if address.rsplit_once(':').is_none() => format!("{address}:{PORT}"),
        None => address.to_owned(),
    };
    let cannot = || format!("cannot listen on {}", sanitize::inline(&text));
    let all: Vec<SocketAddr> = text.to_socket_addrs().with_context(cannot)?.collect();
    TcpListener::bind(&all[..]).with_context(cannot)
}

type Deliver = Box<dyn FnMut(Incoming) -> bool + Send>;
type Opens = fn(TcpStream, Deliver) -> std::io::Result<Link>;

/// Accepts connections and hands them to the server.
struct Acceptor {
    opens: Opens,
    events: Sender<Event>,
    number: Arc<AtomicUsize>,
    /// Its clones are the acceptors and the open connections.
    open: Arc<()>,
}

impl Acceptor {
    fn run(self, listener: &TcpListener) {
        for stream in listener.incoming() {
            let Ok(stream) = stream else {
                // Without free file descriptors the system refuses at once.
                thread::sleep(LOOK);
                continue;
            };
            if Arc::strong_count(&self.open) > MAX_CONNECTIONS {
                continue;
            }
            let number = self.number.fetch_add(1, Ordering::Relaxed) as u64;
            let (opens, open, events) = (self.opens, self.open.clone(), self.events.clone());
            // A handshake must not keep others waiting.
            let hand_over = move || {
                let (early, later) = (events.clone(), events);
                // What the connection delivers follows its own event.
                let (opened, after) = bounded::<()>(0);
                let deliver: Deliver = Box::new(move |incoming| {
                    let _is_open = &open;
                    let _ = after.recv();
                    later.send(Event::Incoming(number, incoming)).is_ok()
                });
                if let Ok(link) = opens(stream, deliver) {
                    let _ = early.send(Event::Opened(number, link));
                }
                drop(opened);
            };
            let _ = thread::Builder::new().name("open".into()).spawn(hand_over);
        }
    }
}
