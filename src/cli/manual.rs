//! Facts about the whole program for its manual page and for the page on files of the book: files, environment variables and exit
//! statuses. Names of files come from the modules that write them.

use crate::{cards, config, log, results};

/// A heading of the manual page, and its entries: (name, meaning).
pub(super) type Section = (&'static str, Vec<(String, String)>);

/// Files and folders, with the base directories as variables.
const FILES: [(&str, &str, &str); 14] = [
    ("$XDG_CONFIG_HOME", config::FILE, "Your configuration: read, never written"),
    ("$XDG_CONFIG_HOME", "themes/NAME.toml", "Your themes: read, never written"),
    ("$XDG_CONFIG_HOME", "authorized_keys", "Public keys of those who may enter serve ssh"),
    ("$XDG_STATE_HOME", config::PREFERENCES, "What was chosen on the screen; applies where no configuration decides"),
    ("$XDG_STATE_HOME", "games/", "Saved games; last.game, last-2.game and so on are the latest on the Board"),
    ("$XDG_STATE_HOME", "runs/", "Runs, tournaments and plans, a folder each"),
    ("$XDG_STATE_HOME", "runs/.opened/", "Programs and networks that were opened on the Board from a plan"),
    ("$XDG_STATE_HOME", results::FILE, "The log of your results, for your rating and stats"),
    ("$XDG_STATE_HOME", cards::FILE, "Your puzzles and their dates"),
    ("$XDG_STATE_HOME", "openings/", "Indexes of databases of openings; made again where they are missing"),
    ("$XDG_STATE_HOME", "solver/", "Checkpoints of solve position"),
    ("$XDG_STATE_HOME", log::FILE, "The log; [log] in the configuration sets its level"),
    ("$XDG_STATE_HOME", "ssh_host_ed25519_key", "The key of serve ssh"),
    ("$XDG_DATA_HOME", "tables/", "Endgame tables"),
];

/// Variables that are read, and one that is set for a command.
const ENVIRONMENT: [(&str, &str); 12] = [
    ("XDG_CONFIG_HOME", "Folder of the configuration, in its subfolder mancalab; default: ~/.config"),
    (
        "XDG_STATE_HOME",
        "Folder of games, runs and what else is saved, in its subfolder mancalab; default: ~/.local/state",
    ),
    ("XDG_DATA_HOME", "Folder of endgame tables, in its subfolder mancalab; default: ~/.local/share"),
    ("NO_COLOR", "If set and not empty, no colours, unless --color or the configuration sets some"),
    ("TERM, COLORTERM", "How many colours the terminal has; lines instead of a screen where TERM is dumb"),
    ("COLORFGBG", "The terminal's background, for the theme auto; without it the terminal is asked"),
    ("LC_ALL, LC_CTYPE, LANG", "The first that is set: Unicode if it names UTF-8, ASCII otherwise"),
    ("TERM_PROGRAM", "Which terminal it is, for pictures of pieces"),
    (
        "SSH_CONNECTION, SSH_TTY, SSH_CLIENT",
        "A line that may be slow: no pictures; with SSH_CONNECTION frames are paced",
    ),
    ("TMUX, STY", "tmux or GNU screen: no pictures; in screen no mouse"),
    ("COLUMNS", "Width of help texts where the terminal does not report one"),
    ("MANCALAB_ALARM", "Set for the command of ui.on_alarm: the text of the alarm"),
];

/// Exit statuses of every command.
const STATUSES: [(&str, &str); 5] = [
    ("0", "Success"),
    (
        "1",
        "A negative answer, such as a row that differs (runs verify), a position that is not solved (analyse --exact), or units that are left (plan submit)",
    ),
    ("2", "An error; standard error has its message"),
    ("75", "plan unit: another unit must be computed first"),
    ("128+N", "Stopped by signal N, such as 130 after Ctrl-C; runs and units have saved"),
];

/// The sections of the manual page that clap does not know.
pub(super) fn sections() -> [Section; 3] {
    let files = FILES.iter().map(|(base, name, about)| (format!("{base}/mancalab/{name}"), (*about).to_owned()));
    let mut environment = owned(&ENVIRONMENT);
    environment
        .push((super::cluster::INDICES.join(", "), "plan unit: the number of the unit, as engines set it".to_owned()));
    [("FILES", files.collect()), ("ENVIRONMENT", environment), ("EXIT STATUS", owned(&STATUSES))]
}

fn owned(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(name, about)| ((*name).to_owned(), (*about).to_owned())).collect()
}

