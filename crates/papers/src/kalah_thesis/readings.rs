//! The readings of the thesis where it is silent or contradicts itself; `--set` changes them.

use mancalab_base::Error;

use super::{DEPTH, OPENING};
use crate::Options;
use crate::game::Variant;
use crate::game::kalah::{End, Rules};
use crate::player::Spec;
use crate::player::heuristic::{Heuristic, HeuristicReading, Nearness, Weights};
use crate::player::spec::Max;
use crate::search::Ties;
use crate::search::alpha_beta::JudgedMove;

/// The heuristics that are the own store and the opponent's, counted from 0.
const OWN_STORE: usize = 3;
const OTHER_STORE: usize = 5;

/// The plies that the heuristic player searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ahead {
    /// With all heuristics, and with a single one.
    plies: u32,
    /// With H6 alone, which needs the opponent's reply.
    h6: u32,
}

impl Ahead {
    const fn plies(plies: u32) -> Ahead {
        Ahead { plies, h6: plies }
    }

    /// The look-aheads in the text of section 5.4.
    const TEXT: Ahead = Ahead { plies: 1, h6: 2 };

    pub fn of_all(self) -> u32 {
        self.plies
    }

    /// Returns the plies of a player with this heuristic alone, counted from 0.
    pub fn depth(self, term: usize) -> u32 {
        if term == OTHER_STORE { self.h6 } else { self.plies }
    }
}

/// The readings that decide what the players of the thesis play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Readings {
    /// Those of the ten heuristics.
    pub heuristic: HeuristicReading,
    pub max: Max,
    /// The choice among equally good moves of minimax and the heuristic player.
    pub ties: Ties,
    /// Whether minimax counts its own store alone.
    pub own_store: bool,
    pub ahead: Ahead,
    pub end: End,
    /// Random moves at the start of a game.
    pub opening: u32,
}

/// The readings of the ten heuristics in every table of the thesis, which explain its three tables best together (see
/// [`joint`](super::joint)). The program's own player reads H9 and H10 as differences, as its weights were bred.
pub(super) const HEURISTICS: HeuristicReading =
    HeuristicReading { judged: JudgedMove::Root, nearness: Nearness::Indicator };

impl Default for Readings {
    fn default() -> Readings {
        Readings {
            heuristic: HEURISTICS,
            max: Max { ties: Ties::Last, chain: false },
            ties: Ties::Random,
            own_store: false,
            ahead: Ahead::plies(DEPTH),
            end: End::default(),
            opening: OPENING,
        }
    }
}

impl Readings {
    /// Returns the readings in the options.
    ///
    /// # Errors
    /// A reading does not accept its value: what it accepts.
    pub fn asked(options: &Options) -> Result<Readings, Error> {
        let mut readings = Readings::default();
        for (key, value) in &options.set {
            let wrong = |error: Error| Error::from(format!("{key}: {error}"));
            match key.as_str() {
                "judged" => readings.heuristic.judged = value.parse().map_err(wrong)?,
                "near" => readings.heuristic.nearness = value.parse().map_err(wrong)?,
                "ties" => readings.ties = value.parse().map_err(wrong)?,
                "max" if value == "chain" => readings.max.chain = true,
                "max" => {
                    let ties = value.parse().ok().filter(|ties| *ties != Ties::Window);
                    let ties =
                        ties.ok_or_else(|| format!("max: expected last, first, random or chain (got {value})"))?;
                    readings.max = Max { ties, chain: false };
                }
                "minimax" => {
                    readings.own_store = match value.as_str() {
                        "difference" => false,
                        "own" => true,
                        _ => return Err(format!("minimax: expected difference or own (got {value})").into()),
                    }
                }
                "ahead" if value == "text" => readings.ahead = Ahead::TEXT,
                "ahead" => readings.ahead = Ahead::plies(number(key, value, 1, 8)?),
                "end" => readings.end = value.parse().map_err(wrong)?,
                "opening" => readings.opening = number(key, value, 0, 100)?,
                _ => {}
            }
        }
        Ok(readings)
    }

