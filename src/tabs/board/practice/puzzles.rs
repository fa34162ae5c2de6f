//! Puzzles: positions of saved games before a mistake, with the move hidden, and their grades, which date their [cards](crate::cards).
//!
//! They come from the reviews that game files hold, and are tried as one's own mistakes are (`retry`). Each comes back by its card
//! ([`cards`](crate::cards)). The day's selection follows from the date, the positions and the cards alone. Where none is due
//! there are those that come with the program.
//!
//! The puzzles that come with the program: positions with one best move, for when no mistake of one's own is due.
//!
//! `shipped.txt` has a section for each game, and on each line the position, a tempting move and the exact values of all moves as in
//! reviewed games. Exactly one move keeps the result; a test compares all with the solvers. The file is made by the test
//! `the_file_is_made` below, from games of a player that is half greedy and half random; those
//! of Oware and Awari are boards of few seeds with stores that make the best move win.
//!
//! Grades of the puzzles that are tried, which date their [cards](crate::cards).
//!
//! A card is graded 5 if the first try is right, and 4 if it is nearly right. After a wrong try the grade is 1, and 2 once the move is
//! found; the puzzle then comes again at the end, and tomorrow. A puzzle skipped without a try has no grade.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use mancalab_base::{Error, date};
use rand::Rng as _;
use serde::Serialize;

use super::retry::{Task, Verdict};
use super::{Practice, PracticeMessage};
use crate::app::tab::{Context, Tone};
use crate::cards::PASS;
use crate::cards::{self, Card, Deck, Key, PendingCards};
use crate::codec::checksum;
use crate::config::Config;
use crate::game::record::{NodeId, Record};
use crate::game::{Move, Position, Side, Variant};
use crate::player::offers::{Level, Opponent};
use crate::player::review::Mark;
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
        Puzzles { shipped: puzzles(variant, config), ..self }
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
        self.file == NAME
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

/// The name of their origin, in place of a file.
pub const NAME: &str = "shipped";

const TEXT: &str = include_str!("shipped.txt");

/// The puzzles of a game; none if it has none.
pub fn puzzles(variant: Variant, config: &Config) -> Vec<Puzzle> {
    let name = variant.to_string();
    let section = TEXT.split("# ").find_map(|section| section.strip_prefix(name.as_str())?.strip_prefix('\n'));
    let lines = section.into_iter().flat_map(str::lines).filter(|line| !line.is_empty());
    let puzzle = |(number, line): (u32, &str)| {
        let opened = read(variant, line)?;
        Some(Puzzle { own: false, turn: number, ..of_game(&opened, NAME, config).pop()? })
    };
    (1..).zip(lines).filter_map(puzzle).collect()
}

/// The game with a line's move and values.
fn read(variant: Variant, line: &str) -> Option<OpenedGame> {
    let mut parts = line.split(" | ");
    let position = parts.next()?;
    let played = parts.next()?;
    let values = parts.next()?;
    let text = format!("[Game \"{variant}\"]\n[Start \"{position}\"]\n\n{{[%values {values}]}} {played}\n");
    OpenedGame::read(&text, variant).ok()
}

/// The puzzles of a day with their cards.
pub(crate) struct PuzzleDay {
    pub puzzles: Puzzles,
    pub deck: Deck,
    pub mistakes: Mistakes,
    /// The day since 1970.
    pub day: u64,
}

impl PuzzleDay {
    /// The result of the day.
    pub fn result(&self) -> String {
        self.puzzles.result(self.mistakes, &self.deck, self.day)
    }
}

/// The cards of the session.
#[derive(Default)]
pub struct Cards {
    /// The cards as read last, with the grades since.
    pub deck: Deck,
    /// The mistakes that the next press of the key takes.
    pub offered: Mistakes,
    /// The puzzles that are tried; their deck is the one above.
    asked: Option<PuzzleDay>,
    pub unwritten: PendingCards,
    /// `None` before the first grade, and where nothing is saved.
    file: Option<PathBuf>,
}

impl Cards {
    pub fn begin(&mut self, mut asked: PuzzleDay) {
        self.deck = std::mem::take(&mut asked.deck);
        self.asked = Some(asked);
    }

    /// Ends the puzzles; returns the result of the day.
    pub fn end(&mut self) -> String {
        let asked = self.asked.take();
        asked.map_or(String::new(), |asked| asked.puzzles.result(asked.mistakes, &self.deck, asked.day))
    }

    /// Writes the grades that are not saved yet.
    ///
    /// # Errors
    /// The file is damaged or cannot be written.
    pub fn write(&self) -> Result<(), Error> {
        self.file.as_deref().map_or(Ok(()), |file| self.unwritten.write(file))
    }
}

