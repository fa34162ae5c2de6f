use std::path::{Path, PathBuf};

use ratatui::style::{Color, Modifier};

use super::super::paths::Paths;
use super::*;

fn built_in(name: &str) -> Theme {
    Theme::load(name, ColorDepth::True, &Paths::default()).unwrap()
}

/// The paths of a user whose folders are in `dir`.
fn own_themes(dir: &Path) -> PathBuf {
    dir.join("config/themes")
}

/// A directory with these files among the themes in it.
fn themes(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(own_themes(dir.path())).unwrap();
    for (name, text) in files {
        std::fs::write(own_themes(dir.path()).join(name), text).unwrap();
    }
    dir
}

fn fails(name: &str, dir: &Path) -> String {
    let text = Theme::load(name, ColorDepth::True, &Paths::within(dir)).unwrap_err().to_string();
    text.replace(&own_themes(dir).display().to_string(), "DIR")
}

#[test]
fn the_built_in_themes_are_whole_at_every_depth() {
    for (name, _) in BUILT_IN {
        for depth in [ColorDepth::None, ColorDepth::Sixteen, ColorDepth::Indexed, ColorDepth::True] {
            let theme = Theme::load(name, depth, &Paths::default()).unwrap();
            let expected = if depth == ColorDepth::None { "mono" } else { name };
            assert_eq!(theme.name(), expected);
        }
    }
    // The default theme is complete, and so is the one without colour.
    for name in ["dark", "mono"] {
        let text = BUILT_IN.iter().find(|(known, _)| *known == name).unwrap().1;
        for role in Role::ALL {
            assert!(text.lines().any(|line| line.starts_with(&format!("{} =", role.key()))), "{name}: {role:?}");
        }
    }
}

#[test]
fn roles_are_documented() {
    for role in Role::ALL {
        assert!(role.about().ends_with('.') && role.about().len() > 10, "{role:?}");
        assert_eq!(Role::from_key(role.key()), Some(*role));
        let documented = format!("\n# {}\n{} = ", role.about(), role.key());
        assert!(BUILT_IN[0].1.contains(&documented), "themes/dark.toml does not explain {role:?}");
    }
}

#[test]
fn depths_are_kept() {
    let allowed = |color: Option<Color>, depth: ColorDepth| match color {
        None | Some(Color::Reset) => true,
        Some(Color::Rgb(..)) => depth == ColorDepth::True,
        Some(Color::Indexed(_)) => depth >= ColorDepth::Indexed,
        Some(_) => depth >= ColorDepth::Sixteen,
    };
    for (name, _) in BUILT_IN {
        for depth in [ColorDepth::None, ColorDepth::Sixteen, ColorDepth::Indexed] {
            let theme = Theme::load(name, depth, &Paths::default()).unwrap();
            for style in theme.styles.iter().chain(&theme.heat) {
                assert!(allowed(style.fg, depth) && allowed(style.bg, depth), "{name} {depth:?} {style:?}");
            }
        }
    }
    let sixteen = built_in("sixteen");
    for style in sixteen.styles.iter().chain(&sixteen.heat) {
        assert!(allowed(style.fg, ColorDepth::Sixteen) && allowed(style.bg, ColorDepth::Sixteen), "{style:?}");
    }
}

/// The sixteen colours depend on the terminal: these are xterm's and those of a palette common in editors.
#[test]
fn the_colours_of_sixteen_are_seen_on_black_and_on_white() {
    let theme = built_in("sixteen");
    let editors = [
        (Color::Red, (0xcd, 0x31, 0x31)),
        (Color::Magenta, (0xbc, 0x3f, 0xbc)),
        (Color::LightBlue, (0x3b, 0x8e, 0xea)),
    ];
    for style in theme.styles.iter().chain(&theme.heat) {
        assert!(style.bg.is_none_or(|bg| bg == Color::Reset), "{style:?}");
        let Some(ink) = style.fg.filter(|fg| *fg != Color::Reset) else { continue };
        let other = editors.iter().find(|(color, _)| *color == ink).map(|(_, value)| *value);
        for ink in [quantise::rgb(ink).unwrap(), other.unwrap_or_else(|| panic!("{style:?}"))] {
            for paper in [(0, 0, 0), (255, 255, 255)] {
                assert!(quantise::contrast(ink, paper) >= 3.0, "{style:?} {:.2}", quantise::contrast(ink, paper));
            }
        }
    }
}

