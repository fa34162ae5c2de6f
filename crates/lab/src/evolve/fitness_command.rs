//! Fitness by a command: a program in any language that gets what each bred program achieves, in a line of JSON, and answers with
//! its fitness, a number in a line.
//!
//! Programs are evaluated by several processes. One that ends, or does not answer in time, is started again and gets the same
//! lines; after several failures in a row the run stops, and can be resumed.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use mancalab_base::{Error, bail, entry};
use mancalab_evolve::formula::Quantity;

use super::fitness_text::admitted;
use super::gp::Outcome;
use crate::budget::{Budget, Status};
use crate::player::external::process::{Output, Process};
use crate::sanitize;
use crate::settings::{Entry, SettingsTable, quoted};

/// The beginning of the setting `fitness` before a command.
pub(super) const PREFIX: &str = "command:";

/// Lines that a process has before it answers the first: enough that it never waits, few enough that all have work.
const AHEAD: usize = 4;

/// Failures without an answer between them after which the run stops.
const FAILURES: u32 = 3;

/// Maximum wait for an answer between two looks at the budget.
const SLICE: Duration = Duration::from_millis(2);

/// Maximum length of a program's own line in a message, in bytes.
const LONGEST: usize = 300;

/// Maximum length of an answer in a message, in characters.
const SHOWN: usize = 60;

/// How a command is run. No row depends on it, as far as the command's answers do not.
#[derive(Clone, PartialEq, Debug)]
pub struct CommandSettings {
    pub processes: u32,
    /// Seconds for an answer.
    pub timeout: u64,
}

impl Default for CommandSettings {
    fn default() -> CommandSettings {
        CommandSettings { processes: 1, timeout: 60 }
    }
}

impl SettingsTable for CommandSettings {
    fn entries() -> Vec<Entry<CommandSettings>> {
        vec![
            entry!("fitness_processes", processes: whole(1, 256), "processes of a fitness that is a command, 1 to 256")
                .implied("1"),
            entry!(
                "fitness_timeout",
                timeout: whole(1, 86_400),
                "seconds in which that command answers, 1 to 86400; then it is started again"
            )
            .implied("60"),
        ]
    }
}

/// Checks the command of a fitness.
///
/// # Errors
/// There is none, or it has several lines.
pub(super) fn checked(command: &str) -> Result<String, Error> {
    if command.trim().is_empty() || command.chars().any(char::is_control) {
        bail!("{PREFIX} takes a shell command in one line, as in command:python3 fit.py");
    }
    Ok(command.trim().to_owned())
}

/// Returns the line for a program with these values of the quantities.
pub(super) fn request(program: &str, quantities: &[Quantity], values: &[f64]) -> String {
    let mut line = format!("{{\"program\": {}", quoted(program));
    for ((name, _), value) in quantities.iter().zip(values) {
        let _ = write!(line, ", \"{name}\": {value}");
    }
    line + "}"
}

/// Programs whose fitness a command computes once they have played.
pub(super) struct CommandBatch {
    /// By program.
    requests: Vec<String>,
    is_sent: bool,
    answered: usize,
    fitness: Vec<f64>,
}

impl CommandBatch {
    /// Creates a batch with the line of each program, which [`put`](CommandBatch::put) may change until it is evaluated.
    pub fn new(requests: Vec<String>) -> CommandBatch {
        CommandBatch { requests, is_sent: false, answered: 0, fitness: Vec::new() }
    }

    /// Sets the line of a program.
    pub fn put(&mut self, program: usize, request: String) {
        self.requests[program] = request;
    }

    /// Returns the number of programs with a fitness.
    pub fn answered(&self) -> usize {
        self.answered
    }

    /// Evaluates until the budget is spent, all programs have a fitness or the command has failed.
    pub fn advance(&mut self, command: &mut CommandEvaluation, budget: Budget) -> Status {
        if !self.is_sent {
            command.begin(std::mem::take(&mut self.requests));
            self.is_sent = true;
        }
        let status = command.advance(budget);
        self.answered = command.answered;
        if status == Status::Done {
            self.fitness = command.finish();
        }
        status
    }

