//! A run of sums through every possible end; external changes to its files are in `disturbed`.

mod conducted;
mod disturbed;
mod endings;
mod fuzz;
mod individuals;

use mancalab_base::{Error, bail};
use std::fs::OpenOptions;
use std::io::Write as _;

use std::fs;

use super::*;
use crate::budget::{Budget, Job, Status};
use crate::conduct::Conduct;
use crate::pool::Pool;
use crate::settings::{Diagnostic, Field, KeyedSettings, Table};
use crate::{Form, Progress, Row, Run, RunJob, RunReader, RunSettings, RunWatcher, View, Watched};

/// Adds its seed, once per generation.
pub(super) struct Sums {
    settings: Manifest,
    sum: u64,
    generation: Option<u64>,
}

const ROWS_OF_TEN: &str = "generation,sum\n0,0\n1,7\n2,14\n3,21\n4,28\n5,35\n6,42\n7,49\n8,56\n9,63\n10,70\n";

/// Settings of such runs.
#[derive(Clone)]
pub(super) struct SumsSettings(pub Manifest, pub Conduct);

pub(super) const FORMS: &[Form] = &[Form {
    kind: "sums",
    format: 3,
    timing_columns: "generation,seconds",
    free: &[],
    curve: Some("sum"),
    read: SumsSettings::read,
}];

impl SumsSettings {
    fn read(manifest: &Manifest, table: &Table<'_>, problems: &mut Vec<Diagnostic>) -> Box<dyn RunSettings> {
        let mut conduct = Conduct::default();
        for value in table.entries() {
            let read = match provenance::CONDUCT.contains(&value.key()) {
                true => conduct.take(&value),
                false => value.flag().map(drop),
            };
            problems.extend(read.err());
        }
        SumsSettings(manifest.clone(), conduct).into()
    }
}

impl KeyedSettings for SumsSettings {
    fn fields(&self) -> Vec<Field> {
        Vec::new()
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), Error> {
        self.1.set(key, value)
    }

    fn to_text(&self) -> String {
        "odd = true\n".to_owned() + &self.1.to_text()
    }
}

impl RunSettings for SumsSettings {
    fn boxed(&self) -> Box<dyn RunSettings> {
        self.clone().into()
    }

    fn form(&self) -> Form {
        FORMS[0]
    }

    fn manifest(&self) -> Manifest {
        self.0.clone()
    }

    fn columns(&self) -> &'static str {
        "generation,sum"
    }

    fn individual_columns(&self) -> Option<&'static str> {
        Some("generation,rank,text")
    }

    fn conduct(&self) -> Conduct {
        self.1
    }

    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    fn extended(&self, generations: u64) -> Result<Box<dyn RunSettings>, Error> {
        Ok(SumsSettings(Manifest { generations, ..self.0.clone() }, self.1).into())
    }

    fn start_unmeasured(&self) -> Result<Box<dyn Run>, Error> {
        Ok(Box::new(Sums { settings: self.0.clone(), sum: 0, generation: None }))
    }

    fn restore_unmeasured(&self, state: &[u8], rows: Rows<'_>) -> Result<Box<dyn Run>, Error> {
        let text = String::from_utf8_lossy(state);
        let (at, sum) = text.split_once(' ').ok_or("no space")?;
        let at = at.parse().map_err(|_| "no number")?;
        let sum = sum.parse().map_err(|_| "no number")?;
        if u64::checked_add(at, 1) != Some(rows.count()) {
            bail!("it is of another generation");
        }
        let mut newest = String::new();
        rows.each(|row| {
            row.clone_into(&mut newest);
            Ok(())
        })?;
        if newest != format!("{at},{sum}") {
            bail!("it is of another row");
        }
        Ok(Box::new(Sums { settings: self.0.clone(), sum, generation: Some(at) }))
    }

    fn watch_unmeasured(&self) -> Box<dyn Watched> {
        Box::new(Vec::<String>::new())
    }
}

impl Run for Sums {
    /// Two per generation, the second with a comma, quotes and a line break.
    fn individuals(&self) -> String {
        let at = self.generation.unwrap();
        format!("{at},1,{}\n{at},2,\"a, \"\"{}\"\"\n3,b\"", self.sum, self.sum)
    }

    fn advance(&mut self, _: &Pool, _: Budget) -> Progress {
        if self.generation == Some(self.settings.generations) {
            return Progress::Done;
        }
        if let Some(at) = self.generation {
            self.sum += self.settings.seed;
            self.generation = Some(at + 1);
        } else {
            self.generation = Some(0);
        }
        let at = self.generation.unwrap();
        Progress::Generation(Row { values: format!("{at},{}", self.sum), timings: format!("{at},0.1") })
    }

    fn generation(&self) -> Option<u64> {
        self.generation
    }

