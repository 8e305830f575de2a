//! Opcodes of Hopper alone (compute capability 9.0): matrices across four warps.

use super::{Class, Group};

pub(super) const TABLE: &[Group] =
    &[(Class::INTEGER, "WARPGROUP WARPGROUPSET"), (Class::TENSOR, "BGMMA HGMMA IGMMA QGMMA")];