    /// Returns the outcomes of the programs with their fitness.
    pub fn outcomes(self, outcomes: impl Iterator<Item = Outcome>) -> Vec<Outcome> {
        outcomes.zip(self.fitness).map(|(outcome, fitness)| Outcome { fitness, ..outcome }).collect()
    }
}

/// The evaluation of programs by a command, a batch at a time.
pub(super) struct CommandEvaluation {
    command: String,
    settings: CommandSettings,
    workers: Vec<Worker>,
    requests: Vec<String>,
    /// The requests that no process has.
    waiting: VecDeque<usize>,
    fitness: Vec<f64>,
    answered: usize,
    /// Since the last answer.
    failures: u32,
    error: Option<Error>,
    /// When the last step ended: time between steps, as in a pause, is not the command's.
    left: Instant,
}

/// A process of the command.
struct Worker {
    process: Process,
    /// The requests that it has not answered.
    sent: VecDeque<usize>,
    /// When it began the first of them.
    since: Instant,
}

impl CommandEvaluation {
    /// Creates the evaluation by this command, which the first batch starts.
    pub fn new(command: &str, settings: &CommandSettings) -> CommandEvaluation {
        CommandEvaluation {
            command: command.to_owned(),
            settings: settings.clone(),
            workers: Vec::new(),
            requests: Vec::new(),
            waiting: VecDeque::new(),
            fitness: Vec::new(),
            answered: 0,
            failures: 0,
            error: None,
            left: Instant::now(),
        }
    }

    /// Begins a batch.
    fn begin(&mut self, requests: Vec<String>) {
        self.waiting = (0..requests.len()).collect();
        self.fitness = vec![0.0; requests.len()];
        self.requests = requests;
        self.answered = 0;
    }

    /// Returns the fitness of each program of a complete batch.
    fn finish(&mut self) -> Vec<f64> {
        self.requests.clear();
        std::mem::take(&mut self.fitness)
    }

    /// Returns why the command failed, once.
    pub fn failure(&mut self) -> Option<Error> {
        self.error.take()
    }

    /// Evaluates until the budget is spent, the batch is complete or the command has failed.
    fn advance(&mut self, budget: Budget) -> Status {
        let pause = self.left.elapsed();
        for worker in &mut self.workers {
            worker.since += pause;
            worker.process.forgive(pause);
        }
        let status = self.evaluate(budget).unwrap_or_else(|error| {
            self.error = Some(error);
            // A run that goes on tries again.
            self.failures = 0;
            self.retire(0..self.workers.len());
            Status::Running
        });
        self.left = Instant::now();
        status
    }

    fn evaluate(&mut self, budget: Budget) -> Result<Status, Error> {
        loop {
            if self.answered == self.requests.len() {
                return Ok(Status::Done);
            }
            self.start()?;
            self.send();
            self.receive()?;
            if budget.is_spent() {
                return Ok(Status::Running);
            }
        }
    }

    /// Starts processes while there is work for more.
    fn start(&mut self) -> Result<(), Error> {
        while self.workers.len() < self.settings.processes as usize && !self.waiting.is_empty() {
            let process = Process::start(&self.command, &[])
                .map_err(|error| format!("fitness: '{}' cannot be started: {error}", self.command))?;
            self.workers.push(Worker { process, sent: VecDeque::new(), since: Instant::now() });
        }
        Ok(())
    }

    fn send(&mut self) {
        // In turns, so that all have work.
        for ahead in 1..=AHEAD {
            for worker in self.workers.iter_mut().filter(|worker| worker.sent.len() < ahead) {
                let Some(next) = self.waiting.pop_front() else { break };
                if worker.sent.is_empty() {
                    worker.since = Instant::now();
                }
                worker.sent.push_back(next);
                worker.process.send(std::slice::from_ref(&self.requests[next]));
            }
        }
        self.workers.iter_mut().for_each(|worker| _ = worker.process.flush());
    }

