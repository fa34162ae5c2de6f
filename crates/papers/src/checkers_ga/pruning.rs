//! Forward pruning: "might significantly improve performance by allowing the search to progress deeper". Games between the same
//! weights with and without it, at equal depth, at equal nodes, and in equal time.

use mancalab_base::{Error, bail};
use std::fmt;
use std::time::Duration;

use rand::Rng as _;

use crate::arena::Score;
use crate::budget::{Budget, Status};
use crate::game::checkers::{Checkers, Rules};
use crate::game::{BoardGame as _, Game as _, GameState, Move};
use crate::player::Spec;
use crate::player::samuel::{MAX_DEPTH, Samuel, Searcher};
use crate::rng;
use crate::{Hear, Line, Options, ProgressEvent, Table, number};

const USUAL_GAMES: u32 = 400;

/// The limits compared by default.
const LIMITS: [Limit; 3] = [Limit::Depth(6), Limit::Nodes(5000), Limit::Time(5)];

/// Random moves at the start of a game.
const OPENING: u32 = 4;

/// Games between two progress reports.
const PIECE: u32 = 20;

/// Purpose of the random draws of an opening.
const DRAWN: u64 = 3;

/// The limit of both sides' searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Limit {
    /// Plies.
    Depth(u32),
    /// Positions visited; a search ends with the first piece of work that exceeds it.
    Nodes(u64),
    /// Milliseconds.
    Time(u64),
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Depth(plies) => write!(f, "{plies} plies"),
            Limit::Nodes(nodes) => write!(f, "{nodes} nodes a move"),
            Limit::Time(time) => write!(f, "{time} ms a move"),
        }
    }
}

impl Limit {
    fn depth(self) -> u32 {
        if let Limit::Depth(plies) = self { plies } else { MAX_DEPTH }
    }

    /// Searches until the limit.
    fn search(self, searcher: &mut Searcher) {
        match self {
            Limit::Depth(_) => _ = searcher.step(Budget::UNLIMITED),
            Limit::Time(time) => _ = searcher.step(Budget::time(Duration::from_millis(time))),
            // Without any time a step is the smallest piece of work, always the same.
            Limit::Nodes(nodes) => {
                let is_within = |searcher: &Searcher| searcher.report().is_some_and(|report| report.nodes < nodes);
                while searcher.step(Budget::time(Duration::ZERO)) == Status::Running && is_within(searcher) {}
            }
        }
    }
}

/// The searches of one player: those in which it had a choice and the result was open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct SearchCounts {
    count: u64,
    plies: u64,
    nodes: u64,
}

impl SearchCounts {
    fn plus(self, other: SearchCounts) -> SearchCounts {
        let SearchCounts { count, plies, nodes } = other;
        SearchCounts { count: self.count + count, plies: self.plies + plies, nodes: self.nodes + nodes }
    }

    fn means(self) -> [f64; 2] {
        [self.plies, self.nodes].map(|sum| sum as f64 / self.count.max(1) as f64)
    }
}

/// The result of games with pruning against the same player without.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct PruningResult {
    score: Score,
    /// With pruning, and without.
    searched: [SearchCounts; 2],
}

impl PruningResult {
    fn plus(self, other: PruningResult) -> PruningResult {
        let [a, b] = self.searched;
        PruningResult {
            score: self.score.plus(other.score),
            searched: [a.plus(other.searched[0]), b.plus(other.searched[1])],
        }
    }

    fn line(&self, limit: Limit) -> Line {
        let share = self.score.interval();
        let [[deep, many], [other_deep, other_many]] = self.searched.map(SearchCounts::means);
        let Score { wins, draws, losses } = self.score;
        let remark = format!(
            "+{wins} ={draws} -{losses}; depth {deep:.2} v {other_deep:.2}, {many:.0} v {other_many:.0} nodes a move"
        );
        let line = Line::new(format!("{limit}: with pruning"), None, 100.0 * self.score.share(), "%");
        let names =
            vec![("limit", limit.to_string().into()), ("depth", deep.into()), ("depth_without", other_deep.into())];
        Line { score: Some(self.score), ..line.within(100.0 * share.0, 100.0 * share.1).named(names).remarked(remark) }
    }

