use super::super::{Source, parse};
use super::*;

/// Settings with a number, a text and a list.
#[derive(Clone, PartialEq, Debug, Default)]
struct Three {
    number: f64,
    text: String,
    list: Vec<String>,
}

impl SettingsTable for Three {
    fn entries() -> Vec<Entry<Three>> {
        vec![
            Entry::new(
                "number",
                "a number from -9 to 9",
                |s: &Three| format!("{:?}", s.number),
                |s, text| real(text, -9.0, 9.0).map(|number| s.number = number),
            ),
            Entry::new(
                "text",
                "a text",
                |s: &Three| s.text.clone(),
                |s, text| {
                    text.clone_into(&mut s.text);
                    Ok(())
                },
            ),
            Entry::new(
                "list",
                "texts",
                |s: &Three| list_of(&s.list),
                |s, text| texts(text, "texts").map(|list| s.list = list),
            ),
        ]
    }
}

fn reread(written: &Three) -> Three {
    let mut read = Three::default();
    let source = Source::new("run.toml", written.to_text());
    parse(&source, |table, problems| read.read(table, problems)).unwrap_or_else(|report| panic!("{report}"));
    read
}

#[test]
fn texts_that_look_like_something_else_come_back() {
    for text in [
        "infinity",
        "nan",
        ".5",
        "1.",
        "007",
        "+1",
        "true",
        "[",
        "[1",
        "[1, 2]",
        "# no",
        "\"",
        "\"\"\"",
        "é\u{1b}\n\r\u{7f}\u{202e}\\",
        "1\n2 = 3",
        "1 # x",
    ] {
        let one = Three { number: -0.5, text: text.to_owned(), list: vec![text.to_owned(), "a, b".to_owned()] };
        assert_eq!(reread(&one), one, "{}", one.to_text());
    }
}

#[test]
fn lists_are_read_as_toml_or_with_commas() {
    for text in ["[\"a\", 'b']", "a,b", " a , b", "[ 'a',\n  # one\n 'b',\n]"] {
        assert_eq!(texts(text.trim(), "names").unwrap(), ["a", "b"], "{text}");
    }
    assert_eq!(texts("[]", "names").unwrap(), Vec::<String>::new());
    assert_eq!(texts("'a, b'", "names").unwrap(), ["a, b"]);
    let error = texts("['a', 2]", "names").unwrap_err();
    assert_eq!((error.item(), error.to_string().as_str()), (Some(1), "names, in quotes is expected"));
    assert!(texts("['a'", "names").is_err());
}

#[test]
fn a_line_sets_one_thing_and_shows_what_is_wrong() {
    let mut three = Three::default();
    three.set_text("text = \u{1b}é").unwrap();
    three.set_text("list=['x']").unwrap();
    three.set_text("number = '-0.5'").unwrap();
    assert_eq!(three.number, -0.5);
    let file = Source::new("run.toml", "number = 0x8");
    parse(&file, |table, problems| problems.extend(table.entries().iter().filter_map(|value| three.take(value).err())))
        .unwrap();
    assert_eq!(three, Three { number: 8.0, text: "\u{1b}é".to_owned(), list: vec!["x".to_owned()] });
    let mut error = |line: &str| three.set_text(line).unwrap_err().to_string();
    assert_eq!(error("number=10"), "number: a number from -9 to 9 is expected (got 10)");
    assert!(error("nunber=1").contains("did you mean 'number'?"));
    assert!(error("x").contains("'x' is not of the form KEY=VALUE"));
    assert!(error("list=['a', 5]").contains("texts, in quotes"));
}

proptest::proptest! {
    #[test]
    fn whatever_a_text_holds_it_comes_back(number in -9.0f64..9.0, text: String, list: Vec<String>) {
        // Surrounding white space is ignored.
        let one = Three { number, text: text.trim().to_owned(), list };
        proptest::prop_assert_eq!(reread(&one), one);
    }
}
