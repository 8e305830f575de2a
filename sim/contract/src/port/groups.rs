//! Aggregated groups on their way to kernels (DTBL, section 4), and what memory keeps of them.

use super::{Dim3, KernelEntry};

/// Which aggregated group (DTBL's AGEI): an entry of the Aggregated Group Table, or, with the
/// highest bit set, the place in global memory where the group's information is.
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
    /// The launching thread's number on its SMX; 16 bits. The table's index is made of its lowest
    /// bits.
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

/// What the scheduler holds of aggregated groups under DTBL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GroupStorage {
    /// Entries of the Aggregated Group Table: a power of two, 1 to 2,048.
    pub table: u32,
    /// Groups in memory whose information is asked for ahead: 1 to [`Self::MOST_AHEAD`].
    pub ahead: u32,
}

impl GroupStorage {
    /// The largest `ahead`.
    pub const MOST_AHEAD: u32 = 64;
}

impl From<u32> for GroupStorage {
    /// A table of so many entries, and 32 groups that are asked for ahead.
    fn from(table: u32) -> Self {
        Self { table, ahead: 32 }
    }
}

/// A place in the ring of pointers that memory keeps for an entry of the Kernel Distributor: the
/// groups coalesced to kernels of that entry and left in memory, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RingPlace {
    /// Whose ring.
    pub kernel: KernelEntry,
    /// The group's number in it, from 0 after reset; it wraps.
    pub index: u32,
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

/// A link between two groups that is kept in global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LinkWrite {
    /// Where the information of the earlier group is.
    pub pointer: u32,
    /// The group after it.
    pub next: GroupReference,
}

/// What the coalescer sees, and the group of a lookup.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupInputs {
    /// The group that [`super::Inputs::lookup`] is about; `None` for the native blocks.
    pub lookup_group: Option<GroupReference>,
    /// A warp's aggregation command is offered; accepted when [`GroupOutputs::command_ready`].
    pub command: Option<AggregationCommand>,
    /// The next group of the accepted command whose groups are due, until
    /// [`GroupOutputs::group_taken`] says what became of it.
    pub group: Option<AggregatedGroup>,
    /// Bit k: the kernel in entry k stays in the Kernel Distributor although its blocks have ended,
    /// so that groups find it (DTBL, section 4.1).
    pub keep: u32,
}

/// What becomes of groups.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupOutputs {
    /// A command offered now is accepted.
    pub command_ready: bool,
    /// What becomes of [`GroupInputs::group`] in this cycle, if anything.
    pub group_taken: Option<GroupOutcome>,
}

/// What memory answers about groups.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupMemoryInputs {
    /// The information of the oldest group that was asked for and not answered yet.
    pub fetched: Option<FetchedGroup>,
}

/// What is asked of memory about groups, and written to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupMemoryOutputs {
    /// The information of the group at this place is asked for; answers come in the order of the
    /// requests, as [`GroupMemoryInputs::fetched`].
    pub fetch_group: Option<RingPlace>,
    /// A link is written to memory.
    pub link_write: Option<LinkWrite>,
}
