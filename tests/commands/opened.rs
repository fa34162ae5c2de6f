//! Runs that begin from others, end by rules, or are forked, as processes.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{assert_refused, kill, mancalab, start, stdout_of, wait_for_rows};

const SMALL: &str = "--population 20 --set opponents=max";

fn rows(home: &Path, run: &str) -> Vec<String> {
    let path = home.join("mancalab/runs").join(run).join("generations.csv");
    fs::read_to_string(path).unwrap().lines().skip(1).map(str::to_owned).collect()
}

fn json(home: &Path, arguments: &str) -> Value {
    serde_json::from_str(&stdout_of(home, arguments)).unwrap()
}

#[test]
fn a_run_ends_by_a_rule_and_tells_which() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let text = stdout_of(
        home,
        &format!("evolve mancala-gp-1 --seed 1 --generations 5000 {SMALL} --set stop=plateau:9,hours:8"),
    );
    assert!(text.contains("\nfinished by plateau:9 in "), "{text}");
    let name = "mancala-gp-1-seed1";
    let count = rows(home, name).len();
    assert!((10..5000).contains(&count), "{count}");
    let shown = json(home, &format!("runs show {name} --json"));
    let ended = format!("plateau:9 in generation {}", count - 1);
    assert_eq!((&shown["state"], &shown["ended_early"]), (&"finished".into(), &ended.as_str().into()));
    assert!(stdout_of(home, &format!("runs show {name}")).contains(&format!("finished by {ended}")));
    assert!(stdout_of(home, &format!("runs verify {name}")).contains(&format!("{count} of {count} rows")));
    assert_refused(
        home,
        &[
            ("runs extend mancala-gp-1-seed1 --generations 6000", "plateau:9 ended it; change that rule"),
            ("runs extend mancala-gp-1-seed1 --stop plateau:3", "it meets plateau:3 already; choose another rule"),
        ],
    );
    stdout_of(home, &format!("runs extend {name} --stop plateau:12"));
    stdout_of(home, &format!("evolve --resume {name}"));
    assert_eq!(rows(home, name).len(), count + 3);
    // Exported with a run without rules, whose cell is empty.
    stdout_of(home, &format!("evolve mancala-gp-1 --seed 2 --generations 1 {SMALL}"));
    let exported = stdout_of(home, &format!("runs export mancala-gp-1-seed2 {name}"));
    let column = exported.lines().next().unwrap().split(',').position(|key| key == "stop").unwrap();
    let stops: Vec<&str> = exported.lines().skip(1).map(|line| line.split(',').nth(column).unwrap()).collect();
    assert_eq!((stops[0], stops.len()), ("", 2 + count + 3), "{exported}");
    // The other kinds end by rules, too.
    stdout_of(home, "tune kalah-thesis --seed 1 --population 4 --set depth=1 --set games=1 --set stop=target:1");
    assert_eq!(rows(home, "kalah-thesis-seed1").len(), 1);
    stdout_of(home, "match round-robin --seed 1 --set games=50 --set stop=hours:0.000000001 --out one");
    let ended = json(home, "runs show one --json");
    assert_eq!((&ended["generation"], &ended["state"]), (&0.into(), &"finished".into()));
    let tournament = "match round-robin --seed 1 --set stop=plateau:2";
    assert_refused(home, &[(tournament, "no value that could reach a target or a plateau; use hours:N")]);
}

#[test]
fn a_killed_run_ends_where_it_would_have_ended() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let flags = "--population 60 --generations 100000 --seed 7 --set stop=plateau:400";
    let begin: Vec<&str> = ["evolve", "mancala-gp-1"].into_iter().chain(flags.split(' ')).collect();
    let folder = home.join("killed");
    let mut child = start(home, &folder, &[&begin[..], &["--out"]].concat());
    wait_for_rows(&mut child, &folder, 5);
    kill(child);
    stdout_of(home, "evolve --resume killed");
    stdout_of(home, &format!("evolve mancala-gp-1 {flags} --out whole"));
    let rows = |name: &str| fs::read_to_string(home.join(name).join("generations.csv")).unwrap();
    assert_eq!(rows("killed"), rows("whole"));
}

