//! A person's results against computer players: a log in the state folder, and summaries by game and opponent.
//!
//! A game adds a line when it ends, and another with the accuracy when its review is complete; the last line of a game counts. Lines are
//! only ever added, in one write each, so that several processes can share the file.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use mancalab_base::Error;
use serde::Serialize;

use crate::files::{self, open_with};
use crate::game::{Outcome, Variant};
use crate::paths::Paths;
use crate::player::offers::strength;
use crate::sanitize;

/// The name of the file, in the state folder.
const FILE: &str = "results.csv";

const HEAD: &str = "id,ended,game,side,outcome,own,other,moves,accuracy,mistakes,blunders,opponent\n";

/// Number of the newest games whose accuracy is shown separately.
const LATELY: usize = 10;

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
    /// Seeds, discs or pieces at the end.
    pub counts: [u32; 2],
    pub moves: u32,
    /// In percent, with the numbers of mistakes and blunders; `None` before the review.
    pub accuracy: Option<f64>,
    pub marks: [u32; 2],
    pub opponent: String,
}

const OUTCOMES: [&str; 3] = ["lost", "drawn", "won"];

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

    fn line(&self) -> String {
        let GameResult { id, ended, game, side, points, counts: [own, other], moves, accuracy, marks, opponent } = self;
        let accuracy = accuracy.map_or(String::new(), |accuracy| accuracy.to_string());
        let [mistakes, blunders] = marks;
        let outcome = OUTCOMES[usize::from(*points).min(2)];
        // Last, as it may have commas.
        let opponent = sanitize::inline(opponent);
        format!(
            "{id:016x},{ended},{game},{side},{outcome},{own},{other},{moves},{accuracy},{mistakes},{blunders},{opponent}\n"
        )
    }

    fn read(line: &str) -> Option<GameResult> {
        let cells: Vec<&str> = line.splitn(12, ',').collect();
        let [id, ended, game, side, outcome, own, other, moves, accuracy, mistakes, blunders, opponent] = cells[..]
        else {
            return None;
        };
        Some(GameResult {
            id: u64::from_str_radix(id, 16).ok()?,
            ended: ended.to_owned(),
            game: game.to_owned(),
            side: side.to_owned(),
            points: OUTCOMES.iter().position(|&known| known == outcome)? as u8,
            counts: [own.parse().ok()?, other.parse().ok()?],
            moves: moves.parse().ok()?,
            accuracy: if accuracy.is_empty() { None } else { Some(accuracy.parse().ok()?) },
            marks: [mistakes.parse().ok()?, blunders.parse().ok()?],
            opponent: opponent.to_owned(),
        })
    }

    /// The opponent's rating on the game's ladder.
    fn rating(&self) -> Option<i32> {
        Some(strength(&self.opponent, &self.game.parse::<Variant>().ok()?)?.elo)
    }
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
        let head = if file.metadata()?.len() == 0 { HEAD } else { "" };
        file.write_all(format!("{head}{}", played.line()).as_bytes())
    };
    let reason =
        |error: io::Error| format!("cannot log the result in {}: {}", path.display(), sanitize::reason(&error));
    write().map_err(|error| reason(error).into())
}

/// The games of the log, the oldest first, and the number of lines that cannot be read.
///
/// # Errors
/// The file exists and cannot be read.
pub(crate) fn read(path: &Path) -> Result<(Vec<GameResult>, usize), Error> {
    let text = match files::read_text(path, files::Kind::Collection) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((Vec::new(), 0)),
        Err(error) => return Err(format!("{}: {}", path.display(), sanitize::reason(&error)).into()),
    };
    let (mut games, mut bad): (Vec<GameResult>, usize) = (Vec::new(), 0);
    for line in text.lines().filter(|line| !line.is_empty() && !HEAD.starts_with(line)) {
        match GameResult::read(line) {
            Some(played) => match games.iter_mut().rev().find(|known| known.id == played.id) {
                Some(known) => *known = played,
                None => games.push(played),
            },
            None => bad += 1,
        }
    }
    Ok((games, bad))
}

