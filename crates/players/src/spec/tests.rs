//! Player texts: their parsing, their formatting, and the errors of invalid ones.

use super::*;

#[test]
fn texts_come_back_the_same() {
    let eleven = "heuristic:3@0.1,0.2,0.9,1,0.8,1,1,0,0.1,0.5,0.7:judged=path:net=best";
    let same = [
        "human",
        "random",
        "max",
        "minimax:8",
        "minimax:20:ms=500",
        "minimax:4:ties=random",
        "minimax:4:ms=9:ties=random",
        "heuristic:4",
        "heuristic:20@table3-19",
        "heuristic:1@0.5,-1,0,1,0,0,0,0,0,100:ties=random",
        "heuristic:4@table3-1:ties=random:judged=path:near=indicator",
        "heuristic:4:net=best",
        eleven,
        "mcts:4000",
        "mcts:1:eps=0.25",
        "mcts:ms=500",
        "mcts:9:rollout=random:reuse=yes",
        "mcts:ms=5:reuse=no",
        "mcts:800:net=best",
        "mcts:ms=500:net=best:c=0.5",
        "a3c",
        "a3c:temp=0.5",
        "samuel:6",
        "samuel:ms=500",
        "samuel:8@pieces:ms=500:ties=random:prune=on:quiet=off",
        "staged:( white ),75,( / ( + white 10 ) black_edges ),25",
        "staged:( * white_near_corners -2.5 ):depth=4:overlap=20:near=x:edges=whole",
    ];
    let others = [
        (" Minimax:8:ties=first ", "minimax:8"),
        ("heuristic", "heuristic:4"),
        ("heuristic@default", "heuristic:4"),
        (" Heuristic:4@default:ties=first:judged=root:near=difference ", "heuristic:4"),
        ("Heuristic@default:net=best", "heuristic:4:net=best"),
        ("heuristic:2:net=best:ties=random", "heuristic:2:ties=random:net=best"),
        ("heuristic:2:ties=random:net=best:near=indicator", "heuristic:2:ties=random:near=indicator:net=best"),
        ("mcts:500:eps=0.10:reuse=no", "mcts:500"),
        ("mcts:1:reuse=no:eps=0.1", "mcts:1"),
        ("MCTS:800:c=2:net=best", "mcts:800:net=best:c=2"),
        ("mcts:1:net=best:c=1.50", "mcts:1:net=best"),
        ("mcts:1:temp=3:net=best:c=2", "mcts:1:net=best:c=2:temp=3"),
        ("mcts:1:net=best:temp=0.5:c=2", "mcts:1:net=best:c=2:temp=0.5"),
        ("A3C:best:greedy=yes", "a3c:greedy=yes"),
        ("staged:( white ),100", "staged:( white )"),
    ];
    for (text, written) in same.map(|text| (text, text)).into_iter().chain(others) {
        let spec: Spec = text.parse().unwrap();
        assert_eq!((spec.to_string().as_str(), Spec::file_in(text).unwrap()), (written, None));
        assert_eq!(written.parse::<Spec>().unwrap(), spec);
    }
    let Ok(Spec::Hybrid(hybrid)) = eleven.parse() else { panic!("{eleven}") };
    assert_eq!(hybrid.plain.reading.judged, crate::search::alpha_beta::JudgedMove::Path);
}

