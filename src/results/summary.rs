//! Summaries of a person's results by game: the rating, and how games went by opponent, phase and opening.

use std::collections::BTreeMap;

use mancalab_base::counted;
use serde::Serialize;

use super::{GameResult, MyLevels, PHASES};
use crate::ui::Look;
use crate::ui::chart::sparkline;

/// Number of the newest games whose accuracy is shown separately, and of those that are listed.
const LATELY: usize = 10;

/// Number of the newest games in a sparkline.
const HISTORY: usize = 20;

/// Number of openings that are listed.
const OPENINGS: usize = 8;

/// The group of games that lack a column of the log.
const UNKNOWN: &str = "unknown";

/// Results of a group of games.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub(crate) struct Group {
    pub name: String,
    pub games: usize,
    /// Points of the possible ones, in percent; of a phase, the mean chance of winning at its end.
    pub score: Option<f64>,
    /// Mean accuracy of the reviewed games, in percent.
    pub accuracy: Option<f64>,
    /// Accuracy of the newest 20 reviewed games, the oldest first.
    pub accuracies: Vec<f64>,
}

/// Results against one opponent.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub(crate) struct Against {
    pub opponent: String,
    /// Elo on the game's ladder; `None` if it was not measured.
    pub elo: Option<i32>,
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    /// Its name is that of the opponent's level, or the opponent.
    #[serde(flatten)]
    pub group: Group,
}

/// One of the newest games.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub(crate) struct Recent {
    pub ended: String,
    /// The name of the opponent's level, or the opponent.
    pub opponent: String,
    pub side: String,
    /// `won`, `drawn`, `lost`, or `resigned`.
    pub outcome: &'static str,
    /// The person's count, and the opponent's.
    pub counts: [u32; 2],
    pub accuracy: Option<f64>,
    /// What made the game casual; `None` for a rated one.
    pub casual: Option<String>,
}

/// Results in one game.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub(crate) struct InGame {
    pub game: String,
    pub games: usize,
    pub casual_games: usize,
    /// The person's Elo on the game's ladder, from the rated games against measured opponents.
    pub elo: Option<f64>,
    pub rated_games: usize,
    /// The level that follows the results.
    pub my_level: &'static str,
    pub accuracy: Option<f64>,
    /// The same of the newest ten games, if there are older ones.
    pub accuracy_lately: Option<f64>,
    /// Accuracy of each reviewed game, the oldest first.
    pub accuracies: Vec<f64>,
    pub mistakes: u32,
    pub blunders: u32,
    /// By rating, then name.
    pub opponents: Vec<Against>,
    /// The thirds of the game, and games whose phases are unknown, if there are some.
    pub phases: Vec<Group>,
    /// The most frequent first.
    pub openings: Vec<Group>,
    /// The newest first, at most ten.
    pub recent: Vec<Recent>,
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = numbers.fold((0.0, 0), |(sum, count), number| (sum + number, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// The Elo at which the expected points equal those scored, with one more draw against the mean opponent, so that it exists for any
/// results. Each game is the opponent's rating and the points, 0 to 2.
fn elo(games: &[(i32, u8)]) -> Option<f64> {
    let draw = mean(games.iter().map(|(rating, _)| f64::from(*rating)))?;
    let scored = 0.5 + games.iter().map(|(_, points)| f64::from(*points) / 2.0).sum::<f64>();
    let expected = |own: f64| {
        let expected = |other: f64| 1.0 / (1.0 + 10_f64.powf((other - own) / 400.0));
        expected(draw) + games.iter().map(|(rating, _)| expected(f64::from(*rating))).sum::<f64>()
    };
    let mut low = draw - 4000.0;
    let mut high = draw + 4000.0;
    while high - low > 0.5 {
        let middle = (low + high) / 2.0;
        if expected(middle) < scored { low = middle } else { high = middle }
    }
    Some((low + high) / 2.0)
}

/// The results by game, in the order of the first game in each.
pub(crate) fn by_game(games: &[GameResult]) -> Vec<InGame> {
    let mut names: Vec<&str> = Vec::new();
    games.iter().for_each(|played| {
        if !names.contains(&played.game.as_str()) {
            names.push(&played.game)
        }
    });
    names
        .into_iter()
        .map(|name| in_game(name, &games.iter().filter(|played| played.game == name).collect::<Vec<_>>()))
        .collect()
}

fn my_level(game: &str, played: &[&GameResult]) -> &'static str {
    let level = game.parse().map(|variant| MyLevels::after(played.iter().copied()).level_in(&variant));
    level.unwrap_or_default().title()
}

fn in_game(game: &str, played: &[&GameResult]) -> InGame {
    let is_rated = |played: &&&GameResult| played.casual.is_none();
    let rated: Vec<(i32, u8)> =
        played.iter().filter(is_rated).filter_map(|played| Some((played.rating()?, played.points))).collect();
    let accuracies: Vec<f64> = played.iter().filter_map(|played| played.accuracy).collect();
    let lately = accuracies.len().checked_sub(LATELY).filter(|older| *older > 0);
    let sum = |at: usize| played.iter().map(|played| played.marks[at]).sum();
    let mut opponents: Vec<Against> =
        by(played, |one| one.opponent.clone()).into_iter().map(|(name, games)| against(name, &games)).collect();
    crate::sort::sort_by_key(&mut opponents, |one| one.elo.unwrap_or(i32::MIN));
    InGame {
        game: game.to_owned(),
        games: played.len(),
        casual_games: played.len() - played.iter().filter(is_rated).count(),
        elo: elo(&rated),
        rated_games: rated.len(),
        my_level: my_level(game, played),
        accuracy: mean(accuracies.iter().copied()),
        accuracy_lately: lately.and_then(|older| mean(accuracies[older..].iter().copied())),
        accuracies,
        mistakes: sum(0),
        blunders: sum(1),
        opponents,
        phases: phases(played),
        openings: openings(played),
        recent: played.iter().rev().take(LATELY).map(|one| recent(one)).collect(),
    }
}

/// The games by name.
fn by<'a>(played: &[&'a GameResult], name: impl Fn(&GameResult) -> String) -> BTreeMap<String, Vec<&'a GameResult>> {
    let mut groups: BTreeMap<String, Vec<&GameResult>> = BTreeMap::new();
    played.iter().for_each(|one| groups.entry(name(one)).or_default().push(one));
    groups
}

