//! Start and end of the server.

use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::limits::{Connections, Limits};
use super::shared::SharedLobby;
use super::{keys, ssh};
use crate::app::TASK_THREADS;
use crate::config::Config;
use crate::job::workers::Workers;
use crate::pool::Pool;
use crate::threads;

/// Who is let in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entrance {
    /// Everybody, under a name of their choice.
    Anonymous,
    /// Those whose keys are in this file.
    Keys(PathBuf),
}

/// The settings of the server.
#[derive(Clone, Debug)]
pub struct Settings {
    pub listen: SocketAddr,
    pub host_key: PathBuf,
    pub entrance: Entrance,
    pub limits: Limits,
    /// The folder of the games.
    pub games: Option<PathBuf>,
}

/// What all connections share.
pub struct Server {
    pub shared: Arc<SharedLobby>,
    pub entrance: Entrance,
    pub limits: Limits,
    pub connections: Arc<Connections>,
    pub config: Config,
    pub pool: Pool,
    /// The threads of the sessions' jobs.
    pub workers: Workers,
}

/// The time for clients to close their connections at the end.
const CLOSING: Duration = Duration::from_secs(3);

/// What people read when the server ends.
const FAREWELL: &str = "The server is shutting down. Games under way are kept there, unfinished.";

/// Serves until SIGTERM, SIGINT or SIGHUP. `ready` gets the address and the key's fingerprint once connections are accepted.
///
/// # Errors
/// The keys cannot be read or the address cannot be listened on.
pub fn run(settings: Settings, config: Config, pool: Pool, ready: impl FnOnce(SocketAddr, &str)) -> Result<()> {
    let Settings { listen, host_key, entrance, limits, games } = settings;
    if let Entrance::Keys(file) = &entrance {
        keys::authorized(file)?;
    }
    let key = keys::host_key(&host_key)?;
    let fingerprint = keys::fingerprint(key.public_key());
    let mut signals = Signals::new([SIGTERM, SIGINT, SIGHUP]).context("cannot catch signals")?;
    let listener = TcpListener::bind(listen).with_context(|| format!("cannot listen on {listen}"))?;
    let address = listener.local_addr().context("cannot listen")?;
    // The themes decide on colours, and the server's own terminal does not matter.
    crossterm::style::force_color_output(true);
    let shared = SharedLobby::new(limits);
    let connections = Arc::new(Connections::default());
    let workers = Workers::new(pool.count(), TASK_THREADS);
    let server =
        Server { shared: Arc::clone(&shared), entrance, limits, connections, config, pool: pool.clone(), workers };
    let server = Arc::new(server);
    let keeper = {
        let shared = Arc::clone(&shared);
        let run = move || shared.run(games, limits.games, &pool);
        thread::Builder::new().name("lobby".into()).spawn(run).context("cannot start a thread")?
    };
    let network = Arc::clone(&server);
    let serve = move || {
        if let Err(error) = ssh::serve(&network, listener, key) {
            tracing::error!("the network has failed: {error}");
            // As SIGTERM: the games are kept.
            let _ = signal_hook::low_level::raise(SIGTERM);
        }
    };
    threads::spawn("ssh", serve).context("cannot start a thread")?;
    tracing::info!(%address, fingerprint, ?limits, "serving");
    ready(address, &fingerprint);
    let signal = signals.forever().next().unwrap_or(SIGTERM);
    tracing::info!(signal, "stopping");
    // A second signal ends the process as usual, once the games are written or not.
    signals.handle().close();
    shared.stop(FAREWELL);
    if keeper.join().is_err() {
        tracing::error!("the thread of the lobby has failed");
    }
    let began = Instant::now();
    while !server.connections.is_empty() && began.elapsed() < CLOSING {
        thread::sleep(Duration::from_millis(5));
    }
    Ok(())
}

/// The file of the server's key in a folder.
pub fn host_key_in(state: &Path) -> PathBuf {
    state.join("ssh_host_ed25519_key")
}
