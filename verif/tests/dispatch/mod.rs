//! The baseline dispatcher's modules against their twins: the rules of `docs/baseline.md`.

mod dispatcher;
mod dispatcher_rules;
mod fcfs_control;
mod gated;
mod kernel_table;
mod kernel_table_rules;
mod resource_table;
mod round_robin;
