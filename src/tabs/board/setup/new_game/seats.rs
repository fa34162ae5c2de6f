//! The players of a new game as a level and the person's part in it.

use crate::player::levels::{Level, MY_LEVEL};

/// The person's part, as a field shows it.
pub const FIRST: &str = "first";
const SECOND: &str = "second";
const BOTH: &str = "both sides";
const WATCH: &str = "watch";
pub const PARTS: [&str; 4] = [FIRST, SECOND, BOTH, WATCH];

const HUMAN: &str = "human";

/// Returns the words of all levels.
pub fn levels() -> Vec<String> {
    let words = Level::WORDS.iter().map(|(word, _)| *word);
    words.chain([MY_LEVEL]).map(str::to_owned).collect()
}

/// Returns the players, the one that moves first first.
pub fn players(level: &str, part: &str) -> [String; 2] {
    let players = match part {
        SECOND => [level, HUMAN],
        BOTH => [HUMAN, HUMAN],
        WATCH => [level, level],
        _ => [HUMAN, level],
    };
    players.map(str::to_owned)
}

/// Returns the level and the person's part of these players; `None` if others play.
pub fn level_and_part(players: [&str; 2]) -> Option<(String, &'static str)> {
    let is_level = |text: &str| text == MY_LEVEL || text.parse::<Level>().is_ok();
    let (level, part) = match players {
        [HUMAN, HUMAN] => return Some((Level::default().to_string(), BOTH)),
        [HUMAN, level] => (level, FIRST),
        [level, HUMAN] => (level, SECOND),
        [level, other] if level == other => (level, WATCH),
        _ => return None,
    };
    is_level(level).then(|| (level.to_owned(), part))
}

/// Returns what a part means beside its level, where that needs a sentence.
pub fn explained(part: &str) -> Option<&'static str> {
    match part {
        BOTH => Some("Two persons at this board."),
        WATCH => Some("The level plays against itself."),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_and_a_part_are_two_players_and_back() {
        for level in levels() {
            for part in PARTS {
                let [first, second] = players(&level, part);
                let level = if part == BOTH { Level::default().to_string() } else { level.clone() };
                assert_eq!(level_and_part([&first, &second]), Some((level, part)), "{first} {second}");
            }
        }
        for others in [["human", "max"], ["easy", "hard"], ["max", "max"], ["max", "human"]] {
            assert_eq!(level_and_part(others), None);
        }
    }
}
