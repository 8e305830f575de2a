//! The registers that every kernel over vertices has, by what they hold; a workload's own follow from
//! [`OWN`] on.

use crate::program::Register;

/// The thread's vertex.
pub const VERTEX: Register = 0;
/// Whether there is such a vertex.
pub const IN_BOUNDS: Register = 1;
/// Address of what decides whether the vertex is on the frontier.
pub const STATE_ADDRESS: Register = 2;
/// What decides it.
pub const STATE: Register = 3;
/// Whether it is.
pub const ON_FRONTIER: Register = 4;
/// Address of the vertex's row offset.
pub const ROW_ADDRESS: Register = 5;
/// The edge at hand.
pub const EDGE: Register = 6;
/// The edge after the last one of the row.
pub const ROW_END: Register = 7;
/// Whether there are edges left; before that, whether there are so many that a child walks them.
pub const MORE: Register = 8;
/// Address of the edge's target.
pub const COLUMN_ADDRESS: Register = 9;
/// The edge's target.
pub const TARGET: Register = 10;
/// Address of what the target is asked for.
pub const TARGET_ADDRESS: Register = 11;
/// What it is asked for.
pub const TARGET_STATE: Register = 12;
/// Whether the edge leads to something new.
pub const IS_NEW: Register = 13;
/// The first register that means what the workload says.
pub const OWN: Register = 14;
