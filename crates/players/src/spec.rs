//! The texts that name players, such as `minimax:8`: the same in flags, config, game files and dialogs.
//!
//! [`Spec`] holds what a text says of each kind of player, which the kind's own module reads and writes as a [`PlayerKind`], and [`KINDS`]
//! lists the names that texts begin with.

use mancalab_base::Error;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use super::network::Trained;
use super::simple::Simple;
use super::{Built, Unbuilt};
use super::{a3c, heuristic, mcts, minimax, program_player, samuel, simple, staged};
use crate::game::{Game, Move, Position, Variant, with_position};
use crate::pool::Pool;
use crate::program::kalah::Program;

pub use super::a3c::A3c;
pub use super::heuristic::Heuristic;
pub use super::hybrid::Hybrid;
pub use super::mcts::Settings as Mcts;
pub use super::minimax::{MAX_DEPTH, Minimax};
pub use super::program_player::Named;
pub use super::puct::Settings as Puct;
pub use super::samuel::Samuel;
pub use super::staged::Staged;
pub use crate::search::Ties;

/// The kinds of players by the names that their texts begin with, in the order of help.
static KINDS: &[&Kind] = &[
    &simple::HUMAN,
    &simple::RANDOM,
    &simple::MAX,
    &minimax::KIND,
    &heuristic::KIND,
    &mcts::KIND,
    &program_player::KIND,
    &staged::KIND,
    &a3c::KIND,
    &samuel::KIND,
];

/// What texts of a kind of player are like.
pub(crate) struct Kind {
    /// (form, what it is), for help and error messages; all begin with the kind's name.
    pub forms: &'static [(&'static str, &'static str)],
    /// Reads what stands behind the name: nothing, or what begins with `:` or `@`. Opens no file.
    pub read: fn(&str) -> Result<Unread, Error>,
}

impl Kind {
    pub fn name(&self) -> &'static str {
        self.forms.first().and_then(|(form, _)| form.split(':').next()).unwrap_or_default()
    }
}

/// What is known of a player of some kind. `Display` gives the text that parses to the same.
pub(crate) trait PlayerKind: fmt::Display {
    /// The player, with a pool at its call.
    fn build<G: Game>(&self, pool: &Pool) -> Built<G>;

    /// What it does, in a few words.
    fn about(&self) -> String;

    /// See [`Spec::contents`].
    fn contents(&self) -> Option<String> {
        None
    }

    /// The network that it asks for moves.
    fn network(&self) -> Option<&Arc<Trained>> {
        None
    }

    /// Whether it plays by these rules, beyond that it knows the game.
    fn check_rules(&self, variant: &Variant) -> Result<(), Error> {
        self.network().map_or(Ok(()), |network| network.check_plays(&self.to_string(), variant))
    }

    /// Chooses otherwise among equally good moves, if it makes such a choice.
    fn set_ties(&mut self, _ties: Ties) {}

    /// See [`Spec::is_timed`].
    fn is_timed(&self) -> bool {
        false
    }

    /// See [`Spec::impurity`].
    fn impurity(&self) -> Option<[&'static str; 2]> {
        self.is_timed().then_some(["against the clock", "leave out ms="])
    }

    /// See [`Spec::why`].
    fn explanation(&self, _before: Position, _mv: Move, _ply: u32, _seed: u64) -> Option<String> {
        None
    }
}

