//! A thread block that is resident on an SMX.

use super::barriers::Barriers;
use super::clusters::PlaceInCluster;
use super::dependence::Dependence;
use super::device::Member;
use super::sharing::BlockIdentity;
use super::smx::SavedBlock;
use crate::port::{Dim3, KernelEntry, Parent};

/// See the module.
#[derive(Debug)]
pub struct ResidentBlock {
    /// Index of its kernel among all kernels of the run.
    pub kernel: usize,
    /// The aggregated group that it belongs to, as [`super::device::Groups`] counts them; `None`
    /// for a native block.
    pub group: Option<usize>,
    /// The kernel's entry in the Kernel Distributor.
    pub entry: KernelEntry,
    /// Where it runs, and its priority level: what it launches carries both, even when it has
    /// ended.
    pub place: Parent,
    /// Whether it has triggered; only where the scheduler sees that.
    pub triggered: bool,
    /// Its index in the grid, or in the group.
    pub block: Dim3,
    /// Warp slots that it keeps as a whole, one bit each: those of a block of stated duration. The
    /// warps of other blocks give their slots back one by one.
    pub reserved: u64,
    /// Its warps that have not exited, by slot, and where they wait; none for a stated duration.
    pub barriers: Barriers,
    /// Of its warps those that wait until what the block has launched has finished.
    pub for_launches: u64,
    /// Its place in its cluster, if it has something to do with the other blocks there.
    pub cluster: Option<PlaceInCluster>,
    /// What it has to do with other kernels and blocks, if it executes instructions.
    pub dependence: Dependence,
    /// Warp slots of its warps that have exited, or that it takes along when it is suspended, and
    /// of which something is on its way.
    pub draining: u64,
    /// What it takes along: it is being suspended, or is suspended.
    pub saved: Option<Box<SavedBlock>>,
    /// The place of its kernel or group below the block that launched that.
    pub family: Option<Member>,
    /// Its own place below that one, if it has launched.
    pub member: Option<Member>,
    /// Number of its kernel's code.
    pub code: u32,
    /// Who it is to those who look for what blocks share.
    pub identity: BlockIdentity,
}
