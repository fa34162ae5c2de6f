//! A small run of the genetic algorithm from its preset to its genomes on the Board.

use std::path::Path;

use crate::app::stage::Stage;
use crate::tabs::staged::{go_to, with_runs};

fn stage(folder: &Path) -> Stage {
    with_runs("3", folder, None)
}

/// Six genomes, three generations, one ply: fast.
fn small_run(stage: &mut Stage) {
    stage.keys("e").text("5").keys("down").text("3").keys("down").text("6");
    go_to(stage, "depth");
    stage.text("1").keys("enter");
    stage.wait();
}

#[test]
fn the_list_of_presets() {
    let folder = tempfile::tempdir().unwrap();
    insta::assert_snapshot!(stage(folder.path()).pages());
}

#[test]
fn a_run_from_beginning_to_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    small_run(&mut stage);
    let pages = stage.pages();
    assert!(pages.contains("finished") && pages.contains("generation 3 of 3"), "{pages}");
    insta::assert_snapshot!(pages);
}

/// The selected genome is beside the best, and the weights are a heat map over the generations.
#[test]
fn on_a_large_screen_all_is_seen_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    small_run(&mut stage);
    stage.keys("down down");
    insta::assert_snapshot!(stage.body(200, 60));
    stage.keys("f f left");
    assert!(stage.shows("generation 3: "), "{}", stage.screen(120, 40));
}

#[test]
fn a_genome_is_opened_on_the_board_and_its_terms_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    small_run(&mut stage);
    stage.keys("down c");
    assert!(stage.shows("North  heuristic:1@"), "{}", stage.screen(120, 40));
    stage.keys("w");
    assert!(stage.shows("Ten heuristics for South") && stage.shows("H10"), "{}", stage.screen(120, 40));
    assert_eq!(std::fs::read_dir(folder.path().join("kalah-thesis-seed5/genomes")).unwrap().count(), 1);
    stage.keys("3 o o enter");
    assert!(stage.shows("South  heuristic:1@") && stage.shows("North  minimax:1"), "{}", stage.screen(120, 40));
}

/// A small run of checkers, one ply deep, with this many genomes and three generations.
fn knocked_out(stage: &mut Stage, population: &str) {
    stage.keys("down down");
    small_run_of_checkers(stage, population);
}

/// Like [`knocked_out`], with the preset under the cursor.
fn small_run_of_checkers(stage: &mut Stage, population: &str) {
    stage.keys("e").text("5").keys("down").text("3").keys("down").text(population);
    go_to(stage, "depth");
    stage.text("1").keys("enter");
    stage.wait();
}

/// Twenty-seven weights: if they leave no rows for the panels below them, those are beside them.
#[test]
fn a_long_table_of_weights_leaves_room_for_the_other_panels() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    stage.keys("down down down");
    small_run_of_checkers(&mut stage, "8");
    insta::assert_snapshot!(stage.body(120, 40) + &stage.body(200, 60));
    // At every size all panels are drawn within the screen.
    for (wide, high) in [(60, 20), (100, 30), (160, 40), (160, 51), (170, 60), (190, 45), (240, 50), (260, 70)] {
        let screen = stage.screen(wide, high);
        assert!(
            ["Fitness, %", "Weights as shares", "Standings of gen"].iter().all(|title| screen.contains(title)),
            "{screen}"
        );
    }
}

#[test]
fn a_bracket_is_drawn_in_every_size() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    knocked_out(&mut stage, "16");
    insta::assert_snapshot!(stage.pages() + &stage.body(200, 60));
}

#[test]
fn who_sits_out_is_reported_and_the_cursor_goes_through_the_rounds() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    knocked_out(&mut stage, "5");
    assert!(stage.shows("final: ") && stage.shows(" bye") && stage.shows("winner"), "{}", stage.screen(120, 40));
    stage.keys("left");
    assert!(stage.shows("semi-finals: "), "{}", stage.screen(120, 40));
    stage.keys("left left left");
    assert!(stage.shows("quarter-finals: "), "{}", stage.screen(120, 40));
    stage.keys("down down down");
    assert!(stage.shows("has a bye and advances without points"), "{}", stage.screen(120, 40));
    stage.keys("enter");
    assert!(stage.shows("A bye has no game"), "{}", stage.screen(120, 40));
    stage.keys("right right right");
    assert!(stage.shows("final: "), "{}", stage.screen(120, 40));
}

