//! The actor-critic's learning: the thesis' settings and ours on several seeds, measured after the same numbers of games by the games
//! of its row and column in Table 1. The thesis prints one network's results without its number of games.

pub(super) mod learners;
mod learnt;

use super::readings::Readings;
use super::run::{play, tournament};
use super::{OPENING, opening};
use crate::arena::{Cell, Score};
use crate::game::Variant;
use crate::learning::{Measurement, presets};
use crate::player::{A3c, Spec};
use crate::settings::KeyedSettings as _;
use crate::target::{Advance, part};
use crate::train::{self, PRESETS, Schedule, Settings, Training};
use crate::{Hear, Options, ProgressEvent, Table};
use learners::{Learner, learners};
use learnt::{Measurements, Meeting, OPPONENTS, Trial, meetings};
use mancalab_base::{Error, bail};

/// The default presets: the thesis' settings, and ours.
const USUAL: [&str; 2] = ["kalah-thesis-a3c", "a3c-mixed"];
const USUAL_SEEDS: u32 = 3;
/// The default number of games per meeting and network.
const USUAL_GAMES: u32 = 200;
/// The default numbers of training games after which networks are measured.
const USUAL_POINTS: [u64; 7] = [10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 640_000];

/// Trains and measures the networks.
///
/// # Errors
/// An option is invalid, or a file cannot be read or written.
pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let presets = presets(options, PRESETS, &USUAL)?;
    let other = opening::other(options)?;
    let points = points(options, &USUAL_POINTS)?;
    let read = of_opponents(options)?;
    // Check all settings before the first training.
    let mut plan = Vec::new();
    for preset in &presets {
        for seed in options.all_seeds(USUAL_SEEDS) {
            plan.push((*preset, settings(options, preset, seed)?));
        }
    }
    let count = plan.len();
    let mut trials = Vec::new();
    for (at, (preset, settings)) in plan.into_iter().enumerate() {
        let name = format!("{preset}, seed {}, ", settings.seed);
        let trial = trial(preset, settings, &points, other, options, &mut part(hear, at, count, &name))?;
        hear(ProgressEvent::News(&trial.line()));
        trials.push(trial);
    }
    let of_presets: Vec<Settings> =
        presets.iter().map(|preset| settings(options, preset, options.seed)).collect::<Result<_, _>>()?;
    let learnt = Measurements { presets, trials, points, games: options.games.unwrap_or(USUAL_GAMES), other, read };
    let mut table = learnt.to_table(&of_presets);
    table.files.push(("a3c.csv".to_owned(), learnt.csv()));
    for preset in &learnt.presets {
        let [first, second] = [true, false].map(|begins| learnt.plot(preset, begins).svg());
        table.files.extend([(format!("{preset}.svg"), first), (format!("{preset}-second.svg"), second)]);
    }
    Ok(table)
}

/// Settings of the players that networks are measured against; others are those of the training.
const OF_OPPONENTS: [&str; 2] = ["max", "near"];

fn of_opponents(options: &Options) -> Result<Readings, Error> {
    let set = options.set.iter().filter(|(key, _)| OF_OPPONENTS.contains(&key.as_str())).cloned().collect();
    Readings::asked(&Options { set, ..options.clone() })
}

/// Returns the numbers of games after which networks are measured: the setting `after`, or the default.
pub(super) fn points(options: &Options, usual: &[u64]) -> Result<Vec<u64>, Error> {
    let Some(asked) = options.value("after") else { return Ok(usual.to_vec()) };
    let numbers: Option<Vec<u64>> = asked.split(['+', ',']).map(|number| number.trim().parse().ok()).collect();
    let rising = numbers.filter(|numbers| numbers[0] > 0 && numbers.is_sorted_by(|one, next| one < next));
    rising.ok_or_else(|| format!("after must be rising numbers of games, such as 10000+40000 (got {asked})").into())
}