#[test]
fn a_run_is_forked_and_its_fork_verified() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    stdout_of(home, &format!("evolve mancala-gp-1 --seed 1 --generations 12 {SMALL} --set keep=2"));
    let forked = stdout_of(home, "runs fork mancala-gp-1-seed1 --at 3 --set mutation=40 --set generations=14");
    assert!(forked.starts_with("forked mancala-gp-1-seed1 after generation 3\nresume with: mancalab runs resume "));
    let fork = "mancala-gp-1-seed1-from3";
    stdout_of(home, &format!("evolve --resume {fork}"));
    let (parent, child) = (rows(home, "mancala-gp-1-seed1"), rows(home, fork));
    assert_eq!((parent.len(), child.len()), (13, 15));
    assert_eq!(parent[..4], child[..4]);
    assert_ne!(parent[4..], child[4..13]);
    let shown = json(home, &format!("runs show {fork} --json"));
    assert_eq!(shown["parent"], serde_json::json!({ "run": "mancala-gp-1-seed1", "generation": 3 }));
    assert!(stdout_of(home, &format!("runs show {fork}")).contains("mancala-gp-1-seed1 after generation 3"));
    stdout_of(home, &format!("runs report {fork} --out page"));
    let report = fs::read_to_string(home.join("page/report.md")).unwrap();
    let commands =
        report.split("## Commands that repeat it").nth(1).unwrap().lines().filter(|line| line.contains("mancalab "));
    let commands: Vec<&str> = commands.map(str::trim).collect();
    assert!(commands[0].starts_with("mancalab evolve mancala-gp-1 --seed 1 --generations 12 "), "{report}");
    assert!(commands[0].ends_with(" --out mancala-gp-1-seed1"), "{report}");
    let fork_again =
        format!("mancalab runs fork mancala-gp-1-seed1 --at 3 --set generations=14 --set mutation=40.0 --out {fork}");
    assert_eq!(commands[1..], [&*fork_again, &format!("mancalab runs resume {fork}")]);
    stdout_of(home, "runs delete --yes mancala-gp-1-seed1");
    assert!(stdout_of(home, &format!("runs verify {fork}")).contains("15 of 15 rows computed again, all equal"));
    let mistakes = [
        (
            "runs fork mancala-gp-1-seed1-from3 --at 3 --set fitness=sum-less-nodes",
            "fitness is sum-less-nodes instead of sum",
        ),
        ("runs fork mancala-gp-1-seed1-from3 --at 30 --set seed=2", "has no generation 30; it has up to 14"),
        ("runs fork mancala-gp-1-seed1-from3 --at 3 --set seed=1", "nothing changes"),
        ("runs fork mancala-gp-1-seed1-from3 --set mutations=2", "did you mean 'mutation'?"),
    ];
    assert_refused(home, &mistakes);
    stdout_of(home, &format!("runs delete --yes {fork}"));
    assert!(!home.join("mancalab/runs").join(fork).exists());
    // A genetic algorithm goes on with another search depth.
    stdout_of(home, "tune kalah-thesis --seed 1 --population 4 --generations 3 --set depth=1 --set games=1");
    stdout_of(home, "runs fork kalah-thesis-seed1 --at 1 --set mutation_rate=0.9");
    stdout_of(home, "tune --resume kalah-thesis-seed1-from1");
    assert!(stdout_of(home, "runs verify kalah-thesis-seed1-from1").contains("4 of 4 rows"));
}

#[test]
fn a_population_begins_with_programs_of_other_runs() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    stdout_of(home, &format!("evolve mancala-gp-1 --seed 1 --generations 6 {SMALL} --keep population --out first"));
    let best = fs::read_to_string(home.join("first/generations.csv")).unwrap();
    let best: f64 = best.lines().last().unwrap().split(',').nth(1).unwrap().parse().unwrap();
    let begun = |initial: &str, out: &str| {
        stdout_of(
            home,
            &format!("evolve mancala-gp-1 --seed 1 --generations 2 {SMALL} --set initial={initial} --out {out}"),
        );
        let rows = fs::read_to_string(home.join(out).join("generations.csv")).unwrap();
        rows.lines().nth(1).unwrap().split(',').nth(1).unwrap().parse::<f64>().unwrap()
    };
    assert!(begun("first/best.txt", "a") >= best);
    // All twenty places are those of the last generation.
    assert_eq!(begun("first/individuals.csv", "b"), best);
    fs::write(home.join("hall.csv"), stdout_of(home, "runs hall first --format csv")).unwrap();
    assert!(begun("hall.csv", "c") >= best);
    fs::write(home.join("mine.txt"), "# two of mine\n(@ 3)\n(+ 1 (@ 6))\n").unwrap();
    begun("mine.txt,first/best.txt", "d");
    let run = fs::read_to_string(home.join("d/run.toml")).unwrap();
    assert!(
        run.contains("initial = [\"mine.txt\", \"first/best.txt\"]") && run.contains("\"2-mine.txt\" = ["),
        "{run}"
    );
    // The copies are read from now on.
    fs::write(home.join("mine.txt"), "").unwrap();
    assert!(stdout_of(home, "runs verify d").contains("3 of 3 rows"));
    fs::write(home.join("odd.txt"), "(@ 3)\n(+ 1\n").unwrap();
    let odd = format!("evolve mancala-gp-1 {SMALL} --set initial=odd.txt");
    assert_refused(home, &[(&odd, "initial: odd.txt, line 2: ")]);
    let weights = "tune kalah-thesis --seed 3 --population 4 --generations 1 --set depth=1 --set games=1";
    stdout_of(home, &format!("{weights} --out weights"));
    stdout_of(home, &format!("{weights} --set initial=weights/best.txt --out again"));
    let othello = "evolve othello-gp-50-staged --seed 1 --population 6 --generations 1";
    stdout_of(home, &format!("{othello} --keep population --out othello"));
    stdout_of(home, &format!("{othello} --set initial=othello/best.txt,othello/individuals.csv --out more"));
}

