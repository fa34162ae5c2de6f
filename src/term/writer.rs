//! The frame writer: a frame is sent in one write, or not at all if it contains no change.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::time::Instant;

use crossterm::cursor::{MoveTo, Show};
use crossterm::queue;
use ratatui::backend::Backend;
use ratatui::layout::Position;

use super::Cursor;
use super::encoder::LeanBackend;
use super::pace::{self, Pace};

/// Terminals with synchronized updates display nothing between the two; the others ignore them.
const BEGIN: &[u8] = b"\x1b[?2026h";
const END: &[u8] = b"\x1b[?2026l";

/// Capacity for a large frame, in bytes.
const CAPACITY: usize = 256 << 10;

/// A handle to the bytes of the current frame. ratatui's backend has one (and flushes it several times per frame), the screen
/// another, which sends the frame.
pub(super) struct FrameWriter<W> {
    shared: Rc<RefCell<WriterState<W>>>,
}

struct WriterState<W> {
    out: W,
    frame: Vec<u8>,
    /// Within a frame: flushing has no effect.
    holding: bool,
    /// Output is disabled.
    closed: bool,
    /// The bytes that ratatui sends for a frame without changes.
    unchanged: Vec<u8>,
    /// On a line that may be slow.
    pace: Option<Pace>,
    /// The cursor after the last frame.
    cursor: Cursor,
}

impl<W> Clone for FrameWriter<W> {
    fn clone(&self) -> FrameWriter<W> {
        FrameWriter { shared: self.shared.clone() }
    }
}

impl<W: Write> FrameWriter<W> {
    pub(super) fn new(out: W) -> FrameWriter<W> {
        let mut unchanged = Vec::new();
        let mut backend = LeanBackend::new(&mut unchanged);
        let _ = backend.draw(std::iter::empty()).and_then(|()| backend.hide_cursor());
        let frame = Vec::with_capacity(CAPACITY);
        FrameWriter {
            shared: Rc::new(RefCell::new(WriterState {
                out,
                frame,
                holding: false,
                closed: false,
                unchanged,
                pace: None,
                cursor: Cursor::default(),
            })),
        }
    }

    /// Asks the terminal for reports, and [measures](Pace) the line by them.
    pub(super) fn pace(&self) {
        self.shared.borrow_mut().pace = Some(Pace::from_first_frame());
    }

    /// Returns what the reports show; `None`: there are none.
    pub(super) fn paced<T>(&self, of: impl FnOnce(&mut Pace) -> T) -> Option<T> {
        self.shared.borrow_mut().pace.as_mut().map(of)
    }

    /// Starts a frame: everything up to [`end`](FrameWriter::end) is buffered.
    pub(super) fn begin(&self) {
        let mut shared = self.shared.borrow_mut();
        shared.holding = true;
        shared.frame.clear();
        shared.frame.extend_from_slice(BEGIN);
    }

    /// Disables or enables output. When dropped, ratatui's `Terminal` shows the cursor, at a time when another program may use the
    /// terminal or it is gone; and it panics if that fails and stderr is closed too.
    pub(super) fn close(&self, closed: bool) {
        self.shared.borrow_mut().closed = closed;
    }

    /// Sends bytes that draw nothing, such as a title.
    ///
    /// # Errors
    /// Those of the underlying writer.
    pub(super) fn end(&self) -> io::Result<()> {
        let mut shared = self.shared.borrow_mut();
        shared.holding = false;
        shared.frame.extend_from_slice(END);
        shared.send()
    }

    /// Ends a frame of ratatui, which hides the cursor: puts it where it belongs, and sends nothing if that and the cells are as in
    /// the last frame.
    ///
    /// # Errors
    /// Those of the underlying writer.
    pub(super) fn end_frame(&self, cursor: Cursor) -> io::Result<()> {
        let mut shared = self.shared.borrow_mut();
        shared.holding = false;
        if shared.frame[BEGIN.len()..] == shared.unchanged && shared.cursor == cursor {
            shared.frame.clear();
            return Ok(());
        }
        shared.cursor = cursor;
        if let Some(Position { x, y }) = cursor.position {
            queue!(shared.frame, MoveTo(x, y))?;
        }
        if cursor.is_shown {
            queue!(shared.frame, Show)?;
        }
        shared.frame.extend_from_slice(END);
        let bytes = shared.frame.len();
        if shared.pace.as_mut().is_some_and(|pace| pace.count_frame(bytes, Instant::now())) {
            shared.frame.extend_from_slice(pace::STATUS_REQUEST);
        }
        shared.send()
    }
}

impl<W: Write> WriterState<W> {
    fn send(&mut self) -> io::Result<()> {
        let sent = if self.closed { Ok(()) } else { self.out.write_all(&self.frame).and_then(|()| self.out.flush()) };
        self.frame.clear();
        sent
    }
}

impl<W: Write> Write for FrameWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.shared.borrow_mut().frame.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut shared = self.shared.borrow_mut();
        if shared.holding { Ok(()) } else { shared.send() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::{Terminal, TerminalOptions, Viewport};

    /// Records each write.
    #[derive(Clone, Default)]
    struct Writes(Rc<RefCell<Vec<Vec<u8>>>>);

    impl Write for Writes {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().push(bytes.to_vec());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_frame_is_one_write_and_an_unchanged_one_none() {
        let writes = Writes::default();
        let writer = FrameWriter::new(writes.clone());
        let options = TerminalOptions { viewport: Viewport::Fixed(Rect::new(0, 0, 80, 24)) };
        let mut terminal = Terminal::with_options(LeanBackend::new(writer.clone()), options).unwrap();
        let mut draw = |text: &str, at: u16, is_shown: bool| {
            writer.begin();
            terminal.draw(|frame| frame.render_widget(text, frame.area())).unwrap();
            writer.end_frame(Cursor { position: Some((at, 4).into()), is_shown }).unwrap();
        };
        draw("one", 3, false);
        draw("one", 3, false);
        draw("two", 3, false);
        // The cursor alone.
        draw("two", 5, false);
        draw("two", 5, false);
        draw("two", 5, true);
        draw("two", 5, true);
        let writes = writes.0.borrow();
        assert_eq!(writes.len(), 4);
        let ends = |frame: &[u8], text: &str| frame.ends_with(&[text.as_bytes(), END].concat());
        assert!(
            ends(&writes[1], "\x1b[5;4H") && ends(&writes[2], "\x1b[5;6H") && ends(&writes[3], "\x1b[5;6H\x1b[?25h")
        );
        assert!(writes[2].len() <= BEGIN.len() + 40 + END.len(), "{:?}", writes[2]);
        assert!(writes.iter().all(|frame| frame.starts_with(BEGIN) && frame.ends_with(END)));
    }

    #[test]
    fn a_closed_writer_shows_nothing() {
        let writes = Writes::default();
        let mut writer = FrameWriter::new(writes.clone());
        writer.close(true);
        writer.write_all(b"x").and_then(|()| writer.flush()).unwrap();
        writer.close(false);
        writer.write_all(b"y").and_then(|()| writer.flush()).unwrap();
        assert_eq!(*writes.0.borrow(), [b"y"]);
    }
}
