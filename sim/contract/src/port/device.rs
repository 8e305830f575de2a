//! What crosses when blocks launch work: device kernels on their way to the Kernel Management Unit,
//! aggregated groups on their way to the SMX scheduler, and what both keep in global memory.
//!
//! All of it is at rest under `--launch flat`. The meaning of every field, cycle by cycle, is on
//! `docs/dtbl.md`.

use super::{Dim3, KernelEntry, KernelLaunch, PriorityInputs, PriorityOutputs};

/// Hardware work queues of the Kernel Management Unit (DTBL, section 2.2).
pub const WORK_QUEUES: usize = 32;

/// How what a block launches reaches the SMXs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LaunchMode {
    /// Nothing is launched from the device.
    #[default]
    Flat,
    /// Device kernels, through the Kernel Management Unit (CUDA Dynamic Parallelism).
    Cdp,
    /// Aggregated groups that are coalesced to kernels in the Kernel Distributor.
    Dtbl,
}

/// Which ports of launches from the device a scheduler has. Those that it does not have are at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DevicePorts {
    /// None.
    #[default]
    None,
    /// The slots of blocks, and [`super::Inputs::clock`]: those of a scheduler that measures how long blocks
    /// run. It has no others under any [`LaunchMode`].
    Timed,
    /// Those of the Kernel Management Unit: work queues, device launches, records.
    Kernels,
    /// These, and those of aggregated groups and their blocks.
    Groups,
    /// Those of the Kernel Management Unit, and who launches a kernel and from which pool its record comes
    /// ([`super::PriorityInputs::launch_parent`], [`super::PriorityInputs::record_place`],
    /// [`super::PriorityOutputs::launch_place`], [`super::PriorityOutputs::record_place`]); under every
    /// [`LaunchMode`] those of IKRA with nesting levels.
    Nested,
    /// All of them; under every [`LaunchMode`] those of a scheduler with priority queues.
    Priority,
}

impl From<LaunchMode> for DevicePorts {
    /// The ports of a scheduler that has no more than `mode` needs.
    fn from(mode: LaunchMode) -> Self {
        match mode {
            LaunchMode::Flat => Self::None,
            LaunchMode::Cdp => Self::Kernels,
            LaunchMode::Dtbl => Self::Groups,
        }
    }
}

/// Which aggregated group (DTBL's AGEI): an entry of the Aggregated Group Table, or, with the highest
/// bit set, the place in global memory where the group's information is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroupReference(u32);

impl GroupReference {
    const MEMORY: u32 = 1 << 31;

    /// The word that stands for no group in hardware.
    pub const NONE: u32 = u32::MAX;

    /// Entry `index` of the Aggregated Group Table.
    ///
    /// # Panics
    /// When `index` needs more than 31 bits.
    #[inline]
    pub const fn on_chip(index: u32) -> Self {
        assert!(index < Self::MEMORY, "an index of 31 bits");
        Self(index)
    }

    /// The group whose information is at `pointer` in global memory.
    ///
    /// # Panics
    /// When `pointer` is not below 2^31 - 1.
    #[inline]
    pub const fn in_memory(pointer: u32) -> Self {
        assert!(pointer < Self::MEMORY - 1, "a pointer of 31 bits, not all ones");
        Self(Self::MEMORY | pointer)
    }

    /// From the hardware's word; `None` for [`GroupReference::NONE`].
    #[inline]
    pub const fn from_word(word: u32) -> Option<Self> {
        if word == Self::NONE {
            None
        } else {
            Some(Self(word))
        }
    }

    /// The hardware's word.
    #[inline]
    pub const fn word(self) -> u32 {
        self.0
    }

    /// The entry of the table, unless the group's information is in memory.
    #[inline]
    pub const fn index(self) -> Option<u32> {
        if self.0 & Self::MEMORY == 0 {
            Some(self.0)
        } else {
            None
        }
    }

    /// Where in memory the group's information is, unless it is in the table.
    #[inline]
    pub const fn pointer(self) -> Option<u32> {
        if self.0 & Self::MEMORY == 0 {
            None
        } else {
            Some(self.0 & !Self::MEMORY)
        }
    }
}

