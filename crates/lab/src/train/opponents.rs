//! Opponents of a network in training, and their text format.

use mancalab_base::Error;
use std::fmt;
use std::str::FromStr;

use crate::game::Variant;
use crate::player::offers::check_no_level;
use crate::player::{self, Spec, spec};
use crate::settings::texts;

/// An opponent and its relative frequency. Text: `self`, `2*minimax:4`, `past`.
#[derive(Clone, PartialEq, Debug)]
pub struct Opponent {
    /// Above 0, at most 1000.
    pub share: f64,
    pub who: Who,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Who {
    /// The worker's own copy in both seats, learning from both.
    Itself,
    /// The network of an earlier generation.
    Past,
    Player(Box<Spec>),
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_weighted(f, self.share, &self.who.to_string())
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
        let (share, name) = weighted(text, "share")?;
        let who = match name {
            "self" => Who::Itself,
            "past" => Who::Past,
            _ => Who::Player(even_tempered(name, &["self", "past"])?.into()),
        };
        Ok(Opponent { share, who })
    }
}

/// Writes a name with its weight, unless that is 1. The weight precedes the first star, so a file name that contains a star requires an
/// explicit weight.
pub(crate) fn write_weighted(f: &mut fmt::Formatter<'_>, weight: f64, name: &str) -> fmt::Result {
    if weight != 1.0 || name.contains('*') {
        write!(f, "{weight}*")?;
    }
    f.write_str(name)
}

/// Divides a text such as `2*max` into its weight, which is called `what`, and the name. Functions of a player may contain a star as well.
///
/// # Errors
/// The weight is not above 0 and at most 1000.
pub(crate) fn weighted<'a>(text: &'a str, what: &str) -> Result<(f64, &'a str), Error> {
    let (weight, name) = match text.split_once('*').filter(|(weight, _)| !weight.contains(':')) {
        Some((weight, name)) => (weight.trim().parse().ok(), name.trim()),
        None => (Some(1.0), text.trim()),
    };
    let weight = weight.filter(|weight: &f64| *weight > 0.0 && *weight <= 1000.0);
    let weight = weight.ok_or_else(|| format!("'{text}': the {what} must be above 0 and at most 1000, as in 2*max"))?;
    Ok((weight, name))
}

/// Returns the error of a player that plays otherwise each time.
pub(crate) fn impure(text: &str, spec: &Spec) -> Error {
    let [how, instead] = spec.impurity().unwrap_or_default();
    format!("'{text}' plays {how}, so the run would not be reproducible; {instead}").into()
}

/// Parses a player whose moves depend on position, ply and seed alone; `besides` are further accepted words, for the error
/// message.
fn even_tempered(text: &str, besides: &[&'static str]) -> Result<Spec, Error> {
    check_no_level(text)?;
    known(text, besides)?;
    let spec: Spec = text.parse()?;
    if spec.is_human() {
        let why = match besides.is_empty() {
            true => "a human cannot be in the panel; use any other player",
            false => "a human cannot be an opponent; use any other player, self or past",
        };
        return Err(why.into());
    }
    if spec.impurity().is_some() { Err(impure(text, &spec)) } else { Ok(spec) }
}

/// Checks the name of a player. The error lists the accepted players: no human and none that plays by the clock.
fn known(text: &str, besides: &[&'static str]) -> Result<(), Error> {
    let name = text.split([':', '@']).next().unwrap_or_default().to_lowercase();
    if spec::names().any(|known| known == name) {
        return Ok(());
    }
    let forms = spec::forms()
        .into_iter()
        .map(|(form, _)| form)
        .filter(|form| *form != "human" && !form.contains("ms=") && !form.starts_with("engine"));
    let accepted: Vec<&str> = besides.iter().copied().chain(forms).collect();
    let candidates = besides.iter().copied().chain(spec::names());
    Err(Error::unknown(format!("no player is named '{name}'"), accepted).near(&name, candidates))
}

/// Parses the items of a TOML list, or of a list separated by commas. A player's text may contain commas itself.
fn items<T>(text: &str, expected: &str, read: impl Fn(&str) -> Result<T, Error>) -> Result<Vec<T>, Error> {
    let parts = if text.starts_with(['[', '"', '\'']) { texts(text, expected)? } else { Spec::parts(text) };
    let item = |(index, text): (usize, &String)| read(text).map_err(|error| error.in_item(index));
    parts.iter().enumerate().map(item).collect()
}

/// Parses training opponents, at least one.
///
/// # Errors
/// Returns an error with what is accepted if a text is not an opponent.
pub(super) fn opponents(text: &str) -> Result<Vec<Opponent>, Error> {
    let expected = "opponents such as 50*minimax:4, 30*self, 20*past";
    let read = items(text, expected, str::parse::<Opponent>)?;
    if read.is_empty() { Err(Error::expected_several(expected)) } else { Ok(read) }
}

/// Parses the players of the panel, possibly none.
///
/// # Errors
/// Returns an error with what is accepted if a text is not a player.
pub(crate) fn players(text: &str) -> Result<Vec<Spec>, Error> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    items(text, "players such as max, minimax:6", |text| even_tempered(text, &[]))
}

/// Checks that all players play this game.
///
/// # Errors
/// Returns an error if a player does not.
pub(super) fn check<'a>(players: impl IntoIterator<Item = &'a Spec>, variant: &Variant) -> Result<(), Error> {
    players.into_iter().try_for_each(|spec| player::check_plays(spec, variant))
}

/// Returns the index of the share drawn by a number from 0 to 1, in proportion to the shares.
pub(crate) fn drawn(shares: impl ExactSizeIterator<Item = f64> + Clone, number: f64) -> usize {
    let mut left = number * shares.clone().sum::<f64>();
    let last = shares.len() - 1;
    let chosen = { shares }.position(|share| {
        left -= share;
        left < 0.0
    });
    chosen.unwrap_or(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_and_say_what_is_wrong() {
        let text = "50*minimax:4, self,0.5*past,heuristic:2@1,0,0,0,0,0,0,0,0,0";
        let read = opponents(text).unwrap();
        let texts: Vec<String> = read.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["50*minimax:4", "self", "0.5*past", "heuristic:2@1,0,0,0,0,0,0,0,0,0"]);
        assert_eq!(opponents(&crate::settings::list_of(&texts)).unwrap(), read);
        let error = |text: &str| opponents(text).unwrap_err().to_string();
        assert!(error("0*max").contains("the share must be above 0"));
        assert!(error("human").contains("a human cannot be an opponent"));
        assert!(error("minimax:4:ms=5").contains("plays against the clock"));
        assert!(error("mcts:100:reuse=yes").contains("by its history"));
        assert!(error("[]").contains("opponents such as"));
        assert!(error("slef").contains("no player is named 'slef' (did you mean 'self'?); known: self, past, random,"));
        assert!(!error("slef").contains("human") && !error("slef").contains("ms="));
        let error = |text: &str| players(text).unwrap_err().to_string();
        assert!(error("human").contains("a human cannot be in the panel"));
        assert!(error("hard").contains("'hard' is a level") && error("hard").contains("such as minimax:8:"));
        assert!(error("self").contains("no player is named 'self'; known: random,"));
        assert_eq!(opponents("max,slef").unwrap_err().item(), Some(1));
    }

    #[test]
    fn opponents_are_drawn_by_their_shares() {
        let shares = [1.0, 3.0].into_iter();
        let counts = (0..1000).filter(|n| drawn(shares.clone(), f64::from(*n) / 1000.0) == 0).count();
        assert_eq!((counts, drawn(shares, 1.0)), (250, 1));
    }
}
