//! The names and newest rows of `generations.csv`.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use super::alarms::{Alarm, LEAST_ENTROPY};

/// Bytes of the end of `generations.csv` that are read.
const TAIL: u64 = 1 << 16;

/// The names and newest rows of `generations.csv`.
#[derive(Default)]
pub(super) struct Tail {
    pub names: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Tail {
    pub fn read(path: &Path) -> Option<Tail> {
        let fields = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let mut file = crate::files::open(path).ok()?;
        let mut start = Vec::new();
        file.by_ref().take(TAIL).read_to_end(&mut start).ok()?;
        let length = file.metadata().ok()?.len();
        let start = String::from_utf8_lossy(&start).into_owned();
        let names = fields(start.lines().next()?);
        file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).ok()?;
        let mut end = Vec::new();
        file.take(TAIL).read_to_end(&mut end).ok()?;
        let end = String::from_utf8_lossy(&end).into_owned();
        // The first line is the header or incomplete, and so may be the last.
        let whole = end.rsplit_once('\n').map_or("", |(whole, _)| whole);
        Some(Tail { names, rows: whole.lines().skip(1).map(fields).collect() })
    }

    pub fn numbers(&self, column: &str) -> Vec<f64> {
        let Some(at) = self.names.iter().position(|name| name == column) else { return Vec::new() };
        let number = |row: &Vec<String>| row.get(at)?.parse::<f64>().ok().filter(|number| number.is_finite());
        self.rows.iter().filter_map(number).collect()
    }

    /// What is wrong with the newest row.
    pub fn alarm(&self) -> Option<Alarm> {
        let newest = self.rows.last()?;
        let is_odd = |text: &str| text.parse::<f64>().is_ok_and(|number| !number.is_finite());
        if let Some(at) = newest.iter().position(|text| is_odd(text)) {
            return Some(Alarm::NotANumber(self.names.get(at).cloned().unwrap_or_default()));
        }
        let entropy = self.names.iter().find(|name| name.starts_with("entropy"))?;
        (*self.numbers(entropy).last()? < LEAST_ENTROPY).then_some(Alarm::NoEntropy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tail(text: &str) -> Tail {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        std::fs::write(&path, text).unwrap();
        Tail::read(&path).unwrap()
    }

    #[test]
    fn the_newest_rows_are_read_and_judged() {
        let good = tail("generation,best,entropy_nats\n0,1.5,0.9\n1,2.5,0.8\n2,");
        assert_eq!((good.numbers("best"), good.alarm()), (vec![1.5, 2.5], None));
        assert_eq!(tail("generation,best\n0,NaN\n").alarm(), Some(Alarm::NotANumber("best".to_owned())));
        assert_eq!(tail("generation,entropy_nats\n0,0.5\n1,0.001\n").alarm(), Some(Alarm::NoEntropy));
        assert_eq!(tail("generation,best\n").alarm(), None);
        let long: String = (0..20_000).map(|at| format!("{at},{at}\n")).collect();
        let long = tail(&format!("generation,best\n{long}"));
        assert_eq!(long.numbers("best").last(), Some(&19_999.0));
        assert!(long.rows.len() > 1000 && long.rows.iter().all(|row| row[0] == row[1]));
    }
}
