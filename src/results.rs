//! A person's results against computer players: a log in the state folder, and summaries by game and opponent.
//!
//! A game adds a line when it ends, and another with the accuracy when its review is complete; the last line of a game counts. Lines are
//! only ever added, in one write each, so that several processes can share the file. Lines of earlier versions have fewer cells: they
//! are of rated games, and their openings and phases are unknown.

mod my_level;
mod summary;

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::files::{self, open_with};
use crate::game::{Outcome, Variant};
use crate::paths::Paths;
use crate::player::offers::Level;
use crate::player::offers::strength;
use crate::sanitize;
use mancalab_base::Error;
use rustix::fs::{FlockOperation, flock};

pub(crate) use my_level::MyLevels;
pub(crate) use summary::{InGame, by_game};

/// The name of the file, in the state folder.
pub(crate) const FILE: &str = "results.csv";

const HEAD: &str = "id,ended,game,side,outcome,own,other,moves,accuracy,mistakes,blunders,rating,help,opening,\
                    accuracy_1,accuracy_2,accuracy_3,chance_1,chance_2,opponent\n";

/// Cells of a line, and of one of an earlier version.
const CELLS: [usize; 2] = [20, 12];

const RATINGS: [&str; 2] = ["rated", "casual"];

/// The parts of a game: its first, middle and last third.
pub(crate) const PHASES: [&str; 3] = ["first third", "middle third", "last third"];

/// A finished game of a person against a computer player.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct GameResult {
    /// The same for all lines of a game.
    pub id: u64,
    /// UTC, `2026-11-25 18:00:00Z`.
    pub ended: String,
    pub game: String,
    pub side: String,
    /// Points: 2 for a win, 1 for a draw.
    pub points: u8,
    /// The person lost by resigning.
    pub has_resigned: bool,
    /// Seeds, discs or pieces at the end.
    pub counts: [u32; 2],
    pub moves: u32,
    /// In percent, with the numbers of mistakes and blunders; `None` before the review.
    pub accuracy: Option<f64>,
    pub marks: [u32; 2],
    pub opponent: String,
    /// What made the game casual, such as `hints, take-back`; `None` for a rated one.
    pub casual: Option<String>,
    /// The opening's name, or the moves of the first turn; `None` if it was not recorded.
    pub opening: Option<String>,
    pub phases: Phases,
}

/// How the phases of a reviewed game went for the person, in percent.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Phases {
    /// The accuracy of the moves in each phase.
    pub accuracy: [Option<f64>; 3],
    /// The chance of winning at the end of each phase but the last.
    pub chance: [Option<f64>; 2],
}

/// Outcomes by points, and the outcome of a game that the person resigned.
const OUTCOMES: [&str; 3] = ["lost", "drawn", "won"];
const RESIGNED: &str = "resigned";

/// The log's file; `None` without a home directory.
pub(crate) fn file(paths: &Paths) -> Option<PathBuf> {
    paths.state().map(|state| state.join(FILE))
}

impl GameResult {
    /// The points of an outcome.
    pub fn points(outcome: Outcome) -> u8 {
        match outcome {
            Outcome::Lost => 0,
            Outcome::Drawn => 1,
            Outcome::Won => 2,
        }
    }

