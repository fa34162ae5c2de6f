//! The cards of mistakes that are tried again, by spaced repetition: their file in the state folder, and its changes.
//!
//! A card is a position with the date on which it is due. The file is TOML, one entry a card. It is read and written whole; a damaged one
//! is an error and stays as it is. Days are those of UTC.
//!
//! Spaced repetition by SM-2: P. A. Wozniak, *Optimization of learning*, master's thesis, University of Technology in Poznan, 1990,
//! section 3.2.
//!
//! A grade is 0 to 5, from 3 on it is a pass. The interval is 1 day after the first pass in sequence, 6 days after the second, and then
//! the last one times the ease factor, rounded up. A pass of grade q changes the ease factor to EF + (0.1 − (5 − q)(0.08 + (5 − q) · 0.02)),
//! but not below 1.3. A lower grade starts the sequence again with the same ease factor.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use mancalab_base::{Error, date, day_of};

use super::files::{self, Kind};
use super::paths::Paths;
use super::settings::{self, Diagnostic, Report, Source, Table, quoted};

/// The name of the file, in the state folder.
pub(crate) const FILE: &str = "cards.toml";

const HEAD: &str = "# Mistakes that mancalab puzzles asks again. Delete an entry to begin with its position anew.\n";

/// Size of the file: some 40,000 cards.
const KIND: Kind = Kind::Game;

/// The greatest ease factor, in hundredths, and number of repetitions that are read.
const MOST_EASE: u32 = 10_000;
const MOST_REPETITIONS: u32 = 100_000;

/// The position of a card, as texts for people.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Key {
    pub game: String,
    pub position: String,
}

/// The state of a position that was tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Card {
    /// The day since 1970.
    pub due: u64,
    pub schedule: Schedule,
    /// The last grade, 0 to 5.
    pub grade: u8,
}

impl Card {
    /// The card after a grade on this day.
    pub fn graded(card: Option<Card>, grade: u8, day: u64) -> Card {
        let schedule = card.map_or(Schedule::NEW, |card| card.schedule).graded(grade);
        Card { due: day + u64::from(schedule.interval), schedule, grade }
    }

    /// The day of the last grade.
    fn answered(&self) -> Option<u64> {
        self.due.checked_sub(self.schedule.interval.into())
    }
}

/// Cards by position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Deck(BTreeMap<Key, Card>);

/// The file of the cards; `None` without a home directory, and for guests, whose files have limits of number and size.
pub(crate) fn file(paths: &Paths) -> Option<PathBuf> {
    paths.state().filter(|_| !paths.rights().is_guest()).map(|state| state.join(FILE))
}

impl Deck {
    pub fn get(&self, key: &Key) -> Option<Card> {
        self.0.get(key).copied()
    }

    pub fn set(&mut self, key: Key, card: Card) {
        self.0.insert(key, card);
    }

    /// The grade of a card on this day; `None` if it was not graded then.
    pub fn grade_on(&self, key: &Key, day: u64) -> Option<u8> {
        self.get(key).filter(|card| card.answered() == Some(day)).map(|card| card.grade)
    }

    /// The number of cards graded on this day, and of those that passed.
    pub fn graded_on(&self, day: u64) -> (usize, usize) {
        let graded = || self.0.values().filter(|card| card.answered() == Some(day));
        (graded().count(), graded().filter(|card| card.grade >= PASS).count())
    }

    /// Reads the cards; a missing file has none.
    ///
    /// # Errors
    /// The file cannot be read, or has errors; all with the line and what is accepted.
    pub fn read(path: &Path) -> Result<Deck, Error> {
        match files::read(path, KIND) {
            Ok(bytes) => Ok(Deck::parse(path, bytes)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Deck::default()),
            Err(error) => Err(Error::cannot("read", path)(error)),
        }
    }

    fn parse(path: &Path, bytes: Vec<u8>) -> Result<Deck, Report> {
        let mut deck = Deck::default();
        let parsed = Source::from_bytes(path.display().to_string(), bytes)
            .and_then(|source| settings::parse(&source, |top, problems| deck.take(top, problems)));
        parsed.map(|()| deck).map_err(|report| report.note("nothing is saved until the file is corrected or deleted"))
    }

