//! Puzzles: positions of saved games before a mistake, with the move hidden.
//!
//! They come from the reviews that game files hold, and are tried as one's own mistakes are (`retry`). Each comes back by its card
//! ([`cards`](crate::cards), `cards`). The day's selection follows from the date, the positions and the cards alone. Where none is due
//! there are those that come with the program (`shipped`).

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use mancalab_base::{Error, date};
use rand::Rng as _;
use serde::Serialize;

use super::cards::PuzzleDay;
use super::retry::Task;
use super::{Practice, PracticeMessage, shipped};
use crate::app::effect::{Context, Tone};
use crate::cards::{self, Deck, Key};
use crate::codec::checksum;
use crate::config::Config;
use crate::game::record::{NodeId, Record};
use crate::game::{Move, Position, Side, Variant};
use crate::player::levels::{Level, Opponent};
use crate::player::reviewing::Mark;
use crate::player::{PositionValue, Spec};
use crate::rng;
use crate::tabs::board::library::agree::{needs_agreement, without_file};
use crate::tabs::board::library::game_file::{ENDING, OpenedGame, read_limited};
use crate::tabs::board::library::saved;
use crate::tabs::board::session::Session;

/// Greatest number of puzzles a day.
pub const A_DAY: usize = 10;

/// Whose mistakes are puzzles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mistakes {
    /// Those of persons.
    #[default]
    Own,
    /// Those of computer players too, after the others.
    All,
    /// None: the puzzles that come with the program.
    Shipped,
}

/// A position in which a mistake was made.
#[derive(Clone, Debug)]
pub struct Puzzle {
    pub position: Position,
    pub values: Arc<PositionValue>,
    /// The mistake.
    pub played: Move,
    pub mark: Mark,
    /// A person made the mistake.
    pub own: bool,
    /// The file's name, and the turn in it; of one that comes with the program its number.
    pub file: String,
    pub turn: u32,
}

