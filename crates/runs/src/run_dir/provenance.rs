//! The inputs of a run's rows, as the first line of `run.toml` promises. A checkpoint stores them with a checksum of
//! the rows, so that a change to either is detected.

use super::checkpoint::Prefix;
use crate::codec::{Decoder, Encoder};
use mancalab_base::Error;

/// The keys of the [conduct](crate::conduct) of a run, which may change during the run.
pub const CONDUCT: [&str; 2] = ["stop", "keep"];

/// The rows up to a checkpoint and their inputs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Provenance {
    pub run_inputs: RunInputs,
    pub rows: Prefix,
    /// The `run.toml` before an extension, with the same rows so far. Stored in the checkpoint written during an
    /// extension, so that a process that ends before `run.toml` is changed leaves a consistent run.
    pub before: Option<String>,
}

/// Everything that determines the rows of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunInputs {
    /// The canonical `run.toml` of these settings, without a user's additions.
    pub run: String,
    /// The files that the settings name, with checksums.
    pub files: Vec<(String, u64)>,
    /// The keys of `run` that affect no row; empty when read from a checkpoint.
    pub free: &'static [&'static str],
}

impl RunInputs {
    /// Returns a setting that differs from the `run.toml` `then`, as a clause with both values. Ignores keys that only
    /// one of them has (of another version of mancalab), the version itself, and settings that may change.
    pub(crate) fn change(&self, then: &str) -> Option<String> {
        change(&values(then).unwrap_or_default(), &values(&self.run).unwrap_or_default(), self.free)
    }

    /// The same if `then` is of another version of mancalab: `plain` converts it.
    fn change_of_versions(&self, then: &str, plain: impl Fn(&str) -> Option<String>) -> Option<String> {
        let run = if then == self.run { None } else { plain(then) };
        self.change(run.as_deref().unwrap_or(then))
    }

    /// Returns the first file that changed.
    pub(crate) fn changed_file(&self, then: &RunInputs) -> Option<&str> {
        let is_same =
            |(name, sum): &&(String, u64)| then.files.iter().all(|(other, then)| other != name || then == sum);
        self.files.iter().find(|file| !is_same(file)).map(|(name, _)| name.as_str())
    }
}

/// Returns the values of a `run.toml` by keys, without comments and white space; `None` if it is invalid.
fn values(run: &str) -> Option<toml::Table> {
    let mut values: toml::Table = toml::from_str(run).ok()?;
    if let Some(toml::Value::Table(settings)) = values.remove("settings") {
        values.extend(settings);
    }
    Some(values)
}

fn change(then: &toml::Table, now: &toml::Table, free: &[&str]) -> Option<String> {
    let is_bound = |key: &str| key != "version" && !free.contains(&key) && !CONDUCT.contains(&key);
    now.iter().filter(|(key, _)| is_bound(key)).find_map(|(key, now)| {
        let then = then.get(key).filter(|then| *then != now)?;
        Some(format!("`{key}` is {now} there, but was {then}"))
    })
}

/// Returns a setting with different values in two files, as a clause; `Err` if the second is invalid or lacks keys of
/// the first.
pub(crate) fn change_of_files(then: &[u8], now: &[u8], free: &[&str]) -> Result<Option<String>, ()> {
    let values = |file: &[u8]| std::str::from_utf8(file).ok().and_then(values).ok_or(());
    let then = values(then)?;
    let now = values(now)?;
    if then.keys().eq(now.keys()) { Ok(change(&then, &now, free)) } else { Err(()) }
}

impl Provenance {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::new();
        out.text(&self.run_inputs.run);
        out.small(self.run_inputs.files.len() as u64);
        for (name, sum) in &self.run_inputs.files {
            out.text(name);
            out.u64(*sum);
        }
        self.rows.encode(&mut out);
        self.before.iter().for_each(|before| out.text(before));
        out.finish()
    }

    /// # Errors
    /// The bytes are invalid.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Provenance, Error> {
        let mut from = Decoder::new(bytes);
        let run = from.text()?;
        let files = (0..from.count()?).map(|_| Ok((from.text()?, from.u64()?))).collect::<Result<_, Error>>()?;
        let rows = Prefix::decode(&mut from)?;
        let before = if from.is_empty() { None } else { Some(from.text()?) };
        from.end()?;
        Ok(Provenance { run_inputs: RunInputs { run, files, free: &[] }, rows, before })
    }

    /// Returns a setting of `now` that does not match the rows, as a clause; `plain` converts a `run.toml` of another
    /// version.
    pub(crate) fn change(&self, now: &RunInputs, plain: impl Fn(&str) -> Option<String>) -> Option<String> {
        let change = now.change_of_versions(&self.run_inputs.run, &plain)?;
        let is_as_before = |before: &String| now.change_of_versions(before, &plain).is_none();
        (!self.before.as_ref().is_some_and(is_as_before)).then_some(change)
    }
}