/// What a program does: its worth by node, what it reads, and a shorter one that plays the same games.
#[test]
fn a_program_is_analysed_in_its_games() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    stdout_of(home, "evolve mancala-gp-1 --seed 3 --generations 8 --population 60 --set opponents=minimax:2 --out run");
    let shown = json(home, "runs program run --analyse --json");
    let fitness = shown["fitness"].as_f64().unwrap();
    let best = fs::read_to_string(home.join("run/best.txt")).unwrap();
    assert!(best.starts_with(&format!("# fitness {fitness}:")), "{best}");
    let nodes = shown["nodes"].as_array().unwrap();
    let all = nodes.len() as u64;
    let moves = shown["trace"]["moves"].as_u64().unwrap();
    assert_eq!(
        (&nodes[0]["taken"], nodes.iter().all(|node| node["taken"].as_u64().unwrap() <= moves)),
        (&moves.into(), true)
    );
    assert_eq!(shown["trace"]["sown"].as_array().unwrap().iter().map(|one| one.as_u64().unwrap()).sum::<u64>(), moves);
    // The simplified program is smaller with each step, and plays to the same fitness.
    let steps = shown["simplification"].as_array().unwrap();
    let sizes: Vec<u64> = steps.iter().map(|step| step["nodes"].as_u64().unwrap()).collect();
    assert!(
        std::iter::once(all).chain(sizes.iter().copied()).collect::<Vec<_>>().is_sorted_by(|a, b| a > b),
        "{sizes:?}"
    );
    let simplified = shown["simplified"].as_str().unwrap();
    fs::write(home.join("simple.txt"), simplified).unwrap();
    let again = "evolve mancala-gp-1 --seed 3 --generations 0 --population 60 --set opponents=minimax:2 --set initial=simple.txt";
    stdout_of(home, &format!("{again} --keep population --out again"));
    let individuals = fs::read_to_string(home.join("again/individuals.csv")).unwrap();
    let seeded = individuals.lines().find(|line| line.contains(",seeded,")).unwrap();
    assert_eq!(seeded.split(',').nth(2).unwrap().parse::<f64>().unwrap(), fitness, "{seeded}");
    let text = stdout_of(home, "runs program run --analyse");
    assert!(text.contains(&format!("in percent of its {moves} moves")) && text.contains("against minimax:2"), "{text}");
    let file = "runs program run/best.txt --analyse";
    assert_refused(home, &[(file, "--analyse plays against the opponents of a run, but run/best.txt is a file")]);
    // Functions of Othello have no board of pits.
    stdout_of(home, "evolve othello-gp-50 --seed 1 --generations 1 --population 6 --out othello");
    assert_eq!(json(home, "runs program othello --analyse --json")["trace"], Value::Null);
}

