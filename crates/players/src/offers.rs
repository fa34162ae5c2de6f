//! The players offered in dialogs, each with a short description, its measured rating and its time per move.
//!
//! Levels: a player of each strength, for people who do not know the players.
//!
//! Each is measured in the tournaments of `docs/strength.md`, so that a level means about the same in every game. Each varies its replies
//! with the game's seed, by `spread` where the search itself draws nothing.

use std::fmt;
use std::str::FromStr;

use mancalab_base::rights::Rights;
use mancalab_base::{Error, bail};

use super::check_plays;
use super::game::Variant;
use super::settings::string_enum;
use super::spec::{Spec, Unread, kind};

/// The players offered in dialogs, one of every kind that needs no file.
pub const OFFERS: &[&str] = &[
    "human",
    "random",
    "max",
    "minimax:1",
    "minimax:2",
    "minimax:4",
    "minimax:6",
    "minimax:8",
    "minimax:10",
    "minimax:12",
    "minimax:16",
    "minimax:30:ms=1000",
    "perfect",
    "perfect:ms=1000",
    "heuristic:4",
    "heuristic:8",
    "heuristic:4:net=best",
    "mcts:1000",
    "mcts:4000",
    "mcts:16000",
    "mcts:ms=1000",
    "a3c",
    "mcts:800:net=best",
    "program:figure5-1",
    "staged:( white )",
    "staged:( white ),75,( white_corners ),25",
    "staged:best-staged",
    "staged:best",
    "samuel:4@pieces",
    "samuel:4",
    "samuel:4@best",
    "samuel:6@best",
    "samuel:8@best",
    "samuel:30@best:ms=1000",
];

/// Returns the offers that play this game: the human, the levels, the measured players from the weakest to the strongest, the others. A
/// level's player is not offered again.
pub fn offers(variant: &Variant) -> Vec<String> {
    let plays = |text: &str| text.parse::<Spec>().is_ok_and(|spec| check_plays(&spec, variant).is_ok());
    let mut players: Vec<&str> = OFFERS.iter().copied().filter(|text| plays(text)).collect();
    let levels: Vec<&str> = Level::WORDS.iter().map(|(_, level)| level.player(variant)).collect();
    players.retain(|text| !levels.contains(text));
    // Stable: those that were not measured keep their order.
    crate::sort::sort_by_key(&mut players[1..], |text| {
        strength(text, variant).map_or(i32::MAX, |strength| strength.elo)
    });
    players.splice(1..1, Level::WORDS.iter().map(|(word, _)| *word).chain([MY_LEVEL]));
    players.into_iter().map(str::to_owned).collect()
}

/// Returns the short description of a player or level in this game without opening a file; `None` if the text is neither.
pub fn about(text: &str, variant: &Variant) -> Option<String> {
    if text == MY_LEVEL {
        return Some("follows your results".to_owned());
    }
    let player = text.parse::<Level>().map_or(text, |level| level.player(variant));
    player.parse::<Unread>().ok()?.about()
}

/// A player's result in a tournament.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    pub player: &'static str,
    /// The Elo rating, relative to the mean of the tournament, with its 95 % interval below.
    pub elo: i32,
    pub plus_minus: i32,
    /// Mean time per move in microseconds, on one shared processor.
    pub micros: f64,
}

/// A tournament that measured players; `docs/strength-matrices.md` has the whole result.
struct Measurement {
    variant: &'static str,
    players: &'static [Strength],
}

const fn measured(player: &'static str, elo: i32, plus_minus: i32, micros: f64) -> Strength {
    Strength { player, elo, plus_minus, micros }
}

