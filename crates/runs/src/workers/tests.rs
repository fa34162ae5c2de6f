use std::collections::HashSet;
use std::sync::atomic::AtomicUsize;
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use super::*;
use crate::budget::{Budget, Job, Status};
use crate::worker::stop_all;

/// Time after which a test fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the jobs of a test have in common.
#[derive(Default)]
struct Common {
    threads: Mutex<HashSet<ThreadId>>,
    steps: AtomicUsize,
    /// Jobs in a step now, and the most at a time.
    now: AtomicUsize,
    most: AtomicUsize,
    saved: AtomicUsize,
    dropped: AtomicUsize,
}

/// A job that ends after a few steps of a millisecond each.
struct Brief(Arc<Common>, usize);

impl Job for Brief {
    type View = ();

    fn step(&mut self, _: Budget) -> Status {
        let common = &self.0;
        common.threads.lock().unwrap().insert(thread::current().id());
        common.steps.fetch_add(1, Ordering::SeqCst);
        let now = common.now.fetch_add(1, Ordering::SeqCst) + 1;
        common.most.fetch_max(now, Ordering::SeqCst);
        thread::sleep(Duration::from_millis(1));
        common.now.fetch_sub(1, Ordering::SeqCst);
        self.1 = self.1.saturating_sub(1);
        if self.1 == 0 { Status::Done } else { Status::Running }
    }

    fn view(&self) {}

    fn rest(&mut self) {
        self.0.saved.fetch_add(1, Ordering::SeqCst);
    }
}

impl Drop for Brief {
    fn drop(&mut self) {
        self.0.dropped.fetch_add(1, Ordering::SeqCst);
    }
}

/// A job whose only step waits until its sender is gone.
struct BlockedJob(Sender<()>, Receiver<()>);

impl Job for BlockedJob {
    type View = ();

    fn step(&mut self, _: Budget) -> Status {
        let _ = self.0.send(());
        let _ = self.1.recv();
        Status::Done
    }

    fn view(&self) {}
}

fn start(workers: &Workers, number: u64, job: impl Job<View = ()> + 'static) -> Worker {
    workers.start(JobId(number), erase(job), || ()).unwrap()
}

/// Occupies a thread until the sender is dropped.
fn block(workers: &Workers, number: u64) -> (Worker, Sender<()>) {
    let ((begun, begins), (open, gate)) = (bounded(1), bounded(0));
    let worker = start(workers, number, BlockedJob(begun, gate));
    begins.recv_timeout(PATIENCE).unwrap();
    (worker, open)
}

fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn all_jobs_end_on_a_few_threads_of_which_one_at_a_time_is_a_sessions() {
    let workers = Workers::new(3, 1);
    let common = Arc::new(Common::default());
    let jobs: Vec<Worker> = (0..30).map(|number| start(&workers, number, Brief(common.clone(), 3))).collect();
    eventually("all jobs end", || common.dropped.load(Ordering::SeqCst) == 30);
    assert!(jobs.iter().all(|job| job.take().is_some_and(|news| news.state == crate::State::Done)));
    assert_eq!((common.threads.lock().unwrap().len(), common.steps.load(Ordering::SeqCst)), (3, 90));
    let session = workers.for_session();
    let common = Arc::new(Common::default());
    let _jobs: Vec<Worker> = (30..60).map(|number| start(&session, number, Brief(common.clone(), 2))).collect();
    eventually("all jobs end", || common.dropped.load(Ordering::SeqCst) == 30);
    assert_eq!(common.most.load(Ordering::SeqCst), 1);
}

#[test]
fn a_stopped_job_is_taken_out_before_its_turn() {
    let workers = Workers::new(1, 1);
    let common = Arc::new(Common::default());
    let (_blocked, gate) = block(&workers, 0);
    for number in 1..=1000 {
        drop(start(&workers, number, Brief(common.clone(), 1)));
        assert_eq!(common.dropped.load(Ordering::SeqCst), number as usize);
    }
    drop(gate);
    let _last = start(&workers, 1001, Brief(common.clone(), 1));
    eventually("the last job ends", || common.dropped.load(Ordering::SeqCst) == 1001);
    assert_eq!(common.steps.load(Ordering::SeqCst), 1);
}

#[test]
fn a_session_has_a_limited_number_of_jobs_and_files_wait_for_no_computation() {
    let workers = Workers::new(1, 1).for_session();
    let (_blocked, _gate) = block(&workers, 0);
    let common = Arc::new(Common::default());
    let jobs: Vec<Worker> =
        (1..MOST_JOBS as u64).map(|number| start(&workers, number, Brief(common.clone(), 1))).collect();
    let refused = workers.start(JobId(1000), erase(Brief(common.clone(), 1)), || ()).err().unwrap();
    assert!(refused.to_string().starts_with("64 tasks are waiting"), "{refused}");
    // Another session is not concerned.
    let _other = start(&workers.for_session(), 1001, Brief(common, 1));
    let (ended, end) = unbounded();
    let _task = workers.start_task(JobId(1002), Box::new(|| Box::new(7)), move || _ = ended.send(())).unwrap();
    end.recv_timeout(PATIENCE).unwrap();
    drop(jobs);
}

#[test]
fn jobs_that_have_begun_save_when_they_are_stopped_or_the_threads_end() {
    for is_last in [false, true] {
        let workers = Workers::new(1, 1);
        let common = Arc::new(Common::default());
        let job = start(&workers, 0, Brief(common.clone(), usize::MAX));
        eventually("a step", || common.steps.load(Ordering::SeqCst) > 0);
        job.command(Command::Pause);
        eventually("a pause", || job.take().is_some_and(|news| news.state == crate::State::Paused));
        match is_last {
            true => drop(workers),
            false => stop_all([job], |_| ()),
        }
        eventually("the end", || common.dropped.load(Ordering::SeqCst) == 1);
        // At the pause and at the end.
        assert_eq!(common.saved.load(Ordering::SeqCst), 2);
    }
}