    /// Answers the source's conjecture for one limit.
    fn answer(&self, limit: Limit) -> String {
        let (low, high) = self.score.interval();
        let verdict = match () {
            () if low > 0.5 => "stronger",
            () if high < 0.5 => "weaker",
            () => "neither stronger nor weaker, as far as these games show",
        };
        let [[deep, _], [other_deep, _]] = self.searched.map(SearchCounts::means);
        let shares = [self.score.share(), low, high].map(|share| number(100.0 * share));
        format!(
            "At {limit} forward pruning is {verdict}: {} % of the points ({} to {}), at a depth of {deep:.1} instead of {other_deep:.1}.",
            shares[0], shares[1], shares[2]
        )
    }
}

pub(super) fn reproduce(options: &Options, hear: Hear<'_>) -> Result<Table, Error> {
    let games = options.games.unwrap_or(USUAL_GAMES);
    if !games.is_multiple_of(2) {
        bail!("--games must be even, since each opening is played from both sides (got {games})");
    }
    let limits = limits(options)?;
    let weights = options.value("weights").unwrap_or("best");
    let Spec::Samuel(samuel) = format!("samuel@{weights}").parse()? else { bail!("weights cannot be {weights}") };
    let mut lines = Vec::new();
    let mut notes = Vec::new();
    for (nth, &limit) in limits.iter().enumerate() {
        let mut progress = |share: f64| {
            let share = (nth as f64 + share) / limits.len() as f64;
            hear(ProgressEvent::Progress { share, item: limit.to_string() });
        };
        let played = play(&samuel, limit, games, options, &mut progress);
        lines.push(played.line(limit));
        notes.push(played.answer(limit));
    }
    if limits.iter().any(|limit| matches!(limit, Limit::Time(_))) {
        notes.push("Games in equal time depend on the machine and differ each time; the others do not.".to_owned());
    }
    let reading = vec![
        (
            "pruning",
            "skips quiet moves 2 and 3 plies before the horizon that would need more than a man's value a ply"
                .to_owned(),
        ),
        ("players", format!("{samuel}, iterative deepening, captures searched to the end")),
        (
            "table",
            "kept from move to move without pruning; empty for every move with it, whose results depend on it"
                .to_owned(),
        ),
        ("games", format!("{games}, from random {OPENING}-ply openings, each played from both sides")),
        ("depth", "the last completed one, of moves with a choice whose outcome is open".to_owned()),
    ];
    Ok(Table { lines, reading, notes, ..Table::default() })
}

/// Returns the limits that the options set, or else the usual ones.
fn limits(options: &Options) -> Result<Vec<Limit>, Error> {
    let mut limits = Vec::new();
    for (key, most) in [("depth", u64::from(MAX_DEPTH)), ("nodes", 1_000_000_000), ("ms", 60_000)] {
        let Some(text) = options.value(key) else { continue };
        let value = text.parse().ok().filter(|value| (1..=most).contains(value));
        let value: u64 = value.ok_or_else(|| format!("{key} must be a whole number from 1 to {most} (got {text})"))?;
        limits.push(match key {
            "depth" => Limit::Depth(value as u32),
            "nodes" => Limit::Nodes(value),
            _ => Limit::Time(value),
        });
    }
    Ok(if limits.is_empty() { LIMITS.to_vec() } else { limits })
}

/// Plays the games of one limit.
fn play(samuel: &Samuel, limit: Limit, games: u32, options: &Options, progress: &mut dyn FnMut(f64)) -> PruningResult {
    let mut all = PruningResult::default();
    for from in (0..games).step_by(PIECE as usize) {
        progress(f64::from(from) / f64::from(games));
        let mut numbers: Vec<u32> = (from..games.min(from + PIECE)).collect();
        let played = options.pool.map_each(&mut numbers, |number| game(samuel, limit, options.seed, *number));
        all = played.into_iter().fold(all, PruningResult::plus);
    }
    all
}

