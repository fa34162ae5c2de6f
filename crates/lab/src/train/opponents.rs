//! Whom a network is trained against, and the texts that name them.

use mancalab_base::Error;
use std::fmt;
use std::str::FromStr;

use crate::game::Variant;
use crate::player::{self, Spec, spec};
use crate::settings::texts;

/// Whom the network plays against, and how often beside the others. Text: `self`, `2*minimax:4`, `past`.
#[derive(Clone, PartialEq, Debug)]
pub struct Opponent {
    /// Above 0, at most 1000.
    pub share: f64,
    pub who: Who,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Who {
    /// The worker's own copy in both seats, which learns from both.
    Itself,
    /// The network as it was at some generation before.
    Past,
    Player(Box<Spec>),
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.who.to_string();
        // What stands before the first star is the share: a file whose name has one needs it written.
        if self.share != 1.0 || name.contains('*') {
            write!(f, "{}*", self.share)?;
        }
        f.write_str(&name)
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Who::Itself => f.write_str("self"),
            Who::Past => f.write_str("past"),
            Who::Player(spec) => spec.fmt(f),
        }
    }
}

impl FromStr for Opponent {
    type Err = Error;

    fn from_str(text: &str) -> Result<Opponent, Error> {
        let shared = text.split_once('*').filter(|(share, _)| !share.contains(':'));
        let (share, name) = match shared {
            Some((share, name)) => (share.trim().parse().ok(), name.trim()),
            None => (Some(1.0), text.trim()),
        };
        let share = share.filter(|share: &f64| *share > 0.0 && *share <= 1000.0);
        let share = share.ok_or_else(|| format!("'{text}': a share is a number above 0, up to 1000, as in 2*max"))?;
        let who = match name {
            "self" => Who::Itself,
            "past" => Who::Past,
            _ => Who::Player(even_tempered(name, &["self", "past"])?.into()),
        };
        Ok(Opponent { share, who })
    }
}

/// A player whose moves follow from position, ply and seed alone; `besides` are the words that are accepted in its place.
fn even_tempered(text: &str, besides: &[&'static str]) -> Result<Spec, Error> {
    known(text, besides)?;
    let spec: Spec = text.parse()?;
    if spec.is_human() {
        let why = match besides.is_empty() {
            true => "a human cannot be measured against; any other player can",
            false => "a human cannot be trained against; any other player can, and self and past",
        };
        return Err(why.into());
    }
    match spec.impurity() {
        Some([how, instead]) => {
            Err(format!("'{text}' plays {how}, which would decide what is learned; {instead}").into())
        }
        None => Ok(spec),
    }
}

/// Refuses the name of no player, with those that are accepted here: neither a human, nor one that plays by the clock.
fn known(text: &str, besides: &[&'static str]) -> Result<(), Error> {
    let name = text.split([':', '@']).next().unwrap_or_default().to_lowercase();
    if spec::names().any(|known| known == name) {
        return Ok(());
    }
    let forms =
        spec::forms().into_iter().map(|(form, _)| form).filter(|form| *form != "human" && !form.contains("ms="));
    let accepted: Vec<&str> = besides.iter().copied().chain(forms).collect();
    let candidates = besides.iter().copied().chain(spec::names());
    Err(Error::unknown(format!("no player is called '{name}'"), accepted).near(&name, candidates))
}

/// The items of a list of TOML, or of one with commas between them, of which some may stand in a player's text.
fn items<T>(text: &str, expected: &str, read: impl Fn(&str) -> Result<T, Error>) -> Result<Vec<T>, Error> {
    let parts = if text.starts_with(['[', '"', '\'']) { texts(text, expected)? } else { Spec::parts(text) };
    let item = |(index, text): (usize, &String)| read(text).map_err(|error| error.in_item(index));
    parts.iter().enumerate().map(item).collect()
}

/// Opponents to be trained against, at least one.
///
/// # Errors
/// A text is no opponent's: which, and what would be accepted.
pub(super) fn opponents(text: &str) -> Result<Vec<Opponent>, Error> {
    let expected = "opponents such as 50*minimax:4, 30*self, 20*past";
    let read = items(text, expected, str::parse::<Opponent>)?;
    if read.is_empty() { Err(Error::expected_several(expected)) } else { Ok(read) }
}

/// Players to be measured against, perhaps none.
///
/// # Errors
/// A text is no player's: which, and what would be accepted.
pub(super) fn players(text: &str) -> Result<Vec<Spec>, Error> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    items(text, "players such as max, minimax:6", |text| even_tempered(text, &[]))
}

/// # Errors
/// Some player does not play this game.
pub(super) fn check<'a>(players: impl IntoIterator<Item = &'a Spec>, variant: &Variant) -> Result<(), Error> {
    players.into_iter().try_for_each(|spec| player::check_plays(spec, variant))
}

/// Which opponent a number from 0 to 1 draws, each by its share.
pub(super) fn drawn(opponents: &[Opponent], number: f64) -> usize {
    let all: f64 = opponents.iter().map(|opponent| opponent.share).sum();
    let mut left = number * all;
    let chosen = opponents.iter().position(|opponent| {
        left -= opponent.share;
        left < 0.0
    });
    chosen.unwrap_or(opponents.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_and_say_what_is_wrong() {
        let text = "50*minimax:4, self,0.5*past,heuristic:2@1,0,0,0,0,0,0,0,0,0";
        let read = opponents(text).unwrap();
        let told: Vec<String> = read.iter().map(ToString::to_string).collect();
        assert_eq!(told, ["50*minimax:4", "self", "0.5*past", "heuristic:2@1,0,0,0,0,0,0,0,0,0"]);
        assert_eq!(opponents(&crate::settings::list_of(&told)).unwrap(), read);
        let error = |text: &str| opponents(text).unwrap_err().to_string();
        assert!(error("0*max").contains("a share is a number above 0"));
        assert!(error("human").contains("cannot be trained against"));
        assert!(error("minimax:4:ms=5").contains("plays against the clock"));
        assert!(error("mcts:100:reuse=yes").contains("by its past"));
        assert!(error("[]").contains("opponents such as"));
        assert!(
            error("slef").contains("no player is called 'slef' (did you mean 'self'?); known: self, past, random,")
        );
        assert!(!error("slef").contains("human") && !error("slef").contains("ms="));
        let error = |text: &str| players(text).unwrap_err().to_string();
        assert!(error("human").contains("a human cannot be measured against"));
        assert!(error("self").contains("no player is called 'self'; known: random,"));
        assert_eq!(opponents("max,slef").unwrap_err().item(), Some(1));
    }

    #[test]
    fn opponents_are_drawn_by_their_shares() {
        let read = opponents("1*self,3*max").unwrap();
        let counts = (0..1000).filter(|n| drawn(&read, f64::from(*n) / 1000.0) == 0).count();
        assert_eq!((counts, drawn(&read, 0.999_999_999)), (250, 1));
    }
}
