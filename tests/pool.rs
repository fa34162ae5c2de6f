//! One pool for every kind of run: `--threads` sets the number of workers, and no result depends on it.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// Each kind of run with its arguments, small enough to run to its end.
const SMALL: &[(&str, &str)] = &[
    ("evolve", "mancala-gp-1 --seed 3 --population 24 --generations 2 --set opponents=[\"minimax:4\",\"mcts:50\"]"),
    ("tune", "kalah-thesis --seed 3 --set population=5 --set generations=2 --set depth=3 --set games=2"),
    (
        "train",
        "a3c-mixed --seed 3 --generations 2 --set rounds=3 --set hidden=8 --set panel=max --set panel_games=2 --set panel_every=1",
    ),
    ("match", "--players random,max,mcts:30 --games 4 --seed 3"),
    ("match", "heuristic:2:ties=random mcts:30 --games 12 --seed 3 --opening 2"),
    ("reproduce", "mancala-gp/figure10 --programs 40 --seed 3"),
    ("reproduce", "kalah-thesis/matches --games 4 --seed 3 --set opponents=random+max"),
    ("reproduce", "othello-gp/table2 --games 40 --seed 3"),
    ("reproduce", "othello-gp/evolve --seeds 1 --games 20 --set population=12 --set generations=1"),
];

/// The same kinds, with more work than any test waits for.
#[cfg(target_os = "linux")]
const LONG: &[(&str, &str)] = &[
    ("evolve", "mancala-gp-1 --seed 3"),
    ("tune", "kalah-thesis --seed 3"),
    ("match", "--players mcts:4000,minimax:8,heuristic:6 --games 1000 --seed 3"),
    ("match", "mcts:20000 minimax:9:ties=random --games 1000 --seed 3"),
    ("reproduce", "mancala-gp/figure10 --programs 100000 --seed 3"),
    ("reproduce", "kalah-thesis/table1 --games 1000 --seed 3"),
];

fn command(state: &Path, (name, arguments): (&str, &str), threads: usize) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mancalab"));
    command.env("XDG_STATE_HOME", state).env("XDG_CONFIG_HOME", state.join("config")).current_dir(state);
    command.arg(name).args(arguments.split(' ')).args(["--threads", &threads.to_string()]);
    command
}

/// Returns the results of a run: the files of its folder, if it has one, else its output.
fn message(run: (&str, &str), threads: usize) -> Vec<String> {
    let state = tempfile::tempdir().unwrap();
    let has_folder = ["evolve", "tune", "train", "match"].contains(&run.0);
    let mut command = command(state.path(), run, threads);
    if has_folder {
        command.args(["--out", "run"]);
    }
    let Output { status, stdout, stderr } = command.output().unwrap();
    assert!(status.success(), "{run:?}: {}", String::from_utf8_lossy(&stderr));
    let read = |name: &str| std::fs::read_to_string(state.path().join("run").join(name)).unwrap();
    if has_folder { ["generations.csv", "best.txt"].map(read).to_vec() } else { vec![untimed(&stdout)] }
}

/// Removes the line with the time.
fn untimed(out: &[u8]) -> String {
    let text = String::from_utf8_lossy(out);
    text.lines().filter(|line| !line.contains(" a move")).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_comes_out_does_not_depend_on_how_many_work() {
    for &run in SMALL {
        let one = message(run, 1);
        assert!(one.iter().all(|text| text.len() > 40), "{run:?}: {one:?}");
        for threads in [2, 8] {
            assert_eq!(message(run, threads), one, "{run:?} by {threads}");
        }
    }
}

/// Killed on drop.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(target_os = "linux")]
impl Running {
    /// Returns the names of the process's threads, and the processor time of each, in clock ticks.
    fn threads(&self) -> Vec<(String, u64)> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.0.id())).unwrap().flatten();
        let thread = |task: std::fs::DirEntry| {
            let stat = std::fs::read_to_string(task.path().join("stat")).ok()?;
            let (start, end) = (stat.find('(')?, stat.rfind(')')?);
            let ticks = stat[end + 2..].split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum();
            Some((stat[start + 1..end].to_owned(), ticks))
        };
        tasks.filter_map(thread).collect()
    }

    /// Returns the names of threads with substantial processor time, once together they have worked long enough for
    /// each to have had a share, and `count` threads of the pool have had one. Runs may start with single-threaded
    /// work.
    fn workers(&mut self, count: usize) -> Vec<String> {
        const LONG: u64 = 60;
        let began = std::time::Instant::now();
        loop {
            assert_eq!(self.0.try_wait().unwrap(), None, "it ended too early");
            assert!(began.elapsed() < std::time::Duration::from_secs(60), "{:?}", self.threads());
            let threads = self.threads();
            let together: u64 = threads.iter().map(|(_, ticks)| ticks).sum();
            let worked = threads.into_iter().filter(|(_, ticks)| *ticks >= 2).map(|(name, _)| name);
            let worked: Vec<String> = worked.collect();
            if together >= LONG && of_the_pool(&worked) >= count {
                return worked;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
}

#[cfg(target_os = "linux")]
fn of_the_pool(threads: &[String]) -> usize {
    threads.iter().filter(|name| name.starts_with("pool-")).count()
}

#[cfg(target_os = "linux")]
#[test]
fn as_many_work_as_were_asked_for_in_every_kind_of_run() {
    for &run in LONG {
        for count in [1, 3] {
            let state = tempfile::tempdir().unwrap();
            let mut command = command(state.path(), run, count);
            let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            let mut running = Running(child);
            // A pool of one has no threads of its own: the caller works.
            let pool = if count == 1 { 0 } else { count };
            let workers = running.workers(pool);
            let all: Vec<String> = running.threads().into_iter().map(|(name, _)| name).collect();
            assert_eq!(of_the_pool(&all), pool, "{run:?}: {workers:?}");
            assert!(count > 1 || workers == ["mancalab"], "{run:?}: {workers:?}");
        }
    }
}