#[test]
fn counts_can_be_read_on_the_wood() {
    for name in ["dark", "light", "okabe-ito"] {
        for depth in [ColorDepth::True, ColorDepth::Indexed] {
            let theme = Theme::load(name, depth, &Paths::default()).unwrap();
            let paper = theme.style(Role::Hollow).bg.and_then(quantise::rgb).unwrap();
            for role in [Role::South, Role::North, Role::Seeds, Role::LastMove, Role::Capture, Role::Accent] {
                let contrast = quantise::contrast(theme.style(role).fg.and_then(quantise::rgb).unwrap(), paper);
                assert!(contrast >= 4.5, "{name} {depth:?} {role:?} {contrast:.2}");
            }
        }
    }
}

/// Readable text, as opposed to frames and shaded pages.
fn is_text(role: Role) -> bool {
    !matches!(
        role,
        Role::Border
            | Role::Shadow
            | Role::Wood
            | Role::Hollow
            | Role::Felt
            | Role::SquareDark
            | Role::SquareLight
            | Role::PieceDark
            | Role::PieceLight
    )
}

#[test]
fn text_can_be_read() {
    // Common backgrounds: black, Gnome's, One Dark's and Solarized's, white and Solarized's.
    let dark =
        [(0, 0, 0), (18, 18, 18), (0x1e, 0x1e, 0x1e), (0x28, 0x2c, 0x34), (0, 0x2b, 0x36)].map(|paper| ("dark", paper));
    let light = [(255, 255, 255), (0xfd, 0xf6, 0xe3)].map(|paper| ("light", paper));
    for (name, paper) in dark.into_iter().chain(light).chain([("okabe-ito", (18, 18, 18))]) {
        for depth in [ColorDepth::True, ColorDepth::Indexed] {
            let theme = Theme::load(name, depth, &Paths::default()).unwrap();
            let selection = theme.style(Role::Selection);
            let selected = selection.bg.and_then(quantise::rgb).unwrap();
            // A selection reads on any terminal, also where its theme is for another background.
            let contrast = quantise::contrast(selection.fg.and_then(quantise::rgb).unwrap(), selected);
            assert!(contrast >= 7.0, "{name} {depth:?} selection {contrast:.2}");
            for &role in Role::ALL.iter().filter(|role| is_text(**role)) {
                let Some(ink) = theme.style(role).fg.and_then(quantise::rgb) else { continue };
                let contrast = quantise::contrast(ink, paper);
                assert!(contrast >= 4.5, "{name} {depth:?} {role:?} {contrast:.2}");
                let contrast = quantise::contrast(ink, selected);
                assert!(contrast >= 3.5, "{name} {depth:?} {role:?} selected {contrast:.2}");
            }
            // Numbers use all of these styles.
            for level in 0..=8 {
                let ink = theme.heat(f64::from(level) / 8.0).fg.and_then(quantise::rgb).unwrap();
                let contrast = quantise::contrast(ink, paper);
                assert!(contrast >= 4.5, "{name} {depth:?} heat {level} {contrast:.2}");
            }
            let border = theme.style(Role::Border).fg.and_then(quantise::rgb).unwrap();
            let least = if matches!(paper, (0x28, ..) | (0, 0x2b, _) | (0xfd, ..)) { 1.4 } else { 1.8 };
            assert!(quantise::contrast(border, paper) >= least, "{name} {depth:?} {paper:?}");
        }
    }
}

