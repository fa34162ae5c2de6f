//! Levels: a player of each strength, for people who do not know the players.
//!
//! Each is measured in the tournaments of `docs/strength.md`, so that a level means about the same in every game. Each varies its replies
//! with the game's seed, by `spread` where the search itself draws nothing.

use std::fmt;
use std::str::FromStr;

use mancalab_base::rights::Rights;
use mancalab_base::{Error, bail};

use super::check_plays;
use super::spec::{Spec, Unread, kind};
use crate::game::Variant;
use crate::settings::string_enum;

/// The levels, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Level {
    Beginner,
    #[default]
    Easy,
    Medium,
    Hard,
    Master,
}
string_enum!(Level { "beginner" => Beginner, "easy" => Easy, "medium" => Medium, "hard" => Hard, "master" => Master });

/// The levels' players, weakest first.
type Players = [&'static str; Level::WORDS.len()];

const PLAYERS: &[(&str, Players)] = &[
    ("kalah", ["max", "minimax:2:spread=1", "minimax:4:spread=1", "minimax:8:spread=1", "minimax:16:ties=random"]),
    ("othello", ["max", "minimax:4:eval=discs:spread=1", "mcts:1000", "minimax:2:spread=0.5", "minimax:8:spread=0.5"]),
    (
        "checkers",
        [
            "minimax:2:eval=pieces:spread=1",
            "minimax:2:eval=pieces:ties=random",
            "minimax:4:eval=pieces:ties=random",
            "minimax:4:spread=0.05",
            "minimax:10:spread=0.05",
        ],
    ),
    // Greedy play is worth more there than a shallow search.
    // A search of 14 plies is no stronger there than one of 6.
    ("ohvalhu", ["random", "max", "minimax:2:spread=1", "minimax:3:spread=1", "minimax:6:spread=1"]),
    ("vai-lung-thlan", ["minimax:1:spread=1", "minimax:2:spread=1", "max", "minimax:6:spread=1", "minimax:8:spread=1"]),
];

/// Those of the other games, and of rules that a player above does not know.
const OTHERS: Players =
    ["max", "minimax:2:spread=1", "minimax:4:spread=1", "minimax:8:spread=1", "minimax:14:spread=1"];

impl Level {
    /// Returns the level's name as a word of a sentence or a list: `Easy`.
    pub fn title(self) -> &'static str {
        ["Beginner", "Easy", "Medium", "Hard", "Master"][self as usize]
    }

    /// Returns the level whose player in this game has this text, with or without its variation.
    pub fn played_by(text: &str, variant: &Variant) -> Option<Level> {
        let levels = || Level::WORDS.iter().map(|(_, level)| *level);
        // A measured player whose text this is plays the game: it need not be parsed, since names are drawn in every frame.
        let measured = PLAYERS.iter().find(|(game, _)| *game == variant.name()).map(|(_, players)| players);
        let of = |is: &dyn Fn(&'static str) -> bool| {
            let known = measured.and_then(|players| levels().rfind(|level| is(players[*level as usize])));
            known.or_else(|| {
                let mut levels = levels().filter(|level| is(OTHERS[*level as usize]));
                levels.find(|level| is(level.player(variant)))
            })
        };
        // Without variation a player is stronger: the higher of two such levels is the nearer.
        of(&|player| player == text).or_else(|| of(&|player| unvaried(player) == text))
    }

    /// Returns the name of a player in a game: that of its level, or otherwise its text.
    pub fn name<'a>(text: &'a str, variant: &Variant) -> &'a str {
        Level::played_by(text, variant).map_or(text, |level| level.title())
    }

    /// Returns the text of the level's player in a game.
    pub fn player(self, variant: &Variant) -> &'static str {
        let index = self as usize;
        let known = PLAYERS.iter().find(|(game, _)| *game == variant.name()).map(|(_, players)| players[index]);
        let plays = |text: &&str| text.parse::<Spec>().is_ok_and(|spec| check_plays(&spec, variant).is_ok());
        known.filter(plays).unwrap_or(OTHERS[index])
    }
}

/// Checks a player's text where the game is not known, so that a level names no player.
///
/// # Errors
/// The text is a level: which player it is in Kalah.
pub fn check_no_level(text: &str) -> Result<(), Error> {
    let Some((word, level)) = Level::WORDS.iter().find(|(word, _)| *word == text) else { return Ok(()) };
    let player = level.player(&"kalah".parse()?);
    bail!("'{word}' is a level, another player in each game: name the player, such as {player} of Kalah");
}

