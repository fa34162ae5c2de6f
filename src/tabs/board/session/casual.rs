//! Rated and casual games: what makes a person's game against a computer player casual.
//!
//! A game from the usual start is rated until the person uses help. The reasons are a header of the record, so that they are saved with
//! it; the rating counts rated games only.

use super::Session;
use crate::app::tab::{Context, Tone};
use crate::game::notation::{self, CASUAL};
use crate::game::{Move, Side};
use crate::sanitize;

/// What makes a game casual.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    Hint,
    Analysis,
    Review,
    Coach,
    Threat,
    Values,
    Openings,
    TakeBack,
    MadeMove,
    Hurried,
    Players,
    Loaded,
    Position,
}

impl Reason {
    /// The word in the header, and what has happened.
    fn texts(self) -> (&'static str, &'static str) {
        match self {
            Reason::Hint => ("hints", "you used a hint"),
            Reason::Analysis => ("analysis", "the analysis is on"),
            Reason::Review => ("review", "you reviewed it"),
            Reason::Coach => ("coach", "the coach is on"),
            Reason::Threat => ("threat", "you showed a threat"),
            Reason::Values => ("values", "values are shown"),
            Reason::Openings => ("openings", "openings are shown"),
            Reason::TakeBack => ("take-back", "you took a move back"),
            Reason::MadeMove => ("move by the computer", "the computer moved"),
            Reason::Hurried => ("hurried move", "you cut a search short"),
            Reason::Players => ("other players", "players changed"),
            Reason::Loaded => ("loaded game", "you loaded it"),
            Reason::Position => ("set-up position", "it began in a set-up position"),
        }
    }
}

/// The section of the help on rated and casual games.
pub const ABOUT: [&str; 5] = [
    "A game from the usual start against a computer player is rated",
    "until you use help: a hint, the analysis, a review, the coach, a threat,",
    "values, openings, a move taken back, a move by m, or O.",
    "Loaded games and games from other positions are casual.",
    "% shows your results. The rating counts rated games only.",
];

impl Session {
    /// Returns whether the result of the game on the board counts: it began here, or a move has continued it.
    pub fn is_counted(&self) -> bool {
        [self.begun, self.continued].contains(&Some(self.game)) && self.only_person().is_some()
    }

    /// Returns the reasons for which the game is casual, in their order; `None` for a rated one.
    pub fn casual_text(&self) -> Option<String> {
        self.record.header(CASUAL).map(|reasons| sanitize::inline(reasons).to_string())
    }

    /// `rated`, `casual (hints, take-back)`; `None` for a game that does not count.
    pub fn rating_text(&self) -> Option<String> {
        self.is_counted()
            .then(|| self.casual_text().map_or("rated".to_owned(), |reasons| format!("casual ({reasons})")))
    }

    fn add_reason(&mut self, reason: Reason, cx: &mut Context) {
        let (word, event) = reason.texts();
        let known = self.record.header(CASUAL).map(str::to_owned);
        let reasons = match &known {
            None => word.to_owned(),
            Some(reasons) if reasons.split(", ").any(|known| known == word) => return,
            Some(reasons) => format!("{reasons}, {word}"),
        };
        self.record.set_header(CASUAL, Some(reasons));
        // A game from a set-up position was never rated.
        if known.is_none() && reason != Reason::Position {
            cx.notice(Tone::Info, format!("Casual game now: {event}"));
        }
    }

    /// The side of the only person.
    pub fn only_person(&self) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.is_human(side) && !self.is_human(side.other()))
    }

    /// Makes a game that counts casual, unless it is over. The first time a notice says so.
    pub fn use_help(&mut self, reason: Reason, cx: &mut Context) {
        if !self.is_counted() || notation::given_result(&self.record) != "*" {
            return;
        }
        if !self.record.is_empty() {
            return self.add_reason(reason, cx);
        }
        // A record without moves is not saved: the header would change that. Panels and players may change until the first move.
        if matches!(reason, Reason::Hint | Reason::Threat | Reason::MadeMove | Reason::Hurried) {
            let game = self.game;
            self.early_help.retain(|(begun, known)| *begun == game && *known != reason);
            self.early_help.push((game, reason));
        }
    }

    /// Returns the reasons that a move from the position shown adds, before it is made; `shown`: those that a person sees.
    pub fn reasons_of(&self, mv: Move, shown: impl IntoIterator<Item = Reason>) -> Vec<Reason> {
        let record = &self.record;
        let is_new_line = !record.tried(record.at()).any(|(_, tried)| tried == mv);
        let is_continued = self.is_counted() || notation::given_result(record) == "*";
        if self.only_person().is_none() || !is_continued {
            return Vec::new();
        }
        let is_human = self.is_human(record.position().side());
        let is_usual = *record.start() == record.variant.start();
        let own = [
            (!self.is_counted() && !is_usual, Reason::Position),
            (!self.is_counted() && is_usual, Reason::Loaded),
            (is_new_line && !record.is_at_end(), Reason::TakeBack),
        ];
        let own = own.into_iter().filter_map(|(is, reason)| is.then_some(reason));
        own.chain(shown.into_iter().filter(|_| is_human)).collect()
    }

    /// Adds the reasons of the move that was made, and those from before the first one.
    pub fn take_reasons(&mut self, reasons: Vec<Reason>, cx: &mut Context) {
        let game = self.game;
        if reasons.iter().any(|reason| matches!(reason, Reason::Loaded | Reason::Position)) {
            self.continued = Some(game);
        }
        let early = std::mem::take(&mut self.early_help);
        let early = early.into_iter().filter(|(begun, _)| *begun == game).map(|(_, reason)| reason);
        for reason in early.chain(reasons) {
            if self.is_counted() {
                self.add_reason(reason, cx);
            }
        }
    }
}
