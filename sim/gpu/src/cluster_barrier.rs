//! The barrier of a cluster of thread blocks (PTX ISA, "barrier.cluster"): which warps have arrived
//! in the phase at hand, and which of them wait. Nothing here knows of cycles.

/// Which warp of a cluster: the place of its block there, as one number, and its own in the block.
pub type Member = (usize, usize);

/// Sets of the warps of a block, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Warps {
    /// Those that have not exited.
    alive: u64,
    arrived: u64,
    waiting: u64,
}

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterBarrier(Vec<Warps>);

impl ClusterBarrier {
    /// That of a cluster of `blocks` blocks of `warps` warps, up to 64. Blocks that have not
    /// started are awaited.
    pub fn new(blocks: u32, warps: u32) -> Self {
        let alive = u64::MAX.checked_shr(64 - warps).unwrap_or(0);
        Self(vec![Warps { alive, ..Warps::default() }; blocks as usize])
    }

    /// A warp arrives, and goes on. It waits before it arrives again.
    pub fn arrive(&mut self, (block, warp): Member) {
        self.0[block].arrived |= 1 << warp;
    }

    /// Whether a warp has to wait: it has arrived, and others have not.
    pub fn wait(&mut self, (block, warp): Member) -> bool {
        let of = &mut self.0[block];
        of.waiting |= of.arrived & 1 << warp;
        of.waiting >> warp & 1 == 1
    }

    /// A warp has exited: nobody waits for it any more.
    pub fn exited(&mut self, (block, warp): Member) {
        self.0[block].alive &= !(1 << warp);
    }

    /// Begins the next phase if all warps have arrived that have not exited; whether it does. Those
    /// that wait go on. To be called after each arrival, and each exit.
    pub fn open(&mut self) -> bool {
        let complete = self.0.iter().all(|of| of.alive & !of.arrived == 0);
        if complete {
            for of in &mut self.0 {
                (of.arrived, of.waiting) = (0, 0);
            }
        }
        complete
    }

    /// The warps of the block at `place` that wait.
    pub fn waiting(&self, place: usize) -> u64 {
        self.0[place].waiting
    }

    /// Who is awaited, in one line.
    pub fn report(&self) -> String {
        let awaited = self.0.iter().enumerate().filter(|(_, of)| of.alive & !of.arrived != 0);
        let each = awaited.map(|(place, of)| {
            let warps = (of.alive & !of.arrived).count_ones();
            format!("{warps} of {} warps of the block of rank {place}", of.alive.count_ones())
        });
        let each = each.collect::<Vec<_>>().join(", ");
        format!("the barrier of its cluster (`barrier.cluster.wait`) awaits {each}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warp_waits_until_all_of_all_blocks_have_arrived() {
        let mut barrier = ClusterBarrier::new(2, 2);
        for member in [(0, 0), (0, 1), (1, 1)] {
            barrier.arrive(member);
            assert!(!barrier.open());
        }
        assert!(barrier.wait((0, 1)));
        assert_eq!([barrier.waiting(0), barrier.waiting(1)], [0b10, 0]);
        let awaited = "the barrier of its cluster (`barrier.cluster.wait`) awaits \
            1 of 2 warps of the block of rank 1";
        assert_eq!(barrier.report(), awaited);
        barrier.arrive((1, 0));
        assert!(barrier.open());
        assert_eq!(barrier.waiting(0), 0);
        assert!(!barrier.wait((1, 0)), "the phase is over");
    }

    #[test]
    fn a_warp_that_arrives_in_the_next_phase_does_not_count_in_the_one_before() {
        let mut barrier = ClusterBarrier::new(1, 2);
        barrier.arrive((0, 0));
        barrier.arrive((0, 1));
        assert!(barrier.open());
        barrier.arrive((0, 0));
        assert!(!barrier.open());
        assert!(!barrier.wait((0, 1)), "of the phase before");
        assert!(barrier.wait((0, 0)));
    }

    #[test]
    fn nobody_waits_for_warps_that_have_exited() {
        let mut barrier = ClusterBarrier::new(2, 64);
        for warp in 0..64 {
            barrier.arrive((0, warp));
            assert!(!barrier.open());
        }
        for warp in 0..64 {
            barrier.exited((1, warp));
            assert_eq!(barrier.open(), warp == 63);
        }
    }
}
