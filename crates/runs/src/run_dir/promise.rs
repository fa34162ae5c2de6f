//! What the first line of `run.toml` promises: that rows follow from settings. A checkpoint remembers both, so that neither
//! can be changed in the middle of a run without being noticed.

use super::sums::Sums;
use crate::codec::{Decoder, Encoder};

/// What the rows up to a checkpoint are, and what they followed from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Promise {
    pub basis: Basis,
    pub rows: Sums,
    /// The `run.toml` before the run was extended, from which these rows follow just as well. It is told in the checkpoint that is
    /// written when a run is extended, so that a process that ends between that and the change of `run.toml` leaves nothing odd.
    pub before: Option<String>,
}

/// All that the rows of a run follow from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Basis {
    /// `run.toml` as it is written when a run with these settings begins: without what people add to it.
    pub run: String,
    /// What the settings name and is read from elsewhere, and its checksum.
    pub files: Vec<(String, u64)>,
    /// The keys in `run` that no row follows from; none are known of what a checkpoint tells.
    pub free: &'static [&'static str],
}

/// A setting that is another than it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    pub key: String,
    pub then: String,
    pub now: String,
}

impl Basis {
    /// [What has changed](Basis::changes) since `then`, if that was written by another version of mancalab: `plain` is what such a
    /// `run.toml` is by now.
    pub(crate) fn changes_of_versions(&self, then: &Basis, plain: impl Fn(&str) -> Option<String>) -> Vec<Change> {
        let run = if then.run == self.run { None } else { plain(&then.run) };
        self.changes(&Basis { run: run.unwrap_or_else(|| then.run.clone()), files: Vec::new(), free: &[] })
    }

    /// What has changed since `then`, in the order of the file. What only one of them knows is a setting of another version of
    /// mancalab, and none that changed; nor is the version itself, or a setting that may change.
    pub(crate) fn changes(&self, then: &Basis) -> Vec<Change> {
        let mut changes = changes(&pairs(&then.run), pairs(&self.run));
        changes.retain(|change| !self.free.contains(&change.key.as_str()));
        changes
    }

    /// The first file that is another than it was.
    pub(crate) fn changed_file(&self, then: &Basis) -> Option<&str> {
        let is_same =
            |(name, sum): &&(String, u64)| then.files.iter().all(|(other, then)| other != name || then == sum);
        self.files.iter().find(|file| !is_same(file)).map(|(name, _)| name.as_str())
    }
}

fn changes(before: &[(String, String)], after: Vec<(String, String)>) -> Vec<Change> {
    let changed = |(key, now): (String, String)| {
        let then = before.iter().find(|(known, _)| *known == key).map(|(_, value)| value.clone())?;
        (then != now && key != "version").then_some(Change { key, then, now })
    };
    after.into_iter().filter_map(changed).collect()
}

/// What two files of TOML have other values for, comments and white space aside; `None` if the second is none, or has not the
/// keys of the first.
pub(crate) fn changes_of_files(then: &[u8], now: &[u8]) -> Option<Vec<Change>> {
    let values = |bytes: &[u8]| {
        let table: toml::Table = toml::from_str(std::str::from_utf8(bytes).ok()?).ok()?;
        let mut values = Vec::new();
        for (key, value) in table {
            match value {
                toml::Value::Table(inner) => {
                    values.extend(inner.into_iter().map(|(key, value)| (key, value.to_string())))
                }
                value => values.push((key, value.to_string())),
            }
        }
        Some(values)
    };
    let (then, now): (Vec<_>, Vec<_>) = (values(then)?, values(now)?);
    let is_same = then.len() == now.len() && then.iter().zip(&now).all(|((one, _), (other, _))| one == other);
    is_same.then(|| changes(&then, now))
}

/// The keys of a plain file with their values. A value may go over several lines.
fn pairs(text: &str) -> Vec<(String, String)> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '['])) {
        match (line.split_once(" = "), pairs.last_mut()) {
            (Some((key, value)), _) => pairs.push((key.to_owned(), value.to_owned())),
            (None, Some((_, value))) => *value += &format!("\n{line}"),
            (None, None) => {}
        }
    }
    pairs
}

/// Which settings were changed, and `when`: a sentence without the file's name.
pub(crate) fn told(changes: &[Change], when: &str) -> String {
    let one = |change: &Change| format!("`{}` is {} there, but was {}", change.key, change.now, change.then);
    let some: Vec<String> = changes.iter().take(3).map(one).collect();
    let more = changes.len().saturating_sub(3);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    format!("was changed {when}: {}{more}", some.join(", "))
}

