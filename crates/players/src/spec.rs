//! Player specs: the texts that name players, such as `minimax:8`, the same in flags, config, game files and dialogs.
//!
//! A [`Spec`] holds the parsed settings of one kind of player, which the kind's module reads and writes as a
//! [`PlayerKind`](kind::PlayerKind). Kinds know nothing of specs; [`KINDS`] lists them by the names that texts begin with.

use mancalab_base::rights::Rights;
use mancalab_base::{Error, bail};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use super::kind::{self, Forms, PlayerKind as _};
use super::network::GameNetwork;
use super::simple::Simple;
use super::{
    Built, Turn, Unbuilt, a3c, external, heuristic, mcts, minimax, perfect, program_player, puct, samuel, simple,
    staged, text,
};
use crate::game::kalah::MAX_PITS;
use crate::game::{Move, Position, Variant, with_position};
use crate::pool::Pool;
use crate::program::kalah::Program;
use crate::search::SearchHints;

pub use super::a3c::A3c;
pub use super::external::External;
pub use super::heuristic::Heuristic;
pub use super::hybrid::Hybrid;
pub use super::mcts::Settings as Mcts;
pub use super::minimax::{MAX_DEPTH, Minimax};
pub use super::perfect::Perfect;
pub use super::program_player::NamedProgram;
pub use super::puct::Settings as Puct;
pub use super::samuel::Samuel;
pub use super::simple::Max;
pub use super::staged::StagedSettings;
pub use crate::search::Ties;

/// A kind of player.
pub(crate) struct Kind {
    forms: Forms,
    /// Reads the text after the name: empty, or starting with `:` or `@`. Opens no file.
    pub read: fn(&str) -> Result<Unread, Error>,
}

impl Kind {
    pub fn name(&self) -> &'static str {
        self.forms.first().and_then(|(form, _)| form.split(':').next()).unwrap_or_default()
    }
}

/// The kinds of players by the first word of their texts, in the order of the help.
static KINDS: &[Kind] = &[
    Kind { forms: simple::HUMAN, read: |text| spec(simple::unread(text, Simple::Human), |_| Spec::Human) },
    Kind { forms: simple::RANDOM, read: |text| spec(simple::unread(text, Simple::Random), |_| Spec::Random) },
    Kind { forms: simple::FORMS, read: |text| Max::read(text).map(Spec::Max).map(Unread::ready) },
    Kind { forms: minimax::FORMS, read: |text| spec(Minimax::unread(text), Spec::Minimax) },
    Kind { forms: perfect::FORMS, read: |text| Perfect::read(text).map(Spec::Perfect).map(Unread::ready) },
    Kind {
        forms: heuristic::FORMS,
        read: |text| match text::at_network(text) {
            Some((before, behind)) => spec(Hybrid::unread(before, behind), |hybrid| Spec::Hybrid(Box::new(hybrid))),
            None => spec(Heuristic::unread(text), Spec::Heuristic),
        },
    },
    Kind {
        forms: mcts::FORMS,
        read: |text| match text::at_network(text) {
            Some((before, behind)) => spec(puct::unread(before, behind), Spec::Puct),
            None => Mcts::read(text).map(Spec::Mcts).map(Unread::ready),
        },
    },
    Kind { forms: program_player::FORMS, read: |text| spec(program_player::unread(text), Spec::Program) },
    Kind { forms: staged::FORMS, read: |text| spec(StagedSettings::unread(text), Spec::Staged) },
    Kind { forms: a3c::FORMS, read: |text| spec(a3c::unread(text), Spec::A3c) },
    Kind { forms: samuel::FORMS, read: |text| spec(Samuel::unread(text), |samuel| Spec::Samuel(Box::new(samuel))) },
    Kind { forms: external::FORMS, read: |text| External::read(text).map(Spec::External).map(Unread::command) },
];

/// Makes a spec of the settings of a kind, once they are loaded.
fn spec<T: 'static>(unread: Result<kind::Unread<T>, Error>, spec: fn(T) -> Spec) -> Result<Unread, Error> {
    Ok(unread?.map(spec))
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
        /// The player at the keyboard.
        Human,
        /// A uniformly random legal move.
        Random,
    }
    /// The greatest gain.
    Max(Max),
    Minimax(Minimax),
    /// The best move by a solver.
    Perfect(Perfect),
    Heuristic(Heuristic),
    /// Ten heuristics and a network, loaded with the spec; boxed because of its size.
    Hybrid(Box<Hybrid>),
    /// Monte Carlo tree search.
    Mcts(Mcts),
    /// A program, loaded with the spec.
    Program(NamedProgram),
    /// Functions, each in force for its share of the game.
    Staged(StagedSettings),
    /// A network's policy; the network is loaded with the spec.
    A3c(A3c),
    /// Monte Carlo tree search with a network, loaded with the spec.
    Puct(Puct),
    /// The terms of Samuel's paper; boxed because of its size.
    Samuel(Box<Samuel>),
    /// Another program, which its first turn starts.
    External(External),
}

