//! The player that searches with PUCT: Monte Carlo tree search with a network's policy as prior and its value at the leaves, instead of
//! playouts.
//!
//! With a number of iterations its move follows from the position, its history and the network alone, whatever the game's seed.

use mancalab_base::{Error, bail};
use std::fmt;
use std::sync::Arc;

use super::kind::{Effort, PlayerKind, Unread};
use super::mcts::{Limit, Searcher, TreePlayer};
use super::network::{GameNetwork, Source};
use super::text::{self, Setting, Values::Number};
use super::{Built, Turn, of_one};
use crate::game::{BoardGame, Planes, with_position};
use crate::pool::Pool;
use crate::rng::Rng;
use crate::search::SearchHints;
use crate::search::mcts::{Guide, Puct, PuctSearch};

/// The default exploration constant, and the default temperature of the policy.
const USUAL: f32 = 1.5;
const USUAL_TEMPERATURE: f32 = 4.0;

/// The accepted range of both.
const LEAST: f64 = 0.01;
const MOST: f64 = 100.0;

/// The settings in a player's text. `Display` gives the text that parses to the same.
#[derive(Clone, PartialEq, Debug)]
struct TextSettings {
    limit: Limit,
    source: Source,
    /// c of PUCT: the weight of the prior.
    exploration: f32,
    /// Divisor of the policy's logits: larger values spread the search over more moves.
    temperature: f32,
}

// Accepted numbers are never NaN.
impl Eq for TextSettings {}

/// A player that searches with a network. `Display` gives the text that parses to the same player.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    settings: TextSettings,
    trained: Arc<GameNetwork>,
}

// Parameters read from a file are never NaN.
impl Eq for Settings {}

const SETTINGS: &[Setting<TextSettings>] = &[
    Setting("c", Number("C", "a number", LEAST, MOST), |s| &mut s.exploration),
    Setting("temp", Number("T", "a number", LEAST, MOST), |s| &mut s.temperature),
];

impl TextSettings {
    fn from_limit(limit: Limit) -> TextSettings {
        TextSettings { limit, source: Source::Shipped, exploration: USUAL, temperature: USUAL_TEMPERATURE }
    }
}

/// Reads the text after `mcts`, split at `:net=` into the limit and `FILE`, each with settings. Opens no file.
///
/// # Errors
/// Names the invalid part and what is accepted.
pub(super) fn unread(before: &str, behind: &str) -> Result<Unread<Settings>, Error> {
    let mut settings = TextSettings::from_limit(Limit::read(before)?);
    let head = text::read(before, SETTINGS, &mut settings)?;
    let name = text::read(behind, SETTINGS, &mut settings)?;
    let of_rollouts = |setting: &&str| ["eps=", "rollout=", "reuse="].iter().any(|key| setting.starts_with(key));
    let last = name.rsplit_once(':').map(|(_, last)| last);
    if let Some(setting) = Limit::beyond(head).or(last.filter(of_rollouts)) {
        bail!("with net= mcts takes only {} (got {setting}): it has no playouts", text::forms(SETTINGS));
    }
    if name.is_empty() {
        bail!("net must be best or a network file, as in mcts:800:net=network.safetensors");
    }
    settings.source = Source::named(name);
    Ok(Unread::in_file(settings.source.file().map(str::to_owned), "a network", move || {
        let trained = settings.source.load()?;
        Ok(Settings { settings, trained })
    }))
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mcts:{}:net={}", self.settings.limit, self.settings.source)?;
        text::write(f, SETTINGS, &self.settings, TextSettings::from_limit(self.settings.limit))
    }
}

impl PlayerKind for Settings {
    fn build<G: SearchHints>(&self, _: &Pool) -> Built<G> {
        fn build<G: SearchHints, Of: BoardGame + Planes>(_: &Of, settings: &Settings) -> Built<G> {
            of_one::<G, Of, _>("its network", || TreePlayer::<Of, Settings>::new(settings.clone(), Pool::alone()))
        }
        with_position!(self.trained.variant.start(), start => build(&start, self))
    }

    fn about(&self) -> String {
        match self.settings.limit {
            Limit::Iterations(count) => format!("network, {count} iterations"),
            Limit::Time(time) => format!("network search, {}", text::seconds(time)),
            Limit::Clock(clock) => format!("network search, {} a game", text::seconds(clock.total)),
        }
    }

    fn network(&self) -> Option<&Arc<GameNetwork>> {
        Some(&self.trained)
    }

