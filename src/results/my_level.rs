//! "My level": for each game the level that follows the person's rated results, so that neither side wins every game.
//!
//! Two wins in a row raise it and two losses in a row lower it. A win against a weaker level and a loss to a stronger one change nothing:
//! they are expected.

use super::GameResult;
use crate::game::Variant;
use crate::player::offers::{Level, Opponent};

/// The number of equal results in a row that change the level.
const RUN: i8 = 2;

/// The person's level in each game played.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct MyLevels(Vec<(Variant, Progress)>);

#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Progress {
    level: Level,
    /// Wins in a row, or as a negative number losses.
    run: i8,
}

impl Progress {
    fn add(&mut self, opponent: Level, points: u8) {
        let is_upper = opponent as usize >= self.level as usize;
        let is_lower = opponent as usize <= self.level as usize;
        self.run = match points {
            2 if is_upper => self.run.max(0) + 1,
            0 if is_lower => self.run.min(0) - 1,
            1 => 0,
            _ => return,
        };
        if self.run.abs() < RUN {
            return;
        }
        let beside = if self.run > 0 { opponent as usize + 1 } else { (opponent as usize).saturating_sub(1) };
        self.level = Level::WORDS.get(beside).map_or(opponent, |(_, level)| *level);
        self.run = 0;
    }
}

impl MyLevels {
    /// The levels after these games, the oldest first.
    pub fn after<'a>(games: impl IntoIterator<Item = &'a GameResult>) -> MyLevels {
        let mut levels = MyLevels::default();
        games.into_iter().for_each(|played| levels.add(played));
        levels
    }

    /// Takes a new result into account. Casual games and those against other players do not count.
    pub fn add(&mut self, played: &GameResult) {
        let Some(variant) = played.game.parse().ok().filter(|_| played.casual.is_none()) else { return };
        let Some(opponent) = Level::played_by(&played.opponent, &variant) else { return };
        let known = self.0.iter().position(|(known, _)| *known == variant).unwrap_or_else(|| {
            self.0.push((variant, Progress::default()));
            self.0.len() - 1
        });
        self.0[known].1.add(opponent, played.points);
    }

    /// The person's level in a game; the default one before the first results.
    pub fn level_in(&self, variant: &Variant) -> Level {
        self.0.iter().find(|(known, _)| known == variant).map(|(_, progress)| progress.level).unwrap_or_default()
    }

    /// Sets the level of opponents that follow it.
    pub fn apply(&self, variant: &Variant, players: &mut [Opponent]) {
        for player in players {
            if let Opponent::MyLevel(level) = player {
                *level = self.level_in(variant);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::played;
    use super::*;

    fn after(results: &[(Level, u8)]) -> Level {
        let kalah: Variant = "kalah:6x4:standard".parse().unwrap();
        let mut levels = MyLevels::default();
        for (level, points) in results {
            levels.add(&played(1, level.player(&kalah), *points, None));
        }
        levels.level_in(&kalah)
    }

    #[test]
    fn two_wins_in_a_row_raise_the_level_and_two_losses_lower_it() {
        use Level::{Beginner, Easy, Hard, Master, Medium};
        assert_eq!(after(&[]), Easy);
        assert_eq!(after(&[(Easy, 2)]), Easy);
        assert_eq!(after(&[(Easy, 2), (Easy, 2)]), Medium);
        assert_eq!(after(&[(Easy, 2), (Easy, 0), (Easy, 2)]), Easy);
        assert_eq!(after(&[(Easy, 2), (Easy, 1), (Easy, 2)]), Easy, "a draw ends the row");
        assert_eq!(after(&[(Easy, 0), (Easy, 0)]), Beginner);
        assert_eq!(after(&[(Easy, 0), (Easy, 0), (Beginner, 0), (Beginner, 0)]), Beginner, "there is none below");
        assert_eq!(after(&[(Hard, 2), (Hard, 2)]), Master, "wins against a stronger level");
        assert_eq!(after(&[(Master, 2), (Master, 2), (Master, 2), (Master, 2)]), Master, "there is none above");
        assert_eq!(after(&[(Easy, 2), (Hard, 0), (Easy, 2)]), Medium, "a loss to a stronger level is expected");
        assert_eq!(after(&[(Easy, 2), (Easy, 2), (Easy, 2), (Easy, 2)]), Medium, "wins against a weaker level");
    }

    #[test]
    fn only_rated_games_against_levels_count_and_each_game_has_its_own_level() {
        let game = |opponent: &str| played(1, opponent, 2, None);
        let casual = GameResult { casual: Some("hints".into()), ..game("minimax:2:spread=1") };
        let broken = GameResult { game: "tea".into(), ..game("minimax:2:spread=1") };
        let levels = MyLevels::after(&[casual.clone(), casual, broken.clone(), broken, game("human"), game("human")]);
        assert_eq!(levels, MyLevels::default());
        // Before levels varied they had the same players without variation.
        let levels = MyLevels::after(&[game("minimax:2"), game("minimax:2:spread=1")]);
        assert_eq!(levels.level_in(&"kalah:6x4:standard".parse().unwrap()), Level::Medium);
        assert_eq!(levels.level_in(&"kalah:6x3:standard".parse().unwrap()), Level::Easy);
        let mut players = ["human", "easy", "my-level"].map(|text| text.parse::<Opponent>().unwrap());
        levels.apply(&"kalah:6x4:standard".parse().unwrap(), &mut players);
        let [human, easy, mine] = players;
        assert_eq!((human.to_string(), easy), ("human".to_owned(), Opponent::Level(Level::Easy)));
        assert_eq!((mine.to_string(), mine), ("my-level".to_owned(), Opponent::MyLevel(Level::Medium)));
    }
}
