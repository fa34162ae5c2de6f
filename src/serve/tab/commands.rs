//! The lobby's commands.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{LobbyTab, Message};
use crate::app::command::{Command, CommandTable};
use crate::app::overlay::{Outcome, Overlay};
use crate::game::{Choice, Side, Variant};
use crate::player::offers::Level;
use crate::serve::lobby::Lobby;
use crate::serve::table::Terms;
use crate::ui::Look;
use crate::ui::form::{Field, FieldId, Form, FormKey};

type Row = Command<LobbyTab>;

impl CommandTable for LobbyTab {
    const COMMANDS: &'static [Command<LobbyTab>] = &[
        Row::new("lobby.enter", "Sit down at the table, or watch it", &["enter"], LobbyTab::enter)
            .footer("sit or watch")
            .visible_if(LobbyTab::is_in_lobby)
            .enabled_if(|tab| tab.is_in_lobby() && tab.selected().is_some())
            .disabled_reason("there is no table"),
        Row::new("lobby.watch", "Watch the table", &["w"], LobbyTab::watch)
            .footer("watch")
            .visible_if(LobbyTab::is_in_lobby)
            .enabled_if(|tab| tab.is_in_lobby() && tab.selected().is_some())
            .disabled_reason("there is no table"),
        Row::new("lobby.open", "Open a table", &["n"], |_, cx| cx.open(OpenTable::new()))
            .footer("open a table")
            .visible_if(LobbyTab::is_in_lobby)
            .enabled_if(LobbyTab::is_in_lobby)
            .disabled_reason("you are at a table"),
        Row::new("lobby.say", "Say something at the table", &["/"], |tab, _| tab.chat = Some(String::new()))
            .footer("chat")
            .visible_if(LobbyTab::is_at_table)
            .enabled_if(LobbyTab::is_at_table)
            .disabled_reason("you are at no table"),
        Row::new("lobby.draw", "Offer a draw, or accept the offer", &["D"], |tab, cx| tab.act(Lobby::offer_draw, cx))
            .footer("draw")
            .footer_now(|tab| tab.is_draw_offered().then_some("accept the draw"))
            .visible_if(LobbyTab::plays)
            .enabled_if(LobbyTab::plays)
            .disabled_reason("you play no game"),
        Row::new("lobby.resign", "Resign the game", &["R"], LobbyTab::ask_to_resign)
            .footer("resign")
            .visible_if(LobbyTab::plays)
            .enabled_if(LobbyTab::plays)
            .disabled_reason("you play no game"),
        Row::new("lobby.rematch", "Play again with sides swapped", &["M"], |tab, cx| tab.act(Lobby::rematch, cx))
            .footer("rematch")
            .visible_if(LobbyTab::is_at_table)
            .enabled_if(LobbyTab::can_rematch)
            .disabled_reason("no game of yours has ended here"),
        Row::new("lobby.sit", "Sit down at this table", &["S"], LobbyTab::sit_here)
            .footer("sit down")
            .visible_if(LobbyTab::is_at_table)
            .enabled_if(LobbyTab::can_sit)
            .disabled_reason("no seat is empty"),
        Row::new("lobby.flip", "Flip the board", &["F"], |tab, _| tab.is_turned = !tab.is_turned)
            .visible_if(LobbyTab::is_at_table)
            .enabled_if(LobbyTab::is_at_table)
            .disabled_reason("you are at no table"),
        Row::new("lobby.leave", "Leave the table", &["L"], LobbyTab::ask_to_leave)
            .footer("leave")
            .visible_if(LobbyTab::is_at_table)
            .enabled_if(LobbyTab::is_at_table)
            .disabled_reason("you are at no table"),
    ];
}

const GAME: FieldId = FieldId(0);
const CLOCK: FieldId = FieldId(1);
const SIDE: FieldId = FieldId(2);
const OPPONENT: FieldId = FieldId(3);

/// The fields of the game's rules, by index.
const fn rule(index: usize) -> FieldId {
    FieldId(16 + index as u16)
}

const NONE: &str = "none";
const ANYBODY: &str = "anybody";
const CLOCKS: [&str; 6] = [NONE, "1+1", "3+2", "5+3", "10+5", "15+10"];

/// Width of the dialog.
const WIDE: u16 = 60;

/// The dialog; every field is a choice.
pub(super) struct OpenTable {
    form: Form,
    variant: Variant,
}