#[test]
fn it_is_printed_which_file_a_player_is_in_without_opening_it() {
    let file = |text: &str| Spec::file_in(text).unwrap().map(|path| path.display().to_string());
    assert_eq!(file("heuristic:2@table3-3:ties=random"), None);
    assert_eq!(file("heuristic:4@1,0,0,0,0,0,0,0,0,0"), None);
    assert_eq!(file("program:figure5-2"), None);
    assert_eq!(file("program:random:7"), None);
    // None of these files exists.
    for (text, named) in [
        ("program:no/such: file", "no/such: file"),
        ("heuristic:4@no/such:w.toml:ties=random", "no/such:w.toml"),
        ("heuristic:4:net=no/such:a:ties=random", "no/such:a"),
        ("heuristic:4@no/such.toml:ties=random:net=best", "no/such.toml"),
        ("mcts:9:net=no/such:a:c=2", "no/such:a"),
        ("mcts:9:net=./best", "./best"),
        ("a3c:./best", "./best"),
        ("a3c:no/such:a:temp=2", "no/such:a"),
    ] {
        assert_eq!(file(text).as_deref(), Some(named), "{text}");
    }
    assert!("program:no/such".parse::<Spec>().is_err());
    for text in ["deep", "minimax:0", "program:", "program:random:x", "heuristic:4@", "heuristic:4@1,2"] {
        assert!(Spec::file_in(text).is_err(), "{text}");
        assert_eq!(Spec::file_in(text).unwrap_err(), text.parse::<Spec>().unwrap_err());
    }
}

#[test]
fn errors_say_what_would_be_accepted() {
    let error = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
    assert_eq!(error("minimax"), "minimax depth must be 1 to 60, as in minimax:8");
    assert_eq!(error("minimax:0"), "minimax depth must be 1 to 60, as in minimax:8 (got 0)");
    assert_eq!(error("minimax:8:ms=0"), "ms must be a number of milliseconds from 1 to 3600000 (got 0)");
    assert_eq!(
        error("minimax:8:fast"),
        "minimax takes ms=T, clock=T|T+INC, eval=best|discs|pieces, ties=first|last|random|window, spread=S, tables=yes|no and threads=T (got fast)"
    );
    assert_eq!(error("max:3"), "max takes ties=first|last|random|window and chain=yes|no (got 3)");
    let functions = "functions with their shares of the game in percent, as in staged:( white ),75,( white_corners ),25, or a \
                     file with such a text";
    assert_eq!(error("staged"), format!("staged needs {functions}"));
    assert_eq!(error("staged::depth=2"), format!("staged needs {functions}"));
    assert_eq!(error("staged:( white ):depth=21"), "depth must be a whole number from 1 to 20 (got 21)");
    assert_eq!(error("staged:( white ):overlap=x"), "overlap must be a whole number from 0 to 100 (got x)");
    assert_eq!(error("staged:( white ):near=c"), "near must be x or all (got c)");
    assert_eq!(
        error("staged:( white ):deep=2"),
        "staged takes depth=D, overlap=P, near=x|all and edges=whole|plain (got deep=2)"
    );
    let share = "a share in percent, a whole number from 1 to 100";
    for (text, place, expected) in [
        ("( white ),75", "line 1, column 13: the text ends here", "shares that add up to 100; they add up to 75"),
        ("( white ),0", "line 1, column 11: found '0'", share),
        ("( white ), 7.5,( black ),92", "line 1, column 12: found '7.5'", share),
        ("( white ),", "line 1, column 11: the text ends here", share),
        (
            "( white ),50,( black )",
            "line 1, column 23: the text ends here",
            "a comma and a share in percent, as in ( white ),100",
        ),
        ("( white ),75,( + black ),25", "line 1, column 24: found ')'", "a number, a count such as white or '('"),
    ] {
        assert_eq!(error(&format!("staged:{text}")), format!("staged: {place}; expected {expected}"));
    }
    assert!(error("deep").starts_with("no player is named 'deep'; known: human, random,"));
}

#[test]
fn players_of_packed_kalah_say_how_many_pits_they_take() {
    let checked = |player: &str, game: &str| {
        let player: Spec = player.parse().unwrap();
        check_plays(&player, &game.parse().unwrap()).map_err(|error| error.to_string())
    };
    assert_eq!(
        checked("heuristic:4", "kalah:9x4"),
        Err("'heuristic:4' does not play kalah:9x4:standard: heuristic plays at most 8 pits a side".into())
    );
    for player in ["minimax:4", "mcts:100", "random", "max"] {
        assert_eq!(checked(player, "kalah:12x12"), Ok(()));
    }
}
