//! The one list of modules that stand on their own.
//!
//! Verilog export, replay in other simulators, lint and statistics iterate over this list: a module
//! that is registered here gets every check, and a test fails when a public one is missing.

use crate::claso::{Allocator, Consumer, Gate, GlobalCredits, Levels, RoundRobinClasoScheduler};
use crate::dispatch::{
    BlockId, BlockSequence, Dispatcher, FcfsControl, KernelEntries, KernelTable, Limits, Residents,
    ResourceTable, RoundRobin, RoundRobinScheduler, SmxResources,
};
use crate::dyncta::{
    Limit, RoundRobinDynctaClasoScheduler, RoundRobinDynctaScheduler, Thresholds, Throttle,
};
use crate::gpgpusim::{CapTable, GpgpuSimScheduler, Placement};
use crate::module::Module;
use crate::prim::{
    BudgetArbiter, Bundle, ConstantDivider, CounterBank, Crossbar, Fifo, PriorityEncoder, Register,
    RegisterFile, RoundRobinArbiter, SramOnePort, SramTwoPort,
};
use crate::word::U;

/// What a configuration is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// For exhaustive tests, proofs and Icarus.
    Small,
    /// What a paper evaluated.
    Paper,
    /// Larger than any paper's.
    Large,
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

macro_rules! configurations {
    ($($size:ident $name:literal => $build:expr),* $(,)?) => {
        vec![$(Configuration { name: $name, size: Size::$size, build: || Box::new($build) }),*]
    };
}

/// All modules, primitives first.
pub fn entries() -> Vec<Entry> {
    let mut entries = primitives();
    entries.extend(dispatch());
    entries.extend(claso());
    entries.extend(dyncta());
    entries.extend(gpgpusim());
    entries
}

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

fn primitives() -> Vec<Entry> {
    vec![
        entry(
            "prim/register",
            "register with synchronous reset",
            "",
            configurations![
                Small "w8" => Register::<U<8>>::new(),
                Large "block_id" => Register::<BlockId>::new(),
            ],
        ),
        entry(
            "prim/sram_one_port",
            "synchronous memory, one port",
            "",
            configurations![
                Small "w8_a4" => SramOnePort::<U<8>, 4>::new(),
                Large "w64_a10" => SramOnePort::<U<64>, 10>::new(),
            ],
        ),
        entry(
            "prim/sram_two_port",
            "synchronous memory, one read and one write port",
            "",
            configurations![
                Small "w8_a4" => SramTwoPort::<U<8>, 4>::new(),
                Large "block_id_a7" => SramTwoPort::<BlockId, 7>::new(),
            ],
        ),
        entry(
            "prim/register_file",
            "small memory read in the same cycle",
            "",
            configurations![
                Small "w8_a3_w1_r0" => RegisterFile::<U<8>, 3, 1, 0>::new(),
                Large "block_id_a5_w2_r3" => RegisterFile::<BlockId, 5, 2, 3>::new(),
            ],
        ),
        entry(
            "prim/fifo",
            "first-in first-out queue, head visible",
            "",
            configurations![
                Small "w8_a1" => Fifo::<U<8>, 1>::new(),
                Paper "w5_a5" => Fifo::<U<5>, 5>::new(),
                Large "w8_a8" => Fifo::<U<8>, 8>::new(),
            ],
        ),
        entry(
            "prim/priority_encoder",
            "lowest set bit",
            "",
            configurations![
                Small "n1" => PriorityEncoder::<1>::new(),
                Small "n5" => PriorityEncoder::<5>::new(),
                Paper "n32" => PriorityEncoder::<32>::new(),
            ],
        ),
        entry(
            "prim/round_robin_arbiter",
            "one grant from a pointer on",
            "",
            configurations![
                Small "n1" => RoundRobinArbiter::<1>::new(),
                Small "n5" => RoundRobinArbiter::<5>::new(),
                Paper "n13" => RoundRobinArbiter::<13>::new(),
                Large "n32" => RoundRobinArbiter::<32>::new(),
            ],
        ),
        entry(
            "prim/budget_arbiter",
            "as many grants as a budget allows",
            "",
            configurations![
                Small "n1" => BudgetArbiter::<1>::new(),
                Small "n4" => BudgetArbiter::<4>::new(),
                Paper "n14" => BudgetArbiter::<14>::new(),
                Large "n32" => BudgetArbiter::<32>::new(),
            ],
        ),
        entry(
            "prim/bundle",
            "single bits as one word",
            "",
            configurations![
                Small "n1" => Bundle::<1>::new(),
                Large "n32" => Bundle::<32>::new(),
            ],
        ),
        entry(
            "prim/counter_bank",
            "32 counters of things in execution",
            "",
            configurations![
                Small "n1_w2" => CounterBank::<1, 2>::new(),
                Paper "n13_w11" => CounterBank::<13, 11>::new(),
                Large "n32_w11" => CounterBank::<32, 11>::new(),
            ],
        ),
        entry(
            "prim/crossbar",
            "any word to any place",
            "",
            configurations![
                Small "w8_i1_o1" => Crossbar::<U<8>, 1, 1>::new(),
                Small "w8_i5_o3" => Crossbar::<U<8>, 5, 3>::new(),
                Paper "block_id_i14_o14" => Crossbar::<BlockId, 14, 14>::new(),
                Large "block_id_i32_o32" => Crossbar::<BlockId, 32, 32>::new(),
            ],
        ),
        entry(
            "prim/constant_divider",
            "division by a constant in one cycle",
            "",
            configurations![
                Small "by1" => ConstantDivider::new(1),
                Small "by4" => ConstantDivider::new(4),
                Paper "by14" => ConstantDivider::new(14),
                Large "by64" => ConstantDivider::new(64),
            ],
        ),
    ]
}

