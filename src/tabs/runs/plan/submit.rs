//! Computes a plan's units by a process of its own, which goes on when this program ends.

use std::fs::File;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{Duration, Instant};

use mancalab_base::{Error, bail};
use rustix::process::{Pid, Signal, kill_process};

use crate::cluster::engine::local;
use crate::cluster::layout::LOGS;
use crate::settings::string_enum;
use crate::threads;

/// The output of the process, in the plan's folder of logs.
const LOG: &str = "submit.log";
/// The time in which a process that cannot start usually ends.
const EARLY: Duration = Duration::from_millis(1500);
const LOOK: Duration = Duration::from_millis(50);

/// Who computes a plan's units.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::tabs::runs) enum Engine {
    #[default]
    Here,
    HyperQueue,
    Slurm,
    NotYet,
}
string_enum!(Engine { "here" => Here, "hyperqueue" => HyperQueue, "slurm" => Slurm, "not yet" => NotYet });

impl Engine {
    /// The value of `submit --engine`.
    fn flag(self) -> &'static str {
        match self {
            Engine::Here | Engine::NotYet => "local",
            Engine::HyperQueue => "hyperqueue",
            Engine::Slurm => "slurm",
        }
    }
}

/// A process that computes a plan; 0 after its end.
#[derive(Clone, Debug)]
pub(in crate::tabs::runs) struct Submitted {
    pub folder: PathBuf,
    process: Arc<AtomicI32>,
}

impl Submitted {
    pub fn is_running(&self) -> bool {
        self.process.load(Ordering::Relaxed) != 0
    }

    /// Asks the process to save its units and end.
    pub fn stop(&self) {
        if let Some(process) = Pid::from_raw(self.process.load(Ordering::Relaxed)) {
            // It may have ended by now.
            let _ = kill_process(process, Signal::INT);
        }
    }
}

/// Starts the process, and merges the plan once all units are done. Waits until it is likely to go on.
///
/// # Errors
/// It cannot be started, or ends at once: the last line of its output.
pub(in crate::tabs::runs) fn submit(folder: PathBuf, engine: Engine) -> Result<Submitted, Error> {
    let program = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let logs = folder.join(LOGS);
    std::fs::create_dir_all(&logs).map_err(Error::cannot("create", &logs))?;
    let log = logs.join(LOG);
    let output = File::create(&log).map_err(Error::cannot("write", &log))?;
    let errors = output.try_clone().map_err(Error::cannot("write", &log))?;
    let mut command = Command::new(&program);
    command.args(["plan", "submit"]).arg(&folder).args(["--engine", engine.flag()]);
    // Its own group: signals of this terminal do not reach it.
    command.stdin(Stdio::null()).stdout(output).stderr(errors).process_group(0);
    let mut child = command.spawn().map_err(|error| format!("cannot start {}: {error}", program.display()))?;
    if let Some(is_good) = early_end(&mut child) {
        if !is_good {
            bail!("the units cannot be computed: {}", local::last_line(&log));
        }
        merge(&program, &folder);
        return Ok(Submitted { folder, process: Arc::default() });
    }
    let process = Arc::new(AtomicI32::new(child.id() as i32));
    let shared = process.clone();
    let named = folder.clone();
    let wait = move || {
        let is_good = child.wait().is_ok_and(|status| status.success());
        shared.store(0, Ordering::Relaxed);
        if is_good && engine.flag() == "local" {
            merge(&program, &named);
        }
    };
    threads::spawn("submit", wait).map_err(|error| format!("cannot start a thread: {error}"))?;
    Ok(Submitted { folder, process })
}

/// Returns whether the process ended well, if it ended early.
fn early_end(child: &mut Child) -> Option<bool> {
    let until = Instant::now() + EARLY;
    while Instant::now() < until {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status.success());
        }
        std::thread::sleep(LOOK);
    }
    None
}

fn merge(program: &Path, folder: &Path) {
    let mut command = Command::new(program);
    command.args(["plan", "merge"]).arg(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // The page of the plan shows whether there are merged runs.
    let _ = command.status();
}
