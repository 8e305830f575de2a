//! From the types of `sim::port` to the words of the modules' ports, and back.

use blockyard_rtl::clusters::ClusterExtent;
use blockyard_rtl::dtbl::Command;
use blockyard_rtl::gate::SamplePorts;
use blockyard_rtl::ikra::Relation;
use blockyard_rtl::port::{BlockId, Cancelled, Context, Dispatch, Extent, Launch, Limits, Needs};
use blockyard_rtl::prim::Tagged;
use blockyard_rtl::word::U;
use blockyard_sim::port::{self, GroupReference};

/// The limits of an SMX as constants of the resource table.
pub fn limits(limits: port::SmxLimits) -> Limits {
    Limits {
        threads: limits.threads.into(),
        registers: limits.registers.into(),
        shared_memory: limits.shared_memory.into(),
        slots: limits.thread_block_slots.into(),
    }
}

/// The launch port.
///
/// # Panics
/// When a number of the kernel needs more bits than its field has; the GPU checks them first.
pub fn launch(kernel: Option<&port::KernelLaunch>) -> Launch {
    let Some(kernel) = kernel else {
        return Launch::default();
    };
    Launch {
        valid: true,
        context: Context {
            entry_pc: U::new(kernel.entry_pc.into()),
            parameter_address: U::new(kernel.parameter_address.into()),
            block: extent(kernel.block),
        },
        grid: block_id(kernel.grid),
        blocks: U::new(kernel.blocks.into()),
        needs: needs(kernel.needs),
    }
}

/// What a block takes, as the hardware has it.
///
/// # Panics
/// When a number needs more bits than its field has.
pub fn needs(needs: port::BlockNeeds) -> Needs {
    Needs {
        threads: U::new(needs.threads.into()),
        registers: U::new(needs.registers.into()),
        shared_memory: U::new(needs.shared_memory.into()),
    }
}

/// An event that may name an entry.
pub fn tagged(entry: Option<port::KernelEntry>) -> Tagged {
    match entry {
        Some(entry) => Tagged { valid: true, entry: U::new(entry.0.into()) },
        None => Tagged::default(),
    }
}

/// What an SMX counted in a period: idle cycles, and cycles in which it waited for memory.
///
/// # Panics
/// When a count needs more than 12 bits; the SMX saturates them.
pub fn counts(sample: port::CoreSample) -> (U<12>, U<12>) {
    (U::new(sample.idle.into()), U::new(sample.memory.into()))
}

/// What one SMX receives: a native block, and the slot that it takes.
pub fn dispatch(word: Dispatch, slot: U<5>) -> Option<port::Dispatch> {
    word.valid.then(|| port::Dispatch {
        kernel: entry(word.kernel),
        block: dim3(word.block),
        group: None,
        slot: slot.raw() as u8,
    })
}

/// The block that a running one has taken.
pub fn cancelled(word: Cancelled) -> Option<port::Dim3> {
    word.valid.then(|| dim3(word.block))
}

/// A block's index, or the extent of a grid, as the GPU has it.
pub fn dim3(word: BlockId) -> port::Dim3 {
    port::Dim3::new(word.x.raw() as u32, word.y.raw() as u32, word.z.raw() as u32)
}

/// A block's index, or the extent of a grid.
pub fn block_id(extent: port::Dim3) -> BlockId {
    BlockId { x: U::new(extent.x.into()), y: U::new(extent.y.into()), z: U::new(extent.z.into()) }
}

fn extent(extent: port::Dim3) -> Extent {
    Extent { x: U::new(extent.x.into()), y: U::new(extent.y.into()), z: U::new(extent.z.into()) }
}

/// The word of a group reference.
pub fn reference(group: Option<GroupReference>) -> U<32> {
    U::new(group.map_or(GroupReference::NONE, GroupReference::word).into())
}

/// A warp's aggregation command.
///
/// # Panics
/// When a number needs more bits than its field has.
pub fn command(command: Option<&port::AggregationCommand>) -> Command {
    command.map_or_else(Command::default, |command| Command {
        valid: true,
        entry_pc: U::new(command.entry_pc.into()),
        block: extent(command.block),
        groups: U::new(command.groups.into()),
        wait: U::new(command.wait.into()),
    })
}

/// The number of an entry.
pub fn entry(word: U<5>) -> port::KernelEntry {
    port::KernelEntry(word.raw() as u8)
}

/// The answer to a lookup.
pub fn context(valid: bool, word: Context) -> Option<port::KernelContext> {
    valid.then(|| port::KernelContext {
        entry_pc: word.entry_pc.raw() as u32,
        parameter_address: word.parameter_address.raw() as u32,
        block: port::Dim3::new(
            word.block.x.raw() as u32,
            word.block.y.raw() as u32,
            word.block.z.raw() as u32,
        ),
    })
}

/// The relation of the kernel that is offered; all zeros without one.
pub fn relation(kernel: Option<&port::KernelLaunch>) -> Relation {
    let Some(relation) = kernel.map(|kernel| kernel.relation) else {
        return Relation::default();
    };
    Relation {
        back: U::new(u64::from(relation.back) - 1),
        ratio: U::new(relation.ratio.into()),
        offset: U::new(relation.offset.unsigned_abs().into()),
        negative: relation.offset < 0,
    }
}

/// The clusters of the kernel that is offered; all zeros without one.
pub fn cluster(kernel: Option<&port::KernelLaunch>) -> ClusterExtent {
    let Some(cluster) = kernel.map(|kernel| kernel.cluster) else {
        return ClusterExtent::default();
    };
    ClusterExtent {
        x: U::new(cluster.x.into()),
        y: U::new(cluster.y.into()),
        z: U::new(cluster.z.into()),
    }
}

/// The priority of the kernel that is offered; zero without one.
pub fn urgency(kernel: Option<&port::KernelLaunch>) -> U<3> {
    U::new(kernel.map_or(0, |kernel| kernel.priority.into()))
}

/// The partition of the kernel that is offered; zero without one.
pub fn partition(kernel: Option<&port::KernelLaunch>) -> U<3> {
    U::new(kernel.map_or(0, |kernel| kernel.partition.into()))
}

/// Whom the kernel that is offered follows.
pub fn follows(kernel: Option<&port::KernelLaunch>) -> Tagged {
    tagged(kernel.and_then(|kernel| kernel.follows))
}

/// How many blocks each SMX may run; nothing where none are paused.
pub fn running_limits(ports: &SamplePorts) -> Vec<u8> {
    let SamplePorts { sample: _, idle: _, memory: _, running_limit } = ports;
    running_limit.iter().map(|port| port.val().raw() as u8).collect()
}
