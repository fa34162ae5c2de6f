//! Openings of a tournament: the random moves, or the ballots, that begin the games of a round.
//!
//! All games of a round have the same opening, so that players and seats are compared on equal terms. Players
//! without random choices repeat a game whenever its opening repeats. So openings are dealt without repetition while
//! possible, and rounds with repeated openings are marked. Few openings are listed and shuffled; many are drawn at
//! random, and drawn again if they were dealt before.

use mancalab_base::{Error, bail};
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::game::Purpose;
use super::settings::Settings;
use crate::game::checkers::ballots::{self, ballots};
use crate::game::{Game, Move, Side, Variant, with_position};
use crate::rng;
use crate::settings::string_enum;
use rand::Rng as _;

/// How games begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opening {
    /// With a number of random moves.
    Moves(u32),
    /// With the three-move ballots of checkers, every one once before any is repeated.
    Ballots,
}

/// Most random moves at the start of a game.
const MOST: u32 = 100;

/// The text of ballots.
const BALLOTS: &str = "ballots";

impl Opening {
    /// Returns the number of moves before the players' own.
    pub fn moves(self) -> u32 {
        match self {
            Opening::Moves(moves) => moves,
            Opening::Ballots => ballots::MOVES,
        }
    }

    /// Checks that the game has such openings.
    ///
    /// # Errors
    /// It has no ballots.
    pub(super) fn check(self, variant: &Variant) -> Result<(), Error> {
        if self == Opening::Ballots && !matches!(variant, Variant::Checkers(_)) {
            bail!(
                "opening: only checkers has ballots (the game is {variant}); a number of moves is accepted, 0 to {MOST}"
            );
        }
        Ok(())
    }
}

impl From<u32> for Opening {
    fn from(moves: u32) -> Opening {
        Opening::Moves(moves)
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Opening::Moves(moves) => write!(f, "{moves}"),
            Opening::Ballots => f.write_str(BALLOTS),
        }
    }
}

impl FromStr for Opening {
    type Err = Error;

    fn from_str(text: &str) -> Result<Opening, Error> {
        if text == BALLOTS {
            return Ok(Opening::Ballots);
        }
        let moves = text.parse().ok().filter(|moves| *moves <= MOST).map(Opening::Moves);
        moves.ok_or_else(|| format!("must be a whole number, 0 to {MOST}, or {BALLOTS} (got '{text}')").into())
    }
}

/// How random openings are dealt to the rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Deal {
    /// Every position once before any is repeated.
    Distinct,
    /// Each round independently.
    #[default]
    Random,
}

string_enum!(Deal { "distinct" => Distinct, "random" => Random });

/// Maximum number of listed positions. With more, openings are drawn; repetitions are then rare.
const MAX_LISTED: usize = 20_000;

/// Maximum number of draws per round.
const MAX_DRAWS: u64 = 100;

/// The openings of a tournament.
#[derive(Debug)]
pub(super) enum Openings {
    /// One opening per position, in the order of rounds.
    KindOf(Vec<Box<[Move]>>),
    Drawn(Mutex<DrawnRounds>),
}

/// The draws of the rounds so far.
#[derive(Debug, Default)]
pub(super) struct DrawnRounds {
    /// For each round the number of the draw it uses, from 0, and whether its position is new.
    rounds: Vec<(u64, bool)>,
    /// Hashes of their positions.
    seen: HashSet<u64>,
}

impl Openings {
    fn new(settings: &Settings) -> Openings {
        let &Settings { variant, opening, seed, deal, .. } = settings;
        let listed = match (opening, deal) {
            (Opening::Ballots, _) => Some(shuffled(ballots().iter().copied().map(Box::from).collect(), seed)),
            (Opening::Moves(moves), Deal::Distinct) => {
                with_position!(variant.start(), start => listed(start, moves, seed))
            }
            (Opening::Moves(_), Deal::Random) => None,
        };
        listed.map_or_else(|| Openings::Drawn(Mutex::default()), Openings::KindOf)
    }

    /// Returns the moves of a round's opening.
    pub fn moves(&self, settings: &Settings, round: u32) -> Vec<Move> {
        match self {
            Openings::KindOf(openings) => openings[round as usize % openings.len()].to_vec(),
            Openings::Drawn(_) if settings.deal == Deal::Random => draw_of(settings, round, 0).0,
            Openings::Drawn(drawn) => {
                draw_of(settings, round, extended(drawn, settings, round).rounds[round as usize].0).0
            }
        }
    }

