//! The registers of the kernel, by what they hold; [`super::kernel`] shows where.

use crate::workload::program::Register;

pub(super) const VERTEX: Register = 0;
pub(super) const IN_BOUNDS: Register = 1;
pub(super) const LEVEL_ADDRESS: Register = 2;
pub(super) const LEVEL: Register = 3;
pub(super) const ON_FRONTIER: Register = 4;
pub(super) const ROW_ADDRESS: Register = 5;
pub(super) const EDGE: Register = 6;
pub(super) const ROW_END: Register = 7;
pub(super) const MORE: Register = 8;
pub(super) const COLUMN_ADDRESS: Register = 9;
pub(super) const TARGET: Register = 10;
pub(super) const TARGET_ADDRESS: Register = 11;
pub(super) const TARGET_LEVEL: Register = 12;
pub(super) const IS_NEW: Register = 13;
