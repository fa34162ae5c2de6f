//! Othello and checkers by patterns: the weights that come with the program and those in files, the player and the analysis that
//! use them.
//!
//! Both search selectively while the end is far. Near its end a game of Othello is solved exactly; checkers has endgame tables.

use mancalab_base::{Error, bail};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::analysing::Analyst;
use super::clock::Timer;
use super::minimax::{Minimax, TABLE_MB};
use super::{Player, Purpose, Turn};
use crate::budget::{Budget, Status};
use crate::codec::checksum;
use crate::files::{self, Kind};
use crate::game::checkers::Checkers;
use crate::game::othello::Othello;
use crate::game::patterns::{Patterned, file};
use crate::game::{BoardGame as _, Game as _, GameState, Move};
use crate::pool::Pool;
use crate::rng;
use crate::search::selective::{self, Aim, PatternSearch, Selective};
use crate::search::{Analysis, Limits, MAX_DEPTH, Report, Search, Table};
use rand::{Rng as _, RngExt as _};

/// Empty squares beyond the depth from which a search solves the rest instead: this takes about as long as a search to the
/// depth before.
const SOLVED_AHEAD: u32 = 6;

/// Depth of the search before a position is solved: its values are shown meanwhile, and hold if time runs out.
const BEFORE_SOLVING: u32 = 8;

/// Pattern weights from a file.
#[derive(Clone)]
pub struct FileWeights {
    /// The file's name, as the player's text has it.
    pub name: String,
    /// Checksum of the content.
    sum: u64,
    weights: AnyWeights,
}

/// Weights of one of the games.
#[derive(Clone)]
enum AnyWeights {
    Othello(Arc<<Othello as Patterned>::Weights>),
    Checkers(Arc<<Checkers as Patterned>::Weights>),
}

/// Equal names and checksums mean equal weights.
impl PartialEq for FileWeights {
    fn eq(&self, other: &FileWeights) -> bool {
        (&self.name, self.sum) == (&other.name, other.sum)
    }
}

impl Eq for FileWeights {}

impl fmt::Debug for FileWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FileWeights({}, {:016x})", self.name, self.sum)
    }
}

impl FileWeights {
    /// Reads the weights in a file.
    ///
    /// # Errors
    /// The file cannot be read, or holds no weights: its name and the reason.
    pub fn open(name: &str) -> Result<FileWeights, Error> {
        let bytes = files::read(Path::new(name), Kind::Program).map_err(|error| format!("{name}: {error}"))?;
        let weights = if file::is_of::<Othello>(&bytes) {
            AnyWeights::Othello(weights::<Othello>(name, &bytes)?)
        } else if file::is_of::<Checkers>(&bytes) {
            AnyWeights::Checkers(weights::<Checkers>(name, &bytes)?)
        } else {
            bail!(
                "{name}: not a file of pattern weights: it must begin with '{}' or '{}'",
                file::format::<Othello>(),
                file::format::<Checkers>()
            );
        };
        Ok(FileWeights { name: name.to_owned(), sum: checksum(&bytes), weights })
    }

    /// The name of their game.
    pub fn game(&self) -> &'static str {
        match self.weights {
            AnyWeights::Othello(_) => Othello::NAME,
            AnyWeights::Checkers(_) => Checkers::NAME,
        }
    }

    /// The content, for checksums.
    pub fn contents(&self) -> String {
        format!("{:016x}", self.sum)
    }
}

fn weights<G: Patterned>(name: &str, bytes: &[u8]) -> Result<Arc<G::Weights>, Error> {
    let (learned, _) = file::read::<G>(bytes).map_err(|error| format!("{name}: {error}"))?;
    Ok(Arc::new(G::weights(&learned)))
}

/// A game that is played and analysed by patterns.
pub(super) trait PatternGame: PatternSearch {
    /// The file's weights, if they are of this game.
    fn of(weights: &FileWeights) -> Option<Arc<Self::Weights>>;

    /// Empty squares, or a bound of them, if the rest of a game can be solved.
    fn plies_to_solve(&self) -> Option<u32> {
        None
    }

    /// The evaluation for play, where it differs from that of analyses.
    fn for_play(evaluator: Self::Evaluator) -> Self::Evaluator {
        evaluator
    }

    /// The evaluation with the endgame table, if the game has one.
    fn with_tables(evaluator: Self::Evaluator) -> Self::Evaluator {
        evaluator
    }
}

impl PatternGame for Othello {
    fn of(weights: &FileWeights) -> Option<Arc<Self::Weights>> {
        if let AnyWeights::Othello(weights) = &weights.weights { Some(Arc::clone(weights)) } else { None }
    }

    fn plies_to_solve(&self) -> Option<u32> {
        self.plies_left().map(|_| 60_u32.saturating_sub(self.put()))
    }
}

impl PatternGame for Checkers {
    fn of(weights: &FileWeights) -> Option<Arc<Self::Weights>> {
        if let AnyWeights::Checkers(weights) = &weights.weights { Some(Arc::clone(weights)) } else { None }
    }