impl GameResult {
    /// The points of the possible ones, in percent.
    fn score(&self) -> f64 {
        f64::from(self.points) * 50.0
    }
}

impl Group {
    /// The group of these games, each with its score and its accuracy.
    fn new(name: String, games: &[(f64, Option<f64>)]) -> Group {
        let known: Vec<f64> = games.iter().filter_map(|(_, accuracy)| *accuracy).collect();
        Group {
            name,
            games: games.len(),
            score: mean(games.iter().map(|(score, _)| *score)),
            accuracy: mean(known.iter().copied()),
            accuracies: known[known.len().saturating_sub(HISTORY)..].to_vec(),
        }
    }

    fn of_games(name: String, games: &[&GameResult]) -> Group {
        Group::new(name, &games.iter().map(|one| (one.score(), one.accuracy)).collect::<Vec<_>>())
    }

    /// A row: name, other cells, score, accuracy and its history.
    fn row(&self, cells: &str, look: &Look) -> String {
        let name = crate::ui::clip(&self.name, NAME as u16 - 1, look);
        let history = sparkline(&self.accuracies, HISTORY as u16, look);
        let [score, accuracy] = [self.score, self.accuracy].map(percent);
        format!("{name:<NAME$}{cells:>15}{score:>7}{accuracy:>9}  {history}").trim_end().to_owned()
    }
}

fn against(opponent: String, games: &[&GameResult]) -> Against {
    let count = |points: u8| games.iter().filter(|played| played.points == points).count() as u32;
    let first = games.first();
    Against {
        elo: first.and_then(|played| played.rating()),
        won: count(2),
        drawn: count(1),
        lost: count(0),
        group: Group::of_games(first.map_or(String::new(), |played| played.opponent_name()), games),
        opponent,
    }
}

fn phases(played: &[&GameResult]) -> Vec<Group> {
    let (known, unknown): (Vec<&GameResult>, Vec<&GameResult>) =
        played.iter().partition(|one| one.phases.chance.iter().all(Option::is_some));
    let phase = |(index, name): (usize, &&str)| {
        let chance = |one: &GameResult| one.phases.chance.get(index).copied().flatten().unwrap_or(one.score());
        let games: Vec<_> = known.iter().map(|one| (chance(one), one.phases.accuracy[index])).collect();
        Group::new((*name).to_owned(), &games)
    };
    let mut groups: Vec<Group> = PHASES.iter().enumerate().map(phase).filter(|group| group.games > 0).collect();
    if !unknown.is_empty() {
        groups.push(Group::of_games(UNKNOWN.to_owned(), &unknown));
    }
    groups
}

fn openings(played: &[&GameResult]) -> Vec<Group> {
    let name = |one: &GameResult| one.opening.clone().unwrap_or(UNKNOWN.to_owned());
    let mut groups: Vec<Group> =
        by(played, name).into_iter().map(|(name, games)| Group::of_games(name, &games)).collect();
    // What is unknown is last.
    crate::sort::sort_by_key(&mut groups, |group| (group.name == UNKNOWN, usize::MAX - group.games));
    groups
}