    fn take(&mut self, top: &Table<'_>, problems: &mut Vec<Diagnostic>) {
        for entry in top.entries() {
            if entry.key() != "card" {
                problems.push(top.unknown(&entry, "key", ["card"]));
                continue;
            }
            for item in entry.items() {
                let read = item.table().map_err(|problem| vec![problem]).and_then(|table| {
                    let (key, card) = read_card(&table)?;
                    match self.0.insert(key, card) {
                        Some(_) => {
                            Err(vec![Diagnostic::new(table.at(), "a position has two cards").note("accepted: one")])
                        }
                        None => Ok(()),
                    }
                });
                problems.extend(read.err().into_iter().flatten());
            }
        }
    }

    fn to_text(&self) -> String {
        let card = |(key, card): (&Key, &Card)| {
            let Schedule { interval, ease, repetitions } = card.schedule;
            format!(
                "\n[[card]]\ngame = {}\nposition = {}\ndue = \"{}\"\ninterval = {interval}\nease = {}.{:02}\n\
                 repetitions = {repetitions}\ngrade = {}\n",
                quoted(&key.game),
                quoted(&key.position),
                date(card.due),
                ease / 100,
                ease % 100,
                card.grade,
            )
        };
        HEAD.to_owned() + &self.0.iter().map(card).collect::<String>()
    }
}

const KEYS: [&str; 7] = ["game", "position", "due", "interval", "ease", "repetitions", "grade"];

fn read_card(table: &Table<'_>) -> Result<(Key, Card), Vec<Diagnostic>> {
    let mut key = Key { game: String::new(), position: String::new() };
    let mut card = Card { due: 0, schedule: Schedule::NEW, grade: 0 };
    let entries = table.entries();
    let mut problems = Vec::new();
    for entry in &entries {
        let text = || entry.text("a text").map(str::to_owned);
        let read = match entry.key() {
            "game" => text().map(|text| key.game = text),
            "position" => text().map(|text| key.position = text),
            "due" => {
                const DATE: &str = "a date such as \"2026-11-25\"";
                let day = entry.as_text().and_then(day_of).ok_or_else(|| entry.wrong(DATE));
                day.map(|day| card.due = day)
            }
            "interval" => entry.whole(1..=LONGEST).map(|days| card.schedule.interval = days),
            "ease" => {
                let [least, most] = [LEAST_EASE, MOST_EASE].map(|ease| f64::from(ease) / 100.0);
                let ease = entry.number(|ease| (least..=most).contains(&ease), "a number from 1.3 to 100");
                ease.map(|ease| card.schedule.ease = (ease * 100.0).round() as u32)
            }
            "repetitions" => entry.whole(0..=MOST_REPETITIONS).map(|times| card.schedule.repetitions = times),
            "grade" => entry.whole(0..=5).map(|grade| card.grade = grade as u8),
            _ => Err(table.unknown(entry, "key", KEYS)),
        };
        problems.extend(read.err());
    }
    let missing = KEYS.iter().filter(|key| entries.iter().all(|entry| entry.key() != **key));
    problems.extend(missing.map(|key| {
        Diagnostic::new(table.at(), format!("the card has no `{key}`")).note(format!("accepted: {}", KEYS.join(", ")))
    }));
    if problems.is_empty() { Ok((key, card)) } else { Err(problems) }
}

/// Graded cards that are not in the file yet. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct PendingCards(Arc<GradedCards>);

