//! A thread block that is resident on an SMX.

use super::barriers::Barriers;
use crate::port::{Dim3, KernelEntry, Parent};

/// See the module.
#[derive(Clone, Debug)]
pub struct ResidentBlock {
    /// Index of its kernel among all kernels of the run.
    pub kernel: usize,
    /// The aggregated group that it belongs to, as [`super::device::Groups`] counts them; `None` for a native block.
    pub group: Option<usize>,
    /// The kernel's entry in the Kernel Distributor.
    pub entry: KernelEntry,
    /// Where it runs, and its priority level: what it launches carries both, even when it has ended.
    pub place: Parent,
    /// Its index in the grid, or in the group.
    pub block: Dim3,
    /// Warp slots that it keeps as a whole, one bit each: those of a block of stated duration. The
    /// warps of other blocks give their slots back one by one.
    pub reserved: u64,
    /// Its warps that have not exited, by slot, and where they wait; none for a stated duration.
    pub barriers: Barriers,
    /// Warp slots of its warps that have exited and whose stores are on their way.
    pub draining: u64,
    /// Number of its kernel's code.
    pub code: u32,
}
