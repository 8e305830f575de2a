//! The schedulers that the suites run, by family.

use crate::family::takes;
use blockyard_sim::port::{DevicePorts, GroupStorage, LaunchMode};
use blockyard_sim::sched::composition::Gate;
use blockyard_sim::sched::family::FAMILIES;
use blockyard_sim::sched::Composition;

/// How what blocks launch reaches the scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// As in the id of a case.
    pub name: &'static str,
    /// The launch mode.
    pub launch: LaunchMode,
    /// What the scheduler holds of groups.
    pub storage: GroupStorage,
}

/// Nothing is launched from the device.
pub const FLAT: Mode =
    Mode { name: "flat", launch: LaunchMode::Flat, storage: GroupStorage { table: 1, ahead: 1 } };
/// Kernels are.
pub const CDP: Mode =
    Mode { name: "cdp", launch: LaunchMode::Cdp, storage: GroupStorage { table: 1, ahead: 1 } };
/// Groups are, into a table of the paper's size.
pub const DTBL: Mode = Mode {
    name: "dtbl",
    launch: LaunchMode::Dtbl,
    storage: GroupStorage { table: 1024, ahead: 32 },
};
/// Groups are, into a table that is soon full.
const DTBL8: Mode =
    Mode { name: "dtbl8", launch: LaunchMode::Dtbl, storage: GroupStorage { table: 8, ahead: 5 } };
/// Groups are, into a table of one entry, and those in memory are asked for one at a time.
const DTBL1: Mode =
    Mode { name: "dtbl1", launch: LaunchMode::Dtbl, storage: GroupStorage { table: 1, ahead: 1 } };

const MODES: [Mode; 5] = [FLAT, CDP, DTBL1, DTBL8, DTBL];

/// A composition and the modes in which it is run.
#[derive(Clone, Debug)]
pub struct Scheduler {
    /// Its name, with parameters.
    pub name: &'static str,
    modes: Vec<Mode>,
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

    /// Whether it is run in any mode in which blocks launch groups.
    pub fn takes_groups(&self) -> bool {
        self.modes.iter().any(|mode| mode.launch == LaunchMode::Dtbl)
    }

    /// It in one of its modes.
    pub fn under(&self, mode: Mode) -> Subject {
        Subject { scheduler: self.name, mode }
    }
}

/// What the families have for suites. What the quick suite chooses for one depends on its place in
/// this order.
pub fn schedulers() -> Vec<Scheduler> {
    let suites = FAMILIES.iter().flat_map(|family| family.suite);
    suites.map(|name| Scheduler { name, modes: modes(name) }).collect()
}

/// The modes that it takes, but for those that hold nothing new: `flat` where the ports of launches
/// are there in every mode, other sizes of a table that it does not have, and under gates all sizes
/// but one, and `cdp` with credits where only the Kernel Management Unit is in front of what `flat`
/// runs.
fn modes(name: &str) -> Vec<Mode> {
    let composition: Composition = name.parse().expect("a family's suite has its schedulers");
    let has_table = composition.ports(LaunchMode::Dtbl).device == DevicePorts::Groups;
    let always = matches!(
        composition.ports(LaunchMode::Flat).device,
        DevicePorts::Nested | DevicePorts::Priority
    );
    let holds_more = |mode: &Mode| match mode.launch {
        LaunchMode::Flat => !always,
        LaunchMode::Cdp => {
            let counts = composition.gates.iter().any(|gate| matches!(gate, Gate::Claso(_)));
            !counts || always || takes(&composition, LaunchMode::Dtbl)
        }
        LaunchMode::Dtbl if !has_table => *mode == DTBL,
        LaunchMode::Dtbl => composition.gates.is_empty() || *mode == DTBL8,
    };
    let taken = |mode: &Mode| takes(&composition, mode.launch);
    MODES.into_iter().filter(holds_more).filter(taken).collect()
}

/// Every scheduler in each of its modes.
pub fn subjects() -> impl Iterator<Item = Subject> {
    schedulers().into_iter().flat_map(|scheduler| {
        let subjects: Vec<_> = scheduler.modes.iter().map(|&mode| scheduler.under(mode)).collect();
        subjects
    })
}