    /// Returns whether no earlier round began with the same position.
    pub fn is_new(&self, settings: &Settings, round: u32) -> bool {
        match self {
            Openings::KindOf(openings) => (round as usize) < openings.len(),
            Openings::Drawn(drawn) => extended(drawn, settings, round).rounds[round as usize].1,
        }
    }
}

/// Draws the openings of all rounds up to this one.
fn extended<'a>(drawn: &'a Mutex<DrawnRounds>, settings: &Settings, round: u32) -> MutexGuard<'a, DrawnRounds> {
    let mut guard = drawn.lock().unwrap_or_else(PoisonError::into_inner);
    let DrawnRounds { rounds, seen } = &mut *guard;
    while rounds.len() <= round as usize {
        let number = rounds.len() as u32;
        let draws = if settings.deal == Deal::Distinct { MAX_DRAWS } else { 1 };
        let new = (0..draws).find(|&draw| seen.insert(draw_of(settings, number, draw).1));
        rounds.push((new.unwrap_or(0), new.is_some()));
    }
    guard
}

/// Returns a draw for a round: the moves, and the identifier of the position.
fn draw_of(settings: &Settings, round: u32, draw: u64) -> (Vec<Move>, u64) {
    with_position!(settings.variant.start(), start => drawn_from(start, settings, round, draw))
}

fn drawn_from<G: Game>(start: G, settings: &Settings, round: u32, draw: u64) -> (Vec<Move>, u64) {
    let keys = [settings.seed, round.into(), Purpose::Opening as u64, draw];
    // The first draw has the key of older tournaments, which drew only once.
    let mut random = rng::keyed(if draw == 0 { &keys[..3] } else { &keys });
    let mut pos = start;
    let mut moves = Vec::new();
    for _ in 0..settings.opening.moves() {
        if !pos.is_over() {
            let mv = pos.pick(random.next_u32());
            moves.push(mv);
            pos = pos.play(mv);
        }
    }
    (moves, identifier(&pos))
}

fn identifier<G: Game>(pos: &G) -> u64 {
    rng::derived(&[G::hash(&pos.key()), pos.margin(Side::South) as u64, pos.side().index() as u64])
}

/// Returns an opening for each position that is reachable in `plies` moves, shuffled; `None` if there are too many
/// or none.
fn listed<G: Game>(start: G, plies: u32, seed: u64) -> Option<Vec<Box<[Move]>>> {
    let mut openings = vec![(start, Vec::new())];
    for _ in 0..plies {
        let mut next = Vec::new();
        let mut known = HashSet::new();
        for (pos, moves) in &openings {
            for mv in pos.moves() {
                let after = pos.play(mv);
                if !after.is_over() && known.insert(identifier(&after)) {
                    next.push((after, [&moves[..], &[mv]].concat()));
                }
            }
            if next.len() > MAX_LISTED {
                return None;
            }
        }
        openings = next;
    }
    let openings: Vec<Box<[Move]>> = openings.into_iter().map(|(_, moves)| moves.into()).collect();
    (!openings.is_empty()).then(|| shuffled(openings, seed))
}

fn shuffled(mut openings: Vec<Box<[Move]>>, seed: u64) -> Vec<Box<[Move]>> {
    let mut random = rng::keyed(&[seed, Purpose::Opening as u64]);
    for last in (1..openings.len()).rev() {
        let at = (u64::from(random.next_u32()) * (last as u64 + 1)) >> 32;
        openings.swap(last, at as usize);
    }
    openings
}

/// The settings that determine the openings.
type Key = (Variant, Opening, u64, Deal);

/// Cache of the openings: computed on first use, and again after a change of settings. Not a setting: all caches are
/// equal.
#[derive(Debug, Default)]
pub struct Cache(Mutex<Option<(Key, Arc<Openings>)>>);

impl Cache {
    pub(super) fn get(&self, settings: &Settings) -> Arc<Openings> {
        let key = (settings.variant, settings.opening, settings.seed, settings.deal);
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*cached {
            Some((known, openings)) if *known == key => Arc::clone(openings),
            _ => {
                let openings = Arc::new(Openings::new(settings));
                *cached = Some((key, Arc::clone(&openings)));
                openings
            }
        }
    }
}

