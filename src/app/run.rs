//! The event loop of one session: waits for the terminal, the jobs and the clock, and draws when something has changed.
//!
//! The loop does no computation, so that keys are handled within a frame under any load. Without a deadline it sleeps until the
//! next event, so that idling costs nothing.

use std::io;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, at, never, select};

use super::{App, TerminalRequest};
use crate::job::JobId;
use crate::term::{Display, Event, Events, Report};

/// Time to wait for the event that explains a failed write to the terminal.
const PATIENCE: Duration = Duration::from_secs(1);

/// Runs the app on this display until it quits. A process may run several, each on its own thread.
///
/// # Errors
/// The terminal cannot be written to, and no event reports that it is gone or that the program is to end.
pub fn run(app: &mut App, display: &mut dyn Display, events: &Events, pings: &Receiver<JobId>) -> io::Result<()> {
    app.open(Instant::now());
    while app.quit().is_none() {
        let now = Instant::now();
        let busy = display.busy_until(now);
        if busy.is_none()
            && let Err(error) = show(app, display, now)
        {
            return until_told(app, events, error);
        }
        let alarm = app.next_wake(busy).map_or_else(never, at);
        select! {
            recv(events.receiver) -> event => match event {
                Ok(event) => handle(app, display, event),
                // Without the input threads no event can end the program.
                Err(_) => return Err(io::Error::other("the terminal sends no more input")),
            },
            recv(pings) -> job => app.news(job.map_err(io::Error::other)?, Instant::now()),
            recv(alarm) -> _ => {}
        }
        drain(app, display, events, pings);
        app.tick(Instant::now());
        for request in app.take_requests() {
            if request == TerminalRequest::Suspend {
                await_reports(app, display, events);
            }
            if let Err(error) = grant(request, display) {
                return until_told(app, events, error);
            }
        }
    }
    await_reports(app, display, events);
    Ok(())
}

/// Draws a frame if one is due, and sets the title if it has changed.
fn show(app: &mut App, display: &mut dyn Display, now: Instant) -> io::Result<()> {
    if app.is_draw_due(now) {
        app.spare_bytes(display.spares_bytes());
        display.draw(&mut |frame| {
            app.draw(frame, now);
            app.cursor()
        })?;
    }
    app.new_heading().map_or(Ok(()), |heading| display.title(&heading))
}

/// Passes an event to the app, except a report on the display to the display.
fn handle(app: &mut App, display: &mut dyn Display, event: Event) {
    let now = Instant::now();
    match event {
        Event::Report(Report::Drawn) => {
            if let Some(is_slow) = display.measure(now) {
                app.take_line_speed(is_slow, now);
            }
        }
        Event::Report(Report::Repeats) => display.repeat(),
        event => app.event(event, now),
    }
}

/// Waits for the reports that the terminal owes, which the shell would take for typing. A request to end does not wait.
fn await_reports(app: &mut App, display: &mut dyn Display, events: &Events) {
    while events.ending.requested().is_none()
        && let Some(until) = display.busy_until(Instant::now()).filter(|_| display.has_open_requests())
        && let Ok(event) = events.receiver.recv_deadline(until)
    {
        // What is typed behind the key that quits is for nobody.
        if app.quit().is_none() || event == Event::Report(Report::Drawn) {
            handle(app, display, event);
        }
    }
}

/// Waits for the event that explains a failed write: the terminal is gone, or the program is to end while the terminal accepts no
/// output. Either event determines the exit status.
fn until_told(app: &mut App, events: &Events, error: io::Error) -> io::Result<()> {
    while app.quit().is_none() {
        if let Some(status) = events.ending.requested() {
            app.end(status);
        } else if let Ok(event) = events.receiver.recv_timeout(PATIENCE) {
            app.event(event, Instant::now());
        } else {
            return Err(error);
        }
    }
    Ok(())
}

/// Maximum time for handling queued events before the next frame is considered.
const BURST: Duration = Duration::from_millis(30);

/// Handles queued events, so that a burst of keys, or of sizes during a window resize, costs one frame, and a very long one a few.
/// A request to end overtakes them.
fn drain(app: &mut App, display: &mut dyn Display, events: &Events, pings: &Receiver<JobId>) {
    let until = Instant::now() + BURST;
    while app.quit().is_none() && events.ending.requested().is_none() && Instant::now() < until {
        let Ok(event) = events.receiver.try_recv() else { break };
        handle(app, display, event);
    }
    for job in pings.try_iter() {
        app.news(job, Instant::now());
    }
    if let Some(status) = events.ending.requested() {
        app.end(status);
    }
}

fn grant(request: TerminalRequest, display: &mut dyn Display) -> io::Result<()> {
    match request {
        TerminalRequest::Redraw => {
            display.redraw();
            Ok(())
        }
        TerminalRequest::Suspend => display.suspend(),
        TerminalRequest::Resume => display.resume(),
        TerminalRequest::Copy(text) => display.copy(&text),
        TerminalRequest::Announce(how, text) => display.announce(how, &text),
    }
}

