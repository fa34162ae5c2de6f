//! Default seeds: each run of a preset takes the first that is free, also where several processes start at once.

use std::collections::HashSet;
use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use super::Manifest;
use super::index::manifests;

/// Returns the default seed: the lowest one from 1 not in `seeds`, those of the saved runs of its preset. So two runs
/// with the same command differ, and names stay short.
pub fn next_seed(seeds: impl IntoIterator<Item = u64>) -> u64 {
    let taken: HashSet<u64> = seeds.into_iter().collect();
    (1..).find(|seed| !taken.contains(seed)).unwrap_or(1)
}

/// Maximum time of waiting for other processes that start runs.
const PATIENCE: Duration = Duration::from_secs(2);

/// Locks the start of runs until the returned file is dropped, so that processes that start together take different default seeds. Writes
/// nothing: the lock is that of a folder above `runs`. Returns `None` if others hold it for long, or no folder can be locked.
pub fn lock_to_start(runs: &Path) -> Option<File> {
    // The folder two above exists before the first run does. Where it does not, a process may lock it while another holds one above.
    let nearest = || runs.ancestors().skip(2).find(|folder| folder.is_dir());
    let deadline = Instant::now() + PATIENCE;
    loop {
        let place = nearest()?;
        let folder = File::open(place).ok()?;
        match flock(&folder, FlockOperation::NonBlockingLockExclusive) {
            // The process that held it may have created one below.
            Ok(()) if nearest() == Some(place) => return Some(folder),
            Ok(()) => {}
            Err(Errno::WOULDBLOCK | Errno::INTR) if Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(2));
            }
            Err(_) => return None,
        }
    }
}

/// Returns the seeds of a preset's runs in a folder.
pub fn seeds(runs: &Path, kinds: &[&str], preset: &str) -> Vec<u64> {
    let is_such = |manifest: &Manifest| kinds.contains(&manifest.kind.as_str()) && manifest.preset == preset;
    manifests(runs).map(|(_, manifest)| manifest).filter(is_such).map(|manifest| manifest.seed).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::settings;
    use super::*;
    use crate::RunJob;
    use crate::pool::Pool;

    #[test]
    fn a_run_without_a_seed_of_its_own_gets_the_first_that_is_free() {
        assert_eq!([next_seed([]), next_seed([2, 7]), next_seed([3, 1, 2, 2])], [1, 1, 4]);
        let parent = tempfile::tempdir().unwrap();
        drop(RunJob::create(&parent.path().join("one"), settings(), &Pool::alone()).unwrap());
        assert_eq!(seeds(parent.path(), &["sums"], "plain"), [7]);
        assert_eq!(
            (seeds(parent.path(), &["sums"], "other"), seeds(parent.path(), &["gp"], "plain")),
            (vec![], vec![])
        );
    }
}
