use super::*;

fn value<'a>(form: &'a Form, label: &str) -> &'a str {
    &form.fields.iter().find(|field| field.label == label).unwrap().value
}

fn press(form: &mut Form, code: KeyCode) -> FormKey {
    form.key(KeyEvent::new(code, KeyModifiers::NONE))
}

#[test]
fn choices_turn_and_text_is_typed() {
    let choices = vec!["standard".to_owned(), "empty".to_owned()];
    let mut form = Form::new(vec![Field::choice("rule", choices, "standard"), Field::text("name", vec![], "")]);
    assert_eq!(press(&mut form, KeyCode::Right), FormKey::Used);
    assert_eq!(value(&form, "rule"), "empty");
    press(&mut form, KeyCode::Char('s'));
    assert_eq!(value(&form, "rule"), "standard");
    press(&mut form, KeyCode::Tab);
    for c in "ab".chars() {
        press(&mut form, KeyCode::Char(c));
    }
    press(&mut form, KeyCode::Backspace);
    assert_eq!(value(&form, "name"), "a");
    assert_eq!(press(&mut form, KeyCode::Enter), FormKey::Submit);
    assert_eq!(press(&mut form, KeyCode::Esc), FormKey::Cancel);
}

#[test]
fn a_field_is_explained_while_it_has_the_focus_and_marked_when_it_was_changed() {
    let fields = vec![
        Field::text("depth", vec![], "4").explained("plies, 1 to 12", "4"),
        Field::text("ties", vec!["first".into(), "random".into()], "random").explained("which is played", "random"),
    ];
    let mut form = Form::new(fields);
    let area = Rect::new(0, 0, 36, 8);
    let text = |form: &mut Form| {
        let mut buf = Buffer::empty(area);
        form.draw(area, &mut buf, &crate::app::stage::look());
        (0..8).map(|y| (0..36).map(|x| buf[(x, y)].symbol()).collect::<String>() + "\n").collect::<String>()
    };
    assert!(text(&mut form).contains("  depth   4") && text(&mut form).contains("plies, 1 to 12. preset: 4"));
    press(&mut form, KeyCode::Char('6'));
    assert!(text(&mut form).contains("* depth   6"), "{}", text(&mut form));
    press(&mut form, KeyCode::Down);
    let second = text(&mut form);
    assert!(second.contains("which is played. preset: random") && !second.contains("plies"), "{second}");
    press(&mut form, KeyCode::Left);
    assert!(text(&mut form).contains("* ties    first"), "{}", text(&mut form));
}

#[test]
fn tab_completes_what_was_typed_and_else_continues() {
    let offers = ["max", "minimax:1", "minimax:12", "mcts:1000"].map(str::to_owned).to_vec();
    let mut form = Form::new(vec![Field::text("player", offers, ""), Field::text("seed", vec![], "")]);
    let mut typed = |text: &str| {
        form.go_to(0);
        text.chars().for_each(|c| _ = press(&mut form, KeyCode::Char(c)));
        let matches = form.fields[0].matches().len();
        press(&mut form, KeyCode::Tab);
        (value(&form, "player").to_owned(), form.focus, matches)
    };
    assert_eq!(typed("mi"), ("minimax:1".into(), 0, 2));
    assert_eq!(typed("MC"), ("mcts:1000".into(), 0, 1));
    // A value among the choices, a number that a choice continues, and text that no choice begins with.
    assert_eq!(typed("minimax:1"), ("minimax:1".into(), 1, 4));
    assert_eq!(typed("mcts:10"), ("mcts:10".into(), 1, 1));
    assert_eq!(typed("minimax:6"), ("minimax:6".into(), 1, 2));
    assert_eq!(typed("xyz"), ("xyz".into(), 1, 4));
    assert_eq!(typed(""), ("xyz".into(), 1, 4));
    // The arrows go to the choices that begin with the typed text.
    form.go_to(0);
    for key in [KeyCode::Char('m'), KeyCode::Char('i'), KeyCode::Left] {
        press(&mut form, key);
    }
    assert_eq!(value(&form, "player"), "minimax:12");
}

#[test]
fn the_arrows_move_the_caret_where_they_have_nothing_to_choose() {
    let mut form = Form::new(vec![Field::text("seed", vec![], "7"), Field::text("player", vec!["max".into()], "")]);
    for key in [KeyCode::Char('1'), KeyCode::Char('2'), KeyCode::Left, KeyCode::Char('3')] {
        press(&mut form, key);
    }
    assert_eq!(value(&form, "seed"), "132");
    press(&mut form, KeyCode::Down);
    for key in [KeyCode::Right, KeyCode::Char('m')] {
        press(&mut form, key);
    }
    assert_eq!(value(&form, "player"), "m");
}

