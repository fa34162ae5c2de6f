//! Saved games in lists: time, players, result, length, and last position.
//!
//! A folder may hold thousands. Names and dates are read at once; files are read step by step in the background,
//! visible ones first.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use mancalab_base::Error;

use super::game_file::{ENDING, FileContents, PartialGame, is_collection, numbered, read_limited};
use crate::game::record::Record;
use crate::game::{Board, Place, Variant, notation};
use crate::job::run_dir::utc;
use crate::player::offers::Level;
use crate::sanitize;
use crate::settings::nearest;
use crate::ui::{Look, clip, head as beginning, width};

/// Returns the file that a person means: a bare name that is not in the working folder is that of a saved game, with or without its
/// ending. A game's number behind it, as in `#3`, stays.
pub fn find_saved_game(file: &Path, games: Option<&Path>) -> PathBuf {
    let (name, number) = numbered(file);
    let Some(games) = games.filter(|_| is_missing_name(&name)) else { return file.to_owned() };
    let with = |path: &Path, ending: &str| {
        let mut longer = path.as_os_str().to_owned();
        longer.push(ending);
        PathBuf::from(longer)
    };
    let ended = with(&games.join(&name), &format!(".{ENDING}"));
    let [bare, ended] = [games.join(&name), ended];
    // What cannot be read is found too, so that opening it says why.
    let exists = |path: &PathBuf| path.symlink_metadata().is_ok();
    let saved = [&bare, &ended]
        .into_iter()
        .find(|path| path.is_file())
        .or([&ended, &bare].into_iter().find(|path| exists(path)));
    let saved = saved.cloned();
    let number = number.map_or_else(String::new, |number| format!("#{number}"));
    saved.map_or_else(|| file.to_owned(), |path| with(&path, &number))
}

/// Returns the name of the saved game that a bare name nearly is, if it is no file.
pub fn nearest_saved_game(file: &Path, games: Option<&Path>) -> Option<String> {
    let (name, _) = numbered(file);
    let saved = list(games.filter(|_| is_missing_name(&name))?);
    let names: Vec<&str> = saved.iter().map(|game| shown(&game.name)).collect();
    nearest(shown(name.to_str()?), names).map(str::to_owned)
}

/// Whether a path is a bare name that is not in the working folder.
fn is_missing_name(path: &Path) -> bool {
    path.components().count() == 1 && path.file_name().is_some() && !path.exists()
}

/// A file of a saved game.
#[derive(Clone, Debug)]
pub struct SavedGame {
    pub path: PathBuf,
    pub name: String,
    pub changed: SystemTime,
    /// Its contents or error; `None` before it is read.
    about: Option<Result<About, Error>>,
    /// Its text in lower case, for searching.
    text: String,
}

/// Summary of a game.
#[derive(Clone, Debug)]
pub struct About {
    pub variant: Variant,
    pub players: [String; 2],
    /// The result, for users.
    pub result: String,
    /// How the results that the file gives and the final position contradict each other.
    pub contradiction: Option<String>,
    /// Moves of the main line.
    pub moves: usize,
    /// The final position of the main line, and the places of its last move.
    pub board: Board,
    pub last: Vec<Place>,
    /// The number of games in the file, of which this is the first.
    pub games: usize,
}

/// The games of a folder, the newest first; opens no file.
pub fn list(folder: &Path) -> Vec<SavedGame> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let saved = |entry: fs::DirEntry| {
        let path = entry.path();
        let changed = entry.metadata().ok()?.modified().ok()?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let is_saved = path.extension().is_some_and(|ending| ending == ENDING) || is_collection(&path);
        is_saved.then_some(SavedGame::new(path, name, changed))
    };
    let mut found: Vec<SavedGame> = entries.filter_map(saved).collect();
    crate::sort::sort_by(&mut found, |a, b| b.changed.cmp(&a.changed).then_with(|| a.path.cmp(&b.path)));
    found
}

/// Results of reading: files with their contents.
pub type Contents = Vec<(PathBuf, Result<About, Error>)>;

/// Reads files in this order for about `time`, but at least `at_least`.
pub fn read(paths: Vec<PathBuf>, at_least: usize, time: Duration) -> Contents {
    let began = Instant::now();
    let is_due = |index: usize| index < at_least || began.elapsed() < time;
    let numbered = paths.into_iter().enumerate().take_while(|(index, _)| is_due(*index));
    numbered.map(|(_, path)| (path.clone(), About::read(&path))).collect()
}

