//! Which attempts of other machines are alive: those whose marks are touched.
//!
//! Clocks of machines differ. What counts is therefore whether a mark's time changes, not which time it is; the first look alone
//! has only its age.

use std::collections::HashMap;
use std::path::Path;
use std::time::{Instant, SystemTime};

use super::layout::AttemptId;
use super::unit::{DEAD_AFTER, is_alive, touched};

/// The marks of running attempts of other machines, as they were when last read.
#[derive(Default)]
pub(super) struct Beats(HashMap<String, Beat>);

struct Beat {
    touched: SystemTime,
    /// When this time was first read; `None` if it was too old at the first look.
    since: Option<Instant>,
}

impl Beats {
    /// Returns whether an attempt with a mark of a running one is alive: on this machine by its process, elsewhere by its mark.
    pub fn is_alive(&mut self, plan: &Path, id: &AttemptId, now: Instant) -> bool {
        if let Some(is_alive) = id.is_alive_here() {
            return is_alive;
        }
        let Some(touched) = touched(plan, id) else { return false };
        let first = || Beat { touched, since: is_alive(plan, id).then_some(now) };
        let beat = self.0.entry(id.name()).or_insert_with(first);
        if beat.touched != touched {
            *beat = Beat { touched, since: Some(now) };
        }
        beat.since.is_some_and(|since| now.duration_since(since) < DEAD_AFTER)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::Duration;

    use super::super::layout::{self, Mark};
    use super::*;

    /// The clock of the other machine is an hour behind.
    #[test]
    fn a_mark_that_is_touched_is_alive_whatever_its_time() {
        let folder = tempfile::tempdir().unwrap();
        let id = AttemptId { host: "elsewhere".to_owned(), ..AttemptId::own(1) };
        let mark = layout::mark(folder.path(), &id, Mark::Run);
        crate::files::write_whole(&mark, b"").unwrap();
        let behind = SystemTime::now() - Duration::from_secs(3600);
        let touch = |seconds| {
            let file = File::options().write(true).open(&mark).unwrap();
            file.set_modified(behind + Duration::from_secs(seconds)).unwrap();
        };
        touch(0);
        let mut beats = Beats::default();
        let began = Instant::now();
        let mut is_alive = |seconds| beats.is_alive(folder.path(), &id, began + Duration::from_secs(seconds));
        assert!(!is_alive(0) && !is_alive(2), "nothing but its age is known");
        touch(5);
        assert!(is_alive(5) && is_alive(60));
        touch(70);
        assert!(is_alive(70) && is_alive(129) && !is_alive(131));
        std::fs::remove_file(&mark).unwrap();
        assert!(!is_alive(132));
    }
}
