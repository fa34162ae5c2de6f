//! The keys of config files, and their parsers.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use super::preferences::Preferences;
use super::{Board, Coach, Config, Digits, Evolution, Guest, KeyBinding, Log, PerGame, Pool, Review, Search, Seat, Ui};
use crate::evolve::problems::CUSTOM;
use crate::game::Variant;
use crate::game::othello::IN_SIGHT;
use crate::log::Level;
use crate::paths::Paths;
use crate::pictures::GraphicsChoice;
use crate::player::analysis::Engine;
use crate::player::offers::Opponent;
use crate::player::{Spec, check_plays, mcts, spec};
use crate::pool::MAX_THREADS;
use crate::rights::Limits;
use crate::settings::{Diagnostic, KeyedSettings as _, Table, Value, list, nearest};
use crate::term::Notify;
use crate::theme::{AUTO, ColorChoice, GlyphChoice, Theme};

/// A key of a section, with its parser.
struct Entry {
    section: &'static str,
    key: &'static str,
    read: fn(&mut Config, &Value<'_>, &Paths) -> Result<(), Diagnostic>,
}

/// Sets a field to a parsed value, or returns the error.
fn set<T>(field: &mut T, value: Result<T, Diagnostic>) -> Result<(), Diagnostic> {
    value.map(|value| *field = value)
}

const fn entry(
    section: &'static str,
    key: &'static str,
    read: fn(&mut Config, &Value<'_>, &Paths) -> Result<(), Diagnostic>,
) -> Entry {
    Entry { section, key, read }
}

const ENTRIES: &[Entry] = &[
    entry("ui", "theme", |c, v, paths| set(&mut c.ui.theme, theme(v, paths))),
    entry("ui", "color", |c, v, _| set(&mut c.ui.color, v.one_of(ColorChoice::WORDS))),
    entry("ui", "glyphs", |c, v, _| set(&mut c.ui.glyphs, v.one_of(GlyphChoice::WORDS))),
    entry("ui", "graphics", |c, v, _| set(&mut c.ui.graphics, v.one_of(GraphicsChoice::WORDS))),
    entry("ui", "mouse", |c, v, _| set(&mut c.ui.mouse, v.flag())),
    entry("ui", "cursor", |c, v, _| set(&mut c.ui.cursor, v.flag())),
    entry("ui", "notify", |c, v, _| set(&mut c.ui.notify, v.one_of(Notify::WORDS))),
    entry("ui", "on_alarm", |c, v, _| {
        set(
            &mut c.ui.on_alarm,
            v.text("a shell command").map(|text| Some(text.to_owned()).filter(|text| !text.is_empty())),
        )
    }),
    entry("ui", "input_fps", |c, v, _| set(&mut c.ui.input_fps, v.whole(1..=60))),
    entry("ui", "news_fps", |c, v, _| set(&mut c.ui.news_fps, v.whole(1..=30))),
    entry("board", "game", |c, v, _| set(&mut c.board.game, game(v))),
    entry("board", "south", |c, v, _| set(&mut c.board.south, player(v))),
    entry("board", "north", |c, v, _| set(&mut c.board.north, player(v))),
    entry("board", "animation", |c, v, _| {
        let can_be = |n| n == 0.0 || (0.1..=100.0).contains(&n);
        set(&mut c.board.animation, v.number(can_be, "0, or a number from 0.1 to 100"))
    }),
    entry("board", "autoplay", |c, v, _| {
        set(&mut c.board.autoplay, v.number(|n| (0.01..=50.0).contains(&n), "a number from 0.01 to 50"))
    }),
    entry("board", "seat", |c, v, _| set(&mut c.board.seat, v.one_of(Seat::WORDS))),
    entry("board", "digits", |c, v, _| set(&mut c.board.digits, v.one_of(Digits::WORDS))),
    entry("board", "analysis", |c, v, _| set(&mut c.board.analysis, v.flag())),
    entry("board", "coach", |c, v, _| set(&mut c.board.coach, v.one_of(Coach::WORDS))),
    entry("board", "databases", |c, v, paths| set(&mut c.board.databases, databases(v, paths))),
    entry("search", "table_mb", |c, v, _| set(&mut c.search.table_mb, v.whole(1..=4096))),
    entry("search", "analysis", |c, v, _| set(&mut c.search.analysis, v.one_of(Engine::WORDS))),
    entry("search", "analysis_depth", |c, v, _| set(&mut c.search.analysis_depth, v.whole(1..=spec::MAX_DEPTH))),
    entry("search", "analysis_iterations", |c, v, _| {
        set(&mut c.search.analysis_iterations, v.whole(1..=mcts::MAX_ITERATIONS))
    }),
    entry("search", "solve", |c, v, _| set(&mut c.search.solve, v.flag())),
    entry("review", "depth", |c, v, _| c.review.depth.read(v, 1..=spec::MAX_DEPTH)),
    entry("review", "perfect", |c, v, _| set(&mut c.review.perfect, v.flag())),
    entry("review", "solve", |c, v, _| set(&mut c.review.solve, v.whole(0..=IN_SIGHT))),
    entry("review", "mistake", |c, v, _| set(&mut c.review.mistake, v.whole(1..=100))),
    entry("review", "blunder", |c, v, _| set(&mut c.review.blunder, v.whole(1..=100))),
    entry("pool", "threads", |c, v, _| set(&mut c.pool.threads, v.whole(0..=MAX_THREADS as u32))),
    entry("guest", "depth", |c, v, _| set(&mut c.guest.limits.depth, v.whole(1..=spec::MAX_DEPTH))),
    entry("guest", "iterations", |c, v, _| set(&mut c.guest.limits.iterations, v.whole(1..=mcts::MAX_ITERATIONS))),
    entry("guest", "seconds", |c, v, _| set(&mut c.guest.limits.seconds, v.whole(1..=3600))),
    entry("guest", "analysis_seconds", |c, v, _| set(&mut c.guest.limits.analysis_seconds, v.whole(0..=3600))),
    entry("guest", "table_mb", |c, v, _| set(&mut c.guest.limits.table_mb, v.whole(1..=4096))),
    entry("guest", "saves", |c, v, _| set(&mut c.guest.limits.saves, v.whole(0..=10_000))),
    entry("guest", "save_kb", |c, v, _| set(&mut c.guest.limits.save_kb, v.whole(1..=16_384))),
    entry("guest", "paste_kb", |c, v, _| set(&mut c.guest.limits.paste_kb, v.whole(1..=1024))),
    entry("guest", "minutes", |c, v, _| set(&mut c.guest.limits.minutes, v.whole(1..=10_080))),
    entry("guest", "sessions", |c, v, _| set(&mut c.guest.sessions, v.whole(1..=10_000))),
    entry("guest", "games", |c, v, paths| set(&mut c.guest.games, folder(v, paths))),
    entry("guest", "runs", |c, v, paths| set(&mut c.guest.runs, folder(v, paths))),
    entry("log", "level", |c, v, _| set(&mut c.log.level, v.one_of(Level::WORDS))),
];

/// The keys of a section, in the order of the default file.
fn keys(config: &Config, section: &str) -> Vec<&'static str> {
    if section != "evolution" {
        return ENTRIES.iter().filter(|entry| entry.section == section).map(|entry| entry.key).collect();
    }
    // Run settings provide their keys and parsers. The key `generations`, common to all runs, follows the population.
    let mut keys: Vec<&str> = config.evolution.list().into_iter().map(|(key, ..)| key).collect();
    keys.insert(1, "generations");
    keys
}

/// The sections in the order of the default file; the keys of `[keys]` are the commands.
pub(super) const SECTIONS: &[&str] = &["ui", "board", "search", "review", "evolution", "pool", "guest", "keys", "log"];

/// The former name of `[pool]`, still accepted.
const POOL_BEFORE: &str = "crew";

/// Reads a folder; an empty text is none.
fn folder(value: &Value<'_>, paths: &Paths) -> Result<Option<PathBuf>, Diagnostic> {
    let text = value.text("a folder, or \"\" for none")?;
    Ok(Some(text).filter(|text| !text.is_empty()).and_then(|text| paths.typed(text).ok()))
}

/// Reads a list of files. Relative paths start from the directory of the config file.
fn databases(value: &Value<'_>, paths: &Paths) -> Result<Vec<PathBuf>, Diagnostic> {
    let at = value.at();
    let folder = Path::new(at.file()).parent().unwrap_or(Path::new(""));
    let read = |item: Value<'_>| {
        let text = item.text("a file, or a list of files such as [\"WTH_2024.wtb\", \"~/games.pdn\"]")?;
        paths.typed(text).map(|path| folder.join(path)).map_err(|_| item.wrong("a file"))
    };
    value.items().into_iter().map(read).collect()
}

