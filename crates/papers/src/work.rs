//! The work of each target, and how it is made smaller to fit a budget.
//!
//! A size depends on the budget alone, never on the machine, so that the same budget gives the same results everywhere.

use super::{Options, Target};

/// What a target may do less of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Seeds,
    Runs,
    Generations,
    Games,
    Programs,
    Population,
    Iterations,
}

impl Part {
    /// The setting of the target that says how much, if it is no flag.
    fn setting(self) -> Option<&'static str> {
        match self {
            Part::Population => Some(POPULATION),
            Part::Iterations => Some(ITERATIONS),
            _ => None,
        }
    }
}

pub(super) const POPULATION: &str = "population";
pub(super) const ITERATIONS: &str = "iterations";

/// The work of a target at full size.
#[derive(Debug)]
pub struct Work {
    /// Processor time in seconds: measured, or extrapolated from smaller sizes where it is above ten minutes.
    pub seconds: u32,
    /// What may be less, the first first: the number at full size, and the least one. The time is taken as proportional to each.
    pub parts: &'static [(Part, u32, u32)],
    /// The parts of other work, which takes about as long and becomes less by the same share.
    pub beside: &'static [(Part, u32, u32)],
    /// Settings without which the result would depend on the machine.
    pub set: &'static [(&'static str, &'static str)],
}

impl Work {
    /// The work of a target whose size cannot be changed.
    pub(super) const fn fixed(seconds: u32) -> Work {
        Work { seconds, parts: &[], beside: &[], set: &[] }
    }

    pub(super) const fn new(seconds: u32, parts: &'static [(Part, u32, u32)]) -> Work {
        Work { seconds, parts, beside: &[], set: &[] }
    }

    /// Returns all that may be less.
    fn all_parts(&self) -> impl Iterator<Item = &'static (Part, u32, u32)> {
        self.parts.iter().chain(self.beside)
    }

    /// Returns about how much processor time a size takes, in seconds.
    pub fn of_size(&self, size: &Size) -> f64 {
        let share =
            |((_, full, _), (_, count)): (&(Part, u32, u32), &(Part, u32))| f64::from(*count) / f64::from(*full);
        let (own, other) = size.parts.split_at(self.parts.len());
        let own: f64 = self.parts.iter().zip(own).map(share).product();
        let other: f64 = self.beside.iter().zip(other).map(share).product();
        let of_both = if self.beside.is_empty() { own } else { (own + other) / 2.0 };
        f64::from(self.seconds) * of_both
    }

    /// Returns the largest size that takes at most about this much processor time, and at least the least size.
    pub fn within(&self, seconds: f64) -> Size {
        let share = (seconds / f64::from(self.seconds.max(1))).min(1.0);
        let parts: Vec<(Part, u32)> =
            [self.parts, self.beside].into_iter().flat_map(|parts| less(parts, share)).collect();
        let is_full = self.all_parts().zip(&parts).all(|((_, full, _), (_, count))| full == count);
        let is_least = self.all_parts().zip(&parts).all(|((.., least), (_, count))| least == count);
        Size { parts, is_full, is_least }
    }
}

/// Returns how much of each part makes this share of the work: the first is done less of first.
fn less(parts: &[(Part, u32, u32)], share: f64) -> Vec<(Part, u32)> {
    let mut share = share;
    let part = |&(part, full, least): &(Part, u32, u32)| {
        // Where the least number is even, things are done in pairs.
        let even = |count: u32| if least % 2 == 0 { count & !1 } else { count };
        let count = even((f64::from(full) * share) as u32).clamp(least, full);
        share = (share * f64::from(full) / f64::from(count)).min(1.0);
        (part, count)
    };
    parts.iter().map(part).collect()
}

/// A size of a target's work.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Size {
    parts: Vec<(Part, u32)>,
    pub is_full: bool,
    pub is_least: bool,
}

impl Size {
    /// Returns the size in words, such as `full` or `4 seeds, 200 games`.
    pub fn text(&self) -> String {
        if self.is_full {
            return "full".to_owned();
        }
        let part = |(part, count): &(Part, u32)| {
            let word = format!("{part:?}").to_lowercase();
            format!("{count} {}", if *count == 1 { word.trim_end_matches('s') } else { &word })
        };
        self.parts.iter().map(part).collect::<Vec<_>>().join(", ")
    }

    /// Returns the size in one word, such as `full` or `4-seeds-200-games`: the name of a folder, and of pinned results.
    pub fn word(&self) -> String {
        self.text().replace(", ", "-").replace(' ', "-")
    }

    /// Returns options with this size.
    pub fn options(&self, target: &Target) -> Options {
        let set = target.work.set.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let mut options = Options { set, ..Options::default() };
        for &(part, count) in self.parts.iter().filter(|_| !self.is_full) {
            match part {
                Part::Seeds => options.seeds = Some(count),
                Part::Runs => options.runs = Some(count),
                Part::Generations => options.generations = Some(count.into()),
                Part::Games => options.games = Some(count),
                Part::Programs => options.programs = Some(count),
                Part::Population | Part::Iterations => {
                    options.set.extend(part.setting().map(|key| (key.to_owned(), count.to_string())));
                }
            }
        }
        options
    }
}