#[test]
fn a_pairing_s_game_is_opened_on_the_board_from_its_beginning() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    knocked_out(&mut stage, "4");
    stage.keys("enter");
    assert!(stage.shows("samuel:1@") && stage.shows("1 Board"), "{}", stage.screen(120, 40));
    let before = stage.screen(120, 40);
    stage.keys("right");
    assert_ne!(stage.screen(120, 40), before);
    // Outside of the bracket a genome is opened, as in every run.
    stage.keys("3");
    assert!(stage.shows("semi-finals"), "{}", stage.screen(120, 40));
    stage.keys("f enter");
    assert!(stage.shows("White  minimax:1"), "{}", stage.screen(120, 40));
}

/// As many rounds as fit are drawn, the last at the least: the final, the winner, and a pairing in words.
#[test]
fn a_knockout_fits_where_there_is_little_room() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    knocked_out(&mut stage, "16");
    let is_whole = |screen: &str| ["final ", "winner", "─ ✓    1 ", " beat "].iter().all(|text| screen.contains(text));
    let rounds = |screen: &str| {
        ["round 1  ", "quarter-finals  ", "semi-finals  "].iter().filter(|round| screen.contains(**round)).count()
    };
    let sizes = [(40, 12), (60, 20), (80, 24), (100, 30), (120, 34), (160, 50), (240, 80)];
    for ((width, height), least) in sizes.into_iter().zip([0, 1, 3, 3, 3, 3, 3]) {
        let screen = stage.screen(width, height);
        assert!(height < 20 || is_whole(&screen), "{screen}");
        stage.keys("z");
        let zoomed = stage.screen(width, height);
        assert!(is_whole(&zoomed) && rounds(&zoomed) == least, "{zoomed}");
        stage.keys("left z f d");
    }
}

/// A genome of hundreds of weights is shown by four figures, and its player reads a file.
#[test]
fn a_network_is_shown_by_its_parts_and_opened_on_the_board() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    stage.keys("down down down down down e").text("5").keys("down").text("3").keys("down").text("6").keys("enter");
    stage.wait();
    let screen = stage.screen(80, 24);
    assert!(screen.contains("Wh hidden weights, RMS") && screen.contains("bp policy biases"), "{screen}");
    insta::assert_snapshot!(stage.body(120, 40));
    stage.keys("down c");
    assert!(stage.shows("North  a3c:"), "{}", stage.screen(120, 40));
    let genomes = std::fs::read_dir(folder.path().join("kalah-network-seed5/genomes")).unwrap();
    let names: Vec<_> = genomes.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(matches!(&names[..], [name] if name.ends_with(".safetensors")), "{names:?}");
}

/// Ten heuristics and a network are eleven weights, all of them in the table and in the heat map.
#[test]
fn eleven_weights_are_all_seen() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = stage(folder.path());
    stage.keys("down down down down");
    small_run(&mut stage);
    let screen = stage.screen(80, 24);
    assert!(screen.contains("H1 leftmost pit") && screen.contains("H11 network value"), "{screen}");
    for (width, height) in [(120, 40), (200, 60)] {
        let screen = stage.screen(width, height);
        for name in ["H1 leftmost pit", "H11 network value"] {
            assert_eq!(screen.matches(name).count(), 2, "{screen}");
        }
    }
}

#[test]
fn the_cursor_goes_with_the_genomes_and_through_the_rounds() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = stage(folder.path());
    small_run(&mut first);
    first.cursor_follows("down down up");
    let folder = tempfile::tempdir().unwrap();
    let mut second = stage(folder.path());
    knocked_out(&mut second, "8");
    second.cursor_follows("left left down");
}
