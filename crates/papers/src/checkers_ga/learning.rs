//! How strong the best of every fifth generation is: games against a player that weighs all terms alike, as the first generation does,
//! and against one that weighs pieces alone. All look as far ahead, and all presets are measured by the same games: random two-ply
//! openings, each played by both sides, by the game's own rules or as the first preset's runs play.

use mancalab_base::{Error, bail};
use std::path::Path;

use super::learnt::{Learnt, Measured, Opponent, Trial};
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
use crate::running::to_its_end;
use crate::{Hear, Options, ProgressEvent, Table};

const USUAL_SEEDS: u32 = 5;
const USUAL_GAMES: u32 = 1000;
const USUAL_GENERATIONS: u64 = 30;

/// Generations between two that are measured.
const EVERY: u64 = 5;

/// Moves at the beginning of a measured game that are drawn at random.
const OPENING: u32 = 2;

/// Games that are played between two looks at how far it is.
const PIECE: u32 = 100;

/// The presets that are run unless others are asked for: the source's settings, and ours.
const PRESETS: [&str; 2] = ["checkers-ga", "checkers-ga-robin"];

pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let presets = presets(options, checkers::PRESETS, &PRESETS)?;
    let generations = options.generations.unwrap_or(USUAL_GENERATIONS);
    let games = options.games.unwrap_or(USUAL_GAMES);
    if !games.is_multiple_of(2) {
        bail!("--games takes an even number, for each opening is played by both sides; '{games}' is none");
    }
    let games_of = measured(options, &presets)?;
    // All settings are read before anything is run.
    let mut plan = Vec::new();
    for preset in &presets {
        for seed in options.all_seeds(USUAL_SEEDS) {
            plan.push(settings(options, preset, seed, generations)?);
        }
    }
    let (count, mut trials) = (plan.len(), Vec::<Trial>::new());
    for (at, settings) in plan.into_iter().enumerate() {
        let mut tell = |share: f64, what: String| {
            let at_text = format!("{}, seed {}, {what}", settings.preset, settings.seed);
            hear(ProgressEvent::Progress { share: (at as f64 + share) / count as f64, at: at_text });
        };
        let rules = Games { depth: settings.task.depth, ..games_of };
        let mut trial = trial(&settings, &rules, games, options, &mut tell)?;
        // What is better is also asked directly: the last best of one preset against that of the first, with the same seed.
        let rival = trials.iter().find(|other| other.seed == trial.seed && other.preset == presets[0]);
        if let (Some(rival), Some(best)) = (rival, &trial.last) {
            let other = rival.last.as_ref().ok_or("a run has no generation")?;
            let score = play(&rules, [best, other], games, options, &mut |_| ());
            trial.rows.push(Measured { at: generations, opponent: Opponent::First, score });
        }
        hear(ProgressEvent::News(&trial.line()));
        trials.push(trial);
    }
    let learnt = Learnt { trials, presets, games, rules: games_of };
    let settings: Vec<CheckersSettings> = learnt
        .presets
        .iter()
        .map(|preset| settings(options, preset, options.seed, generations))
        .collect::<Result<_, _>>()?;
    Ok(learnt.to_table(&settings).with_files("learning", learnt.csv(), learnt.chart()))
}

/// The games that all are measured by, whatever those of their runs are. Where a game is drawn after 40 moves most are, and who is
/// the better player hardly shows; so it is the game's own rules, captures played out, unless `measured=training` is asked for.
fn measured(options: &Options, presets: &[&str]) -> Result<Games, Error> {
    let of_first = settings(options, presets[0], options.seed, 0)?.task.games();
    let games = match options.value("measured") {
        None | Some("own") => Games { rules: Rules::default(), plays_out: true, ..of_first },
        Some("training") => of_first,
        Some(other) => {
            let text = format!("measured: '{other}' says by which games nothing is measured");
            return Err(Error::unknown(text, ["own", "training"]));
        }
    };
    Ok(Games { opening: OPENING, ..games })
}

/// Makes a run, or goes on with it, and measures it.
fn trial(
    settings: &CheckersSettings,
    rules: &Games,
    games: u32,
    options: &Options,
    tell: &mut dyn FnMut(f64, String),
) -> Result<Trial, Error> {
    let last = settings.generations;
    let folder =
        options.out.as_deref().map(|out: &Path| out.join(format!("{}-seed{}", settings.preset, settings.seed)));
    let job = to_its_end::<CheckersRun>(settings.clone(), folder, &options.pool, &mut |run| {
        let ended = run.past().len() as u64;
        tell(0.5 * ended as f64 / (last + 1) as f64, format!("generation {}/{last}", ended.saturating_sub(1)));
    })?;
    let past = job.run().past();
    let (preset, seed) = (settings.preset.clone(), settings.seed);
    let mut trial = Trial { preset, seed, last: past.last().map(|past| past.best_genome.clone()), rows: Vec::new() };
    let is_measured = |generation: u64| generation.is_multiple_of(EVERY) || generation == last;
    let measured: Vec<_> = past.iter().filter(|past| is_measured(past.generation)).collect();
    for (nth, past) in measured.iter().enumerate() {
        for opponent in Opponent::ALONE {
            let other: Genome = opponent.genome().into();
            let score = play(rules, [&past.best_genome, &other], games, options, &mut |share| {
                let part = (nth as f64 + (opponent as u32 as f64 + share) / 2.0) / measured.len() as f64;
                tell(0.5 + 0.5 * part, format!("games of generation {}", past.generation));
            });
            trial.rows.push(Measured { at: past.generation, opponent, score });
        }
    }
    Ok(trial)
}

/// The first's score against the second. The openings follow from the first seed alone, so that all are measured by the same games.
fn play(rules: &Games, genomes: [&Genome; 2], games: u32, options: &Options, tell: &mut dyn FnMut(f64)) -> Score {
    let players = genomes.map(|genome| rules.samuel(weights(genome)));
    let mut score = Score::default();
    for from in (0..games).step_by(PIECE as usize) {
        tell(f64::from(from) / f64::from(games));
        score = score.plus(piece(rules, &players, options.seed, (from, games.min(from + PIECE)), &options.pool));
    }
    score
}

/// The games with these numbers.
fn piece(rules: &Games, players: &[Samuel; 2], seed: u64, (from, to): (u32, u32), pool: &Pool) -> Score {
    let mut numbers: Vec<u32> = (from..to).collect();
    let scores = pool.map_each(&mut numbers, |number| {
        let number = u64::from(*number);
        let opening = number / 2;
        let mut game = rules.begin(GameKey { seed, generation: 0, pairing: opening, game: number, opening: 0 });
        // Every opening is played twice, and each moves first once.
        let order = if number % 2 == 0 { [0, 1] } else { [1, 0] };
        let seats = order.map(|which| Seat { number: which as u32, player: &players[which] });
        let played = rules.play(&mut game, seats, &mut (), Budget::UNLIMITED);
        let outcome = played.map(|played| if order[0] == 0 { played.outcome } else { played.outcome.other() });
        outcome.map_or(Score::default(), Score::of)
    });
    scores.into_iter().fold(Score::default(), Score::plus)
}
