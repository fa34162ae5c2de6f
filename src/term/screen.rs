//! The screen while the program has it.

use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::clipboard::CopyToClipboard;
use ratatui::backend::{Backend, ClearType, CrosstermBackend};
use ratatui::layout::{Rect, Size};
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};
use rustix::process::{Signal, getpgrp, getsid, kill_current_process_group};

use super::display::Display;
use super::{Notify, modes, notify, writer::FrameWriter};

/// What to ask of the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Have clicks and the wheel reported; without it they stay with the terminal, for selecting text.
    pub mouse: bool,
}

/// The terminal in raw mode, on its alternate screen. There is one at a time, on the thread that draws; dropping it leaves.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<FrameWriter<Tty>>>,
    writer: FrameWriter<Tty>,
    /// What is drawn on: the terminal, or the corner of it that [`LARGEST`] allows.
    area: Rect,
    /// What is on the screen is not known: the next frame starts from nothing.
    repaint: bool,
}

/// Columns and rows that are drawn on at most; of a terminal that says it is larger, as a broken one may, the rest stays empty.
const LARGEST: (u16, u16) = (1000, 500);

fn drawn_on(size: Size) -> Rect {
    Rect::new(0, 0, size.width.min(LARGEST.0), size.height.min(LARGEST.1))
}

/// The terminal as a descriptor.
struct Tty(OwnedFd);

impl Write for Tty {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        modes::write_all(self.0.as_fd(), bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The program has stopped itself and has not been continued yet; cleared by the thread that gets SIGCONT.
pub(super) static STOPPED: AtomicBool = AtomicBool::new(false);

impl Screen {
    /// Takes over the terminal.
    ///
    /// # Errors
    /// stdout is closed, or the terminal refuses; nothing is left behind then.
    pub fn enter(options: Options) -> io::Result<Screen> {
        // Left to itself crossterm obeys NO_COLOR by writing empty colours, which terminals read as "reset": bold and
        // reverse would be lost. Which colours there are is the theme's business.
        crossterm::style::force_color_output(true);
        let writer = FrameWriter::new(Tty(modes::own_tty()?));
        modes::enter(options.mouse)?;
        let begin = || {
            let backend = CrosstermBackend::new(writer.clone());
            let area = drawn_on(backend.size()?);
            let options = TerminalOptions { viewport: Viewport::Fixed(area) };
            Terminal::with_options(backend, options).map(|terminal| (terminal, area))
        };
        match begin() {
            Ok((terminal, area)) => Ok(Screen { terminal, writer, area, repaint: true }),
            Err(err) => {
                modes::leave();
                Err(err)
            }
        }
    }

    /// Draws a frame: one write(2) of what has changed since the last, none if nothing has.
    ///
    /// # Errors
    /// The terminal cannot be written to; it is usually gone, and [`Event::HangUp`](super::Event::HangUp) on its way.
    pub fn draw(&mut self, render: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        self.writer.begin();
        let area = drawn_on(self.terminal.size()?);
        if area != self.area {
            self.terminal.resize(area)?;
            (self.area, self.repaint) = (area, true);
        }
        if std::mem::take(&mut self.repaint) {
            // `Terminal::clear` would ask the terminal where its cursor is, and wait for an answer that the input thread eats.
            // Swapping blanks the buffer of the last frame; twice, both.
            self.terminal.swap_buffers();
            self.terminal.swap_buffers();
            self.terminal.backend_mut().clear_region(ClearType::All)?;
        }
        let drawn = self.terminal.draw(render).map(|_| ());
        drawn.and(self.writer.end())
    }

    /// Forgets what is on the screen, so that the next frame is drawn from nothing.
    pub fn redraw(&mut self) {
        self.repaint = true;
    }

    /// Hands the terminal back, stops the program as Ctrl-Z does, and takes the terminal over again when it is continued.
    /// False without doing anything if nobody is there to continue it (no shell with job control): it would hang forever.
    ///
    /// # Errors
    /// The terminal cannot be taken over again.
    pub fn suspend(&mut self) -> io::Result<bool> {
        // Shells with job control give each job a process group of its own; a group that is still the session's has no such
        // parent. The kernel spares those SIGTSTP, but not the SIGSTOP used here because SIGTSTP is caught.
        if getsid(None).is_ok_and(|session| session == getpgrp()) {
            return Ok(false);
        }
        self.leave();
        STOPPED.store(true, Ordering::SeqCst);
        // The whole group, as the terminal itself does it: a script around the program has to stop as well.
        let stopped = kill_current_process_group(Signal::STOP);
        // The signal may reach another thread first. This one must not go on to take the terminal back meanwhile.
        for _ in 0..100 {
            if !STOPPED.load(Ordering::SeqCst) {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        self.resume()?;
        Ok(stopped.is_ok())
    }

    /// Takes the terminal over again after somebody else had it: on [`Signal::Continue`](super::Signal::Continue), or after a
    /// program that was run in between.
    ///
    /// # Errors
    /// The terminal refuses.
    pub fn resume(&mut self) -> io::Result<()> {
        self.writer.close(false);
        self.redraw();
        modes::enter_again()
    }

    /// Hands `text` to the terminal's clipboard (OSC 52). Terminals may ignore it, and none says whether it did.
    ///
    /// # Errors
    /// The terminal cannot be written to.
    pub fn copy(&mut self, text: &str) -> io::Result<()> {
        self.writer.begin();
        let queued = crossterm::queue!(self.terminal.backend_mut(), CopyToClipboard::to_clipboard_from(text));
        queued.and(self.writer.end())
    }

    /// Names the terminal's window, unless it is one that would print the name.
    ///
    /// # Errors
    /// The terminal cannot be written to.
    pub fn title(&mut self, text: &str) -> io::Result<()> {
        if modes::has_title() { self.send(&notify::title(text)) } else { Ok(()) }
    }

    /// Calls the person, in this way.
    ///
    /// # Errors
    /// The terminal cannot be written to.
    pub fn announce(&mut self, how: Notify, text: &str) -> io::Result<()> {
        // Those that would print a title would print this.
        let how = if modes::has_title() || how == Notify::Off { how } else { Notify::Bell };
        self.send(&how.bytes(text, std::env::var_os("TMUX").is_some()))
    }

    /// Sends what draws nothing.
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.writer.begin();
        let queued = self.terminal.backend_mut().write_all(bytes);
        queued.and(self.writer.end())
    }

    /// Leaves the terminal as it was found. Does nothing the second time; never blocks for long, and errors are swallowed:
    /// the terminal may be gone.
    pub fn leave(&mut self) {
        self.writer.close(true);
        modes::leave();
    }
}

impl Display for Screen {
    fn draw(&mut self, render: &mut dyn FnMut(&mut Frame<'_>)) -> io::Result<()> {
        Screen::draw(self, render)
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