/// The puzzles of a folder.
#[derive(Clone, Debug, Default)]
pub struct Puzzles {
    /// By file name and turn; each position once, as one's own mistake if it is one in any game.
    pub all: Vec<Puzzle>,
    /// Those that come with the program, of one game.
    pub shipped: Vec<Puzzle>,
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
        let mut seen = HashMap::new();
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
            for puzzle in of_game(&opened, &file.name, config) {
                let at = *seen.entry(puzzle.key()).or_insert(puzzles.all.len());
                match puzzles.all.get_mut(at) {
                    None => puzzles.all.push(puzzle),
                    Some(known) if puzzle.own && !known.own => *known = puzzle,
                    Some(_) => {}
                }
            }
        }
        puzzles
    }

    /// Adds those of a game that come with the program.
    #[must_use]
    pub fn with_shipped(self, variant: Variant, config: &Config) -> Puzzles {
        Puzzles { shipped: shipped::puzzles(variant, config), ..self }
    }

    /// The puzzles from these mistakes.
    pub(crate) fn selected(&self, mistakes: Mistakes) -> impl Iterator<Item = &Puzzle> {
        let puzzles = if mistakes == Mistakes::Shipped { &self.shipped } else { &self.all };
        puzzles.iter().filter(move |puzzle| puzzle.own || mistakes != Mistakes::Own)
    }

    /// These mistakes, or the shipped puzzles if only of them any is to be solved on a day.
    pub(crate) fn wanted(&self, mistakes: Mistakes, deck: &Deck, day: u64) -> Mistakes {
        let has = |mistakes| !self.of_day(mistakes, deck, day).is_empty();
        let is_shipped = !has(mistakes) && !has(Mistakes::All) && has(Mistakes::Shipped);
        if is_shipped { Mistakes::Shipped } else { mistakes }
    }

    /// The puzzles to solve on a day since 1970: those that are due, by date, then new ones, one's own first, of those that come with the
    /// program the easier ones. With those graded on that day they are at most [`A_DAY`].
    pub(crate) fn of_day(&self, mistakes: Mistakes, deck: &Deck, day: u64) -> Vec<&Puzzle> {
        let (graded, _) = deck.graded_on(day);
        let mut chosen: Vec<((bool, u64, u64), &Puzzle)> = Vec::new();
        for puzzle in self.selected(mistakes) {
            let key = puzzle.key();
            // New ones are behind all dates.
            let due = deck.get(&key).map_or(u64::MAX, |card| card.due);
            if due <= day || due == u64::MAX {
                let number = checksum(format!("{} {}", key.game, key.position).as_bytes());
                let random = || rng::keyed(&[day, number]).next_u64();
                let order = if puzzle.is_shipped() { puzzle.turn.into() } else { random() };
                chosen.push(((!puzzle.own, due, order), puzzle));
            }
        }
        crate::sort::sort_by_key(&mut chosen, |(order, _)| *order);
        chosen.into_iter().take(A_DAY.saturating_sub(graded)).map(|(_, puzzle)| puzzle).collect()
    }

    /// The first day from `today` on that has puzzles to solve, with their number; `None` without puzzles.
    pub(crate) fn next(&self, mistakes: Mistakes, deck: &Deck, today: u64) -> Option<(u64, usize)> {
        let dates = self.selected(mistakes).filter_map(|puzzle| deck.get(&puzzle.key())).map(|card| card.due);
        let later = dates.filter(|due| *due > today).min();
        let days = [Some(today), Some(today + 1), later].into_iter().flatten();
        days.map(|day| (day, self.of_day(mistakes, deck, day).len())).find(|(_, number)| *number > 0)
    }

    /// The result of the day as a sentence, such as `8 of 10 found. Next: tomorrow (3)`.
    pub(crate) fn result(&self, mistakes: Mistakes, deck: &Deck, today: u64) -> String {
        let (graded, found) = deck.graded_on(today);
        let result = (graded > 0).then(|| format!("{found} of {graded} found"));
        let next = self.next(mistakes, deck, today).map(|(day, number)| {
            let day = match day - today {
                0 => "today".to_owned(),
                1 => "tomorrow".to_owned(),
                _ => date(day),
            };
            format!("Next: {day} ({number})")
        });
        let next = next.unwrap_or_else(|| "No puzzles from your mistakes".to_owned());
        result.into_iter().chain([next]).collect::<Vec<_>>().join(". ")
    }

    /// What is due, without the limit of a day.
    pub(crate) fn due(&self, mistakes: Mistakes, deck: &Deck, today: u64) -> Due {
        let dates: Vec<Option<u64>> =
            self.selected(mistakes).map(|puzzle| deck.get(&puzzle.key()).map(|card| card.due)).collect();
        let until = |day: u64| dates.iter().flatten().filter(|due| **due <= day).count();
        let new = dates.iter().filter(|due| due.is_none()).count();
        Due { today: until(today), week: until(today + 6), new, all: dates.len() }
    }
}

/// Numbers of puzzles by the dates of their cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Due {
    /// Due today or before.
    pub today: usize,
    /// Due in the seven days from today on, or before.
    pub week: usize,
    /// Without a card: never tried.
    pub new: usize,
    pub all: usize,
}

pub(super) fn of_game(opened: &OpenedGame, file: &str, config: &Config) -> Vec<Puzzle> {
    let record = &opened.record;
    let persons = record.players.each_ref().map(|name| without_file(name) == Spec::Human && !needs_agreement(name));
    let terms = config.review.terms(&record.variant, config.search.table_mb);
    let puzzle = |(before, step): (NodeId, &crate::game::record::Step)| {
        let (_, values) = opened.values.iter().find(|(node, _)| *node == before)?;
        let position = *record.position_at(before);
        let file = file.to_owned();
        let mark = values.mark(step.mv, &terms)?;
        let own = persons[position.side().index()];
        Some(Puzzle { position, values: Arc::clone(values), played: step.mv, mark, own, file, turn: step.turn })
    };
    let line = record.main_line();
    let before = std::iter::once(0).chain(line.iter().map(|step| step.node));
    before.zip(&line).filter_map(puzzle).collect()
}

impl Puzzle {
    pub(crate) fn key(&self) -> Key {
        Key { game: self.position.variant().to_string(), position: self.position.to_text() }
    }

    fn is_shipped(&self) -> bool {
        self.file == shipped::NAME
    }

    /// Where it is from: `a.game, turn 3`, `shipped, number 3`.
    pub fn origin(&self) -> String {
        format!("{}, {} {}", self.file, if self.is_shipped() { "number" } else { "turn" }, self.turn)
    }

