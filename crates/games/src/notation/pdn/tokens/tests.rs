use super::super::words;
use super::*;

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Tokens::new(text);
    std::iter::from_fn(|| tokens.next().unwrap().map(|placed| placed.token)).collect()
}

#[test]
fn moves_are_read_in_every_form() {
    for (text, numbers) in [
        ("11-15", vec![11, 15]),
        ("11x18", vec![11, 18]),
        ("22:15", vec![22, 15]),
        ("22 x 15 x 8", vec![22, 15, 8]),
        ("11 -\n15", vec![11, 15]),
        ("09-13", vec![9, 13]),
        ("1–5", vec![1, 5]),
    ] {
        assert_eq!(tokens(text), [Token::Move(text)], "{text}");
        assert_eq!(squares(text), numbers);
    }
    assert_eq!(tokens("1115 822"), [Token::Digits("1115"), Token::Digits("822")]);
    let two = [Token::Number, Token::Move("11-15"), Token::Move("23-19")];
    for text in [
        "1. 11-15 23-19",
        "1.11-15 23-19",
        "1... 11-15 23-19",
        "1 ... 11-15 23-19",
        "1.… 11-15 23-19",
        "1) 11-15 23-19",
    ] {
        assert_eq!(tokens(text), two, "{text}");
    }
    assert_eq!(tokens("1 11-15 23-19"), [&[Token::Digits("1")], &two[1..]].concat());
    // A parenthesis after digits ends the open variation.
    assert_eq!(
        tokens("(913 2218) 2)"),
        [Token::Open, Token::Digits("913"), Token::Digits("2218"), Token::Close, Token::Number]
    );
}

#[test]
fn results_are_reported_from_moves_and_stars_from_stars() {
    for (text, result) in [
        ("1-0", "1-0"),
        ("0 - 1", "0-1"),
        ("1/2-1/2", "1/2-1/2"),
        ("1/2", "1/2-1/2"),
        ("½-½", "1/2-1/2"),
        ("1/2 - 1/2", "1/2-1/2"),
        ("2-0", "1-0"),
        ("0-2", "0-1"),
        ("1-1", "1/2-1/2"),
        ("0-0", "0-0"),
        ("*", "*"),
    ] {
        assert_eq!(tokens(text), [Token::Result(result)], "{text}");
        assert_eq!(words::result(text), Some(result), "{text}");
    }
    assert_eq!(tokens("1-10 1-18x25"), [Token::Move("1-10"), Token::Move("1-18x25")]);
    let forced = [Token::Move("11-15"), Token::Strength("*"), Token::Result("*")];
    assert_eq!(tokens("11-15* *"), forced);
    assert_eq!(words::result("won"), None);
}

#[test]
fn results_are_read_in_words() {
    for (text, result) in [
        ("Drawn", "1/2-1/2"),
        ("draw.", "1/2-1/2"),
        ("White wins", "0-1"),
        ("BLACK\nWON", "1-0"),
        ("White resigned.", "1-0"),
        ("Black resigns", "0-1"),
    ] {
        assert_eq!(tokens(text), [Token::Ended(text, result)], "{text}");
    }
    assert_eq!(tokens("Drawing White Whites won"), ["Drawing", "White", "Whites", "won"].map(Token::Other));
}

#[test]
fn words_in_parentheses_are_reported_from_moves() {
    let before = [Token::Comment("see game 3"), Token::Comment(" 2 games: 11-15"), Token::Comment("Drawn")];
    assert_eq!(tokens("(see game 3)( 2 games: 11-15)(Drawn)"), before);
    assert_eq!(tokens("(2)(913)")[..2], [Token::Comment("2"), Token::Open]);
    let moves = [Token::Open, Token::Move("9-13"), Token::Other("better"), Token::Close];
    assert_eq!(tokens("(9-13 better)"), moves);
    // Words with a parenthesis among them, or without an end, are not a comment.
    assert_eq!(tokens("(see (p. 3)"), [Token::Open, Token::Other("see"), Token::Comment("p. 3")]);
    assert_eq!(tokens("(see\n[Event \"a)\"]")[..2], [Token::Open, Token::Other("see")]);
}

#[test]
fn what_is_printed_of_moves_is_reported_from_them() {
    let printed = [
        Token::Move("11-15"),
        Token::Strength("!?"),
        Token::Nag(14),
        Token::Comment(" a (move) [%clk 1:55:21]"),
        Token::Open,
        Token::Move("9-13"),
        Token::Strength("??"),
        Token::Close,
        Token::Comment(" to the end"),
        Token::Move("23-19"),
    ];
    let text = "11-15!? $14 { a (move) [%clk 1:55:21]}(9-13(??)); to the end\n% nothing of the game 1-0\n23-19";
    assert_eq!(tokens(text), printed);
}

#[test]
fn headers_are_read_with_quotes_in_them() {
    let header = |name, value: &str| Token::Header(name, value.to_owned());
    assert_eq!(tokens("[Event \"a \\\"b\\\" c:\\d\"]"), [header("Event", "a \"b\" c:\\d")]);
    assert_eq!(tokens("[ A_1 \"x\" ] [B \"\"]11-15"), [header("A_1", "x"), header("B", ""), Token::Move("11-15")]);
    assert_eq!(tokens("[Event \"x]\n1."), [Token::Other("[Event \"x]"), Token::Number]);
}

#[test]
fn a_comment_left_open_ends_with_the_game() {
    let mut tokens = Tokens::new("1. { open\n[Event \"mine\"]\r\n\r\n[Event \"next\"] } 2.");
    assert_eq!(tokens.next().unwrap().unwrap().token, Token::Number);
    assert_eq!(tokens.next().err().unwrap().offset, 3);
    assert_eq!(tokens.next().unwrap().unwrap().token, Token::Header("Event", "next".into()));
}
