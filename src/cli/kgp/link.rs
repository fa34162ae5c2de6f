//! Connections that carry lines, over TCP or WebSocket. A thread reads each; whoever holds the [`Link`] writes.

use std::io::{self, BufRead as _, BufReader, Read as _};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{SendFlags, send};
use tungstenite::handshake::HandshakeRole;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Error, HandshakeError, Message, WebSocket};

use super::wire::{Command, END, LONGEST};
use crate::sanitize;
use crate::threads;

/// Bytes that wait for a peer that does not read.
pub const UNREAD: usize = 2 * LONGEST;

/// What a connection delivers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkEvent {
    Line(String),
    /// A line longer than [`LONGEST`], which was skipped.
    TooLong,
    /// The connection ended, for this reason.
    Closed(String),
}

/// The writing half of a connection.
pub struct Link {
    sink: Sink,
    stream: TcpStream,
}

enum Sink {
    Tcp,
    WebSocket(Arc<Mutex<WebSocket<TcpStream>>>),
}

impl Link {
    /// Reads lines from a TCP connection in a thread, until `deliver` returns false.
    ///
    /// # Errors
    /// The system's error.
    pub fn tcp(stream: TcpStream, deliver: impl FnMut(LinkEvent) -> bool + Send + 'static) -> io::Result<Link> {
        prepare(&stream)?;
        let reader = stream.try_clone()?;
        threads::spawn("kgp", move || read_lines(reader, deliver))?;
        Ok(Link { sink: Sink::Tcp, stream })
    }

    /// Accepts a WebSocket, whose handshake ends before `until`, and reads lines from it, like [`tcp`](Link::tcp).
    ///
    /// # Errors
    /// The peer does not speak WebSocket in time, or the system's error.
    pub fn accept(
        stream: TcpStream,
        until: Instant,
        deliver: impl FnMut(LinkEvent) -> bool + Send + 'static,
    ) -> io::Result<Link> {
        prepare(&stream)?;
        stream.set_nonblocking(true)?;
        let polled = stream.try_clone()?;
        let begun = tungstenite::accept_with_config(stream, Some(limits()));
        Link::websocket(handshake(begun, &polled, until)?, deliver)
    }

    /// Opens a WebSocket at an address such as `ws://host:8080/socket`, like [`accept`](Link::accept).
    ///
    /// # Errors
    /// The peer does not speak WebSocket in time, or the system's error.
    pub fn open(
        stream: TcpStream,
        address: &str,
        until: Instant,
        deliver: impl FnMut(LinkEvent) -> bool + Send + 'static,
    ) -> io::Result<Link> {
        prepare(&stream)?;
        stream.set_nonblocking(true)?;
        let polled = stream.try_clone()?;
        let begun = tungstenite::client::client_with_config(address, stream, Some(limits()));
        Link::websocket(handshake(begun, &polled, until)?.0, deliver)
    }

    /// Carries lines over a WebSocket whose stream does not block.
    fn websocket(
        socket: WebSocket<TcpStream>,
        deliver: impl FnMut(LinkEvent) -> bool + Send + 'static,
    ) -> io::Result<Link> {
        let stream = socket.get_ref().try_clone()?;
        let socket = Arc::new(Mutex::new(socket));
        let reader = socket.clone();
        let polled = stream.try_clone()?;
        threads::spawn("kgp", move || read_messages(&reader, &polled, deliver))?;
        Ok(Link { sink: Sink::WebSocket(socket), stream })
    }

    /// Writes a command.
    ///
    /// # Errors
    /// The connection has ended, or the peer does not read.
    pub fn send(&self, command: &Command) -> io::Result<()> {
        let line = format!("{command}{END}");
        match &self.sink {
            // A peer that does not read must not keep the others waiting.
            Sink::Tcp => match send(&self.stream, line.as_bytes(), SendFlags::DONTWAIT | SendFlags::NOSIGNAL)? {
                sent if sent == line.len() => Ok(()),
                _ => Err(io::ErrorKind::WouldBlock.into()),
            },
            Sink::WebSocket(socket) => {
                let mut socket = socket.lock().unwrap_or_else(PoisonError::into_inner);
                socket.send(Message::text(line)).map_err(io::Error::other)
            }
        }
    }

