//! Two people in one lobby, without a network: keys go in, screens come out.

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, unbounded};

use super::LobbyTab;
use crate::app::stage::{SIZES, Stage, config};
use crate::network::Network;
use crate::serve::limits::Limits;
use crate::serve::link::SessionLink;
use crate::serve::lobby::{Exit, Link, Visitor};
use crate::serve::shared::SharedLobby;
use crate::term::{EndHandle, Event};

/// A person's app, whose only tab is the lobby.
struct Guest {
    stage: Stage,
    entry: crate::serve::lobby::Entry,
    /// The wakes.
    events: Receiver<Event>,
}

impl Guest {
    fn enter(shared: &Arc<SharedLobby>, name: &str) -> Guest {
        let (sender, events) = unbounded();
        let link = Arc::new(SessionLink::new(sender, EndHandle::default()));
        let network = Network::from_address([127, 0, 0, 1].into());
        let visitor = Visitor { name: name.to_owned(), key: Some(name.to_owned()), network };
        let entry = shared.act(|lobby, now| lobby.enter(visitor, Arc::clone(&link) as Arc<dyn Link>, now)).unwrap();
        let tab = LobbyTab::new(Arc::clone(shared), entry.person, link);
        Guest { stage: Stage::with_tabs(config(), vec![Box::new(tab)]), entry, events }
    }

    /// The screen after what the others did.
    fn sees(&mut self) -> String {
        self.stage.pass(Duration::ZERO);
        SIZES.map(|(width, height)| self.stage.screen(width, height)).into_iter().next().unwrap_or_default()
    }

    #[track_caller]
    fn until(&mut self, text: &str) {
        let screen = self.sees();
        assert!(screen.contains(text), "no '{text}':\n{screen}");
    }
}

#[test]
fn two_people_and_a_watcher_at_a_table() {
    let shared = SharedLobby::new(Limits::wide());
    let [mut anna, mut bert, mut carl] = ["anna", "bert", "carl"].map(|name| Guest::enter(&shared, name));
    anna.until("No tables yet");
    anna.stage.keys("n enter");
    anna.until("Waiting for somebody to sit down");
    bert.until("anna v empty");
    bert.stage.keys("enter");
    bert.until("anna is to move");
    carl.sees();
    carl.until("anna v bert");
    carl.stage.keys("w");
    carl.until("carl · table 1 · Kalah 6×4");
    anna.until("Chat: carl watches");
    carl.stage.keys("a R D");
    anna.until("Your move");
}

#[test]
fn moves_offers_and_the_chat_reach_both_sides() {
    let shared = SharedLobby::new(Limits::wide());
    let [mut anna, mut bert] = ["anna", "bert"].map(|name| Guest::enter(&shared, name));
    anna.stage.keys("n enter");
    bert.sees();
    bert.stage.keys("enter");
    anna.until("Your move");
    // An empty pit, a pit that sows, and one key too many.
    anna.stage.keys("a b");
    anna.until("bert is to move");
    bert.until("Your move");
    bert.until("1. A");
    anna.stage.keys("/").text("good luck, q R");
    anna.until("> good luck, q R_");
    anna.stage.keys("enter");
    bert.until("anna: good luck, q R");
    bert.stage.keys("D");
    anna.until("bert offers a draw (D: accept)");
    anna.stage.keys("D");
    bert.until("draw by agreement (M: rematch)");
    bert.stage.keys("M");
    anna.until("(M: accept the rematch)");
    anna.stage.keys("M");
    anna.until("bert is to move");
    anna.stage.keys("R y");
    bert.until("anna resigned: bert wins");
    bert.stage.keys("L");
    // The rematch has swapped the sides.
    bert.until("empty v anna");
    anna.until("bert leaves the table");
    assert!(!anna.events.is_empty());
}

#[test]
fn a_broken_line_is_shown_with_the_time_that_is_left() {
    let shared = SharedLobby::new(Limits { come_back: Duration::from_secs(90), ..Limits::wide() });
    let [mut anna, mut bert] = ["anna", "bert"].map(|name| Guest::enter(&shared, name));
    anna.stage.keys("n enter");
    bert.sees();
    bert.stage.keys("enter");
    shared.act(|lobby, now| lobby.exit(bert.entry, Exit::Broken, now));
    anna.until("away, 1:");
    anna.until("bert has lost the connection");
    let mut bert = Guest::enter(&shared, "bert");
    bert.until("anna is to move");
    anna.until("bert is back");
    assert!(!anna.sees().contains("away"));
}

#[test]
fn quitting_a_game_is_confirmed() {
    let shared = SharedLobby::new(Limits::wide());
    let [mut anna, mut bert] = ["anna", "bert"].map(|name| Guest::enter(&shared, name));
    anna.stage.keys("n enter");
    bert.sees();
    bert.stage.keys("enter");
    bert.until("anna is to move");
    bert.stage.keys("q");
    bert.until("Your game at table 1 is lost if you quit.");
}

#[test]
fn the_cursor_goes_with_the_tables_and_the_squares() {
    let shared = SharedLobby::new(Limits::wide());
    let [mut anna, mut bert, mut carl] = ["anna", "bert", "carl"].map(|name| Guest::enter(&shared, name));
    anna.stage.keys("n").cursor_follows("down tab up up");
    anna.stage.keys("right enter");
    bert.stage.keys("n enter");
    carl.until("anna v empty");
    carl.until("bert v empty");
    let first = carl.stage.cursor(80, 24).0;
    carl.stage.keys("down");
    let second = carl.stage.cursor(80, 24).0;
    assert_eq!((second.0, second.1), (first.0, first.1 + 1), "a row further down");
    carl.stage.keys("up enter");
    anna.until("Your move");
    anna.until("Othello");
    anna.stage.keys("right");
    let first = anna.stage.cursor(80, 24).0;
    anna.stage.keys("right");
    let second = anna.stage.cursor(80, 24).0;
    assert_eq!((second.0 - first.0, second.1), (4, first.1), "a square further right");
    // A game of pits has no cursor: the line below the board, then the pit that was sown; and what is typed.
    bert.stage.keys("a");
    let waiting = bert.stage.cursor(80, 24).0;
    let mut dora = Guest::enter(&shared, "dora");
    dora.until("bert v empty");
    dora.stage.keys("down enter");
    bert.until("Your move");
    let status = bert.stage.cursor(80, 24).0;
    assert_eq!(status, waiting);
    let sown = ["a", "b"].map(|pit| {
        bert.stage.keys(pit);
        bert.stage.cursor(80, 24).0
    });
    assert_ne!(sown[0], status);
    bert.stage.keys("/").text("ab");
    let typed = bert.stage.cursor(80, 24).0;
    bert.stage.text("c");
    assert_eq!(bert.stage.cursor(80, 24).0, (typed.0 + 1, typed.1));
}
