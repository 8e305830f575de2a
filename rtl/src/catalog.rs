//! The one list of modules that stand on their own.
//!
//! Verilog export, replay in other simulators, lint and statistics iterate over this list: a module
//! that is registered here gets every check, and a test fails when a public one is missing.

macro_rules! configurations {
    ($($size:ident $name:literal => $build:expr),* $(,)?) => {
        vec![$(Configuration { name: $name, size: Size::$size, build: || Box::new($build) }),*]
    };
}

/// The lists, in order.
macro_rules! lists {
    ($($list:ident)*) => {
        $(mod $list;)*

        /// All modules, primitives first.
        pub fn entries() -> Vec<Entry> {
            let mut entries = Vec::new();
            $(entries.extend($list::entries());)*
            entries
        }
    };
}

lists! {
    primitives
    dispatch
    claso
    dyncta
    gate
    gpgpusim
    kmu
    dtbl
    laperm
    ikra
    srtf
    oldest_first
    most_room
    clusters
    priority
    partitions
    dependent
    domains
    launch_control
}

use crate::claso::Levels;
use crate::dyncta::Thresholds;
use crate::gate::GateKind;
use crate::module::Module;
use crate::port::Limits;

/// What a configuration is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// For exhaustive tests, proofs and Icarus.
    Small,
    /// What a paper evaluated.
    Paper,
    /// Larger than any paper's.
    Large,
    /// More than 32 SMXs, where masks and the numbers of SMXs take more bits than the papers' do,
    /// and slow: in the `full` suite alone, since simulators and Yosys take up to minutes.
    Wide,
}

/// A module with its parameters chosen.
pub struct Configuration {
    /// Names it among the module's configurations; letters, digits and underscores.
    pub name: &'static str,
    /// What it is for.
    pub size: Size,
    build: fn() -> Box<dyn Module>,
}

impl Configuration {
    /// A new module, connected and ready for simulation or export.
    pub fn build(&self) -> Box<dyn Module> {
        let mut module = (self.build)();
        module.connect_all();
        module
    }
}

/// A module that stands on its own.
pub struct Entry {
    /// Folder and file stem of its source: `dispatch/kernel_table`.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// The paper and section that it comes from; empty for the primitives.
    pub paper: &'static str,
    /// Its configurations, smallest first.
    pub configurations: Vec<Configuration>,
}

/// The limits of a Tesla K20c (DTBL, table 2).
pub const K20C: Limits =
    Limits { threads: 2048, registers: 65_536, shared_memory: 49_152, slots: 16 };

/// The limits of a Tesla C2050 (CLASO, table 1, with the 1,536 threads that its table 2 implies).
pub const C2050: Limits =
    Limits { threads: 1536, registers: 32_768, shared_memory: 49_152, slots: 8 };

/// CLASO's tightest levels, which the paper recommends (section 4.4).
pub const CLASO_1_0: Levels = Levels { active: 1, loose: 0 };

/// CLASO's looser recommended levels (section 4.4).
pub const CLASO_2_0: Levels = Levels { active: 2, loose: 0 };

/// DYNCTA's thresholds (section 4; table 3).
pub const DYNCTA: Thresholds = Thresholds { idle: 16, low: 128, high: 384 };

/// Thresholds that random counts of 12 bits fall on both sides of.
const EVEN: Thresholds = Thresholds { idle: 3072, low: 1365, high: 2730 };

/// DYNCTA over SMXs of a C2050, at such thresholds.
const THROTTLE: GateKind = GateKind::Dyncta { slots: C2050.slots, thresholds: EVEN, pauses: false };

/// The same, which pauses blocks.
const PAUSING: GateKind = GateKind::Dyncta { slots: C2050.slots, thresholds: EVEN, pauses: true };

/// The entry of that name.
pub fn find(name: &str) -> Option<Entry> {
    entries().into_iter().find(|entry| entry.name == name)
}

fn entry(
    name: &'static str,
    summary: &'static str,
    paper: &'static str,
    configurations: Vec<Configuration>,
) -> Entry {
    Entry { name, summary, paper, configurations }
}
