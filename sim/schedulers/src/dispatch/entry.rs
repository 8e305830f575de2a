//! One entry of the kernel table, and the bits that it takes.

use crate::port::{BlockNeeds, Dim3, KernelContext, KernelLaunch};
use bitvec::prelude::*;

/// What the Kernel Distributor knows of one kernel (DTBL, section 2.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Address of the kernel's first instruction.
    pub entry_pc: u32,
    /// Address of its parameters in global memory.
    pub parameter_address: u32,
    /// Extent of the grid in thread blocks.
    pub grid: Dim3,
    /// Extent of a thread block in threads.
    pub block: Dim3,
    /// What each block takes of its SMX.
    pub needs: BlockNeeds,
    /// Index of the next block to dispatch.
    pub next_block: Dim3,
    /// Blocks in execution (ExeBL); 14 bits hold the 144 x 63 that fit on all SMXs together.
    pub executing: u32,
}

/// A field of an entry holds a number that its register cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, miette::Diagnostic)]
#[error("{field} is {value}, which does not fit into {width} bits")]
#[diagnostic(help("the widths are on the page of the baseline dispatcher, docs/baseline.md"))]
pub struct FieldTooWide {
    /// Name of the field.
    pub field: &'static str,
    /// Its width in bits.
    pub width: usize,
    /// What it holds.
    pub value: u32,
}

/// Name and width in bits of every field, the first one in the lowest bits.
const FIELDS: [(&str, usize); 15] = [
    ("entry_pc", 32),
    ("parameter_address", 32),
    ("grid.x", 31),
    ("grid.y", 16),
    ("grid.z", 16),
    ("block.x", 11),
    ("block.y", 11),
    ("block.z", 7),
    ("needs.threads", 12),
    ("needs.registers", 17),
    ("needs.shared_memory", 17),
    ("next_block.x", 31),
    ("next_block.y", 16),
    ("next_block.z", 16),
    ("executing", 14),
];

impl Entry {
    /// The entry of a kernel that has just been accepted: nothing dispatched, nothing running.
    pub fn of(launch: &KernelLaunch) -> Self {
        Self {
            entry_pc: launch.entry_pc,
            parameter_address: launch.parameter_address,
            grid: launch.grid,
            block: launch.block,
            needs: launch.needs,
            next_block: Dim3::default(),
            executing: 0,
        }
    }

    /// Whether the grid holds no block at all.
    pub fn is_empty(&self) -> bool {
        self.grid.volume() == 0
    }

    /// Whether the next block is the last one of the grid; false for an empty grid.
    pub fn is_last(&self) -> bool {
        !self.is_empty()
            && self.next_block == Dim3::new(self.grid.x - 1, self.grid.y - 1, self.grid.z - 1)
    }

    /// The block after the next one: x fastest, then y, then z; the first one after the last.
    pub fn following(&self) -> Dim3 {
        let Dim3 { x, y, z } = self.next_block;
        if x + 1 < self.grid.x {
            Dim3::new(x + 1, y, z)
        } else if y + 1 < self.grid.y {
            Dim3::new(0, y + 1, z)
        } else if z + 1 < self.grid.z {
            Dim3::new(0, 0, z + 1)
        } else {
            Dim3::default()
        }
    }

    /// What an SMX needs to know of the kernel to run its blocks.
    pub fn context(&self) -> KernelContext {
        KernelContext {
            entry_pc: self.entry_pc,
            parameter_address: self.parameter_address,
            block: self.block,
        }
    }

    /// Bits of one packed entry.
    pub fn bits() -> usize {
        FIELDS.iter().map(|(_, width)| width).sum()
    }

    /// The entry as the register file holds it, in the widths of `docs/baseline.md`.
    ///
    /// # Errors
    /// When a field does not fit into its width.
    pub fn pack(&self) -> Result<BitVec<u64, Lsb0>, FieldTooWide> {
        let mut bits = BitVec::with_capacity(Self::bits());
        for ((field, width), value) in FIELDS.into_iter().zip(self.values()) {
            if u64::from(value) >> width != 0 {
                return Err(FieldTooWide { field, width, value });
            }
            bits.extend_from_bitslice(&value.view_bits::<Lsb0>()[..width]);
        }
        Ok(bits)
    }

    /// The entry that [`Self::pack`] made these bits of; `None` when there are more or fewer bits
    /// than an entry has.
    pub fn unpack(bits: &BitSlice<u64, Lsb0>) -> Option<Self> {
        if bits.len() != Self::bits() {
            return None;
        }
        let mut rest = bits;
        let v = FIELDS.map(|(_, width)| {
            let (field, tail) = rest.split_at(width);
            rest = tail;
            field.load_le::<u32>()
        });
        Some(Self {
            entry_pc: v[0],
            parameter_address: v[1],
            grid: Dim3::new(v[2], v[3], v[4]),
            block: Dim3::new(v[5], v[6], v[7]),
            needs: BlockNeeds { threads: v[8], registers: v[9], shared_memory: v[10] },
            next_block: Dim3::new(v[11], v[12], v[13]),
            executing: v[14],
        })
    }

    /// The fields in the order of [`FIELDS`].
    fn values(&self) -> [u32; 15] {
        let Self { grid, block, needs, next_block, .. } = self;
        [
            self.entry_pc,
            self.parameter_address,
            grid.x,
            grid.y,
            grid.z,
            block.x,
            block.y,
            block.z,
            needs.threads,
            needs.registers,
            needs.shared_memory,
            next_block.x,
            next_block.y,
            next_block.z,
            self.executing,
        ]
    }
}

#[cfg(test)]
mod tests;
