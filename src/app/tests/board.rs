//! The Board as an analysis board, in sizes that show more and more: variations, values, reports, pauses.

use super::super::stage::{Stage, config, look};
use crate::paths::Paths;
use crate::theme::{ColorDepth, Glyphs, Theme};
use crate::ui::Look;

const SIZES: [(u16, u16); 4] = [(80, 24), (100, 30), (120, 40), (200, 60)];

/// The screens in all of these sizes, and then without colour in ASCII.
fn screens(stage: &mut Stage) -> String {
    let sized = |stage: &mut Stage, (width, height)| format!("{width}x{height}\n{}", stage.body(width, height));
    let coloured: Vec<String> = SIZES.into_iter().map(|size| sized(stage, size)).collect();
    let theme = Theme::load("dark", ColorDepth::None, &Paths::default()).unwrap();
    stage.set_look(Look::new(theme, Glyphs::ascii()));
    let plain = [(80, 24), (120, 40)].map(|size| sized(stage, size));
    stage.set_look(look());
    [coloured, plain.into()].concat().join("\n")
}

#[test]
fn a_game_with_variations_and_a_comment_that_is_looked_at() {
    let mut stage = Stage::new("human", "human");
    stage.paste(
        "[Game \"kalah\"]\n[South \"human\"]\n[North \"minimax:4\"]\n\n1. C F 2. b {too soon} e 3. D (3. A 4. c (4. d 5. B) 5. E)",
    );
    insta::assert_snapshot!(screens(&mut stage));
}

#[test]
fn analysis_heuristics_and_what_the_player_said() {
    let mut stage = Stage::new("human", "minimax:4");
    insta::assert_snapshot!(screens(stage.keys("C F D i w")));
}

#[test]
fn a_reviewed_game_with_its_mistakes() {
    let mut config = config();
    (config.review.depth, config.review.solve) = (crate::config::PerGame::all(4), 0);
    let mut stage = Stage::with_config(config, "human", "human");
    stage.paste("[Game \"kalah\"]\n\n1. A 2. a 3. B C 4. c 5. A 6. f 7. D 8. d 9. E 10. b 11. A 12. a 13. C D E F");
    insta::assert_snapshot!(screens(stage.keys("r home > >")));
}

#[test]
fn othello_with_analysis_and_what_the_player_said() {
    let mut stage = Stage::of_game("othello", "human", "minimax:3");
    insta::assert_snapshot!(screens(stage.keys("d 3 c 5 i")));
}
