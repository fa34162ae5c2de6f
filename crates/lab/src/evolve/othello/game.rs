//! A game of a program against an opponent, played in pieces.

use rand::Rng as _;

use super::settings::{Seat, Settings};
use super::stages::{BredStages, Span};
use crate::budget::Budget;
use crate::game::othello::Othello;
use crate::game::{BoardGame, Game, Move, Outcome, Side};
use crate::player::staged::Practice;
use crate::player::{Player, RandomPlayer, StagedPlayer, Turn};
use crate::rng;

/// Purposes of the random draws in an evaluation, distinct from those of breeding. The numbers are part of every recorded run.
#[derive(Clone, Copy)]
#[repr(u64)]
enum Purpose {
    Opening = 2,
    Game = 3,
}

/// The rules of the games.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    pub seed: u64,
    /// The number of the generation, or 0 if all generations play the same games.
    pub generation: u64,
    /// Whether games against the random player may be played by [`practise`](OthelloGame::practise).
    pub practises: bool,
    seat: Seat,
    opening: u32,
    /// The part of the game that counts, and its stage, counted from 0; `None` for the whole game.
    span: Span,
    pub stage: Option<usize>,
}

impl Terms {
    pub fn new(settings: &Settings, generation: u64) -> Terms {
        let stage = match settings.training {
            BredStages::Together => None,
            BredStages::Stage(number) => Some((number as usize).saturating_sub(1)),
        };
        let span = stage.map_or(Span::GAME, |stage| settings.shares.span(stage));
        Terms {
            seed: settings.tableau.seed,
            practises: stage.is_none() || settings.opening == 0,
            generation: if settings.anew { generation } else { 0 },
            seat: settings.seat,
            opening: settings.opening,
            span,
            stage,
        }
    }
}

/// An opponent of the programs.
pub(super) enum Rival {
    /// The random player, called directly.
    Random,
    Other(Box<dyn Player<Othello>>),
}

impl Rival {
    #[inline]
    fn think(&mut self, turn: &Turn<Othello>, budget: Budget) -> Option<Move> {
        match self {
            Rival::Random => RandomPlayer.think(turn, budget),
            Rival::Other(player) => player.think(turn, budget),
        }
    }

    pub fn rest(&mut self) {
        if let Rival::Other(player) = self {
            player.rest();
        }
    }
}

/// Totals over games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Tally {
    /// The opponent's discs that count.
    pub discs: i64,
    pub won: u32,
    /// Half points: 2 for a win, 1 for a draw.
    pub halves: u32,
    /// Disc difference at the end.
    pub margin: i64,
    /// A hash of all moves of the program.
    pub moves: u64,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { discs: 0, won: 0, halves: 0, margin: 0, moves: 0xcbf2_9ce4_8422_2325 }
    }
}

impl Tally {
    fn moved(&mut self, mv: Move) {
        self.moves = (self.moves ^ u64::from(mv.0 + 1)).wrapping_mul(0x100_0000_01b3);
    }

    /// Counts this number of games as lost with no discs.
    pub fn forfeit(&mut self, games: u32) {
        self.discs += 64 * i64::from(games);
        self.margin -= 64 * i64::from(games);
    }

