//! The heuristic player against others: the results in the thesis' text and Table 1, and those of our weights.

use super::counted::fits;
use super::depth::PUBLISHED_GAMES;
use super::readings::{HEURISTICS, Readings};
use super::{DEPTH, OPENING};
use crate::arena::{Match, Tally};
use crate::game::Variant;
use crate::player::Spec;
use crate::player::heuristic::{Heuristic, HeuristicReading, Source, Weights};
use crate::pool::Pool;
use crate::search::Ties;
use crate::{Hear, Options, ProgressEvent, Table};
use mancalab_base::Error;

/// The opponents of our weights, with the published result: (text, percent).
pub const OPPONENTS: [(&str, Option<f64>); 3] = [
    ("minimax:4:ties=random", None),
    ("minimax:8:ties=random", Some(54.5)),
    ("heuristic:4@table3-19:ties=random", None),
];

/// The settings of the matches.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The heuristic player's weights.
    pub weights: Weights,
    pub source: Source,
    /// Games of a match; each side moves first in half of them.
    pub games: u32,
    pub seed: u64,
    pub reading: HeuristicReading,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            weights: Weights::usual(),
            source: Source::known("default"),
            games: 1000,
            seed: 1,
            reading: HEURISTICS,
        }
    }
}

/// Plays the matches. The settings `weights=` and `opponents=` select others, the opponents separated by `+`.
///
/// # Errors
/// An option is invalid, or a file cannot be written.
pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let mut settings =
        Settings { seed: options.seed, reading: Readings::asked(options)?.heuristic, ..Settings::default() };
    settings.games = options.games.unwrap_or(settings.games);
    let mut opponents = OPPONENTS.to_vec();
    if let Some(weights) = options.value("weights") {
        (settings.source, settings.weights) = Weights::load(weights)?;
    }
    if let Some(texts) = options.value("opponents") {
        opponents = texts.split('+').map(|text| (text, None)).collect();
    }
    let count = opponents.len();
    hear(ProgressEvent::News(&format!("{count} matches of {} games …", settings.games)));
    let played = Matches::play(settings, &opponents, &options.pool, &mut |played| {
        let at = format!("match {}/{count}", (played as usize + 1).min(count));
        hear(ProgressEvent::Progress { share: played / count as f64, item: at });
    })?;
    Ok(played.to_table())
}

/// The results of the matches.
#[derive(Clone, PartialEq, Debug)]
pub struct Matches {
    pub settings: Settings,
    /// Opponent, published percentage, and the result of the heuristic player.
    pub played: Vec<(String, Option<f64>, Tally)>,
}

impl Matches {
    /// Plays the matches; `hear` receives the number played, with the fraction of the current one.
    ///
    /// # Errors
    /// An opponent's text does not name a player.
    pub fn play(
        settings: Settings,
        opponents: &[(&str, Option<f64>)],
        pool: &Pool,
        hear: &mut dyn FnMut(f64),
    ) -> Result<Matches, Error> {
        let Settings { weights, source, reading, .. } = settings.clone();
        let player = Heuristic { depth: DEPTH, weights, source, ties: Ties::Random, reading };
        let mut played = Vec::new();
        for (index, (text, printed)) in opponents.iter().enumerate() {
            let players = [Spec::Heuristic(player.clone()), text.parse()?];
            let seed = settings.seed.wrapping_mul(1000).wrapping_add(index as u64);
            let games = Match {
                variant: Variant::Kalah(Default::default()),
                players,
                games: settings.games,
                opening: OPENING,
                seed,
            };
            let tally = games.play(pool, &mut |share| hear(index as f64 + share));
            let tally = tally.ok_or("human cannot play a match")?;
            played.push(((*text).to_owned(), *printed, tally));
        }
        Ok(Matches { settings, played })
    }

    /// Returns published beside measured shares of games won; points are in the notes.
    pub fn to_table(&self) -> Table {
        let Settings { weights, source, games, seed, reading: read } = &self.settings;
        let mut lines = Vec::new();
        let mut notes = Vec::new();
        for (opponent, printed, tally) in &self.played {
            let published = printed.map(|share| (share, PUBLISHED_GAMES));
            let seats = [tally.first, tally.second];
            lines.extend(super::counted::seats(&format!("v {opponent}"), published, seats, &[("opponent", opponent)]));
            let (low, high) = tally.all().interval();
            let [points, low, high] = [tally.all().share(), low, high].map(|share| 100.0 * share);
            notes.push(format!("v {opponent}, draws counted half: {points:.1} % of points ({low:.1} to {high:.1})"));
        }
        notes.extend(fits(&lines));
        let mut reading = Readings { heuristic: *read, ..Readings::default() }.lines();
        reading.push(("player", format!("heuristic:{DEPTH}@{}", source.text(weights))));
        reading.push(("a match", format!("{games} games, each side moves first in half of them; seed {seed}")));
        let table = Table { lines, reading, notes, ..Table::default() };
        table.with_ranges("matches", "Kalah thesis, section 6: the heuristic player against others", "% of games won")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_reported_with_their_intervals() {
        let settings = Settings { games: 20, ..Settings::default() };
        let matches =
            Matches::play(settings, &[("random", None), ("minimax:2", Some(68.5))], &Pool::default(), &mut |_| ())
                .unwrap();
        assert_eq!(matches.played.len(), 2);
        assert!(matches.played[0].2.all().share() > 0.8);
        let table = matches.to_table();
        assert_eq!((table.lines[3].published, table.lines.len()), (Some(68.5), 6));
        assert!(table.notes[0].starts_with("v random, draws counted half: ") && table.lines[3].chance().is_some());
        assert!(Matches::play(Settings::default(), &[("nobody", None)], &Pool::alone(), &mut |_| ()).is_err());
    }
}