#[test]
fn a_typo_at_the_front_is_corrected_there() {
    let offers = ["max", "minimax:8"].map(str::to_owned).to_vec();
    let mut form = Form::new(vec![Field::text("players", offers, "rndom,minimax:8,mcts:4000").at_most(26)]);
    let area = Rect::new(0, 0, 30, 5);
    let cursor = |form: &mut Form| form.draw(area, &mut Buffer::empty(area), &crate::app::stage::look()).unwrap().0;
    let end = cursor(&mut form);
    press(&mut form, KeyCode::Home);
    let begin = cursor(&mut form);
    assert!(begin < end && value(&form, "players") == "rndom,minimax:8,mcts:4000");
    press(&mut form, KeyCode::Right);
    press(&mut form, KeyCode::Char('a'));
    assert_eq!((cursor(&mut form), value(&form, "players")), (begin + 2, "random,minimax:8,mcts:4000"));
    press(&mut form, KeyCode::Char('n'));
    assert!(value(&form, "players") == "random,minimax:8,mcts:4000" && form.error.is_some(), "it is full");
    form.key(KeyEvent::new(KeyCode::Char('k'), KeyModifiers::CONTROL));
    form.paste("ndom, max");
    form.key(KeyEvent::new(KeyCode::Left, KeyModifiers::CONTROL));
    press(&mut form, KeyCode::Delete);
    assert_eq!(value(&form, "players"), "random, ax");
    // At the end the arrows select choices again.
    press(&mut form, KeyCode::End);
    press(&mut form, KeyCode::Right);
    assert_eq!(value(&form, "players"), "max");
}

#[test]
fn a_field_takes_what_it_holds_and_shows_what_it_left_out() {
    let fields = vec![Field::text("seed", vec![], "1").at_most(3), Field::text("player", vec![], "")];
    let mut form = Form::new(fields);
    form.paste("1\n2");
    assert_eq!((value(&form, "seed"), &form.error), ("12", &None));
    form.paste("34");
    assert_eq!(value(&form, "seed"), "123");
    assert_eq!(form.error.as_deref(), Some("seed: at most 3 characters; the rest was left out"));
    press(&mut form, KeyCode::Backspace);
    assert_eq!((value(&form, "seed"), &form.error), ("12", &None));
    press(&mut form, KeyCode::Char('7'));
    assert_eq!(form.error, None);
    press(&mut form, KeyCode::Char('8'));
    assert!(value(&form, "seed") == "127" && form.error.is_some());
    press(&mut form, KeyCode::Down);
    form.paste(&"é".repeat(5000));
    assert_eq!(value(&form, "player").chars().count(), 4096);
    assert!(form.error.as_ref().is_some_and(|error| error.contains("at most 4096")));
}

/// A pasted megabyte is shown at once, and each frame with it is drawn quickly.
#[test]
fn a_megabyte_can_be_pasted() {
    let mut form = Form::new(vec![Field::text("player", vec![], "").at_most(usize::MAX)]);
    let began = std::time::Instant::now();
    form.paste(&"0123456789 abcdef".repeat(1 << 16));
    let area = Rect::new(0, 0, 80, 10);
    for _ in 0..20 {
        let mut buf = Buffer::empty(area);
        form.draw(area, &mut buf, &crate::app::stage::look());
        assert_eq!(buf[(78, 0)].symbol(), "f");
    }
    assert!(began.elapsed() < std::time::Duration::from_secs(5), "{:?}", began.elapsed());
}

#[test]
fn an_error_is_reported_whole_and_the_field_stays_in_view() {
    let fields = (0..12).map(|index| Field::text(format!("field {index}"), vec![], "")).collect();
    let mut form = Form::new(fields);
    form.go_to(11);
    form.error = Some("one two three four five six seven eight nine ten".into());
    let area = Rect::new(0, 0, 20, 10);
    let mut buf = Buffer::empty(area);
    form.draw(area, &mut buf, &crate::app::stage::look());
    let text: String = (0..10).flat_map(|y| (0..20).map(move |x| (x, y))).map(|at| buf[at].symbol()).collect();
    assert!(text.contains("field 11") && text.contains("nine ten"), "{text}");
}