macro_rules! players {
    ($d:tt { $($(#[$plain_doc:meta])* $plain:ident,)+ } $($(#[$doc:meta])* $name:ident($held:ty),)+) => {
        /// A player's kind and settings. `Display` gives the text that parses to the same spec.
        #[derive(Clone, PartialEq, Eq, Debug)]
        pub enum Spec {
            $($(#[$plain_doc])* $plain,)+
            $($(#[$doc])* $name($held),)+
        }

        /// Runs `body` with `player` bound to the [`PlayerKind`] as its own type.
        macro_rules! with_player {
            ($d spec:expr, $d player:ident => $d body:expr) => {
                match $d spec {
                    $(Spec::$plain => {
                        let $d player = &mut Simple::$plain;
                        $d body
                    })+
                    $(Spec::$name($d player) => $d body,)+
                }
            };
        }
    };
}

players! {
    $ {
        /// Moves come from the keyboard.
        Human,
        /// Any legal move, each as likely as the others.
        Random,
        /// The greatest gain of the own store by one sowing; ties at random.
        Max,
    }
    Minimax(Minimax),
    Heuristic(Heuristic),
    /// Ten heuristics and a network, which is read when the spec is; boxed, for its settings are many.
    Hybrid(Box<Hybrid>),
    /// Monte Carlo tree search.
    Mcts(Mcts),
    /// What a program says; read when the spec is.
    Program(Named),
    /// What functions say, each for its share of the game.
    Staged(Staged),
    /// What a network says; read when the spec is.
    A3c(A3c),
    /// Monte Carlo tree search by a network, which is read when the spec is.
    Puct(Puct),
    /// The terms of Samuel's paper; boxed, for its weights are many.
    Samuel(Box<Samuel>),
}

/// The names that texts begin with.
pub fn names() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|kind| kind.name())
}

/// The forms a spec takes, for help and error messages: (form, what it is).
pub fn forms() -> Vec<(&'static str, &'static str)> {
    KINDS.iter().flat_map(|kind| kind.forms).copied().collect()
}

impl Spec {
    /// A player that is this program, called `name`.
    pub fn program(name: impl Into<String>, program: Program) -> Spec {
        Spec::Program(Named { name: name.into(), program: Arc::new(program) })
    }

    /// The same player that chooses otherwise among equally good moves; one that makes no such choice stays as it is.
    pub fn with_ties(mut self, ties: Ties) -> Spec {
        self.set_ties(ties);
        self
    }

    /// Has it choose otherwise among equally good moves, if it makes such a choice.
    pub fn set_ties(&mut self, ties: Ties) {
        with_player!(self, player => player.set_ties(ties));
    }

    /// The file that this player's text names and that parsing it would open; `None` if it names none. Opens nothing itself.
    ///
    /// # Errors
    /// The text is no player's: a sentence.
    pub fn file_in(text: &str) -> Result<Option<PathBuf>, Error> {
        Ok(text.parse::<Unread>()?.file().map(PathBuf::from))
    }

    /// What was read from the file that names this player, or from one that comes with the program and may be another in its next
    /// version; `None` if there is no file.
    pub fn contents(&self) -> Option<String> {
        with_player!(self, player => player.contents().or_else(|| player.network().map(|network| network.contents())))
    }

    /// Whether a clock decides its moves, so that they are others each time.
    pub fn is_timed(&self) -> bool {
        with_player!(self, player => player.is_timed())
    }

    /// Of a player whose moves do not follow from position, ply and seed alone: what it plays by, such as `against the clock`, and what to
    /// write instead.
    pub fn impurity(&self) -> Option<[&'static str; 2]> {
        with_player!(self, player => player.impurity())
    }

    pub fn is_human(&self) -> bool {
        *self == Spec::Human
    }

    /// What it does, in a few words.
    pub(super) fn about(&self) -> String {
        with_player!(self, player => player.about())
    }

    /// The network that it asks for moves, if it has one.
    pub fn network(&self) -> Option<Arc<Trained>> {
        with_player!(self, player => player.network().cloned())
    }

    /// Why it plays `mv` in a position that a game with this seed has come to after so many plies, in a line; `None` of players that have
    /// nothing to say, and of positions of games that they do not play.
    pub fn explanation(&self, before: Position, mv: Move, ply: u32, seed: u64) -> Option<String> {
        with_player!(self, player => player.explanation(before, mv, ply, seed))
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_player!(self, player => f.pad(&player.to_string()))
    }
}

/// The player a spec describes, which thinks on the thread that asks it.
///
/// # Errors
/// It is a human, or does not play this game.
pub fn build<G: Game>(spec: &Spec) -> Built<G> {
    build_with(spec, &Pool::alone())
}

/// The same with a pool at its call, for a player that is not asked by one of them.
///
/// # Errors
/// It is a human, or does not play this game.
pub fn build_with<G: Game>(spec: &Spec, pool: &Pool) -> Built<G> {
    with_player!(spec, player => player.build(pool))
}

/// Whether who is named plays this game; a human plays any.
///
/// # Errors
/// A sentence that says which games the player knows.
pub fn check_plays(spec: &Spec, variant: &Variant) -> Result<(), Error> {
    fn built<G: Game>(_: &G, spec: &Spec) -> Result<(), Unbuilt> {
        build::<G>(spec).map(|_| ())
    }
    match with_position!(variant.start(), pos => built(&pos, spec)) {
        Ok(()) | Err(Unbuilt::Human) => with_player!(spec, player => player.check_rules(variant)),
        Err(unbuilt) => Err(format!("'{spec}' does not play {}: {unbuilt}", variant.title()).into()),
    }
}

/// A player as its text says, before anything is opened: texts come from games too, which anybody may have written, and a
/// file is opened only when the person has agreed to that.
///
/// `text.parse::<Unread>()?.load()` is what parsing a [`Spec`] does.
pub struct Unread {
    file: Option<(String, &'static str)>,
    load: Load,
}

type Load = Box<dyn FnOnce() -> Result<Spec, Error>>;

impl Unread {
    /// There is nothing to open.
    pub(crate) fn ready(spec: Spec) -> Unread {
        Unread { file: None, load: Box::new(|| Ok(spec)) }
    }

    /// `what` is in the file of this name, such as `weights` or nothing in particular, and `load` opens it.
    pub(crate) fn in_file(
        file: Option<String>,
        what: &'static str,
        load: impl FnOnce() -> Result<Spec, Error> + 'static,
    ) -> Unread {
        Unread { file: file.map(|name| (name, what)), load: Box::new(load) }
    }

    /// The file that [`load`](Unread::load) opens, as it is named in the text.
    pub fn file(&self) -> Option<&str> {
        self.file.as_ref().map(|(name, _)| name.as_str())
    }

    /// What the player does, in a few words; opens no file. `None` if what comes with the program cannot be read.
    pub(super) fn about(self) -> Option<String> {
        match self.file {
            Some((_, what)) => Some(format!("{what} from a file").trim_start().to_owned()),
            None => self.load().ok().map(|spec| spec.about()),
        }
    }

    /// The player, with what is in its file.
    ///
    /// # Errors
    /// The file cannot be read, or holds something else: its name, and the place in it.
    pub fn load(self) -> Result<Spec, Error> {
        (self.load)()
    }
}

/// Opens the file that the text names, if it names one; see [`Unread`].
impl FromStr for Spec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Spec, Error> {
        text.parse::<Unread>()?.load()
    }
}

impl FromStr for Unread {
    type Err = Error;

    fn from_str(text: &str) -> Result<Unread, Error> {
        let text = text.trim();
        let (name, rest) = text.split_at(text.find([':', '@']).unwrap_or(text.len()));
        let name = name.to_ascii_lowercase();
        match KINDS.iter().find(|kind| kind.name() == name) {
            Some(kind) => (kind.read)(rest),
            None => {
                let forms = forms().into_iter().map(|(form, _)| form);
                Err(Error::unknown(format!("no player is called '{name}'"), forms).near(&name, names()))
            }
        }
    }
}

#[cfg(test)]
mod tests;
