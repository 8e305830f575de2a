//! The threads of a warp: which of them take part, and what they hold.

use crate::program::WARP_LANES;

/// Byte address for each lane.
pub(crate) type Addresses = [u64; WARP_LANES];

/// The lanes of one warp; `Own` is what the workload keeps for each beside its edge.
pub(crate) struct Threads<Own> {
    /// Lanes that have a thread.
    pub launched: u32,
    /// Lanes whose vertex (in a child: whose edge) exists.
    pub within: u32,
    /// Lanes that have not left.
    pub active: u32,
    /// Lanes for which the last test holds.
    pub chosen: u32,
    /// Of the chosen lanes those for which the next test will hold.
    pub found: u32,
    first: u32,
    step: u32,
    /// The edge at hand.
    pub edge: [u32; WARP_LANES],
    /// The edge after the last one.
    pub end: [u32; WARP_LANES],
    /// The target of the edge at hand.
    pub target: [u32; WARP_LANES],
    /// The workload's own values.
    pub own: Own,
}

impl<Own: Default> Threads<Own> {
    /// The `threads` threads (1 to 32) for the vertices from `first` on, of `vertices` in all.
    pub fn of_vertices(first: u64, threads: u32, vertices: u32) -> Self {
        // Past the last vertex no lane uses its number.
        let number = u32::try_from(first).unwrap_or(u32::MAX);
        Self::new((number, 1), threads, u64::from(vertices).saturating_sub(first), Own::default())
    }
}

impl<Own> Threads<Own> {
    /// The `threads` threads (1 to 32) of a child for the edges `edges` of `vertex`, from the one
    /// with number `first` on; those past the last edge have none.
    pub fn of_edges(
        vertex: u32,
        edges: std::ops::Range<u32>,
        first: u64,
        threads: u32,
        own: Own,
    ) -> Self {
        let left = u64::from(edges.end - edges.start).saturating_sub(first);
        let mut warp = Self::new((vertex, 0), threads, left, own);
        for lane in each(warp.within) {
            warp.edge[lane] = edges.start + first as u32 + lane as u32;
        }
        warp
    }

    fn new((first, step): (u32, u32), threads: u32, within: u64, own: Own) -> Self {
        let within = u32::try_from(within).map_or(threads, |within| within.min(threads));
        Self {
            launched: lanes(threads),
            within: lanes(within),
            active: lanes(threads),
            chosen: 0,
            found: 0,
            first,
            step,
            edge: [0; WARP_LANES],
            end: [0; WARP_LANES],
            target: [0; WARP_LANES],
            own,
        }
    }

    /// The vertex of `lane`: its own, or the one whose edges the child walks.
    pub fn vertex(&self, lane: usize) -> u32 {
        self.first + self.step * lane as u32
    }

    /// The active lanes with more than `threshold` edges.
    pub fn above(&self, threshold: u32) -> u32 {
        which(self.active, |lane| self.end[lane] - self.edge[lane] > threshold)
    }

    /// The active lanes that have edges left.
    pub fn with_edges(&self) -> u32 {
        which(self.active, |lane| self.edge[lane] < self.end[lane])
    }
}

/// The mask of the first `count` lanes.
fn lanes(count: u32) -> u32 {
    1u32.checked_shl(count).map_or(u32::MAX, |bit| bit - 1)
}

/// The lanes in `mask`, in ascending order.
pub(crate) fn each(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (lane < u32::BITS).then_some(lane as usize)
    })
}

/// The lanes in `mask` for which `test` holds, asked in ascending order.
pub(crate) fn which(mask: u32, mut test: impl FnMut(usize) -> bool) -> u32 {
    each(mask).fold(0, |found, lane| found | u32::from(test(lane)) << lane)
}
