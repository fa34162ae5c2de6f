//! The player that searches by a network: Monte Carlo tree search in which a policy says what is worth a look and a value what a leaf
//! is worth, instead of games played out.
//!
//! With a number of iterations its move follows from the position, its past and the network alone, whatever the game's seed.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::mcts::{self, Limit};
use super::network::{Source, Trained};
use super::{Opinion, Player, Turn};
use crate::document::Refusal;
use crate::game::{Move, Planes, Position, Variant};
use crate::search::Report;
use crate::search::guided::{Guide, Guided};
use crate::step::{Budget, Status};

/// How far the policy draws the search unless it is said, and what its logits are divided by.
const USUAL: f32 = 1.5;
const USUAL_TEMPERATURE: f32 = 4.0;

/// What can be asked for instead.
const LEAST: f32 = 0.01;
const MOST: f32 = 100.0;

/// What stands before the network in a player's text.
const NET: &str = "net=";

/// What stands in a player's text. `Display` gives the text that parses to the same.
#[derive(Clone, PartialEq, Debug)]
pub struct Unread {
    limit: Limit,
    source: Source,
    /// c of PUCT: how far the policy draws the search.
    exploration: f32,
    /// What the policy's logits are divided by: more spreads the search over more moves.
    temperature: f32,
}

// Nothing that can be asked for is no number.
impl Eq for Unread {}

/// A player that searches by a network. `Display` gives the text that parses to the same player.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    asked: Unread,
    trained: Arc<Trained>,
}

// No number that is read from a file is none.
impl Eq for Settings {}

impl Unread {
    /// Reads what stands behind `mcts:` if it names a network: `N:net=FILE`, and perhaps `:c=C` and `:temp=T` before or behind that. `None` if it does
    /// not. Opens nothing.
    ///
    /// # Errors
    /// Which part makes no sense, and what would be accepted.
    pub(super) fn from_text(text: &str) -> Option<Result<Unread, Refusal>> {
        let at = text.find(&format!(":{NET}"))?;
        Some(Unread::read(&text[..at], &text[at + 1 + NET.len()..]))
    }

    fn read(before: &str, behind: &str) -> Result<Unread, Refusal> {
        let settings: Vec<&str> = before.split(':').collect();
        let (limit, others) = mcts::Settings::limit(&settings)?;
        let mut read = Unread { limit, source: Source::Shipped, exploration: USUAL, temperature: USUAL_TEMPERATURE };
        for setting in others {
            if !read.set(setting)? {
                return Err(Unread::refused(setting));
            }
        }
        // A path may hold colons of its own.
        let mut name = behind;
        while let Some((path, setting)) = name.rsplit_once(':') {
            if !read.set(setting)? {
                break;
            }
            name = path;
        }
        if name.is_empty() {
            return Err("net takes best, or the file of a network, as in mcts:800:net=network.safetensors".into());
        }
        Ok(Unread { source: Source::named(name), ..read })
    }

