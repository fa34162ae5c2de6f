//! The settings of minimax and their text, `minimax:8:ms=100`.

use std::fmt;
use std::time::Duration;

use mancalab_base::{Error, bail};

use crate::clock::{CLOCK, Clock};
use crate::game::{Game, Position};
use crate::kind::{Forms, Unread};
use crate::patterns::weights::FileWeights;
use crate::search::{Threads, Ties};
use crate::settings::string_enum;
use crate::text::{
    self, MILLISECONDS, Setting, THREADS, TIES,
    Values::{Number, Words},
};

/// The settings of the minimax player.
#[derive(Clone, PartialEq, Debug)]
pub struct Minimax {
    /// Plies to search, 1 to [`MAX_DEPTH`].
    pub depth: u32,
    /// Deepens iteratively and stops at this time, or at `depth`.
    pub time: Option<Duration>,
    /// The same for the time of a whole game.
    pub clock: Option<Clock>,
    pub ties: Ties,
    /// Greater than 0: plays a random one of the moves at most this far below the best, in seeds, discs or men.
    pub spread: f32,
    /// Whether the search uses the endgame table of Oware, Awari or checkers, if there is one. Moves then depend on that file.
    pub tables: bool,
    /// Threads of its own, 1 to 64. They change no move at a fixed depth.
    pub threads: u32,
    pub eval: Eval,
    /// Pattern weights from a file, in place of those of the program.
    pub patterns: Option<FileWeights>,
}

// Accepted numbers are never NaN.
impl Eq for Minimax {}

/// What a search evaluates positions by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Eval {
    /// The best that the program has for the game: patterns in Othello and checkers, otherwise the margin.
    #[default]
    Best,
    /// The margin: in Othello the difference of discs. The search is then plain minimax, as in the literature.
    Discs,
    /// The same in checkers: the difference of material.
    Pieces,
}

string_enum!(Eval { "best" => Best, "discs" => Discs, "pieces" => Pieces });
text::parsed!(Eval);

/// The maximum depth, in plies.
pub const MAX_DEPTH: u32 = 60;

pub(crate) const FORMS: Forms = &[
    ("minimax:D", "searches D plies, 1 to 60"),
    ("minimax:D:ms=T", "up to D plies, T milliseconds a move; clock=T: a game"),
    ("minimax:D:ties=random", "breaks ties at random"),
    ("minimax:D:spread=S", "a random move of those at most S seeds, discs or men below the best"),
    ("minimax:D:threads=T", "on T threads, 1 to 64; the same moves at the same depth"),
    ("minimax:D:tables=yes", "uses the endgame table of oware, awari or checkers, if there is one"),
    ("minimax:D:eval=discs", "in Othello: counts discs; without this it evaluates patterns"),
    ("minimax:D:eval=pieces", "in checkers: counts pieces; without this it evaluates patterns"),
    ("minimax:D@FILE", "in Othello and checkers: by the patterns of a file that mancalab train writes"),
];

const DEPTH_WANTED: &str = "minimax depth must be 1 to 60, as in minimax:8";

const SETTINGS: &[Setting<Minimax>] = &[
    Setting("ms", MILLISECONDS, |s| &mut s.time),
    Setting("clock", CLOCK, |s| &mut s.clock),
    Setting("eval", Words("best|discs|pieces"), |s| &mut s.eval),
    Setting("ties", Words(TIES), |s| &mut s.ties),
    Setting("spread", Number("S", "a number of seeds, discs or men", 0.0, 100.0), |s| &mut s.spread),
    Setting("tables", Words("yes|no"), |s| &mut s.tables),
    Setting("threads", THREADS, |s| &mut s.threads),
];

impl Minimax {
    pub fn to_depth(depth: u32) -> Minimax {
        let ties = Ties::First;
        let eval = Eval::Best;
        Minimax { depth, time: None, clock: None, ties, spread: 0.0, tables: false, threads: 1, eval, patterns: None }
    }

    /// The spread in margins of this game.
    pub(crate) fn spread_in_margins<G: Game>(&self, pos: &G) -> f64 {
        let unit = Position::from_game(pos).map_or(1, |position| position.unit());
        f64::from(self.spread) * f64::from(unit)
    }

    /// The threads of its searches.
    pub(crate) fn threads(&self) -> Threads {
        Threads::Own(self.threads as usize)
    }

    /// Reads the part of a player's text after `minimax`: `:D`, a file of weights, and settings.
    pub(crate) fn unread(text: &str) -> Result<Unread<Minimax>, Error> {
        let mut minimax = Minimax::to_depth(1);
        let rest = text::read(text, SETTINGS, &mut minimax)?;
        let (depth, file) = text::head(rest);
        minimax.depth = text::depth(depth.ok_or(DEPTH_WANTED)?, MAX_DEPTH, DEPTH_WANTED, SETTINGS)?;
        let Some(file) = file.map(str::to_owned) else { return Ok(Unread::ready(minimax)) };
        if minimax.eval != Eval::Best {
            bail!("eval={} needs no file (got @{file})", minimax.eval);
        }
        Ok(Unread::in_file(Some(file.clone()), "pattern weights", move || {
            minimax.patterns = Some(FileWeights::open(&file)?);
            Ok(minimax)
        }))
    }
}

impl fmt::Display for Minimax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "minimax:{}", self.depth)?;
        if let Some(FileWeights { name, .. }) = &self.patterns {
            write!(f, "@{name}")?;
        }
        text::write(f, SETTINGS, self, Minimax::to_depth(1))
    }
}

/// Maximum size of a player's transposition table, in megabytes.
pub const TABLE_MB: usize = 64;