    /// The best moves' names.
    pub fn answer(&self) -> String {
        let best = self.values.moves.iter().filter(|line| self.values.loss(line.mv).is_some_and(|loss| loss.is_zero()));
        best.map(|line| self.position.move_text(line.mv)).collect::<Vec<_>>().join(" ")
    }

    /// The game that begins with the position, a person to move against the usual opponent.
    pub fn opened(&self) -> OpenedGame {
        let variant = self.position.variant();
        let mut players = [Spec::Human, Opponent::Level(Level::default()).player(&variant)];
        if self.position.side() == Side::North {
            players.swap(0, 1);
        }
        let names = players.each_ref().map(ToString::to_string);
        let mut record = Record::from_position(variant, self.position, names, None);
        record.set_comment(0, &format!("From {}", self.origin()));
        let values = vec![(0, Arc::clone(&self.values))];
        OpenedGame { record, players: players.map(Some), file: None, replaceable: false, stored: true, values }
    }
}

impl Practice {
    /// Reads the games of a folder and the cards in the background, for the puzzles from these mistakes.
    pub fn ask_puzzles(&self, session: &Session, games: Option<PathBuf>, mistakes: Mistakes, cx: &mut Context) {
        let variant = session.record.variant;
        let config = cx.config.clone();
        let file = cards::file(cx.paths);
        // Without a file the cards of this session.
        let deck = self.cards.deck.clone();
        let unwritten = self.cards.unwritten.clone();
        cx.wait_for(move || {
            let deck: Result<Deck, Error> = match file {
                Some(file) => unwritten.write(&file).and_then(|()| Deck::read(&file)),
                None => Ok(deck),
            };
            let own = games.map_or_else(Puzzles::default, |games| Puzzles::read(&games, &config));
            let puzzles = own.with_shipped(variant, &config);
            PracticeMessage::Puzzles(deck.map(|deck| PuzzleDay { puzzles, deck, mistakes, day: today() }))
        });
    }

    /// Begins with the puzzles of the day, which are returned; a notice says why there are none.
    pub fn take_puzzles(&mut self, mut asked: PuzzleDay, cx: &mut Context) -> Option<Vec<Task>> {
        let others = asked.puzzles.of_day(Mistakes::All, &asked.deck, asked.day).len();
        let result = asked.puzzles.result(asked.mistakes, &asked.deck, asked.day);
        asked.mistakes = asked.puzzles.wanted(asked.mistakes, &asked.deck, asked.day);
        let PuzzleDay { puzzles, deck, mistakes, day } = &asked;
        let chosen = puzzles.of_day(*mistakes, deck, *day);
        if !chosen.is_empty() {
            if *mistakes == Mistakes::Shipped {
                cx.notice(Tone::Info, format!("{result}. Shipped puzzles: {}", chosen.len()));
            }
            let tasks = chosen.into_iter().cloned().map(Task::Puzzle).collect();
            self.cards.begin(asked);
            return Some(tasks);
        }
        let has_shipped = puzzles.selected(Mistakes::Shipped).next().is_some();
        let text = match puzzles.games {
            games if *mistakes == Mistakes::Shipped || games == 0 && has_shipped => {
                puzzles.result(Mistakes::Shipped, deck, *day)
            }
            0 => "No puzzles: no saved games. s saves a game, after r reviewed it".to_owned(),
            _ if puzzles.all.is_empty() && puzzles.not_reviewed == 0 => {
                "No puzzles: no mistakes in your saved games".to_owned()
            }
            games if puzzles.all.is_empty() => {
                let count = puzzles.not_reviewed;
                format!("No puzzles: {count} of {games} saved games are not reviewed (l: load, r: review, s: save)")
            }
            _ if others > 0 => {
                self.cards.offered = Mistakes::All;
                format!("{result}. Q again: mistakes of the computer ({others})")
            }
            _ => result,
        };
        cx.notice(Tone::Info, text);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Card;
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
        let files = |day| {
            let chosen = puzzles.of_day(Mistakes::All, &Deck::default(), day).into_iter();
            chosen.map(|puzzle| puzzle.file.clone()).collect::<Vec<_>>()
        };
        assert_eq!(files(5), files(5));
        assert!((0..20).any(|day| files(day) != files(0)), "days differ");
    }

