//! Kalah positions as text: see [`sowing::text`](crate::sowing::text).

use super::{Kalah, MAX_PITS, MAX_TOTAL, Rules};
use crate::sowing::text;
use crate::{Bare, Game, Move, Notation, TextError};

impl Notation for Kalah {
    fn move_text(&self, mv: Move) -> String {
        text::pit_name(self.side(), mv.0 as u8)
    }

    fn to_text(&self) -> String {
        text::print(&self.pit_board(), self.side())
    }

    fn from_text(rules: Rules, text: &str) -> Result<Kalah, TextError> {
        text::parse(rules, &rules, (rules.pits(), MAX_TOTAL.into()), text)
    }

    fn recognise(text: &str) -> Option<Bare> {
        text::recognise(text, MAX_PITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BoardGame as _;

    fn six_by_four(text: &str) -> Result<Kalah, TextError> {
        Kalah::from_text(Rules::default(), text)
    }

    #[test]
    fn the_start_is_printed_and_read() {
        let start = Kalah::start(Rules::default());
        assert_eq!(start.to_text(), "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4> S");
        for text in ["<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>", " < 6,0,0,4,4,4,4,4,4,\n4,4,4,4,4,4 > s\n"] {
            assert_eq!(six_by_four(text), Ok(start));
        }
        assert_eq!(six_by_four(&start.play(Move(0)).to_text()), Ok(start.play(Move(0))));
    }

    #[test]
    fn a_side_without_seeds_ends_the_game() {
        let pos = six_by_four("<6,20,20,0,0,0,0,0,0,1,2,0,0,0,5> S").unwrap();
        assert!(pos.is_over());
        assert_eq!(pos.to_text(), "<6,20,28,0,0,0,0,0,0,0,0,0,0,0,0> S");
    }

    #[test]
    fn errors_say_where_and_what_was_expected() {
        let error = |text: &str| six_by_four(text).unwrap_err().to_string();
        assert_eq!(error(""), "line 1, column 1: the text ends here; expected '<' at the start of a position");
        assert_eq!(error("6,0"), "line 1, column 1: found '6'; expected '<' at the start of a position");
        assert_eq!(error("<5,0"), "line 1, column 2: found '5'; expected 6, the pits a side of 6x4:standard");
        assert_eq!(error("<6,0,\n x"), "line 2, column 2: found 'x'; expected a number of seeds");
        assert_eq!(error("<6,0,0,4>"), "line 1, column 9: found '>'; expected a comma and 11 more of 14 counts");
        assert_eq!(
            error("<6,190,3"),
            "line 1, column 8: found '3'; expected at most 2 seeds, for a total of at most 192"
        );
        assert_eq!(
            error("<6,99999999999"),
            "line 1, column 4: found '99999999999'; expected at most 192 seeds, for a total of at most 192"
        );
        let full = "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4";
        assert_eq!(error(full), "line 1, column 31: the text ends here; expected '>' after 14 counts");
        assert_eq!(error(&format!("{full},4>")), "line 1, column 31: found ','; expected '>' after 14 counts");
        assert_eq!(
            error(&format!("{full}> W")),
            "line 1, column 33: found 'W'; expected S or N, the side to move, or nothing more"
        );
        assert_eq!(error(&format!("{full}> N !")), "line 1, column 35: found '!'; expected nothing more");
    }
}