#[cfg(test)]
mod tests {
    use crossbeam_channel::{Sender, unbounded};
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
    use ratatui::backend::TestBackend;
    use ratatui::{Frame, Terminal};

    use super::*;
    use crate::app::stage::Stage;
    use crate::term::{Cursor, Event, Notify, Signal};

    /// A display in memory that records requests and fails after a number of frames.
    struct Canvas {
        terminal: Terminal<TestBackend>,
        asked: Vec<String>,
        titles: Vec<String>,
        frames_left: u32,
    }

    impl Canvas {
        fn new(frames: u32) -> Canvas {
            let terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
            Canvas { terminal, asked: Vec::new(), titles: Vec::new(), frames_left: frames }
        }

        fn shows(&self, text: &str) -> bool {
            let symbols = self.terminal.backend().buffer().content().iter().map(ratatui::buffer::Cell::symbol);
            symbols.collect::<String>().contains(text)
        }
    }

    impl Display for Canvas {
        fn draw(&mut self, render: &mut dyn FnMut(&mut Frame<'_>) -> Cursor) -> io::Result<()> {
            self.frames_left = self.frames_left.checked_sub(1).ok_or_else(|| io::Error::other("torn"))?;
            self.terminal.draw(|frame| _ = render(frame)).map(|_| ()).map_err(io::Error::other)
        }

        fn redraw(&mut self) {
            self.asked.push("redraw".into());
        }

        fn copy(&mut self, text: &str) -> io::Result<()> {
            self.asked.push(if text.is_empty() { "copy nothing" } else { "copy" }.into());
            Ok(())
        }

        fn title(&mut self, text: &str) -> io::Result<()> {
            self.titles.push(text.to_owned());
            Ok(())
        }

        fn announce(&mut self, _: Notify, text: &str) -> io::Result<()> {
            self.asked.push(text.to_owned());
            Ok(())
        }

        fn suspend(&mut self) -> io::Result<()> {
            self.asked.push("suspend".into());
            Ok(())
        }

        fn resume(&mut self) -> io::Result<()> {
            self.asked.push("resume".into());
            Ok(())
        }
    }

    fn typed(sender: &Sender<Event>, keys: &str) {
        keys.chars().for_each(|key| {
            sender.send(Event::Key(KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE))).unwrap();
        });
    }

    fn stage() -> (Stage, Events, Sender<Event>) {
        let (sender, receiver) = unbounded();
        (Stage::new("human", "human"), Events::new(receiver), sender)
    }

    #[test]
    fn the_loop_draws_on_any_display_and_asks_it_for_what_the_app_wishes() {
        let (mut stage, events, sender) = stage();
        let mut canvas = Canvas::new(1000);
        let end = sender.clone();
        let asking = std::thread::spawn(move || {
            typed(&sender, "ay");
            sender.send(Event::Resize(80, 24)).unwrap();
            sender.send(Event::Signal(Signal::Suspend)).unwrap();
            sender.send(Event::Signal(Signal::Continue)).unwrap();
            std::thread::sleep(Duration::from_millis(300));
            end.send(Event::Signal(Signal::Terminate(15))).unwrap();
        });
        let (app, pings) = stage.parts();
        run(app, &mut canvas, &events, pings).unwrap();
        asking.join().unwrap();
        assert_eq!(app.quit(), Some(143));
        assert_eq!(canvas.asked, ["copy", "redraw", "suspend", "resume"]);
        // Set once, because it does not change, and again after another program used the terminal.
        canvas.titles.dedup();
        assert_eq!(canvas.titles, ["Board: Kalah 6×4 - mancalab"]);
        assert!(canvas.shows("North  human · to move"), "{}", canvas.terminal.backend());
    }

    #[test]
    fn to_be_reported_to_end_overtakes_what_was_typed() {
        let (mut stage, events, sender) = stage();
        typed(&sender, &"?".repeat(100_000));
        events.ending.send(129);
        events.ending.send(143);
        let (app, pings) = stage.parts();
        let began = Instant::now();
        run(app, &mut Canvas::new(1000), &events, pings).unwrap();
        assert_eq!(app.quit(), Some(129));
        assert!(began.elapsed() < PATIENCE && events.receiver.len() > 90_000);
    }

    #[test]
    fn a_display_that_is_torn_ends_the_loop_by_what_is_printed_of_it_or_by_its_own_error() {
        let (mut stage, events, sender) = stage();
        sender.send(Event::HangUp).unwrap();
        let (app, pings) = stage.parts();
        run(app, &mut Canvas::new(0), &events, pings).unwrap();
        assert_eq!(app.quit(), Some(129));
        let (mut stage, events, _sender) = self::stage();
        let (app, pings) = stage.parts();
        let error = run(app, &mut Canvas::new(0), &events, pings).unwrap_err();
        assert_eq!((error.to_string().as_str(), app.quit()), ("torn", None));
    }
}
