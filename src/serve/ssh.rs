//! The SSH side, which uses russh as `keys` does: who is let in, the one channel of a connection, and what is refused.

mod channel;

use std::net::{Shutdown, SocketAddr, TcpListener as StdListener, TcpStream as StdStream};
use std::sync::Arc;
use std::time::Duration;

use russh::keys::PrivateKey;
use russh::server::{Auth, ChannelOpenHandle, Handler, Msg, PublicKeyOffer, Response, Session, VerifiedPublicKey};
use russh::{Channel, ChannelId, Error, MethodKind, MethodSet, Preferred, Pty, kex, server};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::time::sleep;

use super::keys::{authorized, fingerprint};
use super::limits::ConnectionGuard;
use super::metered::MeteredStream;
use super::{Entrance, Server};
use crate::sanitize;
#[cfg(test)]
pub use channel::EVENTS;

/// How often a silent client is asked whether it is there, and how many questions may stay open.
const KEEPALIVE: Duration = Duration::from_secs(30);
const UNANSWERED: usize = 3;

/// Time for a client to close the connection after the end of its session.
const CLOSING: Duration = Duration::from_secs(1);

/// Keys that a client may offer before it logs in with one.
pub const OFFERS: u32 = 16;

/// Attempts to log in.
pub const ATTEMPTS: usize = 10;

/// Bytes of input that the library keeps of a connection.
pub const WINDOW: u32 = 1 << 16;

/// Key exchanges that cost a client about as much as the server. Those with finite fields take up to half a second of the only thread.
const EXCHANGES: &[kex::Name] = &[
    kex::MLKEM768X25519_SHA256,
    kex::CURVE25519,
    kex::CURVE25519_PRE_RFC_8731,
    kex::EXTENSION_SUPPORT_AS_SERVER,
    kex::EXTENSION_OPENSSH_STRICT_KEX_AS_SERVER,
];

/// Variables of a client's environment that the session reads.
const VARIABLES: [&str; 5] = ["LANG", "LC_ALL", "LC_CTYPE", "COLORTERM", "NO_COLOR"];

/// Bytes of such a variable, and of the terminal's name.
const VARIABLE: usize = 64;

fn config(entrance: &Entrance, key: PrivateKey) -> server::Config {
    let methods: &[MethodKind] = match entrance {
        // Keys first, so that those who have one can come back to their table.
        Entrance::Anonymous => &[MethodKind::PublicKey, MethodKind::KeyboardInteractive],
        Entrance::Keys(_) => &[MethodKind::PublicKey],
    };
    server::Config {
        methods: MethodSet::from(methods),
        // Nothing secret is compared: a key is in the file or not.
        auth_rejection_time: Duration::from_millis(100),
        auth_rejection_time_initial: Some(Duration::ZERO),
        keys: vec![key],
        preferred: Preferred { kex: EXCHANGES.into(), ..Preferred::default() },
        max_auth_attempts: ATTEMPTS,
        window_size: WINDOW,
        // A client that reads nothing must not hold more than a frame.
        channel_buffer_size: 4,
        event_buffer_size: 1,
        inactivity_timeout: Some(KEEPALIVE * 2 * UNANSWERED as u32),
        keepalive_interval: Some(KEEPALIVE),
        keepalive_max: UNANSWERED,
        ..server::Config::default()
    }
}

/// Accepts connections until the process ends.
///
/// # Errors
/// The runtime cannot be started.
pub fn serve(server: &Arc<Server>, listener: StdListener, key: PrivateKey) -> std::io::Result<()> {
    let config = Arc::new(config(&server.entrance, key));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = TcpListener::from_std(listener)?;
        loop {
            match listener.accept().await {
                Ok((stream, address)) => {
                    let server = Arc::clone(server);
                    let config = Arc::clone(&config);
                    tokio::spawn(async move {
                        if let Err(error) = connection(server, config, stream, address).await {
                            tracing::info!(%address, "connection ended: {error}");
                        }
                    });
                }
                Err(error) => {
                    tracing::warn!("cannot accept a connection: {error}");
                    sleep(Duration::from_millis(100)).await;
                }
            }
        }
    })
}

