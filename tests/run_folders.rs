//! Damaged run folders: a run is either refused without changes or gives the same result.

mod extended;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use mancalab::arena::{Settings as ArenaSettings, Tournament};
use mancalab::budget::{Budget, Job as _, Status};
use mancalab::evolve::kalah::weights::{WeightsRun, WeightsSettings, preset};
use mancalab::evolve::kalah::{KalahRun, Settings};
use mancalab::game::Variant;
use mancalab::job::{Progress, Rows, Run, RunJob, RunReader, RunSettings, run_dir};
use mancalab::kinds;
use mancalab::pool::Pool;
use mancalab::settings::KeyedSettings as _;
use proptest::prelude::*;

fn breeding() -> Settings {
    let mut settings = Settings::preset("mancala-gp-2").unwrap();
    settings.set_text("opponents = [\"max\"]").unwrap();
    settings.set_text("initial_depth = 4").unwrap();
    settings.tableau.population = 12;
    settings.tableau.generations = 6;
    settings.tableau.seed = 3;
    settings
}

fn tuning() -> WeightsSettings {
    let mut settings = preset("kalah-thesis").unwrap();
    for (key, value) in [("population", "4"), ("generations", "6"), ("depth", "1"), ("games", "1"), ("seed", "3")] {
        settings.set(key, value).unwrap();
    }
    settings
}

fn playing() -> ArenaSettings {
    let players = ["random", "max"].map(|player| player.parse().unwrap()).to_vec();
    ArenaSettings::round_robin(Variant::usual()[0], players, 7, 3)
}

/// A run stopped at the end of generation 4 of 6, and its final result.
struct Template {
    settings: Box<dyn RunSettings>,
    files: BTreeMap<String, Vec<u8>>,
    state: Vec<u8>,
    rows: Vec<String>,
    whole: Vec<u8>,
}

const ROWS: &str = "generations.csv";

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let file = |entry: fs::DirEntry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap());
    entries.map(file).filter(|(name, _)| name != "lock").collect()
}

impl Template {
    fn new(settings: impl Into<Box<dyn RunSettings>>) -> Template {
        let settings = settings.into();
        let folder = tempfile::tempdir().unwrap();
        let mut job = RunJob::create(folder.path(), settings.clone(), &Pool::alone()).unwrap();
        for _ in 0..5 {
            while job.step(Budget::UNLIMITED.single()) == Status::Running && !job.is_between() {}
            job.rest();
        }
        let state = job.run().save(&Pool::alone());
        let files = files(folder.path());
        let rows = String::from_utf8(files[ROWS].clone()).unwrap().lines().skip(1).map(str::to_owned).collect();
        assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
        Template { settings, files, state, rows, whole: fs::read(folder.path().join(ROWS)).unwrap() }
    }

    /// Lists and shows a damaged folder, then resumes it.
    fn check(&self, name: &str, damage: &Damage) -> Result<(), TestCaseError> {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("run");
        fs::create_dir(&folder).unwrap();
        for (other, bytes) in &self.files {
            match (other == name).then(|| damage.done_to(bytes)) {
                None => fs::write(folder.join(other), bytes).unwrap(),
                Some(Some(damaged)) => fs::write(folder.join(other), damaged).unwrap(),
                Some(None) => {}
            }
        }
        let before = files(&folder);
        let began = Instant::now();
        run_dir::list(parent.path());
        let _ = RunReader::open(&folder);
        if let Ok(mut watching) = kinds::watch(&folder) {
            let _ = (watching.poll(), watching.is_finished());
        }
        prop_assert_eq!(files(&folder), before.clone(), "reading changes nothing");
        match kinds::resume(&folder, &Pool::alone()) {
            Err(error) => {
                prop_assert!(!error.to_string().is_empty());
                prop_assert_eq!(files(&folder), before, "{}", error);
                prop_assert!(!folder.join("lock").exists());
            }
            Ok((mut job, _)) => {
                prop_assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
                prop_assert_eq!(job.error(), None);
                prop_assert!(fs::read(folder.join(ROWS)).unwrap() == self.whole, "the result differs");
            }
        }
        prop_assert!(began.elapsed() < Duration::from_secs(60));
        Ok(())
    }

    /// Restores a modified state and continues: no panic, in bounded time.
    fn restore(&self, damage: &Damage) -> Result<(), TestCaseError> {
        let Some(state) = damage.done_to(&self.state) else { return Ok(()) };
        let began = Instant::now();
        if let Ok(mut run) = self.settings.restore(&state, Rows::in_memory(&self.rows)) {
            let _ = (run.view(), run.best(), run.save(&Pool::alone()));
            prop_assert_eq!(run.generation(), Some(4));
            while !matches!(run.advance(&Pool::alone(), Budget::UNLIMITED), Progress::Done) {}
        }
        prop_assert!(began.elapsed() < Duration::from_secs(60));
        Ok(())
    }
}

