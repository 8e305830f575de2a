//! The schedulers that the suites run: the one list of them.

use blockyard_sim::port::LaunchMode;

/// How what blocks launch reaches the scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// As in the id of a case.
    pub name: &'static str,
    /// The launch mode.
    pub launch: LaunchMode,
    /// Entries of the Aggregated Group Table.
    pub table: u32,
}

/// Nothing is launched from the device.
pub const FLAT: Mode = Mode { name: "flat", launch: LaunchMode::Flat, table: 1 };
/// Kernels are.
pub const CDP: Mode = Mode { name: "cdp", launch: LaunchMode::Cdp, table: 1 };
/// Groups are, into a table of the paper's size.
pub const DTBL: Mode = Mode { name: "dtbl", launch: LaunchMode::Dtbl, table: 1024 };
/// Groups are, into a table that is soon full.
const DTBL8: Mode = Mode { name: "dtbl8", launch: LaunchMode::Dtbl, table: 8 };
/// Groups are, into a table of one entry.
const DTBL1: Mode = Mode { name: "dtbl1", launch: LaunchMode::Dtbl, table: 1 };

const NO_LAUNCHES: &[Mode] = &[FLAT];
const ALL: &[Mode] = &[FLAT, CDP, DTBL1, DTBL8, DTBL];
const KERNELS: &[Mode] = &[CDP];
const KERNELS_AND_GROUPS: &[Mode] = &[CDP, DTBL];

/// A composition and the modes in which it is run.
#[derive(Clone, Copy, Debug)]
pub struct Scheduler {
    /// Its name, with parameters.
    pub name: &'static str,
    modes: &'static [Mode],
}

/// A scheduler in one mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The composition.
    pub scheduler: &'static str,
    /// How what blocks launch reaches it.
    pub mode: Mode,
}

impl Scheduler {
    /// Whether it is run in that mode.
    pub fn runs(&self, mode: Mode) -> bool {
        self.modes.contains(&mode)
    }

    /// It in one of its modes.
    pub fn under(&self, mode: Mode) -> Subject {
        Subject { scheduler: self.name, mode }
    }
}

/// Every composition with its parameters: levels that bind at once or never, queues that are always
/// full, messages that take long, samples of several blocks. What the quick suite chooses for one
/// depends on its place in this order.
pub fn schedulers() -> &'static [Scheduler] {
    &SCHEDULERS
}

/// Every scheduler in each of its modes.
pub fn subjects() -> impl Iterator<Item = Subject> {
    let of =
        |scheduler: &'static Scheduler| scheduler.modes.iter().map(|&mode| scheduler.under(mode));
    schedulers().iter().flat_map(of)
}

const SCHEDULERS: [Scheduler; 44] = [
    of("rr", ALL),
    of("rr+claso", ALL),
    of("rr+claso(pa=2,pl=0)", NO_LAUNCHES),
    of("rr+claso(pa=1,pl=2)", NO_LAUNCHES),
    of("rr+claso(pa=2,pl=1)", &[CDP, DTBL1, DTBL8, DTBL]),
    of("rr+claso(pa=9,pl=9)", NO_LAUNCHES),
    of("rr-gpgpusim", NO_LAUNCHES),
    of("rr+dyncta", NO_LAUNCHES),
    of("rr+dyncta(period=64,idle=3,low=8,high=16)", NO_LAUNCHES),
    of("rr+dyncta+claso", NO_LAUNCHES),
    of("laperm/tb-pri(levels=1,entries=2)", KERNELS_AND_GROUPS),
    of("laperm/tb-pri(levels=8,entries=1,queue=shifting)", KERNELS_AND_GROUPS),
    of("laperm/tb-pri", KERNELS_AND_GROUPS),
    of("laperm/smx-bind", KERNELS_AND_GROUPS),
    of("laperm/smx-bind(levels=2,entries=2)", KERNELS_AND_GROUPS),
    of("laperm/smx-bind(levels=8,entries=2,queue=shifting)", KERNELS_AND_GROUPS),
    of("laperm/smx-bind(cluster=2,entries=2)", KERNELS_AND_GROUPS),
    of("laperm/adaptive-bind(entries=2)", KERNELS_AND_GROUPS),
    of("laperm/adaptive-bind(levels=3,entries=4,queue=shifting)", KERNELS_AND_GROUPS),
    of("laperm/adaptive-bind(cluster=2,levels=6,entries=2)", KERNELS_AND_GROUPS),
    of("laperm/adaptive-bind", KERNELS_AND_GROUPS),
    of("laperm/tb-pri(entries=2)+claso", KERNELS_AND_GROUPS),
    of("laperm/adaptive-bind(entries=2)+claso", KERNELS_AND_GROUPS),
    of("rr(start=last-finished)", NO_LAUNCHES),
    of("ikra/chunk", NO_LAUNCHES),
    of("ikra/reset", NO_LAUNCHES),
    of("ikra/flip", NO_LAUNCHES),
    of("ikra/steal", NO_LAUNCHES),
    of("ikra/steal(queue=2,latency=1)", NO_LAUNCHES),
    of("ikra/steal(queue=2,latency=16)", NO_LAUNCHES),
    of("ikra/steal(queue=2,latency=0,full=stop)", NO_LAUNCHES),
    of("ikra/steal(queue=4,latency=5,full=stop)", NO_LAUNCHES),
    of("ikra/steal(relations=on)", NO_LAUNCHES),
    of("ikra/steal(queue=2,latency=3,relations=on)", NO_LAUNCHES),
    of("ikra/steal(nesting=2)", KERNELS),
    of("ikra/steal(nesting=4)", KERNELS),
    of("ikra/steal(queue=2,nesting=2)", KERNELS),
    of("ikra/steal(queue=2,nesting=4)", KERNELS),
    of("mpmax", NO_LAUNCHES),
    of("srtf", NO_LAUNCHES),
    of("srtf(sample=3)", NO_LAUNCHES),
    of("srtf/adaptive", NO_LAUNCHES),
    of("srtf/adaptive(limit=1,threshold=0)", NO_LAUNCHES),
    of("srtf/adaptive(sample=2,limit=2,threshold=20)", NO_LAUNCHES),
];

const fn of(name: &'static str, modes: &'static [Mode]) -> Scheduler {
    Scheduler { name, modes }
}
