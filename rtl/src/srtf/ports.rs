//! The words that SRTF's modules pass on and store.

use crate::port::Needs;
use crate::prelude::*;

/// One of the eight kernels, or none: then all zeros; 4 bits.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct Choice {
    /// Whether there is one.
    pub valid: Bit,
    /// Its entry.
    pub kernel: U<3>,
}

/// What is asked of the divider.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct Operands {
    /// Whether anything is.
    pub valid: Bit,
    /// Whose prediction it is.
    pub kernel: U<3>,
    /// The divisor, 1 to 16.
    pub residency: U<5>,
    /// The first factor: blocks that are left.
    pub left: U<24>,
    /// The second factor: the duration of a block.
    pub duration: U<32>,
}

/// A product on its way into the division.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct Product {
    /// Whether there is one.
    pub valid: Bit,
    /// Whose it is.
    pub kernel: U<3>,
    /// The divisor.
    pub residency: U<5>,
    /// The dividend.
    pub word: U<56>,
}

/// A division under way.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct Partial {
    /// Whether there is one.
    pub valid: Bit,
    /// Whose it is.
    pub kernel: U<3>,
    /// The divisor.
    pub residency: U<5>,
    /// What is left of the dividend, above the digits of the quotient.
    pub word: U<56>,
    /// The remainder so far.
    pub rest: U<4>,
}

/// Resources of an SMX but its slots; a bit more each than a block's needs, so that sums do not
/// wrap.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct Sum {
    /// Threads.
    pub threads: U<13>,
    /// 32-bit registers.
    pub registers: U<18>,
    /// Bytes of shared memory.
    pub shared_memory: U<18>,
}

/// What is known of a kernel; 83 bits.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct Facts {
    /// The kernels that are older.
    pub older: U<8>,
    /// What its blocks take.
    pub needs: Needs,
    /// How many of them an empty SMX holds.
    pub residency: U<5>,
    /// Blocks that an SMX is expected to run.
    pub total: U<24>,
}

/// What an SMX knows of a kernel; 86 bits.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// Cycles that are left.
    pub remaining: U<40>,
    /// Cycles in all.
    pub predicted: U<40>,
    /// Resident blocks.
    pub resident: U<6>,
}

/// Parameters of SRTF's schedulers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortest {
    /// Blocks that must end in a sample, 1 to 255.
    pub sample: u64,
    /// Resident blocks of the fastest kernel on an SMX while sharing, 1 to 16.
    pub limit: u64,
    /// Difference of slowdowns above which a schedule is unfair, in 256ths.
    pub threshold: u64,
}
