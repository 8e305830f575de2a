//! One DRAM channel, command by command: FR-FCFS over banks, bank groups and rows.

pub mod address_map;
mod alarms;
pub mod alone;
mod bank_fifos;
mod bank_queues;
mod command;
mod config;
mod device;
mod open_row;
mod ready;
#[cfg(test)]
mod tests;
mod timing;
mod waiting;
mod wants;
mod window;

pub use address_map::{AddressMap, AddressMapConfig, Location};
pub use command::{ChannelCounts, Command, CommandKind};
pub use config::{ChannelConfig, Policy};

use device::Device;
use open_row::OpenRow;
use ready::NEVER;
use waiting::Waiting;
use window::Window;

/// What is to be read or written: one burst, or several of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// What its completion is called; the channel does not look at it.
    pub id: u32,
    /// The bank, below [`ChannelConfig::banks`].
    pub bank: u16,
    /// The row.
    pub row: u32,
    /// Whether it writes.
    pub write: bool,
}

/// The column command of a request's last burst was issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    /// [`Request::id`].
    pub id: u32,
    /// The cycle in which its data end. It lies ahead of the cycle in which it becomes known.
    pub cycle: u64,
}

// There is one a channel, and it is asked in every cycle.
#[allow(clippy::large_enum_variant)]
#[derive(Debug)]
enum Scheduler {
    Window(Window),
    OpenRow(OpenRow),
}

/// A channel: an in-order FIFO without limit, the scheduler with the queue from which it chooses,
/// and the device.
///
/// Time is the caller's. In each cycle [`push`](Self::push) comes before [`tick`](Self::tick), and
/// cycles before [`next`](Self::next) may be left out: nothing would happen in them.
///
/// A request that arrives in cycle `c` can have its first command in `c + 1`. One request a cycle
/// enters the queue, at the end of the cycle, also into a place that the same cycle made free.
///
/// ```
/// use blockyard_gpu::channel::{Channel, ChannelConfig, Completion, Request};
///
/// let mut channel = Channel::new(&ChannelConfig::default());
/// channel.push(10, Request { id: 7, bank: 3, row: 5, write: false });
/// let mut completed = Vec::new();
/// while let Some(cycle) = channel.next() {
///     channel.tick(cycle, &mut completed);
/// }
/// // Activate in 11, read in 23, data from 35 to 39.
/// assert_eq!(completed, [Completion { id: 7, cycle: 39 }]);
/// ```
#[derive(Debug)]
pub struct Channel {
    device: Device,
    /// Requests that have not entered the queue.
    waiting: Waiting,
    scheduler: Scheduler,
    /// First cycle that is not over.
    now: u64,
    arrivals: u64,
}

impl Channel {
    /// A channel with all rows closed.
    ///
    /// # Panics
    /// When the configuration is one that [`ChannelConfig::validate`] refuses.
    pub fn new(config: &ChannelConfig) -> Self {
        config.validate().expect("a configuration that can be built");
        Self {
            device: Device::new(config),
            waiting: Waiting::new(),
            scheduler: match config.scheduler {
                Policy::Window => Scheduler::Window(Window::new(config)),
                Policy::OpenRow => Scheduler::OpenRow(OpenRow::new(config)),
            },
            now: 0,
            arrivals: 0,
        }
    }

    /// A request arrives in `cycle`, which must not be over, nor lie before the arrival of any
    /// pushed so far.
    ///
    /// # Panics
    /// When the bank does not exist (once the request enters the queue).
    pub fn push(&mut self, cycle: u64, request: Request) {
        self.push_bursts(cycle, request, 1);
    }

    /// As [`push`](Self::push), where the request has so many `bursts`, at least one; the last one
    /// completes it. Under [`Policy::Window`] each enters the queue on its own. Under
    /// [`Policy::OpenRow`] the request is one entry, and its bank serves nothing else until its
    /// last burst.
    ///
    /// # Panics
    /// As [`push`](Self::push).
    #[inline]
    pub fn push_bursts(&mut self, cycle: u64, request: Request, bursts: u8) {
        debug_assert!(cycle >= self.now, "cycle {cycle} is over");
        self.arrivals += u64::from(bursts);
        self.waiting.push(cycle, request, bursts);
    }

    /// The next cycle in which [`tick`](Self::tick) would do anything; `None` when nothing is
    /// waiting.
    pub fn next(&self) -> Option<u64> {
        let command = match &self.scheduler {
            Scheduler::Window(window) => window.next(),
            Scheduler::OpenRow(open_row) => open_row.next(self.now, &self.device),
        };
        let entry = if self.is_full() { NEVER } else { self.waiting.next_entry() };
        let next = command.min(entry);
        (next != NEVER).then_some(next)
    }

    /// When the first request arrives that had not when [`run`](Self::run) came to its end.
    pub fn next_arrival(&self) -> Option<u64> {
        self.waiting.next_arrival()
    }

    /// Every cycle up to `last` in which anything happens: issues its commands, appends what they
    /// complete, and lets a request into the queue.
    pub fn run(&mut self, last: u64, completed: &mut Vec<Completion>) {
        let Self { device, waiting, .. } = self;
        match &mut self.scheduler {
            Scheduler::Window(window) => window.run(device, waiting, last, completed),
            Scheduler::OpenRow(open_row) => open_row.run(device, waiting, last, completed),
        }
        self.now = self.now.max(last + 1);
        self.waiting.pass(self.now);
    }

    /// As [`run`](Self::run) up to `cycle`, where nothing is left from the cycles before.
    pub fn tick(&mut self, cycle: u64, completed: &mut Vec<Completion>) {
        debug_assert!(cycle >= self.now, "cycle {cycle} is over");
        self.run(cycle, completed);
    }

    /// Requests whose column command has not been issued.
    pub fn pending(&self) -> usize {
        let counts = &self.device.counts;
        (self.arrivals - counts.reads - counts.writes) as usize
    }

    /// Requests in the queue: those among which the scheduler chooses.
    pub fn queued(&self) -> usize {
        match &self.scheduler {
            Scheduler::Window(window) => window.queued(),
            Scheduler::OpenRow(open_row) => open_row.queued(self.now),
        }
    }

    /// Whether the queue has no room.
    #[inline]
    fn is_full(&self) -> bool {
        match &self.scheduler {
            Scheduler::Window(window) => window.is_full(),
            Scheduler::OpenRow(open_row) => open_row.is_full(),
        }
    }

    /// What it has done so far.
    pub fn counts(&self) -> &ChannelCounts {
        &self.device.counts
    }

    /// From now on remembers every command, for [`commands`](Self::commands).
    pub fn record_commands(&mut self) {
        self.device.records = true;
    }

    /// The commands since [`record_commands`](Self::record_commands), in order; those of one cycle
    /// stand row command first.
    pub fn commands(&self) -> &[Command] {
        &self.device.commands
    }
}
