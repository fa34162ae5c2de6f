//! What is checked before a run's folder is written again: that it is still the same, and that nobody else has changed it.

use mancalab_base::{Error, bail};

use super::{RUN, RunDir, provenance};
use crate::files::{self, Kind};
use crate::sanitize;

impl RunDir {
    /// Checks that the folder is in place and its lock is held: otherwise another process may write a run there.
    pub(super) fn check_place(&self) -> Result<(), Error> {
        let folder = sanitize::path(self.folder());
        let holds = self.lock.holds().map_err(Error::cannot("look at", self.folder()))?;
        let what = match (self.held.is_in_place(), holds) {
            (true, true) => return Ok(()),
            (true, false) => "the file lock was deleted or replaced, so another process may write this run",
            (false, true) => "it was moved while the run was written; resume it where it is now",
            (false, false) => "it was deleted while the run was written",
        };
        Err(format!("{folder}: {what}; nothing more was written").into())
    }

    pub(super) fn check_run(&self) -> Result<(), Error> {
        let path = self.held.path_of(RUN);
        let read = files::if_there(self.held.read(RUN, Kind::Document)).map_err(Error::cannot("read", &path))?;
        let Some(now) = read else {
            self.put(RUN, &self.run)?;
            self.note("run.toml was deleted; it was put back");
            return Ok(());
        };
        if now == self.run {
            return Ok(());
        }
        let path = sanitize::path(&path);
        match provenance::change_of_files(&self.run, &now, self.run_inputs.free) {
            Ok(None) => Ok(()),
            Ok(Some(change)) => {
                Err(format!("{path} was changed while the run was written: {change}; restore it").into())
            }
            Err(()) => Err(format!("{path} was changed while the run was written, and is no run's any more").into()),
        }
    }

    pub(super) fn check_rows(&self) -> Result<(), Error> {
        for file in std::iter::once(&self.rows).chain(&self.individuals) {
            if !file.is_own(&self.held).map_err(Error::cannot("look at", file.path()))? {
                let path = sanitize::path(file.path());
                bail!("{path} was changed, replaced or deleted while the run was written; restore it");
            }
        }
        Ok(())
    }
}