#[test]
fn pieces_stand_out_from_all_squares() {
    for name in ["dark", "light", "okabe-ito"] {
        for depth in [ColorDepth::True, ColorDepth::Indexed] {
            let theme = Theme::load(name, depth, &Paths::default()).unwrap();
            let ink = |role| theme.style(role).fg.and_then(quantise::rgb).unwrap();
            let ground = |role| theme.style(role).bg.and_then(quantise::rgb).unwrap();
            for (piece, square, least) in [
                (Role::PieceLight, Role::SquareDark, 4.5),
                (Role::PieceDark, Role::SquareDark, 3.0),
                // The squares beside it.
                (Role::PieceLight, Role::SquareLight, 1.8),
                (Role::PieceDark, Role::SquareLight, 4.5),
                (Role::PieceLight, Role::Felt, 4.5),
                (Role::PieceDark, Role::Felt, 3.0),
            ] {
                let contrast = quantise::contrast(ink(piece), ground(square));
                assert!(contrast >= least, "{name} {depth:?} {piece:?} {square:?} {contrast:.2}");
            }
            let contrast = quantise::contrast(ground(Role::SquareDark), ground(Role::SquareLight));
            assert!(contrast >= 2.0, "{name} {depth:?} squares {contrast:.2}");
        }
    }
}

#[test]
fn black_is_darker_than_white() {
    for name in ["dark", "light", "okabe-ito"] {
        for depth in [ColorDepth::True, ColorDepth::Indexed] {
            let theme = Theme::load(name, depth, &Paths::default()).unwrap();
            let [black, white] =
                [Role::Black, Role::White].map(|role| theme.style(role).fg.and_then(quantise::rgb).unwrap());
            let [of_black, of_white] = [black, white].map(|ink| quantise::contrast(ink, (0, 0, 0)));
            assert!(of_black < of_white && quantise::contrast(black, white) >= 1.5, "{name} {depth:?}");
        }
    }
}

#[test]
fn what_must_not_be_confused_differs_without_colour() {
    let pairs = [
        (Role::South, Role::North),
        (Role::Black, Role::White),
        (Role::Selection, Role::Black),
        (Role::Selection, Role::White),
        (Role::Selection, Role::Text),
        (Role::Selection, Role::South),
        (Role::Selection, Role::North),
        (Role::LastMove, Role::South),
        (Role::LastMove, Role::North),
        (Role::Capture, Role::Selection),
        (Role::Good, Role::Bad),
        (Role::Bad, Role::Warning),
        (Role::Bar, Role::BarAlt),
        (Role::Tab, Role::TabActive),
        (Role::Border, Role::BorderFocus),
        (Role::Curve1, Role::Curve2),
        (Role::Curve2, Role::Curve3),
        (Role::HeatLow, Role::HeatHigh),
        (Role::Text, Role::Dim),
    ];
    let mono = Theme::load("dark", ColorDepth::None, &Paths::default()).unwrap();
    for (a, b) in pairs {
        assert_ne!(mono.style(a).add_modifier, mono.style(b).add_modifier, "{a:?} {b:?}");
    }
    for (name, _) in BUILT_IN {
        for depth in [ColorDepth::Sixteen, ColorDepth::Indexed, ColorDepth::True] {
            let theme = Theme::load(name, depth, &Paths::default()).unwrap();
            for (a, b) in pairs {
                assert_ne!(theme.style(a), theme.style(b), "{name} {depth:?} {a:?} {b:?}");
            }
            let shape = |role| theme.style(role).add_modifier;
            assert_ne!(shape(Role::South), shape(Role::North), "{name}");
            assert_ne!(shape(Role::Black), shape(Role::White), "{name}");
            assert_ne!(shape(Role::Tab), shape(Role::TabActive), "{name}");
        }
    }
}

/// A gauge is drawn with blanks behind its filled part, which reverse or a background would fill.
#[test]
fn the_empty_part_of_a_gauge_is_empty() {
    for (name, _) in BUILT_IN {
        for depth in [ColorDepth::None, ColorDepth::Sixteen, ColorDepth::True] {
            let style = Theme::load(name, depth, &Paths::default()).unwrap().style(Role::Gauge);
            assert!(style.bg.is_none() && !style.add_modifier.contains(Modifier::REVERSED), "{name} {depth:?}");
        }
    }
}

