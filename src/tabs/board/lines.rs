//! A game by lines: what happens on the Board in sentences, for pipes, terminals without a screen, screen readers and braille
//! displays.
//!
//! The game is the Board's own, with its players, hints, undo and files. Here is what a line of input means, in `sentences` what is
//! written about each move. Nothing depends on colours, glyphs or the place of the cursor.

mod sentences;
mod words;

use std::path::{Path, PathBuf};

use super::Board;
use super::library::game_file::free_name;
use super::library::save::destination;
use super::library::{draft, kept};
use crate::app::effect::{Context, Tone};
use crate::game::record::NodeId;
use crate::job::State;
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
    Word { word: "moves", about: "List your moves", run: |_, board, _| vec![board.moves_text()] },
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
            let nodes = board.nodes_between(self.written, here);
            texts.extend(nodes.into_iter().map(|node| board.sentence(node)));
            if board.session.is_over() {
                texts.extend(board.whose_turn());
            } else if let (Some(text), Some(last)) = (board.whose_turn(), texts.last_mut()) {
                // A side that moves again was named as the one to move.
                let text = if board.moves_again(here) {
                    text.strip_prefix(&board.whose_move()).unwrap_or(&text)
                } else {
                    &text
                };
                let text = text.trim_start();
                *last += &if text.is_empty() { String::new() } else { format!(" {text}") };
            }
            (self.written, self.awaits_hint) = (here, false);
        }
        if self.awaits_hint && !board.panels.analysis.waits_for_hint() {
            texts.extend(board.hint_text(&look()).map(|text| text + "."));
            self.awaits_hint = false;
        }
        self.awaits_hint &= !matches!(board.panels.analysis.state, Some(State::Failed(_)));
        if board.time_is_over() && !std::mem::replace(&mut self.has_written_time, true) {
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
        !self.awaits_hint && (board.awaits_person() || board.has_ended() || !board.session.has_human())
    }

    /// Returns whether the session is to end; `has_input`: further lines may come.
    pub fn ends(&self, board: &Board, has_input: bool) -> bool {
        let is_played = board.has_ended() && !board.session.has_human();
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
        if !board.session.has_human() || board.time_is_over() {
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
        let parts = [Some(text), Some(board.score_text(self.written)), board.whose_turn()];
        vec![parts.into_iter().flatten().collect::<Vec<_>>().join(" ")]
    }

    fn quit(&mut self, _: &mut Board, _: &mut Context) -> Vec<String> {
        self.quits = true;
        Vec::new()
    }
}

impl Board {
    /// Goes to the end of an opened game and lets its players play on.
    pub(super) fn begin_lines(&mut self, cx: &mut Context) {
        let end = self.session.record.main_end();
        self.session.record.go_to(end);
        self.session.play_on();
        self.show_now(cx);
    }

    /// Whether a side has lost on time in the session's own game, which ends it for good.
    fn time_is_over(&self) -> bool {
        self.session.clock.is_some() && self.is_lost_on_time()
    }

    /// Whether the game is over, by the rules or on time.
    fn has_ended(&self) -> bool {
        self.session.is_over() || self.time_is_over()
    }

    /// Whether a person is to move in a game that goes on.
    fn awaits_person(&self) -> bool {
        self.awaits_human() && !self.time_is_over()
    }

    /// Returns whether the player to move has failed without a move.
    pub(crate) fn has_failed(&self) -> bool {
        self.playback.thinking.as_ref().is_some_and(|thinking| thinking.failed)
    }

    /// Returns the file of the game that was saved automatically last, if it is unfinished.
    fn unfinished_file(&self) -> Option<PathBuf> {
        let games = self.library.games.as_ref().filter(|_| self.library.keeps && self.session.begun.is_some())?;
        draft::recover(games);
        kept::has_unfinished(games).then(|| kept::newest(games))
    }

    /// Returns the file to which leaving has saved the game, if it is unfinished.
    pub(crate) fn file_to_resume(&self) -> Option<PathBuf> {
        self.library.autosaved_file.clone().filter(|_| !self.has_ended())
    }

    /// The positions after `from` on the way to `to`; that of `to` alone if `from` is not on it.
    fn nodes_between(&self, from: NodeId, to: NodeId) -> Vec<NodeId> {
        let way = std::iter::successors(Some(to), |&node| self.session.record.parent(node));
        let mut nodes: Vec<NodeId> = way.take_while(|&node| node != from).collect();
        nodes.reverse();
        if nodes.first().is_some_and(|&first| self.session.record.parent(first) != Some(from)) {
            nodes = vec![to];
        }
        nodes.retain(|&node| self.session.record.came(node).is_some());
        nodes
    }

    /// Saves the game under this name, or its own or a free one if it is empty.
    fn save_as(&mut self, name: &str, cx: &mut Context) -> Vec<String> {
        if !self.has_record() {
            return vec!["No move to save yet.".to_owned()];
        }
        let own = self.library.file.clone().filter(|_| name.is_empty());
        let path = match (own, &self.library.games) {
            (Some(own), _) => Ok(own),
            (None, Some(games)) if name.is_empty() => Ok(free_name(games)),
            (None, None) if name.is_empty() => Err("no home directory: name a file, as in save ./one.game".into()),
            (None, games) => destination(name, games.as_deref(), cx.paths),
        };
        match path {
            Ok(path) => {
                let replaces = self.library.file.as_ref() == Some(&path);
                self.save_to(path, replaces, cx);
            }
            Err(error) => cx.notice(Tone::Bad, error),
        }
        Vec::new()
    }
}

/// The command that continues a saved game.
pub(crate) fn resuming(file: &Path) -> String {
    format!("mancalab play --lines {}", crate::sanitize::shell_path(file))
}