// mancalab match --players random,max,minimax:1,minimax:2,minimax:4,minimax:8,minimax:12,minimax:16,heuristic:4,heuristic:8,
//   heuristic:4:net=best,mcts:1000,mcts:4000,mcts:16000,a3c,mcts:800:net=best,program:figure5-1 --games 100 --opening 6 --seed 1
//   --threads 1 --format md
const KALAH: Measurement = Measurement {
    variant: "kalah:6x4:standard",
    players: &[
        measured("random", -732, 34, 0.5),
        measured("max", -373, 22, 0.6),
        measured("minimax:1", -388, 22, 1.6),
        measured("minimax:2", -163, 18, 2.1),
        measured("minimax:4", -21, 16, 4.5),
        measured("minimax:8", 171, 15, 26.7),
        measured("minimax:12", 292, 16, 199.6),
        measured("minimax:16", 389, 17, 1600.0),
        measured("heuristic:4", 93, 15, 1.7),
        measured("heuristic:8", 218, 15, 17.4),
        measured("heuristic:4:net=best", 350, 17, 70.4),
        measured("mcts:1000", 22, 15, 407.4),
        measured("mcts:4000", 107, 15, 1500.0),
        measured("mcts:16000", 188, 15, 5300.0),
        measured("a3c", 181, 15, 2.6),
        measured("mcts:800:net=best", 416, 18, 726.8),
        measured("program:figure5-1", -748, 35, 0.7),
    ],
};

// mancalab match --game othello --players random,max,minimax:2:eval=discs,minimax:4:eval=discs,minimax:6:eval=discs,minimax:1,
//   minimax:2,minimax:4,minimax:6,minimax:8,mcts:1000,mcts:4000 --games 40 --opening 8 --seed 1 --threads 2 --format md
const OTHELLO: Measurement = Measurement {
    variant: "othello:8x8:standard",
    players: &[
        measured("random", -797, 57, 0.1),
        measured("max", -729, 54, 0.8),
        measured("minimax:2:eval=discs", -598, 50, 6.5),
        measured("minimax:4:eval=discs", -450, 46, 39.0),
        measured("minimax:6:eval=discs", -306, 44, 348.3),
        measured("minimax:1", 38, 44, 10.7),
        measured("minimax:2", 381, 53, 23.9),
        measured("minimax:4", 664, 66, 127.0),
        measured("minimax:6", 879, 76, 481.1),
        measured("minimax:8", 1001, 82, 1700.0),
        measured("mcts:1000", -77, 43, 3500.0),
        measured("mcts:4000", -7, 43, 13500.0),
    ],
};

// mancalab match --game checkers --players random,max,minimax:1:eval=pieces,minimax:2:eval=pieces,minimax:4:eval=pieces,
//   minimax:6:eval=pieces,minimax:8:eval=pieces,minimax:2,minimax:4,minimax:6,minimax:10,mcts:1000,samuel:4@best,samuel:6@best
//   --games 20 --opening 4 --seed 1 --threads 1 --format md
const CHECKERS: Measurement = Measurement {
    variant: "checkers:english",
    players: &[
        measured("random", -971, 117, 0.9),
        measured("max", -959, 116, 1.3),
        measured("minimax:1:eval=pieces", -829, 110, 3.7),
        measured("minimax:2:eval=pieces", -352, 66, 6.5),
        measured("minimax:4:eval=pieces", -132, 56, 19.6),
        measured("minimax:6:eval=pieces", 34, 52, 91.5),
        measured("minimax:8:eval=pieces", 170, 52, 500.5),
        measured("minimax:2", 222, 52, 15.5),
        measured("minimax:4", 538, 63, 75.9),
        measured("minimax:6", 724, 77, 274.1),
        measured("minimax:10", 1006, 111, 2100.0),
        measured("mcts:1000", 7, 53, 2300.0),
        measured("samuel:4@best", 204, 52, 71.1),
        measured("samuel:6@best", 340, 55, 361.5),
    ],
};

const TOURNAMENTS: [&Measurement; 3] = [&KALAH, &OTHELLO, &CHECKERS];

