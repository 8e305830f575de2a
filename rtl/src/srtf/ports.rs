//! The words that SRTF's modules pass on and store.

// The derive's own methods have no docs.
#![allow(missing_docs)]

use crate::word::U;
use rust_hdl::prelude::*;

/// One of the eight kernels, or none: then all zeros; 4 bits.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct Choice {
    /// Whether there is one.
    pub valid: Bit,
    /// Its entry.
    pub kernel: U<3>,
}
crate::from_bits!(Choice { valid, kernel });

/// What is asked of the divider.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
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
crate::from_bits!(Operands { valid, kernel, residency, left, duration });

/// A product on its way into the division.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
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
crate::from_bits!(Product { valid, kernel, residency, word });

/// A division under way.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
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
crate::from_bits!(Partial { valid, kernel, residency, word, rest });

/// Resources of an SMX but its slots; a bit more each than a block's needs, so that sums do not wrap.
#[derive(LogicStruct, Clone, Copy, Debug, Default, PartialEq)]
pub struct Sum {
    /// Threads.
    pub threads: U<13>,
    /// 32-bit registers.
    pub registers: U<18>,
    /// Bytes of shared memory.
    pub shared_memory: U<18>,
}
crate::from_bits!(Sum { threads, registers, shared_memory });

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
