//! The texts that name players, such as `minimax:8`: the same in flags, config, game files and dialogs.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use super::a3c::{self, A3c};
use super::guided;
use super::hybrid;
use super::program_player::Named;
use super::samuel;
use super::staged::{self, Staged};
use crate::document::Refusal;
use crate::program::kalah::Program;

pub use super::guided::Settings as Guided;
pub use super::heuristic::Heuristic;
use super::heuristic::weights::Source;
pub use super::hybrid::Hybrid;
use super::mcts::Limit;
pub use super::mcts::Settings as Mcts;
pub use super::samuel::Samuel;
pub use crate::search::Ties;

/// A player's kind and settings. `Display` gives the text that parses to the same spec.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Spec {
    /// Moves come from the keyboard.
    Human,
    /// Any legal move, each as likely as the others.
    Random,
    /// The greatest gain of the own store by one sowing; ties at random.
    Max,
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
    Guided(Guided),
    /// The terms of Samuel's paper; boxed, for its weights are many.
    Samuel(Box<Samuel>),
}

/// Settings of the minimax player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Minimax {
    /// Plies to search, 1 to [`MAX_DEPTH`].
    pub depth: u32,
    /// Deepen step by step and stop at this time, at `depth` at the latest. The one setting that lets a clock decide a move.
    pub time: Option<Duration>,
    pub ties: Ties,
}

/// The deepest search that can be asked for.
pub const MAX_DEPTH: u32 = 60;

/// The forms a spec takes, for help and error messages: (form, what it is).
pub const FORMS: &[(&str, &str)] = &[
    ("human", "you, at the keyboard"),
    ("random", "any legal move"),
    ("max", "the greatest gain in one sowing"),
    ("minimax:D", "looks D plies ahead, 1 to 60"),
    ("minimax:D:ms=T", "up to D plies, T milliseconds a move"),
    ("minimax:D:ties=random", "equally good moves at random"),
    ("heuristic:D", "weighs ten heuristics D plies ahead, 1 to 20"),
    ("heuristic:D@WEIGHTS", "default, table3-1 to table3-20, a file, or ten numbers"),
    ("heuristic:D@WEIGHTS:net=FILE", "also weighs a network's value, a file's or best; default or eleven numbers"),
    ("heuristic:D:ties=random", "as for minimax; also judged=path, near=indicator"),
    ("mcts:N", "plays N games out and counts"),
    ("mcts:ms=T", "as many as T milliseconds allow"),
    ("mcts:N:eps=E", "a random move each time with probability E, 0.1; also rollout=random, reuse=yes"),
    ("mcts:N:net=FILE", "looks at N positions, led by a network, a file's or best; also c=C, temp=T"),
    ("program:FILE", "what the program in a file says"),
    ("program:figure5-1", "the first program of Figure 5; figure5-2 the second"),
    ("program:random:SEED", "a program grown at random"),
    ("staged:F", "values boards by a function F of counts, such as ( white )"),
    ("staged:F,75,G,25", "F for three quarters of the game, then G"),
    ("staged:best", "the strongest function that was bred; staged:best-staged has one for each half"),
    ("staged:FILE", "functions from a file; also depth=D, overlap=P, near=x, edges=whole"),
    ("a3c", "what the network says that comes with the program"),
    ("a3c:FILE", "what the network in a file says, such as mancalab train writes; also temp=T, greedy=yes"),
    ("samuel:D", "weighs Samuel's terms of checkers D plies ahead, 1 to 60"),
    ("samuel:D@WEIGHTS", "ones, pieces, best, a file, or 27 numbers"),
    ("samuel:ms=T", "as deep as T milliseconds allow; also ties=random, prune=on, quiet=off"),
];

impl Spec {
    /// A player that is this program, called `name`.
    pub fn program(name: impl Into<String>, program: Program) -> Spec {
        Spec::Program(Named { name: name.into(), program: Arc::new(program) })
    }

    /// The same player that chooses otherwise among equally good moves; one that makes no such choice stays as it is.
    pub fn with_ties(mut self, ties: Ties) -> Spec {
        match &mut self {
            Spec::Minimax(minimax) => minimax.ties = ties,
            Spec::Heuristic(heuristic) => heuristic.ties = ties,
            Spec::Hybrid(hybrid) => hybrid.plain.ties = ties,
            Spec::Samuel(samuel) => samuel.ties = ties,
            _ => {}
        }
        self
    }

