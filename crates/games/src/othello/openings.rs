//! Names of openings of Othello, from Robert Gatliff's catalogue.

use super::squares::PASS;
use crate::Move;

/// Moves from Black's c4, and the name; of two names the more usual one.
const OPENINGS: &[(&str, &str)] = &[
    ("c4c3", "Diagonal"),
    ("c4c5", "Parallel"),
    ("c4e3", "Perpendicular"),
    ("c4c3d3c5b3", "Snake"),
    ("c4c3d3c5b3f4b5b4c6d6f5", "Pyramid"),
    ("c4c3d3c5b4", "Heath"),
    ("c4c3d3c5b4d2c2f4d6c6f5e6f7", "Mimura variation II"),
    ("c4c3d3c5b4d2d6", "Heath-Bat"),
    ("c4c3d3c5b4d2e2", "Iwasaki variation"),
    ("c4c3d3c5b4e3", "Heath-Chimney"),
    ("c4c3d3c5b5", "Raccoon Dog"),
    ("c4c3d3c5b6c6b5", "Hamilton"),
    ("c4c3d3c5b6e3", "Lollipop"),
    ("c4c3d3c5d6", "Cow"),
    ("c4c3d3c5d6e3", "Chimney"),
    ("c4c3d3c5d6f4b4", "Bat"),
    ("c4c3d3c5d6f4f5d2b5", "Aircraft"),
    ("c4c3d3c5f6", "Buffalo"),
    ("c4e3f4c5d6f3d3", "Inoue"),
    ("c4e3f4c5d6f3d3c3", "Iago"),
    ("c4e3f4c5d6f3e2", "Bhagat"),
    ("c4e3f4c5d6f3e6c3d3e2", "Rose"),
    ("c4e3f4c5d6f3e6c3d3e2b5", "Flat"),
    ("c4e3f4c5d6f3e6c3d3e2b5f5", "Rotating Flat"),
    ("c4e3f4c5d6f3e6c3d3e2b5f5b3", "Murakami variation"),
    ("c4e3f4c5d6f3e6c3d3e2b6f5", "Rose-Birth"),
    ("c4e3f4c5d6f3e6c3d3e2b6f5b4f6g5d7", "Brightstein"),
    ("c4e3f4c5d6f3e6c3d3e2b6f5g5", "Rose-Birdie"),
    ("c4e3f4c5d6f3e6c3d3e2d2", "Greenberg"),
    ("c4e3f4c5d6f3e6c6", "Ralle"),
    ("c4e3f4c5e6", "Horse"),
    ("c4e3f5b4", "No-Cat"),
    ("c4e3f5b4f3", "Swallow"),
    ("c4e3f5e6d3", "Italian"),
    ("c4e3f5e6f4", "Cat"),
    ("c4e3f5e6f4c5d6c6f7f3", "Sakaguchi"),
    ("c4e3f5e6f4c5d6c6f7g5g6", "Berner"),
    ("c4e3f6b4", "Bent Ganglion"),
    ("c4e3f6e6f5", "Tiger"),
    ("c4e3f6e6f5c5c3", "Stephenson"),
    ("c4e3f6e6f5c5c3b4", "No-Kung"),
    ("c4e3f6e6f5c5c3c6", "Comp'Oth"),
    ("c4e3f6e6f5c5c3g5", "Kung"),
    ("c4e3f6e6f5c5d3", "Leader's Tiger"),
    ("c4e3f6e6f5c5d6", "Brightwell"),
    ("c4e3f6e6f5c5f4g5g4f3c6d3d6", "Ishii"),
    ("c4e3f6e6f5c5f4g6f7", "Rose-Bill"),
    ("c4e3f6e6f5c5f4g6f7d3", "Tamenori"),
    ("c4e3f6e6f5g6", "Aubrey"),
];

/// A square under one of the symmetries of the start: as it is, turned by half, or mirrored at one of the diagonals.
fn mapped(symmetry: usize, square: u16) -> u16 {
    let row = square / 8;
    let file = square % 8;
    let (row, file) = [(row, file), (7 - row, 7 - file), (file, row), (7 - file, 7 - row)][symmetry];
    8 * row + file
}

/// Returns the name of the longest opening with which a game from the start begins.
pub(super) fn opening(moves: &[Move]) -> Option<&'static str> {
    const C4: u16 = 26;
    let first = moves.first()?.0;
    let symmetry = (0..4).find(|&symmetry| mapped(symmetry, first) == C4)?;
    let name = |square: u16| [(b'a' + (square % 8) as u8) as char, (b'1' + (square / 8) as u8) as char];
    let played: String =
        moves.iter().take_while(|&&mv| mv != PASS).flat_map(|mv| name(mapped(symmetry, mv.0))).collect();
    let begun = OPENINGS.iter().filter(|(moves, _)| played.starts_with(moves));
    begun.max_by_key(|(moves, _)| moves.len()).map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoardGame as _, Game as _, Notation as _, othello::Othello};

    #[test]
    fn openings_are_legal_and_known_from_every_side() {
        for (text, name) in OPENINGS {
            let moves = Othello::start(Default::default()).read_transcript(text).moves;
            for symmetry in 0..4 {
                let mut pos = Othello::start(Default::default());
                let mut seen = Vec::new();
                for mv in &moves {
                    let mv = Move(mapped(symmetry, mv.0));
                    assert!(pos.moves().any(|legal| legal == mv), "{name}");
                    pos = pos.play(mv);
                    seen.push(mv);
                }
                assert_eq!(opening(&seen), Some(*name));
            }
        }
        assert_eq!(opening(&[]), None);
        let longer = Othello::start(Default::default()).read_transcript("f5d6c3d3c4f4e3").moves;
        assert_eq!(opening(&longer[..3]), Some("Perpendicular"));
        assert_eq!(opening(&longer), Some("Brightwell"));
    }
}
