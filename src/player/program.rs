//! Players that are programs: trees of a few functions, as genetic programming breeds them.

use std::any::Any;
use std::sync::Arc;

use super::{Player, Turn};
use crate::evolve::gp::{Tape, Tree};
use crate::evolve::kalah::language::{Explanation, KalahLanguage, PRINTED, Program, Reading, printed};
use crate::evolve::kalah::random_program;
use crate::game::kalah::Kalah;
use crate::game::{Game, Move, Position, Tabletop};
use crate::job::Budget;

/// A program with the name that it was asked for by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// What stands behind `program:`.
    pub name: String,
    pub program: Arc<Program>,
}

/// A file of a program is not larger, in bytes.
const MAX_BYTES: u64 = 64 << 20;

impl Named {
    /// A printed program, `random:SEED`, or the program in a file.
    ///
    /// # Errors
    /// The file cannot be read, or holds no program: its name, and the place in it.
    pub fn load(name: &str) -> Result<Named, String> {
        let named = |program| Named { name: name.to_owned(), program: Arc::new(program) };
        if let Some(program) = printed(name) {
            return Ok(named(program));
        }
        if let Some(seed) = name.strip_prefix("random:") {
            let seed =
                seed.parse().map_err(|_| format!("program:random takes a seed, a whole number; '{seed}' is none"))?;
            return Ok(named(random_program(seed, 0)));
        }
        let known: Vec<&str> = PRINTED.iter().map(|(name, _)| *name).collect();
        if name.is_empty() {
            return Err(format!(
                "program takes a file, {} or random:SEED, as in program:{}",
                known.join(", "),
                known[0]
            ));
        }
        let fail =
            |why: String| format!("program:{name}: {why}; a file, {} or random:SEED is wanted", known.join(", "));
        let length = std::fs::metadata(name).map_err(|error| fail(error.to_string()))?.len();
        if length > MAX_BYTES {
            return Err(fail(format!("it is larger than {} MiB", MAX_BYTES >> 20)));
        }
        let text = std::fs::read_to_string(name).map_err(|error| fail(error.to_string()))?;
        Tree::parse(&text).map(named).map_err(|error| format!("program:{name}: {error}"))
    }
}

impl Named {
    /// Why the program plays what it plays in a position, in a line; `None` where it cannot play.
    pub fn why(&self, position: Position) -> Option<String> {
        let pos = Kalah::try_from(position).ok()?;
        let Explanation { value, remainder, named, played, .. } = Reading::default().explain(&self.program, &pos)?;
        let bowl = |pit: Move| format!("{} (bowl {})", pos.move_text(pit), pit + 1);
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

impl<G: Game> Player<G> for ProgramPlayer {
    /// In a game that is not Kalah, of which the program knows nothing, the first legal move.
    fn think(&mut self, turn: &Turn<G>, _: Budget) -> Option<Move> {
        let Some(pos) = (&turn.pos as &dyn Any).downcast_ref::<Kalah>() else { return turn.pos.moves().next() };
        let value = self.tape.run(&self.reading.bowls(pos));
        self.reading.choices(pos).map(|choices| choices[self.reading.remainder(value)])
    }
}