    /// The file that this player's text names and that parsing it would open; `None` if it names none. Opens nothing itself.
    ///
    /// # Errors
    /// The text is no player's: a sentence.
    pub fn file_in(text: &str) -> Result<Option<PathBuf>, Refusal> {
        Ok(text.parse::<Unread>()?.file().map(PathBuf::from))
    }

    /// What was read from the file that names this player, or from one that comes with the program and may be another in its next
    /// version; `None` if there is no file.
    pub fn contents(&self) -> Option<String> {
        match self {
            Spec::Heuristic(Heuristic { source: Source::File(_), weights, .. }) => Some(weights.to_string()),
            Spec::Samuel(samuel) if matches!(samuel.source, samuel::Source::File(_)) => {
                Some(samuel.weights.to_string())
            }
            Spec::Hybrid(hybrid) => Some(hybrid.contents()),
            Spec::Program(named) => Some(named.program.to_notation()),
            Spec::A3c(a3c) => Some(a3c.contents()),
            Spec::Guided(guided) => Some(guided.contents()),
            Spec::Staged(staged) if staged.file.is_some() || staged.shipped.is_some() => Some(staged.stages_text()),
            _ => None,
        }
    }

    /// Whether a clock decides its moves, so that they are others each time.
    pub fn is_timed(&self) -> bool {
        match self {
            Spec::Minimax(minimax) => minimax.time.is_some(),
            Spec::Mcts(mcts) => matches!(mcts.limit, Limit::Time(_)),
            Spec::Guided(guided) => !guided.is_pure(),
            _ => false,
        }
    }

    pub fn is_human(&self) -> bool {
        *self == Spec::Human
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spec::Human => f.pad("human"),
            Spec::Random => f.pad("random"),
            Spec::Max => f.pad("max"),
            Spec::Minimax(minimax) => f.pad(&minimax.to_string()),
            Spec::Heuristic(heuristic) => f.pad(&heuristic.to_string()),
            Spec::Hybrid(hybrid) => f.pad(&hybrid.to_string()),
            Spec::Mcts(mcts) => f.pad(&mcts.to_string()),
            Spec::Program(named) => f.pad(&format!("program:{}", named.name)),
            Spec::Staged(staged) => f.pad(&staged.to_string()),
            Spec::A3c(a3c) => f.pad(&a3c.to_string()),
            Spec::Guided(guided) => f.pad(&guided.to_string()),
            Spec::Samuel(samuel) => f.pad(&samuel.to_string()),
        }
    }
}

impl fmt::Display for Minimax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "minimax:{}", self.depth)?;
        if let Some(time) = self.time {
            write!(f, ":ms={}", time.as_millis())?;
        }
        match self.ties {
            Ties::First => Ok(()),
            Ties::Random => f.write_str(":ties=random"),
        }
    }
}

/// A player as its text says, before anything is opened: texts come from games too, which anybody may have written, and a
/// file is opened only when the person has agreed to that.
///
/// `text.parse::<Unread>()?.load()` is what parsing a [`Spec`] does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unread(Asked);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Asked {
    /// There is nothing to open.
    Ready(Spec),
    /// A program in a file of this name.
    Program(String),
    /// Weights in a file that `source` names.
    Heuristic(Heuristic),
    Hybrid(Box<hybrid::Unread>),
    Samuel(Box<Samuel>),
    Staged(staged::Unread),
    A3c(a3c::Unread),
    Guided(guided::Unread),
}

impl Unread {
    /// The file that [`load`](Unread::load) opens, as it is named in the text.
    pub fn file(&self) -> Option<&str> {
        match &self.0 {
            Asked::Ready(_) => None,
            Asked::Program(name) => Some(name),
            Asked::Heuristic(heuristic) => match &heuristic.source {
                Source::File(name) => Some(name),
                _ => None,
            },
            Asked::Hybrid(unread) => unread.file(),
            Asked::Samuel(samuel) => match &samuel.source {
                samuel::Source::File(name) => Some(name),
                _ => None,
            },
            Asked::Staged(unread) => unread.file(),
            Asked::A3c(unread) => unread.file(),
            Asked::Guided(unread) => unread.file(),
        }
    }