    /// Returns the outcome in a word.
    fn outcome(&self) -> &'static str {
        if self.has_resigned { RESIGNED } else { OUTCOMES[usize::from(self.points).min(2)] }
    }

    fn line(&self) -> String {
        let GameResult { id, ended, game, side, counts: [own, other], moves, accuracy, marks, opponent, .. } = self;
        let accuracy = accuracy.map_or(String::new(), |accuracy| accuracy.to_string());
        let [mistakes, blunders] = marks;
        let outcome = self.outcome();
        let rating = RATINGS[usize::from(self.casual.is_some())];
        let [help, opening] = [&self.casual, &self.opening].map(|text| cell(text.as_deref().unwrap_or_default()));
        let Phases { accuracy: [first, middle, last], chance: [one, two] } = self.phases;
        let percent = |number: Option<f64>| number.map_or(String::new(), |number| format!("{number:.1}"));
        let phases = [first, middle, last, one, two].map(percent).join(",");
        // Last, as it may have commas.
        let opponent = sanitize::inline(opponent);
        format!(
            "{id:016x},{ended},{game},{side},{outcome},{own},{other},{moves},{accuracy},{mistakes},{blunders},\
             {rating},{help},{opening},{phases},{opponent}\n"
        )
    }

    fn read(line: &str) -> Option<GameResult> {
        // In an earlier version's line the cell of the rating is the opponent, and no player has such a name.
        let is_new = line.split(',').nth(11).is_some_and(|cell| RATINGS.contains(&cell));
        let cells: Vec<&str> = line.splitn(CELLS[usize::from(!is_new)], ',').collect();
        let (&opponent, cells) = cells.split_last()?;
        let [id, ended, game, side, outcome, own, other, moves, accuracy, mistakes, blunders, rest @ ..] = cells else {
            return None;
        };
        let number = |text: &str| if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) };
        let (casual, opening, phases) = match rest {
            [] if !is_new => (None, None, Phases::default()),
            [rating, help, opening, first, middle, last, one, two] => (
                (*rating == RATINGS[1]).then(|| help.replace(';', ",")),
                Some(opening.replace(';', ",")).filter(|opening| !opening.is_empty()),
                Phases {
                    accuracy: [number(first)?, number(middle)?, number(last)?],
                    chance: [number(one)?, number(two)?],
                },
            ),
            _ => return None,
        };
        let has_resigned = *outcome == RESIGNED;
        Some(GameResult {
            id: u64::from_str_radix(id, 16).ok()?,
            ended: (*ended).to_owned(),
            game: (*game).to_owned(),
            side: (*side).to_owned(),
            points: if has_resigned { 0 } else { OUTCOMES.iter().position(|known| known == outcome)? as u8 },
            has_resigned,
            counts: [own.parse().ok()?, other.parse().ok()?],
            moves: moves.parse().ok()?,
            accuracy: number(accuracy)?,
            marks: [mistakes.parse().ok()?, blunders.parse().ok()?],
            opponent: opponent.to_owned(),
            casual,
            opening,
            phases,
        })
    }

    /// The opponent's name: its level, or its text.
    fn opponent_name(&self) -> String {
        let variant = self.game.parse::<Variant>();
        variant.map_or(self.opponent.as_str(), |variant| Level::name(&self.opponent, &variant)).to_owned()
    }

    /// The opponent's rating on the game's ladder.
    fn rating(&self) -> Option<i32> {
        Some(strength(&self.opponent, &self.game.parse::<Variant>().ok()?)?.elo)
    }
}

/// A text in a cell of a line.
fn cell(text: &str) -> String {
    sanitize::inline(text).replace(',', ";")
}

/// Adds a line to the log.
///
/// # Errors
/// The file could not be written.
pub(crate) fn add(path: &Path, played: &GameResult) -> Result<(), Error> {
    let write = || {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut file = open_with(OpenOptions::new().create(true).append(true), path)?;
        // Of two programs one at a time appends, so that what is cut below is its own; not every file system has locks.
        let _ = flock(&file, FlockOperation::LockExclusive);
        let length = file.metadata()?.len();
        let before = if length > 0 { files::read_text(path, files::Kind::Collection)? } else { String::new() };
        // A line that a full disk cut short does not take the next one with it.
        let end = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
        // A file of an earlier version gets the head of the lines that follow.
        let head = if before.lines().any(|line| line == HEAD.trim_end()) { "" } else { HEAD };
        let written = file.write_all(format!("{end}{head}{}", played.line()).as_bytes());
        // Of a line that does not fit nothing stays.
        written.inspect_err(|_| _ = file.set_len(length))
    };
    let reason =
        |error: io::Error| format!("cannot log the result in {}: {}", path.display(), sanitize::reason(&error));
    write().map_err(|error| reason(error).into())
}

