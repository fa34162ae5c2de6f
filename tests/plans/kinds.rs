//! Every kind of plan, with units computed in a shuffled order, some twice at once, on one to three threads: the merged
//! result equals the ordinary command's.

use std::fs;
use std::path::Path;

use super::{assert_same, files, home, mancalab, shuffled, start, stdout_of, text, units_of};

/// Exit code of a unit whose inputs are missing.
const TOO_EARLY: i32 = 75;

/// Computes all units in a shuffled order, repeating those that come too early. Returns how often one came too early.
fn compute(home: &Path, plan: &str, seed: u64) -> usize {
    let mut left = shuffled(units_of(&home.join(plan)), seed);
    let mut early = 0;
    let mut turn = 0;
    while !left.is_empty() {
        let mut again = Vec::new();
        for unit in left {
            turn += 1;
            let command = format!("plan unit {plan} --index {unit} --threads {}", turn % 3 + 1);
            // Two processes compute some of the units at once.
            let other = (turn % 4 == 0).then(|| start(home, &command));
            let output = mancalab(home, &command).output().unwrap();
            let code = output.status.code();
            let also = other.map(|mut other| other.wait().unwrap().code());
            if code == Some(TOO_EARLY) {
                let error = text(&output.stderr);
                assert!(error.contains("first needs the results of these units: "), "{error}");
                early += 1;
                again.push(unit);
            } else {
                assert_eq!(code, Some(0), "{command}: {}", text(&output.stderr));
            }
            assert!(also.is_none_or(|also| also == code), "{command}: {also:?} and {code:?}");
        }
        left = again;
    }
    let plan = home.join(plan);
    // Two simultaneous attempts may both leave a result.
    assert!(files(&plan, "results").len() >= units_of(&plan));
    assert!(files(&plan, "attempts").is_empty(), "{:?}", files(&plan, "attempts"));
    let marks = files(&plan, "marks");
    assert!(marks.iter().all(|mark| mark.extension().is_some_and(|end| end == "done")), "{marks:?}");
    early
}

/// Creates a plan, computes and merges it; compares the runs with those of these commands.
fn check(home: &Path, plan: &str, runs: &[(&str, String)], seed: u64) -> usize {
    stdout_of(home, &format!("plan new {plan} --out plan"));
    let early = compute(home, "plan", seed);
    let message = stdout_of(home, "plan merge plan");
    assert!(
        (message.contains(", complete: ") || message.contains(" runs complete")) && !message.contains("missing"),
        "{message}"
    );
    assert_eq!(fs::read_dir(home.join("plan/merged")).unwrap().count(), runs.len());
    for (name, command) in runs {
        stdout_of(home, &format!("{command} --out {name}"));
        assert_same(&home.join("plan/merged").join(name), &home.join(name));
    }
    // Merging again gives the same, also in another folder.
    stdout_of(home, "plan merge plan");
    stdout_of(home, "plan merge plan --out elsewhere");
    runs.iter().for_each(|(name, _)| assert_same(&home.join("elsewhere").join(name), &home.join(name)));
    early
}

#[test]
fn a_tournament_in_blocks() {
    let home = home();
    let arena = "match --players random,max,minimax:2 --games 12";
    check(home.path(), &format!("{arena} --block 5"), &[("tournament-seed1", arena.to_owned() + " --seed 1")], 1);
}

#[test]
fn a_tournament_that_a_test_ends() {
    let home = home();
    let arena = "match --players max,random,minimax:2 --games 120 --sprt 0,100";
    let runs = [3, 7].map(|seed| (format!("tournament-seed{seed}"), format!("{arena} --seed {seed}")));
    let runs = runs.each_ref().map(|(name, command)| (name.as_str(), command.clone()));
    check(home.path(), &format!("{arena} --block 40 --seeds 3,7"), &runs, 2);
    let csv = fs::read_to_string(home.path().join("tournament-seed3/generations.csv")).unwrap();
    assert!(csv.lines().count() > 2, "{csv}");
}

#[test]
fn a_tournament_of_players_from_files() {
    let home = home();
    let path = home.path();
    stdout_of(path, "evolve mancala-gp-1 --population 20 --generations 2 --set opponents=max --out bred");
    stdout_of(path, "tune kalah-thesis --population 4 --generations 1 --set depth=1 --set games=1 --out tuned");
    let arena = |bred: &str, tuned: &str| {
        format!("match --players random,program:{bred},heuristic:1@{tuned}:ties=random --games 7 --seed 1")
    };
    let tuned = fs::read_dir(path.join("tuned")).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(tuned.into_iter().any(|name| name == "best.txt"));
    let plan = arena("bred/best.txt", "tuned/best.txt").replace("--seed", "--block 3 --seeds");
    let whole = arena("bred/best.txt", "tuned/best.txt");
    // The plan has its own copies: changes to the originals do not matter.
    stdout_of(path, &format!("plan new {plan} --out tried"));
    fs::write(path.join("tuned/gone"), "").unwrap();
    check(path, &plan, &[("tournament-seed1", whole)], 3);
    // The plan's location does not matter either.
    stdout_of(path, "plan unit tried --index 4");
    fs::remove_dir_all(path.join("bred")).unwrap();
    fs::rename(path.join("tried"), path.join("moved")).unwrap();
    stdout_of(path, "plan submit moved --engine local");
    stdout_of(path, "plan merge moved");
    assert_same(&path.join("moved/merged/tournament-seed1"), &path.join("tournament-seed1"));
    fs::rename(path.join("moved"), path.join("again")).unwrap();
    stdout_of(path, "plan merge again");
}