/// Returns a preset's settings with the options applied.
fn settings(options: &Options, preset: &str, seed: u64) -> Result<Settings, Error> {
    let mut settings = train::preset(preset).ok_or_else(|| format!("the preset {preset} is missing"))?;
    settings.seed = seed;
    if let Some(generations) = options.generations {
        settings.set("generations", &generations.to_string())?;
    }
    options.change(&mut settings, &[&["preset", "after", opening::KEY][..], &OF_OPPONENTS].concat())?;
    settings.check()?;
    if settings.variant != Variant::Kalah(Default::default()) {
        bail!("{preset} learns {}; the thesis' games are Kalah 6x4", settings.variant);
    }
    if settings.schedule != Schedule::Fixed {
        bail!("schedule=free is not reproducible; use schedule=fixed");
    }
    Ok(settings)
}

/// Trains a network or resumes its training, and measures it; the last network with the `other` number of random moves too.
fn trial(
    preset: &'static str,
    settings: Settings,
    points: &[u64],
    other: Option<u32>,
    options: &Options,
    progress: Advance<'_>,
) -> Result<Trial, Error> {
    let seed = settings.seed;
    let (learners, games) =
        learners::<Training>(settings, points, options, &mut |share, at| progress(0.5 * share, at))?;
    let mut trial = Trial { preset, seed, rows: Vec::new(), run: games };
    let last = learners.last().zip(other);
    let measured: Vec<(&Learner, u32)> = learners.iter().map(|learner| (learner, OPENING)).chain(last).collect();
    let count = measured.len();
    for (nth, (learner, opening)) in measured.into_iter().enumerate() {
        let scores = measure(learner, opening, options, &mut |share| {
            let share = 0.5 + 0.5 * (nth as f64 + share) / count as f64;
            progress(share, &format!("measured after {} games", learner.after));
        })?;
        let row = |(opponent, score): (Meeting, Score)| Measurement { point: learner.after, opponent, score };
        trial.rows.extend(meetings(opening).zip(scores).map(row));
    }
    Ok(trial)
}