/// Plays one game; of every two, with the same opening, the second has the sides exchanged.
fn game(samuel: &Samuel, limit: Limit, seed: u64, number: u32) -> PruningResult {
    let mut players =
        [true, false].map(|prunes| Searcher::new(&Samuel { prunes, depth: limit.depth(), ..samuel.clone() }));
    let mut game_state = opening(seed, number / 2);
    let pruning_side = game_state.pos().side();
    let pruning_side = if number.is_multiple_of(2) { pruning_side } else { pruning_side.other() };
    let mut searched = [SearchCounts::default(); 2];
    let ending = loop {
        if let Some(ending) = game_state.ending() {
            break ending;
        }
        let which = usize::from(game_state.pos().side() != pruning_side);
        let has_choice = game_state.pos().count_moves() > 1;
        let (mv, made) = choose(&mut players[which], &game_state, limit);
        searched[which] = searched[which].plus(if has_choice { made } else { SearchCounts::default() });
        game_state.play(mv);
    };
    PruningResult { score: Score::from_outcome(ending.outcome(pruning_side)), searched }
}

fn opening(seed: u64, number: u32) -> GameState<Checkers> {
    let mut rng = rng::keyed(&[seed, number.into(), DRAWN]);
    let mut game_state = GameState::new(Checkers::start(Rules::default()));
    for _ in 0..OPENING {
        game_state.play(game_state.pos().pick(rng.next_u32()));
    }
    game_state
}

/// Returns a player's move, and its search if the outcome is open.
fn choose(searcher: &mut Searcher, game_state: &GameState<Checkers>, limit: Limit) -> (Move, SearchCounts) {
    searcher.begin(game_state, 0);
    limit.search(searcher);
    let open = searcher.report().filter(|report| !report.solved);
    let searched = open.map(|report| SearchCounts { count: 1, plies: report.depth.into(), nodes: report.nodes });
    (searcher.best_move().unwrap_or_default(), searched.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::Pool;

    fn table(set: &[&str], games: u32, pool: Pool) -> Result<Table, Error> {
        let options = Options { games: Some(games), pool, ..Options::default() };
        crate::target::reproduce("checkers-ga/pruning", set, options, &mut |_| ())
    }

    #[test]
    fn equal_depth_saves_nodes_and_equal_nodes_gain_depth() {
        let table = table(&["depth=5", "nodes=800"], 6, Pool::alone()).unwrap();
        assert_eq!(table.lines.len(), 2);
        assert!(table.lines.iter().all(|line| line.score.unwrap().games() == 6));
        assert!(table.lines[0].remark.as_ref().unwrap().contains("depth 5.00 v 5.00"), "{:?}", table.lines[0]);
        assert!(table.notes[1].starts_with("At 800 nodes a move forward pruning is "), "{:?}", table.notes);
    }

    #[test]
    fn a_limit_of_nodes_is_kept_and_reproduced_on_any_number_of_threads() {
        let samuel = Samuel::default();
        let played = |pool| {
            let options = Options { pool, ..Options::default() };
            play(&samuel, Limit::Nodes(500), 4, &options, &mut |_| ())
        };
        let one = played(Pool::alone());
        let three = played(Pool::new(3));
        assert_eq!(one, three);
        // A search exceeds the limit by a piece of work at most: four plies.
        assert!(one.searched.iter().all(|searched| (400.0..2500.0).contains(&searched.means()[1])), "{one:?}");
    }

    #[test]
    fn wrong_options_are_reported() {
        let error = |set: &[&str], games| table(set, games, Pool::alone()).unwrap_err().to_string();
        assert_eq!(error(&["depth=61"], 2), "depth must be a whole number from 1 to 60 (got 61)");
        assert!(error(&[], 3).contains("--games must be even"));
        assert!(error(&["fast=1"], 2).contains("there is no reading 'fast'"));
        assert!(error(&["weights=nosuch"], 2).contains("nosuch"));
    }
}