impl Promise {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::new();
        out.text(&self.basis.run);
        out.small(self.basis.files.len() as u64);
        for (name, sum) in &self.basis.files {
            out.text(name);
            out.u64(*sum);
        }
        self.rows.encode(&mut out);
        self.before.iter().for_each(|before| out.text(before));
        out.finish()
    }

    /// # Errors
    /// It is none.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Promise, String> {
        let mut from = Decoder::new(bytes);
        let run = from.text()?;
        let files = (0..from.count()?).map(|_| Ok((from.text()?, from.u64()?))).collect::<Result<_, String>>()?;
        let rows = Sums::decode(&mut from)?;
        let before = if from.is_empty() { None } else { Some(from.text()?) };
        from.end()?;
        Ok(Promise { basis: Basis { run, files, free: &[] }, rows, before })
    }

    /// The settings of `now` that the rows do not follow from; `plain` as in [`Basis::changes_of_versions`].
    pub(crate) fn changes(&self, now: &Basis, plain: impl Fn(&str) -> Option<String>) -> Vec<Change> {
        let changes = now.changes_of_versions(&self.basis, &plain);
        let is_as_before = |run: &String| {
            let before = Basis { run: run.clone(), files: Vec::new(), free: &[] };
            now.changes_of_versions(&before, &plain).is_empty()
        };
        if self.before.as_ref().is_some_and(is_as_before) { Vec::new() } else { changes }
    }
}

/// A person's `run.toml` with the values of `now` where its plain forms `then` and `now` differ, and all else as it is written.
/// Only keys that stand at the beginning of a line as the program writes them are found.
pub(crate) fn rewritten(file: &str, then: &str, now: &str) -> String {
    let changes = changes(&pairs(then), pairs(now));
    let line = |line: &str| {
        let changed = changes.iter().find(|change| line == format!("{} = {}", change.key, change.then));
        changed.map_or(line.to_owned(), |change| format!("{} = {}", change.key, change.now)) + "\n"
    };
    file.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn basis(run: &str) -> Basis {
        Basis { run: run.to_owned(), files: vec![("weights.toml".to_owned(), 7)], free: &[] }
    }

    #[test]
    fn changes_are_told_with_both_values() {
        let then = basis(
            "# A run\nkind = \"gp\"\nversion = \"0.1\"\n\n[settings]\nold = 1\nname = \"\"\"a\nb\"\"\"\nmutation = 2\n",
        );
        let now = |from: &str, to: &str| basis(&then.run.replace(from, to)).changes(&then);
        assert_eq!(now("# A run", "# Another"), []);
        assert_eq!(now("0.1", "0.2"), []);
        assert_eq!(now("old = 1\n", "new = 1\n"), []);
        assert_eq!(
            told(&now("mutation = 2", "mutation = 20"), "today"),
            "was changed today: `mutation` is 20 there, but was 2"
        );
        assert_eq!(now("\nb", "\nc")[0].key, "name");
        let all = now("= ", "= 1");
        assert_eq!(all.len(), 4);
        assert!(told(&all, "").ends_with(", and 1 more"));
        let free = Basis { free: &["mutation"], ..basis("old = 1\nmutation = 3\n") };
        assert_eq!((free.changes(&then).len(), basis("old = 1\nmutation = 3\n").changes(&then).len()), (0, 1));
        let other = Basis { files: vec![("x".to_owned(), 1), ("weights.toml".to_owned(), 8)], ..then.clone() };
        assert_eq!((other.changed_file(&then), then.changed_file(&then)), (Some("weights.toml"), None));
    }

    #[test]
    fn it_comes_back_from_a_checkpoint() {
        let mut promise = Promise { basis: basis("kind = 1\n"), rows: Sums::default(), before: None };
        promise.rows.add(b"0,1");
        let bytes = promise.encode();
        assert_eq!(Promise::decode(&bytes), Ok(promise.clone()));
        (0..bytes.len()).for_each(|length| assert!(Promise::decode(&bytes[..length]).is_err()));
        promise.before = Some("kind = 2\n".to_owned());
        assert_eq!(Promise::decode(&promise.encode()), Ok(promise));
    }

    #[test]
    fn rows_of_a_run_that_was_extended_follow_from_both() {
        let [now, then, other] = [20, 10, 15].map(|count| basis(&format!("kind = 1\ngenerations = {count}\n")));
        let mut promise = Promise { basis: now.clone(), rows: Sums::default(), before: Some(then.run.clone()) };
        let changes = |promise: &Promise, of: &Basis| promise.changes(of, |_| None).len();
        assert_eq!([&now, &then, &other].map(|of| changes(&promise, of)), [0, 0, 1]);
        promise.before = None;
        assert_eq!([&now, &then].map(|of| changes(&promise, of)), [0, 1]);
    }

    #[test]
    fn what_people_wrote_into_a_file_stays_when_a_setting_of_it_changes() {
        let [then, now] = [10, 20].map(|count| format!("kind = 1\ngenerations = {count}\n"));
        assert_eq!(rewritten(&then, &then, &now), now);
        let noted = "# mine\nkind = 1 # yes\n\ngenerations = 10\n# generations = 10\n";
        assert_eq!(rewritten(noted, &then, &now), "# mine\nkind = 1 # yes\n\ngenerations = 20\n# generations = 10\n");
    }
}
