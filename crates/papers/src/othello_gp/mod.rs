//! L. Liao, *Genetic Programming Applied to Board Game Othello*: its tables, played again.
//!
//! The source prints hypotheses and the games won of 50 by each; it does not print the program that played them. `reading` lists its
//! possible readings, `play` reimplements its evaluator and its games under any of them, and `tables` measures how far printed counts
//! are from the measured ones.
//! `evolve` breeds our own hypotheses as the source bred those of its second table. `overlap` and `variants` answer what the source
//! proposes: a gradual hand-over between functions, more stages, automatically defined functions, and other populations; `epochs` measures
//! functions in the part of the game that they were evolved for.

mod epochs;
mod evolve;
mod overlap;
mod play;
mod reading;
mod tables;
mod variants;

use super::work::{Part, Work};
use super::{Hear, Options, PLAYED, Table, Target};
use mancalab_base::Error;
use reading::{Hypothesis, READINGS, Reading, TABLE1, TABLE2};
use tables::TableGames;

/// The default number of games per hypothesis.
const USUAL_GAMES: u32 = 10_000;

pub(super) const SOURCE: &str = "Genetic Programming Applied to Board Game Othello";

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "othello-gp/table1",
        about: "hypotheses picked by hand, alone and staged, against a random player",
        takes: PLAYED,
        readings: READINGS,
        work: Work::new(3, &[(Part::Games, 10_000, 200)]),
        run: |options, hear| table(1, TABLE1, options, hear),
    },
    Target {
        name: "othello-gp/table2",
        about: "the printed evolved trees, alone and staged, against a random player",
        takes: PLAYED,
        readings: READINGS,
        work: Work::new(5, &[(Part::Games, 10_000, 200)]),
        run: |options, hear| table(2, TABLE2, options, hear),
    },
    Target {
        name: "othello-gp/evolve",
        about: "the columns of Table 2 from runs of our own, to fitness 50 and 25",
        takes: &["--games", "--seed", "--seeds", "--out", "--set"],
        readings: &[],
        work: Work::new(13, &[(Part::Seeds, 5, 1), (Part::Games, 10_000, 100)]),
        run: evolve::reproduce,
    },
    Target {
        name: "othello-gp/overlap",
        about: "the staged hypotheses with a gradual hand-over, which the source proposes",
        takes: PLAYED,
        readings: READINGS,
        work: Work::new(16, &[(Part::Games, 10_000, 200)]),
        run: overlap::reproduce,
    },
    Target {
        name: "othello-gp/stages",
        about: "runs of our own with 1 to 10 stages, and other boundaries of two",
        takes: VARIED,
        readings: &[],
        work: Work::new(182, &[(Part::Seeds, 20, 1), (Part::Generations, 50, 1), (Part::Games, 10_000, 100)]),
        run: |options, hear| variants::STAGES.reproduce(options, hear),
    },
    Target {
        name: "othello-gp/adf",
        about: "runs of our own with and without automatically defined functions",
        takes: VARIED,
        readings: &[],
        work: Work::new(68, &[(Part::Seeds, 20, 1), (Part::Generations, 50, 1), (Part::Games, 10_000, 100)]),
        run: |options, hear| variants::ADF.reproduce(options, hear),
    },
    Target {
        name: "othello-gp/population",
        about: "runs of our own with populations of 100 to 1,000",
        takes: VARIED,
        readings: &[],
        work: Work::new(80, &[(Part::Seeds, 20, 1), (Part::Generations, 50, 1), (Part::Games, 10_000, 100)]),
        run: |options, hear| variants::POPULATION.reproduce(options, hear),
    },
    Target {
        name: "othello-gp/epochs",
        about: "the gain in either half of the game against functions evolved for one of them",
        takes: &["--games", "--seed", "--seeds", "--out", "--set"],
        readings: &[],
        work: Work::new(22, &[(Part::Seeds, 20, 2), (Part::Games, 1000, 100)]),
        run: epochs::reproduce,
    },
];

/// The flags of targets that compare runs.
const VARIED: &[&str] = &["--games", "--generations", "--seed", "--seeds", "--out", "--set"];

