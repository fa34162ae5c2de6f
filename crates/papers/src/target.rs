//! What can be reproduced, and which flags each target takes. The command line refuses the others, and lists these.

/// A flag that not every target takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flag {
    Seed,
    Games,
    Runs,
    Seeds,
    Generations,
    Programs,
    Moves,
    Set,
    Out,
}

impl Flag {
    pub const ALL: [Flag; 9] = [
        Flag::Seed,
        Flag::Games,
        Flag::Runs,
        Flag::Seeds,
        Flag::Generations,
        Flag::Programs,
        Flag::Moves,
        Flag::Set,
        Flag::Out,
    ];

    /// As it is written on the command line.
    pub fn text(self) -> &'static str {
        match self {
            Flag::Seed => "--seed",
            Flag::Games => "--games",
            Flag::Runs => "--runs",
            Flag::Seeds => "--seeds",
            Flag::Generations => "--generations",
            Flag::Programs => "--programs",
            Flag::Moves => "--moves",
            Flag::Set => "--set",
            Flag::Out => "--out",
        }
    }
}

/// A table or figure.
#[derive(Debug)]
pub struct Target {
    /// Such as `mancala-gp/figure5`.
    pub name: &'static str,
    /// What it reproduces.
    pub about: &'static str,
    pub takes: &'static [Flag],
    /// The keys that `--set` knows here; empty where it takes the settings of a run.
    pub readings: &'static [&'static str],
}

use Flag::{Games, Generations, Moves, Out, Programs, Runs, Seed, Seeds, Set};

const PLAYED: &[Flag] = &[Games, Seed, Out, Set];
const PROGRAM_READINGS: &[&str] = &["capture", "value_at", "choice", "opponents"];
/// A reading of the source as a whole, then its parts.
pub(super) const OTHELLO_READINGS: &[&str] =
    &["reading", "order", "near", "edges", "zero", "moves", "end", "first", "braces", "arguments"];

pub const TARGETS: &[Target] = &[
    Target {
        name: "mancala-gp/figure5",
        about: "the scores of the two printed programs against the 8-level minimax",
        takes: &[Moves, Set],
        readings: PROGRAM_READINGS,
    },
    Target {
        name: "mancala-gp/figure10",
        about: "average scores against 1,000 random programs",
        takes: &[Programs, Seed, Set],
        readings: PROGRAM_READINGS,
    },
    Target {
        name: "mancala-gp/figures6-9",
        about: "both runs: CSV files and SVG plots; and what each way to draw the points of crossover gives over 20 seeds",
        takes: &[Seed, Seeds, Set, Out],
        readings: &["points"],
    },
    Target {
        name: "kalah-thesis/table1",
        about: "every player against every other",
        takes: PLAYED,
        readings: &["judged", "near", "opening", "eps", "iterations", "a3c"],
    },
    Target {
        name: "kalah-thesis/table2",
        about: "the round robin of single heuristics",
        takes: PLAYED,
        readings: &["judged", "near"],
    },
    Target {
        name: "kalah-thesis/table3",
        about: "the weights after 20 runs of the genetic algorithm",
        takes: &[Runs, Generations, Seed, Out, Set],
        readings: &[],
    },
    Target {
        name: "kalah-thesis/epsilon",
        about: "the epsilon of MCTS that comes nearest to Table 1",
        takes: PLAYED,
        readings: &["judged", "near", "opening", "iterations"],
    },
    Target {
        name: "kalah-thesis/figure4",
        about: "MCTS by iterations against minimax by depth",
        takes: PLAYED,
        readings: &["judged", "near", "opening", "eps", "most"],
    },
    Target {
        name: "kalah-thesis/figure5",
        about: "MCTS by iterations against the heuristic player by depth",
        takes: PLAYED,
        readings: &["judged", "near", "opening", "eps", "most"],
    },
    Target {
        name: "kalah-thesis/depth",
        about: "heuristic:4 against minimax:8, and why",
        takes: PLAYED,
        readings: &["judged", "near", "opening"],
    },
    Target {
        name: "kalah-thesis/a3c",
        about: "what the thesis' actor-critic and ours learn, after the same numbers of games",
        takes: &[Games, Generations, Seed, Seeds, Out, Set],
        readings: &[],
    },
    Target {
        name: "kalah-thesis/hybrid",
        about: "ten heuristics and a network in one sum, against each alone",
        takes: PLAYED,
        readings: &["judged", "near", "opening", "player"],
    },
    Target {
        name: "kalah-thesis/matches",
        about: "the heuristic player against others",
        takes: PLAYED,
        readings: &["judged", "near", "weights", "opponents"],
    },
    Target {
        name: "othello-gp/table1",
        about: "hypotheses picked by hand, alone and staged, against a random player",
        takes: PLAYED,
        readings: OTHELLO_READINGS,
    },
    Target {
        name: "othello-gp/table2",
        about: "the bred trees that are printed, alone and staged, against a random player",
        takes: PLAYED,
        readings: OTHELLO_READINGS,
    },
    Target {
        name: "othello-gp/evolve",
        about: "the columns of Table 2 from runs of our own, to fitness 50 and 25",
        takes: &[Games, Seed, Seeds, Out, Set],
        readings: &[],
    },
    Target {
        name: "checkers-ga/walkthrough",
        about: "one tournament, one crossover and one mutation of a run, step by step",
        takes: &[Generations, Seed, Set],
        readings: &[],
    },
    Target {
        name: "checkers-ga/learning",
        about: "how strong the best of every fifth generation is, of the source's settings and of ours",
        takes: &[Games, Generations, Seed, Seeds, Out, Set],
        readings: &[],
    },
];