/// Returns the settings before the default file is applied, which overwrites every value (a test checks this).
pub(super) fn unset() -> Config {
    let game = Variant::usual()[0];
    Config {
        ui: Ui {
            theme: String::new(),
            color: ColorChoice::default(),
            glyphs: GlyphChoice::default(),
            graphics: GraphicsChoice::default(),
            mouse: false,
            cursor: false,
            notify: Notify::default(),
            on_alarm: None,
            input_fps: 1,
            news_fps: 1,
        },
        board: Board {
            game,
            south: Opponent::Player(Spec::Human),
            north: Opponent::Player(Spec::Human),
            animation: 0.0,
            autoplay: 1.0,
            seat: Seat::default(),
            digits: Digits::default(),
            coach: Coach::default(),
            analysis: false,
            databases: Vec::new(),
        },
        search: Search {
            table_mb: 1,
            analysis: Engine::default(),
            analysis_depth: 1,
            analysis_iterations: 1,
            solve: false,
        },
        review: Review {
            // For games that no file names, such as one that was added.
            depth: PerGame::all(8),
            perfect: false,
            solve: 0,
            mistake: 1,
            blunder: 1,
        },
        set: BTreeSet::new(),
        preferences: Preferences::default(),
        evolution: Evolution { preset: CUSTOM.to_owned(), ..Evolution::default() },
        pool: Pool { threads: 1 },
        guest: Guest {
            limits: Limits {
                depth: 1,
                iterations: 1,
                seconds: 1,
                analysis_seconds: 1,
                table_mb: 1,
                saves: 1,
                save_kb: 1,
                paste_kb: 1,
                minutes: 1,
            },
            sessions: 1,
            games: None,
            runs: None,
        },
        keys: Vec::new(),
        log: Log { level: Level::default() },
    }
}