#[derive(Default)]
struct GradedCards {
    cards: Mutex<BTreeMap<Key, Card>>,
    /// Held during a write, so that a later grade of a card is written later.
    writing: Mutex<()>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PendingCards {
    pub fn add(&self, key: Key, card: Card) {
        lock(&self.0.cards).insert(key, card);
    }

    /// Writes the cards into the file, whose other cards stay. Not for the drawing thread.
    ///
    /// # Errors
    /// The file is damaged, or cannot be written. It is then unchanged, and the cards stay here.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let _turn = lock(&self.0.writing);
        let cards = std::mem::take(&mut *lock(&self.0.cards));
        if cards.is_empty() {
            return Ok(());
        }
        let written = files::rewrite(&[path.to_owned()], KIND, |texts: &mut [Vec<u8>]| {
            let Some(text) = texts.first_mut() else { return Ok(Ok(())) };
            let parsed = Deck::parse(path, text.clone());
            Ok::<_, io::Error>(parsed.map(|mut deck| {
                deck.0.extend(cards.clone());
                *text = deck.to_text().into_bytes();
            }))
        });
        let written = written.map_err(Error::cannot("write", path)).and_then(|parsed| parsed.map_err(Error::from));
        if written.is_err() {
            let mut waiting = lock(&self.0.cards);
            cards.into_iter().for_each(|(key, card)| _ = waiting.entry(key).or_insert(card));
        }
        written
    }
}

/// The lowest grade of a pass.
pub(crate) const PASS: u8 = 3;

/// The least ease factor, in hundredths.
const LEAST_EASE: u32 = 130;

/// The longest interval in days: a hundred years.
pub(crate) const LONGEST: u32 = 36_500;

/// The state of an item after its last repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Schedule {
    /// Days to the next repetition.
    pub interval: u32,
    /// The ease factor in hundredths, in which all its changes are whole.
    pub ease: u32,
    /// Passes in sequence.
    pub repetitions: u32,
}

impl Schedule {
    /// An item without a repetition.
    pub const NEW: Schedule = Schedule { interval: 0, ease: 250, repetitions: 0 };

