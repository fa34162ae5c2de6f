//! Variations in the list of moves: shown, folded, promoted, deleted, commented on.

use crate::app::stage::Stage;

const TREE: &str = "[Game \"kalah\"]\n\n1. C F 2. b e 3. D (3. A 4. c (4. d 5. B) 5. E) 4. c (4. f)\n";

fn tree() -> Stage {
    let mut stage = Stage::new("human", "human");
    stage.paste(TREE);
    stage
}

#[test]
fn variations_stand_below_the_move_they_replace_the_deeper_the_further_in() {
    let mut stage = tree();
    let screen = stage.screen(80, 24);
    let rows: Vec<&str> =
        screen.lines().skip(2).filter_map(|line| Some(line.trim_end_matches('│').rsplit_once('│')?.1)).collect();
    let text = |index: usize| rows[index].trim_end_matches('│').trim_end();
    assert!(text(1).starts_with(" 1 C F   b e"), "{screen}");
    assert!(text(2).starts_with(" 3 D     c"), "{screen}");
    assert_eq!(text(3), " ╰ 3 A 4 c 5 E", "{screen}");
    assert_eq!(text(4), "   ╰ 4 d 5 B", "{screen}");
    assert_eq!(text(5), " ╰ 4 f", "{screen}");
}

#[test]
fn folded_variations_are_marked_but_for_the_one_that_one_is_in() {
    let mut stage = tree();
    stage.keys("z");
    assert!(stage.moves().ends_with("3 D* c* 0"));
    assert_eq!(stage.panel("Moves").unwrap().foot, "+: South * variations");
    stage.keys("]");
    let list = stage.moves();
    assert!(list.contains("3 D* c ") && list.ends_with("╰ 4 f"));
    stage.keys("z");
    assert!(stage.moves().contains("╰ 3 A"));
}

#[test]
fn the_legend_shows_the_marks_that_are_there_in_whole_words() {
    let mut stage = tree();
    let legend = |stage: &mut Stage| stage.panel_of((80, 24), "Moves").unwrap().foot;
    assert_eq!(legend(&mut stage), "");
    stage.keys("z home ;").text("x").keys("enter");
    assert_eq!(legend(&mut stage), "* variations", "there is no room for both");
    stage.keys("z");
    assert_eq!(legend(&mut stage), "\" comment");
    assert_eq!(stage.keys("z").panel("Moves").unwrap().foot, "+: South * variations");
}

#[test]
fn a_variation_is_promoted() {
    let mut stage = tree();
    stage.keys("P");
    assert_eq!(stage.notice(), "This is the main line already");
    stage.keys("] P");
    let list = stage.moves();
    assert!(list.contains("3 D f ") && list.ends_with("╰ 4 c"));
}

#[test]
fn a_move_is_deleted_once_that_was_agreed_to_and_comes_back() {
    let mut stage = tree();
    let before = stage.moves();
    stage.keys("left delete");
    assert!(stage.dialog_has("This deletes the move D and the 2 moves after it."));
    stage.keys("n");
    assert_eq!(stage.moves(), before);
    stage.keys("delete y");
    assert_eq!(stage.notice(), "Deleted 3 moves. U restores");
    assert!(!stage.moves().contains('D') && stage.moves().contains("3 A"));
    stage.keys("U");
    assert_eq!(stage.moves(), before);
    assert_eq!(stage.keys("U").notice(), "Nothing was deleted");
}

#[test]
fn a_comment_is_written_shown_and_taken_away() {
    let mut stage = tree();
    stage.keys("home right ;").text("the best start").keys("enter");
    assert_eq!(stage.story()[1], "\"the best start\"", "below the board");
    assert!(stage.moves().starts_with("1 C\" F"));
    let list = stage.panel("Moves").unwrap();
    assert_eq!(list.title, "Moves · not saved");
    assert!(list.words().contains("the best start"), "{list:?}");
    stage.keys("; ctrl-u enter");
    assert_eq!(stage.story(), ["South sows C (4 seeds) and moves again"]);
    assert!(!stage.panel("Moves").unwrap().words().contains("best start"));
}

#[test]
fn a_click_goes_to_a_move_of_a_variation() {
    let mut stage = tree();
    let screen = stage.screen(80, 24);
    let (row, line) = screen.lines().enumerate().find(|(_, line)| line.contains("╰ 4 d 5 B")).unwrap();
    let column = line.chars().position(|c| c == '╰').unwrap()
        + line.chars().skip_while(|&c| c != '╰').position(|c| c == 'B').unwrap();
    stage.click_at(column as u16, row as u16);
    assert_eq!(stage.story(), ["South sows B (7 seeds)"]);
}

#[test]
fn a_long_game_is_seen_whole_at_80x24() {
    let mut stage = Stage::new("random", "random");
    stage.keys("+ + + + + +");
    for _ in 0..200 {
        stage.pass(std::time::Duration::from_secs(1));
    }
    assert_eq!(stage.story()[1], "Game over · South wins 29 : 19");
    let list = stage.moves();
    let rows: Vec<&str> = list.split(" / ").collect();
    assert!(rows.len() > 10 && rows[0].starts_with("1 "), "the first turn is in view: {list}");
}

#[test]
fn the_current_move_stays_in_view() {
    let mut stage = Stage::new("human", "human");
    let moves_of = "A a B b C c D d E e F f ".repeat(40);
    for key in moves_of.split_whitespace() {
        stage.type_ahead(key);
    }
    stage.wait();
    let mut rows = |key: &str| stage.keys(key).panel_of((80, 18), "Moves").unwrap().lines();
    assert!(rows("home")[1].starts_with("1 A"), "{:?}", rows("home"));
    assert!(rows("end").last().unwrap().starts_with("41 B "), "{:?}", rows("end"));
}
