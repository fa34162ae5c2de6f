//! The command line: every subcommand and flag.

mod analyse;
mod arena;
mod arena_text;
mod build;
mod chances;
mod cluster;
mod completions;
mod config;
mod docs;
mod engine;
mod evolve;
mod exploit;
mod fair;
mod format;
mod generate;
mod groups;
mod guest;
mod help;
mod input;
mod kgp;
mod lines;
mod live;
mod manual;
mod match_;
mod mistakes;
mod openings;
mod out;
mod outcomes;
mod overview;
mod perft;
mod play;
mod presets;
mod puzzles;
mod renamed;
mod reproduce;
mod review;
mod review_text;
mod run;
mod runs;
mod screen;
mod serve;
mod signals;
mod solve;
mod start;
mod stats;
mod sweep;
mod tables;
mod train;
mod tune;
mod value;
mod watch;

use mancalab_base::Error;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::LazyLock;

use anyhow::{Context as _, Result};
use build::BUILD;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory as _, Parser, Subcommand};
use evolve::EvolveReporter;
use runs::resume::ResumeArgs;
use start::StartArgs;
use train::TrainReporter;
use tune::TuneReporter;

use crate::game::{Position, Variant};
use crate::job::run_dir::processes::{self, Build};
use crate::kinds::{Kind, TOURNAMENTS};
use crate::paths::Paths;
use crate::pictures::GraphicsChoice;
use crate::player::external;
use crate::player::offers::Opponent;
use crate::sanitize;
use crate::settings::Report;
use crate::tables::endgame;
use crate::tabs::board::TimeControl;
use crate::theme::{ColorChoice, GlyphChoice};

/// The text of `--version`; `-V` prints only its first line.
static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    let Build { commit, sources, target, profile, rustc } = BUILD;
    let commit = if commit.is_empty() { "unknown" } else { commit };
    format!("{}\ncommit {commit}\nsources {sources}\nbuild {target}, {profile}, {rustc}", env!("CARGO_PKG_VERSION"))
});

/// Play Kalah, Oware, Othello, checkers and others in the terminal, step through games, and evolve players.
///
/// Without a subcommand, opens the board with a new game. `?` shows the keys there.
#[derive(Parser, Debug)]
#[command(name = "mancalab", bin_name = "mancalab", version, long_version = LONG_VERSION.as_str(), args_conflicts_with_subcommands = true,
    term_width = help::width(), disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub play: PlayArgs,
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The commands, in the groups of [`overview::GROUPS`].
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub(crate) enum Command {
    /// Open the board (the default)
    Play(Box<PlayArgs>),
    /// Review a game: the value and the loss of each move
    Review(review::ReviewArgs),
    /// Solve the mistakes of your reviewed games that are due today
    ///
    /// By spaced repetition.
    Puzzles(puzzles::PuzzlesArgs),
    /// Show your results by game and opponent, with ratings
    Stats(stats::StatsArgs),
    /// Value every move in a position; --exact: by perfect play
    Analyse(analyse::AnalyseArgs),
    /// Show the moves played in a position, and their results
    Openings(openings::OpeningsArgs),
    /// Solve Kalah: position, fair (openings), exploit (a player)
    ///
    /// A position, the fair openings of a board, and the greatest scores against a player.
    #[command(subcommand)]
    Solve(groups::Solve),
    /// Endgame tables: build, list, verify, remove
    ///
    /// Of Kalah, Oware, Awari and checkers.
    #[command(subcommand)]
    Tables(tables::TablesCommand),
    /// Play a match of two players, or a tournament of more
    ///
    /// Everyone plays everyone from both sides.
    Match(Box<match_::MatchArgs>),
    /// Evolve players by genetic programming
    ///
    /// Of Kalah, other games of pits and Othello.
    Evolve(evolve::EvolveArgs),
    /// Tune the weights of a player by a genetic algorithm
    Tune(StartArgs<TuneReporter>),
    /// Train a network or an evaluation by self-play
    Train(StartArgs<TrainReporter>),
    /// Reproduce a table or figure of a source
    ///
    /// Prints published and measured values.
    Reproduce(reproduce::ReproduceArgs),
    /// Saved runs: list, show, watch, resume, compare and others
    ///
    /// Without a command, lists them.
    Runs(runs::RunsArgs),
    /// Runs cut into units: new, submit, unit, merge, sweep
    ///
    /// Splits runs or a tournament for many processes or machines, computes the units and merges their results.
    #[command(subcommand)]
    Plan(cluster::PlanCommand),
    /// Give moves to other programs, by UGI or NBoard
    ///
    /// On standard input and output.
    Engine(engine::EngineArgs),
    /// Serve people over SSH (ssh), or agents of Kalah (kgp)
    ///
    /// A lobby, or a tournament by the Kalah Game Protocol.
    #[command(subcommand)]
    Serve(groups::Serve),
    /// Play Kalah on a server: kgp HOST
    #[command(subcommand)]
    Connect(groups::Connect),
    /// The configuration: show (the default one), keys, check
    #[command(subcommand)]
    Config(config::ConfigCommand),
    /// Explain a command, or: players, games, keys, settings
    Help(overview::HelpArgs),
    /// Write manual pages, completion scripts and the generated pages of the documentation
    #[command(subcommand, hide = true)]
    Generate(generate::Generate),
    /// Tools for those who work on the program
    #[command(subcommand, hide = true)]
    Dev(groups::Dev),
}