/// Applies a file's content to `config` and collects its errors.
pub(super) fn read(config: &mut Config, top: &Table<'_>, paths: &Paths, problems: &mut Vec<Diagnostic>) {
    for section in top.entries() {
        let name = if section.key() == POOL_BEFORE { "pool" } else { section.key() };
        if !SECTIONS.contains(&name) {
            problems.push(unknown_section(config, top, &section));
            continue;
        }
        match section.table() {
            Ok(table) if section.key() == "keys" => {
                read_keys(config, &table, "", problems);
                keep_last(&mut config.keys);
            }
            Ok(table) => read_section(config, name, &table, paths, problems),
            Err(problem) => problems.push(problem),
        }
    }
}

fn read_section(config: &mut Config, name: &str, table: &Table<'_>, paths: &Paths, problems: &mut Vec<Diagnostic>) {
    let before = problems.len();
    for value in table.entries() {
        let entry = ENTRIES.iter().find(|entry| entry.section == name && entry.key == value.key());
        let read = match entry {
            Some(entry) => {
                config.set.insert((entry.section, entry.key));
                (entry.read)(config, &value, paths)
            }
            None if name == "evolution" && keys(config, name).contains(&value.key()) => config.evolution.take(&value),
            None => Err(unknown_key(config, name, table, &value)),
        };
        problems.extend(read.err());
    }
    match name {
        "board" => check_seats(config, table, problems),
        "review" if problems.len() == before => problems.extend(check_marks(&config.review, table)),
        _ => {}
    }
}

/// The keys of `[board]` that are recalled together, or not at all.
const GAME: [&str; 3] = ["game", "south", "north"];

