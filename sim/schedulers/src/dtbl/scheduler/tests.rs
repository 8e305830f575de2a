//! The whole of `--launch dtbl` (and `cdp`) on a machine with a memory for records and groups.

mod counting;
mod machine;
mod memory;
mod plan;
mod properties;
mod rules;
