//! What the machine keeps of kernels, groups and blocks.

use crate::port::*;
use std::collections::VecDeque;

/// The blocks of a kernel or a group: all below `next` have been dispatched.
#[derive(Clone, Debug)]
pub struct Blocks {
    pub grid: Dim3,
    pub next: u64,
    pub running: u32,
}

impl Blocks {
    pub fn new(grid: Dim3) -> Self {
        Self { grid, next: 0, running: 0 }
    }

    pub fn left(&self) -> bool {
        u128::from(self.next) < self.grid.volume()
    }
}

pub struct Group {
    pub blocks: Blocks,
    /// Blocks of a group on chip that were counted, and the cycle that counted the last one.
    pub counted: u64,
    pub released: Option<u64>,
    pub on_chip: bool,
    pub parameter_address: u32,
}

pub struct Kernel {
    pub launch: KernelLaunch,
    pub native: Blocks,
    /// Those with blocks to distribute, in the order in which they were coalesced.
    pub waiting: VecDeque<usize>,
}

pub struct Resident {
    pub end: u64,
    pub entry: KernelEntry,
    pub group: Option<usize>,
    pub slot: u8,
}