    /// Sets what a text such as `c=2` says; whether it is a setting.
    fn set(&mut self, setting: &str) -> Result<bool, Refusal> {
        let number = |key: &str, text: &str| {
            let known = text.parse().ok().filter(|number| (LEAST..=MOST).contains(number));
            known.ok_or_else(|| Refusal::from(format!("{key} takes a number from {LEAST} to {MOST}; '{text}' is none")))
        };
        match setting.split_once('=') {
            Some(("c", value)) => self.exploration = number("c", value)?,
            Some(("temp", value)) => self.temperature = number("temp", value)?,
            Some(("eps" | "rollout" | "reuse", _)) => return Err(Unread::refused(setting)),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn refused(setting: &str) -> Refusal {
        format!("mcts takes beside net= only c=C and temp=T; '{setting}' is neither, for no games are played out")
            .into()
    }

    /// The file that [`load`](Unread::load) opens, if any.
    pub(super) fn file(&self) -> Option<&str> {
        self.source.file()
    }

    /// The player, with its network.
    ///
    /// # Errors
    /// See [`Source::load`].
    pub(super) fn load(self) -> Result<Settings, Refusal> {
        let trained = self.source.load()?;
        Ok(Settings { asked: self, trained })
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mcts:{}:{NET}{}", self.limit, self.source)?;
        if self.exploration != USUAL {
            write!(f, ":c={}", self.exploration)?;
        }
        if self.temperature == USUAL_TEMPERATURE { Ok(()) } else { write!(f, ":temp={}", self.temperature) }
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.asked.fmt(f)
    }
}

impl Settings {
    /// The game that the network was trained for.
    pub fn variant(&self) -> Variant {
        self.trained.variant
    }

    pub fn limit(&self) -> Limit {
        self.asked.limit
    }

    /// Whether a move follows from the position and its past alone.
    pub fn is_pure(&self) -> bool {
        matches!(self.asked.limit, Limit::Iterations(_))
    }

    pub(super) fn shaping(&self) -> f32 {
        self.trained.shaping
    }

    /// What the network alone says of a position; `None` where the game is over, and of positions that it cannot be told.
    pub(super) fn opinion(&self, position: &Position) -> Option<Opinion> {
        Opinion::of(&self.trained.network, &self.trained.encoding, position)
    }

    /// What was read from the file, in short: another network gives another text.
    pub(super) fn contents(&self) -> String {
        self.trained.contents()
    }

    /// # Errors
    /// The network is for other rules, whose positions it cannot be told: a sentence.
    pub(super) fn check_plays(&self, variant: &Variant) -> Result<(), String> {
        self.trained.check_plays(self, variant)
    }

    /// Who is asked in such a position; `None` for other rules than the network's.
    fn guide<G: Planes>(&self, pos: &G) -> Option<Guide> {
        let (Trained { network, shaping, .. }, asked) = (&*self.trained, &self.asked);
        let encoding = self.trained.reads(pos)?;
        Some(Guide {
            network: Arc::clone(network),
            encoding,
            shaping: *shaping,
            exploration: asked.exploration,
            temperature: asked.temperature,
        })
    }
}

/// Searches by a network.
pub struct GuidedPlayer<G: Planes> {
    settings: Settings,
    thinking: Option<Thinking<G>>,
}

/// The search for one turn.
struct Thinking<G: Planes> {
    turn: Turn<G>,
    search: Guided<G>,
    spent: Duration,
}

impl<G: Planes> GuidedPlayer<G> {
    pub fn new(settings: Settings) -> GuidedPlayer<G> {
        GuidedPlayer { settings, thinking: None }
    }
}

impl<G: Planes> Player<G> for GuidedPlayer<G> {
    fn think(&mut self, turn: &Turn<G>, budget: Budget) -> Option<Move> {
        if self.thinking.as_ref().is_none_or(|thinking| thinking.turn != *turn) {
            let Some(guide) = self.settings.guide(&turn.pos) else {
                // With other rules than its own it knows nothing; [`check_plays`](Settings::check_plays) says so before.
                return turn.pos.moves().next();
            };
            let search = Guided::new(turn.course(), guide);
            self.thinking = Some(Thinking { turn: turn.clone(), search, spent: Duration::ZERO });
        }
        let Thinking { search, spent, .. } = self.thinking.as_mut()?;
        let status = match self.settings.asked.limit {
            Limit::Iterations(count) => search.step(count.into(), budget),
            // A move that is the only one needs no thought.
            Limit::Time(_) if turn.pos.count_moves() < 2 => search.step(1, Budget::UNLIMITED),
            Limit::Time(time) => {
                let started = Instant::now();
                search.step(u64::MAX, budget.at_most(time.saturating_sub(*spent)));
                *spent += started.elapsed();
                if *spent >= time { Status::Done } else { Status::Running }
            }
        };
        if status == Status::Running { None } else { search.best_move() }
    }

    fn report(&self) -> Option<Report> {
        self.thinking.as_ref().map(|thinking| thinking.search.report())
    }

    /// Every turn begins with an empty tree anyway.
    fn rest(&mut self) {
        self.thinking = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::kalah::Kalah;
    use crate::game::{Game as _, Notation as _, Tabletop as _};
    use crate::{Spec, build, check_plays, choose};

    #[test]
    fn texts_come_back_the_same() {
        for (text, told) in [
            ("mcts:800:net=best", "mcts:800:net=best"),
            ("MCTS:800:c=2:net=best", "mcts:800:net=best:c=2"),
            ("mcts:ms=500:net=best:c=0.5", "mcts:ms=500:net=best:c=0.5"),
            ("mcts:1:net=best:c=1.50", "mcts:1:net=best"),
            ("mcts:1:temp=3:net=best:c=2", "mcts:1:net=best:c=2:temp=3"),
            ("mcts:1:net=best:temp=0.5:c=2", "mcts:1:net=best:c=2:temp=0.5"),
            ("mcts:1:reuse=no:eps=0.1", "mcts:1"),
        ] {
            let spec: Spec = text.parse().unwrap();
            assert_eq!((spec.to_string().as_str(), Spec::file_in(text).unwrap()), (told, None));
            assert_eq!(told.parse::<Spec>().unwrap(), spec);
        }
        let file = |text: &str| Spec::file_in(text).unwrap().unwrap().display().to_string();
        assert_eq!(file("mcts:9:net=no/such:a:c=2"), "no/such:a");
        assert_eq!(file("mcts:9:net=./best"), "./best");
    }

    #[test]
    fn errors_say_what_would_be_accepted() {
        let error = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
        assert!(error("mcts:0:net=best").starts_with("mcts needs iterations from 1 to 10000000 or ms=T"));
        assert_eq!(error("mcts:5:net=best:c=0"), "c takes a number from 0.01 to 100; '0' is none");
        assert_eq!(error("mcts:5:c=x:net=best"), "c takes a number from 0.01 to 100; 'x' is none");
        assert_eq!(error("mcts:5:net=best:temp=-1"), "temp takes a number from 0.01 to 100; '-1' is none");
        assert!(error("mcts:5:net=").contains("net takes best, or the file of a network"));
        assert!(error("mcts:5:net=:c=2").contains("net takes best, or the file of a network"));
        for text in ["mcts:5:eps=0.2:net=best", "mcts:5:net=best:eps=0.2", "mcts:5:net=best:reuse=yes"] {
            assert!(error(text).contains("mcts takes beside net= only c=C and temp=T; '"), "{text}");
        }
        assert!(error("mcts:5:net=no/such").contains("cannot read no/such: "));
        assert!(error("mcts:5:c=2").contains("net=FILE"), "{}", error("mcts:5:c=2"));
        let spec: Spec = "mcts:5:net=best".parse().unwrap();
        assert!(check_plays(&spec, &"othello".parse().unwrap()).unwrap_err().contains("its network plays kalah only"));
        assert!(check_plays(&spec, &"kalah:5x4".parse().unwrap()).unwrap_err().contains("its network was trained for"));
    }

    #[test]
    fn its_move_does_not_depend_on_seeds_and_cuts() {
        let pos = Kalah::start("6x4:standard".parse().unwrap());
        let player = |text: &str| build::<Kalah>(&text.parse().unwrap()).unwrap();
        let mut whole = player("mcts:200:net=best");
        let mv = choose(whole.as_mut(), &Turn::new(pos, 0, 1));
        assert_eq!(whole.report().unwrap().lines[0].mv, mv.unwrap());
        assert_eq!(choose(player("mcts:200:net=best").as_mut(), &Turn::new(pos, 0, 2)), mv);
        let mut cut = player("mcts:200:net=best");
        let in_pieces = (0..50).find_map(|_| cut.think(&Turn::new(pos, 0, 1), Budget::time(Duration::ZERO)));
        assert_eq!((in_pieces, cut.report()), (mv, whole.report()));
        cut.rest();
        assert!(cut.report().is_none());
    }

    #[test]
    fn what_its_text_and_its_file_say_is_what_is_searched_by() {
        let (pos, trained) = (Kalah::start("6x4:standard".parse().unwrap()), Source::Shipped.load().unwrap());
        assert!(trained.shaping > 0.0);
        for (text, exploration, temperature) in [
            ("mcts:300:net=best", 1.5, 4.0),
            ("mcts:300:net=best:c=0.4", 0.4, 4.0),
            ("mcts:300:net=best:temp=1", 1.5, 1.0),
        ] {
            let mut player = build::<Kalah>(&text.parse().unwrap()).unwrap();
            choose(player.as_mut(), &Turn::new(pos, 0, 1));
            let (network, encoding) = (Arc::clone(&trained.network), trained.reads(&pos).unwrap());
            let guide = Guide { network, encoding, shaping: trained.shaping, exploration, temperature };
            let mut search = Guided::new(&pos, guide);
            search.step(300, Budget::UNLIMITED);
            assert_eq!(player.report(), Some(search.report()), "{text}");
        }
    }

    #[test]
    fn a_clock_is_kept_and_the_only_move_played_at_once() {
        let mut player = build::<Kalah>(&"mcts:ms=60000:net=best".parse().unwrap()).unwrap();
        let pos = Kalah::from_text("6x4".parse().unwrap(), "<6,10,10,0,0,0,0,5,0,4,4,4,4,5,2> S").unwrap();
        let started = Instant::now();
        assert_eq!(choose(player.as_mut(), &Turn::new(pos, 3, 1)), pos.moves().next());
        assert!(started.elapsed() < Duration::from_secs(10));
        let mut player = build::<Kalah>(&"mcts:ms=30:net=best".parse().unwrap()).unwrap();
        let (pos, started) = (Kalah::start("6x4:standard".parse().unwrap()), Instant::now());
        assert!(choose(player.as_mut(), &Turn::new(pos, 0, 1)).is_some());
        assert!(started.elapsed() >= Duration::from_millis(30));
        let over = Kalah::from_text("6x4".parse().unwrap(), "<6,20,28,0,0,0,0,0,0,0,0,0,0,0,0> S").unwrap();
        assert_eq!(choose(player.as_mut(), &Turn::new(over, 9, 1)), None);
    }
}
