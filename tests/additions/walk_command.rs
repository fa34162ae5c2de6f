//! `mancalab walk`: a walk without a screen.

use std::path::Path;

use serde_json::Value;

use super::live::Progress;
use super::out;
use super::run::{Pace, Reporter, event};
use super::start::Start;
use crate::walk::Walk;

#[derive(Debug)]
pub struct Walking;

impl Start for Walking {
    const FLAGS: &'static [(&'static str, &'static str)] = &[];
    const EXAMPLE: &'static str = "stride=2";
}

impl Reporter for Walking {
    const COMMAND: &'static str = "walk";
    type View = Walk;

    fn rows(&self, view: &Walk, from: usize) -> Vec<Value> {
        view.past.iter().skip(from).map(|at| event("generation", &[*at])).collect()
    }

    fn progress(&self, view: &Walk, _: &Pace) -> Option<String> {
        view.past.last().map(|at| format!("at {at}"))
    }

    fn live(&self, _: &Walk, _: &Pace) -> Option<Progress> {
        None
    }

    fn ended(&self, _: &Walk, _: Option<&Path>) -> Value {
        Value::Null
    }

    fn end(&self, view: &Walk, _: Option<&Path>) {
        out::line(&format!("{} steps", view.past.len()));
    }
}
