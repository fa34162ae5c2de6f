//! A game by lines: what happens on the Board in sentences, for pipes, terminals without a screen, screen readers and braille
//! displays.
//!
//! The game is the Board's own, with its players, hints, undo and files. Here is what a line of input means, in `sentences` what is
//! written about each move. Nothing depends on colours, glyphs or the place of the cursor.

mod sentences;

use std::path::{Path, PathBuf};

use super::Board;
use super::draw::variant_title;
use super::library::game_file::free_name;
use super::library::save::destination;
use super::panels::why::hint_text;
use crate::app::tab::{Context, Tone};
use crate::game::Side;
use crate::game::record::NodeId;
use crate::theme::{ColorDepth, Glyphs, Theme};
use crate::ui::Look;

/// Maximum length of a refused line in its message, in characters.
const QUOTED: usize = 40;

/// A word that is no move.
struct Word {
    word: &'static str,
    about: &'static str,
    run: fn(&mut Lines, &mut Board, &mut Context) -> Vec<String>,
}

const WORDS: &[Word] = &[
    Word { word: "board", about: "Show the board", run: |_, board, _| board.in_words() },
    Word { word: "moves", about: "List your moves", run: |_, board, _| vec![board.session.moves_text()] },
    Word { word: "hint", about: "Show a good move", run: Lines::ask_for_hint },
    Word { word: "undo", about: "Take your last move back", run: Lines::undo },
    Word {
        word: "save",
        about: "Save the game; save NAME saves it under this name",
        run: |_, board, cx| board.save_as("", cx),
    },
    Word { word: "quit", about: "End; an unfinished game is saved", run: Lines::quit },
    Word { word: "help", about: "List these words", run: |_, board, _| board.words_explained() },
];

/// The state of a game by lines: what was written so far.
pub(crate) struct Lines {
    /// The last position that was written.
    written: NodeId,
    /// A hint is being searched.
    awaits_hint: bool,
    /// That a side has lost on time was written.
    has_written_time: bool,
    quits: bool,
}

/// The look of texts: ASCII without colours.
pub(crate) fn look() -> Look {
    Look::new(Theme::usual(ColorDepth::None), Glyphs::ascii())
}

fn known_words() -> String {
    WORDS.iter().map(|word| word.word).collect::<Vec<_>>().join(", ")
}

impl Lines {
    /// Begins, and returns the first lines: the game, its players, and whose move it is.
    pub fn begin(board: &Board) -> (Lines, Vec<String>) {
        let mut texts = board.introduction();
        texts.extend(board.whose_turn());
        (Lines { written: board.session.record.at(), awaits_hint: false, has_written_time: false, quits: false }, texts)
    }

    /// Returns what has happened since the last call, a line for each move.
    pub fn news(&mut self, board: &Board) -> Vec<String> {
        let mut texts = Vec::new();
        let here = board.session.record.at();
        if here != self.written {
            let nodes = board.session.nodes_between(self.written, here);
            texts.extend(nodes.into_iter().map(|node| board.session.sentence(node)));
            if board.session.is_over() {
                texts.extend(board.whose_turn());
            } else if let (Some(text), Some(last)) = (board.whose_turn(), texts.last_mut()) {
                // A side that moves again was named as the one to move.
                let text = if board.session.moves_again(here) {
                    text.strip_prefix(&board.session.whose_move()).unwrap_or(&text)
                } else {
                    &text
                };
                let text = text.trim_start();
                *last += &if text.is_empty() { String::new() } else { format!(" {text}") };
            }
            (self.written, self.awaits_hint) = (here, false);
        }
        if self.awaits_hint && !board.panels.analysis.waits_for_hint() {
            texts.extend(hint_text(&board.panels.analysis, &board.session, &look()).map(|text| text + "."));
            self.awaits_hint = false;
        }
        if board.session.time_is_over() && !std::mem::replace(&mut self.has_written_time, true) {
            texts.extend(board.whose_turn());
            self.awaits_hint = false;
        }
        texts
    }

