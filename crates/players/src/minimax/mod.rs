//! The player that searches with alpha-beta.

pub(crate) mod settings;

use rand::Rng as _;

use super::clock::Timer;
use super::kind::{Effort, PlayerKind};
use super::patterns::PatternPlayer;
use super::patterns::weights::FileWeights;
use super::{Built, Player, Purpose, Turn, of_one, text};
use crate::budget::{Budget, Status};
use crate::game::checkers::Checkers;
use crate::game::othello::Othello;
use crate::game::{BoardGame as _, Move};
use crate::pool::Pool;
use crate::search::{Limits, Report, Search, SearchHints, Table, Ties};

pub(crate) use settings::FORMS;
pub use settings::{Eval, MAX_DEPTH, Minimax, TABLE_MB};

/// The player that evaluates the margin.
fn plain<G: SearchHints>(minimax: &Minimax) -> MinimaxPlayer<G> {
    MinimaxPlayer::new(minimax.clone())
}

impl PlayerKind for Minimax {
    fn build<G: SearchHints>(&self, _: &Pool) -> Built<G> {
        const KIND: &str = "minimax with pattern weights";
        let othello = || of_one::<G, Othello, _>(KIND, || PatternPlayer::new(self.clone()));
        let checkers = || of_one::<G, Checkers, _>(KIND, || PatternPlayer::new(self.clone()));
        match &self.patterns {
            Some(weights) if weights.game() == Checkers::NAME => checkers(),
            Some(_) => othello(),
            None => match self.eval {
                Eval::Best => othello().or_else(|_| checkers()).or_else(|_| Ok(Box::new(plain(self)))),
                Eval::Discs => of_one::<G, Othello, _>("minimax with eval=discs", || plain(self)),
                Eval::Pieces => of_one::<G, Checkers, _>("minimax with eval=pieces", || plain(self)),
            },
        }
    }

    fn contents(&self) -> Option<String> {
        self.patterns.as_ref().map(FileWeights::contents)
    }

    fn about(&self) -> String {
        let limit = text::limit(self.time, self.clock);
        match (limit, self.is_deterministic()) {
            (Some(limit), true) => format!("searches for {limit}"),
            (None, true) => format!("searches {}", text::plies(self.depth)),
            // Shorter: the columns of dialogs are narrow.
            (limit, false) => format!("{}, varied", limit.unwrap_or_else(|| text::plies(self.depth))),
        }
    }

    fn set_ties(&mut self, ties: Ties) {
        self.ties = ties;
    }

    fn is_deterministic(&self) -> bool {
        !self.ties.is_drawn() && self.spread == 0.0
    }

    fn effort(&self) -> Effort {
        Effort { threads: self.threads, ..Effort::of_depth(self.depth) }
    }

    fn is_timed(&self) -> bool {
        self.time.is_some() || self.clock.is_some()
    }
}

/// Memory that an idle player keeps, in bytes: the table of a shallow search, which every game needs again.
const AT_REST: usize = 1 << 20;

/// A player whose moves equal those of plain minimax. Keeps its transposition table between turns, which affects its speed and,
/// with a time limit, its moves.
pub struct MinimaxPlayer<G: SearchHints> {
    settings: Minimax,
    timer: Timer,
    thinking: Option<Thinking<G>>,
}

/// The search for one turn.
struct Thinking<G: SearchHints> {
    turn: Turn<G>,
    search: Search<G>,
}

impl<G: SearchHints> MinimaxPlayer<G> {
    pub fn new(settings: Minimax) -> MinimaxPlayer<G> {
        let timer = Timer::new(settings.time, settings.clock);
        MinimaxPlayer { settings, timer, thinking: None }
    }

    /// Starts a turn with the table of the turn before.
    fn begin(&mut self, turn: &Turn<G>) -> Thinking<G> {
        let threads = self.settings.threads();
        let table = self.thinking.take().map_or_else(|| Table::new(TABLE_MB), |before| before.search.into_table());
        let limits = Limits {
            depth: self.settings.depth,
            ties: self.settings.ties,
            spread: self.settings.spread_in_margins(&turn.pos),
            seed: turn.rng(Purpose::Tie).next_u64(),
            every_depth: self.settings.is_timed(),
        };
        self.timer.begin(turn);
        let search = Search::with_table(turn.game_state(), limits, table).on(threads);
        let search = if self.settings.tables { search.with_endgames() } else { search };
        Thinking { turn: turn.clone(), search }
    }
}

