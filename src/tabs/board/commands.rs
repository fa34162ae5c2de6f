//! The Board's commands. An inapplicable command shows the reason, so that its key has an effect.

use crossterm::event::KeyEvent;
use mancalab_base::counted;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::library::results;
use super::message::Message;
use super::panels::terms::has_terms;
use super::session::Mode;
use super::session::casual::Reason;
use super::setup::new_game;
use super::{Board, practice};
use crate::app::command::{Command, CommandTable};
use crate::app::overlay::confirm::Question;
use crate::app::overlay::{Outcome, Overlay};
use crate::app::tab::{Context, Tone};
use crate::config::Seat;
use crate::game::Side;
use crate::game::notation::{self, split_times};
use crate::game::record::{NodeId, Record};
use crate::ui::form::{Field, FieldId, Form, FormKey};
use crate::ui::{Look, keys, put, row, window};

type Row = Command<Board>;

const NO_MOVES: &str = "no move has been made yet";
const NO_MISTAKES: &str = "no mistakes known; a review finds them";
const AT_START: &str = "this is the start of the game";
const AT_END: &str = "this is the last move";

impl CommandTable for Board {
    const COMMANDS: &'static [Command<Board>] = &[
        Row::new("board.back", "One move back", &[",", "left"], |board, cx| board.walk(cx, Record::back))
            .group("Step and play")
            .footer("back")
            .enabled_if(|board| board.session.has_moves())
            .disabled_reason(AT_START),
        Row::new("board.forward", "One move on", &[".", "right"], Board::step_on)
            .footer_now(|board| (!board.practice.is_retrying(&board.session) && !board.answers()).then_some("on"))
            .enabled_if(|board| {
                !board.session.record.is_at_end() || (!board.session.is_over() && !board.awaits_human())
            })
            .disabled_reason(AT_END),
        Row::new("board.play", "Continue or pause the game", &["space"], Board::toggle_autoplay)
            // A short answer does not change the footer.
            .footer_now(|board| {
                let is_shown = !board.answers() && !board.practice.is_retrying(&board.session);
                is_shown.then(|| board.word_for_play())
            })
            .enabled_if(|board| board.session.can_autoplay() || board.goes_on())
            .disabled_reason("there are no more moves to play"),
        Row::new("board.games", "List the games of the collection", &["g"], |board, cx| {
            board.library.open_collection(&board.session, cx);
        })
        .group("Collections")
        .footer_now(|board| board.library.is_of_collection().then_some("games"))
        .visible_if(|board| board.library.has_collection()),
        Row::new("board.next-game", "Open the collection's next game", &["pgdn"], |board, cx| {
            board.library.next_game(&board.session, 1, cx);
        })
        .footer_now(|board| board.library.is_of_collection().then_some("next game"))
        .visible_if(|board| board.library.has_collection()),
        Row::new("board.previous-game", "Open the collection's previous game", &["pgup"], |board, cx| {
            board.library.next_game(&board.session, -1, cx);
        })
        .visible_if(|board| board.library.has_collection()),
        Row::new("board.undo", "Take your last move back", &["u"], Board::undo)
            .group("Help while playing")
            .footer("undo")
            .enabled_if(|board| board.session.has_moves() || board.entry.text(&board.session).is_some())
            .disabled_reason(AT_START),
        Row::new("board.hint", "Show a good move on the board, or hide it", &["t", "h"], Board::toggle_hint)
            .footer("hint")
            .enabled_if(|board| !board.session.is_over())
            .disabled_reason("the game is over"),
        Row::new(
            "board.threat",
            "Show the threat: the opponent's best move if you passed",
            &["@"],
            Board::toggle_threat,
        )
        .enabled_if(|board| !board.session.is_over())
        .disabled_reason("the game is over"),
        Row::new("board.analysis", "Turn the analysis on or off", &["i"], Board::toggle_analysis).footer("analysis"),
        Row::new(
            "board.openings",
            "Show the openings: moves played here, and how those games ended",
            &["#"],
            Board::toggle_explorer,
        )
        .enabled_if(|board| !board.practice.is_retrying(&board.session))
        .disabled_reason("they would show the answer"),
        Row::new(
            "board.coach",
            "Coach: rate your moves; again: warn before blunders; again: off",
            &["W"],
            Board::change_coach,
        ),
        Row::new("board.engine", "Switch the engine: alpha-beta or Monte Carlo", &["o"], Board::change_engine)
            .footer("engine"),
        Row::new("board.review", "Review the game (again: stop)", &["r"], Board::toggle_review)
            .group("Review")
            .footer("review")
            .footer_now(|board| board.panels.review.is_reviewing().then_some("stop review"))
            .title_now(|board| board.panels.review.is_reviewing().then(|| "Stop the review".to_owned()))
            .enabled_if(|board| !board.session.record.is_empty())
            .disabled_reason(NO_MOVES),
        Row::new("board.next-mistake", "Go to next mistake", &[">", "x"], |board, cx| board.go_to_mistake(1, cx))
            .footer_now(|board| match board.practice.is_retrying(&board.session) {
                true => Some("skip"),
                false => board.panels.review.has_mistakes(&board.session).then_some("next mistake"),
            })
            .enabled_if(|board| {
                board.panels.review.has_mistakes(&board.session) || board.practice.is_retrying(&board.session)
            })
            .disabled_reason(NO_MISTAKES),
        Row::new("board.previous-mistake", "Go to previous mistake", &["<", "X"], |board, cx| {
            board.go_to_mistake(-1, cx);
        })
        .enabled_if(|board| board.panels.review.has_mistakes(&board.session))
        .disabled_reason(NO_MISTAKES),
        Row::new("board.retry", "Try your mistakes again (again: end)", &["Z"], Board::toggle_retry)
            .footer_now(|board| match board.practice.is_retrying(&board.session) {
                true => Some("end"),
                false => (board.panels.review.has_mistakes(&board.session) && !board.panels.review.is_reviewing())
                    .then_some("try again"),
            })
            .enabled_if(|board| {
                board.panels.review.has_mistakes(&board.session) || board.practice.is_retrying(&board.session)
            })
            .disabled_reason(NO_MISTAKES),
        Row::new("board.puzzles", "Solve today's puzzles from your mistakes", &["Q"], Board::toggle_puzzles),
        Row::new(
            "board.line",
            "Show the best line on the board, or the chosen move's",
            &["V"],
            Board::preview_analysis,
        )
        .enabled_if(Board::has_line)
        .disabled_reason("no line is known here (i: analysis)"),
        Row::new("board.better", "Add the better move as a variation", &["!"], Board::show_better)
            .footer_now(|board| board.can_better().then_some("better"))
            .enabled_if(Board::can_better)
            .disabled_reason("no better move is known here"),
        Row::new("board.terms", "Show heuristics, functions or network values", &["w"], Board::toggle_terms)
            .visible_if(|board| has_terms(&board.session)),
        Row::new("board.new", "Start a new game", &["n"], |board, cx| {
            cx.open(new_game::NewGame::new(&board.setup, &board.library.my_levels, cx.paths.rights()))
        })
        .group("Games")
        .footer("new"),
        Row::new("board.rematch", "Play again with the same players", &["M"], Board::rematch),
        Row::new("board.swap", "Play again with sides swapped", &["S"], Board::swap_sides),
        Row::new("board.play-on", "Play on from here with other players", &["O"], |board, cx| {
            cx.open(new_game::NewGame::play_on(&board.setup, board.session.game, cx.paths.rights()));
        })
        .enabled_if(|board| !board.session.is_over())
        .disabled_reason("the game is over"),
        Row::new("board.resign", "Resign the game", &["R"], Board::ask_to_resign)
            .enabled_if(|board| board.session.can_resign())
            .disabled_reason("no game of yours is under way"),
        Row::new("board.results", "Show your results, rating and accuracy", &["%"], |_, cx| results::open(cx)),
        Row::new("board.save", "Save the game", &["s"], |board, cx| board.library.open_save(&board.session, cx))
            .footer("save")
            .enabled_if(|board| board.session.has_record())
            .disabled_reason(NO_MOVES),
        Row::new("board.load", "Load a game", &["l"], |board, cx| board.library.open_load(cx)).footer("load"),
        Row::new("board.tutorial", "Open the tutorial of this game", &["N"], Board::open_tutorial)
            .visible_if(|board| practice::tutorial_file(board.session.record.variant).is_some()),
        Row::new("board.edit", "Set up a position", &["p"], Board::start_edit).footer("edit"),
        Row::new("board.now", "Move now: the computer's best so far, or a move for you", &["m"], Board::move_now)
            .footer("move now")
            .enabled_if(|board| board.playback.thinking.is_some() || board.is_paused() || board.awaits_human())
            .disabled_reason("the game is over"),
        Row::new("board.start", "Go to the start of the game", &["home"], |board, cx| {
            board.walk(cx, |record| {
                record.to_start();
                true
            });
        })
        .group("Moves and variations")
        .enabled_if(|board| board.session.has_moves())
        .disabled_reason(AT_START),
        Row::new("board.end", "Go to the end of the game", &["end"], |board, cx| {
            board.walk(cx, |record| {
                record.to_end();
                true
            });
        })
        .enabled_if(|board| !board.session.record.is_at_end())
        .disabled_reason(AT_END),
        Row::new("board.previous-variation", "Go to the previous variation", &["[", "up"], |board, cx| {
            board.switch_variation(-1, cx)
        }),
        Row::new("board.next-variation", "Go to the next variation", &["]", "down"], |board, cx| {
            board.switch_variation(1, cx);
        }),
        Row::new("board.fold", "Fold or unfold the variations in the list of moves", &["z"], Board::toggle_fold)
            .enabled_if(|board| board.session.record.has_variations())
            .disabled_reason("there are no variations"),
        Row::new("board.times", "Show times or values in the list of moves", &["&"], |board, _| {
            board.panels.times = !board.panels.times;
        })
        .enabled_if(|board| !board.session.record.is_empty())
        .disabled_reason(NO_MOVES),
        Row::new("board.promote", "Make this variation the main line", &["P"], |board, cx| board.session.promote(cx))
            .footer_now(|board| board.session.is_in_variation().then_some("promote"))
            .enabled_if(|board| board.session.is_in_variation())
            .disabled_reason("this is the main line"),
        Row::new("board.delete", "Delete this move and all moves after it", &["delete"], Board::ask_to_delete)
            .enabled_if(|board| board.session.has_moves())
            .disabled_reason(AT_START),
        Row::new("board.restore", "Restore the moves deleted last", &["U"], Board::restore)
            .enabled_if(|board| board.session.has_deleted())
            .disabled_reason("nothing was deleted"),
        Row::new("board.comment", "Write a comment on this move", &[";"], Board::open_comment),
        Row::new("board.flip", "Flip the board", &["v"], |board, _| board.flip()).group("View and copy"),
        Row::new("board.faster", "Show moves and play faster", &["+", "="], |board, cx| {
            board.playback.change_speed(&board.session, 2.0, cx)
        }),
        Row::new("board.slower", "Show moves and play slower", &["-"], |board, cx| {
            board.playback.change_speed(&board.session, 0.5, cx)
        }),
        Row::new("board.copy", "Copy the game to the clipboard", &["y"], |board, cx| {
            board.session.save_to_clipboard(cx)
        })
        .enabled_if(|board| board.session.has_record())
        .disabled_reason(NO_MOVES),
        Row::new("board.copy-position", "Copy the position to the clipboard", &["Y"], |board, cx| {
            board.session.copy_position(cx);
        }),
        Row::new("board.copy-transcript", "Copy as transcript or PDN", &["ctrl-y"], |board, cx| {
            board.session.copy_transcript(cx)
        })
        .enabled_if(|board| board.session.has_record() && notation::transcript(&board.session.record).is_some())
        .visible_if(|board| board.session.has_transcripts())
        .disabled_reason("no moves from the standard start"),
    ];

    /// Leaves the editor of positions first.
    fn takes_commands(&self) -> bool {
        self.session.edit.is_none()
    }

    fn why_not(&self) -> &'static str {
        if self.session.edit.is_some() { "leave the position setup first (Esc)" } else { "not in this position" }
    }

    fn refuse(&mut self, command: &Command<Board>, cx: &mut Context) {
        if self.takes_commands() {
            command.run(self, cx);
        }
    }
}