fn table(number: u32, hypotheses: &'static [Hypothesis], options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let played = TableGames::all(number, hypotheses, Reading::asked(&options.set)?, options, hear);
    Ok(played.to_table().with_chart(&format!("table{number}"), played.chart()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::reproduce;
    use crate::{ProgressEvent, csv};

    fn options(games: u32) -> Options {
        Options { games: Some(games), ..Options::default() }
    }

    fn table(target: &str, games: u32, set: &[&str]) -> Table {
        reproduce(target, set, options(games), &mut |_| ()).unwrap()
    }

    /// Returns White's wins in a table's lines.
    fn wins(table: &Table) -> Vec<u32> {
        table.lines.iter().map(|line| line.score.unwrap().wins).collect()
    }

    /// Wins of 50 games in an independent simulation, under the reading nearest to the printed counts.
    const FOUND: [&[f64]; 2] = [&[38.0, 0.0, 44.0, 42.0], &[42.0, 18.0, 39.0, 40.0, 44.0, 45.0]];

    /// Percentages of the same simulation under the game's own rules.
    const FOUND_OWN: [f64; 4] = [61.5, 62.0, 74.0, 70.0];

    #[test]
    fn both_readings_give_what_an_independent_simulation_gave() {
        const GAMES: u32 = 300;
        let [first, second] = ["othello-gp/table1", "othello-gp/table2"].map(|target| table(target, GAMES, &[]));
        assert_eq!(wins(&first), STORED.0);
        assert_eq!(wins(&second), STORED.1);
        for (table, found) in [&first, &second].into_iter().zip(FOUND) {
            for (line, found) in table.lines.iter().skip(1).step_by(2).zip(found) {
                let (low, high) = line.interval.unwrap();
                // The simulation played some hundreds of games: its two figures for ( white ) differ by 2.
                assert!((low / 2.0 - 2.0..=high / 2.0 + 2.0).contains(found), "{line:?}");
            }
        }
        for (line, found) in first.lines.iter().step_by(2).zip(FOUND_OWN) {
            let (low, high) = line.interval.unwrap();
            assert!((low - 2.0..=high + 2.0).contains(&found), "{line:?}");
        }
    }

    /// Stored so that every change of rules, randomness or evaluator is noticed.
    const STORED: ([u32; 8], [u32; 12]) =
        ([187, 237, 203, 0, 230, 254, 216, 254], [173, 238, 258, 101, 199, 232, 179, 223, 213, 259, 208, 253]);

    #[test]
    fn a_table_shows_printed_counts_beside_what_is_measured() {
        let folder = tempfile::tempdir().unwrap();
        let asked = Options { out: Some(folder.path().to_owned()), ..options(40) };
        let mut events = Vec::new();
        let table = reproduce("othello-gp/table2", &["reading=as-printed"], asked, &mut |event| {
            if let ProgressEvent::Progress { share, item } = event {
                events.push((share, item));
            }
        })
        .unwrap();
        assert_eq!(events.last().unwrap(), &(1.0, "240/240 games".to_owned()));
        assert_eq!(table.lines.len(), 6);
        for line in &table.lines {
            let score = line.score.unwrap();
            assert_eq!(score.games(), 40);
            assert_eq!(line.measured.unwrap(), 100.0 * score.won(), "a drawn game is not won");
            assert!(line.may_be(line.measured.unwrap()));
        }
        let text = table.to_text();
        for part in [
            "fitness 25, 50|50        50 ",
            "( + white ( + white_corners black_near_corners ) white ) as ( + white ( + white_corners black_near_corners ) )",
            "order=first near=x edges=with zero=1 moves=above0 end=stuck first=black",
            "the learner is White",
            "seed 1",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        let json = serde_json::to_value(table.output()).unwrap();
        assert_eq!(json["lines"][5]["printed_wins"], 50);
        assert!(json["lines"][0]["as_far_off"].as_f64().unwrap() <= 1.0);
        assert!(json["lines"][5]["hypothesis"].as_str().unwrap().starts_with("( white ),50,( + ( + white_corners"));
        let read = |ending| std::fs::read_to_string(folder.path().join(format!("othello-gp-table2.{ending}"))).unwrap();
        let rows = csv::parse(&read("csv"));
        assert_eq!(
            rows[0][..7],
            ["target", "hypothesis", "reading", "printed_wins", "printed_games", "as_far_off", "games"]
        );
        assert!(rows.len() == 7 && read("svg").contains("fitness 50, tree 2  as-printed"));
    }

    #[test]
    fn what_a_reading_leaves_unread_is_said() {
        let braces = table("othello-gp/table2", 1, &["braces=zero"]);
        let (_, text) = braces.reading.iter().find(|(what, _)| *what == "read as").unwrap();
        assert_eq!(text.split("; ").count(), 3, "{text}");
        assert!(text.contains("as ( / ( - white_near_corners black_corners ) 0 )"));
        assert!(table("othello-gp/table1", 1, &["braces=zero"]).reading.iter().all(|(what, _)| *what != "read as"));
        let all = table("othello-gp/table2", 1, &["arguments=sum"]);
        assert!(
            all.reading
                .iter()
                .any(|(_, text)| text.ends_with("( + ( + white ( + white_corners black_near_corners ) ) white )"))
        );
        // Both bundles have keys of their own in JSON.
        let json = serde_json::to_value(table("othello-gp/table1", 1, &[]).output()).unwrap();
        assert!(json["reading"]["own"].is_string() && json["reading"]["as-printed"].is_string());
    }

    #[test]
    fn options_that_make_no_sense_are_reported() {
        let error =
            |target: &str, set: &str| reproduce(target, &[set], options(1), &mut |_| ()).unwrap_err().to_string();
        assert!(
            error("othello-gp/table1", "ties=first")
                .starts_with("there is no reading 'ties'; known: reading, order, near")
        );
        assert_eq!(error("othello-gp/table1", "near=y"), "near cannot be 'y'; accepted: x, c, both");
        assert_eq!(error("othello-gp/table2", "near"), "--set takes KEY=VALUE (got 'near')");
        let unknown = error("othello-gp/table3", "");
        assert!(
            unknown.starts_with("no target is called 'othello-gp/table3' (did you mean 'othello-gp/table"),
            "{unknown}"
        );
        assert!(
            unknown.contains(", othello-gp/table1, othello-gp/table2, othello-gp/evolve, othello-gp/overlap, "),
            "{unknown}"
        );
    }
}
