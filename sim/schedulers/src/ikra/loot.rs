//! A block on its way from a victim to a thief, where kernels have levels (`docs/ikra.md`, rule
//! 26).

use crate::port::{Dim3, KernelEntry};

/// See the module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Loot {
    /// The SMX to which its kernel belongs; at level 0 the victim.
    pub home: usize,
    /// The kernel's entry.
    pub kernel: KernelEntry,
    /// The block.
    pub block: Dim3,
}