impl Board {
    /// Turns the board for this session.
    fn flip(&mut self) {
        let wanted = self.session.bottom().other();
        self.session.seat = Seat::Person;
        if self.session.bottom() != wanted {
            self.session.seat = if wanted == Side::South { Seat::South } else { Seat::North };
        }
    }
}

/// Maximum length of a comment.
const MOST: usize = 2000;

const COMMENT: &str = "Comment";

/// Changes of a game on a guest's Board: moves and their times, deletions, comments. Nothing else bounds the memory of the game.
pub(crate) const GUEST_CHANGES: u64 = 2000;

impl Board {
    pub(super) fn toggle_fold(&mut self, cx: &mut Context) {
        if !self.session.record.has_variations() {
            return cx.notice(Tone::Info, "No variations yet. Go back and play another move");
        }
        self.panels.folded = !self.panels.folded;
        let text = if self.panels.folded { "Variations hidden (* marks them)" } else { "Variations shown" };
        cx.notice(Tone::Info, text);
    }

    /// Asks before the last move and all that follows is deleted.
    pub(super) fn ask_to_delete(&mut self, cx: &mut Context) {
        let node = self.session.record.at();
        let Some((before, mv)) = self.session.record.last() else {
            return cx.notice(Tone::Info, "There is no move to delete at the start");
        };
        let moves = self.session.record.count(node);
        let what = match moves {
            1 => ".".to_owned(),
            2 => " and the one move after it.".to_owned(),
            moves => format!(" and the {} moves after it.", moves - 1),
        };
        let text = format!("This deletes the move {}{what}", before.move_text(mv));
        let game = self.session.game;
        cx.open(Question::new("Delete?", text, ["delete", "keep"], move || Message::Delete { game, node }));
    }