/// A connection from its first byte to its last.
async fn connection(
    server: Arc<Server>,
    config: Arc<server::Config>,
    stream: TcpStream,
    address: SocketAddr,
) -> Result<(), Error> {
    let limits = server.limits;
    let excess = Arc::new(Notify::new());
    let end = Arc::clone(&excess);
    let counted = server.connections.count(address.ip(), &limits, Box::new(move || end.notify_one()));
    let counted = Arc::new(counted);
    stream.set_nodelay(true)?;
    let stream = stream.into_std()?;
    let killer = stream.try_clone()?;
    let stream = MeteredStream::new(TcpStream::from_std(stream)?, limits.bytes_in);
    let is_over = Arc::new(Notify::new());
    let gate = Gate {
        server,
        address,
        name: String::new(),
        key: None,
        channel: None,
        has_channel: false,
        terminal: None,
        env: Vec::new(),
        offers: 0,
        counted: Arc::clone(&counted),
        is_over: Arc::clone(&is_over),
    };
    let login = async {
        match limits.login.is_zero() {
            true => std::future::pending().await,
            false => sleep(limits.login).await,
        }
    };
    let session = async { server::run_stream(config, stream, gate).await?.await };
    tokio::pin!(session, login);
    let mut awaits_login = true;
    let result = loop {
        tokio::select! {
            result = &mut session => break result,
            () = &mut login, if awaits_login => {
                awaits_login = false;
                if counted.is_waiting() {
                    tracing::info!(%address, "no login within {:?}", limits.login);
                    break Ok(());
                }
            }
            () = excess.notified() => {
                tracing::info!(%address, "too many connections without a session: the oldest ends");
                break Ok(());
            }
            () = is_over.notified() => {
                let _ = tokio::time::timeout(CLOSING, &mut session).await;
                break Ok(());
            }
        }
    };
    // The session's task ends with the connection.
    close(&killer);
    result
}

fn close(stream: &StdStream) {
    // It may be closed already.
    let _ = stream.shutdown(Shutdown::Both);
}

/// The handler of a connection.
struct Gate {
    server: Arc<Server>,
    address: SocketAddr,
    name: String,
    key: Option<String>,
    /// The channel before its session starts.
    channel: Option<Channel<Msg>>,
    has_channel: bool,
    /// Columns and rows, once a terminal was requested.
    terminal: Option<(u16, u16)>,
    env: Vec<(String, String)>,
    /// Keys that were offered.
    offers: u32,
    counted: Arc<ConnectionGuard>,
    /// The session has ended and sent everything.
    is_over: Arc<Notify>,
}

/// At most this many bytes of a client's text.
fn short(text: &str) -> String {
    sanitize::inline(text).chars().take(VARIABLE).collect()
}

fn cells(number: u32) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

impl Gate {
    fn lets_in(&self, key: &str) -> bool {
        match &self.server.entrance {
            Entrance::Anonymous => true,
            // Read anew, so that a key that is added or removed counts at once.
            Entrance::Keys(file) => match authorized(file) {
                Ok(keys) => keys.contains(key),
                Err(error) => {
                    tracing::error!("nobody is let in: {error}");
                    false
                }
            },
        }
    }

    fn refuse(&self, channel: ChannelId, what: &str, session: &mut Session) -> Result<(), Error> {
        tracing::info!(address = %self.address, "refused: {what}");
        session.channel_failure(channel)
    }
}

/// Ends a channel with a sentence; a client that is refused the shell shows none.
fn dismiss(channel: ChannelId, why: &str, session: &mut Session) -> Result<(), Error> {
    session.channel_success(channel)?;
    session.extended_data(channel, 1, format!("{why}\r\n").into_bytes())?;
    session.exit_status_request(channel, 1)?;
    session.eof(channel)?;
    session.close(channel)
}

impl Handler for Gate {
    type Error = Error;

    async fn auth_publickey_offered(&mut self, _: &str, offer: PublicKeyOffer<'_>) -> Result<Auth, Error> {
        self.offers += 1;
        if self.offers > OFFERS {
            return Err(Error::Disconnect);
        }
        let is_known = self.lets_in(&fingerprint(offer.public_key));
        Ok(if is_known { Auth::Accept } else { Auth::reject() })
    }

