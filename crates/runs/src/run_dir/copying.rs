//! Copies of a run's folder, from which the run can be resumed.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::{BEST, Manifest, ROWS, RUN, TIMINGS, checkpoint, inputs, processes};
use crate::confined;
use crate::files::{self, Kind};

/// The files that a run is resumed from, in an order for copying while it is written: the checkpoint before the rows,
/// since rows after the checkpoint are cut off.
const SAVED: [&str; 7] = [RUN, checkpoint::FILE, checkpoint::OLD, ROWS, TIMINGS, BEST, processes::FILE];

/// Copies everything that the run in `from` is resumed from into the new folder `to`.
///
/// # Errors
/// The system's error.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    confined::create_folders(to)?;
    let (manifest, ()) = Manifest::read(from, |_, _, _| ()).map_err(io::Error::other)?;
    let inputs = manifest.files.keys().map(|name| Path::new(inputs::FILES).join(name));
    if !manifest.files.is_empty() {
        confined::create_folders(&to.join(inputs::FILES))?;
    }
    for name in SAVED.map(PathBuf::from).into_iter().chain(inputs) {
        let Some(file) = files::if_there(files::open(&from.join(&name)))? else { continue };
        let mut copy = File::options();
        let mut copy = files::open_with(copy.write(true).create(true).truncate(true), &to.join(&name))?;
        io::copy(&mut file.take(Kind::Checkpoint.most()), &mut copy)?;
    }
    Ok(())
}
