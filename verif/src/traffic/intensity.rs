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
    /// Most kernels of a block or two that come first, from reset on, where half of the times there
    /// is one at most: no chance, but a number.
    pub first: u32,
    /// In spells, that all kernels have but a block or two.
    pub brief: u32,
    /// Most blocks that begin from where a giant comes until the reset that ends it; zero: time
    /// alone decides. No chance, but a number.
    pub early: u32,
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
        first: 0,
        brief: 300,
        early: 0,
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
}
