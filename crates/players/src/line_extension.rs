//! The lines of an analysis continued, as a job: a search knows its lines as far as its table keeps them, which is often a few moves, and
//! a solver knows the first move alone.
//!
//! The end of each line is searched in turn, the best line first. A solved line is continued by moves that keep its value; where no search
//! proves one the line stays as it is.

use super::analysis::{AnalysisJob, Question, Termination, termination};
use crate::budget::{Budget, Job, Status};
use crate::game::record::{NodeId, Record};
use crate::game::{Move, Position};
use crate::pool::Pool;
use crate::search::{Line, Report};

/// Lines are continued to this number of moves.
const WANTED: usize = 16;

/// Depth in plies of the searches that continue an estimated line, and the size of their tables in megabytes.
const DEPTH: u32 = 6;
const TABLE_MB: usize = 4;

/// See the [module](self).
pub struct LineExtension {
    record: Record,
    /// The position of the analysis.
    root: NodeId,
    lines: Vec<Line>,
    /// The index of the line in work.
    current_line: usize,
    /// The search of its end.
    search: Option<AnalysisJob>,
    /// The last search, whose solver helps the next.
    last: Option<AnalysisJob>,
    pool: Pool,
}

impl LineExtension {
    /// Continues the lines of the analysis of the record's current position.
    pub fn new(record: Record, report: &Report, pool: &Pool) -> LineExtension {
        let root = record.at();
        LineExtension {
            record,
            root,
            lines: report.lines.clone(),
            current_line: 0,
            search: None,
            last: None,
            pool: pool.clone(),
        }
    }

    /// Begins the search of the end of a line; `None` if it is long enough or the game is over there.
    fn begin(&mut self) -> Option<AnalysisJob> {
        let line = &self.lines[self.current_line];
        self.record.go_to(self.root);
        let is_legal = line.pv.iter().all(|&mv| self.record.play(mv));
        if !is_legal || line.pv.len() >= WANTED || self.record.ending().is_some() {
            return None;
        }
        let position = *self.record.position();
        if let Position::Kalah(pos) = position
            && line.solved
        {
            return AnalysisJob::first_best(self.last.take(), pos, &self.pool);
        }
        let rest = line.depth.saturating_sub(line.pv.len() as u32).max(1);
        let question = match termination(&position) {
            Ok(Termination::Ends) if line.solved => Question::Perfect,
            _ if line.solved => Question::AlphaBeta { depth: rest, mb: TABLE_MB, solve: false },
            _ => Question::AlphaBeta { depth: DEPTH, mb: TABLE_MB, solve: false },
        };
        Some(AnalysisJob::after(self.last.take(), position, &self.record.before(), question, &self.pool))
    }

    /// Returns the continuation that a search of the line's end has found. The record is there.
    fn continuation(&self, found: &Report) -> Option<Vec<Move>> {
        let line = &self.lines[self.current_line];
        let best = found.lines.first()?;
        if !line.solved {
            // The last moves of a line are those of the shallowest searches.
            let sound = if best.solved { best.pv.len() } else { best.pv.len().div_ceil(2) };
            return Some(best.pv[..sound].to_vec());
        }
        let is_same_side = self.record.position().side() == self.record.position_at(self.root).side();
        let margin = if is_same_side { best.margin } else { -best.margin };
        (best.solved && (margin == line.margin || line.weighed.is_some())).then(|| best.pv.clone())
    }
}

impl Job for LineExtension {
    /// The moves of each line, in the order of the analysis.
    type View = Vec<Vec<Move>>;

    fn step(&mut self, budget: Budget) -> Status {
        while self.current_line < self.lines.len() {
            if self.search.is_none() {
                self.search = self.begin();
            }
            let Some(search) = &mut self.search else {
                self.current_line += 1;
                continue;
            };
            if search.step(budget) == Status::Done {
                let found = search.view().report;
                match self.continuation(&found) {
                    Some(moves) if !moves.is_empty() => self.lines[self.current_line].pv.extend(moves),
                    _ => self.current_line += 1,
                }
                self.last = self.search.take();
            }
            if budget.is_spent() {
                return Status::Running;
            }
        }
        Status::Done
    }

    fn view(&self) -> Vec<Vec<Move>> {
        self.lines.iter().map(|line| line.pv.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Side, Variant};

    fn at(game: &str, moves: usize) -> Record {
        let variant: Variant = game.parse().unwrap();
        let mut record = Record::from_position(variant, variant.start(), ["", ""].map(str::to_owned), None);
        for ply in 0..moves {
            let legal = record.position().moves();
            record.play(legal[ply * 7 % legal.len()]);
        }
        record
    }

    fn done<J: Job>(mut job: J) -> J::View {
        while job.step(Budget::UNLIMITED) == Status::Running {}
        job.view()
    }

    fn lengthened(record: &Record, question: Question) -> (Report, Vec<Vec<Move>>) {
        let report = done(AnalysisJob::new(*record.position(), &record.before(), question)).report;
        let longer = done(LineExtension::new(record.clone(), &report, &Pool::alone()));
        (report, longer)
    }

    #[test]
    fn estimated_lines_become_long_and_stay_legal() {
        for game in ["kalah:6x4", "othello", "checkers", "oware", "vai-lung-thlan"] {
            let record = at(game, 4);
            let (report, longer) = lengthened(&record, Question::AlphaBeta { depth: 6, mb: 1, solve: false });
            assert_eq!(longer.len(), report.lines.len());
            for (line, moves) in report.lines.iter().zip(longer) {
                assert!(moves.starts_with(&line.pv), "{game}");
                let mut played = record.clone();
                assert!(moves.iter().all(|&mv| played.play(mv)), "{game}");
                assert!(moves.len() >= WANTED || played.ending().is_some(), "{game}: {} moves", moves.len());
            }
        }
    }

    #[test]
    fn a_solved_line_keeps_its_value_to_the_end() {
        for (game, moves, question) in [
            ("kalah:4x3", 0, Question::Perfect),
            ("othello", 50, Question::Perfect),
            ("kalah:6x3", 3, Question::Perfect),
        ] {
            let record = at(game, moves);
            let mover = record.position().side();
            let (report, longer) = lengthened(&record, question);
            for (line, moves) in report.lines.iter().zip(longer) {
                assert!(line.solved);
                let mut played = record.clone();
                assert!(moves.iter().all(|&mv| played.play(mv)));
                let Some(ending) = played.ending() else {
                    assert!(moves.len() >= WANTED, "{game}: {moves:?}");
                    continue;
                };
                let margin = ending.margin(Side::South) * if mover == Side::South { 1 } else { -1 };
                assert_eq!(margin, line.margin, "{game}: {moves:?}");
            }
        }
    }

    #[test]
    fn the_same_lines_however_the_work_is_cut() {
        let record = at("oware", 6);
        let question = Question::AlphaBeta { depth: 5, mb: 1, solve: false };
        let (report, whole) = lengthened(&record, question);
        let mut job = LineExtension::new(record, &report, &Pool::alone());
        while job.step(Budget::time(std::time::Duration::ZERO)) == Status::Running {}
        assert_eq!(job.view(), whole);
    }
}
