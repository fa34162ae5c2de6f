//! `mancalab --guest`: restricted mode for guests, such as over SSH.
//!
//! The config is the host's; its section `[guest]` sets the limits. A guest's `Paths` have no folders but the guest's own, and carry
//! the guest's rights to everything that reaches a file, a process or the processor.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::Path;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use mancalab_base::Error;
use rustix::fs::{FlockOperation, flock};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::{PlayArgs, lines, play, screen};
use crate::config::Config;
use crate::paths::Paths;
use crate::player::spec::Unread;
use crate::rights::Rights;
use crate::tabs::TabSettings;
use crate::theme::{AUTO, Theme};
use crate::threads;

/// Bytes of address space of a session, and of a file that it writes. `serve` has as much memory for all its sessions.
pub(super) const MEMORY: u64 = 4 << 30;
pub(super) const FILE: u64 = 16 << 20;

/// Time to end by itself after the last minute.
const GRACE: Duration = Duration::from_secs(10);

/// The folder of the locks that count sessions, in the host's state folder.
const SESSIONS: &str = "guests";

/// Reads the name of a guest.
pub fn name(text: &str) -> Result<String, Error> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    match text.chars().all(is_plain) && (1..=32).contains(&text.len()) && !text.starts_with('-') {
        true => Ok(text.to_owned()),
        false => Err("expected 1 to 32 letters, digits, '-' and '_'".into()),
    }
}

/// Checks the arguments of a guest's session before they are parsed: parsing a player's text opens the file that it names.
///
/// # Errors
/// An argument is a player that opens a file or runs a command.
pub fn check(arguments: &[OsString]) -> Result<(), Error> {
    if !arguments.iter().any(|argument| argument == "--guest") {
        return Ok(());
    }
    for text in arguments.iter().filter_map(|argument| argument.to_str()) {
        let value = text.split_once('=').filter(|_| text.starts_with("--")).map_or(text, |(_, value)| value);
        if value.parse::<Unread>().is_ok_and(|unread| unread.needs_agreement()) {
            return Err(format!("guests cannot use players that open a file or run a command (got '{value}')").into());
        }
    }
    Ok(())
}

/// Opens the board for a guest.
///
/// # Errors
/// A flag names a file or a player that guests cannot use, or there are as many sessions as the host allows.
pub fn run(args: &PlayArgs, host: &Paths) -> Result<ExitCode> {
    if args.screen.theme.as_deref().is_some_and(Theme::is_path) {
        bail!("--theme: guests choose a theme by name");
    }
    let mut config = Config::load(host, None)?;
    let paths = paths(&config, args.guest_name.as_deref())?;
    config.recall(&paths);
    // A host's own theme is none that guests can use.
    if !Theme::available(&paths).contains(&config.ui.theme) {
        config.ui.theme = AUTO.to_owned();
    }
    screen::with_flags(&mut config, &args.screen);
    config.restrict_to_guest();
    config.pool.threads = 1;
    let _session = session(host, config.guest.sessions)?;
    confine(config.guest.limits.minutes)?;
    let board = play::settings(args, &config, &paths)?;
    if lines::are_chosen(args.lines) {
        return lines::play(config, board, &paths);
    }
    let runs = config.guest.runs.clone();
    screen::open(config, TabSettings { runs, ..TabSettings::new(board, &paths) }, None, &paths)
}

/// Returns the directories of a guest; makes the folder of games.
fn paths(config: &Config, name: Option<&str>) -> Result<Paths> {
    let folder = config.guest.games.as_ref().zip(name).map(|(games, name)| games.join(name));
    let paths = Paths::of_guest(folder, Rights::of_guest(config.guest.limits.clone()));
    if let Some(games) = paths.games() {
        fs::create_dir_all(&games).map_err(Error::cannot("create", &games))?;
    }
    Ok(paths)
}

/// Sets limits that hold whatever the terminal sends: memory, the size of files, and the end of the session, where a terminal that
/// reads nothing keeps the program from ending by itself.
fn confine(minutes: u32) -> Result<()> {
    limit(Resource::As)?;
    let watch = move || {
        thread::sleep(Duration::from_secs(60 * u64::from(minutes)) + GRACE);
        std::process::exit(0);
    };
    threads::spawn("minutes", watch).context("cannot start a thread")
}

/// Limits the process: its memory, counted as this resource, and the size of the files that it writes.
pub(super) fn limit(memory: Resource) -> Result<()> {
    for (resource, most) in [(memory, MEMORY), (Resource::Fsize, FILE), (Resource::Core, 0)] {
        let before = getrlimit(resource).maximum;
        let most = before.map_or(most, |before| before.min(most));
        let limit = Rlimit { current: Some(most), maximum: Some(most) };
        setrlimit(resource, limit).context("cannot limit the process")?;
    }
    Ok(())
}

/// Takes one of the places for sessions, which ends with the process.
///
/// # Errors
/// All are taken.
fn session(host: &Paths, sessions: u32) -> Result<Option<File>> {
    let Some(folder) = host.state().map(|state| state.join(SESSIONS)) else { return Ok(None) };
    fs::create_dir_all(&folder).map_err(Error::cannot("create", &folder))?;
    for number in 1..=sessions {
        if let Some(lock) = locked(&folder.join(format!("{number}.lock")))? {
            return Ok(Some(lock));
        }
    }
    bail!("this host has {sessions} guests already, as many as it allows; try again later")
}

/// Returns the locked file; `None` if another process holds it.
fn locked(path: &Path) -> Result<Option<File>> {
    let open = File::options().create(true).truncate(false).write(true).open(path);
    let file = open.map_err(Error::cannot("write", path))?;
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file)),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot lock {}", path.display())),
    }
}