/// Returns a user's `run.toml` with the lines that differ between the canonical forms `then` and `now` replaced.
pub(crate) fn rewritten(file: &str, then: &str, now: &str) -> String {
    let changed: Vec<(&str, &str)> = then.lines().zip(now.lines()).filter(|(then, now)| then != now).collect();
    let line = |line| changed.iter().find(|(then, _)| *then == line).map_or(line, |(_, now)| *now).to_owned() + "\n";
    file.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_inputs(run: &str) -> RunInputs {
        RunInputs { run: run.to_owned(), files: vec![("weights.toml".to_owned(), 7)], free: &[] }
    }

    #[test]
    fn a_change_is_reported_with_both_values() {
        let then = run_inputs(
            "# A run\nkind = \"gp\"\nversion = \"0.1\"\n\n[settings]\nold = 1\nname = \"\"\"a\nb\"\"\"\nmutation = 2\n",
        );
        let now = |from: &str, to: &str| run_inputs(&then.run.replace(from, to)).change(&then.run);
        assert_eq!(now("# A run", "# Another"), None);
        assert_eq!(now("0.1", "0.2"), None);
        assert_eq!(now("old = 1\n", "new = 1\n"), None);
        assert_eq!(now("mutation = 2", "mutation = 20").unwrap(), "`mutation` is 20 there, but was 2");
        assert!(now("\nb", "\nc").unwrap().starts_with("`name` is "));
        let free = RunInputs { free: &["mutation"], ..run_inputs("old = 1\nmutation = 3\n") };
        assert_eq!(free.change(&then.run), None);
        assert!(run_inputs("old = 1\nmutation = 3\n").change(&then.run).is_some());
        let other = RunInputs { files: vec![("x".to_owned(), 1), ("weights.toml".to_owned(), 8)], ..then.clone() };
        assert_eq!((other.changed_file(&then), then.changed_file(&then)), (Some("weights.toml"), None));
    }

    #[test]
    fn it_comes_back_from_a_checkpoint() {
        let mut provenance = Provenance { run_inputs: run_inputs("kind = 1\n"), rows: Prefix::default(), before: None };
        provenance.rows.add(b"0,1");
        let bytes = provenance.encode();
        assert_eq!(Provenance::decode(&bytes), Ok(provenance.clone()));
        (0..bytes.len()).for_each(|length| assert!(Provenance::decode(&bytes[..length]).is_err()));
        provenance.before = Some("kind = 2\n".to_owned());
        assert_eq!(Provenance::decode(&provenance.encode()), Ok(provenance));
    }

    #[test]
    fn rows_of_a_run_that_was_extended_follow_from_both() {
        let [now, then, other] = [20, 10, 15].map(|count| run_inputs(&format!("kind = 1\ngenerations = {count}\n")));
        let mut provenance =
            Provenance { run_inputs: now.clone(), rows: Prefix::default(), before: Some(then.run.clone()) };
        let is_changed = |provenance: &Provenance, of: &RunInputs| provenance.change(of, |_| None).is_some();
        assert_eq!([&now, &then, &other].map(|of| is_changed(&provenance, of)), [false, false, true]);
        provenance.before = None;
        assert_eq!([&now, &then].map(|of| is_changed(&provenance, of)), [false, true]);
    }

    #[test]
    fn what_people_wrote_into_a_file_stays_when_a_setting_of_it_changes() {
        let [then, now] = [10, 20].map(|count| format!("kind = 1\ngenerations = {count}\n"));
        assert_eq!(rewritten(&then, &then, &now), now);
        let noted = "# mine\nkind = 1 # yes\n\ngenerations = 10\n# generations = 10\n";
        assert_eq!(rewritten(noted, &then, &now), "# mine\nkind = 1 # yes\n\ngenerations = 20\n# generations = 10\n");
    }
}
