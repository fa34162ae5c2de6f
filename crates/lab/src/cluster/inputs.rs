//! The files that a plan's players are read from, copied into the plan, so that a unit needs nothing from elsewhere.

use mancalab_base::Error;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::layout::FILES;
use super::manifest::Copied;
use crate::codec::checksum;
use crate::files::{self, Kind};
use crate::sanitize;

/// Copies the files with these names into a plan's folder; gives them by the names of the copies.
///
/// # Errors
/// A file cannot be read or copied: which.
pub(crate) fn copy(names: &BTreeSet<PathBuf>, plan: &Path) -> Result<BTreeMap<String, Copied>, Error> {
    let one = |(number, path): (usize, &PathBuf)| {
        let named =
            path.to_str().ok_or_else(|| format!("{} is not UTF-8, which a plan must be", sanitize::path(path)))?;
        let bytes = files::read(path, Kind::Program).map_err(Error::cannot("read", path))?;
        let own = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let plain: String = own
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' })
            .take(100)
            .collect();
        let name = format!("{}-{plain}", number + 1);
        let to = plan.join(FILES).join(&name);
        files::write_atomic(&to, &bytes).map_err(Error::cannot("write", &to))?;
        Ok((name, Copied { sum: checksum(&bytes), named: named.to_owned() }))
    };
    names.iter().enumerate().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_copied_by_plain_names() {
        let folder = tempfile::tempdir().unwrap();
        let weights = folder.path().join("my weights.toml");
        std::fs::write(&weights, "x").unwrap();
        let copies = copy(&BTreeSet::from([weights.clone()]), &folder.path().join("plan")).unwrap();
        assert_eq!(copies["1-my_weights.toml"].named, weights.to_str().unwrap());
        assert_eq!(std::fs::read_to_string(folder.path().join("plan/files/1-my_weights.toml")).unwrap(), "x");
        let missing = copy(&BTreeSet::from([PathBuf::from("missing.toml")]), folder.path());
        assert!(missing.unwrap_err().to_string().contains("cannot read missing.toml"));
    }
}
