//! Tournaments as runs of the command `arena`, and their division into units that are games of one cell.
//!
//! Merging counts the games of all cells round by round with the code that counts them during play. It reads one result
//! per cell at a time, in pieces, so that a tournament of any length fits in memory.

use mancalab_base::{Error, bail};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use super::{Block, GameLine, MAX_GAMES, Settings, Source, Tournament, block_size, blocks, seconds_per_game};
use crate::budget::{Budget, Status};
use crate::codec::checksum;
use crate::experiment::result::Lines;
use crate::experiment::task::{Piece, RowReceiver, SAMPLE, drive, saved_by_others};
use crate::experiment::{
    Body, Division, Experiment, Half, JobContext, MergedRun, Outcome, Part, PartResult, PartResults, Sample,
};
use crate::job::Run;
use crate::player::Spec;
use crate::pool::Pool;
use crate::sanitize;

/// Target duration of a unit in seconds, used when no block size is given.
const UNIT_SECONDS: f64 = 60.0;

impl Experiment for Settings {
    fn check_plan(&self, _: &str) -> Result<(), Error> {
        Settings::check(self)?;
        match self.players.iter().find(|player| player.is_timed()) {
            Some(player) => {
                let (is, instead) = match player {
                    Spec::External(_) => ("is another program", "choose a player that is part of mancalab"),
                    _ => ("has a time limit", "give it a depth or a number of iterations"),
                };
                Err(format!("{player} {is}, so attempts at a unit would differ; {instead}").into())
            }
            None => Ok(()),
        }
    }

    fn contents(&self) -> u64 {
        checksum(self.file_sums().as_bytes())
    }

    fn sample(&self, block: Option<u32>, pool: &Pool) -> Result<Sample, Error> {
        let each = seconds_per_game(self, pool, SAMPLE);
        let size =
            |seconds: &f64| block.unwrap_or((UNIT_SECONDS / seconds.max(1e-9)).clamp(1.0, MAX_GAMES.into()) as u32);
        let blocks = block.map_or_else(|| each.iter().map(size).collect(), |block| vec![block]);
        let seconds = self.cells().iter().zip(&each).map(|(cell, seconds)| f64::from(cell.games) * seconds).sum();
        Ok(Sample { seconds, blocks })
    }

    fn count(&self, division: Division<'_>) -> u64 {
        let cells = self.cells().into_iter().enumerate();
        cells.map(|(index, cell)| u64::from(cell.games.div_ceil(block_size(division.blocks, index)))).sum()
    }

    fn parts(&self, division: Division<'_>) -> Vec<Part> {
        let name = |player: usize| &self.players[player];
        let who: Vec<Arc<str>> =
            self.cells().iter().map(|cell| format!("{} v {}", name(cell.first), name(cell.second)).into()).collect();
        let part = |(cell, rounds): (usize, Range<u32>)| Part::Block { cell, who: Arc::clone(&who[cell]), rounds };
        blocks(self, division.blocks).into_iter().map(part).collect()
    }

    fn compute(&self, part: &Part, work: &mut JobContext<'_>) -> Result<Outcome, Error> {
        let Part::Block { cell, rounds, .. } = part else {
            bail!("a tournament is planned in blocks");
        };
        let begin = || Block::begin(self.clone(), *cell, rounds.clone());
        let resume = |body: Body| {
            let games = String::from_utf8(body.deterministic).ok()?;
            let timings = String::from_utf8(body.nondeterministic).ok()?;
            Block::resume(self.clone(), *cell, rounds.clone(), &games, &timings).ok()
        };
        let mut block = saved_by_others(work).into_iter().find_map(resume).map_or_else(begin, Ok)?;
        drive(work, &mut block)
    }

    fn fold(&self, parts: &[Part], given: &mut PartResults<'_>, taken: RowReceiver<'_>) -> Result<MergedRun, Error> {
        let mut run = Tournament::start(self.clone())?;
        let mut games = Games::new(self.cells().len(), parts, given);
        while let Some(row) = run.take_round(&mut games).map_err(|reason| games.place(reason))? {
            taken(&row)?;
        }
        let finished = run.is_over();
        let is_needed =
            |part: &Part| matches!(part, Part::Block { cell, .. } if run.standing()[*cell].verdict.is_none());
        let missing =
            |(index, part): (usize, &Part)| (!finished && is_needed(part) && !(given.has)(index)).then_some(index);
        let missing = parts.iter().enumerate().filter_map(missing).collect();
        Ok(MergedRun {
            run: run.generation().is_some().then(|| Box::new(run) as Box<dyn Run>),
            finished,
            missing,
            stuck: None,
        })
    }
}

impl Piece for Block {
    fn advance(&mut self, pool: &Pool, budget: Budget) -> Result<Status, Error> {
        Ok(Block::advance(self, pool, budget))
    }

    fn body(&self) -> Body {
        let (games, timings) = self.save();
        Body { deterministic: games.into_bytes(), nondeterministic: timings.into_bytes() }
    }

    fn share(&self) -> f64 {
        f64::from(self.done()) / f64::from(self.count().max(1))
    }
}

/// The games of all cells, read from results.
struct Games<'a, 'g> {
    given: &'a mut PartResults<'g>,
    cells: Vec<CellGames>,
    /// The cell read last.
    asked: usize,
}

/// The games of one cell.
#[derive(Default)]
struct CellGames {
    /// Parts not read yet.
    left: VecDeque<usize>,
    open: Option<(PartResult, Lines, Lines)>,
}

impl<'a, 'g> Games<'a, 'g> {
    fn new(cells: usize, parts: &[Part], given: &'a mut PartResults<'g>) -> Games<'a, 'g> {
        let mut games = Games { given, cells: Vec::new(), asked: 0 };
        games.cells.resize_with(cells, CellGames::default);
        for (index, part) in parts.iter().enumerate() {
            if let Part::Block { cell, .. } = part {
                games.cells[*cell].left.push_back(index);
            }
        }
        games
    }

    /// Prefixes an error with the name of the file being read.
    fn place(&self, reason: Error) -> Error {
        match self.cells.get(self.asked).and_then(|cell| cell.open.as_ref()) {
            Some((found, ..)) => format!("{}: {reason}", sanitize::path(found.path())).into(),
            None => reason,
        }
    }
}

impl Source for Games<'_, '_> {
    fn peek(&mut self, cell: usize) -> Result<Option<GameLine<'_>>, Error> {
        self.asked = cell;
        let games = &mut self.cells[cell];
        loop {
            if let Some((_, lines, _)) = &mut games.open
                && lines.fill()?
            {
                break;
            }
            games.open = None;
            let Some(&part) = games.left.front() else { return Ok(None) };
            let Some(found) = (self.given.open)(part)? else { return Ok(None) };
            games.left.pop_front();
            let lines = Lines::new(found.pieces(Half::Deterministic));
            let times = Lines::new(found.pieces(Half::Nondeterministic));
            games.open = Some((found, lines, times));
        }
        let Some((_, lines, times)) = &mut games.open else { return Ok(None) };
        let times = if times.fill()? { times.line()? } else { "" };
        GameLine::parse(lines.line()?, times).map(Some)
    }

    fn pass(&mut self, cell: usize) {
        if let Some((_, lines, times)) = &mut self.cells[cell].open {
            lines.pass();
            times.pass();
        }
    }
}
