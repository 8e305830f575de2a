//! What a dump must satisfy before wellen may read it: it trusts its input.

pub mod fst;
pub mod vcd;

/// Most bits of a variable: room is made for each of its values.
const WIDEST: u32 = 1 << 24;
