//! Table 2: a round robin of single heuristics.

use super::chart::{self, Row, Span};
use super::readings::Readings;
use crate::arena::{Match, Tally};
use crate::player::Spec;
use crate::player::heuristic::terms::{COUNT, TERMS};
use crate::player::heuristic::{Heuristic, HeuristicReading, Nearness, Weights};
use crate::pool::Pool;
use crate::search::alpha_beta::JudgedMove;
use crate::{Hear, Line, Options, ProgressEvent, Table};
use mancalab_base::Error;

/// The share of its nine matches each heuristic won, in percent, as printed in the thesis.
pub const PUBLISHED: [f64; COUNT] = [56.0, 44.0, 0.0, 100.0, 33.0, 78.0, 89.0, 67.0, 22.0, 11.0];

/// The settings of Table 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Settings {
    /// Games of a match between two heuristics; each moves first in half of them. 10 in the thesis.
    pub games: u32,
    pub seed: u64,
    pub read: Readings,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { games: 10, seed: 1, read: Readings::default() }
    }
}

/// The results of all matches.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Table2 {
    pub settings: Settings,
    /// `tallies[a][b]` is the match of a against b, scored for a; the diagonal is empty.
    pub tallies: [[Tally; COUNT]; COUNT],
}

/// Plays Table 2, and counts the matches that agree with it under other readings.
///
/// # Errors
/// An option is invalid, or a file cannot be written.
pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let read = Readings::asked(options)?;
    let settings = Settings { games: options.games.unwrap_or(10), seed: options.seed, read };
    let tables = 1 + JudgedMove::WORDS.len() * Nearness::WORDS.len();
    let mut ended = 0;
    let mut play = |settings: Settings| {
        let all = f64::from(MATCHES) * tables as f64;
        let before = f64::from(MATCHES) * f64::from(ended);
        ended += 1;
        Table2::play(settings, &options.pool, &mut |played| {
            let at = format!("table {ended}/{tables}, match {}/{MATCHES}", (played as u32 + 1).min(MATCHES));
            hear(ProgressEvent::Progress { share: (before + played) / all, item: at });
        })
    };
    let played = play(settings);
    let mut table = played.to_table();
    let readings =
        JudgedMove::WORDS.iter().flat_map(|(_, judged)| Nearness::WORDS.iter().map(|(_, near)| (*judged, *near)));
    let agreement = |(judged, nearness)| {
        let read = Readings { heuristic: HeuristicReading { judged, nearness }, ..read };
        let table = play(Settings { read, ..settings });
        format!("judged={judged} near={nearness}: {}", table.agreement())
    };
    let agreements: Vec<String> = readings.map(agreement).collect();
    table.notes.push(format!("Matches that agree, by reading: {}.", agreements.join(", ")));
    Ok(table.with_files("table2", played.csv(), played.chart()))
}

/// The number of matches.
pub const MATCHES: u32 = (COUNT * (COUNT - 1) / 2) as u32;

impl Table2 {
    /// Plays all matches; `hear` receives the number played, with the fraction of the current one.
    pub fn play(settings: Settings, pool: &Pool, hear: &mut dyn FnMut(f64)) -> Table2 {
        let mut tallies = [[Tally::default(); COUNT]; COUNT];
        let player = |term| {
            let Readings { heuristic: reading, ties, ahead, .. } = settings.read;
            Spec::Heuristic(Heuristic { ties, reading, ..Heuristic::new(ahead.depth(term), Weights::only(term)) })
        };
        let pairs = (0..COUNT).flat_map(|a| (a + 1..COUNT).map(move |b| (a, b)));
        for (ended, (a, b)) in pairs.enumerate() {
            let seed = settings.seed.wrapping_mul(1000).wrapping_add((a * COUNT + b) as u64);
            let players = [player(a), player(b)];
            let variant = settings.read.variant();
            let opening = settings.read.opening;
            let games = Match { variant, players, games: settings.games, opening, seed };
            // No player is human, so there is a tally.
            let tally = games.play(pool, &mut |share| hear(ended as f64 + share)).unwrap_or_default();
            tallies[a][b] = tally;
            tallies[b][a] = Tally { first: tally.second.turned(), second: tally.first.turned() };
        }
        Table2 { settings, tallies }
    }

    /// Returns a's result in its match against b: 1 for a win, ½ for a draw, 0 for a loss.
    fn won(&self, a: usize, b: usize) -> f64 {
        let share = self.tallies[a][b].all().share();
        if share == 0.5 { 0.5 } else { f64::from(share > 0.5) }
    }

