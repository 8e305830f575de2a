//! Twin of `ikra/chunk_entry`: the chunk of one SMX and how far it has got (`docs/ikra.md`, rules
//! 5, 6, 12 and 19; the paper, sections 4.1, 4.3 and 4.4).
//!
//! Latency: `begins`, `take` and `steal` to the outputs 1 cycle.
//!
//! Undefined, and not to be compared: everything but `forward` after a `begins` without `load`
//! before any chunk was loaded; everything but `forward`, until the next `load`, after a `take` or
//! `steal` that is not `available`, both of the `last` block, one of them together with `begins`,
//! or a `grid` that does not hold the chunk.

use super::block_of;
use crate::port::{Activity, Dim3};

/// Input ports of [`ChunkEntry`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChunkEntryInputs {
    /// Synchronous reset.
    pub reset: bool,
    /// A kernel begins.
    pub begins: bool,
    /// With `begins`: the direction becomes the other one than this, if the direction alternates at
    /// all.
    pub former: bool,
    /// With `begins`: there is a new chunk.
    pub load: bool,
    /// Its first block; valid with `load`, unless it is empty.
    pub load_start: Dim3,
    /// Its last block; valid with `load`, unless it is empty.
    pub load_last: Dim3,
    /// It has no block; valid with `load`.
    pub load_vacant: bool,
    /// The kernel's extent.
    pub grid: Dim3,
    /// The current block is dispatched; only with `available`.
    pub take: bool,
    /// The far block is stolen; only with `available`, and with `take` only if not `last`.
    pub steal: bool,
}

/// Output ports of [`ChunkEntry`]; they depend on the state alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChunkEntryOutputs {
    /// The direction of the kernel that runs; low after reset.
    pub forward: bool,
    /// The chunk is not spent; low after reset.
    pub available: bool,
    /// The current block; zero when not `available`.
    pub next_block: Dim3,
    /// The far block; zero when not `available`.
    pub far_block: Dim3,
    /// They are the same; low when not `available`.
    pub last: bool,
}

/// What is kept of an SMX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkEntry {
    flips: bool,
    forward: bool,
    start: Dim3,
    end: Dim3,
    vacant: bool,
    current: Dim3,
    spent: bool,
}

impl ChunkEntry {
    /// No chunk; `flips` says whether the direction alternates.
    pub fn new(flips: bool) -> Self {
        let zero = Dim3::default();
        Self {
            flips,
            forward: false,
            start: zero,
            end: zero,
            vacant: true,
            current: zero,
            spent: true,
        }
    }

    /// The outputs of this cycle.
    pub fn evaluate(&self, _inputs: &ChunkEntryInputs) -> ChunkEntryOutputs {
        let forward = self.forward;
        if self.spent {
            return ChunkEntryOutputs { forward, ..Default::default() };
        }
        let (next, far) = (self.current, self.far());
        ChunkEntryOutputs {
            forward,
            available: true,
            next_block: next,
            far_block: far,
            last: next == far,
        }
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &ChunkEntryInputs) -> Activity {
        let before = self.clone();
        if inputs.reset {
            *self = Self::new(self.flips);
        } else if inputs.begins {
            self.begin(inputs);
        } else if !self.spent {
            self.advance(inputs);
        }
        Activity::from(*self != before)
    }

    /// Rules 5 and 19.
    fn begin(&mut self, inputs: &ChunkEntryInputs) {
        if inputs.load {
            (self.start, self.end) = (inputs.load_start, inputs.load_last);
            self.vacant = inputs.load_vacant;
        }
        self.forward = !(self.flips && inputs.former);
        self.current = if self.forward { self.start } else { self.end };
        self.spent = self.vacant;
    }

    /// Rules 6 and 12; something is left.
    fn advance(&mut self, inputs: &ChunkEntryInputs) {
        let id = |block: Dim3| block.linear(inputs.grid);
        // Blocks from the current one to the far bound.
        let left = id(self.current).abs_diff(id(self.far())) + 1;
        let gone = u64::from(inputs.take) + u64::from(inputs.steal);
        if inputs.take && left > 1 {
            self.current = step(self.current, self.forward, inputs.grid);
        }
        if inputs.steal {
            if self.start == self.end {
                self.vacant = true;
            } else if self.forward {
                self.end = step(self.end, false, inputs.grid);
            } else {
                self.start = step(self.start, true, inputs.grid);
            }
        }
        self.spent = left <= gone;
    }

    fn far(&self) -> Dim3 {
        if self.forward {
            self.end
        } else {
            self.start
        }
    }
}

/// The block after this one, or the one before it.
fn step(block: Dim3, forward: bool, grid: Dim3) -> Dim3 {
    let id = block.linear(grid);
    block_of(if forward { id + 1 } else { id.saturating_sub(1) }, grid)
}

#[cfg(test)]
mod tests;
