//! Limits of settings.

/// Most elements of an array.
pub(crate) const MAX_COUNT: u32 = 1 << 26;

/// Most elements along a side of a matrix or a map: those of a whole one have 32-bit numbers.
pub(crate) const MAX_SIDE: u32 = 1 << 13;

/// Most threads of a block on every GPU since Fermi.
pub(crate) const MAX_BLOCK: u32 = 1024;
