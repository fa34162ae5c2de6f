//! The bouts of programs against opponents: all games of one program against one opponent. The result of a bout depends on its
//! program, its opponent and its games alone, not on threads or budgets.

use std::sync::Arc;

use super::case::Case;
use super::game::{OthelloGame, Rival, Tally, Terms};
use super::trees::Layout;
use crate::budget::Budget;
use crate::evolve::gp::Genome;
use crate::player::staged::{PLIES, Practice};
use crate::player::{StagedPlayer, StagedSettings};
use crate::program::othello::OthelloLanguage;
use crate::work::Work;

/// Approximate number of program nodes evaluated between two checks of the clock: some tenths of a millisecond.
const NODES: usize = 1 << 14;

/// The games to play.
pub(super) struct Bouts {
    pub programs: Vec<Arc<Genome<OthelloLanguage>>>,
    pub cases: Vec<Case>,
    pub layout: Layout,
    pub terms: Terms,
}

/// A worker's players.
#[derive(Default)]
pub(super) struct Seats {
    /// The program of its last bout.
    program: Option<Contender>,
    /// The player of each case, once created.
    rivals: Vec<Option<Rival>>,
}

/// A program ready to play.
struct Contender {
    number: usize,
    staged: StagedSettings,
    /// Number of nodes.
    size: usize,
    /// The staged player, once created.
    player: Option<StagedPlayer>,
    practice: Option<Practice>,
}

impl Contender {
    /// Returns `None` for a program too large for a player.
    fn new(number: usize, work: &Bouts) -> Option<Contender> {
        let program = &work.programs[number];
        let size = program.size();
        Some(Contender { number, staged: work.layout.player(program)?, size, player: None, practice: None })
    }

    /// Returns whether a whole game is short enough to skip checks of the clock.
    fn is_quick(&self) -> bool {
        self.pace(0) >= PLIES
    }

    /// Returns the number of moves, with an opponent of this many nodes, between two checks of the clock.
    fn pace(&self, rival: usize) -> u32 {
        (NODES / (self.size + rival + 64)).max(1) as u32
    }

    fn player(&mut self) -> &mut StagedPlayer {
        self.player.get_or_insert_with(|| StagedPlayer::new(self.staged.clone()))
    }

    /// Returns the state for games against the random player. If only one stage counts, the single function plays in all of
    /// them.
    fn practice(&mut self, work: &Bouts) -> &mut Practice {
        self.practice.get_or_insert_with(|| match work.terms.stage {
            None => Practice::new(&self.staged),
            Some(_) => Practice::new(&work.layout.in_all_stages(&self.staged)),
        })
    }
}

/// The games of a program against an opponent.
pub(super) struct Bout {
    program: usize,
    case: usize,
    /// Number of finished games.
    played: u32,
    playing: Option<OthelloGame>,
    tally: Tally,
}

/// The result of a program against an opponent, by their numbers.
pub(super) struct PairingResult {
    pub program: usize,
    pub case: usize,
    pub tally: Tally,
}

impl Work for Bouts {
    type Memory = Seats;
    type Item = Bout;
    type Output = PairingResult;

    fn memory(&self) -> Seats {
        Seats::default()
    }

    fn begin(&self, number: usize) -> Option<Bout> {
        if number >= self.programs.len() * self.cases.len() {
            return None;
        }
        let program = number / self.cases.len();
        let case = number % self.cases.len();
        Some(Bout { program, case, played: 0, playing: None, tally: Tally::default() })
    }

    fn advance(&self, seats: &mut Seats, bout: &mut Bout, budget: Budget) -> Option<PairingResult> {
        let is_over = seats.play(bout, self, budget);
        is_over.then_some(PairingResult { program: bout.program, case: bout.case, tally: bout.tally })
    }
}

impl Seats {
    /// Plays the bout to the end; returns false if the budget is spent first.
    fn play(&mut self, bout: &mut Bout, work: &Bouts, budget: Budget) -> bool {
        let case = &work.cases[bout.case];
        self.rivals.resize_with(work.cases.len(), || None);
        let rival = &mut self.rivals[bout.case];
        if rival.is_none() {
            *rival = case.rival();
        }
        // A human has no player and cannot be an opponent.
        let Some(rival) = rival else { return true };
        if self.program.as_ref().is_none_or(|seated| seated.number != bout.program) {
            self.program = Contender::new(bout.program, work);
        }
        let Some(seated) = &mut self.program else {
            bout.tally.forfeit(case.games);
            return true;
        };
        let practises = work.terms.practises && seated.is_quick() && matches!(rival, Rival::Random);
        while bout.played < case.games {
            let begin = || OthelloGame::new(&work.terms, case.number, bout.played);
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