    /// Takes the answers that have come; waits a little if there are none.
    fn receive(&mut self) -> Result<(), Error> {
        let before = (self.answered, self.failures);
        for index in (0..self.workers.len()).rev() {
            self.receive_from(index, Duration::ZERO)?;
        }
        let busy = self.workers.iter().position(|worker| !worker.sent.is_empty());
        if let Some(busy) = busy.filter(|_| (self.answered, self.failures) == before) {
            self.receive_from(busy, SLICE)?;
        }
        Ok(())
    }

    /// Takes the answers of a process, for the first of which this time is waited.
    fn receive_from(&mut self, index: usize, mut wait: Duration) -> Result<(), Error> {
        loop {
            let worker = &mut self.workers[index];
            match worker.process.receive(wait) {
                Output::Line(answer) => self.take(index, &answer)?,
                Output::End => return self.failed(index, None),
                Output::Nothing => break,
            }
            wait = Duration::ZERO;
        }
        let worker = &self.workers[index];
        if !worker.sent.is_empty() && worker.since.elapsed() > Duration::from_secs(self.settings.timeout) {
            let seconds = self.settings.timeout;
            return self.failed(
                index,
                Some(format!(
                    "gave no answer in {seconds} s (fitness_timeout); it must answer each line at once, without buffers (in Python flush=True, in awk -W interactive)"
                )),
            );
        }
        Ok(())
    }

    fn take(&mut self, index: usize, answer: &str) -> Result<(), Error> {
        let shown = || sanitize::inline(answer.trim()).chars().take(SHOWN).collect::<String>();
        let worker = &mut self.workers[index];
        let Some(request) = worker.sent.pop_front() else {
            bail!(
                "fitness: '{}' answered '{}' without a program; it must answer each line with one",
                self.command,
                shown()
            );
        };
        let Some(fitness) = answer.trim().parse::<f64>().ok() else {
            let by_hand = self.by_hand(request);
            bail!("fitness: '{}' answered '{}' instead of a number; {by_hand}", self.command, shown());
        };
        worker.since = Instant::now();
        self.fitness[request] = admitted(fitness);
        self.answered += 1;
        self.failures = 0;
        Ok(())
    }

    /// Ends a process that has ended or hangs; the first of its programs counts as the cause.
    fn failed(&mut self, index: usize, hangs: Option<String>) -> Result<(), Error> {
        let request = self.workers[index].sent.front().copied();
        let how = self.retire(index..index + 1);
        // A process may end by itself once it has answered.
        let Some(request) = request else { return Ok(()) };
        self.failures += 1;
        if self.failures >= FAILURES {
            let by_hand = self.by_hand(request);
            let how = hangs.unwrap_or(how);
            bail!("fitness: '{}' {how}, {FAILURES} times in a row; {by_hand}", self.command);
        }
        Ok(())
    }

    /// Ends these processes, whose programs wait again; returns how the last ended.
    fn retire(&mut self, range: std::ops::Range<usize>) -> String {
        let mut how = String::new();
        for Worker { process, sent, .. } in self.workers.drain(range) {
            sent.into_iter().rev().for_each(|request| self.waiting.push_front(request));
            how = process.end();
        }
        how
    }

    /// Returns how to try a request, or the shortest one if it is long.
    fn by_hand(&self, request: usize) -> String {
        let own = Some(&self.requests[request]).filter(|line| line.len() <= LONGEST);
        let shortest = || self.requests.iter().min_by_key(|line| line.len());
        let line = own.or_else(shortest).map_or("", String::as_str);
        format!("try it: echo {} | {}", sanitize::shell(line), self.command)
    }
}

#[cfg(test)]
mod tests;