impl About {
    fn read(path: &Path) -> Result<About, Error> {
        if !is_collection(path) {
            return notation::read(&read_limited(path)?)
                .map(|record| About::from_record(&record))
                .map_err(|error| error.to_string().into());
        }
        match FileContents::open(path, Variant::usual()[0])? {
            FileContents::Game(opened) | FileContents::Begun(PartialGame { opened, .. }) => {
                Ok(About::from_record(&opened.record))
            }
            FileContents::Games(shelf, _) => {
                let first = shelf.read(0, Variant::usual()[0])?;
                let games = shelf.games.len();
                Ok(About { games, ..About::from_record(&first.opened.record) })
            }
        }
    }

    /// The summary of a record.
    pub fn from_record(record: &Record) -> About {
        let end = record.main_end();
        let last = record.came(end).map(|(before, mv)| record.position_at(before).places(mv)).unwrap_or_default();
        About {
            variant: record.variant,
            result: notation::result_in_words(&record.variant, &notation::given_result(record)),
            contradiction: notation::contradiction(record),
            moves: record.main_line().len(),
            board: record.position_at(end).board(),
            last,
            players: record.players.clone(),
            games: 1,
        }
    }

    /// The players, or the number of games.
    pub fn players(&self) -> String {
        let [south, north] = self.players.each_ref().map(|text| Level::name(text, &self.variant));
        if self.games > 1 { format!("{} games", self.games) } else { format!("{south} v {north}") }
    }

    /// The result, for users, in the width of a list.
    pub fn result(&self) -> &str {
        if self.contradiction.is_some() { "disputed" } else { &self.result }
    }
}

impl SavedGame {
    fn new(path: PathBuf, name: String, changed: SystemTime) -> SavedGame {
        SavedGame { path, text: shown(&name).to_lowercase(), name, changed, about: None }
    }

    pub fn about(&self) -> Option<&Result<About, Error>> {
        self.about.as_ref()
    }

    /// Takes the contents that were read.
    pub fn learn(&mut self, about: Result<About, Error>) {
        if let Ok(about) = &about {
            let players = [&about.players(), &*about.players.join(" ")].join(" ");
            let text = format!("{} {} {players} {}", shown(&self.name), about.variant, about.result());
            self.text = text.to_lowercase();
        }
        self.about = Some(about);
    }

    /// Returns whether its text contains all of these words in lower case.
    pub fn fits(&self, words: &[String]) -> bool {
        words.iter().all(|word| self.text.contains(shown(word)))
    }
}

/// A file's name as the list shows it, without the ending, which would be found in most of them.
fn shown(name: &str) -> &str {
    name.strip_suffix(ENDING).and_then(|name| name.strip_suffix('.')).unwrap_or(name)
}

/// The words of a query.
pub fn words(typed: &str) -> Vec<String> {
    typed.split_whitespace().map(str::to_lowercase).collect()
}

/// Length of a date such as `2026-02-28`.
const DAY: usize = 10;

/// The age in at most ten characters; from the day before yesterday, the date (UTC).
fn age(changed: SystemTime, now: SystemTime) -> String {
    let Ok(ago) = now.duration_since(changed) else { return "just now".to_owned() };
    match ago.as_secs() {
        0..60 => "just now".to_owned(),
        seconds @ 60..3600 => format!("{} min ago", seconds / 60),
        seconds @ 3600..172_800 => format!("{} h ago", seconds / 3600),
        _ => utc(changed).chars().take(DAY).collect(),
    }
}

/// Widths of a row's columns from the right: time, length, result.
const AGE: usize = 11;
const MOVES: usize = 6;
const RESULT: usize = 11;
/// Maximum width of the file's name.
const NAME: usize = 17;

/// Minimum widths: first the date is dropped, then the length.
fn room(wide: usize) -> (bool, bool) {
    (wide >= 60, wide >= 44)
}

/// The heads of the columns.
pub(super) fn head(wide: usize) -> String {
    let (has_age, has_moves) = room(wide);
    let right = [(has_age, "saved", AGE), (has_moves, "moves", MOVES), (true, "result", RESULT)];
    join(
        "file",
        "players",
        right.into_iter().filter(|(is, ..)| *is).map(|(_, text, cells)| (text, cells)).collect(),
        wide,
    )
}

/// A name, the text after it, and right-aligned cells, each with its width.
fn join(name: &str, middle: &str, right: Vec<(&str, usize)>, wide: usize) -> String {
    let ends: String = right.into_iter().rev().map(|(text, cells)| format!("{text:>cells$}")).collect();
    let name_wide = NAME.min(wide / 4);
    let middle_wide = wide.saturating_sub(name_wide + 2 + ends.chars().count());
    format!("{}  {}{ends}", padded(name, name_wide), padded(middle, middle_wide))
}

/// A text of exactly this width.
fn padded(text: &str, cells: usize) -> String {
    let text = beginning(text, cells as u16);
    format!("{text}{}", " ".repeat(cells.saturating_sub(usize::from(width(text)))))
}

