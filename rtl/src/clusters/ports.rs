//! The words of clusters.

use crate::prelude::*;

/// The extent of a kernel's clusters in thread blocks, 1 to 16 in all; 15 bits.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct ClusterExtent {
    /// Runs fastest.
    pub x: U<5>,
    /// Runs next.
    pub y: U<5>,
    /// Runs slowest.
    pub z: U<5>,
}

/// The place of a thread block in its cluster; 12 bits.
#[derive(Record, Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// Runs fastest.
    pub x: U<4>,
    /// Runs next.
    pub y: U<4>,
    /// Runs slowest.
    pub z: U<4>,
}