impl Target {
    pub fn named(name: &str) -> Option<&'static Target> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// # Errors
    /// One of the flags belongs to other targets: which, and what this one takes.
    pub fn check_flags(&self, given: &[Flag]) -> Result<(), String> {
        let Some(flag) = given.iter().find(|flag| !self.takes.contains(flag)) else { return Ok(()) };
        let others = TARGETS.iter().filter(|target| target.takes.contains(flag)).map(|target| target.name);
        Err(format!(
            "{} takes no {}, which is for {}; it takes {}",
            self.name,
            flag.text(),
            others.collect::<Vec<_>>().join(", "),
            texts(self.takes).join(", ")
        ))
    }

    /// The key and the value of a `--set`.
    ///
    /// # Errors
    /// It is not KEY=VALUE, or the key is none that is known here.
    pub fn reading<'a>(&self, text: &'a str) -> Result<(&'a str, &'a str), String> {
        let (key, value) = text.split_once('=').ok_or_else(|| format!("--set takes KEY=VALUE; '{text}' is not"))?;
        let (key, value) = (key.trim(), value.trim());
        if self.readings.is_empty() || self.readings.contains(&key) {
            return Ok((key, value));
        }
        Err(format!("'{key}' is no reading; known: {}", self.readings.join(", ")))
    }

    /// The flags it takes, in a line.
    pub fn flags(&self) -> String {
        let flag = |flag: &Flag| match flag {
            Flag::Set if self.readings.is_empty() => "--set (the settings of a run)".to_owned(),
            Flag::Set => {
                format!("--set {}", self.readings.iter().map(|key| format!("{key}=")).collect::<Vec<_>>().join("|"))
            }
            other => other.text().to_owned(),
        };
        self.takes.iter().map(flag).collect::<Vec<_>>().join("  ")
    }
}

/// The flags as they are written.
pub fn texts(flags: &[Flag]) -> Vec<&'static str> {
    flags.iter().map(|flag| flag.text()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_other_targets_are_refused() {
        let table1 = Target::named("kalah-thesis/table1").unwrap();
        assert_eq!(table1.check_flags(&[Games, Seed]), Ok(()));
        assert_eq!(
            table1.check_flags(&[Games, Runs]).unwrap_err(),
            "kalah-thesis/table1 takes no --runs, which is for kalah-thesis/table3; it takes --games, --seed, --out, --set"
        );
        // No flag is without a target.
        for flag in Flag::ALL {
            assert!(TARGETS.iter().any(|target| target.takes.contains(&flag)), "{flag:?}");
        }
        assert!(TARGETS.iter().all(|target| target.readings.is_empty() || target.takes.contains(&Set)));
    }

    #[test]
    fn readings_are_known_or_told() {
        let table2 = Target::named("kalah-thesis/table2").unwrap();
        assert_eq!(table2.reading(" near = indicator"), Ok(("near", "indicator")));
        assert_eq!(table2.reading("eps=1").unwrap_err(), "'eps' is no reading; known: judged, near");
        assert!(table2.flags().ends_with("--set judged=|near="));
        assert!(Target::named("kalah-thesis/table3").unwrap().reading("sigma=1").is_ok());
    }
}
