//! The screen of a remote terminal: frames as escape sequences into a sink, which may be busy.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crossterm::clipboard::CopyToClipboard;
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};

use super::encoder::LeanBackend;
use super::pace::Pace;
use super::screen::clear;
use super::writer::FrameWriter;
use super::{Cursor, Display, Notify, modes};
use crate::term;

/// Where the bytes go. One write is one frame.
pub(crate) trait Sink: Write + Clone {
    /// The terminal's columns and rows.
    fn size(&self) -> (u16, u16);

    /// Whether the last frame has been taken. Otherwise the sink wakes the session once it has.
    fn is_ready(&self) -> bool;
}

/// A time that does not come.
const LONG: Duration = Duration::from_secs(3600);

/// A remote terminal on its alternate screen. It never blocks: while the sink is busy, or the terminal has not reported that it drew the
/// frames before, frames are skipped.
pub(crate) struct Remote<S: Sink> {
    terminal: Terminal<LeanBackend<FrameWriter<S>>>,
    writer: FrameWriter<S>,
    sink: S,
    area: Rect,
    repaint: bool,
    mouse: bool,
    /// The terminal's modes are set, with the first frame.
    has_entered: bool,
}

type Screen<S> = Terminal<LeanBackend<FrameWriter<S>>>;

/// ratatui would ask the process's own terminal for the size of any other viewport.
fn terminal<S: Sink>(writer: &FrameWriter<S>, area: Rect) -> io::Result<Screen<S>> {
    Terminal::with_options(LeanBackend::new(writer.clone()), TerminalOptions { viewport: Viewport::Fixed(area) })
}

fn area<S: Sink>(sink: &S) -> Rect {
    let (columns, rows) = sink.size();
    Rect::new(0, 0, columns, rows)
}

impl<S: Sink> Remote<S> {
    /// Takes the terminal over, with the first frame.
    ///
    /// # Errors
    /// Writing fails.
    pub fn enter(sink: S, mouse: bool) -> io::Result<Remote<S>> {
        let writer = FrameWriter::new(sink.clone());
        let area = area(&sink);
        // The sink is ready when the network has the bytes, whose buffers hold many seconds of a slow line.
        writer.pace();
        let terminal = terminal(&writer, area)?;
        Ok(Remote { terminal, writer, sink, area, repaint: true, mouse, has_entered: false })
    }

    /// Restores the terminal and prints a sentence below.
    ///
    /// # Errors
    /// Writing fails.
    pub fn leave(mut self, sentence: &str) -> io::Result<()> {
        self.writer.close(true);
        let sentence = if sentence.is_empty() { String::new() } else { format!("{sentence}\r\n") };
        self.sink.write_all(&[&modes::giving_back(self.mouse), sentence.as_bytes()].concat())
    }

    /// Returns when the next frame may follow without a report.
    fn reported_until(&self, now: Instant) -> Option<Instant> {
        self.writer.paced(|pace| pace.busy_until(now)).flatten()
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.writer.begin();
        let queued = self.terminal.backend_mut().write_all(bytes);
        queued.and(self.writer.end())
    }
}

impl<S: Sink> Display for Remote<S> {
    fn busy_until(&self, now: Instant) -> Option<Instant> {
        // The sink wakes the session before.
        if !self.sink.is_ready() { Some(now + LONG) } else { self.reported_until(now) }
    }

    fn measure(&mut self, now: Instant) -> Option<bool> {
        self.writer.paced(|pace| pace.count_answer(now)).flatten()
    }

    fn has_open_requests(&self) -> bool {
        self.reported_until(Instant::now()).is_some()
    }

    fn spares_bytes(&self) -> bool {
        self.writer.paced(|pace| pace.is_slow()).unwrap_or(false)
    }

    fn draw(&mut self, render: &mut dyn FnMut(&mut Frame<'_>) -> Cursor) -> io::Result<()> {
        if !self.sink.is_ready() {
            return Ok(());
        }
        self.writer.begin();
        let area = area(&self.sink);
        if area != self.area {
            // The old one shows the cursor when it is dropped, which the next frame hides.
            self.terminal = terminal(&self.writer, area)?;
            (self.area, self.repaint) = (area, true);
        }
        if std::mem::take(&mut self.repaint) {
            let has_entered = std::mem::replace(&mut self.has_entered, true);
            let modes = if has_entered { modes::again(self.mouse) } else { modes::taking(self.mouse) };
            self.writer.paced(Pace::forget_requests);
            self.terminal.backend_mut().write_all(&modes)?;
            clear(&mut self.terminal)?;
        }
        let mut cursor = Cursor::default();
        let drawn = self.terminal.draw(|frame| cursor = render(frame)).map(|_| ());
        drawn.and(self.writer.end_frame(cursor))
    }

    fn redraw(&mut self) {
        self.repaint = true;
    }

    fn copy(&mut self, text: &str) -> io::Result<()> {
        self.writer.begin();
        let queued = crossterm::queue!(self.terminal.backend_mut(), CopyToClipboard::to_clipboard_from(text));
        queued.and(self.writer.end())
    }

    fn title(&mut self, text: &str) -> io::Result<()> {
        self.send(&term::title(text))
    }

    fn announce(&mut self, how: Notify, text: &str) -> io::Result<()> {
        self.send(&how.bytes(text, false))
    }

    fn suspend(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn resume(&mut self) -> io::Result<()> {
        self.redraw();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;
    use crate::term::pace::STATUS_REQUEST;

    /// A sink that takes every frame at once.
    #[derive(Clone, Default)]
    struct Line(Rc<RefCell<Vec<u8>>>);

    impl Write for Line {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Sink for Line {
        fn size(&self) -> (u16, u16) {
            (80, 24)
        }

        fn is_ready(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_frame_waits_for_the_report_on_the_one_before() {
        let line = Line::default();
        let mut remote = Remote::enter(line.clone(), false).unwrap();
        let draw = |remote: &mut Remote<Line>, symbol: &str| {
            let text = vec![symbol.repeat(80); 24].join("\n");
            remote.draw(&mut |frame| {
                frame.render_widget(ratatui::text::Text::from(text.as_str()), frame.area());
                Cursor::default()
            })
        };
        draw(&mut remote, "x").unwrap();
        assert!(line.0.borrow().ends_with(STATUS_REQUEST));
        let now = Instant::now();
        assert!(remote.busy_until(now).is_some() && remote.has_open_requests());
        assert_eq!(remote.measure(now), Some(false));
        assert!(remote.busy_until(now).is_none() && !remote.has_open_requests() && !remote.spares_bytes());
        draw(&mut remote, "y").unwrap();
        assert!(remote.busy_until(now).is_some());
        // A client of another size, or a redraw, begins anew.
        remote.redraw();
        draw(&mut remote, "y").unwrap();
        assert_eq!(line.0.borrow().windows(STATUS_REQUEST.len()).filter(|part| *part == STATUS_REQUEST).count(), 3);
    }
}
