//! Players that run a program: a tree of a few functions, evolved by genetic programming.

use mancalab_base::{Error, bail};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::kind::{Forms, PlayerKind, Unread};
use super::{Built, Player, Turn, Unbuilt, of_one};
use crate::budget::Budget;
use crate::files;
use crate::game::{BoardGame as _, Move, Notation, Position, of_pits};
use crate::pool::Pool;
use crate::program::kalah::random_program;
use crate::program::kalah::{BowlLanguage, Explanation, PRINTED, Program, ProgramGame, ProgramReading, printed};
use crate::program::{Tape, Tree};
use crate::sanitize;
use crate::search::SearchHints;

/// A program with its name in the player's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedProgram {
    /// The text after `program:`.
    pub name: String,
    pub program: Arc<Program>,
}

impl NamedProgram {
    pub fn new(name: impl Into<String>, program: Program) -> NamedProgram {
        NamedProgram { name: name.into(), program: Arc::new(program) }
    }
}

/// Reads the part of a player's text after `program`: the name of a printed program, `random:SEED`, or else a file name, whatever
/// it looks like. Opens no file.
///
/// # Errors
/// The name or the seed is missing: what is accepted.
pub(crate) fn unread(text: &str) -> Result<Unread<NamedProgram>, Error> {
    let name = text.strip_prefix(':').unwrap_or_default().to_owned();
    if name.is_empty() {
        bail!("program takes {ACCEPTED}, as in program:{}", PRINTED[0].0);
    }
    let program = match name.strip_prefix("random:") {
        Some(seed) => {
            let wrong = |_| format!("program:random needs a seed, a whole number (got {seed})");
            Some(random_program(seed.parse().map_err(wrong)?, 0))
        }
        None => printed(&name),
    };
    Ok(match program {
        Some(program) => Unread::ready(NamedProgram::new(name, program)),
        None => Unread::in_file(Some(name.clone()), "", move || {
            let text = files::read_text(Path::new(&name), files::Kind::Program).map_err(|error| {
                format!("program:{name}: {why}; expected {ACCEPTED}", why = sanitize::reason(&error))
            })?;
            let program = Tree::parse(&text).map_err(|error| format!("program:{name}: {error}"))?;
            Ok(NamedProgram::new(name, program))
        }),
    })
}

/// The accepted forms after `program:`.
const ACCEPTED: &str = "a file, figure5-1, figure5-2 or random:SEED";

pub(crate) const FORMS: Forms = &[
    ("program:FILE", "an evolved program from a file"),
    ("program:figure5-1", "the first program of Figure 5; figure5-2 the second"),
    ("program:random:SEED", "a random program"),
];

impl fmt::Display for NamedProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "program:{}", self.name)
    }
}

impl PlayerKind for NamedProgram {
    fn build<G: SearchHints>(&self, _: &Pool) -> Built<G> {
        let mut games = Vec::new();
        let built = of_pits!(Pits => {
            let player = || ProgramPlayer::<Pits>::new(&self.program);
            of_one::<G, Pits, _>("program", player).inspect_err(|_| games.push(Pits::NAME)).ok()
        });
        built.ok_or(Unbuilt::Plays { kind: "program", games })
    }

    fn about(&self) -> String {
        "an evolved program".to_owned()
    }

    fn is_deterministic(&self) -> bool {
        true
    }

    fn contents(&self) -> Option<String> {
        Some(self.program.to_notation())
    }

    fn explanation(&self, before: Position, _mv: Move, _ply: u32, _seed: u64) -> Option<String> {
        of_pits!(Pits => explanation(&self.program, &Pits::try_from(before).ok()?))
    }
}

/// See [`PlayerKind::explanation`].
fn explanation<G: ProgramGame + Notation>(program: &Program, pos: &G) -> Option<String> {
    let Explanation { value, remainder, named, played, .. } = ProgramReading::default().explain(program, pos)?;
    let bowl = |pit: u8| format!("{} (bowl {})", pos.move_text(pit.into()), pit + 1);
    let value = if value == remainder as i64 {
        format!("value {value}")
    } else {
        format!("value {value} = {remainder} mod {}", G::Language::PITS + 1)
    };
    Some(match named {
        Some(bowl_named) if bowl_named == played + 1 => format!("{value}: {}", bowl(played)),
        Some(empty) => format!("{value}: bowl {empty} is empty, next is {}", bowl(played)),
        None => format!("{value}: no own bowl, next is {}", bowl(played)),
    })
}

/// A player that runs a program.
pub struct ProgramPlayer<G: ProgramGame> {
    tape: Tape<G::Language>,
    reading: ProgramReading,
}

impl<G: ProgramGame> ProgramPlayer<G> {
    pub fn new(program: &Program) -> ProgramPlayer<G> {
        ProgramPlayer::with_reading(program, ProgramReading::default())
    }

    /// Creates the player of a program that was bred to read the board in this way.
    pub fn with_reading(program: &Program, reading: ProgramReading) -> ProgramPlayer<G> {
        ProgramPlayer { tape: Tape::new(&G::Language::own(program)), reading }
    }
}

impl<G: ProgramGame> Player<G> for ProgramPlayer<G> {
    fn think(&mut self, turn: &Turn<G>, _: Budget) -> Option<Move> {
        self.reading.chosen_move(&mut self.tape, &turn.pos)
    }
}