impl<G: SearchHints> Player<G> for MinimaxPlayer<G> {
    fn think(&mut self, turn: &Turn<G>, budget: Budget) -> Option<Move> {
        let began = self.timer.start();
        let mut thinking = match self.thinking.take() {
            Some(thinking) if thinking.turn == *turn => thinking,
            before => {
                self.thinking = before;
                self.begin(turn)
            }
        };
        let status = self.timer.search(began, budget, |_, stretch| thinking.search.step(stretch));
        let thinking = self.thinking.insert(thinking);
        if status == Status::Running { None } else { thinking.search.best_move() }
    }

    fn report(&self) -> Option<Report> {
        self.thinking.as_ref().map(|thinking| thinking.search.report())
    }

    fn count_work(&mut self) {
        self.timer.count_work(self.settings.threads().count());
    }

    fn rest(&mut self) {
        self.timer.reset();
        self.thinking = self.thinking.take().filter(|thinking| thinking.search.table().bytes() <= AT_REST);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::Spec;
    use crate::analysing::{Analysing, Question};
    use crate::budget::Job as _;
    use crate::choose;
    use crate::game::kalah::Kalah;
    use crate::game::record::Before;
    use crate::game::{BoardGame, Position};
    use crate::search::Line;
    use crate::thinking::{SearchInfo, Thinking};

    /// Every move is drawn that is at most so far below the best, and no other; the values are those of the analysis where that
    /// evaluates alike.
    #[test]
    fn a_spread_draws_all_moves_near_the_best() {
        for (text, spread, is_analysed) in [
            ("kalah:6x4", 1.0, true),
            ("oware", 2.0, true),
            ("othello", 1.5, false),
            ("othello", 3.0, false),
            ("checkers", 0.3, false),
        ] {
            let mut position = text.parse::<crate::game::Variant>().unwrap().start();
            let value = |line: &Line, position: &Position| line.value(position.unit());
            for ply in 0..8 {
                let spec: Spec = format!("minimax:3:spread={spread}").parse().unwrap();
                let views: Vec<_> = (0..150).map(|seed| thought(position, &spec, ply, seed)).collect();
                let mut lines = views[0].report.clone().unwrap().lines;
                if is_analysed {
                    lines = analysed(position, 3).lines;
                }
                let best = lines.iter().map(|line| value(line, &position)).fold(f64::MIN, f64::max);
                let near = |line: &&Line| best - value(line, &position) <= spread;
                let near: BTreeSet<Move> = lines.iter().filter(near).map(|line| line.mv).collect();
                let drawn: BTreeSet<Move> = views.iter().filter_map(|view| view.choice).collect();
                assert_eq!(drawn, near, "{text} ply {ply} {lines:?}");
                position = position.play(lines.last().unwrap().mv);
            }
        }
    }

    fn thought(position: Position, spec: &Spec, ply: u32, seed: u64) -> SearchInfo {
        let mut thinking = Thinking::new(position, spec, ply, seed).unwrap();
        while thinking.step(Budget::UNLIMITED) == Status::Running {}
        thinking.view()
    }

    fn analysed(position: Position, depth: u32) -> Report {
        let question = Question::AlphaBeta { depth, mb: 1, solve: false };
        let mut job = Analysing::new(position, &Before::default(), question);
        while job.step(Budget::UNLIMITED) == Status::Running {}
        job.view().report
    }

    #[test]
    fn a_player_at_rest_keeps_a_small_table_alone() {
        let turn = Turn::new(Kalah::start("6x4:standard".parse().unwrap()), 0, 1);
        let settings = Minimax::to_depth;
        for (depth, stays) in [(8, true), (20, false)] {
            let mut player = MinimaxPlayer::new(settings(depth));
            let mv = choose(&mut player, &turn);
            player.rest();
            assert_eq!(player.thinking.is_some(), stays, "depth {depth}");
            assert_eq!(choose(&mut player, &turn), mv);
        }
    }
}
