//! Puzzles: positions of saved games before a mistake, with the move hidden.
//!
//! They come from the reviews that game files hold, and are tried as one's own mistakes are (`retry`). The day's selection follows from
//! the date and the positions alone.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use super::game_file::{ENDING, OpenedGame, read_limited};
use super::retry::Task;
use super::{Board, Message, saved};
use crate::app::effect::{Context, Tone};
use crate::codec::checksum;
use crate::config::Config;
use crate::game::record::{NodeId, Record};
use crate::game::{Move, Position, Side, Variant};
use crate::player::levels::{Level, Opponent};
use crate::player::reviewing::Mark;
use crate::player::{PositionValue, Spec};
use crate::rng;
use rand::Rng as _;

/// Number of puzzles a day.
pub const A_DAY: usize = 10;

/// A position in which a mistake was made.
#[derive(Clone, Debug)]
pub struct Puzzle {
    pub position: Position,
    pub values: Arc<PositionValue>,
    /// The mistake.
    pub played: Move,
    pub mark: Mark,
    /// The file's name, and the turn in it.
    pub file: String,
    pub turn: u32,
}

/// The puzzles of a folder.
#[derive(Clone, Debug, Default)]
pub struct Puzzles {
    /// By file name and turn; each position once.
    pub all: Vec<Puzzle>,
    /// Games, and those of them that were not reviewed.
    pub games: usize,
    pub not_reviewed: usize,
}

/// Days since 1970, UTC.
pub fn today() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() / 86_400)
}

impl Puzzles {
    /// Reads the games of a folder. Files that are no games are left out.
    pub fn read(folder: &Path, config: &Config) -> Puzzles {
        let mut puzzles = Puzzles::default();
        let mut seen = HashSet::new();
        let mut files = saved::list(folder);
        files.retain(|file| file.path.extension().is_some_and(|ending| ending == ENDING));
        crate::sort::sort_by(&mut files, |a, b| a.name.cmp(&b.name));
        for file in files {
            let text = read_limited(&file.path).ok();
            let Some(opened) = text.and_then(|text| OpenedGame::read(&text, Variant::usual()[0]).ok()) else {
                continue;
            };
            puzzles.games += 1;
            puzzles.not_reviewed += usize::from(opened.values.is_empty());
            puzzles
                .all
                .extend(of_game(&opened, &file.name, config).into_iter().filter(|puzzle| seen.insert(puzzle.key())));
        }
        puzzles
    }

    /// The puzzles of a day since 1970, at most this many, in their order.
    pub fn of_day(&self, day: u64, most: usize) -> Vec<Puzzle> {
        let mut chosen: Vec<(u64, &Puzzle)> =
            self.all.iter().map(|puzzle| (rng::keyed(&[day, puzzle.key()]).next_u64(), puzzle)).collect();
        crate::sort::sort_by_key(&mut chosen, |(draw, _)| *draw);
        chosen.into_iter().take(most).map(|(_, puzzle)| puzzle.clone()).collect()
    }
}

fn of_game(opened: &OpenedGame, file: &str, config: &Config) -> Vec<Puzzle> {
    let record = &opened.record;
    let terms = config.review.terms(&record.variant, config.search.table_mb);
    let puzzle = |(before, step): (NodeId, &crate::game::record::Step)| {
        let (_, values) = opened.values.iter().find(|(node, _)| *node == before)?;
        let position = *record.position_at(before);
        let file = file.to_owned();
        let mark = values.mark(step.mv, &terms)?;
        Some(Puzzle { position, values: Arc::clone(values), played: step.mv, mark, file, turn: step.turn })
    };
    let line = record.main_line();
    let before = std::iter::once(0).chain(line.iter().map(|step| step.node));
    before.zip(&line).filter_map(puzzle).collect()
}

impl Puzzle {
    fn key(&self) -> u64 {
        checksum(format!("{} {}", self.position.variant(), self.position.to_text()).as_bytes())
    }

