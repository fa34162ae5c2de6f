//! Othello and checkers by learned evaluations: the weights that come with the program and those in files, and the selective and exact
//! searches by them, which the minimax player and the analysis use.
//!
//! Both search selectively while the end is far. Near its end a game of Othello is solved exactly; checkers has endgame tables.

pub(crate) mod endgame;
pub(crate) mod weights;

use std::sync::Arc;

use crate::game::checkers::Checkers;
use crate::game::othello::Othello;
use crate::search::SearchHints as _;
use crate::search::selective::SelectiveGame;
use weights::{AnyWeights, FileWeights};

/// A game that is played and analysed by a learned evaluation.
pub(crate) trait LearnedGame: SelectiveGame {
    /// The file's weights, if they are of this game.
    fn from_file(weights: &FileWeights) -> Option<Arc<Self::Weights>>;

    /// Empty squares, or a bound of them, if the rest of a game can be solved.
    fn plies_to_solve(&self) -> Option<u32> {
        None
    }

    /// The evaluation for play, where it differs from that of analyses.
    fn for_play(evaluator: Self::Evaluator) -> Self::Evaluator {
        evaluator
    }

    /// The evaluation for a search that the clock ends, where it differs from that to a depth.
    fn in_time(evaluator: Self::Evaluator) -> Self::Evaluator {
        evaluator
    }

    /// The evaluation with the endgame table, if the game has one.
    fn with_tables(evaluator: Self::Evaluator) -> Self::Evaluator {
        evaluator
    }
}

impl LearnedGame for Othello {
    fn from_file(weights: &FileWeights) -> Option<Arc<Self::Weights>> {
        if let AnyWeights::Othello(weights) = &weights.weights { Some(Arc::clone(weights)) } else { None }
    }

    fn in_time(evaluator: Self::Evaluator) -> Self::Evaluator {
        evaluator.in_time()
    }

    fn plies_to_solve(&self) -> Option<u32> {
        self.plies_left().map(|_| 60_u32.saturating_sub(self.put()))
    }
}

impl LearnedGame for Checkers {
    fn from_file(weights: &FileWeights) -> Option<Arc<Self::Weights>> {
        if let AnyWeights::Checkers(weights) = &weights.weights { Some(Arc::clone(weights)) } else { None }
    }

    fn for_play(evaluator: Self::Evaluator) -> Self::Evaluator {
        evaluator.for_play()
    }

    fn in_time(evaluator: Self::Evaluator) -> Self::Evaluator {
        evaluator.in_time()
    }

    fn with_tables(evaluator: Self::Evaluator) -> Self::Evaluator {
        evaluator.with_tables()
    }
}