fn dispatch() -> Vec<Entry> {
    const SECTION: &str = "DTBL, sections 2.2, 2.3, 4.2";
    vec![
        entry(
            "dispatch/fcfs_control",
            "first-come first-served queue and marking bits",
            SECTION,
            configurations![
                Paper "k32" => FcfsControl::new(),
            ],
        ),
        entry(
            "dispatch/block_sequence",
            "the next blocks of a grid",
            SECTION,
            configurations![
                Small "m1" => BlockSequence::<1>::new(),
                Small "m4" => BlockSequence::<4>::new(),
                Paper "m15" => BlockSequence::<15>::new(),
                Large "m32" => BlockSequence::<32>::new(),
            ],
        ),
        entry(
            "dispatch/kernel_entries",
            "what the Kernel Distributor stores",
            SECTION,
            configurations![
                Small "n2" => KernelEntries::<2>::new(),
                Paper "n13" => KernelEntries::<13>::new(),
                Large "n32" => KernelEntries::<32>::new(),
            ],
        ),
        entry(
            "dispatch/residents",
            "resident blocks of each SMX, against a limit",
            "",
            configurations![
                Small "n1" => Residents::<1>::new(),
                Small "n4" => Residents::<4>::new(),
                Paper "n14" => Residents::<14>::new(),
                Large "n32" => Residents::<32>::new(),
            ],
        ),
        entry(
            "dispatch/kernel_table",
            "the Kernel Distributor's 32 entries",
            SECTION,
            configurations![
                Small "n2" => KernelTable::<2>::new(),
                Paper "n13" => KernelTable::<13>::new(),
                Large "n30" => KernelTable::<30>::new(),
            ],
        ),
        entry(
            "dispatch/smx_resources",
            "what one SMX has in use",
            SECTION,
            configurations![
                Paper "k20c" => SmxResources::new(K20C),
            ],
        ),
        entry(
            "dispatch/resource_table",
            "what each SMX has in use",
            SECTION,
            configurations![
                Small "n1" => ResourceTable::<1>::new(C2050),
                Paper "n13" => ResourceTable::<13>::new(K20C),
                Large "n30" => ResourceTable::<30>::new(K20C),
            ],
        ),
        entry(
            "dispatch/round_robin",
            "round robin over the SMXs",
            "LaPerm, section II-B",
            configurations![
                Small "n1" => RoundRobin::<1>::new(),
                Small "n3" => RoundRobin::<3>::new(),
                Paper "n13" => RoundRobin::<13>::new(),
                Large "n32" => RoundRobin::<32>::new(),
            ],
        ),
        entry(
            "dispatch/dispatcher",
            "the baseline dispatcher with a gate port",
            SECTION,
            configurations![
                Small "n2" => Dispatcher::<2>::new(C2050),
                Paper "n13" => Dispatcher::<13>::new(K20C),
            ],
        ),
        entry(
            "dispatch/scheduler",
            "rr: the baseline dispatcher",
            SECTION,
            configurations![
                Small "n1" => RoundRobinScheduler::<1>::new(C2050),
                Small "n4" => RoundRobinScheduler::<4>::new(C2050),
                Paper "n13" => RoundRobinScheduler::<13>::new(K20C),
                Large "n30" => RoundRobinScheduler::<30>::new(K20C),
            ],
        ),
    ]
}

fn claso() -> Vec<Entry> {
    const SECTION: &str = "CLASO, section 3 and Algorithm 1";
    vec![
        entry(
            "claso/allocator",
            "credits that a kernel gets",
            SECTION,
            configurations![
                Small "n4_pa1_pl0" => Allocator::new(4, CLASO_1_0),
                Paper "n14_pa1_pl0" => Allocator::new(14, CLASO_1_0),
                Paper "n14_pa2_pl0" => Allocator::new(14, CLASO_2_0),
                Large "n30_pa4_pl2" => Allocator::new(30, Levels { active: 4, loose: 2 }),
            ],
        ),
        entry(
            "claso/consumer",
            "local credits of one core",
            SECTION,
            configurations![
                Paper "pa1_pl0" => Consumer::new(CLASO_1_0),
                Large "pa4_pl2" => Consumer::new(Levels { active: 4, loose: 2 }),
            ],
        ),
        entry(
            "claso/global_credits",
            "credits that the cores share",
            SECTION,
            configurations![
                Paper "k32" => GlobalCredits::new(),
            ],
        ),
        entry(
            "claso/gate",
            "admission gate over a dispatcher",
            SECTION,
            configurations![
                Small "n1_pa1_pl0" => Gate::<1>::new(CLASO_1_0),
                Small "n4_pa1_pl0" => Gate::<4>::new(CLASO_1_0),
                Paper "n14_pa1_pl0" => Gate::<14>::new(CLASO_1_0),
                Large "n30_pa2_pl0" => Gate::<30>::new(CLASO_2_0),
            ],
        ),
        entry(
            "claso/scheduler",
            "rr+claso: CLASO over the baseline dispatcher",
            SECTION,
            configurations![
                Small "n4_pa1_pl0" => RoundRobinClasoScheduler::<4>::new(C2050, CLASO_1_0),
                Paper "n14_pa1_pl0" => RoundRobinClasoScheduler::<14>::new(C2050, CLASO_1_0),
                Large "n30_pa2_pl0" => RoundRobinClasoScheduler::<30>::new(K20C, CLASO_2_0),
            ],
        ),
    ]
}

