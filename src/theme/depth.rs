//! The colour depth of the terminal.

/// The value of `--color` and `ui.color`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ColorChoice {
    /// By the environment.
    #[default]
    Auto,
    /// By the environment, ignoring `NO_COLOR`.
    Always,
    Never,
    Sixteen,
    Indexed,
    True,
}

crate::settings::string_enum!(ColorChoice {
    "auto" => Auto,
    "always" => Always,
    "never" => Never,
    "16" => Sixteen,
    "256" => Indexed,
    "true" => True,
});

/// The colours of a terminal, from none to all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ColorDepth {
    /// Bold, dim, underline and reverse only.
    None,
    /// The 16 of the user's palette.
    Sixteen,
    /// The 256 of xterm.
    Indexed,
    /// 24 bits.
    True,
}

impl ColorDepth {
    /// Returns the depth for the terminal and the user's choice. `env` looks up an environment variable.
    ///
    /// An explicit depth overrides the environment.
    pub(crate) fn detect(env: impl Fn(&str) -> Option<String>, choice: ColorChoice) -> ColorDepth {
        let set = |name: &str| env(name).is_some_and(|value| !value.is_empty());
        match choice {
            ColorChoice::Never => ColorDepth::None,
            ColorChoice::Sixteen => ColorDepth::Sixteen,
            ColorChoice::Indexed => ColorDepth::Indexed,
            ColorChoice::True => ColorDepth::True,
            ColorChoice::Always => ColorDepth::of_terminal(&env).max(ColorDepth::Sixteen),
            ColorChoice::Auto if set("NO_COLOR") => ColorDepth::None,
            ColorChoice::Auto => ColorDepth::of_terminal(&env),
        }
    }

    fn of_terminal(env: &impl Fn(&str) -> Option<String>) -> ColorDepth {
        let term = env("TERM").unwrap_or_default();
        let by_name = ColorDepth::of_name(&term);
        // GNU screen passes the outer terminal's COLORTERM on but not its colours; tmux translates colours for its client.
        let in_screen = env("STY").is_some() && env("TMUX").is_none() && term.starts_with("screen");
        let claims_all = env("COLORTERM").is_some_and(|value| value == "truecolor" || value == "24bit");
        match by_name {
            ColorDepth::Sixteen | ColorDepth::Indexed if claims_all && !in_screen && term != "linux" => {
                ColorDepth::True
            }
            _ => by_name,
        }
    }

    /// Returns the depth of a terminal of this name (`TERM`).
    fn of_name(term: &str) -> ColorDepth {
        const TRUE: &[&str] = &["xterm-kitty", "xterm-ghostty", "alacritty", "wezterm", "foot", "contour", "rio"];
        let family = |names: &[&str]| {
            names
                .iter()
                .any(|name| term.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')))
        };
        match term {
            "" | "dumb" | "unknown" => ColorDepth::None,
            _ if term.starts_with("vt") || term.ends_with("-m") || term.ends_with("-mono") => ColorDepth::None,
            _ if term.contains("-direct") || family(TRUE) => ColorDepth::True,
            _ if term.contains("256color") => ColorDepth::Indexed,
            _ => ColorDepth::Sixteen,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