    fn for_play(evaluator: Self::Evaluator) -> Self::Evaluator {
        evaluator.for_play()
    }

    fn with_tables(evaluator: Self::Evaluator) -> Self::Evaluator {
        evaluator.with_tables()
    }
}

/// The evaluation by weights from a file, or by those of the program.
fn evaluator<G: PatternGame>(weights: Option<&FileWeights>) -> G::Evaluator {
    G::evaluator(weights.and_then(G::of).unwrap_or_else(G::shipped))
}

/// The search of a turn.
enum Searching<G: PatternGame> {
    Selective(Selective<G, G::Evaluator>),
    /// With the move that a selective search found before, for the case that time runs out.
    Exact(Search<G>, Option<Move>),
}

/// A minimax player that evaluates by patterns.
pub(super) struct PatternPlayer<G: PatternGame> {
    settings: Minimax,
    timer: Timer,
    evaluator: Option<G::Evaluator>,
    turn: Option<Turn<G>>,
    search: Option<Searching<G>>,
    table: selective::Table<G>,
}

/// Memory that an idle player keeps, in bytes.
const AT_REST: usize = 1 << 20;

impl<G: PatternGame> PatternPlayer<G> {
    pub fn new(settings: Minimax) -> PatternPlayer<G> {
        let timer = Timer::new(settings.time, settings.clock);
        PatternPlayer { settings, timer, evaluator: None, turn: None, search: None, table: selective::Table::default() }
    }

    /// Whether the rest of the game is to be solved.
    fn is_near_end(&self, pos: &G) -> bool {
        pos.plies_to_solve().is_some_and(|plies| plies <= self.settings.depth + SOLVED_AHEAD)
    }

    fn begin(&mut self, turn: &Turn<G>) {
        self.timer.begin(turn);
        self.turn = Some(turn.clone());
        let is_timed = self.timer.remaining().is_some();
        self.search = Some(match self.is_near_end(&turn.pos) {
            true if !is_timed => self.exact(turn, None),
            near => {
                let settings = &self.settings;
                let evaluator = self.evaluator.get_or_insert_with(|| {
                    let evaluator = G::for_play(evaluator::<G>(settings.patterns.as_ref()));
                    if settings.tables { G::with_tables(evaluator) } else { evaluator }
                });
                let evaluator = evaluator.clone();
                let depth = if near { BEFORE_SOLVING.min(self.settings.depth) } else { self.settings.depth };
                let aim = Aim { depth, all: self.settings.ties.needs_all() };
                let table = std::mem::take(&mut self.table);
                Searching::Selective(Selective::new(turn.game_state(), evaluator, aim, table))
            }
        });
    }

    fn exact(&self, turn: &Turn<G>, before: Option<Move>) -> Searching<G> {
        let seed = turn.rng(Purpose::Tie).next_u64();
        let limits = Limits { depth: MAX_DEPTH, ties: self.settings.ties, seed, every_depth: false };
        Searching::Exact(Search::with_table(turn.game_state(), limits, Table::new(TABLE_MB)), before)
    }

    /// Continues the search; a selective one is followed by an exact one near the end.
    fn step(&mut self, turn: &Turn<G>, budget: Budget) -> Status {
        let status = match &mut self.search {
            Some(Searching::Selective(search)) => search.step(budget),
            Some(Searching::Exact(search, _)) => return search.step(budget),
            None => return Status::Done,
        };
        if status == Status::Done && self.is_near_end(&turn.pos) {
            let before = self.best_move(turn);
            self.keep_table();
            self.search = Some(self.exact(turn, before));
            return Status::Running;
        }
        status
    }

    /// Whether the time is over and a move was found by a search.
    fn is_out_of_time(&self) -> bool {
        let is_searched = match &self.search {
            Some(Searching::Selective(search)) => search.value().is_some(),
            Some(Searching::Exact(_, before)) => before.is_some(),
            None => true,
        };
        self.timer.is_over() && is_searched
    }

    fn keep_table(&mut self) {
        if let Some(Searching::Selective(search)) = self.search.take() {
            self.table = search.into_table();
        }
    }

    fn best_move(&self, turn: &Turn<G>) -> Option<Move> {
        match self.search.as_ref()? {
            Searching::Exact(search, before) => {
                let report = search.report();
                if report.solved { search.best_move() } else { before.or(search.best_move()) }
            }
            Searching::Selective(search) if self.settings.ties.needs_all() => {
                let report = search.report();
                let most = report.lines.first()?.weighed;
                let mut best: Vec<Move> = report.lines.iter().filter(|l| l.weighed == most).map(|l| l.mv).collect();
                best.sort_unstable();
                let mut random = rng::keyed(&[turn.rng(Purpose::Tie).next_u64()]);
                self.settings.ties.choose(&turn.pos, best.into_iter(), |count| random.random_range(0..count))
            }
            Searching::Selective(search) => search.best_move(),
        }
    }
}