/// Returns the names that texts begin with.
pub fn names() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|kind| kind.name())
}

/// Returns the forms of a spec, for help and error messages: (form, description).
pub fn forms() -> Vec<(&'static str, &'static str)> {
    KINDS.iter().flat_map(|kind| kind.forms).copied().collect()
}

impl Spec {
    /// The player that runs this program, called `name`.
    pub fn program(name: impl Into<String>, program: Program) -> Spec {
        Spec::Program(NamedProgram::new(name, program))
    }

    /// Returns the same player with another choice among equally good moves; players without such a choice do not change.
    pub fn with_ties(mut self, ties: Ties) -> Spec {
        self.set_ties(ties);
        self
    }

    /// Sets the choice among equally good moves, if the player makes one.
    pub fn set_ties(&mut self, ties: Ties) {
        with_player!(self, player => player.set_ties(ties));
    }

    /// Returns the file that parsing this text would open; `None` if it names no file. Opens no file itself.
    ///
    /// # Errors
    /// The text does not name a player.
    pub fn file_in(text: &str) -> Result<Option<PathBuf>, Error> {
        Ok(text.parse::<Unread>()?.file().map(PathBuf::from))
    }

    /// Returns the content of the player's file, or of its data in the program, which may change with the program's version; `None`
    /// if there is neither.
    pub fn contents(&self) -> Option<String> {
        with_player!(self, player => player.contents().or_else(|| player.network().map(|network| network.contents())))
    }

    /// Returns whether the moves depend on the clock or on another program and so may differ each time.
    pub fn is_timed(&self) -> bool {
        with_player!(self, player => player.is_timed())
    }

    /// Returns whether the moves follow from the game so far alone, not from the seed, apart from the clock. Two such players always
    /// play the same game from the same opening.
    pub fn is_deterministic(&self) -> bool {
        with_player!(self, player => player.is_deterministic())
    }

    /// Returns, for a player whose moves do not follow from position, ply and seed alone, the reason, such as `against the clock`, and
    /// what to write instead.
    pub fn impurity(&self) -> Option<[&'static str; 2]> {
        with_player!(self, player => player.impurity())
    }

    /// Checks that this session may use the player: a guest uses no files, no commands, and searches within the host's limits.
    ///
    /// # Errors
    /// Names the limit.
    pub fn check_rights(&self, rights: &Rights) -> Result<(), Error> {
        let Some(limits) = rights.limits() else { return Ok(()) };
        let text = self.to_string();
        if text.parse::<Unread>().map_or(true, |unread| unread.needs_agreement()) || matches!(self, Spec::External(_)) {
            bail!("guests cannot use players that open a file or run a command (got '{text}')");
        }
        let effort = with_player!(self, player => player.effort());
        if effort.is_open || self.is_timed() {
            bail!("guests cannot use players without a depth or a number of playouts (got '{text}')");
        }
        if effort.depth > limits.depth {
            bail!("guests' players search at most {} plies (got '{text}')", limits.depth);
        }
        if effort.iterations > limits.iterations {
            bail!("guests' players make at most {} playouts (got '{text}')", limits.iterations);
        }
        if effort.threads > 1 {
            bail!("guests' players use one thread (got '{text}')");
        }
        Ok(())
    }

    pub fn is_human(&self) -> bool {
        *self == Spec::Human
    }

    /// Returns a short description.
    pub(super) fn about(&self) -> String {
        with_player!(self, player => player.about())
    }

    /// Returns the player's network, if it has one.
    pub fn network(&self) -> Option<Arc<GameNetwork>> {
        with_player!(self, player => player.network().cloned())
    }

    /// Explains in one line why the player plays `mv` in a position after `ply` plies of a game with this seed; `None` for players without
    /// an explanation, and for games that they do not play.
    pub fn explanation(&self, before: Position, mv: Move, ply: u32, seed: u64) -> Option<String> {
        with_player!(self, player => player.explanation(before, mv, ply, seed))
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_player!(self, player => f.pad(&player.to_string()))
    }
}