    /// Builds a player of the thesis from its name in the tables.
    ///
    /// # Errors
    /// The text is not a player's, or its file cannot be read.
    pub fn player(&self, text: &str) -> Result<Spec, Error> {
        let mut spec: Spec = text.parse()?;
        match &mut spec {
            Spec::Max(max) => *max = self.max,
            Spec::Minimax(minimax) if self.own_store => {
                let store = Heuristic::new(minimax.depth, Weights::only(OWN_STORE));
                spec = Spec::Heuristic(Heuristic { ties: self.ties, ..store });
            }
            Spec::Minimax(minimax) => minimax.ties = self.ties,
            Spec::Heuristic(heuristic) => {
                (heuristic.ties, heuristic.reading) = (self.ties, self.heuristic);
                if heuristic.depth == DEPTH {
                    heuristic.depth = self.ahead.of_all();
                }
            }
            Spec::Hybrid(hybrid) => (hybrid.plain.ties, hybrid.plain.reading) = (self.ties, self.heuristic),
            _ => {}
        }
        Ok(spec)
    }

    /// Builds players from their names in the tables.
    ///
    /// # Errors
    /// See [`player`](Readings::player).
    pub fn players<T: AsRef<str>>(&self, texts: impl IntoIterator<Item = T>) -> Result<Vec<Spec>, Error> {
        texts.into_iter().map(|text| self.player(text.as_ref())).collect()
    }

    /// Returns the rules of the games.
    pub fn rules(&self) -> Rules {
        Rules::default().ending(self.end)
    }

    pub fn variant(&self) -> Variant {
        Variant::Kalah(self.rules())
    }

    /// Returns the readings in force wherever heuristic players meet.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let HeuristicReading { judged, nearness } = self.heuristic;
        let opening = self.opening;
        let mut lines = vec![
            ("rules", format!("{}; every sowing is one ply of the search", self.rules())),
            ("chance", format!("the first {opening} moves of a game are random")),
            ("equal moves", format!("ties={} for minimax and the heuristic player", self.ties)),
            ("H5, H7", format!("judged={judged}: the move at the root, or the last own one on the path")),
            (
                "H9, H10",
                format!(
                    "near={nearness}: seeds by which a store exceeds 1.5 times the other, whether it does, as printed, or both harmful"
                ),
            ),
            ("no store", "H9 and H10 are 0 while their reference store holds fewer than five seeds".to_owned()),
        ];
        if self.own_store {
            lines.push(("minimax", "minimax=own: its own store, not the difference of both".to_owned()));
        }
        match self.ahead {
            Ahead::TEXT => lines.push(("heuristic", "ahead=text: one ply, two with H6 alone".to_owned())),
            Ahead { plies, .. } if plies != DEPTH => {
                lines.push(("heuristic", format!("ahead={plies}: plies of the heuristic player")));
            }
            _ => {}
        }
        lines
    }

    /// Returns the reading of the Max agent, where it plays.
    pub fn max_line(&self) -> (&'static str, String) {
        let text = match self.max {
            Max { chain: true, .. } => "max=chain: the greatest gain of a turn with all its extra turns",
            Max { ties: Ties::Last, .. } => {
                "max=last: the greatest gain of one sowing; the last of equally good moves, as Algorithm 2 compares with \
                 'at least'"
            }
            Max { ties: Ties::First, .. } => {
                "max=first: the greatest gain of one sowing; the first of equally good moves"
            }
            Max { .. } => "max=random: the greatest gain of one sowing; equally good moves are drawn",
        };
        ("max", text.to_owned())
    }
}

/// Reads a whole number.
pub(super) fn number(key: &str, value: &str, least: u32, most: u32) -> Result<u32, Error> {
    let number = value.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("{key} must be a number from {least} to {most} (got {value})").into())
}