/// The games of the log, the oldest first, and the numbers of the lines that are not results.
///
/// # Errors
/// The file exists and cannot be read.
pub(crate) fn read(path: &Path) -> Result<(Vec<GameResult>, Vec<usize>), Error> {
    let text = match files::read_text(path, files::Kind::Collection) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((Vec::new(), Vec::new())),
        Err(error) => return Err(format!("{}: {}", path.display(), sanitize::reason(&error)).into()),
    };
    let mut games: Vec<GameResult> = Vec::new();
    let mut bad = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with("id,")) {
        match GameResult::read(line) {
            Some(played) => match games.iter_mut().rev().find(|known| known.id == played.id) {
                Some(known) => *known = played,
                None => games.push(played),
            },
            None => bad.push(number),
        }
    }
    Ok((games, bad))
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn played(id: u64, opponent: &str, points: u8, accuracy: Option<f64>) -> GameResult {
        GameResult {
            id,
            ended: "2026-11-25 18:00:00Z".into(),
            game: "kalah:6x4:standard".into(),
            side: "South".into(),
            points,
            counts: [30, 18],
            moves: 40,
            accuracy,
            marks: [2, 1],
            opponent: opponent.into(),
            ..GameResult::default()
        }
    }

    #[test]
    fn the_last_line_of_a_game_counts_and_bad_lines_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state").join(FILE);
        assert_eq!(read(&path).unwrap(), (vec![], vec![]));
        let odd = "engine:\"a, b\":ms=2";
        let resigned = GameResult { has_resigned: true, ..played(9, "max", 0, None) };
        for one in [&played(7, odd, 0, None), &played(8, "max", 2, None), &played(7, odd, 0, Some(81.5)), &resigned] {
            add(&path, one).unwrap();
        }
        let mut text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(HEAD) && text.lines().count() == 5);
        text += "tea\n";
        std::fs::write(&path, text).unwrap();
        assert_eq!(
            read(&path).unwrap(),
            (vec![played(7, odd, 0, Some(81.5)), played(8, "max", 2, None), resigned], vec![6])
        );
    }

    #[test]
    fn a_line_that_was_cut_short_does_not_take_the_next_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        add(&path, &played(7, "max", 0, None)).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 9]).unwrap();
        add(&path, &played(8, "max", 2, None)).unwrap();
        assert_eq!(read(&path).unwrap(), (vec![played(8, "max", 2, None)], vec![2]));
    }

    #[test]
    fn lines_of_earlier_versions_are_of_rated_games() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        let old = "id,ended,game,side,outcome,own,other,moves,accuracy,mistakes,blunders,opponent\n\
                   0000000000000007,2026-11-25 18:00:00Z,kalah:6x4:standard,South,lost,30,18,40,,2,1,engine:\"a, b\":ms=2\n";
        std::fs::write(&path, old).unwrap();
        let phases = Phases { accuracy: [Some(90.5), None, Some(70.0)], chance: [Some(55.0), Some(0.0)] };
        let new = GameResult {
            casual: Some("hints, take-back".into()),
            opening: Some("Tiger, Brightwell".into()),
            phases,
            ..played(8, "engine:\"a, b\":ms=2", 1, Some(60.0))
        };
        add(&path, &new).unwrap();
        add(&path, &played(9, "max", 2, None)).unwrap();
        let earlier = played(7, "engine:\"a, b\":ms=2", 0, None);
        assert_eq!(read(&path).unwrap(), (vec![earlier, new, played(9, "max", 2, None)], vec![]));
        assert_eq!(std::fs::read_to_string(&path).unwrap().matches(HEAD).count(), 1);
    }
}