    /// The state after another repetition of this grade.
    #[must_use]
    pub fn graded(self, grade: u8) -> Schedule {
        if grade < PASS {
            return Schedule { interval: 1, repetitions: 0, ..self };
        }
        let below = 5_u32.saturating_sub(grade.into());
        let ease = (self.ease + 10).saturating_sub(below * (8 + below * 2)).max(LEAST_EASE);
        let interval = match self.repetitions {
            0 => 1,
            1 => 6,
            _ => self.interval.saturating_mul(ease).div_ceil(100).min(LONGEST),
        };
        Schedule { interval, ease, repetitions: self.repetitions.saturating_add(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(position: &str) -> Key {
        Key { game: "kalah:6x4:standard".into(), position: position.into() }
    }

    #[test]
    fn cards_are_written_and_read_and_the_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state").join(FILE);
        assert_eq!(Deck::read(&path).unwrap(), Deck::default());
        let unwritten = PendingCards::default();
        unwritten.write(&path).unwrap();
        assert!(!path.exists());
        let day = day_of("2026-11-25").unwrap();
        let first = Card::graded(None, 5, day);
        unwritten.add(key("<6,1> S"), Card::graded(None, 1, day));
        unwritten.add(key("<6,1> S"), first);
        unwritten.write(&path).unwrap();
        let text = "\n[[card]]\ngame = \"kalah:6x4:standard\"\nposition = \"<6,1> S\"\ndue = \"2026-11-26\"\ninterval = 1\n\
                    ease = 2.60\nrepetitions = 1\ngrade = 5\n";
        assert_eq!(std::fs::read_to_string(&path).unwrap(), HEAD.to_owned() + text);
        // Another process, with another card.
        let other = PendingCards::default();
        let second = Card::graded(Some(first), 4, day + 1);
        other.add(key("\"<6,2> N\n"), second);
        other.write(&path).unwrap();
        let deck = Deck::read(&path).unwrap();
        assert_eq!((deck.get(&key("<6,1> S")), deck.get(&key("\"<6,2> N\n"))), (Some(first), Some(second)));
        assert_eq!((second.schedule.interval, second.due), (6, day + 7));
        assert_eq!((deck.graded_on(day), deck.graded_on(day + 1)), ((1, 1), (1, 1)));
        assert_eq!((deck.grade_on(&key("<6,1> S"), day), deck.grade_on(&key("<6,1> S"), day + 1)), (Some(5), None));
    }

    #[test]
    fn a_damaged_file_is_an_error_with_its_line_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        let card = "[[card]]\ngame = \"kalah\"\nposition = \"p\"\ndue = \"2026-11-26\"\ninterval = 1\nease = 2.5\n\
                    repetitions = 1\ngrade = 5\n";
        std::fs::write(&path, card).unwrap();
        assert_eq!(Deck::read(&path).unwrap().0.len(), 1);
        for (damaged, line, accepted) in [
            (card.replace("2026-11-26", "2026-11-31"), 4, "a date such as \"2026-11-25\""),
            (card.replace("interval = 1", "interval = 0"), 5, "a whole number from 1 to 36500"),
            (card.replace("ease = 2.5", "ease = 1.2"), 6, "a number from 1.3 to 100"),
            (card.replace("grade = 5", "grade = 6"), 8, "a whole number from 0 to 5"),
            (card.replace("game = \"kalah\"", "game = 3"), 2, "a text, in quotes"),
            (card.replace("grade = 5", ""), 1, "accepted: game, position, due,"),
            (card.replace("grade", "garde"), 8, "did you mean `grade`?"),
            (card.repeat(2), 9, "accepted: one"),
            ("card = 3\n".to_owned(), 1, "expected a section"),
            ("[cards]\n".to_owned(), 1, "accepted: card"),
            ("due = \n".to_owned(), 1, "a value is missing"),
        ] {
            std::fs::write(&path, &damaged).unwrap();
            let error = Deck::read(&path).unwrap_err().to_string();
            assert!(error.contains(&format!("{FILE}:{line}:")) && error.contains(accepted), "{error}");
            let unwritten = PendingCards::default();
            unwritten.add(key("q"), Card::graded(None, 5, 20_000));
            assert_eq!(unwritten.write(&path).unwrap_err().to_string(), error);
            assert_eq!(std::fs::read_to_string(&path).unwrap(), damaged);
            // Once it is corrected, the card is written.
            std::fs::write(&path, card).unwrap();
            unwritten.write(&path).unwrap();
            assert_eq!(Deck::read(&path).unwrap().0.len(), 2);
        }
    }

    /// Intervals and ease factors after these grades.
    fn sequence(grades: &[u8]) -> (Vec<u32>, Vec<u32>) {
        let mut item = Schedule::NEW;
        let mut graded = |grade: &u8| {
            item = item.graded(*grade);
            (item.interval, item.ease)
        };
        grades.iter().map(&mut graded).unzip()
    }

    #[test]
    fn intervals_and_ease_factors_are_those_of_the_thesis() {
        // 6 · 2.5 = 15, 15 · 2.5 = 37.5, 38 · 2.5 = 95.
        assert_eq!(sequence(&[4, 4, 4, 4, 4]), (vec![1, 6, 15, 38, 95], vec![250; 5]));
        // 6 · 2.8 = 16.8, 17 · 2.9 = 49.3.
        assert_eq!(sequence(&[5, 5, 5, 5]), (vec![1, 6, 17, 50], vec![260, 270, 280, 290]));
        // EF − 0.14 at grade 3: 6 · 2.08 = 12.48; never below 1.3.
        assert_eq!(sequence(&[3, 3, 3]), (vec![1, 6, 13], vec![236, 222, 208]));
        assert_eq!(sequence(&[3; 12]).1.last(), Some(&LEAST_EASE));
        // Grades below 3 start again and leave the ease factor.
        assert_eq!(
            sequence(&[5, 5, 5, 2, 4, 4, 4]),
            (vec![1, 6, 17, 1, 1, 6, 17], vec![260, 270, 280, 280, 280, 280, 280])
        );
        assert_eq!(sequence(&[0, 1]), (vec![1, 1], vec![250, 250]));
        assert_eq!(sequence(&[5; 60]).0.last(), Some(&LONGEST));
    }
}
