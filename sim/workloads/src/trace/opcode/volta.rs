//! Opcodes that Volta brought (compute capability 7.0 and 7.2) and later architectures keep.

use super::{Class, Group};

pub(super) const TABLE: &[Group] =
    &[(Class::SINGLE, "HADD2_32I HFMA2_32I HMUL2_32I"), (Class::TENSOR, "HMMA IMMA")];