    /// Takes a line of input: a move, or one of the words. Returns the answer; moves are [`news`](Lines::news).
    pub fn take(&mut self, line: &str, board: &mut Board, cx: &mut Context) -> Vec<String> {
        let line = line.trim();
        if line.is_empty() {
            return board.whose_turn().into_iter().collect();
        }
        if board.awaits_person()
            && let Some(mv) = board.session.position().move_from_text(line)
        {
            board.make_move(mv, cx);
            return Vec::new();
        }
        if let Some(word) = WORDS.iter().find(|word| word.word.eq_ignore_ascii_case(line)) {
            return (word.run)(self, board, cx);
        }
        match line.split_once(char::is_whitespace) {
            Some((word, name)) if word.eq_ignore_ascii_case("save") => board.save_as(name.trim(), cx),
            _ => vec![board.refusal(line)],
        }
    }

    /// Returns whether input is read now. While a computer player of a person's game thinks, lines wait: they are about the
    /// position after its move.
    pub fn reads(&self, board: &Board) -> bool {
        !self.awaits_hint && (board.awaits_person() || board.session.has_ended() || !board.session.has_human())
    }

    /// Returns whether the session is to end; `has_input`: further lines may come.
    pub fn ends(&self, board: &Board, has_input: bool) -> bool {
        let is_played = board.session.has_ended() && !board.session.has_human();
        self.quits || is_played || board.has_failed() || (!has_input && self.reads(board) && board.session.has_human())
    }

    fn ask_for_hint(&mut self, board: &mut Board, cx: &mut Context) -> Vec<String> {
        if !board.awaits_person() {
            return vec![board.refusal("hint")];
        }
        if board.panels.analysis.hint().is_none() && !board.panels.analysis.waits_for_hint() {
            board.toggle_hint(cx);
        }
        self.awaits_hint = board.panels.analysis.hint().is_some() || board.panels.analysis.waits_for_hint();
        Vec::new()
    }

    fn undo(&mut self, board: &mut Board, cx: &mut Context) -> Vec<String> {
        if !board.session.has_human() || board.session.time_is_over() {
            return vec![board.refusal("undo")];
        }
        let before = board.session.record.ply();
        board.undo(cx);
        self.written = board.session.record.at();
        let text = match before - board.session.record.ply() {
            0 => return Vec::new(),
            1 => "Took back 1 move.".to_owned(),
            moves => format!("Took back {moves} moves."),
        };
        let parts = [Some(text), Some(board.session.score_text(self.written)), board.whose_turn()];
        vec![parts.into_iter().flatten().collect::<Vec<_>>().join(" ")]
    }

    fn quit(&mut self, _: &mut Board, _: &mut Context) -> Vec<String> {
        self.quits = true;
        Vec::new()
    }
}

impl Board {
    /// Whether a person is to move in a game that goes on.
    fn awaits_person(&self) -> bool {
        self.awaits_human() && !self.session.time_is_over()
    }

    /// Returns whether the player to move has failed without a move.
    pub(crate) fn has_failed(&self) -> bool {
        self.playback.thinking.as_ref().is_some_and(|thinking| thinking.failed)
    }

    /// Returns the file to which leaving has saved the game, if it is unfinished.
    pub(crate) fn file_to_resume(&self) -> Option<PathBuf> {
        self.library.autosaved_file().filter(|_| !self.session.has_ended())
    }

    /// Saves the game under this name, or its own or a free one if it is empty.
    fn save_as(&mut self, name: &str, cx: &mut Context) -> Vec<String> {
        if !self.session.has_record() {
            return vec!["No move to save yet.".to_owned()];
        }
        let own = self.library.file().filter(|_| name.is_empty());
        let path = match (own, &self.library.games) {
            (Some(own), _) => Ok(own),
            (None, Some(games)) if name.is_empty() => Ok(free_name(games)),
            (None, None) if name.is_empty() => Err("no home directory: name a file, as in save ./one.game".into()),
            (None, games) => destination(name, games.as_deref(), cx.paths),
        };
        match path {
            Ok(path) => {
                let replaces = self.library.file().as_ref() == Some(&path);
                let saving = self.library.saving(&self.session, path, replaces, cx);
                cx.background(saving);
            }
            Err(error) => cx.notice(Tone::Bad, error),
        }
        Vec::new()
    }

