//! Where programs play: on every processor, in pieces, however long an opponent thinks.
//!
//! Every processor has a worker with players of its own. A worker takes a bout, which is all games of one program against one opponent,
//! after the other, and leaves it in the middle, even in the middle of a move, when the budget of a step is spent. What a bout comes
//! to follows from its program, its opponent and its games alone, so that neither threads nor budgets show in it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::case::Case;
use super::game::{Playing, Rival, Tally, Terms};
use super::trees::Layout;
use crate::budget::Budget;
use crate::evolve::gp::Genome;
use crate::player::staged::{PLIES, Practice};
use crate::player::{Staged, StagedPlayer};
use crate::pool::Pool;
use crate::program::othello::OthelloLanguage;

/// Nodes of a program that are gone through between two looks at the clock, more or less: some tenths of a millisecond.
const NODES: usize = 1 << 14;

/// What is to be played.
pub(super) struct Work {
    pub programs: Vec<Arc<Genome<OthelloLanguage>>>,
    pub cases: Vec<Case>,
    pub layout: Layout,
    pub terms: Terms,
}

/// The workers, and which bout is next.
#[derive(Default)]
pub(super) struct GameScheduler {
    workers: Vec<WorkerState>,
    /// Bouts that a worker has begun with.
    dealt: AtomicUsize,
}

/// A thread's players, and what it is in the middle of.
#[derive(Default)]
struct WorkerState {
    /// The program it played with last.
    program: Option<Seated>,
    /// For each case its player, once it was wanted.
    rivals: Vec<Option<Rival>>,
    bout: Option<Bout>,
    /// Whether it begins with new bouts, and does not just finish its own.
    is_dealt_to: bool,
}

/// A program ready to play.
struct Seated {
    number: usize,
    staged: Staged,
    /// In nodes.
    size: usize,
    /// Generation when they are wanted.
    player: Option<StagedPlayer>,
    practice: Option<Practice>,
}

impl Seated {
    /// `None` of a program that is too large for a player.
    fn new(number: usize, work: &Work) -> Option<Seated> {
        let program = &work.programs[number];
        let size = program.size();
        Some(Seated { number, staged: work.layout.player(program)?, size, player: None, practice: None })
    }

    /// Whether a whole game takes so little time that nobody need look at the clock in it.
    fn is_quick(&self) -> bool {
        self.pace(0) >= PLIES
    }

    /// How many moves of it and of a player by functions of so many nodes come between two looks at the clock.
    fn pace(&self, rival: usize) -> u32 {
        (NODES / (self.size + rival + 64)).max(1) as u32
    }

    fn player(&mut self) -> &mut StagedPlayer {
        self.player.get_or_insert_with(|| StagedPlayer::new(self.staged.clone()))
    }

    /// For games against the random player. Where only one stage counts, the one function plays in all of them.
    fn practice(&mut self, work: &Work) -> &mut Practice {
        self.practice.get_or_insert_with(|| match work.terms.stage {
            None => Practice::new(&self.staged),
            Some(_) => Practice::new(&work.layout.in_all_stages(&self.staged)),
        })
    }
}

/// The games of a program against an opponent.
struct Bout {
    program: usize,
    case: usize,
    /// Games that are over.
    played: u32,
    playing: Option<Playing>,
    tally: Tally,
}

/// What a program came to against an opponent, by their numbers.
pub(super) struct Played {
    pub program: usize,
    pub case: usize,
    pub tally: Tally,
}

impl GameScheduler {
    /// Plays until the budget is spent or all bouts are over; gives those that have ended.
    pub fn play(&mut self, work: &Work, pool: &Pool, budget: Budget) -> Vec<Played> {
        // There may have been more threads before, whose bouts are still under way.
        let workers = pool.count().max(self.workers.len());
        self.workers.resize_with(workers, WorkerState::default);
        for (number, worker) in self.workers.iter_mut().enumerate() {
            worker.is_dealt_to = number < pool.count();
        }
        let dealt = &self.dealt;
        pool.map_each(&mut self.workers, |worker| worker.run(work, dealt, budget)).into_iter().flatten().collect()
    }
}

/// A bout that no worker has begun with.
fn deal(work: &Work, dealt: &AtomicUsize) -> Option<Bout> {
    let bouts = work.programs.len() * work.cases.len();
    let number = dealt.fetch_add(1, Ordering::Relaxed);
    if number >= bouts {
        // So that the count never runs away.
        dealt.store(bouts, Ordering::Relaxed);
        return None;
    }
    let (program, case) = (number / work.cases.len(), number % work.cases.len());
    Some(Bout { program, case, played: 0, playing: None, tally: Tally::default() })
}

impl WorkerState {
    fn run(&mut self, work: &Work, dealt: &AtomicUsize, budget: Budget) -> Vec<Played> {
        let mut ended = Vec::new();
        while let Some(mut bout) = self.bout.take().or_else(|| self.is_dealt_to.then(|| deal(work, dealt)).flatten()) {
            if !self.play(&mut bout, work, budget) {
                self.bout = Some(bout);
                break;
            }
            ended.push(Played { program: bout.program, case: bout.case, tally: bout.tally });
            if budget.is_spent() {
                break;
            }
        }
        ended
    }

    /// Plays the bout on; false if the budget is spent before it is over.
    fn play(&mut self, bout: &mut Bout, work: &Work, budget: Budget) -> bool {
        let case = &work.cases[bout.case];
        self.rivals.resize_with(work.cases.len(), || None);
        let rival = &mut self.rivals[bout.case];
        if rival.is_none() {
            *rival = case.rival();
        }
        // Humans, who have no player, are no opponents.
        let Some(rival) = rival else { return true };
        if self.program.as_ref().is_none_or(|seated| seated.number != bout.program) {
            self.program = Seated::new(bout.program, work);
        }
        let Some(seated) = &mut self.program else {
            bout.tally.forfeit(case.games);
            return true;
        };
        let practises = work.terms.practises && seated.is_quick() && matches!(rival, Rival::Random);
        while bout.played < case.games {
            let begin = || Playing::new(&work.terms, case.number, bout.played);
            if practises {
                begin().practise(seated.practice(work), work.terms.stage, &mut bout.tally);
            } else {
                let playing = bout.playing.get_or_insert_with(begin);
                let pace = seated.pace(case.nodes());
                if !playing.advance(seated.player(), rival, &mut bout.tally, pace, budget) {
                    return false;
                }
                bout.tally.add(playing.end());
                rival.rest();
            }
            (bout.playing, bout.played) = (None, bout.played + 1);
            if bout.played < case.games && budget.is_spent() {
                return false;
            }
        }
        true
    }
}
