//! Wins and draws in Figure 10's games: the source says that the search "tended to win against the random programs with little problem" and
//! that the evolved programs "had trouble even tying".

use super::{FIGURE5, FIGURE10, played};
use crate::arena::Score;
use crate::evolve::gp::Outcome as Evaluated;
use crate::evolve::kalah::Settings;
use crate::game::{Game as _, Outcome, Side};
use crate::player::Spec;
use crate::program::kalah::{printed, random_program};
use crate::{Line, Verdict};

/// The results of a player moving first and second.
pub(super) type Results = [Score; 2];

/// Returns the results of an opponent that is no program, from the stones of the programs in their games against it.
pub(super) fn of_opponent(evaluated: &[Evaluated], stones: f64) -> Results {
    // Where the program moved second, the opponent moved first.
    [1, 0].map(|nth| {
        let margin = |one: &Evaluated| (stones - 2.0 * one.scores[nth]) as i32;
        evaluated
            .iter()
            .fold(Score::default(), |all, one| all.plus(Score::from_outcome(Outcome::from_margin(margin(one)))))
    })
}

/// Plays both printed programs against random programs.
pub(super) fn of_printed(settings: &Settings, seed: u64, count: u32) -> Vec<Results> {
    let random = |number: u64| Spec::program(format!("random:{number}"), random_program(seed, number));
    let game = |specs: [&Spec; 2], side: Side| {
        let game = played(settings, specs);
        let end = game.last().map(|(pos, mv)| pos.play(*mv));
        end.map_or(Score::default(), |end| Score::from_outcome(Outcome::from_margin(end.margin(side))))
    };
    let programs = FIGURE5.iter().filter_map(|(name, ..)| Some(Spec::program(*name, printed(name)?)));
    let results = |program: Spec| {
        let both = (0..u64::from(count)).map(|number| {
            let other = random(number);
            [game([&program, &other], Side::South), game([&other, &program], Side::North)]
        });
        both.fold(Results::default(), |all, one| [all[0].plus(one[0]), all[1].plus(one[1])])
    };
    programs.map(results).collect()
}

/// Returns for each player and seat the games won, and those won or drawn, with the source's words and a verdict.
pub(super) fn lines(all: &[Results], opponents: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    for (nth, ((name, _), results)) in FIGURE10.iter().zip(all).enumerate() {
        let name = if nth == 0 { opponents } else { name };
        for (who, score) in ["first", "second"].iter().zip(results) {
            let tied = Score { wins: score.wins + score.draws, draws: 0, losses: score.losses };
            let (words, holds) = match nth {
                0 => ("wins with little problem: yes if nine games of ten or more", score.won() >= 0.9),
                _ => ("trouble even tying: yes if half of the games or fewer are won or drawn", tied.won() <= 0.5),
            };
            lines.push(Line::won(format!("{name} moving {who}, won"), None, *score));
            let line = Line::won(format!("{name} moving {who}, won or drawn"), None, tied);
            lines.push(line.judged(Verdict::from_holds(holds), words));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use crate::target::reproduce;

    #[test]
    fn wins_and_draws_are_of_the_games_whose_stones_are_printed() {
        let options = Options { programs: Some(20), ..Options::default() };
        let table = reproduce("mancala-gp/figure10", &[], options, &mut |_| ()).unwrap();
        assert_eq!(table.lines.len(), 6 + 12);
        let settings = Settings::default();
        // The same games, counted by their stones.
        for (nth, results) in of_printed(&settings, 1, 20).iter().enumerate() {
            let program = Spec::program("own", printed(FIGURE5[nth].0).unwrap());
            let mut stones = 0;
            for number in 0..20 {
                let other = Spec::program("other", random_program(1, number));
                let (pos, mv) = *played(&settings, [&program, &other]).last().unwrap();
                stones += (48 + pos.play(mv).margin(Side::South)) / 2;
            }
            let mean = f64::from(stones) / 20.0;
            assert!((table.lines[2 + 2 * nth].measured.unwrap() - mean).abs() < 1e-9);
            let line = &table.lines[6 + 4 * (nth + 1)];
            assert_eq!(line.score, Some(results[0]), "{line:?}");
        }
        let minimax = &table.lines[6];
        assert_eq!((minimax.what.as_str(), minimax.score.unwrap().games()), ("minimax:8 moving first, won", 20));
        assert!(minimax.measured.unwrap() > 80.0);
    }
}