/// The backgrounds of heat maps become ever more different from that of the terminal.
#[test]
fn grounds_of_heat_maps_rise() {
    for (name, paper) in [("dark", (0, 0, 0)), ("okabe-ito", (0, 0, 0)), ("light", (255, 255, 255))] {
        let theme = Theme::load(name, ColorDepth::True, &Paths::default()).unwrap();
        let ground = |step: u8| quantise::rgb(theme.heat_ground(f64::from(step) / 16.0).unwrap()).unwrap();
        let contrast = |step: u8| quantise::contrast(ground(step), paper);
        assert!((1..=16).all(|step| contrast(step) > contrast(step - 1)), "{name}");
    }
    assert_eq!(Theme::usual(ColorDepth::Sixteen).heat_ground(0.5), None);
}

/// Equal differences in value are equal differences in lightness.
#[test]
fn ramps_of_heat_maps_have_even_lightness() {
    for (name, _) in BUILT_IN {
        let theme = Theme::load(name, ColorDepth::True, &Paths::default()).unwrap();
        let even = |color: &dyn Fn(f64) -> Option<Color>, ramp: &str| {
            let steps = (0..=8).map(|step| quantise::lightness(color(f64::from(step) / 8.0)?));
            let Some(lightness) = steps.collect::<Option<Vec<f64>>>() else { return };
            let steps: Vec<f64> = lightness.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let mean = steps.iter().sum::<f64>() / 8.0;
            // Colours are whole numbers: short ramps are rounded more.
            let tolerance = (0.15 * mean.abs()).max(0.005);
            assert!(steps.iter().all(|step| (step - mean).abs() < tolerance), "{name}, {ramp}: {steps:?}");
        };
        even(&|level| theme.heat_ground(level), "grounds");
        even(&|level| theme.heat(level).fg, "text");
    }
}

#[test]
fn heat_runs_from_low_to_high() {
    let theme = built_in("dark");
    assert_eq!(theme.heat(0.0).fg, theme.style(Role::HeatLow).fg);
    assert_eq!(theme.heat(7.0).fg, theme.style(Role::HeatHigh).fg);
    assert_eq!(theme.heat(f64::NAN), theme.heat(-1.0));
    let mono = Theme::usual(ColorDepth::None);
    assert_ne!(mono.heat(0.1), mono.heat(0.9));
}

#[test]
fn a_theme_recolours_and_restyles_what_it_inherits() {
    let dir = themes(&[
        (
            "mine.toml",
            "inherits = 'dark'\n[palette]\namber = '#010203'\n[roles]\nnorth = { fg = 'amber', italic = true }\n",
        ),
        ("dark.toml", "inherits = 'dark'\n[roles]\ndim = 208\ngood = 'default'\n"),
    ]);
    let paths = Paths::within(dir.path());
    let mine = Theme::load("mine", ColorDepth::True, &paths).unwrap();
    assert_eq!(mine.name(), "mine");
    assert_eq!(mine.style(Role::South), Style::new().fg(Color::Rgb(1, 2, 3)).add_modifier(Modifier::BOLD));
    assert_eq!(mine.style(Role::North), Style::new().fg(Color::Rgb(1, 2, 3)).add_modifier(Modifier::ITALIC));
    // The user's `dark` takes precedence over the built-in one, from which it inherits.
    assert_eq!(mine.style(Role::Dim).fg, Some(Color::Indexed(208)));
    assert_eq!(mine.style(Role::Bar), built_in("dark").style(Role::Bar));
    let by_path =
        Theme::load(own_themes(dir.path()).join("mine.toml").to_str().unwrap(), ColorDepth::True, &Paths::default())
            .unwrap();
    assert_eq!(by_path.style(Role::Dim), built_in("dark").style(Role::Dim));
    assert_eq!(Theme::available(&paths), ["dark", "light", "sixteen", "okabe-ito", "mono", "mine"]);
}

