//! The baseline dispatcher's modules, and those that other schedulers share with it, against their
//! twins: the rules of `docs/baseline.md` and `docs/gpgpusim.md`.

mod block_ahead;
pub mod block_sequence;
mod dispatcher;
mod dispatcher_rules;
mod doubled_stride;
mod fcfs_control;
mod gated;
mod kernel_entries;
pub mod kernel_table;
mod kernel_table_rules;
mod last_finisher;
mod next_block;
mod residents;
mod resource_table;
mod round_robin;
