//! Pages of the documentation, followed by the letter.

// What is skipped is reported.
#![allow(clippy::print_stderr)]

use super::{mancalab, stdout_of};

const PAGE: &str = include_str!("../../docs/experiment.md");

/// Returns the words of a command line; those in quotes are one.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for c in line.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words
}

#[test]
fn the_experiment_of_the_page_can_be_repeated() {
    let home = tempfile::tempdir().unwrap();
    let mut printed = String::new();
    let mut is_shown = false;
    let (mut commands, mut shown) = (0, 0);
    for line in PAGE.lines() {
        if line.starts_with("```") {
            is_shown = line == "```text";
        } else if is_shown {
            assert!(printed.contains(line), "the page shows '{line}', but the command prints:\n{printed}");
            shown += 1;
        } else if let Some(command) = line.strip_prefix("    mancalab ") {
            let output = mancalab(home.path()).args(words(command)).output().unwrap();
            assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
            printed = String::from_utf8(output.stdout).unwrap();
            commands += 1;
        }
    }
    assert_eq!((commands, shown), (16, 8));
    let report = std::fs::read_to_string(home.path().join("report/report.md")).unwrap();
    assert!(report.contains("mancalab plan new evolve mancala-gp-1 --seeds 1-12"), "{report}");
}

/// The fitness in Python of `docs/evolution.md`; skipped where there is no Python.
#[test]
fn the_fitness_in_python_can_be_repeated() {
    if !std::process::Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return eprintln!("python3 is not installed: the fitness in Python is not tested");
    }
    let page = include_str!("../../docs/evolution.md");
    let section = page.split("## Fitness in any language").nth(1).unwrap();
    let command = section.lines().find_map(|line| line.strip_prefix("    mancalab ")).unwrap();
    let script = section.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("fit.py"), script).unwrap();
    let small = "--seed 1 --population 30 --generations 3 --set opponents=max --json";
    let arguments = words(command).into_iter().chain(small.split(' ').map(str::to_owned));
    let output = mancalab(home.path()).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    let last: serde_json::Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    let program = last["program"].as_str().unwrap();
    let mut numbers: Vec<&str> =
        program.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let seeds: f64 = last["scores"].as_array().unwrap().iter().map(|score| score.as_f64().unwrap()).sum();
    assert_eq!(last["fitness"].as_f64(), Some(seeds - 0.5 * numbers.len() as f64), "{last}");
    assert!(stdout_of(home.path(), "runs list --format csv").contains(",evolve,mancala-gp-1,1,,false,"));
}

/// The agent of `docs/agent.md` plays a match as its page prints it, and wins; skipped where there is no Python.
#[test]
fn the_agent_in_python_plays() {
    if !std::process::Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return eprintln!("python3 is not installed: the agent in Python is not tested");
    }
    let page = include_str!("../../docs/agent.md");
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("agent.py"), blocks(page, "python")[0]).unwrap();
    let command = page.lines().find_map(|line| line.strip_prefix("    mancalab match ")).unwrap();
    assert_eq!(command, "'engine:\"python3 agent.py\"' random --games 20");
    let agent = "engine:\"python3 agent.py\"";
    let output = mancalab(home.path())
        .args(["match", agent, "random", "--games", "20", "--seed", "1", "--json"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(result["all"]["points"].as_f64().unwrap() > 0.75, "{result}");
}

/// Returns the fenced blocks of a page in a language.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("```{language}\n");
    page.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

/// The scripts of `docs/data.md`, on exported generations of 512 programs, of which the first has no parents; skipped where Python, R or
/// their libraries are missing.
#[test]
fn the_scripts_for_pandas_polars_and_r_run() {
    let home = tempfile::tempdir().unwrap();
    let evolve = "--population 512 --generations 2 --set opponents=max --keep population";
    for command in [
        &format!("evolve mancala-gp-2 --seed 1 {evolve} --out A"),
        &format!("evolve mancala-gp-2 --seed 2 --set elitism=1 {evolve} --out B"),
        "runs export A B --out data",
        "match round-robin --players random,max --games 2 --out C",
        "runs export C --out games-data",
    ] {
        let output = mancalab(home.path()).args(words(command)).output().unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let page = include_str!("../../docs/data.md");
    let is_there = |program: &str, flag: &str, needs: &str| {
        let there = std::process::Command::new(program).args([flag, needs]).output();
        let there = there.is_ok_and(|output| output.status.success());
        if !there {
            eprintln!(
                "{program} with its libraries is not installed ({needs}): scripts of docs/data.md are not tested"
            );
        }
        there
    };
    let run = |program: &str, flag: &str, script: &str| {
        let output =
            std::process::Command::new(program).args([flag, script]).current_dir(home.path()).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !output.stdout.is_empty(), "{script}\n{error}");
    };
    let (parquet, python): (Vec<&str>, Vec<&str>) =
        blocks(page, "python").into_iter().partition(|script| script.contains("parquet"));
    assert_eq!((parquet.len(), python.len()), (1, 2));
    if is_there("python3", "-c", "import pandas, polars") {
        python.iter().for_each(|script| run("python3", "-c", script));
    }
    if cfg!(feature = "parquet") && is_there("python3", "-c", "import pandas, polars, pyarrow") {
        stdout_of(home.path(), "runs export A B --format parquet --out parquet");
        parquet.iter().for_each(|script| run("python3", "-c", script));
    }
    if is_there("Rscript", "-e", "library(readr); library(dplyr); library(jsonlite)") {
        blocks(page, "r").iter().for_each(|script| run("Rscript", "-e", script));
    }
}