#[test]
fn mistakes_are_told_with_their_place() {
    let dir = themes(&[
        ("a.toml", "inherits = 'b'\n"),
        ("b.toml", "inherits = 'a'\n"),
        ("c.toml", "inherits = 'drak'\n"),
        (
            "d.toml",
            "nome = 'd'\n[palette]\nink = '#12345'\nred = 300\n[roles]\nsouht = 'ink'\nnorth = { fg = 'blu', blink = true, bold = 1 }\ndim = 1.5\n",
        ),
        ("e.toml", "[roles]\nsouth = { fg = 'ambr' }\n"),
        ("f.toml", "[roles\n"),
    ]);
    let all: Vec<String> = ["a", "c", "d", "e", "f", "drk", "DIR/none.toml"]
        .iter()
        .map(|name| {
            let name = name.replace("DIR", &own_themes(dir.path()).display().to_string());
            fails(&name, dir.path())
        })
        .collect();
    insta::assert_snapshot!(all.join("\n\n----\n"));
}

proptest::proptest! {
    /// A damaged theme is loaded or rejected, without a panic.
    #[test]
    fn damaged_themes_are_read_or_refused(at in 0..BUILT_IN[0].1.len(), cut in 0..20usize, put in "\\PC{0,3}|[\\[\\]{}=\"'\\\\\n ,.#]{1,4}") {
        let text = BUILT_IN[0].1;
        let text: String = text.chars().take(at).chain(put.chars()).chain(text.chars().skip(at + cut)).collect();
        let read = Definition::read(&crate::settings::Source::new("x.toml", text));
        if let Err(report) = read.and_then(|theme| Theme::build("x", &[theme], ColorDepth::Sixteen)) {
            proptest::prop_assert!(report.to_string().contains("--> x.toml:"), "{}", report);
        }
    }
}

/// A theme is identical under all of its names.
#[test]
fn a_theme_that_inherits_from_itself_by_another_name_is_reported_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let begun = std::time::Instant::now();
    std::fs::create_dir(path("sub")).unwrap();
    for (name, parent) in [("a", "./sub/../a.toml"), ("b", "link.toml"), ("c", "hard.toml"), ("d", "sub/d.toml")] {
        std::fs::write(path(&format!("{name}.toml")), format!("inherits = '{parent}'\n")).unwrap();
    }
    std::os::unix::fs::symlink(path("b.toml"), path("link.toml")).unwrap();
    std::fs::hard_link(path("c.toml"), path("hard.toml")).unwrap();
    std::os::unix::fs::symlink("../d.toml", path("sub/d.toml")).unwrap();
    for name in ["a", "b", "c", "d"] {
        let file = path(&format!("{name}.toml"));
        let error = Theme::load(file.to_str().unwrap(), ColorDepth::True, &Paths::default()).unwrap_err().to_string();
        assert!(error.contains("cannot inherit from itself") && error.contains("the chain: "), "{error}");
    }
    assert!(begun.elapsed() < std::time::Duration::from_secs(5));
}

#[test]
fn a_chain_of_themes_is_not_longer_than_sixteen() {
    let folder = tempfile::tempdir().unwrap();
    let path = |index: usize| folder.path().join(format!("{index}.toml"));
    std::fs::write(path(0), "inherits = 'light'\n").unwrap();
    for index in 1..20 {
        std::fs::write(path(index), format!("inherits = './{}.toml'\n", index - 1)).unwrap();
    }
    let load = |index: usize| Theme::load(path(index).to_str().unwrap(), ColorDepth::True, &Paths::default());
    // Two of the sixteen themes are built in: light, and dark below it.
    assert!(load(13).is_ok());
    let error = load(14).unwrap_err().to_string();
    assert!(error.contains("at most 16 themes") && error.contains("14.toml →"), "{error}");
    assert!(load(19).is_err());
}

#[test]
fn backgrounds_are_dark_or_light() {
    let of = |[r, g, b]: [u8; 3]| Shade::classify([r, g, b].map(|c| f64::from(c) / 255.0));
    for dark in [[0, 0, 0], [0x12, 0x12, 0x12], [0, 0x2b, 0x36], [0x28, 0x2c, 0x34], [0, 0, 255], [110, 110, 110]] {
        assert_eq!(of(dark), Shade::Dark, "{dark:?}");
    }
    for light in [[255, 255, 255], [0xfd, 0xf6, 0xe3], [0xee, 0xe8, 0xd5], [255, 255, 0], [130, 130, 130]] {
        assert_eq!(of(light), Shade::Light, "{light:?}");
    }
}