    /// The player, with what is in its file.
    ///
    /// # Errors
    /// The file cannot be read, or holds something else: its name, and the place in it.
    pub fn load(self) -> Result<Spec, Refusal> {
        match self.0 {
            Asked::Ready(spec) => Ok(spec),
            Asked::Program(name) => Named::from_file(&name).map(Spec::Program),
            Asked::Heuristic(heuristic) => heuristic.load().map(Spec::Heuristic),
            Asked::Hybrid(unread) => unread.load().map(|hybrid| Spec::Hybrid(Box::new(hybrid))),
            Asked::Samuel(samuel) => samuel.load().map(|samuel| Spec::Samuel(Box::new(samuel))),
            Asked::Staged(unread) => unread.load().map(Spec::Staged),
            Asked::A3c(unread) => unread.load().map(Spec::A3c),
            Asked::Guided(unread) => unread.load().map(Spec::Guided),
        }
    }
}

/// Opens the file that the text names, if it names one; see [`Unread`].
impl FromStr for Spec {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Spec, Refusal> {
        text.parse::<Unread>()?.load()
    }
}

impl FromStr for Unread {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Unread, Refusal> {
        let text = text.trim();
        let (name, rest) = text.split_at(text.find([':', '@']).unwrap_or(text.len()));
        let name = name.to_ascii_lowercase();
        let settings: Vec<&str> = rest.split(':').skip(1).collect();
        let plain = |spec: Spec| match rest.get(1..) {
            None => Ok(Asked::Ready(spec)),
            Some(extra) => Err(format!("player '{name}' takes no settings, but '{extra}' was given").into()),
        };
        let asked = match name.as_str() {
            "human" => plain(Spec::Human),
            "random" => plain(Spec::Random),
            "max" => plain(Spec::Max),
            // The rest is a file's name, whatever it looks like.
            "program" => {
                let name = rest.strip_prefix(':').unwrap_or_default();
                let known = Named::without_file(name)?.map(|named| Asked::Ready(Spec::Program(named)));
                Ok(known.unwrap_or_else(|| Asked::Program(name.to_owned())))
            }
            "minimax" => Minimax::from_settings(&settings).map(|minimax| Asked::Ready(Spec::Minimax(minimax))),
            "mcts" => match guided::Unread::from_text(rest.get(1..).unwrap_or_default()) {
                Some(guided) => guided.map(Asked::Guided),
                None => Mcts::from_settings(&settings).map(|mcts| Asked::Ready(Spec::Mcts(mcts))),
            },
            "heuristic" => match hybrid::Unread::from_text(rest) {
                Some(hybrid) => hybrid.map(|hybrid| Asked::Hybrid(Box::new(hybrid))),
                None => Heuristic::unread(rest).map(Asked::Heuristic),
            },
            "samuel" => Samuel::unread(rest).map(|samuel| Asked::Samuel(Box::new(samuel))),
            "staged" => Staged::unread(rest).map(Asked::Staged),
            "a3c" => a3c::Unread::from_text(rest).map(Asked::A3c),
            _ => {
                let forms: Vec<&str> = FORMS.iter().map(|(form, _)| *form).collect();
                let names = forms.iter().filter_map(|form| form.split(':').next());
                Err(Refusal::unknown(format!("no player is called '{name}'"), forms.iter().copied()).near(&name, names))
            }
        };
        asked.map(Unread)
    }
}

impl Minimax {
    pub fn to_depth(depth: u32) -> Minimax {
        Minimax { depth, time: None, ties: Ties::First }
    }