/// A game whose players, with their searches, are compiled in this crate alone: other crates are generic over games too, and an
/// optimised build would compile them again in each. [`playable!`](crate::playable) implements it.
pub trait Playable: SearchHints {
    /// See [`build_with`].
    ///
    /// # Errors
    /// The spec is a human, or does not play this game.
    fn player(spec: &Spec, pool: &Pool) -> Built<Self>;

    /// Plays a legal move: [`Turn::play`].
    fn play_turn(turn: &mut Turn<Self>, mv: Move);
}

/// Implements [`Playable`] for a game outside the list of games.
#[macro_export]
macro_rules! playable {
    ($($module:ident)::+ => $game:ty) => {
        $crate::playable!($game);
    };
    ($game:ty) => {
        impl $crate::Playable for $game {
            fn player(spec: &$crate::Spec, pool: &mancalab_base::pool::Pool) -> $crate::Built<$game> {
                $crate::spec::instantiated(spec, pool)
            }

            fn play_turn(turn: &mut $crate::Turn<$game>, mv: mancalab_games::Move) {
                turn.play(mv);
            }
        }
    };
}
mancalab_games::each_game!(playable);

/// Compiles the players of a game; see [`Playable`].
#[doc(hidden)]
pub fn instantiated<G: SearchHints>(spec: &Spec, pool: &Pool) -> Built<G> {
    with_player!(spec, player => player.build(pool))
}

/// Builds the player of a spec; it thinks on the calling thread.
///
/// # Errors
/// The spec is a human, or does not play this game.
pub fn build<G: Playable>(spec: &Spec) -> Built<G> {
    build_with(spec, &Pool::alone())
}

/// Builds the player of a spec with a thread pool; the caller must not be one of the pool's workers.
///
/// # Errors
/// The spec is a human, or does not play this game.
pub fn build_with<G: Playable>(spec: &Spec, pool: &Pool) -> Built<G> {
    G::player(spec, pool)
}

/// Checks that a player plays this game; a human plays any.
///
/// # Errors
/// The player does not play this game: lists the games that it plays.
pub fn check_plays(spec: &Spec, variant: &Variant) -> Result<(), Error> {
    fn built<G: Playable>(_: &G, spec: &Spec) -> Result<(), Unbuilt> {
        build::<G>(spec).map(|_| ())
    }
    match with_position!(variant.start(), pos => built(&pos, spec)) {
        Ok(()) | Err(Unbuilt::Human) => with_player!(spec, player => player.check_rules(variant)),
        Err(Unbuilt::Plays { kind, games }) if games.contains(&variant.name()) => {
            Err(format!("'{spec}' does not play {variant}: {kind} plays at most {MAX_PITS} pits a side").into())
        }
        Err(unbuilt) => Err(format!("'{spec}' does not play {}: {unbuilt}", variant.title()).into()),
    }
}

/// A parsed player text before its file is opened: anyone may have written a game file with player texts in it, so a file is
/// opened, and a command gets a turn, only after the user agrees.
///
/// `text.parse::<Unread>()?.load()` is what parsing a [`Spec`] does.
pub type Unread = kind::Unread<Spec>;

impl Unread {
    /// Returns a short description without opening a file; `None` if data of the program cannot be read.
    pub(super) fn about(self) -> Option<String> {
        match self.content() {
            Some(what) => Some(format!("{what} from a file").trim_start().to_owned()),
            None => self.load().ok().map(|spec| spec.about()),
        }
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
        let (kind, rest) = kind(text, &[])?;
        (kind.read)(rest)
    }
}

/// Splits a player's text into its kind and the rest. The error of an unknown name lists the players after `others`.
pub(crate) fn kind<'a>(text: &'a str, others: &[&'static str]) -> Result<(&'static Kind, &'a str), Error> {
    let text = text.trim();
    let (name, rest) = text.split_at(text.find([':', '@']).unwrap_or(text.len()));
    let name = name.to_ascii_lowercase();
    let unknown = || {
        let players = forms().into_iter().map(|(form, _)| form.to_string());
        let known = others.iter().map(|other| (*other).to_owned()).chain(players);
        let near = others.iter().copied().chain(names());
        Error::unknown(format!("no player is named '{name}'"), known).near(&name, near)
    };
    let kind = KINDS.iter().find(|kind| kind.name() == name).ok_or_else(unknown)?;
    Ok((kind, rest))
}

#[cfg(test)]
mod tests;
