//! The value of the position on screen by an endgame table of checkers, in the title of Samuel's terms.
//!
//! A background task reads the table, as no file is read while drawing.

use super::message::PanelMessage;
use super::terms::Terms;
use crate::app::effect::Context;
use crate::game::checkers::Checkers;
use crate::tables::endgame::checkers::{PIECES, Tables, Value};
use crate::tabs::board::session::{Session, Spot};

/// A position, and its value once it is known.
pub struct TableValue {
    spot: Spot,
    value: Option<Value>,
}

impl Terms {
    /// Reads the value of the position on screen, if it has few pieces and the panel is on.
    pub fn settle_table_value(&mut self, session: &Session, cx: &mut Context) {
        let spot = session.spot();
        if !self.on || session.edit.is_some() || self.table_value.as_ref().is_some_and(|known| known.spot == spot) {
            return;
        }
        self.table_value = None;
        let Ok(pos) = Checkers::try_from(*session.position()) else { return };
        let pieces = 32 - pos.empty().count_ones();
        if pieces <= u32::from(*PIECES.end()) {
            self.table_value = Some(TableValue { spot, value: None });
            cx.background(move || PanelMessage::TableValue {
                spot,
                value: Tables::open().and_then(|tables| tables.probe(&pos)),
            });
        }
    }

    pub fn take_table_value(&mut self, spot: Spot, value: Option<Value>) {
        if let Some(known) = self.table_value.as_mut().filter(|known| known.spot == spot) {
            known.value = value;
        }
    }

    /// The value for the side to move, such as `table: wins in 23`; empty if it is not known.
    pub fn table_text(&self, session: &Session) -> String {
        let known = self.table_value.as_ref().filter(|known| known.spot == session.spot());
        known.and_then(|known| known.value).map_or(String::new(), |value| format!("  table: {}", text(value)))
    }
}

fn text(value: Value) -> String {
    match value {
        Value::Wins(plies) => format!("wins in {plies}"),
        Value::Draws => "draws".to_owned(),
        Value::Loses(plies) => format!("loses in {plies}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::stage::Stage;

    #[test]
    fn a_value_is_that_of_the_side_to_move() {
        assert_eq!([Value::Wins(23), Value::Draws, Value::Loses(0)].map(text), ["wins in 23", "draws", "loses in 0"]);
    }

    #[test]
    fn positions_without_a_table_have_no_value() {
        let mut stage = Stage::of_game("checkers", "human", "human");
        stage.paste("B:WK32:BK1,K5");
        stage.text("w");
        let terms = stage.panel("Samuel's terms for Black").unwrap();
        assert!(terms.title.contains(" sum ") && !terms.title.contains("table:"), "{}", terms.title);
    }
}