    async fn auth_publickey(&mut self, user: &str, key: VerifiedPublicKey<'_>) -> Result<Auth, Error> {
        let key = fingerprint(key.public_key);
        if !self.lets_in(&key) {
            return Ok(Auth::reject());
        }
        (self.name, self.key) = (user.to_owned(), Some(key));
        Ok(Auth::Accept)
    }

    async fn auth_keyboard_interactive<'a>(
        &'a mut self,
        user: &str,
        _: &str,
        _: Option<Response<'a>>,
    ) -> Result<Auth, Error> {
        if self.server.entrance != Entrance::Anonymous {
            return Ok(Auth::reject());
        }
        user.clone_into(&mut self.name);
        Ok(Auth::Accept)
    }

    async fn auth_succeeded(&mut self, _: &mut Session) -> Result<(), Error> {
        let longest = self.server.limits.session;
        tracing::info!(address = %self.address, name = %short(&self.name), key = ?self.key, ?longest, "let in");
        Ok(())
    }

    async fn channel_open_session(
        &mut self,
        channel: Channel<Msg>,
        reply: ChannelOpenHandle,
        _: &mut Session,
    ) -> Result<(), Error> {
        if std::mem::replace(&mut self.has_channel, true) {
            tracing::info!(address = %self.address, "refused: a second channel");
            return Ok(());
        }
        self.channel = Some(channel);
        reply.accept().await;
        Ok(())
    }

    async fn pty_request(
        &mut self,
        channel: ChannelId,
        term: &str,
        columns: u32,
        rows: u32,
        _: u32,
        _: u32,
        _: &[(Pty, u32)],
        session: &mut Session,
    ) -> Result<(), Error> {
        if self.terminal.is_some() {
            return self.refuse(channel, "a second terminal", session);
        }
        self.terminal = Some((cells(columns), cells(rows)));
        self.env.push(("TERM".to_owned(), short(term)));
        session.channel_success(channel)
    }

    async fn env_request(
        &mut self,
        channel: ChannelId,
        name: &str,
        value: &str,
        session: &mut Session,
    ) -> Result<(), Error> {
        let is_new = self.env.iter().all(|(known, _)| known != name);
        if !VARIABLES.contains(&name) || !is_new {
            return session.channel_failure(channel);
        }
        self.env.push((name.to_owned(), short(value)));
        session.channel_success(channel)
    }

    async fn shell_request(&mut self, channel: ChannelId, session: &mut Session) -> Result<(), Error> {
        let Some(size) = self.terminal else {
            tracing::info!(address = %self.address, "refused: a shell without a terminal");
            return dismiss(channel, "mancalab needs a terminal: use `ssh -t`", session);
        };
        let Some(own) = self.channel.take() else { return self.refuse(channel, "a second shell", session) };
        if let Err(error) = self.start(own, size) {
            tracing::warn!(address = %self.address, "refused: {error}");
            return dismiss(channel, &error.to_string(), session);
        }
        session.channel_success(channel)
    }

    async fn exec_request(&mut self, channel: ChannelId, _: &[u8], session: &mut Session) -> Result<(), Error> {
        self.refuse(channel, "a command", session)
    }

    async fn subsystem_request(&mut self, channel: ChannelId, name: &str, session: &mut Session) -> Result<(), Error> {
        self.refuse(channel, &format!("subsystem {}", short(name)), session)
    }

    async fn x11_request(
        &mut self,
        channel: ChannelId,
        _: bool,
        _: &str,
        _: &str,
        _: u32,
        session: &mut Session,
    ) -> Result<(), Error> {
        self.refuse(channel, "X11 forwarding", session)
    }

    async fn agent_request(&mut self, _: ChannelId, _: &mut Session) -> Result<bool, Error> {
        tracing::info!(address = %self.address, "refused: agent forwarding");
        Ok(false)
    }

    async fn tcpip_forward(&mut self, _: &str, _: &mut u32, _: &mut Session) -> Result<bool, Error> {
        tracing::info!(address = %self.address, "refused: port forwarding");
        Ok(false)
    }
}
