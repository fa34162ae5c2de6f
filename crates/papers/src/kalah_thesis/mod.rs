//! Reproduction of the tables and figures in T. J. Hunter, *The Exploration and Analysis of Mancala from an AI Perspective*
//! (Andrews University, 2021).

mod a3c;
mod claims;
mod counted;
mod depth;
mod epsilon;
mod figures;
mod hybrid;
mod joint;
mod matches;
mod network_ga;
mod opening;
mod operators;
mod readings;
mod rows;
mod run;
mod table1;
mod table2;
mod table3;
mod variants;
mod without_h8;

use super::work::{ITERATIONS, POPULATION, Part, Work};
use super::{Options, PLAYED, Target, ranges as chart};
use crate::arena::Settings;
use mancalab_base::Error;

pub(super) const SOURCE: &str = "The Exploration and Analysis of Mancala from an AI Perspective";

/// The number of random moves at the start of a game.
const OPENING: u32 = 2;

/// The depth of every heuristic player, in plies.
const DEPTH: u32 = 4;

pub(super) const TARGETS: &[Target] = &[
    Target {
        name: "kalah-thesis/table1",
        about: "every player against every other",
        takes: PLAYED,
        readings: &["max", "ties", "minimax", "judged", "near", "ahead", "end", "opening", "eps", "iterations", "a3c"],
        work: Work::new(272, &[(Part::Games, 1000, 2)]),
        run: table1::reproduce,
    },
    Target {
        name: "kalah-thesis/table2",
        about: "the round robin of single heuristics",
        takes: PLAYED,
        readings: &["ties", "judged", "near", "ahead", "end", "opening"],
        work: Work::new(1, &[(Part::Games, 10, 2)]),
        run: table2::reproduce,
    },
    Target {
        name: "kalah-thesis/table3",
        about: "the weights after 20 runs of the genetic algorithm",
        takes: &["--runs", "--generations", "--seed", "--out", "--set"],
        readings: &[],
        work: Work::new(1800, &[(Part::Runs, 20, 2), (Part::Generations, 250, 1)]),
        run: table3::reproduce,
    },
    Target {
        name: "kalah-thesis/opening",
        about: "Table 1's pairs with a player that chooses by chance, from two random moves and from none",
        takes: PLAYED,
        readings: &["max", "ties", "judged", "near", "opening", opening::KEY, "eps", "iterations", "a3c"],
        work: Work::new(530, &[(Part::Games, 1000, 2)]),
        run: opening::reproduce,
    },
    Target {
        name: "kalah-thesis/claims",
        about: "claims of the text, each measured and judged by a rule",
        takes: PLAYED,
        readings: &["max", "ties", "minimax", "judged", "near", "ahead", "end", "opening", "eps", "iterations", "a3c"],
        work: Work::new(350, &[(Part::Games, 1000, 2)]),
        run: claims::reproduce,
    },
    Target {
        name: "kalah-thesis/operators",
        about: "Table 3 with other crossovers, other deviations of a mutation, and a free W4",
        takes: &["--runs", "--generations", "--seed", "--out", "--set"],
        readings: &[],
        work: Work::new(10_800, &[(Part::Runs, 20, 1), (Part::Generations, 250, 1)]),
        run: operators::reproduce,
    },
    Target {
        name: "kalah-thesis/rows",
        about: "Table 1 with each row of Table 3 as the heuristic player",
        takes: PLAYED,
        readings: &["max", "ties", "judged", "near", "ahead", "end", "opening", "eps", "iterations", "a3c"],
        work: Work::new(400, &[(Part::Games, 1000, 2)]),
        run: rows::reproduce,
    },
    Target {
        name: "kalah-thesis/readings",
        about: "the readings that explain Tables 1, 2 and 3 best together",
        takes: &["--games", "--generations", "--seed", "--seeds", "--out"],
        readings: &[],
        work: Work::new(12_000, &[(Part::Seeds, 8, 2), (Part::Generations, 250, 1), (Part::Games, 1000, 2)]),
        run: joint::reproduce,
    },
    Target {
        name: "kalah-thesis/epsilon",
        about: "the epsilon of MCTS nearest to Table 1",
        takes: PLAYED,
        readings: &["max", "ties", "judged", "near", "opening", "iterations"],
        work: Work::new(1500, &[(Part::Games, 1000, 2)]),
        run: epsilon::reproduce,
    },
    Target {
        name: "kalah-thesis/figure4",
        about: "MCTS by iterations against minimax by depth",
        takes: PLAYED,
        readings: &["max", "ties", "judged", "near", "opening", "eps", "most"],
        work: Work::new(137, &[(Part::Games, 200, 2)]),
        run: |options, hear| figures::FIGURE4.reproduce(options, hear),
    },
    Target {
        name: "kalah-thesis/figure5",
        about: "MCTS by iterations against the heuristic player by depth",
        takes: PLAYED,
        readings: &["max", "ties", "judged", "near", "opening", "eps", "most"],
        work: Work::new(137, &[(Part::Games, 200, 2)]),
        run: |options, hear| figures::FIGURE5.reproduce(options, hear),
    },
    Target {
        name: "kalah-thesis/depth",
        about: "heuristic:4 against minimax:8, and its readings",
        takes: PLAYED,
        readings: &["judged", "near", "opening"],
        work: Work::new(5, &[(Part::Games, 1000, 20)]),
        run: depth::reproduce,
    },
    Target {
        name: "kalah-thesis/a3c",
        about: "the strength of the thesis' actor-critic and ours after the same numbers of games",
        takes: &["--games", "--generations", "--seed", "--seeds", "--out", "--set"],
        readings: &[],
        work: Work::new(1800, &[(Part::Seeds, 3, 1), (Part::Generations, 1600, 30), (Part::Games, 200, 2)]),
        run: a3c::reproduce,
    },
    Target {
        name: "kalah-thesis/hybrid",
        about: "ten heuristics and a network in one sum, against each alone",
        takes: PLAYED,
        readings: &["judged", "near", "opening", "player"],
        work: Work::new(4, &[(Part::Games, 400, 2)]),
        run: hybrid::reproduce,
    },
    Target {
        name: "kalah-thesis/without-h8",
        about: "the genetic algorithm with all ten heuristics and without H8",
        takes: &["--games", "--generations", "--seed", "--seeds", "--out", "--set"],
        readings: &[],
        work: Work::new(1000, &[(Part::Seeds, 5, 1), (Part::Generations, 100, 2), (Part::Games, 200, 2)]),
        run: without_h8::reproduce,
    },
    Target {
        name: "kalah-thesis/network-ga",
        about: "a genetic algorithm over a network's weights against the actor-critic",
        takes: &["--games", "--seed", "--seeds", "--out", "--set"],
        readings: &network_ga::KEYS,
        work: Work::new(23, &[(Part::Seeds, 3, 1), (Part::Games, 200, 2)]),
        run: network_ga::reproduce,
    },
    Target {
        name: "kalah-thesis/variants",
        about: "the six players in five other games of pits, with weights and a network for each",
        takes: &["--games", "--generations", "--seed", "--out", "--set"],
        readings: &["eps", ITERATIONS, POPULATION],
        // Breeding and training, and the games of the tables, of which those of `mcts` take most.
        work: Work {
            seconds: 7000,
            parts: &[(Part::Generations, 60, 1), (Part::Population, 30, 4)],
            beside: &[(Part::Games, 100, 2), (Part::Iterations, 4000, 40)],
            set: &[],
        },
        run: variants::reproduce,
    },
    Target {
        name: "kalah-thesis/matches",
        about: "the heuristic player against others",
        takes: PLAYED,
        readings: &["judged", "near", "weights", "opponents"],
        work: Work::new(1, &[(Part::Games, 1000, 2)]),
        run: matches::reproduce,
    },
];

