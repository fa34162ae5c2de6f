//! Players that are programs: trees of a few functions, as genetic programming breeds them.

use std::path::Path;
use std::sync::Arc;

use super::{Player, Turn};
use crate::document::Refusal;
use crate::files;
use crate::game::kalah::Kalah;
use crate::game::{Move, Notation as _, Position};
use crate::plain;
use crate::program::kalah::random_program;
use crate::program::kalah::{Explanation, KalahLanguage, PRINTED, Program, Reading, printed};
use crate::program::{Tape, Tree};
use crate::step::Budget;

/// A program with the name that it was asked for by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// What stands behind `program:`.
    pub name: String,
    pub program: Arc<Program>,
}

impl Named {
    /// A printed program, or `random:SEED`; `None` if this is the name of a file. Opens nothing.
    ///
    /// # Errors
    /// There is no name, or no seed: what would be accepted.
    pub fn without_file(name: &str) -> Result<Option<Named>, Refusal> {
        let named = |program| Named { name: name.to_owned(), program: Arc::new(program) };
        if let Some(seed) = name.strip_prefix("random:") {
            let seed =
                seed.parse().map_err(|_| format!("program:random takes a seed, a whole number; '{seed}' is none"))?;
            return Ok(Some(named(random_program(seed, 0))));
        }
        if name.is_empty() {
            return Err(format!("program takes {FORMS}, as in program:{}", PRINTED[0].0).into());
        }
        Ok(printed(name).map(named))
    }

    /// The program in the file of this name.
    ///
    /// # Errors
    /// The file cannot be read, or holds no program: its name, and the place in it.
    pub fn from_file(name: &str) -> Result<Named, Refusal> {
        let text = files::read_text(Path::new(name), files::Kind::Program)
            .map_err(|error| format!("program:{name}: {why}; {FORMS} is wanted", why = plain::reason(&error)))?;
        let program = Tree::parse(&text).map_err(|error| format!("program:{name}: {error}"))?;
        Ok(Named { name: name.to_owned(), program: Arc::new(program) })
    }
}

/// What may stand behind `program:`.
const FORMS: &str = "a file, figure5-1, figure5-2 or random:SEED";

impl Named {
    /// Why the program plays what it plays in a position, in a line; `None` where it cannot play.
    pub fn why(&self, position: Position) -> Option<String> {
        let pos = Kalah::try_from(position).ok()?;
        let Explanation { value, remainder, named, played, .. } = Reading::default().explain(&self.program, &pos)?;
        let bowl = |pit: u8| format!("{} (bowl {})", pos.move_text(pit.into()), pit + 1);
        let value = if value == remainder as i64 {
            format!("value {value}")
        } else {
            format!("value {value} = {remainder} mod 7")
        };
        Some(match named {
            Some(bowl_named) if bowl_named == played + 1 => format!("{value}: {}", bowl(played)),
            Some(empty) => format!("{value}: bowl {empty} is empty, so on to {}", bowl(played)),
            None => format!("{value}: no bowl of its own, so on to {}", bowl(played)),
        })
    }
}

/// Plays what a program says.
pub struct ProgramPlayer {
    tape: Tape<KalahLanguage>,
    reading: Reading,
}

impl ProgramPlayer {
    pub fn new(program: &Program) -> ProgramPlayer {
        ProgramPlayer { tape: Tape::new(program), reading: Reading::default() }
    }
}

impl Player<Kalah> for ProgramPlayer {
    fn think(&mut self, turn: &Turn<Kalah>, _: Budget) -> Option<Move> {
        let value = self.tape.run(&self.reading.bowls(&turn.pos));
        self.reading.choices(&turn.pos).map(|choices| choices[self.reading.remainder(value)].into())
    }
}
