//! Opening the screen: config, theme, terminal, event loop, and leaving.

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use crossbeam_channel::unbounded;
use mancalab_base::Error;

use super::{ScreenArgs, out};
use crate::app::collisions::collisions;
use crate::app::command::{Keymap, Label, Registry};
use crate::app::theme_catalog::ThemeFiles;
use crate::app::{self, App, run};
use crate::config::Config;
use crate::log;
use crate::paths::Paths;
use crate::pool::Pool;
use crate::sanitize;
use crate::settings::Diagnostic;
use crate::tabs::board::{Settings, Setup};
use crate::tabs::{self, TabSettings};
use crate::term::{self, Options, Screen};

/// Runs the app on the terminal until it quits; `front`: the scope of the first tab.
pub fn open(config: Config, settings: TabSettings, front: Option<&str>, paths: &Paths) -> Result<ExitCode> {
    let looks = Arc::new(ThemeFiles::new(&config, paths, |name| std::env::var(name).ok()));
    let wanted = looks.wanted();
    let traits = term::probe(wanted);
    let mut look = looks.first(traits)?;
    let pictures = looks.pictures(traits, |name| std::env::var(name).ok()).map(Arc::new);
    look.pictures.clone_from(&pictures);
    let (sender, pings) = unbounded();
    let mouse = has_mouse(&config);
    let options = Options { mouse, paced: term::is_remote(), repeats: traits.repeats, pictures };
    let level = config.log.level;
    let threads = config.pool.threads;
    let pool = Pool::new(config.pool.threads as usize);
    let app = App::new(config, look, looks, tabs::all(settings), pool, paths.clone(), sender);
    let mut app = app?;
    if wanted.background && traits.background.is_none() {
        app.guess_theme(Instant::now());
    }
    if let Some(scope) = front {
        app.go_to(scope);
    }
    term::require_tty()?;

    // A log of guests would have no limit.
    let log = if paths.rights().is_guest() { None } else { log::init(level, paths) };
    term::install_panic_hook(log.as_ref().map(|log| log.path.as_path()));
    let mut screen = Screen::enter(options).context("cannot set up the terminal")?;
    let events = term::listen().context("cannot start the thread that reads the terminal")?;
    let ended = run::run(&mut app, &mut screen, &events, &pings);
    let mut unsaved = app.leave(|time| events.ending.give_grace(time));
    screen.leave();
    for folder in app.take_going_on() {
        match go_on(&folder, threads) {
            Ok(text) => out::report(&text),
            Err(error) => unsaved.push(error.to_string()),
        }
    }
    for sentence in &unsaved {
        out::report(&format!("mancalab: {sentence}"));
    }
    ended.context("lost the terminal")?;
    Ok(match app.quit().unwrap_or(0) {
        // Unsaved work is a failure.
        0 if !unsaved.is_empty() => ExitCode::from(2),
        status => ExitCode::from(status),
    })
}

/// Time in which a run that cannot go on is expected to fail.
const EARLY: Duration = Duration::from_millis(300);

/// Lets a saved run go on in a process of its own, which signals of this terminal do not reach; returns how to watch and stop it.
///
/// # Errors
/// It cannot be started, or ends at once.
fn go_on(folder: &Path, threads: u32) -> std::result::Result<String, Error> {
    let resume = format!("mancalab runs resume {}", sanitize::shell_path(folder));
    let failed = |why: String| {
        Error::from(format!("{} cannot go on in the background: {why}; try: {resume}", sanitize::path(folder)))
    };
    let program = std::env::current_exe().map_err(|error| failed(format!("cannot find this program: {error}")))?;
    let mut process = Command::new(program);
    process.args(["runs", "resume"]).arg(folder).arg("--threads").arg(threads.to_string());
    process.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    let mut child = process.spawn().map_err(|error| failed(error.to_string()))?;
    let until = Instant::now() + EARLY;
    while Instant::now() < until {
        match child.try_wait() {
            Ok(Some(status)) if !status.success() => return Err(failed("it ended at once".to_owned())),
            Ok(Some(_)) => break,
            _ => std::thread::sleep(Duration::from_millis(10)),
        }
    }
    let number = child.id();
    Ok(format!(
        "{} goes on in the background\nwatch it: mancalab runs watch {}\nstop and save it: kill {number}",
        sanitize::path(folder),
        sanitize::shell_path(folder)
    ))
}

/// Whether the mouse is used. With the mouse on, GNU screen holds an Esc back until the next key: there it takes a config that says so.
fn has_mouse(config: &Config) -> bool {
    let in_screen = term::is_in_screen(|name| std::env::var(name).ok());
    config.ui.mouse && (!in_screen || config.is_set("ui", "mouse"))
}

/// The config of all layers, with the flags on top.
pub fn load_config(args: &ScreenArgs, paths: &Paths) -> Result<Config> {
    let mut config = Config::load(paths, args.config.as_deref())?;
    config.recall(paths);
    with_flags(&mut config, args);
    Ok(config)
}

/// Applies the flags.
pub fn with_flags(config: &mut Config, args: &ScreenArgs) {
    if let Some(theme) = &args.theme {
        config.ui.theme.clone_from(theme);
    }
    config.ui.color = args.color.unwrap_or(config.ui.color);
    config.ui.glyphs = args.glyphs.unwrap_or(config.ui.glyphs);
    config.ui.graphics = args.graphics.unwrap_or(config.ui.graphics);
    config.ui.mouse &= !args.no_mouse;
    config.pool.threads = args.threads.map_or(config.pool.threads, |threads| threads as u32);
}

/// Returns the ids in the config's `[keys]` that are no command, and the keys that are ambiguous.
pub fn problems_of_keys(config: &Config) -> Vec<Diagnostic> {
    let registry = registry(config);
    let map = Keymap::new(registry.clone(), &config.keys);
    let unmapped = map.err().map(|report| report.problems().to_vec()).unwrap_or_default();
    unmapped.into_iter().chain(collisions(&registry, &config.keys)).collect()
}

/// Every command with its default keys, as lines for the config's `[keys]`.
pub fn list_keys() -> String {
    let line = |(_, label): (_, Label)| format!("{} = {:?}  # {}\n", label.id, label.keys, label.title);
    "[keys]\n".to_owned() + &registry(&Config::default()).into_iter().map(line).collect::<String>()
}

/// Every command, in the order of the tabs.
pub fn labels() -> Vec<Label> {
    registry(&Config::default()).into_iter().map(|(_, label)| label).collect()
}

fn registry(config: &Config) -> Registry {
    let board = Settings::new(Setup::from_config(&config.board), None);
    app::registry(&tabs::all(TabSettings::new(board, &Paths::default())))
}
