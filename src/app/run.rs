//! The event loop: waits for the terminal, the jobs and the clock at once, and draws when something has changed.
//!
//! Nothing is computed here, so a key is answered within a frame however hard the jobs work; and without a deadline the loop
//! sleeps until something happens, so that idling costs nothing.

use std::io;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, at, never, select};

use super::{App, Wish};
use crate::job::JobId;
use crate::term::{Event, Screen, told_to_end};

/// How long the reason why a terminal cannot be written to may be in coming.
const PATIENCE: Duration = Duration::from_secs(1);

/// Runs the app until it quits.
///
/// # Errors
/// The terminal's, when it can no longer be written to and nobody says that it is gone or that the program is to end.
pub fn run(app: &mut App, screen: &mut Screen, events: &Receiver<Event>, pings: &Receiver<JobId>) -> io::Result<()> {
    app.open(Instant::now());
    while app.quit().is_none() {
        let now = Instant::now();
        if app.is_draw_due(now)
            && let Err(error) = screen.draw(|frame| app.draw(frame, now))
        {
            return until_told(app, events, error);
        }
        let alarm = app.deadline().map_or_else(never, at);
        select! {
            recv(events) -> event => match event {
                Ok(event) => app.event(event, Instant::now()),
                // The input threads are gone, and with them every way to be told to stop.
                Err(_) => return Err(io::Error::other("the terminal no longer sends anything")),
            },
            recv(pings) -> job => app.news(job.map_err(io::Error::other)?, Instant::now()),
            recv(alarm) -> _ => {}
        }
        drain(app, events, pings);
        app.tick(Instant::now());
        for wish in app.take_wishes() {
            if let Err(error) = grant(wish, screen) {
                return until_told(app, events, error);
            }
        }
    }
    Ok(())
}

/// A terminal that cannot be written to is gone, or takes nothing while the program is told to end: which of the two comes as an
/// event, and says how to end.
fn until_told(app: &mut App, events: &Receiver<Event>, error: io::Error) -> io::Result<()> {
    while app.quit().is_none() {
        if let Some(status) = told_to_end() {
            app.end(status);
        } else if let Ok(event) = events.recv_timeout(PATIENCE) {
            app.event(event, Instant::now());
        } else {
            return Err(error);
        }
    }
    Ok(())
}

/// How long what is waiting is handled before the next frame is looked after.
const BURST: Duration = Duration::from_millis(30);

/// Handles what is waiting, so that a burst of keys, or of sizes while a window is dragged, costs one frame, and a very long one a
/// few. To be told to end overtakes them all.
fn drain(app: &mut App, events: &Receiver<Event>, pings: &Receiver<JobId>) {
    let until = Instant::now() + BURST;
    while app.quit().is_none() && told_to_end().is_none() && Instant::now() < until {
        let Ok(event) = events.try_recv() else { break };
        app.event(event, Instant::now());
    }
    for job in pings.try_iter() {
        app.news(job, Instant::now());
    }
    if let Some(status) = told_to_end() {
        app.end(status);
    }
}

fn grant(wish: Wish, screen: &mut Screen) -> io::Result<()> {
    match wish {
        Wish::Redraw => {
            screen.redraw();
            Ok(())
        }
        Wish::Suspend => screen.suspend().map(|_| ()),
        Wish::Resume => screen.resume(),
        Wish::Copy(text) => screen.copy(&text),
    }
}
