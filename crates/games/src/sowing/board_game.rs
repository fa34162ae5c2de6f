//! [`BoardGame`], [`Notation`] and [`Planes`] for positions of these games.

use mancalab_base::Error;

use super::laps::places;
use super::{MAX_TOTAL, Rules, SowingPosition, SowingRules, planes, text, words};
use crate::{
    Bare, Board, BoardGame, Choice, Ending, Game, Move, Notation, PitBoard, Place, Planes, Side, Step, TextError, Trace,
};

impl<R: SowingRules> BoardGame for SowingPosition<R> {
    type Rules = Rules<R>;

    const NAME: &'static str = R::NAME;
    const TITLE: &'static str = R::TITLE;
    const ABOUT: &'static str = R::ABOUT;
    const EXPLAINED: &'static [&'static str] = R::EXPLAINED;
    const RULES_HELP: &'static str = R::HELP;

    fn choices(rules: Rules<R>) -> Vec<Choice> {
        rules.choices()
    }

    fn choose(rules: Rules<R>, index: usize, chosen: usize) -> Rules<R> {
        rules.choose(index, chosen)
    }

    fn start(rules: Rules<R>) -> SowingPosition<R> {
        let pits = (0..R::PITS).fold(0, |pits, pit| pits | u64::from(R::SEEDS) << (8 * pit));
        SowingPosition::settled([pits; 2], [0; 2], 0, rules)
    }

    fn rules(&self) -> Rules<R> {
        self.rules()
    }

    fn board(&self) -> Board {
        Board::Pits(self.pit_board())
    }

    fn from_board(rules: Rules<R>, board: &Board, side: Side) -> Result<SowingPosition<R>, Error> {
        let board = text::checked(R::TITLE, R::PITS, MAX_TOTAL.into(), board)?;
        let pits = |seat: Side| {
            let mut row = board.pits[seat.index()].clone();
            if R::is_clockwise(rules) {
                row.reverse();
            }
            words::word(&row)
        };
        let seats = [side, side.other()];
        // The total is checked, so no count is truncated.
        let stores = seats.map(|seat| board.stores[seat.index()] as u8);
        Ok(SowingPosition::settled(seats.map(pits), stores, side as u8, rules))
    }

    fn places(&self, mv: Move) -> Vec<Place> {
        vec![self.place(mv.0 as u8)]
    }

    /// Each seed is dropped where the last left off; what the pits then lack after [`play`](Game::play) is captured.
    fn trace(&self, mv: Move) -> Trace {
        let mover = self.side();
        let next = self.play(mv);
        let (steps, before) = self.laps(mv);
        let mut trace = Trace { mover, steps, extra_turn: false, over: next.is_over() };
        let (sown, _) = Self::sown(self.rules, self.pits, mv.0 as u8);
        let after = SowingPosition { pits: sown.pits, ..*self }.pit_board();
        let filled = |board: &PitBoard, kept: &dyn Fn(Place) -> bool| -> Vec<(Place, u16)> {
            let pits = board.places().filter(|&place| matches!(place, Place::Pit(..)) && kept(place));
            pits.map(|pit| (pit, board.get(pit))).filter(|&(_, seeds)| seeds > 0).collect()
        };
        let taken = filled(&before, &|pit| after.get(pit) == 0);
        if !taken.is_empty() {
            trace.steps.push(Step::Take(taken));
        }
        let left = filled(&after, &|_| trace.over);
        if !left.is_empty() {
            trace.steps.push(Step::Gather(left));
        }
        trace.extra_turn = !trace.over && next.side() == mover;
        trace
    }
}

impl<R: SowingRules> SowingPosition<R> {
    /// The steps of sowing, and the board after them.
    fn laps(&self, mv: Move) -> (Vec<Step>, PitBoard) {
        let mut steps = Vec::new();
        let mut board = self.pit_board();
        let mut at = mv.0 as u8;
        loop {
            let origin = at;
            steps.push(Step::Lift(self.place(origin)));
            let seeds = board.get_mut(self.place(origin)).map(std::mem::take);
            for _ in 0..seeds.unwrap_or_default() {
                at = self.following(at, origin);
                steps.push(Step::Drop(self.place(at)));
                board.get_mut(self.place(at)).into_iter().for_each(|seeds| *seeds += 1);
            }
            if !R::RELAYS || matches!(self.place(at), Place::Store(_)) || board.get(self.place(at)) == 1 {
                return (steps, board);
            }
        }
    }

    fn pit_board(&self) -> PitBoard {
        let (pits, stores) = self.by_seat();
        let mut rows = pits.map(|pits| words::row(pits, R::PITS));
        if R::is_clockwise(self.rules) {
            rows.iter_mut().for_each(|row| row.reverse());
        }
        PitBoard { pits: rows, stores: stores.map(u16::from) }
    }

    /// The place with this number in sowing order.
    fn place(&self, number: u8) -> Place {
        match number.checked_sub(R::PITS) {
            None => Place::Pit(self.side(), self.mirrored(number)),
            Some(0) if R::HAS_STORE => Place::Store(self.side()),
            Some(past) => Place::Pit(self.side().other(), self.mirrored(past - u8::from(R::HAS_STORE))),
        }
    }

    /// The place of the next seed of a lap from `origin`.
    fn following(&self, place: u8, origin: u8) -> u8 {
        let next = |place| (place + 1) % places(R::PITS, R::HAS_STORE);
        if R::SKIPS_ORIGIN && next(place) == origin { next(origin) } else { next(place) }
    }
}

impl<R: SowingRules> Notation for SowingPosition<R> {
    fn move_text(&self, mv: Move) -> String {
        text::pit_name(self.side(), self.mirrored(mv.0 as u8))
    }

    fn to_text(&self) -> String {
        text::print(&self.pit_board(), self.side())
    }

    fn from_text(rules: Rules<R>, text: &str) -> Result<SowingPosition<R>, TextError> {
        text::parse(rules, &R::TITLE, (R::PITS, MAX_TOTAL.into()), text)
    }

    /// The seeds of each side; of an odd number to be halved, one goes to neither.
    fn result_text(&self, ending: &Ending) -> String {
        let stores: i32 = self.stores.into_iter().map(i32::from).sum();
        let all = stores + self.in_pits();
        format!("{}-{}", (all + ending.margin) / 2, (all - ending.margin) / 2)
    }

    fn recognise(text: &str) -> Option<Bare> {
        text::recognise(text, R::PITS)
    }
}

impl<R: SowingRules> Planes for SowingPosition<R> {
    const ENCODINGS: &'static [(&'static str, &'static str)] = &[planes::COUNTS];

    fn inputs(&self, _encoding: usize) -> usize {
        planes::inputs(R::PITS)
    }

    fn outputs(&self) -> usize {
        R::PITS.into()
    }

    fn encode(&self, _encoding: usize, input: &mut Vec<(u16, f32)>) {
        let [own, other] = self.pits.map(u64::to_le_bytes);
        let pits = |side: [u8; 8]| side.into_iter().take(R::PITS.into()).map(u16::from);
        planes::encode(pits(own).chain(pits(other)), self.stores.map(u16::from), R::PITS * R::SEEDS, input);
    }

    fn output(&self, mv: Move) -> u16 {
        mv.0
    }
}