/// Plays the network's games from this number of random moves and returns the score of each meeting for the side that moves first. The
/// openings follow from the first seed alone, so all networks are measured by the same ones.
fn measure(
    learner: &Learner,
    opening: u32,
    options: &Options,
    progress: &mut dyn FnMut(f64),
) -> Result<Vec<Score>, Error> {
    let network = A3c::from_bytes(&learner.name, &learner.bytes)?;
    let readings = of_opponents(options)?;
    let mut players = readings.players(OPPONENTS)?;
    players.push(Spec::A3c(network));
    let games = options.games.unwrap_or(USUAL_GAMES);
    let cells = meetings(opening).map(|meeting| {
        let [first, second] = meeting.seats();
        Cell { first, second, games }
    });
    let own = opening::with(&Options { set: Vec::new(), out: None, ..options.clone() }, opening);
    let settings = tournament("a3c", players, cells, &own)?;
    let view = play(settings, &own, &mut |share, _| progress(share))?;
    Ok(view.cells.iter().map(|cell| cell.score).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csv;
    use crate::pool::Pool;
    use std::fs;

    fn options() -> Options {
        Options { seed: 3, seeds: Some(2), generations: Some(4), games: Some(2), ..Options::default() }
    }

    fn reproduce(set: &[&str], options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
        let small = ["hidden=4", "rounds=2", "workers=2", "opponents=random,max", "panel=[]", "after=5+12+1000"];
        crate::target::reproduce("kalah-thesis/a3c", &[&small, set].concat(), options.clone(), hear)
    }

    fn table(options: &Options) -> Table {
        reproduce(&[], options, &mut |_| ()).unwrap()
    }

    #[test]
    fn trainings_are_measured_after_the_same_numbers_of_games_and_resumed() {
        let folder = tempfile::tempdir().unwrap();
        let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
        let text = |name: &str| String::from_utf8(read(name)).unwrap();
        let asked = Options { out: Some(folder.path().to_owned()), ..options() };
        let mut news = Vec::new();
        let whole = reproduce(&[], &asked, &mut |event| {
            if let ProgressEvent::News(text) = event {
                news.push(text.to_owned());
            }
        })
        .unwrap();
        // Nine meetings after 5 and 12 games, for both presets, and after 12 without an opening; all runs ended before 1,000.
        assert_eq!((whole.lines.len(), news.len()), (2 * 9 * 3, 4));
        assert_eq!(whole.lines[26].what, "kalah-thesis-a3c, after 12 games, heuristic:4 v it, opening 0");
        assert!(whole.lines.iter().all(|line| line.score.unwrap().games() == 4 && line.interval.is_some()));
        let printed: Vec<f64> = whole.lines.iter().filter_map(|line| line.published).collect();
        assert_eq!((printed.len(), printed[4]), (36, 79.0), "beside the last point alone");
        assert_eq!(whole.notes.iter().filter(|note| note.contains("some run ended before 1000 games")).count(), 2);
        assert!(
            whole.notes.iter().any(|note| note.starts_with("79 % against itself, moving first after 2 random moves: "))
        );
        assert!(
            whole
                .notes
                .iter()
                .any(|note| note.starts_with("a3c-mixed, after 12 games, from 2 random moves, published figures "))
        );
        assert!(whole.chart.iter().any(|line| line.starts_with("published              97.6")), "{:#?}", whole.chart);
        let rows = csv::parse(&text("kalah-thesis-a3c.csv"));
        assert_eq!(
            (rows.len(), &rows[0][1..6]),
            (1 + 4 * 3 * 9, &["preset", "seed", "games_trained", "first", "second"].map(str::to_owned)[..])
        );
        assert!(
            text("kalah-thesis-a3c.svg").contains("v heuristic:4")
                && text("kalah-thesis-a3c-mixed-second.svg").contains(">12<")
        );
        // The stored network is a valid player, and nothing is trained twice.
        let name = "kalah-thesis-a3c-seed4-after5.safetensors";
        let network = read(name);
        let path = folder.path().join(name);
        let player: Spec = format!("a3c:{}", path.display()).parse().unwrap();
        let Spec::A3c(player) = player else { panic!("{player}") };
        assert_eq!((player.notes()["games"].as_str(), player.notes()["generation"].as_str()), ("8", "1"));
        assert_eq!(table(&asked), whole);
        // A missing file, or one with another content, is made again.
        for bytes in [None, Some(&b"nothing"[..]), Some(&read("a3c-mixed-seed4-after5.safetensors"))] {
            fs::remove_file(&path).unwrap();
            bytes.map_or(Ok(()), |bytes| fs::write(&path, bytes)).unwrap();
            assert_eq!(table(&asked), whole);
            assert!(read(name) == network);
        }
        // Each setting appears once, with the presets' names where they differ.
        let of = |key: &str| -> Vec<String> {
            whole.reading.iter().filter(|(name, _)| *name == key).map(|(_, value)| value.clone()).collect()
        };
        assert_eq!(of("gamma"), ["kalah-thesis-a3c 0.99; a3c-mixed 1"]);
        assert_eq!(of("hidden"), ["4"]);
        // The result does not depend on the pool or the folder.
        let memory = table(&Options { pool: Pool::new(3), ..options() });
        assert_eq!((memory.lines, memory.chart), (whole.lines, whole.chart));
        let longer = Options { generations: Some(5), ..asked };
        let error = reproduce(&[], &longer, &mut |_| ()).unwrap_err().to_string();
        assert!(error.contains("holds a run with other settings"), "{error}");
    }

    #[test]
    fn presets_and_points_are_asked_for_by_name() {
        let asked = Options { seeds: Some(1), ..options() };
        let table = reproduce(&["preset=kalah-thesis-a3c", "after=4"], &asked, &mut |_| ()).unwrap();
        assert!(
            table.lines.len() == 18
                && table.lines.iter().all(|line| line.what.starts_with("kalah-thesis-a3c, after 4 "))
        );
        assert!(table.chart[0].starts_with("kalah-thesis-a3c, 1 run: "));
        let error = |set: &str| reproduce(&[set], &options(), &mut |_| ()).unwrap_err().to_string();
        assert!(error("speed=1").contains("no setting is named 'speed'"));
        assert!(error("preset=a3c-thesis").contains("no preset is named 'a3c-thesis'"));
        assert!(error("schedule=free").contains("schedule=free is not reproducible"));
        for wrong in ["after=0", "after=9+9", "after=", "after=many"] {
            assert!(error(wrong).contains("rising numbers of games"), "{wrong}");
        }
        assert!(
            reproduce(&["preset=a3c-best", "game=kalah:4x3"], &options(), &mut |_| ())
                .unwrap_err()
                .to_string()
                .contains("the thesis' games are Kalah 6x4")
        );
    }
}