    pub(super) fn delete(&mut self, game: u64, node: NodeId, cx: &mut Context) {
        let Some(moves) = self.session.delete(game, node) else { return };
        self.use_help(Reason::TakeBack, cx);
        self.session.mode = Mode::Viewed;
        self.show_now(cx);
        let moves = counted(moves, "move");
        cx.notice(Tone::Info, format!("Deleted {moves}. U restores"));
    }

    pub(super) fn restore(&mut self, cx: &mut Context) {
        match self.session.restore() {
            Some(true) => {
                self.session.mode = Mode::Viewed;
                self.show_now(cx);
            }
            Some(false) => cx.notice(Tone::Info, "Cannot restore: the same move was made there since"),
            None => cx.notice(Tone::Info, "Nothing was deleted"),
        }
    }

    /// Whether the game can be changed further; otherwise a notice says that it is watched, or that a guest has changed it too often.
    pub(super) fn may_change(&self, cx: &mut Context) -> bool {
        if self.library.is_only_watched(cx) {
            return false;
        }
        // Tests press a key for each change.
        let most = if cfg!(test) { GUEST_CHANGES / 20 } else { GUEST_CHANGES };
        let is_full = cx.paths.rights().is_guest() && self.session.record.version() >= most;
        if is_full {
            cx.notice(Tone::Bad, format!("Guests change a game at most {GUEST_CHANGES} times; start another"));
        }
        !is_full
    }

