//! Launches from the device: how they reach the SMXs, and which ports a scheduler has for them.

use super::{
    GroupInputs, GroupMemoryInputs, GroupMemoryOutputs, GroupOutputs, ManagementInputs,
    ManagementOutputs, ParentInputs, ParentOutputs, QueueInputs, QueueOutputs,
};

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

/// Which ports of launches from the device a scheduler has. Those that it does not have are at
/// rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DevicePorts {
    /// None.
    #[default]
    None,
    /// Those of the Kernel Management Unit: work queues, device launches, records.
    Kernels,
    /// These, and those of aggregated groups and their blocks.
    Groups,
    /// Those of the Kernel Management Unit, and who launches a kernel and from which pool its
    /// record comes ([`ParentInputs`], [`ParentOutputs`]); under every [`LaunchMode`] those of IKRA
    /// with nesting levels.
    Nested,
    /// All of them; under every [`LaunchMode`] those of a scheduler with priority queues.
    Priority,
}

/// Which ports a scheduler has for what running blocks tell or ask, the same under every
/// [`LaunchMode`]. Those that it does not have are at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BlockPorts {
    /// None.
    #[default]
    None,
    /// [`super::Inputs::finished_slots`], and [`super::Inputs::clock`]: those of a scheduler that
    /// measures how long blocks run.
    Timed,
    /// [`super::Inputs::triggered`]: that of a scheduler whose kernels may begin before their
    /// predecessors have ended.
    Triggers,
    /// [`super::Inputs::cancel`], [`super::Outputs::cancelled`] and
    /// [`super::Outputs::cancel_held`]: those of a scheduler whose running blocks take blocks, or
    /// clusters, that have not started.
    Cancels,
}

/// Which ports a scheduler has beside those that all have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SchedulerPorts {
    /// Of launches from the device.
    pub device: DevicePorts,
    /// Of running blocks.
    pub blocks: BlockPorts,
}

impl SchedulerPorts {
    /// Whether blocks that end name their slots: [`super::Inputs::finished_slots`].
    pub const fn names_slots(self) -> bool {
        matches!(self.device, DevicePorts::Groups | DevicePorts::Priority) || self.tells_time()
    }

    /// Whether it is told the number of the cycle: [`super::Inputs::clock`].
    pub const fn tells_time(self) -> bool {
        matches!(self.blocks, BlockPorts::Timed)
    }

    /// Whether it has any for what blocks launch.
    pub const fn launches(self) -> bool {
        !matches!(self.device, DevicePorts::None)
    }

    /// Whether blocks tell when they trigger: [`super::Inputs::triggered`].
    pub const fn sees_triggers(self) -> bool {
        matches!(self.blocks, BlockPorts::Triggers)
    }

    /// Whether blocks may ask for other blocks of their kernels: [`super::Inputs::cancel`].
    pub const fn takes_cancels(self) -> bool {
        matches!(self.blocks, BlockPorts::Cancels)
    }
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

impl From<LaunchMode> for SchedulerPorts {
    /// As for [`DevicePorts`], and none of running blocks.
    fn from(mode: LaunchMode) -> Self {
        Self { device: mode.into(), blocks: BlockPorts::None }
    }
}

/// What crosses towards the scheduler when blocks launch work; all of it is at rest under
/// `--launch flat`. The meaning of every field, cycle by cycle, is in `docs/dtbl.md` and
/// `docs/laperm.md`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceInputs {
    /// Of the Kernel Management Unit.
    pub management: ManagementInputs,
    /// Of aggregated groups.
    pub groups: GroupInputs,
    /// Of groups in memory.
    pub group_memory: GroupMemoryInputs,
    /// Who launches.
    pub parents: ParentInputs,
    /// Of a scheduler with priority queues.
    pub queues: QueueInputs,
}

/// What crosses from the scheduler; see [`DeviceInputs`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceOutputs {
    /// Of the Kernel Management Unit.
    pub management: ManagementOutputs,
    /// Of aggregated groups.
    pub groups: GroupOutputs,
    /// Of groups in memory.
    pub group_memory: GroupMemoryOutputs,
    /// Where launched kernels wait.
    pub parents: ParentOutputs,
    /// Of a scheduler with priority queues.
    pub queues: QueueOutputs,
}
