//! One generation of a run, as the source describes it: the tournament, the points, a couple of parents, their crossover and the
//! mutations.

use super::{reading, settings};
use crate::evolve::checkers::{CheckersRun, CheckersSettings, PRESETS};
use crate::evolve::ga::bracket::{How, Pairing, Slot};
use crate::evolve::ga::{Bracket, Couple, Task as _};
use crate::game::Outcome;
use crate::learning::presets;
use crate::player::samuel::TERMS;
use crate::typed_run::to_its_end;
use crate::{Hear, Line, Options, ProgressEvent, Table};
use mancalab_base::Error;

/// The default generation: late enough for members to differ.
const USUAL: u64 = 10;

/// Couples to try for one with a visible crossover and mutation.
const LOOKED_AT: u64 = 1000;

pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let preset = presets(options, PRESETS, &["checkers-ga"])?[0];
    let last = options.generations.unwrap_or(USUAL);
    let settings = settings(options, preset, options.seed, last)?;
    let job = to_its_end::<CheckersRun>(settings.clone(), None, &options.pool, &mut |run| {
        let ended = run.past().len() as u64;
        let at = format!("generation {}/{last}", ended.saturating_sub(1));
        hear(ProgressEvent::Progress { share: ended as f64 / (last + 1) as f64, item: at });
    })?;
    let run = job.run();
    let bracket = run.bracket().ok_or("the walkthrough shows a bracket: contest=knockout is required")?;
    let given: u64 = run.ranking().iter().map(|ranked| ranked.points).sum();
    let names = Names(run.ranking().iter().map(|ranked| ranked.individual.id).collect());
    let mut chart = tournament(bracket, &names, last);
    chart.extend(points(run, given));
    chart.extend(couple(&settings, run, last)?);
    let members = run.ranking().len() as u64;
    let ties = bracket.ties();
    let lines = vec![
        Line::new("pairings", None, bracket.pairings().count() as f64, "")
            .remarked("one less than the number of members"),
        Line::new("ties", None, ties as f64, ""),
        Line::new("points given out", None, given as f64, "points")
            .remarked(format!("10 × {} - 5 × {ties}", members - 1)),
    ];
    let notes = vec!["Members are named by their final rank.".to_owned()];
    let mut reading = reading(&settings);
    reading.push(("seed", options.seed.to_string()));
    Ok(Table { lines, chart, reading, notes, ..Table::default() })
}

/// The members' ids, best first.
struct Names(Vec<u64>);

impl Names {
    /// Returns a member's name: its rank.
    fn name(&self, id: u64) -> String {
        self.0.iter().position(|known| *known == id).map_or("?".to_owned(), |place| format!("#{}", place + 1))
    }
}

/// Formats the rounds, a line for each pairing.
fn tournament(bracket: &Bracket, names: &Names, generation: u64) -> Vec<String> {
    let mut text = vec![format!("The tournament of generation {generation}")];
    for (number, round) in bracket.rounds.iter().enumerate() {
        let name = if round.len() == 1 { "Final".to_owned() } else { format!("Round {}", number + 1) };
        text.push(format!("  {name}"));
        text.extend(round.iter().map(|slot| match slot {
            Slot::Met(pairing) => format!("    {}", met(pairing, names)),
            Slot::Bye(member) => format!("    {} has a bye: next round, no points", names.name(*member)),
        }));
    }
    text
}

fn met(pairing: &Pairing, names: &Names) -> String {
    let first = pairing.first_in(0);
    let [black, white] = [first, 1 - first].map(|which| names.name(pairing.members[which]));
    let [winner, loser] = [pairing.winner, 1 - pairing.winner].map(|which| names.name(pairing.members[which]));
    let ahead: i32 = pairing.games.iter().map(|game| game.ahead).sum();
    let ended = match pairing.how {
        How::Won => format!("{winner} beats {loser}: 10 points to {winner}"),
        How::Pieces => format!("drawn, {winner} is {} ahead in pieces: 5 points to {winner}", ahead.abs()),
        How::Coin => format!("drawn, equal in pieces, decided by lot: 5 points to {winner}"),
    };
    let games = pairing.games.len();
    let score = |outcome: Outcome| pairing.games.iter().filter(|game| game.outcome == outcome).count();
    let sample = match games {
        1 => String::new(),
        _ => format!(
            " ({games} games: {} won by {}, {} drawn)",
            score(Outcome::Won),
            names.name(pairing.members[0]),
            score(Outcome::Drawn)
        ),
    };
    format!("{black:>4} moves first against {white:>4}{sample}: {ended}")
}

/// Formats the points and the fitness of all members.
fn points(run: &CheckersRun, given: u64) -> Vec<String> {
    let mut text = vec![String::new(), format!("Fitness: points divided by the {given} points of all members")];
    let members = run.ranking().iter().enumerate().filter(|(_, ranked)| ranked.points > 0);
    text.extend(members.map(|(place, ranked)| {
        let name = format!("#{}", place + 1);
        format!("    {name:>4}  {:>3} points  {:.4}", ranked.points, ranked.points as f64 / given as f64)
    }));
    let without = run.ranking().iter().filter(|ranked| ranked.points == 0).count();
    text.push(format!("    the other {without} have none"));
    text
}