/// The levels' players that are in none of the tournaments above. Their ratings are those of a tournament of the levels, moved so that
/// the players it shares with the one above have the same mean; in the other games zero is the mean of its players.
const LEVELS: [&Measurement; 8] = [
    &Measurement {
        variant: "kalah:6x4:standard",
        players: &[
            measured("minimax:2:spread=1", -212, 22, 14.9),
            measured("minimax:4:spread=1", -26, 20, 28.1),
            measured("minimax:8:spread=1", 149, 21, 155.8),
            measured("minimax:16:ties=random", 390, 26, 6800.0),
        ],
    },
    &Measurement {
        variant: "othello:8x8:standard",
        players: &[
            measured("minimax:4:eval=discs:spread=1", -455, 91, 132.0),
            measured("minimax:2:spread=0.5", 417, 93, 77.9),
            measured("minimax:8:spread=0.5", 875, 126, 12100.0),
        ],
    },
    &Measurement {
        variant: "checkers:english",
        players: &[
            measured("minimax:2:eval=pieces:spread=1", -585, 85, 7.0),
            measured("minimax:2:eval=pieces:ties=random", -288, 72, 8.8),
            measured("minimax:4:eval=pieces:ties=random", -35, 70, 30.7),
            measured("minimax:4:spread=0.05", 484, 89, 155.5),
            measured("minimax:10:spread=0.05", 844, 106, 6700.0),
        ],
    },
    &Measurement {
        variant: "oware",
        players: &[
            measured("max", -550, 136, 1.5),
            measured("minimax:2:spread=1", -57, 105, 19.2),
            measured("minimax:4:spread=1", 6, 105, 111.4),
            measured("minimax:8:spread=1", 512, 139, 1300.0),
            measured("minimax:14:spread=1", 1049, 238, 55200.0),
        ],
    },
    &Measurement {
        variant: "awari",
        players: &[
            measured("max", -557, 138, 1.0),
            measured("minimax:2:spread=1", -65, 108, 45.9),
            measured("minimax:4:spread=1", -2, 108, 94.3),
            measured("minimax:8:spread=1", 501, 141, 1200.0),
            measured("minimax:14:spread=1", 1089, 265, 44700.0),
        ],
    },
    &Measurement {
        variant: "vai-lung-thlan",
        players: &[
            measured("minimax:1:spread=1", -268, 43, 6.1),
            measured("minimax:2:spread=1", -20, 35, 17.2),
            measured("max", 125, 36, 1.8),
            measured("minimax:6:spread=1", 249, 39, 364.8),
            measured("minimax:8:spread=1", 379, 44, 1600.0),
        ],
    },
    &Measurement {
        variant: "ohvalhu",
        players: &[
            measured("random", -527, 88, 0.2),
            measured("max", -298, 71, 0.6),
            measured("minimax:2:spread=1", 147, 59, 7.1),
            measured("minimax:3:spread=1", 293, 62, 22.7),
            measured("minimax:6:spread=1", 360, 65, 303.2),
        ],
    },
    &Measurement {
        variant: "erherhe",
        players: &[
            measured("max", -143, 85, 0.8),
            measured("minimax:2:spread=1", -28, 82, 8.5),
            measured("minimax:4:spread=1", 123, 81, 26.9),
            measured("minimax:8:spread=1", 321, 87, 365.5),
            measured("minimax:14:spread=1", 614, 115, 24800.0),
        ],
    },
];

/// Returns the rating of a player or level in this game; `None` if it was not measured, as in games with other boards or rules.
pub fn strength(text: &str, variant: &Variant) -> Option<&'static Strength> {
    let text = text.parse::<Level>().map_or(text.trim(), |level| level.player(variant));
    // From whatever start of that board.
    let rules = match *variant {
        Variant::Kalah(rules) => Variant::Kalah(rules.opened(0)),
        other => other,
    };
    let is_of = |measured: &&Measurement| measured.variant.parse().is_ok_and(|own: Variant| own == rules);
    let measured = TOURNAMENTS.into_iter().chain(LEVELS).filter(is_of);
    measured.flat_map(|measured| measured.players).find(|strength| strength.player == text)
}

