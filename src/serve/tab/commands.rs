//! The lobby's commands.

use super::LobbyTab;
use super::open_table::OpenTable;
use crate::app::command::{Command, CommandTable};
use crate::serve::lobby::Lobby;

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