/// A row: file, players, result, length and time; or the error.
pub(super) fn columns(game: &SavedGame, now: SystemTime, wide: u16, look: &Look) -> String {
    let wide = usize::from(wide);
    let name = shown(&sanitize::inline(&game.name)).to_owned();
    let (has_age, has_moves) = room(wide);
    let age = age(game.changed, now);
    let text = match game.about() {
        None => join(&name, "", vec![(if has_age { &age } else { "" }, if has_age { AGE } else { 0 })], wide),
        Some(Err(reason)) => format!("{}  cannot be read: {reason}", padded(&name, NAME.min(wide / 4))),
        Some(Ok(about)) => {
            let players = about.players();
            let is_one = about.games == 1;
            let (moves, result) = if is_one { (about.moves.to_string(), about.result()) } else { (String::new(), "") };
            let right = [(has_age, age.as_str(), AGE), (has_moves, &moves, MOVES), (true, result, RESULT)];
            let right = right.into_iter().filter(|(is, ..)| *is).map(|(_, text, cells)| (text, cells)).collect();
            join(&name, &sanitize::inline(&players), right, wide)
        }
    };
    clip(&text, wide as u16, look)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_name_means_a_saved_game_unless_there_is_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let games = Some(folder.path());
        let saved = folder.path().join("a-saved-one.game");
        fs::write(&saved, "").unwrap();
        // The working folder has it.
        fs::write(folder.path().join("Cargo.toml"), "").unwrap();
        for name in ["a-saved-one.game", "a-saved-one"] {
            assert_eq!(find_saved_game(Path::new(name), games), saved);
            assert_eq!(find_saved_game(Path::new(name), None), Path::new(name));
        }
        let third = find_saved_game(Path::new("a-saved-one#3"), games);
        assert_eq!(third, folder.path().join("a-saved-one.game#3"));
        assert_eq!(nearest_saved_game(Path::new("a-savd-one"), games).as_deref(), Some("a-saved-one"));
        assert_eq!(nearest_saved_game(Path::new("./a-savd-one"), games), None);
        for other in ["another", "./a-saved-one", "Cargo.toml", "Cargo.toml#3"] {
            assert_eq!(find_saved_game(Path::new(other), games), Path::new(other));
        }
    }

    #[test]
    fn ages_are_short() {
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let now = at(2_000_000_000);
        let ago = |seconds: u64| age(at(2_000_000_000 - seconds), now);
        assert_eq!([ago(0), ago(61), ago(7200), ago(171_000)], ["just now", "1 min ago", "2 h ago", "47 h ago"]);
        assert_eq!(ago(200_000), "2033-05-15");
        // The clock was set back.
        assert_eq!(age(at(10), at(5)), "just now");
    }

    #[test]
    fn games_are_summed_up_and_what_is_none_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("a.game", "[Game \"kalah:6x4:standard\"]\n[South \"human\"]\n[North \"minimax:8\"]\n\n1. C F (A) 2. a\n");
        write("b.game", "[Game \"chess\"]\n");
        write("c.txt", "");
        let mut games = list(folder.path());
        assert_eq!(games.len(), 2);
        for (path, about) in read(games.iter().map(|game| game.path.clone()).collect(), 9, Duration::ZERO) {
            games.iter_mut().find(|game| game.path == path).unwrap().learn(about);
        }
        crate::sort::sort_by(&mut games, |a, b| a.name.cmp(&b.name));
        let about = games[0].about().unwrap().as_ref().unwrap();
        assert_eq!((about.moves, about.result(), about.last.len()), (3, "unfinished", 1));
        assert!(
            games[0].fits(&words("MINIMAX a.game")) && games[0].fits(&[]) && !games[0].fits(&words("minimax random"))
        );
        assert!(games[1].about().unwrap().is_err());
    }

    #[test]
    fn a_folder_of_thousands_is_listed_in_no_time_and_read_a_little_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("[Game \"kalah:6x4:standard\"]\n[South \"max\"]\n[North \"max\"]\n\n1. C F {}\n", "");
        (0..5000).for_each(|number| fs::write(folder.path().join(format!("game-{number}.game")), &text).unwrap());
        let games = list(folder.path());
        assert_eq!(games.len(), 5000);
        let paths: Vec<PathBuf> = games.into_iter().map(|game| game.path).collect();
        assert_eq!(read(paths.clone(), 7, Duration::ZERO).len(), 7);
        let began = Instant::now();
        let read = read(paths, 0, Duration::from_millis(100));
        assert!(!read.is_empty() && began.elapsed() < Duration::from_secs(10), "{}", read.len());
    }
}