impl Strength {
    /// Formats the time per move, in milliseconds.
    pub fn time(&self) -> String {
        match self.micros / 1000.0 {
            ms if ms < 0.1 => "< 0.1 ms".to_owned(),
            ms => format!("{ms:.1} ms"),
        }
    }
}

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
    use super::{strength, *};

    /// A rating belongs to the board and the rules of its games.
    #[test]
    fn other_boards_have_no_ratings() {
        let measured = |game: &str| strength("max", &game.parse().unwrap()).is_some();
        assert!(measured("kalah") && measured("kalah:6x4:fair=3") && measured("oware"));
        assert!(!measured("kalah:4x3") && !measured("kalah:6x4:empty") && !measured("oware:slam=all"));
    }

    /// The rows of a tournament in the document: player, rating, interval, microseconds per move.
    fn documented(heading: &str) -> Vec<(String, i32, i32, f64)> {
        let text = include_str!("../../../docs/strength-matrices.md");
        let (_, text) = text.split_once(heading).unwrap();
        let rows = text.lines().skip_while(|line| !line.starts_with("| 1 ")).take_while(|line| line.starts_with('|'));
        let row = |line: &str| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let [.., elo, _, time, _] = cells[..] else { panic!("{line}") };
            let (elo, plus_minus) = elo.split_once(" ± ").unwrap();
            let (time, unit) = time.split_once(' ').unwrap();
            let micros = time.parse::<f64>().unwrap() * if unit == "ms" { 1000.0 } else { 1.0 };
            let player = cells[1].split_once(' ').unwrap().1.to_owned();
            (player, elo.parse().unwrap(), plus_minus.parse().unwrap(), micros)
        };
        rows.map(row).collect()
    }

    #[test]
    fn what_is_reported_of_players_is_what_was_measured() {
        for (measured, heading) in TOURNAMENTS.iter().zip(["## Kalah", "## Othello", "## Checkers"]) {
            let row = |one: &Strength| (one.player.to_owned(), one.elo, one.plus_minus, one.micros);
            assert_eq!(measured.players.iter().map(row).collect::<Vec<_>>(), documented(heading));
            let variant: Variant = measured.variant.parse().unwrap();
            let offered = offers(&variant);
            // Players with `eval=` are measured, but not offered.
            let is_old = |player: &str| [":eval=discs", ":eval=pieces"].iter().any(|eval| player.ends_with(eval));
            // A level's player is offered as the level.
            let is_level = |player: &str| Level::WORDS.iter().any(|(_, level)| level.player(&variant) == player);
            let is_offered =
                |player: &str| is_old(player) || is_level(player) || offered.iter().any(|text| text == player);
            assert!(measured.players.iter().all(|one| is_offered(one.player)), "{heading}");
        }
    }

    /// The ratings of levels are the documented ones, moved by what the players that both tournaments share differ in the mean.
    #[test]
    fn what_is_reported_of_levels_is_what_was_measured() {
        for measured in LEVELS {
            let variant: Variant = measured.variant.parse().unwrap();
            let rows = documented(&format!("### Levels of {}", variant.title()));
            let others = TOURNAMENTS.iter().filter(|other| other.variant == measured.variant);
            let others: Vec<&Strength> = others.flat_map(|other| other.players).collect();
            let differences: Vec<i32> = rows
                .iter()
                .filter_map(|(player, elo, ..)| Some(others.iter().find(|one| one.player == player)?.elo - elo))
                .collect();
            let mean = f64::from(differences.iter().sum::<i32>()) / differences.len().max(1) as f64;
            for one in measured.players {
                let row = rows.iter().find(|(player, ..)| player == one.player).unwrap();
                let moved = (one.elo - mean.round() as i32, one.plus_minus, one.micros);
                assert_eq!(moved, (row.1, row.2, row.3), "{} {}", measured.variant, one.player);
            }
        }
    }

    #[test]
    fn every_offer_has_a_line_and_knows_its_game() {
        for variant in Variant::usual() {
            let offers = offers(&variant);
            assert_eq!(offers[0], "human");
            assert!(
                offers.iter().all(|text| about(text, &variant).is_some_and(|about| about.len() <= 30)),
                "{offers:?}"
            );
        }
        let kalah = Variant::usual()[0];
        let about = |text: &str| about(text, &kalah);
        assert_eq!(about("minimax:1").as_deref(), Some("searches 1 ply"));
        assert_eq!(about("minimax:9:ms=500").as_deref(), Some("searches for 0.5 s"));
        assert_eq!(about("heuristic:4@no-such-file").as_deref(), Some("weights from a file"));
        assert_eq!((about("minimax:99"), about("easy").as_deref()), (None, Some("2 plies, varied")));
        let ratings = offers(&kalah).into_iter().skip(7).map_while(|text| strength(&text, &kalah));
        let ratings: Vec<i32> = ratings.map(|strength| strength.elo).collect();
        assert!(ratings.len() > 9 && ratings.is_sorted(), "{ratings:?}");
        assert_eq!(strength("minimax:8", &kalah).unwrap().elo, 171);
        assert_eq!(strength("heuristic:4", &"othello".parse().unwrap()), None);
    }

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