/// Another program may be an opponent; what follows from it is marked, and nothing relies on its moves being the same again.
#[test]
fn a_run_against_another_program_is_marked_as_not_reproducible() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let engine = format!("opponents=engine:\"{} engine\":depth=1", assert_cmd::cargo::cargo_bin("mancalab").display());
    let evolve = |more: &[&str]| {
        let args = ["evolve", "mancala-gp-1", "--seed", "1", "--population", "6", "--set", &engine];
        super::stdout(mancalab(home).args(args).args(more))
    };
    evolve(&["--generations", "1", "--out", "run"]);
    let run = fs::read_to_string(home.join("run/run.toml")).unwrap();
    assert!(run.contains("\nreproducible = false\n"), "{run}");
    assert_eq!(json(home, "runs show run --json")["reproducible"], Value::Bool(false));
    stdout_of(home, "evolve --resume run --generations 2");
    let rows = fs::read_to_string(home.join("run/generations.csv")).unwrap();
    assert_eq!(rows.lines().count(), 4);
    assert_refused(
        home,
        &[
            (
                "runs verify run",
                "not reproducible: it depends on limits of time, on threads that are not synchronized, or on another program",
            ),
            ("runs fork run --at 1 --set seed=2", "it is not reproducible"),
        ],
    );
    let marked = run.replace("reproducible = false\n", "");
    fs::write(home.join("run/run.toml"), marked).unwrap();
    assert_refused(home, &[("evolve --resume run", "requires `reproducible = false` above")]);
    let timed = "evolve mancala-gp-1 --set opponents=minimax:4:ms=5";
    assert_refused(home, &[(timed, "so the run would not be reproducible; leave out ms= and clock=")]);
    // A tournament may have such players, and is marked.
    stdout_of(home, "match minimax:4:ms=1 random --games 1 --seed 1 --out timed");
    let run = fs::read_to_string(home.join("timed/run.toml")).unwrap();
    assert!(run.contains("\nreproducible = false\n"), "{run}");
    assert_refused(home, &[("runs verify timed", "not reproducible: it depends on limits of time")]);
    // Those of earlier versions have no mark.
    fs::write(home.join("timed/run.toml"), run.replace("reproducible = false\n", "")).unwrap();
    assert_refused(home, &[("runs verify timed", "not reproducible: it depends on limits of time")]);
}

#[test]
fn strength_against_a_panel_is_printed_summarised_and_exported() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let panel = "--set panel=random,minimax:1 --set panel_every=2 --set panel_games=4";
    let lines = stdout_of(home, &format!("evolve mancala-gp-1 --seed 1 --generations 4 {SMALL} {panel} --json"));
    let measured: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let measured: Vec<(u64, &Value)> = measured
        .iter()
        .filter(|line| line["event"] == "generation" && line.get("panel").is_some())
        .map(|line| (line["generation"].as_u64().unwrap(), &line["panel"]))
        .collect();
    assert_eq!(measured.iter().map(|(generation, _)| *generation).collect::<Vec<_>>(), [0, 2, 4], "{lines}");
    assert_eq!(measured[2].1[1]["player"], "minimax:1");
    // Also where games take longer than a step.
    let slow = "--set panel=mcts:8000 --set panel_every=1 --set panel_games=4 --seed 3 --out slow";
    let lines = stdout_of(home, &format!("evolve mancala-gp-1 --generations 2 {SMALL} {slow} --json"));
    assert_eq!(lines.lines().filter(|line| line.contains("\"panel\":[")).count(), 3, "{lines}");
    // The same share by every way to it: of two players in two seats, with four games each.
    let seats =
        |player: usize| ["moving_first", "moving_second"].map(|seat| measured[2].1[player][seat].as_f64().unwrap());
    let percent = 25.0 * (seats(0).into_iter().chain(seats(1)).sum::<f64>());
    let text = format!("{percent:.1} % in generation 4: random ");
    let name = "mancala-gp-1-seed1";
    assert!(stdout_of(home, &format!("runs show {name}")).contains(&format!("panel        {text}")));
    let summary = json(home, &format!("runs summary {name} --column panel_percent --format json"));
    assert_eq!(summary["groups"][0]["results"][0].as_f64(), Some(percent), "{summary}");
    stdout_of(home, &format!("runs export {name} --out data"));
    let table = fs::read_to_string(home.join("data/panel.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + 3 * 4, "{table}");
    let points: f64 = table
        .lines()
        .filter(|line| line.split(',').nth(1) == Some("4"))
        .map(|line| {
            line.split(',').skip(4).zip([1.0, 0.5]).map(|(count, points)| count.parse::<f64>().unwrap() * points)
        })
        .map(Iterator::sum::<f64>)
        .sum();
    assert_eq!(100.0 * points / 16.0, percent, "{table}");
    stdout_of(home, &format!("runs report {name} --out report"));
    let report = fs::read_to_string(home.join("report/report.md")).unwrap();
    assert!(report.contains("## Strength") && home.join("report/figure-2.svg").exists(), "{report}");
    let tuned = "tune kalah-thesis --seed 1 --generations 2 --population 4 --set depth=1 --set games=1";
    let lines = stdout_of(home, &format!("{tuned} {panel}"));
    assert!(lines.contains("\npanel: ") && lines.contains(" % in generation 2: random "), "{lines}");
    assert!(stdout_of(home, "runs verify kalah-thesis-seed1").contains("3 of 3 rows"));
    assert_refused(home, &[(&format!("{tuned} --set panel=samuel:2"), "panel: ")]);
}