impl Practice {
    /// Grades the puzzle that is tried, if one is, and saves its card in the background.
    pub fn grade(&mut self, verdict: Verdict, cx: &mut Context) {
        let cards = &mut self.cards;
        let Some((retry, day)) = self.retry.as_mut().zip(cards.asked.as_ref().map(|asked| asked.day)) else {
            return;
        };
        let Some(key) = retry.puzzle().map(|puzzle| puzzle.key()) else { return };
        let grade = match (verdict, cards.deck.grade_on(&key, day)) {
            (Verdict::Right(_), None) => 5,
            (Verdict::Nearly(_), None) => 4,
            (Verdict::Right(_) | Verdict::Nearly(_), Some(grade)) if grade < PASS => 2,
            (Verdict::Wrong(_) | Verdict::Shown, None | Some(..PASS)) => 1,
            // The first grade of a day counts.
            (_, Some(_)) => return,
        };
        if grade == 1 {
            retry.repeat_puzzle();
        }
        let card = Card::graded(cards.deck.get(&key), grade, day);
        cards.deck.set(key.clone(), card);
        cards.file = cards::file(cx.paths);
        if let Some(file) = cards.file.clone() {
            cards.unwritten.add(key, card);
            let unwritten = cards.unwritten.clone();
            cx.background(move || PracticeMessage::Graded(unwritten.write(&file)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use rand::RngExt as _;

    use super::*;
    use crate::budget::{Budget, Job as _, Status};
    use crate::cards::Card;
    use crate::game::{Board, Move, Position};
    use crate::paths::Paths;
    use crate::player::AnalysisJob;
    use crate::player::analysis::Question;
    use crate::pool::Pool;
    use crate::rng;
    use crate::search::{Line, MoveValue, Report};
    use crate::tables::endgame;

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

    /// The games with puzzles.
    const GAMES: [&str; 5] = ["kalah", "othello", "checkers", "oware", "awari"];
    const EACH: usize = 24;

    #[test]
    fn every_game_has_puzzles_with_one_best_move() {
        let config = Config::default();
        for game in GAMES {
            let variant: Variant = game.parse().unwrap();
            let all = super::puzzles(variant, &config);
            assert_eq!(all.len(), EACH, "{game}");
            let terms = config.review.terms(&variant, 1);
            for puzzle in &all {
                assert!(puzzle.values.solved && !puzzle.answer().contains(' '), "{puzzle:?}");
                let others = puzzle.values.moves.iter().skip(1);
                assert!(
                    others.clone().count() >= 2
                        && others.clone().all(|line| puzzle.values.mark(line.mv, &terms).is_some()),
                    "{puzzle:?}"
                );
            }
        }
        assert!(super::puzzles("kalah:4x3".parse().unwrap(), &config).is_empty());
    }

    /// The exact values of all moves.
    fn solved(position: &Position) -> Option<Report> {
        let mut job = AnalysisJob::after(None, *position, &Default::default(), Question::Perfect, &Pool::alone());
        let until = std::time::Instant::now() + std::time::Duration::from_millis(200);
        while job.step(Budget::time(std::time::Duration::from_millis(20))) == Status::Running {
            if std::time::Instant::now() > until {
                return None;
            }
        }
        let report = job.view().report;
        (report.lines.len() == position.moves().len() && report.lines.iter().all(|line| line.solved)).then_some(report)
    }

    /// A search's line as in files.
    fn text_of(position: &Position, line: &Line) -> String {
        let plies = match line.weighed {
            Some(MoveValue::Wins(plies) | MoveValue::Loses(plies)) => format!("#{plies}"),
            _ => String::new(),
        };
        let mut now = *position;
        let names = line.pv.iter().map(|mv| {
            let name = now.move_text(*mv);
            now = now.play(*mv);
            name
        });
        let names: Vec<String> = names.collect();
        let (first, rest) = names.split_first().unwrap();
        format!("{first}={:+}{plies}! {}", line.margin, rest.join(" ")).trim_end().to_owned()
    }

    /// The pieces or seeds on the board, and the empty squares of Othello.
    fn left(position: &Position) -> u32 {
        match position.board() {
            Board::Pits(board) => board.pits.iter().flatten().map(|seeds| u32::from(*seeds)).sum(),
            Board::Squares(board) if position.variant().name() == "othello" => {
                board.pieces.iter().filter(|piece| piece.is_none()).count() as u32
            }
            Board::Squares(board) => board.pieces.iter().flatten().count() as u32,
        }
    }

    /// A position of Oware with this many seeds, anywhere.
    fn with_few_seeds(variant: Variant, seeds: u32, rng: &mut impl rand::Rng) -> Position {
        let Board::Pits(mut board) = variant.start().board() else { unreachable!("a game of pits") };
        board.pits.iter_mut().flatten().for_each(|pit| *pit = 0);
        (0..seeds).for_each(|_| board.pits[rng.random_range(0..2)][rng.random_range(0..6)] += 1);
        board.stores = [(48 - seeds as u16) / 2, (49 - seeds as u16) / 2];
        variant.from_board(&Board::Pits(board), crate::game::Side::South).unwrap()
    }

    /// A position of pits with other stores, by which only the best move wins.
    fn balanced(position: Position) -> Option<Position> {
        let Board::Pits(mut board) = position.board() else { return Some(position) };
        if position.variant().name() == "kalah" {
            return Some(position);
        }
        if position.moves().len() < 3 {
            return None;
        }
        let mut margins: Vec<i32> = solved(&position)?.lines.iter().map(|line| line.margin).collect();
        margins.sort_unstable();
        let shift = margins[margins.len().checked_sub(2)?] / 2;
        let side = position.side().index();
        for (store, change) in [(side, -shift), (1 - side, shift)] {
            board.stores[store] = u16::try_from(i32::from(board.stores[store]) + change).ok()?;
        }
        position.variant().from_board(&Board::Pits(board), position.side()).ok()
    }

    /// The move that leads most at once.
    fn greedy(position: &Position) -> Move {
        let side = position.side();
        position.moves().into_iter().max_by_key(|mv| position.play(*mv).margin(side)).unwrap()
    }

    /// A line of the file, if the position is a puzzle.
    fn line_of(position: &Position, config: &Config) -> Option<(u32, String)> {
        let variant = position.variant();
        let moves = position.moves();
        if moves.len() < if matches!(variant.name(), "kalah" | "othello") { 4 } else { 3 } {
            return None;
        }
        let report = solved(position)?;
        let mut lines = report.lines;
        lines.sort_by_key(|line| std::cmp::Reverse(line.rank()));
        let tempting = Some(greedy(position))
            .filter(|mv| *mv != lines[0].mv)
            .or((variant.name() == "checkers").then_some(lines[1].mv))?;
        let values: Vec<String> = lines.iter().map(|line| text_of(position, line)).collect();
        let values = format!("{}! {}", report.depth, values.join(", "));
        let text = format!("{} | {} | {values}", position.to_text(), position.move_text(tempting));
        let opened = read(variant, &text)?;
        let puzzle = of_game(&opened, NAME, config).pop()?;
        let terms = config.review.terms(&variant, 1);
        let is_one = puzzle.values.moves.iter().skip(1).all(|line| puzzle.values.mark(line.mv, &terms).is_some());
        let depth = lines[0].pv.len() as u32;
        let plies = match lines[0].weighed {
            Some(MoveValue::Wins(plies)) => plies,
            _ => depth,
        };
        let text = format!(
            "{} | {} | {}",
            position.to_text(),
            position.move_text(tempting),
            puzzle.values.to_text(position, &[tempting])
        );
        (is_one && plies <= 25).then_some((left(position) * 100 + plies, text))
    }

    /// Writes the file. It needs the tables of checkers (4 pieces), Oware and Awari (8 seeds) in the data folder:
    /// `cargo test --lib the_file_is_made -- --ignored`.
    #[test]
    #[ignore = "writes the file"]
    fn the_file_is_made() {
        endgame::set_folder(Paths::of_process().tables());
        let config = Config::default();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tabs/board/practice/shipped.txt");
        let mut text = String::new();
        let known = std::fs::read_to_string(&path).unwrap();
        for game in GAMES {
            let variant: Variant = game.parse().unwrap();
            // Sections that are there stay.
            if let Some(section) =
                known.split_inclusive("\n# ").find(|section| section.contains(&format!("{variant}\n")))
            {
                let lines = section.trim_end_matches("# ").trim_start_matches("# ");
                text += &format!("# {lines}");
                continue;
            }
            let wanted = match game {
                "kalah" => 10..=24,
                "othello" => 8..=13,
                "checkers" => 2..=4,
                _ => 6..=8,
            };
            let mut found: Vec<(u32, String)> = Vec::new();
            let mut rng = rng::keyed(&[20]);
            while found.len() < EACH {
                let mut add = |position: Position| {
                    let line = balanced(position).and_then(|position| line_of(&position, &config));
                    let line = line.filter(|line| !found.contains(line));
                    let is_found = line.is_some();
                    found.extend(line);
                    is_found
                };
                let mut record = crate::game::record::Record::new(variant, Default::default(), None);
                if matches!(game, "oware" | "awari") {
                    add(with_few_seeds(variant, rng.random_range(wanted.clone()), &mut rng));
                    continue;
                }
                while record.ending().is_none() {
                    let position = *record.position();
                    if wanted.contains(&left(&position)) && rng.random_range(0..3) == 0 && add(position) {
                        break;
                    }
                    let moves = position.moves();
                    let is_greedy = rng.random_range(0..2) == 0;
                    let mv = if is_greedy { greedy(&position) } else { moves[rng.random_range(0..moves.len())] };
                    record.play(mv);
                }
            }
            found.sort();
            text += &format!("# {variant}\n");
            found.iter().for_each(|(_, line)| text += &format!("{line}\n"));
            std::fs::write(&path, &text).unwrap();
        }
    }
}