fn dyncta() -> Vec<Entry> {
    const SECTION: &str = "DYNCTA (PACT 2013), section 4";
    /// Thresholds that random counts of 12 bits fall on both sides of.
    const EVEN: Thresholds = Thresholds { idle: 3072, low: 1365, high: 2730 };
    vec![
        entry(
            "dyncta/limit",
            "how many blocks one SMX may hold",
            SECTION,
            configurations![
                Small "s1" => Limit::new(1, EVEN),
                Small "s4" => Limit::new(4, EVEN),
                Paper "s8" => Limit::new(8, DYNCTA),
                Large "s63" => Limit::new(63, EVEN),
            ],
        ),
        entry(
            "dyncta/throttle",
            "admission gate over a dispatcher",
            SECTION,
            configurations![
                Small "n1_s8" => Throttle::<1>::new(8, EVEN),
                Small "n4_s2" => Throttle::<4>::new(2, EVEN),
                Paper "n14_s8" => Throttle::<14>::new(8, DYNCTA),
                Large "n32_s63" => Throttle::<32>::new(63, EVEN),
            ],
        ),
        entry(
            "dyncta/scheduler",
            "rr+dyncta: DYNCTA over the baseline dispatcher",
            SECTION,
            configurations![
                Small "n1" => RoundRobinDynctaScheduler::<1>::new(C2050, EVEN),
                Small "n4" => RoundRobinDynctaScheduler::<4>::new(C2050, EVEN),
                Paper "n14" => RoundRobinDynctaScheduler::<14>::new(C2050, DYNCTA),
                Large "n30" => RoundRobinDynctaScheduler::<30>::new(K20C, EVEN),
                Large "n32" => RoundRobinDynctaScheduler::<32>::new(K20C, EVEN),
            ],
        ),
        entry(
            "dyncta/claso_scheduler",
            "rr+dyncta+claso: both gates over the baseline dispatcher",
            "DYNCTA (PACT 2013), section 4; CLASO, section 4",
            configurations![
                Small "n1" => RoundRobinDynctaClasoScheduler::<1>::new(C2050, EVEN, CLASO_1_0),
                Small "n4" => RoundRobinDynctaClasoScheduler::<4>::new(C2050, EVEN, CLASO_1_0),
                Paper "n14" => RoundRobinDynctaClasoScheduler::<14>::new(C2050, DYNCTA, CLASO_1_0),
                Large "n30" => RoundRobinDynctaClasoScheduler::<30>::new(K20C, EVEN, CLASO_2_0),
            ],
        ),
    ]
}

fn gpgpusim() -> Vec<Entry> {
    const SECTION: &str = "GPGPU-Sim 4.2";
    vec![
        entry(
            "gpgpusim/placement",
            "up to one block an SMX, in turn",
            SECTION,
            configurations![
                Small "n1" => Placement::<1>::new(),
                Small "n4" => Placement::<4>::new(),
                Paper "n13" => Placement::<13>::new(),
                Paper "n15" => Placement::<15>::new(),
                Large "n32" => Placement::<32>::new(),
            ],
        ),
        entry(
            "gpgpusim/cap_table",
            "blocks of a kernel that one SMX may hold",
            SECTION,
            configurations![
                Small "n1" => CapTable::new(1),
                Small "n4" => CapTable::new(4),
                Paper "n15" => CapTable::new(15),
                Large "n32" => CapTable::new(32),
            ],
        ),
        entry(
            "gpgpusim/scheduler",
            "rr-gpgpusim: GPGPU-Sim's way of issuing blocks",
            SECTION,
            configurations![
                Small "n1" => GpgpuSimScheduler::<1>::new(C2050),
                Small "n4" => GpgpuSimScheduler::<4>::new(C2050),
                Paper "n13" => GpgpuSimScheduler::<13>::new(K20C),
                Paper "n14" => GpgpuSimScheduler::<14>::new(C2050),
                Paper "n15" => GpgpuSimScheduler::<15>::new(C2050),
                Large "n30" => GpgpuSimScheduler::<30>::new(K20C),
                Large "n32" => GpgpuSimScheduler::<32>::new(K20C),
            ],
        ),
    ]
}