fn recent(one: &GameResult) -> Recent {
    Recent {
        ended: one.ended.clone(),
        opponent: one.opponent_name(),
        side: one.side.clone(),
        outcome: one.outcome(),
        counts: one.counts,
        accuracy: one.accuracy,
        casual: one.casual.clone(),
    }
}

/// Maximum width of a line.
const WIDE: u16 = 72;

/// Width of a day and the blank behind it.
const DAY: u16 = 11;

/// Width of the names in a table.
const NAME: usize = 19;

fn percent(number: Option<f64>) -> String {
    number.map_or("-".to_owned(), |number| format!("{number:.0} %"))
}

/// The head of a table.
fn head(name: &str, cells: &str) -> String {
    format!("{name:<NAME$}{cells:>15}{:>7}{:>9}  last {HISTORY} games", "score", "accuracy")
}

impl InGame {
    /// The results as lines of text of at most [`WIDE`] cells, without the game's name.
    pub fn lines(&self, look: &Look) -> Vec<String> {
        let games = counted(self.games, "game");
        let casual = if self.casual_games > 0 { format!(", {} casual", self.casual_games) } else { String::new() };
        let mut lines = vec![match self.elo {
            Some(elo) => {
                let elo = look.with_minus(&format!("{elo:+.0}"));
                format!("{games}, Elo {elo} on the ladder ({} rated{casual})", self.rated_games)
            }
            None => format!("{games}, no rated game against a measured opponent{casual}"),
        }];
        lines.push(format!("your level: {}", self.my_level));
        if self.accuracy.is_some() {
            let lately = self.accuracy_lately.map_or(String::new(), |last| format!(", the last {LATELY} {last:.0} %"));
            lines.push(format!(
                "accuracy {}{lately}; ? {}, ?? {}",
                percent(self.accuracy),
                self.mistakes,
                self.blunders
            ));
            let newest = &self.accuracies[self.accuracies.len().saturating_sub(LATELY)..];
            let newest: Vec<String> = newest.iter().map(|accuracy| format!("{accuracy:.0}")).collect();
            lines.push(format!("accuracy of the last games, the newest last: {}", newest.join(" ")));
        }
        lines.extend([String::new(), head("By opponent", "Elo    W/D/L")]);
        lines.extend(self.opponents.iter().map(|one| {
            let elo = one.elo.map_or("-".to_owned(), |elo| look.with_minus(&format!("{elo:+}")));
            let Against { won, drawn, lost, .. } = one;
            one.group.row(&format!("{elo:>6}{:>9}", format!("{won}/{drawn}/{lost}")), look)
        }));
        lines.extend([String::new(), head("By phase", "games")]);
        lines.extend(self.phases.iter().map(|group| group.row(&group.games.to_string(), look)));
        if self.phases.len() > 1 {
            lines.push("The score of a phase is the mean chance of winning at its end.".to_owned());
        }
        lines.extend([String::new(), head("By first moves", "games")]);
        lines.extend(self.openings.iter().take(OPENINGS).map(|group| group.row(&group.games.to_string(), look)));
        match self.openings.len().saturating_sub(OPENINGS) {
            0 => {}
            1 => lines.push("and one other".to_owned()),
            more => lines.push(format!("and {more} others")),
        }
        lines.extend([String::new(), "Last games".to_owned()]);
        lines.extend(self.recent.iter().flat_map(|one| one.lines(look)));
        lines
    }
}

