use std::thread;

use super::*;
use crate::network::Network;
use crate::player::offers::Level;
use crate::serve::lobby::{Link, Visitor};
use crate::serve::table::{Phase, Terms};

struct Nobody;

impl Link for Nobody {
    fn wake(&self) {}

    fn end(&self, _: &str) {}
}

/// Time after which a test fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// Opens a table against an engine, plays a move and waits until the engine has moved; resigns then.
fn play(shared: &SharedLobby, person: PersonId) {
    let terms = Terms {
        variant: "kalah".parse().unwrap(),
        control: None,
        side: crate::game::Side::South,
        engine: Some(Level::Beginner),
    };
    shared.act(|lobby, now| lobby.open_table(person, terms, now)).unwrap();
    let table = || shared.view(person).unwrap().table.unwrap().table;
    let mv = table().record.position().move_from_text("A").unwrap();
    shared.act(|lobby, now| lobby.play(person, 0, mv, now)).unwrap();
    let deadline = Instant::now() + PATIENCE;
    while table().record.ply() < 2 {
        assert!(Instant::now() < deadline, "the engine does not move");
        thread::sleep(Duration::from_millis(1));
    }
    shared.act(|lobby, now| lobby.resign(person, now)).unwrap();
    assert!(matches!(table().phase, Phase::Ended(_)));
    shared.act(|lobby, now| lobby.leave(person, now));
}

#[test]
fn games_that_cannot_be_written_keep_nobody_from_playing() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    std::fs::write(&games, "a file in the place of the folder").unwrap();
    let shared = SharedLobby::new(Limits::wide());
    let (ended, end) = crossbeam_channel::bounded(1);
    let keeper = {
        let shared = Arc::clone(&shared);
        let games = games.clone();
        thread::spawn(move || {
            shared.run(Some(games), 100, &Pool::alone());
            ended.send(()).unwrap();
        })
    };
    let network = Network::from_address([127, 0, 0, 1].into());
    let visitor = Visitor { name: "anna".to_owned(), key: None, network };
    let anna = shared.act(|lobby, now| lobby.enter(visitor, Arc::new(Nobody), now)).unwrap().person;
    (0..3).for_each(|_| play(&shared, anna));
    shared.stop("the server ends");
    end.recv_timeout(PATIENCE).expect("the thread ends");
    keeper.join().unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}