    /// Puzzles from positions that differ in South's store; those with these numbers are the computer's.
    fn puzzles(number: u8, computer: &[u8]) -> Puzzles {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.game"), game("1. A", "8 C=+20, A=-20, B=+20, D=-1, E=0, F=0")).unwrap();
        let puzzle = Puzzles::read(folder.path(), &Config::default()).all.remove(0);
        let variant = puzzle.position.variant();
        let one = |store: u8| {
            let text = format!("<6,{store},0,4,4,4,4,4,4,4,4,4,4,4,4> S");
            let position = variant.position_from_text(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            Puzzle { position, own: !computer.contains(&store), turn: store.into(), ..puzzle.clone() }
        };
        Puzzles { all: (0..number).map(one).collect(), games: 1, ..Puzzles::default() }
    }

    #[test]
    fn due_puzzles_come_before_new_ones_and_a_day_has_ten() {
        const DAY: u64 = 20_000;
        let puzzles = puzzles(16, &[0, 1]);
        let key = |number: usize| puzzles.all[number].key();
        let mut deck = Deck::default();
        let turns = |mistakes, deck: &Deck, day| {
            puzzles.of_day(mistakes, deck, day).iter().map(|puzzle| puzzle.turn).collect::<Vec<_>>()
        };
        let new = turns(Mistakes::Own, &deck, DAY);
        assert_eq!((new.len(), new.iter().any(|turn| *turn < 2)), (A_DAY, false));
        assert_ne!(new, turns(Mistakes::Own, &deck, DAY + 1));
        // One's own come first, due or new.
        let computers = Card { due: DAY - 9, ..Card::graded(None, 5, DAY - 10) };
        deck.set(key(0), computers);
        for (number, graded) in [(5, DAY - 2), (3, DAY - 3), (9, DAY - 1), (11, DAY)] {
            deck.set(key(number), Card::graded(None, 5, graded));
        }
        let all = turns(Mistakes::All, &deck, DAY);
        assert_eq!((all.len(), &all[..3]), (A_DAY - 1, &[3, 5, 9][..]), "one was graded today");
        assert_eq!(all, turns(Mistakes::Own, &deck, DAY));
        assert_eq!(puzzles.due(Mistakes::All, &deck, DAY), Due { today: 4, week: 5, new: 11, all: 16 });
        assert_eq!(puzzles.due(Mistakes::Own, &deck, DAY), Due { today: 3, week: 4, new: 10, all: 14 });
        assert_eq!(puzzles.result(Mistakes::Own, &deck, DAY), "1 of 1 found. Next: today (9)");
        // The same day twice gives what is left, and the next day what was wrong.
        for turn in &all {
            let key = key(*turn as usize);
            let grade = if *turn == 3 { 1 } else { 5 };
            deck.set(key.clone(), Card::graded(deck.get(&key), grade, DAY));
        }
        assert_eq!(turns(Mistakes::All, &deck, DAY), Vec::<u32>::new());
        assert_eq!(puzzles.result(Mistakes::Own, &deck, DAY), "9 of 10 found. Next: tomorrow (10)");
        let next = turns(Mistakes::Own, &deck, DAY + 1);
        assert!(next.len() == A_DAY && next.contains(&3) && next.contains(&11) && !next.contains(&5), "{next:?}");
    }

    #[test]
    fn the_next_date_may_be_far_and_the_computers_mistakes_come_last() {
        const DAY: u64 = 20_000;
        let puzzles = puzzles(3, &[1]);
        let mut deck = Deck::default();
        for number in [0, 2] {
            let key = puzzles.all[number].key();
            let first = Card::graded(None, 5, DAY - 1);
            deck.set(key, Card::graded(Some(first), 4, DAY));
        }
        assert_eq!(puzzles.of_day(Mistakes::Own, &deck, DAY).len(), 0);
        assert_eq!(puzzles.of_day(Mistakes::All, &deck, DAY)[0].turn, 1);
        assert_eq!(puzzles.result(Mistakes::Own, &deck, DAY), "2 of 2 found. Next: 2024-10-10 (2)");
        assert_eq!(puzzles.result(Mistakes::All, &deck, DAY), "2 of 2 found. Next: today (1)");
        assert_eq!(Puzzles::default().result(Mistakes::All, &Deck::default(), DAY), "No puzzles from your mistakes");
    }
}