/// The others that are recalled.
const RECALLED: [(&str, &str); 4] =
    [("ui", "theme"), ("board", "animation"), ("board", "analysis"), ("board", "coach")];

/// Applies a file of remembered choices to what no config file sets, and collects the errors.
pub(super) fn recall(config: &mut Config, top: &Table<'_>, paths: &Paths, problems: &mut Vec<Diagnostic>) {
    let has_game = GAME.into_iter().any(|key| config.is_set("board", key));
    for section in top.entries() {
        let Ok(table) = section.table() else { continue };
        for value in table.entries() {
            let is_game = section.key() == "board" && GAME.contains(&value.key());
            let wanted = |entry: &&Entry| {
                (entry.section, entry.key) == (section.key(), value.key())
                    && !config.is_set(entry.section, entry.key)
                    && (is_game && !has_game || RECALLED.contains(&(entry.section, entry.key)))
            };
            if let Some(entry) = ENTRIES.iter().find(wanted) {
                problems.extend((entry.read)(config, &value, paths).err());
            }
        }
    }
}

/// Returns whether both players play the board's game.
pub(super) fn plays(board: &Board) -> bool {
    [&board.south, &board.north].iter().all(|player| check_plays(&player.player(&board.game), &board.game).is_ok())
}

/// Checks that the players play the board's game. Errors are located at the player, or else at the game.
fn check_seats(config: &Config, table: &Table<'_>, problems: &mut Vec<Diagnostic>) {
    let board = &config.board;
    for (key, player) in [("south", &board.south), ("north", &board.north)] {
        let Err(error) = check_plays(&player.player(&board.game), &board.game) else { continue };
        let values = table.entries();
        let named = |key: &str| values.iter().find(|value| value.key() == key);
        if let Some(value) = named(key).or_else(|| named("game")) {
            problems.push(
                Diagnostic::new(value.at(), format!("the player of `board.{key}` does not play this game"))
                    .note(error.to_string()),
            );
        }
    }
}

/// Checks that a blunder is not less than a mistake. Errors are located at either.
fn check_marks(review: &Review, table: &Table<'_>) -> Option<Diagnostic> {
    if review.blunder >= review.mistake {
        return None;
    }
    let values = table.entries();
    let named = |key: &str| values.iter().find(|value| value.key() == key);
    let value = named("blunder").or_else(|| named("mistake"))?;
    let Review { mistake, blunder, .. } = review;
    let problem = Diagnostic::new(value.at(), "`review.blunder` is less than `review.mistake`");
    Some(problem.note(format!("a mistake gives away {mistake} % and a blunder {blunder} %")))
}

/// Returns the section of a key, if it is known.
fn section_of(config: &Config, key: &str) -> Option<&'static str> {
    SECTIONS.iter().copied().find(|section| keys(config, section).contains(&key))
}

fn unknown_key(config: &Config, section: &str, table: &Table<'_>, value: &Value<'_>) -> Diagnostic {
    let problem = table.unknown(value, "key", keys(config, section));
    match section_of(config, value.key()) {
        Some(elsewhere) => problem.hint(format!("it belongs to [{elsewhere}]")),
        None => problem,
    }
}

fn unknown_section(config: &Config, top: &Table<'_>, section: &Value<'_>) -> Diagnostic {
    if section.is_table() {
        return top.unknown(section, "section", SECTIONS.iter().copied());
    }
    let key = nearest(section.key(), SECTIONS.iter().flat_map(|section| keys(config, section)));
    let problem = Diagnostic::new(section.key_at(), format!("`{}` is outside of any section", section.key()))
        .note(format!("sections: {}", SECTIONS.iter().map(|name| format!("[{name}]")).collect::<Vec<_>>().join(", ")));
    match key.and_then(|key| Some((key, section_of(config, key)?))) {
        Some((key, section)) => problem.hint(format!("did you mean `{key}` in [{section}]?")),
        None => problem,
    }
}

