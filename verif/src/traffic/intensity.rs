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
    /// For each other kernel, that it has many blocks along one dimension, which all run.
    pub long: u32,
    /// Most kernels of a block or two that come first, from reset on: no chance, but a number.
    pub first: u32,
    /// Whether launches pause at times, and blocks hardly end, or not at all, at others.
    pub tides: bool,
}

impl Intensity {
    /// Full tables and full SMXs, many events in one cycle.
    pub const DENSE: Self =
        Self { launch: 300, finish: 120, reset: 0, giant: 1, long: 0, first: 0, tides: true };
    /// As dense, and everything begins anew every thousand cycles: for runs of a few thousand.
    pub const RESTARTED: Self = Self { reset: 1, giant: 5, tides: false, ..Self::DENSE };
    /// Tables that fill and drain.
    pub const MIXED: Self =
        Self { launch: 60, finish: 60, reset: 1, giant: 5, long: 0, first: 0, tides: true };
    /// Mostly idle.
    pub const SPARSE: Self =
        Self { launch: 8, finish: 30, reset: 0, giant: 10, long: 0, first: 0, tides: true };
    /// SMXs that stay full, the last ones of a wide GPU too, and nothing that begins anew: what is
    /// counted from reset on gets far.
    pub const PACKED: Self =
        Self { launch: 300, finish: 2, reset: 0, giant: 0, long: 0, first: 0, tides: true };
    /// Few kernels, some of 65,535 blocks and more along one dimension, which end as soon as they
    /// can: what is counted in a grid gets far.
    pub const LONG: Self =
        Self { launch: 3, finish: 1000, reset: 0, giant: 0, long: 300, first: 0, tides: false };
    /// Mostly grids that nobody can count, in any entry, and everything begins anew every hundred
    /// cycles: what is known of a grid from its extents alone has all of their bits.
    pub const VAST: Self =
        Self { launch: 800, finish: 20, reset: 10, giant: 800, long: 0, first: 31, tides: true };
}