    fn is_over(&self) -> bool {
        self.generation >= Some(self.settings.generations)
    }

    fn save(&self, _: &Pool) -> Vec<u8> {
        format!("{} {}", self.generation.unwrap(), self.sum).into_bytes()
    }

    fn best(&self) -> String {
        format!("# sum {}\n", self.sum)
    }

    fn view(&self) -> View {
        View::new(self.sum)
    }
}

/// Rows with timings after them.
impl Watched for Vec<String> {
    fn row(&mut self, row: &str) -> Result<(), Error> {
        self.push(row.to_owned());
        Ok(())
    }

    fn timing(&mut self, row: &str) {
        self.push(format!("timing {row}"));
    }
}

pub(super) fn settings() -> SumsSettings {
    SumsSettings(manifest(), Conduct::default())
}

pub(super) fn manifest() -> Manifest {
    Manifest::new("sums", "plain", 7, 10)
}

pub(super) fn steps(job: &mut RunJob, count: u32) {
    for _ in 0..count {
        job.step(Budget::UNLIMITED.single());
    }
}

/// A run stopped at the end of generation 5, with a checkpoint of generation 3 before that.
fn stopped() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut job = RunJob::create(folder.path(), settings(), &Pool::alone()).unwrap();
    steps(&mut job, 4);
    job.rest();
    steps(&mut job, 2);
    drop(job);
    folder
}

/// The rows that another process's run has shown.
fn rows_seen(watcher: &RunWatcher) -> &Vec<String> {
    watcher.seen().get().unwrap()
}

fn resume(folder: &Path) -> Result<(RunJob, Vec<String>), Error> {
    RunJob::resume(folder, FORMS, &Pool::alone())
}

/// Resumes and runs to the end: the rows must be those of a run without interruption.
fn finish(folder: &Path) -> Vec<String> {
    let (mut job, notes) = resume(folder).unwrap();
    assert_eq!(job.step(Budget::UNLIMITED), Status::Done);
    assert_eq!(job.error(), None);
    assert_eq!(fs::read_to_string(folder.join(ROWS)).unwrap(), ROWS_OF_TEN);
    notes
}

fn refusal(folder: &Path) -> String {
    let before = snapshot(folder);
    let error = resume(folder).err().unwrap();
    assert_eq!(snapshot(folder), before, "a refusal changes nothing");
    error.to_string()
}

fn snapshot(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
        .into_iter()
        .filter(|path| !path.ends_with("lock"))
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect()
}

#[test]
fn a_run_continues_where_it_was_stopped() {
    let folder = stopped();
    assert_eq!(finish(folder.path()), [] as [String; 0]);
    assert_eq!(finish(folder.path()), [] as [String; 0], "a finished run is finished again");
    assert_eq!(fs::read_to_string(folder.path().join(BEST)).unwrap(), "# sum 70\n");
    assert!(fs::read_to_string(folder.path().join(LOG)).unwrap().contains("resumed from the end of generation 5"));
}

#[test]
fn rows_behind_the_checkpoint_are_computed_again() {
    let folder = stopped();
    for torn in ["6,42\n7,4", "6,42\n", "6"] {
        let mut file = OpenOptions::new().append(true).open(folder.path().join(ROWS)).unwrap();
        file.write_all(torn.as_bytes()).unwrap();
        let (job, notes) = resume(folder.path()).unwrap();
        let expected = if torn == "6" {
            &[][..]
        } else {
            &["generations 6 to 6 came after the checkpoint and are computed again"]
        };
        assert_eq!(
            (job.run().generation(), notes.iter().map(String::as_str).collect::<Vec<_>>().as_slice()),
            (Some(5), expected)
        );
        drop(job);
        assert!(ROWS_OF_TEN.starts_with(&fs::read_to_string(folder.path().join(ROWS)).unwrap()));
    }
    finish(folder.path());
}

#[test]
fn without_a_checkpoint_it_begins_again() {
    let folder = stopped();
    fs::remove_file(folder.path().join("checkpoint")).unwrap();
    fs::remove_file(folder.path().join("checkpoint.old")).unwrap();
    finish(folder.path());
}

#[test]
fn a_run_that_ended_in_its_first_moments_can_be_resumed() {
    for blank in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(RUN), manifest().to_text("odd = true\n")).unwrap();
        if blank {
            fs::write(folder.path().join(ROWS), "").unwrap();
        }
        finish(folder.path());
    }
}

#[test]
fn a_damaged_checkpoint_falls_back_to_the_one_before() {
    for damage in [&b""[..], b"nonsense", b"mancalab checkpoint 3 sums 3 5 running 0 4 0000000000000000 0\n5 35"] {
        let folder = stopped();
        fs::write(folder.path().join("checkpoint"), damage).unwrap();
        let notes = finish(folder.path());
        assert!(notes[0].contains("checkpoint is "), "{notes:?}");
    }
    let folder = stopped();
    let path = folder.path().join("checkpoint");
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let whole = bytes.len() - (bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1);
    let message = format!("is damaged: it holds {} bytes of {whole}", whole - 1);
    assert!(finish(folder.path())[0].ends_with(&message));
}