impl Recent {
    /// `2026-11-25 Easy         won       36:12  81 %  casual (hints)`; reasons that do not fit are on the lines below.
    fn lines(&self, look: &Look) -> Vec<String> {
        let day: String = self.ended.chars().take(10).collect();
        let name = crate::ui::clip(&self.opponent, 12, look);
        let [own, other] = self.counts;
        let accuracy = percent(self.accuracy);
        let counts = format!("{own}:{other}");
        let line = format!("{day} {name:<13}{:<9}{counts:>6}{accuracy:>6}  ", self.outcome);
        let Some(reasons) = &self.casual else { return vec![line + "rated"] };
        let whole = format!("{line}casual ({reasons})");
        if crate::ui::width(&whole) <= WIDE {
            return vec![whole];
        }
        let below = crate::ui::wrap(reasons, WIDE - DAY).into_iter().map(|part| " ".repeat(usize::from(DAY)) + &part);
        std::iter::once(line + "casual:").chain(below).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::played;
    use super::super::{GameResult, Phases};
    use super::*;
    use crate::app::stage::look;

    #[test]
    fn the_rating_is_that_of_the_points() {
        assert_eq!(elo(&[]), None);
        let even = elo(&[(100, 2), (100, 0)]).unwrap();
        assert!((even - 100.0).abs() < 1.0, "{even}");
        // Two wins and the draw: 2.5 of 3 against 0.
        let better = elo(&[(0, 2), (0, 2)]).unwrap();
        let expected = 400.0 * (2.5_f64 / 0.5).log10();
        assert!((better - expected).abs() < 1.0, "{better}");
    }

    #[test]
    fn results_are_told_by_game_and_opponent() {
        let mut games: Vec<GameResult> =
            (0..12).map(|id| played(id, "minimax:2", (id % 3) as u8, Some(70.0))).collect();
        games.push(played(20, "somebody", 2, None));
        games.push(GameResult { game: "othello:8x8:standard".into(), ..played(21, "max", 1, None) });
        let all = by_game(&games);
        assert_eq!(all.len(), 2);
        let kalah = &all[0];
        assert_eq!((kalah.games, kalah.rated_games, kalah.accuracies.len()), (13, 12, 12));
        assert_eq!((kalah.accuracy, kalah.accuracy_lately), (Some(70.0), Some(70.0)));
        let names: Vec<&str> = kalah.opponents.iter().map(|one| one.opponent.as_str()).collect();
        assert_eq!(names, ["somebody", "minimax:2"]);
        assert_eq!((kalah.opponents[1].won, kalah.opponents[1].drawn, kalah.opponents[1].lost), (4, 4, 4));
        assert_eq!(kalah.opponents[1].group.name, "Easy");
        let text = kalah.lines(&look()).join("\n");
        assert!(text.contains("13 games, Elo ") && text.contains("the newest last: 70 70"), "{text}");
        assert!(by_game(&[]).is_empty());
    }

    #[test]
    fn casual_games_are_listed_and_not_rated() {
        let reasons = Some("hints, take-back".into());
        let casual = GameResult { casual: reasons, has_resigned: true, ..played(1, "minimax:2", 0, None) };
        let lost = by_game(&[played(0, "minimax:2", 2, None), casual]).remove(0);
        let won = by_game(&[played(0, "minimax:2", 2, None)]).remove(0);
        assert_eq!((lost.games, lost.casual_games, lost.rated_games, lost.elo), (2, 1, 1, won.elo));
        assert_eq!(lost.opponents[0].group.score, Some(50.0), "the score counts all games");
        let lines = lost.lines(&look());
        assert!(lines[0].ends_with("(1 rated, 1 casual)"), "{}", lines[0]);
        let newest = lines.iter().position(|line| line == "Last games").unwrap() + 1;
        assert_eq!(lines[newest], "2026-11-25 Easy         resigned  30:18     -  casual (hints, take-back)");
        assert!(lines[newest + 1].ends_with("  rated"));
    }

    #[test]
    fn phases_and_openings_show_where_games_are_lost_and_what_is_unknown() {
        let phases = Phases { accuracy: [Some(90.0), Some(60.0), None], chance: [Some(55.0), Some(20.0)] };
        let opening = Some("C F".to_owned());
        let known = GameResult { phases, opening, ..played(1, "max", 0, Some(75.0)) };
        let games = [played(0, "max", 2, Some(50.0)), known.clone(), GameResult { id: 2, ..known }];
        let kalah = by_game(&games).remove(0);
        let of = |group: &Group| (group.name.clone(), group.games, group.score, group.accuracy);
        let expected = [
            ("first third", 2, Some(55.0), Some(90.0)),
            ("middle third", 2, Some(20.0), Some(60.0)),
            ("last third", 2, Some(0.0), None),
            ("unknown", 1, Some(100.0), Some(50.0)),
        ]
        .map(|(name, games, score, accuracy)| (name.to_owned(), games, score, accuracy));
        assert_eq!(kalah.phases.iter().map(of).collect::<Vec<_>>(), expected);
        let expected =
            [("C F".to_owned(), 2, Some(0.0), Some(75.0)), ("unknown".to_owned(), 1, Some(100.0), Some(50.0))];
        assert_eq!(kalah.openings.iter().map(of).collect::<Vec<_>>(), expected);
        let lines = kalah.lines(&look());
        for line in [
            "Beginner             −373    1/0/2   33 %     67 %  ▁▇▇",
            "middle third                     2   20 %     60 %  ▄▄",
            "C F                              2    0 %     75 %  ▄▄",
        ] {
            assert!(lines.iter().any(|known| known == line), "{line}\n{}", lines.join("\n"));
        }
        assert!(lines.iter().all(|line| crate::ui::width(line) <= 72), "{}", lines.join("\n"));
    }
}
