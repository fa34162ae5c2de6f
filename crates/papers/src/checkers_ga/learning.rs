//! The strength of the best of every fifth generation: games against a player with equal weights, as in the first generation, and
//! against one with the piece term alone. All search to the same depth, and all presets are measured by the same games: random
//! two-ply openings, each played from both sides, by the game's own rules or those of the first preset's runs.

use mancalab_base::{Error, bail};
use std::path::Path;

use super::learnt::{Measurement, Measurements, Opponent, Trial};
use super::settings;
use crate::arena::Score;
use crate::budget::Budget;
use crate::evolve::checkers::{self, CheckersRun, CheckersSettings, Games, weights};
use crate::evolve::ga::Genome;
use crate::evolve::ga::play::{GameKey, Play as _, Seat};
use crate::game::checkers::Rules;
use crate::learning::presets;
use crate::player::samuel::Samuel;
use crate::pool::Pool;
use crate::target::{Advance, part};
use crate::typed_run::to_its_end;
use crate::{Hear, Options, ProgressEvent, Table};

const USUAL_SEEDS: u32 = 5;
const USUAL_GAMES: u32 = 1000;
const USUAL_GENERATIONS: u64 = 30;

/// Generations between two measurements.
const EVERY: u64 = 5;

/// Random moves at the start of a measured game.
const OPENING: u32 = 2;

/// Games between two progress reports.
const PIECE: u32 = 100;

/// The default presets: the source's settings, and ours.
const PRESETS: [&str; 2] = ["checkers-ga", "checkers-ga-robin"];

pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let presets = presets(options, checkers::PRESETS, &PRESETS)?;
    let generations = options.generations.unwrap_or(USUAL_GENERATIONS);
    let games = options.games.unwrap_or(USUAL_GAMES);
    if !games.is_multiple_of(2) {
        bail!("--games must be even, since each opening is played from both sides (got {games})");
    }
    let games_of = measured(options, &presets)?;
    // Check all settings before the first run.
    let mut plan = Vec::new();
    for preset in &presets {
        for seed in options.all_seeds(USUAL_SEEDS) {
            plan.push((*preset, settings(options, preset, seed, generations)?));
        }
    }
    let count = plan.len();
    let mut trials = Vec::<Trial>::new();
    for (at, (preset, settings)) in plan.into_iter().enumerate() {
        let name = format!("{preset}, seed {}, ", settings.seed);
        let rules = Games { depth: settings.task.depth, ..games_of };
        let mut trial = trial(preset, &settings, &rules, games, options, &mut part(hear, at, count, &name))?;
        // Also compares directly: the best of one preset's last generation against that of the first preset, with the same seed.
        let rival = trials.iter().find(|other| other.seed == trial.seed && other.preset == presets[0]);
        if let (Some(rival), Some(best)) = (rival, &trial.run) {
            let other = rival.run.as_ref().ok_or("a run has no generation")?;
            let score = play(&rules, [best, other], games, options, &mut |_| ());
            trial.rows.push(Measurement { point: generations, opponent: Opponent::First, score });
        }
        hear(ProgressEvent::News(&trial.line()));
        trials.push(trial);
    }
    let learnt = Measurements { trials, presets, games, rules: games_of };
    let settings: Vec<CheckersSettings> = learnt
        .presets
        .iter()
        .map(|preset| settings(options, preset, options.seed, generations))
        .collect::<Result<_, _>>()?;
    Ok(learnt.to_table(&settings).with_files("learning", learnt.csv(), learnt.chart()))
}

/// Returns the games of the measurement, the same for all runs. If games are drawn after 40 moves most are, and the strength hardly
/// shows; so the default is the game's own rules, with captures extended, and `measured=training` selects those of the runs.
pub(super) fn measured(options: &Options, presets: &[&str]) -> Result<Games, Error> {
    let of_first = settings(options, presets[0], options.seed, 0)?.task.games();
    let games = match options.value("measured") {
        None | Some("own") => Games { rules: Rules::default(), plays_out: true, ..of_first },
        Some("training") => of_first,
        Some(other) => {
            let text = format!("measured cannot be '{other}'");
            return Err(Error::unknown(text, ["own", "training"]));
        }
    };
    Ok(Games { opening: OPENING, ..games })
}

/// Creates a run or resumes it, and measures it.
fn trial(
    preset: &'static str,
    settings: &CheckersSettings,
    rules: &Games,
    games: u32,
    options: &Options,
    progress: Advance<'_>,
) -> Result<Trial, Error> {
    let last = settings.generations;
    let folder = options.out.as_deref().map(|out: &Path| out.join(format!("{preset}-seed{}", settings.seed)));
    let job = to_its_end::<CheckersRun>(settings.clone(), folder, &options.pool, &mut |run| {
        let ended = run.past().len() as u64;
        progress(0.5 * ended as f64 / (last + 1) as f64, &format!("generation {}/{last}", ended.saturating_sub(1)));
    })?;
    let past = job.run().past();
    let best = past.last().map(|past| past.best_genome.clone());
    let mut trial = Trial { preset, seed: settings.seed, rows: Vec::new(), run: best };
    let is_measured = |generation: u64| generation.is_multiple_of(EVERY) || generation == last;
    let measured: Vec<_> = past.iter().filter(|past| is_measured(past.generation)).collect();
    for (nth, past) in measured.iter().enumerate() {
        for opponent in Opponent::ALONE {
            let other: Genome = opponent.genome().into();
            let score = play(rules, [&past.best_genome, &other], games, options, &mut |share| {
                let part = (nth as f64 + (opponent as u32 as f64 + share) / 2.0) / measured.len() as f64;
                progress(0.5 + 0.5 * part, &format!("games of generation {}", past.generation));
            });
            trial.rows.push(Measurement { point: past.generation, opponent, score });
        }
    }
    Ok(trial)
}

/// Returns the first's score against the second. The openings follow from the first seed alone, so all are measured by the same games.
pub(super) fn play(
    rules: &Games,
    genomes: [&Genome; 2],
    games: u32,
    options: &Options,
    progress: &mut dyn FnMut(f64),
) -> Score {
    let players = genomes.map(|genome| rules.samuel(weights(genome)));
    let mut score = Score::default();
    for from in (0..games).step_by(PIECE as usize) {
        progress(f64::from(from) / f64::from(games));
        score = score.plus(piece(rules, &players, options.seed, (from, games.min(from + PIECE)), &options.pool));
    }
    score
}

/// Plays the games with these numbers.
fn piece(rules: &Games, players: &[Samuel; 2], seed: u64, (from, to): (u32, u32), pool: &Pool) -> Score {
    let mut numbers: Vec<u32> = (from..to).collect();
    let scores = pool.map_each(&mut numbers, |number| {
        let number = u64::from(*number);
        let opening = number / 2;
        let mut game = rules.begin(GameKey { seed, generation: 0, pairing: opening, game: number, opening: 0 });
        // Every opening is played twice, once from each side.
        let order = if number % 2 == 0 { [0, 1] } else { [1, 0] };
        let seats = order.map(|which| Seat { number: which as u32, player: &players[which] });
        let played = rules.play(&mut game, seats, &mut (), Budget::UNLIMITED);
        let outcome = played.map(|played| if order[0] == 0 { played.outcome } else { played.outcome.other() });
        outcome.map_or(Score::default(), Score::from_outcome)
    });
    scores.into_iter().fold(Score::default(), Score::plus)
}
