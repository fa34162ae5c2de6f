//! What the first line of `run.toml` promises: that rows follow from settings. A checkpoint remembers both, so that neither
//! can be changed in the middle of a run without being noticed.

use super::prefix::Prefix;
use crate::codec::{Decoder, Encoder};
use mancalab_base::Error;

/// What the rows up to a checkpoint are, and what they followed from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Provenance {
    pub run_inputs: RunInputs,
    pub rows: Prefix,
    /// The `run.toml` before the run was extended, from which these rows follow just as well. It is told in the checkpoint that is
    /// written when a run is extended, so that a process that ends between that and the change of `run.toml` leaves nothing odd.
    pub before: Option<String>,
}

/// All that the rows of a run follow from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunInputs {
    /// `run.toml` as it is written when a run with these settings begins: without what people add to it.
    pub run: String,
    /// What the settings name and is read from elsewhere, and its checksum.
    pub files: Vec<(String, u64)>,
    /// The keys in `run` that no row follows from; none are known of what a checkpoint tells.
    pub free: &'static [&'static str],
}

impl RunInputs {
    /// A setting that is another than in the `run.toml` `then`: a clause that names it and both values. What only one of them knows
    /// is a setting of another version of mancalab, and none that changed; nor is the version itself, or a setting that may change.
    pub(crate) fn change(&self, then: &str) -> Option<String> {
        change(&values(then).unwrap_or_default(), &values(&self.run).unwrap_or_default(), self.free)
    }

    /// The same if `then` was written by another version of mancalab: `plain` is what such a `run.toml` is by now.
    fn change_of_versions(&self, then: &str, plain: impl Fn(&str) -> Option<String>) -> Option<String> {
        let run = if then == self.run { None } else { plain(then) };
        self.change(run.as_deref().unwrap_or(then))
    }

    /// The first file that is another than it was.
    pub(crate) fn changed_file(&self, then: &RunInputs) -> Option<&str> {
        let is_same =
            |(name, sum): &&(String, u64)| then.files.iter().all(|(other, then)| other != name || then == sum);
        self.files.iter().find(|file| !is_same(file)).map(|(name, _)| name.as_str())
    }
}

/// The values of a `run.toml` by their keys, comments and white space aside; `None` if it is none.
fn values(run: &str) -> Option<toml::Table> {
    let mut values: toml::Table = toml::from_str(run).ok()?;
    if let Some(toml::Value::Table(settings)) = values.remove("settings") {
        values.extend(settings);
    }
    Some(values)
}

fn change(then: &toml::Table, now: &toml::Table, free: &[&str]) -> Option<String> {
    let is_bound = |key: &str| key != "version" && !free.contains(&key);
    now.iter().filter(|(key, _)| is_bound(key)).find_map(|(key, now)| {
        let then = then.get(key).filter(|then| *then != now)?;
        Some(format!("`{key}` is {now} there, but was {then}"))
    })
}

/// A setting that has another value in one `run.toml` than in another, as a clause; `Err` if the second is none, or has not the keys
/// of the first.
pub(crate) fn change_of_files(then: &[u8], now: &[u8], free: &[&str]) -> Result<Option<String>, ()> {
    let values = |file: &[u8]| std::str::from_utf8(file).ok().and_then(values).ok_or(());
    let (then, now) = (values(then)?, values(now)?);
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
    /// It is none.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Provenance, Error> {
        let mut from = Decoder::new(bytes);
        let run = from.text()?;
        let files = (0..from.count()?).map(|_| Ok((from.text()?, from.u64()?))).collect::<Result<_, Error>>()?;
        let rows = Prefix::decode(&mut from)?;
        let before = if from.is_empty() { None } else { Some(from.text()?) };
        from.end()?;
        Ok(Provenance { run_inputs: RunInputs { run, files, free: &[] }, rows, before })
    }

    /// A setting of `now` that the rows do not follow from, as a clause; `plain` is what a `run.toml` of another version is by now.
    pub(crate) fn change(&self, now: &RunInputs, plain: impl Fn(&str) -> Option<String>) -> Option<String> {
        let change = now.change_of_versions(&self.run_inputs.run, &plain)?;
        let is_as_before = |before: &String| now.change_of_versions(before, &plain).is_none();
        (!self.before.as_ref().is_some_and(is_as_before)).then_some(change)
    }
}

/// A person's `run.toml` with the lines of `now` where its plain forms `then` and `now` differ, and all else as it is written.
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
    fn a_change_is_told_with_both_values() {
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
        let mut promise = Provenance { run_inputs: run_inputs("kind = 1\n"), rows: Prefix::default(), before: None };
        promise.rows.add(b"0,1");
        let bytes = promise.encode();
        assert_eq!(Provenance::decode(&bytes), Ok(promise.clone()));
        (0..bytes.len()).for_each(|length| assert!(Provenance::decode(&bytes[..length]).is_err()));
        promise.before = Some("kind = 2\n".to_owned());
        assert_eq!(Provenance::decode(&promise.encode()), Ok(promise));
    }

    #[test]
    fn rows_of_a_run_that_was_extended_follow_from_both() {
        let [now, then, other] = [20, 10, 15].map(|count| run_inputs(&format!("kind = 1\ngenerations = {count}\n")));
        let mut promise =
            Provenance { run_inputs: now.clone(), rows: Prefix::default(), before: Some(then.run.clone()) };
        let is_changed = |promise: &Provenance, of: &RunInputs| promise.change(of, |_| None).is_some();
        assert_eq!([&now, &then, &other].map(|of| is_changed(&promise, of)), [false, false, true]);
        promise.before = None;
        assert_eq!([&now, &then].map(|of| is_changed(&promise, of)), [false, true]);
    }

    #[test]
    fn what_people_wrote_into_a_file_stays_when_a_setting_of_it_changes() {
        let [then, now] = [10, 20].map(|count| format!("kind = 1\ngenerations = {count}\n"));
        assert_eq!(rewritten(&then, &then, &now), now);
        let noted = "# mine\nkind = 1 # yes\n\ngenerations = 10\n# generations = 10\n";
        assert_eq!(rewritten(noted, &then, &now), "# mine\nkind = 1 # yes\n\ngenerations = 20\n# generations = 10\n");
    }
}
