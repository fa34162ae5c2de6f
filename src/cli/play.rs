//! `mancalab`, `mancalab play`: opens the board.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use crossbeam_channel::unbounded;

use super::PlayArgs;
use crate::app::command::{Command, Keymap};
use crate::app::{self, App, NextLook, run};
use crate::config::Config;
use crate::document::Report;
use crate::tabs;
use crate::tabs::board::{Opened, Settings, Setup, read_limited};
use crate::term::{self, Options, Screen};
use crate::theme::{ColorDepth, Glyphs, Theme};
use crate::ui::Look;
use crate::{log, paths};

pub fn run(args: PlayArgs) -> Result<ExitCode> {
    let config = load_config(&args)?;
    let looks = Looks::new(&config);
    let look = looks.load(&config.ui.theme)?;
    let settings = settings(&args, &config)?;
    let (sender, pings) = unbounded();
    let options = Options { mouse: config.ui.mouse };
    let level = config.log.level;
    let next_look = looks.cycle(&look);
    let mut app = App::new(config, look, next_look, tabs::all(settings), sender).map_err(as_error)?;
    term::require_tty()?;

    let log = log::init(level);
    term::install_panic_hook(log.as_ref().map(|log| log.path.as_path()));
    let (sender, events) = unbounded();
    let mut screen = Screen::enter(options).context("the terminal cannot be taken over")?;
    term::spawn_events(sender).context("no thread to read the terminal with")?;
    let ended = run::run(&mut app, &mut screen, &events, &pings);
    let unsaved = app.leave();
    screen.leave();
    for sentence in unsaved {
        eprintln!("mancalab: {sentence}");
    }
    ended.context("the terminal cannot be used any longer")?;
    Ok(ExitCode::from(app.quit().unwrap_or(0)))
}

/// Whether every id in the config's `[keys]` is a command.
///
/// # Errors
/// The report on the first that is not.
pub fn check_keys(config: &Config) -> Result<(), Report> {
    Keymap::new(commands(config), &config.keys).map(|_| ()).map_err(Report::from)
}

/// Every command with its usual keys, as lines for the config's `[keys]`.
pub fn list_keys() -> String {
    let line = |command: Command| format!("{} = {:?}  # {}\n", command.id, command.keys, command.title);
    "[keys]\n".to_owned() + &commands(&Config::default()).into_iter().map(line).collect::<String>()
}

fn commands(config: &Config) -> Vec<Command> {
    let settings = Settings { setup: Setup::from_config(&config.board), opened: None, games: None };
    app::commands(&tabs::all(settings))
}

fn as_error(problem: crate::document::Problem) -> anyhow::Error {
    anyhow!("{}", Report::from(problem))
}

fn load_config(args: &PlayArgs) -> Result<Config> {
    let mut config = Config::load(args.config.as_deref()).map_err(|error| anyhow!("{error}"))?;
    if let Some(theme) = &args.theme {
        config.ui.theme.clone_from(theme);
    }
    config.ui.color = args.color.unwrap_or(config.ui.color);
    config.ui.glyphs = args.glyphs.unwrap_or(config.ui.glyphs);
    config.ui.mouse &= !args.no_mouse;
    Ok(config)
}

fn settings(args: &PlayArgs, config: &Config) -> Result<Settings> {
    let usual = Setup::from_config(&config.board);
    let [south, north] = usual.players;
    let setup = Setup {
        variant: args.game.unwrap_or(usual.variant),
        players: [args.south.clone().unwrap_or(south), args.north.clone().unwrap_or(north)],
        seed: args.seed.or(usual.seed),
    };
    let games = paths::state_dir().map(|folder| folder.join("games"));
    let Some(file) = &args.file else { return Ok(Settings { setup, opened: None, games }) };
    let text = read_limited(file).map_err(|reason| anyhow!("{reason}"))?;
    let mut opened = Opened::read(&text, setup.variant).map_err(|error| anyhow!("{}: {error}", file.display()))?;
    opened.file = Some(file.clone());
    // Whoever is named on the command line takes the seat of whoever sat there.
    for (player, flag) in opened.record.players.iter_mut().zip([&args.south, &args.north]) {
        if let Some(spec) = flag {
            *player = spec.to_string();
        }
    }
    Ok(Settings { setup, opened: Some(opened), games })
}

/// All that looks are made of: what the terminal can show, and where the person's own themes are.
struct Looks {
    depth: ColorDepth,
    glyphs: Glyphs,
    folders: Vec<PathBuf>,
}

impl Looks {
    fn new(config: &Config) -> Looks {
        let env = |name: &str| std::env::var(name).ok();
        Looks {
            depth: ColorDepth::detect(env, config.ui.color),
            glyphs: Glyphs::detect(env, config.ui.glyphs),
            folders: paths::theme_dirs(),
        }
    }

    fn load(&self, name: &str) -> Result<Look> {
        let theme = Theme::load(name, self.depth, &self.folders).map_err(|report| anyhow!("{report}"))?;
        Ok(Look { theme, glyphs: self.glyphs.clone() })
    }

    /// The look of each theme in turn, from the one behind `first`; one that cannot be read is passed over.
    fn cycle(self, first: &Look) -> NextLook {
        let names = Theme::available(&self.folders);
        let mut at = names.iter().position(|name| name == first.theme.name()).unwrap_or(0);
        Box::new(move || {
            for _ in 0..names.len() {
                at = (at + 1) % names.len();
                if let Ok(look) = self.load(&names[at]) {
                    return look;
                }
            }
            Look { theme: Theme::usual(self.depth), glyphs: self.glyphs.clone() }
        })
    }
}