    /// Returns the share of its matches that a heuristic won, in percent; a drawn match counts half.
    pub fn matches_won(&self, term: usize) -> f64 {
        let won: f64 = (0..COUNT).filter(|&other| other != term).map(|other| self.won(term, other)).sum();
        100.0 * won / (COUNT - 1) as f64
    }

    /// Returns the share of points of a heuristic over all its games, in percent.
    pub fn points(&self, term: usize) -> f64 {
        let others = (0..COUNT).filter(|&other| other != term).map(|other| self.tallies[term][other].all());
        100.0 * others.fold(Default::default(), crate::arena::Score::plus).share()
    }

    /// Returns how many of the 45 matches the heuristic with the higher published share won.
    pub fn agreement(&self) -> u32 {
        let pairs = (0..COUNT).flat_map(|a| (0..COUNT).map(move |b| (a, b)));
        pairs.filter(|&(a, b)| PUBLISHED[a] > PUBLISHED[b] && self.won(a, b) == 1.0).count() as u32
    }

    /// Returns the heuristics from the strongest to the weakest.
    pub fn ranking(&self) -> Vec<usize> {
        ranking(|term| (self.matches_won(term), self.points(term)))
    }

    /// Formats an order of heuristics.
    fn order(terms: &[usize]) -> String {
        terms.iter().map(|term| TERMS[*term].name).collect::<Vec<_>>().join(" > ")
    }

    /// Returns published beside measured, the strongest first.
    pub fn to_table(&self) -> Table {
        let Settings { games, seed, read } = self.settings;
        let mut lines = Vec::new();
        for term in self.ranking() {
            let what = format!("{} {}", TERMS[term].name, TERMS[term].title);
            lines.push(Line::new(what, Some(PUBLISHED[term]), self.matches_won(term), "% of matches"));
        }
        for term in self.ranking() {
            lines.push(Line::new(format!("{} points", TERMS[term].name), None, self.points(term), "% of all points"));
        }
        let mut reading = read.lines();
        reading.push((
            "a match",
            format!("{games} games, each side moves first in half of them; a drawn match counts half"),
        ));
        let notes = vec![
            format!("published ranking  {}", Table2::order(&ranking(|term| (PUBLISHED[term], 0.0)))),
            format!("measured ranking   {}", Table2::order(&self.ranking())),
            format!(
                "Seed {seed}: the heuristic printed as the stronger won {} of {MATCHES} matches.",
                self.agreement()
            ),
        ];
        Table { lines, reading, notes, ..Table::default() }
    }

    fn chart(&self) -> String {
        let row = |term: usize| -> Row {
            let label = format!("{} {}", TERMS[term].name, TERMS[term].title);
            (label, Some(Span::at(PUBLISHED[term])), Span::at(self.matches_won(term)))
        };
        let rows: Vec<Row> = (0..COUNT).map(row).collect();
        chart::ranges("Kalah thesis, Table 2: each heuristic alone", "% of matches won", 100.0, &rows)
    }

    const CSV: &'static str = "heuristic,published_percent,matches_won_percent,points_percent";

    /// Formats a CSV row for each heuristic, under a header.
    pub fn csv(&self) -> String {
        let row = |term: usize| {
            let won = self.matches_won(term);
            let points = self.points(term);
            format!("{},{},{won:.3},{points:.3}\n", TERMS[term].name, PUBLISHED[term])
        };
        format!("{}\n{}", Table2::CSV, (0..COUNT).map(row).collect::<String>())
    }
}

/// Returns the heuristics in descending order.
fn ranking(worth: impl Fn(usize) -> (f64, f64)) -> Vec<usize> {
    let mut terms: Vec<usize> = (0..COUNT).collect();
    crate::sort::sort_by(&mut terms, |&a, &b| worth(b).partial_cmp(&worth(a)).unwrap_or(std::cmp::Ordering::Equal));
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_won_by_one_is_lost_by_the_other() {
        let table = Table2::play(Settings { games: 10, ..Settings::default() }, &Pool::default(), &mut |_| ());
        let won: f64 = (0..COUNT).map(|term| table.matches_won(term)).sum();
        assert!((won - 500.0).abs() < 1e-9, "{won}");
        assert!((15..=MATCHES).contains(&table.agreement()));
        // H4 counts most in the end, H3 least.
        assert!(table.points(3) > 60.0 && table.points(2) < 40.0);
        assert_eq!(table, Table2::play(table.settings, &Pool::default(), &mut |_| ()));
        assert!(table.to_table().notes[0].ends_with("H4 > H7 > H6 > H8 > H1 > H2 > H5 > H9 > H10 > H3"));
        assert_eq!(table.csv().lines().count(), 1 + COUNT);
    }
}