/// The text of a level's player without its varied replies.
fn unvaried(player: &str) -> &str {
    [":spread=", ":ties="].iter().find_map(|setting| player.split_once(setting)).map_or(player, |(fixed, _)| fixed)
}

/// The word of [`Opponent::MyLevel`].
pub const MY_LEVEL: &str = "my-level";

/// A player, or a level whose player depends on the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Opponent {
    Level(Level),
    /// The level that follows the person's results, and the level that it is now.
    MyLevel(Level),
    Player(Spec),
}

impl Opponent {
    /// Returns the player in this game.
    pub fn player(&self, variant: &Variant) -> Spec {
        match self {
            Opponent::Level(level) | Opponent::MyLevel(level) => {
                level.player(variant).parse().expect("a level is a player, as a test checks of each")
            }
            Opponent::Player(spec) => spec.clone(),
        }
    }
}

impl Opponent {
    /// Parses an opponent that somebody typed in this session. A guest's text opens no file.
    ///
    /// # Errors
    /// The text is no opponent, or the session may not use it.
    pub fn typed(text: &str, rights: &Rights) -> Result<Opponent, Error> {
        if rights.is_guest() && text.parse::<Unread>().is_ok_and(|unread| unread.needs_agreement()) {
            bail!("guests cannot use players that open a file or run a command (got '{text}')");
        }
        text.parse()
    }

    /// Checks that this session may use the player in this game.
    ///
    /// # Errors
    /// Names the limit.
    pub fn check_rights(&self, variant: &Variant, rights: &Rights) -> Result<(), Error> {
        self.player(variant).check_rights(rights)
    }
}

impl From<Spec> for Opponent {
    fn from(spec: Spec) -> Opponent {
        Opponent::Player(spec)
    }
}

impl FromStr for Opponent {
    type Err = Error;

    fn from_str(text: &str) -> Result<Opponent, Error> {
        if let Ok(level) = text.parse() {
            return Ok(Opponent::Level(level));
        }
        if text == MY_LEVEL {
            return Ok(Opponent::MyLevel(Level::default()));
        }
        let levels: Vec<_> = Level::WORDS.iter().map(|(word, _)| *word).chain([MY_LEVEL]).collect();
        kind(text, &levels)?;
        text.parse().map(Opponent::Player)
    }
}

impl fmt::Display for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Opponent::Level(level) => level.fmt(f),
            Opponent::MyLevel(_) => f.write_str(MY_LEVEL),
            Opponent::Player(spec) => spec.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::offers::strength;

    #[test]
    fn levels_are_among_what_is_accepted() {
        let error = "esy".parse::<Opponent>().unwrap_err().to_string();
        assert!(error.contains("(did you mean 'easy'?); known: beginner, easy,"), "{error}");
        let error = "minimax:0".parse::<Opponent>().unwrap_err().to_string();
        assert!(!error.contains("beginner"), "{error}");
    }

    #[test]
    fn every_level_plays_every_game_and_is_stronger_than_the_one_before() {
        let others = ["kalah:4x3", "kalah:9x4", "kalah:3x2:empty"].map(|text| text.parse().unwrap());
        for variant in Variant::usual().into_iter().chain(others) {
            let mut before = i32::MIN;
            for (word, level) in Level::WORDS {
                let text = level.player(&variant);
                let player = word.parse::<Opponent>().unwrap().player(&variant);
                check_plays(&player, &variant).unwrap();
                assert_eq!(player.to_string(), text);
                assert_eq!(Level::played_by(text, &variant), Some(*level), "{variant} {text}");
                let fixed = Level::played_by(unvaried(text), &variant);
                assert!(fixed.is_some_and(|fixed| fixed as usize >= *level as usize), "{variant} {text} {fixed:?}");
                assert_eq!(Level::name(text, &variant).to_lowercase(), *word);
                let elo = strength(text, &variant).map(|strength| strength.elo);
                assert!(elo.is_none_or(|elo| elo > before), "{variant} {word}");
                before = elo.unwrap_or(before);
            }
        }
        let othello: Variant = "othello".parse().unwrap();
        assert_eq!(Level::name("minimax:14", &othello), "minimax:14", "no level of a game with other players");
        for game in ["kalah", "othello", "checkers"].map(|text| text.parse::<Variant>().unwrap()) {
            assert!(Level::WORDS.iter().all(|(_, level)| strength(level.player(&game), &game).is_some()), "{game}");
        }
    }
}
