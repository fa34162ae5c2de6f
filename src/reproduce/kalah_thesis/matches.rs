//! The heuristic player against others: what the thesis' text and Table 1 say of it, and the weights found here.

use super::{OPENING, READING, line};
use crate::arena::{Match, Tally};
use crate::game::Variant;
use crate::player::Spec;
use crate::player::heuristic::{Heuristic, Source, Weights};
use crate::search::Ties;
use crate::search::evaluated::Judged;

/// Whom the weights found here meet, and what is printed of such a match: (their text, printed, in percent).
pub const OPPONENTS: [(&str, Option<f64>); 3] = [
    ("minimax:4:ties=random", None),
    ("minimax:8:ties=random", Some(54.5)),
    ("heuristic:4@table3-19:ties=random", None),
];

/// How the matches are played.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The weights that meet all the others.
    pub weights: Weights,
    pub source: Source,
    /// Games in a match, half of them begun by each.
    pub games: u32,
    pub seed: u64,
    pub judged: Judged,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { weights: Weights::usual(), source: Source::Usual, games: 1000, seed: 1, judged: Judged::Root }
    }
}

/// The matches that were played.
#[derive(Clone, PartialEq, Debug)]
pub struct Matches {
    pub settings: Settings,
    /// Opponent, what is printed in percent, and the match as the heuristic player sees it.
    pub played: Vec<(String, Option<f64>, Tally)>,
}

impl Matches {
    /// Plays the matches; `done` is told of every game.
    ///
    /// # Errors
    /// An opponent's text is no player's.
    pub fn play(
        settings: Settings,
        opponents: &[(&str, Option<f64>)],
        done: impl Fn() + Sync,
    ) -> Result<Matches, String> {
        let player = Heuristic {
            ties: Ties::Random,
            source: settings.source.clone(),
            ..Heuristic::new(super::DEPTH, settings.weights)
        };
        let player = Heuristic {
            reading: crate::player::heuristic::Reading { judged: settings.judged, ..player.reading },
            ..player
        };
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
            let tally = games.play(&done).ok_or("a person cannot play a match")?;
            played.push(((*text).to_owned(), *printed, tally));
        }
        Ok(Matches { settings, played })
    }

    pub fn to_text(&self) -> String {
        let Settings { weights, source, games, seed, .. } = &self.settings;
        let mut text = format!(
            "Kalah thesis, section 6: heuristic:{} with {} against others, {games} games each, seed {seed}\n{READING}\n\n",
            super::DEPTH,
            source.text(weights)
        );
        let widths = [36, 9, 8, 16, 15, 8, 8];
        let head = ["against", "published", "points", "95 % interval", "won-drawn-lost", "first", "second"];
        line(&mut text, &widths, &head.map(str::to_owned));
        for (opponent, printed, tally) in &self.played {
            let all = tally.all();
            let (low, high) = all.interval();
            let percent = |share: f64| format!("{:.1} %", 100.0 * share);
            let cells = [
                opponent.clone(),
                printed.map_or("-".to_owned(), |printed| format!("{printed:.1} %")),
                percent(all.share()),
                format!("{:.1} - {:.1} %", 100.0 * low, 100.0 * high),
                format!("{}-{}-{}", all.wins, all.draws, all.losses),
                percent(tally.first.share()),
                percent(tally.second.share()),
            ];
            line(&mut text, &widths, &cells);
        }
        text
    }

    /// The header of [`csv`](Matches::csv).
    pub const CSV: &'static str = "opponent,published_percent,points_percent,low_percent,high_percent,wins,draws,losses,first_percent,second_percent";

    /// A row for each match.
    pub fn csv(&self) -> Vec<String> {
        let row = |(opponent, printed, tally): &(String, Option<f64>, Tally)| {
            let all = tally.all();
            let (low, high) = all.interval();
            let shares = [all.share(), low, high].map(|share| format!("{:.3}", 100.0 * share)).join(",");
            let seats = [tally.first, tally.second].map(|score| format!("{:.3}", 100.0 * score.share())).join(",");
            let printed = printed.map_or(String::new(), |printed| printed.to_string());
            format!("{opponent},{printed},{shares},{},{},{},{seats}", all.wins, all.draws, all.losses)
        };
        self.played.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_told_with_their_intervals() {
        let settings = Settings { games: 20, ..Settings::default() };
        let matches = Matches::play(settings, &[("random", None), ("minimax:2", Some(68.5))], || ()).unwrap();
        assert_eq!((matches.played.len(), matches.csv().len()), (2, 2));
        assert!(matches.played[0].2.all().share() > 0.8);
        assert!(matches.to_text().contains("68.5 %"));
        assert!(Matches::play(Settings::default(), &[("nobody", None)], || ()).is_err());
    }
}
