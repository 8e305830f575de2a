//! How much of what happens in random traffic: the densities of the regression.

/// How much of what happens; each number is a chance in 1,000 for each cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intensity {
    /// That a kernel is offered.
    pub launch: u32,
    /// For each resident block, that it ends.
    pub finish: u32,
    /// That the whole machine is reset.
    pub reset: u32,
    /// For each kernel, that it is too large to end: a reset ends it.
    pub giant: u32,
    /// For each other kernel of the host, that it has many blocks along one dimension, which all
    /// run.
    pub long: u32,
    /// For each other kernel of the host, that it has up to 131,071 blocks along `x`, as many with
    /// each number of bits.
    pub ranks: u32,
    /// Most kernels of a block or two that come first, from reset on, where half of the times there
    /// is one at most: no chance, but a number.
    pub first: u32,
    /// In spells, that all kernels have but a block or two.
    pub brief: u32,
    /// Most blocks that begin from where a giant comes until the reset that ends it; zero: time
    /// alone decides. No chance, but a number.
    pub early: u32,
    /// Cycles of a flood of launches from the device that comes first and in which no block ends;
    /// zero: a short one comes at times, and blocks end in it. No chance, but a number.
    pub flood: u32,
    /// Whether launches pause at times, and blocks hardly end, or not at all, at others.
    pub tides: bool,
}

impl Intensity {
    /// Nothing; of what the densities say, what most of them have.
    const GROUND: Self = Self {
        launch: 0,
        finish: 0,
        reset: 0,
        giant: 0,
        long: 0,
        ranks: 0,
        first: 0,
        brief: 300,
        early: 0,
        flood: 0,
        tides: true,
    };
    /// Full tables and full SMXs, many events in one cycle.
    pub const DENSE: Self = Self { launch: 300, finish: 120, giant: 1, ..Self::GROUND };
    /// As dense, and everything begins anew every thousand cycles: for runs of a few thousand.
    pub const RESTARTED: Self = Self { reset: 1, giant: 5, tides: false, ..Self::DENSE };
    /// Tables that fill and drain.
    pub const MIXED: Self = Self { launch: 60, finish: 60, reset: 1, giant: 5, ..Self::GROUND };
    /// Mostly idle.
    pub const SPARSE: Self = Self { launch: 8, finish: 30, giant: 10, ..Self::GROUND };
    /// SMXs that stay full, the last ones of a wide GPU too, and nothing that begins anew: what is
    /// counted from reset on gets far.
    pub const PACKED: Self = Self { launch: 300, finish: 2, ..Self::GROUND };
    /// Few kernels, some of 65,535 blocks and more along one dimension, which end as soon as they
    /// can: what is counted in a grid gets far.
    pub const LONG: Self =
        Self { launch: 3, finish: 1000, long: 300, brief: 1000, tides: false, ..Self::GROUND };
    /// Mostly grids that nobody can count, in any entry, and everything begins anew once some of
    /// their blocks have begun: what is known of a grid from its extents alone has all of their
    /// bits.
    pub const VAST: Self =
        Self { launch: 800, finish: 200, giant: 800, first: 31, early: 1000, ..Self::GROUND };
    /// Nothing but kernels of a block or two, as many as there are entries for, which end in any
    /// order: each entry meets each queue.
    pub const CROWD: Self = Self { launch: 1000, finish: 60, brief: 1000, ..Self::GROUND };
    /// Few kernels at a time, of some blocks to very many: what is left of one decides whether it
    /// comes before another one, and some wait until all is over.
    pub const RANKS: Self =
        Self { launch: 1, finish: 1000, ranks: 300, brief: 0, tides: false, ..Self::GROUND };
    /// Very many launches from the device, mostly of one place, before the first block ends: what
    /// is counted of them gets far, and comes down again.
    pub const DEEP: Self =
        Self { launch: 8, finish: 1000, brief: 1000, flood: 150_000, tides: false, ..Self::GROUND };
}

#[cfg(test)]
mod tests {
    use super::super::Traffic;
    use super::*;
    use blockyard_sim::port::{Dispatch, Inputs, LaunchMode, Outputs, SmxLimits};

    #[test]
    fn no_block_ends_while_the_flood_of_deep_lasts_and_then_blocks_do() {
        let limits = SmxLimits {
            threads: 1536,
            registers: 32_768,
            shared_memory: 49_152,
            thread_block_slots: 8,
        };
        let deep = Intensity { flood: 300, ..Intensity::DEEP };
        for mode in [LaunchMode::Cdp, LaunchMode::Dtbl] {
            let mut traffic = Traffic::new(2, limits, deep, 1).launching(mode, 8, 1);
            let mut outputs = Outputs::idle(2);
            outputs.dispatch[1] = Some(Dispatch::default());
            let ends: Vec<bool> = (0..600)
                .map(|_| {
                    let mut inputs = Inputs::idle(2);
                    traffic.next(&mut inputs);
                    traffic.observe(&inputs, &outputs);
                    inputs.finished.iter().any(Option::is_some)
                })
                .collect();
            assert_eq!(ends.iter().position(|ends| *ends), Some(300), "{mode:?}");
            assert!(ends[300..].iter().all(|ends| *ends), "{mode:?}");
        }
    }
}