#[derive(Args, Debug, Default)]
pub(crate) struct PlayArgs {
    /// Saved game (also by its bare name), position or collection (.pdn, .ggf, .wtb) to open; FILE.pdn#3 opens its third game
    pub file: Option<PathBuf>,
    /// Game and rules, such as kalah:6x4:standard, othello or checkers
    #[arg(long, value_name = "GAME", conflicts_with = "file", value_parser = help::games(), hide_possible_values = true)]
    pub game: Option<Variant>,
    /// Position to begin with; default: the game's start
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, conflicts_with_all = ["file", "start"])]
    pub position: Option<String>,
    /// Start: fair:SEED (Kalah) or ballot:N (checkers)
    ///
    /// A known fair opening of Kalah, or a three-move ballot of checkers.
    #[arg(long, conflicts_with = "file", value_name = "START", value_parser = play::Start::read)]
    pub start: Option<play::Start>,
    /// Player of South (Black in Othello and checkers), who moves first; such as human
    #[arg(long, value_name = "PLAYER", value_parser = help::opponent(), hide_possible_values = true)]
    pub south: Option<Opponent>,
    /// Player of North (White in Othello and checkers), such as hard or minimax:8
    #[arg(long, value_name = "PLAYER", value_parser = help::opponent(), hide_possible_values = true)]
    pub north: Option<Opponent>,
    /// Level of North: beginner, easy, medium, hard, master, or my-level, which follows your results
    #[arg(long, value_name = "LEVEL", conflicts_with_all = ["north", "file"], value_parser = help::level(), hide_possible_values = true)]
    pub level: Option<Opponent>,
    /// Clock of the game: minutes and seconds a turn, such as 5+3
    #[arg(long, value_name = "CLOCK", conflicts_with = "file")]
    pub clock: Option<TimeControl>,
    /// Games for the explorer of openings; repeatable
    ///
    /// Files .wtb, .pdn or .ggf, instead of board.databases.
    #[arg(long, value_name = "FILE")]
    pub database: Vec<PathBuf>,
    /// Play by lines, without a screen
    ///
    /// For pipes, screen readers and braille displays; the default where TERM is dumb.
    #[arg(long)]
    pub lines: bool,
    /// Random seed; default: a new one for each game
    #[arg(long, value_name = "NUMBER", value_parser = seed)]
    pub seed: Option<u64>,
    /// Play in restricted mode, as a guest
    ///
    /// Within the limits of section [guest] in the config.
    #[arg(long, conflicts_with_all = ["file", "config", "database"])]
    pub guest: bool,
    /// Name of the guest, for saved games: letters, digits, '-' and '_'
    #[arg(long, value_name = "NAME", requires = "guest", value_parser = guest::name)]
    pub guest_name: Option<String>,
    #[command(flatten)]
    pub screen: ScreenArgs,
}

