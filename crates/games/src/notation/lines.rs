//! Files of Othello with a position or a game on each line: problems with the values of moves, and transcripts.
//!
//! ```text
//! % FFO 40
//! O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38; C7:+36;
//! ```
//!
//! Text from `%` or `#` to the end of a line is a comment. Values become the comment on the position. Such files are only
//! read.

use std::sync::Arc;

use super::bare::{read_any, transcript};
use super::collection::{Broken, Format, GameHeaders, GameText, Texts, decode};
use super::headers::DefaultGame;
use crate::othello::{Othello, Rules, without_comments};
use crate::record::Record;
use crate::{Bare, BoardGame as _, Notation as _, Variant};

/// Positions with the values of moves (OBF), and those of Zebra's scripts.
pub static POSITIONS: Format = Format {
    name: "OBF",
    extensions: &["obf", "scr"],
    beside: &[],
    writes: |_| false,
    loses: |_| None,
    recognises: |bytes, _| {
        let text = decode(bytes);
        let lines: Vec<&str> = contents(&text).map(|(_, line)| line).collect();
        let has_values = lines.iter().any(|line| line.contains(';'));
        (has_values || lines.len() > 1) && lines.iter().all(|line| Othello::read(line).is_ok())
    },
    open: |files| {
        let text = decode(&files.concat());
        let starts = contents(&text).map(|(at, _)| at).collect();
        Ok(Arc::new(Texts::new(text, starts, |_| GameHeaders::default(), read_position)))
    },
    add: |_, _| Ok(()),
};

/// Several transcripts.
pub static TRANSCRIPTS: Format = Format {
    name: "transcripts",
    extensions: &[],
    beside: &[],
    writes: |_| false,
    loses: |_| None,
    recognises: |bytes, _| are_transcripts(&decode(bytes)),
    open: |files| {
        let text = decode(&files.concat());
        let starts = contents(&text).map(|(at, _)| at).collect();
        Ok(Arc::new(Texts::new(text, starts, |_| GameHeaders::default(), read_transcript)))
    },
    add: |_, _| Ok(()),
};

/// The lines that are not blank, without comments, each with its first byte.
fn contents(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    let line = |at: usize| (at, text[at..].lines().next().unwrap_or_default());
    starts.map(line).filter(|(_, line)| !without_comments(line).trim().is_empty())
}

/// Whether each line is a game of its own: all are legal so, or the text is no single game where a line begins.
fn are_transcripts(text: &str) -> bool {
    let lines: Vec<&str> = contents(text).map(|(_, line)| line).collect();
    if lines.len() < 2 || !lines.iter().all(|line| Othello::recognise(line) == Some(Bare::Transcript)) {
        return false;
    }
    let start = Othello::start(Rules::default());
    let Some(error) = start.read_transcript(text).error else { return false };
    let all = || lines.iter().map(|line| start.read_transcript(line));
    let ends_at_a_line =
        error.column == 1 + text.lines().nth(error.line - 1).map_or(0, |line| line.len() - line.trim_start().len());
    all().all(|line| line.error.is_none()) || (ends_at_a_line && all().all(|line| !line.moves.is_empty()))
}

fn read_position(place: GameText, game: usize, assumed: DefaultGame) -> Result<Record, Broken> {
    // A line has no moves after its position.
    let line = place.text.lines().next().unwrap_or_default();
    let checked = Othello::read(line).map_err(|error| error.within(place.begins.0, place.begins.1));
    checked.map_err(|error| Broken::before_moves(game, error))?;
    read_any(line, othello(assumed)).map_err(|stopped| Broken::before_moves(game, stopped.error))
}

fn read_transcript(place: GameText, game: usize, assumed: DefaultGame) -> Result<Record, Broken> {
    transcript(place.text.lines().next().unwrap_or_default(), othello(assumed)).map_err(|stopped| {
        let error = stopped.error.within(place.begins.0, place.begins.1);
        match stopped.begun {
            Some(record) => Broken::in_move(game, *record, error),
            None => Broken::before_moves(game, error),
        }
    })
}

/// The assumed variant, if it is of Othello.
fn othello(assumed: DefaultGame) -> Variant {
    match assumed.variant {
        variant @ Variant::Othello(_) => variant,
        _ => Variant::Othello(Rules::default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::AGREED;

    const PROBLEMS: &str = "% FFO 40\n\
        O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38; C7:+36; % FFO\n\n\
        -OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X\n";

    fn kalah() -> Variant {
        "kalah".parse().unwrap()
    }

    #[test]
    fn problems_are_positions_with_values() {
        assert_eq!(Format::of_content(PROBLEMS.as_bytes(), kalah()).map(|format| format.name), Some("OBF"));
        let games = POSITIONS.open(vec![PROBLEMS.into()]).unwrap();
        let records: Vec<Record> = (0..games.len()).map(|index| games.read(index, kalah()).unwrap()).collect();
        let comments: Vec<&str> = records.iter().map(|record| record.comment(0)).collect();
        assert_eq!(comments, ["A2 +38, C7 +36", ""]);
        let broken = PROBLEMS.replace("O--OOOOX", "O-ÖOOOOX");
        let error = POSITIONS.open(vec![broken.into()]).unwrap().read(0, kalah()).unwrap_err().to_string();
        assert!(error.starts_with("game 1, line 2, column 3: found 'Ö'"), "{error}");
    }

    #[test]
    fn each_line_may_be_a_game() {
        let formats = |text: &str| Format::of_content(text.as_bytes(), kalah()).map(|format| format.name);
        let two = "f5d6c3d3 34-30\n% another\nf5f6e6f4\n";
        assert_eq!(formats(two), Some("transcripts"));
        let games = TRANSCRIPTS.open(vec![two.into()]).unwrap();
        let records: Vec<Record> = (0..games.len()).map(|index| games.read(index, kalah()).unwrap()).collect();
        let about = |record: &Record| (record.ply(), record.header(AGREED).map(str::to_owned));
        assert_eq!(records.iter().map(about).collect::<Vec<_>>(), [(4, Some("34-30".to_owned())), (4, None)]);
        let broken = "f5d6c3\nf5f6e6f4\nf5d6a1";
        assert_eq!(formats(broken), Some("transcripts"));
        let games = TRANSCRIPTS.open(vec![broken.into()]).unwrap();
        let error = games.read(2, kalah()).unwrap_err();
        assert!(error.to_string().starts_with("game 3, Black's move 2, line 3, column 5: found 'a1'"), "{error}");
        assert_eq!(error.begun.unwrap().ply(), 2);
        // One game on several lines.
        for one in ["f5d6\nc3d3\n", "f5d6c3\nd3c4a1", "1. f5 d6\n2. c3 d3\n", "f5d6c3"] {
            assert_eq!(formats(one), None, "{one}");
        }
    }
}
