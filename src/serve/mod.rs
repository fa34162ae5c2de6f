//! `mancalab serve`: the lobby over SSH.
//!
//! [`lobby`] and [`table`] hold the state, [`shared`] puts it behind a lock and writes the games, [`engines`] thinks for the engines.
//! [`session`] runs an app for each person, whose terminal is at the other end of [`ssh`].
#![cfg_attr(not(feature = "serve"), allow(dead_code, unused_imports))]

pub mod engines;
#[cfg(feature = "serve")]
pub mod limits;
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
pub mod table;

#[cfg(feature = "serve")]
mod start;
#[cfg(feature = "serve")]
pub use start::{Entrance, Server, Settings, host_key_in, run};