    fn introduction(&self) -> Vec<String> {
        let mut texts = Vec::new();
        if let Some(file) = self.library.unfinished_file(&self.session) {
            texts.push(format!("Your last game is unfinished. Continue it with: {}", resuming(&file)));
        }
        let seats =
            Side::BOTH.map(|side| format!("{}: {}.", self.session.seat_name(side), self.session.player_text(side)));
        texts.push(format!("{}. {} {}", variant_title(&self.session.record.variant, &look()), seats[0], seats[1]));
        for (side, name) in &self.library.strangers {
            let seat = self.session.seat_name(*side);
            let flag = ["--south", "--north"][side.index()];
            texts.push(format!("{seat} was {name}; you play its moves. {flag} PLAYER seats a player."));
        }
        if !self.session.record.is_empty() {
            texts.push(format!(
                "Moves played: {}. {}",
                self.session.record.ply(),
                self.session.score_text(self.session.record.at())
            ));
        }
        texts
    }

    /// That a person is to move, with the time left and the moves that must be made, or the end of the game.
    fn whose_turn(&self) -> Option<String> {
        if self.session.has_ended() {
            let words = match () {
                () if !self.session.has_human() => "",
                () if self.session.time_is_over() => " Type board, save or quit.",
                () => " Type board, undo, save or quit.",
            };
            return Some(self.session.ending_text() + words);
        }
        if !self.awaits_human() {
            return None;
        }
        let whose = [Some(self.session.whose_move()), self.session.times_text()]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ");
        Some(match (self.awaited_pass(), self.forced_text()) {
            (Some(pass), _) => {
                format!("{whose} No move is possible: type {}.", self.session.position().move_text(pass))
            }
            (None, Some(forced)) => format!("{whose} {forced}."),
            (None, None) if self.session.record.is_empty() => {
                format!("{whose} {} Type a move or help.", self.session.moves_text())
            }
            (None, None) => whose,
        })
    }

    /// The answer to a line that is no move and no word: what is accepted.
    fn refusal(&self, line: &str) -> String {
        let mut quoted: String = line.chars().take(QUOTED).collect();
        if quoted.len() < line.len() {
            quoted += "...";
        }
        let words = known_words();
        match () {
            () if self.awaits_person() => {
                format!("'{quoted}' is not possible: expected {} or {words}.", self.session.moves_listed())
            }
            () if self.session.has_ended() => {
                format!("'{quoted}' is not possible, because the game is over: expected {words}.")
            }
            () => format!("'{quoted}' is not possible, because computers play both sides: expected {words}."),
        }
    }

    fn words_explained(&self) -> Vec<String> {
        let first = match self.session.moves_text() {
            text if self.session.has_ended() => text,
            text => format!("Type a move. {text}"),
        };
        let words = WORDS.iter().map(|Word { word, about, .. }| format!("{word}: {about}."));
        std::iter::once(first).chain(words).collect()
    }

    /// The board in words, and whose move it is.
    fn in_words(&self) -> Vec<String> {
        let name = |side| match self.session.only_person() {
            Some(_) => format!("{} ({})", self.session.name_of(side), self.session.seat_name(side)),
            None => self.session.seat_name(side).to_owned(),
        };
        let mut texts = sentences::board(
            &self.session.position().board(),
            self.session.record.variant.seats(),
            self.session.bottom(),
            name,
        );
        texts.extend(self.whose_turn());
        texts
    }
}

/// The command that continues a saved game.
pub(crate) fn resuming(file: &Path) -> String {
    format!("mancalab play --lines {}", crate::sanitize::shell_path(file))
}
