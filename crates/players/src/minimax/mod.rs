//! The player that searches with alpha-beta: by the margin here, by a learned evaluation in `learned`.

mod learned;

use std::fmt;
use std::time::Duration;

use mancalab_base::{Error, bail};
use rand::Rng as _;

use crate::budget::{Budget, Status};
use crate::clock::{CLOCK, Clock, Timer};
use crate::game::checkers::Checkers;
use crate::game::othello::Othello;
use crate::game::{BoardGame as _, Game, Move, Position};
use crate::kind::{Effort, Forms, PlayerKind, Unread};
use crate::pool::Pool;
use crate::search::{Limits, Report, Search, SearchHints, Table, Threads, Ties};
use crate::selective::weights::FileWeights;
use crate::settings::string_enum;
use crate::text::Values::{Number, Words};
use crate::text::{self, MILLISECONDS, Setting, THREADS, TIES};
use crate::{Built, Player, Purpose, Turn, of_one};
use learned::LearnedPlayer;

/// The player that evaluates the margin.
fn plain<G: SearchHints>(minimax: &Minimax) -> MinimaxPlayer<G> {
    MinimaxPlayer::new(minimax.clone())
}

impl PlayerKind for Minimax {
    fn build<G: SearchHints>(&self, _: &Pool) -> Built<G> {
        const KIND: &str = "minimax with learned weights";
        let othello = || of_one::<G, Othello, _>(KIND, || LearnedPlayer::new(self.clone()));
        let checkers = || of_one::<G, Checkers, _>(KIND, || LearnedPlayer::new(self.clone()));
        match &self.weights {
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
        self.weights.as_ref().map(FileWeights::contents)
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
    thinking: Option<MinimaxSearch<G>>,
}

/// The search for one turn.
struct MinimaxSearch<G: SearchHints> {
    turn: Turn<G>,
    search: Search<G>,
}

impl<G: SearchHints> MinimaxPlayer<G> {
    pub fn new(settings: Minimax) -> MinimaxPlayer<G> {
        let timer = Timer::new(settings.time, settings.clock);
        MinimaxPlayer { settings, timer, thinking: None }
    }

    /// Starts a turn with the table of the turn before.
    fn begin(&mut self, turn: &Turn<G>) -> MinimaxSearch<G> {
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
        MinimaxSearch { turn: turn.clone(), search }
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

/// The settings of the minimax player.
#[derive(Clone, PartialEq, Debug)]
pub struct Minimax {
    /// Plies to search, 1 to [`MAX_DEPTH`].
    pub depth: u32,
    /// Deepens iteratively and stops at this time, or at `depth`.
    pub time: Option<Duration>,
    /// The same for the time of a whole game.
    pub clock: Option<Clock>,
    pub ties: Ties,
    /// Greater than 0: plays a random one of the moves at most this far below the best, in seeds, discs or men.
    pub spread: f32,
    /// Whether the search uses the endgame table of Oware, Awari or checkers, if there is one. Moves then depend on that file.
    pub tables: bool,
    /// Threads of its own, 1 to 64. They change no move at a fixed depth.
    pub threads: u32,
    pub eval: Eval,
    /// Weights of the evaluation from a file, in place of those of the program.
    pub weights: Option<FileWeights>,
}

// Accepted numbers are never NaN.
impl Eq for Minimax {}

/// What a search evaluates positions by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Eval {
    /// The best that the program has for the game: the learned evaluation in Othello and checkers, otherwise the margin.
    #[default]
    Best,
    /// The margin: in Othello the difference of discs. The search is then plain minimax, as in the literature.
    Discs,
    /// The same in checkers: the difference of material.
    Pieces,
}

string_enum!(Eval { "best" => Best, "discs" => Discs, "pieces" => Pieces });
text::parsed!(Eval);

/// The maximum depth, in plies.
pub const MAX_DEPTH: u32 = 60;

pub(crate) const FORMS: Forms = &[
    ("minimax:D", "searches D plies, 1 to 60"),
    ("minimax:D:ms=T", "up to D plies, T milliseconds a move; clock=T: a game"),
    ("minimax:D:ties=random", "breaks ties at random"),
    ("minimax:D:spread=S", "a random move of those at most S seeds, discs or men below the best"),
    ("minimax:D:threads=T", "on T threads, 1 to 64; the same moves at the same depth"),
    ("minimax:D:tables=yes", "uses the endgame table of oware, awari or checkers, if there is one"),
    ("minimax:D:eval=discs", "in Othello: counts discs; without this it evaluates patterns"),
    ("minimax:D:eval=pieces", "in checkers: counts pieces; without this it evaluates by networks"),
    ("minimax:D@FILE", "in Othello and checkers: by the weights in a file that mancalab train writes"),
];

const DEPTH_WANTED: &str = "minimax depth must be 1 to 60, as in minimax:8";

const SETTINGS: &[Setting<Minimax>] = &[
    Setting("ms", MILLISECONDS, |s| &mut s.time),
    Setting("clock", CLOCK, |s| &mut s.clock),
    Setting("eval", Words("best|discs|pieces"), |s| &mut s.eval),
    Setting("ties", Words(TIES), |s| &mut s.ties),
    Setting("spread", Number("S", "a number of seeds, discs or men", 0.0, 100.0), |s| &mut s.spread),
    Setting("tables", Words("yes|no"), |s| &mut s.tables),
    Setting("threads", THREADS, |s| &mut s.threads),
];

impl Minimax {
    pub fn to_depth(depth: u32) -> Minimax {
        let ties = Ties::First;
        let eval = Eval::Best;
        Minimax { depth, time: None, clock: None, ties, spread: 0.0, tables: false, threads: 1, eval, weights: None }
    }

    /// The spread in margins of this game.
    pub(crate) fn spread_in_margins<G: Game>(&self, pos: &G) -> f64 {
        let unit = Position::from_game(pos).map_or(1, |position| position.unit());
        f64::from(self.spread) * f64::from(unit)
    }

    /// The threads of its searches.
    pub(crate) fn threads(&self) -> Threads {
        Threads::Own(self.threads as usize)
    }

    /// Reads the part of a player's text after `minimax`: `:D`, a file of weights, and settings.
    pub(crate) fn unread(text: &str) -> Result<Unread<Minimax>, Error> {
        let mut minimax = Minimax::to_depth(1);
        let rest = text::read(text, SETTINGS, &mut minimax)?;
        let (depth, file) = text::head(rest);
        minimax.depth = text::depth(depth.ok_or(DEPTH_WANTED)?, MAX_DEPTH, DEPTH_WANTED, SETTINGS)?;
        let Some(file) = file.map(str::to_owned) else { return Ok(Unread::ready(minimax)) };
        if minimax.eval != Eval::Best {
            bail!("eval={} needs no file (got @{file})", minimax.eval);
        }
        Ok(Unread::in_file(Some(file.clone()), "learned weights", move || {
            minimax.weights = Some(FileWeights::open(&file)?);
            Ok(minimax)
        }))
    }
}

impl fmt::Display for Minimax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "minimax:{}", self.depth)?;
        if let Some(FileWeights { name, .. }) = &self.weights {
            write!(f, "@{name}")?;
        }
        text::write(f, SETTINGS, self, Minimax::to_depth(1))
    }
}

/// Maximum size of a player's transposition table, in megabytes.
pub const TABLE_MB: usize = 64;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::Spec;
    use crate::analysis::{AnalysisJob, Question};
    use crate::budget::Job as _;
    use crate::choose;
    use crate::game::kalah::Kalah;
    use crate::game::record::Before;
    use crate::game::{BoardGame, Position};
    use crate::move_job::{MoveJob, SearchInfo};
    use crate::search::Line;

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
        let mut thinking = MoveJob::new(position, spec, ply, seed).unwrap();
        while thinking.step(Budget::UNLIMITED) == Status::Running {}
        thinking.view()
    }

    fn analysed(position: Position, depth: u32) -> Report {
        let question = Question::AlphaBeta { depth, mb: 1, solve: false };
        let mut job = AnalysisJob::new(position, &Before::default(), question);
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