/// The preset of a tournament behind a table.
struct Preset {
    name: &'static str,
    about: &'static str,
    settings: fn(&Options) -> Result<Settings, Error>,
    /// Returns the published percentage of games won by one player, moving first, against another.
    published: fn(&Settings, usize, usize) -> Option<f64>,
}

const PRESETS: &[Preset] = &[
    Preset {
        name: "kalah-thesis-table1",
        about: "Table 1 of the Kalah thesis: six players, 1,000 games for each pair",
        settings: table1::settings,
        published: |_, first, second| table1::PUBLISHED[first][second],
    },
    Preset {
        name: "kalah-thesis-figure4",
        about: "Figure 4: Monte Carlo search by iterations against minimax by depth",
        settings: |options| figures::FIGURE4.settings(options),
        published: |settings, first, second| figures::FIGURE4.published(&settings.players, first, second),
    },
    Preset {
        name: "kalah-thesis-figure5",
        about: "Figure 5: the same against the heuristic player",
        settings: |options| figures::FIGURE5.settings(options),
        published: |settings, first, second| figures::FIGURE5.published(&settings.players, first, second),
    },
    Preset {
        name: "kalah-thesis-epsilon",
        about: "the epsilon of Monte Carlo search nearest to Table 1",
        settings: epsilon::settings,
        published: |_, first, second| epsilon::published(first, second),
    },
    Preset {
        name: "kalah-thesis-hybrid",
        about: "ten heuristics and a network in one sum, against its parts and minimax",
        settings: hybrid::settings,
        published: |_, _, _| None,
    },
    Preset {
        name: "kalah-thesis-depth",
        about: "the heuristic player at depth 4 against minimax at depth 8, and variants",
        settings: depth::settings,
        published: |_, _, _| None,
    },
];