impl<G: PatternGame> Player<G> for PatternPlayer<G> {
    fn think(&mut self, turn: &Turn<G>, budget: Budget) -> Option<Move> {
        let mut before = Instant::now();
        if self.turn.as_ref() != Some(turn) {
            self.keep_table();
            self.begin(turn);
            // Reading the weights and opening the endgame table may take longer than the time of a move. Only a game's clock is
            // charged for it.
            if self.settings.clock.is_none() {
                before = Instant::now();
            }
        }
        // At least one step, whatever the budget, and at least one ply, whatever the time.
        let status = loop {
            let cut = self.timer.cut(budget);
            let status = self.step(turn, cut);
            self.timer.spend(before.elapsed());
            before = Instant::now();
            if status == Status::Done || self.is_out_of_time() || budget.is_spent() {
                break status;
            }
        };
        if status == Status::Running && !self.is_out_of_time() { None } else { self.best_move(turn) }
    }

    fn report(&self) -> Option<Report> {
        Some(match self.search.as_ref()? {
            Searching::Selective(search) => search.report(),
            Searching::Exact(search, _) => search.report(),
        })
    }

    fn rest(&mut self) {
        self.timer.reset();
        self.keep_table();
        (self.turn, self.search) = (None, None);
        if self.table.bytes() > AT_REST {
            self.table = selective::Table::default();
        }
    }
}

/// The analysis of a position: every move's value by patterns, or exact once the end of a game of Othello is near.
pub(super) struct PatternAnalyst<G: PatternGame> {
    game_state: GameState<G>,
    depth: u32,
    mb: usize,
    pool: Pool,
    selective: Option<Selective<G, G::Evaluator>>,
    exact: Option<Analysis<G>>,
}

impl<G: PatternGame> PatternAnalyst<G> {
    /// An analysis to `depth` plies, which is exact, on all threads of `pool`, if the game may end within them. It reads the
    /// weights with its first step.
    pub fn new(game_state: GameState<G>, depth: u32, mb: usize, pool: &Pool) -> PatternAnalyst<G> {
        PatternAnalyst { game_state, depth, mb, pool: pool.clone(), selective: None, exact: None }
    }

    fn is_exact(&self) -> bool {
        let pos = self.game_state.pos();
        pos.plies_to_solve().is_some() && pos.plies_left().is_some_and(|plies| plies <= self.depth)
    }
}

impl<G: PatternGame> Analyst for PatternAnalyst<G> {
    fn step(&mut self, budget: Budget) -> Status {
        let is_exact = self.is_exact();
        if let Some(exact) = &mut self.exact {
            return exact.step(budget);
        }
        let (depth, game_state) = (self.depth, &self.game_state);
        let selective = self.selective.get_or_insert_with(|| {
            let depth = if is_exact { BEFORE_SOLVING } else { depth };
            let aim = Aim { depth, all: true };
            let evaluator = G::with_tables(evaluator::<G>(None));
            Selective::new(game_state.clone(), evaluator, aim, selective::Table::default())
        });
        if selective.step(budget) == Status::Running {
            return Status::Running;
        }
        if !is_exact {
            return Status::Done;
        }
        let exact = Analysis::new(self.game_state.clone(), self.depth, Table::new(self.mb));
        self.exact = Some(exact.on(&self.pool));
        Status::Running
    }

    /// The exact values, once they are there.
    fn report(&self) -> Report {
        let exact = self.exact.as_ref().map(Analysis::report).filter(|report| report.solved);
        exact.or_else(|| self.selective.as_ref().map(Selective::report)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::patterns::Learned;
    use crate::game::{Side, referee};
    use crate::{Spec, choose, spec};
    use std::time::Duration;

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
            let (mut whole, mut cut) = (player(text), player(text));
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
            let (turn, mut timed) = (
                Turn::new(Checkers::start(Default::default()), 0, 1),
                spec::build::<Checkers>(&text.parse().unwrap()).unwrap(),
            );
            choose(timed.as_mut(), &turn).unwrap();
            assert!(timed.report().unwrap().depth > 0, "{text}");
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
        std::fs::write(&path, file::write::<Othello>(&Learned::zero::<Othello>(), &Default::default())).unwrap();
        let own = format!("minimax:2@{}:ties=last", path.display());
        let spec: Spec = own.parse().unwrap();
        assert_eq!((spec.to_string(), spec.contents().is_some()), (own, true));
        assert_eq!(Spec::file_in(&spec.to_string()).unwrap().as_deref(), Some(path.as_path()));
        let error = spec::check_plays(&spec, &"kalah".parse().unwrap()).unwrap_err().to_string();
        assert!(error.contains("minimax with pattern weights plays othello only"), "{error}");
        std::fs::write(&path, b"tea").unwrap();
        assert!(text(&format!("minimax:2@{}", path.display())).unwrap_err().contains("not a file of pattern weights"));
    }
}