/// The aggregation command of a warp: what its groups have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AggregationCommand {
    /// Address of the first instruction that the groups execute.
    pub entry_pc: u32,
    /// Extent of their thread blocks in threads.
    pub block: Dim3,
    /// How many groups follow, 1 to 32.
    pub groups: u8,
    /// Cycles until their parameters are in place, 0 to 63: no group is allocated before.
    pub wait: u8,
}

/// One group of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AggregatedGroup {
    /// The launching thread's number on its SMX; 16 bits. The table's index is made of its lowest bits.
    pub hardware_thread: u16,
    /// Where the group's information is in global memory; 31 bits, not all ones.
    pub pointer: u32,
    /// Address of its parameters in global memory.
    pub parameter_address: u32,
    /// Its extent in thread blocks; no dimension is zero.
    pub grid: Dim3,
    /// Its thread blocks in all.
    pub blocks: u32,
}

/// A group's information as it comes from global memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FetchedGroup {
    /// Its extent in thread blocks.
    pub grid: Dim3,
    /// The group after it, as far as memory knew when it was read.
    pub next: Option<GroupReference>,
}

/// What the scheduler learns in one cycle of launches from the device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceInputs {
    /// The hardware work queue of [`super::Inputs::launch`], below [`WORK_QUEUES`].
    pub queue: u8,
    /// A kernel launched by a block joins the pool of pending kernels.
    pub launch: bool,
    /// A suspended kernel joins the pool of suspended kernels.
    pub suspend: bool,
    /// A kernel from one of the pools reaches the Kernel Distributor.
    pub record: Option<KernelLaunch>,
    /// A warp's aggregation command is offered; accepted when [`DeviceOutputs::command_ready`].
    pub command: Option<AggregationCommand>,
    /// The next group of the accepted command whose groups are due, until
    /// [`DeviceOutputs::group_taken`] says what became of it.
    pub group: Option<AggregatedGroup>,
    /// The information of the group that was fetched last.
    pub fetched: Option<FetchedGroup>,
    /// For each SMX, the slot of the block that ends there; valid with its
    /// [`super::Inputs::finished`]. Empty where blocks have no control registers.
    pub slots: Vec<u8>,
    /// The group that [`super::Inputs::lookup`] is about; `None` for the native blocks.
    pub lookup_group: Option<GroupReference>,
    /// Of a scheduler with priority queues.
    pub priority: PriorityInputs,
}

/// What became of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupOutcome {
    /// It was coalesced to a kernel.
    Coalesced {
        /// The kernel's entry in the Kernel Distributor.
        kernel: KernelEntry,
        /// Where its information is kept.
        reference: GroupReference,
    },
    /// No kernel is eligible: it becomes a device kernel.
    NoEligibleKernel,
}

/// A kernel's record that the Kernel Management Unit asks of its pools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecordFetch {
    /// From the pool of suspended kernels instead of that of device kernels.
    pub suspended: bool,
    /// Its place in that pool, counted from the first record ever put there.
    pub index: u32,
}

/// A link between two groups that is kept in global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LinkWrite {
    /// Where the information of the earlier group is.
    pub pointer: u32,
    /// The group after it.
    pub next: GroupReference,
}

/// What the scheduler decides in one cycle on launches from the device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceOutputs {
    /// One bit for each hardware work queue: its head may be offered.
    pub inspect: u32,
    /// The entry that [`DeviceInputs::record`] takes in this cycle.
    pub record_entry: Option<KernelEntry>,
    /// A record is asked for; it comes as [`DeviceInputs::record`].
    pub fetch_record: Option<RecordFetch>,
    /// A command offered now is accepted.
    pub command_ready: bool,
    /// What becomes of [`DeviceInputs::group`] in this cycle, if anything.
    pub group_taken: Option<GroupOutcome>,
    /// A group's information is asked for, at this pointer; it comes as [`DeviceInputs::fetched`].
    pub fetch_group: Option<u32>,
    /// A link is written to memory.
    pub link_write: Option<LinkWrite>,
    /// Of a scheduler with priority queues.
    pub priority: PriorityOutputs,
}
