//! The screen of the process's own terminal.

use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossterm::clipboard::CopyToClipboard;
use ratatui::backend::{Backend, ClearType};
use ratatui::layout::{Rect, Size};
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};
use rustix::process::{Signal, getpgrp, getsid, kill_current_process_group};

use super::encoder::LeanBackend;
use super::pace::Pace;
use super::writer::FrameWriter;
use super::{Cursor, Display, Notify, modes};
use crate::pictures::Pictures;
use crate::term;

/// Terminal options.
#[derive(Clone, Debug)]
pub struct Options {
    /// Report clicks and the wheel; otherwise the terminal uses them for selecting text.
    pub mouse: bool,
    /// Ask the terminal for reports behind frames, and wait for them: the line may be slow.
    pub paced: bool,
    /// The terminal repeats a character on request (REP).
    pub repeats: bool,
    /// The pictures that it shows, which widgets share.
    pub pictures: Option<Arc<Pictures>>,
}

/// The terminal in raw mode, on its alternate screen. There is one at a time, on the drawing thread; dropping it restores the
/// terminal.
pub struct Screen {
    terminal: Terminal<LeanBackend<FrameWriter<Tty>>>,
    writer: FrameWriter<Tty>,
    /// The drawing area: the terminal, or its top left corner of size [`LARGEST`].
    area: Rect,
    /// The screen's content is unknown: the next frame is drawn completely.
    repaint: bool,
}

/// Maximum columns and rows of the drawing area, for broken terminals that report a huge size; the rest stays empty.
const LARGEST: (u16, u16) = (1000, 500);

/// Clears the screen, so that the next frame is drawn completely. `Terminal::clear` would query the cursor position and wait for an
/// answer that the input thread consumes.
pub(super) fn clear<W: Write>(terminal: &mut Terminal<LeanBackend<W>>) -> io::Result<()> {
    // Swapping clears the buffer of the last frame; twice clears both.
    terminal.swap_buffers();
    terminal.swap_buffers();
    terminal.backend_mut().clear_region(ClearType::All)
}

fn drawn_on(size: Size) -> Rect {
    Rect::new(0, 0, size.width.min(LARGEST.0), size.height.min(LARGEST.1))
}

/// The terminal's descriptor.
struct Tty(OwnedFd);