/// Damage to a file's bytes.
#[derive(Clone, Debug)]
enum Damage {
    Gone,
    Flipped(Vec<(prop::sample::Index, u8)>),
    Set(Vec<(prop::sample::Index, u8)>),
    Cut(prop::sample::Index),
    /// A copy of one piece inserted elsewhere.
    Copied(prop::sample::Index, prop::sample::Index, usize),
    /// One digit replaced by another, as in a forged result.
    Digit(prop::sample::Index, u8),
}

impl Damage {
    fn done_to(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut bytes = bytes.to_vec();
        if bytes.is_empty() {
            return Some(b"?".to_vec());
        }
        match self {
            Damage::Gone => return None,
            Damage::Flipped(bits) => {
                for (place, bit) in bits {
                    let place = place.index(bytes.len());
                    bytes[place] ^= 1 << (bit % 8);
                }
            }
            Damage::Set(places) => {
                for (place, value) in places {
                    let place = place.index(bytes.len());
                    bytes[place] = *value;
                }
            }
            Damage::Cut(at) => bytes.truncate(at.index(bytes.len())),
            Damage::Copied(from, to, count) => {
                let from = from.index(bytes.len());
                let piece = bytes[from..(from + count).min(bytes.len())].to_vec();
                let to = to.index(bytes.len());
                bytes.splice(to..to, piece);
            }
            Damage::Digit(nth, digit) => {
                let digits: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
                if !digits.is_empty() {
                    bytes[digits[nth.index(digits.len())]] = b'0' + digit;
                }
            }
        }
        Some(bytes)
    }
}

fn damage() -> impl Strategy<Value = Damage> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        1 => Just(Damage::Gone),
        4 => prop::collection::vec((index(), any::<u8>()), 1..4).prop_map(Damage::Flipped),
        3 => prop::collection::vec((index(), prop_oneof![Just(0), Just(0xff), Just(0x80), any::<u8>()]), 1..12).prop_map(Damage::Set),
        2 => index().prop_map(Damage::Cut),
        2 => (index(), index(), 1_usize..200).prop_map(|(from, to, count)| Damage::Copied(from, to, count)),
        4 => (index(), 0_u8..10).prop_map(|(nth, digit)| Damage::Digit(nth, digit)),
    ]
}

fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "run.toml",
        ROWS,
        "timings.csv",
        "checkpoint",
        "checkpoint.old",
        "best.txt",
        "mancalab.log",
    ])
}

static BREEDING: LazyLock<Template> = LazyLock::new(|| Template::new(breeding()));
static TUNING: LazyLock<Template> = LazyLock::new(|| Template::new(tuning()));
static PLAYING: LazyLock<Template> = LazyLock::new(|| Template::new(playing()));

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_folder_of_breeding_is_refused_or_gives_the_same_rows(name in name(), damage in damage()) {
        BREEDING.check(name, &damage)?;
    }

    #[test]
    fn a_damaged_folder_of_tuning_is_refused_or_gives_the_same_rows(name in name(), damage in damage()) {
        TUNING.check(name, &damage)?;
    }

    #[test]
    fn a_damaged_folder_of_a_tournament_is_refused_or_gives_the_same_rows(name in name(), damage in damage()) {
        PLAYING.check(name, &damage)?;
    }

    #[test]
    fn no_state_of_breeding_does_harm(damage in damage()) {
        BREEDING.restore(&damage)?;
    }

    #[test]
    fn no_state_of_tuning_does_harm(damage in damage()) {
        TUNING.restore(&damage)?;
    }

    #[test]
    fn no_state_of_a_tournament_does_harm(damage in damage()) {
        PLAYING.restore(&damage)?;
    }

    /// Bytes that are not a state.
    #[test]
    fn nonsense_is_no_state(state in prop::collection::vec(prop_oneof![Just(0xff), Just(0), any::<u8>()], 0..200)) {
        prop_assert!(BREEDING.settings.restore(&state, Rows::in_memory(&BREEDING.rows)).is_err());
        prop_assert!(TUNING.settings.restore(&state, Rows::in_memory(&TUNING.rows)).is_err());
        prop_assert!(PLAYING.settings.restore(&state, Rows::in_memory(&PLAYING.rows)).is_err());
    }
}