/// Returns the tournament presets: (name, description).
pub(super) fn tournaments() -> impl Iterator<Item = (&'static str, &'static str)> {
    PRESETS.iter().map(|preset| (preset.name, preset.about))
}

/// Returns the tournament of this name with its default settings and seed 1.
pub(super) fn tournament(name: &str) -> Option<Settings> {
    let preset = PRESETS.iter().find(|preset| preset.name == name)?;
    (preset.settings)(&Options::default()).ok()
}

/// Returns the published percentage of games won by one of a tournament's players, moving first, against another.
pub fn published(settings: &Settings, first: usize, second: usize) -> Option<f64> {
    let preset = PRESETS.iter().find(|preset| preset.name == settings.preset)?;
    let usual = (preset.settings)(&Options::default()).ok()?;
    let is_usual =
        (&usual.players, usual.variant, usual.opening) == (&settings.players, settings.variant, settings.opening);
    if is_usual { (preset.published)(settings, first, second) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::Pool;
    use crate::settings::KeyedSettings as _;
    use crate::target::reproduce;
    use crate::{Table, csv};

    #[test]
    fn options_that_make_no_sense_are_reported() {
        let error = |target: &str, set: &str| {
            let options = Options { games: Some(2), runs: Some(0), ..Options::default() };
            reproduce(target, &[set], options, &mut |_| ()).unwrap_err().to_string()
        };
        assert_eq!(
            error("kalah-thesis/table2", "speed=1"),
            "there is no reading 'speed'; known: ties, judged, near, ahead, end, opening"
        );
        assert_eq!(error("kalah-thesis/table2", "near"), "--set takes KEY=VALUE (got 'near')");
        assert!(
            error("kalah-thesis/matches", "near=far").contains("expected difference, indicator, printed or harmful")
        );
        assert!(error("kalah-thesis/table3", "speed=1").starts_with("no setting is named 'speed'"));
        let unknown = error("kalah-thesis/table9", "");
        let known: Vec<&str> = unknown.split("kalah-thesis/").skip(2).collect();
        assert!(unknown.contains("did you mean 'kalah-thesis/table") && known.len() >= 10, "{unknown}");
        assert!(
            known.join("").contains("figure5, depth, a3c, hybrid, without-h8, network-ga, variants, matches, "),
            "{unknown}"
        );
    }

    #[test]
    fn tables_of_the_arena_tell_intervals_and_write_files() {
        let folder = tempfile::tempdir().unwrap();
        let out = Some(folder.path().to_owned());
        for (name, set, lines) in [("figure4", "most=250", 4), ("figure5", "most=250", 4)] {
            let options = Options { games: Some(2), out: out.clone(), ..Options::default() };
            let table = reproduce(&format!("kalah-thesis/{name}"), &[set], options, &mut |_| ()).unwrap();
            assert_eq!(table.lines.len(), lines);
            assert!(table.lines.iter().all(|line| line.interval.is_some()));
            assert!(table.to_text().contains("iterations") && table.to_text().contains("95 %: "));
            assert!(table.to_text().contains("mcts:N:eps=") && table.lines[3].remark.is_some());
            let csv = std::fs::read_to_string(folder.path().join(format!("kalah-thesis-{name}.csv"))).unwrap();
            assert!(
                csv.starts_with(
                    "target,iterations,depth,games,wins,draws,losses,won_percent,low_percent,high_percent,"
                )
            );
            let svg = std::fs::read_to_string(folder.path().join(format!("kalah-thesis-{name}.svg"))).unwrap();
            assert!(svg.starts_with("<svg ") && svg.matches("<polyline").count() == 4);
        }
        let error = |target: &str, set: &str| {
            let options = Options { games: Some(1), ..Options::default() };
            reproduce(target, &[set], options, &mut |_| ()).unwrap_err().to_string()
        };
        assert_eq!(error("kalah-thesis/table1", "eps=3"), "eps must be a probability from 0 to 1 (got 3)");
        assert_eq!(
            error("kalah-thesis/table1", "x=3"),
            "there is no reading 'x'; known: max, ties, minimax, judged, near, ahead, end, opening, eps, iterations, a3c"
        );
        assert!(error("kalah-thesis/table1", "opening=x").ends_with("from 0 to 100 (got x)"));
        assert_eq!(error("kalah-thesis/figure4", "most=1"), "most must be a number of iterations from 250 (got 1)");
    }

    /// Returns a target's table, its CSV and its SVG.
    fn whole(target: &str, games: u32, set: &[&str]) -> (Table, Vec<Vec<String>>, String) {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { games: Some(games), out: Some(folder.path().to_owned()), ..Options::default() };
        let mut table = reproduce(&format!("kalah-thesis/{target}"), set, options, &mut |_| ()).unwrap();
        assert!(table.notes.pop().unwrap().starts_with("Written: "));
        let read =
            |ending| std::fs::read_to_string(folder.path().join(format!("kalah-thesis-{target}.{ending}"))).unwrap();
        let mut rows = csv::parse(&read("csv"));
        let targets: Vec<String> = rows.iter_mut().map(|row| row.remove(0)).collect();
        assert!(targets[0] == "target" && targets[1..].iter().all(|cell| *cell == format!("kalah-thesis/{target}")));
        assert!(rows.iter().all(|row| row.len() == rows[0].len()) && rows.len() == 1 + table.lines.len());
        assert!(!read("svg").contains("NaN"));
        for line in table.lines.iter().filter(|line| line.measured.is_some()) {
            assert!(line.may_be(line.measured.unwrap()), "{line:?}");
            assert!(line.score.unwrap().games() <= games, "{line:?}");
        }
        (table, rows, read("svg"))
    }

    #[test]
    fn table_1_is_whole() {
        let (table, rows, svg) = whole("table1", 1, &["iterations=20"]);
        assert_eq!(rows[0][..3], ["first", "second", "games"]);
        assert_eq!(rows[4 * 6 + 1][..3], ["mcts:20", "random", "1"]);
        assert_eq!(rows[36][..3], ["a3c", "a3c", "1"]);
        assert!(table.lines.len() == 36 && table.lines.iter().all(|line| line.measured.is_some()));
        // Measured here, not published in the thesis; and of other iterations than published.
        for (index, line) in table.lines.iter().enumerate() {
            let is_unplayed = [2 * 6 + 4, 3 * 6 + 4, 4 * 6 + 5, 5 * 6 + 4].contains(&index);
            let is_other = !is_unplayed && (index / 6 == 4 || index % 6 == 4);
            let remark = if is_unplayed { Some("not played in the thesis") } else { None };
            assert_eq!(line.remark.as_deref(), remark.or(is_other.then_some("4000 iterations in the thesis")));
            assert!(
                line.published.is_none() == line.remark.is_some() && line.chance().is_some() != line.remark.is_some()
            );
        }
        assert!(
            table.notes[0].starts_with("chi-square ") && table.notes[2].contains(" over 16 cells "),
            "{:?}",
            table.notes
        );
        assert!(table.reading.iter().any(|(what, reading)| *what == "max" && reading.contains("Algorithm 2")));
        assert_eq!(table.lines[5 * 6 + 5].published, Some(79.0));
        assert!(table.chart.last().unwrap().starts_with("a3c ") && table.chart.last().unwrap().ends_with("(79.0)"));
        assert!(table.reading.iter().any(|(_, reading)| reading.contains("calibrated against the five cells")));
        // The command in docs/network.md.
        let commands = table.reading.iter().filter_map(|(_, reading)| reading.split('`').nth(1));
        let made = commands.into_iter().find(|command| command.starts_with("mancalab train ")).unwrap();
        assert!(include_str!("../../../../docs/network.md").contains(&format!("\n    {made} --out ")), "{made}");
        let other = whole("table1", 1, &["iterations=20", "opening=0"]).0;
        assert!(other.reading.iter().any(|(_, reading)| reading.starts_with("the first 0 moves")));
        let json = serde_json::to_value(table.output()).unwrap();
        assert_eq!((&json["lines"][0]["first"], &json["lines"][0]["games"]), (&"random".into(), &1.into()));
        assert!(json["lines"][0]["inside"].is_boolean() && json["lines"][0]["interval"][1].is_number());
        assert_eq!((table, rows, svg), whole("table1", 1, &["iterations=20"]));
    }

    #[test]
    fn another_network_plays_in_table_1_where_it_is_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("own.safetensors");
        let mut training = crate::train::preset("kalah-thesis-a3c").unwrap();
        for (key, value) in [("hidden", "4"), ("rounds", "1"), ("generations", "0"), ("opponents", "2*max,random")] {
            training.set(key, value).unwrap();
        }
        let mut run = crate::train::Training::start(training).unwrap();
        while !crate::job::Run::is_over(&run) {
            crate::job::Run::advance(&mut run, &Pool::alone(), crate::budget::Budget::UNLIMITED);
        }
        std::fs::write(&file, crate::job::Run::product(&run).unwrap().1).unwrap();
        let asked = format!("a3c={}", file.display());
        let (table, rows, _) = whole("table1", 1, &["iterations=20", &asked]);
        assert_eq!(rows[36][..2], ["a3c", "a3c"]);
        let made = table.reading.iter().find(|(what, _)| *what == "a3c").unwrap().1.clone();
        let command =
            "`mancalab train kalah-thesis-a3c --seed 1 --generations 0 --set hidden=4 --set rounds=1 --set 'opponents=";
        assert!(made.starts_with("a3c:") && made.contains("own.safetensors") && made.contains(command), "{made}");
        assert_ne!(table.lines, whole("table1", 1, &["iterations=20"]).0.lines);
        let options = Options { games: Some(1), ..Options::default() };
        let error = reproduce("kalah-thesis/table1", &["a3c=no/such"], options, &mut |_| ()).unwrap_err().to_string();
        assert!(error.contains("cannot read no/such: "), "{error}");
    }

    #[test]
    fn every_epsilon_has_a_row() {
        let (table, rows, svg) = whole("epsilon", 1, &["iterations=5"]);
        assert_eq!(rows[0][..3], ["epsilon", "opponent", "rms"]);
        // The source's row is of 4,000 iterations.
        assert_eq!((table.lines.len(), table.chart.len()), (50, 2 + 10));
        assert!(table.lines.iter().all(|line| line.published.is_none()));
        assert!(table.notes[0].contains("not set against those of 5"), "{:?}", table.notes);
        assert_eq!((table, rows, svg), whole("epsilon", 1, &["iterations=5"]));
    }

    #[test]
    fn the_depth_match_is_reported_with_its_readings() {
        let (table, rows, _) = whole("depth", 2, &[]);
        assert_eq!(rows[0][..5], ["match", "player", "opponent", "seat", "games"]);
        assert_eq!(rows[2][1..5], ["heuristic:4:ties=random:near=indicator", "minimax:8:ties=random", "first", "1"]);
        assert_eq!(table.lines.len(), 3 * 13);
        assert!(table.notes[3].contains("draws counted half"));
        assert_eq!(table.lines.iter().filter(|line| line.published.is_some()).count(), 1);
        assert!(
            table.notes[2].contains("of 500 games (p 0.05 or more): heuristic:4 v minimax:8"),
            "{}",
            table.notes[2]
        );
    }

    #[test]
    fn the_hybrid_meets_its_parts_and_all_of_them_the_others() {
        let own = "player=heuristic:1@0,0,0,1,0,1,0,0,0,0,0.5:net=best";
        let (table, rows, _) = whole("hybrid", 2, &[own, "opening=2"]);
        assert_eq!(rows[0][..4], ["player", "opponent", "seat", "games"]);
        // Three matches with its parts, and four players against two others.
        assert_eq!((table.lines.len(), rows.len()), (3 * (3 + 2 * 4), 1 + 3 * (3 + 2 * 4)));
        assert!(table.lines[3].what.ends_with(" v a3c") && table.lines[0].score.unwrap().games() == 2);
        assert!(table.notes[0].starts_with("The combination ") && table.notes[0].contains("heuristic:4"));
        assert!(table.notes[1].contains("heuristic:1") && !table.notes[1].contains("NaN"));
        assert_eq!(hybrid::settings(&Options::default()).unwrap().opening.moves(), 6);
    }

    #[test]
    fn files_are_written_where_asked() {
        let folder = tempfile::tempdir().unwrap();
        let out = Some(folder.path().to_owned());
        for name in ["table2", "matches"] {
            let options = Options { games: Some(2), out: out.clone(), ..Options::default() };
            let set: &[&str] = if name == "matches" { &["opponents=random"] } else { &[] };
            let table = reproduce(&format!("kalah-thesis/{name}"), set, options, &mut |_| ()).unwrap();
            assert!(table.notes.iter().any(|note| note.starts_with("Written: ")), "{:?}", table.notes);
            let svg = std::fs::read_to_string(folder.path().join(format!("kalah-thesis-{name}.svg"))).unwrap();
            assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>") && !svg.contains("NaN"));
        }
    }
}