#[test]
fn what_varies_names_files_that_are_copied_too() {
    let home = home();
    let path = home.path();
    stdout_of(path, "tune kalah-thesis --population 4 --generations 1 --set depth=1 --set games=1 --out tuned");
    fs::rename(path.join("tuned/best.txt"), path.join("ran")).unwrap();
    let plan = "match --players random,max --games 4 --block 2 --vary players=random,heuristic:1@ran|max,random";
    stdout_of(path, &format!("plan new {plan} --out plan"));
    let whole = "match --players random,heuristic:1@ran --games 4 --seed 1 --out whole";
    stdout_of(path, whole);
    fs::remove_file(path.join("ran")).unwrap();
    stdout_of(path, "plan submit plan --engine local");
    stdout_of(path, "plan merge plan");
    let merged = fs::read_dir(path.join("plan/merged")).unwrap().map(|entry| entry.unwrap().path());
    let merged = merged.into_iter().find(|run| run.display().to_string().contains("heuristic")).unwrap();
    assert_same(&merged, &path.join("whole"));
}

#[test]
fn runs_have_names_of_their_own() {
    let home = home();
    let arena = "match --players random,max --games 3";
    stdout_of(home.path(), &format!("plan new {arena} --vary opening=2,3 --vary sprt=-5,10|+5,10 --out plan"));
    stdout_of(home.path(), "plan submit plan --engine local");
    stdout_of(home.path(), "plan merge plan");
    assert_eq!(fs::read_dir(home.path().join("plan/merged")).unwrap().count(), 4);
}

#[test]
fn runs_of_genetic_programming() {
    let home = home();
    let evolve = "evolve mancala-gp-1 --population 16 --generations 5 --set opponents=max";
    let names = [(1, 1), (1, 2), (4, 1), (4, 2)].map(|(seed, elitism)| {
        (
            format!("mancala-gp-1-elitism-{elitism}-seed{seed}"),
            format!("{evolve} --seed {seed} --set elitism={elitism}"),
        )
    });
    let runs = names.each_ref().map(|(name, command)| (name.as_str(), command.clone()));
    check(home.path(), &format!("{evolve} --seeds 1,4 --vary elitism=1,2"), &runs, 4);
}

#[test]
fn runs_of_the_genetic_algorithm() {
    let home = home();
    let tune = "tune kalah-thesis --population 6 --generations 3 --set depth=1 --set games=1";
    let names = [(1, "0.1"), (2, "0.1"), (1, "0.3"), (2, "0.3")].map(|(seed, rate)| {
        (
            format!("kalah-thesis-mutation_rate-{rate}-seed{seed}"),
            format!("{tune} --seed {seed} --set mutation_rate={rate}"),
        )
    });
    let runs = names.each_ref().map(|(name, command)| (name.as_str(), command.clone()));
    check(home.path(), &format!("{tune} --seeds 1-2 --vary mutation_rate=0.1,0.3"), &runs, 5);
}

#[test]
fn trainings_of_a_network() {
    let home = home();
    let train = "train kalah-thesis-a3c --generations 5 --set workers=3 --set rounds=3 --set hidden=8 --set panel=random \
                 --set panel_games=2";
    let runs = [1, 2].map(|seed| (format!("kalah-thesis-a3c-seed{seed}"), format!("{train} --seed {seed}")));
    let runs = runs.each_ref().map(|(name, command)| (name.as_str(), command.clone()));
    check(home.path(), &format!("{train} --seeds 1-2"), &runs, 6);
    assert!(home.path().join("kalah-thesis-a3c-seed2/network.safetensors").is_file());
}

#[test]
fn runs_that_learn_patterns() {
    let home = home();
    let train = "train othello-patterns --generations 1 --set games=12 --set depth=1 --set exact=6 --set opening=16 \
                 --set iterations=3 --set held_out=3 --set compared=3 --set panel=random --set panel_games=1";
    let run = ("othello-patterns-seed2", format!("{train} --seed 2"));
    check(home.path(), &format!("{train} --seeds 2"), &[run], 8);
    assert!(home.path().join("othello-patterns-seed2/othello.patterns").is_file());
}

#[test]
fn runs_on_islands() {
    let kalah = "mancala-gp-1 --population 24 --generations 10 --set opponents=max,programs:2";
    let othello = "othello-gp-50 --population 24 --generations 4 --set opponents=random --set games=2 --set anew=true";
    for (flags, islands, every, migrants) in [(kalah, 2, 3, 1), (kalah, 3, 4, 2), (othello, 2, 2, 2)] {
        let home = home();
        let settings = [("islands", islands), ("migration_every", every), ("migrants", migrants)];
        let own: String = settings.iter().map(|(key, value)| format!(" --set {key}={value}")).collect();
        let name = flags.split(' ').next().unwrap().to_owned() + "-seed1";
        let run = (&*name, format!("evolve {flags}{own} --seed 1"));
        let early = check(
            home.path(),
            &format!("islands {flags} --islands {islands} --migration-every {every} --migrants {migrants}"),
            &[run],
            islands,
        );
        assert!(early > 0, "no unit came too early in this order");
    }
}
