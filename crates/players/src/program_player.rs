//! Players that are programs: trees of a few functions, as genetic programming breeds them.

use mancalab_base::{Error, bail};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::spec::{Kind, PlayerKind, Unread};
use super::{Built, Player, Spec, Turn, of_one};
use crate::budget::Budget;
use crate::files;
use crate::game::kalah::Kalah;
use crate::game::{Game, Move, Notation as _, Position};
use crate::pool::Pool;
use crate::program::kalah::random_program;
use crate::program::kalah::{Explanation, KalahLanguage, PRINTED, Program, Reading, printed};
use crate::program::{Tape, Tree};
use crate::sanitize;

/// A program with the name that it was asked for by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// What stands behind `program:`.
    pub name: String,
    pub program: Arc<Program>,
}

/// Reads what stands behind `program` in a player's text. All of it is a file's name, whatever it looks like, unless it is that of a printed
/// program or `random:SEED`. Opens nothing.
///
/// # Errors
/// There is no name, or no seed: what would be accepted.
fn unread(text: &str) -> Result<Unread, Error> {
    let name = text.strip_prefix(':').unwrap_or_default().to_owned();
    if name.is_empty() {
        bail!("program takes {FORMS}, as in program:{}", PRINTED[0].0);
    }
    let program = match name.strip_prefix("random:") {
        Some(seed) => {
            let wrong = |_| format!("program:random takes a seed, a whole number; '{seed}' is none");
            Some(random_program(seed.parse().map_err(wrong)?, 0))
        }
        None => printed(&name),
    };
    Ok(match program {
        Some(program) => Unread::ready(Spec::program(name, program)),
        None => Unread::in_file(Some(name.clone()), "", move || {
            let text = files::read_text(Path::new(&name), files::Kind::Program)
                .map_err(|error| format!("program:{name}: {why}; {FORMS} is wanted", why = sanitize::reason(&error)))?;
            let program = Tree::parse(&text).map_err(|error| format!("program:{name}: {error}"))?;
            Ok(Spec::program(name, program))
        }),
    })
}

/// What may stand behind `program:`.
const FORMS: &str = "a file, figure5-1, figure5-2 or random:SEED";

pub(crate) static KIND: Kind = Kind {
    forms: &[
        ("program:FILE", "what the program in a file says"),
        ("program:figure5-1", "the first program of Figure 5; figure5-2 the second"),
        ("program:random:SEED", "a program grown at random"),
    ],
    read: unread,
};

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "program:{}", self.name)
    }
}

impl PlayerKind for Named {
    fn build<G: Game>(&self, _: &Pool) -> Built<G> {
        of_one::<G, Kalah>("program", ProgramPlayer::new(&self.program))
    }

    fn about(&self) -> String {
        "a program that was bred".to_owned()
    }

    fn contents(&self) -> Option<String> {
        Some(self.program.to_notation())
    }

    fn explanation(&self, before: Position, _mv: Move, _ply: u32, _seed: u64) -> Option<String> {
        let pos = Kalah::try_from(before).ok()?;
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
