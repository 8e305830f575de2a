//! A kernel in the course of a run.

use std::rc::Rc;

use super::device::Member;
use super::host::{Body, HostCopy, Overlap, Persistence};
use super::overlap::HeldBlock;
use crate::port::{KernelEntry, KernelLaunch, Parent};

/// See the module. Cycles are `None` until the event has happened.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its name.
    pub name: Rc<str>,
    /// Launch ordinal of that name, from 0.
    pub instance: u32,
    /// The block that launched it; `None`: the host did.
    pub parent: Option<Parent>,
    /// The level of the pool from which its record came; 0: it came from the host, or has not come,
    /// or the scheduler has one pool for all.
    pub level: u8,
    /// How its blocks overlap with those of the kernels before and after it in its stream.
    pub overlap: Overlap,
    /// How its blocks stay when their work is done.
    pub persistence: Persistence,
    /// The number of the kernel that it follows, from the acceptance on: one that had not finished
    /// then.
    pub predecessor: Option<usize>,
    /// Blocks of kernels that follow it, which wait for its end.
    pub held: Vec<HeldBlock>,
    /// SMX and slot of blocks of kernels that follow it, which execute instructions and do not end
    /// before it has.
    pub followers: Vec<(u8, u8)>,
    /// The cycle of the host's launch, or of the thread's API call.
    pub arrive: u64,
    /// The cycle in which the Kernel Distributor accepted it.
    pub distributed: Option<u64>,
    /// The cycle of its first dispatch.
    pub first_dispatch: Option<u64>,
    /// The cycle in which the scheduler reported its end, one after its last block's; with blocks
    /// that were suspended that of the last one to come back.
    pub finish: Option<u64>,
    /// Its entry in the Kernel Distributor, from the acceptance on.
    pub entry: Option<KernelEntry>,
    /// What the launch port carries.
    pub launch: KernelLaunch,
    /// What the host copies before it starts; empty from then on.
    pub copies: Vec<HostCopy>,
    /// Number of its code: kernels of one name share it.
    pub code: u32,
    /// What its native blocks do; nothing any more when it has finished, so that memory does not
    /// grow with the number of kernels.
    pub body: Option<Body>,
    /// Groups that were coalesced to it.
    pub groups: u32,
    /// Its blocks in all: native ones and those of its groups.
    pub blocks: u64,
    /// Blocks dispatched so far.
    pub dispatched: u64,
    /// Whether one of its blocks has asked for another one, and was answered.
    pub asked: bool,
    /// Blocks that running ones have taken in place of a dispatch.
    pub cancelled: u64,
    /// Blocks that have ended so far.
    pub ended: u64,
    /// Blocks that are suspended.
    pub suspended: u64,
    /// Entries of the Kernel Distributor that it has: its own, and those of blocks that come back.
    pub entries: u32,
    /// Its place below the block that launched it.
    pub member: Option<Member>,
}

impl Kernel {
    /// Blocks that run now.
    pub fn in_execution(&self) -> u64 {
        self.dispatched - self.ended - self.suspended
    }

    /// Blocks neither dispatched nor taken by running ones yet.
    pub fn undistributed(&self) -> u64 {
        self.blocks - self.dispatched - self.cancelled
    }
}
