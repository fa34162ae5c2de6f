//! A check of settings, for tests of the problems.

use super::gp::problem::Settings;
use crate::settings::{self, Source};

/// Checks that all settings survive a round trip through a file and through flags, read into the result of `unread`.
pub(in crate::evolve) fn kept<S: Settings + PartialEq + std::fmt::Debug>(settings: &S, unread: impl Fn() -> S) {
    let mut file = unread();
    let mut flags = unread();
    let text = settings.to_text();
    let source = Source::new("run.toml", &*text);
    settings::parse(&source, |table, problems| file.read(table, problems)).unwrap_or_else(|report| panic!("{report}"));
    for (key, _, value) in settings.list() {
        flags.set(key, &value).unwrap_or_else(|error| panic!("{error}"));
        flags.set_text(&format!("{key}={value}")).unwrap_or_else(|report| panic!("{report}"));
    }
    for read in [file, flags] {
        assert_eq!(&read, settings, "{text}");
    }
}
