//! Modules of `partitions`.

mod control;
mod placement;
