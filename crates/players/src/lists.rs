//! Comma-separated lists of players; the texts of some players contain commas.

use super::Spec;
use super::{external, staged};
use mancalab_base::Error;

impl Spec {
    /// Parses a comma-separated list such as `random,heuristic:4@0.1,0.2,0.3,1,0,0,0,0,0,0,minimax:4`. Numbers after an `@` that a
    /// number follows are that player's weights; functions with their shares belong to the staged player before them. A file name
    /// with a comma cannot be listed.
    ///
    /// # Errors
    /// A text does not name a player.
    pub fn list(text: &str) -> Result<Vec<Spec>, Error> {
        Spec::parts(text).iter().map(|text| text.parse()).collect()
    }

    /// Splits a list into its texts, valid or not.
    pub fn parts(text: &str) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        let mut awaited = Expected::Player;
        for piece in text.split(',') {
            match texts.last_mut().filter(|_| awaited.goes_on_with(piece)) {
                Some(player) => player.extend([",", piece]),
                None => {
                    texts.push(piece.to_owned());
                    awaited = Expected::Player;
                }
            }
            awaited = awaited.behind(piece);
        }
        texts
    }
}

/// The kind of piece that would belong to the player before it in a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expected {
    /// No piece: another player follows.
    Player,
    /// A number.
    Weight,
    /// A function's share of the game.
    Share,
    /// Another function.
    Function,
    /// Anything up to the closing quotation mark.
    Quoted,
    /// The same in the command of an engine, where a backslash escapes a quotation mark.
    Command,
}

impl Expected {
    fn goes_on_with(self, piece: &str) -> bool {
        match self {
            Expected::Player => false,
            Expected::Weight | Expected::Share => is_number(piece),
            Expected::Function => staged::is_function(piece),
            Expected::Quoted | Expected::Command => true,
        }
    }

    /// Returns the state after a piece, which may belong to the player before it.
    fn behind(self, piece: &str) -> Expected {
        let is_plain = |number: &str| number.trim().parse::<f64>().is_ok();
        match self {
            Expected::Player if external::is_open(piece) => Expected::Command,
            Expected::Player => match staged::begun(piece) {
                Some(rest) if rest.matches('"').count() == 1 => Expected::Quoted,
                Some(rest) if staged::is_function(rest) => Expected::Share,
                _ if piece.rsplit_once('@').is_some_and(|(_, first)| is_plain(first)) => Expected::Weight,
                _ => Expected::Player,
            },
            // Settings end a player's text.
            Expected::Weight if is_plain(piece) => Expected::Weight,
            Expected::Share if is_plain(piece) => Expected::Function,
            Expected::Function => Expected::Share,
            Expected::Quoted if !piece.contains('"') => Expected::Quoted,
            Expected::Command if !external::closes(piece) => Expected::Command,
            _ => Expected::Player,
        }
    }
}

/// Returns whether a number begins here; the last number may be followed by the player's settings.
fn is_number(piece: &str) -> bool {
    piece.split(':').next().is_some_and(|number| number.trim().parse::<f64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_leave_a_players_numbers_with_it() {
        let list = |text: &str| Spec::list(text).map(|specs| specs.iter().map(Spec::to_string).collect::<Vec<_>>());
        let weights = "heuristic:4@0.1,0.2,0.3,1,0,0.5,0,0,0,0.9";
        assert_eq!(list("random, max,mcts:10").unwrap(), ["random", "max", "mcts:10"]);
        assert_eq!(list(weights).unwrap(), [weights]);
        let three = format!("max,{weights}:ties=random,{weights},minimax:4");
        assert_eq!(list(&three).unwrap(), ["max", &format!("{weights}:ties=random"), weights, "minimax:4"]);
        assert_eq!(list("heuristic:4@table3-1,max").unwrap(), ["heuristic:4@table3-1", "max"]);
        // A stray number is an error, and so are a missing number and an empty text.
        assert!(list("max,3").unwrap_err().to_string().starts_with("no player is named '3'"));
        assert!(list("heuristic:4@table3-1,3").unwrap_err().to_string().starts_with("no player is named '3'"));
        assert!(list("heuristic:4@0.1,0.2,max").is_err());
        assert!(list("").is_err() && list("max,").is_err());
    }

    #[test]
    fn lists_leave_functions_and_their_shares_with_their_player() {
        let list = |text: &str| Spec::list(text).map(|specs| specs.iter().map(Spec::to_string).collect::<Vec<_>>());
        let two = "staged:( white ),75,( - white_corners black ),25";
        assert_eq!(list(two).unwrap(), [two]);
        let deep = format!("{two}:depth=2:overlap=10");
        let weights = "heuristic:4@0.1,0.2,0.3,1,0,0.5,0,0,0,0.9";
        let text =
            format!("random,{two}, {deep},{weights},staged:( black ),max, Staged:\"( white ),100\":depth=3,{two}");
        let known = ["random", two, &deep, weights, "staged:( black )", "max", "staged:( white ):depth=3", two];
        assert_eq!(list(&text).unwrap(), known);
        // Text in quotation marks belongs to the player, valid or not.
        assert_eq!(Spec::parts("staged:\"( white ),x,75\",max"), ["staged:\"( white ),x,75\"", "max"]);
        // A stray number is an error, and so is a function without its share.
        assert!(list("max,( white ),75").unwrap_err().to_string().starts_with("no player is named '( white )'"));
        assert!(list(&format!("{two},3")).unwrap_err().to_string().starts_with("no player is named '3'"));
        assert!(list("staged:( white ),75,( black ),max").is_err());
    }
}
