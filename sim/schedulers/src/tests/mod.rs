//! Whole schedulers against a GPU of blocks that last as long as they are told to.

mod balance;
mod cancelled_clusters;
mod clusters;
mod contract;
mod dependent;
mod domains;
mod gated_sources;
mod gpgpusim;
pub(crate) mod harness;
mod ikra;
mod launch_control;
mod most_room;
mod partitions;
mod placement;
mod priority;
mod properties;
mod reset;
mod srtf;
mod throttling;
mod wide;
