//! Two sessions in one process: each with its own pseudo-terminal, config, game and folders, sharing one thread pool.

use mancalab_base::Error;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Sender, unbounded};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use mancalab::app::theme_catalog::ThemeCatalog;
use mancalab::app::{App, run};
use mancalab::config::Config;
use mancalab::game::notation;
use mancalab::paths::Paths;
use mancalab::pool::Pool;
use mancalab::tabs::board::{Settings, Setup};
use mancalab::tabs::{self, TabSettings};
use mancalab::term::{Cursor, Display, Event, Events};
use mancalab::theme::{ColorDepth, Glyphs, Theme};
use mancalab::ui::Look;
use portable_pty::{MasterPty, PtySize, native_pty_system};
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};
use rustix::fs::{Mode, OFlags};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

/// Timeout of a wait, generous for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

const SIZE: (u16, u16) = (80, 24);

/// A terminal line other than the process's own, as a display.
struct Line {
    terminal: Terminal<CrosstermBackend<File>>,
    tty: File,
    before: Termios,
}

impl Line {
    fn enter(tty: &File) -> io::Result<Line> {
        let before = tcgetattr(tty.as_fd())?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(tty.as_fd(), OptionalActions::Now, &raw)?;
        let mut tty = tty.try_clone()?;
        tty.write_all(b"\x1b[?1049h")?;
        let options = TerminalOptions { viewport: Viewport::Fixed(Rect::new(0, 0, SIZE.0, SIZE.1)) };
        let terminal = Terminal::with_options(CrosstermBackend::new(tty.try_clone()?), options)?;
        Ok(Line { terminal, tty, before })
    }
}