impl Clone for Cache {
    fn clone(&self) -> Cache {
        Cache(Mutex::new(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()))
    }
}

impl PartialEq for Cache {
    fn eq(&self, _: &Cache) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::KeyedSettings as _;

    fn settings(game: &str, opening: u32, deal: Deal) -> Settings {
        let players = vec!["max".parse().unwrap(); 2];
        Settings { opening: opening.into(), deal, ..Settings::round_robin(game.parse().unwrap(), players, 1, 7) }
    }

    /// Returns the text of the position that a round begins with.
    fn begun(settings: &Settings, round: u32) -> String {
        let moves = settings.openings().moves(settings, round);
        moves.iter().fold(settings.variant.start(), |pos, &mv| pos.play(mv)).to_text()
    }

    #[test]
    fn positions_are_dealt_once_before_any_is_repeated() {
        for (game, opening, positions) in
            [("kalah", 0, 1), ("othello", 2, 12), ("othello", 4, 236), ("kalah:3x2", 2, 8)]
        {
            let settings = settings(game, opening, Deal::Distinct);
            let openings = settings.openings();
            let begun: Vec<String> = (0..2 * positions).map(|round| begun(&settings, round)).collect();
            let distinct: HashSet<&String> = begun.iter().collect();
            assert_eq!(distinct.len(), positions as usize, "{game} {opening}");
            assert_eq!(begun[..positions as usize], begun[positions as usize..]);
            assert!((0..2 * positions).all(|round| openings.is_new(&settings, round) == (round < positions)));
        }
    }

    #[test]
    fn many_openings_are_drawn_without_repetition() {
        let settings = settings("othello", 8, Deal::Distinct);
        let openings = settings.openings();
        assert!(matches!(*openings, Openings::Drawn(_)));
        let begun: HashSet<String> = (0..3000).map(|round| begun(&settings, round)).collect();
        assert_eq!(begun.len(), 3000);
        assert!((0..3000).all(|round| openings.is_new(&settings, round)));
    }

    #[test]
    fn repetitions_of_random_openings_are_known() {
        let settings = settings("kalah", 2, Deal::Random);
        let openings = settings.openings();
        let mut seen = HashSet::new();
        for round in 0..200 {
            assert_eq!(openings.is_new(&settings, round), seen.insert(begun(&settings, round)));
        }
        assert!(seen.len() < 40);
        // The order of calls makes no difference, nor does a game that ends within the opening.
        let other = Settings { seed: settings.seed, ..settings.clone() };
        assert!(!other.openings().is_new(&other, 199) && other.openings().is_new(&other, 0));
        let short = Settings { opening: Opening::Moves(100), deal: Deal::Distinct, ..settings };
        assert!(short.openings().is_new(&short, 0) && begun(&short, 0) != begun(&short, 1));
    }

    #[test]
    fn changed_settings_have_their_own_openings() {
        let mut settings = settings("kalah", 2, Deal::Distinct);
        let before = begun(&settings, 0);
        settings.opening = Opening::Moves(0);
        assert_ne!(begun(&settings, 0), before);
    }

    #[test]
    fn ballots_begin_the_games_of_checkers_alone() {
        let players = ["random", "max"].map(|text| text.parse().unwrap()).to_vec();
        let mut settings = Settings::round_robin("checkers".parse().unwrap(), players, 10, 1);
        settings.set("opening", "ballots").unwrap();
        // Other settings do not undo it, in whatever order they are set.
        settings.set("deal", "random").unwrap();
        settings.check().unwrap();
        let openings = settings.openings();
        let dealt: HashSet<Vec<Move>> = (0..144).map(|round| openings.moves(&settings, round)).collect();
        assert_eq!(dealt.len(), 144);
        assert!(dealt.iter().all(|moves| moves.len() == 3 && ballots().iter().any(|ballot| ballot[..] == moves[..])));
        assert!(openings.is_new(&settings, 143) && !openings.is_new(&settings, 144));
        assert_eq!(openings.moves(&settings, 144), openings.moves(&settings, 0));
        settings.variant = Variant::usual()[0];
        assert!(settings.check().unwrap_err().to_string().contains("only checkers has ballots"));
        assert!(settings.set("opening", "tea").unwrap_err().to_string().contains("0 to 100, or ballots (got 'tea')"));
    }
}