/// Formats the first couple of the next generation with different genes in the exchanged part and at least one mutation.
fn couple(settings: &CheckersSettings, run: &CheckersRun, generation: u64) -> Result<Vec<String>, Error> {
    let operators = settings.task.operators();
    let ranking = run.ranking();
    let couple = |number: u64| Couple::draw(settings, &operators, ranking, generation + 1, number);
    let has_changed = |couple: &Couple| (0..2).any(|child| couple.children[child][..] != couple.mutated[child][..]);
    let genes = |couple: &Couple, parent: usize| ranking[couple.parents[parent]].individual.genome.clone();
    let is_of_use = |couple: &Couple| {
        couple.cut.is_some_and(|at| genes(couple, 0)[at..] != genes(couple, 1)[at..]) && has_changed(couple)
    };
    let shown = (0..LOOKED_AT).map(couple).find(is_of_use);
    let shown = shown.ok_or("all parents of this generation are equal; choose a later one with --generations")?;
    let at = shown.cut.unwrap_or(0);
    let [mother, father] = shown.parents.map(|parent| format!("#{}", parent + 1));
    let mut text = vec![
        String::new(),
        format!("Crossover: {mother} and {father} exchange the weights from {} on", TERMS[at].name),
        format!("    {:6} {mother:>12} {father:>12}    {:>12} {:>12}", "", "first child", "second child"),
    ];
    let [a, b] = [0, 1].map(|parent| genes(&shown, parent));
    for (index, term) in TERMS.iter().enumerate() {
        let rule = if index == at { "x" } else { " " };
        let [c, d] = [0, 1].map(|child| shown.children[child][index]);
        text.push(format!("  {rule} {:6} {:>12} {:>12}    {c:>12} {d:>12}", term.name, a[index], b[index]));
    }
    text.extend([String::new(), format!("Mutation: each weight with a chance of {}", settings.mutation_rate)]);
    for child in 0..2 {
        for (index, term) in TERMS.iter().enumerate() {
            let before = shown.children[child][index];
            let after = shown.mutated[child][index];
            if before != after {
                text.push(format!(
                    "    {} child, {:6} {}",
                    ["first", "second"][child],
                    term.name,
                    changed(before, after)
                ));
            }
        }
    }
    Ok(text)
}

/// Formats the change of a weight: by its share r² up or down, and perhaps with a new sign.
fn changed(before: f64, after: f64) -> String {
    let turned = if before * after < 0.0 || (before == 0.0 && after < 0.0) { ", and its sign changes" } else { "" };
    if before == 0.0 {
        return format!("0 becomes r² = {} (r = {:.4}){turned}", after.abs(), after.abs().sqrt());
    }
    let square = (after.abs() - before.abs()) / before.abs();
    let sign = if square < 0.0 { '-' } else { '+' };
    let square = square.abs();
    format!("{before} {sign} {before} × r² with r = {:.4}, r² = {square:.4}: {after}{turned}", square.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::Pool;

    fn table(set: &[&str], generations: u64) -> Result<Table, Error> {
        let options = Options { seed: 3, generations: Some(generations), pool: Pool::alone(), ..Options::default() };
        crate::target::reproduce("checkers-ga/walkthrough", &[&["depth=1"], set].concat(), options, &mut |_| ())
    }

    #[test]
    fn a_generation_is_reported_step_by_step() {
        let table = table(&[], 6).unwrap();
        let text = table.to_text();
        for part in
            ["Round 1", "Round 3", "  Final", "moves first against", "Crossover: #", "Mutation: each", "× r² with r ="]
        {
            assert!(text.contains(part), "{part}\n{text}");
        }
        // The pairings list as many points.
        let points =
            |what: &str, worth: u64| table.chart.iter().filter(|line| line.contains(what)).count() as u64 * worth;
        let given = points("10 points to", 10) + points("5 points to", 5);
        assert_eq!(table.lines[2].measured, Some(given as f64));
        assert_eq!(table.lines[0].measured, Some(15.0));
        let shares: f64 = table
            .chart
            .iter()
            .filter(|line| line.contains(" points  "))
            .map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap())
            .sum();
        assert!((shares - 1.0).abs() < 0.001, "{shares}");
    }

    #[test]
    fn what_cannot_be_walked_through_is_reported() {
        let error = |set: &[&str], generations: u64| table(set, generations).unwrap_err().to_string();
        // All genomes are equal to ones.
        assert!(error(&[], 0).contains("choose a later one"));
        let robin = ["contest=round-robin", "games=2", "population=4"];
        assert!(error(&robin, 1).contains("contest=knockout is required"));
        assert!(error(&["preset=kalah-thesis"], 1).contains("no preset is named 'kalah-thesis'"));
        assert!(error(&["depth"], 1).contains("--set takes KEY=VALUE"));
    }

    #[test]
    fn changes_are_reported_by_their_share() {
        assert_eq!(changed(4.0, 5.0), "4 + 4 × r² with r = 0.5000, r² = 0.2500: 5");
        assert_eq!(changed(1.0, 0.19), "1 - 1 × r² with r = 0.9000, r² = 0.8100: 0.19");
        assert_eq!(changed(0.0, 0.25), "0 becomes r² = 0.25 (r = 0.5000)");
        assert_eq!(changed(2.0, -2.5), "2 + 2 × r² with r = 0.5000, r² = 0.2500: -2.5, and its sign changes");
    }
}