    /// The best moves' names.
    pub fn answer(&self) -> String {
        let best = self.values.moves.iter().filter(|line| self.values.loss(line.mv).is_some_and(|loss| loss.is_zero()));
        best.map(|line| self.position.move_text(line.mv)).collect::<Vec<_>>().join(" ")
    }

    /// The game that begins with the position, a person to move against the usual opponent.
    fn opened(&self) -> OpenedGame {
        let variant = self.position.variant();
        let mut players = [Spec::Human, Opponent::Level(Level::default()).player(&variant)];
        if self.position.side() == Side::North {
            players.swap(0, 1);
        }
        let names = players.each_ref().map(ToString::to_string);
        let mut record = Record::from_position(variant, self.position, names, None);
        record.set_comment(0, &format!("From {}, turn {}", self.file, self.turn));
        let values = vec![(0, Arc::clone(&self.values))];
        OpenedGame { record, players: players.map(Some), file: None, replaceable: false, stored: true, values }
    }
}

impl Board {
    /// Reads the saved games in the background, or ends the puzzles.
    pub(super) fn toggle_puzzles(&mut self, cx: &mut Context) {
        if self.is_retrying() {
            return self.toggle_retry(cx);
        }
        let Some(games) = self.library.games.clone() else {
            return cx.notice(Tone::Info, "No home directory: no saved games");
        };
        let config = cx.config.clone();
        cx.wait_for(move || Message::Puzzles(Puzzles::read(&games, &config)));
    }

    /// Begins with the puzzles of the day.
    pub(super) fn take_puzzles(&mut self, puzzles: &Puzzles, cx: &mut Context) {
        let chosen = puzzles.of_day(today(), A_DAY);
        if chosen.is_empty() {
            let text = match puzzles.games {
                0 => "No puzzles: no saved games. s saves a game, after r reviewed it".to_owned(),
                games => format!("No puzzles: {} of {games} saved games not reviewed (l, r, s)", puzzles.not_reviewed),
            };
            return cx.notice(Tone::Info, text);
        }
        self.begin_retry(chosen.into_iter().map(Task::Puzzle).collect(), cx);
    }

    pub(super) fn show_puzzle(&mut self, puzzle: &Puzzle, cx: &mut Context) {
        // Puzzles do not change the settings of the next new game.
        let setup = self.setup.clone();
        self.put_opened(puzzle.opened(), true, cx);
        self.setup = setup;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// South's first move loses 9 of 10 seeds' lead in one of the games.
    fn game(moves: &str, values: &str) -> String {
        format!(
            "[Game \"kalah:6x4:standard\"]\n[South \"human\"]\n[North \"easy\"]\n\n{{[%values {values}]}} {moves}\n"
        )
    }

    #[test]
    fn mistakes_of_reviewed_games_are_puzzles_once_and_the_day_chooses() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        let good = "8 C=+20, A=-20, B=+20, D=-1, E=0, F=0";
        write("b.game", &game("1. A", good));
        write("a.game", &game("1. A", good));
        write("c.game", &game("1. C", good));
        write("d.game", "[Game \"kalah\"]\n1. C\n");
        write("e.game", "[Game \"chess\"]\n");
        let puzzles = Puzzles::read(folder.path(), &Config::default());
        assert_eq!((puzzles.games, puzzles.not_reviewed, puzzles.all.len()), (4, 1, 1));
        let puzzle = &puzzles.all[0];
        assert_eq!((puzzle.file.as_str(), puzzle.turn, puzzle.answer().as_str()), ("a.game", 1, "B C"));
        write(
            "f.game",
            &game("1. C 2. a", good).replace("1. C 2. a", "1. C F {[%values 8 a=-20, b=+20, c=0, d=0, e=0, f=0]} 2. a"),
        );
        let puzzles = Puzzles::read(folder.path(), &Config::default());
        assert_eq!(puzzles.all.len(), 2);
        let files = |day| puzzles.of_day(day, 9).into_iter().map(|puzzle| puzzle.file).collect::<Vec<_>>();
        assert_eq!(files(5), files(5));
        assert!((0..20).any(|day| files(day) != files(0)), "days differ");
        assert_eq!(puzzles.of_day(1, 1).len(), 1);
    }
}