fn choice((id, label): (FieldId, &'static str), values: &[&str], value: &str) -> Field {
    Field::choice(label, values.iter().map(|&value| value.to_owned()).collect(), value).named(id)
}

fn rule_fields(variant: &Variant) -> Vec<Field> {
    let field = |(index, one): (usize, Choice)| choice((rule(index), one.label), one.values, one.values[one.chosen]);
    variant.choices().into_iter().enumerate().map(field).collect()
}

fn side_field(variant: &Variant, seat: &str) -> Field {
    choice((SIDE, "You play"), &variant.seats(), seat)
}

impl OpenTable {
    pub fn new() -> OpenTable {
        let variant = Variant::usual()[0];
        let titles: Vec<&str> = Variant::usual().iter().map(Variant::title).collect();
        let opponents: Vec<&str> = [ANYBODY].into_iter().chain(Level::WORDS.iter().map(|(word, _)| *word)).collect();
        let mut fields = vec![choice((GAME, "Game"), &titles, variant.title())];
        fields.extend(rule_fields(&variant));
        fields.push(side_field(&variant, variant.seats()[0]));
        fields.push(choice((OPPONENT, "Opponent"), &opponents, ANYBODY));
        fields.push(choice((CLOCK, "Clock"), &CLOCKS, NONE));
        OpenTable { form: Form::new(fields), variant }
    }

    /// Applies the fields; another game brings its own rules and seats.
    fn follow(&mut self) {
        let title = self.form.value(GAME).to_owned();
        if title != self.variant.title() {
            let Some(variant) = Variant::usual().into_iter().find(|variant| variant.title() == title) else { return };
            let south = self.form.value(SIDE) == self.variant.seats()[0];
            let rules = self.variant.choices().len();
            let seat = variant.seats()[usize::from(!south)];
            let fields = rule_fields(&variant).into_iter().chain([side_field(&variant, seat)]);
            self.form.fields.splice(1..=rules + 1, fields);
            self.variant = variant;
        }
        for (index, one) in self.variant.choices().into_iter().enumerate() {
            let value = self.form.value(rule(index));
            if let Some(chosen) = one.values.iter().position(|known| *known == value) {
                self.variant = self.variant.choose(index, chosen);
            }
        }
    }

    fn terms(&self) -> Terms {
        let side = if self.form.value(SIDE) == self.variant.seats()[0] { Side::South } else { Side::North };
        // Each value is one of the choices above; the first ones are none.
        let control = self.form.value(CLOCK).parse().ok();
        Terms { variant: self.variant, control, side, engine: self.form.value(OPPONENT).parse().ok() }
    }
}

impl Overlay for OpenTable {
    fn key(&mut self, key: KeyEvent) -> Outcome {
        let outcome = self.form.key(key);
        self.follow();
        match outcome {
            FormKey::Submit => Outcome::TaskResult(Box::new(Message::Open(self.terms()))),
            FormKey::Cancel => Outcome::Close,
            FormKey::Used | FormKey::Ignored => Outcome::Stay,
        }
    }

    fn mouse(&mut self, mouse: crossterm::event::MouseEvent) -> Outcome {
        self.form.mouse(mouse);
        Outcome::Stay
    }

    fn draw(&mut self, area: Rect, buf: &mut Buffer, look: &Look) -> Option<(u16, u16)> {
        self.form.dialog(("Open a table", "Enter: open, Esc: cancel"), WIDE, area, buf, look)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::{KeyCode, KeyModifiers};

    #[test]
    fn another_game_brings_its_rules_and_keeps_the_side() {
        let mut dialog = OpenTable::new();
        let mut press = |code| dialog.key(KeyEvent::new(code, KeyModifiers::NONE));
        let go_to = |press: &mut dyn FnMut(KeyCode) -> Outcome, downs: usize| {
            (0..downs).for_each(|_| _ = press(KeyCode::Down));
        };
        let rules = Variant::usual()[0].choices().len();
        go_to(&mut press, rules + 1);
        press(KeyCode::Right);
        go_to(&mut press, 1);
        press(KeyCode::Right);
        go_to(&mut press, 1);
        press(KeyCode::Right);
        let terms = dialog.terms();
        assert_eq!(terms.variant, Variant::usual()[0]);
        assert_eq!((terms.side, terms.engine), (Side::North, Some(Level::Beginner)));
        assert_eq!(terms.control.unwrap().to_string(), "1+1");
        dialog.form.go_to(0);
        while dialog.form.value(GAME) != "Othello" {
            dialog.key(KeyEvent::new(KeyCode::Right, KeyModifiers::NONE));
        }
        let terms = dialog.terms();
        assert_eq!((terms.variant.name(), terms.side, terms.engine), ("othello", Side::North, Some(Level::Beginner)));
    }
}