#[test]
fn what_cannot_be_read_is_refused_by_name_and_left_alone() {
    let folder = stopped();
    let path = |name: &str| folder.path().join(name);
    let (checkpoint, old) = (fs::read(path("checkpoint")).unwrap(), fs::read(path("checkpoint.old")).unwrap());
    fs::write(path("checkpoint"), "x").unwrap();
    fs::write(path("checkpoint.old"), "y").unwrap();
    let error = refusal(folder.path());
    assert!(error.contains("checkpoint is no checkpoint; ") && error.contains("restore it from a copy"), "{error}");

    fs::write(path("checkpoint.old"), &old).unwrap();
    let line = format!("mancalab checkpoint 5 sums 4 5 running 0 0 {:016x}", crate::codec::joined(&[b"", b""]));
    let newer = format!("{line} {:016x}\n", crate::codec::checksum(line.as_bytes()));
    for newer in ["mancalab checkpoint 9 what ever\n", &newer] {
        fs::write(path("checkpoint"), newer).unwrap();
        assert!(refusal(folder.path()).contains("checkpoint was written by a newer version of mancalab"));
    }
    fs::write(path("checkpoint"), &checkpoint).unwrap();

    let rows = fs::read_to_string(path(ROWS)).unwrap();
    fs::write(path(ROWS), rows.replace("3,21", "4,21")).unwrap();
    assert!(refusal(folder.path()).contains("generations.csv: line 5 is '4,21…', not generation 3"));
    fs::write(path(ROWS), rows.replace("sum", "total")).unwrap();
    assert!(refusal(folder.path()).contains("generations.csv: line 1 is not the header"));
    fs::write(path(ROWS), "generation,sum\n0,0\n").unwrap();
    assert!(refusal(folder.path()).contains("checkpoint is of generation 5, but generations.csv ends before its row"));
    fs::write(path(ROWS), &rows).unwrap();

    let run = fs::read_to_string(path(RUN)).unwrap();
    fs::write(path(RUN), run.replace("seed = 7", "seed = -7")).unwrap();
    assert!(refusal(folder.path()).contains("a whole number from 0"));
    fs::write(path(RUN), run.replace("seed = 7\n", "")).unwrap();
    assert!(refusal(folder.path()).contains("`seed` is missing"));
    fs::write(path(RUN), run.replace("\"sums\"", "\"ga\"")).unwrap();
    assert!(refusal(folder.path()).contains("is a run of kind 'ga', not 'sums'"));
    fs::write(path(RUN), run).unwrap();
    finish(folder.path());
}

#[test]
fn a_folder_with_a_run_is_not_begun_again_and_a_run_has_one_writer() {
    let folder = stopped();
    let again = || RunJob::create(folder.path(), settings(), &Pool::alone()).err().unwrap();
    assert!(again().to_string().contains("already holds a run (run.toml); resume it with: mancalab runs resume"));
    let (job, _) = resume(folder.path()).unwrap();
    assert!(resume(folder.path()).err().unwrap().to_string().contains(&format!("process {}", std::process::id())));
    drop(job);
    finish(folder.path());
}

#[test]
fn timings_that_cannot_be_read_are_put_aside() {
    let folder = stopped();
    fs::write(folder.path().join(TIMINGS), "other\n").unwrap();
    assert!(finish(folder.path())[0].contains("timings.csv.old"));
    assert_eq!(fs::read_to_string(folder.path().join("timings.csv.old")).unwrap(), "other\n");
}