/// TOML parses `board.undo = "u"` as a table within a table; both notations of an id are accepted.
fn read_keys(config: &mut Config, table: &Table<'_>, prefix: &str, problems: &mut Vec<Diagnostic>) {
    for value in table.entries() {
        let id = format!("{prefix}{}", value.key());
        if value.is_table() {
            match value.table() {
                Ok(inner) => read_keys(config, &inner, &format!("{id}."), problems),
                Err(problem) => problems.push(problem),
            }
            continue;
        }
        let mut binding = KeyBinding { id, chords: Vec::new(), location: value.key_at(), chords_at: Vec::new() };
        for item in value.items() {
            match item.parsed("a key such as \"u\" or \"ctrl-l\", or a list of keys") {
                Ok(chord) => {
                    binding.chords.push(chord);
                    binding.chords_at.push(item.at());
                }
                Err(problem) => problems.push(problem),
            }
        }
        config.keys.push(binding);
    }
}

/// Keeps the last of several bindings of a command.
fn keep_last(keys: &mut Vec<KeyBinding>) {
    let mut seen = HashSet::new();
    let mut last: Vec<bool> = keys.iter().rev().map(|key| seen.insert(key.id.clone())).collect();
    keys.retain(|_| last.pop().unwrap_or(true));
}

fn game(value: &Value<'_>) -> Result<Variant, Diagnostic> {
    value.parsed("a game such as \"kalah:6x4:standard\"")
}

fn player(value: &Value<'_>) -> Result<Opponent, Diagnostic> {
    value.parsed("a player such as \"human\" or \"minimax:8\", or a level such as \"easy\"")
}

/// Parses an existing theme or `auto`. Relative paths start from the directory of the file.
fn theme(value: &Value<'_>, paths: &Paths) -> Result<String, Diagnostic> {
    let name = value.text("the name of a theme, or a path to a theme file")?;
    if Theme::is_path(name) {
        let at = value.at();
        let dir = Path::new(at.file()).parent().unwrap_or(Path::new(""));
        let is_home = name.starts_with("~/");
        return Ok(if is_home { name.to_string() } else { dir.join(name).display().to_string() });
    }
    let known: Vec<String> = [AUTO.to_owned()].into_iter().chain(Theme::available(paths)).collect();
    if known.iter().any(|known| known == name) {
        return Ok(name.to_string());
    }
    let problem = value.wrong("the name of a theme, or a path to a theme file");
    let problem = problem.note(format!("themes: {}", list(&known)));
    Err(match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => problem.note(format!("did you mean \"{near}\"?")),
        None => problem,
    })
}

#[cfg(test)]
mod tests {
    use super::super::DEFAULT_TEXT;
    use super::*;
    use crate::settings::Source;

    #[test]
    fn the_pool_section_is_read_by_its_older_name() {
        let mut config = Config::default();
        let source = Source::new("config.toml", "[crew]\nthreads = 3\n");
        let walk =
            |top: &Table<'_>, problems: &mut Vec<Diagnostic>| read(&mut config, top, &Paths::default(), problems);
        crate::settings::parse(&source, walk).unwrap();
        assert_eq!(config.pool.threads, 3);
    }

    #[test]
    fn every_key_of_the_default_file_is_set_and_explained() {
        let mut section = "";
        let mut above = "";
        let mut seen = Vec::new();
        for line in DEFAULT_TEXT.lines() {
            if let Some(name) = line.strip_prefix('[') {
                section = name.trim_end_matches(']');
            } else if let Some((key, _)) = line.split_once(" = ").filter(|_| !line.starts_with('#')) {
                // Two players share a description.
                assert!(above.starts_with('#') || key == "north", "{section}.{key} is not explained");
                seen.push((section, key));
            }
            above = line;
        }
        let config = unset();
        let of =
            |section: &&'static str| keys(&config, section).into_iter().map(|key| (*section, key)).collect::<Vec<_>>();
        let known: Vec<(&str, &str)> = SECTIONS.iter().flat_map(of).collect();
        assert_eq!(seen, known);
        for section in SECTIONS {
            assert!(DEFAULT_TEXT.contains(&format!("\n[{section}]\n")), "{section}");
        }
    }
}