/// Returns targets in the order of their work, each with the size at which all fit into this much processor time in seconds; `None` for
/// full sizes. Those that need less than an equal share leave the rest to the others.
pub fn sizes(targets: Vec<&'static Target>, seconds: Option<f64>) -> Vec<(&'static Target, Size)> {
    let mut targets = targets;
    crate::sort::sort_by_key(&mut targets, |target| target.work.seconds);
    let mut left = seconds.unwrap_or(f64::INFINITY);
    let mut others = targets.len();
    let sized = |target: &'static Target| {
        let share = left / others as f64;
        let full = f64::from(target.work.seconds);
        left -= share.min(full);
        others -= 1;
        (target, target.work.within(share))
    };
    targets.into_iter().map(sized).collect()
}

/// The pinned results with seed 1, a line for each target and size: `target size`, and what was measured in each line of its table, `-`
/// where nothing was. Sizes are the full one, the least one, and that of two hours for all; for hand-overs and readings also that of their
/// page.
const PINNED: &str = include_str!("../pinned.txt");

/// Returns the pinned results of a target at a size of this [word](Size::word), in the order of its lines; none if they are not pinned.
pub fn pinned(target: &str, size: &str) -> Vec<&'static str> {
    let values = |line: &'static str| {
        let mut words = line.split(' ');
        (words.next() == Some(target) && words.next() == Some(size)).then_some(words)
    };
    PINNED.lines().find_map(values).into_iter().flatten().filter(|value| !value.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_fit_the_budget_and_the_rest_goes_to_larger_targets() {
        let all: Vec<&'static Target> = Target::all().collect();
        let full = sizes(all.clone(), None);
        assert!(full.iter().all(|(_, size)| size.is_full));
        assert!(full.windows(2).all(|pair| pair[0].0.work.seconds <= pair[1].0.work.seconds));
        for budget in [0.0, 300.0, 7200.0, 100_000.0, 1e9] {
            let sized = sizes(all.clone(), Some(budget));
            let cost = |(target, size): &(&'static Target, Size)| target.work.of_size(size);
            let larger = sized.iter().filter(|(_, size)| !size.is_least);
            assert!(larger.map(cost).sum::<f64>() <= budget.max(1.0) * 1.001, "{budget}");
            let whole: f64 = all.iter().map(|target| f64::from(target.work.seconds)).sum();
            assert_eq!(budget >= whole, sized.iter().all(|(_, size)| size.is_full), "{budget}");
        }
    }

    #[test]
    fn parts_are_flags_of_their_target() {
        for target in Target::all() {
            for (part, full, least) in target.work.all_parts() {
                let flag = format!("--{part:?}").to_lowercase();
                let is_known =
                    part.setting().map_or_else(|| target.takes.contains(&&*flag), |key| target.readings.contains(&key));
                assert!(is_known, "{}: {flag}", target.name);
                assert!(least <= full && (*part != Part::Games || least % 2 == 0), "{}: {flag}", target.name);
            }
            assert!(
                target
                    .settings(&target.work.set.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>())
                    .is_ok()
            );
        }
    }

    /// The targets that take a second or two at their least size in a build for tests; `.ci/run` computes all, in a release build.
    const QUICK: [&str; 16] = [
        "mancala-gp/figure5",
        "mancala-gp/figure10",
        "mancala-gp/claims",
        "kalah-thesis/table1",
        "kalah-thesis/table2",
        "kalah-thesis/depth",
        "kalah-thesis/hybrid",
        "kalah-thesis/matches",
        "othello-gp/table1",
        "othello-gp/table2",
        "othello-gp/overlap",
        "othello-gp/adf",
        "othello-gp/population",
        "checkers-ga/walkthrough",
        "checkers-ga/minimax",
        "checkers-ga/pruning",
    ];

    #[test]
    fn quick_targets_give_what_is_pinned() {
        for name in QUICK {
            let target = Target::named(name).unwrap();
            let size = target.work.within(0.0);
            let folder = tempfile::tempdir().unwrap();
            let out = target.takes.contains(&"--out").then(|| folder.path().to_owned());
            let table = target.reproduce(&Options { out, ..size.options(target) }, &mut |_| ()).unwrap();
            let pinned: Vec<Option<f64>> = pinned(name, &size.word()).iter().map(|value| value.parse().ok()).collect();
            assert_eq!(table.lines.len(), pinned.len(), "{name}");
            // Pinned are twelve digits, those of JSON output.
            let is_same = |(line, pinned): (&crate::Line, &Option<f64>)| match (line.measured, pinned) {
                (Some(measured), Some(pinned)) => (measured - pinned).abs() <= 1e-11 * measured.abs(),
                (measured, pinned) => measured == *pinned,
            };
            let differs = table.lines.iter().zip(&pinned).find(|pair| !is_same(*pair));
            assert!(differs.is_none(), "{name}: {differs:?}");
        }
    }

    #[test]
    fn every_target_is_pinned_at_its_least_size_within_two_hours_and_at_full_size() {
        for budget in [Some(0.0), Some(7200.0), None] {
            for (target, size) in sizes(Target::all().collect(), budget) {
                assert!(!pinned(target.name, &size.word()).is_empty(), "{} {}", target.name, size.word());
            }
        }
        let known = |line: &str| Target::named(line.split(' ').next().unwrap()).is_ok();
        assert!(PINNED.lines().all(known));
    }
}
