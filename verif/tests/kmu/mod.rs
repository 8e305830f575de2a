//! The Kernel Management Unit's modules against their twins: rules 1 to 5 of `docs/dtbl.md`.

mod management_unit;
mod pending_pool;
mod work_queues;
