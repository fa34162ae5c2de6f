//! Tests of resumed runs and damaged checkpoints.

use super::*;
use crate::ga::task::Snapshot;

const FORMS: &[Form] = &[Settings::<Numbers>::FORM];

#[test]
fn a_knockout_that_was_stopped_continues_to_the_same_rows() {
    let whole = rows(knockout(13, 5), &Pool::alone(), Budget::UNLIMITED, |_| ());
    let folder = tempfile::tempdir().unwrap();
    let mut job = RunJob::create(folder.path(), knockout(13, 5), &Pool::alone()).unwrap();
    job.step(Budget::UNLIMITED.single());
    job.step(Budget::UNLIMITED.single());
    job.rest();
    let own = job.run_as::<Toy>().view();
    let watcher = RunWatcher::open(folder.path(), FORMS).unwrap();
    let watched = &watcher.view().unwrap().get::<Snapshot>().unwrap().view;
    assert_eq!((&watched.bracket, &watched.ranking, watched.possible), (&own.bracket, &own.ranking, own.possible));
    assert!(own.bracket.is_some());
    drop(job);
    let (mut job, notes) = RunJob::resume(folder.path(), FORMS, &Pool::new(3)).unwrap();
    assert_eq!((notes.len(), job.run_as::<Toy>().view().bracket), (0, own.bracket));
    assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
    let written = std::fs::read_to_string(folder.path().join("generations.csv")).unwrap();
    assert_eq!(written.lines().skip(1).collect::<Vec<_>>(), whole);
}

#[test]
fn a_damaged_bracket_is_refused() {
    let mut run = Toy::start(knockout(6, 2)).unwrap();
    let Progress::Generation(row) = run.advance(&Pool::alone(), Budget::UNLIMITED) else { panic!() };
    let rows = [row.values];
    let state = run.save(&Pool::alone());
    assert!(Toy::restore(knockout(6, 2), &state, Rows::in_memory(&rows)).is_ok());
    for length in 0..state.len() {
        assert!(Toy::restore(knockout(6, 2), &state[..length], Rows::in_memory(&rows)).is_err());
    }
    let everyone = Settings { task: Numbers { knockout: false, ..Numbers::settings().task }, ..knockout(6, 2) };
    assert!(Toy::restore(everyone, &state, Rows::in_memory(&rows)).is_err());
    let bracket = run.bracket().unwrap().clone();
    bracket.check(0, run.ranking()).unwrap();
    for spoil in [
        |bracket: &mut Bracket| bracket.generation += 1,
        |bracket: &mut Bracket| drop(bracket.rounds.pop()),
        |bracket: &mut Bracket| bracket.rounds[0].reverse(),
        |bracket: &mut Bracket| {
            if let Slot::Met(pairing) = &mut bracket.rounds[0][0] {
                pairing.winner = 1 - pairing.winner;
            }
        },
    ] {
        let mut spoiled = bracket.clone();
        spoil(&mut spoiled);
        assert!(spoiled.check(0, run.ranking()).is_err());
    }
}

/// The bracket decides between members with equal points; a checkpoint holds both.
#[test]
fn a_ranking_in_another_order_than_the_brackets_is_refused() {
    let mut swapped = 0;
    for seed in 0..20 {
        let mut run = Toy::start(knockout(27, seed)).unwrap();
        let Progress::Generation(row) = run.advance(&Pool::alone(), Budget::UNLIMITED) else { panic!() };
        let rows = [row.values];
        let state = run.save(&Pool::alone());
        let restored = |state: &[u8]| Toy::restore(knockout(27, seed), state, Rows::in_memory(&rows));
        restored(&state).unwrap();
        let survived = run.bracket().unwrap().survived();
        let rounds = |ranked: &Member| survived.get(&ranked.individual.id).copied();
        // The row shows the first member as well, so the test leaves it in place.
        for two in run.ranking()[1..].windows(2).filter(|two| two[0].points == two[1].points) {
            let [above, below] = [&two[0], &two[1]].map(|ranked| {
                let mut out = Encoder::new();
                run::write_member(ranked, &mut out);
                out.finish()
            });
            let at = state.windows(above.len()).position(|bytes| bytes == above).unwrap();
            let other = [&state[..at], &below, &above, &state[at + above.len() + below.len()..]].concat();
            assert!(restored(&other).is_err_and(|error| error.to_string().contains("not in order")));
            swapped += u32::from(rounds(&two[0]) > rounds(&two[1]) && two[0].individual.id > two[1].individual.id);
        }
    }
    assert!(swapped > 3, "{swapped}");
}

/// Winners have more children, so numbers grow under either contest.
#[test]
fn what_wins_is_bred() {
    for knockout_is in [true, false] {
        let task = Numbers { knockout: knockout_is, ..Numbers::settings().task };
        let settings = Settings { task, generations: 40, ..Numbers::settings() };
        let mut sums = Vec::new();
        rows(settings, &Pool::alone(), Budget::UNLIMITED, |run| {
            let sum = |ranked: &Member| ranked.individual.genome.iter().sum::<f64>();
            sums.push(run.ranking().iter().map(sum).sum::<f64>() / 16.0);
        });
        assert!((sums[0] - 5.0).abs() < 1e-9 && sums[sums.len() - 1] > 10.0, "{sums:?}");
    }
}

#[test]
fn given_genomes_take_the_first_places() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("genomes.txt");
    let genes = Numbers::settings().task.genes().len();
    let line = |value: &str| vec![value; genes].join(",");
    std::fs::write(&path, format!("# two\n{}\n{}\n", line("3"), line("4"))).unwrap();
    let mut settings = Numbers::settings();
    settings.set("initial", path.to_str().unwrap()).unwrap();
    let ga = Ga::start(settings.clone()).unwrap();
    let without = Ga::start(Numbers::settings()).unwrap();
    let genome = |ga: &Ga<Numbers>, place: usize| ga.population[place].genome.to_vec();
    assert_eq!([genome(&ga, 0), genome(&ga, 1)], [vec![3.0; genes], vec![4.0; genes]]);
    // The others are drawn as they would be without.
    assert_eq!(genome(&ga, 2), genome(&without, 2));
    std::fs::write(&path, "1,2").unwrap();
    settings.set("initial", path.to_str().unwrap()).unwrap();
    let error = settings.check().unwrap_err().to_string();
    assert!(error.contains("genomes.txt: expected") && error.contains("(got 2)"), "{error}");
}

#[test]
fn settings_are_listed_and_read() {
    let mut settings = Numbers::settings();
    assert_eq!(
        settings.list().iter().map(|(key, ..)| *key).collect::<Vec<_>>(),
        ["population", "elite", "mutation_rate", "crossover_rate", "games", "initial", "stop", "keep"]
    );
    settings.set("games", "3").unwrap();
    assert_eq!(settings.task.games, 3);
    assert_eq!(
        settings.set("games", "10").unwrap_err().to_string(),
        "games: a whole number from 1 to 9 is expected (got 10)"
    );
}