    /// Ends the connection; what was written still arrives.
    pub fn close(&self) {
        if let Sink::WebSocket(socket) = &self.sink {
            let mut socket = socket.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = socket.close(None);
            let _ = socket.flush();
        }
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)
}

fn limits() -> WebSocketConfig {
    let limits = WebSocketConfig::default().max_message_size(Some(LONGEST)).max_frame_size(Some(LONGEST));
    limits.write_buffer_size(0).max_write_buffer_size(UNREAD)
}

/// Continues a handshake as bytes arrive. Its deadline is that of the whole, however many bytes arrive.
fn handshake<Role: HandshakeRole>(
    mut result: Result<Role::FinalResult, HandshakeError<Role>>,
    stream: &TcpStream,
    until: Instant,
) -> io::Result<Role::FinalResult> {
    loop {
        result = match result {
            Ok(done) => return Ok(done),
            Err(HandshakeError::Failure(Error::Io(error))) => return Err(error),
            Err(HandshakeError::Failure(error)) => {
                return Err(io::Error::new(io::ErrorKind::InvalidData, error.to_string()));
            }
            Err(HandshakeError::Interrupted(unfinished)) => {
                let left = until.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return Err(io::Error::new(io::ErrorKind::TimedOut, "no WebSocket handshake"));
                }
                wait(stream, Some(left))?;
                unfinished.handshake()
            }
        }
    }
}

/// Waits until bytes have arrived or the connection has ended, or for this time.
fn wait(stream: &TcpStream, time: Option<Duration>) -> io::Result<()> {
    let time = time.map(Timespec::try_from).transpose().map_err(io::Error::other)?;
    match poll(&mut [PollFd::new(stream, PollFlags::IN)], time.as_ref()) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn read_lines(stream: TcpStream, mut deliver: impl FnMut(LinkEvent) -> bool) {
    let mut input = BufReader::new(stream);
    let reason = loop {
        let mut line = Vec::new();
        match input.by_ref().take(LONGEST as u64).read_until(b'\n', &mut line) {
            Ok(0) => break "the connection was closed".to_owned(),
            Err(error) => break sanitize::reason(&error),
            Ok(_) => {}
        }
        let is_cut = line.last() != Some(&b'\n') && line.len() == LONGEST;
        let skipped = if is_cut { input.skip_until(b'\n').map(|_| ()) } else { Ok(()) };
        let incoming =
            if is_cut { LinkEvent::TooLong } else { LinkEvent::Line(String::from_utf8_lossy(&line).into_owned()) };
        if !deliver(incoming) {
            return;
        }
        if let Err(error) = skipped {
            break sanitize::reason(&error);
        }
    };
    deliver(LinkEvent::Closed(reason));
}

/// Reads messages, each of one or more lines. The lock is free while the thread waits and while it delivers.
fn read_messages(socket: &Mutex<WebSocket<TcpStream>>, stream: &TcpStream, mut deliver: impl FnMut(LinkEvent) -> bool) {
    let reason = loop {
        let locked = || socket.lock().unwrap_or_else(PoisonError::into_inner);
        let read = locked().read();
        match read {
            // The answer goes out at once, or it would wait with all later ones.
            Ok(Message::Ping(_)) if locked().flush().is_err() => break "does not read".to_owned(),
            Ok(message @ (Message::Text(_) | Message::Binary(_))) => {
                let text = String::from_utf8_lossy(&message.into_data()).into_owned();
                if !text.lines().all(|line| deliver(LinkEvent::Line(line.to_owned()))) {
                    return;
                }
            }
            Ok(_) => {}
            Err(Error::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => {
                if let Err(error) = wait(stream, None) {
                    break sanitize::reason(&error);
                }
            }
            // The rest of a message that is too long is not skipped.
            Err(Error::Capacity(_)) => {
                deliver(LinkEvent::TooLong);
                break "a message was too long".to_owned();
            }
            Err(Error::ConnectionClosed | Error::AlreadyClosed) => break "the connection was closed".to_owned(),
            Err(error) => break sanitize::inline(&error.to_string()).into_owned(),
        }
    };
    deliver(LinkEvent::Closed(reason));
}