#[test]
fn a_reader_follows_a_writer() {
    let runs = tempfile::tempdir().unwrap();
    let folder = free_folder(runs.path(), "plain");
    let mut job = RunJob::create(&folder, settings(), &Pool::alone()).unwrap();
    let mut watcher = RunWatcher::open(&folder, FORMS).unwrap();
    assert_eq!((watcher.generation(), watcher.columns()), (None, "generation,sum"));
    assert!(watcher.reader().writer().unwrap().contains(&std::process::id().to_string()));
    steps(&mut job, 3);
    assert!(watcher.poll().unwrap());
    assert!(!watcher.poll().unwrap());
    let rows = ["0,0", "1,7", "2,14", "timing 0,0.1", "timing 1,0.1", "timing 2,0.1"];
    assert_eq!((watcher.generation(), &rows_seen(&watcher)[..]), (Some(2), &rows.map(str::to_owned)[..]));
    assert_eq!(watcher.reader().checkpoint(), None);
    assert!(matches!(&list(runs.path())[0].state, EntryState::Running(_)));
    job.rest();
    steps(&mut job, 2);
    // As after a kill: the newest two rows are removed and computed again.
    std::mem::forget(std::mem::replace(&mut job, RunJob::in_memory(settings(), &Pool::alone()).unwrap()));
    watcher.poll().unwrap();
    assert_eq!(watcher.generation(), Some(4));
    // Each row was read once.
    assert_eq!(rows_seen(&watcher).len(), 10);
    let killed = &list(runs.path())[0];
    assert_eq!((killed.generation, killed.saved_generation, &killed.best[..]), (Some(4), Some(2), "sum 14"));
    let path = folder.join(ROWS);
    fs::write(&path, &fs::read(&path).unwrap()[.."generation,sum\n0,0\n1,7\n2,14\n3".len()]).unwrap();
    assert!(watcher.poll().unwrap());
    assert_eq!((watcher.generation(), watcher.reader().checkpoint().unwrap().0), (Some(2), 2));
    assert_eq!(&rows_seen(&watcher)[..3], ["0,0", "1,7", "2,14"]);
    assert_eq!((watcher.best(), watcher.settings().manifest()), (Some("# sum 14\n"), manifest()));
    let run = fs::read_to_string(folder.join(RUN)).unwrap();
    fs::write(folder.join(RUN), run.replace("seed = 7", "seed = 8")).unwrap();
    assert!(watcher.poll().unwrap_err().to_string().contains("run.toml is another than it was; open the run again"));
    assert!(RunReader::open(runs.path()).unwrap_err().to_string().contains("holds no run"));
}

#[test]
fn runs_are_listed() {
    let runs = tempfile::tempdir().unwrap();
    assert_eq!(free_folder(runs.path(), "plain"), runs.path().join("plain"));
    let mut job = RunJob::create(&runs.path().join("plain"), settings(), &Pool::alone()).unwrap();
    assert_eq!(free_folder(runs.path(), "plain"), runs.path().join("plain-2"));
    steps(&mut job, 3);
    drop(job);
    fs::create_dir(runs.path().join("broken")).unwrap();
    fs::write(runs.path().join("broken/run.toml"), "kind = 3").unwrap();
    let entries = list(runs.path());
    let states: Vec<(&str, Option<u64>, &str)> =
        entries.iter().map(|entry| (&entry.name[..], entry.generation, &entry.best[..])).collect();
    assert_eq!(states, [("plain", Some(2), "sum 14"), ("broken", None, "")]);
    assert_eq!(entries[0].state, EntryState::Stopped);
    assert!(matches!(&entries[1].state, EntryState::Damaged(reason) if reason.contains("run.toml:1")));
    finish(&runs.path().join("plain"));
    assert_eq!(list(runs.path()).iter().find(|entry| entry.name == "plain").unwrap().state, EntryState::Finished);
    assert_eq!(list(&runs.path().join("none")), []);
}

#[test]
fn the_processes_that_computed_a_run_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    drop(RunJob::create(&run, settings(), &Pool::alone()).unwrap());
    drop(resume(&run).unwrap());
    let read = processes::read(&run).unwrap();
    assert_eq!(read.len(), 1, "the same process is listed once");
    let of = |key: &str| read[0][key].as_str().unwrap().to_owned();
    assert_eq!((of("threads"), of("version")), ("1".to_owned(), env!("CARGO_PKG_VERSION").to_owned()));
    assert_eq!(of("binary").len(), 16);
    RunJob::resume(&run, FORMS, &Pool::new(2)).unwrap();
    assert_eq!(processes::read(&run).unwrap().len(), 2);
    fs::write(run.join(processes::FILE), "odd [").unwrap();
    assert!(processes::read(&run).unwrap_err().to_string().contains("provenance.toml is not valid"));
}

#[test]
fn rows_are_verified_by_computing_them_again() {
    use crate::verify::{Difference, verify};
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let mut job = RunJob::create(&run, settings(), &Pool::alone()).unwrap();
    job.step(Budget::UNLIMITED);
    drop(job);
    let verified = |most: u64| verify(&run, FORMS, most, &Pool::alone(), |_, _| true).unwrap();
    let all = verified(u64::MAX);
    assert_eq!((all.compared, all.rows, all.difference), (11, 11, None));
    assert_eq!(verified(4).compared, 4);
    assert!(verify(&run, FORMS, 9, &Pool::alone(), |done, _| done < 2).unwrap().is_stopped);
    fs::write(run.join(ROWS), ROWS_OF_TEN.replace("5,35", "5,36")).unwrap();
    let [column, saved, computed] = ["sum", "36", "35"].map(str::to_owned);
    let wrong = verified(u64::MAX);
    assert_eq!((wrong.compared, wrong.difference), (6, Some(Difference { row: 5, column, saved, computed })));
    assert_eq!(verified(5).difference, None);
}
