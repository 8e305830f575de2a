//! Threads on which partitions run while the SMXs go on.
//!
//! ```text
//!   SMXs          |--------------------------> help with what is left --> all partitions back
//!   workers       | partition 0 | partition 2 | ...
//! ```
//!
//! There is work every few microseconds, and to wake a thread takes longer: who waits looks again
//! and again for a while before it sleeps.

use super::partition::Partition;
use std::collections::VecDeque;
use std::fmt;
use std::hint;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Looks before a thread sleeps: some 50 us.
const LOOKS: u32 = 1 << 11;

/// See the module.
pub struct Workers {
    board: Arc<Board>,
    threads: Vec<JoinHandle<()>>,
}

/// Where workers find what is to be done. What they look at again and again has lines of the
/// processor's caches of its own, a pair of them: whoever wrote beside it would wait each time.
#[derive(Default)]
#[repr(align(128))]
struct Board {
    /// Counts what was put there.
    posted: AtomicU64,
    work: Mutex<Option<Arc<Work>>>,
    ended: AtomicBool,
}

impl Workers {
    /// So many threads beside the caller's; as many as the system gives, and `None` for none.
    pub fn new(threads: usize) -> Option<Self> {
        let board = Arc::new(Board::default());
        let spawn = |_| {
            let board = Arc::clone(&board);
            thread::Builder::new().name("memory".to_owned()).spawn(move || board.serve()).ok()
        };
        let threads: Vec<_> = (0..threads).map_while(spawn).collect();
        (!threads.is_empty()).then_some(Self { board, threads })
    }

    /// Lets `partitions` do all that they do before cycle `until`.
    pub fn start(&self, partitions: Vec<Box<Partition>>, until: u64) -> Running {
        let number = partitions.len();
        let work = Arc::new(Work {
            until,
            number,
            left: Mutex::new(partitions.into()),
            done: Mutex::new(Vec::with_capacity(number)),
            finished: AtomicUsize::new(0),
            worked: AtomicU64::new(0),
        });
        *lock(&self.board.work) = Some(Arc::clone(&work));
        self.board.posted.fetch_add(1, Ordering::Release);
        self.threads.iter().for_each(|worker| worker.thread().unpark());
        Running(work)
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.board.ended.store(true, Ordering::Release);
        for worker in self.threads.drain(..) {
            worker.thread().unpark();
            // One that panicked has said so.
            let _ = worker.join();
        }
    }
}

impl fmt::Debug for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} workers", self.threads.len())
    }
}

impl Board {
    /// A worker's life.
    fn serve(&self) {
        let (mut seen, mut looks) = (0, 0);
        while !self.ended.load(Ordering::Acquire) {
            let posted = self.posted.load(Ordering::Acquire);
            if posted != seen {
                (seen, looks) = (posted, 0);
                let work = lock(&self.work).clone();
                work.inspect(|work| work.help(VecDeque::pop_back));
            } else if looks < LOOKS {
                looks += 1;
                hint::spin_loop();
            } else {
                thread::park();
            }
        }
    }
}

/// Partitions that are running.
#[derive(Debug)]
pub struct Running(Arc<Work>);

impl Running {
    /// Helps, waits, and takes the partitions back in their order, with the time for which they
    /// worked on all threads together.
    ///
    /// # Panics
    /// When a partition panicked.
    pub fn finish(self) -> (Vec<Box<Partition>>, Duration) {
        let Self(work) = self;
        work.help(VecDeque::pop_front);
        let mut looks = 0;
        while work.finished.load(Ordering::Acquire) < work.number {
            looks += 1;
            if looks < LOOKS {
                hint::spin_loop();
            } else {
                thread::yield_now();
            }
        }
        let mut partitions = std::mem::take(&mut *lock(&work.done));
        assert_eq!(partitions.len(), work.number, "a partition panicked on its thread");
        partitions.sort_unstable_by_key(|partition| partition.first());
        (partitions, Duration::from_nanos(work.worked.load(Ordering::Relaxed)))
    }
}

#[derive(Debug)]
#[repr(align(128))]
struct Work {
    until: u64,
    number: usize,
    left: Mutex<VecDeque<Box<Partition>>>,
    done: Mutex<Vec<Box<Partition>>>,
    /// Partitions that have run, or panicked.
    finished: AtomicUsize,
    /// The nanoseconds for which they ran.
    worked: AtomicU64,
}

impl Work {
    /// Runs partitions until none is left. `pop` takes them from one end: who takes them from the
    /// same end each time mostly gets those that are in its processor's caches.
    fn help(&self, pop: impl Fn(&mut VecDeque<Box<Partition>>) -> Option<Box<Partition>>) {
        loop {
            let Some(mut partition) = pop(&mut lock(&self.left)) else { return };
            let finished = Finished(&self.finished);
            let start = Instant::now();
            partition.run(self.until);
            self.worked.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
            lock(&self.done).push(partition);
            drop(finished);
        }
    }
}

/// Counts a partition when it is dropped, so that nobody waits for one that panicked.
struct Finished<'a>(&'a AtomicUsize);

impl Drop for Finished<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