    fn is_deterministic(&self) -> bool {
        true
    }

    fn effort(&self) -> Effort {
        self.settings.limit.effort()
    }

    fn is_timed(&self) -> bool {
        self.settings.limit.is_timed()
    }

    fn impurity(&self) -> Option<[&'static str; 2]> {
        self.is_timed().then_some(["against the clock", "name a number of iterations"])
    }
}

impl Settings {
    /// Returns the network's guide for such a position; `None` under rules that the network does not know.
    fn guide<G: Planes>(&self, pos: &G) -> Option<Guide> {
        let (GameNetwork { network, shaping, .. }, settings) = (&*self.trained, &self.settings);
        let encoding = self.trained.reads(pos)?;
        Some(Guide {
            network: Arc::clone(network),
            encoding,
            shaping: *shaping,
            exploration: settings.exploration,
            temperature: settings.temperature,
        })
    }
}

impl<G: Planes> Searcher<G> for Settings {
    type Method = Puct;

    fn limit(&self) -> Limit {
        self.settings.limit
    }

    fn search(&self, turn: &Turn<G>, _: Rng) -> Option<PuctSearch<G>> {
        // `None` under rules that the network does not know; [`check_plays`](crate::check_plays) reports these first.
        self.guide(&turn.pos).map(|guide| PuctSearch::new(turn.game_state(), guide))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::game::kalah::Kalah;
    use crate::game::{Game as _, Notation as _};
    use crate::{Spec, build, check_plays, choose};
    use std::time::{Duration, Instant};

    #[test]
    fn errors_say_what_would_be_accepted() {
        let error = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
        assert!(error("mcts:0:net=best").starts_with("mcts needs iterations from 1 to 10000000, ms=T or clock=T"));
        assert_eq!(error("mcts:5:net=best:c=0"), "c must be a number from 0.01 to 100 (got 0)");
        assert_eq!(error("mcts:5:c=x:net=best"), "c must be a number from 0.01 to 100 (got x)");
        assert_eq!(error("mcts:5:net=best:temp=-1"), "temp must be a number from 0.01 to 100 (got -1)");
        assert!(error("mcts:5:net=").contains("net must be best or a network file"));
        assert!(error("mcts:5:net=:c=2").contains("net must be best or a network file"));
        for text in ["mcts:5:eps=0.2:net=best", "mcts:5:net=best:eps=0.2", "mcts:5:net=best:reuse=yes"] {
            assert!(error(text).contains("with net= mcts takes only c=C and temp=T (got "), "{text}");
        }
        assert!(error("mcts:5:net=no/such").contains("cannot read no/such: "));
        assert!(error("mcts:5:c=2").contains("net=FILE"), "{}", error("mcts:5:c=2"));
        let spec: Spec = "mcts:5:net=best".parse().unwrap();
        assert!(
            check_plays(&spec, &"othello".parse().unwrap())
                .unwrap_err()
                .to_string()
                .contains("its network plays kalah only")
        );
        assert!(
            check_plays(&spec, &"kalah:5x4".parse().unwrap())
                .unwrap_err()
                .to_string()
                .contains("its network was trained for")
        );
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
        let pos = Kalah::start("6x4:standard".parse().unwrap());
        let trained = Source::Shipped.load().unwrap();
        assert!(trained.shaping > 0.0);
        for (text, exploration, temperature) in [
            ("mcts:300:net=best", 1.5, 4.0),
            ("mcts:300:net=best:c=0.4", 0.4, 4.0),
            ("mcts:300:net=best:temp=1", 1.5, 1.0),
        ] {
            let mut player = build::<Kalah>(&text.parse().unwrap()).unwrap();
            choose(player.as_mut(), &Turn::new(pos, 0, 1));
            let network = Arc::clone(&trained.network);
            let encoding = trained.reads(&pos).unwrap();
            let guide = Guide { network, encoding, shaping: trained.shaping, exploration, temperature };
            let mut search = PuctSearch::new(&pos, guide);
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
        let pos = Kalah::start("6x4:standard".parse().unwrap());
        let started = Instant::now();
        assert!(choose(player.as_mut(), &Turn::new(pos, 0, 1)).is_some());
        assert!(started.elapsed() >= Duration::from_millis(30));
        let over = Kalah::from_text("6x4".parse().unwrap(), "<6,20,28,0,0,0,0,0,0,0,0,0,0,0,0> S").unwrap();
        assert_eq!(choose(player.as_mut(), &Turn::new(over, 9, 1)), None);
    }
}