/// The evaluation by weights from a file, or by those of the program.
pub(crate) fn evaluator<G: LearnedGame>(weights: Option<&FileWeights>) -> G::Evaluator {
    G::evaluator(weights.and_then(G::from_file).unwrap_or_else(G::shipped))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::game::BoardGame as _;
    use crate::game::{Game as _, GameState, Side, referee};
    use crate::{Player, Spec, Turn, choose, rng, spec};
    use mancalab_evaluations::{LearnedWeights, file};
    use rand::Rng as _;
    use std::time::{Duration, Instant};

    /// A position of Othello after `plies` random moves.
    fn position(plies: u32, key: u64) -> Othello {
        let mut random = rng::keyed(&[3, key]);
        let mut pos = Othello::start(Default::default());
        for _ in 0..plies {
            pos = if pos.is_over() { pos } else { pos.play(pos.pick(random.next_u32())) };
        }
        pos
    }

    fn player(text: &str) -> Box<dyn Player<Othello>> {
        spec::build::<Othello>(&text.parse().unwrap()).unwrap()
    }

    #[test]
    fn patterns_beat_the_count_of_discs() {
        let mut points = 0;
        for game in 0..20 {
            let own = Side::BOTH[game as usize % 2];
            let mut players = ["minimax:3", "minimax:3:eval=discs"].map(player);
            if own == Side::North {
                players.swap(0, 1);
            }
            let choice = |pos: &Othello| choose(players[pos.side().index()].as_mut(), &Turn::new(*pos, 0, 1)).unwrap();
            let (_, end) = referee::play_out(GameState::new(position(8, game / 2)), choice);
            points += 1 + end.margin(own).signum();
        }
        assert!(points >= 36, "{points} of 40");
    }

    #[test]
    fn the_end_is_solved_with_and_without_a_clock() {
        for key in 0..4 {
            let pos = position(50, key);
            if pos.is_over() {
                continue;
            }
            let exact = |text: &str| {
                let mut player = player(text);
                choose(player.as_mut(), &Turn::new(pos, 50, 1)).unwrap();
                let report = player.report().unwrap();
                assert!(report.solved, "{text} in {pos:?}");
                report.lines[0].margin
            };
            let margin = exact("minimax:60:eval=discs");
            assert_eq!(["minimax:4", "minimax:12:ms=3600000"].map(exact), [margin; 2], "{pos:?}");
        }
    }

    #[test]
    fn interruptions_change_no_move_and_a_limit_is_kept() {
        for text in ["minimax:5", "minimax:5:ties=random"] {
            let mut whole = player(text);
            let mut cut = player(text);
            for plies in [4, 20, 36, 48] {
                let turn = Turn::new(position(plies, 9), plies, 7);
                let expected = choose(whole.as_mut(), &turn);
                let mut mv = None;
                while mv.is_none() {
                    mv = cut.think(&turn, Budget::time(Duration::ZERO));
                }
                assert_eq!((mv, cut.report()), (expected, whole.report()), "{text} after {plies}");
            }
        }
        let turn = Turn::new(position(4, 1), 4, 1);
        let began = Instant::now();
        let mut timed = player("minimax:60:ms=30");
        assert!(turn.pos.moves().any(|mv| Some(mv) == choose(timed.as_mut(), &turn)));
        assert!(began.elapsed() < Duration::from_secs(20));
        // However short the time, the first turn too searches.
        for text in ["minimax:60:ms=1", "minimax:60:ms=1:tables=yes"] {
            let turn = Turn::new(Checkers::start(Default::default()), 0, 1);
            let mut timed = spec::build::<Checkers>(&text.parse().unwrap()).unwrap();
            choose(timed.as_mut(), &turn).unwrap();
            assert!(timed.report().unwrap().depth > 0, "{text}");
        }
    }

    #[test]
    fn a_search_that_is_stopped_before_the_end_is_solved_has_its_estimates() {
        let position = position(40, 5);
        let turn = Turn::new(position, 40, 1);
        for text in ["minimax:60:ms=3600000", "minimax:20", "minimax:60:ms=3600000:ties=random"] {
            let mut player = player(text);
            let mut deepest = 0;
            let mut left = 300;
            while left > 0 {
                assert!(player.think(&turn, Budget::time(Duration::ZERO)).is_none(), "{text} solves this too soon");
                let report = player.report().unwrap();
                assert!(report.depth >= deepest && (deepest == 0 || !report.lines.is_empty()), "{text}: {report:?}");
                deepest = report.depth;
                left -= i32::from(deepest >= 8);
            }
        }
    }

    #[test]
    fn texts_name_the_evaluation() {
        let text = |text: &str| text.parse::<Spec>().map(|spec| spec.to_string()).map_err(|error| error.to_string());
        assert_eq!(text("minimax:8:eval=best"), Ok("minimax:8".to_owned()));
        assert_eq!(text("minimax:8:ms=50:eval=discs"), Ok("minimax:8:ms=50:eval=discs".to_owned()));
        assert!(text("minimax:8:eval=tea").unwrap_err().contains("eval must be best, discs or pieces"));
        assert!(text("minimax:8@nowhere.patterns").unwrap_err().contains("nowhere.patterns"));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own.patterns");
        std::fs::write(&path, file::write::<Othello>(&LearnedWeights::zero::<Othello>(), &Default::default())).unwrap();
        let own = format!("minimax:2@{}:ties=last", path.display());
        let spec: Spec = own.parse().unwrap();
        assert_eq!((spec.to_string(), spec.contents().is_some()), (own, true));
        assert_eq!(Spec::file_in(&spec.to_string()).unwrap().as_deref(), Some(path.as_path()));
        let error = spec::check_plays(&spec, &"kalah".parse().unwrap()).unwrap_err().to_string();
        assert!(error.contains("minimax with learned weights plays othello only"), "{error}");
        std::fs::write(&path, b"tea").unwrap();
        assert!(text(&format!("minimax:2@{}", path.display())).unwrap_err().contains("not a file of learned weights"));
    }
}