// Arguments of every command that opens the screen.
#[derive(Args, Debug, Default)]
pub(crate) struct ScreenArgs {
    /// Configuration file to read after the usual ones
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Theme: auto (matches the terminal's background), dark, light, sixteen, okabe-ito, mono, or your own
    #[arg(long, value_name = "THEME")]
    pub theme: Option<String>,
    /// Colours: auto, always, never, 16, 256 or true
    #[arg(long, value_name = "WHEN")]
    pub color: Option<ColorChoice>,
    /// Characters: auto, unicode, blocks (no braille) or ascii
    #[arg(long, value_name = "SET")]
    pub glyphs: Option<GlyphChoice>,
    /// Pictures of pieces: auto, kitty, sixel or none
    ///
    /// auto draws pieces and seeds as pictures where the terminal shows them, not over SSH.
    #[arg(long, value_name = "PROTOCOL")]
    pub graphics: Option<GraphicsChoice>,
    /// Leave the mouse to the terminal, for selecting text
    #[arg(long)]
    pub no_mouse: bool,
    /// Threads shared by runs and players, 0 for all
    #[arg(long, value_name = "N", value_parser = run::threads())]
    pub threads: Option<usize>,
}

/// The position of `--position`, whose corrections are reported, or the start.
///
/// # Errors
/// Where its text is invalid.
fn position(game: Variant, text: Option<&str>) -> Result<Position> {
    let Some(text) = text else { return Ok(game.start()) };
    let position = game.position_from_text(text).map_err(|error| anyhow::anyhow!("--position: {error}"))?;
    game.corrections(text).iter().for_each(|note| out::report(&format!("--position: {note}")));
    Ok(position)
}

/// Returns the program's command with all below it, whose arguments clap otherwise adds when it reads them.
fn command_tree() -> clap::Command {
    let mut command = Cli::command();
    command.build();
    command
}

fn seed(text: &str) -> Result<u64, Error> {
    text.parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX).into())
}

/// Runs the command in `arguments`, whose first item is the program's name, and prints errors.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    processes::set_build(BUILD);
    if completions::answered(&arguments) {
        return ExitCode::SUCCESS;
    }
    let (arguments, note) = renamed::renamed(&arguments);
    note.iter().for_each(|note| out::report(note));
    if let Err(error) = guest::check(&arguments) {
        out::report(&format!("error: {error}"));
        return ExitCode::from(2);
    }
    let done = match mistakes::flags_before_command(&arguments) {
        Some(mistake) => Err(anyhow::anyhow!(mistake)),
        None => Cli::try_parse_from(&arguments)
            .map_or_else(|error| explain(&error, &arguments), |cli| run(cli, &Paths::of_process())),
    };
    endgame::take_damaged().iter().for_each(|line| out::report(&format!("warning: {line}")));
    // Threads that still run may keep players whose programs would stay.
    external::end_all();
    out::ended(done.unwrap_or_else(|error| {
        let name = if is_report(&error) { "" } else { "error: " };
        out::report(&format!("{name}{}", mistakes::shortened(&message_of(&error))));
        ExitCode::from(2)
    }))
}

/// The text of an error and its causes, outermost first, with readable system errors.
fn message_of(error: &anyhow::Error) -> String {
    let part = |part: &(dyn std::error::Error + 'static)| match part.downcast_ref::<std::io::Error>() {
        Some(error) => sanitize::reason(error),
        None => part.to_string(),
    };
    error.chain().map(part).collect::<Vec<_>>().join(": ")
}

/// Whether the error is a report on a file without context: it is a complete text and is printed without a prefix.
fn is_report(error: &anyhow::Error) -> bool {
    error
        .chain()
        .next()
        .is_some_and(|error| error.is::<Report>() || error.downcast_ref::<Error>().is_some_and(Error::is_report))
}

