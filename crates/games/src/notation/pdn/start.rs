//! The game, its rules and its start position, by the headers.

use super::super::collection::{GameHeaders, GameText};
use super::super::headers::DefaultGame;
use super::RULES;
use super::tokens::{Token, TokenAt, Tokens};
use super::words::are_lettered;
use crate::notation::pdn;
use crate::othello::Othello;
use crate::record::Record;
use crate::{Bare, Notation as _, Position, TextError, Variant};

/// Headers with another meaning in game files: those of a PDN file with these names get the prefix `Pdn`.
const OURS: [&str; 3] = ["Game", "South", "North"];
/// Headers that name a start position.
const STARTS: [&str; 3] = ["FEN", "Position", "Start"];
/// Headers that become other parts of a record.
const TAKEN: [&str; 6] = ["White", "Black", "Result", "GameType", "Seed", RULES];

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// The record before its first move, from the headers.
///
/// # Errors
/// Where a header is invalid, and what was expected there.
pub(super) fn begin(place: GameText, listed: &GameHeaders, assumed: DefaultGame) -> Result<Record, TextError> {
    let named = named_start(place, listed)?;
    let variant = variant(place, listed, named.as_ref(), assumed)?;
    let start = match &named {
        None => variant.start(),
        Some(named) => named.read(place, &variant)?,
    };
    let players = variant.seats().map(|seat| listed.verbatim(seat).unwrap_or("?").to_owned());
    let seed = listed.header("Seed").parse().ok();
    let mut record = Record::from_position(variant, start, players, seed);
    for (name, value) in &listed.headers {
        if is_one_of(name, &OURS) {
            record.headers.push((format!("Pdn{name}"), value.clone()));
        } else if !is_one_of(name, &TAKEN) && !is_start(name) && !pdn::is_unknown(name, value) {
            record.headers.push((name.clone(), value.clone()));
        }
    }
    record.notes = named.iter().flat_map(|named| variant.corrections(&named.text)).collect();
    Ok(record)
}

fn is_start(name: &str) -> bool {
    is_one_of(name, &STARTS) || name.eq_ignore_ascii_case("SetUp")
}

/// A position in a header, with the header's index.
struct NamedStart {
    text: String,
    header: usize,
}

impl NamedStart {
    /// # Errors
    /// Where the position is invalid.
    fn read(&self, place: GameText, variant: &Variant) -> Result<Position, TextError> {
        variant.position_from_text(&self.text).map_err(|error| {
            let (at, _) = header_at(place.text, self.header);
            let value = at + place.text[at..].find('"').map_or(0, |quote| quote + 1);
            let begins = place.error(value, "", "");
            error.within(begins.line, begins.column)
        })
    }
}

/// The start position that the headers name; `None` if they name none.
///
/// # Errors
/// There is an announced position that is missing, or a second one.
fn named_start(place: GameText, listed: &GameHeaders) -> Result<Option<NamedStart>, TextError> {
    let error = |header: usize, expected: &str| {
        let (at, found) = header_at(place.text, header);
        Err(place.error(at, found, expected))
    };
    let mut named = None::<NamedStart>;
    let mut announced = None;
    for (header, (name, value)) in listed.headers.iter().enumerate().filter(|(_, (name, _))| is_start(name)) {
        match value.trim() {
            "" | "-" | "0" => {}
            "1" if name.eq_ignore_ascii_case("SetUp") => announced = Some(header),
            text if named.as_ref().is_some_and(|named| named.text != text) => {
                return error(header, "no second start position");
            }
            text => named = Some(NamedStart { text: text.to_owned(), header }),
        }
    }
    match (announced, named) {
        (Some(header), None) => error(header, "a header [FEN \"…\"] with the position that SetUp announces"),
        (_, named) => Ok(named),
    }
}

/// The variant: by the rules, the game type, the form of the moves or of the start position, in this order.
///
/// # Errors
/// Where another game is named.
fn variant(
    place: GameText,
    listed: &GameHeaders,
    named: Option<&NamedStart>,
    assumed: DefaultGame,
) -> Result<Variant, TextError> {
    let is_read = |variant: &Variant| variant.game_type().is_some() || is_lettered(variant);
    if let Some(variant) = listed.header(RULES).parse::<Variant>().ok().filter(is_read) {
        return Ok(variant);
    }
    // Moves without headers use the rules of the game on the board; a file without rules uses the default ones.
    let own = Some(assumed.variant).filter(|_| assumed.is_given || listed.headers.is_empty());
    let known: Vec<Variant> = own.into_iter().chain(Variant::usual()).filter(is_read).collect();
    let wanted = listed.header("GameType").split(',').next().unwrap_or_default().trim();
    let lettered = has_letters(place.text).or(named.map(|named| has_lettered_board(&named.text)));
    let fits = |variant: &&Variant| match (wanted, lettered) {
        ("", Some(lettered)) => is_lettered(variant) == lettered,
        ("", None) => own.is_some_and(|own| own == **variant) || variant.game_type().is_some(),
        (number, _) => number.parse().is_ok_and(|number: u16| variant.game_type() == Some(number)),
    };
    known.iter().find(fits).copied().ok_or_else(|| {
        let header = listed.headers.iter().position(|(name, _)| name.eq_ignore_ascii_case("GameType"));
        let (at, found) = header_at(place.text, header.unwrap_or(0));
        place.error(at, found, types())
    })
}

fn is_lettered(variant: &Variant) -> bool {
    matches!(variant, Variant::Othello(_))
}

/// Whether the first move is a square by letter and number; `None` without moves.
fn has_letters(text: &str) -> Option<bool> {
    let mut tokens = Tokens::new(text);
    loop {
        match tokens.next() {
            Ok(Some(TokenAt { token: Token::Move(_) | Token::Digits(_), .. })) => return Some(false),
            Ok(Some(TokenAt { token: Token::Other(word), .. })) => return Some(are_lettered(word)),
            Ok(Some(_)) => {}
            Ok(None) | Err(_) => return None,
        }
    }
}

/// Whether a start position is of a board with letters for its files.
fn has_lettered_board(text: &str) -> bool {
    let is_numbered = |variant: &Variant| variant.game_type().is_some();
    let is_of_draughts = Variant::usual()
        .iter()
        .filter(|variant| is_numbered(variant))
        .any(|of| of.recognise(text) == Some(Bare::Position));
    !is_of_draughts && Othello::recognise(text) == Some(Bare::Position)
}

/// The supported game types, as an expected text.
fn types() -> String {
    let known = Variant::usual().into_iter().filter_map(|variant| Some((variant.game_type()?, variant.title())));
    let known: Vec<String> = known.map(|(number, title)| format!("{number} ({title})")).collect();
    format!("a supported game type: {}", known.join(", "))
}

/// Position and text of a header by its index.
fn header_at(text: &str, index: usize) -> (usize, &str) {
    let mut tokens = Tokens::new(text);
    let mut left = index;
    while let Ok(Some(TokenAt { offset: at, token })) = tokens.next() {
        match token {
            Token::Header(..) if left == 0 => return (at, text[at..].lines().next().unwrap_or_default().trim_end()),
            Token::Header(..) => left -= 1,
            _ => {}
        }
    }
    (0, "")
}
