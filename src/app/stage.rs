//! A test harness: the app without a terminal. Keys go in, screens come out, and the test sets the clock. `queries` returns
//! parts of the screen, `pictures` whole screens.

mod pictures;
pub mod queries;

pub use pictures::{Frame, moving, svg};

use mancalab_base::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, unbounded};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

use super::App;
use super::theme_catalog::ThemeCatalog;
use super::work::Owner;
use crate::app::tab::Tab;
use crate::config::Config;
use crate::job::JobId;
use crate::paths::Paths;
use crate::player::offers::Opponent;
use crate::pool::Pool;
use crate::rights::Limits;
use crate::tabs::board::{Settings, Setup};
use crate::tabs::{self, TabSettings};
use crate::term::{Chord, Event};
use crate::theme::{ColorDepth, Glyphs, Role, Shade, Theme, lighter};
use crate::ui::Look;

pub struct Stage {
    pub app: App,
    pings: Receiver<JobId>,
    now: Instant,
}

/// Maximum time to wait for anything; only what never comes takes it.
const PATIENCE: Duration = Duration::from_secs(300);

/// The sizes in which every screen is tested.
pub const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (40, 12)];

/// Limits of a guest for tests: small searches, few and small files.
pub fn limits() -> Limits {
    Limits {
        depth: 4,
        iterations: 100,
        seconds: 1,
        analysis_seconds: 1,
        table_mb: 1,
        saves: 3,
        save_kb: 4,
        paste_kb: 4,
        minutes: 60,
    }
}

/// Settings for tests: small searches, nothing that depends on the machine.
pub fn config() -> Config {
    let mut config = Config::default();
    config.search.analysis_depth = 6;
    config.search.solve = false;
    config.review.solve = 0;
    config.search.analysis_iterations = 2000;
    config.search.table_mb = 1;
    config.board.animation = 0.0;
    config
}

/// The same, with this game on the Board.
pub fn config_of(game: &str) -> Config {
    let mut config = config();
    config.board.game = game.parse().expect("a game");
    config
}

/// The same, with these lines of its section `[keys]`.
pub fn config_with_keys(keys: &str) -> Config {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), format!("[keys]\n{keys}\n")).expect("a written file");
    let read = Config::check_file(file.path(), &Paths::default()).expect("keys");
    Config { keys: read.keys, ..config() }
}

pub fn look() -> Look {
    Look::new(Theme::usual(ColorDepth::True), Glyphs::unicode())
}

/// The built-in themes in all their colours.
struct Built;

impl ThemeCatalog for Built {
    fn names(&self) -> Vec<String> {
        Theme::available(&Paths::default())
    }

    fn load(&self, name: &str) -> Result<Look, Error> {
        let theme = Theme::load(name, ColorDepth::True, &Paths::default()).map_err(|report| report.to_string())?;
        Ok(Look::new(theme, Glyphs::unicode()))
    }

    fn suiting(&self, background: Shade) -> Option<Look> {
        self.load(crate::theme::suiting(Some(background), ColorDepth::True)).ok()
    }
}

impl Stage {
    /// Creates the initial state of the program, with a game between these players.
    pub fn new(south: &str, north: &str) -> Stage {
        Stage::with_config(config(), south, north)
    }

    /// The same with another game than Kalah.
    pub fn of_game(game: &str, south: &str, north: &str) -> Stage {
        Stage::with_config(config_of(game), south, north)
    }

    pub fn with_config(config: Config, south: &str, north: &str) -> Stage {
        Stage::in_folder(config, south, north, None)
    }

    /// Like [`new`](Stage::new), with a config and the folder of saved games.
    pub fn in_folder(config: Config, south: &str, north: &str, games: Option<std::path::PathBuf>) -> Stage {
        let players = [south, north].map(|spec| spec.parse().expect("a player"));
        let setup = Setup { seed: Some(1), ..Setup::new(config.board.game, players.map(Opponent::Player)) };
        let board = Settings::new(setup, games);
        Stage::with_tabs(config, tabs::all(TabSettings::new(board, &Paths::default())))
    }

    pub fn with_tabs(config: Config, tabs: Vec<Box<dyn Tab>>) -> Stage {
        Stage::with_paths(config, tabs, Paths::default())
    }

    /// Like [`with_tabs`](Stage::with_tabs), for a session with these directories and rights.
    pub fn with_paths(config: Config, tabs: Vec<Box<dyn Tab>>, paths: Paths) -> Stage {
        let (sender, pings) = unbounded();
        let mut app = App::new(config, look(), Arc::new(Built), tabs, Pool::default(), paths, sender)
            .expect("no bindings of its own");
        let now = Instant::now();
        app.open(now);
        Stage { app, pings, now }
    }

    /// Returns the app and its job channel, for tests that drive them directly.
    pub fn parts(&mut self) -> (&mut App, &Receiver<JobId>) {
        (&mut self.app, &self.pings)
    }

    pub fn set_look(&mut self, look: Look) {
        self.app.appearance.look = look;
    }

    /// Presses keys, named as in the config and separated by blanks, and waits for the jobs that they start.
    pub fn keys(&mut self, keys: &str) -> &mut Stage {
        for key in keys.split_whitespace() {
            self.press(key);
            self.wait();
        }
        self
    }