impl Display for Line {
    fn draw(&mut self, render: &mut dyn FnMut(&mut Frame<'_>) -> Cursor) -> io::Result<()> {
        self.terminal.draw(|frame| _ = render(frame)).map(|_| ())
    }

    fn redraw(&mut self) {
        self.terminal.swap_buffers();
    }

    fn copy(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn suspend(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn resume(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        // The other end may be closed.
        let _ = self.tty.write_all(b"\x1b[?1049l");
        let _ = tcsetattr(self.tty.as_fd(), OptionalActions::Now, &self.before);
    }
}

/// Sends the keys typed on a line, letter by letter, while it is open.
fn hear(mut tty: File, sender: &Sender<Event>) {
    let mut bytes = [0; 64];
    loop {
        match tty.read(&mut bytes) {
            Ok(count) if count > 0 => {
                for &byte in &bytes[..count] {
                    let code = if byte == b'\r' { KeyCode::Enter } else { KeyCode::Char(byte.into()) };
                    let _ = sender.send(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
                }
            }
            _ => return,
        }
    }
}

fn look() -> Look {
    Look::new(Theme::usual(ColorDepth::None), Glyphs::ascii())
}

/// The only theme here.
struct Plain;

impl ThemeCatalog for Plain {
    fn names(&self) -> Vec<String> {
        vec!["mono".to_owned()]
    }

    fn load(&self, _: &str) -> Result<Look, Error> {
        Ok(look())
    }
}

/// Runs an app on this line with its folders in `home`; returns its exit status and what it could not save.
fn session(tty: &File, events: &Events, home: &Path, pool: Pool) -> (Option<u8>, Vec<String>) {
    let paths = Paths::within(home);
    let config = Config::load(&paths, None).unwrap();
    let board = Settings::new(Setup::from_config(&config.board), paths.games());
    let (job_done, pings) = unbounded();
    let tabs = tabs::all(TabSettings::new(board, &paths));
    let mut app = App::new(config, look(), Arc::new(Plain), tabs, pool, paths, job_done).unwrap();
    let mut line = Line::enter(tty).unwrap();
    run::run(&mut app, &mut line, events, &pings).unwrap();
    let unsaved = app.leave(|time| events.ending.give_grace(time));
    (app.quit(), unsaved)
}

/// A user at a terminal.
struct Person {
    /// Keeps the line open.
    _master: Box<dyn MasterPty + Send>,
    typing: Box<dyn Write + Send>,
    screen: Arc<Mutex<vt100::Parser>>,
    /// Reports the line's end to the app.
    sender: Sender<Event>,
    events: Events,
    session: JoinHandle<(Option<u8>, Vec<String>)>,
    tty: File,
    before: String,
    home: tempfile::TempDir,
}

impl Person {
    fn sit_down(config: &str, pool: &Pool) -> Person {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir_all(home.path().join("config")).unwrap();
        fs::write(home.path().join("config/config.toml"), config).unwrap();
        let size = PtySize { rows: SIZE.1, cols: SIZE.0, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let name = pair.master.tty_name().unwrap();
        let tty = File::from(rustix::fs::open(&name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap());
        let before = format!("{:?}", tcgetattr(tty.as_fd()).unwrap());
        let screen =
            Arc::new(Mutex::new(vt100::Parser::new(SIZE.1.try_into().unwrap(), SIZE.0.try_into().unwrap(), 0)));
        let mut reader = pair.master.try_clone_reader().unwrap();
        let shown = Arc::clone(&screen);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                shown.lock().unwrap().process(&bytes[..count]);
            }
        });
        let (sender, receiver) = unbounded();
        let events = Events::new(receiver);
        let from = tty.try_clone().unwrap();
        let heard = sender.clone();
        std::thread::spawn(move || hear(from, &heard));
        let line = tty.try_clone().unwrap();
        let text = events.clone();
        let folder = home.path().to_owned();
        let pool = pool.clone();
        let session = std::thread::spawn(move || session(&line, &text, &folder, pool));
        let typing = pair.master.take_writer().unwrap();
        Person { _master: pair.master, typing, screen, sender, events, session, tty, before, home }
    }

    fn types(&mut self, keys: &str) {
        self.typing.write_all(keys.as_bytes()).unwrap();
    }

    /// Ends the session as a cut line does.
    fn hangs_up(&self) {
        self.events.ending.send(129);
        self.sender.send(Event::HangUp).unwrap();
    }

    fn sees(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    #[track_caller]
    fn until(&self, what: &str, fits: impl Fn(&str) -> bool) {
        let began = Instant::now();
        while !fits(&self.sees()) {
            assert!(began.elapsed() < PATIENCE, "timeout: {what}:\n{}", self.sees());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Checks that the line is restored and returns the saved game's variant and number of moves.
    fn left(self, status: u8) -> (String, usize) {
        let Person { session, tty, before, home, .. } = self;
        assert_eq!(session.join().unwrap(), (Some(status), vec![]));
        assert_eq!(format!("{:?}", tcgetattr(tty.as_fd()).unwrap()), before);
        let kept = fs::read_to_string(home.path().join("state/games/last.game")).unwrap();
        let record = notation::read(&kept).unwrap();
        assert!(fs::read_dir(home.path().join("state/games")).unwrap().count() <= 2);
        (record.variant.to_string(), record.line().len())
    }
}

/// A game against a player that thinks in the pool with a time limit.
fn config(game: &str) -> String {
    format!("[ui]\nmouse = false\n[board]\ngame = \"{game}\"\nnorth = \"mcts:ms=60\"\nanimation = 0\n")
}

/// Returns whether it is South's turn and the frame that shows so is complete: frames are drawn from the top, and a
/// partial one has North's new line and the rest of the frame before.
fn is_souths_turn(screen: &str) -> bool {
    let footer = screen.trim_end().lines().last().unwrap_or_default();
    // While North is to move, the footer offers a pause.
    let is_drawn = !screen.contains("thinking") && footer.contains(" sow ") && !footer.contains("pause");
    is_drawn && screen.lines().any(|line| line.contains("South") && line.contains("to move"))
}

#[test]
fn two_people_play_side_by_side_and_each_leaves_alone() {
    let pool = Pool::new(2);
    let mut one = Person::sit_down(&config("kalah:6x4"), &pool);
    let mut other = Person::sit_down(&config("kalah:4x3"), &pool);
    // Separate games: a new one replaces the default one once it is set up.
    for (person, game) in [(&one, "6x4"), (&other, "4x3")] {
        person.until("the board", |screen| is_souths_turn(screen) && screen.contains(game));
    }
    assert!(one.sees().contains("6x4") && !one.sees().contains("4x3"), "{}", one.sees());
    assert!(other.sees().contains("4x3") && !other.sees().contains("6x4"), "{}", other.sees());

    // Both use the pool at the same time; neither moves in the other's game.
    one.types("a");
    other.types("a");
    // Only a game with moves is not saved; before the move the turn is South's, too.
    let is_answered = |screen: &str| screen.contains("not saved") && is_souths_turn(screen);
    one.until("North's answer", is_answered);
    other.until("North's answer", is_answered);
    let seen = other.sees();
    one.types("?");
    one.until("the help", |screen| screen.contains("Marks on the board"));
    assert_eq!(other.sees(), seen);

    // One of them quits; the other plays on.
    one.types("?q");
    let (game, moves) = one.left(0);
    assert_eq!(game, "kalah:6x4:standard");
    assert!(moves >= 2, "{moves}");
    let before = other.sees();
    // Any of its pits that is not empty.
    other.types("bcd");
    other.until("an answer to another move", |screen| screen != before && is_souths_turn(screen));
    other.hangs_up();
    let (game, more) = other.left(129);
    assert_eq!(game, "kalah:4x3:standard");
    assert!(more >= 3, "{more}");
}
