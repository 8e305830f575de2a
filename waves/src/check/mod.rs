//! What a dump must satisfy before wellen may read it: it trusts its input.

pub mod fst;
pub mod vcd;