/// Prints help.
///
/// # Errors
/// What is wrong with the arguments instead.
fn explain(error: &clap::Error, arguments: &[OsString]) -> Result<ExitCode> {
    if error.use_stderr() {
        return Err(anyhow::anyhow!(mistakes::text(error, arguments)));
    }
    if error.kind() == ErrorKind::DisplayHelp && mistakes::names_no_command(arguments) {
        return Ok(print(&overview::text()));
    }
    if let Err(error) = error.print().and_then(|()| std::io::stdout().flush()) {
        out::gave_up(error);
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs the command.
///
/// # Errors
/// A sentence for the user.
fn run(cli: Cli, paths: &Paths) -> Result<ExitCode> {
    signals::outlive_full_files().context("cannot catch signals")?;
    endgame::set_folder(paths.tables());
    match cli.command.unwrap_or(Command::Play(Box::new(cli.play))) {
        Command::Play(args) => play::run(&args, paths),
        Command::Review(args) => review::run(&args, paths),
        Command::Puzzles(args) => puzzles::run(&args, paths),
        Command::Stats(args) => stats::run(&args, paths),
        Command::Analyse(args) => analyse::run(&args),
        Command::Openings(args) => openings::run(&args, paths),
        Command::Solve(group) => groups::solve(&group, paths),
        Command::Tables(args) => tables::run(&args, paths),
        Command::Match(args) => match_::run(&args, paths),
        Command::Evolve(args) => args.run(paths),
        Command::Tune(args) => args.run(TuneReporter::default(), paths, false),
        Command::Train(args) => args.run(TrainReporter::default(), paths, false),
        Command::Reproduce(args) => reproduce::run(&args),
        Command::Runs(args) => runs::run(&args, resume, paths),
        Command::Plan(args) => cluster::run(&args, paths),
        Command::Engine(args) => engine::run(&args),
        Command::Serve(group) => groups::serve(&group, paths),
        Command::Connect(group) => groups::connect(&group),
        Command::Config(args) => config::run(&args, paths),
        Command::Help(args) => overview::run(&args),
        Command::Generate(group) => generate::run(&group),
        Command::Dev(group) => groups::dev(&group, paths),
    }
}

/// Resumes a run of a kind, with the reporter of its command.
fn resume(kind: &Kind, args: &ResumeArgs, folder: PathBuf, paths: &Paths) -> Result<ExitCode> {
    match kind.command {
        "evolve" => args.run_with(folder, EvolveReporter::default(), paths),
        "tune" => args.run_with(folder, TuneReporter::default(), paths),
        "train" => args.run_with(folder, TrainReporter::default(), paths),
        TOURNAMENTS => args.run_tournament(folder, paths),
        other => unreachable!("no reporter for runs of {other}"),
    }
}

/// Writes the whole text to standard output. [`out::ended`] reports a failed write at the end of the command.
fn print(text: &str) -> ExitCode {
    out::result(text);
    ExitCode::SUCCESS
}

/// The first two columns of the table of limits of a page of the guide.
#[cfg(test)]
pub(crate) fn limits_in(page: &str) -> Vec<(String, String)> {
    let rows = page.lines().skip_while(|line| !line.starts_with("| Limit | Default |")).skip(2);
    let cells = |row: &str| row.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let rows = rows.take_while(|line| line.starts_with('|')).map(cells);
    rows.map(|cells| (cells[1].clone(), cells[2].clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Diagnostic;

    #[test]
    fn the_systems_reasons_are_reported_without_their_numbers() {
        let error = anyhow::Error::from(std::io::Error::from_raw_os_error(28)).context("cannot write a.game");
        assert_eq!(message_of(&error), "cannot write a.game: no space left on device");
    }

    #[test]
    fn what_is_wrong_with_a_file_stands_alone_and_all_else_has_the_programs_name() {
        let report = || Report::from(Diagnostic::of_file("cannot read w.toml: no such file"));
        assert!(is_report(&report().into()) && is_report(&Error::from(report()).into()));
        assert!(!is_report(&anyhow::Error::from(report()).context("--set")));
        assert!(!is_report(&Error::from(report()).for_setting("player", "x").into()));
        // Only begins like a report.
        assert!(!is_report(&Error::from("error: or so a file is called").into()));
    }
}
