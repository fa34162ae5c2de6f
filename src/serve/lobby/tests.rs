use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::clean_name;
use super::*;
use crate::game::{Variant, notation};
use crate::network::Network;
use crate::player::offers::Level;

/// A session that counts its wakes and records why it ended.
#[derive(Default)]
struct Session {
    woken: AtomicU32,
    ended: Mutex<Option<String>>,
}

impl Link for Session {
    fn wake(&self) {
        self.woken.fetch_add(1, Ordering::Relaxed);
    }

    fn end(&self, why: &str) {
        *self.ended.lock().unwrap() = Some(why.to_owned());
    }
}

impl Session {
    fn woken(&self) -> u32 {
        self.woken.swap(0, Ordering::Relaxed)
    }

    fn ended(&self) -> Option<String> {
        self.ended.lock().unwrap().clone()
    }
}

/// A lobby with a clock that the test sets.
struct Stage {
    lobby: Lobby,
    now: Instant,
}

fn second(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn visitor(name: &str, key: Option<&str>, address: u8) -> Visitor {
    let network = Network::from_address([127, 0, 0, address].into());
    Visitor { name: name.to_owned(), key: key.map(str::to_owned), network }
}

impl Stage {
    fn new() -> Stage {
        Stage { lobby: Lobby::new(Limits::wide()), now: Instant::now() }
    }

    fn enter_with(&mut self, name: &str, key: Option<&str>) -> (Entry, Arc<Session>) {
        let session = Arc::new(Session::default());
        let link = Arc::clone(&session) as Arc<dyn Link>;
        (self.lobby.enter(visitor(name, key, 1), link, self.now).unwrap(), session)
    }

    /// Whether one more is let in from an address whose last number this is.
    fn lets_in(&mut self, name: &str, key: Option<&str>, address: u8) -> Result<Entry, String> {
        let link = Arc::new(Session::default()) as Arc<dyn Link>;
        self.lobby.enter(visitor(name, key, address), link, self.now).map_err(|error| error.to_string())
    }

    /// Lets a person in whose key is the name.
    fn enter(&mut self, name: &str) -> Entry {
        self.enter_with(name, Some(name)).0
    }

    fn pass(&mut self, time: Duration) {
        self.now += time;
        self.lobby.tick(self.now);
    }

    /// Two people at a table; South opened it.
    fn game(&mut self, game: &str, clock: Option<&str>) -> (Entry, Entry, TableId) {
        let anna = self.enter("anna");
        let bert = self.enter("bert");
        let table = self.lobby.open_table(anna.person, terms(game, clock, None), self.now).unwrap();
        self.lobby.sit(bert.person, table, self.now).unwrap();
        (anna, bert, table)
    }

    fn at(&self, person: Entry) -> TableView {
        self.lobby.view(person.person).unwrap().table.expect("at a table")
    }

    fn play(&mut self, person: Entry, text: &str) -> Result<(), Error> {
        let record = self.at(person).table.record;
        let mv = record.position().move_from_text(text).expect("a move");
        self.lobby.play(person.person, record.ply(), mv, self.now)
    }

    /// Lets both sides play the first legal move until the game ends.
    fn play_out(&mut self, south: Entry, north: Entry) {
        while self.at(south).table.phase == Phase::Playing {
            let record = self.at(south).table.record;
            let mover = if record.position().side() == Side::South { south } else { north };
            self.lobby.play(mover.person, record.ply(), record.position().moves()[0], self.now).unwrap();
        }
    }

    /// The result that the only game to be written has in its headers, or by its moves.
    fn written(&mut self) -> String {
        let ended = self.lobby.take_ended();
        assert_eq!(ended.len(), 1, "one game is handed out, once");
        let text = notation::write(&ended[0].1);
        let again = notation::read(&text).unwrap();
        assert_eq!(again.line().len(), ended[0].1.line().len());
        assert!(notation::unknown_headers(&again).is_empty());
        let header = |name: &str| again.header(name).map(|value| format!("{name} {value}"));
        let headers: Vec<String> = ["Resigned", "Termination", "Agreed"].into_iter().filter_map(header).collect();
        if headers.is_empty() { notation::result_text(&again) } else { headers.join(", ") }
    }
}

fn terms(game: &str, clock: Option<&str>, engine: Option<Level>) -> Terms {
    Terms {
        variant: game.parse().unwrap(),
        control: clock.map(|clock| clock.parse().unwrap()),
        side: Side::South,
        engine,
    }
}

#[test]
fn two_people_play_a_game_to_its_end_while_others_watch() {
    for game in Variant::usual() {
        let mut stage = Stage::new();
        let (anna, bert, table) = stage.game(&game.to_string(), None);
        let carl = stage.enter("carl");
        stage.lobby.watch(carl.person, table).unwrap();
        assert_eq!(stage.at(carl).side, None);
        assert_eq!(stage.at(anna).watchers, ["carl"]);
        let first = stage.at(carl).table.record.position().moves()[0];
        let refused = stage.lobby.play(carl.person, 0, first, stage.now).unwrap_err();
        assert_eq!(refused.to_string(), "you only watch here");
        assert!(stage.lobby.play(bert.person, 0, first, stage.now).is_err(), "South moves first");
        stage.play_out(anna, bert);
        let Phase::Ended(Finish::Over(_)) = stage.at(carl).table.phase else { panic!("{game}: not over") };
        assert_ne!(stage.written(), "*", "{game}");
        assert!(stage.lobby.take_ended().is_empty());
    }
}

#[test]
fn a_move_for_an_earlier_position_is_refused() {
    let mut stage = Stage::new();
    let (anna, bert, _) = stage.game("kalah", None);
    stage.play(anna, "A").unwrap();
    let mv = stage.at(bert).table.record.position().moves()[0];
    let refused = stage.lobby.play(bert.person, 0, mv, stage.now).unwrap_err();
    assert_eq!(refused.to_string(), "the position has changed");
    assert_eq!(stage.at(bert).table.record.ply(), 1);
}

#[test]
fn a_resigned_game_is_kept_with_its_result() {
    let mut stage = Stage::new();
    let (anna, bert, _) = stage.game("kalah", None);
    stage.play(anna, "A").unwrap();
    stage.lobby.resign(anna.person, stage.now).unwrap();
    assert_eq!(stage.written(), "Resigned South");
    let Phase::Ended(finish) = stage.at(bert).table.phase else { panic!() };
    assert_eq!(stage.at(bert).table.finish_text(finish), "anna resigned: bert wins");
    assert!(stage.lobby.resign(bert.person, stage.now).is_err());
}

#[test]
fn a_draw_needs_both_and_a_move_declines_it() {
    let mut stage = Stage::new();
    let (anna, bert, _) = stage.game("kalah", None);
    stage.lobby.offer_draw(anna.person, stage.now).unwrap();
    stage.lobby.offer_draw(anna.person, stage.now).unwrap();
    assert_eq!(stage.at(bert).table.phase, Phase::Playing);
    // The own move keeps the offer, the other side's declines it.
    stage.play(anna, "A").unwrap();
    assert_eq!(stage.at(bert).table.draw, Some(Side::South));
    stage.play(bert, "f").unwrap();
    assert_eq!(stage.at(bert).table.draw, None);
    stage.lobby.offer_draw(anna.person, stage.now).unwrap();
    stage.lobby.offer_draw(bert.person, stage.now).unwrap();
    assert_eq!(stage.at(bert).table.phase, Phase::Ended(Finish::Agreed));
    assert_eq!(stage.written(), "Agreed 1/2-1/2");
}

#[test]
fn a_rematch_swaps_the_sides() {
    let mut stage = Stage::new();
    let (anna, bert, _) = stage.game("othello", Some("5+3"));
    assert!(stage.lobby.rematch(anna.person, stage.now).is_err(), "the game is under way");
    stage.play_out(anna, bert);
    stage.lobby.rematch(anna.person, stage.now).unwrap();
    assert!(matches!(stage.at(anna).table.phase, Phase::Ended(_)));
    stage.lobby.rematch(bert.person, stage.now).unwrap();
    let view = stage.at(anna);
    assert_eq!((view.side, view.table.phase, view.table.games), (Some(Side::North), Phase::Playing, 2));
    assert_eq!(view.table.record.players, ["bert", "anna"]);
    assert!(view.table.record.is_empty());
    stage.play_out(bert, anna);
    assert_eq!(stage.lobby.take_ended().len(), 2);
}

#[test]
fn a_clock_that_falls_ends_the_game_without_anybodys_doing() {
    let mut stage = Stage::new();
    let (anna, bert, _) = stage.game("kalah", Some("1+2"));
    stage.pass(second(10));
    stage.play(anna, "A").unwrap();
    let clock = stage.at(anna).table.clock.unwrap();
    assert_eq!(clock.left(Side::South, stage.now), second(52), "the increment is added");
    assert_eq!(stage.lobby.deadline(stage.now), Some(stage.now + second(60)));
    stage.pass(second(59));
    assert_eq!(stage.at(bert).table.phase, Phase::Playing);
    stage.pass(second(1));
    assert_eq!(stage.at(bert).table.phase, Phase::Ended(Finish::OnTime(Side::North)));
    assert_eq!(stage.written(), "Resigned North, Termination time forfeit");
    assert_eq!(stage.lobby.deadline(stage.now), None);
}

#[test]
fn a_move_after_the_clock_has_fallen_comes_too_late() {
    let mut stage = Stage::new();
    let (anna, ..) = stage.game("kalah", Some("1"));
    stage.now += second(61);
    stage.play(anna, "A").unwrap();
    assert_eq!(stage.at(anna).table.phase, Phase::Ended(Finish::OnTime(Side::South)));
    assert_eq!(stage.at(anna).table.record.ply(), 0);
}

#[test]
fn a_person_whose_line_broke_comes_back_within_the_limit() {
    let mut stage = Stage::new();
    let (anna, bert, table) = stage.game("kalah", None);
    stage.play(anna, "A").unwrap();
    stage.lobby.exit(bert, Exit::Broken, stage.now);
    assert_eq!(stage.at(anna).away_until[Side::North.index()], Some(stage.now + second(60)));
    stage.pass(second(59));
    // Another key does not get the seat, nor does another name.
    let (other, _) = stage.enter_with("bert", Some("another key"));
    assert_eq!(stage.lobby.view(other.person).unwrap().name, "bert-2");
    let (renamed, _) = stage.enter_with("berta", Some("bert"));
    assert!(stage.lobby.view(renamed.person).unwrap().table.is_none());
    let back = stage.enter("bert");
    assert_eq!(back.person, bert.person);
    assert_eq!((stage.at(back).table.id, stage.at(back).side), (table, Some(Side::North)));
    assert_eq!(stage.at(anna).away_until, [None, None]);
    // The limit no longer counts, and the end of the broken line is not that of the new one.
    stage.lobby.exit(bert, Exit::Broken, stage.now);
    stage.pass(second(600));
    stage.play(back, "f").unwrap();
    assert_eq!(stage.at(anna).table.phase, Phase::Playing);
}

#[test]
fn a_person_who_does_not_come_back_loses() {
    let mut stage = Stage::new();
    let (anna, bert, table) = stage.game("kalah", None);
    stage.play(anna, "A").unwrap();
    stage.lobby.exit(bert, Exit::Broken, stage.now);
    assert_eq!(stage.lobby.deadline(stage.now), Some(stage.now + second(60)));
    stage.pass(second(60));
    assert_eq!(stage.written(), "Resigned North, Termination abandoned");
    let view = stage.at(anna);
    assert!(view.table.seats[Side::North.index()].is_none());
    let Phase::Ended(finish) = view.table.phase else { panic!() };
    assert_eq!(view.table.finish_text(finish), "bert left: anna wins");
    let late = stage.enter("bert");
    assert_ne!(late.person, bert.person);
    assert!(stage.lobby.view(late.person).unwrap().table.is_none());
    // The seat is free for the next one.
    stage.lobby.sit(late.person, table, stage.now).unwrap();
    assert_eq!(stage.at(anna).table.games, 2);
}

#[test]
fn a_person_without_a_key_cannot_come_back() {
    let mut stage = Stage::new();
    let (anna, _) = stage.enter_with("anna", None);
    let bert = stage.enter("bert");
    let table = stage.lobby.open_table(anna.person, terms("kalah", None, None), stage.now).unwrap();
    stage.lobby.sit(bert.person, table, stage.now).unwrap();
    stage.play(anna, "A").unwrap();
    stage.lobby.exit(anna, Exit::Broken, stage.now);
    assert_eq!(stage.written(), "Resigned South, Termination abandoned");
    let (again, _) = stage.enter_with("anna", None);
    assert!(stage.lobby.view(again.person).unwrap().table.is_none());
}

#[test]
fn a_second_session_of_a_person_replaces_the_first() {
    let mut stage = Stage::new();
    let (first, session) = stage.enter_with("anna", Some("key"));
    stage.lobby.open_table(first.person, terms("kalah", None, None), stage.now).unwrap();
    let (second, _) = stage.enter_with("anna", Some("key"));
    assert_eq!(first.person, second.person);
    assert_eq!(session.ended().as_deref(), Some("You have connected again from elsewhere."));
    stage.lobby.exit(first, Exit::Broken, stage.now);
    assert!(stage.at(second).away_until.iter().all(Option::is_none));
    assert_eq!(stage.lobby.view(second.person).unwrap().people.len(), 1);
}

#[test]
fn quitting_loses_the_game_and_an_empty_table_closes() {
    let mut stage = Stage::new();
    let (anna, bert, table) = stage.game("kalah", None);
    let carl = stage.enter("carl");
    stage.lobby.watch(carl.person, table).unwrap();
    stage.play(anna, "A").unwrap();
    stage.lobby.exit(anna, Exit::Quit, stage.now);
    assert_eq!(stage.written(), "Resigned South, Termination abandoned");
    stage.lobby.leave(bert.person, stage.now);
    let view = stage.lobby.view(carl.person).unwrap();
    assert!(view.tables.is_empty() && view.table.is_none());
    assert_eq!(view.people.iter().map(|person| person.name.as_str()).collect::<Vec<_>>(), ["bert", "carl"]);
    // Leaving a game is resigning it.
    let other = stage.lobby.open_table(carl.person, terms("kalah", None, None), stage.now).unwrap();
    assert!(other > table, "numbers are not used again");
    stage.lobby.sit(bert.person, other, stage.now).unwrap();
    stage.play(carl, "B").unwrap();
    stage.lobby.leave(carl.person, stage.now);
    assert_eq!(stage.written(), "Resigned South");
}

#[test]
fn an_engine_gets_each_turn_once_and_late_answers_are_dropped() {
    let mut stage = Stage::new();
    let anna = stage.enter("anna");
    let easy = terms("kalah:6x4:empty", None, Some(Level::Easy));
    stage.lobby.open_table(anna.person, easy, stage.now).unwrap();
    assert!(stage.lobby.take_engine_turns().is_empty());
    stage.play(anna, "A").unwrap();
    let [turn] = &stage.lobby.take_engine_turns()[..] else { panic!("one turn") };
    assert_eq!((turn.level, turn.record.ply()), (Level::Easy, 1));
    assert!(stage.lobby.take_engine_turns().is_empty());
    assert!(stage.lobby.offer_draw(anna.person, stage.now).is_err());
    let mv = turn.record.position().moves()[0];
    stage.lobby.engine_moves(turn, Some(mv), stage.now);
    stage.lobby.engine_moves(turn, Some(mv), stage.now);
    assert_eq!(stage.at(anna).table.record.ply(), 2);
    stage.lobby.resign(anna.person, stage.now).unwrap();
    assert_eq!(stage.at(anna).table.record.players[1], "minimax:2:spread=1");
    // A rematch begins at once, and the engine has the first move.
    stage.lobby.rematch(anna.person, stage.now).unwrap();
    let [first] = &stage.lobby.take_engine_turns()[..] else { panic!("one turn") };
    stage.lobby.engine_moves(turn, Some(mv), stage.now);
    assert_eq!(stage.at(anna).table.record.ply(), 0, "that was the game before");
    stage.lobby.engine_moves(first, None, stage.now);
    assert_eq!(stage.at(anna).table.phase, Phase::Ended(Finish::Resigned(Side::South)));
}

#[test]
fn the_chat_is_sanitized_and_bounded() {
    let mut stage = Stage::new();
    let (anna, bert, _) = stage.game("kalah", None);
    stage.lobby.say(anna.person, "  hello\x1b[2J\u{202e}\n ").unwrap();
    stage.lobby.say(anna.person, "   ").unwrap();
    let last = stage.at(bert).table.chat.back().unwrap().clone();
    assert_eq!((last.name.as_deref(), last.text.as_str()), (Some("anna"), "hello\u{fffd}[2J\u{fffd}"));
    stage.lobby.say(bert.person, &"x".repeat(1000)).unwrap();
    assert_eq!(stage.at(anna).table.chat.back().unwrap().text.len(), CHAT);
    (0..100).for_each(|_| stage.lobby.say(bert.person, "again").unwrap());
    assert_eq!(stage.at(anna).table.chat.len(), 50);
    let carl = stage.enter("carl");
    assert_eq!(stage.lobby.say(carl.person, "?").unwrap_err().to_string(), "you are at no table");
}

#[test]
fn names_are_reduced_to_what_fits_everywhere() {
    for (text, name) in [
        ("anna", "anna"),
        ("a/../b\x1b[1m", "a..b1m"),
        ("external:rm -rf", "externalrm-rf"),
        ("", "guest"),
        ("::", "guest"),
        ("Jürgen_2", "Jrgen_2"),
        ("\u{3164}", "guest"),
        ("\u{115f}.\u{ffa0}", "guest"),
        ("\u{ff41}nna\u{345}", "nna"),
        ("abcdefghijklmnopqrst", "abcdefghijklmnop"),
    ] {
        assert_eq!(clean_name(text), name);
    }
}

#[test]
fn a_name_that_looks_like_a_taken_one_is_numbered() {
    let mut stage = Stage::new();
    let names = ["anna", "Anna", "a.nna", "anna\u{345}", "all0", "A1lO", "empty"].map(|name| {
        let (entry, _) = stage.enter_with(name, None);
        stage.lobby.view(entry.person).unwrap().name
    });
    assert_eq!(names, ["anna", "Anna-2", "a.nna-3", "anna-4", "all0", "A1lO-2", "empty-2"]);
    // Who comes back under a numbered name is the same person.
    let [first, again] = [0; 2].map(|_| stage.enter_with("ANNA", Some("key")).0);
    assert_eq!(first.person, again.person);
}

/// People open tables, break the line and come again under other keys.
#[test]
fn those_who_are_away_are_counted_by_address_key_and_in_all() {
    let mut stage = Stage::new();
    stage.lobby.limits = Limits { sessions: 12, by_address: 5, ..Limits::wide() };
    let mut refused = Vec::new();
    for at in 0..200 {
        match stage.lets_in(&format!("guest{at}"), Some(&format!("key{}", at / 4)), at / 20) {
            Ok(entry) => {
                stage.lobby.open_table(entry.person, terms("kalah", None, None), stage.now).unwrap();
                stage.lobby.exit(entry, Exit::Broken, stage.now);
            }
            Err(reason) => refused.push(reason),
        }
    }
    assert_eq!(stage.lobby.table_numbers().count(), 12);
    for what in
        ["too many guests from your address", "at most 3 guests have the same key", "as many guests as it allows"]
    {
        assert!(refused.iter().any(|reason| reason.contains(what)), "{what}: {refused:?}");
    }
    // A guest who is away comes back although all places are taken.
    assert!(stage.lets_in("guest0", Some("key0"), 9).is_ok());
    stage.pass(second(60));
    assert!(stage.lets_in("new", None, 0).is_ok());
}

#[test]
fn only_sessions_that_show_a_change_are_woken() {
    let mut stage = Stage::new();
    let (anna, a) = stage.enter_with("anna", Some("a"));
    let (bert, b) = stage.enter_with("bert", Some("b"));
    let (carl, c) = stage.enter_with("carl", Some("c"));
    let table = stage.lobby.open_table(anna.person, terms("kalah", None, None), stage.now).unwrap();
    stage.lobby.sit(bert.person, table, stage.now).unwrap();
    let other = stage.lobby.open_table(carl.person, terms("kalah", None, None), stage.now).unwrap();
    let (_, d) = stage.enter_with("dora", Some("d"));
    stage.lobby.wake();
    let _ = [&a, &b, &c, &d].map(|session| session.woken());
    stage.play(anna, "A").unwrap();
    stage.lobby.wake();
    assert_eq!([&a, &b, &c, &d].map(|session| session.woken()), [1, 1, 0, 1], "carl sits at table {other}");
    stage.lobby.wake();
    assert_eq!([&a, &b, &c, &d].map(|session| session.woken()), [0; 4]);
}

#[test]
fn a_stop_hands_out_all_games_unfinished_and_reports_it_to_everybody() {
    let mut stage = Stage::new();
    let (anna, session) = stage.enter_with("anna", Some("a"));
    let bert = stage.enter("bert");
    let table = stage.lobby.open_table(anna.person, terms("kalah", None, None), stage.now).unwrap();
    stage.lobby.sit(bert.person, table, stage.now).unwrap();
    stage.play(anna, "A").unwrap();
    stage.lobby.stop("The end.", stage.now);
    assert_eq!(session.ended().as_deref(), Some("The end."));
    assert_eq!(stage.written(), "*");
}

#[test]
fn who_is_here_and_what_they_do() {
    let mut stage = Stage::new();
    let (anna, bert, table) = stage.game("kalah", None);
    let carl = stage.enter("carl");
    stage.lobby.watch(carl.person, table).unwrap();
    let dora = stage.enter("dora");
    stage.lobby.exit(bert, Exit::Broken, stage.now);
    let view = stage.lobby.view(dora.person).unwrap();
    let people: Vec<String> = view.people.iter().map(|p| format!("{} {} {}", p.name, p.doing, p.is_away)).collect();
    assert_eq!(
        people,
        [
            "anna plays at table 1 false",
            "bert plays at table 1 true",
            "carl watches table 1 false",
            "dora in the lobby false"
        ]
    );
    let row = &view.tables[0];
    assert_eq!((row.names.clone(), row.is_open, row.watchers), (["anna".into(), "bert".into()], false, 1));
    assert!(stage.lobby.sit(dora.person, table, stage.now).unwrap_err().to_string().contains("both seats"));
    let busy = stage.lobby.open_table(anna.person, terms("kalah", None, None), stage.now).unwrap_err();
    assert_eq!(busy.to_string(), "you are at table 1: leave it first");
}

#[test]
fn a_person_begins_a_few_games_a_minute() {
    let mut stage = Stage::new();
    let anna = stage.enter("anna");
    let bert = stage.enter("bert");
    let against_engine = terms("kalah", None, Some(Level::Easy));
    for _ in 0..GAMES_A_MINUTE {
        stage.lobby.open_table(anna.person, against_engine, stage.now).unwrap();
        stage.lobby.leave(anna.person, stage.now);
    }
    let refused = stage.lobby.open_table(anna.person, against_engine, stage.now).unwrap_err();
    assert_eq!(refused.to_string(), "6 games a minute are the limit: wait 60 s");
    // A table without an engine begins no game.
    let table = stage.lobby.open_table(anna.person, terms("kalah", None, None), stage.now).unwrap();
    stage.lobby.sit(bert.person, table, stage.now).unwrap();
    stage.lobby.resign(bert.person, stage.now).unwrap();
    assert!(stage.lobby.rematch(anna.person, stage.now).is_err());
    stage.pass(MINUTE);
    stage.lobby.rematch(anna.person, stage.now).unwrap();
    stage.lobby.rematch(bert.person, stage.now).unwrap();
    assert_eq!(stage.at(anna).table.phase, Phase::Playing);
}
