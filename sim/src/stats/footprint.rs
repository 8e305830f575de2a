//! What child blocks share with their relatives.

use serde::Serialize;

use crate::gpu::sharing::{Footprint, RelativeHits};
use crate::gpu::Gpu;

/// Figures of what blocks share, where the run was asked for them (LaPerm, section III-A and Fig.
/// 2).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FootprintStats {
    /// Direct parents of which a child block touched something.
    pub parents: u64,
    /// Lines that a direct parent and its child blocks both touch, by those that its child blocks
    /// touch; average over `parents`.
    pub parent_child: Option<f64>,
    /// Child blocks of which a sibling touched something.
    pub children: u64,
    /// Lines that a child block and its siblings both touch, by those that its siblings touch;
    /// average over `children`.
    pub child_sibling: Option<f64>,
    /// Blocks of kernels and groups of which a block launched something, of which another block
    /// touched something.
    pub parent_blocks: u64,
    /// Lines that such a block and the others of its kernel or group both touch, by those that the
    /// others touch; average over `parent_blocks`.
    pub parent_parents: Option<f64>,
    /// Loads of child blocks in first-level caches.
    pub l1: RelativeHitStats,
}

/// Loads of child blocks that looked up first-level caches, and their hits by who brought the line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RelativeHitStats {
    /// Loads: hits, misses and merged ones.
    pub loads: u64,
    /// Hits on lines that the block itself brought.
    pub own_hits: u64,
    /// That its direct parent brought.
    pub parent_hits: u64,
    /// That another child block of its direct parent brought.
    pub sibling_hits: u64,
    /// That another block brought.
    pub other_hits: u64,
}

impl FootprintStats {
    /// Of a run that looked for it.
    pub(super) fn new(gpu: &Gpu) -> Option<Self> {
        let (footprint, hits) = gpu.shared()?;
        let Footprint { parent_child, child_sibling, parent_parents } = footprint;
        Some(Self {
            parents: parent_child.count,
            parent_child: parent_child.ratio(),
            children: child_sibling.count,
            child_sibling: child_sibling.ratio(),
            parent_blocks: parent_parents.count,
            parent_parents: parent_parents.ratio(),
            l1: hits.into(),
        })
    }
}

impl From<RelativeHits> for RelativeHitStats {
    fn from(hits: RelativeHits) -> Self {
        let RelativeHits { loads, own, parent, sibling, other } = hits;
        Self { loads, own_hits: own, parent_hits: parent, sibling_hits: sibling, other_hits: other }
    }
}
