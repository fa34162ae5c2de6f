//! How a plan's units are given to the engines that run array jobs: which files such an engine wants, which commands hand them over,
//! and how a person follows and cancels what was handed over.
//!
//! Text in, text out: nothing here opens a file or starts a program, so that what an engine is told can be shown before it is done
//! (`Steps::shown`) and read in tests.

mod hyperqueue;
pub mod local;
mod slurm;

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

/// So many seconds a unit waits for a result that the engine says is there: a folder on the network may show it late.
const WAIT: u32 = 60;

/// The units that are to be computed, and how.
///
/// Paths are texts because job files are: a path that is not UTF-8 cannot be written in one.
#[derive(Clone, Copy)]
pub struct Submission<'a> {
    /// The absolute path of this program, the same on every machine that computes.
    pub program: &'a str,
    /// The absolute path of the plan's folder, the same on every machine that computes.
    pub plan: &'a str,
    /// What the engine's lists call the job.
    pub name: &'a str,
    /// Threads of a unit, at least 1; as many processors are asked for.
    pub threads: u32,
    /// The numbers of the units that are not done yet, ascending.
    pub units: &'a [u32],
    /// The units whose results a unit reads; all of them have lower numbers than it. Those not in `units` are done.
    pub needs: &'a dyn Fn(u32) -> Vec<u32>,
    /// Further arguments of the engine's command, as a person gave them.
    pub extra: &'a [String],
}

impl Submission<'_> {
    /// The units in waves, each ascending: those of a wave need units of the waves before it at most. One wave if none needs another.
    fn waves(&self) -> Vec<Vec<u32>> {
        let mut wave_of: HashMap<u32, usize> = HashMap::with_capacity(self.units.len());
        let mut waves: Vec<Vec<u32>> = Vec::new();
        for &unit in self.units {
            let before = (self.needs)(unit).iter().filter_map(|need| wave_of.get(need).copied()).max();
            let wave = before.map_or(0, |wave| wave + 1);
            wave_of.insert(unit, wave);
            if waves.len() <= wave {
                waves.resize(wave + 1, Vec::new());
            }
            waves[wave].push(unit);
        }
        waves
    }
}

/// The engines that a plan can be handed to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    HyperQueue,
    Slurm,
}

impl Engine {
    /// What is to be done so that the engine computes the units: nothing if there are none.
    pub fn steps(self, submission: &Submission) -> Steps {
        match self {
            _ if submission.units.is_empty() => Steps { folders: vec![], files: vec![], calls: vec![] },
            Engine::HyperQueue => hyperqueue::steps(submission),
            Engine::Slurm => slurm::steps(submission),
        }
    }

    /// The number of the job in what the engine's command printed when it took the job; `None` if there is none in it.
    pub fn job(self, printed: &str) -> Option<&str> {
        // Slurm adds `;CLUSTER` where there are several clusters.
        let line = printed.lines().map(str::trim).rfind(|line| !line.is_empty())?;
        let number = line.split(';').next().unwrap_or(line);
        (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
    }

    /// Commands by which a person follows these jobs, a line each: command, two blanks and more, what it shows.
    pub fn following(self, jobs: &[String]) -> String {
        match self {
            Engine::HyperQueue => hyperqueue::following(jobs),
            Engine::Slurm => slurm::following(jobs),
        }
    }

    /// The command by which a person cancels these jobs.
    pub fn cancelling(self, jobs: &[String]) -> String {
        match self {
            Engine::HyperQueue => hyperqueue::cancelling(jobs),
            Engine::Slurm => slurm::cancelling(jobs),
        }
    }
}

/// What hands units to an engine, in this order: folders made, files written, commands run one after the other.
#[derive(PartialEq, Eq, Debug)]
pub struct Steps {
    /// Folders that have to be there.
    pub folders: Vec<String>,
    pub files: Vec<File>,
    pub calls: Vec<Call>,
}

/// A file to write.
#[derive(PartialEq, Eq, Debug)]
pub struct File {
    pub path: String,
    pub text: String,
}

/// A command to run. It prints the number of the job that it made ([`Engine::job`]).
#[derive(PartialEq, Eq, Debug)]
pub struct Call {
    words: Vec<Word>,
}

/// An argument of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Word {
    Text(String),
    /// A text, then the numbers of the jobs that these calls made, which is known once they have run; with `:` between them.
    Jobs(String, Vec<usize>),
}

impl From<&str> for Word {
    fn from(text: &str) -> Word {
        Word::Text(text.to_owned())
    }
}

impl Call {
    /// The program and its arguments. `jobs` are the numbers of the jobs that the calls before this one made, in their order.
    pub fn words(&self, jobs: &[String]) -> Vec<String> {
        let word = |word: &Word| match word {
            Word::Text(text) => text.clone(),
            Word::Jobs(text, calls) => {
                let numbers: Vec<&str> = calls.iter().map(|call| jobs[*call].as_str()).collect();
                text.clone() + &numbers.join(":")
            }
        };
        self.words.iter().map(word).collect()
    }

    /// The command as a line of sh, in which `$job0` stands for the number of the first call's job.
    fn shown(&self) -> String {
        let word = |word: &Word| match word {
            Word::Text(text) => quoted(text),
            Word::Jobs(text, calls) => {
                let numbers: Vec<String> = calls.iter().map(|call| format!("$job{call}")).collect();
                quoted(text) + &numbers.join(":")
            }
        };
        self.words.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    fn waits_for(&self) -> impl Iterator<Item = usize> {
        let calls = |word: &Word| match word {
            Word::Text(_) => Vec::new(),
            Word::Jobs(_, calls) => calls.clone(),
        };
        self.words.iter().flat_map(calls)
    }
}

impl Steps {
    /// All of it for reading: for each file a line `# FILE path` and its text, then the commands, each a line that begins with `$ `. What
    /// follows `$ ` on these lines is sh, and does by hand what submitting does.
    pub fn shown(&self) -> String {
        let mut text = String::new();
        for file in &self.files {
            let _ = write!(text, "# FILE {}\n{}", file.path, file.text);
        }
        if !self.folders.is_empty() {
            let folders: Vec<String> = self.folders.iter().map(|folder| quoted(folder)).collect();
            let _ = writeln!(text, "$ mkdir -p {}", folders.join(" "));
        }
        let waited_for: HashSet<usize> = self.calls.iter().flat_map(Call::waits_for).collect();
        for (at, call) in self.calls.iter().enumerate() {
            let _ = match waited_for.contains(&at) {
                true => writeln!(text, "$ job{at}=$({})", call.shown()),
                false => writeln!(text, "$ {}", call.shown()),
            };
        }
        text
    }
}

/// A word of a command as sh reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=+:,./%@".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// Ascending numbers as ranges: `0-3,7`.
fn ranges(numbers: &[u32]) -> String {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    let range = |run: &[u32]| match run {
        [first, .., last] => format!("{first}-{last}"),
        _ => run[0].to_string(),
    };
    runs.map(range).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests;