    /// Presses one key without waiting for the jobs it starts; waits for background tasks.
    pub fn press(&mut self, key: &str) -> &mut Stage {
        self.type_ahead(key);
        let deadline = Instant::now() + PATIENCE;
        while self.app.jobs.workers.values().any(|(owner, _)| !matches!(owner, Owner::Tab(_))) {
            let job = self.pings.recv_deadline(deadline).expect("the background tasks end");
            self.app.news(job, self.now);
        }
        self
    }

    /// Presses keys without waiting for anything.
    pub fn type_ahead(&mut self, keys: &str) -> &mut Stage {
        for key in keys.split_whitespace() {
            let chord: Chord = key.parse().unwrap_or_else(|error| panic!("{key}: {error}"));
            self.app.event(Event::Key(KeyEvent::new(chord.code(), chord.modifiers())), self.now);
        }
        self
    }

    /// Types literal text.
    pub fn text(&mut self, text: &str) -> &mut Stage {
        for c in text.chars() {
            self.app.event(Event::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::NONE)), self.now);
        }
        self
    }

    pub fn paste(&mut self, text: &str) -> &mut Stage {
        self.app.event(Event::Paste(text.to_owned()), self.now);
        self.wait();
        self
    }

    /// Clicks on the first occurrence of `text` on an 80×24 screen.
    pub fn click(&mut self, text: &str) -> &mut Stage {
        let screen = self.screen(80, 24);
        let (row, line) = screen.lines().enumerate().find(|(_, line)| line.contains(text)).expect("the text on screen");
        let column = line[..line.find(text).unwrap_or(0)].chars().count() as u16;
        self.click_at(column, row as u16)
    }

    /// Clicks on a cell of the last drawn screen.
    pub fn click_at(&mut self, column: u16, row: u16) -> &mut Stage {
        let kind = MouseEventKind::Down(MouseButton::Left);
        let mouse = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
        self.app.event(Event::Mouse(mouse), self.now);
        self.wait();
        self
    }

    /// Advances the clock.
    pub fn pass(&mut self, time: Duration) -> &mut Stage {
        self.now += time;
        self.app.tick(self.now);
        self.wait();
        self
    }

    /// Handles queued progress events, without waiting.
    pub fn news(&mut self) {
        for job in self.pings.try_iter() {
            self.app.news(job, self.now);
        }
    }

    /// Waits until `text` is on a 120×40 screen, while jobs run.
    #[track_caller]
    pub fn until(&mut self, text: &str) {
        self.wait_until(text, |stage| stage.shows(text));
    }

    /// Waits until this is so, while jobs run; `what` says what does not come.
    #[track_caller]
    pub fn wait_until(&mut self, what: &str, is_so: impl Fn(&mut Stage) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        self.news();
        while !is_so(self) {
            assert!(Instant::now() < deadline, "'{what}' does not come:\n{}", self.screen(120, 40));
            if let Ok(job) = self.pings.recv_timeout(Duration::from_millis(5)) {
                self.app.news(job, self.now);
            }
            self.news();
        }
    }

    /// Returns the number of running jobs.
    pub fn jobs(&self) -> usize {
        self.app.jobs.workers.len()
    }

    /// Waits until all jobs have ended and handles what is due then.
    pub fn wait(&mut self) {
        let deadline = Instant::now() + PATIENCE;
        while !self.app.jobs.workers.is_empty() {
            let job = self.pings.recv_deadline(deadline).expect("the jobs end");
            self.app.news(job, self.now);
            self.app.tick(self.now);
        }
        self.app.tick(self.now);
    }

    /// Presses keys, each of which must move the terminal's cursor on an 80×24 screen to another selected cell.
    #[track_caller]
    pub fn cursor_follows(&mut self, keys: &str) {
        for key in keys.split_whitespace() {
            let (before, _) = self.cursor(80, 24);
            self.keys(key);
            let (at, _) = self.cursor(80, 24);
            let screen = self.screen(80, 24);
            assert_ne!(at, before, "{key} left the cursor where it was:\n{screen}");
            let cell = self.buffer(80, 24)[at].clone();
            let selection = look().style(Role::Selection).bg;
            let grounds = [Role::Felt, Role::SquareDark].map(|role| look().style(role).bg.and_then(lighter));
            assert!(
                [selection, grounds[0], grounds[1]].contains(&Some(cell.bg)),
                "after {key}, '{}' at {at:?} is not selected:\n{screen}",
                cell.symbol()
            );
        }
    }

    /// Returns the place of the terminal's cursor on a screen of this size, and whether it is shown.
    pub fn cursor(&mut self, width: u16, height: u16) -> ((u16, u16), bool) {
        self.buffer(width, height);
        let cursor = self.app.cursor();
        let at = cursor.position.expect("a place of the cursor");
        assert!(at.x < width && at.y < height, "{at:?}");
        ((at.x, at.y), cursor.is_shown)
    }

    pub fn buffer(&mut self, width: u16, height: u16) -> Buffer {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a test terminal");
        terminal.draw(|frame| self.app.draw(frame, self.now)).expect("a test frame");
        terminal.backend().buffer().clone()
    }
}
