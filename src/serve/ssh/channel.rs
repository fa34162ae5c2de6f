//! The channel of a session: its thread, and the tasks that pass bytes and events between it and the client.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use crossbeam_channel::{Sender, unbounded};
use mancalab_base::Error;
use russh::server::Msg;
use russh::{Channel, ChannelMsg, ChannelReadHalf, ChannelWriteHalf};
use tokio::io::AsyncWriteExt as _;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, sleep_until};

use super::{Gate, cells};
use crate::network::Network;
use crate::serve::Server;
use crate::serve::link::SessionLink;
use crate::serve::lobby::{Link as _, Visitor};
use crate::serve::outbox::Outbox;
use crate::serve::session::{self, Client, Present};
use crate::term::{Decoder, Event, Events};
use crate::threads;

impl Gate {
    /// Starts the session on its threads and tasks.
    ///
    /// # Errors
    /// There are too many people, or the system's error.
    pub(super) fn start(&self, channel: Channel<Msg>, size: (u16, u16)) -> Result<(), Error> {
        let (sender, receiver) = unbounded();
        let events = Events::new(receiver);
        let filled = Arc::new(Notify::new());
        let notify = Arc::clone(&filled);
        let wake = sender.clone();
        let filling = Box::new(move || notify.notify_one());
        let outbox = Outbox::new(size, filling, Box::new(move || _ = wake.send(Event::Wake)));
        let link = Arc::new(SessionLink::new(sender.clone(), events.ending.clone()));
        let network = Network::from_address(self.address.ip());
        let visitor = Visitor { name: self.name.clone(), key: self.key.clone(), network };
        let present = Present::enter(&self.server, visitor, &link)?;
        let client = Client { address: self.address, env: self.env.clone() };
        let status = Arc::new(AtomicU8::new(1));
        let own_link = Arc::clone(&link);
        let own_outbox = outbox.clone();
        let own_events = events.clone();
        let own_status = Arc::clone(&status);
        let body = move || {
            let run = || session::run(present, &client, &own_link, &own_outbox, &own_events);
            let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
            own_status.store(ended.unwrap_or(1), Ordering::SeqCst);
            tracing::info!(address = %client.address, status = own_status.load(Ordering::SeqCst), "session ended");
            own_outbox.end();
        };
        threads::spawn("session", body).map_err(|error| format!("cannot start a session: {error}"))?;
        self.counted.starts();
        let (read, write) = channel.split();
        tokio::spawn(send(write, outbox.clone(), filled, status, Arc::clone(&self.is_over)));
        tokio::spawn(receive(Arc::clone(&self.server), self.address, read, outbox, link, sender, events));
        Ok(())
    }
}

/// Sends what the session writes, as fast as the client reads it.
async fn send(
    channel: ChannelWriteHalf<Msg>,
    outbox: Outbox,
    filled: Arc<Notify>,
    status: Arc<AtomicU8>,
    is_over: Arc<Notify>,
) {
    let mut writer = channel.make_writer();
    'session: loop {
        filled.notified().await;
        // Before the bytes are taken, so that the last ones are among them.
        let has_ended = outbox.has_ended();
        while let Some(bytes) = outbox.take() {
            if writer.write_all(&bytes).await.is_err() {
                outbox.close();
                break 'session;
            }
            outbox.sent();
        }
        if has_ended {
            break;
        }
    }
    // A client that has gone needs none of these.
    let _ = channel.exit_status(status.load(Ordering::SeqCst).into()).await;
    let _ = channel.eof().await;
    let _ = channel.close().await;
    is_over.notify_one();
}

/// Events that wait for a session; a client that sends more has to wait.
pub const EVENTS: usize = 1024;

/// The time between two looks whether they have become fewer.
const LOOK: Duration = Duration::from_millis(10);

/// Passes what the client sends to the session, and ends the session when a limit is reached or the client is gone.
async fn receive(
    server: Arc<Server>,
    address: SocketAddr,
    mut channel: ChannelReadHalf,
    outbox: Outbox,
    link: Arc<SessionLink>,
    events: Sender<Event>,
    session: Events,
) {
    let limits = server.limits;
    let never = Duration::from_secs(u32::MAX.into());
    let limit = |time: Duration| Instant::now() + if time.is_zero() { never } else { time };
    let mut decoder = Decoder::default();
    let mut has_waited = false;
    let mut idle = limit(limits.idle);
    let mut end = limit(limits.session);
    loop {
        let is_full = events.len() >= EVENTS;
        if is_full && !std::mem::replace(&mut has_waited, true) {
            tracing::info!(%address, "{EVENTS} keys of a client wait for its session");
        }
        let message = tokio::select! {
            message = channel.wait(), if !is_full => message,
            () = sleep(LOOK), if is_full => continue,
            () = sleep_until(idle) => {
                idle = limit(Duration::ZERO);
                end_by_limit(address, &link, "No key was pressed for too long.");
                continue;
            }
            () = sleep_until(end) => {
                end = limit(Duration::ZERO);
                end_by_limit(address, &link, "The session has reached its greatest length.");
                continue;
            }
        };
        match message {
            Some(ChannelMsg::Data { data }) => {
                let now = std::time::Instant::now();
                let mut is_typed = false;
                let mut take = |event| {
                    // The terminal sends reports by itself.
                    is_typed |= !matches!(event, Event::Report(_));
                    let _ = events.send(event);
                };
                decoder.decode(&data, now, &mut take);
                // Clients send a key's sequence in one packet.
                decoder.release(now, &mut take);
                if is_typed {
                    idle = limit(limits.idle);
                }
            }
            Some(ChannelMsg::WindowChange { col_width, row_height, .. }) => {
                outbox.resize((cells(col_width), cells(row_height)));
                let _ = events.send(Event::Resize(cells(col_width), cells(row_height)));
            }
            Some(ChannelMsg::Eof | ChannelMsg::Close) | None => break,
            Some(_) => {}
        }
    }
    outbox.close();
    session.ending.send(HUNG_UP);
    let _ = events.send(Event::HangUp);
}

/// The exit status of a session whose client is gone.
const HUNG_UP: u8 = 129;

fn end_by_limit(address: SocketAddr, link: &SessionLink, why: &str) {
    tracing::info!(%address, "a session ends: {why}");
    link.end(why);
}