    fn open_comment(&mut self, cx: &mut Context) {
        if !self.may_change(cx) {
            return;
        }
        let node = self.session.record.at();
        let title = match self.session.record.last() {
            Some((before, mv)) => format!("Comment on {}", before.move_text(mv)),
            None => "Comment on the start".to_owned(),
        };
        let (_, text) = split_times(self.session.record.comment(node));
        let field = Field::text(COMMENT, Vec::new(), text).at_most(MOST);
        cx.open(Comment { title, game: self.session.game, node, form: Form::new(vec![field]) });
    }
}

/// The comment dialog.
struct Comment {
    title: String,
    game: u64,
    node: NodeId,
    form: Form,
}

impl Overlay for Comment {
    fn key(&mut self, key: KeyEvent) -> Outcome {
        match self.form.key(key) {
            FormKey::Cancel => Outcome::Close,
            FormKey::Submit => {
                let text = self.form.value(FieldId::default()).to_owned();
                Outcome::TaskResult(Box::new(Message::Comment { game: self.game, node: self.node, text }))
            }
            FormKey::Used | FormKey::Ignored => Outcome::Stay,
        }
    }

    fn paste(&mut self, text: &str) {
        self.form.paste(text);
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        let inner = window(area, 76, self.form.height() + 3, &self.title, buf, look);
        let text = "Enter: save, Esc: cancel, empty text deletes it";
        put(keys(text, inner.width, look), row(inner, inner.height.saturating_sub(1)), buf);
        self.form.draw(Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner }, buf, look)
    }
}