/// Results against one opponent.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub(crate) struct Against {
    pub opponent: String,
    /// Elo on the game's ladder; `None` if it was not measured.
    pub elo: Option<i32>,
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    /// Mean accuracy of the reviewed games, in percent.
    pub accuracy: Option<f64>,
}

/// Results in one game.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub(crate) struct InGame {
    pub game: String,
    pub games: usize,
    /// The person's Elo on the game's ladder, from the games against measured opponents.
    pub elo: Option<f64>,
    pub rated_games: usize,
    pub accuracy: Option<f64>,
    /// The same of the newest ten games, if there are older ones.
    pub accuracy_lately: Option<f64>,
    /// Accuracy of each reviewed game, the oldest first.
    pub accuracies: Vec<f64>,
    pub mistakes: u32,
    pub blunders: u32,
    /// By rating, then name.
    pub opponents: Vec<Against>,
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = numbers.fold((0.0, 0), |(sum, count), number| (sum + number, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// The Elo at which the expected points equal those scored, with one more draw against the mean opponent, so that it exists for any
/// results. Each game is the opponent's rating and the points, 0 to 2.
fn elo(games: &[(i32, u8)]) -> Option<f64> {
    let draw = mean(games.iter().map(|(rating, _)| f64::from(*rating)))?;
    let scored = 0.5 + games.iter().map(|(_, points)| f64::from(*points) / 2.0).sum::<f64>();
    let expected = |own: f64| {
        let of = |other: f64| 1.0 / (1.0 + 10_f64.powf((other - own) / 400.0));
        of(draw) + games.iter().map(|(rating, _)| of(f64::from(*rating))).sum::<f64>()
    };
    let mut low = draw - 4000.0;
    let mut high = draw + 4000.0;
    while high - low > 0.5 {
        let middle = (low + high) / 2.0;
        if expected(middle) < scored { low = middle } else { high = middle }
    }
    Some((low + high) / 2.0)
}

/// The results by game, in the order of the first game in each.
pub(crate) fn by_game(games: &[GameResult]) -> Vec<InGame> {
    let mut names: Vec<&str> = Vec::new();
    games.iter().for_each(|played| {
        if !names.contains(&played.game.as_str()) {
            names.push(&played.game)
        }
    });
    names.into_iter().map(|name| in_game(name, games.iter().filter(|played| played.game == name).collect())).collect()
}

fn in_game(game: &str, played: Vec<&GameResult>) -> InGame {
    let rated: Vec<(i32, u8)> = played.iter().filter_map(|played| Some((played.rating()?, played.points))).collect();
    let accuracies: Vec<f64> = played.iter().filter_map(|played| played.accuracy).collect();
    let lately = accuracies.len().checked_sub(LATELY).filter(|older| *older > 0);
    let sum = |at: usize| played.iter().map(|played| played.marks[at]).sum();
    let mut opponents: BTreeMap<&str, Vec<&GameResult>> = BTreeMap::new();
    played.iter().for_each(|one| opponents.entry(&one.opponent).or_default().push(one));
    let mut opponents: Vec<Against> = opponents.into_iter().map(|(name, games)| against(name, &games)).collect();
    crate::sort::sort_by_key(&mut opponents, |one| one.elo.unwrap_or(i32::MIN));
    InGame {
        game: game.to_owned(),
        games: played.len(),
        elo: elo(&rated),
        rated_games: rated.len(),
        accuracy: mean(accuracies.iter().copied()),
        accuracy_lately: lately.and_then(|older| mean(accuracies[older..].iter().copied())),
        accuracies,
        mistakes: sum(0),
        blunders: sum(1),
        opponents,
    }
}

fn against(opponent: &str, games: &[&GameResult]) -> Against {
    let count = |points: u8| games.iter().filter(|played| played.points == points).count() as u32;
    Against {
        opponent: opponent.to_owned(),
        elo: games.first().and_then(|played| played.rating()),
        won: count(2),
        drawn: count(1),
        lost: count(0),
        accuracy: mean(games.iter().filter_map(|played| played.accuracy)),
    }
}

impl InGame {
    /// The results as lines of text, without the game's name.
    pub fn lines(&self) -> Vec<String> {
        let percent = |accuracy: Option<f64>| accuracy.map_or("-".to_owned(), |accuracy| format!("{accuracy:.0} %"));
        let games = format!("{} game{}", self.games, if self.games == 1 { "" } else { "s" });
        let mut lines = vec![match self.elo {
            Some(elo) => format!("{games}, Elo {elo:+.0} on the ladder ({} rated)", self.rated_games),
            None => format!("{games}, no rated opponent"),
        }];
        if self.accuracy.is_some() {
            let lately = self.accuracy_lately.map_or(String::new(), |last| format!(", the last {LATELY} {last:.0} %"));
            lines.push(format!(
                "accuracy {}{lately}; ? {}, ?? {}",
                percent(self.accuracy),
                self.mistakes,
                self.blunders
            ));
            let newest = &self.accuracies[self.accuracies.len().saturating_sub(LATELY)..];
            let newest: Vec<String> = newest.iter().map(|accuracy| format!("{accuracy:.0}")).collect();
            lines.push(format!("accuracy of the last games, the newest last: {}", newest.join(" ")));
        }
        lines.push(format!("{:<30}{:>6}{:>5}{:>7}{:>6}{:>10}", "opponent", "Elo", "won", "drawn", "lost", "accuracy"));
        lines.extend(self.opponents.iter().map(|one| {
            let elo = one.elo.map_or("-".to_owned(), |elo| format!("{elo:+}"));
            let name: String = one.opponent.chars().take(29).collect();
            let Against { won, drawn, lost, .. } = one;
            format!("{name:<30}{elo:>6}{won:>5}{drawn:>7}{lost:>6}{:>10}", percent(one.accuracy))
        }));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(id: u64, opponent: &str, points: u8, accuracy: Option<f64>) -> GameResult {
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
        }
    }

    #[test]
    fn the_last_line_of_a_game_counts_and_bad_lines_are_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state").join(FILE);
        assert_eq!(read(&path).unwrap(), (vec![], 0));
        let odd = "engine:\"a, b\":ms=2";
        for one in [played(7, odd, 0, None), played(8, "max", 2, None), played(7, odd, 0, Some(81.5))] {
            add(&path, &one).unwrap();
        }
        let mut text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(HEAD) && text.lines().count() == 4);
        text += "tea\n";
        std::fs::write(&path, text).unwrap();
        assert_eq!(read(&path).unwrap(), (vec![played(7, odd, 0, Some(81.5)), played(8, "max", 2, None)], 1));
    }

    #[test]
    fn the_rating_is_that_of_the_points() {
        assert_eq!(elo(&[]), None);
        let even = elo(&[(100, 2), (100, 0)]).unwrap();
        assert!((even - 100.0).abs() < 1.0, "{even}");
        // Two wins and the draw: 2.5 of 3 against 0.
        let better = elo(&[(0, 2), (0, 2)]).unwrap();
        let expected = 400.0 * (2.5_f64 / 0.5).log10();
        assert!((better - expected).abs() < 1.0, "{better}");
    }

    #[test]
    fn results_are_told_by_game_and_opponent() {
        let mut games: Vec<GameResult> =
            (0..12).map(|id| played(id, "minimax:2", (id % 3) as u8, Some(70.0))).collect();
        games.push(played(20, "somebody", 2, None));
        games.push(GameResult { game: "othello:8x8:standard".into(), ..played(21, "max", 1, None) });
        let all = by_game(&games);
        assert_eq!(all.len(), 2);
        let kalah = &all[0];
        assert_eq!((kalah.games, kalah.rated_games, kalah.accuracies.len()), (13, 12, 12));
        assert_eq!((kalah.accuracy, kalah.accuracy_lately), (Some(70.0), Some(70.0)));
        let names: Vec<&str> = kalah.opponents.iter().map(|one| one.opponent.as_str()).collect();
        assert_eq!(names, ["somebody", "minimax:2"]);
        assert_eq!((kalah.opponents[1].won, kalah.opponents[1].drawn, kalah.opponents[1].lost), (4, 4, 4));
        let text = kalah.lines().join("\n");
        assert!(text.contains("13 games, Elo ") && text.contains("the newest last: 70 70"), "{text}");
        assert!(by_game(&[]).is_empty());
    }
}