/// The sections in the language of manual pages.
pub(super) fn roff() -> String {
    sections().into_iter().map(|(heading, entries)| section(heading, entries)).collect()
}

/// The last sections of the page of a command.
pub(super) fn roff_of_command() -> String {
    let about =
        "mancalab(1)\n.PP\nIts page has files and environment variables, which are the same for all commands.\n";
    section("EXIT STATUS", owned(&STATUSES)) + ".SH \"SEE ALSO\"\n" + about
}

/// The lists of a help text, in which an entry has an indentation of two, its further lines have more, and headings have none.
pub(super) fn lists(help: &str) -> String {
    let mut text = String::new();
    for line in help.lines() {
        let words = line.trim_start();
        match line.len() - words.len() {
            _ if words.is_empty() => {}
            0 => text += &format!(".SH \"{}\"\n", escaped(&words.trim_end_matches(':').to_uppercase())),
            2 => {
                let (name, about) = words.split_once("  ").unwrap_or((words, ""));
                text += &format!(".TP\n\\fB{}\\fR\n", escaped(name));
                let about = about.trim_start();
                text += &if about.is_empty() { String::new() } else { format!("{}\n", escaped(about)) };
            }
            _ => text += &format!("{}\n", escaped(words)),
        }
    }
    text
}

/// A section of a manual page.
pub(super) fn section<T: AsRef<str>>(heading: &str, entries: impl IntoIterator<Item = (T, T)>) -> String {
    let mut text = format!(".SH \"{heading}\"\n");
    for (name, about) in entries {
        text += &format!(".TP\n\\fB{}\\fR\n{}\n", escaped(name.as_ref()), escaped(about.as_ref()));
    }
    text
}

/// Escapes a line of text, which may begin with a dot or an apostrophe.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::cli::cluster::MISSING;
    use crate::paths::Paths;

    #[test]
    fn files_are_where_the_program_keeps_them() {
        let paths = Paths::within(Path::new("/"));
        let listed = |base: &str, folder: &Path| {
            let name = folder.strip_prefix(base).unwrap().to_str().unwrap().to_owned() + "/";
            assert!(FILES.iter().any(|(_, listed, _)| *listed == name), "{name}");
        };
        listed("/state", &paths.games().unwrap());
        listed("/state", &paths.runs().unwrap());
        listed("/data", &paths.tables().unwrap());
        assert!(FILES.iter().any(|(_, name, _)| name.starts_with("themes/")));
    }

    #[test]
    fn the_status_of_a_unit_that_must_wait_is_listed() {
        assert!(STATUSES.iter().any(|(status, _)| *status == MISSING.to_string()));
    }

    #[test]
    fn lists_of_help_are_entries_of_the_manual() {
        let help =
            "Presets:\n  one-a    first\n           line\n  a-very-long-name\n      about\n\nSettings for Kalah:\n";
        let roff = ".SH \"PRESETS\"\n.TP\n\\fBone\\-a\\fR\nfirst\nline\n.TP\n\\fBa\\-very\\-long\\-name\\fR\nabout\n\
                    .SH \"SETTINGS FOR KALAH\"\n";
        assert_eq!(lists(help), roff);
    }

    #[test]
    fn no_line_of_the_manual_is_taken_for_a_request() {
        for line in roff().lines() {
            assert!(line == ".TP" || line.starts_with(".SH ") || !line.starts_with(['.', '\'']), "{line}");
        }
    }
}