#[test]
fn every_theme_that_may_be_chosen_is_built_in() {
    for background in [None, Some(Shade::Dark), Some(Shade::Light)] {
        for depth in [ColorDepth::None, ColorDepth::Sixteen, ColorDepth::Indexed, ColorDepth::True] {
            let name = suiting(background, depth);
            assert!(BUILT_IN.iter().any(|(known, _)| *known == name), "{name}");
        }
    }
    assert_eq!(suiting(Some(Shade::Light), ColorDepth::True), "light");
    assert_eq!(suiting(Some(Shade::Light), ColorDepth::Sixteen), "sixteen");
    assert_eq!(suiting(None, ColorDepth::True), "sixteen");
}

fn detect(env: &[(&str, &str)], choice: ColorChoice) -> ColorDepth {
    let lookup = |name: &str| env.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string());
    ColorDepth::detect(lookup, choice)
}

#[test]
fn the_environment_decides() {
    let cases: &[(&[(&str, &str)], ColorDepth)] = &[
        (&[], ColorDepth::None),
        (&[("TERM", "dumb"), ("COLORTERM", "truecolor")], ColorDepth::None),
        (&[("TERM", "vt100")], ColorDepth::None),
        (&[("TERM", "linux")], ColorDepth::Sixteen),
        (&[("TERM", "linux"), ("COLORTERM", "truecolor")], ColorDepth::Sixteen),
        (&[("TERM", "xterm")], ColorDepth::Sixteen),
        (&[("TERM", "xterm-256color")], ColorDepth::Indexed),
        (&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")], ColorDepth::True),
        (&[("TERM", "xterm-256color"), ("COLORTERM", "24bit")], ColorDepth::True),
        (&[("TERM", "xterm-256color"), ("COLORTERM", "yes")], ColorDepth::Indexed),
        (&[("TERM", "xterm-direct")], ColorDepth::True),
        (&[("TERM", "foot-extra")], ColorDepth::True),
        (&[("TERM", "alacritty")], ColorDepth::True),
        (&[("TERM", "tmux-256color"), ("TMUX", "x")], ColorDepth::Indexed),
        (&[("TERM", "screen-256color"), ("TMUX", "x"), ("COLORTERM", "truecolor")], ColorDepth::True),
        (&[("TERM", "screen-256color"), ("STY", "1.x"), ("COLORTERM", "truecolor")], ColorDepth::Indexed),
        (&[("TERM", "screen"), ("STY", "1.x"), ("COLORTERM", "truecolor")], ColorDepth::Sixteen),
        (&[("TERM", "xterm-256color"), ("NO_COLOR", "1")], ColorDepth::None),
        (&[("TERM", "xterm-256color"), ("NO_COLOR", "")], ColorDepth::Indexed),
    ];
    for (env, expected) in cases {
        assert_eq!(detect(env, ColorChoice::Auto), *expected, "{env:?}");
    }
}

#[test]
fn a_choice_beats_the_environment() {
    let env: &[(&str, &str)] = &[("TERM", "xterm-256color"), ("NO_COLOR", "1")];
    assert_eq!(detect(env, ColorChoice::Always), ColorDepth::Indexed);
    assert_eq!(detect(&[("TERM", "dumb")], ColorChoice::Always), ColorDepth::Sixteen);
    assert_eq!(detect(env, ColorChoice::Never), ColorDepth::None);
    assert_eq!(detect(env, ColorChoice::Sixteen), ColorDepth::Sixteen);
    assert_eq!(detect(env, ColorChoice::Indexed), ColorDepth::Indexed);
    assert_eq!(detect(env, ColorChoice::True), ColorDepth::True);
}

#[test]
fn words_are_read_back_as_written() {
    for (word, choice) in ColorChoice::WORDS {
        assert_eq!(word.parse::<ColorChoice>().as_ref(), Ok(choice));
        assert_eq!(choice.to_string(), *word);
    }
    assert_eq!(
        "sixteen".parse::<ColorChoice>().unwrap_err().to_string(),
        "'sixteen' is not accepted; expected auto, always, never, 16, 256 or true"
    );
}
