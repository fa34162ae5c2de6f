//! A session: an app of its own on a client's terminal, on a thread of its own.

use std::net::SocketAddr;
use std::sync::Arc;

use crossbeam_channel::unbounded;
use mancalab_base::Error;

use super::Server;
use super::link::SessionLink;
use super::lobby::{Entry, Exit, Link, Visitor};
use super::outbox::Outbox;
use super::tab::LobbyTab;
use crate::app::tab::Tab;
use crate::app::theme_catalog::ThemeFiles;
use crate::app::{App, run};
use crate::config::Config;
use crate::paths::Paths;
use crate::rights::{Limits, Rights};
use crate::tabs::board::{Board, Settings, Setup};
use crate::term::{Events, Remote, Traits};
use crate::theme::AUTO;

/// A client that has been let in and has a terminal.
#[derive(Clone, Debug)]
pub struct Client {
    pub address: SocketAddr,
    /// Variables of the client's environment, `TERM` among them.
    pub env: Vec<(String, String)>,
}

impl Client {
    /// A variable. Without a locale the terminal is taken for one of UTF-8.
    fn env(&self, name: &str) -> Option<String> {
        let value = |name: &str| self.env.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        let has_locale = || ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().any(|name| value(name).is_some());
        value(name).or_else(|| (name == "LANG" && !has_locale()).then(|| "C.UTF-8".to_owned()))
    }
}

/// The folders of a session and its rights: those of a guest, of whom nothing is kept. The server ends sessions that are too long, so
/// that the person reads why and can come back to a game.
fn session_paths(config: &Config) -> Paths {
    Paths::of_guest(None, Rights::of_guest(Limits { minutes: u32::MAX, ..config.guest.limits.clone() }))
}

/// The config of a session: the server's, without what belongs to its person.
fn session_config(config: &Config, paths: &Paths) -> Config {
    let mut config = config.clone();
    config.ui.theme = AUTO.to_owned();
    config.recall(paths);
    config.restrict_to_guest();
    // A session has not all tabs.
    config.keys.retain(|binding| ["app.", "board."].iter().any(|scope| binding.id.starts_with(scope)));
    config
}

/// A person in the lobby, who leaves it when this is dropped, even if the session panics.
pub struct Present {
    server: Arc<Server>,
    entry: Entry,
    exit: Exit,
}

impl Present {
    /// Lets a person in.
    ///
    /// # Errors
    /// Those of [`Lobby::enter`](super::lobby::Lobby::enter).
    pub fn enter(server: &Arc<Server>, visitor: Visitor, link: &Arc<SessionLink>) -> Result<Present, Error> {
        let link = Arc::clone(link) as Arc<dyn Link>;
        let entry = server.shared.act(|lobby, now| lobby.enter(visitor, link, now))?;
        Ok(Present { server: Arc::clone(server), entry, exit: Exit::Broken })
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        self.server.shared.act(|lobby, now| lobby.exit(self.entry, self.exit, now));
    }
}

/// Runs a session until it ends; returns its exit status.
pub fn run(mut present: Present, client: &Client, link: &Arc<SessionLink>, outbox: &Outbox, events: &Events) -> u8 {
    match drive(&present.server, client, link, outbox, events, present.entry) {
        Ok(status) => {
            present.exit = if status == 0 { Exit::Quit } else { Exit::Broken };
            status
        }
        Err(error) => {
            tracing::warn!(address = %client.address, "a session failed: {error:#}");
            1
        }
    }
}

fn drive(
    server: &Server,
    client: &Client,
    link: &Arc<SessionLink>,
    outbox: &Outbox,
    events: &Events,
    entry: Entry,
) -> anyhow::Result<u8> {
    let paths = session_paths(&server.config);
    let config = session_config(&server.config, &paths);
    let looks = Arc::new(ThemeFiles::new(&config, &paths, |name| client.env(name)));
    let look = looks.first(Traits::default())?;
    let (sender, pings) = unbounded();
    let mouse = config.ui.mouse;
    let lobby = LobbyTab::new(Arc::clone(&server.shared), entry.person, Arc::clone(link));
    let board = Board::new(Settings::new(Setup::from_config(&config.board), paths.games()));
    let tabs: Vec<Box<dyn Tab>> = vec![Box::new(lobby), Box::new(board)];
    let app = App::new(config, look, looks, tabs, server.pool.clone(), paths, sender);
    let mut app = app?.on(server.workers.for_session());
    let mut display = Remote::enter(outbox.clone(), mouse)?;
    let ended = run::run(&mut app, &mut display, events, &pings);
    app.leave(|_| ());
    let farewell = link.farewell().unwrap_or_default();
    // The line may be gone.
    let _ = display.leave(&farewell);
    ended?;
    Ok(app.quit().unwrap_or(0))
}
