//! What the approximations of PTX give on the simulated GPU: computed as doubles, and rounded once.

use std::f32::consts::{LN_2, LOG2_E};

/// `rsqrtf`
pub(crate) fn reciprocal_root(x: f32) -> f32 {
    (1.0 / f64::from(x).sqrt()) as f32
}

/// `__expf`: a power of two.
pub(crate) fn exponential(x: f32) -> f32 {
    libm::exp2(f64::from(x * LOG2_E)) as f32
}

/// `__logf`: a binary logarithm's multiple.
pub(crate) fn logarithm(x: f32) -> f32 {
    libm::log2(f64::from(x)) as f32 * LN_2
}
