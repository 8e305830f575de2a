//! Kernels on their way through the Kernel Management Unit (DTBL, section 2.2).

use super::{KernelEntry, KernelLaunch};

/// Hardware work queues of the Kernel Management Unit (DTBL, section 2.2).
pub const WORK_QUEUES: usize = 32;

/// A kernel's record that the Kernel Management Unit asks of its pools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecordFetch {
    /// From the pool of suspended kernels instead of that of device kernels.
    pub suspended: bool,
    /// Its place in that pool, counted from the first record ever put there.
    pub index: u32,
}

/// What the Kernel Management Unit sees beside the host's kernels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ManagementInputs {
    /// The hardware work queue of [`super::Inputs::launch`], below [`WORK_QUEUES`].
    pub work_queue: u8,
    /// A kernel launched by a block joins the pool of pending kernels.
    pub device_launch: bool,
    /// A suspended kernel joins the pool of suspended kernels.
    pub suspend: bool,
    /// A kernel from one of the pools reaches the Kernel Distributor.
    pub record: Option<KernelLaunch>,
}

/// What the Kernel Management Unit asks of its queues and pools.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ManagementOutputs {
    /// One bit for each hardware work queue: its head may be offered.
    pub inspect: u32,
    /// The entry that [`ManagementInputs::record`] takes in this cycle.
    pub record_entry: Option<KernelEntry>,
    /// A record is asked for; it comes as [`ManagementInputs::record`].
    pub fetch_record: Option<RecordFetch>,
}
