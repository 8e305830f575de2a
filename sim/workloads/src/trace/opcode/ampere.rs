//! Opcodes that Ampere brought (compute capability 8.x, Ada too) and later architectures keep:
//! asynchronous copies, reductions over a warp, matrices of doubles.

use super::{Class, Group, GLOBAL};

pub(super) const TABLE: &[Group] = &[
    (Class::INTEGER, "ARRIVES F2FP F2IP I2FP LDGDEPBAR REDUX SUQUERY UF2FP"),
    (Class::SINGLE, "HMNMX2"),
    (Class::TENSOR, "DMMA"),
    (Class::load(GLOBAL), "LDGSTS"),
];