impl Write for Tty {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        modes::write_frame(self.0.as_fd(), bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The program has stopped itself and has not been continued yet; cleared by the thread that receives SIGCONT.
pub(super) static STOPPED: AtomicBool = AtomicBool::new(false);

impl Screen {
    /// Takes over the terminal.
    ///
    /// # Errors
    /// stdout is closed, or the terminal refuses; it is restored then.
    pub fn enter(options: Options) -> io::Result<Screen> {
        // By default crossterm obeys NO_COLOR by writing empty colours, which terminals read as "reset": bold and reverse would be
        // lost. The theme decides on colours.
        crossterm::style::force_color_output(true);
        let writer = FrameWriter::new(Tty(modes::own_tty()?));
        if options.paced {
            writer.pace();
        }
        modes::enter(options.mouse)?;
        let begin = || {
            let mut backend = LeanBackend::new(writer.clone());
            if options.repeats {
                backend.repeat(true);
            }
            backend.show(options.pictures);
            let area = drawn_on(backend.size()?);
            let viewport = TerminalOptions { viewport: Viewport::Fixed(area) };
            Terminal::with_options(backend, viewport).map(|terminal| (terminal, area))
        };
        match begin() {
            Ok((terminal, area)) => Ok(Screen { terminal, writer, area, repaint: true }),
            Err(err) => {
                modes::leave();
                Err(err)
            }
        }
    }

    /// Draws a frame with one write(2) of the changes since the last, or none if nothing has changed.
    ///
    /// # Errors
    /// Writing fails; usually the terminal is gone, and [`Event::HangUp`](super::Event::HangUp) follows.
    pub fn draw(&mut self, render: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        self.draw_with(|frame| {
            render(frame);
            Cursor::default()
        })
    }

    /// The same, with the cursor where `render` returns.
    fn draw_with(&mut self, render: impl FnOnce(&mut Frame<'_>) -> Cursor) -> io::Result<()> {
        self.writer.begin();
        let area = drawn_on(self.terminal.size()?);
        if area != self.area {
            self.terminal.resize(area)?;
            (self.area, self.repaint) = (area, true);
        }
        if std::mem::take(&mut self.repaint) {
            self.writer.paced(Pace::forget_requests);
            self.terminal.backend_mut().write_all(&modes::with_redraw())?;
            self.terminal.backend_mut().forget_pictures();
            clear(&mut self.terminal)?;
        }
        let mut cursor = Cursor::default();
        let drawn = self.terminal.draw(|frame| cursor = render(frame)).map(|_| ());
        drawn.and(self.writer.end_frame(cursor))
    }

    /// Discards the knowledge of the screen, so that the next frame is drawn completely, and of the terminal: after `dtach` it may be
    /// another one, which does not repeat characters.
    pub fn redraw(&mut self) {
        self.terminal.backend_mut().repeat(false);
        self.repaint = true;
    }

    /// Restores the terminal, stops the program as Ctrl-Z does, and takes the terminal over again when it is continued. Returns
    /// false without any effect if no shell with job control could continue it: it would hang forever.
    ///
    /// # Errors
    /// The terminal cannot be taken over again.
    pub fn suspend(&mut self) -> io::Result<bool> {
        // Shells with job control give each job its own process group; a group that is the session's own has no such parent. The
        // kernel does not deliver SIGTSTP to those, but would deliver the SIGSTOP used here, because SIGTSTP is caught.
        if getsid(None).is_ok_and(|session| session == getpgrp()) {
            return Ok(false);
        }
        self.leave();
        STOPPED.store(true, Ordering::SeqCst);
        // The whole group, as the terminal does: a script around the program has to stop as well.
        let stopped = kill_current_process_group(Signal::STOP);
        // The signal may reach another thread first. This thread must not take the terminal back meanwhile.
        for _ in 0..100 {
            if !STOPPED.load(Ordering::SeqCst) {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        self.resume()?;
        Ok(stopped.is_ok())
    }

    /// Takes the terminal over again after another program used it: on [`Signal::Continue`](super::Signal::Continue), or after a
    /// program run in between.
    ///
    /// # Errors
    /// The terminal refuses.
    pub fn resume(&mut self) -> io::Result<()> {
        self.writer.close(false);
        self.redraw();
        modes::enter_again()
    }

    /// Copies `text` to the terminal's clipboard (OSC 52). Terminals may ignore it, and none reports whether it did.
    ///
    /// # Errors
    /// Writing to the terminal fails.
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        self.writer.begin();
        let queued = crossterm::queue!(self.terminal.backend_mut(), CopyToClipboard::to_clipboard_from(text));
        queued.and(self.writer.end())
    }

    /// Sets the window's title, unless the terminal would print it.
    ///
    /// # Errors
    /// Writing to the terminal fails.
    pub fn title(&mut self, text: &str) -> io::Result<()> {
        if modes::has_title() { self.send(&term::title(text)) } else { Ok(()) }
    }

    /// Notifies the user by this method.
    ///
    /// # Errors
    /// Writing to the terminal fails.
    pub fn announce(&mut self, how: Notify, text: &str) -> io::Result<()> {
        // Terminals that would print a title would print a notification as well.
        let how = if modes::has_title() || how == Notify::Off { how } else { Notify::Bell };
        self.send(&how.bytes(text, std::env::var_os("TMUX").is_some()))
    }

    /// Sends bytes that draw nothing.
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.writer.begin();
        let queued = self.terminal.backend_mut().write_all(bytes);
        queued.and(self.writer.end())
    }

    /// Restores the terminal. Does nothing on the second call, never blocks for long, and ignores errors, because the terminal may
    /// be gone.
    pub fn leave(&mut self) {
        self.writer.close(true);
        modes::leave();
    }
}

impl Display for Screen {
    fn draw(&mut self, render: &mut dyn FnMut(&mut Frame<'_>) -> Cursor) -> io::Result<()> {
        self.draw_with(render)
    }

    fn busy_until(&self, now: Instant) -> Option<Instant> {
        self.writer.paced(|pace| pace.busy_until(now)).flatten()
    }

    fn measure(&mut self, now: Instant) -> Option<bool> {
        self.writer.paced(|pace| pace.count_answer(now)).flatten()
    }

    fn repeat(&mut self) {
        self.terminal.backend_mut().repeat(true);
    }

    fn has_open_requests(&self) -> bool {
        self.busy_until(Instant::now()).is_some()
    }

    fn spares_bytes(&self) -> bool {
        self.writer.paced(|pace| pace.is_slow()).unwrap_or(false)
    }

    fn redraw(&mut self) {
        Screen::redraw(self);
    }

    fn copy(&mut self, text: &str) -> io::Result<()> {
        Screen::copy(self, text)
    }

    fn title(&mut self, text: &str) -> io::Result<()> {
        Screen::title(self, text)
    }

    fn announce(&mut self, how: Notify, text: &str) -> io::Result<()> {
        Screen::announce(self, how, text)
    }

    fn suspend(&mut self) -> io::Result<()> {
        Screen::suspend(self).map(|_| ())
    }

    fn resume(&mut self) -> io::Result<()> {
        Screen::resume(self)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.leave();
    }
}
