#![doc = include_str!("../README.md")]
//!
//! # Overview
//!
//! Works on any [`Job`](crate::budget::Job), whatever it computes.

use mancalab_base::{budget, codec, confined, files, pool, sanitize, settings, sort};

mod assembled;
pub mod background;
pub mod conduct;
pub mod export;
pub mod fork;
pub mod measured;
mod reader;
pub(crate) mod run;
pub mod run_dir;
mod run_inputs;
mod run_job;
pub mod verify;
pub mod worker;
pub mod workers;

pub use crate::run_inputs::Extension;
pub use assembled::RunAssembly;
pub use reader::{RunReader, RunWatcher};
pub use run::{Form, Progress, Row, Run, RunSettings, RunView, View, Watched};
pub use run_dir::{Manifest, Rows, RunDir};
pub use run_job::{RunJob, SAVE_EVERY, SAVE_SHARE};
pub use worker::{JobId, News, State};
