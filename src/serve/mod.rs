//! `mancalab serve ssh`: the lobby over SSH.
//!
//! [`lobby`] and [`table`] hold the state, [`shared`] puts it behind a lock, writes the games and thinks for the engines.
//! [`session`] runs an app for each person, whose terminal is at the other end of [`ssh`].
#![cfg_attr(not(feature = "serve"), allow(dead_code, unused_imports))]

#[cfg(feature = "serve")]
mod keys;
pub mod limits;
#[cfg(feature = "serve")]
mod link;
pub mod lobby;
#[cfg(feature = "serve")]
mod metered;
#[cfg(feature = "serve")]
mod outbox;
#[cfg(feature = "serve")]
pub mod session;
pub mod shared;
#[cfg(feature = "serve")]
mod ssh;
#[cfg(feature = "serve")]
mod tab;
pub mod table;
mod writer;

#[cfg(feature = "serve")]
mod start;
#[cfg(feature = "serve")]
pub use start::{Entrance, Server, Settings, host_key_in, run};

/// The limits that no option changes, as the guide names them.
#[cfg(all(test, feature = "serve"))]
pub fn fixed_limits() -> Vec<(&'static str, String)> {
    assert_eq!(crate::term::PASTE, ssh::WINDOW as usize, "one row has both");
    let (columns, rows) = outbox::LARGEST;
    vec![
        ("guests with one key", limits::BY_KEY.to_string()),
        ("tables", "1".to_owned()),
        ("attempts", ssh::ATTEMPTS.to_string()),
        ("keys", ssh::OFFERS.to_string()),
        ("input", format!("{} KiB", ssh::WINDOW >> 10)),
        ("keys that wait", ssh::EVENTS.to_string()),
        ("screen", format!("{columns}×{rows}")),
        ("names", lobby::NAME.to_string()),
        ("chat", lobby::CHAT.to_string()),
        ("games a minute", lobby::GAMES_A_MINUTE.to_string()),
        ("end", format!("{} s", writer::PATIENCE.as_secs())),
    ]
}
