//! Variations in the list of moves: shown, folded, promoted, deleted, commented on.

use super::moves;
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
    let rows: Vec<&str> = screen.lines().skip(2).filter_map(|line| Some(line.rsplit_once("││")?.1)).collect();
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
    assert!(moves(&mut stage).ends_with("3 D* c* 0"), "{}", stage.screen(80, 24));
    assert!(stage.shows("* variations"), "{}", stage.screen(120, 40));
    stage.keys("]");
    let list = moves(&mut stage);
    assert!(list.contains("3 D* c ") && list.ends_with("╰ 4 f"), "{}", stage.screen(80, 24));
    stage.keys("z");
    assert!(moves(&mut stage).contains("╰ 3 A"), "{}", stage.screen(80, 24));
}

#[test]
fn the_legend_shows_the_marks_that_are_there_in_whole_words() {
    let mut stage = tree();
    let legend = |stage: &mut Stage, size: (u16, u16)| {
        let screen = stage.screen(size.0, size.1);
        let line = screen.lines().find_map(|line| line.split_once("╯╰").map(|(_, right)| right.to_owned()));
        line.unwrap_or_default().trim_end_matches(['─', '╯']).trim().to_owned()
    };
    assert_eq!(legend(&mut stage, (80, 24)), "");
    stage.keys("z home ;").text("x").keys("enter");
    assert_eq!(legend(&mut stage, (80, 24)), "* variations", "there is no room for both");
    stage.keys("z");
    assert_eq!(legend(&mut stage, (80, 24)), "\" comment");
    assert!(stage.keys("z").screen(120, 40).contains("╰ +: South  * variations ─"), "{}", stage.screen(120, 40));
}

#[test]
fn a_variation_is_promoted() {
    let mut stage = tree();
    stage.keys("P");
    assert!(stage.shows("This is the main line already") || !stage.shows("P promote"), "{}", stage.screen(120, 40));
    stage.keys("] P");
    let list = moves(&mut stage);
    assert!(list.contains("3 D f ") && list.ends_with("╰ 4 c"), "{}", stage.screen(80, 24));
}

#[test]
fn a_move_is_deleted_once_that_was_agreed_to_and_comes_back() {
    let mut stage = tree();
    let before = moves(&mut stage);
    stage.keys("left delete");
    assert!(stage.shows("This deletes the move D and the 2 moves after it."), "{}", stage.screen(120, 40));
    stage.keys("n");
    assert_eq!(moves(&mut stage), before);
    stage.keys("delete y");
    assert!(stage.shows("Deleted 3 moves. U restores"), "{}", stage.screen(120, 40));
    assert!(!moves(&mut stage).contains('D') && moves(&mut stage).contains("3 A"), "{}", stage.screen(80, 24));
    stage.keys("U");
    assert_eq!(moves(&mut stage), before);
    assert!(stage.keys("U").shows("Nothing was deleted"), "{}", stage.screen(120, 40));
}

#[test]
fn a_comment_is_written_shown_and_taken_away() {
    let mut stage = tree();
    stage.keys("home right ;").text("the best start").keys("enter");
    assert!(stage.shows("\"the best start\""), "below the board: {}", stage.screen(120, 40));
    assert!(moves(&mut stage).starts_with("1 C\" F"), "{}", stage.screen(80, 24));
    let wide = stage.screen(120, 40);
    let in_list = |line: &&str| line.rsplit_once("││").is_some_and(|(_, list)| list.contains("the best start"));
    assert!(wide.lines().any(|line| in_list(&line)), "{wide}");
    assert!(stage.shows("not saved"));
    stage.keys("; ctrl-u enter");
    assert!(!stage.shows("best start"), "{}", stage.screen(120, 40));
}

#[test]
fn a_click_goes_to_a_move_of_a_variation() {
    let mut stage = tree();
    let screen = stage.screen(80, 24);
    let (row, line) = screen.lines().enumerate().find(|(_, line)| line.contains("╰ 4 d 5 B")).unwrap();
    let column = line.chars().position(|c| c == '╰').unwrap()
        + line.chars().skip_while(|&c| c != '╰').position(|c| c == 'B').unwrap();
    stage.click_at(column as u16, row as u16);
    assert!(stage.shows("South sows B"), "{}", stage.screen(120, 40));
}

#[test]
fn a_long_game_is_seen_whole_at_80x24() {
    let mut stage = Stage::new("random", "random");
    stage.keys("+ + + + + +");
    for _ in 0..200 {
        stage.pass(std::time::Duration::from_secs(1));
    }
    assert!(stage.shows("Game over"), "{}", stage.screen(120, 40));
    let list = moves(&mut stage);
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
    let play = stage.screen(60, 16);
    let last = stage.screen(120, 40).lines().find(|line| line.contains(" sows ")).map(str::to_owned).unwrap();
    assert!(last.contains(" sows "), "{play}");
    for key in ["home", "end"] {
        stage.keys(key);
        stage.screen(60, 16);
        assert!(stage.shows("1 A") || key == "end", "{}", stage.screen(120, 40));
    }
}