    fn from_settings(settings: &[&str]) -> Result<Minimax, Refusal> {
        let depth_wanted = format!("minimax needs a depth from 1 to {MAX_DEPTH}, as in minimax:8");
        let (&depth, rest) = settings.split_first().ok_or_else(|| depth_wanted.clone())?;
        let depth = depth.parse().ok().filter(|d| (1..=MAX_DEPTH).contains(d));
        let mut minimax = Minimax::to_depth(depth.ok_or_else(|| format!("{depth_wanted}; '{}' is none", settings[0]))?);
        for setting in rest {
            match setting.split_once('=') {
                Some(("ms", value)) => {
                    let ms = value.parse().ok().filter(|ms| (1..=3_600_000).contains(ms));
                    let ms = ms.ok_or_else(|| format!("ms takes milliseconds from 1 to 3600000; '{value}' is none"))?;
                    minimax.time = Some(Duration::from_millis(ms));
                }
                Some(("ties", "first")) => minimax.ties = Ties::First,
                Some(("ties", "random")) => minimax.ties = Ties::Random,
                Some(("ties", value)) => return Err(format!("ties takes first or random; '{value}' is neither").into()),
                _ => return Err(format!("minimax takes ms=T and ties=first|random; '{setting}' is neither").into()),
            }
        }
        Ok(minimax)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_the_same() {
        for text in [
            "human",
            "random",
            "max",
            "minimax:8",
            "minimax:20:ms=500",
            "minimax:4:ties=random",
            "minimax:4:ms=9:ties=random",
            "samuel:6",
            "samuel:ms=500",
            "samuel:8@pieces:ms=500:ties=random:prune=on:quiet=off",
            "staged:( white ),75,( / ( + white 10 ) black_edges ),25",
            "staged:( * white_near_corners -2.5 ):depth=4:overlap=20:near=x:edges=whole",
        ] {
            assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
        }
        assert_eq!("staged:( white ),100".parse::<Spec>().unwrap().to_string(), "staged:( white )");
        assert_eq!(" Minimax:8:ties=first ".parse::<Spec>().unwrap().to_string(), "minimax:8");
    }

    #[test]
    fn it_is_said_which_file_a_player_is_in_without_opening_it() {
        let file = |text: &str| Spec::file_in(text).unwrap().map(|path| path.display().to_string());
        for text in ["human", "minimax:8", "mcts:10", "heuristic:4", "heuristic:2@table3-3:ties=random"] {
            assert_eq!(file(text), None, "{text}");
        }
        assert_eq!(file("heuristic:4@1,0,0,0,0,0,0,0,0,0"), None);
        assert_eq!(file("program:figure5-2"), None);
        assert_eq!(file("program:random:7"), None);
        // Neither of these is there.
        assert_eq!(file("program:no/such: file").as_deref(), Some("no/such: file"));
        assert_eq!(file("heuristic:4@no/such:w.toml:ties=random").as_deref(), Some("no/such:w.toml"));
        assert!("program:no/such".parse::<Spec>().is_err());
        for text in ["deep", "minimax:0", "program:", "program:random:x", "heuristic:4@", "heuristic:4@1,2"] {
            assert!(Spec::file_in(text).is_err(), "{text}");
            assert_eq!(Spec::file_in(text).unwrap_err(), text.parse::<Spec>().unwrap_err());
        }
    }

    #[test]
    fn errors_say_what_would_be_accepted() {
        let error = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
        assert_eq!(error("minimax"), "minimax needs a depth from 1 to 60, as in minimax:8");
        assert_eq!(error("minimax:0"), "minimax needs a depth from 1 to 60, as in minimax:8; '0' is none");
        assert_eq!(error("minimax:8:ms=0"), "ms takes milliseconds from 1 to 3600000; '0' is none");
        assert_eq!(error("minimax:8:fast"), "minimax takes ms=T and ties=first|random; 'fast' is neither");
        assert_eq!(error("max:3"), "player 'max' takes no settings, but '3' was given");
        let functions = "functions with their shares of the game in percent, as in staged:( white ),75,( white_corners ),25, or a \
                         file of such a text";
        assert_eq!(error("staged"), format!("staged takes {functions}"));
        assert_eq!(error("staged::depth=2"), format!("staged takes {functions}"));
        assert_eq!(error("staged:( white ):depth=21"), "depth takes a whole number from 1 to 20; '21' is none");
        assert_eq!(error("staged:( white ):overlap=x"), "overlap takes a whole number from 0 to 100; 'x' is none");
        assert_eq!(error("staged:( white ):near=c"), "near takes all or x; 'c' is neither");
        assert_eq!(
            error("staged:( white ):deep=2"),
            "staged takes depth=D, overlap=P, near=x|all and edges=whole|plain; 'deep=2' is none of them"
        );
        let share = "a share in percent, a whole number from 1 to 100";
        for (text, place, expected) in [
            ("( white ),75", "line 1, column 13: the text ends here", "shares that add up to 100; they add up to 75"),
            ("( white ),0", "line 1, column 11: found '0'", share),
            ("( white ), 7.5,( black ),92", "line 1, column 12: found '7.5'", share),
            ("( white ),", "line 1, column 11: the text ends here", share),
            (
                "( white ),50,( black )",
                "line 1, column 23: the text ends here",
                "a comma and a share in percent, as in ( white ),100",
            ),
            ("( white ),75,( + black ),25", "line 1, column 24: found ')'", "a number, a count such as white or '('"),
        ] {
            assert_eq!(error(&format!("staged:{text}")), format!("staged: {place}; expected {expected}"));
        }
        assert!(error("deep").starts_with("no player is called 'deep'; known: human, random,"));
    }
}
