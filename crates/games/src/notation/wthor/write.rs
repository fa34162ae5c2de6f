//! Adds games to a database.

use mancalab_base::{Error, bail};

use super::super::score;
use super::names::{PLAYER, TOURNAMENT, created, fitted, number};
use super::{FORMAT, GAME, HEADER, Header, SQUARES, THEORETICAL, USUAL_DEPTH};
use crate::othello::PASS;
use crate::record::Record;

/// The event of games without one.
const NO_EVENT: &str = "?";

/// Adds a game; its players and tournament too if they are new.
///
/// # Errors
/// The format has no such games, or the file has games of another year or is damaged.
pub(super) fn add(
    players: &mut Vec<u8>,
    tournaments: &mut Vec<u8>,
    games: &mut Vec<u8>,
    record: &Record,
) -> Result<(), Error> {
    let usual = FORMAT.extensions[0];
    if record.start() != &crate::othello::Rules::default().position().into() {
        bail!("games in .{usual} begin with the usual position; end the name in .ggf");
    }
    let Some(margin) = score::margin_of_game(record) else {
        bail!("games in .{usual} have a result, which this one lacks; end the name in .ggf");
    };
    let [black, white] = record.players.each_ref().map(|name| fitted(name, PLAYER));
    if black == white && record.players[0] != record.players[1] {
        bail!(
            "the names '{}' and '{}' are the same in their first {} letters",
            record.players[0],
            record.players[1],
            PLAYER - 1
        );
    }
    let year = record.header("Date").and_then(|date| date.get(..4)?.parse::<u16>().ok());
    let theoretical = record.header(THEORETICAL).and_then(theoretical);
    if games.is_empty() {
        let date = created();
        games.extend(date);
        games.resize(HEADER, 0);
        let year = year.unwrap_or(100 * u16::from(date[0]) + u16::from(date[1]));
        games[10..12].copy_from_slice(&year.to_le_bytes());
        games[12] = 8;
        games[14] = theoretical.map_or(USUAL_DEPTH, |(_, depth)| depth);
    }
    let header = Header::read(games)?;
    if games.len() != header.length() {
        bail!("it is damaged: it has {} bytes; expected {}, for {} games", games.len(), header.length(), header.games);
    }
    if let Some(other) = year.filter(|&year| year != header.year) {
        bail!("its games are of {}, and this one is of {other}", header.year);
    }
    let black_score = ((margin + i32::from(SQUARES)) / 2) as u8;
    let theoretical = theoretical.filter(|(_, depth)| *depth == header.depth).map_or(black_score, |(score, _)| score);
    let tournament = number(tournaments, TOURNAMENT, record.header("Event").unwrap_or(NO_EVENT))?;
    for value in [tournament, number(players, PLAYER, &black)?, number(players, PLAYER, &white)?] {
        games.extend(value.to_le_bytes());
    }
    games.extend([black_score, theoretical]);
    let moves = record.main_line().into_iter().map(|step| step.mv).filter(|&mv| mv != PASS);
    games.extend(moves.map(|mv| 10 * (mv.0 as u8 / 8 + 1) + mv.0 as u8 % 8 + 1));
    games.resize(header.length() + GAME, 0);
    games[4..8].copy_from_slice(&(header.games as u32 + 1).to_le_bytes());
    Ok(())
}

/// Black's discs under best play, and the empty squares at which they were computed.
fn theoretical(text: &str) -> Option<(u8, u8)> {
    let (discs, depth) = text.strip_suffix(" empty")?.split_once(" at ")?;
    let margin = score::margin(discs)?;
    Some((((margin + i32::from(SQUARES)) / 2) as u8, depth.parse().ok()?))
}
