//! The sizes for tests of games on squares: all sizes, and intermediate ones.

use super::super::stage::{Stage, look};
use crate::theme::Glyphs;
use crate::ui::Look;

/// The pages in all sizes, and in intermediate ones, without tab bar and footer.
pub(super) fn pages(stage: &mut Stage) -> String {
    let more = [(60, 20), (100, 30), (200, 60)];
    let more = more.map(|(width, height)| format!("\n{width}x{height}\n{}", stage.body(width, height)));
    stage.pages() + &more.concat()
}

/// Draws the screens after keys, in sizes from zero to larger than usual, with all glyphs and in ASCII.
pub(super) fn assert_drawn_in_any_size(stage: &mut Stage, keys: &[&str]) {
    let sizes =
        [(1, 1), (20, 5), (40, 11), (40, 12), (59, 15), (60, 16), (80, 20), (80, 23), (61, 90), (480, 12), (480, 154)];
    for keys in keys {
        stage.keys(keys);
        for glyphs in [Glyphs::unicode(), Glyphs::ascii()] {
            let ascii = glyphs == Glyphs::ascii();
            stage.set_look(Look { glyphs, ..look() });
            for (width, height) in sizes {
                let screen = stage.screen(width, height);
                assert!(!ascii || screen.is_ascii(), "after {keys} at {width}x{height}:\n{screen}");
            }
        }
    }
}