    /// Counts a finished game.
    pub fn add(&mut self, End { margin, gained }: End) {
        let outcome = Outcome::from_margin(margin);
        self.discs += gained;
        self.won += u32::from(outcome == Outcome::Won);
        self.halves += outcome.halves();
        self.margin += i64::from(margin);
        self.moves = self.moves.rotate_left(23) ^ 0x9e37_79b9;
    }
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct End {
    /// The program's discs minus the opponent's.
    margin: i32,
    /// The opponent's gain in the part that counts.
    gained: i64,
}

/// A game in progress.
pub(super) struct OthelloGame {
    pos: Othello,
    ply: u32,
    seed: u64,
    /// The program's side.
    program: Side,
    span: Span,
    /// The opponent's discs at the start and the end of the part that counts, once known.
    edges: [Option<u32>; 2],
}

impl OthelloGame {
    /// Starts game `number` against opponent `opponent`. Games with the same number have the same opening against all
    /// opponents, and are identical for all programs until one of them moves.
    pub fn new(terms: &Terms, opponent: u64, number: u32) -> OthelloGame {
        let Terms { seed, generation, seat, opening, span, .. } = *terms;
        let (start, program) = match seat {
            Seat::White => (number, Side::North),
            Seat::Black => (number, Side::South),
            Seat::Both => (number / 2, if number.is_multiple_of(2) { Side::North } else { Side::South }),
        };
        let mut random = rng::keyed(&[seed, generation, start.into(), Purpose::Opening as u64]);
        let seed = rng::derived(&[seed, generation, number.into(), opponent, Purpose::Game as u64]);
        let mut playing = OthelloGame { pos: start_of_game(), ply: 0, seed, program, span, edges: [None; 2] };
        playing.mark();
        for _ in 0..opening {
            if !playing.pos.is_over() {
                playing.play(playing.pos.pick(random.next_u32()));
            }
        }
        playing
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        (self.pos, self.ply) = (self.pos.play(mv), self.ply + 1);
        self.mark();
    }

    /// Records the opponent's discs at the start and the end of the part that counts.
    #[inline]
    fn mark(&mut self) {
        if self.span == Span::GAME {
            return;
        }
        let put = self.pos.put();
        for (edge, at) in self.edges.iter_mut().zip([self.span.from, self.span.to]) {
            if edge.is_none() && put >= at {
                // The opponent's initial discs count as a gain in the first part.
                *edge = Some(if at == 0 { 0 } else { discs(&self.pos, self.program.other()) });
            }
        }
    }

    /// Returns the result of a finished game.
    pub fn end(&self) -> End {
        let last = discs(&self.pos, self.program.other());
        let [from, to] = self.edges.map(|edge| i64::from(edge.unwrap_or(last)));
        let gained = if self.span == Span::GAME { last.into() } else { to - from };
        // The source counts discs on the board only.
        let margin = discs(&self.pos, self.program) as i32 - last as i32;
        End { margin, gained }
    }

    /// Plays a game from the first move to the end against the random player in one go, with the same result. `stage` is the
    /// stage of `practice` that counts; its stages must not end before the game begins.
    pub fn practise(&self, practice: &mut Practice, stage: Option<usize>, tally: &mut Tally) {
        let discs = practice.play_on(&self.pos, self.ply, self.program, self.seed, &mut |mv| tally.moved(mv));
        let opponent = |stage: usize| i64::from(discs[stage][1]);
        let last = discs.len() - 1;
        let gained = match stage {
            None => opponent(last),
            Some(stage) => opponent(stage) - if stage == 0 { 0 } else { opponent(stage - 1) },
        };
        let margin = discs[last][0] as i32 - discs[last][1] as i32;
        tally.add(End { margin, gained });
    }

    /// Plays to the end of the game; returns false if the budget is spent first. Both players make `pace` moves between two
    /// checks of the clock.
    pub fn advance(
        &mut self,
        program: &mut StagedPlayer,
        rival: &mut Rival,
        tally: &mut Tally,
        pace: u32,
        budget: Budget,
    ) -> bool {
        let mut left = pace;
        while !self.pos.is_over() {
            let turn = Turn::new(self.pos, self.ply, self.seed);
            let is_program = self.pos.side() == self.program;
            if left == 0 && budget.is_spent() {
                return false;
            }
            left = if left == 0 { pace } else { left } - 1;
            let chosen = if is_program { program.think(&turn, Budget::UNLIMITED) } else { rival.think(&turn, budget) };
            let Some(mv) = chosen else { return false };
            if is_program {
                tally.moved(mv);
            }
            self.play(mv);
        }
        true
    }
}

fn start_of_game() -> Othello {
    Othello::start(crate::game::othello::Rules::default())
}

fn discs(pos: &Othello, side: Side) -> u32 {
    pos.discs()[side.index()].count_ones()
}