/// What a state must match, for each kind of run.
#[test]
fn a_state_of_other_rows_is_refused() {
    fn refused(template: &Template, rows: &[String], reason: &str) {
        let error = template.settings.restore(&template.state, Rows::in_memory(rows)).err().unwrap();
        assert!(error.to_string().contains(reason), "{error}");
    }
    let edited = |rows: &[String], row: usize| {
        let mut rows = rows.to_vec();
        let last = rows[row].pop().unwrap();
        rows[row].push(if last == '1' { '2' } else { '1' });
        rows
    };
    refused(&BREEDING, &BREEDING.rows[..4], "is of generation 4, but there are 4 rows");
    refused(&BREEDING, &edited(&BREEDING.rows, 4), "does not match generation 4");
    refused(&TUNING, &TUNING.rows[..4], "a later birth");
    refused(&TUNING, &edited(&TUNING.rows, 4), "does not match generation 4");
    let mut rows = BREEDING.rows.clone();
    rows[2] = "2,x".to_owned();
    refused(&BREEDING, &rows, "generations.csv, line 4: '2,x…' is not the row of generation 2");
    let mut rows = TUNING.rows.clone();
    rows.swap(1, 2);
    refused(&TUNING, &rows, "generations.csv, line 3: '2,");
}

/// A resumed run plays the opponent that it began with, or refuses.
#[test]
fn an_opponents_file_is_copied_and_a_changed_copy_refused() {
    let folder = tempfile::tempdir().unwrap();
    let opponent = folder.path().join("opponent.txt");
    fs::write(&opponent, "3\n").unwrap();
    let mut settings = breeding();
    settings.set_text(&format!("opponents = [\"program:{}\"]", opponent.display())).unwrap();
    let run = folder.path().join("run");
    let mut job = RunJob::create(&run, settings, &Pool::alone()).unwrap();
    while job.run().generation().is_none() {
        job.step(Budget::UNLIMITED.single());
    }
    drop(job);
    let resumed = || kinds::resume(&run, &Pool::alone());
    fs::write(&opponent, "4\n").unwrap();
    assert!(resumed().is_ok(), "the run reads its copy");
    let copy = run.join("files/1-opponent.txt");
    fs::write(&copy, "4\n").unwrap();
    let error = resumed().err().unwrap().to_string();
    assert!(error.contains("files/1-opponent.txt, the copy of ") && error.contains("was changed"), "{error}");
    fs::remove_file(&copy).unwrap();
    let error = resumed().err().unwrap().to_string();
    assert!(error.contains("cannot read ") && error.contains("files/1-opponent.txt"), "{error}");
    fs::write(&copy, "3\n").unwrap();
    let (mut job, notes) = resumed().unwrap();
    assert_eq!((job.step(Budget::UNLIMITED), notes.len()), (Status::Done, 0));
}

/// `tests/runs/gp_before_comments` was started, and stopped at the end of generation 31, by a version whose `run.toml`
/// had no comments on the settings.
#[test]
fn a_run_of_an_older_version_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let old = files(Path::new("tests/runs/gp_before_comments"));
    old.iter().for_each(|(name, bytes)| fs::write(folder.path().join(name), bytes).unwrap());
    let settings = kinds::watch(folder.path()).unwrap().settings().boxed();
    let (mut job, notes) = kinds::resume(folder.path(), &Pool::alone()).unwrap();
    assert_eq!((notes, job.run().generation()), (Vec::new(), Some(31)));
    assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
    drop(job);
    let new = files(folder.path());
    assert_eq!(new["run.toml"], old["run.toml"], "it is unchanged");
    assert!(new[ROWS].starts_with(&old[ROWS]));

    let whole = tempfile::tempdir().unwrap();
    let mut job = RunJob::create(whole.path(), settings, &Pool::alone()).unwrap();
    assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
    assert!(files(whole.path())[ROWS] == new[ROWS], "the rows are those of a run that was never stopped");

    // A changed setting is still refused by name, in the old file and in the new.
    for (from, to) in [("mutation = 60.0", "mutation = 61"), ("\"minimax:6\", ", "")] {
        let text = String::from_utf8(old["run.toml"].clone()).unwrap();
        fs::write(folder.path().join("run.toml"), text.replace(from, to)).unwrap();
        let refusal = kinds::resume(folder.path(), &Pool::alone()).err().unwrap();
        let key = if from.starts_with("mutation") { "mutation" } else { "opponents" };
        assert!(refusal.to_string().contains(&format!("`{key}` is ")), "{refusal}");
    }
    // An equal value written differently is accepted.
    let text = String::from_utf8(old["run.toml"].clone()).unwrap();
    let same = text.replace("60.0", "6e1").replace("[\"minimax:6\", \"2*programs:2\"]", "'minimax:6, 2*programs:2'");
    assert_ne!(same, text);
    fs::write(folder.path().join("run.toml"), same).unwrap();
    assert!(kinds::resume(folder.path(), &Pool::alone()).is_ok());
}
